//! The derive's quick check of patterns never rejects what Go accepts.

use crdgen_core::go::regexp;
use crdgen_rust::syntax::pattern;

/// A random generator with a fixed seed, so that failures are reproducible.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn go_rejects_what_the_derive_rejects() {
    const PARTS: &[&str] = &[
        "a",
        "(",
        ")",
        "[",
        "]",
        "^",
        "-",
        "(?:",
        "(?i)",
        "(?=",
        "(?!",
        "(?<=",
        "(?<!",
        "(?<n>",
        "(?P<n>",
        "(?>",
        "(?i-s:",
        "\\",
        "\\1",
        "\\12",
        "\\d",
        "\\Q",
        "\\E",
        "\\Z",
        "\\z",
        "\\pL",
        "\\p{Lu}",
        "\\x{41}",
        "[:alpha:]",
        "[^",
        "[]",
        "*",
        "{2}",
        "|",
        "é",
        "\\é",
        "[:",
        ":]",
        ")*",
        "\\]",
        "\\(",
        "(?s",
        "(?",
    ];
    let (mut dice, mut refused, mut found) = (Dice(7), 0, 0);
    for _ in 0..200_000 {
        let parts: Vec<&str> = (0..1 + dice.below(7)).map(|_| PARTS[dice.below(PARTS.len())]).collect();
        let text = parts.concat();
        let go = regexp::validate(&text).is_err();
        let ours = pattern::wrong(&text);
        assert!(go || ours.is_none(), "Go takes `{text}`, and the derive says {ours:?}");
        refused += usize::from(go);
        found += usize::from(ours.is_some());
    }
    println!("{found} of {refused} refused are found by the short look");
    assert!(found * 10 > refused * 7, "{found} of {refused}");
}

/// For common patterns, the derive and the generated test determine the same matches as the regex engine, as far as
/// they can determine them.
#[test]
fn everyday_patterns_match_as_the_engine_does() {
    const PARTS: &[&str] = &[
        "a",
        "b",
        "-",
        ".",
        "\\.",
        "\\d",
        "\\w",
        "\\s",
        "\\D",
        "[a-z]",
        "[^a]",
        "[]a]",
        "[a-]",
        "[\\d-]",
        "(a|b)",
        "(?:ab)",
        "(",
        ")",
        "|",
        "*",
        "+",
        "?",
        "{2}",
        "{1,2}",
        "{2,}",
        "{,2}",
        "^",
        "$",
        "^",
        "$",
        "é",
        "\\n",
        "[[:alpha:]]",
        "(?i)",
        "\\A",
        "\\z",
        "[",
        "]",
        "}",
        "{",
        "\\",
        "*?",
    ];
    const LETTERS: &[char] = &['a', 'b', 'A', '1', '-', '.', ' ', '\n', 'é', ']', '}'];
    let (mut dice, mut decided) = (Dice(11), 0);
    for _ in 0..6_000 {
        let parts: Vec<&str> = (0..1 + dice.below(6)).map(|_| PARTS[dice.below(PARTS.len())]).collect();
        let pattern = parts.concat();
        let text: String = (0..dice.below(5)).map(|_| LETTERS[dice.below(LETTERS.len())]).collect();
        let Some(ours) = crdgen_core::go::pattern::matches(&pattern, &text) else { continue };
        match regexp::Regexp::parse(&pattern) {
            Ok(engine) => assert_eq!(ours, engine.is_match(&text), "`{pattern}` {text:?}"),
            Err(why) => panic!("`{pattern}` is no pattern: {why}"),
        }
        decided += 1;
    }
    println!("{decided} are decided");
    assert!(decided > 1_500, "{decided}");
}
