//! Fields, with a name and without.

use super::defaults::GIVEN;
use super::{Lower, cfg_enabled, plain};
use crate::attrs::{Attrs, Serde, place};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::{Keyword, Rule};
use crate::names::Case;
use crate::recipe::contradict::{is_override, replaced};
use crate::recipe::faults;
use crate::recipe::{DefaultValue, Field, Mark, Metadata, Need, Node, Struct};
use crate::value::Value;
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;

/// What the attributes of a struct or variant say about its fields.
#[derive(Clone, Copy)]
pub(super) struct FieldAttributes {
    /// The case of their names.
    pub(super) case: Option<Case>,
    /// Whether serde rejects other fields.
    pub(super) deny_unknown: bool,
    /// Whether the default of the struct has the fields that are missing.
    pub(super) defaulted: bool,
}

impl FieldAttributes {
    pub(super) fn of(serde: &Serde) -> FieldAttributes {
        FieldAttributes {
            case: serde.rename_all,
            deny_unknown: serde.deny_unknown,
            defaulted: serde.default.is_some(),
        }
    }
}

impl Lower<'_> {
    /// The parts of a tuple.
    pub(super) fn parts(&mut self, fields: &syn::FieldsUnnamed) -> Vec<Node> {
        let mut out = Vec::new();
        let step = if fields.unnamed.len() > 1 { "[]" } else { "" };
        for field in &fields.unnamed {
            let attrs = self.read(&field.attrs, place::FIELD);
            if attrs.serde.skip_deserializing && attrs.serde.skip_serializing {
                continue;
            }
            out.push(self.at(step, |l| l.field_node(field, attrs)));
        }
        out
    }

    /// A field without a name.
    pub(super) fn field_node(&mut self, field: &syn::Field, mut attrs: Attrs) -> Node {
        let given =
            attrs.as_type.is_some() || attrs.with.is_some() || attrs.raw.is_some() || attrs.opaque.is_some();
        let read_by_serde = !self.as_is && !given && attrs.serde.deserialize_with.is_none();
        let node = self.type_node(&field.ty, &mut attrs);
        let node = inside(&field.ty, node, &mut attrs);
        for (_, span) in &attrs.marks {
            self.report.error(
                *span,
                &codes::PLACE,
                "this needs a field with a name",
                "add the name of the field",
            );
        }
        let mut patch = self.described(&mut attrs);
        if read_by_serde && is_override(&patch) {
            self.contradictions(field, &patch, None, &|key| attrs.span_of(key));
        }
        if let Some((default, span)) = attrs.default.take() {
            self.default_matches(&field.ty, &patch, &default, span, GIVEN);
            patch.set.default = Some(default);
        }
        node.patched(patch)
    }

    pub(super) fn fields(
        &mut self,
        fields: &syn::FieldsNamed,
        container: FieldAttributes,
    ) -> (Struct, Vec<Rule>) {
        let FieldAttributes { case, deny_unknown, defaulted } = container;
        let mut out = Struct { deny_unknown, ..Struct::default() };
        let (mut names, mut pairs) = (HashMap::new(), Vec::new());
        let (mut taken, mut marks) = (HashSet::new(), Vec::new());
        for field in &fields.named {
            if !cfg_enabled(&field.attrs, self.cfg) {
                continue;
            }
            let before = self.report.findings.len();
            let mut attrs = self.read(&field.attrs, place::FIELD);
            let allow = attrs.patch.allow.clone();
            let skipped = attrs.serde.skip_serializing && attrs.serde.skip_deserializing;
            if skipped || attrs.skip {
                let is_missing = attrs.skip && !skipped && !defaulted;
                if is_missing && self.needs(field, &attrs.serde, case) {
                    let span = attrs.span_of("skip").unwrap_or_else(|| field.span());
                    self.mistake(span, faults::skipped());
                }
                if let Some((key, span)) = attrs.key_of_schema() {
                    self.report.error(
                        span,
                        &codes::PLACE,
                        format!(
                            "`{key}` has no effect, because this field is skipped and so is not in the schema"
                        ),
                        format!("remove `{key}`, or do not skip the field"),
                    );
                }
                continue;
            }
            let equal_to = std::mem::take(&mut attrs.equal_to);
            marks.extend(attrs.marks.iter().cloned());
            let lowered = self.field(field, attrs, case, defaulted, (fields.named.len(), before));
            self.report.hide(before, &allow);
            if let Some(ident) = &field.ident {
                self.places.push((lowered.name.clone(), ident.span()));
                names.insert(plain(ident), lowered.name.clone());
            }
            pairs.extend(equal_to.into_iter().map(|(other, span)| (lowered.name.clone(), other, span)));
            if !lowered.flatten && !taken.insert(lowered.name.clone()) {
                self.report.error(
                    field.span(),
                    &codes::SAME_NAME,
                    format!("two fields have the name `{}` in the document", lowered.name),
                    "rename one of them",
                );
                continue;
            }
            out.fields.push(lowered);
        }
        self.too_many_selectable(&marks);
        let rules = self.equalities(&names, pairs);
        (out, rules)
    }

    /// Whether serde cannot read an object without the field.
    fn needs(&self, field: &syn::Field, serde: &Serde, case: Option<Case>) -> bool {
        let ident = field.ident.as_ref().map(plain).unwrap_or_default();
        let name = serde.rename.clone().unwrap_or_else(|| case.map_or(ident.clone(), |c| c.field(&ident)));
        // The server keeps these in objects and embedded objects without a schema.
        let is_kept = ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        let reads_nothing = facts::is_option(&field.ty) && serde.deserialize_with.is_none();
        let is_read = !serde.skip_deserializing && !serde.flatten && serde.default.is_none();
        !self.as_is && is_read && !reads_nothing && !is_kept
    }

    /// Reads a field of a struct with `count` fields. Its attributes have the findings from number `before` on.
    fn field(
        &mut self,
        field: &syn::Field,
        mut attrs: Attrs,
        case: Option<Case>,
        defaulted: bool,
        (count, before): (usize, usize),
    ) -> Field {
        let ident = field.ident.as_ref().map(plain).unwrap_or_default();
        let name =
            attrs.serde.rename.clone().unwrap_or_else(|| case.map_or(ident.clone(), |c| c.field(&ident)));
        let step = if attrs.serde.flatten { String::new() } else { format!(".{name}") };
        // If attributes give another type, that type decides what applies.
        let given = [
            ("as", attrs.as_type.is_some()),
            ("with", attrs.with.is_some()),
            ("raw", attrs.raw.is_some()),
            ("opaque", attrs.opaque.is_some()),
        ];
        let mut all_given = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
        let given = all_given.next();
        // Two such attributes are a separate error.
        let one_given = given.filter(|_| all_given.next().is_none());
        let node = self.at(&step, |l| l.type_node(&field.ty, &mut attrs));
        let node = inside(&field.ty, node, &mut attrs);
        let mut patch = self.described(&mut attrs);
        let serde = std::mem::take(&mut attrs.serde);
        let default = match attrs.default.take() {
            Some((Value::Null, span)) => {
                let is_there = serde.default.is_some() || defaulted;
                if !is_there && !self.as_is && !patch.set.nullable && !facts::is_option(&field.ty) {
                    self.mistake(span, faults::no_default_to_remove());
                }
                patch.clear.push(Keyword::Default);
                None
            }
            Some((value, span)) => {
                if given.is_none() {
                    self.default_matches(&field.ty, &patch, &value, span, GIVEN);
                    self.asks_enum(&field.ty, &patch, &value, span);
                }
                self.defaults.push((name.clone(), span));
                Some(DefaultValue::Value(value))
            }
            None => {
                let default = self.default(field, &serde);
                if let Some(default) = &default
                    && !patch.clear.contains(&Keyword::Default)
                {
                    self.default_of_type_matches(field, &patch, default);
                }
                default
            }
        };
        if given.is_none() && !patch.overrides_type {
            self.assert_items(&field.ty, &patch, &|key| attrs.span_of(key));
            self.assert_readable(&field.ty, &patch, &|key| attrs.span_of(key));
            self.values_fit(&field.ty, &patch, &|key| attrs.span_of(key).unwrap_or_else(|| field.span()));
        }
        let scales =
            |mark: &Mark| matches!(mark, Mark::SpecReplicas | Mark::StatusReplicas | Mark::LabelSelector);
        if self.scale.is_none() && attrs.marks.iter().any(|(mark, _)| scales(mark)) {
            self.scale = attrs.span_of("scale");
        }
        let has_default = serde.default.is_some() || defaulted;
        // A function of the user may read any value.
        let read_by_serde = !self.as_is
            && !patch.as_is
            && !serde.flatten
            && !serde.skip_deserializing
            && serde.deserialize_with.is_none();
        let said_optional =
            read_by_serde && attrs.need == Some(Need::Optional) && !has_default && default.is_none();
        if let (true, Some(key)) = (read_by_serde, one_given)
            && let (Some(own), Some(schema)) = (facts::surely(&field.ty), self.known(&node))
            && let Some(mistake) = replaced(&own, &schema, key)
        {
            let span = attrs.span_of(key).unwrap_or_else(|| field.span());
            self.report.error(span, &codes::MISFIT, mistake.message, mistake.help);
        }
        let strict = said_optional || read_by_serde && given.is_none() && is_override(&patch);
        if strict {
            let need = said_optional.then_some(Need::Optional);
            self.contradictions(field, &patch, need, &|key| attrs.span_of(key));
        }
        let left_out =
            self.left_out(field, &serde, has_default, attrs.need, attrs.span_of("skip_serializing_if"));
        if self.report.one_item && given.is_none() && patch.computed.is_empty() {
            self.marks_fit(&node, &patch, &attrs.marks);
            self.format_fits(&node, &patch, attrs.span_of("format"));
        }
        if given.is_none() {
            self.old_items(&field.ty, &patch);
        }
        if self.report.one_item && self.report.findings.len() == before {
            self.structural(&node, &patch, &attrs, field.ty.span());
        }
        let need = attrs.need.unwrap_or({
            if has_default || serde.skip_deserializing {
                Need::Optional
            } else if serde.deserialize_with.is_some() {
                Need::Required
            } else {
                Need::Auto
            }
        });
        if serde.flatten {
            self.flattens(&node, &patch, field.ty.span());
            if count > 1 && given.is_none() {
                self.flattens_map(&field.ty);
            }
            for (_, span) in &attrs.marks {
                self.report.error(
                    *span,
                    &codes::PLACE,
                    "a flattened field is not a field in the document",
                    "put the attribute on a field inside",
                );
            }
        }
        if patch.metadata.is_none() && given.is_none() && facts::is_metadata(&field.ty) {
            patch.metadata = Some(Metadata::AsKind);
        }
        Field {
            name,
            aliases: serde.aliases,
            node,
            need,
            writes_null: serde.skip_if.is_none() && !serde.skip_serializing,
            default,
            flatten: serde.flatten,
            patch,
            marks: attrs.marks.into_iter().map(|(mark, _)| mark).collect(),
            once: attrs.once,
            strict,
            said_optional,
            left_out,
        }
    }

    /// The function of `skip_serializing_if` if serde cannot read an object without the field, but nothing shows yet whether
    /// the field's type is an `Option`. If it is clearly none, this is reported.
    fn left_out(
        &mut self,
        field: &syn::Field,
        serde: &Serde,
        has_default: bool,
        need: Option<Need>,
        span: Option<Span>,
    ) -> Option<String> {
        let function = serde.skip_if.as_ref()?;
        // If the schema says that the field is optional, that is reported.
        if has_default || serde.flatten || serde.skip_deserializing || need == Some(Need::Optional) {
            return None;
        }
        let function = function.to_token_stream().to_string().replace(' ', "");
        // serde's derive does not ask for a missing value of type `Option` if a function reads it.
        let is_read_by_code = serde.deserialize_with.is_some();
        let is_no_option = facts::surely(&field.ty).is_some() && !facts::is_option(&field.ty);
        if is_read_by_code || is_no_option {
            let by = if is_read_by_code { faults::ReadBy::Function } else { faults::ReadBy::Type };
            self.mistake(span.unwrap_or_else(|| field.span()), faults::left_out(&function, by));
            return None;
        }
        (!facts::is_option(&field.ty)).then_some(function)
    }

    /// Writes rules for fields that must be equal. Each pair has the Rust name of the other field.
    fn equalities(
        &mut self,
        names: &HashMap<String, String>,
        pairs: Vec<(String, String, Span)>,
    ) -> Vec<Rule> {
        let mut out = Vec::new();
        for (name, other, span) in pairs {
            let Some(other) = names.get(&other) else {
                self.report.error(
                    span,
                    &codes::VALUE,
                    format!("no field is called `{other}`"),
                    "use the name of a field of this struct",
                );
                continue;
            };
            let (a, b) = (crate::recipe::cel_name(&name), crate::recipe::cel_name(other));
            out.push(Rule {
                rule: format!("!has(self.{a}) || !has(self.{b}) || self.{a} == self.{b}"),
                message: format!("{name} must be equal to {other}"),
                ..Rule::default()
            });
        }
        out
    }
}

/// Applies garde's attributes for the inside of a type: the value of an `Option`, or else the items of a list.
fn inside(ty: &syn::Type, node: Node, attrs: &mut Attrs) -> Node {
    match attrs.inner.take() {
        None => node,
        Some(patch) if facts::is_option(ty) => node.patched(*patch),
        Some(patch) => {
            attrs.patch.items = Some(patch);
            node
        }
    }
}
