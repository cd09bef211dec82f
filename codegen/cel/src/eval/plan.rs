//! Converts a checked expression to a program: names become slots, operators become nodes of their own, and constant
//! parts are computed.

use crate::ast::{Checked, Comprehension, Expr, ExprId, Literal, Reference, ops};
use crate::library::run::{Run, Way};
use crate::library::{Cost, Libraries, Overload};
use crate::value::{Behavior, Error, Val};
use crdgen_text::go::regexp::Regexp;

use super::select::qualifying;
use super::set::Set;
use super::{
    Attr, Call, Fold, Global, Limits, Operator, Program, ProgramNode, Qualifier, QualifierKey, Quantifier,
    Regex, RegexKind,
};

/// Plans a part of an expression. Of the variables in scope there, the first `globals` are not those of loops.
pub(super) fn plan_inside(
    checked: &Checked,
    root: ExprId,
    scope: &[&str],
    globals: usize,
    libraries: Libraries<'_>,
) -> Result<Program, Error> {
    let mut planner = Planner {
        checked,
        libraries,
        scope: scope.iter().map(|name| (*name).to_owned()).collect(),
        globals,
        used: vec![false; scope.len()],
        slots: scope.len(),
        accumulator: None,
    };
    let root = planner.node(root)?;
    let globals = scope.iter().zip(&planner.used);
    let globals = globals.map(|(name, used)| Global { name: Box::from(*name), used: *used }).collect();
    Ok(Program { root, slots: planner.slots, globals, behavior: libraries.kube.behavior() })
}

struct Planner<'c> {
    checked: &'c Checked,
    libraries: Libraries<'c>,
    /// The variables in scope, innermost last. Their index is their slot.
    scope: Vec<String>,
    globals: usize,
    /// Which of the global variables are used.
    used: Vec<bool>,
    slots: usize,
    /// The slot of the accumulator in the current step, which may be changed in place.
    accumulator: Option<usize>,
}

impl Planner<'_> {
    fn node(&mut self, id: ExprId) -> Result<ProgramNode, Error> {
        let checked = self.checked;
        Ok(match checked.ast.expr(id) {
            Expr::Unspecified => ProgramNode::Invalid(Error::fixed("unspecified expression")),
            Expr::Literal(literal) => ProgramNode::Const(constant(literal)),
            Expr::Ident(name) => match &checked.references[id.index()] {
                Reference::Constant(value) => ProgramNode::Const(Val::Int(*value)),
                Reference::Type => ProgramNode::Const(Val::text_type(name.trim_start_matches('.'))),
                Reference::None | Reference::Variable | Reference::Overloads(_) => self.variable(name),
            },
            Expr::Select { operand, field, test_only } => {
                let mut attr = attribute(self.node(*operand)?);
                attr.select(&mut || {
                    let key = QualifierKey::constant(Val::text(field.to_string()));
                    Ok(Qualifier { key, optional: false })
                })?;
                ProgramNode::Attr { attr, test: *test_only }
            }
            Expr::Call { function, target, args } => {
                let args: Vec<ExprId> = target.iter().chain(args.iter()).copied().collect();
                self.call(id, function, &args)?
            }
            Expr::List { elements, optional } => {
                let mut nodes = Vec::with_capacity(elements.len());
                for (i, element) in elements.iter().enumerate() {
                    nodes.push((self.node(*element)?, optional.contains(&(i as u32))));
                }
                let folded =
                    nodes.iter().map(|(n, optional)| if *optional { None } else { n.constant() }).collect();
                match Option::<Vec<_>>::map(folded, Val::list) {
                    Some(list) => ProgramNode::Const(list),
                    None => ProgramNode::List(nodes.into()),
                }
            }
            Expr::Map(entries) => {
                let mut nodes = Vec::with_capacity(entries.len());
                for entry in entries {
                    nodes.push((self.node(entry.key)?, self.node(entry.value)?, entry.optional));
                }
                let fixed = |(k, v, optional): &(ProgramNode, ProgramNode, bool)| {
                    !optional && k.constant().is_some() && v.constant().is_some()
                };
                let constant = nodes.iter().all(fixed);
                let node = ProgramNode::Map(nodes.into());
                if constant { fold(node, self.libraries.kube.behavior()) } else { node }
            }
            Expr::Struct { name, fields } => {
                let mut nodes = Vec::with_capacity(fields.len());
                for field in fields {
                    nodes.push((Box::from(&*field.name), self.node(field.value)?, field.optional));
                }
                ProgramNode::Message { name: Box::from(&**name), fields: nodes.into() }
            }
            Expr::Comprehension(c) => self.comprehension(c)?,
        })
    }

    /// Finds the slot of a variable. A leading dot skips loop variables.
    fn variable(&mut self, name: &str) -> ProgramNode {
        let (name, within) = match name.strip_prefix('.') {
            Some(name) => (name, self.globals),
            None => (name, self.scope.len()),
        };
        match self.scope[..within].iter().rposition(|n| n == name) {
            Some(slot) => {
                if let Some(used) = self.used.get_mut(slot) {
                    *used = true;
                }
                ProgramNode::Attr { attr: Attr::Variable { slot, path: Vec::new() }, test: false }
            }
            None => ProgramNode::Invalid(Error::new(format!("no such attribute(s): {name}"))),
        }
    }

    fn call(&mut self, id: ExprId, function: &str, args: &[ExprId]) -> Result<ProgramNode, Error> {
        let overloads = self.checked.overloads(id);
        if let Some(node) = self.in_place(function, args)? {
            return Ok(node);
        }
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            nodes.push(self.node(*arg)?);
        }
        let cost = Cost::of(overloads, self.libraries.kube);
        let operator = operator(overloads);
        match (operator, nodes.len()) {
            (Some(Operator::And | Operator::Or), _) => {
                return Ok(chain(operator == Some(Operator::And), nodes));
            }
            (Some(Operator::Conditional), 3) => {
                let mut nodes = nodes.into_iter();
                if let (Some(condition), Some(then), Some(otherwise)) =
                    (nodes.next(), nodes.next(), nodes.next())
                {
                    let sides = Box::new([attribute(then), attribute(otherwise)]);
                    let attr = Attr::Choice { condition: Box::new(condition), sides };
                    return Ok(ProgramNode::Attr { attr, test: false });
                }
                return Ok(ProgramNode::Invalid(Error::NO_OVERLOAD));
            }
            (Some(Operator::Equals | Operator::NotEquals), 2) => {
                let negated = operator == Some(Operator::NotEquals);
                return Ok(match pair(nodes) {
                    Some(sides) => ProgramNode::Equal { sides, negated },
                    None => ProgramNode::Invalid(Error::NO_OVERLOAD),
                });
            }
            (Some(Operator::Index | Operator::OptIndex | Operator::OptSelect), 2) => {
                return self.index(args, nodes, operator != Some(Operator::Index));
            }
            (Some(Operator::OptionalOr | Operator::OptionalOrValue), 2) => {
                let value = operator == Some(Operator::OptionalOrValue);
                return Ok(match pair(nodes) {
                    Some(sides) => ProgramNode::OrElse { sides, value },
                    None => ProgramNode::Invalid(Error::NO_OVERLOAD),
                });
            }
            (Some(Operator::In), 2) if matches!(overloads, [one] if matches!(one.cost, Cost::InList)) => {
                if let Some(Val::List(list)) = nodes[1].constant() {
                    if list.is_empty() {
                        return Ok(ProgramNode::Const(Val::Bool(false)));
                    }
                    if let Some(set) = Set::of(list) {
                        let value = Box::new(nodes.swap_remove(0));
                        return Ok(ProgramNode::InSet { value, set });
                    }
                }
            }
            (None, 2..) => {
                if let Some(Run::Regex(kind)) = overloads.first().map(|overload| &overload.run) {
                    return regex(*kind, nodes, cost);
                }
            }
            _ => {}
        }
        let node = match operator {
            Some(operator) => ProgramNode::Operator { operator, args: nodes.into(), cost },
            None => self.function(overloads, nodes, cost),
        };
        let constant = match &node {
            ProgramNode::Operator { args, .. } => args.len() == 1 && args[0].constant().is_some(),
            ProgramNode::Call(call) => call.args.len() == 1 && call.args[0].constant().is_some(),
            _ => false,
        };
        let way = overloads.first().and_then(|overload| overload.way());
        if constant && way == Some(Way::Conversion) {
            try_fold(node, self.libraries.kube.behavior())
        } else {
            Ok(node)
        }
    }

    fn function(&self, overloads: &[Overload], args: Vec<ProgramNode>, cost: Cost) -> ProgramNode {
        let Some(first) = overloads.first() else { return ProgramNode::Invalid(Error::NO_OVERLOAD) };
        let Libraries { kube, functions } = self.libraries;
        // If several overloads are possible, the server tries all overloads of the function.
        let overloads: Box<[Overload]> = match functions.find(&first.function) {
            Some(function) if overloads.len() > 1 => function.in_version(kube).cloned().collect(),
            _ => overloads.into(),
        };
        let both = args.len() == 2 && overloads.len() == 1;
        let guarded = match first.way() {
            Some(Way::Unguarded) => false,
            Some(Way::GuardedIfSeveral) => overloads.len() > 1,
            Some(Way::Conversion | Way::Method) | None => true,
        };
        ProgramNode::Call(Box::new(Call { overloads, args: args.into(), cost, both, guarded }))
    }

    fn index(
        &mut self,
        ids: &[ExprId],
        mut nodes: Vec<ProgramNode>,
        optional: bool,
    ) -> Result<ProgramNode, Error> {
        let Some(key) = nodes.pop() else { return Ok(ProgramNode::Invalid(Error::NO_OVERLOAD)) };
        let Some(of) = nodes.pop() else { return Ok(ProgramNode::Invalid(Error::NO_OVERLOAD)) };
        let mut attr = attribute(of);
        // The key is needed for both sides of a choice, so it is planned again for the second one.
        let mut key = Some(key);
        attr.select(&mut || {
            let node = match key.take() {
                Some(node) => node,
                None => self.node(ids[1])?,
            };
            let key = match node {
                ProgramNode::Const(value) => {
                    QualifierKey::constant(qualifying(value, self.libraries.kube.behavior())?)
                }
                node @ ProgramNode::Attr { .. } => QualifierKey::Attr(attribute(node)),
                node => QualifierKey::Node(node),
            };
            Ok(Qualifier { key, optional })
        })?;
        Ok(ProgramNode::Attr { attr, test: false })
    }

    /// Plans additions to the accumulator of a loop, which change it in place.
    fn in_place(&mut self, function: &str, args: &[ExprId]) -> Result<Option<ProgramNode>, Error> {
        let Some(slot) = self.accumulator else { return Ok(None) };
        let accumulates = match args.first().map(|first| self.checked.ast.expr(*first)) {
            Some(Expr::Ident(name)) => self.scope.iter().rposition(|n| n == name.as_ref()) == Some(slot),
            _ => false,
        };
        if !accumulates {
            return Ok(None);
        }
        match (function, args) {
            (ops::ADD, [_, list]) => {
                let Expr::List { elements, optional } = self.checked.ast.expr(*list) else { return Ok(None) };
                if !optional.is_empty() {
                    return Ok(None);
                }
                let mut nodes = Vec::with_capacity(elements.len());
                for element in elements {
                    nodes.push(self.node(*element)?);
                }
                let constant = nodes.iter().all(|n| n.constant().is_some());
                Ok(Some(ProgramNode::Append { slot, elements: nodes.into(), constant }))
            }
            (ops::MAP_INSERT, [_, key, value]) => {
                let entry = Box::new([self.node(*key)?, self.node(*value)?]);
                Ok(Some(ProgramNode::Insert { slot, entry }))
            }
            _ => Ok(None),
        }
    }

    fn comprehension(&mut self, c: &Comprehension) -> Result<ProgramNode, Error> {
        let outer = self.accumulator.take();
        let init = self.node(c.init)?;
        let range = self.node(c.range)?;
        let accu = self.scope.len();
        self.scope.push(c.accu.to_string());
        self.scope.push(c.var.to_string());
        self.scope.extend(c.var2.iter().map(ToString::to_string));
        self.slots = self.slots.max(self.scope.len());
        let condition = self.node(c.condition)?;
        self.accumulator = Some(accu);
        let step = self.node(c.step)?;
        self.accumulator = None;
        self.scope.truncate(accu + 1);
        let result = self.node(c.result)?;
        self.scope.truncate(accu);
        self.accumulator = outer;
        let two = c.var2.is_some();
        let quantifier = quantifier(accu, &init, &condition, &step, &result);
        Ok(ProgramNode::Fold(Box::new(Fold { range, accu, two, init, condition, step, result, quantifier })))
    }
}

impl ProgramNode {
    /// The value of a constant.
    pub(super) fn constant(&self) -> Option<Val<'static>> {
        if let ProgramNode::Const(value) = self { Some(value.clone()) } else { None }
    }

    fn is_variable(&self, wanted: usize) -> bool {
        matches!(self, ProgramNode::Attr { attr: Attr::Variable { slot, path }, test: false } if *slot == wanted && path.is_empty())
    }
}

impl Attr {
    /// Adds a selection. For a choice, it is added to both sides.
    fn select(&mut self, qualifier: &mut dyn FnMut() -> Result<Qualifier, Error>) -> Result<(), Error> {
        match self {
            Attr::Variable { slot: _, path } | Attr::Value { node: _, path } => {
                path.push(qualifier()?);
                Ok(())
            }
            Attr::Has(_) => {
                let of = std::mem::replace(self, Attr::Variable { slot: 0, path: Vec::new() });
                let node = Box::new(ProgramNode::Attr { attr: of, test: false });
                *self = Attr::Value { node, path: vec![qualifier()?] };
                Ok(())
            }
            Attr::Choice { condition: _, sides } => {
                sides.iter_mut().try_for_each(|side| side.select(qualifier))
            }
        }
    }
}

fn attribute(node: ProgramNode) -> Attr {
    match node {
        ProgramNode::Attr { attr, test: false } => attr,
        ProgramNode::Attr { attr, test: true } => Attr::Has(Box::new(attr)),
        node => Attr::Value { node: Box::new(node), path: Vec::new() },
    }
}

/// `a && b && c` or `a || b || c`
fn chain(and: bool, nodes: Vec<ProgramNode>) -> ProgramNode {
    let mut terms = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            ProgramNode::And(inner) if and => terms.extend(inner),
            ProgramNode::Or(inner) if !and => terms.extend(inner),
            node => terms.push(node),
        }
    }
    if and { ProgramNode::And(terms.into()) } else { ProgramNode::Or(terms.into()) }
}

fn pair(nodes: Vec<ProgramNode>) -> Option<Box<[ProgramNode; 2]>> {
    <[ProgramNode; 2]>::try_from(nodes).ok().map(Box::new)
}

fn constant(literal: &Literal) -> Val<'static> {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(b) => Val::Bool(*b),
        Literal::Int(i) => Val::Int(*i),
        Literal::Uint(u) => Val::Uint(*u),
        Literal::Double(d) => Val::Double(*d),
        Literal::String(s) => Val::text(s.to_string()),
        Literal::Bytes(b) => Val::Bytes((&**b).into()),
    }
}

/// Computes a constant expression.
fn try_fold(node: ProgramNode, behavior: Behavior) -> Result<ProgramNode, Error> {
    let program = Program { root: node, slots: 0, globals: Box::new([]), behavior };
    let value = program.eval(&[], Limits::CALL).value?;
    Ok(ProgramNode::Const(value.into_static()))
}

/// The same, but an error is left to run time.
fn fold(node: ProgramNode, behavior: Behavior) -> ProgramNode {
    let program = Program { root: node, slots: 0, globals: Box::new([]), behavior };
    let value = program.eval(&[], Limits::CALL).value.map(Val::into_static);
    match value {
        Ok(value) => ProgramNode::Const(value),
        Err(_) => program.root,
    }
}

fn regex(kind: RegexKind, args: Vec<ProgramNode>, cost: Cost) -> Result<ProgramNode, Error> {
    let pattern = match args[1].constant() {
        Some(Val::Str(pattern)) => Some(Regexp::parse(&pattern).map_err(|e| Error::new(e.to_string()))?),
        _ => None,
    };
    Ok(ProgramNode::Regex(Box::new(Regex { kind, pattern, args: args.into(), cost })))
}

/// The operator that all these overloads are.
fn operator(overloads: &[Overload]) -> Option<Operator> {
    let mut operators = overloads.iter().map(|overload| match overload.run {
        Run::Apply(operator) => Some(operator),
        Run::Regex(_) | Run::Call(_) | Run::With(..) | Run::Target | Run::Own(_) => None,
    });
    let first = operators.next()??;
    operators.all(|other| other == Some(first)).then_some(first)
}

/// Recognizes a loop that `all` or `exists` expands to.
fn quantifier(
    accu: usize,
    init: &ProgramNode,
    condition: &ProgramNode,
    step: &ProgramNode,
    result: &ProgramNode,
) -> Option<Quantifier> {
    let ProgramNode::Operator { operator: Operator::NotStrictlyFalse, args, .. } = condition else {
        return None;
    };
    let (ProgramNode::Const(Val::Bool(start)), true) = (init, result.is_variable(accu)) else { return None };
    match (&args[0], step, start) {
        (condition, ProgramNode::And(terms), true)
            if condition.is_variable(accu) && terms[0].is_variable(accu) =>
        {
            Some(Quantifier::All)
        }
        (ProgramNode::Operator { operator: Operator::Not, args, .. }, ProgramNode::Or(terms), false)
            if args[0].is_variable(accu) && terms[0].is_variable(accu) =>
        {
            Some(Quantifier::Exists)
        }
        _ => None,
    }
}
