//! Evaluates paths. Missing fields are not errors, they only yield nothing.

use super::{Filter, JsonPath, PathNode, Slice};
use crate::go;
use crate::json;
use crate::value::Value;
use std::cmp::Ordering;

/// How many values a search may visit. Unions find the same values again, so that a short path may find any number of them.
const MAX_FOUND: usize = 100_000;

/// A result of evaluating a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<'v> {
    /// A value in the object.
    Value(&'v Value),
    /// A text that is written in the path.
    Text(String),
    /// An integer that is written in the path.
    Int(i64),
    /// A float that is written in the path.
    Float(f64),
    /// A boolean that is written in the path.
    Bool(bool),
    /// A byte of a string.
    Byte(u8),
}

impl Found<'_> {
    /// Returns the text that a column of type `string` shows.
    pub fn printed(&self) -> String {
        match self {
            Found::Value(Value::Null) => "<no value>".to_owned(),
            Found::Value(value @ (Value::List(_) | Value::Map(_))) => json::to_html_safe(value),
            Found::Value(Value::Str(s)) | Found::Text(s) => s.clone(),
            Found::Value(Value::Bool(b)) | Found::Bool(b) => b.to_string(),
            Found::Value(Value::Int(i)) | Found::Int(i) => i.to_string(),
            Found::Value(Value::Float(f)) | Found::Float(f) => go::number::format_g(*f),
            Found::Byte(b) => b.to_string(),
        }
    }
}

impl JsonPath {
    /// Returns the first value at the path. `None` if there is none, or if the path does not match the object.
    pub fn first<'v>(&self, object: &'v Value) -> Option<Found<'v>> {
        self.first_counted(object, &mut 0)
    }

    /// The same. Counts the values that the search looks at.
    pub(in crate::object) fn first_counted<'v>(
        &self,
        object: &'v Value,
        count: &mut usize,
    ) -> Option<Found<'v>> {
        let mut first = None;
        for (i, node) in self.0.iter().enumerate() {
            let mut search = Search { ranges: false, found: 0, filtered: 0 };
            let found = search.step(vec![Found::Value(object)], node);
            *count += search.found + search.filtered;
            let found = found?;
            if search.ranges {
                // The rest of the path is a loop, and its results do not count as first ones.
                return first.flatten();
            }
            if i == 0 {
                first = Some(found.into_iter().next());
            }
        }
        first.flatten()
    }
}

struct Search {
    ranges: bool,
    found: usize,
    /// How many values filters have looked at.
    filtered: usize,
}

impl Search {
    fn steps<'v>(&mut self, input: Vec<Found<'v>>, nodes: &[PathNode]) -> Option<Vec<Found<'v>>> {
        nodes.iter().try_fold(input, |input, node| self.step(input, node))
    }

    fn step<'v>(&mut self, input: Vec<Found<'v>>, node: &PathNode) -> Option<Vec<Found<'v>>> {
        let each = |found: Found<'v>| Some(vec![found; input.len()]);
        match node {
            PathNode::List(nodes) => self.steps(input, nodes),
            PathNode::Text(text) => Some(vec![Found::Text(text.clone())]),
            PathNode::Int(i) => each(Found::Int(*i)),
            PathNode::Float(f) => each(Found::Float(*f)),
            PathNode::Bool(b) => each(Found::Bool(*b)),
            PathNode::Field(name) => Some(
                input
                    .into_iter()
                    .filter_map(|found| match found {
                        Found::Value(value) => value.get(name).map(Found::Value),
                        Found::Text(_)
                        | Found::Int(_)
                        | Found::Float(_)
                        | Found::Bool(_)
                        | Found::Byte(_) => None,
                    })
                    .collect(),
            ),
            PathNode::Slice(slice) => {
                let mut out = Vec::new();
                for found in input {
                    match found {
                        Found::Value(Value::Null) => {}
                        Found::Value(Value::List(items)) => match bounds(slice, items.len())? {
                            // An empty slice ends the search: the server skips the remaining lists too.
                            None => return Some(out),
                            Some((range, step)) => {
                                self.visit(range.len() / step + 1)?;
                                out.extend(items[range].iter().step_by(step).map(Found::Value));
                            }
                        },
                        _ => return None,
                    }
                }
                Some(out)
            }
            PathNode::Filter(filter) => self.filter(input, filter),
            PathNode::Wildcard => {
                let mut out = Vec::new();
                for found in &input {
                    let before = out.len();
                    members(found, &mut out);
                    self.visit(out.len() - before)?;
                }
                Some(out)
            }
            PathNode::Recursive => {
                let mut out = Vec::new();
                self.recursive(input, &mut out)?;
                Some(out)
            }
            PathNode::Union(all) => {
                let mut out = Vec::new();
                for nodes in all {
                    self.visit(input.len())?;
                    out.extend(self.steps(input.clone(), nodes)?);
                }
                Some(out)
            }
            PathNode::Identifier(name) if name == "range" => {
                self.ranges = true;
                Some(input)
            }
            PathNode::Identifier(_) => None,
        }
    }

    /// Counts values. Ends the search after too many.
    fn visit(&mut self, values: usize) -> Option<()> {
        self.found += values;
        (self.found <= MAX_FOUND).then_some(())
    }

    /// All objects and lists that are not empty, at any depth.
    fn recursive<'v>(&mut self, input: Vec<Found<'v>>, out: &mut Vec<Found<'v>>) -> Option<()> {
        for found in input {
            let mut inner = Vec::new();
            members(&found, &mut inner);
            if !inner.is_empty() {
                self.visit(inner.len())?;
                out.push(found);
                self.recursive(inner, out)?;
            }
        }
        Some(())
    }

    fn filter<'v>(&mut self, input: Vec<Found<'v>>, filter: &Filter) -> Option<Vec<Found<'v>>> {
        let mut out = Vec::new();
        for found in input {
            let Found::Value(Value::List(items)) = found else { return None };
            self.filtered += items.len();
            for item in items {
                let here = || vec![Found::Value(item)];
                let left = self.steps(here(), &filter.left);
                if filter.operator.is_empty() {
                    if left.is_some_and(|l| !l.is_empty()) {
                        out.push(Found::Value(item));
                    }
                    continue;
                }
                let left = left?;
                let left = match &left[..] {
                    [] => continue,
                    [one] => one,
                    _ => return None,
                };
                let right = self.steps(here(), &filter.right)?;
                let right = match &right[..] {
                    [] => continue,
                    [one] => one,
                    _ => return None,
                };
                if compare(left, &filter.operator, right)? {
                    out.push(Found::Value(item));
                }
            }
        }
        Some(out)
    }
}

/// The fields of an object, the items of a list, or the bytes of a string.
fn members<'v>(found: &Found<'v>, out: &mut Vec<Found<'v>>) {
    match found {
        Found::Value(Value::Map(map)) => out.extend(map.values().map(Found::Value)),
        Found::Value(Value::List(items)) => out.extend(items.iter().map(Found::Value)),
        Found::Value(Value::Str(s)) => out.extend(s.bytes().map(Found::Byte)),
        Found::Text(s) => out.extend(s.bytes().map(Found::Byte)),
        Found::Value(Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_))
        | Found::Int(_)
        | Found::Float(_)
        | Found::Bool(_)
        | Found::Byte(_) => {}
    }
}

/// The range and step of a slice of a list. The inner option is none if there are no items, and the outer one if the
/// slice is out of bounds.
#[allow(clippy::type_complexity)]
fn bounds(slice: &Slice, length: usize) -> Option<Option<(std::ops::Range<usize>, usize)>> {
    let length = i64::try_from(length).ok()?;
    let mut first = slice.first.unwrap_or(0);
    if first < 0 {
        first = first.checked_add(length)?;
    }
    let mut end = slice.end.unwrap_or(length);
    if end < 0 || end == 0 && slice.single {
        end = end.checked_add(length)?;
    }
    if first == end {
        return Some(None);
    }
    if !(0..length).contains(&first) || !(0..=length).contains(&end) || first > end {
        return None;
    }
    let step = slice.step.map_or(Some(1), |s| usize::try_from(s).ok().filter(|s| *s > 0))?;
    Some(Some((usize::try_from(first).ok()?..usize::try_from(end).ok()?, step)))
}

/// Compares scalars of the same type. Other values cannot be compared.
fn compare(left: &Found<'_>, operator: &str, right: &Found<'_>) -> Option<bool> {
    let ordering = match (scalar(left)?, scalar(right)?) {
        (Scalar::Bool(a), Scalar::Bool(b)) => match operator {
            "==" => return Some(a == b),
            "!=" => return Some(a != b),
            _ => return None,
        },
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(&b)),
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::Text(a), Scalar::Text(b)) => Some(a.cmp(b)),
        _ => return None,
    };
    Some(match operator {
        "==" => ordering == Some(Ordering::Equal),
        "!=" => ordering != Some(Ordering::Equal),
        "<" => ordering == Some(Ordering::Less),
        "<=" => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        ">" => !matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        ">=" => ordering != Some(Ordering::Less),
        _ => return None,
    })
}

enum Scalar<'f> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'f str),
}

fn scalar<'f>(found: &'f Found<'_>) -> Option<Scalar<'f>> {
    Some(match found {
        Found::Value(Value::Bool(b)) | Found::Bool(b) => Scalar::Bool(*b),
        Found::Value(Value::Int(i)) | Found::Int(i) => Scalar::Int(*i),
        Found::Value(Value::Float(f)) | Found::Float(f) => Scalar::Float(*f),
        Found::Value(Value::Str(s)) | Found::Text(s) => Scalar::Text(s),
        Found::Byte(b) => Scalar::Int(i64::from(*b)),
        Found::Value(Value::Null | Value::List(_) | Value::Map(_)) => return None,
    })
}
