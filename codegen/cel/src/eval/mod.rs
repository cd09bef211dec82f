//! Evaluation: a checked expression becomes a [`Program`] once, which then runs on any number of
//! objects. What a run costs is counted exactly as the API server counts it, because its budgets are
//! part of what users see.

mod calls;
mod cause;
mod cost;
mod fold;
mod literals;
mod operators;
mod plan;
mod run;
mod select;

use std::sync::atomic::AtomicU32;

use crdgen_text::go::regexp::Regexp;

use super::ast::Checked;
use super::escape;
use super::stdlib::{Kube, Overload};
use super::value::{Error, Outcome, Val};
use cost::Cost;

pub use cause::cause;

/// What one evaluation of a rule may cost.
pub const CALL_LIMIT: u64 = 1_000_000;

/// An expression that can be run.
#[derive(Debug)]
pub struct Program {
    root: Node,
    /// How many variables there are at most at a time, those from outside included.
    slots: usize,
    globals: Box<[Global]>,
}

/// A variable from outside.
#[derive(Debug)]
struct Global {
    name: Box<str>,
    /// Whether the program looks at it.
    used: bool,
}

/// The result of a run.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The value or the error.
    pub value: Outcome<'a>,
    /// What it cost.
    pub cost: u64,
}

impl Program {
    /// Makes a program of a checked expression over variables in this order. Constants are folded, so
    /// that a conversion that must fail fails here.
    pub fn new(checked: &Checked, globals: &[&str], kube: Kube) -> Result<Program, Error> {
        plan::plan(checked, checked.ast.root(), globals, kube)
    }

    /// Runs it; variables without a value are unknown. More than `limit` it may not cost.
    pub fn eval<'a>(&'a self, globals: &[Option<Outcome<'a>>], limit: u64) -> Evaluation<'a> {
        run::run(self, globals, limit)
    }
}

/// A step of a program.
#[derive(Debug)]
enum Node {
    Const(Val<'static>),
    /// A variable or a value with selections, or (`test`) whether the last of them is there.
    Attr {
        attr: Attr,
        test: bool,
    },
    And(Box<[Node]>),
    Or(Box<[Node]>),
    Equal {
        sides: Box<[Node; 2]>,
        negated: bool,
    },
    Operator {
        operator: Operator,
        args: Box<[Node]>,
        cost: Cost,
    },
    /// `x in [1, 2]`: costs nothing.
    InSet {
        value: Box<Node>,
        set: Val<'static>,
    },
    Call(Box<Call>),
    Regex(Box<Regex>),
    /// `a.or(b)` and (`value`) `a.orValue(b)`.
    OrElse {
        sides: Box<[Node; 2]>,
        value: bool,
    },
    List(Box<[(Node, bool)]>),
    Map(Box<[(Node, Node, bool)]>),
    Message {
        name: Box<str>,
        fields: Box<[(Box<str>, Node, bool)]>,
    },
    Fold(Box<Fold>),
    /// `accumulator + [elements]`, in place; the literal is a constant or not.
    Append {
        slot: usize,
        elements: Box<[Node]>,
        constant: bool,
    },
    /// `cel.@mapInsert(accumulator, key, value)`, in place.
    Insert {
        slot: usize,
        entry: Box<[Node; 2]>,
    },
    /// What the type check should have rejected.
    Invalid(Error),
}

/// A value that selections start from.
#[derive(Debug)]
enum Attr {
    Variable {
        slot: usize,
        path: Vec<Qualifier>,
    },
    Value {
        node: Box<Node>,
        path: Vec<Qualifier>,
    },
    /// `has(a.b)` where an attribute is wanted, as a side of a choice or as a key: if `a` is an optional, it is
    /// not whether `b` is there but `b` itself, as an optional.
    Has(Box<Attr>),
    /// `c ? a : b`: what is selected from it is selected from both.
    Choice {
        condition: Box<Node>,
        sides: Box<[Attr; 2]>,
    },
}

/// A selection: `.a`, `[0]`, `[?x]`.
#[derive(Debug)]
struct Qualifier {
    key: QualifierKey,
    optional: bool,
}

#[derive(Debug)]
enum QualifierKey {
    /// A field, or a key that is known: with it, the property that it names in objects.
    Field {
        name: Box<str>,
        property: Option<Box<str>>,
        hints: Hints,
    },
    Const(Val<'static>),
    /// An attribute: its own last step costs nothing.
    Attr(Attr),
    Node(Node),
}

/// The index of a property among those of the last object and of its shape: objects of one kind have theirs in the
/// same places.
#[derive(Debug, Default)]
struct Hints {
    object: AtomicU32,
    shape: AtomicU32,
}

impl QualifierKey {
    /// A constant key.
    fn constant(value: Val<'static>) -> QualifierKey {
        match value {
            Val::Str(name) => QualifierKey::Field {
                property: escape::unescape(&name).map(|p| p.into_owned().into()),
                name: Box::from(&*name),
                hints: Hints::default(),
            },
            other => QualifierKey::Const(other),
        }
    }
}

/// Operators of two values, and of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Not,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotStrictlyFalse,
    Size,
    Type,
    Dyn,
}

/// A call of a library's function.
#[derive(Debug)]
struct Call {
    function: &'static str,
    /// What it may mean. If there are several, the arguments decide.
    overloads: Box<[Overload]>,
    args: Box<[Node]>,
    cost: Cost,
    /// Whether the second argument is evaluated even if the first is an error.
    both: bool,
    /// Whether the arguments are looked at before the call.
    guarded: bool,
}

/// A call with a regular expression.
#[derive(Debug)]
struct Regex {
    kind: RegexKind,
    /// None if it is only known at run time; then it is the second argument.
    pattern: Option<Regexp>,
    args: Box<[Node]>,
    cost: Cost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegexKind {
    Matches,
    Find,
    FindAll,
}

/// A loop.
#[derive(Debug)]
struct Fold {
    range: Node,
    /// The variables' places: the accumulator's, then one or two for the element.
    accu: usize,
    two: bool,
    init: Node,
    condition: Node,
    step: Node,
    result: Node,
    quantifier: Option<Quantifier>,
}

/// The loops that stop early, which are most of all loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantifier {
    All,
    Exists,
}
