//! Finds the errors that a server would report next. It checks defaults only if a schema is structural, and rules only
//! if the defaults are valid, but authors want to see all errors at once.
//!
//! Everything that has an error is removed from a copy of the CRD, which is then checked again. The server's own errors
//! stay as they are, and the errors found here are reported in addition.

use std::collections::BTreeSet;

use super::{Options, create};
use crate::diag::codes::cel::{TOO_EXPENSIVE, TOTAL_TOO_EXPENSIVE};
use crate::diag::{Diag, Diags};
use crate::ir::Crd;
use crate::object::next::{self, once_fixed};
use crate::path::Step;
use crate::value::{Map, Value};
use crate::{decode, encode};

/// Enough for the three stages (structure, defaults, rules), and one more.
const ROUNDS: usize = 4;

/// Returns the errors that the server would report about a CRD after these errors are fixed, as notes.
pub fn next(crd: &Crd, errors: &Diags, options: &Options) -> Diags {
    if errors.is_empty() {
        return Diags::new();
    }
    let mut value = encode::crd(crd);
    let mut known: Diags = errors.clone();
    let mut found = Diags::new();
    // Properties whose type was removed. crdgen does not know their types, so it does not report errors in rules that
    // use them.
    let mut untyped = BTreeSet::new();
    let mut removed = Vec::new();
    let mut new = errors.clone();
    for _ in 0..ROUNDS {
        let changes =
            new.iter().filter(|diag| take_out(&mut value, &diag.steps, &mut untyped, &mut removed)).count();
        if changes == 0 {
            break;
        }
        let (Some(copy), _) = decode::crd(value.clone()) else { break };
        let found_now = create(&copy, options).errors;
        new = found_now.into_iter().filter(|diag| !known.iter().any(|it| is_same(it, diag))).collect();
        known.extend(new.iter().cloned());
        // If a limit was removed because it was wrong, the estimated costs of rules are too high, so they are not
        // reported.
        let is_about_removed = |diag: &Diag| removed.iter().any(|place| diag.steps.starts_with(place));
        let is_certain = |diag: &&Diag| {
            !is_about_cost(diag) && !is_about_removed(diag) && !mentions(&value, &diag.steps, &untyped)
        };
        found.extend(new.iter().filter(is_certain).cloned());
    }
    found.into_iter().map(once_fixed).collect()
}

fn is_about_cost(diag: &Diag) -> bool {
    *diag.code == TOO_EXPENSIVE || *diag.code == TOTAL_TOO_EXPENSIVE
}

fn is_same(a: &Diag, b: &Diag) -> bool {
    a.code == b.code && a.steps == b.steps && a.detail == b.detail
}

/// Removes what an error is about from its schema, and returns whether it removed something. The steps to all other
/// places stay the same. The places of removed keywords are added to `removed`, because errors that they are missing
/// must not be reported.
fn take_out(
    value: &mut Value,
    steps: &[Step],
    untyped: &mut BTreeSet<String>,
    removed: &mut Vec<Vec<Step>>,
) -> bool {
    let names: Vec<Option<&str>> = steps
        .iter()
        .map(|step| if let Step::Key(name) = step { Some(name.as_str()) } else { None })
        .collect();
    let Some(root) = names.iter().position(|name| *name == Some("openAPIV3Schema")) else { return false };
    // Rules are checked last, so no check follows that an error in a rule could hide.
    if names[root..].contains(&Some("x-kubernetes-validations")) {
        return false;
    }
    // What is inside of a default is a value, not a schema. The default is removed as a whole, because without a part of
    // it, the server would find other errors in the rest.
    if let Some(at) = default_in(&names, root) {
        let is_gone =
            value.at_mut(&steps[..at]).and_then(Value::as_map_mut).and_then(|it| it.remove("default"));
        return is_gone.is_some();
    }
    // A list is removed as a whole: removing one item would change the steps to the others.
    let Some(last) = names.iter().rposition(Option::is_some).filter(|last| *last > root) else {
        return false;
    };
    // If the schema lacks something required, the whole schema is replaced.
    let is_missing = value.at(&steps[..=last]).is_none();
    let is_node =
        last > 0 && names[last - 1] == Some("properties") || matches!(names[last], Some("items" | "type"));
    if is_node || is_missing {
        let node = if is_missing || names[last] == Some("type") { last } else { last + 1 };
        let property = names[..node].iter().rev().flatten().find(|name| !is_keyword(name));
        return with_type(value, &steps[..node]).is_some() && {
            untyped.extend(property.map(|name| (*name).to_owned()));
            true
        };
    }
    let Some(Value::Map(map)) = value.at_mut(&steps[..last]) else { return false };
    let is_gone = names[last].is_some_and(|name| map.remove(name).is_some());
    if is_gone {
        removed.push(steps[..=last].to_vec());
    }
    is_gone
}

/// The index of the keyword `default` among the steps to a place in a schema.
fn default_in(names: &[Option<&str>], root: usize) -> Option<usize> {
    let mut at = root + 1;
    while let Some(name) = names.get(at) {
        match name {
            Some("default") => return Some(at),
            // The name of a property follows.
            Some("properties") => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "properties" | "items" | "additionalProperties" | "openAPIV3Schema" | "type")
}

/// Replaces a schema by one that allows any value.
fn with_type(value: &mut Value, place: &[Step]) -> Option<()> {
    let Value::Map(node) = value.at_mut(place)? else { return None };
    let anything: Map<Value> =
        [("x-kubernetes-preserve-unknown-fields", Value::Bool(true))].into_iter().collect();
    if *node == anything {
        return None;
    }
    *node = anything;
    Some(())
}

/// Whether the text at a place names one of these properties.
fn mentions(value: &Value, place: &[Step], names: &BTreeSet<String>) -> bool {
    let Some(Value::Str(text)) = value.at(place) else { return false };
    next::mentions(text, names)
}
