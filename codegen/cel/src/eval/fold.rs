//! Runs comprehensions.

use crate::funcs::arithmetic;
use crate::value::{Error, Outcome, Val};

use super::run::{Cx, Fatal};
use super::select::go_type;
use super::{Fold, ProgramNode, Quantifier, cost};

impl<'a> Cx<'a> {
    pub(super) fn fold(&mut self, fold: &'a Fold) -> Outcome<'a> {
        let range = self.node(&fold.range)?;
        // The server computes the initial accumulator when it is first read. Nothing reads it before the loop begins,
        // and the cost is the same.
        self.slots[fold.accu] = Ok(Val::Null);
        let init = self.node(&fold.init).fatal()?;
        self.slots[fold.accu] = init;
        match range {
            Val::List(list) => {
                for (i, item) in list.iter().enumerate() {
                    let (first, second) =
                        if fold.two { (Ok(Val::Int(i as i64)), Some(item)) } else { (item, None) };
                    if !self.turn(fold, first, second)? {
                        break;
                    }
                }
            }
            Val::Map(map) if fold.two => {
                self.work.steps(map.len() as u64)?;
                for (key, value) in map.entries() {
                    if !self.turn(fold, Ok(key), Some(value))? {
                        break;
                    }
                }
            }
            Val::Map(map) => {
                self.work.steps(map.len() as u64)?;
                for key in map.keys() {
                    if !self.turn(fold, Ok(key), None)? {
                        break;
                    }
                }
            }
            other => {
                let of = go_type(&other, self.work.behavior());
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

    /// Runs one iteration. Returns false if the loop ends.
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
        if let (Some(quantifier), Ok(Val::Bool(_)), ProgramNode::And(terms) | ProgramNode::Or(terms)) =
            (fold.quantifier, &self.slots[fold.accu], &fold.step)
            && let [_, body] = &terms[..]
        {
            // The accumulator still has its initial value, so the result is that of the body. Reading the accumulator
            // still costs one.
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

    /// Takes the accumulator out of its slot, so that the step is its only owner and can change it.
    fn take(&mut self, slot: usize) -> Outcome<'a> {
        std::mem::replace(&mut self.slots[slot], Ok(Val::Null))
    }

    pub(super) fn append(&mut self, slot: usize, elements: &'a [ProgramNode], constant: bool) -> Outcome<'a> {
        self.meter.spend(1)?;
        let stops = self.stops_at_errors();
        if let Err(e) = &self.slots[slot]
            && stops
        {
            return Err(e.clone());
        }
        // Usually there is one element.
        let (mut first, mut more) = (None, Vec::new());
        let mut failed = None;
        for element in elements {
            match self.node(element).fatal()? {
                Ok(item) if first.is_none() => first = Some(item),
                Ok(item) => more.push(item),
                Err(e) if stops => return Err(e),
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
                for item in items {
                    list.push(item, &self.work)?;
                }
                Ok(Val::List(list))
            }
            other => arithmetic::add(&other, &Val::list(items.collect()), &self.work),
        }
    }

    pub(super) fn insert(&mut self, slot: usize, entry: &'a [ProgramNode; 2]) -> Outcome<'a> {
        self.meter.spend(1)?;
        if let Err(e) = &self.slots[slot] {
            return Err(e.clone());
        }
        let key = self.node(&entry[0])?;
        let value = self.arg(&entry[1])?;
        self.meter.spend(1)?;
        let value = value?;
        match self.take(slot)? {
            Val::Map(mut map) => {
                map.insert(key, value, &self.work)?;
                Ok(Val::Map(map))
            }
            _ => Err(Error::NO_OVERLOAD),
        }
    }
}
