//! Changes of fields, lists, junctors and rules.

use crdgen_core::value::{Map, Value};
use crdgen_tests::rng::Rng;

use super::{Edit, is, json};

type Node = Map<Value>;

/// The name of a random field.
fn some_field(node: &Node, rng: &mut Rng) -> Option<String> {
    let fields = node.get("properties")?.as_map()?;
    let names: Vec<&str> =
        fields.keys().filter(|name| !matches!(*name, "apiVersion" | "kind" | "metadata")).collect();
    (!names.is_empty()).then(|| (*rng.pick(&names)).to_owned())
}

fn fields(node: &mut Node) -> Option<&mut Node> {
    node.get_mut("properties")?.as_map_mut()
}

fn require(node: &mut Node, name: &str) -> bool {
    let required = node.entry_or_insert_with("required", || Value::List(Vec::new()));
    let Value::List(names) = required else { return false };
    let is_new = !names.contains(&Value::from(name));
    if is_new {
        names.push(Value::from(name));
    }
    is_new
}

fn push(node: &mut Node, key: &str, value: Value) -> bool {
    match node.entry_or_insert_with(key, || Value::List(Vec::new())) {
        Value::List(items) => {
            items.push(value);
            true
        }
        _ => false,
    }
}

fn requires(name: &str) -> Value {
    json(&format!(r#"{{"required":["{name}"]}}"#))
}

/// Adds a rule about a random field of some type.
fn rule(node: &mut Node, ty: &str, rng: &mut Rng, text: fn(&str) -> String) -> bool {
    let Some(name) = some_field(node, rng) else { return false };
    let field = fields(node).and_then(|fields| fields.get(&name)).and_then(Value::as_map);
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric()) && name != "namespace" && name != "as";
    if !plain || !field.is_some_and(|field| ty.is_empty() || is(field, ty)) {
        return false;
    }
    let rule: Node = [("rule", Value::from(text(&name)))].into_iter().collect();
    push(node, "x-kubernetes-validations", Value::Map(rule))
}

fn own_rule(node: &mut Node, ty: &str, text: &str) -> bool {
    let rule: Node = [("rule", Value::from(text))].into_iter().collect();
    is(node, ty) && push(node, "x-kubernetes-validations", Value::Map(rule))
}

/// Changes the text of a random rule.
fn rewrite(node: &mut Node, rng: &mut Rng, change: impl Fn(&str) -> String) -> bool {
    let Some(Value::List(rules)) = node.get_mut("x-kubernetes-validations") else { return false };
    let at = rng.below(rules.len());
    let Some(Value::Map(rule)) = rules.get_mut(at) else { return false };
    let Some(text) = rule.get("rule").and_then(Value::as_str).map(str::to_owned) else { return false };
    let changed = change(&text);
    let is_other = changed != text;
    rule.insert("rule", Value::from(changed));
    is_other
}

/// Adds one to the first number of a text, or subtracts it.
fn other_number(text: &str, by: i64) -> String {
    let Some(start) = text.find(|c: char| c.is_ascii_digit()) else { return text.to_owned() };
    let end = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |len| start + len);
    match text[start..end].parse::<i64>() {
        Ok(number) => format!("{}{}{}", &text[..start], (number + by).max(0), &text[end..]),
        Err(_) => text.to_owned(),
    }
}

fn swap(text: &str, one: &str, other: &str) -> String {
    if text.contains(one) { text.replacen(one, other, 1) } else { text.replacen(other, one, 1) }
}

pub(super) const EDITS: &[Edit] = &[
    Edit { name: "field required", run: |n, r| some_field(n, r).is_some_and(|name| require(n, &name)) },
    Edit {
        name: "field optional",
        run: |n, r| match n.get_mut("required") {
            Some(Value::List(names)) if !names.is_empty() => {
                let at = r.below(names.len());
                names.remove(at);
                true
            }
            _ => false,
        },
    },
    Edit {
        name: "new field required",
        run: |n, _| match fields(n) {
            Some(fields) => {
                fields.insert("newField", json(r#"{"type":"string"}"#));
                require(n, "newField")
            }
            None => false,
        },
    },
    Edit {
        name: "new field",
        run: |n, _| fields(n).is_some_and(|it| it.insert("newField", json(r#"{"type":"string"}"#)).is_none()),
    },
    Edit {
        name: "new field with default",
        run: |n, _| {
            let schema = json(r#"{"type":"string","default":"a"}"#);
            fields(n).is_some_and(|it| it.insert("newField", schema).is_none())
        },
    },
    Edit {
        name: "field removed",
        run: |n, r| {
            let name = some_field(n, r);
            name.is_some_and(|name| fields(n).is_some_and(|fields| fields.remove(&name).is_some()))
        },
    },
    Edit {
        name: "field renamed",
        run: |n, r| {
            let Some(name) = some_field(n, r) else { return false };
            let Some(fields) = fields(n) else { return false };
            let Some(field) = fields.remove(&name) else { return false };
            fields.insert(format!("{name}Renamed"), field).is_none()
        },
    },
    Edit {
        name: "default added",
        run: |n, r| {
            let value = match n.get("type").and_then(Value::as_str) {
                Some("string") => r#""a""#,
                Some("boolean") => "true",
                Some("integer") => "1",
                Some("array") => "[]",
                _ => return false,
            };
            r.chance(90) && n.insert("default", json(value)).is_none()
        },
    },
    Edit {
        name: "default of an object",
        run: |n, _| is(n, "object") && n.insert("default", json("{}")).is_none(),
    },
    Edit { name: "default removed", run: |n, _| n.remove("default").is_some() },
    Edit {
        name: "set",
        run: |n, _| {
            let can = is(n, "array") && !n.contains_key("x-kubernetes-list-type");
            can && n.insert("x-kubernetes-list-type", Value::from("set")).is_none()
        },
    },
    Edit {
        name: "list by keys",
        run: |n, r| {
            if !is(n, "array") || n.contains_key("x-kubernetes-list-type") {
                return false;
            }
            let items = n.get("items").and_then(Value::as_map);
            let Some(name) = items.and_then(|items| some_field(items, r)) else { return false };
            n.insert("x-kubernetes-list-type", Value::from("map"));
            n.insert("x-kubernetes-list-map-keys", Value::List(vec![Value::from(name.as_str())]));
            n.get_mut("items").and_then(Value::as_map_mut).is_some_and(|items| require(items, &name))
        },
    },
    Edit {
        name: "list atomic",
        run: |n, _| {
            n.remove("x-kubernetes-list-map-keys");
            n.remove("x-kubernetes-list-type").is_some()
        },
    },
    Edit {
        name: "map atomic",
        run: |n, _| is(n, "object") && n.insert("x-kubernetes-map-type", Value::from("atomic")).is_none(),
    },
    Edit {
        name: "unknown fields kept",
        run: |n, _| {
            let can = is(n, "object") && !n.contains_key("additionalProperties");
            can && n.insert("x-kubernetes-preserve-unknown-fields", Value::Bool(true)).is_none()
        },
    },
    Edit {
        name: "unknown fields dropped",
        run: |n, _| n.contains_key("type") && n.remove("x-kubernetes-preserve-unknown-fields").is_some(),
    },
    Edit {
        name: "unknown field listed",
        run: |n, _| {
            n.contains_key("x-kubernetes-preserve-unknown-fields")
                && is(n, "object")
                && n.insert("properties", json(r#"{"a":{"type":"string"}}"#)).is_none()
        },
    },
    Edit {
        name: "embedded resource",
        run: |n, _| {
            n.contains_key("x-kubernetes-preserve-unknown-fields")
                && is(n, "object")
                && n.insert("x-kubernetes-embedded-resource", Value::Bool(true)).is_none()
        },
    },
    Edit {
        name: "map becomes fields",
        run: |n, _| {
            let is_map = n.get("additionalProperties").is_some_and(|it| it.as_map().is_some());
            is_map
                && n.remove("additionalProperties").is_some_and(|values| {
                    n.insert("properties", Value::Map([("key", values)].into_iter().collect())).is_none()
                })
        },
    },
    Edit {
        name: "oneOf added",
        run: |n, r| {
            let (one, other) = (some_field(n, r), some_field(n, r));
            match (one, other) {
                (Some(one), Some(other)) if one != other && !n.contains_key("oneOf") => {
                    push(n, "oneOf", requires(&one)) && push(n, "oneOf", requires(&other))
                }
                _ => false,
            }
        },
    },
    Edit {
        name: "anyOf added",
        run: |n, r| {
            let (one, other) = (some_field(n, r), some_field(n, r));
            match (one, other) {
                (Some(one), Some(other)) if one != other && !n.contains_key("anyOf") => {
                    push(n, "anyOf", requires(&one)) && push(n, "anyOf", requires(&other))
                }
                _ => false,
            }
        },
    },
    Edit {
        name: "allOf added",
        run: |n, r| {
            is(n, "string")
                && push(
                    n,
                    "allOf",
                    json(if r.chance(50) { r#"{"maxLength":8}"# } else { r#"{"pattern":"a"}"# }),
                )
        },
    },
    Edit {
        name: "not added",
        run: |n, r| {
            let Some(name) = some_field(n, r).filter(|_| !n.contains_key("not")) else { return false };
            n.insert("not", requires(&name)).is_none()
        },
    },
    Edit {
        name: "alternative added",
        run: |n, r| match (n.get("oneOf").or(n.get("anyOf")).is_some(), some_field(n, r)) {
            (true, Some(name)) => {
                let key = if n.contains_key("oneOf") { "oneOf" } else { "anyOf" };
                push(n, key, requires(&name))
            }
            _ => false,
        },
    },
    Edit {
        name: "alternative removed",
        run: |n, r| {
            let key = if n.contains_key("oneOf") { "oneOf" } else { "anyOf" };
            match n.get_mut(key) {
                Some(Value::List(items)) if items.len() > 1 => {
                    let at = r.below(items.len());
                    items.remove(at);
                    true
                }
                _ => false,
            }
        },
    },
    Edit {
        name: "oneOf to anyOf",
        run: |n, _| {
            !n.contains_key("anyOf") && n.remove("oneOf").is_some_and(|it| n.insert("anyOf", it).is_none())
        },
    },
    Edit {
        name: "anyOf to oneOf",
        run: |n, _| {
            let is_plain = !n.contains_key("oneOf") && !n.contains_key("x-kubernetes-int-or-string");
            is_plain && n.remove("anyOf").is_some_and(|it| n.insert("oneOf", it).is_none())
        },
    },
    Edit {
        name: "alternatives removed",
        run: |n, _| {
            !n.contains_key("x-kubernetes-int-or-string")
                && (n.remove("oneOf").is_some() || n.remove("anyOf").is_some())
        },
    },
    Edit {
        name: "rule about a text",
        run: |n, r| rule(n, "string", r, |f| format!("!has(self.{f}) || self.{f} != 'bad'")),
    },
    Edit {
        name: "rule about a size",
        run: |n, r| rule(n, "string", r, |f| format!("!has(self.{f}) || size(self.{f}) < 12")),
    },
    Edit {
        name: "rule about a number",
        run: |n, r| rule(n, "integer", r, |f| format!("!has(self.{f}) || self.{f} <= 40")),
    },
    Edit { name: "rule about presence", run: |n, r| rule(n, "", r, |f| format!("has(self.{f})")) },
    Edit { name: "rule about absence", run: |n, r| rule(n, "", r, |f| format!("!has(self.{f})")) },
    Edit { name: "field immutable", run: |n, r| r.chance(50) && own_rule(n, "string", "self == oldSelf") },
    Edit { name: "number only grows", run: |n, _| own_rule(n, "integer", "self >= oldSelf") },
    Edit {
        name: "list not empty",
        run: |n, _| n.contains_key("maxItems") && own_rule(n, "array", "self.size() > 0"),
    },
    Edit {
        name: "text without",
        run: |n, _| n.contains_key("maxLength") && own_rule(n, "string", "!self.contains('a')"),
    },
    Edit {
        name: "field set once",
        run: |n, r| rule(n, "", r, |f| format!("!has(oldSelf.{f}) || has(self.{f})")),
    },
    Edit { name: "rule removed", run: |n, _| n.remove("x-kubernetes-validations").is_some() },
    Edit { name: "rule with a larger number", run: |n, r| rewrite(n, r, |text| other_number(text, 1)) },
    Edit { name: "rule with a smaller number", run: |n, r| rewrite(n, r, |text| other_number(text, -1)) },
    Edit { name: "rule with or", run: |n, r| rewrite(n, r, |text| swap(text, "&&", "||")) },
    Edit { name: "rule with another equality", run: |n, r| rewrite(n, r, |text| swap(text, "==", "!=")) },
    Edit { name: "rule with another comparison", run: |n, r| rewrite(n, r, |text| swap(text, "<=", "<")) },
    Edit { name: "rule in parentheses", run: |n, r| rewrite(n, r, |text| format!("({text})")) },
];
