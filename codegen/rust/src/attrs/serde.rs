//! `#[serde(…)]`: the attributes that change the document.

use super::meta::{Arg, Meta};
use super::place::{FIELD, TYPES, VARIANT};
use super::{Key, Reader};
use crate::diag::codes::rust as codes;
use crate::names::Case;
use proc_macro2::Span;

/// The serde attributes of one place.
#[derive(Default)]
pub struct Serde {
    /// `rename` for reading.
    pub rename: Option<String>,
    /// `rename_all` for reading.
    pub rename_all: Option<Case>,
    /// `rename_all_fields` for reading.
    pub rename_all_fields: Option<Case>,
    /// `alias`
    pub aliases: Vec<String>,
    /// `tag`
    pub tag: Option<String>,
    /// `content`
    pub content: Option<String>,
    /// `untagged`
    pub untagged: bool,
    /// `other`
    pub other: bool,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
    /// `transparent`
    pub transparent: bool,
    /// `default`
    pub default: Option<SerDefault>,
    /// `flatten`
    pub flatten: bool,
    /// `skip` or `skip_serializing`
    pub skip_serializing: bool,
    /// `skip` or `skip_deserializing`
    pub skip_deserializing: bool,
    /// `skip_serializing_if`
    pub skip_if: Option<syn::Path>,
    /// `with`, `serialize_with`
    pub serialize_with: Option<(syn::Path, Span)>,
    /// `with`, `deserialize_with`
    pub deserialize_with: Option<(syn::Path, Span)>,
    /// `into`
    pub into: Option<(syn::Type, Span)>,
    /// `from`, `try_from`
    pub from: Option<(syn::Type, Span)>,
    /// `remote`
    pub remote: bool,
    /// The names for reading and writing, if they differ, and their place.
    pub split: Option<(String, String, Span)>,
}

/// The value that serde sets for a missing field.
#[derive(Clone)]
pub enum SerDefault {
    /// `Default::default()`
    Default,
    /// The result of a function.
    Path(syn::Path),
}

pub(super) static KEYS: &[Key] = keys! {
    TYPES | VARIANT | FIELD, false "rename", "= \"name\"", "The name in YAML and JSON.", rename;
    TYPES | VARIANT, false "rename_all", "= \"camelCase\"", "The case of the names of fields or variants.", rename_all;
    TYPES, false "rename_all_fields", "= \"camelCase\"", "The case of the field names in all variants.", rename_all_fields;
    VARIANT | FIELD, true "alias", "= \"name\"", "Another name that serde accepts. It is in the schema too.", alias;
    TYPES, false "tag", "= \"type\"", "The field that contains the name of the variant.", tag;
    TYPES, false "content", "= \"content\"", "The field that contains the content of the variant.", content;
    TYPES | VARIANT, false "untagged", "", "serde tries the variants in order.", untagged;
    VARIANT, false "other", "", "The variant for all unknown tags.", |r, _| r.attrs.serde.other = true;
    TYPES, false "deny_unknown_fields", "", "serde rejects unknown fields.", deny;
    TYPES, false "transparent", "", "Uses the schema of the only field.", transparent;
    TYPES | FIELD, false "default", "= \"function\"", "Makes fields optional and puts the default into the schema.", default;
    FIELD, false "flatten", "", "Its fields become fields of the struct that contains it.", flatten;
    FIELD | VARIANT, false "skip", "", "serde neither reads nor writes it. Not in the schema.", |r, _| {
        r.attrs.serde.skip_serializing = true;
        r.attrs.serde.skip_deserializing = true;
    };
    FIELD | VARIANT, false "skip_serializing", "", "serde does not write it.", skip_serializing;
    FIELD, false "skip_deserializing", "", "serde does not read it. It stays in the schema; otherwise the server would drop it.", skip_deserializing;
    VARIANT, false "skip_deserializing", "", "serde does not read it, so it is not in the schema. An error without `skip_serializing`: the server would reject what serde writes.", skip_deserializing;
    FIELD, false "skip_serializing_if", "= \"function\"", "serde does not write it if the function returns `true`.", skip_serializing_if;
    FIELD | VARIANT, false "with", "= \"module\"", "A module reads and writes it. You must give the schema.", |r, m| {
        if let Some(path) = r.path(m) {
            let mut ser = path.clone();
            ser.segments.push(syn::PathSegment::from(syn::Ident::new("serialize", m.span)));
            r.attrs.serde.serialize_with = Some((ser, m.span));
            r.attrs.serde.deserialize_with = Some((path, m.span));
        }
    };
    FIELD | VARIANT, false "serialize_with", "= \"function\"", "A function writes it. You must give the schema.", |r, m| {
        r.attrs.serde.serialize_with = r.path(m).map(|p| (p, m.span));
    };
    FIELD | VARIANT, false "deserialize_with", "= \"function\"", "A function reads it. You must give the schema.", |r, m| {
        r.attrs.serde.deserialize_with = r.path(m).map(|p| (p, m.span));
    };
    TYPES, false "into", "= \"Type\"", "serde writes it as this type.", into;
    TYPES, false "from", "= \"Type\"", "serde reads it as this type.", from;
    TYPES, false "try_from", "= \"Type\"", "serde reads it as this type.", from;
    TYPES, false "remote", "= \"Type\"", "The struct describes this type of another crate.", |r, _| r.attrs.serde.remote = true;
    FIELD, false "getter", "= \"function\"", "Has no effect on the schema.", |_, _| {};
    TYPES | VARIANT | FIELD, false "bound", "= \"…\"", "Has no effect on the schema.", |_, _| {};
    FIELD | VARIANT, false "borrow", "", "Has no effect on the schema.", |_, _| {};
    TYPES, false "crate", "= \"path\"", "The path at which serde is re-exported.", |r, m| {
        if let Some(path) = r.path(m) { r.kube().crates.push(("serde".to_owned(), path)); }
    };
    TYPES, false "expecting", "= \"…\"", "Has no effect on the schema.", |_, _| {};
    TYPES, false "field_identifier", "", "Has no effect on the schema.", |_, _| {};
    TYPES, false "variant_identifier", "", "Has no effect on the schema.", |_, _| {};
    TYPES, false "non_exhaustive", "", "Has no effect on the schema.", |_, _| {};
};

impl Serde {
    /// Undoes the key that `#[schemars(!key)]` names.
    pub(super) fn unset(&mut self, key: &str) {
        match key {
            "rename" => self.rename = None,
            "rename_all" => self.rename_all = None,
            "rename_all_fields" => self.rename_all_fields = None,
            "alias" => self.aliases.clear(),
            "tag" => self.tag = None,
            "content" => self.content = None,
            "untagged" => self.untagged = false,
            "deny_unknown_fields" => self.deny_unknown = false,
            "transparent" => self.transparent = false,
            "default" => self.default = None,
            "flatten" => self.flatten = false,
            "skip" => (self.skip_serializing, self.skip_deserializing) = (false, false),
            "skip_serializing" => self.skip_serializing = false,
            "skip_deserializing" => self.skip_deserializing = false,
            "skip_serializing_if" => self.skip_if = None,
            "with" => (self.serialize_with, self.deserialize_with) = (None, None),
            "into" => self.into = None,
            "from" | "try_from" => self.from = None,
            _ => {}
        }
    }
}

/// A name for both directions, or one for each: (reading, writing).
fn both(r: &mut Reader<'_>, m: &Meta) -> Option<(Option<String>, Option<String>)> {
    if let Arg::List(_) = m.arg {
        let (mut read, mut written) = (None, None);
        for part in r.parts(m)? {
            match part.key.as_str() {
                "deserialize" => read = r.text(&part),
                "serialize" => written = r.text(&part),
                _ => r.unknown_part(&part, &m.key, &["serialize", "deserialize"]),
            }
        }
        return Some((read, written));
    }
    let text = r.text(m)?;
    Some((Some(text.clone()), Some(text)))
}

pub(super) fn rename(r: &mut Reader<'_>, m: &Meta) {
    let Some((read, written)) = both(r, m) else { return };
    match (read, written) {
        (Some(read), Some(written)) if read == written => r.attrs.serde.rename = Some(read),
        (read, written) => {
            r.attrs.serde.split =
                Some((read.clone().unwrap_or_default(), written.clone().unwrap_or_default(), m.span));
            r.report.error(m.span, &codes::UNREADABLE, "the name differs between reading and writing", "serde could not read what it writes. Use one name, and #[serde(alias = \"…\")] for the other");
            r.attrs.serde.rename = read;
        }
    }
}

fn case(r: &mut Reader<'_>, m: &Meta) -> Option<Case> {
    let (read, written) = both(r, m)?;
    if read != written {
        r.report.error(
            m.span,
            &codes::UNREADABLE,
            "names differ between reading and writing",
            "serde could not read what it writes. Use one case",
        );
    }
    let text = read?;
    let case = Case::named(&text);
    if case.is_none() {
        let names = Case::NAMES.iter().map(|(name, _)| *name);
        let help = super::did_you_mean_text(&text, names.clone())
            .unwrap_or_else(|| format!("expected one of: {}", names.collect::<Vec<_>>().join(", ")));
        r.report.error(
            m.value_span(),
            &codes::VALUE,
            format!("`{text}` is not a case that serde knows"),
            help,
        );
    }
    case
}

pub(super) fn rename_all(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.rename_all = case(r, m);
}
pub(super) fn rename_all_fields(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.rename_all_fields = case(r, m);
}
pub(super) fn alias(r: &mut Reader<'_>, m: &Meta) {
    if let Some(name) = r.text(m) {
        r.attrs.serde.aliases.push(name);
    }
}
pub(super) fn tag(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.tag = r.text(m);
}
pub(super) fn content(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.content = r.text(m);
}
pub(super) fn untagged(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.untagged = r.flag(m) == Some(true);
}
pub(super) fn deny(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.deny_unknown = r.flag(m) == Some(true);
}
pub(super) fn transparent(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.transparent = r.flag(m) == Some(true);
}
pub(super) fn default(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.default = match &m.arg {
        Arg::Flag => Some(SerDefault::Default),
        Arg::Value(_) | Arg::List(_) => r.path(m).map(SerDefault::Path),
    };
}
pub(super) fn flatten(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.flatten = r.flag(m) == Some(true);
}
pub(super) fn skip_serializing(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.skip_serializing = r.flag(m) == Some(true);
}
pub(super) fn skip_deserializing(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.skip_deserializing = r.flag(m) == Some(true);
}
pub(super) fn skip_serializing_if(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.skip_if = r.path(m);
}
pub(super) fn into(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.into = r.parsed(m, "String").map(|t| (t, m.span));
}
pub(super) fn from(r: &mut Reader<'_>, m: &Meta) {
    r.attrs.serde.from = r.parsed(m, "String").map(|t| (t, m.span));
}
