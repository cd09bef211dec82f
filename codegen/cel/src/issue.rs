//! The errors in expressions, as data. The message is what the server prints. Code decides by the kind of the error and
//! never by its message.

use super::ast::NOWHERE;
use super::types;

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The place, in code points from the start, or [`BEFORE`](super::ast::BEFORE) it. None if it is unknown.
    pub at: Option<u32>,
    /// What kind of mistake it is.
    pub kind: IssueKind,
    /// The server's words.
    pub message: String,
}

/// What kind of mistake an [`Issue`] is, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IssueKind {
    /// The text is too long, too deep or has too many mistakes.
    Limit,
    /// Characters that are not a token.
    Characters(String),
    /// A token that cannot be where it is.
    Token,
    /// Syntax that this version of the language does not have, or a broken part of what could not be read.
    Unsupported,
    /// A word that CEL reserves, used as a name.
    Reserved(String),
    /// A literal that has no value, such as a number that is too large.
    Literal,
    /// Wrong arguments of the macro of this name.
    Macro(String),
    /// A name that nothing has.
    Undeclared {
        /// The name.
        name: String,
        /// How it is used.
        role: Role,
        /// The names that could be meant.
        known: Vec<String>,
        /// Whether `self` has a field of that name.
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
    /// A field of what has no fields.
    NoFields {
        /// The field.
        field: String,
        /// What it is asked of.
        of: Operand,
    },
    /// A function that takes no such arguments.
    NoOverload {
        /// The function; operators have the names in [`super::ast::ops`].
        function: &'static str,
        /// Whether it is called on the first operand.
        is_member: bool,
        /// What it is called on, if it is a member, and its arguments.
        operands: Vec<Operand>,
        /// Whether the type of one of them is not known in full.
        is_dynamic: bool,
    },
    /// A value of another type than is wanted.
    WrongType {
        /// The type that is wanted.
        expected: types::Kind,
        /// What there is.
        found: Operand,
        /// Whether one of the types is not known in full.
        is_dynamic: bool,
    },
    /// A loop over what is neither a list nor a map.
    Range(Operand),
    /// A message or a type that is used as none.
    Message,
    /// A literal argument, such as a pattern or a duration, that this function cannot read.
    Argument(String),
    /// A format text that does not go with its arguments.
    Format,
    /// The whole has another type than is wanted.
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
    /// Its type, without type arguments.
    pub kind: types::Kind,
    /// Its text, if it is a name with fields or keys.
    pub text: Option<String>,
    /// How to check that it is set.
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
    /// The check that it is not set.
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
    /// An issue at a place, or at [`NOWHERE`].
    pub fn new(at: u32, kind: IssueKind, message: impl Into<String>) -> Issue {
        Issue { at: (at != NOWHERE).then_some(at), kind, message: message.into() }
    }

    /// An issue of the whole.
    pub fn nowhere(kind: IssueKind, message: impl Into<String>) -> Issue {
        Issue { at: None, kind, message: message.into() }
    }

    /// Whether the mistake may vanish when a type that is `dyn` here becomes known.
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
