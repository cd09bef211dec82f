//! The derive at run time and the source route write the same bytes.

use crdgen::source::{self, Options};
use crdgen_core::{encode, json};
use std::path::{Path, PathBuf};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[track_caller]
fn from_source(path: &str) -> Vec<(String, String)> {
    let options = Options { path: here(path), unchecked: true, ..Options::default() };
    let out = source::read(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!out.has_errors(), "{}", source::render(&out.found));
    out.crds.iter().map(|crd| (crd.spec.names.kind.clone(), json::to_string(&encode::crd(crd)))).collect()
}

#[test]
fn the_matrix_source_is_current() {
    let path = here("tests/rust/matrix.rs");
    let wanted = crdgen_tests::matrix::source();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap_or_else(|e| panic!("{e}"));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "run UPDATE=1 cargo test -p crdgen-tests matrix");
}

#[test]
fn the_example_is_the_same_by_both_routes() {
    use crdgen::CustomResource;
    let source = from_source("../examples/crontab");
    let derived = vec![("CronTab".to_owned(), crontab::CronTab::crd_json())];
    assert_eq!(source, derived);
}

/// The crate with a build script: its output is up to date, also when the script only checks it.
#[test]
fn build_scripts_keep_definitions_current() {
    let builder = crdgen::Builder::new().quiet(true).source(here("../examples/build"));
    let builder = builder.header("Made by build.rs of src/lib.rs: do not edit.");
    let done = builder.clone().yaml(here("../examples/build/crds")).check(true).run();
    let crds = done.unwrap_or_else(|e| panic!("{e}")).crds;
    let versions: Vec<&str> = crds.iter().flat_map(|c| &c.spec.versions).map(|v| v.name.as_str()).collect();
    assert_eq!(versions, ["v1", "v1beta1"]);
    let missing = builder.yaml(here("../examples/build/src")).check(true).run();
    let message = missing.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        message.starts_with("out of date:\n") && message.ends_with("backups.yaml: missing\n"),
        "{message}"
    );
}

#[test]
fn build_scripts_fail_at_the_line() {
    let builder = crdgen::Builder::new().quiet(true).source(here("goldens/console/emit/broken.rs"));
    let message = builder.run().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("broken.rs:7:34: error[CEL001]: found no matching overload"), "{message}");
}

#[test]
fn the_matrix_is_the_same_by_both_routes() {
    let source = from_source("tests/rust/matrix.rs");
    let kinds = super::matrix::kinds();
    assert_eq!(source.len(), kinds.len());
    let mut wrong = Vec::new();
    for kind in kinds {
        match (kind.definition)() {
            Ok(crd) => {
                let derived = json::to_string(&encode::crd(&crd));
                let name = &crd.spec.names.kind;
                let same = source.iter().find(|(n, _)| n == name).map(|(_, text)| text.as_str());
                if same != Some(derived.as_str()) {
                    wrong.push(format!(
                        "{name} {}\n  derive {derived}\n  source {}",
                        kind.about,
                        same.unwrap_or("nothing")
                    ));
                }
            }
            Err(problems) => wrong.push(format!("{}: {problems}", kind.about)),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
