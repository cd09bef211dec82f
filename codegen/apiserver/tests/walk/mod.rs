//! Takes walks: runs kubectl against the server, and compares what it prints with what it prints for the real control plane.
//!
//! To record a walk: start a control plane, and run `UPDATE=1 CRDGEN_WALK_KUBECONFIG=… cargo test -p crdgen-apiserver
//! --all-features --test main -- walk::NAME`. Record on a control plane without other objects, whose controller
//! manager does not count the pods of budgets (`--controllers=*,-disruption-controller`). For `describe` and `wide`, it has no controllers of workloads and
//! services either: only those of garbage, namespaces, service accounts, root certificates, aggregated roles and quotas.

#![cfg(feature = "tls")]

mod format;
mod normal;

use crdgen_apiserver::{Certificates, Server, Tls, listen};
use format::Walk;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tokio::runtime::{Builder, Runtime};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("crdgen-walk-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts a server. It runs as long as what is returned.
fn start(server: Server, kubeconfig: &Path) -> Runtime {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let address = "127.0.0.1:0".parse().expect("an address");
    let listening = runtime.block_on(listen(server, address)).expect("a free port");
    // kubectl sends no tokens over HTTP.
    let Certificates { chain, key, .. } = Certificates::new(["127.0.0.1"]).expect("a certificate");
    let listening = listening.tls(Tls::new(&chain, &key, None).expect("a certificate"));
    let address = listening.address().expect("an address");
    runtime.spawn(listening.serve());
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{{name: c, cluster: {{server: \"https://{address}\", insecure-skip-tls-verify: true}}}}]\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\nusers: [{{name: u, user: {{token: unused}}}}]\n"
    );
    fs::write(kubeconfig, text).expect("the kubeconfig can be written");
    runtime
}

/// Takes a walk with at least this many steps.
fn take(name: &str, steps: usize) {
    take_on(Server::new(), name, steps);
}

fn take_on(server: Server, name: &str, steps: usize) {
    if Command::new("kubectl").args(["version", "--client"]).output().is_err() {
        eprintln!("SKIPPED: kubectl is missing");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/walks/{name}.console"));
    let walk = Walk::parse(&fs::read_to_string(&path).expect("the walk"));
    assert!(walk.steps().count() >= steps, "{name} has only {} steps", walk.steps().count());
    let folder = Folder::new(name);
    let kubeconfig = folder.0.join("kubeconfig");
    if let (Some(of_cluster), Some(_)) =
        (std::env::var_os("CRDGEN_WALK_KUBECONFIG"), std::env::var_os("UPDATE"))
    {
        fs::copy(of_cluster, &kubeconfig).expect("a kubeconfig");
        let found = walk.found(&folder.0).expect("the commands run");
        return fs::write(&path, found.text()).expect("the walk can be written");
    }
    let runtime = start(server, &kubeconfig);
    let found = walk.found(&folder.0).expect("the commands run");
    drop(runtime);
    let mut wrong = String::new();
    for (step, found) in walk.steps().zip(found.steps()) {
        _ = match (step.output == found.output, &step.differs) {
            (true, None) | (false, Some(_)) => Ok(()),
            (true, Some(why)) => {
                writeln!(wrong, "$ {}\nprints the same now, but is marked: {why}\n", step.command)
            }
            (false, None) => writeln!(
                wrong,
                "$ {}\n--- the control plane\n{}\n--- this server\n{}\n",
                step.command, step.output, found.output
            ),
        };
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn custom_resources() {
    take("crontabs", 60);
}

#[test]
fn server_side_apply() {
    take("apply", 30);
}

#[test]
fn own_kinds() {
    take("core", 40);
}

#[test]
fn deletion() {
    take("deletion", 40);
}

#[test]
fn guide() {
    take("guide", 80);
}

#[test]
fn everyday() {
    take("everyday", 180);
}

#[test]
fn versions() {
    take("versions", 20);
}

#[test]
fn subresources() {
    take("subresources", 90);
}

#[test]
fn pods() {
    take("pods", 40);
}

#[test]
fn permissions() {
    take_on(Server::new().with_rbac(), "permissions", 70);
}

#[test]
fn describe() {
    take("describe", 110);
}

#[test]
fn wide() {
    take("wide", 25);
}

#[test]
fn explain() {
    take("explain", 30);
}
