//! Reads alternatives, which schemars writes for enums.

use super::{Reader, text};
use crate::recipe::{Enum, Node, Tagging, Variant};
use crate::value::{Map, Value};

impl Reader<'_> {
    /// Reads alternatives as one of serde's enum representations, if they look like one.
    pub(super) fn union(&mut self, all: &[&Value]) -> Node {
        if let [one] = all {
            return self.node(one);
        }
        if let Some(variants) = all.iter().map(|v| self.external(v)).collect::<Option<Vec<_>>>() {
            return enumeration(Tagging::External, variants.into_iter().flatten().collect());
        }
        if let Some(tag) = common_tag(all) {
            let variants = all.iter().filter_map(|v| self.tagged(v, &tag)).collect::<Vec<_>>();
            if variants.len() == all.len() {
                return enumeration(Tagging::Internal(tag), variants);
            }
        }
        let nodes = all.iter().map(|v| self.node(v)).collect();
        untagged(nodes)
    }

    /// The variants in an alternative of an externally tagged enum: names, or one name with its content.
    fn external(&mut self, value: &Value) -> Option<Vec<Variant>> {
        let map = value.as_map()?;
        let description = text(map, "description");
        if let Some(names) = names_of(map) {
            let one = |name: &&str| Variant {
                name: (*name).to_owned(),
                description: description.clone(),
                ..Variant::default()
            };
            return Some(names.iter().map(one).collect());
        }
        let properties = map.get("properties")?.as_map()?;
        let required = map.get("required")?.as_list()?;
        let known = ["type", "properties", "required", "additionalProperties", "description", "title"];
        let [(name, content)] = properties.iter().collect::<Vec<_>>()[..] else { return None };
        if required != [Value::from(name)] || map.keys().any(|k| !known.contains(&k)) {
            return None;
        }
        let payload = Some(self.node(content));
        Some(vec![Variant { name: name.to_owned(), description, payload, ..Variant::default() }])
    }

    /// A variant of an internally tagged enum.
    fn tagged(&mut self, value: &Value, tag: &str) -> Option<Variant> {
        let mut map = value.as_map()?.clone();
        let description = text(&map, "description");
        let name = tag_of(&map, tag)?.to_owned();
        map.get_mut("properties")?.as_map_mut()?.remove(tag);
        if let Some(Value::List(required)) = map.get_mut("required") {
            required.retain(|r| r.as_str() != Some(tag));
        }
        map.remove("description");
        let bare = map.get("properties").and_then(Value::as_map).is_some_and(Map::is_empty)
            && map
                .keys()
                .all(|k| ["type", "properties", "required", "additionalProperties", "title"].contains(&k));
        let payload = if bare { None } else { Some(self.node(&Value::Map(map))) };
        Some(Variant { name, description, payload, ..Variant::default() })
    }
}

/// The strings, if an alternative only consists of them.
fn names_of(map: &Map<Value>) -> Option<Vec<&str>> {
    let known = ["type", "const", "enum", "description", "title"];
    if map.keys().any(|k| !known.contains(&k)) {
        return None;
    }
    match (map.get("const"), map.get("enum")) {
        (Some(Value::Str(name)), None) => Some(vec![name]),
        (None, Some(Value::List(all))) => all.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// The value of a property, if it can only have one.
fn tag_of<'v>(map: &'v Map<Value>, tag: &str) -> Option<&'v str> {
    let property = map.get("properties")?.get(tag)?.as_map()?;
    let required = map.get("required")?.as_list()?.iter().any(|r| r.as_str() == Some(tag));
    match names_of(property)?.as_slice() {
        [name] if required => Some(name),
        _ => None,
    }
}

/// The property that distinguishes all alternatives.
fn common_tag(all: &[&Value]) -> Option<String> {
    let first = all.first()?.get("properties")?.as_map()?;
    let is_common = |tag: &&str| {
        let names: Vec<&str> = all.iter().filter_map(|v| tag_of(v.as_map()?, tag)).collect();
        names.len() == all.len() && names.iter().enumerate().all(|(i, name)| !names[..i].contains(name))
    };
    first.keys().find(is_common).map(str::to_owned)
}

fn enumeration(tagging: Tagging, variants: Vec<Variant>) -> Node {
    Node::Enum(Box::new(Enum { tagging, variants, ..Enum::default() }))
}

pub(super) fn untagged(nodes: Vec<Node>) -> Node {
    let variant = |(i, node)| Variant { name: format!("{i}"), payload: Some(node), ..Variant::default() };
    enumeration(Tagging::Untagged, nodes.into_iter().enumerate().map(variant).collect())
}
