//! What kubectl does not show of a field: its default, an example and its constraints.

use std::fmt::Write;

use crdgen_text::inert::InertLine;

use crate::docs::{Documented, Fact, Field, Rule, Version};

/// The checks of a field that kubectl does not show, and those of the fields in it. Without a field, those of the version.
pub fn beyond(version: &Version, field: Option<&Field>) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: &str| _ = writeln!(out, "{name}:\n    {}\n", InertLine(value));
    if let Some(warning) = &version.deprecated {
        row("DEPRECATED", warning);
    }
    if let Some(default) = field.and_then(|field| field.default.as_ref()) {
        row("DEFAULT", default);
    }
    if let Some(example) = field.map_or(&version.example, |field| &field.example) {
        row("EXAMPLE", example);
    }
    let (facts, rules) = match field {
        Some(field) => (&field.facts, &field.rules),
        None => (&version.facts, &version.rules),
    };
    if !facts.is_empty() || !rules.is_empty() {
        out.push_str("CONSTRAINTS:\n");
        constraints(facts, rules, 4, &mut out);
        out.push('\n');
    }
    let has_more = |field: &&Field| {
        field.default.is_some()
            || field.example.is_some()
            || !field.facts.is_empty()
            || !field.rules.is_empty()
    };
    let inside: Vec<&Field> = version.inside(field).filter(has_more).collect();
    if inside.is_empty() {
        return out;
    }
    out.push_str("CONSTRAINTS OF FIELDS:\n");
    for field in inside {
        _ = writeln!(out, "  {}", InertLine(&field.name));
        for (what, value) in [("default", &field.default), ("example", &field.example)] {
            if let Some(value) = value {
                _ = writeln!(out, "    {what} {}", InertLine(value));
            }
        }
        constraints(&field.facts, &field.rules, 4, &mut out);
    }
    out.push('\n');
    out
}

/// Writes each constraint on a line. If a constraint has alternatives, each of them gets a line too.
fn constraints(facts: &[Fact], rules: &[Rule], indent: usize, out: &mut String) {
    for fact in facts {
        let Fact { what, values } = fact;
        if fact.is_long() {
            _ = writeln!(out, "{:indent$}{}", "", InertLine(what));
            for Documented { text, about } in values {
                let colon = if about.is_empty() { "" } else { ": " };
                _ = writeln!(out, "{:indent$}  - {}", "", InertLine(&format!("{text}{colon}{about}")));
            }
            continue;
        }
        // Commas and `and` would be ambiguous between alternatives.
        let is_clause =
            ["any of", "all of", "exactly one of", "not"].iter().any(|words| what.ends_with(words));
        let is_joined = is_clause && values.iter().any(|value| value.text.contains(" and "));
        let shown = |text: &str| if is_joined { format!("({text})") } else { text.to_owned() };
        let values: Vec<String> = values.iter().map(|value| shown(&value.text)).collect();
        _ = writeln!(out, "{:indent$}{}", "", InertLine(format!("{what} {}", values.join(", ")).trim_end()));
    }
    for Rule { rule, message, .. } in rules {
        let (first, second) = if message.is_empty() { (rule, None) } else { (message, Some(rule)) };
        _ = writeln!(out, "{:indent$}{}", "", InertLine(first));
        if let Some(second) = second {
            _ = writeln!(out, "{:indent$}    {}", "", InertLine(second));
        }
    }
}
