//! Runs programs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::funcs::{self, arithmetic};
use crate::value::{Error, ErrorKind, Key, List, Map, Opaque, Outcome, Shape, ShapeKind, Text, Val};
use crdgen_text::value::{Map as JsonMap, Value};

use super::cost::{self, Meter};
use super::{
    Attr, Call, Evaluation, Fold, Global, Hints, Node, Operator, Program, Qualifier, QualifierKey,
    Quantifier, Regex, RegexKind, calls, operators,
};

pub(super) fn run<'a>(program: &'a Program, globals: &[Option<Outcome<'a>>], limit: u64) -> Evaluation<'a> {
    let first = |i: usize| match (globals.get(i), program.globals.get(i)) {
        (Some(Some(value)), Some(_)) => value.clone(),
        (_, Some(Global { name, used: true })) => Err(Error::new(format!("no such attribute(s): {name}"))),
        (_, Some(Global { name: _, used: false }) | None) => Ok(Val::Null),
    };
    let slots = match program.slots {
        0..=FEW => Slots::Few(std::array::from_fn(first)),
        many => Slots::Many((0..many).map(first).collect()),
    };
    let mut cx = Cx { slots, meter: Meter::new(limit), patterns: calls::Patterns::default() };
    let value = cx.node(&program.root);
    Evaluation { value, cost: cx.meter.spent }
}

/// More arguments no function has.
const MOST_ARGS: usize = 8;

/// Programs with few variables need no memory for them.
const FEW: usize = 4;

enum Slots<'a> {
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

struct Cx<'a> {
    slots: Slots<'a>,
    meter: Meter,
    patterns: calls::Patterns,
}

impl<'a> Cx<'a> {
    fn node(&mut self, node: &'a Node) -> Outcome<'a> {
        self.any_node(node)?.of_its_type()
    }

    /// The value of a node, which can be one of the wrong type.
    fn any_node(&mut self, node: &'a Node) -> Outcome<'a> {
        match node {
            Node::Const(value) => Ok(value.borrowed()),
            Node::Attr { attr, test: false } => {
                let value = self.resolve(attr).fatal()?;
                if !matches!(attr, Attr::Choice { .. }) {
                    self.meter.spend(1)?;
                }
                value
            }
            Node::Attr { attr, test: true } => Ok(match self.test(attr)? {
                Val::Optional(found) => Val::Bool(found.is_some()),
                value => value,
            }),
            Node::And(terms) => self.logic(terms, false),
            Node::Or(terms) => self.logic(terms, true),
            Node::Equal { sides, negated } => {
                let left = self.node(&sides[0]).fatal()?;
                let right = self.node(&sides[1]).fatal()?;
                self.meter.spend(cost::equality(&left, &right, *negated))?;
                let equal = match (left?, right?) {
                    // What cannot be compared is an error for `==` and unequal for `!=`.
                    (left, right) if *negated => !left.equals(&right).unwrap_or(false),
                    (left, right) => left.equals(&right)?,
                };
                Ok(Val::Bool(equal))
            }
            Node::Operator { operator, args, cost } => self.operator(*operator, args, *cost),
            Node::InSet { value, set } => {
                let value = self.node(value)?;
                if matches!(value, Val::Bytes(_) | Val::Opaque(_)) {
                    Key::of(&value)?;
                }
                let set: &Val<'a> = set;
                set.contains(&value).map(Val::Bool)
            }
            Node::Call(call) => self.call(call),
            Node::Regex(regex) => self.regex(regex),
            Node::OrElse { sides, value } => match self.node(&sides[0])? {
                Val::Optional(Some(inner)) if *value => Ok((*inner).clone()),
                some @ Val::Optional(Some(_)) => Ok(some),
                Val::Optional(None) => self.node(&sides[1]),
                _ => Err(Error::NO_OVERLOAD),
            },
            Node::List(elements) => self.list(elements),
            Node::Map(entries) => self.map(entries),
            Node::Message { name, fields } => {
                let made = self.message(name, fields).fatal()?;
                self.meter.spend(cost::MESSAGE)?;
                made
            }
            Node::Fold(fold) => self.fold(fold),
            Node::Append { slot, elements, constant } => self.append(*slot, elements, *constant),
            Node::Insert { slot, entry } => self.insert(*slot, entry),
            Node::Invalid(why) => Err(why.clone()),
        }
    }

    // Logic and operators

    /// `&&` and (`wins`) `||`: the winning value absorbs errors on either side.
    fn logic(&mut self, terms: &'a [Node], wins: bool) -> Outcome<'a> {
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

    fn operator(&mut self, operator: Operator, args: &'a [Node], cost: cost::Cost) -> Outcome<'a> {
        match args {
            [arg] => {
                let value = self.node(arg).fatal()?;
                self.meter.spend(1)?;
                match (operator, value) {
                    // An error is not strictly false.
                    (Operator::NotStrictlyFalse, Err(_)) => Ok(Val::Bool(true)),
                    (operator, value) => operators::apply(operator, &[value?]),
                }
            }
            [left, right] => {
                let left = self.node(left).fatal()?;
                let right = self.node(right).fatal()?;
                let price = match cost {
                    cost::Cost::Unit => 1,
                    cost => cost.actual(&[left.clone(), right.clone()], &Ok(Val::Null)),
                };
                let result = match (left, right) {
                    (Ok(left), Ok(right)) => operators::apply(operator, &[left, right]),
                    (Err(e), _) | (_, Err(e)) => Err(e),
                };
                self.paid(price, result)
            }
            _ => Err(Error::NO_OVERLOAD),
        }
    }

    // Calls

    /// The arguments, up to the first error unless all are wanted, and how many there are. Few need no
    /// memory of their own.
    fn args<const N: usize>(
        &mut self,
        args: &'a [Node],
        all: bool,
    ) -> Result<([Outcome<'a>; N], usize), Error> {
        let mut values = [const { Ok(Val::Null) }; N];
        let mut count = 0;
        for (arg, place) in args.iter().zip(&mut values) {
            *place = self.node(arg).fatal()?;
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
        let result = match args.iter().find_map(|arg| arg.as_ref().err()) {
            Some(e) => Err(e.clone()),
            None => {
                let mut values = [const { Val::Null }; N];
                for (value, arg) in values.iter_mut().zip(args) {
                    if let Ok(arg) = arg {
                        value.clone_from(arg);
                    }
                }
                calls::call(call, &values[..count])
            }
        };
        // A call that did not get all its arguments costs nothing.
        if !complete {
            return result;
        }
        call.cost.crash(args)?;
        let price = call.cost.actual(args, &result);
        self.paid(price, result)
    }

    /// A result, and what it costs; the server counts after the call, and a crash leaves no after.
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
            self.meter.spend(regex.cost.actual(args, &Ok(Val::Null)))?;
        }
        let mut values = [const { Val::Null }; 3];
        for (value, arg) in values.iter_mut().zip(args) {
            *value = arg.clone()?;
        }
        let values = &values[..count];
        let limit = values.get(2);
        if let Some(pattern) = &regex.pattern {
            return calls::regex(regex.kind, pattern, &values[0], limit);
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
            Ok(pattern) => calls::regex(regex.kind, &pattern, text, limit),
            Err(e) if regex.kind == RegexKind::Matches => Err(Error::new(e.to_string())),
            Err(e) => Err(Error::new(format!("Illegal regex: {e}"))),
        }
    }

    // Literals

    fn list(&mut self, elements: &'a [(Node, bool)]) -> Outcome<'a> {
        let mut items = Vec::with_capacity(elements.len());
        let mut failed = None;
        for (element, optional) in elements {
            match (self.node(element).fatal()?, optional) {
                (Err(e), _) => failed = Some(e),
                (Ok(Val::Optional(None)), true) => {}
                (Ok(Val::Optional(Some(value))), true) => items.push((*value).clone()),
                (Ok(value), true) => {
                    let why = "cannot initialize optional list element from non-optional value";
                    failed = Some(Error::new(format!("{why} {value}")));
                }
                (Ok(value), false) => items.push(value),
            }
            if failed.is_some() {
                break;
            }
        }
        self.meter.spend(cost::LIST)?;
        failed.map_or(Ok(Val::list(items)), Err)
    }

    fn map(&mut self, entries: &'a [(Node, Node, bool)]) -> Outcome<'a> {
        let mut out = BTreeMap::new();
        let made = self.entries(entries, &mut out).fatal()?;
        self.meter.spend(cost::MAP)?;
        made.map(|()| Val::Map(Map::own(out)))
    }

    fn entries(
        &mut self,
        entries: &'a [(Node, Node, bool)],
        out: &mut BTreeMap<Key<'a>, Val<'a>>,
    ) -> Result<(), Error> {
        for (key, value, optional) in entries {
            let key_value = self.node(key)?;
            let value = self.node(value)?;
            let key = Key::of(&key_value)?;
            match (value, optional) {
                (Val::Optional(None), true) => {
                    out.remove(&key);
                }
                (Val::Optional(Some(value)), true) => {
                    out.insert(key, (*value).clone());
                }
                (value, true) => {
                    let why =
                        format!("cannot initialize optional entry '{key_value}' from non-optional value");
                    return Err(Error::new(format!("{why} {value}")));
                }
                (value, false) => {
                    out.insert(key, value);
                }
            }
        }
        Ok(())
    }

    fn message(&mut self, name: &str, fields: &'a [(Box<str>, Node, bool)]) -> Outcome<'a> {
        let mut values = Vec::with_capacity(fields.len());
        for (field, value, optional) in fields {
            let field = &**field;
            match (self.node(value)?, optional) {
                (Val::Optional(None), true) => values.retain(|(name, _)| *name != field),
                (Val::Optional(Some(value)), true) => values.push((field, (*value).clone())),
                (value, true) => {
                    let why = format!("cannot initialize optional entry '{field}' from non-optional value");
                    return Err(Error::new(format!("{why} {value}")));
                }
                (value, false) => values.push((field, value)),
            }
        }
        funcs::make(name, &values)
    }

    // Selections

    /// The value of an attribute, without the cost of its last step.
    fn resolve(&mut self, attr: &'a Attr) -> Outcome<'a> {
        match attr {
            Attr::Variable { slot, path } => match &self.slots[*slot] {
                Ok(Val::Map(Map::Json(map, shape))) if !path.is_empty() => {
                    let (map, shape) = (*map, *shape);
                    self.descend(map, shape, path)
                }
                base if path.is_empty() => base.clone(),
                base => {
                    let base = base.clone()?;
                    self.walk(base, path)
                }
            },
            Attr::Value { node, path } if path.is_empty() => self.node(node),
            Attr::Value { node, path } => {
                let base = self.node(node)?;
                self.walk(base, path)
            }
            Attr::Has(attr) => self.test(attr),
            Attr::Choice { condition, sides } => match self.node(condition)? {
                Val::Bool(true) => self.resolve(&sides[0]),
                Val::Bool(false) => self.resolve(&sides[1]),
                _ => Err(Error::NO_OVERLOAD),
            },
        }
    }

    /// Goes down through the object as far as that is a matter of names, without making values of what is
    /// on the way.
    fn descend(
        &mut self,
        mut map: &'a JsonMap<Value>,
        mut shape: &'a Shape,
        path: &'a [Qualifier],
    ) -> Outcome<'a> {
        for (i, step) in path.iter().enumerate() {
            let QualifierKey::Field { name, property, hints } = &step.key else {
                return self.walk(Val::Map(Map::Json(map, shape)), &path[i..]);
            };
            if step.optional {
                return self.walk(Val::Map(Map::Json(map, shape)), &path[i..]);
            }
            let found = member(map, shape, name, property.as_deref(), hints);
            self.meter.spend(1)?;
            let Some((value, of)) = found else {
                return Err(Error::no_key(name));
            };
            match (value, &of.kind) {
                (Value::Map(inner), ShapeKind::Object(_) | ShapeKind::Map(_) | ShapeKind::Opaque) => {
                    (map, shape) = (inner, of);
                }
                _ => {
                    let value = of.adapt(value)?;
                    return if i + 1 == path.len() { Ok(value) } else { self.walk(value, &path[i + 1..]) };
                }
            }
        }
        Ok(Val::Map(Map::Json(map, shape)))
    }

    fn walk(&mut self, base: Val<'a>, path: &'a [Qualifier]) -> Outcome<'a> {
        let (mut value, mut optional) = match base {
            Val::Optional(None) => return Ok(Val::Optional(None)),
            Val::Optional(Some(inner)) => ((*inner).clone().of_its_type()?, true),
            base => (base, false),
        };
        for step in path {
            optional |= step.optional;
            value = match self.step(&value, step, optional)? {
                Some(next) => next,
                None => return Ok(Val::Optional(None)),
            };
        }
        Ok(if optional { Val::some(value) } else { value })
    }

    /// One selection; none if an optional one finds nothing.
    fn step(
        &mut self,
        value: &Val<'a>,
        step: &'a Qualifier,
        optional: bool,
    ) -> Result<Option<Val<'a>>, Error> {
        if let (QualifierKey::Field { name, property, hints }, Val::Map(Map::Json(map, shape))) =
            (&step.key, value)
        {
            let found = member(map, shape, name, property.as_deref(), hints);
            let found = found.map(|(value, of)| of.adapt(value)).transpose();
            if !optional || matches!(found, Ok(Some(_))) {
                self.meter.spend(1)?;
            }
            return match found? {
                None if !optional => Err(Error::no_key(name)),
                found => Ok(found),
            };
        }
        let key = self.key(&step.key).fatal()?;
        if optional {
            let found = find(value, &key?)?;
            if found.is_some() {
                self.meter.spend(1)?;
            }
            return Ok(found);
        }
        self.meter.spend(1)?;
        let key = key?;
        match (find(value, &key)?, value, &key) {
            (Some(found), _, _) => Ok(Some(found)),
            (None, Val::Opaque(Opaque::Message(message)), Val::Str(field)) => Ok(message.unset(field)),
            (None, Val::List(_), _) => Err(Error::new(format!("index out of bounds: {key}"))),
            (None, _, _) => Err(Error::no_key(key)),
        }
    }

    fn key(&mut self, key: &'a QualifierKey) -> Outcome<'a> {
        let value = match key {
            QualifierKey::Field { name, property: _, hints: _ } => return Ok(Val::Str(Text::Ref(name))),
            QualifierKey::Const(value) => return Ok(value.borrowed()),
            QualifierKey::Attr(attr) => self.resolve(attr)?,
            QualifierKey::Node(node) => self.node(node)?,
        };
        qualifying(value)
    }

    /// `has(a.b)`; of an optional the value that was found, as an optional.
    fn test(&mut self, attr: &'a Attr) -> Outcome<'a> {
        // The usual case: a property of a variable.
        if let Attr::Variable { slot, path } = attr
            && let [Qualifier { key: QualifierKey::Field { name, property, hints }, optional: _ }] = &path[..]
            && let Ok(Val::Map(Map::Json(map, shape))) = &self.slots[*slot]
        {
            let found = member(map, shape, name, property.as_deref(), hints);
            let found = found.map_or(Ok(false), |(value, of)| of.adapt(value).map(|_| true));
            self.meter.spend(1)?;
            return found.map(Val::Bool);
        }
        let (base, path) = match attr {
            Attr::Variable { slot, path } => (self.slots[*slot].clone()?, path),
            Attr::Value { node, path } => (self.node(node)?, path),
            Attr::Has(_) => return Err(Error::NO_OVERLOAD),
            Attr::Choice { condition, sides } => {
                return match self.node(condition)? {
                    Val::Bool(true) => self.test(&sides[0]),
                    Val::Bool(false) => self.test(&sides[1]),
                    _ => Err(Error::NO_OVERLOAD),
                };
            }
        };
        let Some((last, before)) = path.split_last() else { return Err(Error::NO_OVERLOAD) };
        let of = match base {
            Val::Map(Map::Json(map, shape)) => self.descend(map, shape, before)?,
            base => self.walk(base, before)?,
        };
        let (value, optional) = match of {
            none @ Val::Optional(None) => return Ok(none),
            Val::Optional(Some(inner)) => ((*inner).clone().of_its_type()?, true),
            value => (value, false),
        };
        let found = match (&last.key, &value) {
            (QualifierKey::Field { name, property, hints }, Val::Map(Map::Json(map, shape))) => {
                match member(map, shape, name, property.as_deref(), hints) {
                    Some((value, of)) => of.adapt(value).map(Some),
                    None => Ok(None),
                }
            }
            (key, value) => find(value, &self.key(key)?),
        };
        if !optional || matches!(found, Ok(Some(_))) {
            self.meter.spend(1)?;
        }
        found.map(|found| match optional {
            true => Val::Optional(found.map(Arc::new)),
            false => Val::Bool(found.is_some()),
        })
    }

    // Loops

    fn fold(&mut self, fold: &'a Fold) -> Outcome<'a> {
        let range = self.node(&fold.range)?;
        // The accumulator's first value is computed when it is first asked for; nothing asks before
        // the loop begins, and the cost is the same.
        self.slots[fold.accu] = Ok(Val::Null);
        let init = self.node(&fold.init).fatal()?;
        self.slots[fold.accu] = init;
        match range {
            Val::List(list) => {
                for i in 0..list.len() {
                    let item = list.at(i);
                    let (first, second) =
                        if fold.two { (Ok(Val::Int(i as i64)), Some(item)) } else { (item, None) };
                    if !self.turn(fold, first, second)? {
                        break;
                    }
                }
            }
            Val::Map(map) if fold.two => {
                for (key, value) in map.entries() {
                    if !self.turn(fold, Ok(key), Some(value))? {
                        break;
                    }
                }
            }
            Val::Map(map) => {
                for key in map.keys() {
                    if !self.turn(fold, Ok(key), None)? {
                        break;
                    }
                }
            }
            other => {
                let of = go_type(&other);
                return Err(Error::new(match fold.two {
                    true => format!("unsupported comprehension range type: {of}"),
                    false => format!("got '{of}', expected iterable type"),
                }));
            }
        }
        if fold.quantifier.is_some() {
            self.meter.spend(1)?;
            return std::mem::replace(&mut self.slots[fold.accu], Ok(Val::Null));
        }
        self.node(&fold.result)
    }

    /// One turn of a loop; false if it was the last.
    fn turn(
        &mut self,
        fold: &'a Fold,
        first: Outcome<'a>,
        second: Option<Outcome<'a>>,
    ) -> Result<bool, Error> {
        self.slots[fold.accu + 1] = first;
        if let Some(second) = second {
            self.slots[fold.accu + 2] = second;
        }
        let stop = match fold.quantifier {
            Some(quantifier) => {
                let all = quantifier == Quantifier::All;
                self.meter.spend(if all { 2 } else { 3 })?;
                matches!(self.slots[fold.accu], Ok(Val::Bool(b)) if b != all)
            }
            None => matches!(self.node(&fold.condition).fatal()?, Ok(Val::Bool(false))),
        };
        if stop {
            return Ok(false);
        }
        if let (Some(quantifier), Ok(Val::Bool(_)), Node::And(terms) | Node::Or(terms)) =
            (fold.quantifier, &self.slots[fold.accu], &fold.step)
            && let [_, body] = &terms[..]
        {
            // The accumulator is what it began with, and so the result is the body's; looking at it costs
            // one all the same.
            self.meter.spend(1)?;
            let wins = quantifier == Quantifier::Exists;
            self.slots[fold.accu] = match self.node(body).fatal()? {
                Ok(Val::Bool(b)) if b == wins => Ok(Val::Bool(b)),
                Ok(Val::Bool(_)) => Ok(Val::Bool(!wins)),
                Ok(_) => Err(Error::NO_OVERLOAD),
                Err(e) => Err(e),
            };
            return Ok(true);
        }
        let next = self.node(&fold.step).fatal()?;
        self.slots[fold.accu] = next;
        Ok(true)
    }

    /// Takes the accumulator out of its place; while it is out, the step is its only owner.
    fn take(&mut self, slot: usize) -> Outcome<'a> {
        std::mem::replace(&mut self.slots[slot], Ok(Val::Null))
    }

    fn append(&mut self, slot: usize, elements: &'a [Node], constant: bool) -> Outcome<'a> {
        self.meter.spend(1)?;
        // Mostly it is one element.
        let (mut first, mut more) = (None, Vec::new());
        let mut failed = None;
        for element in elements {
            match self.node(element).fatal()? {
                Ok(item) if first.is_none() => first = Some(item),
                Ok(item) => more.push(item),
                Err(e) => {
                    failed = Some(e);
                    break;
                }
            }
        }
        self.meter.spend(if constant { 1 } else { cost::LIST + 1 })?;
        let accumulator = self.take(slot)?;
        if let Some(e) = failed {
            return Err(e);
        }
        let items = first.into_iter().chain(more);
        match accumulator {
            Val::List(mut list) => {
                list.push(items)?;
                Ok(Val::List(list))
            }
            other => arithmetic::add(&other, &Val::list(items.collect())),
        }
    }

    fn insert(&mut self, slot: usize, entry: &'a [Node; 2]) -> Outcome<'a> {
        self.meter.spend(1)?;
        if let Err(e) = &self.slots[slot] {
            return Err(e.clone());
        }
        let key = self.node(&entry[0])?;
        let value = self.node(&entry[1]).fatal()?;
        self.meter.spend(1)?;
        let value = value?;
        match self.take(slot)? {
            Val::Map(mut map) => {
                map.insert(key, value)?;
                Ok(Val::Map(map))
            }
            _ => Err(Error::NO_OVERLOAD),
        }
    }
}

/// Errors that end everything, apart from those that are values.
trait Fatal: Sized {
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

/// What a name refers to in the object: a property, or an entry of a map.
fn member<'a>(
    map: &'a JsonMap<Value>,
    shape: &'a Shape,
    name: &str,
    property: Option<&str>,
    hints: &Hints,
) -> Option<(&'a Value, &'a Shape)> {
    match &shape.kind {
        ShapeKind::Object(fields) => {
            let property = property?;
            let value = map.get_near(property, &hints.object).filter(|v| !v.is_null())?;
            Some((value, fields.get_near(property, &hints.shape)?))
        }
        _ => Some((map.get_near(name, &hints.object)?, shape.member(name)?)),
    }
}

/// What is behind a key.
fn find<'a>(value: &Val<'a>, key: &Val<'a>) -> Result<Option<Val<'a>>, Error> {
    match value {
        Val::Map(map) => match key {
            Val::Str(Text::Ref(key)) => map.find_text(key),
            key => map.find(key),
        },
        Val::List(list) => {
            let index = usize::try_from(List::index(key)?).ok().filter(|i| *i < list.len());
            match index {
                Some(_) if list.is_json() && !matches!(key, Val::Int(_)) => {
                    Err(Error::new(format!("unsupported index: {key}")))
                }
                Some(index) => list.at(index).map(Some),
                None => Ok(None),
            }
        }
        Val::Opaque(Opaque::Message(message)) => {
            let field = key.as_str().ok_or(Error::NO_OVERLOAD)?;
            if message.unset(field).is_none() {
                return Err(Error::new(format!("no such field '{field}'")));
            }
            Ok(message.set().into_iter().find(|(name, _)| *name == field).map(|(_, value)| value))
        }
        _ => Ok(None),
    }
}

/// A value as a key or an index, if it can be one.
pub(super) fn qualifying(value: Val<'_>) -> Outcome<'_> {
    match value {
        Val::Str(_) | Val::Int(_) | Val::Uint(_) | Val::Bool(_) | Val::Double(_) => Ok(value),
        other => Err(Error::new(format!("invalid qualifier type: {}", go_type(&other)))),
    }
}

/// The Go type of a value, as messages have it.
fn go_type(value: &Val<'_>) -> &'static str {
    match value {
        Val::Null => "types.Null",
        Val::Bool(_) => "types.Bool",
        Val::Int(_) => "types.Int",
        Val::Uint(_) => "types.Uint",
        Val::Double(_) => "types.Double",
        Val::Str(_) => "types.String",
        Val::Bytes(_) => "types.Bytes",
        Val::Duration(_) => "types.Duration",
        Val::Timestamp(_) => "types.Timestamp",
        Val::List(list) if list.is_json() => "*common.unstructuredList",
        Val::List(_) => "*types.baseList",
        Val::Map(map) if map.is_json() => "*common.unstructuredMap",
        Val::Map(_) => "*types.baseMap",
        Val::Optional(_) => "*types.Optional",
        Val::Type(_) => "*types.Type",
        Val::Opaque(Opaque::Ip(_)) => "cel.IP",
        Val::Opaque(Opaque::Cidr(_)) => "cel.CIDR",
        Val::Opaque(Opaque::Url(_)) => "cel.URL",
        Val::Opaque(Opaque::Quantity { .. }) => "cel.Quantity",
        Val::Opaque(Opaque::Semver(_)) => "cel.Semver",
        Val::Opaque(Opaque::Format(_)) => "cel.Format",
        Val::Opaque(Opaque::Message(_)) => "*types.protoObj",
        Val::Opaque(Opaque::Error(_)) => "*types.Err",
        Val::Preserved(_) => "*common.unknownPreserved",
    }
}
