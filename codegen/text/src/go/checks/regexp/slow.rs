//! Matches character by character, for patterns with counts in the hundreds over large Unicode classes. Automata over
//! bytes would need too much memory for these. Go matches every pattern in this way: all threads of the program advance
//! through the text together, in the order of preference.

use std::collections::HashMap;
use std::ops::Range;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A program that matches characters.
#[derive(Debug)]
pub(super) struct Slow {
    program: Vec<Inst>,
    classes: Vec<Box<[(char, char)]>>,
}

#[derive(Clone, Copy, Debug)]
enum Inst {
    /// Matches a character of a class.
    Class(u32),
    /// Matches a character.
    Char(char),
    /// Checks an assertion about the place in the text.
    Look(Look),
    /// Continues at both instructions, and prefers the first.
    Split(u32, u32),
    Jump(u32),
    /// The pattern has matched.
    Match,
}

impl Slow {
    pub(super) fn new(hir: &Hir) -> Slow {
        let mut slow = Slow { program: Vec::new(), classes: Vec::new() };
        slow.add(hir, &mut HashMap::new());
        slow.program.push(Inst::Match);
        slow
    }

    fn here(&self) -> u32 {
        self.program.len() as u32
    }

    fn add(&mut self, hir: &Hir, known: &mut HashMap<*const Hir, u32>) {
        match hir.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                self.program.extend(String::from_utf8_lossy(&literal.0).chars().map(Inst::Char));
            }
            HirKind::Class(class) => {
                // Copies of a part share its classes.
                let number = *known.entry(std::ptr::from_ref(hir)).or_insert_with(|| {
                    self.classes.push(ranges(class));
                    self.classes.len() as u32 - 1
                });
                self.program.push(Inst::Class(number));
            }
            HirKind::Look(look) => self.program.push(Inst::Look(*look)),
            HirKind::Capture(capture) => self.add(&capture.sub, known),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part, known)),
            HirKind::Alternation(parts) => {
                let mut ends = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    if i + 1 == parts.len() {
                        self.add(part, known);
                        break;
                    }
                    let split = self.program.len();
                    self.program.push(Inst::Match);
                    self.add(part, known);
                    ends.push(self.program.len());
                    self.program.push(Inst::Match);
                    self.program[split] = Inst::Split(split as u32 + 1, self.here());
                }
                let end = self.here();
                ends.into_iter().for_each(|at| self.program[at] = Inst::Jump(end));
            }
            HirKind::Repetition(repetition) => {
                for _ in 0..repetition.min {
                    self.add(&repetition.sub, known);
                }
                match repetition.max {
                    None => {
                        let split = self.optional(&repetition.sub, known);
                        self.program.push(Inst::Jump(split as u32));
                        self.close(split, repetition.greedy);
                    }
                    Some(max) => {
                        let more = repetition.min..max;
                        let splits: Vec<usize> =
                            more.map(|_| self.optional(&repetition.sub, known)).collect();
                        splits.into_iter().for_each(|split| self.close(split, repetition.greedy));
                    }
                }
            }
        }
    }

    /// Adds an optional part. The caller completes its split once the target is known.
    fn optional(&mut self, sub: &Hir, known: &mut HashMap<*const Hir, u32>) -> usize {
        let split = self.program.len();
        self.program.push(Inst::Match);
        self.add(sub, known);
        split
    }

    fn close(&mut self, split: usize, greedy: bool) {
        let (inside, behind) = (split as u32 + 1, self.here());
        self.program[split] = if greedy { Inst::Split(inside, behind) } else { Inst::Split(behind, inside) };
    }

    /// The leftmost match that starts at `from` or later.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let [mut now, mut next] = [(); 2].map(|()| Threads::new(self.program.len()));
        // Whether the character is in each class. Copies of a part ask this again and again.
        let mut members: Vec<Option<bool>> = vec![None; self.classes.len()];
        let mut found: Option<Range<usize>> = None;
        let mut before = text[..from].chars().next_back();
        let mut chars =
            text[from..].char_indices().map(|(i, c)| (from + i, Some(c))).chain([(text.len(), None)]);
        let mut at = chars.next();
        while let Some((place, c)) = at {
            let behind = place + c.map_or(0, char::len_utf8);
            let after = c.and_then(|_| text[behind..].chars().next());
            if found.is_none() {
                self.follow(&mut now, 0, place, (before, c));
            }
            if now.list.is_empty() && found.is_some() {
                break;
            }
            for i in 0..now.list.len() {
                let (pc, start) = now.list[i];
                let goes_on = match self.program[pc as usize] {
                    Inst::Class(class) => {
                        let is_member = || c.is_some_and(|c| has(&self.classes[class as usize], c));
                        *members[class as usize].get_or_insert_with(is_member)
                    }
                    Inst::Char(own) => c == Some(own),
                    Inst::Match => {
                        found = Some(start..place);
                        // The other threads have lower preference.
                        break;
                    }
                    Inst::Look(_) | Inst::Split(..) | Inst::Jump(_) => false,
                };
                if goes_on {
                    self.follow(&mut next, pc + 1, start, (c, after));
                }
            }
            std::mem::swap(&mut now, &mut next);
            next.clear();
            members.fill(None);
            before = c;
            at = chars.next();
        }
        found
    }

    /// Adds a thread, or the threads into which it splits, in the order of preference.
    fn follow(&self, threads: &mut Threads, pc: u32, start: usize, around: (Option<char>, Option<char>)) {
        threads.stack.push(pc);
        while let Some(pc) = threads.stack.pop() {
            if !threads.enter(pc) {
                continue;
            }
            match self.program[pc as usize] {
                Inst::Jump(to) => threads.stack.push(to),
                Inst::Split(first, second) => threads.stack.extend([second, first]),
                Inst::Look(look) if is_at(look, around) => threads.stack.push(pc + 1),
                Inst::Look(_) => {}
                Inst::Class(_) | Inst::Char(_) | Inst::Match => threads.list.push((pc, start)),
            }
        }
    }
}

/// The threads at one place. Each has the place where it started.
struct Threads {
    list: Vec<(u32, usize)>,
    /// For each instruction, the round in which it was last entered.
    entered: Vec<u32>,
    round: u32,
    /// What [`Slow::follow`] has still to follow.
    stack: Vec<u32>,
}

impl Threads {
    fn new(size: usize) -> Threads {
        Threads { list: Vec::new(), entered: vec![0; size], round: 1, stack: Vec::new() }
    }

    fn enter(&mut self, pc: u32) -> bool {
        std::mem::replace(&mut self.entered[pc as usize], self.round) != self.round
    }

    fn clear(&mut self) {
        self.list.clear();
        self.round = self.round.wrapping_add(1);
    }
}

fn ranges(class: &Class) -> Box<[(char, char)]> {
    match class {
        Class::Unicode(class) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) => class.ranges().iter().map(|r| (r.start().into(), r.end().into())).collect(),
    }
}

fn has(class: &[(char, char)], c: char) -> bool {
    let at = class.partition_point(|(_, last)| *last < c);
    class.get(at).is_some_and(|(first, _)| *first <= c)
}

/// Whether an assertion is true between two characters. In Go, words consist of ASCII characters only.
fn is_at(look: Look, (before, after): (Option<char>, Option<char>)) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => before.is_none_or(|c| c == '\n'),
        Look::EndLF => after.is_none_or(|c| c == '\n'),
        Look::WordAscii => word(before) != word(after),
        Look::WordAsciiNegate => word(before) == word(after),
        // The parser never produces the others.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Regexp;

    #[test]
    fn matches_like_the_automaton() {
        for pattern in [
            "",
            "a",
            "a|ab",
            "ab|a",
            "(a|b)*?c",
            "a{2,3}",
            "a{2,3}?",
            "^a+$",
            "(?m)^a$",
            "\\bfoo\\b",
            "\\Bo",
            "[^a-c]+",
            "\\pL+",
            "(?i)fOO",
            "a*",
            "(?:a*)*",
            "(a|)+b",
            "x*?",
            "[[:alpha:]]{3}|\\d+",
            "(?s).+b",
            ".+",
        ] {
            let regexp = Regexp::parse(pattern).unwrap();
            let slow = super::Slow::new(&regexp.hir);
            for text in ["", "a", "aaaa", "abab", "foo bar", "xfoox", "FoO", "ä1é", "a\na\n", "bbbc", "12ab"]
            {
                assert_eq!(slow.find(text, 0), regexp.find(text), "{pattern:?} in {text:?}");
            }
        }
    }

    #[test]
    fn programs_too_large_for_an_automaton() {
        let regexp = Regexp::parse(&"\\pL{1000}".repeat(3)).unwrap();
        assert!(regexp.engine().is_err());
        let text = "é".repeat(3_000);
        assert_eq!(regexp.find(&text), Some(0..6_000));
        assert!(!regexp.is_match(&text[2..]));
        let twice = format!("{text} {text}");
        assert_eq!(regexp.find_iter(&twice).count(), 2);
    }
}
