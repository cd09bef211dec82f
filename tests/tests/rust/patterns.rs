//! The short look that the derive has at patterns never refuses what Go takes.

use crdgen_core::go::regexp;
use crdgen_core::syntax::pattern;

/// A generator of its own, so that a failure comes again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn what_the_derive_refuses_go_refuses() {
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
