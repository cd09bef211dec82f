//! Lints about the design of APIs, for `crdgen check --lint api`. Each has a file of its own, which declares what it reports and two
//! examples. A test runs the examples, and the documentation shows them.

mod conditions;
mod duration;
mod field_name;
mod float_equality;
mod integer_size;
mod map;
mod max_size;
mod min_length;
mod nullable;
mod optional_items;
mod phase;
mod reference_name;
mod repeated_keyword;
mod required_default;
mod status_required;
mod status_rule;
mod timestamp_name;
mod unanchored;

pub(super) use repeated_keyword::same_keyword;

use super::Lints;
use crate::diag::codes::lint;
use crate::diag::{Code, Diag, Diags, Level};
use crate::path::Path;
use crate::walk::Node;

/// What a lint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// The names of fields.
    Names,
    /// The types of fields, and the values that they allow.
    Values,
    /// Lists and maps, and how server-side apply merges them.
    Lists,
    /// The status.
    Status,
    /// Rules.
    Rules,
}

impl Topic {
    /// All topics.
    pub const ALL: [Topic; 5] = [Topic::Names, Topic::Values, Topic::Lists, Topic::Status, Topic::Rules];

    /// Returns its title.
    pub fn title(self) -> &'static str {
        match self {
            Topic::Names => "Names of fields",
            Topic::Values => "Types and values",
            Topic::Lists => "Lists and maps",
            Topic::Status => "The status",
            Topic::Rules => "Rules",
        }
    }
}

/// A lint.
pub struct Lint {
    /// The code.
    pub code: &'static Code,
    /// What it is about.
    pub topic: Topic,
    /// Keywords for the schema of an object, as YAML, for which it reports something.
    pub fires: &'static str,
    /// The same in a form for which it reports nothing.
    pub silent: &'static str,
    check: fn(&Node<'_>, &mut Vec<Advice>),
}

/// What a lint reports about a schema.
struct Advice {
    at: At,
    detail: String,
    help: String,
}

/// The place of an advice in a schema.
enum At {
    /// The schema.
    Here,
    /// One of its keywords.
    Keyword(&'static str),
    /// The name of a field that the schema requires, by its number.
    Required(usize),
    /// The expression of a rule, by its number.
    Rule(usize),
}

impl Advice {
    fn new(at: At, detail: impl Into<String>, help: impl Into<String>) -> Advice {
        Advice { at, detail: detail.into(), help: help.into() }
    }
}

/// All lints, in the order of their codes.
pub const ALL: &[&Lint] = &[
    &optional_items::LINT,
    &conditions::LINT,
    &required_default::LINT,
    &integer_size::LINT,
    &max_size::LINT,
    &min_length::LINT,
    &field_name::LINT,
    &duration::LINT,
    &map::LINT,
    &nullable::LINT,
    &phase::LINT,
    &reference_name::LINT,
    &timestamp_name::LINT,
    &status_required::LINT,
    &repeated_keyword::LINT,
    &float_equality::LINT,
    &unanchored::LINT,
    &status_rule::LINT,
];

/// A lint with two examples: keywords for the schema of an object, as YAML. The lint reports something only for the first one.
#[derive(Clone, Copy)]
pub struct Example {
    /// The code.
    pub code: &'static Code,
    /// What it is about.
    pub topic: Topic,
    /// What it reports.
    pub fires: &'static str,
    /// The same in a form for which it reports nothing.
    pub silent: &'static str,
}

/// Lints of other modules that are about the design of an API.
const OTHERS: [Example; 5] = [
    Example {
        code: &lint::LIST_TYPE,
        topic: Topic::Lists,
        fires: "properties: {spec: {type: object, properties: {zones: {type: array, items: {type: string}}}}}",
        silent: "properties: {spec: {type: object, properties: {zones: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}",
    },
    Example {
        code: &lint::FLOAT,
        topic: Topic::Values,
        fires: "properties: {spec: {type: object, properties: {ratio: {type: number}}}}",
        silent: "properties: {spec: {type: object, properties: {ratioPercent: {type: integer, format: int32}}}}",
    },
    Example {
        code: &lint::UNSIGNED,
        topic: Topic::Values,
        fires: "properties: {spec: {type: object, properties: {replicas: {type: integer, format: uint32}}}}",
        silent: "properties: {spec: {type: object, properties: {replicas: {type: integer, format: int64, minimum: 0}}}}",
    },
    Example {
        code: &lint::BOOLEAN,
        topic: Topic::Values,
        fires: "properties: {spec: {type: object, properties: {paused: {type: boolean}}}}",
        silent: "properties: {spec: {type: object, properties: {mode: {type: string, enum: [Running, Paused]}}}}",
    },
    Example {
        code: &lint::BOOLEAN_NAME,
        topic: Topic::Names,
        fires: "properties: {spec: {type: object, properties: {on: {type: string}}}}",
        silent: "properties: {spec: {type: object, properties: {\"on\": {type: string}}}}",
    },
];

/// The lints of the profile `api`: those of this module, and others that are about the design of an API.
pub fn profile() -> impl Iterator<Item = &'static Code> {
    examples().map(|it| it.code).chain([&lint::STATUS])
}

/// The examples of the profile. The lint for a status without its subresource has none, because it is not about a schema.
pub fn examples() -> impl Iterator<Item = Example> {
    let of =
        |lint: &&Lint| Example { code: lint.code, topic: lint.topic, fires: lint.fires, silent: lint.silent };
    OTHERS.into_iter().chain(ALL.iter().map(of))
}

/// The lints of this module that are on.
pub(super) fn selected(lints: &Lints) -> Vec<&'static Lint> {
    ALL.iter().copied().filter(|lint| lints.is_on(lint.code)).collect()
}

/// Runs lints for one schema.
pub(super) fn check(node: &Node<'_>, path: &Path<'_>, lints: &[&Lint], out: &mut Diags) {
    for lint in lints {
        let mut found = Vec::new();
        (lint.check)(node, &mut found);
        for Advice { at, detail, help } in found {
            let mut report = |path: &Path<'_>| {
                out.push(Diag::own(lint.code, Level::Warning, path, detail.as_str()).help(help.as_str()));
            };
            match at {
                At::Here => report(path),
                At::Keyword(keyword) => report(&path.child(keyword)),
                At::Required(number) => report(&path.child("required").index(number)),
                At::Rule(number) => {
                    report(&path.child("x-kubernetes-validations").index(number).child("rule"));
                }
            }
        }
    }
}

/// Whether a schema is that of the status, or of a field of it, if `name` is its name.
fn is_in_status(node: &Node<'_>, name: &str) -> bool {
    node.name() == Some(name) && node.parent().is_some_and(is_status)
}

/// Whether a schema is that of the status.
fn is_status(node: &Node<'_>) -> bool {
    node.name() == Some("status") && node.parent().is_some_and(|root| root.up.is_none())
}
