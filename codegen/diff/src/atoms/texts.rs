//! Texts at the edges of schemas: of some lengths, and texts that one of two patterns or formats has.

use crdgen_core::go::regexp::{Comparisons, Regexp};
use crdgen_core::ir::{Limits, Schema};
use crdgen_core::sample;
use crdgen_core::value::Value;

use crate::place::Place;
use std::collections::BTreeSet;

/// Longer texts are not tried.
const LONGEST: i64 = 70_000;

/// Texts of many formats, and of none.
pub(super) const SOME: &[&str] = &[
    "",
    "a",
    "b",
    "A",
    "1",
    "a b",
    "-",
    "é",
    "not a value",
    "10.0.0.1",
    "10.0.0.2",
    "192.168.100.200",
    "10.0.0.0/8",
    "192.168.0.0/16",
    "::1",
    "2001:db8::1",
    "2026-01-31",
    "2027-02-28",
    "2026-01-31T12:00:00Z",
    "2027-02-28T12:00:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "0001-01-01",
    "9999-12-31",
    "2027-02-28T12:00:00.000000000000000000000000000000000000000000000000000000000000000000000000Z",
    "1h30m",
    "45m",
    "user@example.com",
    "https://example.com/a",
    "app.example.com",
    "7c4a8d09-ca37-4a2e-8f3b-2d3f6f6a1b0e",
    "5df41881-3aed-3515-88a7-2f4a814cf09e",
    "#336699",
    "rgb(51,102,153)",
    "ZXhhbXBsZQ==",
    "00:1b:44:11:3a:b7",
    "507f1f77bcf86cd799439011",
    "4111111111111111",
    "123-45-6789",
    "0306406152",
    "9780306406157",
    "500m",
    "10Gi",
    "0",
    "-1",
    "v1.2.3",
    "100%",
];

/// The texts of a place at the edges of its schemas.
pub(super) fn edges(place: &Place<'_>, schema: &Schema, limits: &[&Limits]) -> Vec<Value> {
    let patterns: Vec<Regexp> = limits
        .iter()
        .map(|it| it.pattern.as_str())
        .filter(|pattern| !pattern.is_empty())
        .filter_map(|pattern| Regexp::parse(pattern).ok())
        .collect();
    let written: Vec<&str> = limits.iter().map(|it| it.pattern.as_str()).collect();
    let mut out: Vec<String> = differences(&written, &place.patterns);
    out.extend(patterns.iter().filter_map(Regexp::sample));
    let lengths = limits.iter().flat_map(|it| [it.min_length, it.max_length]).flatten();
    let lengths: BTreeSet<usize> = lengths
        .flat_map(|bound| [bound, bound + 1, bound - 1])
        .filter(|length| (0..=LONGEST).contains(length))
        .map(|length| length as usize)
        .collect();
    for length in lengths {
        let of_patterns = patterns.iter().filter_map(|pattern| sample::of_length(pattern, length));
        out.extend(of_patterns);
        out.extend(limits.iter().filter_map(|it| of_format(&it.format, length)));
        out.push("a".repeat(length));
    }
    let has_formats = limits.iter().any(|it| !it.format.is_empty());
    let example = place.examples.value(place.name(), schema, 0, 0);
    let of_both = example.as_str().filter(|_| has_formats).map(|of_format| {
        let found = out.iter().filter(|text| text.len() < of_format.len());
        found.flat_map(|text| overlaid(of_format, text)).collect::<Vec<String>>()
    });
    out.extend(of_both.into_iter().flatten());
    let some = if has_formats || !patterns.is_empty() { SOME } else { &SOME[..8] };
    out.extend(some.iter().map(|text| (*text).to_owned()));
    example.as_str().into_iter().map(str::to_owned).chain(out).map(Value::Str).collect()
}

/// A text of a format that starts, or ends, with what a pattern matches: it may still have the format.
fn overlaid(of_format: &str, text: &str) -> impl Iterator<Item = String> {
    let rest = of_format.len() - text.len();
    let start = of_format.get(text.len()..).map(|end| format!("{text}{end}"));
    let end = of_format.get(..rest).map(|start| format!("{start}{text}"));
    start.into_iter().chain(end)
}

/// Texts that only one of two patterns matches.
pub(super) fn differences(patterns: &[&str], known: &Comparisons) -> Vec<String> {
    let mut out = Vec::new();
    for (i, one) in patterns.iter().enumerate() {
        for other in patterns.iter().skip(i + 1).filter(|other| *other != one) {
            out.extend([known.only_in(one, other), known.only_in(other, one)].into_iter().flatten());
        }
    }
    out
}

/// So many bytes as base64.
pub(super) fn of_bytes(count: usize) -> String {
    let rest = ["", "AA==", "AAA="][count % 3];
    format!("{}{rest}", "AAAA".repeat(count / 3))
}

/// A text of some length that has a format: a number with many zeros, a long path, or an address with long parts.
fn of_format(format: &str, length: usize) -> Option<String> {
    let (start, filling, end) = match format.replace('-', "").as_str() {
        "datetime" => ("2026-01-31T12:00:00.", "0", "Z"),
        "duration" => ("", "0", "1s"),
        "uri" => ("https://example.com/", "a", ""),
        "byte" if length.is_multiple_of(4) => ("", "A", ""),
        "email" => ("", "a", "@example.com"),
        "ipv6" => return (length == LONGEST_IPV6.len()).then(|| LONGEST_IPV6.to_owned()),
        "ipv4" => return address(length),
        "cidr" => return Some(format!("{}/32", address(length.checked_sub(3)?)?)),
        _ => return None,
    };
    let missing = length.checked_sub(start.len() + end.len()).filter(|missing| *missing > 0)?;
    Some(format!("{start}{}{end}", filling.repeat(missing)))
}

const LONGEST_IPV6: &str = "2001:0db8:0000:0000:0000:0000:0000:0001";

/// An IPv4 address of some length.
fn address(length: usize) -> Option<String> {
    let digits = length.checked_sub(3).filter(|digits| (4..=12).contains(digits))?;
    let part = |at: usize| ["1", "10", "100"][(digits - 4 + 3 - at) / 4];
    Some((0..4).map(part).collect::<Vec<_>>().join("."))
}
