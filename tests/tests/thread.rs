//! Follows one definition through all commands: from Rust types to their CRD, to its check, to Rust types generated
//! from it, and to the same CRD again. (`live::crontab` applies it to a real server.)

use std::path::{Path, PathBuf};
use std::process::Command;

use crdgen::CustomResource;
use crdgen_core::value::Value;
use crdgen_core::yaml;

/// Returns what the command prints. The command must succeed.
#[track_caller]
fn tool(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_tool")).args(args).output().expect("the command starts");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("what is printed is text")
}

/// Returns the CRD of the example's types.
pub(crate) fn emitted() -> String {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/crontab");
    tool(&["emit", &example.display().to_string()])
}

fn value(text: &str) -> Value {
    let (documents, diags) = yaml::read(text.as_bytes());
    assert!(diags.is_empty() && documents.len() == 1, "{diags:?}");
    documents.into_iter().next().expect("there is one").value
}

struct Dir(PathBuf);

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn from_rust_and_back() {
    let dir = Dir(std::env::temp_dir().join(format!("crdgen-thread-{}", std::process::id())));
    std::fs::create_dir_all(&dir.0).expect("a folder can be made");
    let (definition, source) = (dir.0.join("crontab.yaml"), dir.0.join("crontab.rs"));

    let first = emitted();
    assert_eq!(
        first.trim_start_matches("---\n"),
        crontab::CronTab::crd_yaml(),
        "the source and the derive say the same"
    );
    std::fs::write(&definition, &first).expect("it can be written");

    tool(&["check", "--deny-warnings", &definition.display().to_string()]);

    std::fs::write(&source, tool(&["import", &definition.display().to_string()])).expect("it can be written");
    let again = tool(&["emit", &source.display().to_string()]);
    assert_eq!(value(&again), value(&first), "{again}");
}
