//! The facts on a page about a value: its constraints, and the descriptions of its enum values.

use std::collections::BTreeSet;

use crate::ir::{Additional, Junctors, Schema};
use crate::recipe::type_words;

use super::clauses::{clause, possible};
use super::constraints::{extensions, shown, validations};
use crate::possible::Possible;

/// The name of the fact that lists the values of an enumeration.
const ONE_OF: &str = "one of";

/// One constraint or property of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// The name of the constraint or property.
    pub what: String,
    /// The values of the fact. Empty if the name explains everything.
    pub values: Vec<Documented>,
}

/// A value in a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documented {
    /// The text of the value.
    pub text: String,
    /// What the description writes about the value. Usually empty.
    pub about: String,
}

impl From<String> for Documented {
    fn from(text: String) -> Documented {
        Documented { text, about: String::new() }
    }
}

impl Fact {
    /// Returns whether each value needs a line of its own.
    pub fn is_long(&self) -> bool {
        let values: usize = self.values.iter().map(|value| value.text.len() + 2).sum();
        let are_phrases = self.values.iter().all(|value| value.text.contains(' ')) && values > 80;
        self.values.len() > 1 && are_phrases || self.values.iter().any(|value| !value.about.is_empty())
    }
}

/// Moves what a description says about each value of an enum from the description to the values. By convention such
/// descriptions contain lists like "- `Always`: the image is pulled". The text stays as it is unless it describes
/// two values or more.
pub(super) fn describe_values(facts: &mut [Fact], description: &mut String) {
    let Some(fact) = facts.iter_mut().find(|fact| fact.what == ONE_OF) else { return };
    let mut abouts: Vec<(usize, String)> = Vec::new();
    let mut rest = String::new();
    // The indentation of the last entry. Lines that are indented further, or that follow it directly, belong to the
    // entry.
    let mut inside = None;
    for line in description.lines() {
        let indent = line.len() - line.trim_start().len();
        if let Some((value, about)) = entry(line, &fact.values) {
            inside = Some(indent);
            abouts.push((value, about.to_owned()));
            continue;
        }
        let belongs =
            inside.is_some() && !line.trim().is_empty() && !line.trim_start().starts_with(['-', '*']);
        match abouts.last_mut().filter(|_| belongs) {
            Some((_, about)) => {
                about.push(' ');
                about.push_str(line.trim());
            }
            None => {
                inside = None;
                rest.push_str(line);
                rest.push('\n');
            }
        }
    }
    let different = abouts.iter().map(|(value, _)| value).collect::<BTreeSet<_>>().len();
    if different < 2 || different < abouts.len() {
        return;
    }
    for (value, about) in abouts {
        fact.values[value].about = about;
    }
    *description = rest.trim_end().to_owned();
}

/// The value that a line describes, and its description.
fn entry<'l>(line: &'l str, values: &[Documented]) -> Option<(usize, &'l str)> {
    let text = line.trim_start().strip_prefix(['-', '*'])?.trim_start().trim_start_matches(['*', '_']);
    let text = text.trim_start_matches(['`', '"', '\'']);
    let is_end =
        |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/'));
    let starts = values.iter().enumerate().filter(|(_, value)| !value.text.is_empty());
    let (value, rest) = starts
        .filter_map(|(at, value)| Some((at, text.strip_prefix(value.text.as_str())?)))
        .find(|(_, rest)| is_end(rest))?;
    let rest = rest.trim_start_matches(['`', '"', '\'', '*', '_']).trim_start();
    let words = [":", "-", "–", "—", "means that", "means"];
    let about = words
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .or_else(|| rest.starts_with('(').then_some(rest));
    about.map(|about| (value, about.trim()))
}

/// All facts about a node except its type, default, fields and rules. `each` names the owner if the node is not the
/// field itself but each of its items or values.
pub(super) fn of(node: &Schema, each: &str) -> Vec<Fact> {
    let mut out = of_place(node, each);
    out.extend(of_type(node, each));
    out
}

/// The facts that are not part of a shared type.
pub(super) fn of_place(node: &Schema, each: &str) -> Vec<Fact> {
    if node.nullable { vec![fact("may be null", each, Vec::new())] } else { Vec::new() }
}

fn fact(text: &str, each: &str, values: Vec<String>) -> Fact {
    let what = if each.is_empty() { text.to_owned() } else { format!("each {each}: {text}") };
    Fact { what, values: values.into_iter().map(Documented::from).collect() }
}

/// The facts that are part of a shared type.
pub(super) fn of_type(node: &Schema, each: &str) -> Vec<Fact> {
    let mut out = Vec::new();
    let mut add = |text: &str, values: Vec<String>| out.push(fact(text, each, values));
    if matches!(node.additional_properties, Some(Additional::Allow(true)))
        && node.ext.preserve_unknown_fields != Some(true)
    {
        add("keeps unknown fields", Vec::new());
    }
    extensions(&node.ext, &mut add);
    if !node.limits.enumeration.is_empty() {
        add(ONE_OF, node.limits.enumeration.iter().map(shown).collect());
    }
    let Possible { limits, types } = Possible::of(node);
    if let Some(types) = types {
        add("is", vec![type_words(types)]);
    }
    validations(&limits, &mut add);
    let Junctors { all_of, any_of, one_of, not } = limits.junctors();
    for (clauses, words) in [(all_of, "all of"), (any_of, "any of"), (one_of, "exactly one of")] {
        if !clauses.is_empty() {
            add(words, possible(clauses, node).map(|it| clause(it, node)).collect());
        }
    }
    if let Some(not) = not {
        add("not", vec![clause(not, node)]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_described_by_lists() {
        let fact = || Fact {
            what: ONE_OF.to_owned(),
            values: ["A", "Ab", ""].map(|v| v.to_owned().into()).to_vec(),
        };
        for (given, left, abouts) in [
            (
                "How.\n- `A` (default): one\n  more\n- \"Ab\": two\n\nEnd.",
                "How.\n\nEnd.",
                ["(default): one more", "two", ""],
            ),
            ("* A: one\n* Ab - two", "", ["one", "two", ""]),
            ("- A: only one", "- A: only one", ["", "", ""]),
            ("- A: one\n- A: again\n- Ab: two", "- A: one\n- A: again\n- Ab: two", ["", "", ""]),
            ("- Above: no\n- Abc: no", "- Above: no\n- Abc: no", ["", "", ""]),
        ] {
            let (mut facts, mut text) = ([fact()], given.to_owned());
            describe_values(&mut facts, &mut text);
            assert_eq!(
                (text.as_str(), facts[0].values.iter().map(|v| v.about.as_str()).collect::<Vec<_>>()),
                (left, abouts.to_vec()),
                "{given}"
            );
        }
    }
}
