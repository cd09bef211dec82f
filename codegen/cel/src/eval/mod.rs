//! Evaluation. A checked expression becomes a [`Program`] once, which runs on any number of objects. The cost of a run
//! is counted exactly as in the API server, because users see when its budget is exceeded.

mod calls;
mod cause;
mod cost;
mod explain;
mod explanation;
mod fold;
mod literals;
mod plan;
mod run;
mod search;
mod select;
mod set;

use std::sync::atomic::AtomicU32;

use crdgen_text::go::regexp::Regexp;

use super::ast::Checked;
use super::escape;
use super::funcs::{Operator, RegexKind};
use super::library::{Cost, Libraries, Overload};
use super::value::{Behavior, Error, Outcome, Val};
use set::Set;

pub use crate::value::STEPS;
pub use cause::cause;
pub use explain::explain;
pub use explanation::{Explanation, Failure, Item, Part};

/// The cost that one evaluation of a rule may have at most.
pub const CALL_LIMIT: u64 = 1_000_000;

/// What one evaluation may take. If it takes more, it fails.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The cost, as the server counts it.
    pub cost: u64,
    /// The steps, which the server does not count. See [`STEPS`].
    pub steps: u64,
}

impl Limits {
    /// The limits of one evaluation of a rule.
    pub const CALL: Limits = Limits { cost: CALL_LIMIT, steps: STEPS };
}

/// An expression that can be run.
#[derive(Debug)]
pub struct Program {
    root: ProgramNode,
    /// The maximum number of variables at the same time, including global ones.
    slots: usize,
    globals: Box<[Global]>,
    behavior: Behavior,
}

/// A global variable, such as `self`.
#[derive(Debug)]
struct Global {
    name: Box<str>,
    /// Whether the program uses it.
    used: bool,
}

/// The result of a run.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The value or the error.
    pub value: Outcome<'a>,
    /// The cost of the run.
    pub cost: u64,
    /// The steps of the run.
    pub steps: u64,
}

impl Program {
    /// Compiles a checked expression to a program. `globals` are its variables, in the order in which [`Program::eval`]
    /// gets their values. Constants are computed here, so a conversion of a constant that cannot succeed is an error
    /// here.
    pub fn new<'f>(
        checked: &Checked,
        globals: &[&str],
        libraries: impl Into<Libraries<'f>>,
    ) -> Result<Program, Error> {
        plan::plan_inside(checked, checked.ast.root(), globals, globals.len(), libraries.into())
    }

    /// Whether the program uses the variable with this index.
    pub fn uses(&self, global: usize) -> bool {
        self.globals.get(global).is_some_and(|global| global.used)
    }

    /// Runs the program. Variables without a value are unknown.
    pub fn eval<'a>(&'a self, globals: &[Option<Outcome<'a>>], limits: Limits) -> Evaluation<'a> {
        run::run(self, globals, limits)
    }
}

/// A step of a program.
#[derive(Debug)]
enum ProgramNode {
    Const(Val<'static>),
    /// A variable or a value with selections. With `test`, whether the last selection exists.
    Attr {
        attr: Attr,
        test: bool,
    },
    And(Box<[ProgramNode]>),
    Or(Box<[ProgramNode]>),
    Equal {
        sides: Box<[ProgramNode; 2]>,
        negated: bool,
    },
    Operator {
        operator: Operator,
        args: Box<[ProgramNode]>,
        cost: Cost,
    },
    /// `x in [1, 2]` with a constant list, which costs nothing.
    InSet {
        value: Box<ProgramNode>,
        set: Set,
    },
    Call(Box<Call>),
    Regex(Box<Regex>),
    /// `a.or(b)`, or with `value`, `a.orValue(b)`.
    OrElse {
        sides: Box<[ProgramNode; 2]>,
        value: bool,
    },
    List(Box<[(ProgramNode, bool)]>),
    Map(Box<[(ProgramNode, ProgramNode, bool)]>),
    Message {
        name: Box<str>,
        fields: Box<[(Box<str>, ProgramNode, bool)]>,
    },
    Fold(Box<Fold>),
    /// `accumulator + [elements]`, in place. `constant` means that all elements are constants.
    Append {
        slot: usize,
        elements: Box<[ProgramNode]>,
        constant: bool,
    },
    /// `cel.@mapInsert(accumulator, key, value)`, in place.
    Insert {
        slot: usize,
        entry: Box<[ProgramNode; 2]>,
    },
    /// An expression that the type checker should have rejected.
    Invalid(Error),
}

/// A value with selections.
#[derive(Debug)]
enum Attr {
    Variable {
        slot: usize,
        path: Vec<Qualifier>,
    },
    Value {
        node: Box<ProgramNode>,
        path: Vec<Qualifier>,
    },
    /// `has(a.b)` as a side of a choice or as a key. If `a` is an optional, the result is not whether `b` exists, but
    /// the optional `b` itself.
    Has(Box<Attr>),
    /// `c ? a : b`. Selections are applied to both sides.
    Choice {
        condition: Box<ProgramNode>,
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
    /// A field or a constant key, with the property that it names in objects.
    Field {
        name: Box<str>,
        property: Option<Box<str>>,
        hints: Hints,
    },
    Const(Val<'static>),
    /// An attribute. Its last selection costs nothing.
    Attr(Attr),
    Node(ProgramNode),
}

/// The index that a property had in the last object, and in its shape. Objects of one kind usually have a property at
/// the same index.
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

/// A call of a library function.
#[derive(Debug)]
struct Call {
    /// The possible overloads. If there are several, the arguments decide.
    overloads: Box<[Overload]>,
    args: Box<[ProgramNode]>,
    cost: Cost,
    /// Whether the second argument is evaluated even if the first is an error.
    both: bool,
    /// Whether the types of the arguments are checked before the call.
    guarded: bool,
}

/// A call with a regular expression.
#[derive(Debug)]
struct Regex {
    kind: RegexKind,
    /// None if the pattern is only known at run time. Then it is the second argument.
    pattern: Option<Regexp>,
    args: Box<[ProgramNode]>,
    cost: Cost,
}

/// A comprehension.
#[derive(Debug)]
struct Fold {
    range: ProgramNode,
    /// The first slot: that of the accumulator. One or two slots for the element follow.
    accu: usize,
    two: bool,
    init: ProgramNode,
    condition: ProgramNode,
    step: ProgramNode,
    result: ProgramNode,
    quantifier: Option<Quantifier>,
}

/// The comprehensions that stop early, as most do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantifier {
    All,
    Exists,
}
