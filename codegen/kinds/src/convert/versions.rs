//! Converts objects of a kind, as JSON, from any of its versions to any other.

#[cfg(feature = "webhook")]
mod restored;
#[cfg(feature = "webhook")]
mod straight;

use super::stash::Stash;
use super::{Context, Convert, Error, Object, Within};
use crate::from_value::{Fields, Known, from_object};
use crate::to_value::to_value;
use crate::{CustomResource, Problems};
use crdgen_runtime::ir::Crd;
use crdgen_runtime::path::Step;
use crdgen_runtime::value::{Map, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// The versions of a kind, and the conversions between them. Add a pair for every two neighbouring versions.
///
/// ```ignore
/// let versions = Versions::new().pair::<v1alpha1::Widget, v1beta1::Widget>().pair::<v1beta1::Widget, v1::Widget>();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Versions {
    group: &'static str,
    kind: &'static str,
    pairs: Vec<Pair>,
    #[cfg(feature = "webhook")]
    webhook: restored::Webhook,
}

/// Two versions with a conversion between them.
#[derive(Clone, Copy, Debug)]
struct Pair {
    old: &'static str,
    new: &'static str,
    up: Conversion,
    down: Conversion,
    old_definition: Definition,
    new_definition: Definition,
    #[cfg(feature = "check")]
    old_as_written: fn(Value) -> Value,
    #[cfg(feature = "check")]
    new_as_written: fn(Value) -> Value,
    #[cfg(feature = "webhook")]
    straight: straight::Both,
}

/// The function that returns the CRD of a version.
type Definition = fn() -> Result<Crd, Problems>;

type Conversion = fn(&Value, &mut Context) -> Result<Value, Error>;

impl Versions {
    /// Creates an empty list of versions. Add versions with [`Versions::pair`].
    pub fn new() -> Versions {
        Versions::default()
    }

    /// Adds the conversion between two versions. If they are of different kinds, the compiler reports an error.
    #[must_use]
    pub fn pair<Old, New>(mut self) -> Versions
    where
        Old: CustomResource + DeserializeOwned + Serialize + 'static,
        New: Convert<Old> + CustomResource + DeserializeOwned + Serialize + 'static,
        New::Error: Within<Error>,
    {
        const {
            assert!(same(Old::GROUP, New::GROUP), "a pair of versions must be of one API group");
            assert!(same(Old::KIND, New::KIND), "a pair of versions must be of one kind");
            assert!(!same(Old::VERSION, New::VERSION), "a pair of versions must be two versions");
        }
        (self.group, self.kind) = (New::GROUP, New::KIND);
        self.pairs.push(Pair {
            old: Old::VERSION,
            new: New::VERSION,
            up: |object, context| {
                through(object, |old: Old| New::upgrade(old, context).map_err(Within::within))
            },
            down: |object, context| {
                through(object, |new: New| new.downgrade(context).map_err(Within::within))
            },
            old_definition: Old::definition,
            new_definition: New::definition,
            #[cfg(feature = "check")]
            old_as_written: as_written::<Old>,
            #[cfg(feature = "check")]
            new_as_written: as_written::<New>,
            #[cfg(feature = "webhook")]
            straight: straight::both::<Old, New>(),
        });
        self
    }

    /// Returns the API group of the kind.
    pub fn group(&self) -> &'static str {
        self.group
    }

    /// Returns the kind.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Converts an object to another version, such as `example.com/v1`. In its metadata, only the annotation for values that
    /// a version cannot express changes.
    pub fn convert(&self, object: &impl Serialize, to: &str) -> Result<Value, Error> {
        match to_value(object) {
            Some(object) => self.convert_value(object, to),
            None => Err(Error::new("the object cannot be JSON")),
        }
    }

    /// Like [`Versions::convert`], for an object that is JSON already.
    #[doc(hidden)]
    pub fn convert_value(&self, object: Value, to: &str) -> Result<Value, Error> {
        self.trace(&object, to).map(|(object, _)| object)
    }

    /// Like [`Versions::convert_value`]. Also returns whether something was lost whose loss the declaration accepts.
    pub(super) fn trace(&self, object: &Value, to: &str) -> Result<(Value, bool), Error> {
        if object.text("kind") != self.kind {
            return Err(Error::new(format!("its kind is `{}`, not {}", object.text("kind"), self.kind)));
        }
        let from = self.version(object.text("apiVersion"))?;
        let to = self.version(to)?;
        let hops = self.way(from, to).ok_or_else(|| no_way(self.kind, from, to))?;
        let Converted { object, is_lossy, .. } = self.checked(object, &hops)?;
        Ok((object, is_lossy))
    }

    /// Converts an object step by step, and checks what is restored if this is a webhook.
    fn checked(&self, object: &Value, hops: &[Hop<'static>]) -> Result<Converted, Error> {
        #[cfg(feature = "webhook")]
        if let Some(guard) = &self.webhook.guard {
            let trust = Trust::Guarded(guard.clone());
            let way = Way { group: self.group, kind: self.kind, hops, trust: &trust };
            return restored::checked(guard, &way, object, |object| self.along(&way, object));
        }
        self.along(&Way { group: self.group, kind: self.kind, hops, trust: &Trust::All }, object)
    }

    fn along(&self, way: &Way<'_, 'static>, object: &Value) -> Result<Converted, Error> {
        way.convert(object, |hop, object, context| {
            let Some(pair) = self.pairs.get(hop.edge) else {
                return Err(no_way(self.kind, hop.from, hop.to));
            };
            (if hop.is_up { pair.up } else { pair.down })(object, context)
        })
    }

    fn way(&self, from: &'static str, to: &str) -> Option<Vec<Hop<'static>>> {
        let edges: Vec<(&str, &str)> = self.pairs.iter().map(|pair| (pair.old, pair.new)).collect();
        way(&edges, from, to)
    }

    /// Returns the CRDs of all versions, some more than once.
    pub(super) fn definitions(&self) -> impl Iterator<Item = (&'static str, Definition)> {
        let both = |pair: &Pair| [(pair.old, pair.old_definition), (pair.new, pair.new_definition)];
        self.pairs.iter().flat_map(both)
    }

    /// Returns an object as the type of its version writes it after reading it: without what the type does not write,
    /// and with the names that the type writes.
    #[cfg(feature = "check")]
    pub(super) fn as_written(&self, object: Value, version: &str) -> Value {
        let both = |pair: &Pair| [(pair.old, pair.old_as_written), (pair.new, pair.new_as_written)];
        match self.pairs.iter().flat_map(both).find(|(name, _)| *name == version) {
            Some((_, as_written)) => as_written(object),
            None => object,
        }
    }

    /// Returns the CRD with all versions.
    ///
    /// # Errors
    /// Returns the mistakes in the types, or why one CRD cannot contain these versions, such as two storage versions.
    pub fn crd(&self) -> Result<Crd, Problems> {
        let mut crds: Vec<Crd> = Vec::new();
        for (version, definition) in self.definitions() {
            if !crds.iter().any(|crd| crd.spec.versions.iter().any(|it| it.name == version)) {
                crds.push(definition()?);
            }
        }
        let mut crds = crate::merge(crds)?;
        Ok(crds.pop().unwrap_or_default())
    }

    /// Returns the version in an `apiVersion`.
    fn version(&self, api_version: &str) -> Result<&'static str, Error> {
        let known = self.pairs.iter().flat_map(|pair| [pair.old, pair.new]);
        let named = |version: &&str| {
            api_version.strip_prefix(self.group).and_then(|rest| rest.strip_prefix('/')) == Some(*version)
        };
        known.clone().find(named).ok_or_else(|| {
            let mut known: Vec<String> =
                known.clone().map(|version| format!("{}/{version}", self.group)).collect();
            known.sort_unstable();
            known.dedup();
            Error::new(format!("{} has no version `{api_version}`; it has {}", self.kind, known.join(", ")))
        })
    }
}

/// One step of a conversion from one version to another.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Hop<'a> {
    from: &'a str,
    to: &'a str,
    /// The index of the pair of versions.
    pub edge: usize,
    /// Whether the step converts to the newer version.
    pub is_up: bool,
}

/// Returns the shortest sequence of conversions from one version to another. Each pair is an older and a newer version.
#[doc(hidden)]
pub fn way<'a>(pairs: &[(&'a str, &'a str)], from: &'a str, to: &str) -> Option<Vec<Hop<'a>>> {
    let hops = |(edge, (old, new)): (usize, &(&'a str, &'a str))| {
        [Hop { from: old, to: new, edge, is_up: true }, Hop { from: new, to: old, edge, is_up: false }]
    };
    let hops: Vec<Hop<'a>> = pairs.iter().enumerate().flat_map(hops).collect();
    let mut seen = vec![from];
    let mut ways = vec![Vec::new()];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let at = way.last().map_or(from, |hop: &Hop<'a>| hop.to);
            if at == to {
                return Some(way);
            }
            for hop in hops.iter().filter(|hop| hop.from == at) {
                if !seen.contains(&hop.to) {
                    seen.push(hop.to);
                    longer.push(way.iter().copied().chain([*hop]).collect());
                }
            }
        }
        ways = longer;
    }
    None
}

#[doc(hidden)]
pub fn no_way(kind: &str, from: &str, to: &str) -> Error {
    Error::new(format!("there is no conversion of {kind} from {from} to {to}"))
}

/// Which values of the annotation are restored.
#[doc(hidden)]
pub enum Trust {
    /// All of them.
    All,
    /// Those that a webhook may restore.
    #[cfg(feature = "webhook")]
    Guarded(std::sync::Arc<super::guard::Guard>),
}

impl Trust {
    /// Removes the annotation from an object's metadata, and returns what may be restored of it.
    fn take_out(&self, group: &str, metadata: &mut Map<Value>) -> Stash {
        let stash = Stash::take_out(group, metadata);
        #[cfg(feature = "webhook")]
        if let Trust::Guarded(guard) = self {
            let mut stash = stash;
            guard.admit(&mut stash, metadata);
            return stash;
        }
        stash
    }

    /// Adds the annotation to an object's metadata.
    fn put_into(&self, stash: Stash, group: &str, metadata: &mut Map<Value>) -> Result<(), usize> {
        #[cfg(feature = "webhook")]
        if let Trust::Guarded(guard) = self {
            let mut stash = stash;
            guard.seal(&mut stash, metadata);
            return stash.put_into(group, metadata);
        }
        stash.put_into(group, metadata)
    }
}

/// A converted object.
#[doc(hidden)]
pub struct Converted {
    pub object: Value,
    /// Whether something was lost whose loss the declaration accepts.
    is_lossy: bool,
    /// Whether the annotation had values for it.
    pub has_restored: bool,
}

/// The conversions from one version of a kind to another one.
#[doc(hidden)]
pub struct Way<'w, 'v> {
    pub group: &'w str,
    pub kind: &'w str,
    pub hops: &'w [Hop<'v>],
    /// What is believed of the annotation for other versions.
    pub trust: &'w Trust,
}

impl<'v> Way<'_, 'v> {
    /// Converts an object step by step. In the metadata, only the annotation for other versions changes.
    #[doc(hidden)]
    pub fn convert<E: From<Error>>(
        &self,
        object: &Value,
        mut convert: impl FnMut(&Hop<'v>, &Value, &mut Context) -> Result<Value, E>,
    ) -> Result<Converted, E> {
        let Way { group, kind, hops, trust } = *self;
        let Value::Map(members) = object else { return Err(Error::new("this is not an object").into()) };
        let Some(last) = hops.last() else {
            return Ok(Converted { object: object.clone(), is_lossy: false, has_restored: false });
        };
        let with_metadata = || {
            let mut members = members.clone();
            members.insert("metadata", Value::Map(Map::new()));
            Cow::Owned(Value::Map(members))
        };
        let (mut object, mut metadata) = match members.get("metadata") {
            Some(Value::Map(metadata)) => (Cow::Borrowed(object), metadata.clone()),
            None => (with_metadata(), Map::new()),
            Some(_) => return Err(Error::new("its metadata is not an object").into()),
        };
        let mut stash = trust.take_out(group, &mut metadata);
        let (mut is_lossy, mut has_restored) = (false, false);
        for hop in hops {
            let given = stash.take(hop.to);
            has_restored |= !given.is_empty();
            let mut context = Context::of(given, Object::of(&metadata));
            object = Cow::Owned(convert(hop, &object, &mut context)?);
            is_lossy |= context.is_lossy();
            stash.put(hop.from, context.into_kept());
        }
        let Value::Map(mut object) = object.into_owned() else {
            return Err(Error::new("it converts to no object").into());
        };
        trust.put_into(stash, group, &mut metadata).map_err(|size| {
            Error::new(format!(
                "{} cannot express what must be kept, and {size} bytes are too many for annotations",
                last.to
            ))
        })?;
        object.insert("apiVersion", Value::from(format!("{group}/{}", last.to)));
        object.insert("kind", Value::from(kind));
        object.insert("metadata", Value::Map(metadata));
        Ok(Converted { object: Value::Map(object), is_lossy, has_restored })
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Converts JSON through the Rust types. What the types do not know stays at its place: a server keeps it in an object
/// only if the schema preserves unknown fields, and otherwise drops it from the result.
fn through<A, B>(object: &Value, convert: impl FnOnce(A) -> Result<B, Error>) -> Result<Value, Error>
where
    A: DeserializeOwned + Serialize,
    B: Serialize,
{
    let (typed, Known { all, fields }) = from_object::<A>(object).map_err(Error::new)?;
    let known = if all { None } else { to_value(&typed).map(|known| (known, fields)) };
    let converted = convert(typed)?;
    let Some(mut out) = to_value(&converted) else { return Err(Error::new("the result cannot be JSON")) };
    if let Some((known, fields)) = known {
        keep_unknown(object, &known, &fields, &written::<A>, &mut out);
    }
    Ok(out)
}

/// Returns an object as a type writes it after reading it.
fn written<T: DeserializeOwned + Serialize>(object: &Value) -> Option<Value> {
    to_value(&from_object::<T>(object).ok()?.0)
}

#[cfg(feature = "check")]
fn as_written<T: DeserializeOwned + Serialize>(object: Value) -> Value {
    let Ok((typed, Known { all, fields })) = from_object::<T>(&object) else { return object };
    let Some(written) = to_value(&typed) else { return object };
    let mut out = written.clone();
    if !all {
        keep_unknown(&object, &written, &fields, &self::written::<T>, &mut out);
    }
    if let (Some(metadata), Value::Map(out)) = (object.get("metadata"), &mut out) {
        out.insert("metadata", metadata.clone());
    }
    out
}

/// Keeps what a type has not read. This is what it does not write, unless it has read that as a field. `known` is the
/// object as the type writes it, and `written` returns the same for other objects.
pub fn keep_unknown(
    object: &Value,
    known: &Value,
    fields: &Fields,
    written: &dyn Fn(&Value) -> Option<Value>,
    out: &mut Value,
) {
    let mut missing = NotWritten { fields, at: Vec::new(), found: Vec::new() };
    missing.find(object, known, out);
    let mut unread = Vec::new();
    not_read(object, known, &missing.found, written, &mut unread);
    for steps in unread {
        let Some((Step::Key(name), around)) = steps.split_last() else { continue };
        if let (Some(value), Some(Value::Map(out))) = (object.at(steps), out.at_mut(around)) {
            out.insert(name.as_str(), value.clone());
        }
    }
}

/// The members that neither the type nor the result of the conversion has, and that the type has not read as fields.
struct NotWritten<'f> {
    fields: &'f Fields,
    /// The place of the walk.
    at: Vec<Step>,
    found: Vec<Vec<Step>>,
}

impl NotWritten<'_> {
    fn find(&mut self, object: &Value, known: &Value, out: &Value) {
        match (object, known, out) {
            (Value::Map(object), Value::Map(known), Value::Map(out)) => {
                for (name, value) in object.iter() {
                    // Metadata does not go through the types.
                    if self.at.is_empty() && name == "metadata" {
                        continue;
                    }
                    self.at.push(Step::Key(name.to_owned()));
                    match (known.get(name), out.get(name)) {
                        (Some(known), Some(out)) => self.find(value, known, out),
                        (None, None) if !self.fields.contain(value) => self.found.push(self.at.clone()),
                        (Some(_), None) | (None, Some(_) | None) => {}
                    }
                    self.at.pop();
                }
            }
            (Value::List(object), Value::List(known), Value::List(out))
                if object.len() == known.len() && known.len() == out.len() =>
            {
                for (i, ((object, known), out)) in object.iter().zip(known).zip(out).enumerate() {
                    self.at.push(Step::Index(i));
                    self.find(object, known, out);
                    self.at.pop();
                }
            }
            _ => {}
        }
    }
}

/// Returns those of some members that make no difference to the type. serde copies the members of a struct with
/// flattened fields and of some enums before it reads them. So only the result shows what it has read, for example by
/// an alias. A type can always read a null.
fn not_read<'s>(
    object: &Value,
    known: &Value,
    members: &'s [Vec<Step>],
    written: &dyn Fn(&Value) -> Option<Value>,
    unread: &mut Vec<&'s [Step]>,
) {
    let mut other = object.clone();
    for steps in members {
        if let Some(value) = other.at_mut(steps).filter(|value| !value.is_null()) {
            // No field has a type that accepts this value.
            *value = Value::List(vec![Value::List(Vec::new())]);
        }
    }
    if members.is_empty() || other == *object || written(&other).as_ref() == Some(known) {
        unread.extend(members.iter().map(Vec::as_slice));
    } else if members.len() > 1 {
        let (first, second) = members.split_at(members.len() / 2);
        not_read(object, known, first, written, unread);
        not_read(object, known, second, written, unread);
    }
}
