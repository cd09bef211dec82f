//! Help is advice that works. For each error of `tests/ui` whose help names an edit, the test makes the edit, and the error must
//! be gone without a new one. `tests/ui/advice.skip` lists the errors for which that cannot be, with the reason.

use super::ui;
use crdgen_core::diag::Level;
use crdgen_source::{At, Found};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use syn::spanned::Spanned;

#[test]
fn every_help_that_names_an_edit_works() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/advice.skip");
    let skipped = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}"));
    let skipped: BTreeMap<&str, &str> = skipped
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(" -- ").unwrap_or_else(|| panic!("{line}: no reason")))
        .collect();
    let (mut tested, mut without, mut used) = (0, 0, BTreeSet::new());
    let mut failed = Vec::new();
    ui::each_case(&mut |file, name, text| {
        let before = errors(text);
        for found in ui::findings(text).0.iter().filter(|found| found.diag.level == Level::Error) {
            let all = edits(text, found);
            if all.is_empty() {
                without += 1;
                continue;
            }
            tested += 1;
            let own = key(found);
            let works = |edited: &String| {
                let after = errors(edited);
                !after.contains_key(&own)
                    && after.iter().all(|(error, count)| before.get(error) >= Some(count))
            };
            if all.iter().any(works) {
                continue;
            }
            let place = format!("{file}: {name}");
            if let Some((place, _)) = skipped.get_key_value(place.as_str()) {
                used.insert(*place);
                continue;
            }
            let help = found.diag.help.as_deref().unwrap_or_default();
            failed.push(format!(
                "{place}: {}: {}\n  help: {help}\n  tried: {}",
                own.0,
                own.1,
                all.join("\n  or: ")
            ));
        }
    });
    println!("{tested} helps name an edit, {without} do not");
    assert!(failed.is_empty(), "{} helps do not work:\n{}", failed.len(), failed.join("\n"));
    let unused: Vec<&&str> = skipped.keys().filter(|place| !used.contains(**place)).collect();
    assert!(unused.is_empty(), "{}: these helps work or are gone: {unused:?}", path.display());
}

fn key(found: &Found) -> (&'static str, String) {
    (found.diag.code.id, found.diag.detail.clone())
}

/// The errors of a source, each with how often it occurs.
fn errors(text: &str) -> BTreeMap<(&'static str, String), usize> {
    let mut out = BTreeMap::new();
    for found in ui::findings(text).0.iter().filter(|found| found.diag.level == Level::Error) {
        *out.entry(key(found)).or_default() += 1;
    }
    out
}

/// What the source can become if its author follows the help.
fn edits(text: &str, found: &Found) -> Vec<String> {
    let (Some(help), Some(at)) = (&found.diag.help, &found.at) else { return Vec::new() };
    let mut out = Vec::new();
    if let Some(rest) = help.strip_prefix("did you mean `") {
        let name = rest.split('`').next().unwrap_or_default();
        let range = at.start.offset..at.end.offset;
        let old = text.get(range.clone()).unwrap_or_default();
        // The place may be a path or an expression in which the message names a part.
        let parts = found.diag.detail.split('`').skip(1).step_by(2).filter(|part| old.contains(part));
        out.extend(parts.map(|part| replaced(text, range.clone(), &old.replace(part, name))));
        // The server points to the sign before a field.
        let quoted = found.diag.detail.split('\'').skip(1).step_by(2);
        let at_field = |field: &str| text.get(range.start..)?.find(field).map(|at| range.start + at);
        let fields = quoted.filter_map(|field| Some((at_field(field)?, field)));
        out.extend(fields.map(|(at, field)| replaced(text, at..at + field.len(), name)));
        out.push(replaced(text, range.clone(), name));
    }
    let parts = Parts::around(text, at);
    for attribute in attributes(help) {
        let key = attribute
            .trim_start_matches("#[serde(")
            .trim_start_matches("#[schema(")
            .split(['(', ')', ' '])
            .next();
        let removes =
            help.contains(&format!("emove {attribute}")) || help.contains(&format!(" or {attribute}"));
        if let Some(key) = key.filter(|_| removes && help.contains("emove ")) {
            out.extend(parts.0.iter().filter_map(|part| without(text, part, key)));
        }
        out.extend(
            parts.0.iter().map(|part| replaced(text, part.start..part.start, &format!("{attribute} "))),
        );
    }
    if help.contains("make it an Option") || help.contains("make the field an Option") {
        out.extend(
            parts.1.iter().map(|ty| replaced(text, ty.clone(), &format!("Option<{}>", &text[ty.clone()]))),
        );
    }
    for key in removed(help) {
        out.extend(parts.0.iter().filter_map(|part| without(text, part, key)));
    }
    out
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    let old = text.get(range.clone()).unwrap_or_default();
    let by = if old.starts_with('"') && !by.starts_with('"') { format!("{by:?}") } else { by.to_owned() };
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

/// The attributes that a help names in full.
fn attributes(help: &str) -> Vec<&str> {
    let starts = help.match_indices("#[").map(|(at, _)| at);
    let whole = |at: usize| {
        let mut depth = 0;
        for (i, c) in help[at..].char_indices() {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 && c == ']' {
                return Some(&help[at..at + i + 1]);
            }
        }
        None
    };
    // These are placeholders.
    let placeholders = ["…", "path", "Type", "!key", "versioned", "Schemars<"];
    starts
        .filter_map(whole)
        .filter(|it| it.contains('(') && !placeholders.iter().any(|word| it.contains(word)))
        .collect()
}

/// The keys that a help says to remove: "remove `key`".
fn removed(help: &str) -> Vec<&str> {
    let lower = |at: usize| help[at..].strip_prefix("emove `").and_then(|rest| rest.split('`').next());
    help.match_indices("emove `").filter_map(|(at, _)| lower(at)).collect()
}

/// The text without a key of an attribute in one of its parts.
fn without(text: &str, part: &Range<usize>, key: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let inside = &text[part.clone()];
    let at = inside.match_indices(key).map(|(at, _)| at).find(|at| {
        let before = inside[..*at].chars().next_back();
        let after = inside[at + key.len()..].chars().next();
        !before.is_some_and(is_word) && (key.ends_with(')') || !after.is_some_and(is_word))
    })?;
    let (mut depth, mut quoted, mut end) = (0, false, inside.len());
    for (i, c) in inside[at..].char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted && depth == 0 => {
                end = at + i;
                break;
            }
            ')' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                end = at + i + 1;
                break;
            }
            _ => {}
        }
    }
    Some(replaced(text, part.start + at..part.start + end, ""))
}

/// The fields, variants and types around a place, from the inside, and the types of the fields.
struct Parts(Vec<Range<usize>>, Vec<Range<usize>>);

impl Parts {
    fn around(text: &str, at: &At) -> Parts {
        let mut parts = Parts(Vec::new(), Vec::new());
        if let Ok(file) = syn::parse_file(text) {
            file.items.iter().for_each(|item| parts.item(item, at.start.offset));
        }
        parts
    }

    fn item(&mut self, item: &syn::Item, at: usize) {
        self.note(item, None, at);
        match item {
            syn::Item::Struct(it) => it.fields.iter().for_each(|field| self.note(field, Some(&field.ty), at)),
            syn::Item::Enum(it) => {
                for variant in &it.variants {
                    self.note(variant, None, at);
                    variant.fields.iter().for_each(|field| self.note(field, Some(&field.ty), at));
                }
            }
            syn::Item::Mod(it) => {
                it.content.iter().flat_map(|(_, all)| all).for_each(|item| self.item(item, at))
            }
            _ => {}
        }
    }

    fn note(&mut self, part: &impl Spanned, ty: Option<&syn::Type>, at: usize) {
        let range = part.span().byte_range();
        if range.contains(&at) {
            self.0.insert(0, range);
            self.1.splice(0..0, ty.map(|ty| ty.span().byte_range()));
        }
    }
}
