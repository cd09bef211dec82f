//! Writes expectations into the text of a suite. Everything else stays as it was.

use super::case::Case;
use super::failure::{COLUMNS, ERROR, EXPECTED, Failure, PRUNED, STATUS_ERROR, WARNINGS};
use crdgen_core::documents::end_of_lines;
use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::span::Locate;
use crdgen_core::value::Value;
use crdgen_core::yaml::{self, Document};
use std::ops::Range;

/// Corrects the expectations of these cases in the text of a suite. Returns the new text, and how many cases were changed.
/// Does not change cases that are written in braces.
pub fn updated(text: &str, failed: &[(&Case, &Failure)]) -> (String, usize) {
    let Ok(document) = yaml::read_one(text.as_bytes()) else { return (text.to_owned(), 0) };
    let mut changes: Vec<(Range<usize>, String)> = Vec::new();
    let mut count = 0;
    for (case, failure) in failed {
        let own = of_case(text, &document, case, failure);
        count += usize::from(!own.is_empty());
        changes.extend(own);
    }
    changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut out = text.to_owned();
    // New lines end like the others.
    let is_crlf = text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n"));
    for (range, new) in changes {
        let new = if is_crlf { new.replace('\n', "\r\n") } else { new };
        out.replace_range(range, &new);
    }
    // Whatever the file contained, it must still contain the same cases.
    let reads = yaml::read_one(out.as_bytes()).is_ok_and(|new| names(&new.value) == names(&document.value));
    if reads { (out, count) } else { (text.to_owned(), 0) }
}

/// Returns the names of all cases.
fn names(suite: &Value) -> Vec<&Value> {
    let lists = suite.get("tests").and_then(Value::as_map).into_iter().flat_map(|tests| tests.values());
    lists.filter_map(Value::as_list).flatten().filter_map(|case| case.get("name")).collect()
}

fn of_case(text: &str, document: &Document, case: &Case, failure: &Failure) -> Vec<(Range<usize>, String)> {
    let (Some((list, index)), Some((key, value))) = (&case.at, &failure.actual) else { return Vec::new() };
    let steps = |key: &str| {
        vec![
            Step::Key("tests".to_owned()),
            Step::Key(list.clone()),
            Step::Index(*index),
            Step::Key(key.to_owned()),
        ]
    };
    // Returns a member with its value, if it has lines of its own.
    let member = |key: &str| {
        let steps = steps(key);
        document.value.at(&steps)?;
        let (start, value) = (document.locate_key(&steps)?.start, document.locate(&steps)?);
        let before = &text[..start.offset];
        let indent = start.offset - before.rfind('\n').map_or(0, |at| at + 1);
        let own_line = before.ends_with(' ') && before.trim_end_matches(' ').ends_with(['\n', '-']);
        own_line.then_some((start.offset..value.end.offset, indent))
    };
    let Some((initial, indent)) = member("initial").or_else(|| member("name")) else { return Vec::new() };
    let wanted = match *key {
        EXPECTED => block(value, indent),
        WARNINGS | PRUNED | COLUMNS => format!("{key}: {value}"),
        _ => format!("{key}: {}", json::to_string(&value.as_str().into())),
    };
    let mut out = Vec::new();
    match member(key) {
        Some((range, indent)) if matches!(*key, WARNINGS | PRUNED | COLUMNS) => {
            out.push((range.start..end_of_lines(text, range.start, indent), wanted));
        }
        Some((range, _)) => out.push((range, wanted)),
        None => out.push((initial.start..initial.start, format!("{wanted}\n{}", " ".repeat(indent)))),
    }
    if *key == EXPECTED {
        for error in [ERROR, STATUS_ERROR] {
            // Removes a whole line, including its indentation and the line break after it.
            if let Some((range, indent)) = member(error) {
                let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at + 1);
                out.push((range.start - indent..end, String::new()));
            }
        }
    }
    out
}

/// Formats a text as a literal block.
fn block(value: &str, indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    let lines: Vec<String> = value.lines().map(|line| format!("{pad}{line}")).collect();
    format!("{EXPECTED}: |\n{}", lines.join("\n"))
}
