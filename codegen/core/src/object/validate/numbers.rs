//! Numbers: ranges, factors, and the sizes of number formats.

use super::at::At;
use super::enums::go_int;
use super::findings::{Finding, Findings};
use super::types::Types;
use super::{is_whole, number};
use crate::diag::Kind;
use crate::diag::codes::object as codes;
use crate::ir::{Limits, NumberSize, Type};
use crate::server::Server;
use crate::value::Value;

pub(super) fn check(limits: &Limits, size: NumberSize<'_>, value: &Value, at: &At<'_>, out: &mut Findings) {
    if !represents(size, value) {
        report(size, "Checked", at, out);
    }
    if let Some(factor) = limits.multiple_of {
        let in_range = size.has_float(factor);
        if !in_range {
            report(size, "MultipleOf", at, out);
        }
        multiple_of(value, factor, in_range, at, out);
    }
    let bounds = [
        (limits.maximum, limits.exclusive_maximum, Bound::Maximum),
        (limits.minimum, limits.exclusive_minimum, Bound::Minimum),
    ];
    for (limit, exclusive, bound) in bounds {
        let Some(limit) = limit else { continue };
        let in_range = size.has_float(limit);
        if !in_range {
            report(size, bound.name(), at, out);
        }
        Limit { bound, limit, exclusive, in_range }.check(value, at, out);
    }
}

/// The size of the numbers of a type and format.
pub(super) fn size_of<'f>(types: &Types<'_>, format: &'f str, server: Server) -> NumberSize<'f> {
    match types {
        Types::One(ty) => number_size(Some(ty), format, server),
        Types::Any | Types::IntOrString => NumberSize::ANY,
    }
}

/// The size of the numbers of a type and format, as a server checks it.
pub(crate) fn number_size<'f>(ty: Option<&Type>, format: &'f str, server: Server) -> NumberSize<'f> {
    // Older servers do not check sizes.
    if server.is_before(36) { NumberSize::ANY } else { NumberSize::of(ty, format) }
}

fn represents(size: NumberSize<'_>, value: &Value) -> bool {
    match value {
        Value::Int(i) => size.has_integer(*i),
        Value::Float(f) => size.has_float(*f),
        Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => true,
    }
}

fn report(size: NumberSize<'_>, what: &str, at: &At<'_>, out: &mut Findings) {
    if out.count_instead(at) {
        return;
    }
    let detail = format!("{what} value must be of type {size} in {}", at.name());
    out.add_plain(&codes::RANGE, at, detail, "use a number that the type and format can represent");
}

fn multiple_of(value: &Value, factor: f64, in_range: bool, at: &At<'_>, out: &mut Findings) {
    let mut report = |before: &str, after: &str, shown: String, bad: Value| {
        if out.count_instead(at) {
            return;
        }
        let detail = format!("{before}{}{after}{shown}", at.name());
        let (bad, help) = (bad.into(), "change the value, or the factor in the schema".to_owned());
        out.add(at, Finding { code: &codes::MULTIPLE, kind: Kind::Invalid, bad, detail, help });
    };
    let not_positive = ("factor MultipleOf declared for ", " must be positive: ");
    let not_multiple = " in body should be a multiple of ";
    let data = match value {
        // Integers are compared as integers, with the integer part of the factor.
        Value::Int(data) if in_range => {
            let factor = go_int(factor);
            if factor <= 0 {
                report(not_positive.0, not_positive.1, factor.to_string(), Value::Int(factor));
            } else if data % factor != 0 {
                report("", not_multiple, factor.to_string(), Value::Int(*data));
            }
            return;
        }
        Value::Int(data) => *data as f64,
        Value::Float(data) => *data,
        Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => return,
    };
    if factor <= 0.0 {
        report(not_positive.0, not_positive.1, number(factor), Value::Float(factor));
        return;
    }
    let quotient = if factor < 1.0 { 1.0 / factor * data } else { data / factor };
    if !is_whole(quotient) {
        report("", not_multiple, number(factor), Value::Float(data));
    }
}

#[derive(Clone, Copy)]
enum Bound {
    Maximum,
    Minimum,
}

impl Bound {
    fn name(self) -> &'static str {
        match self {
            Bound::Maximum => "Maximum boundary",
            Bound::Minimum => "Minimum boundary",
        }
    }

    fn breaks<T: PartialOrd>(self, data: T, limit: T, exclusive: bool) -> bool {
        match self {
            Bound::Maximum => data > limit || exclusive && data == limit,
            Bound::Minimum => data < limit || exclusive && data == limit,
        }
    }
}

/// A bound of a schema.
struct Limit {
    bound: Bound,
    limit: f64,
    exclusive: bool,
    /// Whether the type of the value represents the limit.
    in_range: bool,
}

impl Limit {
    fn check(&self, value: &Value, at: &At<'_>, out: &mut Findings) {
        let Limit { bound, limit, exclusive, in_range } = *self;
        let (broken, shown, bad) = match value {
            // Integers are compared as integers, with the integer part of the limit.
            Value::Int(data) if in_range => {
                let limit = go_int(limit);
                (bound.breaks(*data, limit, exclusive), limit.to_string(), Value::Int(*data))
            }
            Value::Int(data) => {
                let data = *data as f64;
                (bound.breaks(data, limit, exclusive), number(limit), Value::Float(data))
            }
            Value::Float(data) => (bound.breaks(*data, limit, exclusive), number(limit), Value::Float(*data)),
            Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => return,
        };
        if !broken || out.count_instead(at) {
            return;
        }
        let words = match (bound, exclusive) {
            (Bound::Maximum, false) => "less than or equal to",
            (Bound::Maximum, true) => "less than",
            (Bound::Minimum, false) => "greater than or equal to",
            (Bound::Minimum, true) => "greater than",
        };
        let detail = format!("{} in body should be {words} {shown}", at.name());
        let help = format!("use a number {words} {shown}");
        out.add(at, Finding { code: &codes::RANGE, kind: Kind::Invalid, bad: bad.into(), detail, help });
    }
}
