//! What a patch makes of an object, as messages show it: the library that patches decodes only what it changes, and sorts the
//! fields of that. All others have the order of Go's fields.

use crdgen_core::apply::FieldType;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeMap;

/// The parts of an object that a patch has decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decoded(BTreeMap<String, Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// It was there before.
    Old(Decoded),
    /// It is a value of the patch.
    New,
}

impl Decoded {
    /// What a merge patch decodes.
    pub(super) fn by_merge(object: &Value, patch: &Value) -> Decoded {
        let part = |(name, change): (&str, &Value)| {
            let part = match (object.get(name), change) {
                (Some(old @ Value::Map(_)), Value::Map(_)) => Part::Old(Decoded::by_merge(old, change)),
                _ => Part::New,
            };
            (name.to_owned(), part)
        };
        Decoded(patch.as_map().into_iter().flat_map(Map::iter).map(part).collect())
    }

    /// What the steps of a JSON patch decode.
    pub(super) fn by_steps(steps: &Value) -> Decoded {
        let mut out = Decoded::default();
        for step in steps.as_list().unwrap_or_default() {
            let paths = ["path", "from"].iter().filter_map(|name| step.get(name).and_then(Value::as_str));
            for path in paths {
                let names: Vec<String> =
                    path.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
                out.open(&names);
            }
        }
        out
    }

    fn open(&mut self, path: &[String]) {
        match path {
            [] => {}
            [last] => drop(self.0.insert(last.clone(), Part::New)),
            [first, rest @ ..] => {
                let part = self.0.entry(first.clone()).or_insert_with(|| Part::Old(Decoded::default()));
                if let Part::Old(decoded) = part {
                    decoded.open(rest);
                }
            }
        }
    }

    /// The object of a type, as JSON.
    pub(super) fn shown(&self, object: &Value, of: Option<FieldType>) -> String {
        part(object, of, self)
    }
}

fn part(value: &Value, of: Option<FieldType>, decoded: &Decoded) -> String {
    let below = |name: &str, value: &Value, of: Option<FieldType>| match (decoded.0.get(name), of) {
        (Some(Part::Old(decoded)), of) => part(value, of, decoded),
        (None, Some(of)) => of.json(value),
        (Some(Part::New), _) | (None, None) => json::to_string(value),
    };
    match (value, of) {
        (Value::Map(members), Some(of)) => {
            let texts: Vec<(&str, String)> =
                members.iter().map(|(name, member)| (name, below(name, member, of.field(name)))).collect();
            let mut out = String::new();
            json::write_members(texts.iter().map(|(name, text)| (*name, text.as_str())), &mut out);
            out
        }
        (Value::List(items), Some(of)) => {
            let items = items.iter().enumerate();
            json::list(items.map(|(i, item)| below(&i.to_string(), item, of.item())))
        }
        (value, _) => json::to_string(value),
    }
}
