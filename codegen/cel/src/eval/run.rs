//! Runs programs.

use crate::ast::Connective;
use crate::library::{Cost, MOST_ARGS};
use crate::value::{Error, ErrorKind, Key, Opaque, Outcome, Val, Work};

use super::cost::{self, Meter};
use super::{
    Attr, Call, Evaluation, Global, Limits, Operator, Program, ProgramNode, Regex, RegexKind, calls,
};
use crate::funcs;

pub(super) fn run<'a>(
    program: &'a Program,
    globals: &[Option<Outcome<'a>>],
    limits: Limits,
) -> Evaluation<'a> {
    let first = |i: usize| match (globals.get(i), program.globals.get(i)) {
        (Some(Some(value)), Some(_)) => value.clone(),
        (_, Some(Global { name, used: true })) => Err(Error::new(format!("no such attribute(s): {name}"))),
        (_, Some(Global { name: _, used: false }) | None) => Ok(Val::Null),
    };
    let slots = match program.slots {
        0..=FEW => Slots::Few(std::array::from_fn(first)),
        many => Slots::Many((0..many).map(first).collect()),
    };
    let (meter, work) = (Meter::new(limits.cost), Work::new(limits.steps).with_behavior(program.behavior));
    let mut cx = Cx { slots, meter, work, patterns: calls::Patterns::default() };
    let value = cx.node(&program.root);
    // The server reports that a cost limit is exceeded.
    let value = match value {
        Err(e) if e.kind() == ErrorKind::CostLimit => Err(e),
        value => cx.work.check().and(value),
    };
    Evaluation { value, cost: cx.meter.spent, steps: limits.steps - cx.work.left() }
}

/// Programs with at most this many variables need no heap memory for them.
const FEW: usize = 4;

pub(super) enum Slots<'a> {
    Few([Outcome<'a>; FEW]),
    Many(Vec<Outcome<'a>>),
}

impl<'a> std::ops::Deref for Slots<'a> {
    type Target = [Outcome<'a>];

    fn deref(&self) -> &[Outcome<'a>] {
        match self {
            Slots::Few(slots) => slots,
            Slots::Many(slots) => slots,
        }
    }
}

impl std::ops::DerefMut for Slots<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Slots::Few(slots) => slots,
            Slots::Many(slots) => slots,
        }
    }
}

/// The state of a run. Literals, selections and loops are in other modules.
pub(super) struct Cx<'a> {
    pub(super) slots: Slots<'a>,
    pub(super) meter: Meter,
    pub(super) work: Work,
    patterns: calls::Patterns,
}

impl<'a> Cx<'a> {
    pub(super) fn node(&mut self, node: &'a ProgramNode) -> Outcome<'a> {
        self.work.steps(1)?;
        let value = self.any_node(node);
        match &value {
            Ok(Val::Opaque(Opaque::Error(error))) => return Err((**error).clone()),
            Ok(nested @ (Val::List(_) | Val::Map(_) | Val::Optional(_) | Val::Opaque(_))) => {
                self.work.nested(nested)?;
            }
            Ok(_) | Err(_) => {}
        }
        value
    }

    /// The value of a node. It may have the wrong type.
    fn any_node(&mut self, node: &'a ProgramNode) -> Outcome<'a> {
        match node {
            ProgramNode::Const(value) => Ok(value.borrowed()),
            ProgramNode::Attr { attr, test: false } => {
                let value = self.resolve(attr).fatal()?;
                if !matches!(attr, Attr::Choice { .. }) {
                    self.meter.spend(1)?;
                }
                value
            }
            ProgramNode::Attr { attr, test: true } => Ok(match self.test(attr)? {
                Val::Optional(found) => Val::Bool(found.is_some()),
                value => value,
            }),
            ProgramNode::And(terms) => self.logic(terms, Connective::And),
            ProgramNode::Or(terms) => self.logic(terms, Connective::Or),
            ProgramNode::Equal { sides, negated } => {
                let left = self.node(&sides[0]).fatal()?;
                if left.is_err() && self.stops_at_errors() {
                    self.meter.spend(1)?;
                    return left;
                }
                let right = self.node(&sides[1]).fatal()?;
                self.meter.spend(cost::equality(&left, &right, *negated, &self.work)?)?;
                match left?.equals(&right?, &self.work) {
                    Ok(equal) => Ok(Val::Bool(equal != *negated)),
                    // Values that cannot be compared are an error for `==`, and unequal for `!=`.
                    Err(e) if *negated && !e.is_fatal() => Ok(Val::Bool(true)),
                    Err(e) => Err(e),
                }
            }
            ProgramNode::Operator { operator, args, cost } => self.operator(*operator, args, *cost),
            ProgramNode::InSet { value, set } => {
                let value = self.node(value)?;
                if matches!(value, Val::Bytes(_) | Val::Opaque(_)) {
                    Key::of(&value, &self.work)?;
                }
                set.contains(&value, &self.work).map(Val::Bool)
            }
            ProgramNode::Call(call) => self.call(call),
            ProgramNode::Regex(regex) => self.regex(regex),
            ProgramNode::OrElse { sides, value } => match self.node(&sides[0])? {
                Val::Optional(Some(inner)) if *value => Ok((*inner).clone()),
                some @ Val::Optional(Some(_)) => Ok(some),
                Val::Optional(None) => self.node(&sides[1]),
                _ => Err(Error::NO_OVERLOAD),
            },
            ProgramNode::List(elements) => self.list(elements),
            ProgramNode::Map(entries) => self.map(entries),
            ProgramNode::Message { name, fields } => {
                let made = match self.fields(fields).fatal()? {
                    Ok(values) => funcs::make(name, &values, &self.work).fatal()?,
                    Err(e) if self.stops_at_errors() => return Err(e),
                    Err(e) => Err(e),
                };
                self.meter.spend(cost::MESSAGE)?;
                made
            }
            ProgramNode::Fold(fold) => self.fold(fold),
            ProgramNode::Append { slot, elements, constant } => self.append(*slot, elements, *constant),
            ProgramNode::Insert { slot, entry } => self.insert(*slot, entry),
            ProgramNode::Invalid(why) => Err(why.clone()),
        }
    }

    // Logic and operators

    /// `&&` or `||`: the deciding value on either side hides errors on the other.
    fn logic(&mut self, terms: &'a [ProgramNode], connective: Connective) -> Outcome<'a> {
        let wins = connective.deciding();
        let mut error = None;
        for term in terms {
            match self.node(term) {
                Ok(Val::Bool(value)) if value == wins => return Ok(Val::Bool(wins)),
                Ok(Val::Bool(_)) => {}
                Ok(_) => error = error.or(Some(Error::NO_OVERLOAD)),
                Err(e) if e.is_fatal() => return Err(e),
                Err(e) => error = error.or(Some(e)),
            }
        }
        error.map_or(Ok(Val::Bool(!wins)), Err)
    }

    fn operator(&mut self, operator: Operator, args: &'a [ProgramNode], cost: Cost) -> Outcome<'a> {
        match args {
            [arg] => {
                // These cost something even if their argument is an error.
                let value = match matches!(operator, Operator::Not | Operator::NotStrictlyFalse) {
                    true => self.node(arg).fatal()?,
                    false => self.arg(arg)?,
                };
                self.meter.spend(1)?;
                match (operator, value) {
                    // An error is not strictly false.
                    (Operator::NotStrictlyFalse, Err(_)) => Ok(Val::Bool(true)),
                    (operator, value) => operator.apply(&[value?], &self.work),
                }
            }
            [left, right] => {
                let sides = [self.arg(left)?, self.arg(right)?];
                let price = match cost {
                    Cost::Unit => 1,
                    cost => cost.actual(&sides, &Ok(Val::Null), &self.work)?,
                };
                if price > 1 {
                    self.meter.foresee(price)?;
                }
                let result = match sides {
                    [Ok(left), Ok(right)] => operator.apply(&[left, right], &self.work),
                    [Err(e), _] | [_, Err(e)] => Err(e),
                };
                self.paid(price, result)
            }
            _ => Err(Error::NO_OVERLOAD),
        }
    }

    // Calls

    pub(super) fn stops_at_errors(&self) -> bool {
        self.work.behavior().stops_at_errors()
    }

    /// An argument. If its error is the result of the call at once, the call ends with it.
    pub(super) fn arg(&mut self, arg: &'a ProgramNode) -> Result<Outcome<'a>, Error> {
        let value = self.node(arg).fatal()?;
        if self.stops_at_errors() { Ok(Ok(value?)) } else { Ok(value) }
    }

    /// The arguments and their number. Evaluation stops at the first error, unless `all` are needed. A few arguments
    /// need no heap memory.
    fn args<const N: usize>(
        &mut self,
        args: &'a [ProgramNode],
        all: bool,
    ) -> Result<([Outcome<'a>; N], usize), Error> {
        let mut values = [const { Ok(Val::Null) }; N];
        let mut count = 0;
        for (arg, place) in args.iter().zip(&mut values) {
            *place = self.arg(arg)?;
            count += 1;
            if place.is_err() && !all {
                break;
            }
        }
        Ok((values, count))
    }

    fn call(&mut self, call: &'a Call) -> Outcome<'a> {
        match call.args.len() {
            0 | 1 => self.call_of::<1>(call),
            2 => self.call_of::<2>(call),
            3 => self.call_of::<3>(call),
            _ => self.call_of::<MOST_ARGS>(call),
        }
    }

    fn call_of<const N: usize>(&mut self, call: &'a Call) -> Outcome<'a> {
        let (args, count) = self.args::<N>(&call.args, call.both)?;
        let complete = count == call.args.len();
        let args = &args[..count];
        // The server calls the function first. The result is the same, but the call may take long.
        let known = if complete && call.cost != Cost::Unit && !call.cost.needs_result() {
            call.cost.crash(args)?;
            let price = call.cost.actual(args, &Ok(Val::Null), &self.work)?;
            self.meter.foresee(price)?;
            Some(price)
        } else {
            None
        };
        let result = match args.iter().find_map(|arg| arg.as_ref().err()) {
            Some(e) => Err(e.clone()),
            None => {
                let mut values = [const { Val::Null }; N];
                for (value, arg) in values.iter_mut().zip(args) {
                    if let Ok(arg) = arg {
                        value.clone_from(arg);
                    }
                }
                calls::call(call, &values[..count], &self.work)
            }
        };
        // A call whose arguments were not all evaluated costs nothing.
        if !complete {
            return result;
        }
        let price = match known {
            Some(price) => price,
            None => {
                call.cost.crash(args)?;
                call.cost.actual(args, &result, &self.work)?
            }
        };
        self.paid(price, result)
    }

    /// Counts the cost of a result. The server counts it after the call, so it does not if the call crashes.
    fn paid(&mut self, price: u64, result: Outcome<'a>) -> Outcome<'a> {
        let is_crash = matches!(&result, Err(e) if e.kind() == ErrorKind::Crash);
        if !is_crash {
            self.meter.spend(price)?;
        }
        result
    }

    fn regex(&mut self, regex: &'a Regex) -> Outcome<'a> {
        let both = regex.pattern.is_none() && regex.args.len() == 2;
        let (args, count) = self.args::<3>(&regex.args, both)?;
        let args = &args[..count];
        if count == regex.args.len() {
            self.meter.spend(regex.cost.actual(args, &Ok(Val::Null), &self.work)?)?;
        }
        let mut values = [const { Val::Null }; 3];
        for (value, arg) in values.iter_mut().zip(args) {
            *value = arg.clone()?;
        }
        let values = &values[..count];
        let limit = values.get(2);
        if let Some(pattern) = &regex.pattern {
            return calls::regex(regex.kind, pattern, &values[0], limit, &self.work);
        }
        let (text, pattern) = match values {
            [text @ Val::Str(_), Val::Str(pattern), ..] if matches!(limit, None | Some(Val::Int(_))) => {
                (text, pattern)
            }
            [Val::Str(_), ..] | [_, ..] if regex.kind == RegexKind::Matches => {
                let method = matches!(values[0], Val::Str(_) | Val::Duration(_) | Val::Timestamp(_));
                return Err(if method {
                    Error::NO_OVERLOAD
                } else {
                    Error::no_overload("no such overload: matches")
                });
            }
            values => {
                let name = if regex.kind == RegexKind::Find { "find" } else { "findAll" };
                let types: Vec<_> = values.iter().map(Val::type_name).collect();
                return Err(Error::no_overload_of(format_args!("{name}({})", types.join(", "))));
            }
        };
        match self.patterns.get(pattern) {
            Ok(pattern) => calls::regex(regex.kind, &pattern, text, limit, &self.work),
            Err(e) if regex.kind == RegexKind::Matches => Err(Error::new(e.to_string())),
            Err(e) => Err(Error::new(format!("Illegal regex: {e}"))),
        }
    }
}

/// Separates fatal errors from errors that are values.
pub(super) trait Fatal: Sized {
    fn fatal(self) -> Result<Self, Error>;
}

impl<T> Fatal for Result<T, Error> {
    fn fatal(self) -> Result<Self, Error> {
        match self {
            Err(e) if e.is_fatal() => Err(e),
            other => Ok(other),
        }
    }
}
