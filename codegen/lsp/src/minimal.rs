//! The smallest objects of kinds, for objects of which only the head is written.

use crdgen_core::sample::{Extent, Samples};
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_tasks::kinds::Entry;
use gen_lsp_types as lsp;

use crate::place::Place;
use crate::state::State;
use crate::subject::Subject;

/// How many kinds of a version get an example, because each is checked as a server does.
const MOST: usize = 10;

/// How many schemas the version of a kind may have. A larger one would take too long while somebody types.
const MOST_SCHEMAS: usize = 5_000;

/// The smallest objects of the kinds of a version, to be written in place of the value of `kind`. None if the object has more than a head.
pub(crate) fn of(state: &State, subject: &Subject<'_>, place: &Place<'_>) -> Vec<lsp::CompletionItem> {
    let is_head = subject.object.members().all(|(key, _)| matches!(&*key.name(), "apiVersion" | "kind"));
    // In a list of objects, lines would need another indentation.
    if !is_head || !subject.is_document {
        return Vec::new();
    }
    let (group, version) = subject.group_version();
    let is_of_version = |entry: &&Entry| {
        entry.heading.group == group && entry.heading.served.iter().any(|served| served == version)
    };
    let item = |entry: &Entry| {
        let kind = &entry.heading.names.kind;
        let text = text(state, entry, version)?;
        Some(lsp::CompletionItem {
            label: format!("{kind} with required fields"),
            kind: Some(lsp::CompletionItemKind::Snippet),
            detail: Some("the smallest object that a server accepts".to_owned()),
            // After the names of kinds.
            sort_text: Some(format!("~{kind}")),
            filter_text: Some(kind.clone()),
            text_edit: place.edit(&format!("{kind}\n{text}")),
            ..lsp::CompletionItem::default()
        })
    };
    state.kinds.iter().filter(is_of_version).take(MOST).filter_map(item).collect()
}

/// The lines after `kind` in the smallest object.
fn text(state: &State, entry: &Entry, version: &str) -> Option<String> {
    let crd = state.kinds.compiled(entry)?.crd();
    let index = crd.spec.versions.iter().position(|it| it.name == version)?;
    if crd.spec.schema_of(index)?.nodes() > MOST_SCHEMAS {
        return None;
    }
    let object = Samples::new(crd)?.object(version, Extent::Minimal)?;
    let rest = object.as_map()?.iter().filter(|(name, _)| !matches!(*name, "apiVersion" | "kind"));
    let rest: Map<Value> = rest.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    Some(yaml::write(&Value::Map(rest)).trim_end().to_owned())
}
