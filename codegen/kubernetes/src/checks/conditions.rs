//! Checks of expressions, and of the conditions of policies and webhooks.

use super::at::{At, Mistakes};
use super::rows::{Check::NeedsName, check};
use crate::expressions::{Age, Authorizer, Compiler, Output, Wrong};
use crate::mistake::Mistake;
use crdgen_core::cel::types::Ty;
use crdgen_core::diag::codes;
use crdgen_core::names;
use std::collections::BTreeSet;

/// The mistake in an expression. Messages show a text that may lack the spaces around it.
pub(super) fn wrong(at: &At<'_>, shown: &str, wrong: Wrong) -> Mistake {
    let why = wrong.text();
    let Wrong { inside, help, .. } = wrong;
    // The place is one in the expression without the spaces around it.
    let before = at.text().len() - at.text().trim_start().len();
    let skipped = if shown.len() < at.text().len() { before } else { 0 };
    let inside = inside.map(|range| range.start + skipped..range.end + skipped);
    Mistake { inside, help, code: &codes::cel::BAD_RULE, ..at.invalid_text(shown, &why) }
}

/// Checks an expression that the server compiles without the spaces around it.
pub(super) fn trimmed(
    at: &At<'_>,
    compiler: &mut Compiler,
    output: Output,
    stored: &BTreeSet<&str>,
    out: &mut Mistakes,
) {
    match at.text().trim() {
        "" => out.push(at.required("")),
        text => {
            let age = Age::of(at.text(), stored);
            let checked = compiler.compile(text, output, Authorizer::Known, age);
            out.extend(checked.err().map(|why| wrong(at, text, why)));
        }
    }
}

/// Checks conditions under which a policy applies or a webhook is called.
pub(super) fn match_conditions(
    at: &At<'_>,
    compiler: &mut Compiler,
    stored: &BTreeSet<&str>,
    out: &mut Mistakes,
) {
    let mut seen = BTreeSet::new();
    for condition in at.each() {
        let (expression, name) = (condition.get("expression"), condition.get("name"));
        trimmed(&expression, compiler, Output::One(Ty::BOOL), stored, out);
        check(&[("", NeedsName(names::qualified_name))], &name, out);
        if !name.is_empty() && !seen.insert(name.text()) {
            out.push(name.duplicate());
        }
    }
}
