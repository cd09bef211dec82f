//! Migrates from one storage version to another with `crdgen migrate`, until the oldest version can be removed.
//! `$CRDGEN` is the command.

use crate::hook::{Fault, Hook, certificate, definition};
use crate::model::{Model, merge, site};
use crate::{VERSIONS, define, get};
use crdgen_live_server::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CRD: &str = "sites.example.com";
/// The number of objects, which is enough for several pages.
const OBJECTS: usize = 60;

/// The output of a run, and how it ended.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs `crdgen migrate` for a server.
struct Migrate<'a> {
    program: PathBuf,
    server: &'a Server,
    /// The name of the CRD.
    crd: &'a str,
}

impl Migrate<'_> {
    fn start(&self, args: &[&str]) -> Child {
        Command::new(&self.program)
            .args(["migrate", "--cluster", self.crd])
            .args(args)
            .env("KUBECONFIG", self.server.kubeconfig())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("crdgen starts")
    }

    fn run(&self, args: &[&str]) -> Ran {
        ended(self.start(args))
    }

    #[track_caller]
    fn ok(&self, args: &[&str]) -> Ran {
        let ran = self.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        ran
    }

    /// Returns the report as JSON, and the exit code of `--check`.
    fn check(&self, args: &[&str]) -> (Option<i32>, Value) {
        let ran = self.run(&[&["--check", "-o", "json"], args].concat());
        let mut all: Vec<Value> =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
        (ran.code, all.pop().expect("a CRD"))
    }

    fn stored_versions(&self) -> Value {
        let crd: Value =
            serde_json::from_str(&self.server.ok(&["get", "crd", self.crd, "-o", "json"], "")).expect("JSON");
        crd["status"]["storedVersions"].clone()
    }

    fn resource_versions(&self) -> BTreeMap<String, Value> {
        let list = self.server.ok(&["get", "--raw", "/apis/example.com/v1/sites"], "");
        let list: Value = serde_json::from_str(&list).expect("a list");
        let items = list["items"].as_array().expect("items").iter();
        let metadata = items.map(|item| &item["metadata"]);
        metadata
            .map(|it| (it["name"].as_str().expect("a name").to_owned(), it["resourceVersion"].clone()))
            .collect()
    }
}

fn ended(child: Child) -> Ran {
    let out = child.wait_with_output().expect("crdgen ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: out.status.code(), stdout: text(out.stdout), stderr: text(out.stderr) }
}

#[track_caller]
fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what} does not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn name(number: usize) -> String {
    format!("site-{number:02}")
}

/// Returns objects of all versions.
fn sites() -> Vec<Value> {
    let spec = |number: usize| match VERSIONS[number % 3] {
        "v1alpha1" => {
            json!({"host": "a", "replicas": 1, "timeoutSeconds": 5, "theme": "dark", "backends": []})
        }
        "v1beta1" => {
            json!({"hosts": ["b", "c"], "replicas": 2, "timeoutSeconds": 6, "paused": true, "backends": []})
        }
        _ => json!({"hosts": ["d", "e"], "scaling": {"replicas": 3, "max": 9}, "timeoutMillis": 1500,
            "state": "Maintenance", "backends": []}),
    };
    (0..OBJECTS).map(|number| site(VERSIONS[number % 3], &name(number), spec(number))).collect()
}

/// Fails to convert one object.
fn without_site_7(answer: &mut Value) {
    let response = &mut answer["response"];
    let objects = response["convertedObjects"].as_array().map_or(&[][..], Vec::as_slice);
    if objects.iter().any(|object| object["metadata"]["name"] == "site-07") {
        response["convertedObjects"] = json!([]);
        response["result"] = json!({"status": "Failure", "message": "site-07 does not convert"});
    }
}

#[test]
fn stored_objects_are_migrated_until_a_version_can_be_removed() {
    let Some(program) = std::env::var_os("CRDGEN").map(PathBuf::from) else {
        eprintln!("SKIPPED migration: $CRDGEN is not set");
        return;
    };
    let Some(server) = Server::start("migration") else { return };
    let migrate = Migrate { program, server: &server, crd: CRD };
    let (tls, trusted) = certificate("127.0.0.1");
    let hook = Hook::start("127.0.0.1:0", tls.clone());
    let address = hook.address.to_string();

    define(&server, &definition(&hook, &trusted, "v1alpha1"));
    let mut model = Model { stored: "v1alpha1", objects: BTreeMap::new() };
    let texts: Vec<String> = sites().iter().map(Value::to_string).collect();
    server.ok(&["create", "-f", "-"], &texts.join("\n"));
    sites().iter().for_each(|site| model.put(site));
    let (code, report) = migrate.check(&[]);
    assert_eq!(
        (code, &report["storedVersions"], &report["toDo"]),
        (Some(0), &json!(["v1alpha1"]), &json!(false))
    );
    assert!(migrate.ok(&[]).stderr.contains("nothing to migrate"));

    // From now on another version is the storage version, but all objects are stored in the old one.
    define(&server, &definition(&hook, &trusted, "v1"));
    std::thread::sleep(Duration::from_secs(2));
    let (code, report) = migrate.check(&["--api-version", "v1alpha1"]);
    assert_eq!(
        (code, &report["storedVersions"], &report["objects"]),
        (Some(1), &json!(["v1alpha1", "v1"]), &json!(OBJECTS))
    );
    let alpha = report["versions"].as_array().and_then(|all| all.iter().find(|it| it["name"] == "v1alpha1"));
    let alpha = alpha.expect("the version");
    assert_eq!(alpha["steps"], json!(["migrate", "stop-serving"]));
    assert_eq!(alpha["writers"][0]["manager"], "kubectl-create");
    assert_eq!(alpha["writers"][0]["objects"], OBJECTS / 3);
    let without_alpha = |certificate: &str, stored: &str| {
        let crd = definition(&hook, certificate, stored);
        let mut crd: Value =
            serde_json::from_str(&server.ok(&["create", "--dry-run=client", "-o", "json", "-f", "-"], &crd))
                .expect("JSON");
        crd["spec"]["versions"].as_array_mut().expect("versions").retain(|it| it["name"] != "v1alpha1");
        crd.to_string()
    };
    let apply = ["apply", "--server-side", "--force-conflicts", "-f", "-"];
    let error = server.refused(&apply, &without_alpha(&trusted, "v1"));
    assert!(error.contains("status.storedVersions[0]: Invalid value: \"v1alpha1\""), "{error}");

    // A dry run changes nothing.
    let before = migrate.resource_versions();
    let ran = migrate.ok(&["--dry-run"]);
    assert!(
        ran.stderr.contains("would write 60 objects in v1; 0 deleted meanwhile, 0 failed"),
        "{}",
        ran.stderr
    );
    assert_eq!(migrate.resource_versions(), before);

    // An object that cannot be converted is not written, and the version remains in the status.
    hook.set(Fault::Answer(without_site_7));
    for _ in 0..2 {
        let ran = migrate.run(&["--page-size", "25"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("wrote 59 objects in v1; 0 deleted meanwhile, 1 failed"),
            "{}",
            ran.stderr
        );
        let line = ran.stderr.lines().find(|line| line.starts_with("Site default/site-07: "));
        assert!(line.is_some_and(|line| line.contains("site-07 does not convert")), "{}", ran.stderr);
        assert_eq!(migrate.stored_versions(), json!(["v1alpha1", "v1"]));
    }
    hook.set(Fault::None);
    let after = migrate.resource_versions();
    let unchanged: Vec<&String> = before.keys().filter(|name| before[*name] == after[*name]).collect();
    assert_eq!(unchanged, ["site-07"]);
    model.stored = "v1";
    model.check(&server, "all but one are written");

    // The storage version changes again. A run is killed, other clients write and delete objects, and a second run
    // continues.
    for stored in ["v1alpha1", "v1"] {
        define(&server, &definition(&hook, &trusted, stored));
        std::thread::sleep(Duration::from_secs(2));
        if stored == "v1alpha1" {
            migrate.ok(&["--own"]);
        }
    }
    let folder = std::env::temp_dir().join(format!("crdgen-migration-{}", std::process::id()));
    let file = folder.join("progress.json");
    let resume = file.to_str().expect("a name");
    let written = || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        serde_json::from_str::<Value>(&text).ok().and_then(|it| it["written"].as_u64()).unwrap_or_default()
    };
    hook.set(Fault::Slow(Duration::from_millis(20)));
    let mut run = migrate.start(&["--resume", resume, "--page-size", "7"]);
    wait_until("progress", || written() >= 14);
    run.kill().expect("it runs");
    let killed = ended(run);
    assert_eq!(killed.code, None);
    let so_far = written();
    assert!(so_far < OBJECTS as u64, "{so_far}");
    assert_eq!(migrate.stored_versions(), json!(["v1alpha1", "v1"]));

    hook.set(Fault::Slow(Duration::from_millis(150)));
    let run = migrate.start(&["--resume", resume]);
    // The first review is for the list. After it, objects change that are not written yet.
    let reviews = hook.reviews();
    wait_until("the list", || hook.reviews() > reviews + 1);
    let (changed, gone) = (name(OBJECTS - 1), name(OBJECTS - 2));
    let label = json!({"metadata": {"labels": {"meanwhile": "changed"}}});
    server.ok(&["patch", "sites.v1.example.com", &changed, "--type=merge", "-p", &label.to_string()], "");
    model.patch("v1", &changed, &label);
    server.ok(&["delete", "sites.v1.example.com", &gone, "--wait=false"], "");
    model.objects.remove(&gone);
    let ran = ended(run);
    hook.set(Fault::None);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.starts_with(&format!("continuing after {so_far} objects")), "{}", ran.stderr);
    // Whether another client's write causes a conflict depends on the speed of the machine.
    let wrote = ran
        .stderr
        .lines()
        .find(|line| line.contains("wrote 59 objects in v1; 1 deleted meanwhile, 0 failed; "));
    assert!(wrote.is_some_and(|line| line.contains(" conflict")), "{}", ran.stderr);
    assert!(ran.stderr.contains("removed v1alpha1 from status.storedVersions"), "{}", ran.stderr);
    assert_eq!(migrate.stored_versions(), json!(["v1"]));
    model.check(&server, "migrated");
    _ = std::fs::remove_dir_all(folder);

    // To prove it: without the webhook, all objects can be read in the version in which they are stored.
    let crd = without_alpha(&trusted, "v1");
    drop(hook);
    for object in model.objects.keys() {
        assert_eq!(get(&server, "v1", object)["metadata"]["name"], **object);
    }
    let error = server.refused(&["get", "sites.v1alpha1.example.com", &changed], "");
    assert!(error.contains("connection refused"), "{error}");
    let hook = Hook::start(&address, tls);

    // The oldest version can be removed.
    let (code, report) = migrate.check(&["--api-version", "v1alpha1"]);
    assert_eq!(code, Some(1));
    let alpha = report["versions"].as_array().and_then(|all| all.iter().find(|it| it["name"] == "v1alpha1"));
    assert_eq!(alpha.expect("the version")["steps"], json!(["stop-serving"]));
    server.ok(&apply, &crd);
    wait_until("the removal", || {
        !server.kubectl(&["get", "--raw", "/apis/example.com/v1alpha1/sites"], "").status.success()
    });
    for (object, version) in
        model.objects.keys().flat_map(|name| ["v1beta1", "v1"].map(|version| (name, version)))
    {
        assert_eq!(get(&server, version, object)["spec"], model.get(version, object)["spec"], "{object}");
    }
    drop(hook);
}

/// The API of Kubernetes 1.37, which the standalone server lacks. A kind of the same name replaces it, and this test
/// acts as its controller.
#[test]
fn lets_the_server_migrate() {
    let Some(program) = std::env::var_os("CRDGEN").map(PathBuf::from) else {
        eprintln!("SKIPPED migration: $CRDGEN is not set");
        return;
    };
    let Some(server) = Server::start("asked") else { return };
    let migrate = Migrate { program, server: &server, crd: CRD };
    let (tls, trusted) = certificate("127.0.0.1");
    let hook = Hook::start("127.0.0.1:0", tls);
    let text = json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {
        "spec": {"type": "object", "required": ["resource"], "properties": {"resource": {
            "type": "object", "required": ["resource"], "properties": {"group": text, "resource": text}}}},
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }});
    let api = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "storageversionmigrations.storagemigration.k8s.io",
            "annotations": {"api-approved.kubernetes.io": "unapproved, in the place of the core API server"}},
        "spec": {"group": "storagemigration.k8s.io", "scope": "Cluster",
            "names": {"plural": "storageversionmigrations", "kind": "StorageVersionMigration"},
            "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": schema}}]},
    });
    server.ok(&["create", "-f", "-"], &api.to_string());
    server.until_served("storageversionmigrations");
    define(&server, &definition(&hook, &trusted, "v1alpha1"));

    for (stored, condition, code, left) in [
        ("v1", json!({"type": "Succeeded", "status": "True"}), 0, json!(["v1"])),
        (
            "v1beta1",
            json!({"type": "Failed", "status": "True", "reason": "R", "message": "no quota"}),
            1,
            json!(["v1", "v1beta1"]),
        ),
    ] {
        define(&server, &definition(&hook, &trusted, stored));
        let manifest = migrate.ok(&["-o", "manifest"]).stdout;
        let run = migrate.start(&[]);
        let mut asked = Value::Null;
        wait_until("the request", || {
            let list =
                server.ok(&["get", "--raw", "/apis/storagemigration.k8s.io/v1/storageversionmigrations"], "");
            asked = serde_json::from_str::<Value>(&list).expect("a list")["items"][0].clone();
            asked.is_object()
        });
        assert_eq!(asked["spec"], json!({"resource": {"group": "example.com", "resource": "sites"}}));
        let name = asked["metadata"]["name"].as_str().expect("a name").to_owned();
        assert!(manifest.contains(&format!("name: {name}\n")), "{manifest}");
        let mut status = json!({"status": {"conditions": [{"type": "Running", "status": "True"}]}});
        merge(&mut status, &json!({"status": {"conditions": [condition]}}));
        let patch = status.to_string();
        server.ok(
            &[
                "patch",
                "storageversionmigrations",
                &name,
                "--subresource=status",
                "--type=merge",
                "-p",
                &patch,
            ],
            "",
        );
        let ran = ended(run);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert_eq!(
            ran.stderr.contains("the migration failed: R: no quota; delete"),
            code == 1,
            "{}",
            ran.stderr
        );
        assert_eq!(migrate.stored_versions(), left);
        server.ok(&["delete", "storageversionmigrations", &name], "");
    }
}

/// Returns a CRD without a webhook, whose newer version lacks `note`.
fn plain_definition(stored: &str) -> String {
    let version = |name: &str, fields: Value| {
        let spec = json!({"type": "object", "properties": fields});
        json!({"name": name, "served": true, "storage": name == stored,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}})
    };
    let (size, note) = (json!({"type": "integer"}), json!({"type": "string"}));
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "plains.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "plains", "kind": "Plain"},
            "conversion": {"strategy": "None"},
            "versions": [
                version("v1alpha1", json!({"size": size, "note": note})),
                version("v1", json!({"size": size})),
            ],
        },
    });
    crd.to_string()
}

/// Without a webhook, the server only changes the name of the version. An object that would lose a field is not
/// written, and the version remains until the user decides what to do with the field.
#[test]
fn objects_without_a_webhook_keep_their_fields() {
    let Some(program) = std::env::var_os("CRDGEN").map(PathBuf::from) else {
        eprintln!("SKIPPED migration: $CRDGEN is not set");
        return;
    };
    let Some(server) = Server::start("plain") else { return };
    let migrate = Migrate { program, server: &server, crd: "plains.example.com" };
    let define = |stored: &str| {
        server.ok(&["apply", "--server-side", "--force-conflicts", "-f", "-"], &plain_definition(stored));
        for version in ["v1alpha1", "v1"] {
            server.until_served(&format!("plains.{version}.example.com"));
        }
    };
    define("v1alpha1");
    for (name, spec) in [("a", json!({"size": 1})), ("b", json!({"size": 2, "note": "dear"}))] {
        let object = json!({"apiVersion": "example.com/v1alpha1", "kind": "Plain", "metadata": {"name": name},
            "spec": spec});
        server.ok(&["create", "-f", "-"], &object.to_string());
    }
    define("v1");
    std::thread::sleep(Duration::from_secs(2));

    let spec = |version: &str, name: &str| {
        let path = format!("/apis/example.com/{version}/namespaces/default/plains/{name}");
        let object: Value =
            serde_json::from_str(&server.ok(&["get", "--raw", &path], "")).expect("an object");
        object["spec"].clone()
    };
    let ran = migrate.run(&[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let why = "Plain default/b: the server would drop fields that the schema does not have: spec.note";
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert!(ran.stderr.contains("wrote 1 object in v1; 0 deleted meanwhile, 1 failed"), "{}", ran.stderr);
    assert_eq!(migrate.stored_versions(), json!(["v1alpha1", "v1"]));
    assert_eq!(spec("v1alpha1", "b"), json!({"size": 2, "note": "dear"}));

    // The user decides that the note can be dropped.
    server.ok(
        &["patch", "plains.v1alpha1.example.com", "b", "--type=merge", "-p", r#"{"spec":{"note":null}}"#],
        "",
    );
    let ran = migrate.ok(&[]);
    assert!(ran.stderr.contains("wrote 2 objects in v1; 0 deleted meanwhile, 0 failed"), "{}", ran.stderr);
    assert_eq!(migrate.stored_versions(), json!(["v1"]));
    assert_eq!((spec("v1", "a"), spec("v1", "b")), (json!({"size": 1}), json!({"size": 2})));
}
