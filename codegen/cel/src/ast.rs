//! Expressions. All nodes are in one vector and refer to each other by id. So everything that is known about a node
//! (its place, type, overloads, and the macro it came from) is in a vector with the same ids.

use std::borrow::Cow;

use super::stdlib::Overload;
use super::types::Ty;

/// A name: of an operator or a macro's helper (static), or out of the text.
pub type Name = Cow<'static, str>;

/// The offset of a node that has no place in the text.
pub const NOWHERE: u32 = u32::MAX;

/// The offset of a node for text that could not be read: before the first character.
pub const BEFORE: u32 = u32::MAX - 1;

/// The variable into which macros accumulate; no source text can spell it.
pub const ACCUMULATOR: &str = "@result";

/// The variable that a comprehension has where it binds a value and loops over nothing.
pub const UNUSED: &str = "#unused";

/// A node of an [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    /// Its place in the vectors.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `1`, `0x1f`
    Int(i64),
    /// `1u`
    Uint(u64),
    /// `1.0`, `1e3`
    Double(f64),
    /// `'a'`
    String(Box<str>),
    /// `b'a'`
    Bytes(Box<[u8]>),
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Nothing: a placeholder for text that could not be read. Only together with errors.
    Unspecified,
    /// A constant.
    Literal(Literal),
    /// A variable, or after the check also a qualified one or a type. A leading dot stays.
    Ident(Name),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        /// Of what.
        operand: ExprId,
        /// Which field.
        field: Name,
        /// Whether only the presence is asked for.
        test_only: bool,
    },
    /// `f(args)`, `target.f(args)` or an operator; the names of operators are in [`ops`].
    Call {
        /// The function. After the check the full name, and without a target if that was a part of it.
        function: Name,
        /// What it is a member of.
        target: Option<ExprId>,
        /// The arguments.
        args: Box<[ExprId]>,
    },
    /// `[a, ?b]`
    List {
        /// The elements.
        elements: Box<[ExprId]>,
        /// Which of them are optional, by index, in order.
        optional: Box<[u32]>,
    },
    /// `{k: v, ?k: v}`
    Map(Box<[Entry]>),
    /// `Type{field: v}`
    Struct {
        /// The type.
        name: Name,
        /// The fields.
        fields: Box<[Field]>,
    },
    /// What macros expand to.
    Comprehension(Box<Comprehension>),
}

/// An entry of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its key.
    pub key: ExprId,
    /// Its value.
    pub value: ExprId,
    /// Whether it is only there if the value, an optional, has one.
    pub optional: bool,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: ExprId,
    /// Whether it is only there if the value, an optional, has one.
    pub optional: bool,
    /// The place of its colon.
    pub at: u32,
}

/// A loop over a list or a map: `accu` starts as `init`; while `condition` is true, each element sets it to `step`;
/// the value is `result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What is looped over.
    pub range: ExprId,
    /// The element, or with a second variable the index or key.
    pub var: Name,
    /// With two variables: the element or value.
    pub var2: Option<Name>,
    /// The accumulator's name.
    pub accu: Name,
    /// Its first value.
    pub init: ExprId,
    /// Whether to go on.
    pub condition: ExprId,
    /// Its next value.
    pub step: ExprId,
    /// The value of the whole.
    pub result: ExprId,
}

/// A macro's call as it was in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroCall {
    /// The macro's name.
    pub function: Name,
    /// What it was called on.
    pub target: Option<ExprId>,
    /// Its arguments.
    pub args: Box<[ExprId]>,
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    nodes: Vec<Expr>,
    offsets: Vec<u32>,
    macros: Vec<(ExprId, MacroCall)>,
    root: ExprId,
}

impl Default for Ast {
    fn default() -> Self {
        Ast { nodes: vec![Expr::Unspecified], offsets: vec![0], macros: Vec::new(), root: ExprId(0) }
    }
}

impl Ast {
    /// The whole.
    pub fn root(&self) -> ExprId {
        self.root
    }

    /// Says which node is the whole.
    pub fn set_root(&mut self, root: ExprId) {
        self.root = root;
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.nodes[id.index()]
    }

    /// A node, to change it.
    pub fn expr_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.nodes[id.index()]
    }

    /// Adds a node at an offset, counted in code points.
    pub fn add(&mut self, at: u32, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(expr);
        self.offsets.push(at);
        id
    }

    /// The place of a node, in code points from the start: operators and calls are at their sign.
    pub fn offset(&self, id: ExprId) -> u32 {
        self.offsets[id.index()]
    }

    /// Remembers what a macro's expansion was in the text.
    pub fn set_macro(&mut self, id: ExprId, call: MacroCall) {
        self.macros.push((id, call));
    }

    /// What the text had where a node is a macro's expansion.
    pub fn macro_call(&self, id: ExprId) -> Option<&MacroCall> {
        self.macros.iter().rev().find(|(of, _)| *of == id).map(|(_, call)| call)
    }

    /// The nodes directly below, in the order of evaluation.
    pub fn children(&self, id: ExprId, visit: &mut dyn FnMut(ExprId)) {
        match self.expr(id) {
            Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_) => {}
            Expr::Select { operand, field: _, test_only: _ } => visit(*operand),
            Expr::Call { function: _, target, args } => {
                target.iter().chain(args.iter()).for_each(|c| visit(*c));
            }
            Expr::List { elements, optional: _ } => elements.iter().for_each(|c| visit(*c)),
            Expr::Map(entries) => entries.iter().for_each(|e| {
                visit(e.key);
                visit(e.value);
            }),
            Expr::Struct { name: _, fields } => fields.iter().for_each(|f| visit(f.value)),
            Expr::Comprehension(c) => {
                [c.range, c.init, c.condition, c.step, c.result].into_iter().for_each(visit);
            }
        }
    }
}

/// What the check found out about a name or a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Reference {
    /// Nothing: not a name, not a call.
    #[default]
    None,
    /// A variable.
    Variable,
    /// A type's name, used as a value.
    Type,
    /// An enumeration's constant.
    Constant(i64),
    /// The overloads that the types leave.
    Overloads(Box<[Overload]>),
}

/// A parsed expression with types, which live in the environment's [`super::types::Types`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The nodes, names resolved.
    pub ast: Ast,
    /// A type per node; `error` for nodes that are not values.
    pub node_types: Vec<Ty>,
    /// A reference per node.
    pub references: Vec<Reference>,
}

impl Checked {
    /// The type of a node.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.node_types[id.index()]
    }

    /// The type of the whole.
    pub fn output(&self) -> Ty {
        self.ty(self.ast.root())
    }

    /// The overloads that a call may mean at run time.
    pub fn overloads(&self, id: ExprId) -> &[Overload] {
        match &self.references[id.index()] {
            Reference::Overloads(o) => o,
            Reference::None | Reference::Variable | Reference::Type | Reference::Constant(_) => &[],
        }
    }
}

/// The function names of operators.
pub mod ops {
    /// `c ? a : b`
    pub const CONDITIONAL: &str = "_?_:_";
    /// `a && b`
    pub const AND: &str = "_&&_";
    /// `a || b`
    pub const OR: &str = "_||_";
    /// `!a`
    pub const NOT: &str = "!_";
    /// `-a`
    pub const NEGATE: &str = "-_";
    /// `a == b`
    pub const EQUALS: &str = "_==_";
    /// `a != b`
    pub const NOT_EQUALS: &str = "_!=_";
    /// `a < b`
    pub const LESS: &str = "_<_";
    /// `a <= b`
    pub const LESS_EQUALS: &str = "_<=_";
    /// `a > b`
    pub const GREATER: &str = "_>_";
    /// `a >= b`
    pub const GREATER_EQUALS: &str = "_>=_";
    /// `a in b`
    pub const IN: &str = "@in";
    /// `a + b`
    pub const ADD: &str = "_+_";
    /// `a - b`
    pub const SUBTRACT: &str = "_-_";
    /// `a * b`
    pub const MULTIPLY: &str = "_*_";
    /// `a / b`
    pub const DIVIDE: &str = "_/_";
    /// `a % b`
    pub const MODULO: &str = "_%_";
    /// `a[b]`
    pub const INDEX: &str = "_[_]";
    /// `a[?b]`
    pub const OPT_INDEX: &str = "_[?_]";
    /// `a.?b`, the field as a string literal
    pub const OPT_SELECT: &str = "_?._";
    /// The condition of a loop that may stop early: true also for errors.
    pub const NOT_STRICTLY_FALSE: &str = "@not_strictly_false";
    /// Adds an entry to the map of `transformMap`.
    pub const MAP_INSERT: &str = "cel.@mapInsert";
    /// Sorts by the keys of `sortBy`.
    pub const SORT_BY_KEYS: &str = "@sortByAssociatedKeys";

    /// The operator between two operands that a token's text is.
    pub fn binary(text: &str) -> Option<&'static str> {
        Some(match text {
            "&&" => AND,
            "||" => OR,
            "==" => EQUALS,
            "!=" => NOT_EQUALS,
            "<" => LESS,
            "<=" => LESS_EQUALS,
            ">" => GREATER,
            ">=" => GREATER_EQUALS,
            "in" => IN,
            "+" => ADD,
            "-" => SUBTRACT,
            "*" => MULTIPLY,
            "/" => DIVIDE,
            "%" => MODULO,
            _ => return None,
        })
    }
}
