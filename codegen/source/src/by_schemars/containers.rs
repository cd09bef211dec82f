//! Structs and enums whose schema schemars derives.

use super::merge::{flatten, forbids_unknown, tag};
use super::{Generated, Generation, Generator, NotKnown, insert, object, of_type, tuple};
use crate::types;
use crate::types::{Id, Scope};
use crate::value::{Map, Value};
use crdgen_rust::attrs::{Attrs, Code, SerDefault, Serde, place};
use crdgen_rust::facts;
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::names::Case;
use std::rc::Rc;

/// An item with the scope for its types.
struct Container {
    item: usize,
    scope: Scope,
    serde: Serde,
}

/// A variant with its name.
struct Variant<'v> {
    source: &'v syn::Variant,
    name: String,
    attrs: Attrs,
}

/// The keyword for alternatives.
#[derive(Clone, Copy)]
enum Junctor {
    OneOf,
    AnyOf,
}

impl Generator<'_, '_> {
    /// The name of the schema of an item in `$defs`.
    pub(super) fn item_name(&self, item: usize) -> String {
        let input = Rc::clone(&self.program.world.item(item).input);
        let renamed = self.attributes(&input.attrs, place::ROOT, item).ok().and_then(|it| it.serde.rename);
        renamed.unwrap_or_else(|| plain(&input.ident))
    }

    /// The inner type of a transparent struct, if the struct's schema is exactly that of the type.
    pub(super) fn transparent(&self, id: Id, item: usize) -> Option<Id> {
        let input = Rc::clone(&self.program.world.item(item).input);
        let attrs = self.attributes(&input.attrs, place::ROOT, item).ok()?;
        if !attrs.serde.transparent || is_described(&input.attrs) {
            return None;
        }
        let syn::Data::Struct(data) = &input.data else { return None };
        let field = self.only_field(&data.fields, item)?;
        let ty = (!is_described(&field.attrs)).then_some(&field.ty)?;
        self.type_of(ty, &self.scope(id)?).ok()
    }

    /// The only field of a transparent struct that serde reads.
    fn only_field<'f>(&self, fields: &'f syn::Fields, item: usize) -> Option<&'f syn::Field> {
        fields.iter().find(|field| {
            let attrs = self.attributes(&field.attrs, place::FIELD, item);
            !facts::is_phantom(&field.ty) && attrs.is_ok_and(|it| !it.serde.skip_deserializing)
        })
    }

    pub(super) fn item(&mut self, id: Id, item: usize) -> Generated {
        let input = Rc::clone(&self.program.world.item(item).input);
        self.of_item(id, item, &input).map_err(|mut why| {
            why.item.get_or_insert_with(|| plain(&input.ident));
            why
        })
    }

    /// The generation of schemars that the item's derive is from.
    fn generation(&self, item: usize) -> Result<Generation, NotKnown> {
        if !self.program.derives_only_for_schemars(item) {
            return Err("no derive of `schemars::JsonSchema`, or that of crdgen".into());
        }
        let Some(version) = self.program.world.version_of(item, "schemars") else {
            return Err("a schema of schemars, whose version crdgen cannot determine".into());
        };
        Generation::of(&version).ok_or_else(|| {
            format!("a schema of schemars {version}; crdgen knows only those of schemars 1.0 to 1.2").into()
        })
    }

    fn of_item(&mut self, id: Id, item: usize, input: &syn::DeriveInput) -> Generated {
        self.is_older |= self.generation(item)? == Generation::Older;
        let serde = self.attributes(&input.attrs, place::ROOT, item)?.serde;
        let scope = self.scope(id).ok_or("a type that crdgen cannot find")?;
        if serde.default.is_some() {
            return Err("a default for the whole struct".into());
        }
        let deny_unknown = serde.deny_unknown;
        let it = Container { item, scope, serde };
        let mut schema = match &input.data {
            syn::Data::Struct(data) if it.serde.transparent => {
                let field = self.only_field(&data.fields, item).ok_or("no field to be transparent")?;
                self.field(&it, field)?
            }
            syn::Data::Struct(data) => match &data.fields {
                syn::Fields::Unit => of_type("null"),
                syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    self.field(&it, &fields.unnamed[0])?
                }
                syn::Fields::Unnamed(fields) => self.tuple(&it, fields)?,
                syn::Fields::Named(fields) => {
                    self.structure(&it, fields, it.serde.rename_all, deny_unknown)?
                }
            },
            syn::Data::Enum(data) => self.enumeration(&it, data)?,
            syn::Data::Union(_) => return Err("a union".into()),
        };
        describe(&mut schema, &input.attrs)?;
        Ok(schema)
    }

    /// The schema of a field, without its default.
    fn field(&mut self, it: &Container, field: &syn::Field) -> Generated {
        self.attributes(&field.attrs, place::FIELD, it.item)?;
        let id = self.type_of(&field.ty, &it.scope)?;
        let mut schema = self.subschema(id)?;
        describe(&mut schema, &field.attrs)?;
        Ok(schema)
    }

    fn tuple(&mut self, it: &Container, fields: &syn::FieldsUnnamed) -> Generated {
        let mut parts = Vec::new();
        for field in &fields.unnamed {
            if !self.attributes(&field.attrs, place::FIELD, it.item)?.serde.skip_deserializing {
                parts.push(self.field(it, field)?);
            }
        }
        Ok(tuple(parts))
    }

    fn structure(
        &mut self,
        it: &Container,
        fields: &syn::FieldsNamed,
        case: Option<Case>,
        deny_unknown: bool,
    ) -> Generated {
        let mut out = of_type("object");
        if deny_unknown {
            insert(&mut out, "additionalProperties", false.into());
        }
        let cfg = self.program.world.cfg_of(it.item);
        for field in &fields.named {
            if !cfg_enabled(&field.attrs, &|tokens| cfg.enabled(tokens)) {
                continue;
            }
            let attrs = self.attributes(&field.attrs, place::FIELD, it.item)?;
            let serde = attrs.serde;
            if serde.skip_deserializing {
                continue;
            }
            let id = self.type_of(&field.ty, &it.scope)?;
            if serde.flatten {
                if self.is_older {
                    return Err("a flattened field, which schemars writes in another way before 1.2".into());
                }
                let schema = self.flattened(id)?;
                flatten(&mut out, schema);
                continue;
            }
            let mut schema = self.field(it, field)?;
            if let Some(default) = self.default(it, field, &serde)? {
                insert(&mut schema, "default", default);
            }
            let ident = field.ident.as_ref().map(plain).unwrap_or_default();
            let is_optional = serde.default.is_some() || self.is_option(id);
            let name = serde.rename.unwrap_or_else(|| case.map_or(ident.clone(), |case| case.field(&ident)));
            let Some(map) = out.as_map_mut() else { continue };
            if let Value::Map(all) = map.entry_or_insert_with("properties", || Value::Map(Map::new())) {
                all.insert(name.as_str(), schema);
            }
            if !is_optional
                && let Value::List(all) = map.entry_or_insert_with("required", || Value::List(Vec::new()))
            {
                all.push(name.into());
            }
        }
        Ok(out)
    }

    /// The default of a field, if serde would write it.
    fn default(&self, it: &Container, field: &syn::Field, serde: &Serde) -> Result<Option<Value>, NotKnown> {
        let Some(default) = serde.default.as_ref().filter(|_| !serde.skip_serializing) else {
            return Ok(None);
        };
        let skips = serde.skip_if.as_ref().and_then(|path| path.segments.last());
        let skips_empty = skips.is_some_and(|last| last.ident == "is_none" || last.ident == "is_empty");
        let path = match default {
            SerDefault::Default if skips_empty => return Ok(None),
            SerDefault::Default => None,
            SerDefault::Path(path) => Some(path.clone()),
        };
        let code = Code::Default {
            path,
            ty: Box::new(field.ty.clone()),
            skip_if: serde.skip_if.clone(),
            serialize_with: serde.serialize_with.as_ref().map(|(path, _)| path.clone()),
        };
        self.code(&code, &it.scope)
    }

    fn enumeration(&mut self, it: &Container, data: &syn::DataEnum) -> Generated {
        let cfg = self.program.world.cfg_of(it.item);
        let is_there = |variant: &&syn::Variant| cfg_enabled(&variant.attrs, &|tokens| cfg.enabled(tokens));
        let variants = data.variants.iter().filter(is_there).map(|source| {
            let attrs = self.attributes(&source.attrs, place::VARIANT, it.item)?;
            let ident = plain(&source.ident);
            let renamed = attrs.serde.rename.clone();
            let name = renamed
                .unwrap_or_else(|| it.serde.rename_all.map_or(ident.clone(), |case| case.variant(&ident)));
            Ok(Variant { source, name, attrs })
        });
        let variants = variants.collect::<Result<Vec<_>, NotKnown>>()?;
        if variants.is_empty() {
            return Ok(Value::Bool(false));
        }
        let serde = &it.serde;
        match (&serde.tag, &serde.content, serde.untagged) {
            (None, None, false) => self.external(it, &variants),
            (Some(tag_name), None, false) => {
                self.variants(&variants, Junctor::OneOf, |own, variant| own.internal(it, variant, tag_name))
            }
            (Some(tag_name), Some(content), false) => {
                self.variants(&variants, Junctor::OneOf, |own, variant| {
                    own.adjacent(it, variant, tag_name, content)
                })
            }
            _ => self.variants(&variants, Junctor::AnyOf, |own, variant| own.untagged(it, variant)),
        }
    }

    /// The schemas of the variants that serde reads.
    fn variants(
        &mut self,
        variants: &[Variant<'_>],
        junctor: Junctor,
        mut one: impl FnMut(&mut Self, &Variant<'_>) -> Generated,
    ) -> Generated {
        let is_untagged = variants.iter().any(|variant| variant.attrs.serde.untagged);
        let read = variants.iter().filter(|variant| !variant.attrs.serde.skip_deserializing);
        let all = read.map(|variant| one(self, variant)).collect::<Result<Vec<_>, _>>()?;
        let key = match junctor {
            Junctor::OneOf if !is_untagged => "oneOf",
            Junctor::OneOf | Junctor::AnyOf => "anyOf",
        };
        Ok(object([(key, Value::List(all))]))
    }

    fn external(&mut self, it: &Container, variants: &[Variant<'_>]) -> Generated {
        let is_plain = |variant: &Variant<'_>| {
            matches!(variant.source.fields, syn::Fields::Unit)
                && !is_described(&variant.source.attrs)
                && !variant.attrs.serde.untagged
        };
        let plain = || variants.iter().filter(|variant| is_plain(variant));
        let names: Vec<Value> = plain()
            .filter(|variant| !variant.attrs.serde.skip_deserializing)
            .map(|variant| variant.name.as_str().into())
            .collect();
        let units = object([("type", "string".into()), ("enum", Value::List(names))]);
        if plain().count() == variants.len() {
            return Ok(units);
        }
        let mut all = if plain().next().is_some() { vec![units] } else { Vec::new() };
        let read = variants.iter().filter(|it| !is_plain(it) && !it.attrs.serde.skip_deserializing);
        for variant in read {
            if variant.attrs.serde.untagged {
                all.push(self.untagged(it, variant)?);
                continue;
            }
            let name = variant.name.as_str();
            let mut schema = match variant.source.fields {
                syn::Fields::Unit => object([("type", "string".into()), ("const", name.into())]),
                _ => object([
                    ("type", "object".into()),
                    ("properties", object([(name, self.content(it, variant)?)])),
                    ("required", Value::List(vec![name.into()])),
                    ("additionalProperties", false.into()),
                ]),
            };
            describe(&mut schema, &variant.source.attrs)?;
            all.push(schema);
        }
        let is_untagged = variants.iter().any(|variant| variant.attrs.serde.untagged);
        Ok(object([(if is_untagged { "anyOf" } else { "oneOf" }, Value::List(all))]))
    }

    fn internal(&mut self, it: &Container, variant: &Variant<'_>, tag_name: &str) -> Generated {
        if variant.attrs.serde.untagged {
            return self.untagged(it, variant);
        }
        let mut schema = match &variant.source.fields {
            syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let field = &fields.unnamed[0];
                self.attributes(&field.attrs, place::FIELD, it.item)?;
                let id = self.type_of(&field.ty, &it.scope)?;
                let mut schema = self.inside_tag(id)?;
                describe(&mut schema, &field.attrs)?;
                schema
            }
            _ => self.content(it, variant)?,
        };
        tag(&mut schema, tag_name, &variant.name, it.serde.deny_unknown);
        describe(&mut schema, &variant.source.attrs)?;
        Ok(schema)
    }

    /// The schema of a variant with one field, whose tag is among the fields of the value.
    fn inside_tag(&mut self, id: Id) -> Generated {
        let id = self.forwarded(id);
        if matches!(self.program.instance(id), types::Instance::Kubernetes(_)) {
            return self.subschema(id);
        }
        let schema = self.schema(id)?;
        if self.name(id).is_none() || schema.get("type").and_then(Value::as_str) == Some("null") {
            return Ok(schema);
        }
        if forbids_unknown(&schema) {
            return Err("a variant whose content rejects unknown fields".into());
        }
        self.subschema(id)
    }

    fn adjacent(
        &mut self,
        it: &Container,
        variant: &Variant<'_>,
        tag_name: &str,
        content: &str,
    ) -> Generated {
        if variant.attrs.serde.untagged {
            return self.untagged(it, variant);
        }
        let name = object([("type", "string".into()), ("const", variant.name.as_str().into())]);
        let (mut properties, mut required) = (Map::new(), vec![Value::from(tag_name)]);
        properties.insert(tag_name, name);
        if !matches!(variant.source.fields, syn::Fields::Unit) {
            properties.insert(content, self.content(it, variant)?);
            required.push(content.into());
        }
        let mut schema = object([
            ("type", "object".into()),
            ("properties", Value::Map(properties)),
            ("required", Value::List(required)),
        ]);
        if it.serde.deny_unknown {
            insert(&mut schema, "additionalProperties", false.into());
        }
        describe(&mut schema, &variant.source.attrs)?;
        Ok(schema)
    }

    fn untagged(&mut self, it: &Container, variant: &Variant<'_>) -> Generated {
        let mut schema = self.content(it, variant)?;
        describe(&mut schema, &variant.source.attrs)?;
        Ok(schema)
    }

    /// The schema of what a variant contains.
    fn content(&mut self, it: &Container, variant: &Variant<'_>) -> Generated {
        match &variant.source.fields {
            syn::Fields::Unit => Ok(of_type("null")),
            syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => self.field(it, &fields.unnamed[0]),
            syn::Fields::Unnamed(fields) => self.tuple(it, fields),
            syn::Fields::Named(fields) => {
                let case = variant.attrs.serde.rename_all.or(it.serde.rename_all_fields);
                self.structure(it, fields, case, it.serde.deny_unknown)
            }
        }
    }
}

/// Whether attributes add something to the schema of the type, such as a description.
fn is_described(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|it| it.path().is_ident("doc") || it.path().is_ident("deprecated"))
}

/// Adds the documentation as schemars does: without one space before each line, and with a heading in the first line as
/// the title.
fn describe(schema: &mut Value, attributes: &[syn::Attribute]) -> Result<(), NotKnown> {
    let is_conditional = |it: &&syn::Attribute| match &it.meta {
        syn::Meta::List(list) => {
            let names = list.tokens.clone().into_iter().map(|token| token.to_string());
            it.path().is_ident("cfg_attr")
                && names.into_iter().any(|name| name == "doc" || name == "deprecated")
        }
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => false,
    };
    if attributes.iter().any(|it| is_conditional(&it)) {
        return Err("documentation that depends on a condition".into());
    }
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("doc")) {
        // `#[doc(hidden)]` is not text.
        let syn::Meta::NameValue(pair) = &attribute.meta else { continue };
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &pair.value else {
            return Err("documentation that the compiler puts together".into());
        };
        let line = line.value();
        lines.push(line.strip_prefix(' ').unwrap_or(&line).to_owned());
    }
    let is_space = |c: char| c.is_ascii_whitespace();
    let text = lines.join("\n");
    let text = text.trim_matches(is_space);
    let (title, description) = match text.starts_with('#') {
        true => {
            let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
            (title.trim_start_matches('#').trim_matches(is_space), rest.trim_matches(is_space))
        }
        false => ("", text),
    };
    for (key, text) in [("title", title), ("description", description)] {
        if !text.is_empty() {
            insert(schema, key, text.into());
        }
    }
    if attributes.iter().any(|it| it.path().is_ident("deprecated")) {
        insert(schema, "deprecated", true.into());
    }
    Ok(())
}
