//! Enums as structural schemas. A structural schema has one skeleton (types, properties, items), with value validations
//! in addition. So the variants are merged into one skeleton that covers all of them, and the other constraints of each
//! variant become one branch of a `oneOf` or `anyOf`.

use super::super::apply::junctor;
use super::super::faults;
use super::super::node::{Enum, Tagging, Variant};
use super::super::patch::Patch;
use super::super::types::{self, Kinds, kinds};
use super::super::words::{cel_string, escape};
use super::{Id, Linker, Marked, below, nullable};
use crate::diag::codes;
use crate::encode;
use crate::ir::{Additional, Items, Limits, Rule, Schema, Type};
use crate::json;
use crate::path::Step;
use crate::value::{Map, Value};
use std::collections::HashSet;

/// The schema of an enum. Adds the roles of fields in its variants to `marks`.
pub(super) fn lower(linker: &mut Linker<'_>, it: &Enum, id: Id, marks: &mut Vec<Marked>) -> Schema {
    let Enum { tagging, description, variants, deny_unknown: _ } = it;
    if variants.is_empty() {
        linker.mistake(faults::empty_enum());
        return types::opaque();
    }
    let (plain, tagged): (Vec<&Variant>, Vec<&Variant>) =
        variants.iter().partition(|v| v.untagged || *tagging == Tagging::Untagged);
    let mut arms = match tagging {
        _ if tagged.is_empty() => Vec::new(),
        Tagging::External => external(linker, &tagged, id, !plain.is_empty(), marks),
        Tagging::Internal(tag) => vec![internal(linker, tag, &tagged, id, marks)],
        Tagging::Adjacent(tag, content) => {
            vec![adjacent(linker, AdjacentKeys { tag, content }, &tagged, id, marks)]
        }
        Tagging::Untagged => Vec::new(),
    };
    for variant in plain {
        let mut arm = payload(linker, variant, id, None, marks).unwrap_or_else(types::null);
        if arm.description.is_empty() {
            arm.description.clone_from(&variant.description);
        }
        arms.push(arm);
    }
    let mut schema = union(linker, arms, Choice::First);
    schema.description.clone_from(description);
    let units: Vec<&Variant> = tagged.iter().copied().filter(|v| v.payload.is_none()).collect();
    if *tagging == Tagging::External && !units.is_empty() {
        let lines = described(&units);
        if !lines.is_empty() && !schema.description.is_empty() {
            schema.description.push_str("\n\n");
        }
        schema.description.push_str(&lines);
    }
    schema
}

/// The schema of a variant's content. None for a unit variant. `at` is the property with the content, if there is one.
fn payload(
    linker: &mut Linker<'_>,
    variant: &Variant,
    id: Id,
    at: Option<&str>,
    marks: &mut Vec<Marked>,
) -> Option<Schema> {
    let steps: Vec<&str> = at.map(|name| ["properties", name]).into_iter().flatten().collect();
    linker.within(&steps, |l| {
        let before = l.unknown;
        let linked = l.node(variant.payload.as_ref()?, id);
        match at {
            Some(name) => marks.extend(below(&Step::Key(name.to_owned()), linked.marks)),
            None => marks.extend(linked.marks),
        }
        let mut schema = linked.schema;
        if linked.optional {
            nullable(&mut schema);
        }
        l.patch(&variant.patch, &mut schema, id, before);
        Some(schema)
    })
}

/// `"Unit"` and `{"Variant": …}`
fn external(
    linker: &mut Linker<'_>,
    variants: &[&Variant],
    id: Id,
    more: bool,
    marks: &mut Vec<Marked>,
) -> Vec<Schema> {
    let mut arms = Vec::new();
    let (units, data): (Vec<&Variant>, Vec<&Variant>) = variants.iter().partition(|v| v.payload.is_none());
    if !units.is_empty() {
        arms.push(tag_schema(&units));
    }
    if !data.is_empty() {
        let mut schema = Schema::of(Type::Object);
        for variant in data {
            let mut inner = payload(linker, variant, id, Some(&variant.name), marks).unwrap_or_default();
            if !variant.description.is_empty() {
                inner.description.clone_from(&variant.description);
            }
            for name in names(variant) {
                schema.properties.insert(name.as_str(), inner.clone());
                schema.limits.one_of.push(required(std::slice::from_ref(name)));
            }
        }
        if schema.limits.one_of.len() == 1 {
            schema.limits = schema.limits.one_of.remove(0).limits;
        }
        if more || !arms.is_empty() {
            // If other types are allowed too, unknown fields are not dropped, but serde accepts only one field.
            schema.limits.max_properties = Some(1);
        }
        arms.push(schema);
    }
    arms
}

/// `{"tag": "Variant", …}`
fn internal(
    linker: &mut Linker<'_>,
    tag: &str,
    variants: &[&Variant],
    id: Id,
    marks: &mut Vec<Marked>,
) -> Schema {
    let tag_values = tag_schema(variants);
    let arms = variants
        .iter()
        .map(|variant| {
            let mut arm =
                payload(linker, variant, id, None, marks).unwrap_or_else(|| Schema::of(Type::Object));
            if types::is_null(&arm) {
                arm = Schema::of(Type::Object);
            }
            if kinds(&arm) & Kinds::OBJECT == 0 {
                linker.mistake(faults::tagged_scalar(&variant.name, tag, kinds(&arm)));
                arm = Schema::of(Type::Object);
            }
            if arm.ty.is_none() {
                arm = Schema { ty: Some(Type::Object), limits: Limits::default(), ..arm };
            }
            if let Some(Additional::Schema(_)) = arm.additional_properties.take() {
                arm.ext.preserve_unknown_fields = Some(true);
            }
            if arm.properties.contains_key(tag) {
                linker.report(
                    &codes::rust::SAME_NAME,
                    format!("the variant `{}` has a field with the name of the tag, `{tag}`", variant.name),
                    "rename the field or the tag",
                );
            }
            guard(&mut arm, tag, variant, variants);
            arm.properties.insert(tag, tag_of(variant, variants));
            arm.limits.required.insert(0, tag.to_owned());
            arm
        })
        .collect();
    finish_tagged(linker, arms, tag, tag_values)
}

/// The keys of a variant next to its content.
#[derive(Clone, Copy)]
struct AdjacentKeys<'k> {
    tag: &'k str,
    content: &'k str,
}

/// `{"tag": "Variant", "content": …}`
fn adjacent(
    linker: &mut Linker<'_>,
    AdjacentKeys { tag, content }: AdjacentKeys<'_>,
    variants: &[&Variant],
    id: Id,
    marks: &mut Vec<Marked>,
) -> Schema {
    let tag_values = tag_schema(variants);
    let arms = variants
        .iter()
        .map(|variant| {
            let mut arm = Schema::of(Type::Object);
            arm.properties.insert(tag, tag_of(variant, variants));
            arm.limits.required.push(tag.to_owned());
            if let Some(node) = &variant.payload {
                let (linked, inner) = linker.within(&["properties", content], |l| {
                    let before = l.unknown;
                    let mut linked = l.node(node, id);
                    let inside = std::mem::take(&mut linked.marks);
                    marks.extend(below(&Step::Key(content.to_owned()), inside));
                    let mut inner = linked.schema.clone();
                    if linked.optional {
                        nullable(&mut inner);
                    }
                    l.patch(&variant.patch, &mut inner, id, before);
                    (linked, inner)
                });
                if !linked.optional {
                    arm.limits.required.push(content.to_owned());
                }
                arm.properties.insert(content, inner);
            }
            arm
        })
        .collect();
    finish_tagged(linker, arms, tag, tag_values)
}

fn finish_tagged(linker: &mut Linker<'_>, arms: Vec<Schema>, tag: &str, tag_values: Schema) -> Schema {
    let mut schema = union(linker, arms, Choice::Tagged(tag));
    schema.properties.insert(tag, tag_values);
    schema
}

/// The schema of a tag: its values, or any string if a variant accepts all others.
fn tag_schema(variants: &[&Variant]) -> Schema {
    let mut schema = Schema::of(Type::String);
    if !variants.iter().any(|v| v.other) {
        schema.limits.enumeration =
            variants.iter().flat_map(|v| names(v)).map(|n| Value::from(n.as_str())).collect();
    }
    schema.description = described(variants);
    schema
}

/// The documentation of variants that have no schema of their own.
fn described(variants: &[&Variant]) -> String {
    let lines: Vec<String> = variants
        .iter()
        .filter(|v| !v.description.is_empty())
        .map(|v| format!("- {}: {}", v.name, v.description))
        .collect();
    lines.join("\n")
}

/// The schema of the tag in the branch of one variant. In the branch for all other values, the tag has none of the
/// listed values.
fn tag_of(variant: &Variant, variants: &[&Variant]) -> Schema {
    let values = |of: &Variant| names(of).map(|n| Value::from(n.as_str())).collect::<Vec<_>>();
    let mut schema = Schema::of(Type::String);
    if variant.other {
        let enumeration: Vec<Value> = variants.iter().filter(|v| !v.other).flat_map(|v| values(v)).collect();
        let limits = Limits { enumeration, ..Limits::default() };
        schema.limits.not = Some(Box::new(Schema { limits, ..Schema::default() }));
    } else {
        schema.limits.enumeration = values(variant);
    }
    schema
}

fn names(variant: &Variant) -> impl Iterator<Item = &String> {
    std::iter::once(&variant.name).chain(&variant.aliases)
}

/// Rules cannot be in a branch, so they check the tag themselves.
fn guard(arm: &mut Schema, tag: &str, variant: &Variant, all: &[&Variant]) {
    if all.len() == 1 {
        return;
    }
    let (test, _) = other_tag(tag, &tag_of(variant, all));
    for rule in &mut arm.rules {
        *rule = Rule { rule: format!("{test} || ({})", rule.rule), ..std::mem::take(rule) };
    }
}

/// A test for whether an object has another tag than those of a branch, and the condition of the branch in words.
fn other_tag(tag: &str, of_branch: &Schema) -> (String, String) {
    let field = escape(tag);
    let texts = |of: &Schema| -> Vec<String> {
        of.limits.enumeration.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let list = |values: &[String]| values.iter().map(|it| cel_string(it)).collect::<Vec<_>>().join(", ");
    match &of_branch.limits.not {
        Some(others) => {
            let values = texts(others);
            (format!("self.{field} in [{}]", list(&values)), format!("{tag} is not {}", values.join(" or ")))
        }
        None => {
            let values = texts(of_branch);
            let test = match &values[..] {
                [one] => format!("self.{field} != {}", cel_string(one)),
                many => format!("!(self.{field} in [{}])", list(many)),
            };
            (test, format!("{tag} is {}", values.join(" or ")))
        }
    }
}

/// Adds rules for the types of fields that are an integer in one variant and a text in another one. In a branch, only bounds can reject
/// all values of a type, and the server would name the bound.
fn types_as_rules(out: &mut Schema, arms: &mut [Schema], tag: &str) {
    for arm in arms {
        let (test, when) = other_tag(tag, arm.properties.get(tag).unwrap_or(&Schema::default()));
        for (name, property) in arm.properties.iter_mut() {
            let is_either = out.properties.get(name).is_some_and(|whole| whole.ext.int_or_string);
            let (ty, words) = match kinds(property) {
                Kinds::INTEGER => ("int", "an integer"),
                Kinds::STRING => ("string", "a string"),
                _ => continue,
            };
            if !is_either || !property.limits.enumeration.is_empty() {
                continue;
            }
            let field = escape(name);
            let missing = if arm.limits.required.iter().any(|it| it == name) {
                ""
            } else {
                &format!("!has(self.{field}) || ")
            };
            let null = if property.nullable { &format!("self.{field} == null || ") } else { "" };
            out.rules.push(Rule {
                rule: format!("{test} || {missing}{null}type(self.{field}) == {ty}"),
                message: format!("{name} must be {words} when {when}"),
                ..Rule::default()
            });
            (property.ty, property.ext.int_or_string) = (None, true);
        }
    }
}

fn required(names: &[String]) -> Schema {
    let limits = Limits { required: names.to_vec(), ..Limits::default() };
    Schema { limits, ..Schema::default() }
}

/// How a value selects its variant.
#[derive(Clone, Copy)]
enum Choice<'t> {
    /// By this tag: exactly one branch matches.
    Tagged(&'t str),
    /// The first branch that matches.
    First,
}

/// The schema that accepts what one of the branches accepts.
fn union(linker: &mut Linker<'_>, mut arms: Vec<Schema>, choice: Choice<'_>) -> Schema {
    if arms.len() == 1 {
        return arms.remove(0);
    }
    let nullable_arm = arms.iter().any(|a| a.nullable);
    arms.retain(|a| !types::is_null(a));
    if arms.is_empty() {
        return types::null();
    }
    let refs: Vec<&Schema> = arms.iter().collect();
    let mut out = join(linker, &refs);
    // Each branch names the properties that only others have.
    let foreign = |arm: &Schema| out.properties.len().saturating_sub(arm.properties.len());
    if !linker.charge(arms.iter().map(foreign).sum()) {
        return types::opaque();
    }
    if nullable_arm {
        nullable(&mut out);
    }
    for arm in &mut arms {
        arm.rules.retain(|r| !out.rules.contains(r));
        match choice {
            Choice::Tagged(_) => out.rules.append(&mut arm.rules),
            Choice::First if arm.rules.is_empty() => {}
            Choice::First => linker.report(
                &codes::rust::RULE_IN_UNION,
                "the schema cannot contain a rule on one variant of an untagged enum",
                "put it on the enum, in a form that is true for all other variants (`!has(self.x) || …`), or add a tag to the enum",
            ),
        }
    }
    if let Choice::Tagged(tag) = choice {
        types_as_rules(&mut out, &mut arms, tag);
    }
    if matches!(choice, Choice::First) && are_apart(&arms) {
        arms.iter().for_each(|arm| add_limits(&arm.limits, &mut out.limits));
        return out;
    }
    let mut distinct: Vec<Schema> = Vec::new();
    let mut texts = HashSet::new();
    for arm in arms.iter().map(|arm| narrow(&out, arm, choice)) {
        // Branches with tags have different tags. Comparing each branch with all others would take too long.
        if matches!(choice, Choice::Tagged(_)) || texts.insert(json::to_string(&encode::schema(&arm))) {
            distinct.push(arm);
        }
    }
    if distinct.len() > 1 && !distinct.contains(&Schema::default()) {
        match choice {
            Choice::Tagged(tag) => by_tag(&mut out.limits, tag, distinct),
            Choice::First => junctor(&mut out.limits, |l| &mut l.any_of, &distinct),
        }
    } else if let [only] = distinct.as_slice()
        && *only != Schema::default()
    {
        out.limits.all_of.push(only.clone());
    }
    out
}

/// Adds the branches of variants with a tag. The server prints the errors of one branch: of the one that checks most of the fields that
/// are there, and of the first of several. So a branch checks more fields if its tag is the one of the object, and one
/// branch accepts objects without a known tag, for which there is an error already.
fn by_tag(limits: &mut Limits, tag: &str, mut branches: Vec<Schema>) {
    let is_plain = |branch: &Schema| *branch == branch.only(tag);
    if branches.iter().all(is_plain) {
        return junctor(limits, |l| &mut l.one_of, &branches);
    }
    let mut tagged = required(&[tag.to_owned()]);
    let tags: Vec<&Schema> = branches.iter().filter_map(|branch| branch.properties.get(tag)).collect();
    if tags.iter().all(|tag| tag.limits.not.is_none()) {
        let mut known = Schema::default();
        known.limits.enumeration = tags.iter().flat_map(|tag| tag.limits.enumeration.clone()).collect();
        tagged.properties.insert(tag, known);
    }
    for branch in branches.iter_mut().filter(|branch| !is_plain(branch)) {
        *branch = std::mem::take(branch).into_case(tag);
    }
    branches.push(Schema::opposite(tagged));
    junctor(limits, |l| &mut l.any_of, &branches);
}

/// Whether the branches have different types, and only constraints that the server checks on values of their own type. Then all
/// constraints together say the same as the branches, and a message names the constraint that a wrong value violates.
fn are_apart(arms: &[Schema]) -> bool {
    let mut seen = 0;
    arms.iter().all(|arm| {
        let is = kinds(arm);
        let Limits { format, enumeration, required, all_of, any_of, one_of, not, .. } = &arm.limits;
        let is_apart = seen & is == 0
            && is & Kinds::OBJECT == 0
            && (format.is_empty() || is & Kinds::INTEGER != 0)
            && enumeration.is_empty()
            && required.is_empty()
            && [all_of, any_of, one_of].iter().all(|branches| branches.is_empty())
            && not.is_none()
            && arm.item().is_none();
        seen |= is;
        is_apart
    })
}

/// Adds the constraints of a branch to those of the others.
fn add_limits(arm: &Limits, out: &mut Limits) {
    let (mut own, mut nots) = (Limits::default(), Vec::new());
    narrow_limits(&Limits::default(), arm, &mut own, &mut nots);
    let set = Schema { limits: own, ..Schema::default() };
    let patch = Patch { set, ..Patch::default() };
    let mut schema = Schema { limits: std::mem::take(out), ..Schema::default() };
    patch.apply(&mut schema, &mut |_| {});
    *out = schema.limits;
}

/// The skeleton that covers all of these schemas, with the constraints that all of them have.
fn join(linker: &mut Linker<'_>, all: &[&Schema]) -> Schema {
    let first = all[0];
    if all.iter().all(|s| same(s, first)) {
        let mut out = first.clone();
        out.description = documented(all);
        return out;
    }
    let set = all.iter().fold(0, |set, s| set | kinds(s));
    let mut out = types::of_kinds(set);
    out.description = documented(all);
    out.nullable = all.iter().any(|s| s.nullable);
    if all.iter().all(|s| s.title == first.title) {
        out.title.clone_from(&first.title);
    }
    if first.default.is_some() && all.iter().all(|s| s.default == first.default) {
        out.default.clone_from(&first.default);
    }
    out.rules = first.rules.iter().filter(|r| all.iter().all(|s| s.rules.contains(r))).cloned().collect();
    objects(linker, all, &mut out);
    let lists: Vec<&Schema> = all.iter().copied().filter(|s| kinds(s) & Kinds::ARRAY != 0).collect();
    let items: Vec<&Schema> = lists.iter().filter_map(|s| s.item()).collect();
    if !items.is_empty() {
        out.items = Some(Items::One(Box::new(join(linker, &items))));
    }
    if let Some(list) = lists.first()
        && lists
            .iter()
            .all(|l| l.ext.list_type == list.ext.list_type && l.ext.list_map_keys == list.ext.list_map_keys)
    {
        out.ext.list_type.clone_from(&list.ext.list_type);
        out.ext.list_map_keys.clone_from(&list.ext.list_map_keys);
    }
    if all.iter().all(|s| s.ext.preserve_unknown_fields == Some(true)) {
        out.ext.preserve_unknown_fields = Some(true);
    }
    common_limits(all, &mut out.limits);
    out
}

/// Merges the object parts of a skeleton.
fn objects(linker: &mut Linker<'_>, all: &[&Schema], out: &mut Schema) {
    let objects: Vec<&Schema> = all.iter().copied().filter(|s| kinds(s) & Kinds::OBJECT != 0).collect();
    let Some(first) = objects.first() else { return };
    let mut properties: Map<Vec<&Schema>> = Map::new();
    for (name, property) in objects.iter().flat_map(|s| s.properties.iter()) {
        properties.entry_or_insert_with(name, Vec::new).push(property);
    }
    for (name, variants) in properties.iter() {
        let mut joined = linker.within(&["properties", name], |l| {
            let joined = join(l, variants);
            if variants.iter().any(|v| v.rules.iter().any(|r| !joined.rules.contains(r))) {
                l.report(
                    &codes::rust::RULE_IN_UNION,
                    format!("the variants have different rules for their field `{name}`"),
                    "rename one of the fields, or write one rule on the enum that checks the tag",
                );
            }
            joined
        });
        if variants.len() < objects.len() {
            // A default would add the field to objects of other variants.
            joined.default = None;
        }
        out.properties.insert(name, joined);
    }
    let values: Vec<&Schema> = objects.iter().filter_map(|s| s.value()).collect();
    if !values.is_empty() {
        if values.len() == objects.len() && out.properties.is_empty() && out.ty == Some(Type::Object) {
            out.additional_properties = Some(Additional::Schema(Box::new(join(linker, &values))));
        } else {
            out.ext.preserve_unknown_fields = Some(true);
        }
    }
    if objects.iter().any(|s| s.ext.preserve_unknown_fields == Some(true)) {
        out.ext.preserve_unknown_fields = Some(true);
    }
    out.ext.embedded_resource =
        out.ty == Some(Type::Object) && objects.iter().all(|s| s.ext.embedded_resource);
    if objects.iter().all(|s| s.ext.map_type == first.ext.map_type) {
        out.ext.map_type.clone_from(&first.ext.map_type);
    }
}

/// Keeps the constraints that all branches have. The enum gets the values of all branches.
fn common_limits(all: &[&Schema], out: &mut Limits) {
    fn common<V: Clone + PartialEq + Default>(all: &[&Schema], get: impl Fn(&Limits) -> &V, to: &mut V) {
        let first = get(&all[0].limits);
        if *first != V::default() && all.iter().all(|s| get(&s.limits) == first) {
            to.clone_from(first);
        }
    }
    common(all, |l| &l.format, &mut out.format);
    if all.iter().all(|s| s.limits.maximum == all[0].limits.maximum) {
        common(all, |l| &l.maximum, &mut out.maximum);
        common(all, |l| &l.exclusive_maximum, &mut out.exclusive_maximum);
    }
    if all.iter().all(|s| s.limits.minimum == all[0].limits.minimum) {
        common(all, |l| &l.minimum, &mut out.minimum);
        common(all, |l| &l.exclusive_minimum, &mut out.exclusive_minimum);
    }
    common(all, |l| &l.multiple_of, &mut out.multiple_of);
    common(all, |l| &l.max_length, &mut out.max_length);
    common(all, |l| &l.min_length, &mut out.min_length);
    common(all, |l| &l.pattern, &mut out.pattern);
    common(all, |l| &l.max_items, &mut out.max_items);
    common(all, |l| &l.min_items, &mut out.min_items);
    common(all, |l| &l.max_properties, &mut out.max_properties);
    common(all, |l| &l.min_properties, &mut out.min_properties);
    common(all, |l| &l.any_of, &mut out.any_of);
    common(all, |l| &l.one_of, &mut out.one_of);
    common(all, |l| &l.all_of, &mut out.all_of);
    let required = &all[0].limits.required;
    out.required =
        required.iter().filter(|r| all.iter().all(|s| s.limits.required.contains(r))).cloned().collect();
    if all.iter().all(|s| !s.limits.enumeration.is_empty()) {
        // The tag of an enum has a value for each variant, all of them strings.
        let mut texts = HashSet::new();
        for value in all.iter().flat_map(|s| &s.limits.enumeration) {
            let is_new = match value {
                Value::Str(text) => texts.insert(text.as_str()),
                other => !out.enumeration.contains(other),
            };
            if is_new {
                out.enumeration.push(value.clone());
            }
        }
    }
}

/// The constraints of a branch in addition to the skeleton, as value validations only.
fn narrow(skeleton: &Schema, arm: &Schema, choice: Choice<'_>) -> Schema {
    let mut out = Schema::default();
    let mut nots: Vec<Schema> = Vec::new();
    let missing = kinds(skeleton) & !kinds(arm);
    if arm.limits.enumeration.is_empty() {
        types::never(missing, &mut out.limits);
        nots.extend(out.limits.not.take().map(|n| *n));
    }
    narrow_limits(&skeleton.limits, &arm.limits, &mut out.limits, &mut nots);
    let has_object = kinds(arm) & Kinds::OBJECT != 0;
    if has_object {
        for (name, property) in arm.properties.iter() {
            if let Some(whole) = skeleton.properties.get(name) {
                let inner = narrow(whole, property, choice);
                if inner != Schema::default() {
                    out.properties.insert(name, inner);
                }
            }
        }
        let open = arm.ext.preserve_unknown_fields == Some(true) || arm.additional_properties.is_some();
        if !open {
            for (name, whole) in
                skeleton.properties.iter().filter(|(name, _)| !arm.properties.contains_key(name))
            {
                let is_tagged = matches!(choice, Choice::Tagged(_));
                if is_tagged {
                    // An error names the field, but there is none about a null.
                    out.properties.insert(name, Schema::opposite(Schema::default()));
                }
                if !is_tagged || whole.ty.is_none() || whole.nullable {
                    nots.push(required(&[name.to_owned()]));
                }
            }
        }
    }
    if let (Some(whole), Some(item)) = (skeleton.item(), arm.item()) {
        let inner = narrow(whole, item, choice);
        if inner != Schema::default() {
            out.items = Some(Items::One(Box::new(inner)));
        }
    }
    out.limits.not = match nots.len() {
        0 => None,
        1 => nots.pop().map(Box::new),
        _ => {
            let limits = Limits { any_of: nots, ..Limits::default() };
            Some(Box::new(Schema { limits, ..Schema::default() }))
        }
    };
    out
}

fn narrow_limits(whole: &Limits, arm: &Limits, out: &mut Limits, nots: &mut Vec<Schema>) {
    fn differs<V: Clone + PartialEq + Default>(whole: &V, arm: &V, to: &mut V) {
        if arm != whole && *arm != V::default() {
            to.clone_from(arm);
        }
    }
    let Limits {
        format,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        multiple_of,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        max_properties,
        min_properties,
        required,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
    } = arm;
    // The server checks the format of a number only together with its type.
    let (mut minimum, mut maximum) = (*minimum, *maximum);
    match format.as_str() {
        "int32" if whole.format != *format => {
            minimum = minimum.or(Some(f64::from(i32::MIN)));
            maximum = maximum.or(Some(f64::from(i32::MAX)));
        }
        "int32" | "int64" | "float" | "double" => {}
        _ => differs(&whole.format, format, &mut out.format),
    }
    differs(&whole.maximum, &maximum, &mut out.maximum);
    if out.maximum.is_some() {
        out.exclusive_maximum = *exclusive_maximum;
    }
    differs(&whole.minimum, &minimum, &mut out.minimum);
    if out.minimum.is_some() {
        out.exclusive_minimum = *exclusive_minimum;
    }
    differs(&whole.multiple_of, multiple_of, &mut out.multiple_of);
    differs(&whole.max_length, max_length, &mut out.max_length);
    differs(&whole.min_length, min_length, &mut out.min_length);
    differs(&whole.pattern, pattern, &mut out.pattern);
    differs(&whole.max_items, max_items, &mut out.max_items);
    differs(&whole.min_items, min_items, &mut out.min_items);
    differs(&whole.unique_items, unique_items, &mut out.unique_items);
    differs(&whole.max_properties, max_properties, &mut out.max_properties);
    differs(&whole.min_properties, min_properties, &mut out.min_properties);
    out.required = required.iter().filter(|r| !whole.required.contains(r)).cloned().collect();
    differs(&whole.enumeration, enumeration, &mut out.enumeration);
    differs(&whole.all_of, all_of, &mut out.all_of);
    differs(&whole.any_of, any_of, &mut out.any_of);
    differs(&whole.one_of, one_of, &mut out.one_of);
    if not != &whole.not {
        nots.extend(not.as_deref().cloned());
    }
}

/// Whether two schemas are equal, except for descriptions and titles.
fn same(a: &Schema, b: &Schema) -> bool {
    fn bare(s: &Schema) -> Schema {
        let mut s = s.clone();
        strip(&mut s);
        s
    }
    a == b || bare(a) == bare(b)
}

fn strip(s: &mut Schema) {
    s.description.clear();
    s.title.clear();
    s.properties.values_mut().for_each(strip);
    match &mut s.items {
        Some(Items::One(item)) => strip(item),
        Some(Items::Many(items)) => items.iter_mut().for_each(strip),
        None => {}
    }
    match &mut s.additional_properties {
        Some(Additional::Schema(value)) => strip(value),
        Some(Additional::Allow(_)) | None => {}
    }
}

fn documented(all: &[&Schema]) -> String {
    all.iter().map(|s| &s.description).find(|d| !d.is_empty()).cloned().unwrap_or_default()
}
