//! Finds patterns that Go rejects, as far as a quick check can. The derive reports them at the literal. It does not use
//! an engine for regular expressions, because that would slow down every build. The engine also rejects every pattern
//! that is found here.

/// Returns what is wrong with a pattern, in Go's words: look-around, back-references, escapes of other dialects,
/// repetitions of more than 1,000 times, and missing closing brackets.
pub fn wrong(pattern: &str) -> Option<String> {
    let error = |what: &str, part: &str| {
        Some(format!("must be a valid regular expression, but isn't: error parsing regexp: {what}: `{part}`"))
    };
    let (mut rest, mut open) = (pattern, 0_usize);
    while let Some(c) = rest.chars().next() {
        let skip = match c {
            '\\' => match escape(rest) {
                Ok(len) => len,
                Err(part) => return error("invalid escape sequence", part),
            },
            '[' => match class(rest) {
                Some(len) => len,
                None => return error("missing closing ]", rest),
            },
            '(' => {
                for look in ["(?=", "(?!", "(?>"] {
                    if rest.starts_with(look) {
                        return error("invalid or unsupported Perl syntax", look);
                    }
                }
                if rest.starts_with("(?<=") || rest.starts_with("(?<!") {
                    let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                    return error("invalid named capture", &rest[..end]);
                }
                // Flags for the rest of the group do not open a group.
                let flags = rest
                    .strip_prefix("(?")
                    .and_then(|r| r.find(|c: char| !"imsU-".contains(c)).map(|at| &r[at..]));
                if !flags.is_some_and(|r| r.starts_with(')')) {
                    open += 1;
                    1
                } else {
                    rest.find(')').map_or(rest.len(), |end| end + 1)
                }
            }
            '{' => match repeat(rest) {
                Ok(len) => len,
                Err(part) => return error("invalid repeat count", part),
            },
            ')' if open == 0 => return error("unexpected )", pattern),
            ')' => {
                open -= 1;
                1
            }
            c => c.len_utf8(),
        };
        rest = rest.get(skip..).unwrap_or_default();
    }
    if open > 0 { error("missing closing )", pattern) } else { None }
}

/// The length of an escape, or as an error the escape that Go does not have.
fn escape(rest: &str) -> Result<usize, &str> {
    const FOREIGN: &str = "ZGKRXhHuUcNgk";
    let mut chars = rest.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('Q'), _) => Ok(rest.find("\\E").map_or(rest.len(), |end| end + 2)),
        (Some('x' | 'p' | 'P'), Some('{')) => Ok(rest.find('}').map_or(rest.len(), |end| end + 1)),
        (Some('1'..='7'), Some('0'..='7')) => Ok(2),
        (Some(c), _) if FOREIGN.contains(c) || ('1'..='9').contains(&c) => Err(&rest[..2]),
        (Some(c), _) => Ok(1 + c.len_utf8()),
        (None, _) => Ok(1),
    }
}

/// The length of a repetition such as `{1,3}`, or as an error one that Go does not allow. Other braces are characters.
fn repeat(rest: &str) -> Result<usize, &str> {
    const MOST: &str = "1000";
    let Some(end) = rest.find('}') else { return Ok(1) };
    let (low, high) = match rest[1..end].split_once(',') {
        Some((low, "")) => (low, low),
        Some((low, high)) => (low, high),
        None => (&rest[1..end], &rest[1..end]),
    };
    let is_number = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|c| c.is_ascii_digit())
            && (text.len() == 1 || !text.starts_with('0'))
    };
    if !is_number(low) || !is_number(high) {
        return Ok(1);
    }
    // Of two numbers without leading zeros, the longer one is the larger one.
    let is_more = |a: &str, b: &str| (a.len(), a) > (b.len(), b);
    if is_more(low, MOST) || is_more(high, MOST) || is_more(low, high) {
        return Err(&rest[..=end]);
    }
    Ok(end + 1)
}

/// The length of a class in brackets. None if it is not closed.
fn class(rest: &str) -> Option<usize> {
    let mut at = if rest.starts_with("[^") { 2 } else { 1 };
    let mut first = true;
    loop {
        let here = rest.get(at..)?;
        let named = here.strip_prefix("[:").and_then(|name| name.find(":]"));
        at += match (here.chars().next()?, named) {
            (']', _) if !first => return Some(at + 1),
            (_, Some(end)) => end + 4,
            ('\\', _) if here[1..].starts_with(['d', 'D', 's', 'S', 'w', 'W', 'p', 'P']) => 2,
            _ => {
                let low = one(here)?;
                match here[low..].strip_prefix('-') {
                    Some(high) if !high.starts_with(']') => low + 1 + one(high)?,
                    _ => low,
                }
            }
        };
        first = false;
    }
}

/// The length of a character in a class.
fn one(here: &str) -> Option<usize> {
    let mut chars = here.chars();
    match chars.next()? {
        '\\' => Some(1 + chars.next()?.len_utf8()),
        c => Some(c.len_utf8()),
    }
}
