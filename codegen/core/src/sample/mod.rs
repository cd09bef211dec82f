//! Example objects: the smallest that the server accepts, and one with every field.
//!
//! `make` builds an object from the schema. Rules and junctors can require what no single part of the schema shows,
//! so `repair` changes the object until the server's own checks accept it. Without that it is not an example.

mod make;
pub mod random;
mod repair;

use crate::ir::Crd;
use crate::object::write::{Handler, Part};
use crate::object::{Served, ServedVersion};
use crate::value::{Map, Value};
use make::Maker;
use repair::Complaints;

/// How much of a kind an example shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only what is required.
    Minimal,
    /// Every field, up to [`MOST_FIELDS`].
    Full,
}

/// The maximum number of fields in a full example. If there are more, the deepest ones are omitted.
pub const MOST_FIELDS: usize = 1500;

/// How many examples are tried. Each is less deep than the one before.
const TRIES: usize = 3;

/// Makes example objects of a CRD.
#[derive(Debug)]
pub struct Samples {
    served: Served,
}

impl Samples {
    /// Prepares a CRD. `None` if the server cannot serve it.
    pub fn new(crd: &Crd) -> Option<Samples> {
        let mut crd = crd.clone();
        crd.drop_unions();
        Some(Samples { served: Served::new(crd).ok()? })
    }

    /// Makes an object that the server accepts unchanged and without warnings about unknown fields. `None` if no such
    /// object was found.
    pub fn object(&self, version: &str, extent: Extent) -> Option<Value> {
        let version = self.served.version(version).ok()?;
        let crd = &self.served.crd;
        let index = crd.spec.versions.iter().position(|v| v.name == version.name)?;
        let schema = crd.spec.schema_of(index)?;
        let has_status = crd.spec.subresources_of(index).is_some_and(|s| s.status);
        let check = Check { served: &self.served, version, handler: self.served.handler(version) };
        let frame = Map::from_iter([
            ("apiVersion".to_owned(), Value::from(format!("{}/{}", crd.spec.group, version.name))),
            ("kind".to_owned(), Value::from(crd.spec.names.kind.as_str())),
            ("metadata".to_owned(), Value::Map(Map::from_iter([("name".to_owned(), "example".into())]))),
        ]);
        (1..=make::deepest(schema, extent)).rev().take(TRIES).find_map(|depth| {
            let maker = Maker::new(schema, extent, depth, has_status);
            let object = maker.object(&frame);
            repair::until_accepted(object, &maker, &|object| check.complaints(object))
        })
    }
}

/// Checks objects with the server's rules.
struct Check<'s> {
    served: &'s Served,
    version: &'s ServedVersion,
    handler: Handler<'s>,
}

impl Check<'_> {
    /// The errors of an object. None if the object cannot be read, or has fields that the server would drop.
    fn complaints(&self, object: &Value) -> Complaints {
        let mut decoded = self.served.decode(object.clone(), &self.version.name).ok()?;
        self.served.put_into_namespace(&mut decoded.object, "").ok()?;
        if !decoded.unknown.is_empty() {
            return None;
        }
        let errors = self.handler.create(decoded.object).errors;
        let only_rules = errors.iter().all(|(part, _)| *part == Part::Rules);
        Some((only_rules, errors.into_iter().map(|(_, diag)| diag).collect()))
    }
}
