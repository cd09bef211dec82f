//! Macros: calls that become comprehensions, presence tests or bindings before types are checked.

use super::{Builder, Built};
use crate::ast::{ACCUMULATOR, Comprehension, Entry, Expr, ExprId, Field, Literal, Name, UNUSED, ops};
use crate::issue::IssueKind;
use crate::library::Kube;

/// The name that the accumulator used to have. Loop variables must not have it either.
const OLD_ACCUMULATOR: &str = "__result__";

/// The variable that `sortBy` binds its list to.
const SORT_INPUT: &str = "@__sortBy_input__";

/// A macro. Those with two loop variables are the same macros with one more argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Macro {
    Has,
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
    OptMap,
    OptFlatMap,
    SortBy,
    TransformList,
    TransformMap,
    TransformMapEntry,
    Bind,
}

/// What a macro is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    List,
    Map,
    /// A list or a map.
    Either,
    Optional,
    /// A value of an unknown type.
    Any,
}

/// The macros: the name, what it is called on, the smallest and the largest number of arguments, and the version that added it.
type Row = (&'static str, Option<Receiver>, [usize; 2], Macro, u16);

const MACROS: [Row; 16] = [
    ("has", None, [1, 1], Macro::Has, 0),
    ("all", Some(Receiver::Either), [2, 2], Macro::All, 0),
    ("exists", Some(Receiver::Either), [2, 2], Macro::Exists, 0),
    ("exists_one", Some(Receiver::Either), [2, 2], Macro::ExistsOne, 0),
    ("map", Some(Receiver::Either), [2, 3], Macro::Map, 0),
    ("filter", Some(Receiver::Either), [2, 2], Macro::Filter, 0),
    ("optMap", Some(Receiver::Optional), [2, 2], Macro::OptMap, 28),
    ("optFlatMap", Some(Receiver::Optional), [2, 2], Macro::OptFlatMap, 28),
    ("all", Some(Receiver::Either), [3, 3], Macro::All, 32),
    ("exists", Some(Receiver::Either), [3, 3], Macro::Exists, 32),
    ("existsOne", Some(Receiver::Either), [3, 3], Macro::ExistsOne, 32),
    ("exists_one", Some(Receiver::Either), [3, 3], Macro::ExistsOne, 32),
    ("transformList", Some(Receiver::Either), [3, 4], Macro::TransformList, 32),
    ("transformMap", Some(Receiver::Either), [3, 4], Macro::TransformMap, 32),
    ("transformMapEntry", Some(Receiver::Either), [3, 4], Macro::TransformMapEntry, 32),
    ("sortBy", Some(Receiver::List), [2, 2], Macro::SortBy, 34),
];

/// The macro with a name and number of arguments, called on a target or not, and the version in which it was added.
fn find(function: &str, member: bool, args: usize) -> Option<(Macro, u16)> {
    let matches = |(name, on, [least, most], _, _): &&Row| {
        *name == function && on.is_some() == member && (*least..=*most).contains(&args)
    };
    MACROS.iter().find(matches).map(|(_, _, _, found, since)| (*found, *since))
}

/// The names of the macros that are called on a value, or of those that are called on none.
pub(crate) fn names(on: Option<Receiver>, kube: Kube) -> Vec<&'static str> {
    let fits = |receiver: Option<Receiver>| match (receiver, on) {
        (Some(Receiver::Either), Some(on)) => on != Receiver::Optional,
        (Some(_), Some(Receiver::Any)) => true,
        (receiver, on) => receiver == on,
    };
    let mut names: Vec<&str> = Vec::new();
    for (name, receiver, _, _, since) in MACROS {
        if fits(receiver) && since <= kube.minor && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The names of all macros of a version.
pub(crate) fn all(kube: Kube) -> impl Iterator<Item = &'static str> {
    MACROS.into_iter().filter(move |(_, _, _, _, since)| *since <= kube.minor).map(|(name, ..)| name)
}

/// The expanded macro, or the error in its arguments with its place.
type Expanded = Result<ExprId, (ExprId, String)>;

/// Expands a call if it calls a macro.
pub(super) fn expand(
    b: &mut Builder<'_>,
    at: u32,
    function: &str,
    target: Option<ExprId>,
    args: &[ExprId],
) -> Built<Option<ExprId>> {
    let is_of_cel = |id: ExprId| matches!(b.ast.expr(id), Expr::Ident(name) if name == "cel");
    let is_bind = b.kube.has_bindings() && (function, args.len()) == ("bind", 3);
    let found = match target.filter(|target| is_bind && is_of_cel(*target)) {
        Some(_) => Some((Macro::Bind, 0)),
        None => find(function, target.is_some(), args.len()),
    };
    let Some((which, since)) = found else { return Ok(None) };
    if since > b.kube.minor {
        return Ok(None);
    }
    let mut x = Expander { b, at };
    let expanded = match (which, target) {
        (Macro::Bind, _) => x.bind_name(args),
        (Macro::Has, _) | (_, None) => x.has(args[0]),
        (Macro::All | Macro::Exists | Macro::ExistsOne, Some(target)) => x.quantifier(which, target, args),
        (Macro::Map | Macro::Filter, Some(target)) => x.map(which, target, args),
        (Macro::OptMap | Macro::OptFlatMap, Some(target)) => x.opt_map(which, target, args),
        (Macro::SortBy, Some(target)) => x.sort_by(target, args),
        (Macro::TransformList | Macro::TransformMap | Macro::TransformMapEntry, Some(target)) => {
            x.transform(which, target, args)
        }
    };
    let expanded = expanded.unwrap_or_else(|(id, message)| {
        let at = b.ast.offset(id);
        b.error(at, IssueKind::Macro(function.to_owned()), message)
    });
    b.check_size()?;
    Ok(Some(expanded))
}

/// Creates nodes at the place of the macro call.
struct Expander<'b, 'a> {
    b: &'b mut Builder<'a>,
    at: u32,
}

/// What a loop is over, and the names of its variables.
struct Loop {
    range: ExprId,
    var: Name,
    var2: Option<Name>,
}

impl Expander<'_, '_> {
    fn add(&mut self, expr: Expr) -> ExprId {
        self.b.ast.add(self.at, expr)
    }

    fn literal(&mut self, literal: Literal) -> ExprId {
        self.add(Expr::Literal(literal))
    }

    fn ident(&mut self, name: Name) -> ExprId {
        self.add(Expr::Ident(name))
    }

    fn accu(&mut self) -> ExprId {
        self.ident(ACCUMULATOR.into())
    }

    fn list(&mut self, elements: &[ExprId]) -> ExprId {
        self.add(Expr::List { elements: elements.into(), optional: Box::new([]) })
    }

    fn call(&mut self, function: &'static str, args: &[ExprId]) -> ExprId {
        self.b.call(self.at, function, args)
    }

    fn member(&mut self, function: &'static str, target: ExprId, args: &[ExprId]) -> ExprId {
        self.add(Expr::Call { function: function.into(), target: Some(target), args: args.into() })
    }

    fn comprehension(&mut self, c: Comprehension) -> ExprId {
        self.add(Expr::Comprehension(Box::new(c)))
    }

    fn name(&self, id: ExprId) -> Option<Name> {
        if let Expr::Ident(name) = self.b.ast.expr(id) { Some(name.clone()) } else { None }
    }

    fn variable(&self, id: ExprId, otherwise: &str) -> Result<Name, (ExprId, String)> {
        let name = self.name(id).ok_or_else(|| (id, otherwise.to_owned()))?;
        self.not_accumulator(id, name)
    }

    fn not_accumulator(&self, id: ExprId, name: Name) -> Result<Name, (ExprId, String)> {
        if name == ACCUMULATOR || name == OLD_ACCUMULATOR {
            return Err((id, "iteration variable overwrites accumulator variable".to_owned()));
        }
        Ok(name)
    }

    /// The names of two loop variables.
    fn variables(&self, args: &[ExprId]) -> Result<(Name, Name), (ExprId, String)> {
        let simple = |id| self.name(id).ok_or_else(|| (id, "argument must be a simple name".to_owned()));
        let (first, second) = (simple(args[0])?, simple(args[1])?);
        if first == second {
            return Err((args[1], format!("duplicate variable name: {first}")));
        }
        Ok((self.not_accumulator(args[0], first)?, self.not_accumulator(args[1], second)?))
    }

    fn has(&mut self, arg: ExprId) -> Expanded {
        match self.b.ast.expr(arg) {
            Expr::Select { operand, field, test_only: _ } => {
                let (operand, field) = (*operand, field.clone());
                Ok(self.add(Expr::Select { operand, field, test_only: true }))
            }
            _ => Err((arg, "invalid argument to has() macro".to_owned())),
        }
    }

    fn quantifier(&mut self, which: Macro, range: ExprId, args: &[ExprId]) -> Expanded {
        let (var, var2, predicate) = match args {
            [var, predicate] => (self.variable(*var, "argument must be a simple name")?, None, *predicate),
            _ => {
                let (var, var2) = self.variables(args)?;
                (var, Some(var2), args[2])
            }
        };
        let (init, condition, step, result);
        if which == Macro::ExistsOne {
            init = self.literal(Literal::Int(0));
            condition = self.literal(Literal::Bool(true));
            let (accu, one) = (self.accu(), self.literal(Literal::Int(1)));
            let more = self.call(ops::ADD, &[accu, one]);
            let same = self.accu();
            step = self.call(ops::CONDITIONAL, &[predicate, more, same]);
            let (accu, one) = (self.accu(), self.literal(Literal::Int(1)));
            result = self.call(ops::EQUALS, &[accu, one]);
        } else {
            let all = which == Macro::All;
            init = self.literal(Literal::Bool(all));
            let accu = self.accu();
            let open = if all { accu } else { self.call(ops::NOT, &[accu]) };
            condition = self.call(ops::NOT_STRICTLY_FALSE, &[open]);
            let accu = self.accu();
            step = self.call(if all { ops::AND } else { ops::OR }, &[accu, predicate]);
            result = self.accu();
        }
        let accu = ACCUMULATOR.into();
        Ok(self.comprehension(Comprehension { range, var, var2, accu, init, condition, step, result }))
    }

    fn map(&mut self, which: Macro, range: ExprId, args: &[ExprId]) -> Expanded {
        let var = self.variable(args[0], "argument is not an identifier")?;
        let (filter, element) = match (which, args) {
            (Macro::Filter, _) => (Some(args[1]), args[0]),
            (_, [_, filter, element]) => (Some(*filter), *element),
            _ => (None, args[1]),
        };
        let init = self.list(&[]);
        let step = self.append(element);
        Ok(self.collect(Loop { range, var, var2: None }, init, filter, step))
    }

    /// The accumulator with one more element.
    fn append(&mut self, element: ExprId) -> ExprId {
        let accu = self.accu();
        let element = self.list(&[element]);
        self.call(ops::ADD, &[accu, element])
    }

    /// A loop that adds something to the accumulator if the filter is true.
    fn collect(&mut self, over: Loop, init: ExprId, filter: Option<ExprId>, mut step: ExprId) -> ExprId {
        let Loop { range, var, var2 } = over;
        let condition = self.literal(Literal::Bool(true));
        if let Some(filter) = filter {
            let same = self.accu();
            step = self.call(ops::CONDITIONAL, &[filter, step, same]);
        }
        let result = self.accu();
        let accu = ACCUMULATOR.into();
        self.comprehension(Comprehension { range, var, var2, accu, init, condition, step, result })
    }

    fn transform(&mut self, which: Macro, range: ExprId, args: &[ExprId]) -> Expanded {
        let (var, var2) = self.variables(args)?;
        let (filter, value) = match args {
            [_, _, filter, value] => (Some(*filter), *value),
            _ => (None, args[2]),
        };
        let (init, step);
        if which == Macro::TransformList {
            init = self.list(&[]);
            step = self.append(value);
        } else {
            init = self.add(Expr::Map(Box::new([])));
            let accu = self.accu();
            step = if which == Macro::TransformMap {
                let key = self.ident(var.clone());
                self.call(ops::MAP_INSERT, &[accu, key, value])
            } else {
                self.call(ops::MAP_INSERT, &[accu, value])
            };
        }
        Ok(self.collect(Loop { range, var, var2: Some(var2) }, init, filter, step))
    }

    /// Binds a value to a name: a loop over an empty list.
    fn bind(&mut self, name: Name, init: ExprId, result: ExprId) -> ExprId {
        let range = self.list(&[]);
        let condition = self.literal(Literal::Bool(false));
        let step = self.ident(name.clone());
        let (var, accu) = (UNUSED.into(), name);
        self.comprehension(Comprehension { range, var, var2: None, accu, init, condition, step, result })
    }

    /// Binds a value to the name that the first argument is.
    fn bind_name(&mut self, args: &[ExprId]) -> Expanded {
        let why = "cel.bind() variable names must be simple identifiers";
        let name = self.name(args[0]).ok_or_else(|| (args[0], why.to_owned()))?;
        Ok(self.bind(name, args[1], args[2]))
    }

    fn opt_map(&mut self, which: Macro, target: ExprId, args: &[ExprId]) -> Expanded {
        let function = if which == Macro::OptMap { "optMap" } else { "optFlatMap" };
        let Some(name) = self.name(args[0]) else {
            return Err((args[0], format!("{function}() variable name must be a simple identifier")));
        };
        let there = self.member("hasValue", target, &[]);
        let copy = self.copy(target);
        let value = self.member("value", copy, &[]);
        let mut mapped = self.bind(name, value, args[1]);
        if which == Macro::OptMap {
            mapped = self.call("optional.of", &[mapped]);
        }
        let none = self.call("optional.none", &[]);
        Ok(self.call(ops::CONDITIONAL, &[there, mapped, none]))
    }

    fn sort_by(&mut self, target: ExprId, args: &[ExprId]) -> Expanded {
        match self.b.ast.expr(target) {
            Expr::List { .. }
            | Expr::Select { .. }
            | Expr::Ident(_)
            | Expr::Comprehension(_)
            | Expr::Call { .. } => {}
            Expr::Unspecified | Expr::Literal(_) | Expr::Map(_) | Expr::Struct { .. } => {
                let message = "sortBy can only be applied to a list, identifier, comprehension, call or \
                               select expression";
                return Err((target, message.to_owned()));
            }
        }
        let input = self.ident(SORT_INPUT.into());
        let keys = self.map(Macro::Map, input, args)?;
        let input = self.ident(SORT_INPUT.into());
        let sorted = self.member(ops::SORT_BY_KEYS, input, &[keys]);
        Ok(self.bind(SORT_INPUT.into(), target, sorted))
    }

    /// Copies an expression, with the same places.
    fn copy(&mut self, id: ExprId) -> ExprId {
        if self.b.check_size().is_err() {
            return id;
        }
        let expr = match self.b.ast.expr(id).clone() {
            e @ (Expr::Unspecified | Expr::Literal(_) | Expr::Ident(_)) => e,
            Expr::Select { operand, field, test_only } => {
                Expr::Select { operand: self.copy(operand), field, test_only }
            }
            Expr::Call { function, target, args } => Expr::Call {
                function,
                target: target.map(|t| self.copy(t)),
                args: args.iter().map(|a| self.copy(*a)).collect(),
            },
            Expr::List { elements, optional } => {
                Expr::List { elements: elements.iter().map(|e| self.copy(*e)).collect(), optional }
            }
            Expr::Map(entries) => Expr::Map(
                entries
                    .iter()
                    .map(|e| Entry { key: self.copy(e.key), value: self.copy(e.value), optional: e.optional })
                    .collect(),
            ),
            Expr::Struct { name, fields } => Expr::Struct {
                name,
                fields: fields.iter().map(|f| Field { value: self.copy(f.value), ..f.clone() }).collect(),
            },
            Expr::Comprehension(c) => Expr::Comprehension(Box::new(Comprehension {
                range: self.copy(c.range),
                init: self.copy(c.init),
                condition: self.copy(c.condition),
                step: self.copy(c.step),
                result: self.copy(c.result),
                ..*c
            })),
        };
        let at = self.b.ast.offset(id);
        self.b.ast.add(at, expr)
    }
}
