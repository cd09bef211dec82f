//! Migration from kube-derive: the guide lists every reason that the command can report.

mod kustomize;
mod losses;
mod macros;
mod merges;
mod report;
pub(crate) mod sources;
mod targets;

use crdgen_core::migrate::{ALL, Sort};
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_guide_has_all_reasons() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/MIGRATION.md");
    let text = std::fs::read_to_string(&path).expect("the guide");
    let start = "| Reason | Kind | Explanation |\n";
    let (guide, _) = text.split_once(start).expect("the table");
    let mut table = format!("{guide}{start}| --- | --- | --- |\n");
    for reason in ALL {
        let sort = match reason.sort {
            Sort::Loss => "data that would be lost",
            Sort::Look => "to review",
            Sort::Mistake => "a mistake in the old CRD",
            Sort::Meant => "intended",
        };
        let _ = writeln!(table, "| {} | {sort} | {} |", reason.name, reason.text);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &table).expect("written");
    }
    assert!(table == std::fs::read_to_string(&path).expect("the guide"), "differs: run with UPDATE=1");
}
