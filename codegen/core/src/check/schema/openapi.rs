//! The walk over the OpenAPI subset: it visits every node, including those inside junctors and inside unsupported
//! keywords.

use super::hook::Rules;
use super::{SchemaOptions, lists, rule_texts};
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Additional, Dependency, Foreign, Items, Junctors, Keyword, Schema, Type};
use crate::nearest::did_you_mean;
use crate::path::Path;
use crate::structural;
use crate::walk::{Node, Via};

const TYPES: &[&str] = &["array", "boolean", "integer", "number", "object", "string"];

/// What a node inherits from the nodes above.
#[derive(Clone, Copy, Default)]
struct Context<'c> {
    root: bool,
    /// Why the node must not have a default, if so.
    no_defaults: Option<&'static str>,
    /// Below apiVersion, kind or metadata, of the resource or an embedded one.
    in_metadata: bool,
    uncorrelatable: Option<&'c Path<'c>>,
    /// The path from the root, if rules are checked.
    node: Option<&'c Node<'c>>,
}

impl<'c> Context<'c> {
    fn uncorrelatable_from(self, path: &'c Path<'c>) -> Context<'c> {
        Context { uncorrelatable: self.uncorrelatable.or(Some(path)), ..self }
    }

    fn below(self, node: Option<&'c Node<'c>>) -> Context<'c> {
        Context { root: false, node, ..self }
    }
}

/// The walk, with everything that is the same at all nodes.
struct Walk<'w, 'r> {
    options: &'w SchemaOptions,
    /// Whether the whole schema can be made structural.
    convertible: bool,
    rules: Option<&'r mut dyn Rules>,
    out: &'w mut Diags,
    /// The errors in rules. They do not count when it is decided whether the schema is sound.
    of_rules: Diags,
}

/// Checks a schema, and its rules if `rules` is given.
pub(super) fn check(
    schema: &Schema,
    path: &Path<'_>,
    options: &SchemaOptions,
    rules: Option<&mut dyn Rules>,
    out: &mut Diags,
) {
    let node = Node { schema, up: None };
    let node = rules.is_some().then_some(&node);
    let convertible = structural::convertible(schema).is_ok();
    let mut walk = Walk { options, convertible, rules, out, of_rules: Diags::new() };
    walk.visit(schema, path, Context { root: true, node, ..Context::default() });
    let mut of_rules = walk.of_rules;
    out.append(&mut of_rules);
}

impl Walk<'_, '_> {
    fn visit(&mut self, schema: &Schema, path: &Path<'_>, context: Context<'_>) {
        let before = self.out.len();
        self.keywords(schema, path, &context);
        self.structure(schema, path, &context);
        self.junctors(schema, path, &context);
        if let Some(foreign) = &schema.foreign {
            self.foreign(foreign, path, &context);
        }
        if schema.empty.has(Keyword::Dependencies) {
            self.unsupported("dependencies", path);
        }
        lists::check(schema, self.options, path, self.out);
        rule_texts::check(schema, self.convertible, self.options.server(), path, self.out);
        if self.out.len() == before
            && !schema.rules.is_empty()
            && let (Some(rules), Some(node)) = (&mut self.rules, context.node)
        {
            rules.check(node, path, context.uncorrelatable, &mut self.of_rules);
        }
    }

    fn keywords(&mut self, schema: &Schema, path: &Path<'_>, context: &Context<'_>) {
        match &schema.ty {
            Some(Type::Other(name)) => self.unknown_type(name, path),
            Some(
                Type::Object | Type::Array | Type::String | Type::Integer | Type::Number | Type::Boolean,
            )
            | None => {}
        }
        if schema.default.is_some()
            && let Some(why) = context.no_defaults
        {
            self.out.push(
                Diag::forbidden(
                    &codes::DEFAULT_FORBIDDEN,
                    &path.child("default"),
                    format!("must not be set {why}"),
                )
                .help("remove the default"),
            );
        }
        if matches!(&schema.items, Some(Items::Many(all)) if !all.is_empty()) {
            self.out.push(
                Diag::forbidden(
                    &codes::ITEMS_ARRAY,
                    &path.child("items"),
                    "items must be a schema object and not an array",
                )
                .help("write one schema for all items, without the brackets of a list"),
            );
        }
        if context.in_metadata && schema.ext.embedded_resource {
            self.out.push(
                Diag::forbidden(
                    &codes::EMBEDDED,
                    &path.child("x-kubernetes-embedded-resource"),
                    "must not be used inside of resource meta",
                )
                .help("remove the extension"),
            );
        }
        if schema.limits.unique_items {
            self.out.push(
                Diag::forbidden(
                    &codes::UNIQUE_ITEMS,
                    &path.child("uniqueItems"),
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
                )
                .help("for scalar items write `x-kubernetes-list-type: set`"),
            );
        }
        if schema.ext.preserve_unknown_fields == Some(false) {
            self.out.push(
                Diag::invalid(
                    &codes::PRESERVE_FALSE,
                    &path.child("x-kubernetes-preserve-unknown-fields"),
                    false,
                    "must be true or undefined",
                )
                .help("remove it: unknown fields are pruned without it"),
            );
        }
    }

    fn unknown_type(&mut self, name: &str, path: &Path<'_>) {
        let at = path.child("type");
        if self.options.valid_types {
            let usual = match name {
                "int" | "int32" | "int64" | "long" => {
                    Some("write `type: integer`, with `format: int32` or int64")
                }
                "float" | "double" => Some("write `type: number`"),
                "bool" => Some("write `type: boolean`"),
                "map" | "dict" | "struct" => Some("write `type: object`"),
                "list" => Some("write `type: array`"),
                "date" | "datetime" | "time" | "timestamp" => {
                    Some("write `type: string`, with `format: date-time`")
                }
                "null" => Some("keep the type of the value and add `nullable: true`"),
                _ => None,
            };
            let usual = usual.map(str::to_owned).or_else(|| did_you_mean(name, TYPES.iter().copied()));
            let help = usual.unwrap_or_else(|| "use one of the supported types".to_owned());
            self.out.push(Diag::not_supported(&codes::UNKNOWN_TYPE, &at, name, TYPES).help(help));
        }
        if name == "null" {
            let detail = "type cannot be set to null, use nullable as an alternative";
            self.out.push(
                Diag::forbidden(&codes::UNKNOWN_TYPE, &at, detail)
                    .help("keep the type of the value and add `nullable: true`"),
            );
        }
    }

    /// Properties, additionalProperties and items.
    fn structure(&mut self, schema: &Schema, path: &Path<'_>, context: &Context<'_>) {
        if let Some(additional) = &schema.additional_properties {
            let at = path.child("additionalProperties");
            let value = match additional {
                Additional::Schema(value) => Some(&**value),
                Additional::Allow(_) => None,
            };
            if !schema.properties.is_empty() && *additional != Additional::Allow(true) {
                self.out.push(
                    Diag::forbidden(
                        &codes::PROPERTIES_AND_MAP,
                        &at,
                        "additionalProperties and properties are mutual exclusive",
                    )
                    .help(match additional {
                        Additional::Allow(false) => {
                            "remove `additionalProperties: false`: the server drops unknown fields without it"
                        }
                        Additional::Allow(true) | Additional::Schema(_) => {
                            "keep one of them; a map can be a field of its own"
                        }
                    }),
                );
            }
            if let Some(value) = value {
                let node = child(context.node, value, Via::Additional);
                let mut inner = context.below(node.as_ref());
                if context.in_metadata {
                    inner.no_defaults = Some("inside additionalProperties applying to object metadata");
                }
                self.visit(value, &at, inner);
            }
        }
        let correlatable_map =
            schema.ext.map_type.as_deref().is_none_or(|t| t == "granular" || t == "atomic");
        let properties = path.child("properties");
        for (name, property) in schema.properties.iter() {
            let node = child(context.node, property, Via::Property(name));
            let mut inner = context.below(node.as_ref());
            if !correlatable_map {
                inner = inner.uncorrelatable_from(path);
            }
            if context.root || schema.ext.embedded_resource {
                let of_root = match name {
                    "metadata" => Some("in top-level metadata"),
                    "kind" => Some("in top-level kind"),
                    "apiVersion" => Some("in top-level apiVersion"),
                    _ => None,
                };
                inner.in_metadata |= of_root.is_some();
                if context.root && of_root.is_some() {
                    inner.no_defaults = of_root;
                }
            }
            self.visit(property, &properties.key(name), inner);
        }
        if let Some(items) = &schema.items {
            let at = path.child("items");
            let mut inner = *context;
            if schema.ext.list_type.as_deref() != Some("map") {
                inner = inner.uncorrelatable_from(path);
            }
            match items {
                Items::One(item) => {
                    let node = child(context.node, item, Via::Items);
                    self.visit(item, &at, inner.below(node.as_ref()));
                }
                Items::Many(all) => {
                    for (i, item) in all.iter().enumerate() {
                        let node = child(context.node, item, Via::Items);
                        self.visit(item, &at.index(i), inner.below(node.as_ref()));
                    }
                }
            }
        }
    }

    fn junctors(&mut self, schema: &Schema, path: &Path<'_>, context: &Context<'_>) {
        let inner = context.below(None);
        let Junctors { all_of, any_of, one_of, not } = schema.limits.junctors();
        if let Some(not) = not {
            self.visit(not, &path.child("not"), inner);
        }
        for (name, all) in [("allOf", all_of), ("oneOf", one_of), ("anyOf", any_of)] {
            let at = path.child(name);
            for (i, branch) in all.iter().enumerate() {
                self.visit(branch, &at.index(i), inner);
            }
        }
    }

    fn unsupported(&mut self, keyword: &str, path: &Path<'_>) {
        let help = match keyword {
            "$ref" => "copy the referenced schema here",
            "patternProperties" => "use `additionalProperties`, and a rule for the names",
            "dependencies" => "write a rule: `!has(self.a) || has(self.b)`",
            _ => "remove the keyword",
        };
        self.out.push(
            Diag::forbidden(
                &codes::UNSUPPORTED_KEYWORD,
                &path.child(keyword),
                format!("{keyword} is not supported"),
            )
            .help(help),
        );
    }

    fn foreign(&mut self, foreign: &Foreign, path: &Path<'_>, context: &Context<'_>) {
        let Foreign {
            id,
            schema: _,
            reference,
            pattern_properties,
            dependencies,
            additional_items,
            definitions,
        } = foreign;
        let unsupported = [
            (!id.is_empty(), "id"),
            (additional_items.is_some(), "additionalItems"),
            (!pattern_properties.is_empty(), "patternProperties"),
            (!definitions.is_empty(), "definitions"),
            (!dependencies.is_empty(), "dependencies"),
            (reference.is_some(), "$ref"),
        ];
        for (_, keyword) in unsupported.into_iter().filter(|(there, _)| *there) {
            self.unsupported(keyword, path);
        }
        let inner = context.below(None);
        let at = path.child("definitions");
        for (name, definition) in definitions.iter() {
            self.visit(definition, &at.key(name), inner);
        }
        let at = path.child("dependencies");
        for (name, dependency) in dependencies.iter() {
            match dependency {
                Dependency::Schema(schema) => self.visit(schema, &at.key(name), inner),
                Dependency::Properties(_) | Dependency::Nothing => {}
            }
        }
    }
}

fn child<'c>(up: Option<&'c Node<'c>>, schema: &'c Schema, via: Via<'c>) -> Option<Node<'c>> {
    up.map(|up| Node { schema, up: Some((up, via)) })
}
