//! `#[schemars(…)]` of schemars 1 and 0.8: serde's attributes that only affect the schema, and constraints.

use super::meta::{Arg, Meta, split, string_of};
use super::place::{ALL, FIELD, NESTED, TYPES, VARIANT};
use super::{Key, Reader, serde};
use crate::diag::codes::rust as codes;
use crate::syntax::nesting;
use crate::value::Value;

const SFV: u8 = TYPES | VARIANT | FIELD;

pub(super) static KEYS: &[Key] = keys! {
    ALL, false "title", "= \"…\"", "The title.", |r, m| if let Some(t) = r.text(m) { r.attrs.patch.set.title = t };
    ALL, false "description", "= \"…\"", "The description.", |r, m| if let Some(t) = r.text(m) { r.attrs.patch.set.description = t };
    ALL, true "example", "= JSON", "An example. crdgen keeps the first one.", example;
    ALL, true "extend", "(\"keyword\" = JSON, …)", "Any schema keyword of a CRD.", extend;
    ALL, false "length", "(min = n, max = n, equal = n)", "Bounds for the length.", |r, m| r.length(m, &["code", "message"]);
    ALL, false "range", "(min = n, max = n)", "Bounds for a number.", |r, m| r.range(m);
    ALL, false "pattern", "(\"…\")", "The regular expression that a string must match.", |r, m| match &m.arg {
        Arg::List(group) => r.pattern_tokens(string_of(group.stream()), group.stream(), m),
        Arg::Flag | Arg::Value(_) => r.pattern_of(m),
    };
    ALL, false "regex", "(pattern = \"…\")", "The regular expression that a string must match. The forms of schemars 0.8, `regex = \"PATH\"` and `regex(path = \"…\")`, work too.", |r, m| regex(r, m);
    ALL, false "contains", "(pattern = \"…\")", "A text that the string must contain.", |r, m| contains(r, m);
    ALL, false "email", "", "Sets `format: email`.", |r, m| r.format("email", m);
    ALL, false "url", "", "Sets `format: uri`.", |r, m| r.format("uri", m);
    ALL, false "ip", "", "An IPv4 or IPv6 address.", |r, m| ip(r, m);
    ALL, false "ipv4", "", "Sets `format: ipv4`.", |r, m| r.format("ipv4", m);
    ALL, false "ipv6", "", "Sets `format: ipv6`.", |r, m| r.format("ipv6", m);
    FIELD, false "required", "", "Makes the field required.", |r, _| r.attrs.need = Some(crate::recipe::Need::Required);
    ALL, false "inner", "(…)", "Attributes for the items of a list.", |r, m| {
        if let Some(p) = r.nested("schemars", KEYS, NESTED, m) { r.attrs.patch.items = Some(Box::new(p)); }
    };
    SFV, false "with", "= \"Type\"", "Uses the schema of another type.", |r, m| {
        if let Some(t) = r.parsed(m, "String") { r.attrs.as_type = Some((t, m.value_span())); }
    };
    SFV, false "schema_with", "= \"function\"", "Uses the schema that a function returns: `fn() -> crdgen::ir::Schema`, or with the feature `schemars` a function as schemars 1 wants it.", |r, m| schema_with(r, m);
    SFV, false "transform", "= …", "Not supported: crdgen cannot run it. Write the change with `#[schema(…)]`.", |r, m| refused(r, m, "crdgen does not run transforms of schemars. Use keys of #[schema(…)], #[schema(override(\".path\", …))] for a place inside, or #[schema(with = path)] for the whole schema");
    FIELD | VARIANT, false "skip", "", "Leaves it out of the schema.", |r, _| r.attrs.skip = true;
    TYPES, false "crate", "= \"path\"", "Has no effect.", |r, m| { r.path(m); };
    TYPES, false "inline", "", "Has no effect: CRDs have all types inline.", |_, _| {};
    TYPES, false "bound", "= \"T: JsonSchema\"", "Bounds for the type parameters, instead of those that crdgen infers from the fields.", bound;
    FIELD | VARIANT, false "bound", "= \"…\"", "Has no effect.", |_, _| {};
    TYPES, false "_unstable_ref_variants", "", "Has no effect.", |_, _| {};
    SFV, false "rename", "= \"name\"", "The name in YAML and JSON.", serde::rename;
    TYPES | VARIANT, false "rename_all", "= \"camelCase\"", "The case of the names of fields or variants.", serde::rename_all;
    TYPES, false "rename_all_fields", "= \"camelCase\"", "The case of the field names in all variants.", serde::rename_all_fields;
    FIELD | VARIANT, true "alias", "= \"name\"", "Another name that serde accepts. It is in the schema too.", serde::alias;
    TYPES, false "tag", "= \"type\"", "The field that contains the name of the variant.", serde::tag;
    TYPES, false "content", "= \"content\"", "The field that contains the content of the variant.", serde::content;
    TYPES | VARIANT, false "untagged", "", "serde tries the variants in order.", serde::untagged;
    TYPES, false "deny_unknown_fields", "", "serde rejects unknown fields.", serde::deny;
    TYPES, false "transparent", "", "Uses the schema of the only field.", serde::transparent;
    TYPES | FIELD, false "default", "= \"function\"", "Makes fields optional and puts the default into the schema.", serde::default;
    FIELD, false "flatten", "", "Its fields become fields of the struct that contains it.", serde::flatten;
    FIELD | VARIANT, false "skip_serializing", "", "serde does not write it.", serde::skip_serializing;
    FIELD, false "skip_deserializing", "", "serde does not read it. It stays in the schema; otherwise the server would drop it.", serde::skip_deserializing;
    VARIANT, false "skip_deserializing", "", "serde does not read it, so it is not in the schema. An error without `skip_serializing`: the server would reject what serde writes.", serde::skip_deserializing;
    FIELD, false "skip_serializing_if", "= \"function\"", "serde does not write it if the function returns `true`.", serde::skip_serializing_if;
    TYPES, false "remote", "= \"Type\"", "Has no effect on the schema.", |_, _| {};
    TYPES, false "into", "= \"Type\"", "serde writes it as this type.", serde::into;
    TYPES, false "from", "= \"Type\"", "serde reads it as this type.", serde::from;
    TYPES, false "try_from", "= \"Type\"", "serde reads it as this type.", serde::from;
};

pub(super) fn refused(r: &mut Reader<'_>, m: &Meta, why: &str) {
    r.report.error(m.span, &codes::SERDE, format!("crdgen cannot follow `{}`", m.key), why);
}

/// The function returns crdgen's schema, or that of schemars if the feature is on. The compiler decides which.
fn schema_with(r: &mut Reader<'_>, m: &Meta) {
    if let Some(path) = r.path(m) {
        r.attrs.with = Some((path, m.value_span()));
    }
}

/// `bound = "…"`, or as in serde, `bound(serialize = "…")`.
pub(super) fn bound(r: &mut Reader<'_>, m: &Meta) {
    let parts = match &m.arg {
        Arg::List(_) => r.parts(m).unwrap_or_default(),
        Arg::Flag | Arg::Value(_) => vec![m.clone()],
    };
    for part in parts {
        let Some(text) = r.text(&part) else { continue };
        let parser = syn::punctuated::Punctuated::<syn::WherePredicate, syn::Token![,]>::parse_terminated;
        match nesting::check_text(&text).and_then(|()| syn::parse::Parser::parse_str(parser, &text)) {
            Ok(bounds) => r.attrs.bounds.get_or_insert_default().extend(bounds),
            Err(_) => r.form(&part, "bound = \"T: JsonSchema, U: Default\""),
        }
    }
}

fn example(r: &mut Reader<'_>, m: &Meta) {
    let Arg::Value(tokens) = &m.arg else { return r.form(m, "example = …") };
    let value = tokens.json();
    let slot = &mut r.attrs.patch.set.example;
    match value {
        Ok(value) if slot.is_none() => *slot = Some(value),
        Ok(_) => {}
        Err(_) => {
            let code = r.code(super::Code::Value(tokens.stream()));
            r.attrs.patch.computed.push(("example".to_owned(), code));
        }
    }
}

fn extend(r: &mut Reader<'_>, m: &Meta) {
    let mut all: Vec<(String, Value)> = Vec::new();
    for part in r.parts(m).unwrap_or_default() {
        match (part.key.as_str(), r.json(&part)) {
            (_, None) => {}
            ("const", Some(value)) => all.push(("enum".into(), Value::List(vec![value]))),
            (key, Some(value)) => all.push((key.to_owned(), value)),
        }
    }
    let Some(mut set) =
        r.as_schema(all.into_iter().collect::<crate::value::Map<Value>>().into(), m.value_span())
    else {
        return;
    };
    if set.foreign.is_some() {
        r.report.error(
            m.value_span(),
            &codes::VALUE,
            "no structural schema can have this keyword",
            "the server rejects patternProperties, definitions, dependencies, $ref and similar keywords",
        );
    }
    let patch = &mut r.attrs.patch;
    patch.overrides_type |= set.ty.is_some();
    if let Some(default) = set.default.take() {
        r.attrs.default = Some((default, m.value_span()));
    }
    let more = crate::recipe::Patch { set, ..crate::recipe::Patch::default() };
    more.merge_into(&mut patch.set);
}

pub(super) fn regex(r: &mut Reader<'_>, m: &Meta) {
    match &m.arg {
        Arg::List(group) => {
            let parts = super::meta::metas(group.stream(), r.report);
            for part in &parts {
                match part.key.as_str() {
                    "pattern" => r.pattern_of(part),
                    "path" => path_of(r, part),
                    "code" | "message" => {}
                    _ => r.unknown_part(part, "regex", &["pattern", "path"]),
                }
            }
        }
        Arg::Value(_) => path_of(r, m),
        Arg::Flag => r.form(m, "regex(pattern = \"…\")"),
    }
}

/// The older forms name a static in a string.
fn path_of(r: &mut Reader<'_>, m: &Meta) {
    let Arg::Value(tokens) = &m.arg else { return r.form(m, "path = *REGEX") };
    let tokens = match tokens.text() {
        Some(path) => match path.parse::<proc_macro2::TokenStream>() {
            Ok(inner) if nesting::parse2::<syn::Path>(inner.clone()).is_ok() => quote::quote!(&*#inner),
            _ => return r.form(m, "path = *REGEX, or regex(pattern = \"…\") for a pattern"),
        },
        None => tokens.stream(),
    };
    r.pattern_tokens(None, tokens, m);
}

pub(super) fn contains(r: &mut Reader<'_>, m: &Meta) {
    let text = match &m.arg {
        Arg::List(group) => string_of(group.stream()).or_else(|| {
            split(group.stream()).into_iter().find_map(|part| match part.as_slice() {
                [_, _, value @ ..] => string_of(value.iter().cloned().collect()),
                _ => None,
            })
        }),
        Arg::Value(tokens) => tokens.text(),
        Arg::Flag => None,
    };
    match text {
        Some(text) => r.literal_pattern(&text, "", "", m),
        None => r.form(m, "contains(pattern = \"text\")"),
    }
}

/// There is no format for both kinds of addresses, so the value must match one of two.
pub(super) fn ip(r: &mut Reader<'_>, m: &Meta) {
    let one = |format: &str| crate::ir::Schema {
        limits: crate::ir::Limits { format: format.to_owned(), ..Default::default() },
        ..Default::default()
    };
    let limits = &mut r.attrs.patch.set.limits;
    if limits.any_of.is_empty() {
        limits.any_of = vec![one("ipv4"), one("ipv6")];
    } else {
        r.report.error(
            m.span,
            &codes::CONTRADICTION,
            "`ip` cannot be combined with any_of",
            "write the formats into any_of",
        );
    }
}
