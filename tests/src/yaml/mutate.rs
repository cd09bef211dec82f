//! Damages texts.

use crate::rng::Rng;

/// Pieces that mean something to a YAML or JSON reader.
const PIECES: &[&[u8]] = &[
    b":",
    b": ",
    b"- ",
    b"-",
    b"? ",
    b"?",
    b", ",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\n",
    b"\n\n",
    b"\n ",
    b"\n  ",
    b"\n\t",
    b"\r\n",
    b"\r",
    b"\t",
    b" ",
    b"  ",
    b"#",
    b" #",
    b"&a ",
    b"*a",
    b"<<: *a",
    b"<<: ",
    b"!!str ",
    b"!!int ",
    b"!!binary ",
    b"! ",
    b"!a ",
    b"!<",
    b"%",
    b"%YAML 1.1\n---\n",
    b"---",
    b"\n---\n",
    b"---\n",
    b"...",
    b"\n...\n",
    b"|",
    b">",
    b"|-\n",
    b">+\n",
    b"|2\n",
    b"'",
    b"\"",
    b"''",
    b"\\",
    b"\\n",
    b"\\x41",
    b"\\u00e9",
    b"\\\n",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\x00",
    b"\x7f",
    b"\xc3",
    b"\xc3\xa9",
    b"\xf0\x9f\x98\x80",
    b"0",
    b"0x",
    b"_",
    b"1e",
    b".",
    b"~",
    b"null",
    b"true",
    b"yes",
    b"@",
    b"`",
    b"=",
    b"{\"a\":1}",
    b"a: ",
    b"a: b\n",
];

/// Returns the text with one to four edits.
pub fn mutate(text: &[u8], pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + rng.below(4) {
        edit(&mut text, pool, rng);
    }
    text.truncate(4096);
    text
}

fn edit(text: &mut Vec<u8>, pool: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(text.len() + 1);
    let end = (at + 1 + rng.below(6)).min(text.len());
    match rng.below(10) {
        0..=3 => {
            let piece = *rng.pick(PIECES);
            text.splice(at..at, piece.iter().copied());
        }
        4 => {
            let piece = *rng.pick(PIECES);
            text.splice(at..end, piece.iter().copied());
        }
        5 => {
            text.drain(at..end);
        }
        6 => {
            let copy = text[at..end].to_vec();
            let to = rng.below(text.len() + 1);
            text.splice(to..to, copy);
        }
        7 => {
            // Moves a whole line.
            let from = text[..at].iter().rposition(|c| *c == b'\n').map_or(0, |i| i + 1);
            let to = text[at..].iter().position(|c| *c == b'\n').map_or(text.len(), |i| at + i + 1);
            let line: Vec<u8> = text[from..to].to_vec();
            if rng.chance(50) {
                text.drain(from..to);
            }
            let into = rng.below(text.len() + 1);
            let into = text[..into].iter().rposition(|c| *c == b'\n').map_or(0, |i| i + 1);
            text.splice(into..into, line);
        }
        8 => {
            let other = rng.pick(pool).clone();
            let from = rng.below(other.len() + 1);
            text.splice(at..at, other[from..].iter().copied());
        }
        _ => {
            if let Some(byte) = text.get_mut(at) {
                *byte = rng.below(128) as u8;
            }
        }
    }
}
