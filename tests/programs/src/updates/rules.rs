//! Changes of several rules of one object at once: rules about presence, values and old values of the same few fields, and keywords that say
//! the same as some of them.

use crdgen_core::value::{Map, Value};
use crdgen_tests::rng::Rng;

use super::{apply_at, is, json, nodes};

type Node = Map<Value>;

/// How many fields the rules are about.
const MOST_FIELDS: usize = 3;

/// Texts of which many are valid, and numbers.
const TEXTS: &[&str] = &["a", "b", "example", ""];
const NUMBERS: &[i64] = &[0, 1, 2, 5, 10];

/// Gives an object of a CRD random rules, and returns the CRD with other rules. `None` if there is no object with fields of its own.
pub fn change(crd: &mut Value, rng: &mut Rng) -> Option<Value> {
    let places = nodes(crd);
    if places.is_empty() {
        return None;
    }
    for _ in 0..super::TRIES {
        let place = rng.pick(&places).clone();
        let fields = crd.at(&place).and_then(Value::as_map).map(|node| fields(node, rng)).unwrap_or_default();
        if fields.is_empty() {
            continue;
        }
        let of = Fields(&fields);
        let old: Vec<Condition> = (0..1 + rng.below(3)).map(|_| of.condition(2, rng)).collect();
        apply_at(crd, &place, |node| set(node, &old));
        let mut out = crd.clone();
        let mut new: Vec<Condition> = Vec::new();
        for rule in old {
            match rng.below(10) {
                0 => {}
                1..=3 => new.push(rule),
                _ => new.push(of.changed(rule, rng)),
            }
        }
        if rng.chance(30) {
            new.push(of.condition(2, rng));
        }
        apply_at(&mut out, &place, |node| set(node, &new));
        if rng.chance(50) {
            apply_at(&mut out, &place, |node| of.keyword(node, rng));
        }
        return Some(out);
    }
    None
}

fn set(node: &mut Node, rules: &[Condition]) {
    let rule = |it: &Condition| Value::Map([("rule", Value::from(it.text()))].into_iter().collect());
    let rules: Vec<Value> = rules.iter().map(rule).collect();
    match rules.is_empty() {
        true => _ = node.remove("x-kubernetes-validations"),
        false => _ = node.insert("x-kubernetes-validations", Value::List(rules)),
    }
}

/// A field with a single value.
struct Field {
    name: String,
    ty: Type,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Text,
    Number,
    Bool,
}

/// Some of the fields of an object.
fn fields(node: &Node, rng: &mut Rng) -> Vec<Field> {
    let mut out = Vec::new();
    if !is(node, "object") {
        return out;
    }
    for (name, field) in node.get("properties").and_then(Value::as_map).into_iter().flat_map(Map::iter) {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric()) && !RESERVED.contains(&name);
        let Some(field) = field.as_map().filter(|field| is_plain && !field.contains_key("format")) else {
            continue;
        };
        let types = [("string", Type::Text), ("integer", Type::Number), ("boolean", Type::Bool)];
        let ty = types.into_iter().find(|(ty, _)| is(field, ty)).map(|(_, ty)| ty);
        out.extend(ty.map(|ty| Field { name: name.to_owned(), ty }));
    }
    while out.len() > MOST_FIELDS {
        out.swap_remove(rng.below(out.len()));
    }
    out
}

/// Names that rules escape.
const RESERVED: &[&str] =
    &["namespace", "as", "package", "import", "const", "continue", "break", "function", "return"];

/// A condition in a rule.
#[derive(Clone)]
enum Condition {
    Text(String),
    Not(Box<Condition>),
    And(Box<[Condition; 2]>),
    Or(Box<[Condition; 2]>),
    Cases(Box<[Condition; 3]>),
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Text(text) => text.clone(),
            Condition::Not(inner) => format!("!({})", inner.text()),
            Condition::And(both) => format!("({}) && ({})", both[0].text(), both[1].text()),
            Condition::Or(both) => format!("({}) || ({})", both[0].text(), both[1].text()),
            Condition::Cases(all) => {
                format!("({}) ? ({}) : ({})", all[0].text(), all[1].text(), all[2].text())
            }
        }
    }

    fn parts(&mut self) -> &mut [Condition] {
        match self {
            Condition::Text(_) => &mut [],
            Condition::Not(inner) => std::slice::from_mut(&mut **inner),
            Condition::And(both) | Condition::Or(both) => &mut both[..],
            Condition::Cases(all) => &mut all[..],
        }
    }
}

/// The fields that rules are about.
struct Fields<'f>(&'f [Field]);

impl Fields<'_> {
    fn condition(&self, depth: usize, rng: &mut Rng) -> Condition {
        if depth == 0 || rng.chance(20) {
            return self.one(rng);
        }
        let of = |rng: &mut Rng| self.condition(depth - 1, rng);
        match rng.below(8) {
            0 => Condition::Not(Box::new(of(rng))),
            1 | 2 => Condition::And(Box::new([of(rng), of(rng)])),
            3 | 4 => Condition::Or(Box::new([of(rng), of(rng)])),
            5 => Condition::Cases(Box::new([of(rng), of(rng), of(rng)])),
            _ => self.guarded(rng),
        }
    }

    /// A condition about a field, if it is there.
    fn guarded(&self, rng: &mut Rng) -> Condition {
        let field = rng.pick(self.0);
        let name = &field.name;
        let about = if rng.chance(40) {
            let is_same = Condition::Text(format!("self.{name} == oldSelf.{name}"));
            let was_there = Condition::Text(format!("!has(oldSelf.{name})"));
            if rng.chance(50) { Condition::Or(Box::new([was_there, is_same])) } else { is_same }
        } else {
            self.about(field, rng)
        };
        let is_there = Condition::Text(format!("has(self.{name})"));
        match rng.below(4) {
            0 => Condition::And(Box::new([is_there, about])),
            1 => Condition::Cases(Box::new([is_there, about, Condition::Text("true".to_owned())])),
            _ => Condition::Or(Box::new([Condition::Not(Box::new(is_there)), about])),
        }
    }

    /// A condition about the value of a field.
    fn about(&self, field: &Field, rng: &mut Rng) -> Condition {
        let name = &field.name;
        let text = |rng: &mut Rng| rng.pick(TEXTS).to_string();
        let number = |rng: &mut Rng| *rng.pick(NUMBERS);
        Condition::Text(match (field.ty, rng.below(4)) {
            (Type::Text, 0) => format!("self.{name} == '{}'", text(rng)),
            (Type::Text, 1) => format!("self.{name} != '{}'", text(rng)),
            (Type::Text, 2) => format!("self.{name} in ['{}', '{}']", text(rng), text(rng)),
            (Type::Text, _) => format!("size(self.{name}) <= {}", number(rng)),
            (Type::Number, 0) => format!("self.{name} < {}", number(rng)),
            (Type::Number, 1) => format!("self.{name} <= {}", number(rng)),
            (Type::Number, 2) => format!("self.{name} >= {}", number(rng)),
            (Type::Number, _) => format!("self.{name} != {}", number(rng)),
            (Type::Bool, 0 | 1) => format!("self.{name}"),
            (Type::Bool, _) => format!("!self.{name}"),
        })
    }

    /// A condition without parts.
    fn one(&self, rng: &mut Rng) -> Condition {
        let (field, other) = (rng.pick(self.0), rng.pick(self.0));
        let (name, second) = (&field.name, &other.name);
        Condition::Text(match rng.below(12) {
            0..=2 => format!("has(self.{name})"),
            3 => format!("has(oldSelf.{name})"),
            4 | 5 => format!("self.{name} == oldSelf.{name}"),
            6 if field.ty == other.ty => format!("self.{name} == self.{second}"),
            7 if field.ty == Type::Number => format!("self.{name} >= oldSelf.{name}"),
            8 => "self == oldSelf".to_owned(),
            9 if name != second => {
                format!("[has(self.{name}), has(self.{second})].filter(x, x).size() <= 1")
            }
            10 if name != second => format!("has(self.{name}) == has(self.{second})"),
            _ => return self.about(field, rng),
        })
    }

    /// The same condition with a change somewhere.
    fn changed(&self, mut condition: Condition, rng: &mut Rng) -> Condition {
        let count = condition.parts().len();
        if count > 0 && rng.chance(50) {
            let parts = condition.parts();
            let at = rng.below(count);
            parts[at] = self.changed(parts[at].clone(), rng);
            return condition;
        }
        match (condition, rng.below(7)) {
            (Condition::And(both), 0) => Condition::Or(both),
            (Condition::Or(both), 0) => Condition::And(both),
            (Condition::And(both) | Condition::Or(both), 1) => both[rng.below(2)].clone(),
            (Condition::And(both), 2) => {
                let [a, b] = *both;
                let not = |it: Condition| Condition::Not(Box::new(it));
                not(Condition::Or(Box::new([not(a), not(b)])))
            }
            (Condition::Cases(all), 0 | 1) => {
                let [condition, yes, _] = *all;
                Condition::Or(Box::new([Condition::Not(Box::new(condition)), yes]))
            }
            (Condition::Not(inner), 0) => *inner,
            (it, 3) => Condition::Or(Box::new([it, self.condition(1, rng)])),
            (it, 4) => Condition::And(Box::new([self.condition(1, rng), it])),
            (it, 5) => {
                Condition::Cases(Box::new([self.condition(1, rng), it, Condition::Text("true".to_owned())]))
            }
            _ => self.condition(1, rng),
        }
    }

    /// Adds a keyword about one of the fields.
    fn keyword(&self, node: &mut Node, rng: &mut Rng) {
        let (field, other) = (rng.pick(self.0), rng.pick(self.0));
        let requires = |name: &str| json(&format!(r#"{{"required":["{name}"]}}"#));
        match rng.below(5) {
            0 => _ = node.insert("required", Value::List(vec![Value::from(field.name.as_str())])),
            1 if field.name != other.name => {
                let key = *rng.pick(&["anyOf", "oneOf"]);
                node.insert(key, Value::List(vec![requires(&field.name), requires(&other.name)]));
            }
            2 => _ = node.insert("not", requires(&field.name)),
            _ => {
                let inner = node.get_mut("properties").and_then(Value::as_map_mut);
                let Some(inner) = inner.and_then(|it| it.get_mut(&field.name)).and_then(Value::as_map_mut)
                else {
                    return;
                };
                let (key, value) = match field.ty {
                    Type::Text if rng.chance(50) => ("enum", r#"["a","b"]"#),
                    Type::Text => ("maxLength", "2"),
                    Type::Number if rng.chance(50) => ("maximum", "5"),
                    Type::Number => ("minimum", "1"),
                    Type::Bool => ("enum", "[true]"),
                };
                inner.insert(key, json(value));
            }
        }
    }
}
