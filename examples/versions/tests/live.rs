//! The webhook under the real API server: where `$CRDGEN_LIVE` is set, `$CRDGEN_ORACLE` names the program that serves
//! (`tests/oracle`), and kubectl is there. Every answer is predicted.

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tower_service::Service;

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

/// A running API server, ended when dropped.
struct Server {
    child: Child,
    dir: PathBuf,
    steps: usize,
}

impl Server {
    fn start(name: &str) -> Option<Server> {
        let (Some(_), Some(oracle)) = (std::env::var_os("CRDGEN_LIVE"), std::env::var_os("CRDGEN_ORACLE"))
        else {
            eprintln!("SKIPPED {name}: $CRDGEN_LIVE and $CRDGEN_ORACLE are not set");
            return None;
        };
        let dir = std::env::temp_dir().join(format!("crdgen-versions-{name}-{}", std::process::id()));
        let mut child = Command::new(oracle)
            .arg("serve")
            .arg("--dir")
            .arg(&dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server's program starts");
        let out = child.stdout.take().expect("a pipe");
        let server = Server { child, dir, steps: 0 };
        let ready = BufReader::new(out).lines().map_while(Result::ok).any(|line| line.starts_with("READY"));
        assert!(ready, "the API server does not start");
        Some(server)
    }

    fn kubectl(&mut self, args: &[&str], input: &str) -> Output {
        self.steps += 1;
        let mut child = Command::new("kubectl")
            .arg("--kubeconfig")
            .arg(self.dir.join("kubeconfig"))
            .arg("--cache-dir")
            .arg(self.dir.join("cache"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("kubectl starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("kubectl reads");
        child.wait_with_output().expect("kubectl ends")
    }

    #[track_caller]
    fn ok(&mut self, args: &[&str], input: &str) -> String {
        let out = self.kubectl(args, input);
        let error = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "kubectl {}: {error}\n{input}", args.join(" "));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    #[track_caller]
    fn refused(&mut self, args: &[&str], input: &str) -> String {
        let out = self.kubectl(args, input);
        assert!(!out.status.success(), "kubectl {} was not refused", args.join(" "));
        String::from_utf8_lossy(&out.stderr).into_owned()
    }

    fn get(&mut self, version: &str, name: &str) -> Value {
        let path = format!("/apis/example.com/{version}/namespaces/default/sites/{name}");
        serde_json::from_str(&self.ok(&["get", "--raw", &path], "")).expect("an object")
    }

    /// Applies the CRD and waits until the server has taken it over.
    fn define(&mut self, crd: &str) {
        self.ok(&["apply", "--server-side", "--force-conflicts", "-f", "-"], crd);
        let start = Instant::now();
        for version in VERSIONS {
            while !self.kubectl(&["get", &format!("sites.{version}.example.com")], "").status.success() {
                self.steps -= 1;
                assert!(start.elapsed() < Duration::from_secs(30), "{version} is not served");
                std::thread::sleep(Duration::from_millis(200));
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
        _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// What the webhook does wrong: it changes its answer, or waits.
#[derive(Clone, Copy)]
enum Fault {
    None,
    Slow,
    Answer(fn(&mut Value)),
    Text(&'static str),
    Status(u16),
}

/// The webhook on a port of its own. When dropped, all its connections end.
struct Hook {
    _runtime: Runtime,
    address: SocketAddr,
    fault: Arc<Mutex<Fault>>,
}

impl Hook {
    fn start(address: &str, tls: TlsAcceptor) -> Hook {
        let runtime = Runtime::new().expect("a runtime");
        let fault = Arc::new(Mutex::new(Fault::None));
        let start = Instant::now();
        let listener = loop {
            match runtime.block_on(tokio::net::TcpListener::bind(address)) {
                Ok(listener) => break listener,
                Err(e) => assert!(start.elapsed() < Duration::from_secs(10), "{address}: {e}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        let address = listener.local_addr().expect("an address");
        runtime.spawn(serve(listener, tls, Arc::clone(&fault)));
        Hook { _runtime: runtime, address, fault }
    }

    fn set(&self, fault: Fault) {
        *self.fault.lock().expect("nobody panics") = fault;
    }
}

async fn serve(listener: tokio::net::TcpListener, tls: TlsAcceptor, fault: Arc<Mutex<Fault>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, fault) = (tls.clone(), Arc::clone(&fault));
        tokio::spawn(async move {
            let Ok(stream) = tls.accept(stream).await else { return };
            let service = service_fn(move |request| answer(request, Arc::clone(&fault)));
            _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    fault: Arc<Mutex<Fault>>,
) -> Result<Response<crdgen::webhook::Body>, std::convert::Infallible> {
    use http_body_util::BodyExt;
    let mut response = versions::webhook().call(request).await?;
    let fault = *fault.lock().expect("nobody panics");
    match fault {
        Fault::None => {}
        Fault::Slow => tokio::time::sleep(Duration::from_secs(60)).await,
        Fault::Answer(change) => {
            let body = response.into_body().collect().await?.to_bytes();
            let mut answer = serde_json::from_slice(&body).expect("the webhook answers with JSON");
            change(&mut answer);
            response = Response::new(answer.to_string().into());
            response.headers_mut().insert("content-type", http::HeaderValue::from_static("application/json"));
        }
        Fault::Text(text) => response = Response::new(text.to_owned().into()),
        Fault::Status(status) => {
            response = Response::new("no".to_owned().into());
            *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
        }
    }
    Ok(response)
}

/// The CRD with the webhook, and one version that is stored.
fn definition(hook: &Hook, certificate: &str, stored: &str) -> String {
    let mut crd = versions::crd(&format!("https://{}/convert", hook.address), certificate)
        .expect("the types are right");
    for version in &mut crd.spec.versions {
        version.storage = version.name == stored;
    }
    crdgen::to_yaml(&crd)
}

/// What is stored, as this test predicts it.
struct Model {
    stored: &'static str,
    objects: BTreeMap<String, Value>,
}

impl Model {
    fn get(&self, version: &str, name: &str) -> Value {
        convert(&self.objects[name], version)
    }

    fn put(&mut self, object: &Value) {
        let name = object["metadata"]["name"].as_str().expect("a name").to_owned();
        self.objects.insert(name, convert(object, self.stored));
    }

    /// Changes an object in a version, as a merge patch does.
    fn patch(&mut self, version: &str, name: &str, patch: &Value) {
        let mut object = self.get(version, name);
        merge(&mut object, patch);
        self.put(&object);
    }

    /// Reads all objects in all versions.
    #[track_caller]
    fn check(&self, server: &mut Server, what: &str) {
        for name in self.objects.keys() {
            for version in VERSIONS {
                let found = server.get(version, name);
                assert_eq!(plain(&found), plain(&self.get(version, name)), "{what}: {name} in {version}");
            }
        }
    }
}

fn convert(object: &Value, version: &str) -> Value {
    let converted = versions::versions().convert(object, &format!("example.com/{version}"));
    serde_json::to_value(converted.unwrap_or_else(|e| panic!("{e}: {object}"))).expect("JSON")
}

/// The object without what only the server knows.
fn plain(object: &Value) -> Value {
    let mut object = object.clone();
    let metadata = object["metadata"].as_object_mut().expect("metadata");
    for name in ["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"] {
        metadata.remove(name);
    }
    if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    object
}

fn merge(object: &mut Value, patch: &Value) {
    let (Value::Object(members), Value::Object(patch)) = (&mut *object, patch) else {
        *object = patch.clone();
        return;
    };
    for (name, value) in patch {
        match (members.get_mut(name), value) {
            (_, Value::Null) => _ = members.remove(name),
            (Some(member), value) => merge(member, value),
            (None, value) => _ = members.insert(name.clone(), value.clone()),
        }
    }
}

fn site(version: &str, name: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Site",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name}},
        "spec": spec,
    })
}

/// Objects that only their own version can express.
fn objects() -> [Value; 3] {
    [
        site(
            "v1alpha1",
            "alpha",
            json!({"host": "a", "replicas": 1, "timeoutSeconds": 5, "theme": "dark",
                "backends": [{"name": "x", "port": 80, "note": "old"}, {"name": "y", "port": 81}]}),
        ),
        site(
            "v1beta1",
            "beta",
            json!({"hosts": ["b", "c"], "replicas": 2, "timeoutSeconds": 6, "paused": true,
                "backends": [{"name": "x", "port": 80, "protocol": "H2c"}]}),
        ),
        site(
            "v1",
            "stable",
            json!({"hosts": ["d", "e", "f"], "scaling": {"replicas": 3, "max": 9}, "timeoutMillis": 1500,
                "state": "Maintenance", "backends": [{"name": "x", "target_port": 80, "protocol": "Grpc"}]}),
        ),
    ]
}

/// Changes in each version, one after the other.
fn patches(version: &str) -> [Value; 3] {
    match version {
        "v1alpha1" => [
            json!({"spec": {"host": "edited", "theme": "light"}}),
            json!({"spec": {"backends": [{"name": "z", "port": 1, "note": "n"}, {"name": "x", "port": 80}]}}),
            json!({"spec": {"theme": null, "timeoutSeconds": 7}, "metadata": {"labels": {"more": "1"}}}),
        ],
        "v1beta1" => [
            json!({"spec": {"hosts": ["p", "q"]}}),
            json!({"spec": {"paused": false, "backends": [{"name": "x", "port": 8080, "protocol": "H2c"}]}}),
            json!({"metadata": {"annotations": {"example.com/mine": "1"}}}),
        ],
        _ => [
            json!({"spec": {"state": "Maintenance", "timeoutMillis": 2500}}),
            json!({"spec": {"scaling": {"max": 50}}}),
            json!({"spec": {"backends": [{"name": "x", "target_port": 9, "protocol": "Grpc"}]}}),
        ],
    }
}

#[test]
fn every_answer_is_as_predicted() {
    let Some(mut server) = Server::start("steps") else { return };
    let (tls, certificate) = versions::certificate("127.0.0.1").expect("a certificate");
    let hook = Hook::start("127.0.0.1:0", tls);
    let mut model = Model { stored: "v1", objects: BTreeMap::new() };
    server.define(&definition(&hook, &certificate, "v1"));

    for object in objects() {
        server.ok(&["create", "-f", "-"], &object.to_string());
        model.put(&object);
    }
    model.check(&mut server, "created");

    let names: Vec<String> = model.objects.keys().cloned().collect();
    for version in VERSIONS {
        let resource = format!("sites.{version}.example.com");
        for (name, patch) in names.iter().zip(patches(version)) {
            server.ok(&["patch", &resource, name, "--type=merge", "-p", &patch.to_string()], "");
            model.patch(version, name, &patch);
            for version in VERSIONS {
                let found = server.get(version, name);
                assert_eq!(plain(&found), plain(&model.get(version, name)), "{patch}: {name} in {version}");
            }
        }
        // Server-side apply, by a manager of each version.
        for name in &names {
            let labels = json!({"metadata": {"labels": {version: "applied"}}});
            let mut applied = json!({"apiVersion": format!("example.com/{version}"), "kind": "Site",
                "metadata": {"name": name, "namespace": "default"}});
            merge(&mut applied, &labels);
            let manager = format!("--field-manager={version}");
            server.ok(&["apply", "--server-side", &manager, "-f", "-"], &applied.to_string());
            model.patch(version, name, &labels);
        }
        // Client-side apply of the whole object, with a change.
        let mut applied = plain(&model.get(version, "alpha"));
        merge(&mut applied, &json!({"metadata": {"labels": {"client": version}}}));
        server.ok(&["apply", "-f", "-"], &applied.to_string());
        model.put(&applied);
        model.check(&mut server, "applied");

        for (i, name) in names.iter().enumerate() {
            let status = json!({"status": {"replicas": i}});
            server.ok(
                &[
                    "patch",
                    &resource,
                    name,
                    "--subresource=status",
                    "--type=merge",
                    "-p",
                    &status.to_string(),
                ],
                "",
            );
            model.patch(version, name, &status);
            let replicas = (10 + i).to_string();
            server.ok(&["scale", &format!("--replicas={replicas}"), &format!("{resource}/{name}")], "");
            let spec = if version == "v1" {
                json!({"scaling": {"replicas": 10 + i}})
            } else {
                json!({"replicas": 10 + i})
            };
            model.patch(version, name, &json!({"spec": spec}));
            let path = format!("/apis/example.com/{version}/namespaces/default/sites/{name}/scale");
            let scale: Value =
                serde_json::from_str(&server.ok(&["get", "--raw", &path], "")).expect("a scale");
            assert_eq!(
                (&scale["spec"]["replicas"], &scale["status"]["replicas"]),
                (&json!(10 + i), &json!(i))
            );
        }
        model.check(&mut server, "scaled");
    }

    // Another version is stored: objects are as they were, and are stored anew when they are written.
    for stored in ["v1beta1", "v1alpha1", "v1"] {
        server.define(&definition(&hook, &certificate, stored));
        // The server takes the CRD over in its own time.
        std::thread::sleep(Duration::from_secs(2));
        model.check(&mut server, "another storage version");
        model.stored = stored;
        for name in &names {
            let patch = json!({"metadata": {"labels": {"stored": stored}}});
            server.ok(&["patch", "sites.v1.example.com", name, "--type=merge", "-p", &patch.to_string()], "");
            model.patch("v1", name, &patch);
        }
        model.check(&mut server, "stored anew");
        for version in VERSIONS {
            let list: Value = serde_json::from_str(
                &server.ok(&["get", "--raw", &format!("/apis/example.com/{version}/sites")], ""),
            )
            .expect("a list");
            let found: Map<String, Value> = list["items"]
                .as_array()
                .expect("items")
                .iter()
                .map(|item| (item["metadata"]["name"].as_str().expect("a name").to_owned(), plain(item)))
                .collect();
            for name in &names {
                assert_eq!(found[name], plain(&model.get(version, name)), "the list of {version}");
            }
        }
    }
    let crd: Value = serde_json::from_str(&server.ok(&["get", "crd", "sites.example.com", "-o", "json"], ""))
        .expect("JSON");
    assert_eq!(crd["status"]["storedVersions"], json!(["v1", "v1beta1", "v1alpha1"]));
    for name in &names {
        server.ok(&["delete", "sites.v1beta1.example.com", name, "--wait=false"], "");
    }
    assert!(server.steps >= 200, "there are {} steps", server.steps);
    eprintln!("{} steps", server.steps);
}

/// What the server says when the webhook fails, and that no stored object is lost.
#[test]
fn the_server_reports_a_webhook_that_fails() {
    let Some(mut server) = Server::start("faults") else { return };
    let (tls, certificate) = versions::certificate("127.0.0.1").expect("a certificate");
    let hook = Hook::start("127.0.0.1:0", tls.clone());
    let address = hook.address.to_string();
    server.define(&definition(&hook, &certificate, "v1"));
    let [_, _, object] = objects();
    server.ok(&["create", "-f", "-"], &object.to_string());
    let read = ["get", "sites.v1beta1.example.com", "stable", "--request-timeout=50s"];
    let before = server.get("v1beta1", "stable");

    for (fault, said) in [
        (Fault::Answer(|it| it["response"]["uid"] = "other".into()), "got \"other\""),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"] = json!([])),
            "returned 0 objects, expected 1",
        ),
        (Fault::Answer(|it| it["response"]["convertedObjects"][0]["kind"] = "Other".into()), "invalid kind"),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["apiVersion"] = "example.com/v1".into()),
            "invalid groupVersion (expected example.com/v1beta1, received example.com/v1)",
        ),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["metadata"]["name"] = "x".into()),
            "must have the same name: stable != x",
        ),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["metadata"]["uid"] = "x".into()),
            "must have the same UID",
        ),
        (
            Fault::Answer(|it| {
                _ = it["response"]["convertedObjects"][0].as_object_mut().and_then(|it| it.remove("metadata"))
            }),
            "must have the same name: stable != ",
        ),
        (
            Fault::Answer(|it| {
                it["response"]["convertedObjects"][0]["metadata"]["labels"] = json!({"a b": "c"})
            }),
            "Invalid value: \"a b\"",
        ),
        (
            Fault::Answer(|it| _ = it.as_object_mut().and_then(|it| it.remove("response"))),
            "no response provided",
        ),
        (
            Fault::Answer(|it| {
                it["response"]["result"] = json!({"status": "Failure", "message": "my words"})
            }),
            "failed: my words",
        ),
        (
            Fault::Answer(|it| it["apiVersion"] = "apiextensions.k8s.io/v1beta1".into()),
            "converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        ),
        (Fault::Text("no JSON"), "conversion webhook for example.com/v1, Kind=Site failed"),
        (Fault::Status(500), "conversion webhook for example.com/v1, Kind=Site failed"),
        (Fault::Slow, "context deadline exceeded"),
    ] {
        hook.set(fault);
        let error = server.refused(&read, "");
        assert!(error.contains(said), "{said}: {error}");
        // The stored version needs no conversion.
        assert_eq!(server.get("v1", "stable")["spec"], object["spec"]);
        hook.set(Fault::None);
        assert_eq!(server.get("v1beta1", "stable"), before);
    }

    drop(hook);
    let error = server.refused(&read, "");
    assert!(error.contains("connection refused"), "{error}");
    let [_, beta, _] = objects();
    let error = server.refused(&["create", "-f", "-"], &beta.to_string());
    assert!(error.contains("connection refused"), "{error}");

    // A certificate that the CRD does not name.
    let (other, _) = versions::certificate("127.0.0.1").expect("a certificate");
    let hook = Hook::start(&address, other);
    let error = server.refused(&read, "");
    assert!(error.contains("x509: certificate signed by unknown authority"), "{error}");
    drop(hook);

    let hook = Hook::start(&address, tls);
    assert_eq!(server.get("v1beta1", "stable"), before);
    // What the conversion itself refuses.
    hook.set(Fault::None);
    server.ok(&["create", "-f", "-"], &beta.to_string());
}
