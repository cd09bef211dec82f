//! Unfolding: writes the meaning of vendor extensions with plain OpenAPI keywords. The server unfolds only
//! int-or-string. The structural-schema proposal also defines forms for embedded resources and unions.

use crate::cel::escape::escape;
use crate::go;
use crate::ir::{Crd, FieldUnion, Limits, Rule, Schema, Type};
use crate::value::Value;
use crdgen_rules::server::Server;
use crdgen_rules::structural::{is_all_of_form, is_any_of_form};

/// Adds the `anyOf` of integer and string to each int-or-string node that does not have it yet.
pub fn int_or_string(schema: &mut Schema) {
    if schema.ext.int_or_string && !says_int_or_string(schema) {
        if schema.limits.any_of.is_empty() {
            schema.limits.any_of = either();
        } else {
            schema.limits.all_of.insert(0, of_limits(Limits { any_of: either(), ..Limits::default() }));
        }
    }
    each_child(schema, int_or_string);
}

/// The same in the form of the proposal: the author's own `anyOf` moves into `allOf`.
pub(super) fn int_or_string_apart(schema: &mut Schema) {
    if schema.ext.int_or_string && !says_int_or_string(schema) && !schema.limits.any_of.is_empty() {
        let clauses = [either(), std::mem::take(&mut schema.limits.any_of)];
        let clauses = clauses.map(|any_of| of_limits(Limits { any_of, ..Limits::default() }));
        schema.limits.all_of.splice(0..0, clauses);
    }
    each_child(schema, int_or_string_apart);
}

fn of_limits(limits: Limits) -> Schema {
    Schema { limits, ..Schema::default() }
}

/// Whether the author has written these keywords already.
fn says_int_or_string(schema: &Schema) -> bool {
    is_any_of_form(schema, Server::NEWEST) || is_all_of_form(schema, Server::NEWEST)
}

fn either() -> Vec<Schema> {
    vec![Schema::of(Type::Integer), Schema::of(Type::String)]
}

/// Calls `change` for the schemas of fields, items and values. Junctors are skipped, because they contain no
/// extensions.
pub(super) fn each_child(schema: &mut Schema, change: impl Fn(&mut Schema)) {
    schema.parts_mut().for_each(change);
}

/// Adds keywords to each union, which keeps its extension: exactly one of its fields must be set, and the discriminator
/// must have the matching value.
pub(super) fn unions(schema: &mut Schema) {
    for union in schema.ext.unions.clone() {
        exactly_one(schema, &union);
        discriminator(schema, &union);
    }
    each_child(schema, unions);
}

/// Writes the unions of a CRD with keywords that the server knows: `oneOf`, `enum`, and a rule. The rule requires that
/// the discriminator names the field that is set, which `oneOf` and `enum` cannot express while the discriminator is
/// optional.
pub fn served_unions(crd: &mut Crd) {
    let own = crd.spec.versions.iter_mut().map(|version| &mut version.body);
    for body in own.chain([&mut crd.spec.shared]) {
        if let Some(schema) = body.schema.as_mut().and_then(|s| s.open_api_v3_schema.as_mut()) {
            unions(schema);
            tie(schema);
        }
    }
}

fn tie(schema: &mut Schema) {
    let unions = std::mem::take(&mut schema.ext.unions);
    let rules: Vec<Rule> = unions.iter().filter_map(|union| tying(schema, union)).collect();
    schema.rules.extend(rules);
    each_child(schema, tie);
}

/// The rule for a discriminator. None if there is no discriminator, or if the rule could not be compiled.
fn tying(schema: &Schema, union: &FieldUnion) -> Option<Rule> {
    let FieldUnion { discriminator, fields } = union;
    let is_text = schema.properties.get(discriminator)?.ty == Some(Type::String);
    let known = fields.keys().all(|name| schema.properties.contains_key(name));
    let mut values: Vec<&String> = fields.values().collect();
    values.sort();
    if fields.is_empty() || !is_text || !known || values.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let by = escape(discriminator)?;
    let mut clauses = vec![format!("!has(self.{by})")];
    for (name, value) in fields.iter() {
        clauses.push(format!("self.{by} == {} && has(self.{})", go::quote(value), escape(name)?));
    }
    let message = format!("{} must name the field that is set", go::quote(discriminator));
    Some(Rule { rule: clauses.join(" || "), message, ..Rule::default() })
}

fn exactly_one(schema: &mut Schema, union: &FieldUnion) {
    let there = |name: &str| of_limits(Limits { required: vec![name.to_owned()], ..Limits::default() });
    let one_of: Vec<Schema> = union.fields.keys().map(there).collect();
    if schema.limits.one_of.is_empty() {
        schema.limits.one_of = one_of;
    } else if !one_of.is_empty() {
        schema.limits.all_of.push(of_limits(Limits { one_of, ..Limits::default() }));
    }
}

fn discriminator(schema: &mut Schema, union: &FieldUnion) {
    let FieldUnion { discriminator, fields } = union;
    if discriminator.is_empty() || fields.is_empty() {
        return;
    }
    let property = schema.properties.entry_or_insert_with(discriminator, || Schema::of(Type::String));
    let has = |value: &str| property.limits.enumeration.iter().any(|v| v.as_str() == Some(value));
    if fields.values().all(|value| has(value)) && property.limits.enumeration.len() == fields.len() {
        return;
    }
    let enumeration: Vec<Value> = fields.values().map(|value| value.as_str().into()).collect();
    if property.limits.enumeration.is_empty() {
        property.limits.enumeration = enumeration;
    } else {
        property.limits.all_of.push(of_limits(Limits { enumeration, ..Limits::default() }));
    }
}

/// A version, with its group before it if it has one.
const API_VERSION: &str = "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/// Adds the three fields of all resources to embedded resources, at this node and below. In the proposal, v2 has
/// neither patterns nor `allOf`; with `types_only`, only the types remain.
pub(super) fn embedded_resources(schema: &mut Schema, types_only: bool) {
    each_child(schema, |child| {
        if child.ext.embedded_resource {
            embedded_resource(child, types_only);
        }
        embedded_resources(child, types_only);
    });
}

fn embedded_resource(schema: &mut Schema, types_only: bool) {
    let pattern = if types_only { "" } else { API_VERSION };
    let fields =
        [("apiVersion", Type::String, pattern), ("kind", Type::String, ""), ("metadata", Type::Object, "")];
    for (name, ty, pattern) in fields {
        let field = schema.properties.entry_or_insert_with(name, Schema::default);
        let own = std::mem::take(&mut field.limits);
        if own == Limits::default() || types_only {
            field.ty.get_or_insert(ty);
            field.limits = own;
            if !types_only {
                field.limits.pattern = pattern.to_owned();
            }
        } else {
            let mut base = of_limits(Limits { pattern: pattern.to_owned(), ..Limits::default() });
            if field.ty.is_none() {
                base.ty = Some(ty);
            }
            field.limits.all_of = vec![base, of_limits(own)];
        }
    }
    if !types_only {
        for name in ["kind", "apiVersion"] {
            if !schema.limits.required.iter().any(|r| r == name) {
                schema.limits.required.push(name.to_owned());
            }
        }
    }
}

/// Removes patterns, which v2 does not have in the proposal.
pub(super) fn drop_patterns(schema: &mut Schema) {
    schema.limits.pattern.clear();
    each_child(schema, drop_patterns);
}
