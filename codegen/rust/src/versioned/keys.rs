//! The keys of `#[versioned(…)]` on types, fields and variants.

use super::super::attrs::keyed::{self, Key, Keys};

/// Where an attribute is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum VersionedPlace {
    Type,
    Field,
    Variant,
}

use VersionedPlace::{Field, Type, Variant};

impl VersionedPlace {
    pub(super) fn word(self) -> &'static str {
        match self {
            Type => "type",
            Field => "field",
            Variant => "variant",
        }
    }
}

impl keyed::AttributePlace for VersionedPlace {
    fn words(self) -> &'static str {
        match self {
            Type => "types",
            Field => "fields",
            Variant => "variants",
        }
    }
}

pub(super) static KEYS: Keys<VersionedPlace> = Keys {
    attribute: "versioned",
    all: ALL,
    hint,
    example: "#[versioned(added(since = \"v1\"))]",
    too_deep: "remove some brackets",
};

static ALL: &[Key<VersionedPlace>] = &[
    Key(
        "added",
        &[Field],
        "added(since = \"v1\"), or added(since = \"v1\", default = \"function\")",
        "Older versions do not have the field. An older object gets the default when it is converted.",
    ),
    Key(
        "added",
        &[Variant],
        "added(since = \"v1\", as = \"Variant\")",
        "Older versions do not have the variant. A conversion to them writes the other variant, which you give with its older name, \
         and which must have no fields.",
    ),
    Key("added", &[Type], "added(since = \"v1\")", "Older versions do not have the type."),
    Key(
        "removed",
        &[Field],
        "removed(since = \"v1\"), or removed(since = \"v1\", default = \"function\")",
        "Newer versions do not have the field.",
    ),
    Key(
        "removed",
        &[Variant],
        "removed(since = \"v1\", as = \"Variant\")",
        "Newer versions do not have the variant. A conversion to them writes the other variant, which must have no fields.",
    ),
    Key("removed", &[Type], "removed(since = \"v1\")", "Newer versions do not have the type."),
    Key(
        "renamed",
        &[Field],
        "renamed(since = \"v1\", from = \"old_name\")",
        "Older versions have another name for the field.",
    ),
    Key(
        "renamed",
        &[Variant],
        "renamed(since = \"v1\", from = \"OldName\")",
        "Older versions have another name for the variant.",
    ),
    Key(
        "changed",
        &[Field],
        "changed(since = \"v1\", from_type = \"String\", with = \"function\", back = \"function\")",
        "The type, the name (`from_name`) or the unit of the field changed. `try_with` and `try_back` name functions that \
         return a `Result`; with `object` their last argument is the object. Without functions, types with a history convert \
         by their own conversion, and other types by `From`, which must exist in both directions; with `omit_empty` an \
         empty value becomes `None`.",
    ),
    Key("changed", &[Variant], "changed(since = \"v1\", from_name = \"OldName\")", "The same as `renamed`."),
    Key(
        "deprecated",
        &[Field, Variant],
        "deprecated(since = \"v1\"), or deprecated(since = \"v1\", note = \"…\")",
        "Newer versions have `#[deprecated]`. If the name starts with `deprecated_` (`Deprecated`), older versions have \
         the name without it.",
    ),
    Key(
        "attr",
        &[Type, Field, Variant],
        "attr(since = \"v1\", serde(…)), with `since`, `before` or both",
        "Attributes for some of the versions.",
    ),
    Key(
        "nested",
        &[Field],
        "nested",
        "Has no effect: types with a history are always converted by their own conversion.",
    ),
    Key(
        "fallible",
        &[Type],
        "fallible",
        "The conversion can fail, because the type contains a type without a history whose conversion can fail.",
    ),
    Key(
        "crd",
        &[Type],
        "crd(group = \"example.com\")",
        "The same as `#[kube(…)]`. By default the kind is the name of the type without `Spec`.",
    ),
    Key("k8s", &[Type], "k8s(group = \"example.com\")", "The same as `crd`."),
];

/// The table of all keys.
pub(super) fn reference() -> String {
    KEYS.table(|form| {
        let quoted = form.split(", or ").collect::<Vec<_>>().join("`, or `");
        match quoted.split_once(", with `since`") {
            Some((form, rest)) => format!("`{form}`, with `since`{rest}"),
            None => format!("`{quoted}`"),
        }
    })
}

/// The keys that apply to types.
pub(super) fn of_types() -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(|key| key.1.contains(&Type)).map(|key| key.0)
}

/// The keys of `changed` that do not belong to the conversion.
pub(super) const OF_CHANGE: [&str; 3] = ["since", "from_name", "from_type"];

/// The keys that may be used between the parentheses of a key.
pub(super) fn inner(key: &str, place: VersionedPlace) -> &'static [&'static str] {
    match (key, place) {
        ("added" | "removed", Field) => &["since", "default", "lossy", "reason"],
        ("added" | "removed", Variant) => &["since", "as", "lossy", "reason"],
        ("renamed", _) => &["since", "from"],
        ("changed", Field) => &[
            "since",
            "from_name",
            "from_type",
            "with",
            "back",
            "try_with",
            "try_back",
            "upgrade_with",
            "downgrade_with",
            "object",
            "omit_empty",
            "lossy",
            "reason",
        ],
        ("changed", _) => &["since", "from_name"],
        ("deprecated", _) => &["since", "note"],
        _ => &["since"],
    }
}

/// Help for keys that people expect.
fn hint(key: &str) -> Option<&'static str> {
    Some(match key {
        "add" | "new" | "since" => "write added(since = \"v1\")",
        "remove" | "drop" | "dropped" | "deleted" => "write removed(since = \"v1\")",
        "rename" | "from" | "was" => "write renamed(since = \"v1\", from = \"old_name\")",
        "change" | "type" => {
            "write changed(since = \"v1\", from_type = \"String\", with = \"function\", back = \"function\")"
        }
        "convert" | "split" | "parts" => {
            "for a move between several fields, write a type for each version, with #[derive(Convert)]"
        }
        _ => return None,
    })
}
