//! Compares two schemas for the same place: that of the CRD and that of the Rust type.

use super::Difference;
use crate::diag::codes::types as codes;
use crate::diag::{Code, Diag, Level};
use crate::ir::{Schema, Type};
use crate::json;
use crate::path::{Path, Step};
use crate::recipe::{type_words, types_of};
use crate::value::Value;

/// The schemas of the CRD and of Rust for the same value.
#[derive(Clone, Copy)]
struct Schemas<'s> {
    theirs: &'s Schema,
    ours: &'s Schema,
}

/// The place in the Rust schema. The place in the CRD is a path.
pub(super) struct Both<'o> {
    pub(super) out: &'o mut Vec<Difference>,
    pub(super) kind: usize,
    pub(super) rust: Vec<Step>,
}

impl Both<'_> {
    fn say(&mut self, code: &'static Code, level: Level, path: &Path<'_>, message: String, help: &str) {
        let diag = Diag::own(code, level, path, message).help(help);
        self.out.push(Difference { diag, rust: self.rust.clone(), kind: Some(self.kind) });
    }

    fn within(&mut self, steps: &[&str], inner: impl FnOnce(&mut Self)) {
        let depth = self.rust.len();
        self.rust.extend(steps.iter().map(|s| Step::Key((*s).to_owned())));
        inner(self);
        self.rust.truncate(depth);
    }

    /// Compares whole objects. The Rust schema does not contain the fields that every object has.
    pub(super) fn object(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>) {
        self.properties(theirs, ours, path, &["apiVersion", "kind", "metadata"]);
    }

    fn place(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>) {
        let (a, b) = (types_of(theirs), types_of(ours));
        if a & b == 0 {
            let message = format!("the CRD has {}, but Rust has {}", type_words(a), type_words(b));
            self.say(
                &codes::TYPE,
                Level::Error,
                path,
                message,
                "change one of the two. Objects can be neither read nor written",
            );
            return;
        }
        // If the CRD allows any value, the Rust type need not be able to read all of them.
        if a & !b != 0 && !anything(theirs) {
            let message = format!("the CRD allows {}, but Rust only reads {}", type_words(a), type_words(b));
            self.say(
                &codes::TYPE,
                Level::Error,
                path,
                message,
                "make the Rust type wider (an untagged enum, serde_json::Value), or make the CRD stricter",
            );
        }
        if b & !a != 0 && !anything(ours) {
            let message =
                format!("Rust may write {}, but the CRD only allows {}", type_words(b), type_words(a));
            self.say(
                &codes::TYPE,
                Level::Warning,
                path,
                message,
                "allow more in the CRD, or make the Rust type stricter",
            );
        }
        self.values(theirs, ours, path);
        self.numbers(theirs, ours, path);
        self.limits(theirs, ours, path);
        if let (Some(theirs), Some(ours)) = (theirs.item(), ours.item()) {
            self.within(&["items"], |both| both.place(theirs, ours, &path.child("items")));
        }
        self.properties(theirs, ours, path, &[]);
    }

    fn properties(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>, implicit: &[&str]) {
        if theirs.properties.is_empty() && ours.properties.is_empty() && theirs.value().is_none() {
            return;
        }
        if let (Some(theirs), Some(ours)) = (theirs.value(), ours.value()) {
            let below = path.child("additionalProperties");
            self.within(&["additionalProperties"], |both| both.place(theirs, ours, &below));
        }
        let properties = path.child("properties");
        for (name, their) in theirs.properties.iter().filter(|(name, _)| !implicit.contains(name)) {
            let path = properties.key(name);
            self.within(&["properties", name], |both| match ours.properties.get(name).or(ours.value()) {
                Some(our) => {
                    let field = Schemas { theirs: their, ours: our };
                    both.needs(Schemas { theirs, ours }, name, field, &path);
                    both.place(their, our, &path);
                }
                None if open(ours) => {}
                None => both.not_in_rust(theirs, name, &path),
            });
        }
        for (name, _) in ours.properties.iter().filter(|(name, _)| !implicit.contains(name)) {
            if theirs.properties.contains_key(name) || theirs.value().is_some() || open(theirs) {
                continue;
            }
            let needed = ours.limits.required.iter().any(|r| r == name);
            let message = match needed {
                true => format!(
                    "Rust needs `{name}`, which is not in the CRD. The server drops it, so Rust cannot read any object"
                ),
                false => {
                    format!("Rust writes `{name}`, which is not in the CRD, so the server drops it")
                }
            };
            self.within(&["properties", name], |both| {
                both.say(
                    &codes::NOT_IN_DEFINITION,
                    Level::Error,
                    path,
                    message,
                    "add it to the CRD, or remove it from the type",
                );
            });
        }
        if let (Some(_), None, false) = (theirs.value(), ours.value(), open(ours)) {
            let message =
                "the CRD has a map here, but Rust has a struct, which drops all entries except its fields"
                    .to_owned();
            self.say(&codes::TYPE, Level::Warning, path, message, "use BTreeMap<String, …>");
        }
    }

    fn not_in_rust(&mut self, theirs: &Schema, name: &str, path: &Path<'_>) {
        if theirs.limits.required.iter().any(|r| r == name) {
            let message =
                format!("`{name}` is required but not in Rust, so the server rejects what Rust writes");
            self.say(&codes::NOT_IN_RUST, Level::Error, path, message, "add the field to the type");
        } else {
            let message = format!("`{name}` is not in Rust, so a client that replaces objects removes it");
            self.say(
                &codes::NOT_IN_RUST,
                Level::Warning,
                path,
                message,
                "add the field to the type, or keep unknown fields in a flattened map",
            );
        }
    }

    /// Compares whether both sides require the field of an object, and whether both allow it to be absent or null.
    fn needs(&mut self, object: Schemas<'_>, name: &str, field: Schemas<'_>, path: &Path<'_>) {
        let Schemas { theirs: their, ours: our } = field;
        let needs = |of: &Schema| of.limits.required.iter().any(|r| r == name);
        match (needs(object.theirs), needs(object.ours)) {
            (false, true) if their.default.is_none() => {
                let message = format!("objects may lack `{name}`, but Rust cannot read them without it");
                self.say(
                    &codes::REQUIRED,
                    Level::Error,
                    path,
                    message,
                    "make the field an Option, add #[serde(default)], or make it required in the CRD",
                );
            }
            (true, false) if their.default.is_none() && our.default.is_none() => {
                let message = format!("the server requires `{name}`, but Rust may leave it out");
                self.say(
                    &codes::REQUIRED,
                    Level::Warning,
                    path,
                    message,
                    "remove Option and skip_serializing_if, or remove it from `required`",
                );
            }
            _ => {}
        }
        if their.nullable && !our.nullable && needs(object.ours) {
            let message = format!("`{name}` may be null, but Rust cannot read null");
            self.say(
                &codes::REQUIRED,
                Level::Error,
                path,
                message,
                "make the field an Option, or remove nullable from the CRD",
            );
        }
    }

    fn values(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>) {
        let (a, b) = (&theirs.limits.enumeration, &ours.limits.enumeration);
        let without = |all: &[Value], other: &[Value]| -> Vec<String> {
            let missing = all.iter().filter(|v| !v.is_null() && !other.contains(v));
            missing.map(json::to_string).collect()
        };
        match (a.is_empty(), b.is_empty()) {
            (true, true) => {}
            (true, false) if theirs.ty != Some(Type::String) => {}
            (true, false) => {
                let message =
                    format!("the CRD allows any text, but Rust only reads {}", without(b, &[]).join(", "));
                self.say(&codes::VALUES, Level::Error, path, message, "add the enum to the CRD, or add a variant with #[serde(other)] or #[serde(untagged)] to the type");
            }
            (false, true) => {
                let message = format!(
                    "Rust may write any text, but the CRD only allows {}",
                    without(a, &[]).join(", ")
                );
                self.say(&codes::VALUES, Level::Warning, path, message, "make the type an enum");
            }
            (false, false) => {
                let (more, less) = (without(a, b), without(b, a));
                if !more.is_empty() {
                    let message = format!("the CRD allows {}, which Rust cannot read", more.join(", "));
                    self.say(&codes::VALUES, Level::Error, path, message, "add the variants to the type");
                }
                if !less.is_empty() {
                    let message = format!("Rust may write {}, which the CRD does not allow", less.join(", "));
                    self.say(&codes::VALUES, Level::Error, path, message, "add the values to the CRD");
                }
            }
        }
    }

    fn numbers(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>) {
        let integers = |s: &Schema| s.ty == Some(Type::Integer) && s.limits.enumeration.is_empty();
        if !integers(theirs) || !integers(ours) {
            return;
        }
        let ((low, high), (least, most)) = (range(theirs), range(ours));
        if low < least || high > most {
            let message =
                format!("the CRD allows {}, but Rust reads {}", between(low, high), between(least, most));
            self.say(
                &codes::RANGE,
                Level::Warning,
                path,
                message,
                "add the bounds of the type to the CRD (minimum, maximum or format), or use a wider type",
            );
        } else if least < low || most > high {
            let message =
                format!("Rust may write {}, but the CRD allows {}", between(least, most), between(low, high));
            self.say(
                &codes::RANGE,
                Level::Warning,
                path,
                message,
                "write it on the field: #[schema(minimum = …, maximum = …)]",
            );
        }
    }

    /// Compares bounds, patterns and formats, if the Rust type has any. Otherwise it leaves them to the server.
    fn limits(&mut self, theirs: &Schema, ours: &Schema, path: &Path<'_>) {
        let (a, b) = (&theirs.limits, &ours.limits);
        let number = |n: Option<i64>| n.map(|n| n.to_string());
        let text = |s: &str| (!s.is_empty()).then(|| format!("{s:?}"));
        for (what, a, b) in [
            ("minLength", number(a.min_length), number(b.min_length)),
            ("maxLength", number(a.max_length), number(b.max_length)),
            ("minItems", number(a.min_items), number(b.min_items)),
            ("maxItems", number(a.max_items), number(b.max_items)),
            ("minProperties", number(a.min_properties), number(b.min_properties)),
            ("maxProperties", number(a.max_properties), number(b.max_properties)),
            ("pattern", text(&a.pattern), text(&b.pattern)),
        ] {
            let Some(b) = b.filter(|b| Some(b) != a.as_ref()) else { continue };
            let a = a.unwrap_or_else(|| "not set".to_owned());
            let message = format!("{what} is {a} in the CRD, but {b} in Rust");
            self.say(&codes::LIMIT, Level::Warning, path, message, "use the same value in both");
        }
    }
}

/// Whether fields that are not named are kept.
fn open(schema: &Schema) -> bool {
    schema.ext.preserve_unknown_fields == Some(true) || schema.ext.embedded_resource
}

fn anything(schema: &Schema) -> bool {
    schema.ty.is_none() && schema.ext.preserve_unknown_fields == Some(true)
}

/// The range of integers that a schema allows.
fn range(schema: &Schema) -> (i128, i128) {
    let l = &schema.limits;
    let (mut low, mut high) = match l.format.as_str() {
        "int32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
    };
    if let Some(minimum) = l.minimum {
        low = low.max(minimum.ceil() as i128 + i128::from(l.exclusive_minimum));
    }
    if let Some(maximum) = l.maximum {
        high = high.min(maximum.floor() as i128 - i128::from(l.exclusive_maximum));
    }
    (low, high)
}

fn between(low: i128, high: i128) -> String {
    if (low, high) == (i128::from(i64::MIN), i128::from(i64::MAX)) {
        return "any 64-bit integer".to_owned();
    }
    let bound = |n: i128| match n {
        n if n == i128::from(i64::MIN) => "the smallest 64-bit integer".to_owned(),
        n if n == i128::from(i64::MAX) => "the largest 64-bit integer".to_owned(),
        n => n.to_string(),
    };
    format!("{} to {}", bound(low), bound(high))
}
