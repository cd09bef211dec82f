//! The fields of a struct or variant, with names and without.

use super::defaults::GIVEN;
use super::named_field::{Around, Given, name_of};
use super::types::inside;
use super::{Lower, cfg_enabled, plain};
use crate::attrs::{Attrs, Serde, place};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::Rule;
use crate::names::Case;
use crate::recipe::contradict::is_override;
use crate::recipe::faults;
use crate::recipe::{Node, Struct};
use proc_macro2::Span;
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
            if is_skipped_by_serde(&attrs.serde) {
                continue;
            }
            out.push(self.at(step, |l| l.field_node(field, attrs)));
        }
        out
    }

    /// A field without a name.
    pub(super) fn field_node(&mut self, field: &syn::Field, mut attrs: Attrs) -> Node {
        let read_by_serde =
            !self.as_is && Given::of(&attrs).is_none() && attrs.serde.deserialize_with.is_none();
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
        let mut out = Struct { deny_unknown: container.deny_unknown, ..Struct::default() };
        let (mut names, mut pairs) = (HashMap::new(), Vec::new());
        let (mut taken, mut marks) = (HashSet::new(), Vec::new());
        for field in &fields.named {
            if !cfg_enabled(&field.attrs, self.cfg) {
                continue;
            }
            let findings_before = self.report.findings.len();
            let mut attrs = self.read(&field.attrs, place::FIELD);
            let allow = attrs.patch.allow.clone();
            if attrs.skip || is_skipped_by_serde(&attrs.serde) {
                self.skipped(field, &attrs, container);
                continue;
            }
            let equal_to = std::mem::take(&mut attrs.equal_to);
            marks.extend(attrs.marks.iter().cloned());
            let FieldAttributes { case, defaulted, .. } = container;
            let around = Around { case, defaulted, has_others: fields.named.len() > 1, findings_before };
            let lowered = self.field(field, attrs, around);
            self.report.hide(findings_before, &allow);
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

    /// Reports what is wrong with a field that is not in the schema.
    fn skipped(&mut self, field: &syn::Field, attrs: &Attrs, container: FieldAttributes) {
        let is_missing = attrs.skip && !is_skipped_by_serde(&attrs.serde) && !container.defaulted;
        if is_missing && self.needs(field, &attrs.serde, container.case) {
            let span = attrs.span_of("skip").unwrap_or_else(|| field.span());
            self.mistake(span, faults::skipped());
        }
        if let Some((key, span)) = attrs.key_of_schema() {
            self.report.error(
                span,
                &codes::PLACE,
                format!("`{key}` has no effect, because this field is skipped and so is not in the schema"),
                format!("remove `{key}`, or do not skip the field"),
            );
        }
    }

    /// Whether serde cannot read an object without the field.
    fn needs(&self, field: &syn::Field, serde: &Serde, case: Option<Case>) -> bool {
        let name = name_of(field, serde, case);
        // The server keeps these in objects and embedded objects without a schema.
        let is_kept = ["apiVersion", "kind", "metadata"].contains(&name.as_str());
        let reads_nothing = facts::is_option(&field.ty) && serde.deserialize_with.is_none();
        let is_read = !serde.skip_deserializing && !serde.flatten && serde.default.is_none();
        !self.as_is && is_read && !reads_nothing && !is_kept
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

fn is_skipped_by_serde(serde: &Serde) -> bool {
    serde.skip_serializing && serde.skip_deserializing
}
