//! The text form of recipes: tags and lengths, no escapes, read in one pass. The derive writes it, and the same
//! version of this crate reads it (their versions are pinned to each other). No one else uses it.

use super::metadata::Metadata;
use super::node::{Default as DefaultValue, Enum, Field, Mark, Need, Node, Once, Struct, Tagging, Variant};
use super::patch::{Allow, Key, Length, Patch, Union, UnionMode};
use super::root::Root;
use crate::ir::{
    Additional, ClientConfig, Column, Conversion, Dependency, Empty, Extensions, ExternalDocs, FieldUnion,
    Foreign, Items, Keyword, Limits, Rule, Scale, Schema, ServiceReference, Type,
};
use crate::value::{Map, Value};

/// Writes a recipe, or a root, as text. Derives only write recipes and programs only read them, so neither compiles the
/// code for the other.
pub fn encode<T: Wire>(it: &T) -> String {
    let mut out = String::new();
    it.put(&mut out);
    out
}

/// Reads a recipe, or a root, from its text. None if another version wrote it.
pub fn decode<T: Wire>(text: &str) -> Option<T> {
    let mut reader = Reader { rest: text, depth: 0 };
    let it = T::take(&mut reader)?;
    reader.rest.is_empty().then_some(it)
}

/// A type with a text form.
pub trait Wire: Sized {
    /// Writes the value.
    fn put(&self, out: &mut String);
    /// Whether the value is the default, which is not written.
    fn is_default(&self) -> bool {
        false
    }
    /// Reads a value.
    fn take(from: &mut Reader<'_>) -> Option<Self>;
}

/// The rest of a text, which is still to be read.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn tag(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn until(&mut self, end: char) -> Option<&'a str> {
        let (head, tail) = self.rest.split_once(end)?;
        self.rest = tail;
        Some(head)
    }

    fn bytes(&mut self, len: usize) -> Option<&'a str> {
        let head = self.rest.get(..len)?;
        self.rest = &self.rest[len..];
        Some(head)
    }
}

impl Wire for String {
    fn put(&self, out: &mut String) {
        self.len().put(out);
        out.push_str(self);
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let len = usize::take(from)?;
        from.bytes(len).map(str::to_owned)
    }
}

impl Wire for bool {
    fn put(&self, out: &mut String) {
        out.push(if *self { 't' } else { 'f' });
    }
    fn is_default(&self) -> bool {
        !*self
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(from.tag()? == 't')
    }
}

macro_rules! wire_number {
    ($($ty:ty)*) => {$(
        impl Wire for $ty {
            fn put(&self, out: &mut String) {
                out.push_str(&format!("{self:?};"));
            }
            fn is_default(&self) -> bool {
                *self == <$ty>::default()
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.until(';')?.parse().ok()
            }
        }
    )*};
}
wire_number!(i64 i32 usize f64 u8);

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut String) {
        match self {
            None => out.push('-'),
            Some(it) => {
                out.push('+');
                it.put(out);
            }
        }
    }
    fn is_default(&self) -> bool {
        self.is_none()
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        if from.tag()? == '+' { T::take(from).map(Some) } else { Some(None) }
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, out: &mut String) {
        (**self).put(out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take(from).map(Box::new)
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut String) {
        self.len().put(out);
        for it in self {
            it.put(out);
        }
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let mut out = Vec::new();
        for _ in 0..usize::take(from)? {
            out.push(T::take(from)?);
        }
        Some(out)
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut String) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<T: Wire> Wire for Map<T> {
    fn put(&self, out: &mut String) {
        self.len().put(out);
        for (key, it) in self.iter() {
            key.len().put(out);
            out.push_str(key);
            it.put(out);
        }
    }
    fn is_default(&self) -> bool {
        self.is_empty()
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Vec::take(from).map(Map::sorted)
    }
}

/// Structs: a tag for each field that differs from its default. All fields are named, so that a new field cannot be
/// forgotten.
macro_rules! wire_struct {
    ($($name:ident { $($tag:literal $field:ident,)* })*) => {$(
        impl Wire for $name {
            fn put(&self, out: &mut String) {
                let $name { $($field),* } = self;
                $(if !$field.is_default() {
                    out.push($tag);
                    $field.put(out);
                })*
                out.push('.');
            }
            fn is_default(&self) -> bool {
                let $name { $($field),* } = self;
                $($field.is_default())&&*
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                // Deeper than any document that the API server reads.
                if from.depth > 500 {
                    return None;
                }
                from.depth += 1;
                let mut it = $name::default();
                loop {
                    match from.tag()? {
                        '.' => break,
                        $($tag => it.$field = Wire::take(from)?,)*
                        _ => return None,
                    }
                }
                from.depth -= 1;
                Some(it)
            }
        }
    )*};
}

/// A keyword is written by its name, which does not change when keywords are added.
impl Wire for Keyword {
    fn put(&self, out: &mut String) {
        self.name().to_owned().put(out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Keyword::of(&String::take(from)?)
    }
}

impl Wire for Empty {
    fn put(&self, _: &mut String) {}
    fn is_default(&self) -> bool {
        true
    }
    fn take(_: &mut Reader<'_>) -> Option<Self> {
        Some(Empty::default())
    }
}

/// Enums: a tag for the variant, and then its parts. If a field of a struct has a default, the default comes first.
macro_rules! wire_enum {
    ($($name:ident $(= $default:pat =>)? { $($tag:literal $variant:ident $(($($part:ident),*))?,)* })*) => {$(
        impl Wire for $name {
            fn put(&self, out: &mut String) {
                match self {
                    $($name::$variant $(($($part),*))? => {
                        out.push($tag);
                        $($($part.put(out);)*)?
                    })*
                }
            }
            $(            fn is_default(&self) -> bool {
                matches!(self, $default)
            })?
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                match from.tag()? {
                    $($tag => Some($name::$variant $(($({ let $part = Wire::take(from)?; $part }),*))?),)*
                    _ => None,
                }
            }
        }
    )*};
}

wire_enum! {
    Value { 'n' Null, 'b' Bool(b), 'i' Int(i), 'f' Float(f), 's' Str(s), 'l' List(l), 'm' Map(m), }
    Type {
        'o' Object, 'a' Array, 's' String, 'i' Integer, 'n' Number, 'b' Boolean, '?' Other(name),
    }
    Items { '1' One(s), 'm' Many(l), }
    Additional { 'b' Allow(b), 's' Schema(s), }
    Dependency { 's' Schema(s), 'p' Properties(l), 'n' Nothing, }
    Node = Node::Ref(0) => {
        'p' Plain(s), 'r' Ref(n), 'o' Option(n), 'n' Newtype(n), 'l' List(n), 'e' Set(n),
        'a' Array(n, len), 'm' Map(k, v), 's' Struct(s), 'u' Enum(e), 't' Tuple(l), 'x' Patched(n, p), '?' Odd(n, w, h), '!' Wrong(w, h),
    }
    Tagging = Tagging::External => { 'e' External, 'i' Internal(t), 'a' Adjacent(t, c), 'u' Untagged, }
    Need = Need::Auto => { 'a' Auto, 'r' Required, 'o' Optional, }
    DefaultValue { 'v' Value(v), 'c' Computed(n), }
    Mark { 'c' Column(c), 's' Selectable, 'p' SpecReplicas, 't' StatusReplicas, 'l' LabelSelector, }
    Once = Once::No => { 'n' No, 'i' Immutable, 'o' Once, }
    UnionMode = UnionMode::ExactlyOne => { '=' ExactlyOne, '<' AtMostOne, '>' AtLeastOne, }
    Metadata { 'p' Preserve, 's' Subset, 'f' Full, 'S' Settable, 'k' AsKind, }
    Key { 's' Str(s), 'i' Items, 'v' Values, }
}

wire_struct! {
    Schema {
        't' ty, 'n' nullable, 'T' title, 'd' description, 'D' default, 'e' example, 'x' external_docs,
        'p' properties, 'i' items, 'a' additional_properties, 'k' ext, 'r' rules, 'l' limits, 'f' foreign, 'E' empty,
    }
    ExternalDocs { 'd' description, 'u' url, }
    Extensions {
        'p' preserve_unknown_fields, 'e' embedded_resource, 'i' int_or_string, 'l' list_type,
        'k' list_map_keys, 'm' map_type, 'u' unions,
    }
    FieldUnion { 'd' discriminator, 'f' fields, }
    Rule {
        'r' rule, 'm' message, 'e' message_expression, 'R' reason, 'p' field_path, 'o' optional_old_self,
    }
    Limits {
        'f' format, 'M' maximum, 'X' exclusive_maximum, 'm' minimum, 'x' exclusive_minimum, 'k' multiple_of,
        'L' max_length, 'l' min_length, 'p' pattern, 'I' max_items, 'i' min_items, 'u' unique_items,
        'P' max_properties, 'q' min_properties, 'r' required, 'e' enumeration, '&' all_of, '|' any_of,
        '1' one_of, '!' not,
    }
    Foreign {
        'i' id, 's' schema, 'r' reference, 'p' pattern_properties, 'd' dependencies, 'a' additional_items,
        'D' definitions,
    }
    Struct { 'f' fields, 'u' deny_unknown, 'd' default, }
    Field {
        'n' name, 'a' aliases, 't' node, 'N' need, 'w' writes_null, 'd' default, 'D' by_serde, 'f' flatten, 'p' patch,
        'm' marks, 'o' once, 's' strict, 'S' said_optional, 'L' left_out,
    }
    Enum { 't' tagging, 'd' description, 'v' variants, 'u' deny_unknown, }
    Variant { 'n' name, 'a' aliases, 'd' description, 'p' payload, 'o' other, 'u' untagged, 'P' patch, }
    Patch {
        's' set, 'c' clear, 'l' length, 'i' items, 'v' values, 'k' keys, 'a' at, 'u' unions, 'd' discriminator, 'C' computed, 'o' overrides_type, 'I' as_is,
        'm' metadata, 'w' allow,
    }
    Allow { 'c' code, 'r' reason, }
    Length { 'm' min, 'M' max, }
    Union { 'm' mode, 'f' fields, }
    Root {
        'g' group, 'v' version, 'k' kind, 'p' plural, 's' singular, 'S' short_names, 'c' categories,
        'l' list_kind, 'n' namespaced, 'e' unserved, 'o' unstored, 'd' deprecated, 'w' deprecation_warning,
        'a' annotations, 'L' labels, 'C' columns, 'f' selectable, 'x' scale, 'r' patch, 'V' conversion,
        'P' preserve_unknown_fields, 'W' whole, 'T' spec, 'U' status, 'N' metadata_name,
        'G' metadata_generate_name, 'X' schemaless, 'O' spec_optional, 'B' subresource_status,
        'A' as_is, 'D' no_subresources, 'M' max_description, 'E' metadata, 'y' allow,
    }
    Column { 'n' name, 't' ty, 'f' format, 'd' description, 'p' priority, 'j' json_path, }
    Scale { 's' spec_replicas_path, 't' status_replicas_path, 'l' label_selector_path, }
    Conversion { 's' strategy, 'c' client_config, 'r' review_versions, }
    ClientConfig { 'u' url, 's' service, 'c' ca_bundle, }
    ServiceReference { 'N' namespace, 'n' name, 'p' path, 'P' port, }
}
