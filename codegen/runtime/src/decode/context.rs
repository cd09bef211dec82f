//! Decodes a [`Value`] into typed data by the rules of Go's JSON decoder: `null` leaves a field empty, unknown fields
//! are noted, and wrong types are errors. All errors are collected.

use crate::diag::codes::crd::{OUT_OF_RANGE, TOO_DEEP, UNKNOWN_FIELD, WRONG_TYPE};
use crate::diag::{Code, Diag, Diags, Level};
use crate::go;
use crate::ir::ApiVersion;
use crate::json;
use crate::nearest::did_you_mean;
use crate::path::{Path, Step};
use crate::value::{Map, Value, is_yaml_bool};

/// The maximum nesting of schemas. Real schemas reach 20. The server only limits the nesting in its JSON decoder
/// (10,000 levels of values), and crdgen would need a large stack to support the same.
const MAX_DEPTH: usize = 100;

/// The maximum number of unknown fields that are reported, as in the server.
const MAX_STRICT: usize = 100;

/// The maximum number of fields that are listed in help. Readers do not read longer lists in an error.
const MAX_LISTED: usize = 15;

/// The types of schemas.
const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// The state of decoding a document.
pub(super) struct Cx {
    /// The version of the document. Some fields differ between versions.
    #[cfg_attr(not(feature = "read"), expect(dead_code, reason = "schemas are the same in all"))]
    pub(super) version: ApiVersion,
    diags: Diags,
    /// Repeated keys. The server does not report all of them.
    repeats: Vec<Repeat>,
    /// The document with -0.0 in the places where a float is minus zero, if there are any.
    pub(super) floats: Option<Value>,
    failed: bool,
    strict: usize,
    lenient: bool,
    depth: usize,
}

/// A key that occurs twice, and whether the server decodes far enough to see it.
struct Repeat {
    diag: Diag,
    seen: bool,
}

impl Cx {
    pub(super) fn new(version: ApiVersion, repeats: Diags) -> Cx {
        let repeats = repeats.into_iter().map(|diag| Repeat { diag, seen: false }).collect();
        Cx {
            version,
            diags: Diags::new(),
            repeats,
            floats: None,
            failed: false,
            strict: 0,
            lenient: false,
            depth: 0,
        }
    }

    /// Whether decoding failed, with the errors, unknown fields and repeated keys.
    pub(super) fn finish(self) -> (bool, Diags) {
        let mut diags = self.diags;
        diags.extend(self.repeats.into_iter().filter(|r| r.seen).map(|r| r.diag));
        (self.failed, diags)
    }

    /// Marks repeated keys of an object as seen by the server: those among the known ones, or all if `known` is none.
    pub(super) fn look_at_keys(&mut self, object: &Path<'_>, known: Option<&[&str]>) {
        if self.lenient || self.repeats.is_empty() {
            return;
        }
        let steps = object.steps();
        for repeat in &mut self.repeats {
            if let Some((Step::Key(key), above)) = repeat.diag.steps.split_last() {
                repeat.seen |= *above == steps && known.is_none_or(|known| known.contains(&key.as_str()));
            }
        }
    }

    /// Whether a zero is minus zero when it is read as a float.
    fn is_minus_zero(&self, at: &Path<'_>) -> bool {
        let float = self.floats.as_ref().and_then(|floats| floats.at(&at.steps())?.as_float());
        float.is_some_and(|f| f == 0.0 && f.is_sign_negative())
    }

    /// Notes an unknown field.
    pub(super) fn unknown(&mut self, object: &Path<'_>, name: &str, known: &[&str]) {
        self.unknown_to_servers(&object.child(name), || {
            let near = foreign(name)
                .filter(|_| known.contains(&"maxLength"))
                .map(str::to_owned)
                .or_else(|| did_you_mean(name, known.iter().copied()));
            near.unwrap_or_else(|| {
                if known.len() <= MAX_LISTED {
                    format!("remove it; the fields here are {}", list(known))
                } else {
                    "remove it, or correct its name".to_owned()
                }
            })
        });
    }

    /// Notes a field that no server knows, with help.
    pub(super) fn unknown_to_servers(&mut self, at: &Path<'_>, help: impl FnOnce() -> String) {
        if self.lenient || self.strict == MAX_STRICT {
            return;
        }
        self.strict += 1;
        let detail = format!("unknown field {}", go::quote(&at.to_string()));
        self.diags.push(Diag::own(&UNKNOWN_FIELD, Level::Error, at, detail).help(help()));
    }

    /// Notes a value of a type that the field does not allow.
    pub(super) fn wrong(&mut self, at: &Path<'_>, value: &Value, expected: &str) {
        let detail = format!("expected {expected}, found {}", describe(value));
        let help = match value {
            Value::Bool(_) | Value::Int(_) | Value::Float(_) if expected == "a string" => "put it in quotes",
            Value::Str(text) if expected == "a boolean" && is_yaml_bool(text) => "remove the quotes",
            Value::Str(text) if expected.contains("number") && text.parse::<f64>().is_ok() => {
                "remove the quotes"
            }
            _ if expected == "a boolean" => "write `true` or `false`",
            Value::Bool(_) if expected == "a list" && at.name() == Some("required") => {
                "write `required` next to `properties`, with the names of the required fields: `required: [name]`"
            }
            _ if expected == "a list" => "write a list: start each item with `- `",
            Value::Str(text) if expected == "an object" && TYPES.contains(&text.as_str()) => {
                "write a schema, such as `{type: string}`"
            }
            Value::List(_) if at.name() == Some("type") => {
                "write one type. In a schema, add `nullable: true` if the value may be null"
            }
            Value::Bool(true) if expected == "an object" => "write `{}`, or the fields of the object",
            _ if expected == "an object" => "write an object: `name: value` lines",
            _ => "",
        };
        self.fail(&WRONG_TYPE, at, detail, help);
    }

    pub(super) fn fail(&mut self, code: &'static Code, at: &Path<'_>, detail: String, help: &str) {
        self.failed = true;
        let diag = Diag::own(code, Level::Error, at, detail);
        self.diags.push(if help.is_empty() { diag } else { diag.help(help) });
    }

    /// Decodes a part for which the server uses another decoder, which does not report unknown fields.
    pub(super) fn leniently<T>(&mut self, read: impl FnOnce(&mut Cx) -> T) -> T {
        let before = std::mem::replace(&mut self.lenient, true);
        let out = read(self);
        self.lenient = before;
        out
    }

    /// Decodes one level of a recursive type. Returns the empty value if it is nested too deeply.
    pub(super) fn nested<T: Default>(&mut self, at: &Path<'_>, read: impl FnOnce(&mut Cx) -> T) -> T {
        if self.depth == MAX_DEPTH {
            let detail = format!("nested more than {MAX_DEPTH} levels deep");
            self.fail(&TOO_DEEP, at, detail, "keep the inner part with x-kubernetes-preserve-unknown-fields");
            return T::default();
        }
        self.depth += 1;
        let out = read(self);
        self.depth -= 1;
        out
    }
}

/// Help for keywords of JSON Schema that CRDs do not have.
fn foreign(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "const" => "write `enum` with this one value",
        "examples" => "write one `example`",
        "if" | "then" | "else" | "dependentRequired" | "dependentSchemas" => {
            "write a rule in `x-kubernetes-validations`"
        }
        "propertyNames" => {
            "write a rule such as `self.all(key, key.size() < 64)` in `x-kubernetes-validations`"
        }
        "deprecated" => "begin the description with `Deprecated:`",
        "$defs" => "copy the schemas to the places that refer to them",
        _ => return None,
    })
}

/// A type that can be decoded.
pub(super) trait Decode: Sized {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Self;
}

/// Decodes the fields of an object into places: `object!(cx, at, value, { "name" => out.name; … })`,
/// or through a function with the signature of [`Decode::decode`]: `"time" => out.time, with time;`.
macro_rules! object {
    ($cx:expr, $at:expr, $value:expr, { $($key:literal => $place:expr $(, with $with:path)?;)* }) => {
        match $value {
            $crate::value::Value::Null => {}
            $crate::value::Value::Map(map) => {
                $cx.look_at_keys($at, Some(&[$($key),*]));
                for (key, value) in map {
                    match key.as_str() {
                        $($key => $place = object!(@read value, &$at.child($key), $cx $(, $with)?),)*
                        _ => $cx.unknown($at, &key, &[$($key),*]),
                    }
                }
            }
            other => $cx.wrong($at, &other, "an object"),
        }
    };
    (@read $value:expr, $at:expr, $cx:expr) => {
        $crate::decode::context::Decode::decode($value, $at, $cx)
    };
    (@read $value:expr, $at:expr, $cx:expr, $with:path) => {
        $with($value, $at, $cx)
    };
}

impl Decode for Value {
    fn decode(value: Value, _: &Path<'_>, _: &mut Cx) -> Value {
        value
    }
}

impl Decode for String {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> String {
        match value {
            Value::Str(text) => text,
            Value::Null => String::new(),
            other => {
                cx.wrong(at, &other, "a string");
                String::new()
            }
        }
    }
}

impl Decode for bool {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> bool {
        match value {
            Value::Bool(b) => b,
            Value::Null => false,
            other => {
                cx.wrong(at, &other, "a boolean");
                false
            }
        }
    }
}

impl Decode for i64 {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> i64 {
        match value {
            Value::Int(i) => i,
            Value::Null => 0,
            Value::Float(f) => {
                let number = json::to_string(&Value::Float(f));
                let detail = format!("expected a whole number of 64 bits, found {number}");
                cx.fail(&OUT_OF_RANGE, at, detail, "write an integer without fraction and exponent");
                0
            }
            other => {
                cx.wrong(at, &other, "a whole number");
                0
            }
        }
    }
}

impl Decode for i32 {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> i32 {
        let wide = i64::decode(value, at, cx);
        i32::try_from(wide).unwrap_or_else(|_| {
            let detail = format!("expected a whole number of 32 bits, found {wide}");
            cx.fail(&OUT_OF_RANGE, at, detail, "write a number from -2147483648 to 2147483647");
            0
        })
    }
}

impl Decode for f64 {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> f64 {
        match value {
            Value::Int(0) if cx.is_minus_zero(at) => -0.0,
            Value::Int(i) => i as f64,
            Value::Float(f) => f,
            Value::Null => 0.0,
            other => {
                cx.wrong(at, &other, "a number");
                0.0
            }
        }
    }
}

impl<T: Decode> Decode for Option<T> {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Option<T> {
        if value.is_null() { None } else { Some(T::decode(value, at, cx)) }
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Box<T> {
        Box::new(T::decode(value, at, cx))
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Vec<T> {
        match value {
            Value::List(items) => {
                let mut out = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    out.push(T::decode(item, &at.index(i), cx));
                }
                out
            }
            Value::Null => Vec::new(),
            other => {
                cx.wrong(at, &other, "a list");
                Vec::new()
            }
        }
    }
}

impl<T: Decode> Decode for Map<T> {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Map<T> {
        match value {
            Value::Map(map) => {
                cx.look_at_keys(at, None);
                let mut out = Vec::with_capacity(map.len());
                for (key, value) in map {
                    let value = T::decode(value, &at.child(&key), cx);
                    out.push((key, value));
                }
                Map::sorted(out)
            }
            Value::Null => Map::new(),
            other => {
                cx.wrong(at, &other, "an object");
                Map::new()
            }
        }
    }
}

/// A value in a few words, for messages.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => format!("the boolean {b}"),
        Value::Int(i) => format!("the number {i}"),
        Value::Float(_) => format!("the number {}", json::to_string(value)),
        Value::Str(text) if text.chars().count() > 40 => "a string".to_owned(),
        Value::Str(text) => format!("the string {}", go::quote(text)),
        Value::List(_) => "a list".to_owned(),
        Value::Map(_) => "an object".to_owned(),
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
