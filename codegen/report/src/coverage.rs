//! Which parts of a CRD no test checks, with their lines.

use crdgen_build::suites::{Constraint, Sort};
use crdgen_files::error;
use crdgen_files::input::{self, Shown};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crdgen_core::inert::InertLine;
use crdgen_core::path::Step;
use crdgen_core::span::{Locate, Place};
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml::{Document, Documents};

/// The CRDs of a file, to find places in them.
struct File(Vec<(Document, Vec<Step>, Value)>);

impl File {
    /// Reads the CRDs of a file. A Rust package has no such places, and a file may no longer exist.
    fn read(path: &Path) -> File {
        let bytes = if path.is_file() { input::read(path).unwrap_or_default() } else { Vec::new() };
        let mut out = Vec::new();
        for mut document in Documents::new(&Arc::new(bytes)).filter_map(Result::ok) {
            let objects = document.take_objects();
            out.extend(objects.into_iter().map(|(steps, value)| (document.clone(), steps, value)));
        }
        File(out)
    }

    fn place(&self, of: &Constraint) -> Option<Place> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let is_it = |value: &Value| text(value.get("metadata").and_then(|m| m.get("name"))) == of.crd;
        let (document, base, value) = self.0.iter().find(|(_, _, value)| is_it(value))?;
        let versions = value.get("spec")?.get("versions")?.as_list()?;
        let index = versions.iter().position(|version| text(version.get("name")) == of.version)?;
        let key = |name: &str| Step::Key(name.to_owned());
        let root = [key("spec"), key("versions"), Step::Index(index), key("schema"), key("openAPIV3Schema")];
        document.locate(&base.iter().chain(&root).chain(&of.steps).cloned().collect::<Vec<_>>())
    }
}

/// Returns each constraint with its place, in the order of the files.
fn located(all: &[Constraint]) -> Vec<(&Constraint, Option<Place>)> {
    let mut files: BTreeMap<&Path, File> = BTreeMap::new();
    let mut out: Vec<(&Constraint, Option<Place>)> = Vec::new();
    for one in all {
        let file = files.entry(&one.path).or_insert_with(|| File::read(&one.path));
        out.push((one, file.place(one)));
    }
    out.sort_by_key(|(one, place)| (&one.path, &one.crd, &one.version, place.map(|p| p.start.offset)));
    out
}

fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Rule => "rules",
        Sort::Value => "values",
        Sort::Bound => "bounds",
        Sort::Default => "defaults",
    }
}

/// Reports how much of each CRD is tested, and what is not.
pub fn human(all: &[Constraint]) -> String {
    let mut out = String::new();
    let located = located(all);
    for of_crd in located.chunk_by(|(a, _), (b, _)| (&a.path, &a.crd) == (&b.path, &b.crd)) {
        let Some((Constraint { crd, path, .. }, _)) = of_crd.first() else { continue };
        let is_package = path.is_dir();
        let path = path.shown().to_string();
        out.push_str(&format!("\ncoverage of {} ({}):", InertLine(crd), InertLine(&path)));
        let mut end = "";
        for sort in Sort::ALL {
            let own = || of_crd.iter().filter(|(one, _)| one.sort == sort);
            let (count, tested) = (own().count(), own().filter(|(one, _)| one.is_tested).count());
            if count > 0 {
                out.push_str(&format!("{end} {tested} of {count} {}", word(sort)));
                end = ",";
            }
        }
        out.push('\n');
        let untested: Vec<_> = of_crd.iter().filter(|(one, _)| !one.is_tested).collect();
        if !untested.is_empty() {
            out.push_str("no test fails without:\n");
        }
        for (Constraint { version, field, text, .. }, place) in untested {
            // The CRD of a package has no file.
            let at = match place {
                None if is_package => String::new(),
                place => format!("{path}{}: ", error::at(*place)),
            };
            let dot = if field.is_empty() { "" } else { "." };
            let what = format!("{at}{version}{dot}{field}: {text}");
            out.push_str(&format!("  {}\n", InertLine(&what)));
        }
    }
    out
}

/// Returns the same report as JSON.
pub fn json(all: &[Constraint]) -> Value {
    let one = |(one, place): &(&Constraint, Option<Place>)| {
        let Constraint { crd, path, version, field, sort, text, is_tested, steps: _ } = one;
        let mut out = Map::from_iter([
            ("crd", Value::from(crd.as_str())),
            ("file", path.shown().to_string().into()),
            ("version", version.as_str().into()),
            ("field", field.as_str().into()),
            ("sort", word(*sort).into()),
            ("text", text.as_str().into()),
            ("tested", (*is_tested).into()),
        ]);
        if let Some(place) = place {
            out.insert("line", Value::Int(place.start.line.into()));
            out.insert("column", Value::Int(place.start.column.into()));
        }
        Value::Map(out)
    };
    Value::List(located(all).iter().map(one).collect())
}
