//! Edits of the text itself that no edit of a value can make: errors that are specific to YAML.

use super::Edit::{self, Text};
use crate::rng::Rng;

/// Returns a random line that has more than a comment: its index and its text.
fn some_line<'a>(lines: &[&'a str], rng: &mut Rng) -> Option<(usize, &'a str)> {
    for _ in 0..20 {
        let i = rng.below(lines.len());
        let line = *lines.get(i)?;
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            return Some((i, line));
        }
    }
    None
}

/// Returns the text with one line changed by `change`.
fn on_line(text: &str, rng: &mut Rng, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let (i, line) = some_line(&lines, rng)?;
    let new = change(line)?;
    lines[i] = &new;
    Some(lines.join("\n") + "\n")
}

/// Returns the text with the value of one `key: value` line changed by `change`.
fn on_value(text: &str, rng: &mut Rng, change: impl Fn(&str) -> String) -> Option<String> {
    for _ in 0..20 {
        let changed = on_line(text, rng, |line| {
            let (key, value) = line.split_once(": ")?;
            (!value.trim().is_empty()).then(|| format!("{key}: {}", change(value)))
        });
        if changed.is_some() {
            return changed;
        }
    }
    None
}

fn scalar(text: &str, rng: &mut Rng, values: &'static [&'static str]) -> Option<String> {
    let value = *rng.pick(values);
    on_value(text, rng, |_| value.to_owned())
}

/// The table of edits.
pub(super) const EDITS: &[Edit] = &[
    Text("a line twice", |text, rng| on_line(text, rng, |line| Some(format!("{line}\n{line}")))),
    Text("a line less", |text, rng| {
        let mut lines: Vec<&str> = text.lines().collect();
        let (i, _) = some_line(&lines, rng)?;
        lines.remove(i);
        Some(lines.join("\n") + "\n")
    }),
    Text("a line indented more", |text, rng| on_line(text, rng, |line| Some(format!(" {line}")))),
    Text("a line indented less", |text, rng| {
        on_line(text, rng, |line| line.strip_prefix(' ').map(str::to_owned))
    }),
    Text("a tab", |text, rng| on_line(text, rng, |line| Some(format!("\t{line}")))),
    Text("a tab for blanks", |text, rng| on_line(text, rng, |line| Some(line.replacen("  ", "\t", 1)))),
    Text("a comment after", |text, rng| on_line(text, rng, |line| Some(format!("{line} # why")))),
    Text("a comment of its own", |text, rng| on_line(text, rng, |line| Some(format!("# why\n{line}")))),
    Text("an empty line", |text, rng| on_line(text, rng, |line| Some(format!("\n{line}")))),
    Text("no blank after the colon", |text, rng| {
        on_line(text, rng, |line| Some(line.replacen(": ", ":", 1)))
    }),
    Text("a blank before the colon", |text, rng| {
        on_line(text, rng, |line| Some(line.replacen(':', " :", 1)))
    }),
    Text("a quoted key", |text, rng| {
        on_line(text, rng, |line| {
            let body = line.trim_start();
            let (key, rest) = body.split_once(':')?;
            let indent = &line[..line.len() - body.len()];
            (!key.contains(['"', '-', '{', ' '])).then(|| format!("{indent}\"{key}\":{rest}"))
        })
    }),
    Text("a single quoted value", |text, rng| {
        on_value(text, rng, |v| format!("'{}'", v.replace('\'', "''")))
    }),
    Text("a double quoted value", |text, rng| on_value(text, rng, |v| format!("{v:?}"))),
    Text("an open quote", |text, rng| on_value(text, rng, |v| format!("\"{v}"))),
    Text("a boolean of YAML 1.1", |text, rng| {
        scalar(text, rng, &["yes", "no", "on", "off", "y", "n", "Yes", "NO", "True", "TRUE"])
    }),
    Text("a number of YAML 1.1", |text, rng| {
        scalar(
            text,
            rng,
            &[
                "0777",
                "0o17",
                "0x1F",
                "1_000",
                "0b101",
                "190:20:30",
                "1e3",
                "1.",
                ".5",
                "+1",
                "-0",
                "1e400",
                "12345678901234567890",
            ],
        )
    }),
    Text("a special float", |text, rng| scalar(text, rng, &[".inf", "-.inf", ".nan", ".NaN", "+.Inf"])),
    Text("a null", |text, rng| scalar(text, rng, &["~", "null", "Null", "NULL", ""])),
    Text("a timestamp", |text, rng| {
        scalar(text, rng, &["2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01 00:00:00"])
    }),
    Text("a tag", |text, rng| {
        let tag = *rng.pick(&["!!str", "!!int", "!!float", "!!bool", "!!null", "!x", "!!binary", "!"]);
        on_value(text, rng, |v| format!("{tag} {v}"))
    }),
    Text("an anchor", |text, rng| on_value(text, rng, |v| format!("&a {v}"))),
    Text("an alias to nothing", |text, rng| scalar(text, rng, &["*nothing"])),
    Text("an anchor and its alias", |text, rng| {
        on_line(text, rng, |line| {
            let (key, value) = line.split_once(": ")?;
            let indent = &line[..line.len() - line.trim_start_matches([' ', '-']).len()].replace('-', " ");
            Some(format!("{key}: &x {value}\n{indent}other: *x"))
        })
    }),
    Text("a merge key", |text, rng| {
        on_line(text, rng, |line| {
            let indent = &line[..line.len() - line.trim_start().len()];
            (!line.trim_start().starts_with('-'))
                .then(|| format!("{indent}<<: {{description: merged}}\n{line}"))
        })
    }),
    Text("a literal block", |text, rng| {
        on_line(text, rng, |line| {
            let (key, value) = line.split_once(": ")?;
            let indent = line.len() - line.trim_start_matches([' ', '-']).len();
            Some(format!("{key}: |\n{}{value}", " ".repeat(indent + 2)))
        })
    }),
    Text("a folded block", |text, rng| {
        on_line(text, rng, |line| {
            let (key, value) = line.split_once(": ")?;
            let indent = line.len() - line.trim_start_matches([' ', '-']).len();
            Some(format!("{key}: >-\n{0}{value}\n{0}more", " ".repeat(indent + 2)))
        })
    }),
    Text("a flow map", |text, rng| {
        scalar(text, rng, &["{a: 1, b: [x, y]}", "{a: 1,}", "[a, b", "{a}", "[]", "{}", "{\"a\":1}"])
    }),
    Text("carriage returns", |text, _| Some(text.replace('\n', "\r\n"))),
    Text("a byte order mark", |text, _| Some(format!("\u{feff}{text}"))),
    Text("a document start", |text, _| Some(format!("---\n{text}"))),
    Text("a second document", |text, _| Some(format!("{text}---\na: b\n"))),
    Text("an empty first document", |text, _| Some(format!("---\n---\n{text}"))),
    Text("a document end", |text, _| Some(format!("{text}...\n"))),
    Text("a directive", |text, _| Some(format!("%YAML 1.1\n---\n{text}"))),
    Text("cut off", |text, rng| {
        let end = (0..=rng.below(text.len())).rev().find(|&i| text.is_char_boundary(i))?;
        Some(text[..end].to_owned())
    }),
    Text("a character less", |text, rng| {
        let at = (0..=rng.below(text.len())).rev().find(|&i| text.is_char_boundary(i))?;
        let mut out = text.to_owned();
        (at < out.len()).then(|| out.remove(at))?;
        Some(out)
    }),
    Text("a character more", |text, rng| {
        let at = (0..=rng.below(text.len())).rev().find(|&i| text.is_char_boundary(i))?;
        let mut out = text.to_owned();
        out.insert(
            at,
            *rng.pick(&[
                '{', '}', '[', ']', ',', ':', '"', '\'', '&', '*', '!', '|', '>', '%', '@', '`', '\u{0}',
                '\u{7f}', '\u{85}', 'é', '-', '?',
            ]),
        );
        Some(out)
    }),
];
