//! Lints for the nodes of schemas. Each declares what it reports and two examples. A test runs the examples, and the documentation
//! shows those about the design of APIs, which are the profile of `crdgen check --lint api`.

mod basics;
mod conditions;
mod duration;
mod field_name;
mod float_equality;
mod integer_size;
mod map;
mod max_size;
mod min_length;
mod never_run;
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
    /// What it is about. `None` if it is not about the design of an API.
    pub topic: Option<Topic>,
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

/// The lints that have a file of their own, in the order of their codes.
static OWN_FILES: [Lint; 19] = [
    never_run::LINT,
    optional_items::LINT,
    conditions::LINT,
    required_default::LINT,
    integer_size::LINT,
    max_size::LINT,
    min_length::LINT,
    field_name::LINT,
    duration::LINT,
    map::LINT,
    nullable::LINT,
    phase::LINT,
    reference_name::LINT,
    timestamp_name::LINT,
    status_required::LINT,
    repeated_keyword::LINT,
    float_equality::LINT,
    unanchored::LINT,
    status_rule::LINT,
];

/// All lints.
pub fn all() -> impl Iterator<Item = &'static Lint> {
    basics::LINTS.iter().chain(&OWN_FILES)
}

/// The lints of the profile `api`: those about the design of an API, and the one for a status without its subresource.
pub fn profile() -> impl Iterator<Item = &'static Code> {
    all().filter(|lint| lint.topic.is_some()).map(|lint| lint.code).chain([&lint::STATUS])
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
