//! CRDs in the folders of suites that the server rejects or that cannot be read. Each of them is a failing test, and the tests
//! of its suites do not run, so that a mistake in a CRD is reported once.

use super::case::Case;
use crate::Error;
use crdgen_core::check;
use crdgen_core::diag::Level;
use crdgen_core::documents::{Finding, Group};
use crdgen_files::input;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A broken CRD. The name is empty if the file cannot be read.
pub(super) struct Broken {
    pub(super) name: String,
    /// A case that fails.
    pub(super) case: Case,
}

/// The title of the case of a file that cannot be read.
const READABLE: &str = "the file can be read";

/// Finds the broken CRDs in a file. `text` is the file, if it was read before.
pub(super) fn find(file: &Path, text: Option<&Arc<Vec<u8>>>, minor: u32) -> Result<Vec<Broken>, Error> {
    let bytes = match text {
        Some(text) => Arc::clone(text),
        None => match input::read(file) {
            Ok(bytes) => Arc::new(bytes),
            Err(why) => {
                let case = Case::broken(READABLE, Error::file(file)(why).to_string());
                return Ok(vec![Broken { name: String::new(), case }]);
            }
        },
    };
    let mut read = Group::of(&bytes).read();
    let is_unreadable = |finding: &Finding| finding.object.is_empty();
    // The template of a chart is not YAML, but its CRDs may be readable.
    if read.findings.iter().any(is_unreadable) && crdgen_import::definitions::definitions(&bytes).is_ok() {
        return Ok(Vec::new());
    }
    let options = check::Options::of_server(minor);
    read.check(|crd| check::create(crd, &options).errors);
    let mut broken: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let errors = read.findings.iter().filter(|finding| finding.diag.level == Level::Error);
    for finding in errors {
        broken.entry(&finding.object).or_default().push(finding);
    }
    let broken_crd = |(name, findings): (&str, Vec<&Finding>)| {
        let title = match name {
            "" => READABLE.to_owned(),
            name => format!("the server accepts {name}"),
        };
        let lines = findings.iter().map(|finding| line_of(file, finding));
        let line = findings.iter().filter_map(|finding| finding.place).map(|place| place.start.line).min();
        let case = Case { line, ..Case::broken(&title, lines.collect::<Vec<_>>().join("\n")) };
        Broken { name: name.to_owned(), case }
    };
    Ok(broken.into_iter().map(broken_crd).collect())
}

/// Formats a finding with its place in the file.
fn line_of(file: &Path, Finding { place, diag, .. }: &Finding) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match place {
        Some(place) => format!("{name}:{}:{}: {}", place.start.line, place.start.column, diag.shown()),
        None => format!("{name}: {}", diag.shown()),
    }
}
