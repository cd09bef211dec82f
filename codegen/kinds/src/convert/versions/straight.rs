//! Converts objects as text from one version to another, without values in between. Nearly all objects of a review can
//! be converted in this way.

use super::{Hop, Trust, Versions};
use crate::convert::{Context, Convert, Error, Object, Within};
use crate::straight::{Scan, Walk, from_text, write_members};
use crdgen_runtime::GroupVersion;
use crdgen_runtime::json;
use crdgen_runtime::value::Value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::sync::Arc;

/// An object of some version.
type Typed = Box<dyn Any>;

/// Converts a typed object by one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedStep {
    read: fn(&str) -> Option<Typed>,
    convert: fn(Typed, &mut Context) -> Option<Typed>,
    write: fn(&Typed, &mut String) -> Option<()>,
}

/// Both directions of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both {
    pub(super) up: TypedStep,
    pub(super) down: TypedStep,
}

pub(super) fn both<Old, New>() -> Both
where
    Old: DeserializeOwned + Serialize + 'static,
    New: Convert<Old> + DeserializeOwned + Serialize + 'static,
    New::Error: Within<Error>,
{
    let up = |old: Typed, context: &mut Context| {
        let new: New = Convert::upgrade(*old.downcast::<Old>().ok()?, context).ok()?;
        Some(Box::new(new) as Typed)
    };
    let down = |new: Typed, context: &mut Context| {
        // A box converts to itself, because every type does.
        let old: Old = New::downgrade(*new.downcast::<New>().ok()?, context).ok()?;
        Some(Box::new(old) as Typed)
    };
    Both {
        up: TypedStep { read: read::<Old>, convert: up, write: write::<New> },
        down: TypedStep { read: read::<New>, convert: down, write: write::<Old> },
    }
}

fn read<T: DeserializeOwned + 'static>(text: &str) -> Option<Typed> {
    from_text::<T>(text).map(|object| Box::new(object) as Typed)
}

fn write<T: Serialize + 'static>(object: &Typed, out: &mut String) -> Option<()> {
    write_members(object.downcast_ref::<T>()?, out)
}

impl Versions {
    fn step(&self, hop: &Hop<'_>) -> Option<TypedStep> {
        let Both { up, down } = self.pairs.get(hop.edge)?.straight;
        Some(if hop.is_up { up } else { down })
    }

    /// Appends an object in another version to other text. Returns `None` if anything is unusual, or if the object does
    /// not convert. Then the conversion of values reports the error, and what was written is useless.
    #[doc(hidden)]
    pub fn convert_text(all: &[Versions], text: &str, to: &str, out: &mut String) -> Option<()> {
        let (mut api_version, mut kind, mut metadata) = (None, None, None);
        // These members come first. The type reads the others, and rejects repeated ones.
        Scan::new(text).members(|name, scan| {
            let value = scan.value()?;
            match name {
                "apiVersion" => api_version = Some(value),
                "kind" => kind = Some(value),
                "metadata" => metadata = Some(value),
                _ => {}
            }
            let is_enough = api_version.is_some() && kind.is_some() && metadata.is_some();
            Some(if is_enough { Walk::Enough } else { Walk::On })
        })?;
        let string = |text: Option<&str>| match json::read(text?.as_bytes()).ok()? {
            Value::Str(text) => Some(text),
            _ => None,
        };
        let (api_version, kind) = (string(api_version)?, string(kind)?);
        let group = GroupVersion::of(&api_version).group;
        let versions = all.iter().find(|versions| versions.group == group && versions.kind == kind)?;
        let hops = versions.way(versions.version(&api_version).ok()?, versions.version(to).ok()?)?;
        let (first, last) = (hops.first()?, hops.last()?);

        let Value::Map(mut metadata) = json::read(metadata?.as_bytes()).ok()? else { return None };
        let trust =
            versions.webhook.guard.as_ref().map_or(Trust::All, |guard| Trust::Guarded(Arc::clone(guard)));
        let mut stash = trust.take_out(versions.group, &mut metadata);
        let mut object = (versions.step(first)?.read)(text)?;
        let mut has_restored = false;
        for hop in &hops {
            let given = stash.take(hop.to);
            has_restored |= !given.is_empty();
            let mut context = Context::of(given, Object::of(&metadata));
            object = (versions.step(hop)?.convert)(object, &mut context)?;
            stash.put(hop.from, context.into_kept());
        }
        trust.put_into(stash, versions.group, &mut metadata).ok()?;

        let start = out.len();
        out.push_str("{\"apiVersion\":");
        json::write_str(&format!("{}/{}", versions.group, last.to), out);
        out.push_str(",\"kind\":");
        json::write_str(versions.kind, out);
        out.push_str(",\"metadata\":");
        json::write(&Value::Map(metadata), out);
        (versions.step(last)?.write)(&object, out)?;
        out.push('}');
        if let Some(guard) = versions.webhook.guard.as_ref().filter(|_| has_restored) {
            let object = json::read(&out.as_bytes()[start..]).ok()?;
            return guard.is_valid(last.to, &object).then_some(());
        }
        Some(())
    }
}
