//! Texts made ready for Markdown: what they say must not become its syntax.

use crdgen_core::emit::docs::{Fact, Field, Page, Rule, Version};
use crdgen_core::ir::Column;

/// The same page with all texts as Markdown.
pub(super) fn ready(page: Page) -> Page {
    let Page { kind, group, plural, singular, short_names, categories, namespaced, versions } = page;
    Page {
        kind: line(&kind),
        group: code(&group),
        plural,
        singular,
        short_names: codes(&short_names),
        categories: codes(&categories),
        namespaced,
        versions: versions.into_iter().map(version).collect(),
    }
}

fn version(version: Version) -> Version {
    Version {
        api_version: line(&version.api_version),
        deprecated: version.deprecated.map(|warning| line(&warning)),
        description: text(&version.description, 0),
        columns: version.columns.into_iter().map(column).collect(),
        selectable: codes(&version.selectable),
        facts: version.facts.into_iter().map(fact).collect(),
        rules: version.rules.into_iter().map(rule).collect(),
        fields: version.fields.into_iter().map(field).collect(),
        ..version
    }
}

fn column(column: Column) -> Column {
    Column {
        name: cell(&column.name),
        ty: cell(&column.ty),
        json_path: code(&column.json_path).replace('|', "\\|"),
        description: cell(&column.description),
        ..column
    }
}

fn field(field: Field) -> Field {
    Field {
        name: line(&field.name),
        ty: line(&field.ty),
        description: text(&field.description, 2 * field.depth + 2),
        default: field.default.as_deref().map(code),
        facts: field.facts.into_iter().map(fact).collect(),
        rules: field.rules.into_iter().map(rule).collect(),
        ..field
    }
}

fn fact(fact: Fact) -> Fact {
    Fact { what: fact.what, values: codes(&fact.values) }
}

fn rule(rule: Rule) -> Rule {
    Rule { rule: code(&rule.rule), message: line(&rule.message), ..rule }
}

fn codes(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| code(text)).collect()
}

/// A code span; it has more backticks around it than inside.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let inside = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(inside + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A text on one line.
fn line(text: &str) -> String {
    escaped(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A text in a table.
pub(super) fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}

/// A text of paragraphs, each line indented. It may be Markdown itself, so code spans and lists stay; what
/// would be HTML, a heading or a rule is escaped.
fn text(text: &str, indent: usize) -> String {
    let lines = text.trim().lines().map(|line| {
        let line = line.trim_end();
        if line.is_empty() {
            return String::new();
        }
        // More spaces would make code of it.
        let spaces = line.len() - line.trim_start().len();
        let (start, rest) = line.split_at(spaces.min(3).min(line.len()));
        let rest = rest.trim_start();
        let is_rule = rest.len() > 1 && (rest.bytes().all(|b| b == b'=') || rest.bytes().all(|b| b == b'-'));
        let escape = if is_rule || rest.starts_with(['#', '>']) { "\\" } else { "" };
        format!("{}{start}{escape}{}", " ".repeat(indent), escaped(rest))
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// Escapes what would be HTML, emphasis or a link, but for code spans.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let spans = line.matches('`').count() / 2 * 2;
    let mut seen = 0;
    let mut before = ' ';
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let in_code = seen % 2 == 1;
        let next = rest.peek().copied().unwrap_or(' ');
        let in_word = before.is_alphanumeric() && next.is_alphanumeric();
        match c {
            '`' if seen < spans => seen += 1,
            '`' => out.push('\\'),
            '<' if !in_code => {
                out.push_str("&lt;");
                before = c;
                continue;
            }
            '&' if !in_code && next.is_alphanumeric() => {
                out.push_str("&amp;");
                before = c;
                continue;
            }
            // A bullet has space behind it, and an underscore inside a word is one.
            '*' if !in_code && !next.is_whitespace() => out.push('\\'),
            '_' if !in_code && !in_word => out.push('\\'),
            _ => {}
        }
        out.push(c);
        before = c;
    }
    out
}
