//! The derives never panic, whatever tokens they get, and never reject any without a message.

use crdgen_rust::derive::item;
use crdgen_tests::rng::Rng;

const PIECES: &[&str] = &[
    "minimum",
    "maximum",
    "pattern",
    "rule",
    "items",
    "values",
    "keys",
    "override",
    "property",
    "raw",
    "as",
    "with",
    "opaque",
    "list_type",
    "list_map_keys",
    "default",
    "one_of_values",
    "any_of",
    "not",
    "column",
    "scale",
    "length",
    "range",
    "extend",
    "regex",
    "contains",
    "inner",
    "merge_strategy",
    "validation",
    "rename",
    "rename_all",
    "tag",
    "content",
    "untagged",
    "other",
    "flatten",
    "skip",
    "group",
    "version",
    "kind",
    "status",
    "printcolumn",
    "crates",
    "conversion",
    "webhook",
    "service",
    "shortname",
    "min",
    "max",
    "name",
    "crate",
    "=",
    "=",
    "=",
    ",",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    "::",
    "!",
    "-",
    "&",
    "*",
    "<",
    ">",
    "1",
    "-1",
    "1.5",
    "0xff",
    "99999999999999999999",
    "\"a\"",
    "\"^(a\"",
    "\"type\"",
    "\"object\"",
    "\".a[].b\"",
    "r#\"{\"name\":1}\"#",
    "'c'",
    "true",
    "false",
    "null",
    "Rule::new(\"x\")",
    ".message(\"y\")",
    "ListMerge::Map",
    "vec!",
    "*RE",
    "Vec<String>",
    "map",
    "set",
    "camelCase",
];

fn tokens(rng: &mut Rng) -> String {
    let (mut out, mut open) = (String::new(), Vec::new());
    for _ in 0..rng.below(14) {
        let piece = *rng.pick(PIECES);
        match piece {
            "(" | "[" | "{" => open.push(piece),
            ")" | "]" | "}" => {
                let want = open.last().map(|o| match *o {
                    "(" => ")",
                    "[" => "]",
                    _ => "}",
                });
                if want != Some(piece) {
                    continue;
                }
                open.pop();
            }
            _ => {}
        }
        out.push_str(piece);
        out.push(' ');
    }
    for o in open.iter().rev() {
        out.push_str(match *o {
            "(" => ")",
            "[" => "]",
            _ => "}",
        });
    }
    out
}

#[test]
fn no_attributes_make_the_derives_panic() {
    const FAMILIES: &[&str] = &["schema", "kube", "x_kube", "schemars", "validate", "garde", "serde"];
    const TYPES: &[&str] = &[
        "i32",
        "String",
        "Vec<String>",
        "Option<Foo>",
        "BTreeMap<String, i32>",
        "(i32, u8)",
        "[u8; 3]",
        "&'static str",
    ];
    let rounds = std::env::var("CRDGEN_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(5_000);
    let mut refused = 0;
    for round in 0..rounds {
        let mut rng = Rng::of_case(11, round);
        let attribute = |rng: &mut Rng| format!("#[{}({})]", rng.pick(FAMILIES), tokens(rng));
        let (a, b, c, d) =
            (attribute(&mut rng), attribute(&mut rng), attribute(&mut rng), attribute(&mut rng));
        let (t, u) = (*rng.pick(TYPES), *rng.pick(TYPES));
        let source = match rng.below(3) {
            0 => format!("{a} {b} pub struct Foo {{ {c} pub a: {t}, {d} b: {u} }}"),
            1 => format!("{a} {b} pub enum Foo {{ {c} A, B({t}), {d} C {{ x: {u} }}, D({t}, {u}) }}"),
            _ => format!("{a} {b} pub struct Foo({c} {t}, {d} {u});"),
        };
        let Ok(stream) = source.parse::<proc_macro2::TokenStream>() else { continue };
        let schema = item::schema(stream.clone()).to_string();
        let kind = item::custom_resource(stream).to_string();
        refused += usize::from(schema.contains("compile_error") || kind.contains("compile_error"));
        assert!(schema.contains("Schema for Foo") || schema.contains("compile_error"), "{source}\n{schema}");
    }
    println!("{refused} of {rounds} refused");
}
