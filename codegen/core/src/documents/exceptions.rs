//! Exceptions: diagnostics that authors allow, with a reason and perhaps a last day. As a comment in YAML:
//!
//! ```yaml
//! # crdgen:allow OBJ031 legacy until 2027
//! ```

use std::fmt;

use super::Finding;
use crate::diag::codes::{self, exception};
use crate::diag::{Code, Diag, Level};
use crate::nearest;
use crate::path::Path;
use crate::span::{BYTE_ORDER_MARK, Place, Pos};

/// What starts an exception in a comment.
const MARK: &str = "crdgen:allow";

/// How many exceptions of a text are read. Each finding is compared with all of them.
const MAX_EXCEPTIONS: usize = 1_000;

/// An exception: what it allows, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The code of the diagnostics.
    pub code: &'static Code,
    /// Why they are allowed.
    pub reason: String,
    /// The day from which they are not allowed any more.
    pub until: Option<Day>,
}

/// A day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Day {
    /// Returns the day of a number of seconds since 1970, in UTC.
    pub fn of_unix(seconds: u64) -> Day {
        // Howard Hinnant's algorithm: years begin in March, so that a leap day is the last one.
        let days = i64::try_from(seconds / 86_400).unwrap_or(0) + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        let small = |n: i64| u8::try_from(n).unwrap_or(1);
        Day { year: u16::try_from(year).unwrap_or(u16::MAX), month: small(month), day: small(day) }
    }

    /// Reads `2027`, `2027-03` or `2027-03-01`.
    fn read(text: &str) -> Option<Day> {
        let mut parts = text.split('-');
        let is_number =
            |part: &str, digits: usize| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        let year: u16 = parts.next().filter(|part| is_number(part, 4))?.parse().ok()?;
        let mut part = |most: u8| match parts.next() {
            None => Some(1),
            Some(part) if is_number(part, 2) => part.parse().ok().filter(|n| (1..=most).contains(n)),
            Some(_) => None,
        };
        let month = part(12)?;
        let day = part(days_of(year, month))?;
        parts.next().is_none().then_some(Day { year, month, day })
    }
}

/// How many days a month has.
fn days_of(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Exception {
    /// Reads `CODE REASON [until DAY]`.
    ///
    /// # Errors
    /// Returns what is wrong with it, and what to do.
    pub fn read(text: &str) -> Result<Exception, (String, String)> {
        const FORM: &str = "write the code and the reason, such as `OBJ031 legacy until 2027`";
        let form = |what: String| (what, FORM.to_owned());
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            return Err(form("an exception without a code".to_owned()));
        }
        let id = words.remove(0);
        let Some(code) = codes::find(id) else {
            let all = codes::TABLES.iter().flat_map(|table| table.iter()).map(|code| code.id);
            let help = nearest::did_you_mean(id, all).unwrap_or_else(|| FORM.to_owned());
            return Err((format!("crdgen has no code {id}"), help));
        };
        let mut until = None;
        if let [.., word, day] = words[..]
            && is_until(word)
        {
            let Some(day) = Day::read(day) else {
                let help = "write it as 2027, 2027-03 or 2027-03-01".to_owned();
                return Err((format!("{day} is not a date"), help));
            };
            until = Some(day);
            words.truncate(words.len() - 2);
        } else if let Some(day) = words.windows(2).find_map(|pair| day_after_until(pair[0], pair[1])) {
            // As a part of the reason it would never end.
            let help = format!("write `until {day}` at the end");
            return Err((format!("`until {day}` is in the middle of the reason"), help));
        }
        if words.is_empty() {
            return Err(form(format!("an exception for {} without a reason", code.id)));
        }
        Ok(Exception { code, reason: words.join(" "), until })
    }

    /// Whether it still applies on a day.
    pub fn applies(&self, today: Day) -> bool {
        self.until.is_none_or(|until| today < until)
    }
}

/// Whether a word announces the day on which an exception ends: `until`, also as `Until` or `until:`.
fn is_until(word: &str) -> bool {
    word.trim_end_matches(':').eq_ignore_ascii_case("until")
}

/// The day that two words name in the middle of a reason: `until 2027-03-01,`.
fn day_after_until(word: &str, day: &str) -> Option<Day> {
    let day = day.trim_end_matches(|c: char| c.is_ascii_punctuation());
    Day::read(day).filter(|_| is_until(word))
}

/// An exception in a comment.
#[derive(Clone, Debug)]
pub struct Comment {
    /// The exception.
    pub exception: Exception,
    /// The place of the comment.
    pub place: Place,
    /// The first and the last line that it covers.
    lines: (u32, u32),
}

impl Comment {
    /// Whether it covers a place.
    pub fn covers(&self, place: Option<Place>) -> bool {
        place.is_some_and(|place| (self.lines.0..=self.lines.1).contains(&place.start.line))
    }
}

/// Returns the exceptions in the comments of a YAML text, and the findings about those that cannot be read.
///
/// A comment in a line of its own covers the value that follows, and everything inside of it. At the start of a document, it
/// covers the document. A comment at the end of a line covers the value that begins in this line.
pub fn exceptions(text: &[u8]) -> (Vec<Comment>, Vec<Finding>) {
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    let text = std::str::from_utf8(text).ok().filter(|text| text.contains(MARK));
    let Some(text) = text else { return (found, findings) };
    let lines = lines(text);
    let ends = ends(&lines);
    for (index, line) in lines.iter().enumerate() {
        let Some((column, words)) = line.exception else { continue };
        if found.len() + findings.len() == MAX_EXCEPTIONS {
            break;
        }
        let place = place(text, line, index, column);
        match Exception::read(words) {
            Ok(exception) => {
                let lines = covered(&lines, &ends, index);
                found.push(Comment { exception, place, lines });
            }
            Err((what, help)) => {
                let diag = Diag::own(&exception::MALFORMED, Level::Error, &Path::ROOT, what).help(help);
                findings.push(Finding::new(String::new(), Some(place), diag));
            }
        }
    }
    (found, findings)
}

/// A line of YAML, as far as exceptions need it.
struct Line<'t> {
    /// The offset of its start.
    start: usize,
    text: &'t str,
    kind: Content,
    /// The offset of the comment in the line, and what follows the mark.
    exception: Option<(usize, &'t str)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Blank, or only a comment.
    Nothing,
    /// The start of a document.
    Separator,
    /// How deep its value is. An item of a list is deeper than a key in the same column.
    Depth(usize),
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    let mut start = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    // Inside a block scalar, the indentation of the key that it belongs to.
    let mut scalar: Option<usize> = None;
    for whole in text[start..].split_inclusive('\n') {
        let text = whole.trim_end_matches(['\n', '\r']);
        let trimmed = text.trim_start_matches(' ');
        let indent = text.len() - trimmed.len();
        if scalar.is_some_and(|parent| !trimmed.is_empty() && indent <= parent) {
            scalar = None;
        }
        let mut line = Line { start, text, kind: Content::Nothing, exception: None };
        start += whole.len();
        if scalar.is_some() {
            if !trimmed.is_empty() {
                line.kind = Content::Depth(2 * indent);
            }
            out.push(line);
            continue;
        }
        let comment = comment(text);
        line.exception = comment.and_then(|(at, comment)| Some((at, comment.strip_prefix(MARK)?)));
        let is_other_comment = |(at, _): &(usize, &str)| text[..*at].ends_with([' ', '\t']);
        let other = match trimmed.starts_with('#') {
            true => Some(indent),
            false => text.match_indices('#').find(is_other_comment).map(|(at, _)| at),
        };
        let content = comment.map(|(at, _)| at).or(other).map_or(text, |at| &text[..at]).trim();
        if content == "---" || content.starts_with("--- ") || content == "..." {
            line.kind = Content::Separator;
        } else if !content.is_empty() {
            let is_item = content == "-" || content.starts_with("- ");
            line.kind = Content::Depth(2 * indent + usize::from(is_item));
            let last = content.rsplit(' ').next().unwrap_or_default();
            let is_scalar =
                last.starts_with(['|', '>']) && last[1..].chars().all(|c| matches!(c, '-' | '+' | '0'..='9'));
            // The key of an item is further right than its dash.
            let key = content.trim_start_matches(['-', ' ']);
            scalar = is_scalar.then(|| if key == last { indent } else { indent + content.len() - key.len() });
        }
        out.push(line);
    }
    out
}

/// Returns the offset of the comment in a line, and its text.
fn comment(line: &str) -> Option<(usize, &str)> {
    let at = line.find(MARK)?;
    let before = line[..at].trim_end();
    let hash = before.strip_suffix('#')?;
    let is_comment = hash.is_empty() || hash.ends_with([' ', '\t']);
    is_comment.then_some((hash.len(), &line[at..]))
}

/// The last line of the value that begins in each line.
fn ends(lines: &[Line<'_>]) -> Vec<usize> {
    let mut ends = vec![0; lines.len()];
    // The lines below that are not inside of a deeper one, the nearest last.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut last_content = lines.len().saturating_sub(1);
    for (index, line) in lines.iter().enumerate().rev() {
        match line.kind {
            Content::Nothing => {}
            Content::Separator => {
                open.clear();
                last_content = index.saturating_sub(1);
            }
            Content::Depth(depth) => {
                while open.last().is_some_and(|(_, other)| *other > depth) {
                    open.pop();
                }
                ends[index] = open.last().map_or(last_content, |(next, _)| next - 1);
                open.push((index, depth));
            }
        }
    }
    ends
}

/// The first and the last line that the exception in a line covers, from 1.
fn covered(lines: &[Line<'_>], ends: &[usize], at: usize) -> (u32, u32) {
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    if matches!(lines[at].kind, Content::Depth(_)) {
        return (number(at), number(ends[at]));
    }
    let is_content = |line: &Line<'_>| line.kind != Content::Nothing;
    let above = lines[..at].iter().rposition(is_content);
    let below = lines[at..].iter().position(is_content).map(|below| at + below);
    let is_head = above.is_none_or(|above| lines[above].kind == Content::Separator);
    match below {
        Some(below) if is_head => {
            let is_separator = |line: &Line<'_>| line.kind == Content::Separator;
            // Comments before the first separator belong to the document after it.
            let from = if lines[below].kind == Content::Separator { below + 1 } else { below };
            let end = lines[from..].iter().position(is_separator).map_or(lines.len(), |end| from + end);
            (number(at), number(end.saturating_sub(1)))
        }
        Some(below) => (number(below), number(ends[below])),
        None => (number(at), number(at)),
    }
}

fn place(text: &str, line: &Line<'_>, index: usize, column: usize) -> Place {
    let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
    let at = |inside: usize| {
        let characters = line.text[..inside].chars().count() + 1;
        let column = u32::try_from(characters).unwrap_or(u32::MAX);
        Pos { line: number, column, offset: (line.start + inside).min(text.len()) }
    };
    Place { start: at(column), end: at(line.text.trim_end().len()) }
}

#[cfg(test)]
mod tests {
    use super::{Day, Exception, exceptions};

    #[test]
    fn reads_code_reason_and_day() {
        let read = Exception::read("obj031 legacy, see ops until 2027").expect("an exception");
        assert_eq!((read.code.id, read.reason.as_str()), ("OBJ031", "legacy, see ops"));
        assert_eq!(read.until.map(|day| day.to_string()).as_deref(), Some("2027-01-01"));
        for (wrong, expected) in [
            ("", "an exception without a code"),
            ("OBJ9999 x", "crdgen has no code OBJ9999"),
            ("OBJ031", "an exception for OBJ031 without a reason"),
            ("OBJ031 until 2027", "an exception for OBJ031 without a reason"),
            ("OBJ031 x until tomorrow", "tomorrow is not a date"),
            ("OBJ031 x until 2027-13", "2027-13 is not a date"),
            ("OBJ031 x until 2027-02-29", "2027-02-29 is not a date"),
            ("OBJ031 x until 2027-04-31", "2027-04-31 is not a date"),
            ("OBJ031 x until: soon", "soon is not a date"),
            ("OBJ031 x until 2027-03-01, see ops", "`until 2027-03-01` is in the middle of the reason"),
        ] {
            assert_eq!(Exception::read(wrong).expect_err(wrong).0, expected);
        }
        for (text, expected) in [
            ("OBJ031 x until: 2027-03-01", "2027-03-01"),
            ("OBJ031 x Until 2027-03", "2027-03-01"),
            ("OBJ031 x until 2028-02-29", "2028-02-29"),
        ] {
            let read = Exception::read(text).expect(text);
            assert_eq!(
                (read.reason.as_str(), read.until.map(|day| day.to_string())),
                ("x", Some(expected.to_owned()))
            );
        }
        // Without a day after it, `until` is a word of the reason.
        assert!(Exception::read("OBJ031 wait until then comes").is_ok());
    }

    #[test]
    fn days() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_798_761_600, "2027-01-01"),
        ] {
            assert_eq!(Day::of_unix(seconds).to_string(), expected);
        }
        let read = Exception::read("OBJ031 x until 2027").expect("an exception");
        assert!(read.applies(Day { year: 2026, month: 12, day: 31 }));
        assert!(!read.applies(Day { year: 2027, month: 1, day: 1 }));
    }

    #[test]
    fn comments_cover_the_value_after_them() {
        for (text, expected) in [
            ("# crdgen:allow OBJ031 x\na: 1\nb: 2\n", vec![(1, 3)]),
            ("# @generated\n# crdgen:allow OBJ031 x\na: 1\nb: 2\n", vec![(2, 4)]),
            ("---\n# @generated\n\n# crdgen:allow OBJ031 x\n# text: |\na: 1\nb: 2\n", vec![(4, 7)]),
            ("a: 1\n# crdgen:allow OBJ031 x\n# text\nb:\n  c: 1\n# text\nd: 1\n", vec![(4, 6)]),
            ("a: | # text\n  # crdgen:allow OBJ031 x\nb: '# x' # crdgen:allow OBJ031 y\n", vec![(3, 3)]),
            ("a: 1\n# crdgen:allow OBJ031 x\nb:\n  c: 1\n\n  d: 1\ne: 2\n", vec![(3, 6)]),
            ("a: 1 # crdgen:allow OBJ031 x\nb: 2\n", vec![(1, 1)]),
            ("a: # crdgen:allow OBJ031 x\n- 1\n- 2\nb: 2\n", vec![(1, 3)]),
            ("a:\n- b: 1 # crdgen:allow OBJ031 x\n  c: 1\n- b: 2\n", vec![(2, 3)]),
            ("a:\n# crdgen:allow OBJ031 x\n- b: 1\n  c: 1\n- b: 2\n", vec![(3, 4)]),
            ("---\n# crdgen:allow OBJ031 x\na: 1\nb: 2\n---\nc: 1\n", vec![(2, 4)]),
            ("# crdgen:allow OBJ031 x\n---\na: 1\nb: 2\n---\nc: 1\n", vec![(1, 4)]),
            ("a: |\n  # crdgen:allow OBJ031 x\nb: 1\n", vec![]),
            ("a:\n- b: |\n    # crdgen:allow OBJ031 x\n  c: 1 # crdgen:allow OBJ031 y\n", vec![(4, 4)]),
            ("a: x#crdgen:allow OBJ031 x\n", vec![]),
            ("a: 1\n# crdgen:allow OBJ031 x\n", vec![(2, 2)]),
            ("\u{feff}# crdgen:allow OBJ031 x\na: 1\nb: 2\n", vec![(1, 3)]),
            ("# crdgen:allow OBJ031 x\r\na: 1\r\nb: 2\r\n", vec![(1, 3)]),
        ] {
            let (found, wrong) = exceptions(text.as_bytes());
            assert!(wrong.is_empty(), "{text}");
            assert_eq!(found.iter().map(|comment| comment.lines).collect::<Vec<_>>(), expected, "{text}");
        }
        let (found, wrong) = exceptions(b"a: 1\nb: 1 # crdgen:allow\n");
        assert_eq!((found.len(), wrong.len()), (0, 1));
        assert_eq!(wrong[0].place.map(|place| (place.start.line, place.start.column)), Some((2, 6)));
    }
}
