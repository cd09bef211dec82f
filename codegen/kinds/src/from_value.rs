//! Deserializes Rust types from a [`Value`], the inverse of [`crate::to_value`].

use crdgen_runtime::value::{Map, Value};
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::marker::PhantomData;

/// Deserializes a value, or returns serde's error.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Wrong> {
    T::deserialize(Reader { value, place: ValuePlace::Inside, step: None, notes: &Notes::default() })
}

/// Deserializes an object with empty metadata. Also returns which parts of the object the type knows. Every kind knows
/// `apiVersion` and `kind`.
pub fn from_object<T: DeserializeOwned>(object: &Value) -> Result<(T, Known), Wrong> {
    let notes = Notes::default();
    let typed = T::deserialize(Reader { value: object, place: ValuePlace::Root, step: None, notes: &notes })?;
    let known = Known { all: !notes.unknown.get(), fields: Fields::new(notes.fields.into_inner()) };
    Ok((typed, known))
}

/// Which parts of an object a type knows.
pub struct Known {
    /// Whether the type certainly knows all of the object.
    pub all: bool,
    /// The values that the type read as fields.
    pub fields: Fields,
}

/// Members of an object that its type reads as fields, identified by their addresses. The type may leave them out when
/// it writes the object.
pub struct Fields {
    all: Vec<*const Value>,
    /// The same addresses, sorted. Computed only when needed, because most objects do not need them.
    sorted: OnceCell<Vec<*const Value>>,
}

impl Fields {
    pub fn new(all: Vec<*const Value>) -> Fields {
        Fields { all, sorted: OnceCell::new() }
    }

    /// Whether a value is one of them.
    pub fn contain(&self, value: &Value) -> bool {
        let sorted = self.sorted.get_or_init(|| {
            let mut sorted = self.all.clone();
            sorted.sort_unstable();
            sorted
        });
        sorted.binary_search(&std::ptr::from_ref(value)).is_ok()
    }
}

/// What deserializing has found out so far.
#[derive(Default)]
struct Notes {
    /// Whether something was skipped, or may have been skipped.
    unknown: Cell<bool>,
    /// The values that were read as fields of structs.
    fields: RefCell<Vec<*const Value>>,
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq)]
enum ValuePlace {
    /// An object with metadata.
    Root,
    /// `apiVersion` or `kind` of the root.
    TypeMeta,
    /// A member of what is read as a struct. With flattened fields, serde reads a struct as a map.
    Field,
    Inside,
}

/// A step from a value to one inside of it.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// To a field.
    Field(&'a str),
    /// To an item of a list.
    Item(usize),
    /// To the value of a key in a map.
    Key(&'a str),
}

impl Step<'_> {
    /// Returns the path that begins with this step, and continues with `rest`.
    pub fn before(self, rest: &str) -> String {
        let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
        match self {
            Step::Field(name) => format!("{name}{dot}{rest}"),
            Step::Item(index) => format!("[{index}]{dot}{rest}"),
            Step::Key(key) => format!("[{key}]{dot}{rest}"),
        }
    }
}

/// serde's error message for a value, and the path to the value.
#[derive(Debug)]
pub struct Wrong {
    path: String,
    message: String,
}

impl Wrong {
    /// The same error as one about the value around it.
    fn under(self, step: Option<Step<'_>>) -> Wrong {
        match step {
            Some(step) => Wrong { path: step.before(&self.path), ..self },
            None => self,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { path, message } = self;
        match path.is_empty() {
            true => f.write_str(message),
            false => write!(f, "{path}: {message}"),
        }
    }
}
impl std::error::Error for Wrong {}
impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Wrong { path: String::new(), message: message.to_string() }
    }
}

/// Types read this instead of an object's metadata, because they may not know all of the metadata.
static NO_METADATA: Value = Value::Map(Map::new());

/// Reads a [`Value`].
#[derive(Clone, Copy)]
struct Reader<'a> {
    value: &'a Value,
    place: ValuePlace,
    /// The step to it from the value around it.
    step: Option<Step<'a>>,
    notes: &'a Notes,
}

impl<'a> Reader<'a> {
    fn inside(self, step: Step<'a>, value: &'a Value) -> Reader<'a> {
        Reader { value, place: ValuePlace::Inside, step: Some(step), ..self }
    }

    fn member(self, name: &'a str, value: &'a Value, place: ValuePlace) -> Reader<'a> {
        let is_root = self.place == ValuePlace::Root;
        let value = if is_root && name == "metadata" { &NO_METADATA } else { value };
        let is_type = is_root && matches!(name, "apiVersion" | "kind");
        let place = if is_type { ValuePlace::TypeMeta } else { place };
        Reader { value, place, step: Some(Step::Field(name)), ..self }
    }

    fn any<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.note();
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(it) => visitor.visit_bool(*it),
            Value::Int(it) => visitor.visit_i64(*it),
            Value::Float(it) => visitor.visit_f64(*it),
            Value::Str(it) => visitor.visit_str(it),
            Value::List(items) => {
                let items = items.iter().enumerate();
                let mut items = SeqDeserializer::new(items.map(|(at, it)| self.inside(Step::Item(at), it)));
                let out = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(out)
            }
            Value::Map(members) => self.members(members, ValuePlace::Inside, visitor),
        }
    }

    fn variant<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.note();
        let (variant, content) = match self.value {
            Value::Str(variant) => (variant.as_str(), None),
            Value::Map(members) if members.len() == 1 => match members.iter().next() {
                Some((variant, content)) => (variant, Some(self.inside(Step::Field(variant), content))),
                None => return Err(de::Error::custom("expected a variant")),
            },
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::List(_)
            | Value::Map(_) => {
                return Err(de::Error::custom(
                    "expected the name of a variant, or a map with its name alone",
                ));
            }
        };
        visitor.visit_enum(Variant { variant, content })
    }

    /// A map of members, or a struct of fields: `place` is where the values are.
    fn members<'de, V: Visitor<'de>>(
        self,
        members: &'a Map<Value>,
        place: ValuePlace,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let members = members.iter().map(|(name, value)| (Key::new(name), self.member(name, value, place)));
        let mut members = MapDeserializer::new(members);
        let out = visitor.visit_map(&mut members)?;
        members.end()?;
        Ok(out)
    }

    /// Notes that a field was read.
    fn note(self) {
        if self.place == ValuePlace::Field {
            self.notes.fields.borrow_mut().push(self.value);
        }
    }
}

impl<'de, 'a> IntoDeserializer<'de, Wrong> for Reader<'a> {
    type Deserializer = Reader<'a>;
    fn into_deserializer(self) -> Reader<'a> {
        self
    }
}

impl<'de> de::Deserializer<'de> for Reader<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.any(visitor).map_err(|wrong| wrong.under(self.step))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self.value {
            Value::Map(members) => {
                self.note();
                let read = self.members(members, ValuePlace::Field, visitor);
                read.map_err(|wrong| wrong.under(self.step))
            }
            Value::Null
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Str(_)
            | Value::List(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.value.is_null() {
            // The object has this field, but the type may not write it again.
            self.notes.unknown.set(true);
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.variant(visitor).map_err(|wrong| wrong.under(self.step))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if !keeps_all_members::<V::Value>() {
            self.notes.unknown.set(true);
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.place != ValuePlace::TypeMeta {
            self.notes.unknown.set(true);
        }
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct identifier
    }
}

/// Whether `T` is read as a map and keeps all members, as the maps of std do. Structs with flattened fields are read as
/// maps too, but they silently ignore fields.
pub fn keeps_all_members<T>() -> bool {
    let name = std::any::type_name::<T>();
    ["alloc::collections::btree::map::BTreeMap<", "std::collections::hash::map::HashMap<"]
        .iter()
        .any(|map| name.starts_with(map))
}

/// The name of a member. Since every key in JSON is a string, keys that are numbers or booleans are parsed from it.
pub struct Key<'a, E = Wrong>(&'a str, PhantomData<E>);

impl<'a, E> Key<'a, E> {
    pub fn new(name: &'a str) -> Key<'a, E> {
        Key(name, PhantomData)
    }
}

impl<'de, 'a, E: de::Error> IntoDeserializer<'de, E> for Key<'a, E> {
    type Deserializer = Key<'a, E>;
    fn into_deserializer(self) -> Key<'a, E> {
        self
    }
}

macro_rules! parsed {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            match self.0.parse() {
                Ok(it) => visitor.$visit(it),
                Err(_) => visitor.visit_str(self.0),
            }
        }
    )*};
}

impl<'de, E: de::Error> de::Deserializer<'de> for Key<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_str(self.0)
    }

    parsed! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8
        deserialize_i16 visit_i16
        deserialize_i32 visit_i32
        deserialize_i64 visit_i64
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_i128 visit_i128
        deserialize_u128 visit_u128
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(StrDeserializer::new(self.0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A variant of an enum, with its content.
struct Variant<'a> {
    variant: &'a str,
    content: Option<Reader<'a>>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = Wrong;
    type Variant = Content<'a>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Content<'a>), Wrong> {
        Ok((seed.deserialize(Key::<Wrong>::new(self.variant))?, Content(self.content)))
    }
}

/// The content of a variant.
struct Content<'a>(Option<Reader<'a>>);

impl<'a> Content<'a> {
    fn value(self) -> Result<Reader<'a>, Wrong> {
        self.0.ok_or_else(|| de::Error::custom("expected a variant with a value"))
    }
}

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match self.0 {
            None | Some(Reader { value: Value::Null, .. }) => Ok(()),
            Some(_) => Err(de::Error::custom("expected a variant without a value")),
        }
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(self.value()?)
    }
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        de::Deserializer::deserialize_any(self.value()?, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        de::Deserializer::deserialize_struct(self.value()?, "", fields, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::{from_object, from_value};
    use crate::to_value::to_value;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum Shape {
        Unit,
        New(i32),
        Tuple(i32, String),
        Named { a: bool },
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct New(u64);

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct All {
        shapes: Vec<Shape>,
        by_number: BTreeMap<i64, New>,
        by_shape: BTreeMap<bool, Option<char>>,
        nothing: Option<i32>,
        float: f64,
        unit: (),
        pair: (i8, u8),
        #[serde(flatten)]
        rest: BTreeMap<String, i32>,
    }

    #[test]
    fn reads_back_what_it_has_written() {
        let all = All {
            shapes: vec![Shape::Unit, Shape::New(-1), Shape::Tuple(1, "x".into()), Shape::Named { a: true }],
            by_number: BTreeMap::from([(-3, New(3))]),
            by_shape: BTreeMap::from([(true, Some('c')), (false, None)]),
            nothing: None,
            float: 1.5,
            unit: (),
            pair: (-1, 1),
            rest: BTreeMap::from([("more".into(), 1)]),
        };
        let value = to_value(&all).expect("it is JSON");
        assert_eq!(from_value::<All>(&value).expect("it reads what it wrote"), all);
    }

    #[test]
    fn notes_what_a_type_may_not_know() {
        #[derive(Deserialize)]
        struct Root {
            #[allow(dead_code)]
            spec: Inner,
        }
        #[derive(Deserialize)]
        struct Inner {
            #[allow(dead_code)]
            a: Option<i32>,
        }
        for (text, unknown) in [
            (r#"{"apiVersion":"a","kind":"b","spec":{"a":1}}"#, false),
            (r#"{"spec":{}}"#, false),
            (r#"{"spec":{"a":null}}"#, true),
            (r#"{"spec":{"a":1,"b":2}}"#, true),
            (r#"{"spec":{"a":1,"kind":"b"}}"#, true),
        ] {
            let object = crdgen_runtime::json::read(text.as_bytes()).expect("it is JSON");
            let (_, found) = from_object::<Root>(&object).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(!found.all, unknown, "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let value = to_value(&BTreeMap::from([("a", 1), ("b", 2)])).expect("it is JSON");
        let wrong = from_value::<Shape>(&value).expect_err("two variants");
        assert_eq!(wrong.to_string(), "expected the name of a variant, or a map with its name alone");
        let wrong = from_value::<New>(&to_value("x").expect("JSON")).expect_err("no number");
        assert_eq!(wrong.to_string(), "invalid type: string \"x\", expected u64");
    }

    #[test]
    fn says_where_it_is_wrong() {
        let all =
            r#"{"shapes":[],"by_number":{},"by_shape":{},"nothing":null,"float":1,"unit":null,"pair":[1,2]}"#;
        for (from, to, wanted) in [
            (
                "[]",
                r#"["Unit",{"Named":{"a":1}}]"#,
                "shapes[1].Named.a: invalid type: integer `1`, expected a boolean",
            ),
            ("[]", r#"[{"Named":{}}]"#, "shapes[0].Named: missing field `a`"),
            (
                "[]",
                r#"[{"Tuple":[1]}]"#,
                "shapes[0].Tuple: invalid length 1, expected tuple variant Shape::Tuple with 2 elements",
            ),
            ("[1,2]", "[1,300]", "pair[1]: invalid value: integer `300`, expected u8"),
            ("null,\"float\"", "\"x\",\"float\"", "nothing: invalid type: string \"x\", expected i32"),
            (r#","pair":[1,2]"#, "", "missing field `pair`"),
        ] {
            let value = crdgen_runtime::json::read(all.replace(from, to).as_bytes()).expect("it is JSON");
            assert_eq!(from_value::<All>(&value).expect_err(wanted).to_string(), wanted);
        }
    }
}
