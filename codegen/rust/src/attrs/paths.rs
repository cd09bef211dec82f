//! Printer columns and scale, for which `kubectl` reads paths. Both are written as lists of keys, or in kube-rs's older
//! form: JSON in a string.

use super::Reader;
use super::meta::{Arg, Meta};
use super::object::{Member, members};
use super::values::Number;
use crate::diag::codes::rust as codes;
use crate::ir::{Column, Scale};
use crate::report::Spot;
use crate::value::Value;

/// `printcolumn(…)`
pub(super) fn printcolumn(r: &mut Reader<'_>, m: &Meta) -> Option<Column> {
    const JSON: &[&str] = &["name", "type", "jsonPath", "description", "format", "priority"];
    const LIST: &[&str] = &["name", "type_", "json_path", "description", "format", "priority"];
    let mut column = Column::default();
    let (mut path_at, mut type_at) = (Spot::from(m.value_span()), Spot::from(m.value_span()));
    let (listed, mut wrong) = (matches!(m.arg, Arg::List(_)), false);
    if listed {
        for part in r.parts(m)? {
            match part.key.as_str() {
                "name" => column.name = r.text(&part)?,
                "type_" | "type" => {
                    type_at = part.value_span().into();
                    column.ty = r.text(&part)?;
                }
                "json_path" | "jsonPath" => {
                    path_at = part.value_span().into();
                    column.json_path = json_path(r, &part)?;
                }
                "description" => column.description = r.text(&part)?,
                "format" => column.format = r.text(&part)?,
                "priority" => {
                    if let Some(Number::Is(n)) = r.number(&part) {
                        column.priority = n as i32;
                    }
                }
                _ => {
                    r.unknown_part(&part, "printcolumn", LIST);
                    wrong = true;
                }
            }
        }
    } else {
        let before = r.reported();
        let all = members(r, m, JSON)?;
        wrong = r.reported() > before;
        for member in &all {
            match member.key.as_str() {
                "name" => column.name = text(r, member),
                "type" => {
                    type_at = member.at.clone();
                    column.ty = text(r, member);
                }
                "jsonPath" => {
                    path_at = member.at.clone();
                    column.json_path = text(r, member);
                    check_path(r, &column.json_path, &member.at);
                }
                "description" => column.description = text(r, member),
                "format" => column.format = text(r, member),
                "priority" => match member.value.as_int() {
                    Some(n) => column.priority = n as i32,
                    None => {
                        r.bad(member.at.clone(), "`priority` must be a whole number", "write \"priority\": 1")
                    }
                },
                _ => {}
            }
        }
    }
    for (key, list, value) in [
        ("name", "name", &column.name),
        ("type", "type_", &column.ty),
        ("jsonPath", "json_path", &column.json_path),
    ] {
        if value.is_empty() && !wrong {
            let key = if listed { list } else { key };
            r.bad(
                m.value_span(),
                format!("the printer column has no `{key}`"),
                if listed {
                    "a column needs name, type_ and json_path"
                } else {
                    "a column needs name, type and jsonPath"
                },
            );
        }
    }
    column_type(r, &column.ty, type_at);
    r.kube().spans.push(("printcolumn", path_at.span));
    Some(column)
}

/// Several columns as JSON in one string, separated by commas. kube-derive before 2.0 joined all strings into one list.
pub(super) fn joined_columns(r: &mut Reader<'_>, m: &Meta) -> Option<Vec<Column>> {
    let Arg::Value(tokens) = &m.arg else { return None };
    let text = tokens.text()?;
    let all = crate::json::read(format!("[{text}]").as_bytes()).ok()?;
    let all = all.as_list().filter(|all| all.len() > 1)?;
    let mut columns = Vec::new();
    for one in all {
        let text = |key: &str| one.text(key).to_owned();
        let column = Column {
            name: text("name"),
            ty: text("type"),
            format: text("format"),
            description: text("description"),
            priority: one.get("priority").and_then(Value::as_int).unwrap_or_default() as i32,
            json_path: text("jsonPath"),
        };
        if column.name.is_empty() || column.ty.is_empty() || column.json_path.is_empty() {
            r.bad(
                m.value_span(),
                "a printer column in this string is not complete",
                "a column needs name, type and jsonPath",
            );
        }
        column_type(r, &column.ty, m.value_span());
        check_path(r, &column.json_path, &m.value_span().into());
        r.kube().spans.push(("printcolumn", m.value_span()));
        columns.push(column);
    }
    Some(columns)
}

fn text(r: &mut Reader<'_>, member: &Member) -> String {
    match &member.value {
        Value::Str(s) => s.clone(),
        _ => {
            let Member { key, at, .. } = member;
            r.bad(at.clone(), format!("`{key}` must be a string"), format!("write \"{key}\": \"…\""));
            String::new()
        }
    }
}

/// Checks the type of a column.
pub(super) fn column_type(r: &mut Reader<'_>, ty: &str, at: impl Into<Spot>) {
    const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
    if !ty.is_empty() && !TYPES.contains(&ty) {
        let help = super::did_you_mean_text(ty, TYPES.iter().copied())
            .unwrap_or_else(|| format!("expected one of: {}", TYPES.join(", ")));
        r.report.error(at, &codes::VALUE, format!("`{ty}` is not a type for columns"), help);
    }
}

/// A path that must start with a dot.
pub(super) fn json_path(r: &mut Reader<'_>, m: &Meta) -> Option<String> {
    let path = r.text(m)?;
    check_path(r, &path, &m.value_span().into());
    Some(path)
}

fn check_path(r: &mut Reader<'_>, path: &str, at: &Spot) {
    if r.kube().root.as_is {
        return;
    }
    let open = path.matches(['[', '(']).count();
    let close = path.matches([']', ')']).count();
    if !path.starts_with(['.', '[']) {
        r.report.error(
            at.clone(),
            &codes::VALUE,
            format!("the path `{path}` does not start with a dot"),
            format!("write \".{}\"", path.trim_matches(['{', '}', '$', '.', ' ', '[', '('])),
        );
    } else if open != close || path.ends_with('.') || path.contains("...") {
        r.report.error(
            at.clone(),
            &codes::VALUE,
            format!("`{path}` is not a path"),
            "write names separated by dots, such as \".spec.replicas\"",
        );
    }
}

/// `scale(…)`
pub(super) fn scale(r: &mut Reader<'_>, m: &Meta) {
    const JSON: &[&str] = &["specReplicasPath", "statusReplicasPath", "labelSelectorPath"];
    const LIST: &[&str] = &["spec_replicas_path", "status_replicas_path", "label_selector_path"];
    let mut scale = Scale::default();
    let (mut spec_at, mut status_at) = (Spot::from(m.value_span()), Spot::from(m.value_span()));
    let before = r.reported();
    if let Arg::List(_) = m.arg {
        for part in r.parts(m).unwrap_or_default() {
            match part.key.as_str() {
                "spec_replicas_path" => {
                    spec_at = part.value_span().into();
                    scale.spec_replicas_path = json_path(r, &part).unwrap_or_default();
                }
                "status_replicas_path" => {
                    status_at = part.value_span().into();
                    scale.status_replicas_path = json_path(r, &part).unwrap_or_default();
                }
                "label_selector_path" => {
                    r.kube().spans.push(("label_selector_path", part.value_span()));
                    scale.label_selector_path = json_path(r, &part);
                }
                _ => r.unknown_part(&part, "scale", LIST),
            }
        }
    } else {
        let Some(all) = members(r, m, JSON) else { return };
        for member in &all {
            let path = text(r, member);
            check_path(r, &path, &member.at);
            match member.key.as_str() {
                "specReplicasPath" => (spec_at, scale.spec_replicas_path) = (member.at.clone(), path),
                "statusReplicasPath" => (status_at, scale.status_replicas_path) = (member.at.clone(), path),
                "labelSelectorPath" => {
                    r.kube().spans.push(("label_selector_path", member.at.span));
                    scale.label_selector_path = Some(path);
                }
                _ => {}
            }
        }
    }
    let (spec_span, is_wrong) = (spec_at.span, r.reported() > before);
    for (key, value, start, at) in [
        ("spec_replicas_path", &scale.spec_replicas_path, ".spec.", spec_at),
        ("status_replicas_path", &scale.status_replicas_path, ".status.", status_at),
    ] {
        if value.is_empty() && is_wrong {
            continue;
        }
        if value.is_empty() {
            r.bad(
                m.value_span(),
                format!("scale has no `{key}`"),
                "scale needs spec_replicas_path and status_replicas_path",
            );
        } else if value.starts_with('.') && !value.starts_with(start) {
            r.report.error(
                at,
                &codes::VALUE,
                format!("`{key}` must start with `{start}`, but this is `{value}`"),
                "the scale subresource reads the desired number of replicas from the spec, and the actual number from the status",
            );
        }
    }
    r.kube().spans.extend([("scale", m.span), ("spec_replicas_path", spec_span)]);
    r.kube().root.scale = Some(scale);
}
