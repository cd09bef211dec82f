//! Texts that YAML readers read differently: scalars in all places, structures in all styles, and mutations of both.

mod grow;
mod mutate;
mod structure;

pub use grow::fuzz;
pub use mutate::mutate;
pub use structure::structure;

use crate::case::Case;
use crate::rng::Rng;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_core::{go, json};

/// The scalars, one per line.
const SCALARS: &str = include_str!("../../corpus/yaml/scalars.txt");
/// Whole texts, one per line, with escapes.
const TEXTS: &str = include_str!("../../corpus/yaml/texts.txt");

/// The lines of a case file: comments start with `##`.
fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|l| !l.is_empty() && !l.starts_with("##"))
}

/// Decodes the escapes in a line: `\n`, `\t`, `\r`, `\\`, `\xHH` for a byte, and `\*N` to repeat the previous character
/// N more times.
fn unescape(line: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        let (c, tail) = after.split_at(1);
        rest = tail;
        match c {
            "n" => out.push(b'\n'),
            "t" => out.push(b'\t'),
            "r" => out.push(b'\r'),
            "x" => {
                out.push(u8::from_str_radix(&rest[..2], 16).unwrap_or_default());
                rest = &rest[2..];
            }
            "*" => {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let count: usize = rest[..digits].parse().unwrap_or_default();
                let last = out.last().copied().unwrap_or_default();
                out.resize(out.len() + count, last);
                rest = &rest[digits..];
            }
            other => out.extend_from_slice(other.as_bytes()),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// The hand-written texts.
pub fn texts() -> Vec<Vec<u8>> {
    lines(TEXTS).map(unescape).collect()
}

/// The scalars.
pub fn scalars() -> Vec<Vec<u8>> {
    lines(SCALARS).map(unescape).collect()
}

/// The places where a scalar can be. `@` is its placeholder.
const PLACES: &[&str] = &[
    "@\n",
    "a: @\n",
    "@: a\n",
    "- @\n",
    "? @\n: @\n",
    "[@, @]\n",
    "{@: @}\n",
    "{? @ : a}\n",
    "a: !!str @\n",
    "a: !!int @\n",
    "a: !!float @\n",
    "a: !!bool @\n",
    "a: !!null @\n",
    "a: !!timestamp @\n",
    "a: !!binary @\n",
    "a: !foo @\n",
    "a: ! @\n",
    "a: '@'\n",
    "a: \"@\"\n",
    "a: |\n  @\n",
    "a: >-\n  @\n  @\n",
    "&a @\n",
    "a: &b @\nc: *b\n",
    "a: @ # c\n",
    "a:\n  @\n  @\nb: @\n",
    "@",
];

/// Returns the scalars in all places.
pub fn placed_scalars() -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    for scalar in scalars() {
        for place in PLACES {
            let mut text = Vec::new();
            for byte in place.bytes() {
                match byte {
                    b'@' => text.extend_from_slice(&scalar),
                    byte => text.push(byte),
                }
            }
            out.push(text);
        }
    }
    out
}

/// Returns all texts that are written by hand, either whole or as scalars in their places.
pub fn torture() -> Vec<Vec<u8>> {
    let mut out = texts();
    out.extend(placed_scalars());
    out
}

/// Generates a text: a structure, a mutated structure, or a mutation of a text that is written by hand.
pub fn generated(pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    match rng.below(4) {
        0 => structure(rng),
        1 => {
            let text = structure(rng);
            mutate(&text, pool, rng)
        }
        _ => {
            let text = rng.pick(pool).clone();
            mutate(&text, pool, rng)
        }
    }
}

/// How many generated texts are recorded.
const GENERATED: u64 = 4000;

/// Returns the cases that are recorded: texts written by hand, generated texts, and what crdgen writes for both.
pub fn cases(seed: u64) -> Vec<Case> {
    let pool = torture();
    let mut out = Vec::new();
    for (i, text) in pool.iter().enumerate() {
        out.push(case(format!("torture {i}"), text));
    }
    for i in 0..GENERATED {
        out.push(case(format!("generated {i}"), &generated(&pool, &mut Rng::of_case(seed, i))));
    }
    let read: Vec<Vec<u8>> = out.iter().map(text_of).collect();
    for (i, text) in read.iter().enumerate().filter(|(i, _)| i % 3 == 0) {
        for (j, document) in yaml::read(text).0.iter().enumerate() {
            out.push(case(format!("written {i}.{j}"), yaml::write(&document.value).as_bytes()));
        }
    }
    out.retain(|case| {
        let text = text_of(case);
        let (documents, diags) = yaml::read(&text);
        // If a text has repeated keys, it may have undecided ones too. If several keys are invalid, the server reports
        // a random one.
        let several = documents.iter().any(|d| !d.strict.is_empty())
            || diags.iter().any(|d| d.text.contains("unsupported map key"));
        let doubtful = case.name.starts_with("generated") && several;
        is_decided(&text) && !doubtful && !documents.iter().any(|d| d.undecided)
    });
    out
}

/// Returns the request to read a text.
fn case(name: String, text: &[u8]) -> Case {
    let request: Map<Value> = match std::str::from_utf8(text) {
        Ok(text) => [("op", "yaml".to_owned()), ("text", text.to_owned())].into_iter(),
        Err(_) => [("op", "yaml".to_owned()), ("base64", go::base64_encode(text))].into_iter(),
    }
    .map(|(key, value)| (key, Value::Str(value)))
    .collect();
    Case { name, request: Value::Map(request) }
}

/// Returns the text of a request.
pub fn text_of(case: &Case) -> Vec<u8> {
    let field = |key| case.request.get(key).and_then(Value::as_str);
    match field("base64") {
        Some(text) => go::base64_decode(text).unwrap_or_default(),
        None => field("text").unwrap_or_default().as_bytes().to_vec(),
    }
}

/// Returns a value as it is read from its JSON text: a float without a fraction becomes an integer.
pub fn as_json(value: &Value) -> Value {
    json::read(json::to_string(value).as_bytes()).unwrap_or_default()
}

/// Whether the server and kubectl have one answer that is worth having. Not so for
/// - keys that are one in JSON but none in YAML (`1` and `"1"`): which one wins is left to chance;
/// - UTF-16 in a stream, which kubectl breaks by cutting it into lines and crdgen reads;
/// - a byte order mark inside of the text, for which go-yaml looks at the wrong place in its buffer;
/// - carriage returns before a line break of Windows, of which kubectl's line reader eats one;
/// - keys that are impossible, in a value that a later key replaces.
pub fn is_decided(text: &[u8]) -> bool {
    let mut inner = text;
    while let Some(rest) = inner.strip_prefix(b"\xef\xbb\xbf") {
        inner = rest;
    }
    let bom = inner.windows(3).any(|w| w == b"\xef\xbb\xbf");
    let returns = text.windows(3).any(|w| w == b"\r\r\n");
    let utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    !bom && !returns && !utf16
}
