//! Attributes applied to a schema: what they set, what they take away, and where they do not fit.

use super::faults::Mistake;
use super::fit;
use super::patch::{Key, Length, Patch, Union, UnionMode};
use super::words::{cel_string, escape, tidy_doc};
use super::{faults, keys as map_keys};
use crate::ir::{Additional, Items, Limits, Rule, Schema, Type};
use crate::value::{Map, Value};

impl Patch {
    /// Applies the attributes. What does not fit the schema is reported and left out.
    pub fn apply(&self, schema: &mut Schema, report: &mut dyn FnMut(Mistake)) {
        let Patch {
            set,
            clear,
            length,
            items,
            values,
            keys,
            at,
            unions,
            discriminator,
            computed: _,
            metadata,
            as_is,
            overrides_type,
        } = self;
        if *overrides_type {
            *schema = Schema {
                ty: set.ty.clone(),
                nullable: schema.nullable,
                title: std::mem::take(&mut schema.title),
                description: std::mem::take(&mut schema.description),
                default: schema.default.take(),
                ..Schema::default()
            };
        }
        clear.iter().for_each(|keyword| remove(schema, keyword));
        overlay(schema, set);
        if let Some(length) = length {
            apply_length(schema, length, report);
        }
        if !as_is {
            fit::check(schema, set, report);
        }
        if let Some(metadata) = metadata
            && !metadata.put_into(schema)
        {
            report(
                Mistake::new("there is no embedded metadata here")
                    .key("metadata")
                    .help("it is for fields whose type is or contains Kubernetes' ObjectMeta, such as a PodTemplateSpec"),
            );
        }
        nested(items.as_deref(), "items", schema.items.as_mut().and_then(Items::one_mut), report);
        nested(
            values.as_deref(),
            "values",
            schema.additional_properties.as_mut().and_then(Additional::schema_mut),
            report,
        );
        if let Some(keys) = keys {
            map_keys::apply(schema, keys, report);
        }
        for (path, patch) in at {
            match find(schema, path) {
                Some(target) => patch.apply(target, report),
                None => report(faults::nothing_at(&show(path))),
            }
        }
        for union in unions {
            if let Some(missing) = union.fields.iter().find(|f| !schema.properties.contains_key(f)) {
                let known: Vec<&str> = schema.properties.keys().collect();
                report(faults::no_field(missing, &known).key(union.mode.key()));
            } else {
                if !as_is {
                    fit::check_union(schema, union, report);
                }
                alone(schema, &union.fields);
                schema.rules.push(union.rule());
            }
        }
        if let Some(tag) = discriminator {
            discriminate(schema, tag, report);
        }
    }

    /// With keywords taken as they stand, here and inside.
    #[must_use]
    pub fn taken_as_is(mut self) -> Patch {
        self.as_is = true;
        for inner in [&mut self.items, &mut self.values].into_iter().flatten() {
            **inner = std::mem::take(&mut **inner).taken_as_is();
        }
        self
    }

    /// Puts what is set here over what is set there.
    pub fn merge_into(&self, set: &mut Schema) {
        overlay(set, &self.set);
    }

    /// With the values that code computes put in.
    pub(super) fn computed(&self, value: &mut dyn FnMut(usize) -> Option<Value>) -> Patch {
        let mut out = self.clone();
        for (keyword, number) in std::mem::take(&mut out.computed) {
            if let Some(value) = value(number) {
                out.put(&keyword, value);
            }
        }
        for inner in [&mut out.items, &mut out.values, &mut out.keys].into_iter().flatten() {
            **inner = inner.computed(value);
        }
        for (_, inner) in &mut out.at {
            *inner = inner.computed(value);
        }
        out
    }

    /// Whether code must run first.
    pub(super) fn needs_code(&self) -> bool {
        let inner = [&self.items, &self.values, &self.keys].into_iter().flatten().any(|p| p.needs_code());
        !self.computed.is_empty() || inner || self.at.iter().any(|(_, p)| p.needs_code())
    }

    fn put(&mut self, keyword: &str, value: Value) {
        let length = self.length.clone();
        let keyword = match keyword {
            "length.min" => {
                self.length = Some(Length { min: value.as_int(), ..length.unwrap_or_default() });
                return;
            }
            "length.max" => {
                self.length = Some(Length { max: value.as_int(), ..length.unwrap_or_default() });
                return;
            }
            // What schemars wrote is read by the linker.
            "schema" if value.as_str().is_some() => return,
            "schema" => {
                self.set = crate::decode::schema(value).0.unwrap_or_default();
                self.overrides_type = true;
                return;
            }
            "description" => {
                self.set.description = tidy_doc(value.as_str().unwrap_or_default());
                return;
            }
            keyword => keyword,
        };
        let one: Map<Value> = std::iter::once((keyword, value)).collect();
        if let (Some(set), _) = crate::decode::schema(Value::Map(one)) {
            overlay(&mut self.set, &set);
        }
    }
}

/// What is not set is not there: the server drops the nulls that serde writes, which would count as set.
fn alone(schema: &mut Schema, fields: &[String]) {
    for field in fields {
        if let Some(field) = schema.properties.get_mut(field) {
            field.nullable = false;
        }
    }
}

/// Ties each field to the value of the discriminator that names it.
fn discriminate(schema: &mut Schema, tag: &str, report: &mut dyn FnMut(Mistake)) {
    let plain = |s: &str| s.to_lowercase().replace(['_', '-'], "");
    let values: Vec<String> = schema.properties.get(tag).map_or_else(Vec::new, |t| {
        t.limits.enumeration.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    });
    if values.is_empty() {
        report(faults::discriminator(tag));
        return;
    }
    for value in values {
        let Some(field) = schema.properties.keys().find(|k| *k != tag && plain(k) == plain(&value)) else {
            continue;
        };
        let field = &field.to_owned();
        alone(schema, std::slice::from_ref(field));
        let (test, has) = (
            format!("self.{} == {}", escape(tag), cel_string(&value)),
            format!("has(self.{})", escape(field)),
        );
        schema.rules.push(Rule {
            rule: format!("{test} ? {has} : !{has}"),
            message: format!("{field} is required when {tag} is {value}, and forbidden otherwise"),
            ..Rule::default()
        });
    }
}

fn nested(
    patch: Option<&Patch>,
    key: &'static str,
    target: Option<&mut Schema>,
    report: &mut dyn FnMut(Mistake),
) {
    match (patch, target) {
        (None, _) => {}
        (Some(patch), Some(target)) => patch.apply(target, report),
        (Some(_), None) => report(
            Mistake::new(format!("`{key}(…)` needs a {}", if key == "items" { "list" } else { "map" }))
                .key(key)
                .help("items(…) is for Vec and sets, values(…) and keys(…) for maps"),
        ),
    }
}

impl Items {
    fn one_mut(&mut self) -> Option<&mut Schema> {
        if let Items::One(s) = self { Some(s) } else { None }
    }
}

impl Additional {
    fn schema_mut(&mut self) -> Option<&mut Schema> {
        if let Additional::Schema(s) = self { Some(s) } else { None }
    }
}

impl Union {
    /// The rule, in the words of the Go tools, so that both give the same definition.
    fn rule(&self) -> Rule {
        let set: Vec<String> = self.fields.iter().map(|f| format!("has(self.{})", escape(f))).collect();
        let (op, text) = match self.mode {
            UnionMode::ExactlyOne => ("== 1", "exactly one of the fields in [{}] must be set"),
            UnionMode::AtMostOne => ("<= 1", "at most one of the fields in [{}] may be set"),
            UnionMode::AtLeastOne => (">= 1", "at least one of the fields in [{}] must be set"),
        };
        Rule {
            rule: format!("[{}].filter(x,x==true).size() {op}", set.join(",")),
            message: text.replace("{}", &self.fields.join(" ")),
            ..Rule::default()
        }
    }
}

/// Sets what `set` says.
fn overlay(schema: &mut Schema, set: &Schema) {
    let Schema {
        ty,
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
    } = set;
    some(&mut schema.ty, ty);
    schema.nullable |= nullable;
    text(&mut schema.title, title);
    text(&mut schema.description, description);
    some(&mut schema.default, default);
    some(&mut schema.example, example);
    some(&mut schema.external_docs, external_docs);
    for (name, property) in properties.iter() {
        schema.properties.insert(name, property.clone());
    }
    some(&mut schema.items, items);
    some(&mut schema.additional_properties, additional_properties);
    some(&mut schema.ext.preserve_unknown_fields, &ext.preserve_unknown_fields);
    schema.ext.embedded_resource |= ext.embedded_resource;
    if ext.int_or_string {
        schema.ext.int_or_string = true;
        schema.ty.clone_from(ty);
        schema.limits.format.clear();
    }
    some(&mut schema.ext.list_type, &ext.list_type);
    list(&mut schema.ext.list_map_keys, &ext.list_map_keys);
    some(&mut schema.ext.map_type, &ext.map_type);
    schema.rules.extend(rules.iter().cloned());
    overlay_limits(&mut schema.limits, limits);
    some(&mut schema.foreign, foreign);
}

fn overlay_limits(to: &mut Limits, set: &Limits) {
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
    } = set;
    text(&mut to.format, format);
    some(&mut to.maximum, maximum);
    to.exclusive_maximum |= exclusive_maximum;
    some(&mut to.minimum, minimum);
    to.exclusive_minimum |= exclusive_minimum;
    some(&mut to.multiple_of, multiple_of);
    some(&mut to.max_length, max_length);
    some(&mut to.min_length, min_length);
    text(&mut to.pattern, pattern);
    some(&mut to.max_items, max_items);
    some(&mut to.min_items, min_items);
    to.unique_items |= unique_items;
    some(&mut to.max_properties, max_properties);
    some(&mut to.min_properties, min_properties);
    if !required.is_empty() {
        let rest: Vec<String> = to.required.drain(..).filter(|n| !required.contains(n)).collect();
        to.required = required.iter().cloned().chain(rest).collect();
    }
    list(&mut to.enumeration, enumeration);
    to.all_of.extend(all_of.iter().cloned());
    junctor(to, |l| &mut l.any_of, any_of);
    junctor(to, |l| &mut l.one_of, one_of);
    if let Some(not) = not {
        if to.not.is_none() {
            to.not = Some(not.clone());
        } else {
            let limits = Limits { not: Some(not.clone()), ..Limits::default() };
            to.all_of.push(Schema { limits, ..Schema::default() });
        }
    }
}

/// Adds a junctor; a second one of the same kind goes into `allOf`, where both hold.
pub(super) fn junctor(to: &mut Limits, which: fn(&mut Limits) -> &mut Vec<Schema>, add: &[Schema]) {
    if add.is_empty() {
        return;
    }
    if which(to).is_empty() {
        *which(to) = add.to_vec();
    } else {
        let mut limits = Limits::default();
        *which(&mut limits) = add.to_vec();
        to.all_of.push(Schema { limits, ..Schema::default() });
    }
}

fn some<T: Clone>(to: &mut Option<T>, set: &Option<T>) {
    if set.is_some() {
        to.clone_from(set);
    }
}

fn text(to: &mut String, set: &str) {
    if !set.is_empty() {
        set.clone_into(to);
    }
}

fn list<T: Clone>(to: &mut Vec<T>, set: &[T]) {
    if !set.is_empty() {
        set.clone_into(to);
    }
}

fn apply_length(schema: &mut Schema, length: &Length, report: &mut dyn FnMut(Mistake)) {
    let Length { min, max } = length;
    let limits = &mut schema.limits;
    let (to_min, to_max) = match &schema.ty {
        Some(Type::String) => (&mut limits.min_length, &mut limits.max_length),
        Some(Type::Array) => (&mut limits.min_items, &mut limits.max_items),
        Some(Type::Object) => (&mut limits.min_properties, &mut limits.max_properties),
        None => (&mut limits.min_length, &mut limits.max_length),
        Some(ty @ (Type::Integer | Type::Number | Type::Boolean | Type::Other(_))) => {
            report(
                Mistake::new(format!("`length` does not fit the type {}", ty.as_str()))
                    .key("length")
                    .help("it is for strings, lists and maps; numbers have minimum and maximum"),
            );
            return;
        }
    };
    some(to_min, min);
    some(to_max, max);
}

fn find<'a>(mut schema: &'a mut Schema, path: &[Key]) -> Option<&'a mut Schema> {
    for key in path {
        schema = match key {
            Key::Str(name) => schema.properties.get_mut(name)?,
            Key::Items => schema.items.as_mut()?.one_mut()?,
            Key::Values => schema.additional_properties.as_mut()?.schema_mut()?,
        };
    }
    Some(schema)
}

pub(super) fn show(path: &[Key]) -> String {
    path.iter()
        .map(|key| match key {
            Key::Str(name) => format!(".{name}"),
            Key::Items => "[]".to_owned(),
            Key::Values => "{}".to_owned(),
        })
        .collect()
}

/// Takes a keyword away.
fn remove(schema: &mut Schema, keyword: &str) {
    let limits = &mut schema.limits;
    match keyword {
        "type" => schema.ty = None,
        "nullable" => schema.nullable = false,
        "title" => schema.title.clear(),
        "description" => schema.description.clear(),
        "default" => schema.default = None,
        "example" => schema.example = None,
        "externalDocs" => schema.external_docs = None,
        "properties" => schema.properties = crate::value::Map::new(),
        "items" => schema.items = None,
        "additionalProperties" => schema.additional_properties = None,
        "x-kubernetes-preserve-unknown-fields" => schema.ext.preserve_unknown_fields = None,
        "x-kubernetes-embedded-resource" => schema.ext.embedded_resource = false,
        "x-kubernetes-int-or-string" => schema.ext.int_or_string = false,
        "x-kubernetes-list-type" => schema.ext.list_type = None,
        "x-kubernetes-list-map-keys" => schema.ext.list_map_keys.clear(),
        "x-kubernetes-map-type" => schema.ext.map_type = None,
        "x-kubernetes-validations" => schema.rules.clear(),
        "format" => limits.format.clear(),
        "maximum" => limits.maximum = None,
        "exclusiveMaximum" => limits.exclusive_maximum = false,
        "minimum" => limits.minimum = None,
        "exclusiveMinimum" => limits.exclusive_minimum = false,
        "multipleOf" => limits.multiple_of = None,
        "maxLength" => limits.max_length = None,
        "minLength" => limits.min_length = None,
        "pattern" => limits.pattern.clear(),
        "maxItems" => limits.max_items = None,
        "minItems" => limits.min_items = None,
        "uniqueItems" => limits.unique_items = false,
        "maxProperties" => limits.max_properties = None,
        "minProperties" => limits.min_properties = None,
        "required" => limits.required.clear(),
        "enum" => limits.enumeration.clear(),
        "allOf" => limits.all_of.clear(),
        "anyOf" => limits.any_of.clear(),
        "oneOf" => limits.one_of.clear(),
        "not" => limits.not = None,
        // The reader lets no other name through.
        _ => {}
    }
}
