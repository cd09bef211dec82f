//! Texts on which YAML readers differ: scalars in all their places, structures written in all styles, and
//! mutations of both.

mod grow;
mod mutate;
mod structure;

pub use grow::fuzz;
pub use mutate::mutate;
pub use structure::structure;

use crate::rng::Rng;

/// The scalars, one per line.
const SCALARS: &str = include_str!("../../corpus/yaml/scalars.txt");
/// Whole texts, one per line, with escapes.
const TEXTS: &str = include_str!("../../corpus/yaml/texts.txt");

/// The lines of a case file: comments start with `##`.
fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|l| !l.is_empty() && !l.starts_with("##"))
}

/// A line with its escapes: `\n`, `\t`, `\r`, `\\`, `\xHH` for a byte and `\*N` for the character before, N
/// times more.
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

/// The places a scalar can stand in; `@` stands for it.
const PLACES: &[&str] = &[
    "@\n", "a: @\n", "@: a\n", "- @\n", "? @\n: @\n", "[@, @]\n", "{@: @}\n", "{? @ : a}\n", "a: !!str @\n",
    "a: !!int @\n", "a: !!float @\n", "a: !!bool @\n", "a: !!null @\n", "a: !!timestamp @\n", "a: !!binary @\n",
    "a: !foo @\n", "a: ! @\n", "a: '@'\n", "a: \"@\"\n", "a: |\n  @\n", "a: >-\n  @\n  @\n", "&a @\n",
    "a: &b @\nc: *b\n", "a: @ # c\n", "a:\n  @\n  @\nb: @\n", "@",
];

/// The scalars in their places.
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

/// All texts that are written by hand, directly or by their places.
pub fn torture() -> Vec<Vec<u8>> {
    let mut out = texts();
    out.extend(placed_scalars());
    out
}

/// A text by seed: a structure, a mutated one, or a mutated text written by hand.
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
