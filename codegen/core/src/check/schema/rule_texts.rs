//! The checks of rules that do not need to parse the expressions.

use crate::diag::codes::schema as codes;
use crate::diag::{BadValue, Diag, Diags};
use crate::ir::{Rule, Schema};
use crate::path::Path;
use crate::server::Server;
use crate::structural::{self, BadPath};

const REASONS: &[&str] =
    &["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// Checks the rules of a node. A node can be convertible even if the schema around it is not.
pub(super) fn check(schema: &Schema, convertible: bool, server: Server, path: &Path<'_>, out: &mut Diags) {
    if schema.rules.is_empty() {
        return;
    }
    // A schema that is not structural has an error already, so its field paths are not checked.
    let structural = (convertible || structural::convertible(schema).is_ok()).then_some(schema);
    let path = path.child("x-kubernetes-validations");
    for (i, rule) in schema.rules.iter().enumerate() {
        check_rule(rule, structural, server, &path.index(i), out);
    }
}

fn check_rule(rule: &Rule, schema: Option<&Schema>, server: Server, path: &Path<'_>, out: &mut Diags) {
    // Before 1.34 these messages begin with the name of the field.
    let named = |field: &str, detail: &str| {
        if server.is_before(34) { format!("{field} {detail}") } else { detail.to_owned() }
    };
    let Rule { rule, message, message_expression, reason, field_path, optional_old_self: _ } = rule;
    let (at_message, at_field_path) = (path.child("message"), path.child("fieldPath"));
    let text = trim(rule);
    let one_line = trim(message);
    if text.is_empty() {
        out.push(
            Diag::required(&codes::RULE_TEXT, &path.child("rule"), "rule is not specified")
                .help("write an expression over `self` that must be true"),
        );
    } else if !message.is_empty() && one_line.is_empty() {
        out.push(
            Diag::invalid(
                &codes::RULE_TEXT,
                &at_message,
                message.as_str(),
                named("message", "must be non-empty if specified"),
            )
            .help("write what is wrong, or leave the message out"),
        );
    } else if has_newlines(one_line) {
        out.push(
            Diag::invalid(
                &codes::RULE_TEXT,
                &at_message,
                message.as_str(),
                named("message", "must not contain line breaks"),
            )
            .help("write the message as one line"),
        );
    } else if has_newlines(text) && one_line.is_empty() {
        out.push(
            Diag::required(
                &codes::RULE_TEXT,
                &at_message,
                "message must be specified if rule contains line breaks",
            )
            .help("add a message of one line"),
        );
    }
    if !message_expression.is_empty() && trim(message_expression).is_empty() {
        out.push(
            Diag::required(
                &codes::RULE_TEXT,
                &path.child("messageExpression"),
                "messageExpression must be non-empty if specified",
            )
            .help("leave it out, or write an expression that returns a string"),
        );
    }
    if let Some(reason) = reason.as_deref().filter(|r| !REASONS.contains(r)) {
        out.push(
            Diag::not_supported(
                &codes::RULE_REASON,
                &path.child("reason"),
                BadValue::Json(reason.into()),
                REASONS,
            )
            .help("use one of the four, or leave it out for FieldValueInvalid"),
        );
    }
    let mut bad_path = |detail: &str, help: &str| {
        let detail = named("fieldPath", detail);
        let diag = Diag::invalid(&codes::RULE_FIELD_PATH, &at_field_path, field_path.as_str(), detail);
        out.push(diag.help(help));
    };
    if !field_path.is_empty() && trim(field_path).is_empty() {
        bad_path(
            "must be non-empty if specified",
            "leave it out, or write the path of a field such as `.spec.replicas`",
        );
    }
    if has_newlines(field_path) {
        bad_path("must not contain line breaks", "write the path as one line");
    }
    if !field_path.is_empty()
        && let Some(schema) = schema
        && let Err(why) = structural::field_path(field_path, schema, structural::Brackets::Allowed)
    {
        bad_path("must be a valid path", &path_help(field_path, &why));
    }
}

/// Like Go's `strings.TrimSpace`.
fn trim(s: &str) -> &str {
    s.trim_matches(|c: char| c.is_whitespace())
}

fn has_newlines(s: &str) -> bool {
    s.contains(['\n', '\r'])
}

/// What to write instead of a path that the server rejects.
fn path_help(path: &str, why: &BadPath) -> String {
    match why {
        BadPath::NoField => {
            "write the path of a field that the schema has, from the place of the rule".to_owned()
        }
        _ if !path.starts_with(['.', '[']) => format!("write `.{path}`"),
        BadPath::Brackets | BadPath::End | BadPath::Found { .. } | BadPath::Escape(_) => {
            "write names with dots or brackets, such as `.replicas` or `['odd.name']`".to_owned()
        }
    }
}
