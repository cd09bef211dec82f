//! Makes a short text that matches a pattern, for examples.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Longer texts are not useful as examples.
const LONGEST: usize = 200;

/// The characters that represent a class, the most readable first.
const READABLE: [char; 6] = ['a', 'A', '1', '0', '-', '/'];

/// A text with the parts of the pattern in order. It ignores assertions such as `\b`, so the caller must match the text
/// before it uses it.
pub(super) fn text(hir: &Hir) -> Option<String> {
    let mut out = String::new();
    add(hir, &mut out)?;
    Some(out)
}

/// The parser limits the height of patterns, and so the depth of this recursion.
fn add(hir: &Hir, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(character(class)?),
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                add(&repetition.sub, out)?;
                if out.len() > LONGEST {
                    return None;
                }
            }
        }
        HirKind::Capture(capture) => add(&capture.sub, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| add(part, out))?,
        HirKind::Alternation(choices) => add(choices.first()?, out)?,
    }
    (out.len() <= LONGEST).then_some(())
}

fn character(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |c: char| class.iter().any(|range| range.start() <= c && c <= range.end());
    let first = || class.iter().next().map(|range| range.start());
    // If case does not matter, use lowercase letters as in the other parts.
    let small = || first().map(|c| c.to_ascii_lowercase()).filter(|c| has(*c));
    READABLE.into_iter().find(|c| has(*c)).or_else(small).or_else(first)
}

#[cfg(test)]
mod tests {
    use super::super::Regexp;

    #[test]
    fn samples_match() {
        for (pattern, wanted) in [
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", Some("a")),
            (r"^\d{1,3}(\.\d{1,3}){3}$", Some("1.1.1.1")),
            ("^(https?|ftp)://.+$", Some("http://a")),
            ("^([0-9]+(ms|s|m|h))+$", Some("1ms")),
            (r"^\s+$", Some("\t")),
            ("(?i)^AB$", Some("ab")),
            ("a{3}", Some("aaa")),
            (r"^a\b\B", None),
            ("^(a{100}){3}$", None),
            ("", Some("")),
        ] {
            let regexp = Regexp::parse(pattern).expect(pattern);
            assert_eq!(regexp.sample().as_deref(), wanted, "{pattern}");
        }
    }
}
