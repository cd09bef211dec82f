//! What an object's version cannot express, in an annotation of the object: one for each API group, JSON, by the
//! version that can express it.
//!
//! ```json
//! {"format": 1, "versions": {"v1": {"fields": {"spec": {"fields": {
//!     "paused": {"value": true},
//!     "hosts": {"value": ["a", "b"], "for": "af63bd4c8601b7be"},
//!     "ports": {"items": [{"for": "af63bd4c8601b7be", "fields": {"protocol": {"value": "http"}}}]}
//! }}}}}}
//! ```
//!
//! `for` is a fingerprint of the value in the version that the object now has. For an item with keys, `for` is a
//! fingerprint of the keys, and `is` one of the item. If a user changes the value, what was kept no longer belongs to
//! it and is dropped.
//!
//! Next to `format` there may be `seal`: the proof that a webhook has kept the values of the status.

use crdgen_runtime::json;
#[cfg(feature = "webhook")]
use crdgen_runtime::path::Step;
use crdgen_runtime::value::{Map, Value};

/// The format of the annotation. Other formats are not read.
const FORMAT: i64 = 1;

/// The name of the annotation, after the group and a slash.
const NAME: &str = "conversion";

/// What is kept for one place and the places inside of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kept {
    /// The value there.
    pub(super) value: Option<Value>,
    /// The fingerprint of the value in the other version that this belongs to. `None` if the other version has no value
    /// there.
    pub(super) with: Option<String>,
    /// Fields, and members of maps.
    pub(super) fields: Map<Kept>,
    /// Items of a list.
    pub(super) items: Vec<Item>,
}

/// What is kept for an item of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    /// The fingerprint of the item, or of its keys.
    pub(super) with: String,
    /// How many items before it have the same fingerprint.
    pub(super) nth: usize,
    /// What is kept.
    pub(super) kept: Kept,
}

impl Kept {
    pub(super) fn is_empty(&self) -> bool {
        self.value.is_none() && self.fields.is_empty() && self.items.is_empty()
    }

    /// Drops what would be restored at the end of these steps, or around it.
    #[cfg(feature = "webhook")]
    fn drop_at(&mut self, steps: &[Step]) {
        (self.value, self.with) = (None, None);
        match steps.split_first() {
            None => *self = Kept::default(),
            Some((Step::Key(name), rest)) => {
                if let Some(inner) = self.fields.get_mut(name) {
                    inner.drop_at(rest);
                }
            }
            // Items are known by their fingerprints, and not by their indexes.
            Some((Step::Index(_), _)) => self.items.clear(),
        }
    }

    /// Writes this as JSON, without building a [`Value`], because it is written for each object with something to keep.
    /// `of` is the item that it belongs to. Members are sorted by name.
    fn write(&self, of: Option<&Item>, out: &mut String) {
        let mut next = "{";
        let mut member = |name: &str, out: &mut String| {
            out.push_str(std::mem::replace(&mut next, ","));
            json::write_str(name, out);
            out.push(':');
        };
        if !self.fields.is_empty() {
            member("fields", out);
            write_fields(&self.fields, out);
        }
        if let Some(with) = of.map(|item| &item.with).or(self.with.as_ref()) {
            member("for", out);
            json::write_str(with, out);
        }
        if let (Some(item), Some(counterpart)) = (of, &self.with) {
            // An item without keys is its own counterpart.
            if *counterpart != item.with {
                member("is", out);
                json::write_str(counterpart, out);
            }
        }
        if !self.items.is_empty() {
            member("items", out);
            let mut next = '[';
            for item in &self.items {
                out.push(std::mem::replace(&mut next, ','));
                item.kept.write(Some(item), out);
            }
            out.push(']');
        }
        if let Some(item) = of.filter(|item| item.nth > 0) {
            member("nth", out);
            json::write(&Value::Int(item.nth as i64), out);
        }
        if let Some(value) = &self.value {
            member("value", out);
            json::write(value, out);
        }
        if next == "{" {
            out.push('{');
        }
        out.push('}');
    }

    /// Ignores anything in another form, because users can edit annotations.
    fn from_json(json: Value) -> Kept {
        let Value::Map(mut json) = json else { return Kept::default() };
        let text = |value: Value| if let Value::Str(text) = value { Some(text) } else { None };
        let fields = match json.remove("fields") {
            Some(Value::Map(fields)) => {
                fields.into_iter().map(|(name, kept)| (name, Kept::from_json(kept))).collect()
            }
            _ => Map::new(),
        };
        let items = match json.remove("items") {
            Some(Value::List(items)) => items.into_iter().filter_map(Item::from_json).collect(),
            _ => Vec::new(),
        };
        Kept { value: json.remove("value"), with: json.remove("for").and_then(text), fields, items }
    }
}

fn write_fields(fields: &Map<Kept>, out: &mut String) {
    let mut next = '{';
    for (name, kept) in fields.iter() {
        out.push(std::mem::replace(&mut next, ','));
        json::write_str(name, out);
        out.push(':');
        kept.write(None, out);
    }
    out.push('}');
}

impl Item {
    fn from_json(json: Value) -> Option<Item> {
        let nth = json.get("nth").and_then(Value::as_int).and_then(|nth| usize::try_from(nth).ok());
        let with = json.get("for")?.as_str()?.to_owned();
        let counterpart = json.get("is").and_then(Value::as_str).map_or_else(|| with.clone(), str::to_owned);
        let kept = Kept { with: Some(counterpart), ..Kept::from_json(json) };
        Some(Item { with, nth: nth.unwrap_or(0), kept })
    }
}

/// What is kept for each version.
#[derive(Debug, Default)]
pub(super) struct Stash {
    versions: Map<Kept>,
    /// The proof that a webhook has kept the values of the status.
    #[cfg(feature = "webhook")]
    pub(super) seal: Option<String>,
}

#[cfg(feature = "webhook")]
impl Stash {
    /// Drops what is kept of the status for some versions.
    pub(super) fn drop_status(&mut self, of: impl Fn(&str) -> bool) {
        for (version, kept) in self.versions.iter_mut() {
            if of(version) {
                kept.fields.remove("status");
            }
        }
        self.versions.retain(|_, kept| !kept.is_empty());
    }

    /// Returns what is kept of the status, as text. `None` if nothing is kept of it.
    pub(super) fn status(&self) -> Option<String> {
        let mut out = String::new();
        for (version, kept) in self.versions.iter() {
            if let Some(status) = kept.fields.get("status") {
                json::write_str(version, &mut out);
                status.write(None, &mut out);
            }
        }
        (!out.is_empty()).then_some(out)
    }

    /// Drops what would be restored at the end of these steps in an object of a version, or around it.
    pub(super) fn drop_at(&mut self, version: &str, steps: &[Step]) {
        if let Some(kept) = self.versions.get_mut(version) {
            kept.drop_at(steps);
        }
    }
}

impl Stash {
    /// Removes and returns what was kept for a version, because it is no longer needed in that version.
    pub(super) fn take(&mut self, version: &str) -> Kept {
        self.versions.remove(version).unwrap_or_default()
    }

    pub(super) fn put(&mut self, version: &str, kept: Kept) {
        if kept.is_empty() {
            self.versions.remove(version);
        } else {
            self.versions.insert(version.to_owned(), kept);
        }
    }

    /// Removes the stash from an object's metadata, and returns it.
    pub(super) fn take_out(group: &str, metadata: &mut Map<Value>) -> Stash {
        let name = annotation(group);
        let Some(Value::Map(annotations)) = metadata.get_mut("annotations") else { return Stash::default() };
        let Some(text) = annotations.remove(&name) else { return Stash::default() };
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
        text.as_str().and_then(read).unwrap_or_default()
    }

    /// Adds what is kept to an object's metadata. If the server would reject annotations of this size, fails with the
    /// size.
    pub(super) fn put_into(self, group: &str, metadata: &mut Map<Value>) -> Result<(), usize> {
        /// `TotalAnnotationSizeLimitB` of the server.
        const LIMIT: usize = 256 << 10;
        if self.versions.is_empty() {
            return Ok(());
        }
        let mut text = format!("{{\"format\":{FORMAT}");
        #[cfg(feature = "webhook")]
        if let Some(seal) = &self.seal {
            text.push_str(",\"seal\":");
            json::write_str(seal, &mut text);
        }
        text.push_str(",\"versions\":");
        write_fields(&self.versions, &mut text);
        text.push('}');
        if !matches!(metadata.get("annotations"), Some(Value::Map(_))) {
            metadata.insert("annotations", Value::Map(Map::new()));
        }
        let Some(Value::Map(annotations)) = metadata.get_mut("annotations") else { return Ok(()) };
        annotations.insert(annotation(group), Value::from(text));
        let size =
            annotations.iter().map(|(name, value)| name.len() + value.as_str().map_or(0, str::len)).sum();
        if size > LIMIT { Err(size) } else { Ok(()) }
    }
}

/// The name of a group's annotation.
pub(super) fn annotation(group: &str) -> String {
    format!("{group}/{NAME}")
}

fn read(text: &str) -> Option<Stash> {
    let Ok(Value::Map(mut stash)) = json::read(text.as_bytes()) else { return None };
    let Some(Value::Int(FORMAT)) = stash.get("format") else { return None };
    let Some(Value::Map(versions)) = stash.remove("versions") else { return None };
    Some(Stash {
        versions: versions.into_iter().map(|(version, kept)| (version, Kept::from_json(kept))).collect(),
        #[cfg(feature = "webhook")]
        seal: stash.get("seal").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Distinguishes values: 64 bits of FNV-1a over their JSON.
pub(super) fn fingerprint(value: &Value) -> String {
    struct Hash(u64);
    impl std::fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    json::write(value, &mut hash);
    format!("{:016x}", hash.0)
}
