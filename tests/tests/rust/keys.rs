//! Every key in the table of attributes: what it does (`ui/keys.txt`), and that it is rejected at a wrong place or in a
//! wrong form.

use super::ui::{definitions, source};
use crdgen_core::diag::Level;
use crdgen_rust::attrs::{FAMILIES, Key, place};
use std::path::Path;

const KUBE: &str = "group = \"ui.example.com\", version = \"v1\", kind = \"Foo\"";

/// Keys that need code to run, or a type of another crate. Tests with compiled types check them.
const COMPILED: &[&str] = &["schema with", "schema metadata", "schemars schema_with"];

/// Keys that are always mistakes, because another key has to be used instead.
const REFUSED: &[&str] = &["schemars transform"];

fn rows() -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/keys.table");
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{e}"));
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    let row = |line: &str| {
        let parts: Vec<&str> = line.splitn(3, " |").map(str::trim).collect();
        let [key, item, wanted] = parts.as_slice() else { panic!("{line}") };
        let item = item.split(" / ").map(|line| match line.strip_prefix("kube + ") {
            Some(more) => format!("kube {KUBE}, {more}\n"),
            None => format!("{line}\n"),
        });
        (key.to_string(), item.collect(), wanted.to_string())
    };
    lines.map(row).collect()
}

#[test]
fn every_key_has_its_documented_effect() {
    let rows = rows();
    let keys: Vec<String> = FAMILIES
        .iter()
        .flat_map(|(family, keys)| keys.iter().map(move |k| format!("{family} {}", k.name)))
        .collect();
    let without: Vec<&String> = keys.iter().filter(|k| !rows.iter().any(|(key, ..)| key == *k)).collect();
    assert!(without.is_empty(), "without a line in ui/keys.table: {without:?}");
    let gone: Vec<&str> =
        rows.iter().map(|(key, ..)| key.as_str()).filter(|k| !keys.iter().any(|key| key == k)).collect();
    assert!(gone.is_empty(), "no keys any more: {gone:?}");
    let mut wrong = Vec::new();
    for (key, item, wanted) in rows {
        if COMPILED.contains(&key.as_str()) || REFUSED.contains(&key.as_str()) {
            continue;
        }
        let (found, crds) = definitions(&source(&item));
        let errors: Vec<String> =
            found.iter().filter(|f| f.diag.level == Level::Error).map(|f| f.diag.text()).collect();
        let text = crds.concat();
        if !errors.is_empty() || crds.is_empty() || !text.contains(&wanted) {
            wrong.push(format!("{key}: {wanted}\n  {}{text}", errors.concat()));
        }
    }
    assert!(wrong.is_empty(), "{} keys:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns an item with an attribute at a place.
fn at(place: u8, attribute: &str) -> String {
    match place {
        place::ROOT => format!("type {attribute}\npub f: i32,\n"),
        place::TYPE => format!("pub f: S,\n+ #[derive(Schema)] {attribute} pub struct S {{ a: i32 }}\n"),
        place::VARIANT => {
            format!("pub f: E,\n+ #[derive(Schema)] pub enum E {{ {attribute} A {{ a: i32 }} }}\n")
        }
        _ => format!("{attribute} pub f: i32,\n"),
    }
}

const PLACES: &[u8] = &[place::ROOT, place::TYPE, place::VARIANT, place::FIELD];

fn refused(item: &str) -> bool {
    definitions(&source(item)).0.iter().any(|f| f.diag.level == Level::Error)
}

#[test]
fn rejects_every_key_where_it_does_not_belong() {
    let mut taken = Vec::new();
    for (family, keys) in FAMILIES.iter().filter(|(family, _)| *family != "kube") {
        for place in PLACES {
            for key in keys.iter() {
                let allowed = keys.iter().filter(|k| k.name == key.name).any(|k| k.places & place != 0);
                if !allowed && !refused(&at(*place, &format!("#[{family}({})]", key.name))) {
                    taken.push(format!("{family} {} at {place}", key.name));
                }
            }
        }
    }
    assert!(taken.is_empty(), "{taken:?}");
}

/// No key accepts all of these: a flag, a number, a list with nothing known, and a meaningless text.
#[test]
fn rejects_every_key_in_a_wrong_form() {
    let mut taken = Vec::new();
    for (family, keys) in FAMILIES {
        for Key { name, places, doc, .. } in keys.iter() {
            // Values that another program reads are its own responsibility.
            let foreign = ["describes this type of another crate", "no effect", "Only the crate checks it"];
            if foreign.iter().any(|words| doc.contains(words)) {
                continue;
            }
            let place = PLACES.iter().copied().find(|p| p & places != 0).unwrap_or(place::FIELD);
            let forms = ["", " = 1.5", " = \"\\u{0}\"", "(\"\\u{0}\", nothing = 1)"];
            let is_refused = forms.iter().any(|form| match *family {
                "kube" => refused(&format!("kube {KUBE}, {name}{form}\npub f: i32,\n")),
                _ => refused(&at(place, &format!("#[{family}({name}{form})]"))),
            });
            if !is_refused {
                taken.push(format!("{family} {name}"));
            }
        }
    }
    assert!(taken.is_empty(), "{taken:?}");
}
