//! The tree that the grammar makes of the tokens. Rules that only contain another rule have no nodes of their own. If
//! the text has errors, parts may be missing.

use super::ast::Connective;
use super::lexer::Token;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// A node, with the place where its first token is.
#[derive(Debug)]
pub(crate) struct Node {
    /// The place, in code points.
    pub at: u32,
    /// What it is.
    pub form: Form,
}

/// A token of the text. If the text lacks it, it was inserted so that parsing could continue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// The token.
    pub token: Token,
    /// Whether it is missing.
    pub missing: bool,
}

impl From<Token> for Leaf {
    fn from(token: Token) -> Self {
        Leaf { token, missing: false }
    }
}

/// What a node is.
#[derive(Debug)]
pub(crate) enum Form {
    /// A part with errors that could not be parsed.
    Broken,
    /// The rest of a unary expression, which could be any of several forms.
    BrokenUnary,
    /// `condition ? yes : no`
    Ternary {
        /// The condition.
        condition: NodeId,
        /// The question mark.
        op: Leaf,
        /// The value if the condition is true.
        yes: Option<NodeId>,
        /// The value if the condition is false.
        no: Option<NodeId>,
    },
    /// `a && b && c` or `a || b || c`
    Chain {
        /// The operator.
        connective: Connective,
        /// The operands.
        terms: Vec<NodeId>,
        /// The operators.
        ops: Vec<Leaf>,
    },
    /// An operator with two operands.
    Binary {
        /// The left one.
        left: NodeId,
        /// The operator.
        op: Option<Leaf>,
        /// The right one.
        right: Option<NodeId>,
    },
    /// `!!a`, `--a`
    Unary {
        /// The operators.
        ops: Vec<Leaf>,
        /// The operand.
        operand: Option<NodeId>,
    },
    /// `a.b`, `a.?b`
    Select {
        /// The operand before the dot.
        operand: NodeId,
        /// The dot.
        op: Option<Leaf>,
        /// Whether there is a question mark.
        optional: bool,
        /// The field's name, and where it would be.
        field: Option<(Option<Leaf>, u32)>,
    },
    /// `a.f(b)`
    MemberCall {
        /// The operand before the dot.
        operand: NodeId,
        /// The function's name.
        name: Option<Leaf>,
        /// The parenthesis.
        open: Option<Leaf>,
        /// The arguments.
        args: Vec<NodeId>,
    },
    /// `a[b]`, `a[?b]`
    Index {
        /// The operand before the bracket.
        operand: NodeId,
        /// The bracket.
        op: Option<Leaf>,
        /// Whether there is a question mark.
        optional: bool,
        /// The index.
        index: Option<NodeId>,
    },
    /// `a`, `.a`
    Ident {
        /// Whether there is a dot before it.
        dot: bool,
        /// The name.
        name: Option<Leaf>,
    },
    /// `f(a)`, `.f(a)`
    GlobalCall {
        /// Whether there is a dot before it.
        dot: bool,
        /// The name.
        name: Option<Leaf>,
        /// The parenthesis.
        open: Option<Leaf>,
        /// The arguments.
        args: Vec<NodeId>,
    },
    /// `[a, ?b]`
    List {
        /// The bracket.
        open: Option<Leaf>,
        /// The elements, each with its question mark.
        elements: Vec<(Option<Leaf>, Option<NodeId>)>,
    },
    /// `{k: v}`
    Map {
        /// The brace.
        open: Option<Leaf>,
        /// The keys, each with its question mark.
        keys: Vec<(Option<Leaf>, Option<NodeId>)>,
        /// The colons.
        colons: Vec<Leaf>,
        /// The values.
        values: Vec<NodeId>,
    },
    /// `a.b{f: v}`
    Message {
        /// Whether there is a dot before it.
        dot: bool,
        /// The parts of the type's name.
        names: Vec<Leaf>,
        /// The brace.
        open: Option<Leaf>,
        /// The fields.
        fields: Vec<FieldName>,
        /// The colons.
        colons: Vec<Leaf>,
        /// The values.
        values: Vec<NodeId>,
        /// Where the fields start.
        fields_at: u32,
    },
    /// A constant.
    Literal {
        /// A minus before a number.
        sign: Option<Leaf>,
        /// The constant itself.
        token: Option<Leaf>,
    },
}

/// The name of a message's field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldName {
    /// A question mark before it.
    pub optional: Option<Leaf>,
    /// The name.
    pub name: Option<Leaf>,
}

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Adds a node.
    pub(crate) fn add(&mut self, at: u32, form: Form) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { at, form });
        id
    }

    /// A node.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
