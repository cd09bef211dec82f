//! The outline of a type: what attributes on other types need to know about it, in a form that the compiler can read
//! while it evaluates constants. A derive sees only one item. So errors that involve two items, such as a list map key
//! that the items do not have, become assertions in the generated code.
//!
//! The outline comes before a recipe in its text: `{ +name -name ~name;` for a struct, where `-` marks a field without a
//! default that can be missing, and `~` one that always has a value, which can be null; `{! …` if the struct is atomic; `| A B;` for an enum of plain strings; `?;` for an enum
//! whose variants have different types. Other types have no outline, and every assertion about them passes: the linker and the server's checks see all types.

use super::node::{Enum, Field, Need, Node, Tagging, Variant};
use super::patch::Patch;
use super::types::Kinds;
use super::{Recipe, Shape};
use crate::ir::Keyword;

/// The end of an outline.
const END: char = ';';

/// Whether a recipe is that of an `Option`. The recipe alone does not always show it.
pub type IsOption<'a> = &'a dyn Fn(&Node) -> bool;

/// The JSON types of a recipe, as a set of bits, if they are known for certain. The recipe alone does not always show
/// them.
pub type TypesOf<'a> = &'a dyn Fn(&Node) -> Option<u8>;

/// Whether the variants of an enum have different types, so that its schema has no single type. An enum of integers and
/// strings has one: int-or-string.
pub fn is_mixed(it: &Enum, types_of: TypesOf<'_>) -> bool {
    let of = |variant: &Variant| match (&variant.payload, &it.tagging) {
        (Some(payload), _) if variant.untagged => inside(payload, types_of),
        (Some(payload), Tagging::Untagged) => inside(payload, types_of),
        (None, Tagging::Untagged) => None,
        (None, _) if variant.untagged => None,
        (None, Tagging::External) => Some(Kinds::STRING),
        (Some(_) | None, _) => Some(Kinds::OBJECT),
    };
    let all = it.variants.iter().filter_map(of).fold(0, |all, one| all | one);
    let one = all.count_ones() < 2;
    !one && all != Kinds::INTEGER | Kinds::STRING && all != Kinds::INTEGER | Kinds::NUMBER
}

fn inside(node: &Node, types_of: TypesOf<'_>) -> Option<u8> {
    match node {
        Node::Struct(_) | Node::Map(..) => Some(Kinds::OBJECT),
        Node::List(_) | Node::Set(_) | Node::Array(..) => Some(Kinds::ARRAY),
        Node::Patched(inner, patch) if keeps(patch) => inside(inner, types_of),
        node => types_of(node).filter(|types| *types != Kinds::ANY),
    }
}

/// Returns the outline of a recipe, including its end mark. Empty if the type has no outline.
pub fn outline(node: &Node, is_option: IsOption<'_>, types_of: TypesOf<'_>) -> String {
    match node {
        Node::Patched(inner, patch) if keeps(patch) => {
            let atomic = patch.set.ext.map_type.as_deref() == Some("atomic");
            // The fields of a union cannot be null.
            let chooses = !patch.unions.is_empty() || patch.discriminator.is_some();
            line(inner, Around { atomic, chooses }, is_option, types_of)
        }
        node => line(node, Around::default(), is_option, types_of),
    }
    .unwrap_or_default()
}

/// Whether an outline is still correct with these attributes.
fn keeps(patch: &Patch) -> bool {
    let set = &patch.set;
    patch.clear.is_empty()
        && patch.at.is_empty()
        && patch.computed.is_empty()
        && !patch.overrides_type
        && set.ty.is_none()
        && set.properties.is_empty()
        && set.limits.enumeration.is_empty()
        && set.limits.required.is_empty()
        && !set.ext.int_or_string
        && set.ext.preserve_unknown_fields.is_none()
}

/// What the attributes of a type change in its outline.
#[derive(Clone, Copy, Default)]
struct Around {
    /// It is atomic.
    atomic: bool,
    /// It is a union.
    chooses: bool,
}

fn line(node: &Node, around: Around, is_option: IsOption<'_>, types_of: TypesOf<'_>) -> Option<String> {
    let Around { atomic, chooses } = around;
    let mut out = String::new();
    let mut add = |mark: &str, name: &str| {
        out.push(' ');
        out.push_str(mark);
        out.push_str(name);
        !name.is_empty() && !name.contains([' ', END])
    };
    let (start, whole) = match node {
        Node::Struct(it) if it.fields.iter().all(|field| !field.flatten) => {
            let defaults = it.default.is_some();
            let mut fields = it.fields.iter();
            let whole = fields.all(|field| {
                let mark = if !defaults && can_be_missing(field, is_option) {
                    "-"
                } else if !chooses && can_be_null(field, defaults, is_option, types_of) {
                    "~"
                } else {
                    "+"
                };
                add(mark, &field.name) && field.aliases.iter().all(|alias| add("+", alias))
            });
            (if atomic { "{!" } else { "{" }, whole)
        }
        Node::Enum(it) if is_plain(it) => {
            let mut variants = it.variants.iter();
            let whole = variants.all(|v| add("", &v.name) && v.aliases.iter().all(|alias| add("", alias)));
            ("|", whole)
        }
        Node::Enum(it) if is_mixed(it, types_of) => ("?", true),
        _ => return None,
    };
    whole.then(|| format!("{start}{out}{END}"))
}

/// Whether a field is an `Option` without a default.
fn can_be_missing(field: &Field, is_option: IsOption<'_>) -> bool {
    field.need != Need::Required
        && field.default.is_none()
        && field.patch.set.default.is_none()
        && field.patch.computed.is_empty()
        && field.aliases.is_empty()
        && is_option(&field.node)
}

/// Whether a field is an `Option` that serde writes as null, and that has a default or is required.
fn can_be_null(field: &Field, defaults: bool, is_option: IsOption<'_>, types_of: TypesOf<'_>) -> bool {
    let has_default = defaults || field.default.is_some();
    // A field with an enum is only nullable if it has a default.
    let is_no_enum = || types_of(&field.node).is_some() && field.patch.set.limits.enumeration.is_empty();
    field.writes_null
        && is_option(&field.node)
        && !field.patch.clear.contains(&Keyword::Nullable)
        && !field.patch.overrides_type
        && field.patch.computed.is_empty()
        && (has_default || field.need == Need::Required && is_no_enum())
}

/// Whether the values of an enum are only the names of its variants.
fn is_plain(it: &Enum) -> bool {
    it.tagging == Tagging::External
        && it
            .variants
            .iter()
            .all(|v| v.payload.is_none() && !v.other && !v.untagged && v.patch == Patch::default())
}

/// Returns the recipe in a text, without the outline.
pub fn recipe(text: &str) -> &str {
    match text.split_once(END) {
        Some((_, recipe)) if text.starts_with(['{', '|', '?']) => recipe,
        _ => text,
    }
}

const fn text(shape: &Shape) -> &[u8] {
    match &shape.recipe {
        Recipe::Text(text) => text.as_bytes(),
        _ => &[],
    }
}

/// Whether items of this type can be a list set: they are not objects, or they are atomic.
pub const fn can_be_in_a_set(shape: &Shape) -> bool {
    let text = text(shape);
    !(text.len() > 1 && text[0] == b'{' && text[1] != b'!')
}

/// Whether the type has a field with this name.
pub const fn has_field(shape: &Shape, name: &str) -> bool {
    let text = text(shape);
    text.is_empty()
        || text[0] != b'{'
        || find(text, Some(b'+'), name)
        || find(text, Some(b'-'), name)
        || find(text, Some(b'~'), name)
}

/// Whether the field with this name always has a value.
pub const fn has_value(shape: &Shape, name: &str) -> bool {
    let text = text(shape);
    text.is_empty() || text[0] != b'{' || !find(text, Some(b'-'), name)
}

/// Whether the field with this name cannot be null.
pub const fn has_no_null(shape: &Shape, name: &str) -> bool {
    let text = text(shape);
    text.is_empty() || text[0] != b'{' || !find(text, Some(b'~'), name)
}

/// Whether the type accepts a string as its value.
pub const fn takes(shape: &Shape, value: &str) -> bool {
    let text = text(shape);
    if text.is_empty() {
        return true;
    }
    match text[0] {
        b'|' => find(text, None, value),
        // A struct is never a string.
        b'{' => false,
        _ => true,
    }
}

/// Whether all values of this type have one type, so that rules can read them.
pub const fn has_one_type(shape: &Shape) -> bool {
    !matches!(text(shape).first(), Some(b'?'))
}

/// Whether values of this type can be numbers: it is neither a struct nor an enum of strings.
pub const fn can_be_a_number(shape: &Shape) -> bool {
    !matches!(text(shape).first(), Some(b'{' | b'|'))
}

/// Whether an outline contains a name, after this mark.
const fn find(text: &[u8], mark: Option<u8>, name: &str) -> bool {
    let name = name.as_bytes();
    let mut at = 0;
    while at < text.len() && text[at] != END as u8 {
        if text[at] == b' ' {
            let mut start = at + 1;
            let marked = match mark {
                Some(mark) => {
                    let marked = start < text.len() && text[start] == mark;
                    start += 1;
                    marked
                }
                None => true,
            };
            let mut len = 0;
            while len < name.len() && start + len < text.len() && text[start + len] == name[len] {
                len += 1;
            }
            let end = start + len;
            if marked
                && len == name.len()
                && end < text.len()
                && (text[end] == b' ' || text[end] == END as u8)
            {
                return true;
            }
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{
        can_be_a_number, can_be_in_a_set, has_field, has_no_null, has_one_type, has_value, recipe, takes,
    };
    use crate::recipe::Shape;

    #[test]
    fn constants_can_check_outlines() {
        const STRUCT: Shape = Shape::text("S", "{ +a -b;s.", &[], &[]);
        const ENUM: Shape = Shape::text("E", "| A B;u.", &[], &[]);
        const OTHER: Shape = Shape::text("O", "r0;", &[], &[]);
        const ATOMIC: Shape = Shape::text("S", "{! +a;s.", &[], &[]);
        const { assert!(has_field(&STRUCT, "a") && has_field(&STRUCT, "b") && !has_field(&STRUCT, "c")) }
        const { assert!(!has_field(&STRUCT, "") && !has_field(&STRUCT, "ab") && has_field(&OTHER, "c")) }
        const { assert!(has_value(&STRUCT, "a") && !has_value(&STRUCT, "b") && has_value(&OTHER, "b")) }
        const NULLABLE: Shape = Shape::text("S", "{ +a ~b;s.", &[], &[]);
        const { assert!(has_field(&NULLABLE, "b") && has_value(&NULLABLE, "b")) }
        const { assert!(has_no_null(&NULLABLE, "a") && !has_no_null(&NULLABLE, "b") && has_no_null(&OTHER, "b")) }
        const { assert!(takes(&ENUM, "A") && takes(&ENUM, "B") && !takes(&ENUM, "C") && !takes(&ENUM, "")) }
        const { assert!(takes(&OTHER, "C") && !takes(&STRUCT, "a")) }
        const {
            assert!(
                can_be_in_a_set(&ATOMIC)
                    && can_be_in_a_set(&ENUM)
                    && can_be_in_a_set(&OTHER)
                    && !can_be_in_a_set(&STRUCT)
            )
        }
        const { assert!(!can_be_a_number(&ENUM) && !can_be_a_number(&STRUCT) && can_be_a_number(&OTHER)) }
        const MIXED: Shape = Shape::text("M", "?;u.", &[], &[]);
        const { assert!(!has_one_type(&MIXED) && has_one_type(&STRUCT) && has_one_type(&OTHER)) }
        const { assert!(takes(&MIXED, "A") && can_be_a_number(&MIXED) && can_be_in_a_set(&MIXED)) }
        assert_eq!(recipe("{ +a;s."), "s.");
        assert_eq!(recipe("?;u."), "u.");
        assert_eq!(recipe("s.;"), "s.;");
    }
}
