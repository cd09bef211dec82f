//! Matches common patterns without an engine for regular expressions, which would slow down the build of programs and
//! derives. Other patterns are not decided: those that need more than characters, classes, groups, alternatives,
//! counts, `^` and `$`.

/// Patterns with deeper groups are not decided.
const MAX_DEPTH: u32 = 30;

/// If matching takes more steps, the result is not decided.
const MAX_STEPS: usize = 200_000;

/// Whether a pattern matches anywhere in a text. None if this module does not support the pattern, or matching takes
/// too many steps.
pub fn matches(pattern: &str, text: &str) -> Option<bool> {
    let mut parser = Parser { rest: pattern, depth: 0 };
    let node = parser.alternatives()?;
    if !parser.rest.is_empty() {
        return None;
    }
    let text: Vec<char> = text.chars().collect();
    let mut run = Run { text: &text, steps: 0 };
    let starts = vec![true; text.len() + 1];
    Some(run.ends(&node, &starts)?.contains(&true))
}

enum PatternNode {
    /// A character within these ranges, or outside of them.
    One {
        ranges: Vec<(char, char)>,
        within: bool,
    },
    Start,
    End,
    All(Vec<PatternNode>),
    Any(Vec<PatternNode>),
    Repeat(Box<PatternNode>, usize, Option<usize>),
}

struct Parser<'p> {
    rest: &'p str,
    depth: u32,
}

/// Methods return none if the pattern is not a common one, or is invalid.
impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn alternatives(&mut self) -> Option<PatternNode> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut all = vec![self.sequence()?];
        while self.eat("|") {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        Some(PatternNode::Any(all))
    }

    fn sequence(&mut self) -> Option<PatternNode> {
        let mut all = Vec::new();
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let node = self.one()?;
            all.push(self.repeated(node)?);
        }
        Some(PatternNode::All(all))
    }

    fn one(&mut self) -> Option<PatternNode> {
        Some(match self.next()? {
            '^' => PatternNode::Start,
            '$' => PatternNode::End,
            '.' => PatternNode::One { ranges: vec![('\n', '\n')], within: false },
            '(' => {
                if self.peek() == Some('?') && !self.eat("?:") {
                    return None;
                }
                let inner = self.alternatives()?;
                if !self.eat(")") {
                    return None;
                }
                inner
            }
            '[' => self.class()?,
            '\\' => match self.next()? {
                'A' => PatternNode::Start,
                'z' => PatternNode::End,
                c => match named(c) {
                    Some((ranges, within)) => PatternNode::One { ranges, within },
                    None => single(escaped(c)?),
                },
            },
            '*' | '+' | '?' | '{' => return None,
            c => single(c),
        })
    }

    fn repeated(&mut self, node: PatternNode) -> Option<PatternNode> {
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let (count, _) = self.rest[1..].split_once('}')?;
                let (min, max) = match count.split_once(',') {
                    None => (number(count)?, Some(number(count)?)),
                    Some((min, "")) => (number(min)?, None),
                    Some((min, max)) => (number(min)?, Some(number(max)?)),
                };
                if max.is_some_and(|max| max < min) {
                    return None;
                }
                self.rest = &self.rest[count.len() + 1..];
                (min, max)
            }
            _ => return Some(node),
        };
        self.next();
        // A lazy repetition matches the same texts.
        self.eat("?");
        let repeated = !matches!(self.peek(), Some('*' | '+' | '?' | '{'));
        repeated.then(|| PatternNode::Repeat(Box::new(node), min, max))
    }

    fn class(&mut self) -> Option<PatternNode> {
        let within = !self.eat("^");
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let c = match self.next()? {
                ']' if !first => return Some(PatternNode::One { ranges, within }),
                '[' if self.peek() == Some(':') => return None,
                '\\' => {
                    let c = self.next()?;
                    match named(c) {
                        Some((mut more, true)) => {
                            ranges.append(&mut more);
                            first = false;
                            continue;
                        }
                        Some((_, false)) => return None,
                        None => escaped(c)?,
                    }
                }
                c => c,
            };
            first = false;
            let last = if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.next();
                match self.next()? {
                    '\\' => escaped(self.next()?)?,
                    '[' => return None,
                    last => last,
                }
            } else {
                c
            };
            if last < c {
                return None;
            }
            ranges.push((c, last));
        }
    }
}

fn single(c: char) -> PatternNode {
    PatternNode::One { ranges: vec![(c, c)], within: true }
}

/// Go allows at most a thousand repetitions.
fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|n| *n <= 1000)
}

/// The ranges of a named class, and whether characters must be inside them.
fn named(c: char) -> Option<(Vec<(char, char)>, bool)> {
    let ranges = match c.to_ascii_lowercase() {
        'd' => vec![('0', '9')],
        'w' => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        's' => vec![('\t', '\n'), ('\x0c', '\r'), (' ', ' ')],
        _ => return None,
    };
    Some((ranges, c.is_ascii_lowercase()))
}

fn escaped(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'f' => Some('\x0c'),
        'v' => Some('\x0b'),
        'a' => Some('\x07'),
        c => c.is_ascii_punctuation().then_some(c),
    }
}

struct Run<'t> {
    text: &'t [char],
    steps: usize,
}

impl Run<'_> {
    /// The places where matches can end that start at one of these places. None if it takes too long.
    fn ends(&mut self, node: &PatternNode, starts: &[bool]) -> Option<Vec<bool>> {
        self.steps += starts.len();
        if self.steps > MAX_STEPS {
            return None;
        }
        let mut out = vec![false; starts.len()];
        match node {
            PatternNode::One { ranges, within } => {
                for (at, c) in self.text.iter().enumerate().filter(|(at, _)| starts[*at]) {
                    out[at + 1] = ranges.iter().any(|(low, high)| (low..=high).contains(&c)) == *within;
                }
            }
            PatternNode::Start => out[0] = starts[0],
            PatternNode::End => *out.last_mut()? = *starts.last()?,
            PatternNode::All(parts) => {
                out = starts.to_vec();
                for part in parts {
                    out = self.ends(part, &out)?;
                }
            }
            PatternNode::Any(parts) => {
                for part in parts {
                    join(&mut out, &self.ends(part, starts)?);
                }
            }
            PatternNode::Repeat(inner, min, max) => {
                let mut here = starts.to_vec();
                for _ in 0..*min {
                    here = self.ends(inner, &here)?;
                }
                out = here.clone();
                // A text can be repeated at most once per character.
                for _ in 0..max.map_or(starts.len(), |max| max - min).min(starts.len()) {
                    here = self.ends(inner, &here)?;
                    if !join(&mut out, &here) {
                        break;
                    }
                }
            }
        }
        Some(out)
    }
}

/// Adds places. Returns whether one of them is new.
fn join(to: &mut [bool], from: &[bool]) -> bool {
    let mut new = false;
    for (to, from) in to.iter_mut().zip(from) {
        new |= *from && !*to;
        *to |= *from;
    }
    new
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn everyday_patterns() {
        for (pattern, text, expected) in [
            ("^[a-z]+$", "abc", Some(true)),
            ("^[a-z]+$", "ABC", Some(false)),
            ("^[a-z]+$", "", Some(false)),
            ("b", "abc", Some(true)),
            ("", "", Some(true)),
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", "a.b-c.d", Some(true)),
            ("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$", "a..b", Some(false)),
            ("^(?:a|bc){2,3}$", "abc", Some(true)),
            ("^(?:a|bc){2,3}$", "abca", Some(true)),
            ("^(?:a|bc){2,3}$", "a", Some(false)),
            ("^\\d{3}-\\w+\\s?$", "123-a_b ", Some(true)),
            ("^[^\\n,]*$", "a,b", Some(false)),
            ("^.$", "\n", Some(false)),
            ("^(a*)*$", "aaab", Some(false)),
            ("^[]a]+$", "]a", Some(true)),
            ("^a{,3}$", "a{,3}", None),
            ("^a**$", "a", None),
            ("(?i)a", "A", None),
            ("\\bа", "a", None),
            ("^(a", "a", None),
            ("a)", "a", None),
            ("[[:alpha:]]", "a", None),
            ("a{1001}", "a", None),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text:?}");
        }
        assert_eq!(matches(&"(".repeat(100_000), "a"), None);
        assert_eq!(matches("(((a{1000}){1000}){1000}){1000}", &"a".repeat(1000)), None);
    }
}
