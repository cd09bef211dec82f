//! The differences between the versions of a kind.

use std::collections::{BTreeMap, HashMap};

use super::{Fact, Field, Rule, Version};

/// The differences between a version and the one before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The name of the older version.
    pub from: String,
    /// The name of the newer version.
    pub to: String,
    /// The anchor of the comparison on a page.
    pub anchor: String,
    /// The fields that differ, sorted by path.
    pub fields: Vec<Change>,
    /// The number of further differences, which are not listed.
    pub more: usize,
}

/// A field that differs between two versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The path of the field from the root of the object.
    pub path: String,
    /// The anchor of the field on a page: in the newer version, or in the older one if the field was removed.
    pub anchor: String,
    /// The lines that describe the field in the older version. Empty if that version does not have the field.
    pub old: Vec<String>,
    /// The lines that describe the field in the newer version. Empty if that version does not have the field.
    pub new: Vec<String>,
}

/// If there are more changes than this, they are counted and not listed.
const MOST: usize = 300;

/// Compares each version with the next older one; the newest comes first.
pub(super) fn between(versions: &[Version]) -> Vec<Changes> {
    versions.windows(2).map(|pair| changes(&pair[1], &pair[0])).collect()
}

fn changes(old: &Version, new: &Version) -> Changes {
    let before: HashMap<&str, &Field> = old.fields.iter().map(|f| (f.path.as_str(), f)).collect();
    let after: HashMap<&str, &Field> = new.fields.iter().map(|f| (f.path.as_str(), f)).collect();
    let mut fields = BTreeMap::new();
    let mut add = |field: &Field, old: Vec<String>, new: Vec<String>| {
        let (path, anchor) = (field.path.clone(), field.anchor.clone());
        fields.insert(path.clone(), Change { path, anchor, old, new });
    };
    // If only one version has a field, the fields inside it are not listed.
    for field in outermost(&old.fields, &after) {
        add(field, vec![summary(field)], Vec::new());
    }
    for field in outermost(&new.fields, &before) {
        add(field, Vec::new(), vec![summary(field)]);
    }
    for field in &new.fields {
        if let Some(old) = before.get(field.path.as_str()).filter(|_| field.path != "apiVersion") {
            let (was, is) = (lines(old), lines(field));
            let only = |a: &[String], b: &[String]| -> Vec<String> {
                a.iter().filter(|line| !b.contains(line)).cloned().collect()
            };
            let (old, new) = (only(&was, &is), only(&is, &was));
            if !old.is_empty() || !new.is_empty() {
                let or_nothing =
                    |lines: Vec<String>| if lines.is_empty() { vec!["–".to_owned()] } else { lines };
                add(field, or_nothing(old), or_nothing(new));
            }
        }
    }
    let mut fields: Vec<Change> = fields.into_values().collect();
    let more = fields.len().saturating_sub(MOST);
    fields.truncate(MOST);
    Changes {
        from: old.name.clone(),
        to: new.name.clone(),
        anchor: format!("{}.changes", new.anchor),
        fields,
        more,
    }
}

/// The fields that the other version does not have, without those inside them.
fn outermost<'f>(fields: &'f [Field], other: &HashMap<&str, &Field>) -> impl Iterator<Item = &'f Field> {
    let mut inside = None;
    fields.iter().filter(move |field| {
        if inside.is_some_and(|depth| field.depth > depth) {
            return false;
        }
        let is_missing = !other.contains_key(field.path.as_str());
        inside = is_missing.then_some(field.depth);
        is_missing
    })
}

fn summary(field: &Field) -> String {
    let must = if field.required { ", required" } else { "" };
    format!("{}{must}", field.ty)
}

/// A line for each fact about a field: everything that the server does with its value.
fn lines(field: &Field) -> Vec<String> {
    let Field { ty, required, deprecated, default, facts, rules, .. } = field;
    let mut out = vec![ty.clone(), if *required { "required" } else { "optional" }.to_owned()];
    if *deprecated {
        out.push("deprecated".to_owned());
    }
    out.extend(default.iter().map(|value| format!("default {value}")));
    out.extend(facts.iter().map(|Fact { what, values }| {
        let values: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        format!("{what} {}", values.join(", ")).trim_end().to_owned()
    }));
    out.extend(rules.iter().map(|Rule { rule, message, .. }| {
        if message.is_empty() { rule.clone() } else { format!("{message}: {rule}") }
    }));
    out
}
