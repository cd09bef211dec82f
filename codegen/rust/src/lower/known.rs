//! What the server rejects in the schema of one field, if its type is known: structural errors, and rules about old items of
//! lists whose items have no keys.

use super::Lower;
use crate::attrs::Attrs;
use crate::diag::Code;
use crate::diag::codes::cel::BAD_OLD_SELF;
use crate::diag::codes::crd::SELECTABLE_MANY;
use crate::diag::codes::schema::{JUNCTOR_KEYWORD, MISSING_TYPE, UNKNOWN_TYPE};
use crate::facts;
use crate::ir::{Additional, Edge, Keyword, Position, Schema, Type, Which};
use crate::recipe::quick::names_old_self;
use crate::recipe::{Mark, Node, Patch};
use proc_macro2::Span;

/// How many selectable fields a version can have.
const MAX_SELECTABLE: usize = 8;

/// What is not structural in a schema.
pub(crate) struct NotStructural {
    /// The keyword that is missing or wrong.
    keyword: Keyword,
    /// The code of the error.
    pub(crate) code: &'static Code,
    /// What is wrong.
    pub(crate) text: String,
    /// What to do.
    pub(crate) help: &'static str,
}

const WRITE_A_TYPE: &str = "write a type: array, boolean, integer, number, object or string. A schema without a type needs \
                            x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields";
const ONLY_CONSTRAIN: &str = "the schemas in allOf, anyOf, oneOf and not only constrain values. Write types and everything else \
                              about the structure outside";

/// Returns the first part of a schema that is not structural.
pub(crate) fn not_structural(schema: &Schema) -> Option<NotStructural> {
    below(schema, false, &mut String::new())
}

/// The same for a schema at a place in another one, which may be inside a junctor such as `anyOf`.
fn below(schema: &Schema, in_junctor: bool, at: &mut String) -> Option<NotStructural> {
    let here = |at: &str| if at.is_empty() { String::new() } else { format!("{at}: ") };
    if schema.foreign.is_some() {
        // Other errors of the server come first.
        return None;
    }
    let ext = &schema.ext;
    let closes = schema.additional_properties == Some(Additional::Allow(false));
    let is_outside = |keyword: &Keyword| {
        let is_fine = closes && *keyword == Keyword::AdditionalProperties;
        keyword.position() == Position::OutsideJunctors && schema.get(*keyword).is_some() && !is_fine
    };
    let missing = schema.ty.is_none() && !ext.int_or_string && ext.preserve_unknown_fields != Some(true);
    let wrong = |keyword, code, text: String, help| {
        Some(NotStructural { keyword, code, text: format!("{}{text}", here(at)), help })
    };
    match &schema.ty {
        _ if in_junctor => {
            if let Some(keyword) = Keyword::ALL.iter().copied().find(is_outside) {
                let text = format!("`{}` cannot be inside a junctor", keyword.name());
                return wrong(keyword, &JUNCTOR_KEYWORD, text, ONLY_CONSTRAIN);
            }
        }
        Some(Type::Other(name)) => {
            let text = format!("the server does not know the type `{name}`");
            return wrong(Keyword::Type, &UNKNOWN_TYPE, text, WRITE_A_TYPE);
        }
        _ if missing => {
            return wrong(Keyword::Type, &MISSING_TYPE, "the schema has no type".to_owned(), WRITE_A_TYPE);
        }
        _ => {}
    }
    let children = schema.children().filter(|(edge, _)| edge.is_structural() || !ext.int_or_string);
    for (Edge { keyword, which }, child) in children {
        let len = at.len();
        let step = match which {
            Which::Only => keyword.name().to_owned(),
            Which::Name(name) => format!("{}[{name}]", keyword.name()),
            Which::Index(number) => format!("{}[{number}]", keyword.name()),
        };
        at.push_str(if len == 0 { "" } else { "." });
        at.push_str(&step);
        let is_junctor = !(Edge { keyword, which }).is_structural();
        if let Some(found) = below(child, in_junctor || is_junctor, at) {
            // The attribute with the junctor has the mistake.
            return Some(NotStructural {
                keyword: if is_junctor { keyword } else { found.keyword },
                ..found
            });
        }
        at.truncate(len);
    }
    None
}

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
        if let Some((_, span)) = selectable.clone().nth(MAX_SELECTABLE) {
            self.report.error(
                *span,
                &SELECTABLE_MANY,
                format!(
                    "a version can have {MAX_SELECTABLE} selectable fields, and this struct has {}",
                    selectable.count()
                ),
                format!("keep the {MAX_SELECTABLE} most useful ones"),
            );
        }
    }
}
