//! Prepares texts for Markdown, so that they cannot change its syntax. Descriptions may contain paragraphs, lists, code
//! spans and links to the web.

use crdgen_core::inert;
use crdgen_core::ir::Column;
use crdgen_publish::docs::{
    Change, Changes, Documented, Example, Fact, Field, Page, Rule, SharedType, User, Version,
};

use super::inline::{Piece, pieces};
use super::kinds::Kinds;

/// The indentation of a list inside another one: with less, Python's Markdown does not see a nested list.
const STEP: usize = 4;

/// Returns the page with all texts as Markdown.
pub(super) fn ready(mut page: Page, kinds: &Kinds) -> Page {
    let versions = std::mem::take(&mut page.versions);
    let texts = Texts { kinds, page: &page };
    let versions = versions.into_iter().map(|it| texts.version(it)).collect();
    Page { versions, ..heading(page) }
}

/// Returns the page with all texts as Markdown, except those of its versions.
pub(super) fn heading(page: Page) -> Page {
    let Page { kind, group, plural, singular, short_names, categories, namespaced, versions, changes } = page;
    Page {
        kind: line(&kind),
        group: code(&group),
        plural: code(&format!("kubectl get {plural}")),
        singular,
        short_names: codes(&short_names),
        categories: codes(&categories),
        namespaced,
        versions: versions.into_iter().map(|it| Version { name: cell(&it.name), ..it }).collect(),
        changes: changes.into_iter().map(changed).collect(),
    }
}

fn changed(changes: Changes) -> Changes {
    let field = |field: Change| Change {
        path: cell_code(&field.path),
        old: side(&field.old),
        new: side(&field.new),
        ..field
    };
    Changes {
        from: cell(&changes.from),
        to: cell(&changes.to),
        fields: changes.fields.into_iter().map(field).collect(),
        ..changes
    }
}

/// Formats what a version contains for a field, in a table.
fn side(lines: &[String]) -> Vec<String> {
    lines.iter().map(|text| cell(text)).collect()
}

/// Formats the texts of a page, which may mention other kinds.
struct Texts<'a> {
    kinds: &'a Kinds,
    page: &'a Page,
}

impl Texts<'_> {
    fn version(&self, version: Version) -> Version {
        Version {
            name: cell(&version.name),
            api_version: line(&version.api_version),
            deprecated: version.deprecated.map(|warning| line(&warning)),
            description: self.text(&version.description, 0),
            example: version.example.as_deref().map(code),
            examples: version.examples.into_iter().map(example).collect(),
            columns: version.columns.into_iter().map(column).collect(),
            selectable: codes(&version.selectable),
            facts: version.facts.into_iter().map(fact).collect(),
            rules: version.rules.into_iter().map(rule).collect(),
            shown: version.shown.into_iter().map(|it| self.field(it)).collect(),
            types: version.types.into_iter().map(|it| self.shared(it)).collect(),
            // The page does not show these.
            fields: Vec::new(),
            ..version
        }
    }

    fn shared(&self, ty: SharedType) -> SharedType {
        let user = |user: User| User { path: code(&user.path), ..user };
        SharedType {
            description: self.text(&ty.description, 0),
            facts: ty.facts.into_iter().map(fact).collect(),
            rules: ty.rules.into_iter().map(rule).collect(),
            users: ty.users.into_iter().map(user).collect(),
            fields: ty.fields.into_iter().map(|it| self.field(it)).collect(),
            ..ty
        }
    }

    fn field(&self, field: Field) -> Field {
        Field {
            name: line(&field.name),
            ty: words_before_link(&field),
            description: self.text(&field.description, STEP * (field.depth + 1)),
            default: field.default.as_deref().map(code),
            example: field.example.as_deref().map(code),
            facts: field.facts.into_iter().map(fact).collect(),
            rules: field.rules.into_iter().map(rule).collect(),
            ..field
        }
    }

    /// Formats a text of paragraphs, with each line indented. The text may be Markdown, so code spans and lists stay.
    /// What would be a heading, a quotation, a horizontal rule or a table is escaped.
    fn text(&self, text: &str, indent: usize) -> String {
        let lines = text.trim().lines().map(|line| {
            let rest = line.trim();
            if rest.is_empty() {
                return String::new();
            }
            // More than three spaces would make it code.
            let spaces = line.chars().take_while(|c| c.is_whitespace()).count().min(3);
            let mut done = escaped(self.kinds.pieces(rest, self.page));
            // Matches horizontal rules, underlines of headings, and the second line of tables.
            let is_rule = rest.chars().all(|c| "-=*_+:|~ \t".contains(c));
            if !done.starts_with('\\') && (is_rule || rest.starts_with(['#', '>'])) {
                done.insert(0, '\\');
            }
            format!("{}{done}", " ".repeat(indent + spaces))
        });
        lines.collect::<Vec<String>>().join("\n")
    }
}

fn example(example: Example) -> Example {
    Example { title: line(&example.title), note: line(&example.note), ..example }
}

fn column(column: Column) -> Column {
    Column {
        name: cell(&column.name),
        ty: cell(&column.ty),
        json_path: cell_code(&column.json_path),
        description: cell(&column.description),
        ..column
    }
}

fn fact(fact: Fact) -> Fact {
    let as_code = |it: Documented| Documented { text: code(&it.text), about: line(&it.about) };
    Fact { what: fact.what, values: fact.values.into_iter().map(as_code).collect() }
}

fn rule(rule: Rule) -> Rule {
    Rule { rule: code(&rule.rule), message: line(&rule.message), ..rule }
}

/// Formats the type of a field. A link may come after it.
fn words_before_link(field: &Field) -> String {
    let ty = line(&field.ty);
    if field.link.is_some() && !ty.is_empty() { ty + " " } else { ty }
}

/// Formats code in a table.
fn cell_code(text: &str) -> String {
    code(text).replace('|', "\\|")
}

fn codes(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| code(text)).collect()
}

/// Returns a code span. It has more backticks around it than inside.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return "` `".to_owned();
    }
    let inside = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(inside + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Formats a text on one line. It may be the start of a list item, where it must not begin a heading, a quotation or
/// another list.
pub(super) fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut done = escaped(pieces(&text));
    // Other asterisks are escaped, or begin emphasis.
    let is_bullet = done == "*" || done.starts_with("* ");
    if is_bullet || done.starts_with(['#', '>', '-', '+', '=', '|', ':']) {
        done.insert(0, '\\');
    }
    done
}

/// Formats a text in a table.
pub(super) fn cell(text: &str) -> String {
    line(text).replace('|', "\\|")
}

/// Escapes everything that would be markup, except code spans and links.
fn escaped(pieces: Vec<Piece<'_>>) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Words(text) => words(text, &mut out),
            Piece::Code(text) => out.push_str(&code(text)),
            Piece::Link(address) => link(address, address, &mut out),
            Piece::Strong(text) => marked("**", text, &mut out),
            Piece::Emphasis(text) => marked("*", text, &mut out),
            Piece::Kind(name, file) => link(name, file, &mut out),
        }
    }
    out
}

/// Writes emphasis.
fn marked(mark: &str, text: &str, out: &mut String) {
    out.push_str(mark);
    words(text, out);
    out.push_str(mark);
}

/// Writes a link with brackets, because MDX knows no other form.
fn link(text: &str, address: &str, out: &mut String) {
    // After `!`, the link would become an image.
    if out.ends_with('!') {
        out.pop();
        out.push_str("&#33;");
    }
    out.push('[');
    words(text, out);
    out.push_str("](<");
    for c in address.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\\' => out.push_str("%5C"),
            '{' => out.push_str("%7B"),
            c => out.push(c),
        }
    }
    out.push_str(">)");
}

/// Writes words without markup. GitHub turns mail addresses into links everywhere except in code.
fn words(text: &str, out: &mut String) {
    // Escaped characters contain braces too.
    let text = &inert::text(text);
    for word in text.split_inclusive(char::is_whitespace) {
        let name = word.trim_end();
        let is_mail = name.match_indices('@').any(|(at, _)| at > 0 && at + 1 < name.len());
        if is_mail {
            out.push_str(&code(name));
            out.push_str(&word[name.len()..]);
        } else {
            plain(word, out);
        }
    }
}

fn plain(text: &str, out: &mut String) {
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let in_word = before.is_alphanumeric() && next.is_some_and(char::is_alphanumeric);
        match c {
            '<' => out.push_str("&lt;"),
            '&' if next.is_some_and(|c| c.is_alphanumeric() || c == '#') => out.push_str("&amp;"),
            '[' | ']' | '`' => out.extend(['\\', c]),
            // These are markup in some dialects, but Python's Markdown has no escapes for them.
            '~' => out.push_str("&#126;"),
            '$' => out.push_str("&#36;"),
            // MDX reads text between braces as code.
            '{' | '}' => out.extend(['\\', c]),
            '\\' if next.is_none_or(|c| c.is_ascii_punctuation()) => out.push_str("\\\\"),
            // The bullet of a list has a space after it. An underscore inside a word is not markup.
            '*' if !next.is_some_and(char::is_whitespace) => out.push_str("\\*"),
            '_' if !in_word => out.push_str("\\_"),
            // GitHub turns some plain addresses into links.
            ':' if next == Some('/') => out.push_str("&#58;"),
            _ => out.push(c),
        }
        before = c;
    }
}
