//! Compares values with an enum, with the conversions that the server's comparison makes.

use super::at::At;
use super::findings::{Finding, Findings};
use crate::diag::Kind;
use crate::diag::codes::object as codes;
use crate::go;
use crate::json;
use crate::value::{Value, yaml_bool};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The enums that were checked more than a few times, so that a long list of values takes no longer for a long enum.
#[derive(Debug, Default)]
pub(super) struct Enums<'s>(RefCell<HashMap<*const Value, Known<'s>>>);

#[derive(Debug, Default)]
struct Known<'s> {
    /// How often the enum was checked.
    times: usize,
    /// How many values were not in the enum.
    reported: usize,
    /// The strings of the enum.
    strings: Option<HashSet<&'s str>>,
}

/// Shorter enums are compared value by value.
const LONG: usize = 64;

/// How often an enum is compared value by value before its strings are collected.
const TIMES: usize = 8;

impl<'s> Enums<'s> {
    fn contains(&self, enumeration: &'s [Value], value: &Value) -> bool {
        let text = match value {
            Value::Str(text) if enumeration.len() >= LONG => text,
            _ => return enumeration.iter().any(|allowed| matches(value, allowed)),
        };
        let mut all = self.0.borrow_mut();
        let known = all.entry(enumeration.as_ptr()).or_default();
        known.times += 1;
        if known.times <= TIMES {
            return enumeration.iter().any(|allowed| matches(value, allowed));
        }
        let strings =
            known.strings.get_or_insert_with(|| enumeration.iter().filter_map(Value::as_str).collect());
        strings.contains(text.as_str())
    }

    /// How long the list of values may be in the next message.
    fn room(&self, enumeration: &'s [Value]) -> usize {
        let mut all = self.0.borrow_mut();
        let known = all.entry(enumeration.as_ptr()).or_default();
        known.reported += 1;
        if known.reported <= IN_FULL { LONGEST } else { SHORT }
    }
}

pub(super) fn check<'s>(
    enumeration: &'s [Value],
    enums: &Enums<'s>,
    value: &Value,
    at: &At<'_>,
    out: &mut Findings,
) {
    if enumeration.is_empty() || enums.contains(enumeration, value) || out.count_instead(at) {
        return;
    }
    let detail = supported(enumeration, enums.room(enumeration));
    let mut names = enumeration.iter().filter_map(Value::as_str);
    let help = match value.as_bool().and_then(|found| names.find(|word| yaml_bool(word) == Some(found))) {
        Some(word) => quote(word),
        None => "use one of the supported values".to_owned(),
    };
    out.add(
        at,
        Finding { code: &codes::ENUM, kind: Kind::NotSupported, bad: value.clone().into(), detail, help },
    );
}

/// The help for a string that YAML reads as a boolean.
pub(super) fn quote(word: &str) -> String {
    format!(
        "put the value in quotes, \"{word}\": YAML 1.1 reads y, n, yes, no, on and off as booleans, like true and false"
    )
}

/// How many messages list all values of an enum. The server lists all in every message, but many errors that each
/// repeat a long enum would need gigabytes.
const IN_FULL: usize = 10;

/// The length of a message after which it lists no more values.
const LONGEST: usize = 32 << 10;

/// The same for the messages after the first ones.
const SHORT: usize = 1 << 10;

fn supported(enumeration: &[Value], room: usize) -> String {
    let mut out = "supported values: ".to_owned();
    for (i, allowed) in enumeration.iter().enumerate() {
        if out.len() > room {
            let _ = write!(out, " and {} more", enumeration.len() - i);
            break;
        }
        out.push_str(if i > 0 { ", " } else { "" });
        out.push_str(&go::quote(&as_text(allowed)));
    }
    out
}

/// Whether the value is equal after Go has converted it to the type of the allowed one. Floats lose their fraction, and
/// integers become characters. Null is never equal.
fn matches(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Float(f), Value::Int(i)) => go_int(*f) == *i,
        (Value::Int(i), Value::Float(f)) => *i as f64 == *f,
        (Value::Int(i), Value::Str(s)) => {
            let c = u32::try_from(*i).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            s.chars().eq([c])
        }
        _ => value == allowed,
    }
}

/// Go's conversion of a float to an integer: the fraction is cut off, and a number that is too large becomes the
/// smallest integer.
pub(in crate::object) fn go_int(f: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&f) { f as i64 } else { i64::MIN }
}

/// A value in a message: strings as they are, everything else as JSON that is safe in HTML.
fn as_text(value: &Value) -> String {
    match value {
        Value::Str(s) => s.clone(),
        other => json::to_html_safe(other),
    }
}
