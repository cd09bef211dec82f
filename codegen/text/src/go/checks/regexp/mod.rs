//! Go's regular expressions: the dialect of `pattern` and of CEL's `matches` in the API server.
//!
//! Patterns are parsed by Go's own rules, because no Rust crate accepts and rejects the same patterns as Go. Go rejects
//! `\Z`, `\pZ` by other names, `a**`, counts over 1000 and more, and accepts `\Q…\E`, octal escapes and an ASCII `\w`.
//! The result is the intermediate form of `regex-syntax`. So the linear-time engine of `regex-automata` can match it,
//! with the same leftmost-first semantics.

mod class;
mod comparisons;
mod error;
mod parse;
mod sample;
mod size;
mod slow;
mod within;

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta;
use regex_syntax::hir::Hir;

pub use comparisons::Comparisons;
pub use error::{Error, ErrorKind};
use slow::Slow;
use within::Within;

/// The maximum memory of an automaton. Only patterns with counts over large Unicode classes exceed it. They are matched character
/// by character: a CRD may have thousands of patterns, and making a large automaton takes longer than most matches.
const PROGRAM_LIMIT: usize = 1 << 19;

/// A pattern that Go accepts. The matcher is built at the first match.
#[derive(Debug)]
pub struct Regexp {
    hir: Hir,
    engine: OnceLock<Result<meta::Regex, Slow>>,
    sample: OnceLock<Option<String>>,
}

/// Checks a pattern. Returns the error with which Go rejects it.
pub fn validate(pattern: &str) -> Result<(), Error> {
    parse::parse(pattern).map(drop)
}

impl Regexp {
    /// Parses a pattern like `regexp.Compile`.
    pub fn parse(pattern: &str) -> Result<Regexp, Error> {
        Ok(Regexp { hir: parse::parse(pattern)?, engine: OnceLock::new(), sample: OnceLock::new() })
    }

    /// Whether the pattern matches anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        match self.engine() {
            Ok(engine) => engine.is_match(text),
            Err(slow) => slow.find(text, 0).is_some(),
        }
    }

    /// Whether another pattern matches all texts that this one matches, as far as this can be known.
    pub fn is_within(&self, other: &Regexp) -> bool {
        matches!(within::compare(&self.hir, &other.hir), Within::Yes)
    }

    /// Returns a short text that the pattern matches, if one is found without a search.
    pub fn sample(&self) -> Option<String> {
        let sample = || sample::text(&self.hir).filter(|text| self.is_match(text));
        self.sample.get_or_init(sample).clone()
    }

    /// Finds the leftmost match.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        match self.engine() {
            Ok(engine) => engine.find(text).map(|m| m.range()),
            Err(slow) => slow.find(text, 0),
        }
    }

    /// Finds all matches from left to right that do not overlap, like `FindAllStringIndex`. An empty match right after
    /// another match is skipped.
    pub fn find_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let engine = self.engine();
        let fast = engine.ok().into_iter().flat_map(move |e| e.find_iter(text)).map(|m| m.range());
        let (mut from, mut last) = (Some(0), None);
        let slow = std::iter::from_fn(move || {
            let slow = engine.err()?;
            loop {
                let found = slow.find(text, from?)?;
                // After an empty match, the search continues at the next character.
                from = match found.is_empty() {
                    false => Some(found.end),
                    true => text[found.end..].chars().next().map(|c| found.end + c.len_utf8()),
                };
                if !found.is_empty() || last != Some(found.end) {
                    last = Some(found.end);
                    return Some(found);
                }
            }
        });
        fast.chain(slow)
    }

    fn engine(&self) -> Result<&meta::Regex, &Slow> {
        self.engine
            .get_or_init(|| {
                if size::of(&self.hir) > PROGRAM_LIMIT {
                    return Err(Slow::new(&self.hir));
                }
                let config = meta::Config::new().nfa_size_limit(Some(PROGRAM_LIMIT)).onepass(false);
                let engine = meta::Builder::new().configure(config).build_from_hir(&self.hir);
                engine.map_err(|_| Slow::new(&self.hir))
            })
            .as_ref()
    }
}
