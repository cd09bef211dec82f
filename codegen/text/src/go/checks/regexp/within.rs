//! Whether all texts that one pattern matches also match another one: walks through the automata of both at once, and
//! looks for a text that only the first one matches.

use std::collections::HashSet;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::Hir;

use super::size;

/// How many pairs of states are visited at most.
const MAX_PAIRS: usize = 20_000;
/// The maximum memory of each automaton.
const MEMORY: usize = 4 << 20;

/// How the texts that two patterns match compare.
#[derive(Clone, Debug)]
pub(super) enum Within {
    /// Each text that the first pattern matches also matches the second one.
    Yes,
    /// A shortest text that only the first pattern matches.
    No(String),
    /// The automata are too large to know.
    Unknown,
}

/// Compares the texts that two patterns match.
pub(super) fn compare(narrow: &Hir, wide: &Hir) -> Within {
    compare_within(narrow, wide, &mut { usize::MAX })
}

/// The same, and takes what it costs from a number of states.
pub(super) fn compare_within(narrow: &Hir, wide: &Hir, left: &mut usize) -> Within {
    let automata = Automaton::new(narrow).zip(Automaton::new(wide));
    let Some((mut narrow, mut wide)) = automata else {
        // They are too large to build, which takes long by itself.
        *left = left.saturating_sub(MAX_PAIRS);
        return Within::Unknown;
    };
    *left = left.saturating_sub(narrow.states() + wide.states());
    let mut seen = HashSet::new();
    let found = walk(&mut narrow, &mut wide, &mut seen);
    *left = left.saturating_sub(seen.len());
    found.unwrap_or(Within::Unknown)
}

fn walk(narrow: &mut Automaton, wide: &mut Automaton, seen: &mut HashSet<Pair>) -> Option<Within> {
    let bytes = representatives(&narrow.dfa, &wide.dfa);
    let first = Pair { narrow: narrow.start()?, wide: wide.start()?, utf8: Utf8::Between };
    seen.insert(first);
    // Each pair with the number of the pair before it, and the byte between them.
    let mut queue = vec![(first, 0, 0)];
    let mut at = 0;
    while let Some(&(pair, ..)) = queue.get(at) {
        let number = at;
        at += 1;
        // If the wide pattern has matched a part, every longer text matches it too.
        if pair.wide == State::Matched {
            continue;
        }
        let is_text = pair.utf8 == Utf8::Between;
        if is_text && narrow.accepts(pair.narrow)? && !wide.accepts(pair.wide)? {
            return Some(Within::No(text(&queue, number)?));
        }
        for &byte in &bytes {
            let Some(utf8) = pair.utf8.next(byte) else { continue };
            let next =
                Pair { narrow: narrow.next(pair.narrow, byte)?, wide: wide.next(pair.wide, byte)?, utf8 };
            if next.narrow != State::Dead && seen.insert(next) {
                if seen.len() > MAX_PAIRS {
                    return None;
                }
                queue.push((next, number, byte));
            }
        }
    }
    Some(Within::Yes)
}

/// The text that leads to a pair.
fn text(queue: &[(Pair, usize, u8)], mut number: usize) -> Option<String> {
    let mut bytes = Vec::new();
    while number > 0 {
        let (_, before, byte) = queue.get(number)?;
        bytes.push(*byte);
        number = *before;
    }
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

/// The states of both automata after some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pair {
    narrow: State,
    wide: State,
    utf8: Utf8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// A part of the text matches.
    Matched,
    /// Neither the text nor a longer one matches.
    Dead,
    At(LazyStateID),
}

/// Which bytes may follow in UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Utf8 {
    /// Between two characters.
    Between,
    /// So many continuation bytes are missing, and the next one is in this range.
    Inside { missing: u8, low: u8, high: u8 },
}

impl Utf8 {
    fn next(self, byte: u8) -> Option<Utf8> {
        let inside = |missing, low, high| Some(Utf8::Inside { missing, low, high });
        match (self, byte) {
            (Utf8::Between, 0x00..=0x7f) => Some(Utf8::Between),
            (Utf8::Between, 0xc2..=0xdf) => inside(1, 0x80, 0xbf),
            (Utf8::Between, 0xe0) => inside(2, 0xa0, 0xbf),
            (Utf8::Between, 0xed) => inside(2, 0x80, 0x9f),
            (Utf8::Between, 0xe1..=0xef) => inside(2, 0x80, 0xbf),
            (Utf8::Between, 0xf0) => inside(3, 0x90, 0xbf),
            (Utf8::Between, 0xf1..=0xf3) => inside(3, 0x80, 0xbf),
            (Utf8::Between, 0xf4) => inside(3, 0x80, 0x8f),
            (Utf8::Between, _) => None,
            (Utf8::Inside { missing, low, high }, _) if (low..=high).contains(&byte) => match missing {
                1 => Some(Utf8::Between),
                _ => inside(missing - 1, 0x80, 0xbf),
            },
            (Utf8::Inside { .. }, _) => None,
        }
    }
}

/// One byte of each class of bytes that neither automaton nor UTF-8 distinguishes.
fn representatives(narrow: &DFA, wide: &DFA) -> Vec<u8> {
    // The ranges of `Utf8::next` begin at these bytes.
    const BORDERS: [u8; 14] =
        [0x80, 0x90, 0xa0, 0xc0, 0xc2, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5, 0xff];
    let (narrow, wide) = (narrow.byte_classes(), wide.byte_classes());
    let class = |byte: u8| {
        (narrow.get(byte), wide.get(byte), BORDERS.iter().filter(|border| **border <= byte).count())
    };
    let mut seen = HashSet::new();
    // Texts that people see should consist of letters and digits if they can.
    let readable = (b'a'..=b'z').chain(b'A'..=b'Z').chain(b'0'..=b'9').chain(b'!'..=b'~');
    readable.chain(0..=u8::MAX).filter(|byte| seen.insert(class(*byte))).collect()
}

struct Automaton {
    dfa: DFA,
    cache: Cache,
}

impl Automaton {
    fn new(hir: &Hir) -> Option<Automaton> {
        if size::of(hir) > MEMORY {
            return None;
        }
        let config = thompson::Config::new().nfa_size_limit(Some(MEMORY));
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
        // States that were dropped from the cache would have other ids afterwards.
        let config = DFA::config()
            .match_kind(MatchKind::All)
            .cache_capacity(MEMORY)
            .minimum_cache_clear_count(Some(0));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let cache = dfa.create_cache();
        Some(Automaton { dfa, cache })
    }

    /// How many states were made before the walk.
    fn states(&self) -> usize {
        self.dfa.get_nfa().states().len()
    }

    fn start(&mut self) -> Option<State> {
        let config = start::Config::new().anchored(Anchored::No);
        state(self.dfa.start_state(&mut self.cache, &config).ok()?)
    }

    fn next(&mut self, from: State, byte: u8) -> Option<State> {
        let State::At(id) = from else { return Some(from) };
        state(self.dfa.next_state(&mut self.cache, id, byte).ok()?)
    }

    /// Whether a text that ends here matches.
    fn accepts(&mut self, at: State) -> Option<bool> {
        let State::At(id) = at else { return Some(at == State::Matched) };
        Some(self.dfa.next_eoi_state(&mut self.cache, id).ok()?.is_match())
    }
}

fn state(id: LazyStateID) -> Option<State> {
    match id {
        _ if id.is_quit() => None,
        _ if id.is_match() => Some(State::Matched),
        _ if id.is_dead() => Some(State::Dead),
        _ => Some(State::At(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Comparisons, Regexp};

    #[test]
    fn compares_what_patterns_match() {
        let parse = |pattern: &str| Regexp::parse(pattern).expect("a pattern");
        for (narrow, wide, expected) in [
            ("^[a-z]+$", "^[a-z][a-z]*$", true),
            ("^[a-z]+$", "^[a-z]{3,}$", false),
            ("^[a-z]{3,}$", "^[a-z]+$", true),
            ("^(small|large)$", "^(small|large|x.*)$", true),
            ("^(small|large)$", "small", false),
            ("^(small|large)$", "^(s|l)", true),
            ("", "", true),
            ("", "a", false),
            ("a", "", true),
            ("^#", "^", true),
            ("", "^#", false),
            ("^.{1,63}$", "^.{0,253}$", true),
            ("^.{1,63}$", "^.{0,20}$", false),
            ("^é$", r"^\pL$", true),
            (r"^\pL$", "^[a-z]$", false),
            (r"\bfoo\b", "foo", true),
            ("foo", r"\bfoo\b", false),
            // A line feed is not matched by a dot, but by a negated class.
            ("^[^a]$", "^.$", false),
            ("^.$", "^[^a]$", false),
            ("^a$", "(?s)^.*$", true),
            // It would need too many states to know.
            ("^(a|b)*a(a|b){400}$", "^(b|a)*a(a|b){400}$", false),
        ] {
            assert_eq!(parse(narrow).is_within(&parse(wide)), expected, "{narrow} {wide}");
        }
    }

    #[test]
    fn finds_a_text_that_only_one_pattern_matches() {
        for (narrow, wide, expected) in [
            ("^[a-z]+$", "^[a-z]{3,}$", Some("a")),
            ("^[a-z]+$", "^[a-z]{1,3}$", Some("aaaa")),
            ("", "^#", Some("")),
            ("^é$", "^[a-z]$", Some("é")),
            ("^[a-z]+$", "^[a-z0-9]+$", None),
            ("^(a|b)*a(a|b){400}$", "^(b|a)*a(a|b){400}$", None),
        ] {
            let found = Comparisons::default().only_in(narrow, wide);
            assert_eq!(found.as_deref(), expected, "{narrow} {wide}");
        }
    }
}
