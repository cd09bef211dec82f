//! What the spelling of a type shows before names are resolved. It is used to report errors at the right place, and for
//! defaults that need no code. The schema itself never depends on it.

use crate::ir::{Additional, Schema, Type};
use crate::recipe::{Node, known, types_of};
use crate::value::{Map, Value};

/// Returns the last name of a type's path, and its type arguments.
pub fn name_of(ty: &syn::Type) -> Option<(String, Vec<&syn::Type>)> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            let args = match &last.arguments {
                syn::PathArguments::AngleBracketed(args) => args
                    .args
                    .iter()
                    .filter_map(|arg| if let syn::GenericArgument::Type(ty) = arg { Some(ty) } else { None })
                    .collect(),
                syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => Vec::new(),
            };
            Some((super::names::plain(&last.ident), args))
        }
        syn::Type::Reference(reference) => name_of(&reference.elem),
        syn::Type::Group(group) => name_of(&group.elem),
        syn::Type::Paren(paren) => name_of(&paren.elem),
        _ => None,
    }
}

/// Returns whether a type is written as an `Option`.
pub fn is_option(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|(name, _)| name == "Option")
}

/// Returns whether a type is written as a tuple, or as an `Option` or `Box` of one.
pub fn is_tuple(ty: &syn::Type) -> bool {
    match name_of(ty) {
        Some((name, args)) => {
            matches!(name.as_str(), "Option" | "Box") && args.first().is_some_and(|ty| is_tuple(ty))
        }
        None => matches!(ty, syn::Type::Tuple(_)),
    }
}

/// Returns whether a type is written as an `Option` of an `Option`.
pub fn is_double_option(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|(name, args)| name == "Option" && args.first().is_some_and(|t| is_option(t)))
}

/// Returns whether a type is written as Kubernetes' `ObjectMeta`, or as a list or map of it.
pub fn is_metadata(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|(name, args)| match args.last() {
        Some(inner) => is_metadata(inner),
        None => name == "ObjectMeta",
    })
}

/// Returns whether a type is written as `PhantomData`.
pub fn is_phantom(ty: &syn::Type) -> bool {
    name_of(ty).is_some_and(|(name, _)| name == "PhantomData")
}

/// Returns the schema of a type, assuming that well-known names mean the well-known types. `None` if that cannot be
/// determined.
pub fn guess(ty: &syn::Type) -> Option<Schema> {
    if let syn::Type::Array(array) = ty {
        return Some(list(inside(&array.elem)));
    }
    if let syn::Type::Tuple(tuple) = ty {
        let mut parts = tuple.elems.iter().map(inside);
        let first = parts.next()?;
        return Some(list(first.filter(|first| parts.all(|part| part.as_ref() == Some(first)))));
    }
    let (name, args) = name_of(ty)?;
    match (name.as_str(), args.as_slice()) {
        ("Option" | "Box" | "Arc" | "Rc" | "Cow", [.., inner]) => guess(inner),
        ("Vec" | "VecDeque" | "BTreeSet" | "HashSet" | "IndexSet", [item, ..]) => Some(list(inside(item))),
        ("BTreeMap" | "HashMap" | "IndexMap", [_, value, ..]) => {
            let value = inside(value).unwrap_or_else(anything);
            let additional_properties = Some(Additional::Schema(Box::new(value)));
            Some(Schema { additional_properties, ..Schema::of(Type::Object) })
        }
        ("String", []) => Some(Schema::of(Type::String)),
        (name, []) => match (known::find(name)?.node)() {
            Node::Plain(schema) => Some(*schema),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the schema of a type, but only for names that users do not give to their own types. For all other names,
/// the type may be another one, and an attribute for it may be right.
pub fn surely(ty: &syn::Type) -> Option<Schema> {
    const NAMES: &[&str] = &[
        "String", "str", "bool", "char", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
        "Vec", "VecDeque", "BTreeMap", "HashMap", "BTreeSet", "HashSet",
    ];
    if let syn::Type::Tuple(_) | syn::Type::Array(_) = ty {
        return guess(ty);
    }
    let (name, args) = name_of(ty)?;
    match (name.as_str(), args.as_slice()) {
        ("Option" | "Box", [inner]) => surely(inner),
        (name, _) if NAMES.contains(&name) => guess(ty),
        _ => None,
    }
}

/// Returns the JSON types of a recipe, if they are certain.
pub fn types(node: &Node, refs: &[syn::Type]) -> Option<u8> {
    match node {
        Node::Plain(schema) => Some(types_of(schema)),
        Node::Ref(number) => refs.get(*number).and_then(surely).map(|schema| types_of(&schema)),
        _ => None,
    }
}

/// Returns the schema like [`guess`], for a type inside of another one, where an `Option` is written as null.
pub fn inside(ty: &syn::Type) -> Option<Schema> {
    let mut schema = guess(ty)?;
    schema.nullable = is_option(ty);
    Some(schema)
}

/// Returns the recipe of a type of the language or of `std` with a well-known name. `unknown` returns the schema for
/// types inside of it that are unknown.
pub fn std_node(ty: &syn::Type, unknown: &dyn Fn() -> Schema) -> Option<Node> {
    let inner = |ty: &syn::Type| Box::new(std_node(ty, unknown).unwrap_or_else(|| Node::plain(unknown())));
    if let syn::Type::Array(array) = ty {
        return Some(Node::List(inner(&array.elem)));
    }
    let (name, args) = name_of(ty)?;
    match (name.as_str(), args.as_slice()) {
        ("Option", [of]) => Some(Node::Option(inner(of))),
        ("Box", [of]) => std_node(of, unknown),
        ("Vec" | "VecDeque", [item]) => Some(Node::List(inner(item))),
        ("BTreeMap" | "HashMap", [key, value]) if name_of(key).is_some_and(|(key, _)| key == "String") => {
            Some(Node::Map(inner(key), inner(value)))
        }
        ("String", []) => Some((known::find("std::string::String")?.node)()),
        ("bool" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "f32" | "f64", []) => {
            Some((known::find(&name)?.node)())
        }
        _ => None,
    }
}

fn list(item: Option<Schema>) -> Schema {
    let item = item.unwrap_or_else(anything);
    Schema { items: Some(crate::ir::Items::One(Box::new(item))), ..Schema::of(Type::Array) }
}

fn anything() -> Schema {
    let mut any = Schema::default();
    any.ext.preserve_unknown_fields = Some(true);
    any
}

/// Returns the value of `Default::default()` as serde writes it, if the spelling of the type shows it.
pub fn default_of(ty: &syn::Type) -> Option<Value> {
    let (name, _) = name_of(ty)?;
    Some(match name.as_str() {
        "Option" => Value::Null,
        "String" => Value::from(""),
        "bool" => Value::Bool(false),
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => Value::Int(0),
        "Vec" | "VecDeque" | "BTreeSet" | "HashSet" | "IndexSet" => Value::List(Vec::new()),
        "BTreeMap" | "HashMap" | "IndexMap" => Value::Map(Map::new()),
        _ => return None,
    })
}
