//! Finds the errors that a server would report next. It does not evaluate rules on an object that does not match its
//! schema, but authors want to see all errors at once.
//!
//! Everything that has an error is removed from a copy, and the rules are evaluated on the copy. Rules that name a
//! removed field are skipped. Metadata that the server cannot decode is removed in the same way, because the server
//! reports nothing else until it can decode it.

use super::metadata::WrongTypes;
use std::collections::BTreeSet;

use super::refusal::Refusal;
use super::{Action, Admission, Served, ServedVersion, metadata};
use crate::diag::codes::cel::{NOT_CHECKED, RULE_FAILED};
use crate::diag::{Diag, Diags, Level};
use crate::path::{Path, Step};
use crate::value::{Map, Value};

impl Served {
    /// Returns the errors that the server would report about an object after these errors are fixed, as notes.
    /// `object` is the one that was checked.
    pub fn next(&self, version: &ServedVersion, object: &Value, errors: &Diags) -> Diags {
        let Some((rules, schema)) = self.rules(version) else { return Diags::new() };
        if !errors.iter().any(|diag| *diag.code == NOT_CHECKED) {
            return Diags::new();
        }
        let (mut copy, mut names) = (object.clone(), BTreeSet::new());
        for diag in errors.iter().filter(|diag| *diag.code != NOT_CHECKED) {
            // A list is removed as a whole: removing one item would change the steps to the others.
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

impl Served {
    /// Returns the errors that the server would report about a write after the metadata of the object can be decoded,
    /// as notes.
    pub fn once_decoded(&self, version: &ServedVersion, mut object: Value, action: Action) -> Diags {
        let (mut notes, mut gone) = (Diags::new(), BTreeSet::new());
        let at = Path::ROOT;
        let at = at.child("metadata");
        while let Some(Err(malformed)) =
            object.get("metadata").map(|metadata| metadata::decode(metadata, WrongTypes::Rejected, &at))
        {
            let refusal = Refusal::from(malformed);
            // The server already reports the first one now.
            if !gone.is_empty() {
                notes.push(once_fixed(refusal.diag()));
            }
            if !refusal.wrong().is_some_and(|wrong| take_out(&mut object, &wrong.steps, &mut gone)) {
                return notes;
            }
        }
        let Ok(Admission::Checked(checked)) = self.admit(version, object, action, "") else { return notes };
        let errors: Diags = checked.written.errors.into_iter().map(|(_, diag)| diag).collect();
        let later = self.next(version, &checked.written.prepared, &errors);
        let unknown = checked.unknown.into_iter().map(|unknown| unknown.diag(Level::Error));
        let now = errors.into_iter().filter(|diag| *diag.code != NOT_CHECKED).chain(unknown);
        let is_certain = |diag: &Diag| !diag.rule.as_ref().is_some_and(|rule| mentions(rule, &gone));
        notes.extend(now.map(once_fixed).chain(later).filter(is_certain));
        notes
    }
}

/// Removes a field of the metadata from an object, or all metadata if it is not an object. If this removes the name,
/// the object gets another one, so that a missing name is not reported.
fn take_out(object: &mut Value, steps: &[Step], gone: &mut BTreeSet<String>) -> bool {
    let [Step::Key(metadata), below @ ..] = steps else { return false };
    let Some(found) = object.as_map_mut().and_then(|object| object.get_mut(metadata)) else { return false };
    match (found.as_map_mut(), below.first()) {
        (Some(map), Some(Step::Key(field))) => {
            if map.remove(field).is_none() {
                return false;
            }
            gone.insert(field.clone());
        }
        _ => {
            *found = Value::Map(Map::default());
            gone.insert(metadata.clone());
        }
    }
    let names = ["name", "generateName"];
    let map = found.as_map_mut().filter(|map| names.iter().all(|name| map.get(name).is_none()));
    if let Some(map) = map
        && gone.iter().any(|gone| gone == metadata || names.contains(&gone.as_str()))
    {
        map.insert("name", "x".into());
    }
    true
}

/// Turns a diagnostic into a note about what the server reports later.
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
