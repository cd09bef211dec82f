//! What the server rejects in the schema of one field, if its type is known: structural errors, and rules about old items of
//! lists whose items have no keys.

use super::Lower;
use crate::attrs::Attrs;
use crate::diag::codes::cel::BAD_OLD_SELF;
use crate::diag::codes::crd::SELECTABLE_MANY;
use crate::facts;
use crate::ir::Type;
use crate::recipe::quick::names_old_self;
use crate::recipe::{Mark, Node, Patch};
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
