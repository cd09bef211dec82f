//! CRDs in the folders of suites that the server rejects or that cannot be read. Each of them is a failing test, so
//! that no suite passes because its CRD is missing.

use super::Suite;
use super::case::Case;
use crate::{Error, input};
use crdgen_core::check;
use crdgen_core::diag::Level;
use crdgen_core::documents::{Finding, Group};
use crdgen_core::read;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Returns a case for each broken CRD in a file. CRDs that suites use are reported by those suites.
pub(super) fn cases(file: &Path, minor: u32, suites: &[Suite]) -> Result<Vec<Case>, Error> {
    let bytes = Arc::new(input::read(file).map_err(Error::file(file))?);
    let mut read = Group::of(&bytes).read();
    let is_unreadable = |finding: &Finding| finding.object.is_empty();
    // The template of a chart is not YAML, but its CRDs may be readable.
    if read.findings.iter().any(is_unreadable) && read::definitions::definitions(&bytes).is_ok() {
        return Ok(Vec::new());
    }
    let options = check::Options::of_server(minor);
    read.check(|crd| check::create(crd, &options).errors);
    let targets =
        suites.iter().filter_map(|suite| suite.target.as_ref()).filter(|target| target.path == file);
    let tested: Vec<&str> =
        targets.filter_map(|target| target.document.get("metadata")?.get("name")?.as_str()).collect();
    let mut broken: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let errors = read.findings.iter().filter(|finding| finding.diag.level == Level::Error);
    for finding in errors.filter(|finding| !tested.contains(&finding.object.as_str())) {
        broken.entry(&finding.object).or_default().push(finding);
    }
    let case = |(name, findings): (&str, Vec<&Finding>)| {
        let name = match name {
            "" => "the file can be read".to_owned(),
            name => format!("the server accepts {name}"),
        };
        let lines = findings.iter().map(|finding| line_of(file, finding));
        let line = findings.iter().filter_map(|finding| finding.place).map(|place| place.start.line).min();
        Case { line, ..Case::broken(&name, lines.collect::<Vec<_>>().join("\n")) }
    };
    Ok(broken.into_iter().map(case).collect())
}

/// Formats a finding with its place in the file.
fn line_of(file: &Path, Finding { place, diag, .. }: &Finding) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match place {
        Some(place) => format!("{name}:{}:{}: {}", place.start.line, place.start.column, diag.shown()),
        None => format!("{name}: {}", diag.shown()),
    }
}
