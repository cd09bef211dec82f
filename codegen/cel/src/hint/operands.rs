//! Hints for operands with the wrong types.

use crate::ast::ops;
use crate::issue::{Operand, Presence};
use crate::library::{Kube, Style};
use crate::types::Kind;

/// The hint for a value that must be a boolean.
pub(super) fn no_bool(found: &Operand) -> Option<String> {
    match found.kind {
        Kind::Optional(_) => Some("unwrap the value with `.orValue(…)`, or check `.hasValue()`".to_owned()),
        Kind::Error => None,
        _ => Some(match &found.presence {
            Some(test) => {
                format!("this must be a bool: compare the value, or test for presence with `{test}`")
            }
            None => "this must be a bool: compare the value".to_owned(),
        }),
    }
}

pub(super) fn no_overload(function: &str, is_member: bool, operands: &[Operand]) -> Option<String> {
    let (first, second) = (operands.first(), operands.get(1));
    if let (ops::NOT, Some(of)) = (function, first) {
        return match &of.presence {
            Some(test) if !matches!(of.kind, Kind::Optional(_)) => {
                let test = test.negated();
                Some(format!("`!` needs a bool: compare the value, or test for absence with `{test}`"))
            }
            Some(_) | None => no_bool(of),
        };
    }
    if let (Some(a), Some(b)) = (first, second) {
        let hint = match function {
            ops::EQUALS | ops::NOT_EQUALS if a.kind == Kind::Null || b.kind == Kind::Null => {
                Some(null(function, if a.kind == Kind::Null { b } else { a }))
            }
            ops::EQUALS
            | ops::NOT_EQUALS
            | ops::LESS
            | ops::LESS_EQUALS
            | ops::GREATER
            | ops::GREATER_EQUALS
            | ops::ADD
            | ops::SUBTRACT
            | ops::MULTIPLY
            | ops::DIVIDE
            | ops::MODULO => two(function, &a.kind, &b.kind),
            ops::IN => within(&b.kind),
            ops::INDEX => index(a, &b.kind),
            _ => None,
        };
        if hint.is_some() {
            return hint;
        }
    }
    call(function, is_member, first?)
}

/// The hint for a comparison with null.
fn null(function: &str, of: &Operand) -> String {
    let test = match &of.presence {
        Some(test) => test.clone(),
        None => Presence::Field("has(self.a)".to_owned()),
    };
    match function {
        ops::EQUALS => format!("test for absence with `{}`", test.negated()),
        _ => format!("test for presence with `{test}`"),
    }
}

fn is_quantity(kind: &Kind) -> bool {
    matches!(kind, Kind::Struct("kubernetes.Quantity"))
}

/// The hint for an operator between values of different types.
fn two(function: &str, a: &Kind, b: &Kind) -> Option<String> {
    let is = |one: &Kind, other: &Kind| (a == one && b == other) || (a == other && b == one);
    let some = |hint: &str| Some(hint.to_owned());
    let either = |kind: &Kind| a == kind || b == kind;
    if matches!(a, Kind::Optional(_)) != matches!(b, Kind::Optional(_)) {
        return some("one side is an optional value: unwrap it with `.orValue(…)`");
    }
    if either(&Kind::Timestamp) && either(&Kind::String) {
        return some("write the time as `timestamp('2006-01-02T15:04:05Z')`");
    }
    if either(&Kind::Duration) && (either(&Kind::String) || either(&Kind::Int)) {
        return some("write the duration as `duration('1h30m')`");
    }
    if function == ops::ADD && either(&Kind::String) {
        return some("`+` joins two strings: convert the other side with `string(…)`");
    }
    let number = |kind: &Kind| matches!(kind, Kind::Int | Kind::Uint | Kind::Double);
    if number(a) && number(b) {
        return some(
            "both sides need the same type: convert one with `int(…)` or `double(…)`, or write `1.0` for `1`",
        );
    }
    if (number(a) || number(b)) && either(&Kind::String) {
        return some(
            "a number is not a string: convert one side with `int(…)` or `string(…)`, or change the quotes",
        );
    }
    if is(&Kind::Bool, &Kind::String) {
        return some("write `true` and `false` without quotes");
    }
    if is(&Kind::Bytes, &Kind::String) {
        return some("compare bytes with bytes: `b'…'` or `bytes(…)`");
    }
    if (is_quantity(a) || is_quantity(b)) && (either(&Kind::String) || number(a) || number(b)) {
        return some("write the quantity as `quantity('100Mi')` and compare with `.compareTo(…)`");
    }
    None
}

fn within(of: &Kind) -> Option<String> {
    Some(match of {
        Kind::String => {
            "`in` searches lists and the keys of maps. Search a string with `x.contains(y)`".to_owned()
        }
        Kind::Object { .. } => {
            "`in` searches lists and the keys of maps. Check for a field with `has(self.a)`".to_owned()
        }
        _ => return None,
    })
}

fn index(of: &Operand, index: &Kind) -> Option<String> {
    Some(match (&of.kind, index) {
        (Kind::Object { .. }, _) => {
            let text = of.text.as_deref().unwrap_or("self");
            format!("an object has fields: write `{text}.a`")
        }
        (Kind::String, Kind::Int) => "in CEL, write `x.charAt(i)`".to_owned(),
        (Kind::Optional(_), _) => "unwrap the value with `.orValue(…)`, or write `x[?i]`".to_owned(),
        _ => return None,
    })
}

/// The hint for a function that exists, but not for this value.
fn call(function: &str, is_member: bool, first: &Operand) -> Option<String> {
    match (&first.kind, function) {
        (Kind::Optional(_), _) => {
            return Some("the value is optional: unwrap it with `.orValue(…)`".to_owned());
        }
        (_, "orValue" | "or" | "value" | "hasValue") if is_member => {
            return Some(match first.text.as_deref() {
                Some("oldSelf") => {
                    "`oldSelf` is optional only in rules with `optionalOldSelf: true` (in Rust `optional_old_self`)"
                        .to_owned()
                }
                _ => format!("only optional values have `{function}`, such as `self.?a`"),
            });
        }
        (Kind::List(_), "contains") => return Some("in CEL, write `y in x` for lists".to_owned()),
        (Kind::Map(..), "contains") => return Some("in CEL, write `'key' in x` for maps".to_owned()),
        _ => {}
    }
    let known = Kube::STORED.functions().find(function)?;
    let wanted = if is_member { Style::Member } else { Style::Global };
    let spelled = function.starts_with(|c: char| c.is_ascii_alphabetic());
    if !spelled || known.overloads.iter().any(|o| o.style == wanted) {
        return None;
    }
    Some(if is_member {
        format!("`{function}` is called as `{function}(x)`")
    } else {
        format!("`{function}` is called on its first argument: `x.{function}(…)`")
    })
}
