//! Completion, as data: `completion.txt` has expressions with a cursor, and what may be written there.

use crdgen_cel::library::Type;
use crdgen_cel::{CallAround, Candidate, CandidateKind, Env, Environment, call_around};

fn environment() -> Environment {
    let mut env = Env::builder();
    let (resource, item) = (env.object("Resource"), env.object("Item"));
    env.field(&item, "name", Type::String).field(&item, "port", Type::Int).field(
        &item,
        "parent",
        resource.clone(),
    );
    env.field(&resource, "spec", item.clone()).field(&resource, "items", Type::list(item));
    env.field(&resource, "labels", Type::map(Type::String, Type::String));
    env.field(&resource, "maybe", Type::optional(Type::Duration));
    env.field(&resource, "address", Type::Opaque("net.IP")).field(&resource, "any", Type::Dyn);
    env.variable("self", resource.clone()).variable("oldSelf", resource).variable("size_limit", Type::Int);
    env.variable("authorizer.requestResource", Type::Bool);
    env.build().unwrap()
}

/// The names of candidates by what they are. Of functions, only the first ones if there are many.
fn shown(candidates: &[Candidate]) -> String {
    let mut out = String::new();
    let kinds = [
        (CandidateKind::Field, "fields"),
        (CandidateKind::Variable, "variables"),
        (CandidateKind::Macro, "macros"),
        (CandidateKind::Function, "functions"),
        (CandidateKind::Namespace, "namespaces"),
        (CandidateKind::Keyword, "keywords"),
    ];
    for (kind, name) in kinds {
        let names: Vec<&str> = candidates.iter().filter(|it| it.kind == kind).map(|it| &*it.name).collect();
        if !names.is_empty() {
            out.push_str(&format!("  {name}: {}\n", names.join(" ")));
        }
    }
    if out.is_empty() { "  nothing\n".to_owned() } else { out }
}

#[test]
fn completes_expressions() {
    let (env, path) = (environment(), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/completion.txt"));
    let known = std::fs::read_to_string(path).unwrap();
    let mut found = String::new();
    for line in known.lines().filter(|line| !line.starts_with("  ")) {
        found.push_str(line);
        found.push('\n');
        if let Some((before, after)) = line.split_once('|').filter(|_| !line.starts_with('#')) {
            found.push_str(&shown(&env.complete(&format!("{before}{after}"), before.len())));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(known, found, "UPDATE=1 writes what was found");
}

#[test]
fn candidates_have_types_and_texts() {
    let env = environment();
    let one = |text: &str| env.complete(text, text.len()).swap_remove(0);
    let field = one("self.items.all(x, x.po");
    assert_eq!((&*field.ty, &*field.insert), ("int", "port"));
    let function = one("self.spec.name.startsW");
    assert_eq!((&*function.ty, &*function.insert), ("string.startsWith(string) -> bool", "startsWith("));
    let function = one("self.spec.name.trim");
    assert_eq!((&*function.ty, &*function.insert), ("string.trim() -> string", "trim()"));
    let function = one("[1].rev");
    assert_eq!((&*function.ty, &*function.insert), ("list(A).reverse() -> list(A)", "reverse()"));
    let variable = one("self.labels.exists(key, ke");
    assert_eq!((&*variable.ty, &*variable.insert), ("string", "key"));
    let found = one("self.items.filt");
    assert_eq!(
        (found.kind, &*found.insert, found.documentation.is_some()),
        (CandidateKind::Macro, "filter(", true)
    );
}

#[test]
fn calls_around_places() {
    for (text, expected) in [
        ("size(", Some((4, 0))),
        ("self.a.replace('x,(', 'y', ", Some((14, 2))),
        ("f(g(1, 2), [1, 2, {'a': (3, 4", Some((1, 1))),
        ("(a, b", None),
        ("f(1)", None),
        ("", None),
    ] {
        let found =
            call_around(text, text.len()).map(|CallAround { name_end, argument }| (name_end, argument));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn any_place_of_any_text_is_safe() {
    let env = environment();
    let known = include_str!("completion.txt");
    for line in known.lines().chain([
        "äöü.ß(",
        "\"",
        "b'''",
        "{?",
        "[?a.?",
        "((((((",
        "a ? b ? c",
        "x{a: b.",
        "//",
        "1.e",
    ]) {
        for offset in 0..=line.len() + 1 {
            env.complete(line, offset);
            call_around(line, offset);
        }
    }
}
