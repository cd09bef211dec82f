//! The versions of Kubernetes: one constant is the newest version. These tests check that everything that has to change
//! with it does. `codegen/UPGRADING.md` describes what to do for the next version.

use std::collections::BTreeSet;
use std::path::Path;

use crdgen_core::cel::Kube;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_tests::compare::{Outcome, compare};
use crdgen_tests::older::{self, Answers, RECORDED, versions};
use crdgen_tests::ours::{answer, with_a_big_stack};
use crdgen_tests::vectors::load;

/// For most vectors, an older server gives the same answer as the newest one. Only one in this many of them is replayed
/// here. `vectors replay-older` replays all of them.
const ONE_IN: usize = 6;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the minor versions of the Kubernetes modules that a Go module requires.
fn required(path: &str) -> BTreeSet<u32> {
    let text = read(path);
    let modules =
        ["api", "apiextensions-apiserver", "apimachinery", "apiserver", "client-go", "component-base"];
    let versions = text.lines().filter_map(|line| {
        let (module, version) = line.trim().strip_prefix("k8s.io/")?.split_once(" v0.")?;
        modules.contains(&module).then(|| version.split('.').next()?.parse().ok()).flatten()
    });
    versions.collect()
}

#[test]
fn go_modules_are_those_of_the_servers() {
    let newest = Server::NEWEST.minor();
    assert_eq!(required("tests/oracle/go.mod"), [newest].into());
    assert_eq!(required("tests/k8s-types/go.mod"), [newest].into());
    assert_eq!(required("tests/explain/go.mod"), [newest].into());
    for minor in versions() {
        assert_eq!(required(&format!("tests/oracle/versions/1.{minor}.mod")), [minor].into());
    }
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracle/versions");
    let files = std::fs::read_dir(dir).expect("tests/oracle/versions can be read").flatten();
    let found: BTreeSet<String> = files.map(|f| f.file_name().to_string_lossy().into_owned()).collect();
    let wanted = versions().flat_map(|minor| ["mod", "sum"].map(|end| format!("1.{minor}.{end}")));
    assert_eq!(found, wanted.collect());
}

#[test]
fn texts_name_the_newest_server() {
    let newest = Server::NEWEST.minor();
    let (before, library) = (Server::NEWEST.compatibility(), format!("v0.{newest}."));
    for (path, words) in [
        ("codegen/ATTRIBUTES.md", format!("They are the types of Kubernetes 1.{newest}, with the")),
        ("codegen/IMPORT.md", format!("for all fields of Kubernetes 1.{newest} ")),
        ("codegen/UPGRADING.md", format!("The newest server is that of Kubernetes 1.{newest}")),
        ("tests/README.md", format!("1.{} to 1.{newest}", Server::OLDEST.minor())),
        ("tests/oracle/README.md", library.clone()),
        ("tests/oracle/FACTS.md", library),
        ("tests/oracle/FACTS.md", format!("1.{before} for library 0.{newest}")),
    ] {
        assert!(read(path).contains(&words), "{path} does not say `{words}`");
    }
}

#[test]
fn environments_follow_the_server() {
    let newest = Server::NEWEST.minor();
    assert_eq!(u32::from(Kube::CURRENT.minor), newest);
    assert_eq!(Server::NEWEST.new_expressions(), Kube::CURRENT.for_new());
    assert_eq!(Server::NEWEST.stored(), Kube::STORED);
    assert_eq!(u32::from(Server::of(newest - 1).stored().minor), newest - 1);
    let answer = crdgen_core::rpc::handle(r#"{"op":"version"}"#);
    assert!(answer.contains(&format!("\"celCompatibilityVersion\":\"1.{}\"", newest - 1)), "{answer}");
}

/// Replays the answers of another server: all that differ from those of the newest server, and some of the others.
#[track_caller]
fn replay(minor: u32) {
    let recorded = Answers::load(minor).unwrap_or_else(|e| panic!("tests/vectors/older/1.{minor}: {e}"));
    assert!(!recorded.is_empty());
    let skipped = older::skipped(minor).expect("tests/vectors/older/skip.txt can be read");
    let mut failures = Vec::new();
    with_a_big_stack(|| {
        for area in older::areas(minor) {
            let vectors = load(area).unwrap_or_else(|e| panic!("tests/vectors/{area}.vectors: {e}"));
            for (i, vector) in vectors.iter().enumerate() {
                let own = recorded.own(area, vector);
                if skipped.contains(&format!("{area}/{}", vector.name)) {
                    continue;
                }
                if own.is_none() && !(i + minor as usize).is_multiple_of(ONE_IN) {
                    continue;
                }
                let ours: Value = answer(&older::asked(&vector.request, minor));
                match compare(vector.op(), own.unwrap_or(&vector.answer), &ours, older::options(minor)) {
                    Outcome::Compared(list) if list.is_empty() => {}
                    Outcome::Compared(list) => {
                        failures
                            .extend(list.iter().map(|d| format!("{area}/{}\n    {}", vector.name, d.text)));
                    }
                    // The library of some versions panics for requests that the newest one can answer.
                    Outcome::NoJudge(_) => {}
                }
            }
        }
    });
    let shown: String =
        failures.iter().take(8).map(|f| f.chars().take(1500).collect::<String>() + "\n").collect();
    assert!(failures.is_empty(), "{} differences\n{shown}", failures.len());
}

macro_rules! servers {
    ($($name:ident: $minor:literal),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                replay($minor);
            }
        )*

        #[test]
        fn every_server_is_replayed() {
            let tested: BTreeSet<u32> = [$($minor),*].into();
            assert_eq!(tested, RECORDED.iter().copied().collect());
        }
    };
}

servers!(kubernetes_1_33: 33, kubernetes_1_34: 34, kubernetes_1_35: 35, kubernetes_1_36: 36, kubernetes_1_38: 38);
