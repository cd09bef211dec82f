//! Completion: the fields that may be written in an object, and their values.

use std::collections::BTreeSet;
use std::ops::Range;

use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_core::yaml::{Draft, Part, Touches};
use crdgen_kubernetes::kinds;
use crdgen_publish::explain::Field;
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::{Expression, name_at};
use crate::hover::about;
use crate::keywords::{self, SchemaAt};
use crate::markdown;
use crate::minimal;
use crate::place::Place;
use crate::state::State;
use crate::subject::Subject;

/// What can be written at a place.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    /// A key of the map at the steps.
    Key,
    /// A value at the steps, or the first key of a map there.
    Value,
}

/// What can be written at a byte of a document.
pub(crate) fn of(state: &State, document: &Document, offset: usize) -> Vec<lsp::CompletionItem> {
    complete(state, document, offset).unwrap_or_default()
}

fn complete(state: &State, document: &Document, offset: usize) -> Option<Vec<lsp::CompletionItem>> {
    let text = document.text.as_str();
    let draft = Draft::read_at(text, offset)?;
    if let Some(items) = at_token(state, document, (&draft, text), offset, None) {
        return Some(items);
    }
    // Nothing is there yet. Reads the text as if the first character were.
    let (before, after) = (text.get(..offset)?, text.get(offset..)?);
    let gap = if before.ends_with(':') { " " } else { "" };
    let text = format!("{before}{gap}x{after}");
    let draft = Draft::read_at(&text, offset)?;
    at_token(state, document, (&draft, &text), offset + gap.len(), Some(gap))
}

/// What can be written in place of the token at a byte. If the token is only assumed, `gap` is what comes before it.
fn at_token(
    state: &State,
    document: &Document,
    (draft, text): (&Draft, &str),
    offset: usize,
    gap: Option<&str>,
) -> Option<Vec<lsp::CompletionItem>> {
    let spot = draft.spot(offset);
    let (token, wanted) = match spot.touches {
        Touches::Key(key) => (key, Wanted::Key),
        Touches::Value(value) if !value.range().is_empty() => (value, Wanted::Value),
        Touches::Value(_) | Touches::Nothing => return None,
    };
    let subject = Subject::new(draft.root()?, &spot.steps);
    if let Some(expression) = Expression::of(state, &subject, token).filter(|_| wanted == Wanted::Value) {
        let gap = gap.unwrap_or_default();
        let begun = name_at(text, offset).start - gap.len()..offset - gap.len();
        let place = Place { range: state.range(document, &begun), gap };
        return Some(expression.complete(token.byte_of(text, offset)?, &place));
    }
    let range = match gap {
        // What is assumed must not be the end of another token.
        Some(_) if token.range().start != offset => return None,
        Some(gap) => offset - gap.len()..offset - gap.len(),
        None => token.range(),
    };
    let place = Place { range: state.range(document, &range), gap: gap.unwrap_or_default() };
    if let Some(items) = of_head(state, &subject, &place) {
        return Some(items);
    }
    let file = document.path.to_string_lossy();
    let explainer = subject.explainer(&state.kinds, &file)?;
    let mut steps = keywords::published(&subject);
    let text = document.text.as_str();
    if wanted == Wanted::Key {
        let others = others(spot.around.last().copied(), token);
        let schema = SchemaAt::of(&subject);
        let is_wanted = |field: &&Field<'_>| {
            !others.contains(field.name) && schema.as_ref().is_none_or(|schema| schema.allows(field.name))
        };
        let has_colon = gap.is_none() && is_complete(text, &token.range());
        let fields = explainer.inside(&steps);
        return Some(
            fields.iter().filter(is_wanted).map(|field| place.field(field, "", has_colon)).collect(),
        );
    }
    let field = explainer.field(&steps)?;
    let mut out: Vec<_> = values(&field, &subject).into_iter().map(|value| place.value(value)).collect();
    // A scalar in the line of its key cannot be the key of a map.
    if spot.key.is_none_or(|key| starts_line(text, key, &range)) {
        let schema = SchemaAt::of(&subject);
        let dash = if field.is_list() { "- " } else { "" };
        steps.extend(field.is_list().then_some(Step::Index(0)));
        let fields = explainer.inside(&steps);
        let is_wanted = |field: &&Field<'_>| schema.as_ref().is_none_or(|schema| schema.allows(field.name));
        out.extend(fields.iter().filter(is_wanted).map(|field| place.field(field, dash, false)));
    }
    Some(out)
}

/// Whether a token is on another line than the key before it.
fn starts_line(text: &str, key: Part<'_>, token: &Range<usize>) -> bool {
    text.get(key.range().end..token.start).is_some_and(|between| between.contains(['\n', '-']))
}

/// Whether a colon follows a key.
fn is_complete(text: &str, key: &Range<usize>) -> bool {
    text.get(key.end..).is_some_and(|rest| rest.trim_start_matches(' ').starts_with(':'))
}

/// The names of the other keys of a map.
fn others(map: Option<Part<'_>>, own: Part<'_>) -> BTreeSet<String> {
    let members = map.into_iter().flat_map(Part::members);
    members.filter(|(key, _)| key.range() != own.range()).map(|(key, _)| key.name().into_owned()).collect()
}

/// The values that a field can have.
fn values(field: &Field<'_>, subject: &Subject<'_>) -> Vec<String> {
    let shown = |value: &Value| match value {
        // What YAML would read as another type is in quotes.
        Value::Str(text) => crdgen_core::yaml::write(&Value::from(text.as_str())).trim_end().to_owned(),
        other => json::to_string(other),
    };
    let default = field.keyword("default").filter(|default| default.as_map().is_none());
    let mut out: Vec<String> = default.into_iter().chain(field.values()).map(shown).collect();
    if field.ty == "boolean" {
        out.extend(["false", "true"].map(str::to_owned));
    }
    if subject.is_definition() {
        out.extend(keywords::values(subject).iter().map(|value| (*value).to_owned()));
    }
    let mut seen = BTreeSet::new();
    out.retain(|value| seen.insert(value.clone()));
    out
}

/// The values of `apiVersion` and `kind`.
fn of_head(state: &State, subject: &Subject<'_>, place: &Place<'_>) -> Option<Vec<lsp::CompletionItem>> {
    let [Step::Key(name)] = &subject.steps[..] else { return None };
    let is_version = match name.as_str() {
        "apiVersion" => true,
        "kind" => false,
        _ => return None,
    };
    let of_crds = state.kinds.iter().flat_map(|entry| {
        let heading = &entry.heading;
        let pair = |version: &String| (format!("{}/{version}", heading.group), heading.names.kind.clone());
        heading.served.iter().map(pair).collect::<Vec<_>>()
    });
    let own = kinds::rows().iter().flat_map(|row| {
        row.versions().map(|(version, _)| (kinds::api_version(row.group, version), row.kind.to_owned()))
    });
    let wanted = of_crds.chain(own).filter_map(|(api_version, kind)| match is_version {
        true => (subject.kind.is_empty() || kind == subject.kind).then_some(api_version),
        false => (subject.api_version.is_empty() || api_version == subject.api_version).then_some(kind),
    });
    let wanted: BTreeSet<String> = wanted.collect();
    let objects = if is_version { Vec::new() } else { minimal::of(state, subject, place) };
    Some(wanted.into_iter().map(|value| place.value(value)).chain(objects).collect())
}

impl Place<'_> {
    fn value(&self, value: String) -> lsp::CompletionItem {
        lsp::CompletionItem {
            kind: Some(lsp::CompletionItemKind::Value),
            text_edit: self.edit(&value),
            label: value,
            ..lsp::CompletionItem::default()
        }
    }

    fn field(&self, field: &Field<'_>, before: &str, has_colon: bool) -> lsp::CompletionItem {
        let colon = match (has_colon, field.is_list() || field.is_map()) {
            (true, _) => "",
            (false, true) => ":",
            (false, false) => ": ",
        };
        let required = if field.is_required { ", required" } else { "" };
        lsp::CompletionItem {
            label: field.name.to_owned(),
            kind: Some(lsp::CompletionItemKind::Field),
            detail: Some(format!("{}{required}", field.ty)),
            documentation: Some(lsp::Documentation::MarkupContent(markdown::content(about(field)))),
            // Required fields come first.
            sort_text: Some(format!("{}{}", u8::from(!field.is_required), field.name)),
            text_edit: self.edit(&format!("{before}{}{colon}", field.name)),
            ..lsp::CompletionItem::default()
        }
    }
}
