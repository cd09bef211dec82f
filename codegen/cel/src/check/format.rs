//! Checks the text and the arguments of `format`, if both are literals.

use crate::ast::{Checked, Expr, ExprId};
use crate::types::{Kind, Ty, Types};
use std::fmt;

/// The argument that does not match its clause, if it is known, and the server's message.
type Mismatch = (Option<ExprId>, String);

/// Checks the arguments of a format text. Returns the error, and the argument that causes it if it is known.
pub(super) fn check(text: &str, args: &[ExprId], checked: &Checked, types: &Types) -> Result<(), Mismatch> {
    let mut used = 0;
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix('%') {
            rest = behind;
            continue;
        }
        if rest.is_empty() {
            return Err((None, "unexpected end of string".to_owned()));
        }
        let Some(arg) = args.get(used) else {
            return Err((None, format!("index {used} out of range")));
        };
        used += 1;
        let (clause, behind) =
            clause(rest).map_err(|m| (None, format!("could not parse formatting clause: {m}")))?;
        rest = behind;
        verify(clause, *arg, checked, types)
            .map_err(|(id, m)| (Some(id), format!("error during formatting: {m}")))?;
    }
    if args.len() > used {
        let given = args.len();
        let message = format!("too many arguments supplied to string.format (expected {used}, got {given})");
        return Err((None, message));
    }
    Ok(())
}

/// The error in a clause.
enum BadClause {
    /// The precision has no end.
    NoEnd,
    /// The precision is not a number, or it is too large.
    Precision(String),
    /// The letter is unknown or missing. Go reads a byte, and prints it as a character.
    Letter(Option<u8>),
}

impl fmt::Display for BadClause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadClause::NoEnd => {
                f.write_str("error while parsing precision: could not find end of precision specifier")
            }
            BadClause::Precision(number) => {
                let why = if number.is_empty() { "invalid syntax" } else { "value out of range" };
                write!(
                    f,
                    "error while parsing precision: error while converting precision to integer: \
                     strconv.Atoi: parsing \"{number}\": {why}"
                )
            }
            BadClause::Letter(Some(byte)) => {
                write!(f, "unrecognized formatting clause \"{}\"", char::from(*byte))
            }
            BadClause::Letter(None) => f.write_str("unrecognized formatting clause \"\""),
        }
    }
}

/// Parses a clause. Returns its letter and the text after it.
fn clause(text: &str) -> Result<(u8, &str), BadClause> {
    let mut rest = text;
    if let Some(digits) = text.strip_prefix('.') {
        let end = digits.bytes().position(|b| !b.is_ascii_digit());
        let Some(end) = end else {
            return Err(BadClause::NoEnd);
        };
        let (number, behind) = digits.split_at(end);
        rest = behind;
        if number.parse::<i64>().is_err() {
            return Err(BadClause::Precision(number.to_owned()));
        }
    }
    match rest.as_bytes().first() {
        Some(letter @ (b's' | b'd' | b'f' | b'e' | b'b' | b'x' | b'X' | b'o')) => Ok((*letter, &rest[1..])),
        other => Err(BadClause::Letter(other.copied())),
    }
}

fn verify(clause: u8, arg: ExprId, checked: &Checked, types: &Types) -> Result<(), (ExprId, String)> {
    let ty = checked.ty(arg);
    let among = |allowed: &[Ty]| {
        let bare = if let Kind::Wrapper(of) = types.kind(ty) { *of } else { ty };
        ty == Ty::DYN || allowed.contains(&bare)
    };
    let (is_allowed, wants) = match clause {
        b's' => {
            return text(arg, checked, types).map_err(|bad| {
                let given = types.runtime_name(checked.ty(bad));
                let message = format!(
                    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, \
                     types, durations, and timestamps, was given {given}"
                );
                (bad, message)
            });
        }
        b'd' => (among(&[Ty::INT, Ty::UINT]), "decimal clause can only be used on integers"),
        b'f' => (among(&[Ty::DOUBLE, Ty::STRING]), "fixed-point clause can only be used on doubles"),
        b'e' => (among(&[Ty::DOUBLE, Ty::STRING]), "scientific clause can only be used on doubles"),
        b'b' => {
            let is_allowed = among(&[Ty::INT, Ty::UINT, Ty::BOOL]);
            (is_allowed, "only integers and bools can be formatted as binary")
        }
        b'o' => (among(&[Ty::INT, Ty::UINT]), "octal clause can only be used on integers"),
        _ => {
            let is_allowed = among(&[Ty::INT, Ty::UINT, Ty::STRING, Ty::BYTES]);
            (is_allowed, "only integers, byte buffers, and strings can be formatted as hex")
        }
    };
    if is_allowed { Ok(()) } else { Err((arg, format!("{wants}, was given {}", types.runtime_name(ty)))) }
}

/// Whether a value can be formatted as text, including the elements of literals. If not, returns the part that cannot.
fn text(id: ExprId, checked: &Checked, types: &Types) -> Result<(), ExprId> {
    match types.kind(checked.ty(id)) {
        Kind::Dyn
        | Kind::List(_)
        | Kind::Map(..)
        | Kind::Int
        | Kind::Uint
        | Kind::Double
        | Kind::Bool
        | Kind::String
        | Kind::Timestamp
        | Kind::Bytes
        | Kind::Duration
        | Kind::Type(_)
        | Kind::Null
        | Kind::Wrapper(_) => {}
        Kind::Any
        | Kind::Error
        | Kind::Optional(_)
        | Kind::Opaque(_)
        | Kind::Struct(_)
        | Kind::Object { .. }
        | Kind::Param(_)
        | Kind::Var(_) => return Err(id),
    }
    match checked.ast.expr(id) {
        Expr::List { elements, optional: _ } => elements.iter().try_for_each(|e| text(*e, checked, types)),
        Expr::Map(entries) => entries.iter().try_for_each(|e| {
            text(e.key, checked, types)?;
            text(e.value, checked, types)
        }),
        Expr::Unspecified
        | Expr::Literal(_)
        | Expr::Ident(_)
        | Expr::Select { .. }
        | Expr::Call { .. }
        | Expr::Struct { .. }
        | Expr::Comprehension(_) => Ok(()),
    }
}
