//! The errors in recipes, each with one message. The derive reports an error at its token if one item shows it.
//! Otherwise the linker reports it, with the same message.

use super::types::Kinds;
use crate::diag::codes::crd::SELECTABLE_PATH;
use crate::diag::{Code, codes::cel, codes::rust as codes};
use crate::json;
use crate::value::Value;

/// A mistake in a type or its attributes, before its place is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The code of the diagnostic.
    pub code: &'static Code,
    /// The message: what is wrong.
    pub message: String,
    /// The help: what to do.
    pub help: String,
    /// The key of the attribute that has the mistake. Empty if it is not about an attribute.
    pub key: &'static str,
}

impl Mistake {
    /// Creates the mistake of an attribute that does not apply.
    pub fn new(message: impl Into<String>) -> Mistake {
        Mistake { code: &codes::MISFIT, message: message.into(), help: String::new(), key: "" }
    }

    /// Sets the key of the attribute.
    #[must_use]
    pub fn key(mut self, key: &'static str) -> Mistake {
        self.key = key;
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Mistake {
        self.help = help.into();
        self
    }
}

fn mistake(code: &'static Code, message: impl Into<String>, help: impl Into<String>) -> Mistake {
    Mistake { code, message: message.into(), help: help.into(), key: "" }
}

/// A type that contains itself. `way` is the path in the document from the type to itself.
pub fn recursive(name: &str, way: &str) -> Mistake {
    let at = if way.is_empty() { String::new() } else { format!(" at `{way}`") };
    // The values in the field's lists and maps are those of the recursive type.
    let mut key = "opaque".to_owned();
    let mut rest = way;
    loop {
        let (before, around) = match (rest.strip_suffix("[]"), rest.strip_suffix("{}")) {
            (Some(before), _) => (before, "items"),
            (_, Some(before)) => (before, "values"),
            (None, None) => break,
        };
        key = format!("{around}({key})");
        rest = before;
    }
    mistake(
        &codes::RECURSIVE,
        format!("recursive type `{name}`: it contains itself{at}"),
        format!(
            "structural schemas cannot describe recursive types. Write #[schema({key})] on the field where the type recurs, or use a different type for each level"
        ),
    )
}

/// A tuple whose elements have different types.
pub fn tuple() -> Mistake {
    mistake(
        &codes::TUPLE,
        "a tuple of different types has no structural schema: a list has one schema for all its items",
        "make it a struct with named fields, or give the tuple the schema of a list with any items: \
         `raw = { \"type\": \"array\", \"items\": { \"x-kubernetes-preserve-unknown-fields\": true } }`",
    )
}

/// A type that serde writes in a form that users do not expect.
pub fn odd_form(what: &str, help: &str) -> Mistake {
    mistake(&codes::ODD_FORM, what, help)
}

/// An enum without variants.
pub fn empty_enum() -> Mistake {
    mistake(
        &codes::EMPTY_ENUM,
        "an enum without variants has no values",
        "add a variant, or remove the field. For a status without fields, write a struct: `struct Status {}`",
    )
}

/// A variant of an internally tagged enum with a value that is not an object.
pub fn tagged_scalar(variant: &str, tag: &str, is: u8) -> Mistake {
    mistake(
        &codes::TAGGED_SCALAR,
        format!("the variant `{variant}` contains {}, which cannot have the tag `{tag}`", Kinds::words(is)),
        format!(
            "serde fails on it at run time. Use a struct variant, or #[serde(tag = \"{tag}\", content = \"…\")]"
        ),
    )
}

/// A flattened value that is not an object.
pub fn flattened(is: u8) -> Mistake {
    mistake(
        &codes::FLATTEN,
        format!("only structs, maps and enums can be flattened, but this is {}", Kinds::words(is)),
        "remove #[serde(flatten)], or put the value into a struct",
    )
}

/// What reads a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBy {
    /// The `Deserialize` of its type.
    Type,
    /// The function of `deserialize_with`.
    Function,
}

/// A field that serde leaves out, but needs to read the object. `function` is that of `skip_serializing_if`.
pub fn left_out(function: &str, by: ReadBy) -> Mistake {
    mistake(
        &codes::UNREADABLE,
        format!(
            "serde does not write this field if `{function}` returns true, but it cannot read an object without the field"
        ),
        match by {
            ReadBy::Function => {
                "the server rejects such an object too. Add #[serde(default)]: serde calls the function of `deserialize_with` \
                 only for a field that is there, even if it is an Option"
            }
            ReadBy::Type => {
                "the server rejects such an object too. Add #[serde(default)], or make the field an Option"
            }
        },
    )
    .key("skip_serializing_if")
}

/// A flattened map next to other fields. `is` is the set of types that serde reads as values.
pub fn flattened_map(is: u8) -> Mistake {
    mistake(
        &codes::FLATTENED_MAP,
        format!(
            "the server keeps unknown fields with any value here, but each value of this map must be {}, and serde fails for others",
            Kinds::words(is)
        ),
        "make the values serde_json::Value, or put the map into a field of its own, without #[serde(flatten)]",
    )
}

/// A map whose keys have constraints that a rule cannot check, or only at too high a cost.
pub fn unchecked_keys() -> Mistake {
    mistake(
        &codes::MAP_KEY,
        "the server cannot check the keys of this map, so it stores keys that serde fails to read",
        "use String as the type of the keys, or a list of structs with list_type = \"map\". In lists with few items, you can check the \
         keys with #[schema(keys(…))], and allow this warning",
    )
}

/// A field with a role in the scale subresource whose type cannot have it.
pub fn odd_scale(part: &str, wanted: &str, is: u8) -> Mistake {
    mistake(
        &codes::MISFIT,
        format!("`scale({part})` is {}, but must be {wanted}", Kinds::words(is)),
        format!("remove `scale({part})`, or change the type of the field"),
    )
    .key("scale")
}

/// A selectable field whose type the server does not select by.
pub fn not_selectable(is: u8) -> Mistake {
    mistake(
        &SELECTABLE_PATH,
        format!("a selectable field must be a string, boolean or integer, but this is {}", Kinds::words(is)),
        "remove `selectable`, or move it to a field of one of these types",
    )
}

/// A spec or status that is not an object.
pub fn no_object(field: &str, is: u8) -> Mistake {
    mistake(
        &codes::MISFIT,
        format!("the {field} must be an object, but this is {}", Kinds::words(is)),
        "make it a struct with named fields",
    )
}

/// A spec that serde writes as null.
pub fn null_spec() -> Mistake {
    mistake(
        &codes::MISFIT,
        "the spec must be an object, but serde writes a unit struct as null",
        "write struct FooSpec {} for a spec without fields",
    )
}

/// Replicas without a place to count them.
pub fn scale_without_status() -> Mistake {
    mistake(
        &codes::SCALE_STATUS,
        "scale needs a status: it reads the number of replicas there",
        "add status = \"YourStatus\" to #[kube(…)], with a field for statusReplicasPath",
    )
}

/// A path of a column or of `scale` to a field that does not exist.
pub fn dead_path(what: &str, path: &str, missing: &str, help: &str) -> Mistake {
    mistake(&codes::DEAD_PATH, format!("{what} `{path}` does not exist: there is no field `{missing}`"), help)
}

/// A path of a column or of `scale` to a field with the wrong type.
pub fn odd_path(what: &str, path: &str, wanted: &str, is: u8) -> Mistake {
    mistake(
        &codes::MISFIT,
        format!("{what} `{path}` is {}, but must be {wanted}", Kinds::words(is)),
        "the server accepts it but shows nothing. Use a field of that type, or the type of the field",
    )
}

/// A union with a field that does not exist.
pub fn no_field(missing: &str, known: &[&str]) -> Mistake {
    Mistake::new(format!("there is no field `{missing}` here")).help(match known {
        [] => {
            "this type has no fields in the document. Remove the attribute, or write it on a type with fields"
                .to_owned()
        }
        known => format!("the fields in the document are {}", known.join(", ")),
    })
}

/// A rule on values without a single type.
pub fn unreadable(key: &'static str) -> Mistake {
    let (what, help) = match key {
        "keys" => (
            "`keys(…)` becomes a rule of the map, and rules cannot read a map whose values have no single type",
            "use values of one type: a struct, or an enum whose variants are all structs or all strings",
        ),
        _ => (
            "rules cannot read a value that has no single type",
            "write the rule on a field that has one type, or give all variants of the enum one type",
        ),
    };
    Mistake { code: &cel::NO_TYPES, ..Mistake::new(what).key(key).help(help) }
}

/// A discriminator that does not name a field, or names a field of the wrong type.
pub fn discriminator(tag: &str) -> Mistake {
    Mistake::new(format!("the discriminator `{tag}` is not a field with an enum"))
        .key("discriminator")
        .help("its type must be an enum of unit variants, each named like the field that it selects")
}

/// A property that the type already has.
pub fn property_of_field(name: &str) -> Mistake {
    Mistake::new(format!("`property(…)` would replace the schema of `{name}`, which is already a field here"))
        .key("property")
        .help("`property(…)` adds a property that has no Rust field. Write attributes on the field instead, or rename one of the two")
}

/// A field that is not in the schema, so the server drops it, although serde needs it.
pub fn skipped() -> Mistake {
    mistake(
        &codes::UNREADABLE,
        "the server would store objects without this field, but serde would not read them",
        "add #[serde(default)], or make it an Option",
    )
    .key("skip")
}

/// `remove(required)` on fields that serde needs.
pub fn not_required(name: &str) -> Mistake {
    Mistake::new(format!("the server would accept objects without `{name}`, but serde would not"))
        .key("remove")
        .help("leave out `remove(required)`. If a field may be missing, give it a default of serde, or the type `Option`")
}

/// A mark that leads into a list or map.
pub fn mark_in_list(what: &str) -> Mistake {
    mistake(
        &codes::MARK_PLACE,
        format!("{what} has no effect: its struct is only used inside lists and maps"),
        "the path of a column, selectable field or scale names one field. Move the attribute to a field outside of lists \
         and maps, or write the path on the kind, such as #[kube(printcolumn(json_path = \"…\", …))]",
    )
}

/// A mark of two fields, although there can be one.
pub fn marked_twice(what: &str, one: &str, other: &str) -> Mistake {
    mistake(
        &codes::CONTRADICTION,
        format!("{what} is on two fields: {one} and {other}"),
        "keep one of them. If both are the same field of a struct that is used twice, write the path on the kind instead, in #[kube(…)]",
    )
}

/// `default = null` without a default that it would remove.
pub fn no_default_to_remove() -> Mistake {
    Mistake::new("`default = null` has no effect, because the field has no default")
        .key("default")
        .help("remove `default`. A field that can be null is an Option")
}

/// A default in an attribute that is not the one of serde's function.
pub fn two_defaults(given: &Value, by_serde: &Value) -> Mistake {
    let (given, by_serde) = (json::to_string(given), json::to_string(by_serde));
    mistake(
        &codes::CONTRADICTION,
        format!("the server sets {given} if the field is missing, but serde sets {by_serde}"),
        "remove `default` from #[schema(…)]: the default of serde is in the schema, too. Or let the function return the same value",
    )
    .key("default")
}

/// A default that serde writes as null, although the type has no null.
pub fn null_default() -> Mistake {
    mistake(
        &codes::VALUE,
        "the default is null in JSON, so the server would set none",
        "JSON has no infinity and no NaN, and serde writes both as null. Use a finite number",
    )
}

/// Keys for a place that does not exist.
pub fn nothing_at(path: &str) -> Mistake {
    Mistake::new(format!("there is nothing at `{path}` to override")).key("override").help(
        "the path starts at this field or type. `.name` is a property, `[]` the items of a list, and `{}` the values of a map",
    )
}
