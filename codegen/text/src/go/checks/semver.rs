//! Versions, as the Go library `blang/semver` reads and orders them.

use crate::go::Error;
use std::cmp::Ordering;
use std::fmt;

use crate::go::{number, quote};

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The major version.
    pub major: u64,
    /// The minor version.
    pub minor: u64,
    /// The patch version.
    pub patch: u64,
    pre: Vec<Pre>,
    build: Vec<String>,
}

/// A part after the `-`. Numbers are lower than words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pre {
    Number(u64),
    Word(String),
}

impl Version {
    /// Parses a complete version.
    pub fn parse(text: &str) -> Result<Version, Error> {
        if text.is_empty() {
            return Err(Error::new("Version string empty"));
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Error::new("No Major.Minor.Patch elements found"));
        };
        let major = part("major", "Major", major)?;
        let minor = part("minor", "Minor", minor)?;
        let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
        let (patch, pre) = rest.split_once('-').map_or((rest, None), |(patch, pre)| (patch, Some(pre)));
        let patch = part("patch", "Patch", patch)?;
        let pre = pre.iter().flat_map(|p| p.split('.')).map(pre_release).collect::<Result<_, _>>()?;
        let build = build.iter().flat_map(|b| b.split('.')).map(build_data).collect::<Result<_, _>>()?;
        Ok(Version { major, minor, patch, pre, build })
    }

    /// Parses a version that may begin with `v`, lack parts and have leading zeros.
    pub fn parse_tolerant(text: &str) -> Result<Version, Error> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
        if parts.len() < 3 && parts.last().is_some_and(|p| p.contains(['+', '-'])) {
            return Err(Error::new("short version cannot contain PreRelease/Build meta data"));
        }
        parts.resize(3, "0".to_owned());
        Version::parse(&parts.join("."))
    }

    /// Compares two versions. Build metadata does not count.
    pub fn compare(&self, other: &Version) -> Ordering {
        let numbers = |v: &Version| (v.major, v.minor, v.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => self.pre.cmp(&other.pre),
        })
    }
}

fn without_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let rest = part.trim_start_matches('0');
    if rest.starts_with(|c: char| c.is_ascii_digit()) { rest.to_owned() } else { format!("0{rest}") }
}

fn part(name: &str, title: &str, text: &str) -> Result<u64, Error> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Error::new(format!("Invalid character(s) found in {name} number {}", quote(text))));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(Error::new(format!("{title} number must not contain leading zeroes {}", quote(text))));
    }
    parse_uint(text)
}

fn parse_uint(text: &str) -> Result<u64, Error> {
    number::parse_uint(text).ok_or_else(|| {
        let why = if text.is_empty() { "invalid syntax" } else { "value out of range" };
        Error::new(format!("strconv.ParseUint: parsing {}: {why}", quote(text)))
    })
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn pre_release(text: &str) -> Result<Pre, Error> {
    if text.is_empty() {
        return Err(Error::new("Prerelease is empty"));
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        if text.len() > 1 && text.starts_with('0') {
            return Err(Error::new(format!(
                "Numeric PreRelease version must not contain leading zeroes {}",
                quote(text)
            )));
        }
        return parse_uint(text).map(Pre::Number);
    }
    if is_word(text) {
        return Ok(Pre::Word(text.to_owned()));
    }
    Err(Error::new(format!("Invalid character(s) found in prerelease {}", quote(text))))
}

fn build_data(text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::new("Build meta data is empty"));
    }
    if is_word(text) {
        return Ok(text.to_owned());
    }
    Err(Error::new(format!("Invalid character(s) found in build meta data {}", quote(text))))
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (i, pre) in self.pre.iter().enumerate() {
            f.write_str(if i == 0 { "-" } else { "." })?;
            match pre {
                Pre::Number(n) => write!(f, "{n}")?,
                Pre::Word(w) => f.write_str(w)?,
            }
        }
        for (i, build) in self.build.iter().enumerate() {
            write!(f, "{}{build}", if i == 0 { "+" } else { "." })?;
        }
        Ok(())
    }
}
