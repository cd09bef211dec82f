//! The programs that `--assets` writes, with the arguments and certificates of envtest.

use crate::client::{Client, Identity};
use crate::process::{Process, Scratch, crdgen};
use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// An authority as envtest makes it.
struct Authority {
    certificate: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "envtest-environment");
        params.distinguished_name.push(DnType::OrganizationName, "envtest");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = Issuer::new(params.clone(), KeyPair::generate().expect("a key"));
        let certificate = params.self_signed(issuer.key()).expect("a certificate").pem();
        Authority { certificate, issuer }
    }

    fn sign(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate").pem();
        Identity { certificate, key: key.serialize_pem() }
    }

    fn server(&self) -> Identity {
        let hosts = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(hosts).expect("names");
        params.distinguished_name.push(DnType::CommonName, "localhost");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.sign(&params)
    }

    fn user(&self, name: &str, group: &str) -> Identity {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::OrganizationName, group);
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(&params)
    }
}

/// A port that is free now.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Asks until the answer is 200, as envtest does.
fn wait(client: &Client, path: &str) {
    let start = Instant::now();
    while !client.try_send("GET", path, "").is_ok_and(|answer| answer.code == 200) {
        assert!(start.elapsed() < Duration::from_secs(600), "{path} of {} is not ready", client.address);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A control plane as envtest starts it.
struct ControlPlane {
    etcd: Process,
    apiserver: Process,
    url: String,
    authority: String,
    clients: Authority,
    _scratch: Scratch,
}

impl ControlPlane {
    fn start() -> ControlPlane {
        let scratch = Scratch::new();
        let assets = assets(&scratch);
        let (etcd_url, port) = (format!("http://127.0.0.1:{}", port()), port());
        let etcd = Process::spawn(Command::new(assets.join("etcd")).args([
            format!("--advertise-client-urls={etcd_url}"),
            format!("--data-dir={}", scratch.path("etcd").display()),
            format!("--listen-client-urls={etcd_url}"),
            "--listen-peer-urls=http://127.0.0.1:0".to_owned(),
            "--unsafe-no-fsync=true".to_owned(),
        ]));
        wait(&Client::new(&etcd_url, None, None), "/health");
        let (own, clients) = (Authority::new(), Authority::new());
        let Identity { certificate, key } = own.server();
        scratch.write("apiserver.crt", &certificate);
        scratch.write("apiserver.key", &key);
        let client_ca = scratch.write("client-cert-auth-ca.crt", &clients.certificate);
        let folder = scratch.path("").display().to_string();
        let apiserver = Process::spawn(Command::new(assets.join("kube-apiserver")).args([
            "--allow-privileged=true".to_owned(),
            "--authorization-mode=RBAC".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--cert-dir={folder}"),
            format!("--client-ca-file={}", client_ca.display()),
            "--disable-admission-plugins=ServiceAccount".to_owned(),
            format!("--etcd-servers={etcd_url}"),
            format!("--secure-port={port}"),
            format!("--service-account-issuer=https://127.0.0.1:{port}/"),
            format!("--service-account-key-file={folder}sa-signer.crt"),
            format!("--service-account-signing-key-file={folder}sa-signer.key"),
            "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
        ]));
        let url = format!("https://127.0.0.1:{port}");
        let authority = own.certificate;
        wait(&Client::new(&url, Some(&authority), None), "/healthz");
        ControlPlane { etcd, apiserver, url, authority, clients, _scratch: scratch }
    }

    fn client(&self, identity: Option<&Identity>) -> Client {
        Client::new(&self.url, Some(&self.authority), identity)
    }
}

fn assets(scratch: &Scratch) -> PathBuf {
    let folder = scratch.path("assets");
    let output = Command::new(crdgen()).args(["serve", "--assets"]).arg(&folder).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    assert_eq!(printed, folder.canonicalize().expect("a folder"));
    printed
}

#[test]
fn users_of_envtest_have_certificates() {
    let plane = ControlPlane::start();
    let admin = plane.clients.user("default", "system:masters");
    let client = plane.client(Some(&admin));
    assert_eq!(client.get("/api/v1/namespaces/default").code, 200);
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    assert_eq!(client.send("POST", "/api/v1/namespaces/default/configmaps", body).code, 201);
    // Without a certificate, a client only sees whether the server is ready.
    assert_eq!(plane.client(None).get("/readyz").code, 200);
    assert_eq!(plane.client(None).get("/api/v1/namespaces").code, 403);
    // Roles decide what other users may do.
    let jane = plane.client(Some(&plane.clients.user("jane", "dev")));
    let maps = "/api/v1/namespaces/default/configmaps";
    assert_eq!(jane.get(maps).code, 403);
    assert_eq!(jane.get("/apis").code, 200);
    let rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    let body = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"jane"},
        "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
        "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"dev"}]}"#;
    assert_eq!(client.send("POST", rbac, body).code, 201);
    assert_eq!(jane.get(maps).code, 200);
    assert_eq!(jane.get("/api/v1/configmaps").code, 403);
    // The authority of another control plane signs no users of this one. As with the server, the client learns it by an answer.
    let stranger = Authority::new().user("default", "system:masters");
    assert_eq!(plane.client(Some(&stranger)).get("/api/v1/namespaces").code, 401);
    // Neither does the authority of the server.
    let server = plane.clients.server();
    assert_eq!(plane.client(Some(&server)).get("/api/v1/namespaces").code, 401);
}

#[test]
fn nothing_does_what_envtest_does_not_do() {
    let plane = ControlPlane::start();
    let admin = plane.clients.user("default", "system:masters");
    let client = plane.client(Some(&admin));
    let owned = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","ownerReferences":[
        {"apiVersion":"v1","kind":"ConfigMap","name":"none","uid":"00000000-0000-4000-8000-000000000000"}]}}"#;
    let path = "/api/v1/namespaces/default/configmaps";
    assert_eq!(client.send("POST", path, owned).code, 201);
    assert_eq!(client.get("/api/v1/namespaces/default/configmaps/a").code, 200, "garbage was collected");
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}}"#;
    assert_eq!(client.send("POST", "/api/v1/namespaces", namespace).code, 201);
    assert_eq!(client.send("DELETE", "/api/v1/namespaces/n", "").code, 200);
    let kept = client.get("/api/v1/namespaces/n");
    assert!(kept.code == 200 && kept.body.contains(r#""phase":"Terminating""#), "{}", kept.body);
}

#[test]
fn programs_end_with_sigterm() {
    let mut plane = ControlPlane::start();
    plane.apiserver.terminate();
    plane.etcd.terminate();
}

#[test]
fn files_of_others_are_not_replaced() {
    let scratch = Scratch::new();
    let folder = assets(&scratch);
    // The second time changes nothing.
    assert_eq!(assets(&scratch), folder);
    let real = folder.join("kube-apiserver");
    std::fs::remove_file(&real).expect("a link");
    std::fs::write(&real, "#!/bin/sh\n").expect("a file");
    let why = crate::process::failure(&["--assets", &folder.to_string_lossy()]);
    assert!(why.contains("choose another folder"), "{why}");
    assert_eq!(std::fs::read_to_string(&real).expect("a file"), "#!/bin/sh\n");
}

#[test]
fn flags_that_change_who_may_do_what_end_the_program() {
    let scratch = Scratch::new();
    let program = assets(&scratch).join("kube-apiserver");
    let run = |argument: &str| Command::new(&program).arg(argument).output().expect("it runs");
    let refused = run("--authorization-mode=Webhook");
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && why.contains("has no --authorization-mode=Webhook"), "{why}");
    let refused = run("--secure-port=0");
    let why = String::from_utf8_lossy(&refused.stderr);
    let expected = "--secure-port: 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0";
    assert!(!refused.status.success() && why.contains(expected), "{why}");
    // envtest looks for flags in the help.
    let help = String::from_utf8_lossy(&run("--help").stdout).into_owned();
    assert!(help.lines().any(|line| line.trim_start().starts_with("--secure-port")), "{help}");
    assert!(!help.contains("--insecure-port"), "{help}");
}
