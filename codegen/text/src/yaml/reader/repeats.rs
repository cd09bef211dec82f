//! Finds the keys that occur twice in a map, as go-yaml's strict mode reports them.

use super::decode::{meaning, string};
use super::problem::Problem;
use super::resolve::Scalar;
use super::tree::{Id, Kind, Tree};
use crate::go;
use crate::path::Step;
use std::collections::BTreeSet;

/// A repeated key.
pub(super) struct Repeat {
    /// Its place in the value.
    pub(super) steps: Vec<Step>,
    /// go-yaml's message.
    pub(super) text: String,
}

/// All repeated keys of a document that has been decoded. Merged keys count too, each time that they are merged, as in
/// go-yaml.
pub(super) fn repeats(tree: &Tree<'_>) -> Vec<Repeat> {
    let mut walk = Walk { tree, path: Vec::new(), found: Vec::new() };
    // The document has been decoded before, so this cannot fail.
    _ = walk.value(0);
    walk.found
}

/// A key by its Go type and value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(String),
}

impl Key {
    /// The key in JSON, and as `%#v` prints it.
    fn texts(&self) -> (String, String) {
        match self {
            Key::Bool(b) => (b.to_string(), b.to_string()),
            Key::Int(i) => (i.to_string(), i.to_string()),
            Key::Float(bits) => {
                let f = f64::from_bits(*bits);
                if f.is_infinite() {
                    let (json, shown) = if f > 0.0 { (".inf", "+Inf") } else { ("-.inf", "-Inf") };
                    return (json.to_owned(), shown.to_owned());
                }
                (go::float_g(&format!("{:e}", f as f32)), go::number::format_g(f))
            }
            Key::Str(s) => (s.clone(), go::quote(s)),
        }
    }
}

struct Walk<'t, 'a> {
    tree: &'t Tree<'a>,
    path: Vec<Step>,
    found: Vec<Repeat>,
}

impl Walk<'_, '_> {
    fn value(&mut self, id: Id) -> Result<(), Problem> {
        let tree = self.tree;
        match tree.nodes[id].kind {
            Kind::Scalar { .. } => {}
            Kind::Alias { target } => self.value(target as usize)?,
            Kind::List { .. } => {
                for (i, child) in tree.children(id).enumerate() {
                    self.path.push(Step::Index(i));
                    self.value(child)?;
                    self.path.pop();
                }
            }
            Kind::Map { .. } => self.members(id, &mut BTreeSet::new())?,
        }
        Ok(())
    }

    fn members(&mut self, id: Id, seen: &mut BTreeSet<Key>) -> Result<(), Problem> {
        let tree = self.tree;
        for (key, value) in tree.members(id) {
            if tree.is_merge(key) {
                let merged: Vec<Id> = match tree.nodes[value].kind {
                    Kind::List { .. } => tree.children(value).collect(),
                    Kind::Scalar { .. } | Kind::Map { .. } | Kind::Alias { .. } => vec![value],
                };
                for child in merged.into_iter().rev() {
                    self.members(tree.resolve(child), seen)?;
                }
                continue;
            }
            let Some(key) = self.key(key)? else { continue };
            let (json, shown) = key.texts();
            self.path.push(Step::Key(json));
            self.value(value)?;
            if !seen.insert(key) {
                let text = format!("line {}: key {shown} already set in map", tree.nodes[value].line);
                self.found.push(Repeat { steps: self.path.clone(), text });
            }
            self.path.pop();
        }
        Ok(())
    }

    /// The key of a scalar. None for NaN, which equals nothing.
    fn key(&self, id: Id) -> Result<Option<Key>, Problem> {
        let tree = self.tree;
        let id = tree.resolve(id);
        let Kind::Scalar { text, style, tag } = &tree.nodes[id].kind else { return Ok(None) };
        Ok(match meaning(tree, id, text, *style, *tag)? {
            Scalar::Str => Some(Key::Str(string(tree, id, text, *tag)?.into_owned())),
            Scalar::Bool(b) => Some(Key::Bool(b)),
            Scalar::Int(i) => Some(Key::Int(i)),
            // Minus zero equals zero.
            Scalar::Float(f) if !f.is_nan() => Some(Key::Float((f + 0.0).to_bits())),
            Scalar::Float(_) | Scalar::Null | Scalar::Uint(_) => None,
        })
    }
}
