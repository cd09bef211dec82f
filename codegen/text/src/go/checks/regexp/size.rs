//! How large the automaton of a pattern is, before it is made: an automaton that is too large takes long to make, too.

use regex_syntax::hir::{Capture, Class, Hir, HirKind, Repetition};

/// About how many bytes a range of characters takes, or a byte, or a branch.
const RANGE: usize = 24;

/// Returns about how many bytes the automaton of a pattern has, and rather too few.
pub(super) fn of(hir: &Hir) -> usize {
    let all = |parts: &[Hir]| parts.iter().map(of).fold(RANGE, usize::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => RANGE,
        HirKind::Literal(literal) => literal.0.len().saturating_mul(RANGE),
        HirKind::Class(Class::Unicode(class)) => class.ranges().len().saturating_mul(RANGE),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len().saturating_mul(RANGE),
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let copies = max.unwrap_or(*min).max(1);
            of(sub).saturating_mul(usize::try_from(copies).unwrap_or(usize::MAX))
        }
        HirKind::Capture(Capture { sub, .. }) => of(sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => all(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PROGRAM_LIMIT, Regexp};
    use super::of;

    #[test]
    fn automata_that_are_too_large_are_not_made() {
        let parse = |pattern: &str| Regexp::parse(pattern).expect("a pattern");
        for (pattern, is_too_large) in [
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", false),
            ("^[a-z]{1,1000}$", false),
            (r"^\pL{1,5}$", false),
            (r"^[\pL\pN]{1,900}x$", true),
            (r"^(\pL|\pN){1,150}$", true),
            (r"^((\pL{10}){10}){10}$", true),
        ] {
            let regexp = parse(pattern);
            assert_eq!(of(&regexp.hir) > PROGRAM_LIMIT, is_too_large, "{pattern}: {}", of(&regexp.hir));
            assert_eq!(regexp.engine().is_err(), is_too_large, "{pattern}");
        }
        // What is estimated as too large is.
        let pattern = parse(r"^\pL{100}$");
        let config = regex_automata::meta::Config::new().nfa_size_limit(Some(of(&pattern.hir)));
        assert!(regex_automata::meta::Builder::new().configure(config).build_from_hir(&pattern.hir).is_err());
    }
}
