//! What the server rejects in the schema of one field, if its type is known: structural errors, and rules about old items of
//! lists whose items have no keys.

use super::Lower;
use crate::attrs::Attrs;
use crate::diag::codes::cel::BAD_OLD_SELF;
use crate::diag::codes::crd::SELECTABLE_MANY;
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::{Rule, Type};
use crate::recipe::quick::names_old_self;
use crate::recipe::{Mark, Need, Node, Patch, Struct, cel_name};
use crate::structure::{NotStructural, not_structural};
use crdgen_rules::server::MAX_SELECTABLE_FIELDS;
use proc_macro2::Span;

impl Lower<'_> {
    /// Reports what is not structural in the schema of a field.
    pub(super) fn structural(&mut self, node: &Node, patch: &Patch, attrs: &Attrs, span: Span) {
        if self.as_is || patch.as_is || attrs.says_nothing() || !patch.computed.is_empty() {
            return;
        }
        let Some(mut schema) = self.known(node) else { return };
        patch.apply(&mut schema, &mut |_| {});
        let Some(NotStructural { keyword, code, text, help }) = not_structural(&schema) else { return };
        let key = keyword.key().and_then(|key| attrs.span_of(key));
        let given = ["raw", "ty", "remove", "property"].into_iter().find_map(|key| attrs.span_of(key));
        self.report.error(key.or(given).unwrap_or(span), code, text, help);
    }

    /// Reports rules about old items of a list without keys.
    pub(super) fn old_items(&mut self, ty: &syn::Type, patch: &Patch) {
        let Some(items) = &patch.items else { return };
        let is_list = facts::surely(ty).is_some_and(|schema| schema.ty == Some(Type::Array));
        if self.as_is || !is_list || patch.overrides_type || patch.set.ext.list_type.as_deref() == Some("map")
        {
            return;
        }
        let Some(rule) = items.set.rules.iter().find(|rule| names_old_self(&rule.rule)) else { return };
        let written = self.rules.iter().rev().find(|written| written.text == rule.rule);
        let span = written.map_or_else(Span::call_site, |written| written.span);
        self.report.error(
            span,
            &BAD_OLD_SELF,
            "the rule uses oldSelf, and the server cannot find the old value of an item of this list",
            "write list_type = \"map\" with list_map_keys on the list, or write the rule on the list itself",
        );
    }

    /// Warns about rules about changes of optional fields. `around` are the attributes of the struct, whose rules may look at
    /// the fields too.
    pub(super) fn bypassed(&mut self, it: &Struct, around: &Patch) {
        if self.as_is || around.as_is {
            return;
        }
        for field in it.fields.iter().filter(|field| !field.flatten && field.default.is_none()) {
            let is_option = match &field.node {
                Node::Option(_) => true,
                Node::Ref(number) => self.refs.get(*number).is_some_and(facts::is_option),
                _ => false,
            };
            let name = cel_name(&field.name);
            let looks = |rule: &Rule| rule.rule.contains(&format!("oldSelf.{name}"));
            let may_lack = field.need == Need::Optional || field.need == Need::Auto && is_option;
            if !may_lack || around.set.rules.iter().any(looks) {
                continue;
            }
            let is_about_changes =
                |rule: &&Rule| rule.optional_old_self != Some(true) && names_old_self(&rule.rule);
            let Some(rule) = field.patch.set.rules.iter().find(is_about_changes) else { continue };
            let written = self.rules.iter().rev().find(|written| written.text == rule.rule);
            let span = written.map_or_else(Span::call_site, |written| written.span);
            let before = self.report.findings.len();
            self.report.warning(
                span,
                &codes::BYPASSED,
                format!("the server does not evaluate this rule if `{}` is removed, and it is optional", field.name),
                format!(
                    "write the rule on the struct: `!has(oldSelf.{name}) || has(self.{name}) && …`. If users may remove the \
                     field, add `optional_old_self`, and say in the rule what it may become then"
                ),
            );
            self.report.hide(before, &field.patch.allow);
        }
    }

    /// Reports the first field of a struct that is one selectable field too many.
    pub(super) fn too_many_selectable(&mut self, marks: &[(Mark, Span)]) {
        let selectable = marks.iter().filter(|(mark, _)| *mark == Mark::Selectable);
        if let Some((_, span)) = selectable.clone().nth(MAX_SELECTABLE_FIELDS) {
            self.report.error(
                *span,
                &SELECTABLE_MANY,
                format!(
                    "a version can have {MAX_SELECTABLE_FIELDS} selectable fields, and this struct has {}",
                    selectable.count()
                ),
                format!("keep the {MAX_SELECTABLE_FIELDS} most useful ones"),
            );
        }
    }
}
