//! Commands that ask a cluster with kubectl, which here is this server.

use std::process::Command;

use crate::process::{Process, Scratch, crdgen};

const INSTALLED: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusters.example.com}
spec:
  group: example.com
  names: {kind: Cluster, plural: clusters, singular: cluster, listKind: ClusterList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, required: [shards], properties: {shards: {type: integer, format: int32}}}
";

const TYPES: &str = "use crdgen::{CustomResource, Schema};
#[derive(CustomResource, Schema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Cluster\", namespaced)]
pub struct ClusterSpec {
    #[schema(minimum = 1)]
    pub shards: i32,
    pub zone: Option<String>,
}
";

#[test]
fn diff_compares_types_with_what_is_installed() {
    if Command::new("kubectl").args(["version", "--client"]).output().is_err() {
        eprintln!("SKIPPED: kubectl is missing");
        return;
    }
    let scratch = Scratch::new();
    let (crd, types) = (scratch.write("crd.yaml", INSTALLED), scratch.write("types.rs", TYPES));
    let config = scratch.path("kubeconfig");
    let text = |path: &std::path::Path| path.to_str().expect("a path").to_owned();
    let _server = Process::serve(&["--crd", &text(&crd), "--kubeconfig", &text(&config)]);
    let diff = |more: &[&str]| {
        let mut command = Command::new(crdgen());
        command.args(["diff", "--cluster", &text(&types)]).args(more).env("KUBECONFIG", &config);
        let out = command.output().expect("the command runs");
        let all = [out.stdout, out.stderr].concat();
        (out.status.code(), String::from_utf8_lossy(&all).into_owned())
    };
    let (code, out) = diff(&[]);
    assert_eq!(code, Some(1), "{out}");
    for expected in [
        "warning[CHG002]: spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[shards].minimum: minimum was not set, now 1",
        "types.rs:5:14",
        "until the new CRD is installed: dropped: spec.zone",
    ] {
        assert!(out.contains(expected), "{expected} is not in {out}");
    }
    let (code, out) = diff(&["--context", "missing"]);
    assert!(code == Some(2) && out.contains("missing"), "{out}");
}

/// The name of a folder may be wrong, and a project may not have generated its CRDs yet.
#[test]
fn folders_without_crds_are_named() {
    let scratch = Scratch::new();
    let (folder, errors) = (scratch.path("crds"), scratch.path("errors"));
    std::fs::create_dir(&folder).expect("a folder");
    let file = std::fs::File::create(&errors).expect("a file");
    let mut command = Command::new(crdgen());
    drop(Process::start(command.arg("serve").arg("--crd").arg(&folder).stderr(file)));
    let printed = std::fs::read_to_string(&errors).expect("its errors");
    assert_eq!(printed, format!("no CustomResourceDefinition in {}\n", folder.display()));
}
