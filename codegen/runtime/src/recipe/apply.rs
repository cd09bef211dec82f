//! Applies attributes to a schema: sets and removes keywords, and reports those that do not apply.

use super::applicable;
use super::faults::Mistake;
use super::metadata::Metadata;
use super::patch::{Key, Length, Patch, Union, UnionMode};
use super::words::{cel_string, escape, tidy_doc};
use super::{faults, keys as map_keys};
use crate::ir::{Additional, Items, Keyword, Limits, Rule, Schema, Type};
use crate::value::{Map, Value};

impl Patch {
    /// The key of an attribute that becomes a rule, if there is one.
    pub fn rule_key(&self) -> Option<&'static str> {
        let union = self.unions.first().map(|union| union.mode.key());
        let rule = (!self.set.rules.is_empty()).then_some("rule");
        self.keys.as_ref().map(|_| "keys").or(rule).or(union)
    }

    /// Applies the attributes to a schema. Reports those that do not apply to it, and leaves them out.
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
            // The linker records these, with their places.
            allow: _,
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
        clear.iter().for_each(|keyword| schema.remove(*keyword));
        if !as_is && let Some(name) = set.properties.keys().find(|name| schema.properties.contains_key(name))
        {
            report(faults::property_of_field(name));
        }
        overlay(schema, set);
        if let Some(length) = length {
            apply_length(schema, length, report);
        }
        if !as_is {
            applicable::check(schema, set, report);
            applicable::check_bounds(schema, set, report);
            applicable::check_values(schema, self, report);
        }
        if let Some(metadata) = metadata
            && *metadata != Metadata::AsKind
            && !metadata.put_into(schema)
        {
            report(
                Mistake::new("the type contains no embedded metadata")
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
                    applicable::check_union(schema, union, report);
                }
                alone(schema, &union.fields);
                schema.rules.push(union.rule());
            }
        }
        if let Some(tag) = discriminator {
            discriminate(schema, tag, report);
        }
    }

    /// Returns the patch with [`Patch::as_is`] set, here and for items and values.
    #[must_use]
    pub fn taken_as_is(mut self) -> Patch {
        self.as_is = true;
        for inner in [&mut self.items, &mut self.values].into_iter().flatten() {
            **inner = std::mem::take(&mut **inner).taken_as_is();
        }
        self
    }

    /// Whether the patch replaces the whole schema, or all of it that is inside of lists and maps.
    pub(super) fn replaces(&self) -> bool {
        let inside = [&self.items, &self.values].into_iter().flatten().any(|inner| inner.replaces());
        self.overrides_type || inside
    }

    /// Copies the keywords that this patch sets to `set`, where they replace existing ones.
    pub fn merge_into(&self, set: &mut Schema) {
        overlay(set, &self.set);
    }

    /// A copy of the patch with the values that code computes.
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

    /// Whether the patch needs values that code computes.
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
            // The linker reads schemas of schemars.
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

/// Makes the fields of a union non-nullable. The server then drops the nulls that serde writes. Otherwise, they would
/// count as set.
fn alone(schema: &mut Schema, fields: &[String]) {
    for field in fields {
        if let Some(field) = schema.properties.get_mut(field) {
            field.nullable = false;
        }
    }
}

/// Adds rules that each field is set exactly if the discriminator has its value.
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
    /// The rule, in the same words as in the Go tools, so that both generate the same CRD.
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

/// Sets the keywords of `set`. Most keywords replace the old value, and some add to it.
fn overlay(schema: &mut Schema, set: &Schema) {
    let is_set = |keyword: &Keyword| set.get(*keyword).is_some();
    for keyword in Keyword::ALL.iter().copied().filter(is_set) {
        let (to, limits) = (&mut schema.limits, &set.limits);
        match keyword {
            Keyword::Properties => {
                for (name, property) in set.properties.iter() {
                    schema.properties.insert(name, property.clone());
                }
            }
            Keyword::Validations => schema.rules.extend(set.rules.iter().cloned()),
            Keyword::IntOrString => {
                schema.ext.int_or_string = true;
                schema.ty.clone_from(&set.ty);
                schema.limits.format.clear();
            }
            Keyword::Required => {
                let rest: Vec<String> =
                    to.required.drain(..).filter(|name| !limits.required.contains(name)).collect();
                to.required = limits.required.iter().cloned().chain(rest).collect();
            }
            Keyword::AllOf => to.all_of.extend(limits.all_of.iter().cloned()),
            Keyword::AnyOf => junctor(to, |l| &mut l.any_of, &limits.any_of),
            Keyword::OneOf => junctor(to, |l| &mut l.one_of, &limits.one_of),
            Keyword::Not if to.not.is_some() => {
                let limits = Limits { not: limits.not.clone(), ..Limits::default() };
                to.all_of.push(Schema { limits, ..Schema::default() });
            }
            other => schema.copy(other, set),
        }
    }
}

/// Adds a junctor. If there is one already, the new one goes into `allOf`, so that both apply.
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
                Mistake::new(format!("`length` has no effect on the type {}", ty.as_str()))
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
