//! `#[x_kube(…)]`, in which kube-rs has rules and merge strategies.

use super::meta::{Arg, Meta};
use super::place::{ALL, FIELD, TYPES};
use super::{Key, Reader};

pub(super) static KEYS: &[Key] = &[
    Key {
        name: "validation",
        places: ALL,
        repeat: true,
        form: "= \"self.…\"",
        doc: "A CEL rule, written as `\"rule\"`, `(\"rule\", \"message\")` or `Rule::new(…)`.",
        set: rule,
    },
    Key {
        name: "merge_strategy",
        places: FIELD | TYPES,
        repeat: false,
        form: "= ListMerge::Set",
        doc: "How server-side apply merges a list, map or struct: `ListMerge::Atomic`, `::Set` or `::Map(vec![\"key\".into()])`, `MapMerge::Atomic` or `::Granular`, `StructMerge::Atomic` or `::Granular`.",
        set: merge_strategy,
    },
    Key {
        name: "cel",
        places: TYPES,
        repeat: false,
        form: "",
        doc: "Generates functions that check values against the CEL rules.",
        set: |r, m| {
            r.kube().cel = r.flag(m) == Some(true);
        },
    },
    Key {
        name: "crates",
        places: TYPES,
        repeat: false,
        form: "(crdgen = \"path\", …)",
        doc: "The paths at which crates are re-exported.",
        set: |r, m| {
            for part in r.parts(m).unwrap_or_default() {
                if let Some(path) = r.path(&part) {
                    r.kube().crates.push((part.key.clone(), path));
                }
            }
        },
    },
];

/// `#[cel_validate(…)]`, as kube 0.98 and 0.99 spelled `#[x_kube(validation = …)]`.
pub(super) static OLD_KEYS: &[Key] = &[Key {
    name: "rule",
    places: ALL,
    repeat: true,
    form: "= Rule::new(\"self.…\")",
    doc: "The same as `#[x_kube(validation = …)]`, as kube 0.98 and 0.99 spelled it.",
    set: rule,
}];

fn rule(r: &mut Reader<'_>, m: &Meta) {
    if let Some(rule) = r.rule(m) {
        r.attrs.patch.set.rules.push(rule);
    }
}

fn merge_strategy(r: &mut Reader<'_>, m: &Meta) {
    let form = "merge_strategy = ListMerge::Set (or ListMerge::Atomic, ListMerge::Map(vec![\"key\".into()]), MapMerge::…, StructMerge::…)";
    let Arg::Value(tokens) = &m.arg else { return r.form(m, form) };
    // Only the path matters. The strings in it are the keys.
    let mut tokens = tokens.stream();
    let mut text = names(&tokens);
    // `MergeStrategy::ListType(ListMerge::Set)`
    if text.iter().rev().nth(1).is_some_and(|name| name == "MergeStrategy")
        && let Some(proc_macro2::TokenTree::Group(inner)) = tokens.clone().into_iter().last()
    {
        tokens = inner.stream();
        let inner = names(&tokens);
        let merge = inner.iter().rev().find(|name| name.ends_with("Merge"));
        if merge.map(|name| name.replace("Merge", "Type")) == text.pop() {
            text = inner;
        }
    }
    let ext = &mut r.attrs.patch.set.ext;
    match text.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [.., "ListMerge", "Atomic"] => ext.list_type = Some("atomic".into()),
        [.., "ListMerge", "Set"] => ext.list_type = Some("set".into()),
        [.., "ListMerge", "Map"] | [.., "ListMerge", "Map", _] => {
            ext.list_type = Some("map".into());
            strings(tokens.clone(), &mut ext.list_map_keys);
        }
        [.., "MapMerge" | "StructMerge", "Atomic"] => ext.map_type = Some("atomic".into()),
        [.., "MapMerge" | "StructMerge", "Granular"] => ext.map_type = Some("granular".into()),
        _ => r.form(m, form),
    }
}

/// The names outside of brackets.
fn names(tokens: &proc_macro2::TokenStream) -> Vec<String> {
    let name = |token| match token {
        proc_macro2::TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    };
    tokens.clone().into_iter().filter_map(name).collect()
}

fn strings(tokens: proc_macro2::TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(g) => strings(g.stream(), out),
            proc_macro2::TokenTree::Literal(l) => {
                out.extend(super::string_of(proc_macro2::TokenTree::from(l).into()));
            }
            proc_macro2::TokenTree::Ident(_) | proc_macro2::TokenTree::Punct(_) => {}
        }
    }
}
