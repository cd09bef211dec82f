//! Expressions. All nodes are in one vector and refer to each other by id. So everything that is known about a node
//! (its place, type, overloads, and the macro it came from) is in a vector with the same ids.

use std::borrow::Cow;

use super::library::{Kube, Overload};
use super::types::Ty;

/// A name of an operator or a helper of a macro, which is static, or a name from the text.
pub type Name = Cow<'static, str>;

/// The offset of a node that does not have a place in the text.
pub const NOWHERE: u32 = u32::MAX;

/// The offset of a node for text that could not be read: before the first character.
pub const BEFORE: u32 = u32::MAX - 1;

/// The variable in which macros accumulate their result. Source text cannot contain this name.
pub const ACCUMULATOR: &str = "@result";

/// The loop variable of a comprehension that only binds a value, and loops over nothing.
pub const UNUSED: &str = "#unused";

/// A node of an [`Ast`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);

impl ExprId {
    /// Returns the index of the node in the vectors.
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

/// The kind of a node, with its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Nothing: a placeholder for text that could not be read. Only together with errors.
    Unspecified,
    /// A constant.
    Literal(Literal),
    /// A variable. After the check, also a qualified variable or a type. A leading dot is kept.
    Ident(Name),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        /// The value that has the field.
        operand: ExprId,
        /// The name of the field.
        field: Name,
        /// Whether only the presence of the field is tested.
        test_only: bool,
    },
    /// `f(args)`, `target.f(args)` or an operator; the names of operators are in [`ops`].
    Call {
        /// The function. After the check, this is the full name, and a target that was a part of the name is removed.
        function: Name,
        /// The value on which the function is called.
        target: Option<ExprId>,
        /// The arguments.
        args: Box<[ExprId]>,
    },
    /// `[a, ?b]`
    List {
        /// The elements.
        elements: Box<[ExprId]>,
        /// The indices of the optional elements, in order.
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
    /// The expansion of a macro.
    Comprehension(Box<Comprehension>),
}

/// An entry of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The key of the entry.
    pub key: ExprId,
    /// The value of the entry.
    pub value: ExprId,
    /// Whether the value is an optional, and the entry exists only if that has a value.
    pub optional: bool,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name of the field.
    pub name: Name,
    /// The value of the field.
    pub value: ExprId,
    /// Whether the value is an optional, and the field is set only if that has a value.
    pub optional: bool,
    /// The place of the colon.
    pub at: u32,
}

/// A loop over a list or a map. `accu` starts as `init`. While `condition` is true, each element sets it to `step`. The
/// value of the comprehension is `result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// The list or map.
    pub range: ExprId,
    /// The variable for the element. With a second variable, it is for the index or key.
    pub var: Name,
    /// The second variable, for the element of a list or the value of a map.
    pub var2: Option<Name>,
    /// The name of the accumulator.
    pub accu: Name,
    /// The first value of the accumulator.
    pub init: ExprId,
    /// Whether the loop continues.
    pub condition: ExprId,
    /// The next value of the accumulator.
    pub step: ExprId,
    /// The value of the comprehension.
    pub result: ExprId,
}

/// The call of a macro as it was in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroCall {
    /// The name of the macro.
    pub function: Name,
    /// The value on which the macro was called.
    pub target: Option<ExprId>,
    /// The arguments.
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
    /// Returns the root node, which is the whole expression.
    pub fn root(&self) -> ExprId {
        self.root
    }

    /// Sets the root node.
    pub fn set_root(&mut self, root: ExprId) {
        self.root = root;
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false, because there is always a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a node.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.nodes[id.index()]
    }

    /// Returns a node, mutably.
    pub fn expr_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.nodes[id.index()]
    }

    /// Adds a node. `at` is its offset, counted in code points.
    pub fn add(&mut self, at: u32, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(expr);
        self.offsets.push(at);
        id
    }

    /// Returns the place of a node, in code points from the start. The place of an operator or a call is that of its
    /// sign.
    pub fn offset(&self, id: ExprId) -> u32 {
        self.offsets[id.index()]
    }

    /// Stores the call of the macro whose expansion is the node `id`.
    pub fn set_macro(&mut self, id: ExprId, call: MacroCall) {
        self.macros.push((id, call));
    }

    /// Returns the call of the macro, if the node is the expansion of one.
    pub fn macro_call(&self, id: ExprId) -> Option<&MacroCall> {
        self.macros.iter().rev().find(|(of, _)| *of == id).map(|(_, call)| call)
    }

    /// Whether an expression contains a name, even for a variable of a macro.
    pub fn has_name(&self, wanted: &str) -> bool {
        let mut open = vec![self.root()];
        while let Some(id) = open.pop() {
            if matches!(self.expr(id), Expr::Ident(name) if name == wanted) {
                return true;
            }
            self.children(id, &mut |child| open.push(child));
        }
        false
    }

    /// Calls `visit` with each direct child of a node, in the order of evaluation.
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

/// What the check determined about a name or a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Reference {
    /// The node is neither a name nor a call.
    #[default]
    None,
    /// A variable.
    Variable,
    /// The name of a type, used as a value.
    Type,
    /// The constant of an enumeration.
    Constant(i64),
    /// A call, with the overloads that match the types of its arguments.
    Overloads(Box<[Overload]>),
}

/// A parsed expression with types, which are from the environment's [`super::types::Types`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The nodes, with resolved names.
    pub ast: Ast,
    /// The type of each node. For nodes that are not values, it is `error`.
    pub node_types: Vec<Ty>,
    /// The reference of each node.
    pub references: Vec<Reference>,
    /// The environment in which the expression was checked.
    pub kube: Kube,
}

impl Checked {
    /// Returns the type of a node.
    pub fn ty(&self, id: ExprId) -> Ty {
        self.node_types[id.index()]
    }

    /// Returns the type of the whole expression.
    pub fn output(&self) -> Ty {
        self.ty(self.ast.root())
    }

    /// Returns the overloads that a call may use at run time.
    pub fn overloads(&self, id: ExprId) -> &[Overload] {
        match &self.references[id.index()] {
            Reference::Overloads(o) => o,
            Reference::None | Reference::Variable | Reference::Type | Reference::Constant(_) => &[],
        }
    }
}

/// An operator that connects conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Connective {
    /// Returns the operator in an expression.
    pub fn sign(self) -> &'static str {
        match self {
            Connective::And => "&&",
            Connective::Or => "||",
        }
    }

    /// Returns the name of the operator's function.
    pub fn function(self) -> &'static str {
        match self {
            Connective::And => ops::AND,
            Connective::Or => ops::OR,
        }
    }

    /// Returns the value that decides alone, and hides errors of other terms.
    pub fn deciding(self) -> bool {
        self == Connective::Or
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

    /// Finds the binary operator that is written as a token's text.
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
