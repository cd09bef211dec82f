//! Compares an answer of the oracle with an answer of crdgen.

use std::collections::BTreeMap;

use crdgen_core::json::to_string;
use crdgen_core::value::Value;

/// Kinds of differences, the worst first. Each kind has its own required share of equal answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// crdgen panicked, died or gave no answer.
    Crash,
    /// One side can decode the input and the other cannot.
    Decode,
    /// One accepts what the other rejects.
    Verdict,
    /// The errors differ in type, field or detail.
    Errors,
    /// The same errors, but with other values, or with another text for the same values.
    BadValue,
    /// The stored or the returned object differs.
    Stored,
    /// The warnings differ.
    Warnings,
    /// Unknown and duplicate fields differ.
    Strict,
    /// The conditions differ.
    Conditions,
    /// Any other part of the answer differs.
    Other,
}

impl Category {
    /// All of them, the worst first.
    pub const ALL: [Category; 10] = [
        Category::Crash,
        Category::Decode,
        Category::Verdict,
        Category::Errors,
        Category::BadValue,
        Category::Stored,
        Category::Warnings,
        Category::Strict,
        Category::Conditions,
        Category::Other,
    ];

    /// Returns the share of answers, in percent, that must be equal in this part.
    pub fn wanted(self) -> f64 {
        match self {
            Category::Errors | Category::BadValue => 99.9,
            Category::Crash
            | Category::Decode
            | Category::Verdict
            | Category::Stored
            | Category::Warnings
            | Category::Strict
            | Category::Conditions
            | Category::Other => 100.0,
        }
    }

    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Category::Crash => "crash",
            Category::Decode => "decode",
            Category::Verdict => "verdict",
            Category::Errors => "errors",
            Category::BadValue => "badValue",
            Category::Stored => "stored",
            Category::Warnings => "warnings",
            Category::Strict => "strict",
            Category::Conditions => "conditions",
            Category::Other => "other",
        }
    }
}

/// A difference between two answers.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The kind of the difference.
    pub category: Category,
    /// The content on each side.
    pub text: String,
}

/// Options for the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Leave out the errors that come from compiling rules and from their costs.
    pub without_cel: bool,
    /// The oracle prints structs with addresses, so texts with structs cannot be compared.
    pub addresses: bool,
}

/// The outcome of a comparison.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// There is nothing to compare: the oracle itself panicked, or cannot process the request.
    NoJudge(String),
    /// The differences. Empty if the answers are equal.
    Compared(Vec<Difference>),
}

/// Compares two answers to a request of op `op`.
pub fn compare(op: &str, oracle: &Value, ours: &Value, options: Options) -> Outcome {
    if let Some(panic) = oracle.get("panic") {
        return Outcome::NoJudge(text(panic));
    }
    let mut out = Vec::new();
    let mut add = |category, text: String| out.push(Difference { category, text });
    if let Some(panic) = ours.get("panic") {
        add(Category::Crash, text(panic));
        return Outcome::Compared(out);
    }
    if let Some(error) = refusal(ours).filter(|e| e.starts_with("unknown op")) {
        add(Category::Crash, error);
        return Outcome::Compared(out);
    }
    if op == "apply" && (oracle.get("status").is_some() || ours.get("status").is_some()) {
        rejections(oracle, ours, &mut add);
        return Outcome::Compared(out);
    }
    match (refusal(oracle), refusal(ours)) {
        (Some(theirs), Some(mine)) => {
            // If a text cannot be read, our message differs from the oracle's.
            let is_decoded = oracle.get("decodeError").is_some() && !is_about_text(&theirs);
            if is_decoded && theirs != mine {
                add(Category::Errors, format!("oracle: {theirs}; ours: {mine}"));
            }
            return Outcome::Compared(out);
        }
        (Some(theirs), None) => {
            add(Category::Decode, format!("the oracle cannot decode it: {theirs}; we can: {}", brief(ours)));
            return Outcome::Compared(out);
        }
        (None, Some(mine)) => {
            add(Category::Decode, format!("we cannot decode it: {mine}; the oracle can: {}", brief(oracle)));
            return Outcome::Compared(out);
        }
        (None, None) => {}
    }
    if op != "crd" && op != "object" {
        for key in keys(oracle, ours) {
            // If a text cannot be read, our message differs from the oracle's.
            if op == "yaml"
                && key.ends_with("Error")
                && oracle.get(&key).is_some()
                && ours.get(&key).is_some()
            {
                continue;
            }
            let (theirs, mine) = (canonical(&key, oracle), canonical(&key, ours));
            if theirs != mine {
                add(Category::Other, differs(&key, &theirs, &mine));
            }
        }
        return Outcome::Compared(out);
    }
    let (theirs, mine) = (errors(oracle, options), errors(ours, options));
    if theirs.is_empty() != mine.is_empty() {
        add(Category::Verdict, format!("oracle: {}; ours: {}", show(&theirs), show(&mine)));
    } else {
        let (missing, surplus) = apart(theirs.iter().map(|e| &e.key), mine.iter().map(|e| &e.key));
        if !missing.is_empty() || !surplus.is_empty() {
            add(Category::Errors, format!("missing: {missing:?}; surplus: {surplus:?}"));
        } else {
            let (missing, surplus) = apart(theirs.iter().map(|e| &e.full), mine.iter().map(|e| &e.full));
            if !missing.is_empty() {
                add(Category::BadValue, format!("missing: {missing:?}; surplus: {surplus:?}"));
            }
        }
    }
    for key in keys(oracle, ours) {
        let category = match key.as_str() {
            "errors" | "valid" | "message" | "id" => continue,
            "stored" | "result" | "decoded" | "prepared" => Category::Stored,
            "warnings" => Category::Warnings,
            "strict" | "unknownFields" => Category::Strict,
            "conditions" => Category::Conditions,
            _ => Category::Other,
        };
        // Some parts only exist for valid requests. They can only be compared if both sides accept the request.
        if options.without_cel && !(is_valid(oracle) && is_valid(ours)) && key != "strict" {
            continue;
        }
        if oracle.get(&key).is_none() != ours.get(&key).is_none() && is_valid(oracle) != is_valid(ours) {
            continue;
        }
        let (theirs, mine) = (canonical(&key, oracle), canonical(&key, ours));
        if theirs != mine {
            add(category, differs(&key, &theirs, &mine));
        }
    }
    Outcome::Compared(out)
}

/// Compares answers to op `apply` of which at least one is a rejection of the server.
fn rejections(oracle: &Value, ours: &Value, add: &mut impl FnMut(Category, String)) {
    let code = |answer: &Value| answer.get("status").and_then(|status| status.get("code")).cloned();
    let message = |answer: &Value| answer.get("error").map(text).unwrap_or_default();
    let (theirs, mine) = (message(oracle), message(ours));
    if code(oracle) != code(ours) {
        return add(Category::Verdict, format!("oracle: {theirs}; ours: {mine}"));
    }
    for key in ["conflicts", "merged", "warnings", "strict"] {
        let (theirs, mine) = (canonical(key, oracle), canonical(key, ours));
        if theirs != mine {
            add(Category::Other, differs(key, &theirs, &mine));
        }
    }
    // The server lists several errors in a random order, and stops at a random field if several are not declared.
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        letters.sort_unstable();
        letters
    };
    let undeclared = "field not declared in schema";
    let is_random = theirs.contains(undeclared) && mine.contains(undeclared);
    if !is_random && letters(&theirs) != letters(&mine) {
        add(Category::Errors, format!("oracle: {theirs}; ours: {mine}"));
    }
}

/// Returns why an answer is not a verdict: the input cannot be decoded.
fn refusal(answer: &Value) -> Option<String> {
    answer.get("error").or_else(|| answer.get("decodeError")).map(text)
}

/// Whether the oracle cannot read the text itself. Its scheme also has a name and a line in Go's sources.
fn is_about_text(error: &str) -> bool {
    let about = ["yaml: ", "invalid character", "unexpected end of JSON input", "in scheme "];
    about.iter().any(|part| error.contains(part))
}

fn is_valid(answer: &Value) -> bool {
    answer.get("valid").and_then(Value::as_bool) == Some(true)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| to_string(value), str::to_owned)
}

fn brief(answer: &Value) -> String {
    let text = to_string(answer);
    text.chars().take(300).collect()
}

fn keys(a: &Value, b: &Value) -> Vec<String> {
    let mut keys: Vec<String> =
        [a, b].iter().filter_map(|v| v.as_map()).flat_map(|m| m.keys().map(str::to_owned)).collect();
    keys.sort();
    keys.dedup();
    keys.retain(|k| k != "id");
    keys
}

struct FieldError {
    /// Type, field and detail.
    key: String,
    /// The same, with the value and the text that the server prints.
    full: String,
}

fn errors(answer: &Value, options: Options) -> Vec<FieldError> {
    let list = answer.get("errors").and_then(Value::as_list).unwrap_or(&[]);
    list.iter()
        .filter(|e| !(options.without_cel && comes_from_cel(e)))
        .map(|e| {
            let part = |key| e.get(key).and_then(Value::as_str).unwrap_or("");
            let key = normal(&format!("{} | {} | {}", part("type"), part("field"), part("detail")));
            let bad = e.get("badValue").map_or_else(|| "null".to_owned(), to_string);
            let mut text = normal(part("text"));
            if options.addresses {
                text = without_structs(text);
            }
            let full = format!("{key} | {bad} | {text}");
            FieldError { key, full }
        })
        .collect()
}

/// Removes a text that shows a struct, because Go prints addresses in it. Its detail is compared anyway.
fn without_structs(text: String) -> String {
    const STRUCTS: [&str; 6] =
        [": apiextensions.", "{apiextensions.", ": v1.Owner", ": []v1.Owner", ": {\"", ": [{\""];
    if STRUCTS.iter().any(|start| text.contains(start)) { String::new() } else { text }
}

fn show(errors: &[FieldError]) -> String {
    if errors.is_empty() {
        return "valid".to_owned();
    }
    format!("{:?}", errors.iter().take(5).map(|e| e.key.as_str()).collect::<Vec<_>>())
}

/// Whether an error of op `crd` comes from compiling a rule or from its cost. The other errors below
/// `x-kubernetes-validations` are checks of the schema.
pub fn comes_from_cel(error: &Value) -> bool {
    let part = |key| error.get(key).and_then(Value::as_str).unwrap_or("");
    let (field, detail) = (part("field"), part("detail"));
    if detail.contains("estimated rule cost") || detail.contains("estimated messageExpression cost") {
        return true;
    }
    let Some((_, member)) = field.rsplit_once("x-kubernetes-validations") else { return false };
    let schema_check = match member.rsplit_once('.').map(|(_, name)| name) {
        Some("rule") => detail == "rule is not specified",
        Some("messageExpression") => detail == "messageExpression must be non-empty if specified",
        Some("optionalOldSelf") | None => false,
        Some(_) => true,
    };
    !schema_check
}

/// Returns what each side has that the other lacks, as multisets.
fn apart<'a>(
    theirs: impl Iterator<Item = &'a String>,
    mine: impl Iterator<Item = &'a String>,
) -> (Vec<String>, Vec<String>) {
    let mut count: BTreeMap<&str, i64> = BTreeMap::new();
    theirs.for_each(|e| *count.entry(e).or_default() += 1);
    mine.for_each(|e| *count.entry(e).or_default() -= 1);
    let side = |sign: i64| {
        count
            .iter()
            .filter(|(_, n)| **n * sign > 0)
            .flat_map(|(e, n)| std::iter::repeat_n((*e).to_owned(), n.unsigned_abs() as usize))
            .collect()
    };
    (side(1), side(-1))
}

/// Returns a part of an answer in a form that can be compared as text: warnings and errors come in random order, and
/// some messages contain numbers that change from run to run.
fn canonical(key: &str, answer: &Value) -> String {
    let Some(part) = answer.get(key) else { return "absent".to_owned() };
    // This message is the oracle's own: a server can store objects that the oracle cannot.
    if key == "storeError" {
        return "present".to_owned();
    }
    let sorted = match part {
        Value::List(items) if matches!(key, "warnings" | "strict" | "errors" | "conflicts") => {
            let mut items = items.clone();
            items.sort_by_cached_key(to_string);
            Value::List(items)
        }
        Value::List(versions) if key == "versions" => Value::List(versions.iter().map(in_order).collect()),
        // Only the document matters, not its length.
        Value::Int(_) if matches!(key, "v2Bytes" | "v3Bytes") => Value::Null,
        other if matches!(key, "stored" | "schemaV2" | "schemaV3" | "v2" | "v3") => through_floats(other),
        other => other.clone(),
    };
    normal(&to_string(&sorted))
}

/// Sorts the lists of errors in a version of op `cel`, because properties come in random order.
fn in_order(version: &Value) -> Value {
    let Value::Map(members) = version else { return version.clone() };
    let sorted = |(key, member): (&str, &Value)| {
        let member = match (key, member) {
            ("skipped", Value::Str(why)) => {
                let mut parts: Vec<&str> =
                    why.trim_end_matches(']').split(": [").flat_map(|p| p.split(", ")).collect();
                parts.sort_unstable();
                Value::from(parts.join(", "))
            }
            ("errors", Value::List(errors)) => {
                let mut errors = errors.clone();
                errors.sort_by_cached_key(to_string);
                Value::List(errors)
            }
            _ => member.clone(),
        };
        (key.to_owned(), member)
    };
    Value::Map(members.iter().map(sorted).collect())
}

/// Converts numbers, which documents compare by value. The oracle reads stored objects without types, so it uses floats
/// for all numbers and rounds large integers.
fn through_floats(value: &Value) -> Value {
    match value {
        Value::Int(i) if i.unsigned_abs() > 1 << 53 => Value::Float(*i as f64),
        Value::List(items) => Value::List(items.iter().map(through_floats).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(key, item)| (key, through_floats(item))).collect()),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => value.clone(),
    }
}

/// Drops what changes from run to run: `selfType<number>`.
pub fn normal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("selfType") {
        let (before, after) = rest.split_at(at + "selfType".len());
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out.push_str(rest);
    out
}

/// Shows two texts around the first difference.
fn differs(key: &str, theirs: &str, mine: &str) -> String {
    let same = theirs.bytes().zip(mine.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let from = (0..=same.saturating_sub(60)).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        text[from..].chars().take(240).collect::<String>()
    };
    format!("{key}: oracle …{} | ours …{}", around(theirs), around(mine))
}
