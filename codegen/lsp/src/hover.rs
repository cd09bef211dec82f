//! Hover: what is published about the field at a place.

use std::fmt::Write;

use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use crdgen_core::yaml::{Draft, Touches};
use crdgen_publish::explain::Field;
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::{Expression, name_at};
use crate::keywords::{self, SchemaAt};
use crate::markdown::{code, content, escaped};
use crate::state::State;
use crate::subject::Subject;

/// What to show about a byte of a document.
pub(crate) fn of(state: &State, document: &Document, offset: usize) -> Option<lsp::Hover> {
    let draft = Draft::read_at(document.text.as_str(), offset)?;
    let spot = draft.spot(offset);
    let mut steps = spot.steps.clone();
    let part = match spot.touches {
        Touches::Key(key) => {
            steps.push(Step::Key(key.name().into_owned()));
            key
        }
        Touches::Value(value) => value,
        Touches::Nothing => return None,
    };
    let subject = Subject::new(draft.root()?, &steps);
    if let Touches::Value(value) = spot.touches
        && let Some(expression) = Expression::of(state, &subject, value)
    {
        let text = document.text.as_str();
        let about = expression.about(value.byte_of(text, offset)?);
        let range = Some(state.range(document, &name_at(text, offset)));
        return Some(lsp::Hover { contents: lsp::Contents::MarkupContent(content(about)), range });
    }
    let file = document.path.to_string_lossy();
    let explainer = subject.explainer(&state.kinds, &file)?;
    let field = explainer.field(&keywords::published(&subject))?;
    let mut text = format!("{} {}\n\n{}", code(field.name), type_of(&field), about(&field));
    if let Some(keyword) = keyword(&subject) {
        _ = write!(text, "\n\n{keyword}");
    }
    let range = Some(state.range(document, &part.range()));
    Some(lsp::Hover { contents: lsp::Contents::MarkupContent(content(text)), range })
}

fn type_of(field: &Field<'_>) -> String {
    let required = if field.is_required { ", required" } else { "" };
    format!("{}{required}", escaped(&field.ty))
}

/// Where a keyword of a schema may be used.
fn keyword(subject: &Subject<'_>) -> Option<String> {
    let (Step::Key(name), around) = subject.steps.split_last()? else { return None };
    let around = Subject { steps: around.to_vec(), ..*subject };
    SchemaAt::of(&around).and_then(|_| keywords::sentence(name))
}

/// The limits that are shown, in this order.
const LIMITS: [&str; 15] = [
    "format",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
];

/// The description of a field, its default, its values, its limits and its rules.
pub(crate) fn about(field: &Field<'_>) -> String {
    let mut out = escaped(field.description.trim());
    let shown = |value: &Value| code(&value.as_str().map_or_else(|| json::to_string(value), str::to_owned));
    if let Some(default) =
        field.keyword("default").filter(|default| default.as_map().is_none_or(|it| !it.is_empty()))
    {
        _ = write!(out, "\n\nDefault: {}", code(&json::to_string(default)));
    }
    if !field.values().is_empty() {
        let values: Vec<String> = field.values().iter().map(shown).collect();
        _ = write!(out, "\n\nValues: {}", values.join(", "));
    }
    let limits: Vec<String> =
        LIMITS.iter().filter_map(|name| Some(format!("{name}: {}", shown(field.keyword(name)?)))).collect();
    if !limits.is_empty() {
        _ = write!(out, "\n\n{}", limits.join(", "));
    }
    let rules = field.keyword("x-kubernetes-validations").and_then(Value::as_list).unwrap_or_default();
    for rule in rules {
        let text = |name: &str| rule.get(name).and_then(Value::as_str);
        let Some(expression) = text("rule") else { continue };
        _ = write!(out, "\n- {}", code(expression));
        if let Some(message) = text("message") {
            _ = write!(out, ": {}", escaped(message));
        }
    }
    out.trim_start().to_owned()
}
