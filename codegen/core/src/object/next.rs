//! What a server says of an object next: as long as its shape is wrong, rules are not looked at. Authors want to see all of
//! it at once.
//!
//! What is wrong is taken out of a copy, on which the rules are evaluated. Those that name what was taken out are not judged.

use std::collections::BTreeSet;

use super::{Served, ServedVersion};
use crate::diag::codes::cel::{NOT_CHECKED, RULE_FAILED};
use crate::diag::{Diag, Diags, Level};
use crate::path::{Path, Step};
use crate::value::Value;

impl Served {
    /// What a server says of an object once these errors are corrected, as notes. `object` is the one that was checked.
    pub fn next(&self, version: &ServedVersion, object: &Value, errors: &Diags) -> Diags {
        let Some((rules, schema)) = self.rules(version) else { return Diags::new() };
        if !errors.iter().any(|diag| *diag.code == NOT_CHECKED) {
            return Diags::new();
        }
        let (mut copy, mut names) = (object.clone(), BTreeSet::new());
        for diag in errors.iter().filter(|diag| *diag.code != NOT_CHECKED) {
            // A list is one value here: without one of its items, others would be somewhere else.
            let Some(last) = diag.steps.iter().rposition(|step| matches!(step, Step::Key(_))) else {
                return Diags::new();
            };
            let (above, name) = diag.steps.split_at(last);
            if let Some(Step::Key(name)) = name.first() {
                if let Some(Value::Map(map)) = copy.at_mut(above) {
                    map.remove(name);
                }
                names.insert(name.clone());
            }
        }
        let found = rules.validate(schema, &copy, None, &Path::ROOT).errors.into_iter();
        let is_certain = |diag: &Diag| {
            *diag.code == RULE_FAILED && diag.rule.as_ref().is_some_and(|rule| !mentions(rule, &names))
        };
        found.filter(is_certain).map(once_fixed).collect()
    }
}

/// A diagnostic as the note of what comes later.
pub(crate) fn once_fixed(diag: Diag) -> Diag {
    const LATER: &str = "the server reports this once the errors are fixed";
    let help = diag.help.map_or_else(|| LATER.to_owned(), |help| format!("{help}\n{LATER}"));
    Diag { level: Level::Note, help: Some(help), ..diag }
}

/// Whether an expression names one of these properties.
pub(crate) fn mentions(expression: &str, names: &BTreeSet<String>) -> bool {
    let mut words = expression.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| names.contains(word))
}
