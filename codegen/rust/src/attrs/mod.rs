//! Attributes. A table has one row per key: where it may be used, how it is written, what it means (for the reference),
//! and what it sets. So the parser, the reference and "did you mean" cannot differ.

/// The rows of a table: where a key may be used, whether it may repeat, its name, how it is written, what it means, and what it sets.
macro_rules! keys {
    ($($places:expr, $repeat:literal $name:literal, $form:literal, $doc:literal, $set:expr;)*) => {
        &[$(Key { name: $name, places: $places, repeat: $repeat, form: $form, doc: $doc, set: $set }),*]
    };
}

mod common;
mod garde;
#[cfg(feature = "convert")]
pub(crate) mod keyed;
mod kube;
pub mod meta;
mod object;
mod paths;
mod schema;
mod schemars;
mod serde;
mod validate;
mod values;
mod x_kube;

pub use kube::Kube;
pub use meta::{json_of, string_of};
pub use serde::{SerDefault, Serde};

use self::meta::{Arg, Meta, metas};
use super::literal::text_of;
use super::report::Report;
use super::written::Written;
use crate::diag::codes::rust as codes;
use crate::ir::{Keyword, Schema};
use crate::nearest::{did_you_mean, did_you_mean_text};
use crate::recipe::{Mark, Need, Once, Patch, tidy_doc};
use crate::syntax::nesting;
use crate::value::Value;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use std::fmt::Write;

/// The places where attributes are used, as bits.
pub mod place {
    /// A type that is a kind.
    pub const ROOT: u8 = 1;
    /// Any other type.
    pub const TYPE: u8 = 2;
    /// A variant of an enum.
    pub const VARIANT: u8 = 4;
    /// A field.
    pub const FIELD: u8 = 8;
    /// Inside `items(…)`, `values(…)` and `override(…)`.
    pub const NESTED: u8 = 16;
    /// Inside `keys(…)`.
    pub const KEYS: u8 = 32;
    /// Any type.
    pub const TYPES: u8 = ROOT | TYPE;
    /// All places that have a schema.
    pub const ALL: u8 = TYPES | VARIANT | FIELD | NESTED;

    pub(super) fn words(places: u8) -> String {
        let all = [
            (ROOT, "kinds"),
            (TYPE, "types"),
            (VARIANT, "variants"),
            (FIELD, "fields"),
            (NESTED, "items and values"),
            (KEYS, "keys"),
        ];
        let names: Vec<&str> =
            all.iter().filter(|(bit, _)| places & bit != 0).map(|(_, name)| *name).collect();
        names.join(", ")
    }
}

/// A row of the table of keys.
pub struct Key {
    /// The name of the key.
    pub name: &'static str,
    /// The [places](place) where the key may be used, as bits.
    pub places: u8,
    /// Whether the key may be repeated.
    pub repeat: bool,
    /// How the argument of the key is written.
    pub form: &'static str,
    /// The meaning of the key, for the reference.
    pub doc: &'static str,
    set: fn(&mut Reader<'_>, &Meta),
}

/// The attributes that crdgen reads, each with its keys.
pub static FAMILIES: &[(&str, &[Key])] = &[
    ("schema", schema::KEYS),
    ("kube", kube::KEYS),
    ("x_kube", x_kube::KEYS),
    ("cel_validate", x_kube::OLD_KEYS),
    ("schemars", schemars::KEYS),
    ("validate", validate::KEYS),
    ("garde", garde::KEYS),
    ("serde", serde::KEYS),
];

/// Code whose value the schema needs. The derive generates code that runs it. When crdgen reads sources, it evaluates
/// the code if it is simple.
#[derive(Clone)]
pub enum Code {
    /// The value that serde sets for a missing field, as serde writes it.
    Default {
        /// The function. `None` means `Default::default`.
        path: Option<syn::Path>,
        /// The type of the field.
        ty: Box<syn::Type>,
        /// `skip_serializing_if`
        skip_if: Option<syn::Path>,
        /// `serialize_with`
        serialize_with: Option<syn::Path>,
    },
    /// An expression whose result is used as text.
    Text(TokenStream),
    /// An expression whose result is used as a JSON value.
    Value(TokenStream),
    /// A function that returns a schema.
    Schema(syn::Path),
}

/// The generated test of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// It fails if there are errors.
    #[default]
    On,
    /// It fails if there are errors or warnings.
    DenyWarnings,
    /// There is none.
    Off,
}

/// A name in an attribute that must be the name of a field.
pub struct Named {
    /// The name, as it is written in the document.
    pub name: String,
    /// The attribute that contains the name.
    pub by: NamedBy,
    /// The place of the name.
    pub span: Span,
}

/// An attribute that names a field.
pub enum NamedBy {
    /// A key such as `exactly_one_of`.
    Union,
    /// `discriminator`
    Discriminator,
    /// The first step of `override(…)`. Contains the whole path.
    Override(String),
    /// The first step of a rule's `field_path`. Contains the whole path.
    FieldPath(String),
}

/// The attributes of one place.
#[derive(Default)]
pub struct Attrs {
    /// Documentation, verbatim.
    pub doc: String,
    /// The documentation, unchanged.
    raw_doc: Option<String>,
    /// Documentation that only the compiler can evaluate, line by line: `include_str!("…")`.
    pub doc_code: Vec<TokenStream>,
    /// The text that `#[deprecated]` adds to the description.
    pub deprecated: Option<String>,
    /// `as_is`
    pub as_is: bool,
    /// Whether the documentation is Markdown that was made from descriptions. This applies to the type and its fields.
    pub markdown: bool,
    /// The changes of the schema.
    pub patch: Patch,
    /// The content of garde's `inner(…)`. For an `Option` it applies to the value in the `Option`, not to the items.
    pub inner: Option<Box<Patch>>,
    /// `required`, `optional`
    pub need: Option<Need>,
    /// A default that is written in an attribute.
    pub default: Option<(Value, Span)>,
    /// `opaque`
    pub opaque: Option<Span>,
    /// `as = "Type"`
    pub as_type: Option<(syn::Type, Span)>,
    /// `raw = { … }`
    pub raw: Option<(Schema, Span)>,
    /// `with = path`
    pub with: Option<(syn::Path, Span)>,
    /// Properties without a field.
    pub properties: Vec<(String, Schema)>,
    /// Printer columns and other marks of a field for the CRD.
    pub marks: Vec<(Mark, Span)>,
    /// `immutable`
    pub once: Once,
    /// `discriminator`
    pub discriminator: Option<(String, Span)>,
    /// The fields to which this one must be equal, by their Rust names.
    pub equal_to: Vec<(String, Span)>,
    /// `skip`: the field is not part of the schema.
    pub skip: bool,
    /// `crate = "path"`
    pub krate: Option<syn::Path>,
    /// `bound = "…"`
    pub bounds: Option<Vec<syn::WherePredicate>>,
    /// `test = false`
    pub test: Test,
    /// `schemars`
    pub schemars: Option<bool>,
    /// `#[serde(…)]`
    pub serde: Serde,
    /// `#[kube(…)]`. It is boxed, because few places have it and the attributes of all places are moved often.
    pub kube: Option<Box<Kube>>,
    /// The rules, with their places.
    pub rules: Vec<Written>,
    /// The names that must be names of fields.
    pub names: Vec<Named>,
    /// The keys seen so far, to find duplicates.
    seen: Vec<(&'static str, &'static str, Span)>,
}

impl Attrs {
    /// Returns the description from which Markdown documentation was made.
    pub fn markdown_text(&self) -> String {
        let lines = self.raw_doc.iter().flat_map(|doc| doc.split('\n'));
        crate::syntax::doc::text(&lines.collect::<Vec<_>>())
    }

    /// Returns whether no attribute changes the schema. serde's attributes do not count, because they change the
    /// document.
    pub fn says_nothing(&self) -> bool {
        self.seen.iter().all(|(family, ..)| *family == "serde")
    }

    /// Returns whether the schema is not that of the Rust type: the attributes give another one, or leave the field out.
    pub fn replaces_schema(&self) -> bool {
        let given =
            self.opaque.is_some() || self.as_type.is_some() || self.raw.is_some() || self.with.is_some();
        let skipped = self.skip || self.serde.skip_serializing && self.serde.skip_deserializing;
        given || skipped || self.patch.overrides_type || self.patch.set.ext.int_or_string
    }

    /// Returns whether an attribute has a key.
    pub fn is_written(&self, family: &str, key: &str) -> bool {
        self.seen.iter().any(|(own, name, _)| *own == family && *name == key)
    }

    /// Returns the first key of `#[schema(…)]` that changes the schema.
    pub fn key_of_schema(&self) -> Option<(&'static str, Span)> {
        let own = self.seen.iter().find(|(family, key, _)| *family == "schema" && *key != "skip");
        own.map(|(_, key, span)| (*key, *span))
    }

    /// Returns the place of a key of the schema, including other keys with the same meaning.
    pub fn span_of(&self, key: &str) -> Option<Span> {
        const OTHER: &[(&str, &[&str])] = &[
            ("minimum", &["range", "extend"]),
            ("maximum", &["range", "extend"]),
            ("exclusive_minimum", &["range"]),
            ("exclusive_maximum", &["range"]),
            ("min_length", &["length", "extend"]),
            ("max_length", &["length", "extend"]),
            ("pattern", &["regex", "contains", "prefix", "suffix", "ascii", "alphanumeric", "extend"]),
            ("list_type", &["merge_strategy", "extend"]),
            ("list_map_keys", &["merge_strategy", "extend"]),
            ("map_type", &["merge_strategy", "extend"]),
            ("items", &["inner"]),
            ("optional", &["required"]),
            ("as", &["with"]),
        ];
        let others = OTHER.iter().find(|(k, _)| *k == key).map_or(&[][..], |(_, others)| others);
        let is = |name: &str| name == key || others.contains(&name);
        self.seen.iter().rev().find(|(_, name, _)| is(name)).map(|(_, _, span)| *span)
    }
}

/// Reads the attributes of one place.
pub struct Reader<'a> {
    attrs: Attrs,
    place: u8,
    report: &'a mut Report,
    /// Code of the whole item that computes values.
    code: &'a mut Vec<Code>,
    /// Whether everything that the server accepts is allowed, even if it is probably a mistake.
    as_is: bool,
}

/// A function that returns whether a `cfg_attr` condition is true. When a derive runs, the compiler has already
/// evaluated the conditions.
pub type Cfg<'a> = &'a dyn Fn(&TokenStream) -> bool;

/// Where a reader of attributes writes what it finds, and what it accepts.
pub struct Target<'a> {
    /// For mistakes.
    pub report: &'a mut Report,
    /// For code that computes values.
    pub code: &'a mut Vec<Code>,
    /// Whether everything that the server accepts is allowed, even if it is probably a mistake.
    pub as_is: bool,
}

/// Reads the attributes of one place, and drops mistakes and code. For callers that need only a part of the attributes.
pub fn peek(attributes: &[syn::Attribute], place: u8, cfg: Cfg<'_>) -> Attrs {
    let (mut report, mut code) = (Report::default(), Vec::new());
    read(attributes, place, cfg, Target { report: &mut report, code: &mut code, as_is: false })
}

/// Reads the attributes of one place.
pub fn read(attributes: &[syn::Attribute], place: u8, cfg: Cfg<'_>, target: Target<'_>) -> Attrs {
    let Target { report, code, as_is } = target;
    let mut reader = Reader { attrs: Attrs::default(), place, report, code, as_is };
    for attribute in attributes {
        reader.attribute(&attribute.meta, cfg);
    }
    reader.attrs.doc = reader.attrs.raw_doc.as_deref().map(tidy_doc).unwrap_or_default();
    reader.finish()
}

impl Reader<'_> {
    fn attribute(&mut self, meta: &syn::Meta, cfg: Cfg<'_>) {
        let name = match meta.path().get_ident() {
            Some(ident) => ident.to_string(),
            None => return,
        };
        let ours = matches!(&*name, "cfg_attr" | "deprecated") || FAMILIES.iter().any(|(f, _)| *f == name);
        if let syn::Meta::List(list) = meta
            && ours
            && let Err(at) = nesting::check_attribute(list.tokens.clone())
        {
            let help = "write a type or a function for what is inside, or name it in a constant";
            return self.report.error(at, &codes::TOO_DEEP, "this attribute is nested too deeply", help);
        }
        match (name.as_str(), meta) {
            ("doc", syn::Meta::NameValue(doc)) => self.documentation(doc),
            ("deprecated", _) => {
                self.attrs.deprecated.get_or_insert_with(|| deprecation(meta));
            }
            ("cfg_attr", syn::Meta::List(list)) => self.cfg_attr(list.tokens.clone(), cfg),
            ("serde_as", syn::Meta::List(list)) if self.place == place::FIELD => self.serde_as(list),
            ("validated" | "versioned", _) => self.report.error(
                syn::spanned::Spanned::span(meta),
                &codes::UNKNOWN_KEY,
                format!("`#[{name}]` is not read here"),
                if name == "versioned" {
                    "write #[crdgen::versioned(v1alpha1, v1)] on the type, or on the module around it, above the derives"
                } else {
                    "this is how older versions of kube-rs spelled rules. Write #[schema(rule(rule = \"…\", message = \"…\"))]"
                },
            ),
            _ => {
                if let Some((family, keys)) = FAMILIES.iter().find(|(family, _)| *family == name) {
                    match meta {
                        syn::Meta::List(list) => self.list(family, keys, list.tokens.clone()),
                        syn::Meta::Path(_) if *family == "validate" || *family == "garde" => {}
                        syn::Meta::Path(path) => self.report.error(
                            syn::spanned::Spanned::span(path),
                            &codes::ATTRIBUTE,
                            format!("`#[{family}]` without keys"),
                            format!("write the keys in parentheses: #[{family}(…)]"),
                        ),
                        syn::Meta::NameValue(pair) => self.report.error(
                            syn::spanned::Spanned::span(pair),
                            &codes::ATTRIBUTE,
                            format!("`#[{family} = …]` is not a form of this attribute"),
                            format!("write the keys in parentheses: #[{family}(…)]"),
                        ),
                    }
                }
            }
        }
    }

    /// Reads `#[serde_as(as = "Type")]` in sources. The attribute of the struct makes `#[serde(with = "::serde_with::As::<Type>")]`
    /// of it, which derives see.
    fn serde_as(&mut self, list: &syn::MetaList) {
        let span = syn::spanned::Spanned::span(list);
        let literal =
            list.tokens.clone().into_iter().find_map(|it| syn::parse2::<syn::LitStr>(it.into()).ok());
        let with: syn::Path = match literal.and_then(|it| nesting::parse_literal::<syn::Type>(&it).ok()) {
            Some(ty) => syn::parse_quote!(::serde_with::As::<#ty>),
            None => syn::parse_quote!(::serde_with::As),
        };
        self.attrs.serde.serialize_with = Some((with.clone(), span));
        self.attrs.serde.deserialize_with = Some((with, span));
    }

    fn documentation(&mut self, doc: &syn::MetaNameValue) {
        let text = match &doc.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Verbatim(literal), .. }) => text_of(literal),
            other => string_of(other.to_token_stream()),
        };
        if self.attrs.doc_code.is_empty() {
            match text {
                Some(text) => {
                    self.attrs.raw_doc = match self.attrs.raw_doc.take() {
                        Some(before) => Some(before + "\n" + &text),
                        None => Some(text),
                    };
                    return;
                }
                None => self.attrs.doc_code.extend(self.attrs.raw_doc.take().map(|doc| quote!(#doc))),
            }
        }
        self.attrs.doc_code.push(text.map_or_else(|| doc.value.to_token_stream(), |text| quote!(#text)));
    }

    fn cfg_attr(&mut self, tokens: TokenStream, cfg: Cfg<'_>) {
        let mut parts = meta::split(tokens).into_iter();
        let Some(condition) = parts.next() else { return };
        if !cfg(&condition.into_iter().collect()) {
            return;
        }
        for part in parts {
            let tokens: TokenStream = part.into_iter().collect();
            if let Ok(meta) = nesting::parse2::<syn::Meta>(tokens) {
                self.attribute(&meta, cfg);
            }
        }
    }

    /// Reads the keys of one attribute.
    fn list(&mut self, family: &'static str, keys: &'static [Key], tokens: TokenStream) {
        for meta in metas(tokens, self.report) {
            self.key(family, keys, &meta);
        }
    }

    fn key(&mut self, family: &'static str, keys: &'static [Key], meta: &Meta) {
        let Some(key) = keys.iter().find(|k| k.name == meta.key && k.places & self.place != 0) else {
            return self.unknown(family, keys, meta);
        };
        if meta.negated {
            if family != "schemars" {
                self.report.error(
                    meta.span,
                    &codes::ATTRIBUTE,
                    format!("`!{}` is not a key of #[{family}]", meta.key),
                    "only #[schemars(!key)] removes a key of serde",
                );
            }
            self.attrs.serde.unset(&meta.key);
            return;
        }
        if key.repeat {
            self.attrs.seen.push((family, key.name, meta.span));
        } else {
            let seen = self.attrs.seen.iter().any(|(f, name, _)| *f == family && *name == key.name);
            if seen {
                self.report.error(
                    meta.span,
                    &codes::CONTRADICTION,
                    format!("`{}` is given twice", key.name),
                    "keep one of the two",
                );
                return;
            }
            self.attrs.seen.push((family, key.name, meta.span));
        }
        // The crates that define these keys reject this too, but the user may not depend on them.
        let flag_only = key.form.is_empty() && matches!(family, "schemars" | "validate" | "garde");
        if flag_only && matches!(meta.arg, Arg::Value(_)) && self.flag(meta).is_none() {
            return;
        }
        (key.set)(self, meta);
    }

    fn unknown(&mut self, family: &'static str, keys: &'static [Key], meta: &Meta) {
        let Meta { key, span, .. } = meta;
        if let Some(elsewhere) = keys.iter().find(|k| k.name == key) {
            let here = place::words(self.place);
            let places = keys.iter().filter(|k| k.name == key).fold(0, |all, k| all | k.places);
            self.report.error(
                *span,
                &codes::PLACE,
                format!("`{key}` of #[{family}] does not belong on {here}"),
                format!("it belongs on {}. `{key}`: {}", place::words(places), elsewhere.doc),
            );
            return;
        }
        let help = hint(family, key).map(str::to_owned).unwrap_or_else(|| {
            let here = || keys.iter().filter(|k| k.places & self.place != 0).map(|k| k.name);
            let others = FAMILIES.iter().find(|(f, keys)| *f != family && keys.iter().any(|k| k.name == key));
            match (did_you_mean(key, here()), others) {
                (Some(help), _) => help,
                (None, Some((other, _))) => format!("it is a key of #[{other}(…)]"),
                (None, None) => choices(&here().collect::<Vec<_>>()),
            }
        });
        let code =
            if matches!(family, "validate" | "garde") { &codes::FOREIGN_KEY } else { &codes::UNKNOWN_KEY };
        self.report.error(*span, code, format!("unknown key `{key}` in #[{family}]"), help);
    }

    /// Reads the keys of a nested list (`items(…)`) with the same table.
    fn nested(
        &mut self,
        family: &'static str,
        keys: &'static [Key],
        place: u8,
        meta: &Meta,
    ) -> Option<Patch> {
        let Arg::List(group) = &meta.arg else {
            self.form(meta, &format!("{}(…)", meta.key));
            return None;
        };
        let outer = std::mem::replace(&mut self.place, place);
        let attrs = std::mem::take(&mut self.attrs);
        self.list(family, keys, group.stream());
        self.place = outer;
        let inner = std::mem::replace(&mut self.attrs, attrs);
        let mut patch = inner.patch;
        for (name, schema) in inner.properties {
            patch.set.properties.insert(name, schema);
        }
        self.attrs.rules.extend(inner.rules);
        if inner.inner.is_some() {
            patch.items = inner.inner;
        }
        if let Some((default, _)) = inner.default {
            patch.set.default = Some(default);
        }
        if let Some((mut raw, _)) = inner.raw {
            if raw.description.is_empty() {
                raw.description = patch.set.description;
            }
            if !raw.nullable {
                patch.clear.push(Keyword::Nullable);
            }
            patch.set = raw;
            patch.overrides_type = true;
        }
        if inner.opaque.is_some() {
            patch.set.ext.preserve_unknown_fields = Some(true);
            patch.set.ty = Some(crate::ir::Type::Object);
            patch.overrides_type = true;
        }
        Some(patch)
    }

    /// The number of errors so far. If it grew while a part was read, the part is not reported as missing in addition.
    fn reported(&self) -> usize {
        self.report.findings.len()
    }

    fn form(&mut self, meta: &Meta, form: &str) {
        self.report.error(
            meta.value_span(),
            &codes::ATTRIBUTE,
            format!("`{}` is not written this way", meta.key),
            format!("write {form}"),
        );
    }

    fn kube(&mut self) -> &mut Kube {
        self.attrs.kube.get_or_insert_default()
    }

    fn finish(mut self) -> Attrs {
        if self.attrs.says_nothing() {
            return self.attrs;
        }
        common::contradictions(&self.attrs, self.as_is, self.report);
        let properties = std::mem::take(&mut self.attrs.properties);
        for (name, schema) in properties {
            self.attrs.patch.set.properties.insert(name, schema);
        }
        self.attrs
    }
}

/// The text that `#[deprecated]` adds to the description.
fn deprecation(meta: &syn::Meta) -> String {
    let note = match meta {
        syn::Meta::NameValue(pair) => string_of(pair.value.to_token_stream()),
        syn::Meta::List(list) => {
            let mut note = None;
            // The compiler reports what cannot be parsed here.
            _ = list.parse_nested_meta(|meta| {
                let value = meta.value()?.parse::<syn::LitStr>()?;
                if meta.path.is_ident("note") {
                    note = Some(value.value());
                }
                Ok(())
            });
            note
        }
        syn::Meta::Path(_) => None,
    };
    note.map_or_else(|| "Deprecated.".to_owned(), |note| format!("Deprecated: {note}"))
}

/// Lists all names, unless there are too many to read at a glance.
fn choices(names: &[&str]) -> String {
    const AT_A_GLANCE: usize = 12;
    if names.len() > AT_A_GLANCE {
        return format!("{} keys are valid here. See ATTRIBUTES.md of crdgen", names.len());
    }
    format!("expected one of: {}", names.join(", "))
}

/// Help for keys that people know from elsewhere.
fn hint(family: &str, key: &str) -> Option<&'static str> {
    Some(match (family, key) {
        ("validate" | "garde", "rule" | "message" | "reason" | "fieldPath" | "optionalOldSelf") => {
            "the attributes of validator and garde have no rules. Write #[schema(rule(rule = \"…\", message = \"…\"))]"
        }
        ("kube", "validations" | "x_validation") => "write validation = \"…\" for a rule on the root",
        ("kube", "shortnames" | "short_names" | "shortName" | "short_name") => {
            "did you mean `shortname`? It is written once per name"
        }
        ("kube", "categories") => "did you mean `category`? It is written once per category",
        ("kube", "apiVersion" | "api_version") => "write group = \"example.com\" and version = \"v1\"",
        ("kube", "columns" | "additional_printer_columns" | "additionalPrinterColumns") => {
            "write printcolumn(…) once per column"
        }
        ("kube", "scope") => "write `namespaced`, or nothing for a cluster-wide kind",
        ("kube", "list_kinds" | "listKind") => "did you mean `list_kind`?",
        (
            "schema",
            "message" | "reason" | "fieldPath" | "field_path" | "messageExpression" | "message_expression"
            | "optionalOldSelf" | "optional_old_self",
        ) => "write rule(rule = \"…\", message = \"…\")",
        ("schema", "enum" | "values_of") => "write one_of_values = [\"a\", \"b\"]",
        ("schema", "validation" | "x_validation" | "cel" | "validate") => {
            "write rule = \"…\" or rule(rule = \"…\", message = \"…\")"
        }
        ("schema", "type") => "write ty = \"string\"",
        ("schema", "x_kubernetes_list_type" | "merge_strategy") => {
            "write list_type = \"set\", \"map\" or \"atomic\""
        }
        ("schema", "column" | "printcolumn" | "printer_column") => {
            "write column(name = \"…\") on a field, or #[kube(printcolumn(…))] on the kind"
        }
        ("schema", "const") => "write one_of_values = [\"…\"] with the one value",
        ("schema", "additional_properties" | "additionalProperties") => {
            "for the values of a map write values(…)"
        }
        ("schema", "schema_with") => "write with = path::to::function",
        _ => return None,
    })
}

/// Returns the reference of all keys as Markdown.
pub fn reference() -> String {
    let mut out = String::new();
    for (family, keys) in FAMILIES {
        _ = writeln!(out, "## `#[{family}(…)]`\n\n| key | on | meaning |\n| --- | --- | --- |");
        for Key { name, places, repeat, form, doc, set: _ } in *keys {
            let written =
                if form.starts_with('(') { format!("{name}{form}") } else { format!("{name} {form}") };
            let many = if *repeat { " May be repeated." } else { "" };
            let written = written.trim().replace('|', "\\|");
            let doc = doc.replace('|', "\\|");
            _ = writeln!(out, "| `{written}` | {} | {doc}{many} |", place::words(*places));
        }
        out.push('\n');
    }
    out
}
