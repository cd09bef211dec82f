//! What an attribute requires of another type: that the items of a list map have its keys, that the items of a list set
//! are not structs, that an enum has the default. A derive does not see that type. So the generated code contains an
//! assertion about the outline of the type, and the compiler checks it when it evaluates constants.

use super::Lower;
use crate::diag::Code;
use crate::diag::codes::rust::MISFIT;
use crate::diag::codes::schema::{DEFAULT_INVALID, LIST_KEY_OPTIONAL, LIST_MAP_KEYS, SET_ITEMS};
use crate::facts;
use crate::recipe::contradict::not_a_value;
use crate::recipe::{Mistake, Patch, faults};
use crate::value::Value;
use proc_macro2::Span;

/// A requirement on another type, and the error if the type does not meet it.
pub struct Assertion {
    /// The type that is checked.
    pub ty: syn::Type,
    /// The requirement.
    pub ask: Ask,
    /// The place of the attribute that requires it.
    pub span: Span,
    /// The code of the error.
    pub code: &'static Code,
    /// The message of the error.
    pub message: String,
    /// The help of the error.
    pub help: String,
}

/// A requirement on a type, which [`crate::recipe::outline`] checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Values of the type can be items of a list set.
    CanBeInASet,
    /// The type has a field with this name.
    HasField(String),
    /// The field with this name always has a value.
    HasValue(String),
    /// The field with this name cannot be null.
    HasNoNull(String),
    /// This string is a value of the type.
    Takes(String),
    /// All values of the type have one type.
    HasOneType,
    /// Values of the type can be numbers.
    CanBeANumber,
}

impl Lower<'_> {
    /// Adds the assertions that the attributes of a list need about its items.
    pub(super) fn assert_items(
        &mut self,
        ty: &syn::Type,
        patch: &Patch,
        span: &dyn Fn(&str) -> Option<Span>,
    ) {
        let ext = &patch.set.ext;
        // Attributes may change the items so that they are valid.
        let changed = patch.items.is_some() || !patch.at.is_empty() || !patch.clear.is_empty();
        if self.as_is || changed || patch.overrides_type || !patch.computed.is_empty() {
            return;
        }
        let Some(item) = item(ty).and_then(users) else { return };
        match ext.list_type.as_deref() {
            Some("set") => {
                if let Some(span) = span("list_type") {
                    self.assertions.push(Assertion {
                        ty: item.clone(),
                        ask: Ask::CanBeInASet,
                        span,
                        code: &SET_ITEMS,
                        message: "items of a list with list_type = \"set\" cannot be structs, because the server compares whole items".to_owned(),
                        help: "write list_type = \"map\" with list_map_keys, or #[schema(map_type = \"atomic\")] on the struct".to_owned(),
                    });
                }
            }
            Some("map") => {
                let Some(span) = span("list_map_keys") else { return };
                for key in &ext.list_map_keys {
                    self.assertions.push(Assertion {
                        ty: item.clone(),
                        ask: Ask::HasField(key.clone()),
                        span,
                        code: &LIST_MAP_KEYS,
                        message: format!("list_map_keys: the items have no field `{key}`"),
                        help: "use the names that the fields of the items have in YAML. `crdgen emit` suggests the nearest one".to_owned(),
                    });
                    self.assertions.push(Assertion {
                        ty: item.clone(),
                        ask: Ask::HasValue(key.clone()),
                        span,
                        code: &LIST_KEY_OPTIONAL,
                        message: format!("list_map_keys: `{key}` can be missing from the items"),
                        help: format!(
                            "remove the Option from `{key}`. If users may leave it out, give it a default, such as \
                             #[serde(default)]"
                        ),
                    });
                    self.assertions.push(Assertion {
                        ty: item.clone(),
                        ask: Ask::HasNoNull(key.clone()),
                        span,
                        code: &LIST_KEY_OPTIONAL,
                        message: format!("list_map_keys: `{key}` of the items can be null"),
                        help: format!(
                            "remove the Option from `{key}`, a default may stay. Or keep it with a default of the schema, \
                             and add #[serde(skip_serializing_if = \"Option::is_none\")]"
                        ),
                    });
                }
            }
            _ => {}
        }
    }

    /// Adds the assertion that rules need about the type that they read.
    pub(super) fn assert_readable(
        &mut self,
        ty: &syn::Type,
        patch: &Patch,
        span: &dyn Fn(&str) -> Option<Span>,
    ) {
        let Some(key) = patch.rule_key() else { return };
        let changed = patch.items.is_some() || patch.values.is_some() || !patch.at.is_empty();
        if self.as_is || changed || patch.overrides_type || !patch.computed.is_empty() {
            return;
        }
        let (Some(ty), Some(span)) = (users(innermost(ty)), span(key)) else { return };
        let Mistake { code, message, help, .. } = faults::unreadable(key);
        self.assertions.push(Assertion { ty: ty.clone(), ask: Ask::HasOneType, span, code, message, help });
    }

    /// Adds the assertions that attributes need about a type that serde reads. There are none for a type that is
    /// overridden, because it need not have a schema.
    pub(super) fn asks_values(&mut self, ty: &syn::Type, patch: &Patch, span: &dyn Fn(&str) -> Option<Span>) {
        let Some(ty) = users(ty) else { return };
        let set = &patch.set;
        let mut ask = |ask: Ask, mistake: Mistake| {
            let Some(span) = span(mistake.key) else { return };
            let Mistake { message, help, .. } = mistake;
            self.assertions.push(Assertion { ty: ty.clone(), ask, span, code: &MISFIT, message, help });
        };
        if set.ext.int_or_string {
            ask(
                Ask::CanBeANumber,
                Mistake::new(
                    "the server would accept integers and strings, but serde does not read both here",
                )
                .key("int_or_string")
                .help("remove `int_or_string`, or use a type that reads both"),
            );
        } else if !patch.overrides_type {
            for value in &set.limits.enumeration {
                if let Value::Str(text) = value {
                    ask(Ask::Takes(text.clone()), not_a_value(&crate::json::to_string(value)));
                }
            }
        }
    }

    /// Adds the assertion that a literal default needs about an enum.
    pub(super) fn asks_enum(&mut self, ty: &syn::Type, patch: &Patch, default: &Value, span: Span) {
        let Value::Str(text) = default else { return };
        let changed =
            *patch != Patch { set: described(patch), allow: patch.allow.clone(), ..Patch::default() };
        let Some(ty) = users(ty).filter(|_| !self.as_is && !changed) else { return };
        self.assertions.push(Assertion {
            ty: ty.clone(),
            ask: Ask::Takes(text.clone()),
            span,
            code: &DEFAULT_INVALID,
            message: format!("the default {} does not match its type", crate::json::to_string(default)),
            help: "use one of the values that the enum has in YAML. `crdgen emit` lists them".to_owned(),
        });
    }
}

/// The part of a patch that does not affect values.
fn described(patch: &Patch) -> crate::ir::Schema {
    crate::ir::Schema {
        title: patch.set.title.clone(),
        description: patch.set.description.clone(),
        ..crate::ir::Schema::default()
    }
}

/// The items of a list.
fn item(ty: &syn::Type) -> Option<&syn::Type> {
    let (name, args) = facts::name_of(ty)?;
    match (name.as_str(), args.as_slice()) {
        ("Option" | "Box" | "Arc" | "Rc", [inner]) => item(inner),
        ("Vec" | "VecDeque" | "LinkedList", [item]) => Some(item),
        _ => None,
    }
}

/// The type inside of all lists and maps.
fn innermost(ty: &syn::Type) -> &syn::Type {
    let Some((name, args)) = facts::name_of(ty) else { return ty };
    match (name.as_str(), args.as_slice()) {
        ("Option" | "Box" | "Arc" | "Rc" | "Vec" | "VecDeque" | "LinkedList", [inner]) => innermost(inner),
        ("BTreeMap" | "HashMap", [_, value]) => innermost(value),
        _ => ty,
    }
}

/// The user's own type, without `Option` or `Box` around it. None for well-known types.
fn users(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let (name, args) = facts::name_of(ty)?;
    match (name.as_str(), args.as_slice()) {
        ("Option" | "Box" | "Arc" | "Rc", [inner]) => users(inner),
        ("Self", _) => None,
        _ if path.qself.is_some() || !args.is_empty() || facts::guess(ty).is_some() => None,
        _ => Some(ty),
    }
}
