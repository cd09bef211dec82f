//! `crdgen explain CODE`, and `crdgen explain KIND.field --crd FILES`.

use std::fmt::Write;

use crdgen_core::diag::codes;
use crdgen_core::emit::docs::{Fact, Field, Page, Rule, Said, Version, page};
use crdgen_core::inert::InertLine;
use crdgen_core::ir::Names;

use super::terminal::{Ready, print};
use super::{Outcome, accepted, inputs};
use crate::Error;

/// Explain a diagnostic code, or a field of a kind
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen explain CRD012
  crdgen explain CronTab.spec.replicas --crd crds")]
pub(crate) struct Args {
    /// A code such as CRD012, all being listed when missing; or with --crd a kind or one of its fields, such
    /// as CronTab.spec.replicas
    #[arg(value_name = "CODE|KIND.FIELD", value_parser = super::values::CODES, hide_possible_values = true)]
    what: Option<String>,
    /// The definitions of kinds: files, directories, glob patterns, or - for standard input
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath, num_args = 1.., requires = "what")]
    crd: Vec<String>,
    /// In this version instead of the stored one
    #[arg(long, value_name = "NAME", requires = "crd")]
    version: Option<String>,
    /// All fields inside, with nothing but their types
    #[arg(long, requires = "crd")]
    recursive: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    match &args.what {
        Some(field) if !args.crd.is_empty() => explain_field(field, args),
        Some(code) => explain_code(code),
        None => {
            let lines: String = codes::TABLES
                .iter()
                .flat_map(|table| table.iter())
                .map(|code| format!("{}  {}\n", code.id, code.title))
                .collect();
            print(&Ready::text(&lines))?;
            Ok(Outcome::Fine)
        }
    }
}

fn explain_code(id: &str) -> Result<Outcome, Error> {
    let no_code = || {
        let field = if id.contains('.') { "; for a field, name its definition with --crd" } else { "" };
        Error::Nothing(format!("there is no code {id}; `crdgen explain` lists all of them{field}"))
    };
    let code = codes::find(id).ok_or_else(no_code)?;
    print(&Ready::text(&format!("{}: {}\n\n{}\n", code.id, code.title, code.explain)))?;
    Ok(Outcome::Fine)
}

fn explain_field(what: &str, args: &Args) -> Result<Outcome, Error> {
    // Brackets of lists may be written, but need not.
    let path: Vec<&str> = what.split('.').map(|part| part.split('[').next().unwrap_or(part)).collect();
    let (kind, path) = path.split_first().unwrap_or((&"", &[]));
    let (mut found, mut known): (Option<Page>, Vec<String>) = (None, Vec::new());
    let outcome = accepted::each(&args.crd, true, false, |crds| {
        for crd in &crds {
            if found.is_none() && is_named(&crd.spec.names, kind) {
                found = Some(page(crd));
            }
            if known.len() < KNOWN {
                known.push(crd.spec.names.kind.clone());
            }
        }
        Ok(())
    })?;
    let page = &found.ok_or_else(|| {
        let there = match (known.as_slice(), outcome) {
            ([], Outcome::Findings) => "a server rejects every definition that was read".to_owned(),
            ([], Outcome::Fine) => format!("no CustomResourceDefinition in {}", inputs::names(&args.crd)),
            (known, _) => format!("there are {}", known.join(", ")),
        };
        Error::Nothing(format!("no definition of a kind {kind}; {there}"))
    })?;
    let version = match &args.version {
        None => page.main_version(),
        Some(name) => page.versions.iter().find(|v| v.name == *name),
    };
    let version = version.ok_or_else(|| {
        let known: Vec<&str> = page.versions.iter().map(|v| v.name.as_str()).collect();
        Error::Nothing(format!("{} has no such version; there are {}", page.kind, known.join(", ")))
    })?;
    let field = match path {
        [] => None,
        path => Some(version.field(path).ok_or_else(|| no_field(page, version, path))?),
    };
    print(&Ready::text(&answer(page, version, field, args.recursive)))?;
    Ok(outcome)
}

/// How many kinds are named where the wanted one is not there.
const KNOWN: usize = 20;

fn is_named(own: &Names, name: &str) -> bool {
    let Names { kind, plural, singular, short_names, .. } = own;
    let names = [kind, plural, singular].into_iter().chain(short_names);
    names.into_iter().any(|own| !own.is_empty() && own.eq_ignore_ascii_case(name))
}

/// Says how far the path leads, and what there is.
fn no_field(page: &Page, version: &Version, path: &[&str]) -> Error {
    let known = (1..path.len()).rev().find_map(|n| Some((n, version.field(&path[..n])?)));
    let (at, place) = match known {
        Some((n, field)) => (n, format!("{}.{}", page.kind, field.path)),
        None => (0, page.kind.clone()),
    };
    let names: Vec<&str> = version.inside(known.map(|(_, f)| f)).map(|f| f.name.as_str()).collect();
    let there = if names.is_empty() {
        "it has no fields".to_owned()
    } else {
        format!("there are {}", names.join(", "))
    };
    Error::Nothing(format!("{place} has no field {}; {there}", path[at]))
}

fn answer(page: &Page, version: &Version, field: Option<&Field>, recursive: bool) -> String {
    let mut out = String::new();
    let mut row = |name: &str, value: &str| _ = writeln!(out, "{name:<11}{}", InertLine(value));
    row("GROUP:", &page.group);
    row("KIND:", &page.kind);
    row("VERSION:", &version.name);
    if let Some(field) = field {
        row("FIELD:", &format!("{} <{}>{}", field.path, field.ty, must(field)));
        if let Some(default) = &field.default {
            row("DEFAULT:", default);
        }
    }
    if let Some(example) = field.map_or(&version.example, |field| &field.example) {
        row("EXAMPLE:", example);
    }
    if let Some(warning) = &version.deprecated {
        row("DEPRECATED:", warning);
    }
    let (description, facts, rules) = match field {
        Some(Field { description, facts, rules, .. }) => (description, facts, rules),
        None => (&version.description, &version.facts, &version.rules),
    };
    if !description.is_empty() {
        out.push_str("\nDESCRIPTION:\n");
        wrap(description, 4, &mut out);
    }
    if !facts.is_empty() || !rules.is_empty() {
        out.push_str("\nCONSTRAINTS:\n");
    }
    for fact in facts {
        let Fact { what, values } = fact;
        if fact.is_long() {
            _ = writeln!(out, "    {}", InertLine(what));
            for Said { text, about } in values {
                _ = writeln!(out, "      - {}", InertLine(format!("{text} {about}").trim_end()));
            }
            continue;
        }
        let values: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        _ = writeln!(out, "    {}", InertLine(format!("{what} {}", values.join(", ")).trim_end()));
    }
    for Rule { rule, message, .. } in rules {
        _ = writeln!(out, "    {}", if message.is_empty() { rule } else { message });
        if !message.is_empty() {
            _ = writeln!(out, "        {rule}");
        }
    }
    let mut inside = version.inside(field).peekable();
    if inside.peek().is_some() {
        out.push_str("\nFIELDS:\n");
    }
    if recursive {
        let from =
            field.and_then(|f| version.fields.iter().position(|g| g.path == f.path)).map_or(0, |at| at + 1);
        let depth = field.map_or(0, |f| f.depth + 1);
        for field in version.fields[from..].iter().take_while(|f| f.depth >= depth) {
            let indent = 2 * (field.depth - depth + 1);
            _ = writeln!(out, "{:indent$}{}", "", heading(field));
        }
        return out;
    }
    for field in inside {
        _ = writeln!(out, "  {}", heading(field));
        wrap(&field.description, 4, &mut out);
        out.push('\n');
    }
    out
}

/// The line of a field: a name with line breaks must not look like several.
fn heading(field: &Field) -> String {
    format!("{} <{}>{}", InertLine(&field.name), InertLine(&field.ty), must(field))
}

fn must(field: &Field) -> &'static str {
    if field.required { " -required-" } else { "" }
}

const WIDTH: usize = 80;

/// Breaks long lines between words.
fn wrap(text: &str, indent: usize, out: &mut String) {
    for line in text.trim().lines() {
        let mut column = 0;
        for word in line.split_whitespace() {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > WIDTH {
                out.push('\n');
                column = 0;
            }
            if column == 0 {
                _ = write!(out, "{:indent$}{word}", "");
                column = indent + width;
            } else {
                _ = write!(out, " {word}");
                column += 1 + width;
            }
        }
        out.push('\n');
    }
}
