//! Converts objects as the sources declare it, without compiling them. The result is the same JSON as that of the
//! compiled types, with the same annotation. If a conversion calls a function, it fails with an error about this.

mod typed;
mod verdict;
mod walk;

pub use verdict::{Fate, Place, Verdict, verdicts};

use crdgen_core::value::{Map, Value};
use crdgen_kinds::convert::{self, Failure, Step, Trust, Way, keep_unknown, no_way, way};
pub use crdgen_source::declared::Declared;
use crdgen_source::declared::{Code, Pair, Version};
use std::fmt;
use typed::{Reader, Typed};
use walk::{To, Walk};

/// The reason why an object cannot be converted.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A value of the object has no counterpart in the other version.
    Value(convert::Error),
    /// The conversion calls code, which crdgen does not run.
    Code {
        /// The place in the object.
        path: convert::Error,
        /// The code.
        code: Box<Code>,
    },
}

impl std::error::Error for Error {}

impl From<convert::Error> for Error {
    fn from(error: convert::Error) -> Error {
        Error::Value(error)
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Error {
        let path = convert::Error::new(format!("crdgen does not run the function `{}`", code.text));
        Error::Code { path, code: Box::new(code) }
    }
}

impl Error {
    fn new(message: impl fmt::Display) -> Error {
        Error::Value(convert::Error::new(message))
    }
}

impl Failure for Error {
    fn below(self, step: Step<'_>) -> Error {
        match self {
            Error::Value(error) => Error::Value(error.below(step)),
            Error::Code { path, code } => Error::Code { path: path.below(step), code },
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Value(error) | Error::Code { path: error, .. } => error.fmt(f),
        }
    }
}

/// The versions of a kind, and the conversions between them.
#[derive(Debug)]
pub struct Versions<'a> {
    declared: &'a Declared,
    pairs: Vec<&'a Pair>,
}

impl<'a> Versions<'a> {
    /// Returns the versions of an object's kind. `None` if no conversion of the kind is declared.
    pub fn of(declared: &'a Declared, group: &str, kind: &str) -> Option<Versions<'a>> {
        let is_one = |pair: &&Pair| pair.group == group && pair.kind == kind;
        let pairs: Vec<&Pair> = declared.pairs.iter().filter(is_one).collect();
        (!pairs.is_empty()).then_some(Versions { declared, pairs })
    }

    /// Returns the names of all versions.
    pub fn names(&self) -> Vec<&'a str> {
        let mut out: Vec<&str> = Vec::new();
        for name in self.pairs.iter().flat_map(|pair| [&*pair.old.name, &*pair.new.name]) {
            if !out.contains(&name) {
                out.push(name);
            }
        }
        out
    }

    /// Converts an object to another version.
    pub fn convert(&self, object: Map<Value>, from: &str, to: &str) -> Result<Value, Error> {
        let Some(first) = self.pairs.first() else { return Ok(Value::Map(object)) };
        let edges: Vec<(&str, &str)> =
            self.pairs.iter().map(|pair| (&*pair.old.name, &*pair.new.name)).collect();
        let hops = way(&edges, from, to).ok_or_else(|| no_way(&first.kind, from, to))?;
        let whole = Way { group: &first.group, kind: &first.kind, hops: &hops, trust: &Trust::All };
        let converted = whole.convert(&Value::Map(object), |hop, object, context| {
            let Some(pair) = self.pairs.get(hop.edge) else {
                return Err(no_way(&first.kind, from, to).into());
            };
            match hop.is_up {
                true => self.hop(pair, To::New, object, context),
                false => self.hop(pair, To::Old, object, context),
            }
        })?;
        Ok(converted.object)
    }

    /// Converts an object to the other version of a pair, as the derive does it for the struct of the kind.
    fn hop(
        &self,
        pair: &Pair,
        direction: To,
        object: &Value,
        context: &mut convert::Context,
    ) -> Result<Value, Error> {
        let (from, to) = match direction {
            To::New => (&pair.old, &pair.new),
            To::Old => (&pair.new, &pair.old),
        };
        let mut reader = Reader::new(&self.declared.types);
        let (spec, status) = self.read(&mut reader, from, object)?;
        let known = (!reader.knows_all()).then(|| self.written(&reader, from, &spec, status.as_ref()));
        let walk = Walk { declared: self.declared, to: direction, reader: &reader };
        // The order is that of the derive. What is kept does not depend on it, but errors do.
        if let (Some(ty), None) = (from.status, to.status) {
            context.field("status", |context| {
                let value = status.as_ref().map_or(Ok(Value::Null), |it| reader.write(ty, it))?;
                context.keep_unless(Some(value), Some(&Value::Null));
                Ok::<_, Error>(())
            })?;
        }
        let (new, old) = (&pair.new, &pair.old);
        let spec = match new.no_spec {
            true => walk.value(spec, new.spec, old.spec, &[], context)?,
            false => context.field("spec", |context| walk.value(spec, new.spec, old.spec, &[], context))?,
        };
        let status = match (new.status, old.status) {
            (Some(new), Some(old)) => context.field("status", |context| match status {
                Some(status) => walk.value(status, new, old, &[], context).map(Some),
                None => Ok(None),
            })?,
            _ => match to.status {
                Some(ty) => context.field("status", |context| {
                    let given = context.given().filter(|value| !value.is_null());
                    Ok::<_, Error>(
                        given.and_then(|value| Reader::new(&self.declared.types).read(ty, &value).ok()),
                    )
                })?,
                None => None,
            },
        };
        let status = to.status.and_then(|ty| Some(reader.write(ty, status.as_ref()?))).transpose()?;
        let mut out = whole(to, reader.write(to.spec, &spec), status.map(Ok))?;
        if let Some(known) = known {
            let written = |object: &Value| {
                let mut reader = Reader::new(&self.declared.types);
                let (spec, status) = self.read(&mut reader, from, object).ok()?;
                self.written(&reader, from, &spec, status.as_ref()).ok()
            };
            keep_unknown(object, &known?, &reader.fields_read(), &written, &mut out);
        }
        Ok(out)
    }

    /// Reads the spec and the status of an object of a version.
    fn read(
        &self,
        reader: &mut Reader<'_>,
        from: &Version,
        object: &Value,
    ) -> Result<(Typed, Option<Typed>), Error> {
        let Value::Map(members) = object else { return Err(Error::new("this is not an object")) };
        let knows = |name: &str| {
            matches!(name, "apiVersion" | "kind" | "metadata" | "spec")
                || name == "status" && from.status.is_some()
        };
        if from.no_spec || !members.keys().all(knows) {
            reader.note_unknown();
        }
        let spec = match members.get("spec") {
            _ if from.no_spec => {
                let mut rest = members.clone();
                ["apiVersion", "kind", "metadata", "status"].iter().for_each(|name| _ = rest.remove(name));
                reader.flattened(from.spec, &rest)?
            }
            Some(spec) => reader.read(from.spec, spec).map_err(|e| e.below(Step::Field("spec")))?,
            None => reader.missing(from.spec, "spec")?,
        };
        let status = match (members.get("status"), from.status) {
            (Some(value), Some(ty)) if !value.is_null() => {
                Some(reader.read(ty, value).map_err(|e| e.below(Step::Field("status")))?)
            }
            (Some(_), Some(_)) => {
                reader.note_unknown();
                None
            }
            _ => None,
        };
        Ok((spec, status))
    }

    /// Returns an object of a version as its types write it.
    fn written(
        &self,
        reader: &Reader<'_>,
        from: &Version,
        spec: &Typed,
        status: Option<&Typed>,
    ) -> Result<Value, Error> {
        let status = from.status.and_then(|ty| Some(reader.write(ty, status?)));
        whole(from, reader.write(from.spec, spec), status)
    }
}

/// Returns an object as the struct of the kind is written.
fn whole(
    version: &Version,
    spec: Result<Value, Error>,
    status: Option<Result<Value, Error>>,
) -> Result<Value, Error> {
    let spec = spec?;
    let mut out = Map::from_iter([
        ("apiVersion", Value::from("")),
        ("kind", Value::from("")),
        ("metadata", Value::Map(Map::new())),
    ]);
    match spec {
        Value::Map(fields) if version.no_spec => {
            fields.into_iter().for_each(|(name, value)| _ = out.insert(name, value));
        }
        Value::Null => {}
        spec => _ = out.insert("spec", spec),
    }
    if let Some(status) = status {
        out.insert("status", status?);
    }
    Ok(Value::Map(out))
}
