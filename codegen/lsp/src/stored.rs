//! What the server would store for the object at a place: what `crdgen validate --show-result` shows.

use std::fmt::Write;

use crdgen_core::documents::{is_definition, objects};
use crdgen_core::inert::InertLine;
use crdgen_core::yaml;
use crdgen_files::Error;
use crdgen_tasks::inputs;
use crdgen_tasks::validate::{CheckOptions, ObjectChecker, Olds, Policies, Validity};

use crate::document::Document;
use crate::log::log;
use crate::state::State;
use crate::workspace;

/// The command of the protocol that asks for it. Its argument has a document and a position.
pub(crate) const COMMAND: &str = "crdgen.stored";

/// What the server would store for the object at a byte of a document, or comments with its errors. None if there is no object.
pub(crate) fn of(state: &State, document: &Document, offset: usize) -> Option<String> {
    found(state, document, offset).unwrap_or_else(|why| {
        log(format_args!("{}: {why}", document.path.display()));
        None
    })
}

fn found(state: &State, document: &Document, offset: usize) -> Result<Option<String>, Error> {
    let State { workspace, kinds, .. } = state;
    let settings = &workspace.settings;
    let Some(source) = workspace.source(&document.path, document.bytes()) else { return Ok(None) };
    let inventory = inputs::given(vec![source], &settings.objects())?;
    inventory.serve(workspace::served(kinds));
    let (olds, policies) = (Olds::default(), Policies::find(&[], &settings.rules, &inventory)?);
    let options = CheckOptions { keeps_result: true, ..CheckOptions::default() };
    let checker = ObjectChecker::new(kinds, &olds, &options, &policies);
    let mut last = None;
    for input in inventory.iter() {
        let Some(source) = inventory.read(input)? else { continue };
        for group in source.groups() {
            let before = objects(group)
                .0
                .into_iter()
                .filter(|object| object.place().is_some_and(|place| place.start.offset <= offset));
            last = before.last().map(|object| (object, source.clone())).or(last);
        }
    }
    let Some((object, source)) = last.filter(|(object, _)| !is_definition(&object.value)) else {
        return Ok(None);
    };
    let checked = checker.check(&object, &source.name, &source.origin.root);
    let mut out = String::new();
    let Some(written) = checked.written else {
        out.push_str(match checked.result {
            Validity::NotChecked(_) => "# crdgen did not check the object:\n",
            _ => "# The server rejects the object:\n",
        });
        for finding in &checked.findings {
            _ = writeln!(out, "# {}", InertLine(finding.diag.shown()));
        }
        return Ok(Some(out));
    };
    for change in &written.changes {
        _ = writeln!(out, "# {}: {}", InertLine(&change.field), change.why);
    }
    out.push_str(&yaml::write_object(&written.stored));
    Ok(Some(out))
}
