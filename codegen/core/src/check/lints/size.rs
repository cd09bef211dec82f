//! The size of a CRD compared with the limit of client-side apply.

use crate::check::definition::hoist::Hoisted;
use crate::diag::codes::lint::SIZE;
use crate::diag::{Diag, Diags, Level};
use crate::encode;
use crate::ir::{Crd, Dependency, KeywordValue, Rule, Schema};
use crate::json;
use crate::path::Path;
use crate::size::{self, Below, Sizes};
use crate::value::Value;
use crate::walk;

/// The largest request that etcd takes by default. The server takes requests of twice this size.
const ETCD: usize = 3 << 19;

pub(super) fn check(view: &Hoisted<'_>, out: &mut Diags) {
    let crd = view.crd;
    let room = size::room(crd);
    if most(crd) <= room {
        return;
    }
    let document = encode::crd(crd);
    let bytes = size::bytes(&document);
    if bytes <= room {
        return;
    }
    let help = if bytes > ETCD {
        "the server cannot store it: etcd takes no more than 1572864 bytes by default. Make the schema smaller, with `crdgen fit` or \
         fewer versions, or move parts to other kinds"
    } else if bytes.saturating_sub(descriptions(crd)) <= room {
        "use `kubectl apply --server-side`, or remove descriptions with `crdgen fit`"
    } else {
        "use `kubectl apply --server-side`, or make the schema smaller: it is too large without descriptions too"
    };
    let detail = format!(
        "{bytes} bytes as JSON, but `kubectl apply` keeps a copy in an annotation that has room for {room}; {}",
        biggest(view, &document, bytes)
    );
    out.push(Diag::own(&SIZE, Level::Warning, &Path::ROOT, detail).help(help));
}

/// How many bytes of the CRD are descriptions.
fn descriptions(crd: &Crd) -> usize {
    let mut sum = 0;
    for schema in (0..crd.spec.versions.len()).filter_map(|i| crd.spec.schema_of(i)) {
        walk::each_node(schema, &Path::ROOT, &mut |node, _| {
            if !node.schema.description.is_empty() {
                sum += size::of_description(&node.schema.description);
            }
        });
    }
    sum
}

/// A quick upper bound of the size. Only if it is large, the CRD is written out and measured.
fn most(crd: &Crd) -> usize {
    let schemas = (0..crd.spec.versions.len()).filter_map(|i| crd.spec.schema_of(i));
    16 * 1024 + schemas.map(most_of).sum::<usize>()
}

/// An upper bound for a schema with all schemas inside.
fn most_of(schema: &Schema) -> usize {
    // Each node has braces.
    let mut sum = SHORT;
    schema.each_keyword(&mut |_, value| sum += longest_of(value));
    sum
}

/// An upper bound for the size of a keyword with its value.
fn longest_of(value: KeywordValue<'_>) -> usize {
    let schemas = |all: &[Schema]| all.iter().map(|below| 1 + most_of(below)).sum::<usize>();
    KEYWORD
        + match value {
            KeywordValue::Flag(_) | KeywordValue::Number(_) | KeywordValue::Count(_) => 0,
            KeywordValue::Text(text) => most_of_text(text),
            KeywordValue::Texts(texts) => texts.iter().map(|text| most_of_text(text)).sum(),
            KeywordValue::Value(value) => json::length(value),
            KeywordValue::Values(values) => values.iter().map(|value| 1 + json::length(value)).sum(),
            KeywordValue::Schema(below) => most_of(below),
            KeywordValue::Schemas(all) => schemas(all),
            KeywordValue::Fields(fields) => {
                fields.iter().map(|(name, below)| most_of_text(name) + most_of(below)).sum()
            }
            KeywordValue::Dependencies(all) => all
                .iter()
                .map(|(name, it)| {
                    most_of_text(name)
                        + match it {
                            Dependency::Schema(below) => most_of(below),
                            Dependency::Properties(names) => names.iter().map(|n| most_of_text(n)).sum(),
                            Dependency::Nothing => SHORT,
                        }
                })
                .sum(),
            KeywordValue::Rules(rules) => rules.iter().map(most_of_rule).sum(),
            KeywordValue::Unions(unions) => unions
                .iter()
                .map(|union| KEYWORD * (2 + union.fields.len()) + most_of_text(&union.discriminator))
                .sum(),
            KeywordValue::Docs(docs) => most_of_text(&docs.description) + most_of_text(&docs.url),
        }
}

/// Enough bytes for the longest keyword with its punctuation, or for a short keyword with a number.
const KEYWORD: usize = 45;

/// Enough bytes for a keyword without prefix, with its punctuation.
const SHORT: usize = 28;

/// An upper bound for a text after a short keyword.
fn most_of_text(text: &str) -> usize {
    if text.is_empty() { 0 } else { SHORT + json::text_length_html_safe(text) }
}

fn most_of_rule(rule: &Rule) -> usize {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self: _ } = rule;
    let texts = [rule, message, message_expression, field_path].into_iter().chain(reason);
    2 * KEYWORD + texts.map(|text| most_of_text(text)).sum::<usize>()
}

/// The largest subtrees. A subtree that makes up a fifth of the whole or more is divided further.
fn biggest(view: &Hoisted<'_>, document: &Value, size: usize) -> String {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut descriptions = 0;
    view.each_schema(&mut |schema, path| {
        walk::each_node(schema, path, &mut |node, _| descriptions += node.schema.description.len());
        if let Some(schema) = document.at(&path.steps()) {
            name_large(&Sizes::of(schema), path, size / 5, &mut found);
        }
    });
    found.sort_by(|a, b| b.cmp(a));
    let named: Vec<String> = found.iter().take(3).map(|(bytes, path)| format!("{path} ({bytes})")).collect();
    format!("the biggest parts: {}; descriptions: {descriptions}", named.join(", "))
}

/// Adds each part that is not large itself but is inside something large, or that is large without large parts.
fn name_large(sizes: &Sizes<'_>, path: &Path<'_>, large: usize, found: &mut Vec<(usize, String)>) {
    if sizes.bytes < large || sizes.below.is_empty() {
        found.push((sizes.bytes, path.to_string()));
        return;
    }
    for (place, below) in &sizes.below {
        match place {
            Below::Property(name) => name_large(below, &path.child("properties").key(name), large, found),
            Below::Field(field) => name_large(below, &path.child(field), large, found),
        }
    }
}
