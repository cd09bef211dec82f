//! Edits of expressions: mostly of tokens, and of characters.

use crdgen_tests::rng::Rng;

const WORDS: &[&str] = &[
    "self",
    "oldSelf",
    "x",
    "spec",
    "foo",
    "true",
    "false",
    "null",
    "in",
    "1",
    "0",
    "-1",
    "1.5",
    "2u",
    "'a'",
    "\"b\"",
    "b'c'",
    "r'\\d'",
    "''",
    "[]",
    "{}",
    "[1, 'a']",
    "{'a': 1}",
    "has",
    "size",
    "all",
    "exists",
    "exists_one",
    "map",
    "filter",
    "matches",
    "startsWith",
    "contains",
    "string",
    "int",
    "double",
    "uint",
    "bytes",
    "type",
    "dyn",
    "duration",
    "timestamp",
    "duration('1h')",
    "timestamp('2020-01-01T00:00:00Z')",
    "quantity('1')",
    "url('a')",
    "ip('1.1.1.1')",
    "cidr('10.0.0.0/8')",
    "semver('1.0.0')",
    "optional.of(1)",
    "optional.none()",
    "sets.contains",
    "lists.range",
    "isSorted",
    "sum",
    "min",
    "max",
    "indexOf",
    "join",
    "split",
    "replace",
    "lowerAscii",
    "orValue",
    "hasValue",
    "value",
    "namespace",
    "package",
    "if",
    "for",
    "func",
    "format",
    "&&",
    "||",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "?",
    ":",
    ".",
    ",",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".?",
    "[?",
    "&",
    "|",
    "=",
    "#",
    "@",
    "$",
    ";",
    "'",
    "\"",
    "`a-b`",
    "\\",
    "9223372036854775808",
    "0x1F",
    "1e400",
    ".5",
    "1.",
    "'\\q'",
    "'\u{e4}'",
    "\u{e9}",
    "// c\n",
    "\n",
    "\t",
];

/// Edits an expression. Parts may come from `others`, which are rules at the same place.
pub fn mutate(text: &str, others: &[String], rng: &mut Rng) -> String {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return (*rng.pick(WORDS)).to_owned();
    }
    let at = rng.below(tokens.len());
    let mut parts: Vec<&str> = tokens.clone();
    match rng.below(13) {
        0 => {
            parts.remove(at);
        }
        1 => parts.insert(at, tokens[at]),
        2 => parts.swap(at, rng.below(tokens.len())),
        3 | 4 => parts[at] = *rng.pick(WORDS),
        5 => parts.insert(at, *rng.pick(WORDS)),
        6 => {
            let end = (at + 1 + rng.below(4)).min(parts.len());
            parts.drain(at..end);
        }
        7 | 8 => {
            // Replaces a name with a name, and an operator with an operator.
            let alike: Vec<&str> = tokens.iter().copied().filter(|t| class(t) == class(tokens[at])).collect();
            parts[at] = alike[rng.below(alike.len())];
        }
        9 => parts.truncate(at),
        10 => {
            let other = rng.pick(others);
            return format!("{text} {} {other}", rng.pick(&["&&", "||", "==", "+", "? 1 :", ".", "in"]));
        }
        11 => {
            let (before, inside) = *rng.pick(&[
                ("(", ")"),
                ("[", "]"),
                ("!(", ")"),
                ("has(", ")"),
                ("size(", ")"),
                ("-(", ")"),
                ("dyn(", ")"),
                ("string(", ")"),
                ("type(", ")"),
            ]);
            let end = at + 1 + rng.below(tokens.len() - at);
            return format!(
                "{}{before}{}{inside}{}",
                tokens[..at].concat(),
                tokens[at..end].concat(),
                tokens[end..].concat()
            );
        }
        _ => {
            let chars: Vec<char> = text.chars().collect();
            let at = rng.below(chars.len());
            let mut chars = chars;
            match rng.below(3) {
                0 => {
                    chars.remove(at);
                }
                1 => chars.insert(
                    at,
                    *rng.pick(&['(', '"', '\'', '\\', '.', ' ', 'a', '0', '?', '!', '{', '\u{e4}']),
                ),
                _ => chars[at] = *rng.pick(&[')', '"', '\'', '\\', ',', ' ', 'b', '1', ':', '-', '}', '#']),
            }
            return chars.into_iter().collect();
        }
    }
    parts.concat()
}

fn class(token: &str) -> u8 {
    match token.as_bytes()[0] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => 0,
        b'0'..=b'9' => 1,
        b'\'' | b'"' => 2,
        b' ' | b'\n' | b'\t' => 3,
        b'(' | b'[' | b'{' => 4,
        b')' | b']' | b'}' => 5,
        _ => 6,
    }
}

/// Splits an expression roughly into tokens, including spaces.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |i| i + 2),
            '&' | '|' | '=' | '!' | '<' | '>'
                if rest.len() > 1 && matches!(rest.as_bytes()[1], b'=' | b'&' | b'|') =>
            {
                2
            }
            ' ' => rest.find(|c| c != ' ').unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, behind) = rest.split_at(end);
        out.push(token);
        rest = behind;
    }
    out
}
