//! The keys of maps have no schema of their own, so their constraints become rules of the map.

use super::faults::Mistake;
use super::patch::Patch;
use super::types::{Kinds, kinds};
use super::words::cel_string;
use crate::ir::{Limits, Rule, Schema};
use crate::value::Value;

/// Applies the attribute `keys(…)`.
pub(super) fn apply(schema: &mut Schema, keys: &Patch, report: &mut dyn FnMut(Mistake)) {
    if schema.additional_properties.is_none() {
        report(Mistake::new("`keys(…)` needs a map").key("keys").help("use it on a map, such as BTreeMap"));
        return;
    }
    let mut limits = keys.set.limits.clone();
    let length = keys.length.clone().unwrap_or_default();
    limits.min_length = limits.min_length.or(length.min);
    limits.max_length = limits.max_length.or(length.max);
    rules(texts(&limits), &keys.set.rules, &mut schema.rules);
}

/// Adds rules for the constraints that the type of the keys has.
pub(super) fn of_type(key: &Schema, out: &mut Vec<Rule>) {
    match kinds(key) {
        Kinds::INTEGER => out.push(Rule {
            rule: format!("self.all(key, {})", integer(&key.limits)),
            message: integer_words(&key.limits),
            ..Rule::default()
        }),
        Kinds::STRING => rules(texts(&key.limits), &key.rules, out),
        _ => {}
    }
}

fn rules(tests: Vec<String>, own: &[Rule], out: &mut Vec<Rule>) {
    if !tests.is_empty() {
        out.push(Rule {
            rule: format!("self.all(key, {})", tests.join(" && ")),
            message: format!("every key must fulfil: {}", tests.join(" and ")),
            ..Rule::default()
        });
    }
    out.extend(
        own.iter()
            .map(|rule| Rule { rule: format!("self.all(key, {})", self_to_key(&rule.rule)), ..rule.clone() }),
    );
}

/// The constraints of a string as CEL conditions for `key`.
fn texts(limits: &Limits) -> Vec<String> {
    let Limits { min_length, max_length, pattern, enumeration, format, .. } = limits;
    let mut tests = Vec::new();
    if let Some(min) = min_length {
        tests.push(format!("size(key) >= {min}"));
    }
    if let Some(max) = max_length {
        tests.push(format!("size(key) <= {max}"));
    }
    if !pattern.is_empty() {
        tests.push(format!("key.matches({})", cel_string(pattern)));
    }
    if !enumeration.is_empty() {
        let values: Vec<String> = enumeration.iter().filter_map(|v| v.as_str().map(cel_string)).collect();
        tests.push(format!("key in [{}]", values.join(", ")));
    }
    if let Some((_, name)) = FORMATS.iter().find(|(of_schema, _)| of_schema == format) {
        tests.push(format!("!format.{name}().validate(key).hasValue()"));
    }
    tests
}

/// Formats that the server checks in schemas, and their names in CEL.
const FORMATS: &[(&str, &str)] =
    &[("byte", "byte"), ("date", "date"), ("date-time", "datetime"), ("uri", "uri"), ("uuid", "uuid")];

fn integer_words(limits: &Limits) -> String {
    let Limits { minimum, maximum, .. } = limits;
    match (minimum, maximum) {
        (Some(min), Some(max)) => format!("every key must be an integer from {min} to {max}"),
        (Some(min), None) => format!("every key must be an integer, at least {min}"),
        (None, Some(max)) => format!("every key must be an integer, at most {max}"),
        (None, None) => "every key must be an integer".to_owned(),
    }
}

/// A CEL condition for a key that is an integer in JSON, within the range of its type.
fn integer(limits: &Limits) -> String {
    let Limits { minimum, maximum, format, not, .. } = limits;
    let unsigned = minimum.is_some_and(|min| min >= 0.0);
    let digits = if unsigned { "^(0|[1-9][0-9]*)$" } else { "^(0|-?[1-9][0-9]*)$" };
    // If the type has no bound, the bound of its format applies. Unsigned types with 64 bits have the same format as
    // signed ones. Keys are not limited to the range of JSON numbers.
    let (least, most, number, suffix) = match format.as_str() {
        "int32" => (Some(f64::from(i32::MIN)), i32::MAX.to_string(), "int", ""),
        "int64" if unsigned && maximum.is_none() => (None, u64::MAX.to_string(), "uint", "u"),
        "int64" => (None, i64::MAX.to_string(), "int", ""),
        _ => (None, String::new(), "int", ""),
    };
    let mut tests = vec![format!("key.matches('{digits}')")];
    // The pattern already excludes negative numbers.
    if let Some(least) = minimum.or(least).filter(|min| *min != 0.0) {
        tests.push(format!("{number}(key) >= {least}{suffix}"));
    }
    let most = maximum.map_or(most, |max| max.to_string());
    if !most.is_empty() {
        tests.push(format!("{number}(key) <= {most}{suffix}"));
    }
    let zero = |not: &Schema| not.limits.enumeration == [Value::Int(0)];
    if not.as_deref().is_some_and(zero) {
        tests.push("key != '0'".into());
    }
    tests.join(" && ")
}

/// Turns a rule about `self` into one about `key`: replaces the word, except in strings and after a dot.
fn self_to_key(rule: &str) -> String {
    let mut out = String::with_capacity(rule.len());
    let mut quote = None;
    let mut chars = rule.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        out.push(c);
        match quote {
            Some(q) => {
                if c == '\\' {
                    if let Some((_, next)) = chars.next() {
                        out.push(next);
                    }
                } else if c == q {
                    quote = None;
                }
            }
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c.is_alphabetic() || c == '_' => {
                let start = at;
                let mut end = at + c.len_utf8();
                while let Some((at, c)) = chars.next_if(|(_, c)| c.is_alphanumeric() || *c == '_') {
                    out.push(c);
                    end = at + c.len_utf8();
                }
                if &rule[start..end] == "self" && !rule[..start].trim_end().ends_with('.') {
                    out.truncate(out.len() - 4);
                    out.push_str("key");
                }
            }
            None => {}
        }
    }
    out
}
