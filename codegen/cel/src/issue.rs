//! The errors in expressions, as data. The message is what the server prints. Code decides by the kind of the error and
//! never by its message.

use super::ast::NOWHERE;
use super::types;

/// An error in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The place, in code points from the start, or [`BEFORE`](super::ast::BEFORE) it. None if it is unknown.
    pub at: Option<u32>,
    /// The kind of the error.
    pub kind: IssueKind,
    /// The server's message.
    pub message: String,
}

/// The kind of an [`Issue`], with the known details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueKind {
    /// The text is too long, is nested too deeply, or has too many errors.
    Limit,
    /// Characters that are not a token.
    Characters(String),
    /// A token that is not allowed at its place.
    Token,
    /// Syntax that this version of the language does not have, or the remains of a part that could not be parsed.
    Unsupported,
    /// A word that CEL reserves, used as a name.
    Reserved(String),
    /// A literal that has no value, such as a number that is too large.
    Literal,
    /// Wrong arguments of the macro of this name.
    Macro(String),
    /// A name that is not declared.
    Undeclared {
        /// The name.
        name: String,
        /// The role of the name.
        role: Role,
        /// The names that may have been meant.
        known: Vec<String>,
        /// Whether `self` has a field with this name.
        is_field_of_self: bool,
    },
    /// A field that its object does not have.
    UndefinedField {
        /// The field.
        name: String,
        /// The fields that the object has.
        known: Vec<String>,
        /// Whether the schema has the field, but without a type, so that rules cannot see it.
        is_untyped: bool,
    },
    /// A field of a value that has no fields.
    NoFields {
        /// The field.
        field: String,
        /// The value.
        of: Operand,
    },
    /// A call of a function that does not accept these arguments.
    NoOverload {
        /// The function. Operators have the names in [`super::ast::ops`].
        function: String,
        /// Whether it is called on the first operand.
        is_member: bool,
        /// The value on which the function is called, if it is a member, and the arguments.
        operands: Vec<Operand>,
        /// Whether the type of an operand is not fully known.
        is_dynamic: bool,
    },
    /// A value with the wrong type.
    WrongType {
        /// The expected type.
        expected: types::Kind,
        /// The value.
        found: Operand,
        /// Whether one of the types is not fully known.
        is_dynamic: bool,
    },
    /// A loop over a value that is neither a list nor a map.
    Range(Operand),
    /// A message that is used wrongly, or a name that is used as a message but is not one.
    Message,
    /// A literal argument, such as a pattern or a duration, that this function cannot read.
    Argument(String),
    /// A format text that does not match its arguments.
    Format,
    /// The whole expression does not have the expected type.
    Output,
}

/// The role of a name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `name`
    Variable,
    /// `name(…)`
    Function,
    /// `a.name(…)`
    Member,
    /// `Name{…}`
    Message,
}

/// The part of an expression that causes an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The type, without type arguments.
    pub kind: types::Kind,
    /// The text, if it is a name with fields or keys.
    pub text: Option<String>,
    /// How to check that the value is set.
    pub presence: Option<Presence>,
}

/// A check that something is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// `has(self.a)`
    Field(String),
    /// `'key' in self.a`
    Key(String),
}

impl Presence {
    /// Returns the check that the value is not set.
    pub fn negated(&self) -> String {
        match self {
            Presence::Field(test) => format!("!{test}"),
            Presence::Key(test) => format!("!({test})"),
        }
    }
}

impl std::fmt::Display for Presence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Presence::Field(test) | Presence::Key(test) => f.write_str(test),
        }
    }
}

impl Issue {
    /// Creates an issue at a place. With [`NOWHERE`], the place is unknown.
    pub fn new(at: u32, kind: IssueKind, message: impl Into<String>) -> Issue {
        Issue { at: (at != NOWHERE).then_some(at), kind, message: message.into() }
    }

    /// Creates an issue about the whole expression.
    pub fn nowhere(kind: IssueKind, message: impl Into<String>) -> Issue {
        Issue { at: None, kind, message: message.into() }
    }

    /// Whether the error may disappear when a type that is `dyn` here becomes known.
    pub fn is_dynamic(&self) -> bool {
        match self.kind {
            IssueKind::NoOverload { is_dynamic, .. } | IssueKind::WrongType { is_dynamic, .. } => is_dynamic,
            IssueKind::Limit
            | IssueKind::Characters(_)
            | IssueKind::Token
            | IssueKind::Unsupported
            | IssueKind::Reserved(_)
            | IssueKind::Literal
            | IssueKind::Macro(_)
            | IssueKind::Undeclared { .. }
            | IssueKind::UndefinedField { .. }
            | IssueKind::NoFields { .. }
            | IssueKind::Range(_)
            | IssueKind::Message
            | IssueKind::Argument(_)
            | IssueKind::Format
            | IssueKind::Output => false,
        }
    }
}
