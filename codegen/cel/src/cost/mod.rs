//! Estimates the cost of an expression before it runs, from the maximum sizes of values. The result decides which rules
//! the server accepts, so this code has every rounding and every gap of the server's estimator.

mod budget;
mod calls;
mod estimate;
mod path;

use super::ast::{Ast, Checked, Comprehension, Expr, ExprId, Literal, Name, ops};
use super::types::{Kind, Ty, Types};
pub use budget::{RULE_LIMIT, exceeds};
pub use estimate::Range;
pub use path::Step;
use path::{Path, Paths};

const LIST: Range = Range::fixed(10);
const MAP: Range = Range::fixed(30);
const MESSAGE: Range = Range::fixed(40);

/// The maximum sizes of the variables' values.
pub trait Sizes {
    /// Returns the maximum number of elements or characters at a path, whose first step is a variable. None if the path
    /// does not exist.
    fn max_size(&self, path: &[Step]) -> Option<u64>;
}

/// The estimated cost of an expression and of its parts.
#[derive(Debug)]
pub struct Estimate {
    /// The cost of the whole expression.
    pub total: Range,
    /// For each node, the cost of one evaluation of it and of all nodes below it.
    pub nodes: Vec<Range>,
    /// For each comprehension node, how often its body runs.
    pub loops: Vec<(ExprId, Range)>,
}

/// Estimates the cost of a checked expression.
pub fn estimate(checked: &Checked, types: &Types, sizes: &dyn Sizes) -> Estimate {
    let ast = &checked.ast;
    let mut c = Coster {
        checked,
        ast,
        types,
        sizes,
        paths: Paths::default(),
        node_paths: vec![Path::default(); ast.len()],
        node_sizes: vec![None; ast.len()],
        entry_sizes: vec![None; ast.len()],
        locals: Vec::new(),
        nodes: vec![Range::ZERO; ast.len()],
        loops: Vec::new(),
    };
    let total = c.cost(ast.root());
    Estimate { total, nodes: c.nodes, loops: c.loops }
}

/// The sizes of a container's keys and values.
#[derive(Clone, Copy, Debug)]
struct Entries {
    list: bool,
    key: Range,
    value: Range,
}

impl Entries {
    fn union(a: Option<Entries>, b: Option<Entries>) -> Option<Entries> {
        let (a, b) = (a?, b?);
        Some(Entries { list: a.list, key: a.key.union(b.key), value: a.value.union(b.value) })
    }
}

struct Local {
    name: Name,
    path: Path,
    size: Option<Range>,
    entries: Option<Entries>,
}

struct Coster<'a> {
    checked: &'a Checked,
    ast: &'a Ast,
    types: &'a Types,
    sizes: &'a dyn Sizes,
    paths: Paths,
    node_paths: Vec<Path>,
    node_sizes: Vec<Option<Range>>,
    entry_sizes: Vec<Option<Entries>>,
    locals: Vec<Local>,
    nodes: Vec<Range>,
    loops: Vec<(ExprId, Range)>,
}

/// An argument or target, with what was known about it when its cost was estimated.
#[derive(Clone, Copy)]
struct Argument {
    id: ExprId,
    ty: Ty,
    path: Path,
    size: Option<Range>,
}

impl Argument {
    fn size(&self) -> Range {
        self.size.unwrap_or(Range::UNKNOWN)
    }
}

impl Coster<'_> {
    fn cost(&mut self, id: ExprId) -> Range {
        let cost = match self.ast.expr(id) {
            Expr::Unspecified | Expr::Literal(_) => Range::ZERO,
            Expr::Ident(name) => {
                self.node_paths[id.index()] = match self.local(name) {
                    Some(local) => self.locals[local].path,
                    None => self.paths.root(),
                };
                Range::ONE
            }
            Expr::Select { operand, field, test_only } => self.select(id, *operand, field, *test_only),
            Expr::Call { function: _, target, args } => self.call(id, *target, args),
            Expr::List { elements, optional: _ } => {
                let mut sum = LIST;
                let mut size = Range { min: if elements.is_empty() { 0 } else { u64::MAX }, max: 0 };
                for e in elements {
                    sum = sum.plus(self.cost(*e));
                    size = size.union(self.size_or_unknown(*e));
                }
                self.entry_sizes[id.index()] = Some(Entries { list: true, key: Range::ONE, value: size });
                sum
            }
            Expr::Map(entries) => {
                let mut sum = MAP;
                let none = Range { min: if entries.is_empty() { 0 } else { u64::MAX }, max: 0 };
                let (mut key, mut value) = (none, none);
                for e in entries {
                    sum = sum.plus(self.cost(e.key)).plus(self.cost(e.value));
                    key = key.union(self.size_or_unknown(e.key));
                    value = value.union(self.size_or_unknown(e.value));
                }
                self.entry_sizes[id.index()] = Some(Entries { list: false, key, value });
                sum
            }
            Expr::Struct { name: _, fields } => {
                fields.iter().fold(MESSAGE, |sum, f| sum.plus(self.cost(f.value)))
            }
            Expr::Comprehension(c) => {
                if self.is_bind(c) {
                    self.bind(id, c)
                } else {
                    self.comprehension(id, c)
                }
            }
        };
        self.nodes[id.index()] = cost;
        cost
    }

    fn local(&self, name: &str) -> Option<usize> {
        self.locals.iter().rposition(|l| l.name == name)
    }

    fn kind(&self, id: ExprId) -> &Kind {
        self.types.kind(self.checked.ty(id))
    }

    fn path(&self, id: ExprId) -> Path {
        if let Expr::Ident(name) = self.ast.expr(id)
            && let Some(local) = self.local(name)
        {
            return self.locals[local].path;
        }
        self.node_paths[id.index()]
    }

    fn node(&mut self, id: ExprId) -> Argument {
        Argument { id, ty: self.checked.ty(id), path: self.path(id), size: self.size(id) }
    }

    fn select(&mut self, id: ExprId, operand: ExprId, field: &str, test_only: bool) -> Range {
        let cost = self.cost(operand);
        let knows_more = self.checked.kube.knows_more_sizes();
        if test_only {
            return if knows_more { cost.plus(self.branch(operand)) } else { cost };
        }
        let path = self.path(operand);
        if !self.paths.steps(path).is_empty() || !knows_more {
            self.node_paths[id.index()] = self.paths.append(path, Step::Field(field.into()));
        }
        if knows_more {
            return cost.plus(Range::ONE);
        }
        match self.kind(operand) {
            Kind::Map(..) | Kind::Struct(_) | Kind::Object { .. } | Kind::Param(_) | Kind::Var(_) => {
                cost.plus(Range::ONE)
            }
            Kind::Dyn
            | Kind::Any
            | Kind::Error
            | Kind::Null
            | Kind::Bool
            | Kind::Int
            | Kind::Uint
            | Kind::Double
            | Kind::String
            | Kind::Bytes
            | Kind::Duration
            | Kind::Timestamp
            | Kind::Wrapper(_)
            | Kind::Type(_)
            | Kind::List(_)
            | Kind::Optional(_)
            | Kind::Opaque(_) => cost,
        }
    }

    /// The cost of what a choice at the start of a chain of selections selects, if that is not a chain itself. Before 1.38, the server
    /// does not estimate it.
    fn branch(&self, id: ExprId) -> Range {
        match self.ast.expr(id) {
            Expr::Select { operand, field: _, test_only: false } => self.branch(*operand),
            Expr::Call { function, target: _, args } => match (&**function, &**args) {
                (ops::INDEX | ops::OPT_INDEX | ops::OPT_SELECT, [of, ..]) => self.branch(*of),
                (ops::CONDITIONAL, [_, one, other]) => self.side(*one).union(self.side(*other)),
                _ => Range::ZERO,
            },
            Expr::Unspecified
            | Expr::Literal(_)
            | Expr::Ident(_)
            | Expr::Select { .. }
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => Range::ZERO,
        }
    }

    /// The same of a side of a choice.
    fn side(&self, id: ExprId) -> Range {
        let is_chain = match self.ast.expr(id) {
            Expr::Ident(_) => true,
            Expr::Select { test_only, .. } => !test_only,
            Expr::Call { function, .. } => {
                matches!(&**function, ops::INDEX | ops::OPT_INDEX | ops::OPT_SELECT | ops::CONDITIONAL)
            }
            Expr::Unspecified
            | Expr::Literal(_)
            | Expr::List { .. }
            | Expr::Map(_)
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => false,
        };
        if is_chain { self.branch(id) } else { Range::ONE }
    }

    fn size_or_unknown(&mut self, id: ExprId) -> Range {
        self.size(id).unwrap_or(Range::UNKNOWN)
    }

    /// The size of a node's value, if it is known.
    fn size(&mut self, id: ExprId) -> Option<Range> {
        if let Some(size) = self.node_sizes[id.index()] {
            return Some(size);
        }
        match self.ast.expr(id) {
            Expr::Literal(Literal::String(s)) => return Some(Range::fixed(s.chars().count() as u64)),
            Expr::Literal(Literal::Bytes(b)) => return Some(Range::fixed(b.len() as u64)),
            Expr::Literal(_) => return Some(Range::ONE),
            Expr::List { elements, optional } => {
                let none = optional.iter().filter(|i| self.is_none(elements[**i as usize]));
                return Some(self.literal_size(elements.len(), optional.len(), none.count()));
            }
            Expr::Map(entries) => {
                let optional = entries.iter().filter(|entry| entry.optional).count();
                return Some(self.literal_size(entries.len(), optional, 0));
            }
            Expr::Unspecified
            | Expr::Ident(_)
            | Expr::Select { .. }
            | Expr::Call { .. }
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => {}
        }
        if let Some(size) = self.declared_size(self.path(id)) {
            self.node_sizes[id.index()] = Some(size);
            return Some(size);
        }
        if self.is_scalar(self.checked.ty(id)) {
            return Some(Range::ONE);
        }
        if let Expr::Ident(name) = self.ast.expr(id) {
            return self.local(name).and_then(|l| self.locals[l].size);
        }
        None
    }

    /// The size of a list or map literal with some optional elements, of which some have no value. Before 1.38, all of them count.
    fn literal_size(&self, all: usize, optional: usize, none: usize) -> Range {
        let (optional, none) = if self.checked.kube.knows_more_sizes() { (optional, none) } else { (0, 0) };
        Range { min: (all - optional) as u64, max: (all - none) as u64 }
    }

    /// Whether this is `optional.none()`.
    fn is_none(&self, id: ExprId) -> bool {
        matches!(self.ast.expr(id), Expr::Call { function, .. } if &**function == "optional.none")
    }

    fn declared_size(&self, path: Path) -> Option<Range> {
        let steps = self.paths.steps(path);
        if steps.is_empty() {
            return None;
        }
        self.sizes.max_size(steps).map(|max| Range { min: 0, max })
    }

    fn is_scalar(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            Kind::Bool | Kind::Double | Kind::Duration | Kind::Int | Kind::Timestamp | Kind::Uint => true,
            Kind::Type(_) => self.checked.kube.knows_more_sizes(),
            Kind::Wrapper(t) | Kind::Optional(t) => self.is_scalar(*t),
            Kind::Dyn
            | Kind::Any
            | Kind::Error
            | Kind::Null
            | Kind::String
            | Kind::Bytes
            | Kind::List(_)
            | Kind::Map(..)
            | Kind::Opaque(_)
            | Kind::Struct(_)
            | Kind::Object { .. }
            | Kind::Param(_)
            | Kind::Var(_) => false,
        }
    }

    fn set_size(&mut self, id: ExprId, size: Option<Range>) {
        if size.is_some() {
            self.node_sizes[id.index()] = size;
        }
    }

    fn entries(&self, id: ExprId) -> Option<Entries> {
        if let Some(entries) = self.entry_sizes[id.index()] {
            return Some(entries);
        }
        if let Expr::Ident(name) = self.ast.expr(id) {
            return self.local(name).and_then(|l| self.locals[l].entries);
        }
        None
    }

    fn set_entries(&mut self, id: ExprId, entries: Option<Entries>) {
        if entries.is_some() {
            self.entry_sizes[id.index()] = entries;
        }
    }

    fn copy_sizes(&mut self, to: ExprId, from: ExprId) {
        let size = self.size(from);
        self.set_size(to, size);
        self.set_entries(to, self.entries(from));
    }

    /// Binds a name to a node's value.
    fn push(&mut self, name: &Name, id: ExprId) {
        let path = self.path(id);
        let entries = self.entries(id);
        let size = self.size(id);
        self.locals.push(Local { name: name.clone(), path, size, entries });
    }

    /// Binds the variables of a loop over a node's value.
    fn push_loop(&mut self, c: &Comprehension) {
        let entries = self.entries(c.range);
        let list = entries.map_or_else(|| matches!(self.kind(c.range), Kind::List(_)), |e| e.list);
        let (key, value) = (entries.map(|e| e.key), entries.map(|e| e.value));
        let mut push = |name: &Name, step: Step, size: Option<Range>| {
            let path = self.path(c.range);
            let path = self.paths.append(path, step);
            self.locals.push(Local { name: name.clone(), path, size, entries: None });
        };
        let (keys, values) = if list { (Step::Indices, Step::Items) } else { (Step::Keys, Step::Values) };
        match &c.var2 {
            Some(var2) => {
                push(&c.var, keys, key);
                push(var2, values, value);
            }
            None if list => push(&c.var, values, value),
            None => push(&c.var, keys, key),
        }
    }

    fn comprehension(&mut self, id: ExprId, c: &Comprehension) -> Range {
        let mut sum = self.cost(c.range).plus(self.cost(c.init));
        self.push(&c.accu, c.init);
        let outer = self.locals.len();
        self.push_loop(c);
        let condition = self.cost(c.condition);
        let step = self.cost(c.step);
        self.locals.truncate(outer);
        sum = sum.plus(self.cost(c.result));
        self.locals.truncate(outer - 1);
        let count = self.size_or_unknown(c.range);
        self.loops.push((id, count));
        sum = sum.plus(count.times(step.plus(condition)));
        match self.ast.expr(c.init) {
            Expr::Literal(_) => {
                let size = self.size(c.init);
                self.set_size(id, size);
            }
            Expr::List { .. } | Expr::Map(_) => {
                let may_skip = self.checked.kube.knows_more_sizes()
                    && matches!(self.ast.expr(c.step), Expr::Call { function, .. } if &**function == ops::CONDITIONAL);
                self.set_size(id, Some(if may_skip { Range { min: 0, ..count } } else { count }));
                self.set_entries(id, self.entries(c.step));
            }
            Expr::Unspecified
            | Expr::Ident(_)
            | Expr::Select { .. }
            | Expr::Call { .. }
            | Expr::Struct { .. }
            | Expr::Comprehension(_) => {}
        }
        sum
    }

    /// Whether a comprehension only binds a name.
    fn is_bind(&self, c: &Comprehension) -> bool {
        matches!(self.ast.expr(c.range), Expr::List { elements, .. } if elements.is_empty())
            && matches!(self.ast.expr(c.condition), Expr::Literal(Literal::Bool(false)))
            && c.accu != "__result__"
    }

    fn bind(&mut self, id: ExprId, c: &Comprehension) -> Range {
        let sum = self.cost(c.range).plus(self.cost(c.init));
        self.push(&c.accu, c.init);
        let sum = sum.plus(self.cost(c.result));
        self.locals.pop();
        self.copy_sizes(id, c.result);
        sum
    }
}
