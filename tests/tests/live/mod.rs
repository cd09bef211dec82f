//! End-to-end tests with the real API server (`oracle serve`) and kubectl. They only run if `$CRDGEN_LIVE` is set,
//! because they start a server with its own etcd.

macro_rules! server {
    ($name:literal) => {
        match crdgen_tests::oracle::given().and_then(|program| Server::of(program.path(), $name)) {
            Ok(server) => server,
            Err(why) => {
                return crdgen_tests::skip(concat!("live ", $name), why);
            }
        }
    };
}

mod explain;
mod get;
mod openapi;
mod steps;
mod suites;

use std::path::{Path, PathBuf};
use std::process::Command;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};
use crdgen_live_server::Server;
use crdgen_tests::json::json;
use crdgen_tests::{corpus, ours};

fn own(kind: &str, name: &str) -> String {
    let path: PathBuf = corpus::tests_dir().join("corpus").join(kind).join(name);
    read(&path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns our answer for the same object.
fn answer(crd: &str, object: &str) -> Value {
    let request: Map<Value> =
        [("op", Value::from("object")), ("crd", Value::from(crd)), ("object", Value::from(object))]
            .into_iter()
            .collect();
    ours::answer(&Value::Map(request))
}

/// Applies the CronTab of the user guide, from Rust types. Its objects are created, defaulted, pruned and rejected with
/// the same messages as crdgen's.
#[test]
fn crontab() {
    let server = server!("crontab");
    let crd = crate::thread::emitted();
    let object = own("objects", "crontab.yaml");
    server.ok(&["apply", "-f", "-"], &crd);
    server.until_served("crontabs");

    for args in [&["crontabs.stable.example.com"][..], &["--openapi", "stable.example.com/v1"]] {
        let out = Command::new(env!("CARGO_BIN_EXE_tool"))
            .args(["import", "--cluster"])
            .args(args)
            .env("KUBECONFIG", server.kubeconfig())
            .output()
            .expect("the command starts");
        let code = String::from_utf8_lossy(&out.stdout);
        assert!(code.contains("pub struct CronTabSpec"), "{code}{}", String::from_utf8_lossy(&out.stderr));
        assert!(!code.contains("last-applied"), "{code}");
    }

    let surplus = object.replace("  replicas: 2\n", "  unknown: 1\n");
    assert_ne!(object, surplus);
    let strict = server.refused(&["create", "--validate=strict", "-f", "-"], &surplus);
    assert!(strict.contains(r#"unknown field "spec.unknown""#), "{strict}");

    server.ok(&["create", "--validate=false", "-f", "-"], &surplus);
    let stored = json(&server.ok(&["get", "crontab", "my-crontab", "-o", "json"], ""));
    let spec = stored.get("spec").expect("there is a spec");
    assert_eq!(
        to_string(spec),
        r#"{"concurrency":"Allow","cronSpec":"* * * * */5","image":"my-awesome-cron-image","replicas":1}"#
    );
    let ours = answer(&crd, &surplus);
    assert_eq!(ours.get("result").and_then(|r| r.get("spec")), Some(spec), "{}", to_string(&ours));

    let wrong = object
        .replace("replicas: 2", "replicas: 11")
        .replace("* * * * */5", "now")
        .replace("my-crontab", "x");
    let theirs = server.refused(&["create", "--validate=false", "-f", "-"], &wrong);
    let ours = answer(&crd, &wrong);
    for error in ours.get("errors").and_then(Value::as_list).unwrap_or(&[]) {
        let text = error.get("text").and_then(Value::as_str).unwrap_or("");
        assert!(theirs.contains(text), "ours: {text}\ntheirs: {theirs}");
    }
    assert!(theirs.contains("spec.replicas") && theirs.contains("spec.cronSpec"), "{theirs}");

    let scaled = server.ok(&["scale", "crontab", "my-crontab", "--replicas=7"], "");
    assert!(scaled.contains("scaled"), "{scaled}");
    let table = server.ok(&["get", "crontab", "my-crontab", "-o", "wide"], "");
    assert!(
        table.contains("REPLICAS") && table.lines().any(|l| l.split_whitespace().any(|w| w == "7")),
        "{table}"
    );
}

/// The server accepts every CRD of ours (or rejects the old form), as crdgen predicts.
#[test]
fn own_definitions() {
    let server = server!("definitions");
    for seed in corpus::own_crds() {
        let out = server.kubectl(&["create", "--validate=strict", "-f", "-"], &seed.text);
        let served = seed.value.get("apiVersion").and_then(Value::as_str) == Some("apiextensions.k8s.io/v1");
        assert_eq!(out.status.success(), served, "{}: {}", seed.name, String::from_utf8_lossy(&out.stderr));
    }
}
