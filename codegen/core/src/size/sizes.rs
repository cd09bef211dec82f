//! The sizes of the parts of a CRD.

use super::applied::applied;
use crate::inert::InertLine;
use crate::ir::Crd;
use crate::value::Value;
use crate::{encode, json};
use std::fmt::Write;

/// The size of a schema as JSON, and of each schema below it.
#[derive(Debug)]
pub struct Sizes<'a> {
    /// The size in bytes, including everything below the schema.
    pub bytes: usize,
    /// The part of [`bytes`](Self::bytes) that descriptions need.
    pub descriptions: usize,
    /// The direct subschemas, with their places.
    pub below: Vec<(Below<'a>, Sizes<'a>)>,
}

/// The place of a schema in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Below<'a> {
    /// The property with this name.
    Property(&'a str),
    /// The value of this keyword: `items` or `additionalProperties`.
    Field(&'a str),
}

impl<'a> Sizes<'a> {
    /// Measures the JSON of a schema.
    pub fn of(schema: &'a Value) -> Sizes<'a> {
        let Value::Map(fields) = schema else {
            return Sizes { bytes: json::length(schema), descriptions: 0, below: Vec::new() };
        };
        let mut out = Sizes { bytes: framed(fields.len()), descriptions: 0, below: Vec::new() };
        for (key, value) in fields.iter() {
            out.bytes += key.len();
            match (key, value) {
                ("properties", Value::Map(properties)) => {
                    out.bytes += framed(properties.len());
                    for (name, property) in properties.iter() {
                        out.bytes += name.len();
                        out.add(Below::Property(name), Sizes::of(property));
                    }
                }
                ("items" | "additionalProperties", Value::Map(_)) => {
                    out.add(Below::Field(key), Sizes::of(value));
                }
                (key, value) => {
                    let bytes = json::length(value);
                    out.bytes += bytes;
                    if key == "description" {
                        out.descriptions += bytes;
                    }
                }
            }
        }
        out
    }

    fn add(&mut self, place: Below<'a>, below: Sizes<'a>) {
        self.bytes += below.bytes;
        self.descriptions += below.descriptions;
        self.below.push((place, below));
    }
}

/// The bytes for the braces around this many members, the quotes and colons of their keys, and the commas between them.
fn framed(members: usize) -> usize {
    2 + 4 * members - members.min(1)
}

/// Returns a text with the parts of a CRD that make up at least a twentieth of it, as a tree with the largest parts
/// first.
pub fn report(crd: &Crd) -> String {
    let whole = applied(crd);
    let mut out = String::new();
    let verdict = if whole.is_small_enough() { "within" } else { "more than" };
    _ = writeln!(
        out,
        "{}: {} bytes; {verdict} the {} that `kubectl apply` allows",
        InertLine(&crd.metadata.name),
        whole.bytes,
        whole.room
    );
    for version in 0..crd.spec.versions.len() {
        let Some(schema) = crd.spec.schema_of(version) else { continue };
        let schema = encode::schema(schema);
        let sizes = Sizes::of(&schema);
        lines(&sizes, &crd.spec.versions[version].name, 1, sizes.bytes / 20, &mut out);
    }
    out
}

fn lines(sizes: &Sizes<'_>, name: &str, depth: usize, least: usize, out: &mut String) {
    // If one part makes up nearly all of the part around it, both are listed on one line.
    let mut name = name.to_owned();
    let mut sizes = sizes;
    while let [(place, below)] = large(sizes, least).as_slice()
        && below.bytes * 10 > sizes.bytes * 9
    {
        name.push_str(&step(*place));
        sizes = below;
    }
    _ = writeln!(
        out,
        "{:>9} bytes, {:>7} of descriptions {}{}",
        sizes.bytes,
        sizes.descriptions,
        "  ".repeat(depth),
        InertLine(name)
    );
    for (place, below) in large(sizes, least) {
        lines(below, &step(place), depth + 1, least, out);
    }
}

/// The parts that are large enough to be listed, the largest first.
fn large<'s>(sizes: &'s Sizes<'s>, least: usize) -> Vec<(Below<'s>, &'s Sizes<'s>)> {
    let all = sizes.below.iter().map(|(place, below)| (*place, below));
    let mut large: Vec<_> = all.filter(|(_, below)| below.bytes >= least.max(1)).collect();
    large.sort_by_key(|(_, below)| std::cmp::Reverse(below.bytes));
    large
}

fn step(place: Below<'_>) -> String {
    match place {
        Below::Property(name) => format!(".{name}"),
        Below::Field("items") => "[]".to_owned(),
        Below::Field(_) => "{}".to_owned(),
    }
}
