//! `#[convert(…)]`: its keys and their values.

use super::super::attrs::Cfg;
use super::super::attrs::keyed::{self, Key, Keys};
use super::super::attrs::meta::{Arg, Meta, metas};
use super::super::report::Report;
use super::plan::Old;
use crate::diag::codes::rust as codes;
use crate::syntax::nesting;
use crate::value::Value;
use proc_macro2::{Ident, Span};
use syn::Member;

/// Where attributes are used.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ConvertPlace {
    Struct,
    Enum,
    Variant,
    Field,
    /// Inside `removed(…)`, after the name of a field.
    Removed,
    /// The same for variants.
    RemovedVariant,
    /// Inside `split(…)`.
    Split,
}

use ConvertPlace::{Enum, Field, Removed, RemovedVariant, Split, Struct, Variant};

static KEYS: Keys<ConvertPlace> = Keys {
    attribute: "convert",
    all: ALL,
    hint,
    example: "#[convert(…)]",
    too_deep: "name a function or a type for what is inside",
};

static ALL: &[Key<ConvertPlace>] = &[
    Key("from", &[Struct, Enum], "from = \"v1beta1::Widget\"", "The type of the older version. Required."),
    Key("from", &[Variant], "from = \"OldName\"", "The older version has another name for the variant."),
    Key(
        "from",
        &[Field],
        "from = \"old_name\", from = \"a.b\" or from = [\"a\", \"b\"]",
        "The older version has another name for the field, has it in another struct, or has several fields for it, which need \
         functions.",
    ),
    Key("from", &[Split], "from = \"old_name\"", "The field of the older version."),
    Key("into", &[Split], "into = [\"a\", \"b\"]", "The fields that it becomes."),
    Key(
        "fallible",
        &[Struct, Enum],
        "fallible",
        "The conversion can fail. The type then has `TryFrom` instead of `From`. A server must convert every object that it has \
         stored, so the schemas of both versions must reject the values on which a function fails, for example with a `pattern` \
         or a rule. The generated test converts valid objects, and fails if one does not convert.",
    ),
    Key(
        "removed",
        &[Struct, Variant],
        "removed(old_name) or removed(old_name(lossy, reason = \"…\"))",
        "This version does not have the field. Its value is kept in an annotation, and comes back when the object is converted \
         back. For several fields, write `removed(a, b)`.",
    ),
    Key(
        "removed",
        &[Enum],
        "removed(OldName(as = \"Variant\"))",
        "This version does not have the variant. It becomes the other variant, which must have no fields, and \
         comes back when the object is converted back.",
    ),
    Key(
        "inside",
        &[Struct, Variant],
        "inside(old_field = \"v1beta1::Type\")",
        "The type of an older field whose own fields are named one by one: `from = \"old_field.name\"`.",
    ),
    Key(
        "split",
        &[Struct, Variant],
        "split(from = \"address\", into = [\"host\", \"port\"], with = \"split\", back = \"join\")",
        "Several fields come from one field of the older version, by functions.",
    ),
    Key(
        "kind",
        &[Struct, Enum],
        "kind = \"v1beta1::Widget\"",
        "The kind of the older version, if it is not next to its spec or has another name.",
    ),
    Key(
        "status",
        &[Struct, Enum],
        "status = \"added\" or status = \"removed\"",
        "Only the newer kind, or only the older one, has a status.",
    ),
    Key("crate", &[Struct, Enum], "crate = \"path\"", "The path at which crdgen is re-exported."),
    Key(
        "with",
        &[Field, Split],
        "with = \"function\"",
        "A function that makes the newer value from the older one. It needs `back`.",
    ),
    Key(
        "back",
        &[Field, Split],
        "back = \"function\"",
        "A function that makes the older value from the newer one. It needs `with`.",
    ),
    Key(
        "try_with",
        &[Field, Split],
        "try_with = \"function\"",
        "The same as `with`, for a function that returns a `Result`.",
    ),
    Key(
        "try_back",
        &[Field, Split],
        "try_back = \"function\"",
        "The same as `back`, for a function that returns a `Result`.",
    ),
    Key(
        "default",
        &[Field, Removed],
        "default or default = \"function\"",
        "The older version does not have the field. An older object gets this value when it is converted. In `removed(…)`: the \
         value for objects that were never in the older version.",
    ),
    Key(
        "object",
        &[Field, Split],
        "object, next to `with` and `back`",
        "The last argument of the functions is the object, with its name and namespace.",
    ),
    Key("omit_empty", &[Field], "omit_empty", "An `Option` becomes `None` if its value is empty."),
    Key(
        "parts",
        &[Field],
        "parts(field = \"old_name\")",
        "The fields of a struct come from several fields of the older version.",
    ),
    Key(
        "key",
        &[Field],
        "key = \"name\"",
        "The field that identifies an item of a list, so that kept values follow their items. By default these are the keys of the list map.",
    ),
    Key(
        "as",
        &[Variant, RemovedVariant],
        "as = \"Variant\"",
        "The other version does not have the variant. A conversion to it writes this one instead, which must have no \
         fields.",
    ),
    Key(
        "lossy",
        &[Field, Variant, Removed, RemovedVariant, Split],
        "lossy, reason = \"…\"",
        "What the other version cannot express is lost instead of kept in the annotation. The reason is for readers of the code.",
    ),
    Key("reason", &[Field, Variant, Removed, RemovedVariant, Split], "lossy, reason = \"…\"", ""),
];

/// Returns the reference of `#[convert(…)]` as Markdown.
pub fn reference() -> String {
    let head = "\
## `#[convert(…)]`

`#[derive(Convert)]` (feature `convert`) on the type of a newer version converts objects in both directions. Fields and variants
of the same name convert by their own type. `#[convert(…)]` declares everything else, including what only the older version has:
declare these fields and variants with `removed(…)`. A derive does not see the older type, so the compiler reports what you forget,
and cannot name the attribute. For a field that only the older version has, it reports `missing field` at `from`: write `removed(field)`,
or `from = \"field\"` or `split` for the fields that it becomes. For a new field, it reports `no field` and that the older type has no such
field: write `default` at the field. For a status that only one version has, it reports that the other kind has no field `status`: write
`status = \"added\"` or `status = \"removed\"`. For a variant, it reports a pattern that is not covered: write
`removed(Variant(as = \"…\"))`.

What a version cannot express is kept in an annotation of the object, `GROUP/conversion`, and comes back when the object is
converted back. With `lossy` it is dropped: nothing is kept, and the object gets the default when it is converted back.

";
    let form = |form: &str| {
        let form = form.replace(" or ", "`, or `").replace("\", from", "\"`, `from");
        match form.split_once(", next to `with`") {
            Some((form, rest)) => format!("`{form}`, next to `with`{rest}"),
            None => format!("`{form}`"),
        }
    };
    format!("{head}{}", KEYS.table(form))
}

impl keyed::AttributePlace for ConvertPlace {
    fn words(self) -> &'static str {
        match self {
            Struct => "structs",
            Enum => "enums",
            Variant => "variants",
            Field => "fields",
            Removed => "removed fields",
            RemovedVariant => "removed variants",
            Split => "`split`",
        }
    }
}

fn form(place: ConvertPlace, key: &str) -> &'static str {
    KEYS.find(key, place).map_or("", |key| key.2)
}

/// Help for keys that people expect.
fn hint(key: &str) -> Option<&'static str> {
    Some(match key {
        "rename" | "renamed" | "rename_from" | "was" | "old" => "write from = \"old_name\"",
        "added" | "add" | "new" | "since" => {
            "write `default` on a field that the older version does not have"
        }
        "drop" | "dropped" | "skip" | "ignore" => {
            "write removed(old_name) on the type for a field that this version does not have, and `default` on a field \
             that the older one does not have; add `lossy, reason = \"…\"` if its value may be lost"
        }
        "stash" | "keep" => {
            "leave it out: what a version cannot express is kept in an annotation, unless `lossy` says otherwise"
        }
        "try" | "try_from" => "write `fallible` on the type, and try_with or try_back on the field",
        _ => return None,
    })
}

/// The keys at one place, each at most once.
pub(super) struct Given {
    place: ConvertPlace,
    metas: Vec<Meta>,
}

impl Given {
    /// Reads the keys at an item, a variant or a field.
    pub(super) fn of(
        attributes: &[syn::Attribute],
        place: ConvertPlace,
        cfg: Cfg<'_>,
        report: &mut Report,
    ) -> Given {
        let mut given = Given { place, metas: Vec::new() };
        for attribute in attributes {
            given.attribute(&attribute.meta, cfg, report);
        }
        given
    }

    fn attribute(&mut self, meta: &syn::Meta, cfg: Cfg<'_>, report: &mut Report) {
        match meta {
            syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let mut parts = super::super::attrs::meta::split(list.tokens.clone()).into_iter();
                let Some(condition) = parts.next() else { return };
                if !cfg(&condition.into_iter().collect()) {
                    return;
                }
                for part in parts {
                    if let Ok(meta) = nesting::parse2::<syn::Meta>(part.into_iter().collect()) {
                        self.attribute(&meta, cfg, report);
                    }
                }
            }
            meta if meta.path().is_ident("convert") => {
                for meta in KEYS.read(meta, report) {
                    self.add(meta, report);
                }
            }
            _ => {}
        }
    }

    /// Reads the keys between the parentheses of a key.
    pub(super) fn inside(meta: &Meta, place: ConvertPlace, report: &mut Report) -> Given {
        let mut given = Given { place, metas: Vec::new() };
        if let Arg::List(group) = &meta.arg {
            for meta in metas(group.stream(), report) {
                given.add(meta, report);
            }
        }
        given
    }

    fn add(&mut self, meta: Meta, report: &mut Report) {
        let Some(Key(name, ..)) = KEYS.find(&meta.key, self.place) else {
            return KEYS.misplaced(&meta, self.place, report);
        };
        if meta.negated {
            let message = format!("`!{name}` has no meaning in #[convert]");
            return report.error(
                meta.span,
                &codes::ATTRIBUTE,
                message,
                format!("write {}", form(self.place, name)),
            );
        }
        let repeats = matches!(*name, "removed" | "inside" | "split");
        if !repeats && self.get(name).is_some() {
            let message = format!("`{name}` is given twice");
            return report.error(meta.span, &codes::CONTRADICTION, message, "keep one of the two");
        }
        self.metas.push(meta);
    }

    pub(super) fn get(&self, key: &str) -> Option<&Meta> {
        self.metas.iter().find(|meta| meta.key == key)
    }

    pub(super) fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Meta> {
        self.metas.iter().filter(move |meta| meta.key == key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.metas.is_empty()
    }

    /// The first of some keys.
    pub(super) fn first(&self, keys: &[&str]) -> Option<&Meta> {
        self.metas.iter().find(|meta| keys.contains(&&*meta.key))
    }

    /// A flag.
    pub(super) fn flag(&self, key: &str, report: &mut Report) -> bool {
        match self.get(key) {
            Some(Meta { arg: Arg::Flag, .. }) => true,
            Some(meta) => {
                self.malformed(meta, report);
                false
            }
            None => false,
        }
    }

    /// A string.
    pub(super) fn text(&self, key: &str, report: &mut Report) -> Option<(String, Span)> {
        let meta = self.get(key)?;
        match &meta.arg {
            Arg::Value(given) if given.text().is_some() => Some((given.text()?, meta.value_span())),
            Arg::Flag | Arg::Value(_) | Arg::List(_) => {
                self.malformed(meta, report);
                None
            }
        }
    }

    /// A Rust path.
    pub(super) fn path(&self, key: &str, report: &mut Report) -> Option<syn::Path> {
        let (text, span) = self.text(key, report)?;
        path(&text, span).or_else(|| {
            let message = format!("`{text}` is not a Rust path");
            report.error(span, &codes::ATTRIBUTE, message, format!("write {}", form(self.place, key)));
            None
        })
    }

    /// The name of a variant.
    pub(super) fn variant(&self, key: &str, report: &mut Report) -> Option<Ident> {
        let (text, span) = self.text(key, report)?;
        ident(&text, span).or_else(|| {
            let message = format!("`{text}` is not the name of a variant");
            report.error(span, &codes::ATTRIBUTE, message, format!("write {}", form(self.place, key)));
            None
        })
    }

    /// The names of fields of the older type. Dots lead to the fields of a field.
    pub(super) fn fields(&self, key: &str, report: &mut Report) -> Option<Vec<Old>> {
        let meta = self.get(key)?;
        let Arg::Value(given) = &meta.arg else {
            self.malformed(meta, report);
            return None;
        };
        let texts = match given.json() {
            Ok(Value::Str(text)) => Some(vec![text]),
            Ok(Value::List(items)) => items.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
            Ok(Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Map(_)) | Err(_) => {
                None
            }
        };
        let Some(texts) = texts.filter(|texts: &Vec<String>| !texts.is_empty()) else {
            self.malformed(meta, report);
            return None;
        };
        texts.iter().map(|text| field(text, meta.value_span(), form(self.place, key), report)).collect()
    }

    /// `lossy, reason = "…"`: whether a loss is accepted.
    pub(super) fn lossy(&self, report: &mut Report) -> bool {
        let lossy = self.flag("lossy", report);
        let reason = self.text("reason", report);
        match (self.get("lossy"), self.get("reason"), reason) {
            (Some(lossy), None, _) => report.error(
                lossy.span,
                &codes::CONVERSION,
                "`lossy` without a reason",
                "write why the value may be lost: lossy, reason = \"…\"; without `lossy` it is kept in an annotation",
            ),
            (None, Some(reason), _) => report.error(
                reason.span,
                &codes::CONVERSION,
                "`reason` without `lossy`",
                "write lossy, reason = \"…\" if the value may be lost, or remove the reason",
            ),
            (Some(_), Some(_), Some((text, span))) if text.trim().is_empty() => report.error(
                span,
                &codes::CONVERSION,
                "the reason is empty",
                "write why the value may be lost, for the next reader of the code",
            ),
            _ => {}
        }
        lossy
    }

    /// Reports how a key is written.
    pub(super) fn malformed(&self, meta: &Meta, report: &mut Report) {
        keyed::malformed(meta, form(self.place, &meta.key), report);
    }
}

/// A Rust identifier with a span.
pub(in super::super) fn ident(text: &str, span: Span) -> Option<Ident> {
    if nesting::is_identifier(text) {
        return Some(match text.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, span),
            None => Ident::new(text, span),
        });
    }
    nesting::is_identifier(&format!("r#{text}")).then(|| Ident::new_raw(text, span))
}

/// A Rust path with a span.
pub(super) fn path(text: &str, span: Span) -> Option<syn::Path> {
    let (text, leading_colon) = match text.strip_prefix("::") {
        Some(rest) => (rest, Some(syn::Token![::]([span; 2]))),
        None => (text, None),
    };
    let segments = text.split("::").map(|segment| {
        let segment = segment.trim();
        match segment {
            "crate" | "self" | "super" | "Self" => Some(Ident::new(segment, span)),
            _ => ident(segment, span),
        }
    });
    let segments = segments.map(|ident| ident.map(syn::PathSegment::from)).collect::<Option<_>>()?;
    Some(syn::Path { leading_colon, segments })
}

/// A field of the older type, from its path in text.
pub(super) fn field(text: &str, span: Span, form: &str, report: &mut Report) -> Option<Old> {
    let member = |name: &str| match name.parse::<u32>() {
        Ok(index) if name.len() < 6 => Some(Member::Unnamed(syn::Index { index, span })),
        _ => ident(name, span).map(Member::Named),
    };
    let path: Option<Vec<Member>> = text.split('.').map(member).collect();
    if path.is_none() {
        let message = format!("`{text}` is not a field");
        report.error(span, &codes::ATTRIBUTE, message, format!("name it as Rust does: {form}"));
    }
    path.map(|path| Old { path, span })
}
