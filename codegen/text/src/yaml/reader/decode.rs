//! Decodes nodes to a value in the same steps as kubectl and the server: go-yaml v2 makes Go values, these become JSON
//! text, and that becomes numbers, strings, lists and maps.

use super::problem::Problem;
use super::resolve::Scalar;
use super::tag::{Tag, resolve};
use super::tree::{Id, Kind, Style, Tree};
use crate::go;
use crate::value::{MAX_DEPTH, Map, Value};
use std::borrow::Cow;

/// The value of a document.
pub(super) struct Decoded {
    pub(super) value: Value,
    /// The value with -0.0 for minus zero, if it contains one. JSON has `-0`, which is the integer 0 in fields of any
    /// type.
    pub(super) floats: Option<Value>,
    /// Whether a key may occur twice in a map. [`super::repeats`] checks it.
    pub(super) suspicious: bool,
}

/// Decodes the value of a document.
pub(super) fn decode(tree: &Tree<'_>) -> Result<Decoded, Problem> {
    if tree.nodes.is_empty() {
        return Ok(Decoded { value: Value::Null, floats: None, suspicious: false });
    }
    let mut decoder = Decoder::new(tree);
    let value = decoder.value(0, 0)?;
    match decoder.not_finite {
        // A value that a later key replaces is not an error.
        Some((id, f)) if !is_finite(&value) => {
            let name = if f.is_nan() {
                "NaN"
            } else if f > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            Err(tree.problem(id, format!("json: unsupported value: {name}")))
        }
        _ => {
            let again = || Decoder { for_floats: true, ..Decoder::new(tree) }.value(0, 0);
            let floats = if decoder.minus_zero { Some(again()?) } else { None };
            Ok(Decoded { value, floats, suspicious: decoder.suspicious })
        }
    }
}

/// Decodes the value of a node.
pub(super) fn part(tree: &Tree<'_>, id: Id) -> Result<Value, Problem> {
    Decoder::new(tree).value(id, 0)
}

fn is_finite(value: &Value) -> bool {
    match value {
        Value::Float(f) => f.is_finite(),
        Value::List(items) => items.iter().all(is_finite),
        Value::Map(map) => map.values().all(is_finite),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Str(_) => true,
    }
}

struct Decoder<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The aliases that are being followed.
    expanding: Vec<bool>,
    /// The number of decoded nodes, and of those that were decoded through aliases.
    count: u64,
    alias_count: u64,
    alias_depth: u32,
    /// The bytes of text that were copied through aliases.
    copied: usize,
    suspicious: bool,
    /// The last infinity or NaN, which JSON cannot represent.
    not_finite: Option<(Id, f64)>,
    /// Whether minus zero stays a float.
    for_floats: bool,
    /// Whether a minus zero became an integer.
    minus_zero: bool,
}

/// The maximum number of bytes that aliases may copy. The server accepts requests of up to 3 MiB.
const MAX_COPIED: usize = 64 << 20;

impl<'t, 'a> Decoder<'t, 'a> {
    fn new(tree: &'t Tree<'a>) -> Self {
        Decoder {
            tree,
            expanding: if tree.aliases { vec![false; tree.nodes.len()] } else { Vec::new() },
            // The document itself counts.
            count: 1,
            alias_count: 0,
            alias_depth: 0,
            copied: 0,
            suspicious: false,
            not_finite: None,
            for_floats: false,
            minus_zero: false,
        }
    }

    /// Counts a node. Fails if go-yaml considers the aliases an attack.
    fn tick(&mut self, id: Id) -> Result<(), Problem> {
        self.count += 1;
        if self.alias_depth == 0 {
            return Ok(());
        }
        self.alias_count += 1;
        let (aliases, all) = (self.alias_count as f64, self.count as f64);
        let too_many = self.alias_count > 100 && self.count > 1000 && aliases / all > allowed_ratio(all);
        if too_many || self.copied > MAX_COPIED {
            return Err(self.tree.problem(id, "yaml: document contains excessive aliasing"));
        }
        Ok(())
    }

    fn value(&mut self, id: Id, depth: usize) -> Result<Value, Problem> {
        self.tick(id)?;
        let tree = self.tree;
        match &tree.nodes[id].kind {
            Kind::Scalar { text, style, tag } => self.scalar(id, text, *style, *tag),
            Kind::Alias { target } => {
                self.enter_alias(id)?;
                let value = self.value(*target as usize, depth)?;
                self.leave_alias(id);
                Ok(value)
            }
            Kind::List { .. } => self.list(id, depth),
            Kind::Map { .. } => self.map(id, depth),
        }
    }

    fn list(&mut self, id: Id, depth: usize) -> Result<Value, Problem> {
        self.check_depth(id, depth)?;
        let mut items = Vec::new();
        for child in self.tree.children(id) {
            items.push(self.value(child, depth + 1)?);
        }
        Ok(Value::List(items))
    }

    fn map(&mut self, id: Id, depth: usize) -> Result<Value, Problem> {
        self.check_depth(id, depth)?;
        let mut members = Vec::new();
        self.members(id, depth + 1, &mut members)?;
        let count = members.len();
        let map = Map::sorted(members);
        self.suspicious |= map.len() < count;
        Ok(Value::Map(map))
    }

    fn check_depth(&self, id: Id, depth: usize) -> Result<(), Problem> {
        if depth >= MAX_DEPTH {
            return Err(self.tree.problem(id, format!("nested more than {MAX_DEPTH} levels deep")));
        }
        Ok(())
    }

    fn enter_alias(&mut self, id: Id) -> Result<(), Problem> {
        if std::mem::replace(&mut self.expanding[id], true) {
            let node = &self.tree.nodes[id];
            let name = self.tree.text.get(node.start as usize + 1..node.end as usize).unwrap_or_default();
            return Err(self.tree.problem(id, format!("yaml: anchor '{name}' value contains itself")));
        }
        self.alias_depth += 1;
        Ok(())
    }

    fn leave_alias(&mut self, id: Id) {
        self.expanding[id] = false;
        self.alias_depth -= 1;
    }

    /// Adds the members of a map. The members of merged maps are added at the merge key.
    fn members(&mut self, id: Id, depth: usize, out: &mut Vec<(String, Value)>) -> Result<(), Problem> {
        let tree = self.tree;
        for (key, value) in tree.members(id) {
            if tree.is_merge(key) {
                self.merge(value, depth, out)?;
                continue;
            }
            let name = self.key(key)?;
            out.push((name, self.value(value, depth)?));
        }
        Ok(())
    }

    /// Merges a map, or a list of maps in reverse order.
    fn merge(&mut self, id: Id, depth: usize, out: &mut Vec<(String, Value)>) -> Result<(), Problem> {
        let tree = self.tree;
        let wrong =
            |id| Err(tree.problem(id, "yaml: map merge requires map or sequence of maps as the value"));
        let is_map = |id| matches!(tree.nodes[tree.resolve(id)].kind, Kind::Map { .. });
        if let Kind::List { .. } = tree.nodes[id].kind {
            let children: Vec<Id> = tree.children(id).collect();
            for child in children.into_iter().rev() {
                if !is_map(child) {
                    return wrong(child);
                }
                self.merge_map(child, depth, out)?;
            }
            return Ok(());
        }
        if !is_map(id) {
            return wrong(id);
        }
        self.merge_map(id, depth, out)
    }

    fn merge_map(&mut self, id: Id, depth: usize, out: &mut Vec<(String, Value)>) -> Result<(), Problem> {
        self.tick(id)?;
        self.check_depth(id, depth)?;
        let Kind::Alias { target } = self.tree.nodes[id].kind else {
            return self.members(id, depth + 1, out);
        };
        self.enter_alias(id)?;
        self.tick(id)?;
        self.members(target as usize, depth + 1, out)?;
        self.leave_alias(id);
        Ok(())
    }

    fn key(&mut self, id: Id) -> Result<String, Problem> {
        let tree = self.tree;
        self.tick(id)?;
        match &tree.nodes[id].kind {
            Kind::Scalar { text, style, tag } => {
                if self.alias_depth > 0 {
                    self.copied += text.len();
                }
                key(tree, id, text, *style, *tag)
            }
            Kind::Alias { target } => {
                self.enter_alias(id)?;
                let key = self.key(*target as usize)?;
                self.leave_alias(id);
                Ok(key)
            }
            Kind::List { .. } | Kind::Map { .. } => {
                Err(tree.problem(id, "yaml: invalid map key: only scalars can be keys"))
            }
        }
    }

    fn scalar(&mut self, id: Id, text: &str, style: Style, tag: Tag) -> Result<Value, Problem> {
        Ok(match meaning(self.tree, id, text, style, tag)? {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::Int(i),
            Scalar::Uint(u) => Value::Float(u as f64),
            Scalar::Float(f) => {
                if !f.is_finite() {
                    self.not_finite = Some((id, f));
                }
                let is_minus_zero = f == 0.0 && f.is_sign_negative();
                self.minus_zero |= is_minus_zero;
                if is_minus_zero && self.for_floats { Value::Float(f) } else { number(f) }
            }
            Scalar::Str => {
                if self.alias_depth > 0 {
                    self.copied += text.len();
                }
                Value::Str(string(self.tree, id, text, tag)?.into_owned())
            }
        })
    }
}

/// The allowed share of nodes that are decoded through aliases. It depends on the size of the document.
fn allowed_ratio(count: f64) -> f64 {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    (0.99 - 0.89 * ((count - LOW) / (HIGH - LOW))).clamp(0.10, 0.99)
}

/// A float after its conversion to JSON text: without fraction and exponent, it becomes an integer.
fn number(f: f64) -> Value {
    if f.fract() == 0.0 && f.abs() < 1e21 {
        let mut text = String::new();
        crate::json::write_float(f, &mut text);
        if let Ok(int) = text.parse() {
            return Value::Int(int);
        }
    }
    Value::Float(f)
}

pub(super) fn meaning(
    tree: &Tree<'_>,
    id: Id,
    text: &str,
    style: Style,
    tag: Tag,
) -> Result<Scalar, Problem> {
    if tag == Tag::None && style != Style::Plain {
        return Ok(Scalar::Str);
    }
    resolve(tag, text).map_err(|found| {
        tree.problem(id, format!("yaml: cannot decode {} `{text}` as a {}", found.short(), tag.short()))
    })
}

/// The text of a string scalar.
pub(super) fn string<'t>(tree: &Tree<'_>, id: Id, text: &'t str, tag: Tag) -> Result<Cow<'t, str>, Problem> {
    if tag != Tag::Binary {
        return Ok(Cow::Borrowed(text));
    }
    let bytes = go::base64_decode(text)
        .ok_or_else(|| tree.problem(id, "yaml: !!binary value contains invalid base64 data"))?;
    Ok(Cow::Owned(go::valid_utf8(&bytes).into_owned()))
}

/// The JSON key for a scalar key.
pub(super) fn key(tree: &Tree<'_>, id: Id, text: &str, style: Style, tag: Tag) -> Result<String, Problem> {
    let unsupported = |kind: &str| {
        tree.problem(id, format!("unsupported map key of type: {kind}, key: {}", go::quote(text)))
    };
    match meaning(tree, id, text, style, tag)? {
        Scalar::Str => string(tree, id, text, tag).map(Cow::into_owned),
        Scalar::Bool(b) => Ok(b.to_string()),
        Scalar::Int(i) => Ok(i.to_string()),
        Scalar::Float(f) if f.is_nan() => Ok(".nan".to_owned()),
        Scalar::Float(f) if f.is_infinite() => Ok(if f > 0.0 { ".inf" } else { "-.inf" }.to_owned()),
        Scalar::Float(f) => Ok(match f as f32 {
            f if f.is_infinite() => if f > 0.0 { ".inf" } else { "-.inf" }.to_owned(),
            f => go::float_g(&format!("{f:e}")),
        }),
        Scalar::Null => Err(unsupported("%!s(<nil>)")),
        Scalar::Uint(_) => Err(unsupported("uint64")),
    }
}
