//! The size of a definition against what client-side apply can hold.

use crate::check::definition::hoist::Hoisted;
use crate::diag::codes::lint::SIZE;
use crate::diag::{Diag, Diags, Level};
use crate::encode;
use crate::ir::{Additional, Crd, Extensions, Items, Limits, Rule, Schema};
use crate::json;
use crate::path::Path;
use crate::size::{self, Below, Sizes};
use crate::value::Value;
use crate::walk;

pub(super) fn check(crd: &Crd, out: &mut Diags) {
    let room = size::room(crd);
    if most(crd) <= room {
        return;
    }
    let document = encode::crd(crd);
    let bytes = size::bytes(&document);
    if bytes <= room {
        return;
    }
    let help = if bytes.saturating_sub(descriptions(crd)) <= room {
        "use `kubectl apply --server-side`, or let `crdgen fit` take descriptions away until it fits"
    } else {
        "use `kubectl apply --server-side`, or make the schema smaller: it is too large without descriptions too"
    };
    let detail = format!(
        "{bytes} bytes as JSON, but `kubectl apply` keeps a copy in an annotation that has room for {room}; {}",
        biggest(crd, &document, bytes)
    );
    out.push(Diag::own(&SIZE, Level::Warning, &Path::ROOT, detail).help(help));
}

/// How many bytes of it are descriptions.
fn descriptions(crd: &Crd) -> usize {
    let mut sum = 0;
    for schema in (0..crd.spec.versions.len()).filter_map(|i| crd.spec.schema_of(i)) {
        walk::each_node(schema, &Path::ROOT, &mut |node, _| {
            if !node.schema.description.is_empty() {
                sum += size::of_description(&node.schema.description);
            }
        });
    }
    sum
}

/// A quick upper bound of the size, so that only large definitions are written out.
fn most(crd: &Crd) -> usize {
    let schemas = (0..crd.spec.versions.len()).filter_map(|i| crd.spec.schema_of(i));
    16 * 1024 + schemas.map(most_of).sum::<usize>()
}

/// An upper bound for a schema with all below it.
fn most_of(schema: &Schema) -> usize {
    let Schema {
        ty: _,
        nullable,
        title,
        description,
        default,
        example,
        external_docs,
        properties,
        items,
        additional_properties,
        ext,
        rules,
        limits,
        foreign,
        empty: _,
    } = schema;
    let values: usize = default.iter().chain(example).map(json::length).sum();
    let rules: usize = rules.iter().map(most_of_rule).sum();
    let properties: usize = properties.iter().map(|(name, below)| name.len() + 4 + most_of(below)).sum();
    let items: usize = match items {
        Some(Items::One(item)) => most_of(item),
        Some(Items::Many(items)) => items.iter().map(most_of).sum(),
        None => 0,
    };
    let additional = match additional_properties {
        Some(Additional::Schema(value)) => most_of(value),
        Some(Additional::Allow(_)) | None => 0,
    };
    // What is rare is written out.
    let rest = if external_docs.is_some() || foreign.is_some() {
        let (external_docs, foreign) = (external_docs.clone(), foreign.clone());
        json::length(&encode::schema(&Schema { external_docs, foreign, ..Schema::default() }))
    } else {
        0
    };
    let below = usize::from(!schema.properties.is_empty())
        + usize::from(schema.items.is_some())
        + usize::from(schema.additional_properties.is_some())
        + usize::from(schema.default.is_some())
        + usize::from(schema.example.is_some())
        + usize::from(!schema.rules.is_empty());
    // A node has braces and mostly a type.
    SHORT * (1 + below + usize::from(*nullable))
        + most_of_text(title)
        + most_of_text(description)
        + most_of_extensions(ext)
        + most_of_limits(limits)
        + (values + rules + properties + items + additional + rest)
}

/// More than the longest keyword takes with what stands around it, or than a short one with a number.
const KEYWORD: usize = 45;

/// More than a keyword without prefix takes with what stands around it.
const SHORT: usize = 28;

/// More than a text takes with a short keyword.
fn most_of_text(text: &str) -> usize {
    let escaped =
        text.bytes().filter(|&b| b < 0x20 || matches!(b, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2)).count();
    if text.is_empty() { 0 } else { SHORT + text.len() + 5 * escaped }
}

fn most_of_extensions(ext: &Extensions) -> usize {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions,
    } = ext;
    let flags = usize::from(preserve_unknown_fields.is_some())
        + usize::from(*embedded_resource)
        + usize::from(*int_or_string);
    let texts = list_type.iter().chain(list_map_keys).chain(map_type).map(|text| most_of_text(text));
    let unions =
        unions.iter().map(|union| KEYWORD * (2 + union.fields.len()) + most_of_text(&union.discriminator));
    let named = usize::from(list_type.is_some()) + usize::from(map_type.is_some());
    let keys = usize::from(!list_map_keys.is_empty());
    KEYWORD * (flags + named + keys) + texts.sum::<usize>() + unions.sum::<usize>()
}

fn most_of_rule(rule: &Rule) -> usize {
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self: _ } = rule;
    let texts = [rule, message, message_expression, field_path].into_iter().chain(reason);
    2 * KEYWORD + texts.map(|text| most_of_text(text)).sum::<usize>()
}

fn most_of_limits(limits: &Limits) -> usize {
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
    } = limits;
    let numbers = [maximum, minimum, multiple_of].iter().filter(|n| n.is_some()).count();
    let lengths = [max_length, min_length, max_items, min_items, max_properties, min_properties];
    let lengths = lengths.iter().filter(|n| n.is_some()).count();
    let flags = [exclusive_maximum, exclusive_minimum, unique_items].iter().filter(|f| ***f).count();
    let texts = [format, pattern].into_iter().chain(required).map(|text| most_of_text(text));
    let lists = usize::from(!required.is_empty() || !enumeration.is_empty());
    let values: usize = enumeration.iter().map(|value| json::length(value) + 1).sum();
    let junctors = all_of.iter().chain(any_of).chain(one_of).chain(not.as_deref());
    KEYWORD * (numbers + lengths + flags + lists)
        + texts.sum::<usize>()
        + values
        + junctors.map(most_of).sum::<usize>()
}

/// The subtrees that take most of the room: what holds a fifth of all is looked into.
fn biggest(crd: &Crd, document: &Value, size: usize) -> String {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut descriptions = 0;
    Hoisted::new(crd).each_schema(&mut |schema, path| {
        walk::each_node(schema, path, &mut |node, _| descriptions += node.schema.description.len());
        if let Some(schema) = document.at(&path.steps()) {
            name_large(&Sizes::of(schema), path, size / 5, &mut found);
        }
    });
    found.sort_by(|a, b| b.cmp(a));
    let named: Vec<String> = found.iter().take(3).map(|(bytes, path)| format!("{path} ({bytes})")).collect();
    format!("the biggest parts: {}; descriptions: {descriptions}", named.join(", "))
}

/// Names what is not large itself but stands in something large, or is large with nothing below.
fn name_large(sizes: &Sizes<'_>, path: &Path<'_>, large: usize, found: &mut Vec<(usize, String)>) {
    if sizes.bytes < large || sizes.below.is_empty() {
        found.push((sizes.bytes, path.to_string()));
        return;
    }
    for (place, below) in &sizes.below {
        match place {
            Below::Property(name) => name_large(below, &path.child("properties").key(name), large, found),
            Below::Field(field) => name_large(below, &path.child(field), large, found),
        }
    }
}
