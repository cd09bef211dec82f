//! Example objects: the smallest that the server accepts, and one with every field.
//!
//! `make` builds an object from the schema. Rules and junctors can require what no single part of the schema shows,
//! so `repair` changes the object until the server's own checks accept it. Without that it is not an example. `grow` adds
//! the fields that a full example lacks. `asked` reads
//! values in rules, and `solve` computes them from other values. `around` makes objects around a value. `likely` suggests values by the
//! names of fields. `shrink` removes from an object what a witness does not need.

mod around;
mod asked;
mod grow;
mod likely;
mod make;
mod named;
pub mod random;
mod repair;
mod shrink;
mod solve;

pub use around::{Effort, Examples};
pub use asked::of_length;
pub use shrink::shrink;

use crate::diag::Diag;
use crate::ir::{Crd, Schema};
use crate::object::write::{Handler, Part, Written};
use crate::object::{Patterns, Served, ServedVersion};
use crate::server::Server;
use crate::value::{Map, Value};
use make::Maker;
use repair::Complaints;
use std::cell::Cell;
use std::sync::Arc;

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
        Samples::on(Server::NEWEST, crd.clone())
    }

    /// The same for what this server accepts, without a copy of the CRD.
    pub fn on(server: Server, mut crd: Crd) -> Option<Samples> {
        crd.drop_unions();
        Some(Samples { served: Served::on(server, crd).ok()? })
    }

    /// Returns the prepared CRD.
    pub fn served(&self) -> &Served {
        &self.served
    }

    /// Makes an object that the server accepts unchanged and without warnings about unknown fields. `None` if no such
    /// object was found.
    pub fn object(&self, version: &str, extent: Extent) -> Option<Value> {
        match extent {
            Extent::Minimal => self.made(version, extent).map(|(object, _)| object),
            Extent::Full => self.full(version).map(|full| full.object),
        }
    }

    /// Makes an object that the server accepts, with as many fields as found, and reports which ones it lacks.
    pub fn full(&self, version: &str) -> Option<Full> {
        let (schema, check) = self.check(version)?;
        let depth = make::deepest(schema, Extent::Full);
        let maker = Maker::new(schema, Extent::Full, depth, check.has_status(), check.patterns());
        let complaints = |object: &Value| check.complaints(object);
        let accepts = |object: &Value| repair::is_accepted(&complaints(object));
        let everything = Some(maker.object(&check.frame())).filter(accepts);
        let start = everything.or_else(|| self.object(version, Extent::Minimal));
        let (start, cut) = match start {
            Some(start) => (start, false),
            None => self.made(version, Extent::Full).map(|(object, made)| (object, made < depth))?,
        };
        // Each field that is added is checked with all items, such as those of a default.
        let start = shrink::shortened(start, &mut 0, &mut |object| accepts(object));
        let grow::Grown { object, rejected, is_cut } = grow::grown(start, &maker, &complaints);
        Some(Full { object, rejected, cut_at: (is_cut || cut).then_some(depth) })
    }

    /// Returns the first error that no change of an object repairs, if no example is found.
    pub fn obstacle(&self, version: &str) -> Option<Diag> {
        let (schema, check) = self.check(version)?;
        let maker = Maker::new(schema, Extent::Minimal, 1, check.has_status(), check.patterns());
        let object = maker.object(&check.frame());
        let complaints = |object: &Value| check.complaints(object);
        repair::until_accepted(object, &maker, &complaints, repair::QUESTIONS).err()?.map(|error| *error)
    }

    /// Returns the schema of a version.
    pub fn schema(&self, version: &str) -> Option<&Schema> {
        let spec = &self.served.crd.spec;
        spec.schema_of(spec.versions.iter().position(|it| it.name == version)?)
    }

    fn check(&self, version: &str) -> Option<(&Schema, Check<'_>)> {
        let schema = self.schema(version)?;
        let version = self.served.version(version).ok()?;
        let index = self.served.crd.spec.versions.iter().position(|it| it.name == version.name)?;
        let handler = self.served.handler(version).dry();
        Some((schema, Check { served: &self.served, version, handler, index, cost: Cell::new(0) }))
    }

    /// Makes an object, and the depth to which it has all fields.
    fn made(&self, version: &str, extent: Extent) -> Option<(Value, usize)> {
        let (schema, check) = self.check(version)?;
        let frame = check.frame();
        (1..=make::deepest(schema, extent)).rev().take(TRIES).find_map(|depth| {
            let maker = Maker::new(schema, extent, depth, check.has_status(), check.patterns());
            let object = maker.object(&frame);
            let object =
                repair::until_accepted(object, &maker, &|object| check.complaints(object), repair::QUESTIONS)
                    .ok()?;
            // Clients can also edit it, if an object like that is found.
            let editable =
                repair::until_accepted(object.clone(), &maker, &|object| check.edited(object), repair::FEW);
            Some((editable.unwrap_or(object), depth))
        })
    }
}

/// A full example.
#[derive(Clone, Debug, PartialEq)]
pub struct Full {
    /// The object.
    pub object: Value,
    /// The paths of the fields that the server rejects together with the other fields of the object.
    pub rejected: Vec<String>,
    /// The depth from which the object has only required fields, if it lacks fields there.
    pub cut_at: Option<usize>,
}

/// Checks objects with the server's rules.
struct Check<'s> {
    served: &'s Served,
    version: &'s ServedVersion,
    handler: Handler<'s>,
    /// The index of the version.
    index: usize,
    /// The cost of the rules of all objects so far, as the server counts it.
    cost: Cell<i64>,
}

impl Check<'_> {
    fn has_status(&self) -> bool {
        self.served.crd.spec.subresources_of(self.index).is_some_and(|s| s.status)
    }

    /// The compiled patterns of the version.
    fn patterns(&self) -> &Arc<Patterns> {
        &self.version.patterns
    }

    /// The fields that all objects of the version have.
    fn frame(&self) -> Map<Value> {
        let spec = &self.served.crd.spec;
        Map::from_iter([
            ("apiVersion".to_owned(), Value::from(format!("{}/{}", spec.group, self.version.name))),
            ("kind".to_owned(), Value::from(spec.names.kind.as_str())),
            ("metadata".to_owned(), Value::Map(Map::from_iter([("name".to_owned(), named::NAME.into())]))),
        ])
    }

    /// The errors of a new object. None if the object cannot be read, or has fields that the server would drop.
    fn complaints(&self, object: &Value) -> Complaints {
        Some(self.counted(self.handler.create(self.prepared(object)?)))
    }

    /// The errors of a new object, or else those of an update that changes nothing in it.
    fn edited(&self, object: &Value) -> Complaints {
        let created = self.complaints(object)?;
        if !created.1.is_empty() {
            return Some(created);
        }
        let object = self.prepared(object)?;
        Some(self.counted(self.handler.update(object.clone(), object)))
    }

    fn prepared(&self, object: &Value) -> Option<Value> {
        let mut decoded = self.served.decode(object.clone(), &self.version.name).ok()?;
        self.served.put_into_namespace(&mut decoded.object, "").ok()?;
        decoded.unknown.is_empty().then_some(decoded.object)
    }

    fn counted(&self, written: Written) -> (bool, Vec<Diag>) {
        let Written { errors, cost, .. } = written;
        self.cost.set(self.cost.get().saturating_add(cost));
        let only_rules = errors.iter().all(|(part, _)| *part == Part::Rules);
        (only_rules, errors.into_iter().map(|(_, diag)| diag).collect())
    }
}
