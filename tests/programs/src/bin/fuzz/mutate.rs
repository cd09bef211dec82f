//! Edits of inputs: meaningful pieces, bytes, repetitions, parts of other inputs.

use crdgen_tests::rng::Rng;

/// Inputs do not grow longer than this, apart from a few.
pub(super) const LENGTH: usize = 20_000;

/// Pieces that have a meaning for a parser.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ": ",
    "- ",
    "\n",
    "\n  ",
    "\"",
    "'",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "|",
    ">-",
    "# ",
    "---\n",
    "...\n",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\t",
    "null",
    "true",
    "~",
    "yes",
    "0x1F",
    "1e999",
    "-0",
    ".inf",
    "18446744073709551616",
    "\r\n",
    "%YAML 1.1\n",
    "? ",
    "@",
    "`",
    "\"type\":\"object\"",
    "x-kubernetes-",
    "properties",
    "items",
    "allOf",
    "not",
    "default",
    "$ref",
    "nullable",
    "metadata",
    "spec",
    "versions",
    "self",
    "oldSelf",
    ".all(x, ",
    ".map(x, ",
    "has(",
    "&&",
    "||",
    "?",
    ".?",
    "[?",
    "==",
    "in ",
    "!",
    "(",
    ")",
    "r'",
    "b\"",
    "'''",
    "\\x",
    "u",
    "1.",
    "{'a': 1}",
    "dyn(",
    "size(",
    "(?",
    "(?P<",
    "{2,3}",
    "\\p{",
    "[^",
    "[:alpha:]",
    "*",
    "+",
    "|",
    "^",
    "$",
    "\\Q",
    "Vec<",
    ">",
    "&'static ",
    "mod a {",
    "mod a;",
    "#[path = \"a.rs\"] ",
    "#[schema(",
    "#[serde(",
    "pub struct A { ",
    "enum A { ",
    "fn a() -> ",
    "const A: u8 = ",
    " else if a {}",
    "vec![",
    "::default()",
    "-> ",
    "=> ",
    "|a| ",
    "/*",
    "//",
    "r#\"",
    "'",
    "\u{202e}",
];

pub(super) fn mutate(input: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(out.len() + 1);
        let span = |out: &[u8], rng: &mut Rng| {
            let longest = if rng.chance(80) { 16 } else { 200 };
            at..(at + rng.below(longest)).min(out.len())
        };
        match rng.below(11) {
            0 | 1 => {
                out.splice(at..at, rng.pick(PIECES).bytes());
            }
            2 => {
                let range = span(&out, rng);
                out.splice(range, rng.pick(PIECES).bytes());
            }
            3 => {
                let range = span(&out, rng);
                out.drain(range);
            }
            4 => {
                let range = span(&out, rng);
                let piece = out[range].to_vec();
                let to = rng.below(out.len() + 1);
                out.splice(to..to, piece);
            }
            5 if at < out.len() => out[at] = rng.bits() as u8,
            6 if at < out.len() => out[at] ^= 1 << rng.below(8),
            7 => {
                let from = rng.below(other.len() + 1);
                let to = (from + rng.below(300)).min(other.len());
                out.splice(at..at, other[from..to].iter().copied());
            }
            8 => {
                // Repeats a piece many times, for depth and breadth.
                let times = if rng.chance(2) { 20_000 } else { rng.below(300) };
                let piece = if rng.chance(50) {
                    rng.pick(PIECES).as_bytes().to_vec()
                } else {
                    out[span(&out, rng)].to_vec()
                };
                if piece.len() * times < 200_000 {
                    out.splice(at..at, piece.repeat(times));
                }
            }
            9 => out.truncate(at),
            _ => {
                out.splice(at..at, [b"0123456789"[rng.below(10)]]);
            }
        }
    }
    if out.len() > LENGTH && !rng.chance(1) {
        out.truncate(LENGTH);
    }
    out
}
