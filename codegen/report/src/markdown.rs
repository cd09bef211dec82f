//! Findings as Markdown, for comments on pull requests: folded by what they mean, the worst first.

use std::collections::BTreeMap;
use std::fmt::Write;

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::{Proof, example};
use crdgen_core::diag::Level;
use crdgen_core::inert;

use crate::findings::notes;
use crate::{Counts, Finding, Findings, human};
use crdgen_files::error;

/// The findings of a section, each as an item of a list.
pub(super) type Sections = BTreeMap<Section, Vec<String>>;

/// A section of the report, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// What the server rejects, or a test that fails.
    Errors,
    /// Changes of a class that breaks objects or requests.
    Breaking(Class),
    Warnings,
    /// Changes of another class.
    Changes(Class),
    Notes,
}

impl Section {
    fn of(finding: &Finding) -> Section {
        match (Class::of(finding.diag.code), finding.diag.level) {
            (Some(class), _) if class.breaks() => Section::Breaking(class),
            (Some(class), _) => Section::Changes(class),
            (None, Level::Error) => Section::Errors,
            (None, Level::Warning) => Section::Warnings,
            (None, Level::Note) => Section::Notes,
        }
    }

    /// Its title, and whether it is open at first.
    fn head(self) -> (String, bool) {
        match self {
            Section::Errors => ("errors".to_owned(), true),
            Section::Breaking(class) | Section::Changes(class) => {
                let title = class.reported().map_or("", |(code, _)| code.title);
                (format!("{}: {title}", class.name()), class.breaks())
            }
            Section::Warnings => ("warnings".to_owned(), true),
            Section::Notes => ("notes".to_owned(), false),
        }
    }

    /// What it has, after a number.
    fn name(self) -> String {
        match self {
            Section::Errors => "errors".to_owned(),
            Section::Breaking(class) | Section::Changes(class) => {
                format!("changes of the class {}", class.name())
            }
            Section::Warnings => "warnings".to_owned(),
            Section::Notes => "notes".to_owned(),
        }
    }
}

/// How many bytes a document has at most. A comment on GitHub has 65,536 characters, and the Action adds some. The titles of
/// sections are not counted.
const LIMIT: usize = 58_000;

/// How many bytes the lines about the whole run have at most.
const OF_RUN: usize = 10_000;

/// A finding with more bytes is reported in one line, and the message has at most as many characters as the second number.
const LONGEST: (usize, usize) = (20_000, 2_000);

/// Adds texts while there is room. Returns how many it leaves out.
fn take(texts: &[String], room: &mut usize, out: &mut String) -> usize {
    for (number, text) in texts.iter().enumerate() {
        match room.checked_sub(text.len()) {
            Some(rest) => *room = rest,
            None => {
                // What follows is less important.
                *room = 0;
                return texts.len() - number;
            }
        }
        out.push_str(text);
    }
    0
}

/// The findings of one source.
pub(super) fn items(source: &Findings) -> Sections {
    let mut out = Sections::new();
    for finding in &source.findings {
        out.entry(Section::of(finding)).or_default().push(item(&source.source.name, finding));
    }
    out
}

/// What a document contains.
pub(super) struct Content<'c> {
    pub(super) all: &'c Sections,
    pub(super) table: &'c [Vec<String>],
    pub(super) notes: &'c [String],
}

/// The whole document.
pub(super) fn document(command: &str, counts: &Counts, what: &str, content: &Content<'_>) -> String {
    let Content { all, table, notes } = *content;
    let mut out = format!("### {}: {}\n", code(command), human::summary(counts, what));
    let row = |(number, row): (usize, &Vec<String>)| {
        let cells: Vec<String> = row.iter().map(|cell| prose(cell)).collect();
        let line = if number == 0 { format!("|{}\n", " --- |".repeat(row.len())) } else { String::new() };
        format!("| {} |\n{line}", cells.join(" | "))
    };
    let rows: Vec<String> = table.iter().enumerate().map(row).collect();
    let notes: Vec<String> = notes.iter().map(|note| format!("- {}\n", prose(note))).collect();
    let mut of_run = rows.iter().chain(&notes).map(String::len).sum::<usize>().min(OF_RUN);
    let (mut room, mut left) = (LIMIT - of_run, Vec::new());
    for (section, items) in all {
        let (title, is_open) = section.head();
        let mut shown = String::new();
        let more = take(items, &mut room, &mut shown);
        if more > 0 {
            left.push(format!("{more} {}", section.name()));
        }
        if more < items.len() {
            let (open, count) = (if is_open { " open" } else { "" }, items.len());
            let _ =
                write!(out, "\n<details{open}><summary>{title} ({count})</summary>\n\n{shown}\n</details>\n");
        }
    }
    if !left.is_empty() {
        let left = left.join(", ");
        let _ = write!(
            out,
            "\n**Not shown, because a comment cannot be longer: {left}.** Without `-o markdown`, {} prints everything.\n",
            code(command)
        );
    }
    for lines in [rows, notes].iter().filter(|lines| !lines.is_empty()) {
        out.push('\n');
        let more = take(lines, &mut of_run, &mut out);
        if more > 0 {
            let _ = write!(out, "\n{more} more lines are not shown.\n");
        }
    }
    out
}

fn item(file: &str, finding: &Finding) -> String {
    let diag = &finding.diag;
    let at = format!("{file}{}", error::at(finding.place));
    let change = finding.change.as_deref();
    let of_objects = change.and_then(|change| Some((change.version.as_deref()?, change.field.as_deref()?)));
    let place = match (of_objects, diag.field_shown()) {
        (Some((version, "")), _) => format!("{version}: "),
        (Some((version, field)), _) => format!("{version} {}: ", code(field)),
        (None, Some(field)) => format!("{}: ", code(field)),
        (None, None) => String::new(),
    };
    let words = diag.words();
    let message = match words.char_indices().nth(LONGEST.1) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    };
    let mut out = format!("- {place}{} ({}, {})\n", prose(&message), diag.code.id, code(&at));
    let first = out.len();
    if let Some(Proof::Witness(witness)) = change.map(|change| &change.proof) {
        let objects: Vec<String> = witness.objects().into_iter().map(example).collect();
        paragraph(&prose(&witness.text()), &mut out);
        paragraph(&fenced(&objects.join("\n---\n")), &mut out);
    } else if let Some(help) = &diag.help {
        let lines: Vec<String> = help.lines().map(prose).collect();
        paragraph(&lines.join("\n"), &mut out);
    }
    notes(finding).for_each(|note| paragraph(&prose(&note), &mut out));
    if out.len() > LONGEST.0 {
        out.truncate(first);
    }
    out
}

/// Adds a paragraph to an item.
fn paragraph(text: &str, out: &mut String) {
    out.push('\n');
    for line in text.lines() {
        let _ = writeln!(out, "  {line}");
    }
}

/// A block of YAML.
fn fenced(text: &str) -> String {
    let text = inert::text(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}yaml\n{text}\n{fence}")
}

/// A text as code.
fn code(text: &str) -> String {
    let text = inert::line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // Spaces separate the fence from the same characters in the text.
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A message, in which only what it quotes with backticks is markup.
fn prose(text: &str) -> String {
    let text = inert::line(&text.replace('\n', " ")).into_owned();
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) || parts.iter().skip(1).step_by(2).any(|quoted| quoted.is_empty()) {
        return escaped(&text);
    }
    let part = |(number, part): (usize, &&str)| match number {
        0 => escaped(part),
        number if number % 2 == 0 => inside(part),
        _ => format!("`{part}`"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// The start of a line, or a whole line, without markup: a line may not begin a list or a heading.
fn escaped(text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let starts_block =
        rest.starts_with(if digits == 0 { ['-', '+', '='].as_slice() } else { ['.', ')'].as_slice() });
    let escape = if starts_block { "\\" } else { "" };
    format!("{number}{escape}{}", inside(rest))
}

/// A text without markup, names of people or numbers of issues.
fn inside(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '@' | '#' => {
                let _ = write!(out, "`{c}`");
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' | '$' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{code, fenced, prose};

    #[test]
    fn texts_are_no_markup() {
        for (text, expected) in [
            ("maxLength was 3, now 2", "maxLength was 3, now 2"),
            ("the rule was `a < b`, now `*`", "the rule was `a < b`, now `*`"),
            ("a ` b", "a \\` b"),
            ("a `` <b> `` c", "a \\`\\` &lt;b&gt; \\`\\` c"),
            ("ask @someone about #1", "ask `@`someone about `#`1"),
            ("![a](b) <img>\n# c", "\\!\\[a\\](b) &lt;img&gt; `#` c"),
            ("a * _b_ | c", "a \\* \\_b\\_ \\| c"),
            ("- a - b", "\\- a - b"),
            ("1. a", "1\\. a"),
            ("12) `a`. b", "12\\) `a`. b"),
            ("===", "\\==="),
            ("3 is less", "3 is less"),
        ] {
            assert_eq!(prose(text), expected);
        }
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("a: |\n  ```\n"), "````yaml\na: |\n  ```\n\n````");
    }
}
