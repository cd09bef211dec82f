//! What is checked of rules without reading their expressions.

use super::field_path;
use crate::diag::codes::cel::{BAD_FIELD_PATH, BAD_MESSAGE, BAD_REASON, NO_RULE};
use crate::diag::{Diag, Diags};
use crate::ir::{Rule, Schema};
use crate::path::Path;
use crate::value::Value;

/// The reasons that a rule may give, sorted.
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Checks the rules of one schema node; `path` is the node's.
pub fn check(schema: &Schema, path: &Path<'_>, diags: &mut Diags) {
    if schema.rules.is_empty() {
        return;
    }
    let rules = path.child("x-kubernetes-validations");
    for (i, rule) in schema.rules.iter().enumerate() {
        let at = rules.index(i);
        let Rule { rule, message, message_expression, reason, field_path, optional_old_self: _ } = rule;
        if rule.trim().is_empty() {
            diags.push(Diag::required(&NO_RULE, &at.child("rule"), "rule is not specified"));
        } else if !message.is_empty() && message.trim().is_empty() {
            let at = at.child("message");
            diags.push(Diag::invalid(&BAD_MESSAGE, &at, message.as_str(), "must be non-empty if specified"));
        } else if has_newlines(message.trim()) {
            let at = at.child("message");
            diags.push(Diag::invalid(&BAD_MESSAGE, &at, message.as_str(), "must not contain line breaks"));
        } else if has_newlines(rule.trim()) && message.trim().is_empty() {
            let detail = "message must be specified if rule contains line breaks";
            diags.push(Diag::required(&BAD_MESSAGE, &at.child("message"), detail));
        }
        if !message_expression.is_empty() && message_expression.trim().is_empty() {
            let detail = "messageExpression must be non-empty if specified";
            diags.push(Diag::required(&BAD_MESSAGE, &at.child("messageExpression"), detail));
        }
        if let Some(reason) = reason.as_deref().filter(|r| REASONS.binary_search(r).is_err()) {
            diags.push(Diag::not_supported(&BAD_REASON, &at.child("reason"), reason, &REASONS));
        }
        if !field_path.is_empty() {
            let at = at.child("fieldPath");
            let mut invalid = |detail: &str| {
                let value = Value::from(field_path.as_str());
                diags.push(Diag::invalid(&BAD_FIELD_PATH, &at, value, detail));
            };
            if field_path.trim().is_empty() {
                invalid("must be non-empty if specified");
            }
            if has_newlines(field_path) {
                invalid("must not contain line breaks");
            }
            if field_path::normalize(field_path, schema).is_err() {
                invalid("must be a valid path");
            }
        }
    }
}

fn has_newlines(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
