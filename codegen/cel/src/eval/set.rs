//! Constant lists in `x in [1, 2]`.

use std::collections::BTreeMap;

use crate::value::{Error, Key, List, Map, Val, Work};

/// A constant list, with its elements as keys, so that a search does not compare each of them.
#[derive(Debug)]
pub(super) struct Set {
    list: Val<'static>,
    keys: Map<'static>,
}

impl Set {
    /// The set of a list, if all of its elements are numbers, booleans or texts.
    pub(super) fn of(list: List<'static>) -> Option<Set> {
        let work = Work::default();
        let mut keys = BTreeMap::new();
        for item in list.iter() {
            let item = item.ok().filter(is_primitive)?;
            if !is_nan(&item) {
                keys.insert(Key::of(&item, &work).ok()?, Val::Null);
            }
        }
        Some(Set { list: Val::List(list), keys: Map::own(keys) })
    }

    /// Whether an element equals this value.
    pub(super) fn contains<'a>(&'a self, value: &Val<'a>, work: &Work) -> Result<bool, Error> {
        match value {
            value if is_nan(value) => Ok(false),
            value if is_primitive(value) => {
                let keys: &Map<'a> = &self.keys;
                Ok(keys.find(value, work)?.is_some())
            }
            value => {
                let list: &Val<'a> = &self.list;
                list.contains(value, work)
            }
        }
    }
}

/// NaN equals nothing.
fn is_nan(value: &Val<'_>) -> bool {
    matches!(value, Val::Double(d) if d.is_nan())
}

fn is_primitive(value: &Val<'_>) -> bool {
    matches!(value, Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::Str(_))
}
