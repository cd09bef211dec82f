//! Evaluates literals: lists, maps and messages.

use std::collections::BTreeMap;

use crate::value::{Error, Key, Map, Outcome, Val};

use super::run::{Cx, Fatal};
use super::{ProgramNode, cost};

impl<'a> Cx<'a> {
    pub(super) fn list(&mut self, elements: &'a [(ProgramNode, bool)]) -> Outcome<'a> {
        self.work.items(elements.len())?;
        let mut items = Vec::with_capacity(elements.len());
        let mut failed = None;
        for (element, optional) in elements {
            match (self.node(element).fatal()?, optional) {
                (Err(e), _) => failed = Some(e),
                (Ok(Val::Optional(None)), true) => {}
                (Ok(Val::Optional(Some(value))), true) => items.push((*value).clone()),
                (Ok(value), true) => {
                    let why = "cannot initialize optional list element from non-optional value";
                    failed = Some(Error::new(format!("{why} {}", self.work.show(&value)?)));
                }
                (Ok(value), false) => items.push(value),
            }
            if failed.is_some() {
                break;
            }
        }
        if failed.is_none() || !self.stops_at_errors() {
            self.meter.spend(cost::LIST)?;
        }
        failed.map_or(Ok(Val::list(items)), Err)
    }

    pub(super) fn map(&mut self, entries: &'a [(ProgramNode, ProgramNode, bool)]) -> Outcome<'a> {
        let mut out = BTreeMap::new();
        let made = self.entries(entries, &mut out).fatal()?;
        if made.is_ok() || !self.stops_at_errors() {
            self.meter.spend(cost::MAP)?;
        }
        made.map(|()| Val::Map(Map::own(out)))
    }

    fn entries(
        &mut self,
        entries: &'a [(ProgramNode, ProgramNode, bool)],
        out: &mut BTreeMap<Key<'a>, Val<'a>>,
    ) -> Result<(), Error> {
        for (key, value, optional) in entries {
            self.work.entry()?;
            let key_value = self.node(key)?;
            let value = self.node(value)?;
            let key = Key::of(&key_value, &self.work)?;
            match (value, optional) {
                (Val::Optional(None), true) => {
                    out.remove(&key);
                }
                (Val::Optional(Some(value)), true) => {
                    out.insert(key, (*value).clone());
                }
                (value, true) => {
                    let (key, value) = (self.work.show(&key_value)?, self.work.show(&value)?);
                    let why =
                        format!("cannot initialize optional entry '{key}' from non-optional value {value}");
                    return Err(Error::new(why));
                }
                (value, false) => {
                    out.insert(key, value);
                }
            }
        }
        Ok(())
    }

    /// The fields of a message.
    pub(super) fn fields(
        &mut self,
        fields: &'a [(Box<str>, ProgramNode, bool)],
    ) -> Result<Vec<(&'a str, Val<'a>)>, Error> {
        let mut values = Vec::with_capacity(fields.len());
        for (field, value, optional) in fields {
            let field = &**field;
            match (self.node(value)?, optional) {
                (Val::Optional(None), true) => values.retain(|(name, _)| *name != field),
                (Val::Optional(Some(value)), true) => values.push((field, (*value).clone())),
                (value, true) => {
                    let why = format!("cannot initialize optional entry '{field}' from non-optional value");
                    return Err(Error::new(format!("{why} {}", self.work.show(&value)?)));
                }
                (value, false) => values.push((field, value)),
            }
        }
        Ok(values)
    }
}
