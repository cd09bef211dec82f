//! The rules of `defaults.txt`.

use crate::value::{Map, Value};
use std::collections::HashMap;

/// The rules by the names of their types.
#[derive(Debug, Default)]
pub(super) struct Rules(HashMap<String, Vec<Rule>>);

impl Rules {
    /// Sets what the rules of a type say.
    pub(super) fn apply(&self, model: &str, object: &mut Value) {
        self.0.get(model).into_iter().flatten().for_each(|rule| rule.apply(object));
    }

    /// The types whose rules set lists, and the paths of these.
    pub(super) fn lists(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().flat_map(|(ty, rules)| {
            let lists = rules.iter().filter(|rule| matches!(rule.value, New::Constant(Value::List(_))));
            lists.map(move |rule| (ty.as_str(), rule.at.as_slice()))
        })
    }

    /// The types that have rules.
    #[cfg(test)]
    pub(super) fn types(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

type Steps = Vec<String>;

/// Sets a field.
#[derive(Debug)]
struct Rule {
    at: Steps,
    value: New,
    replaces: Replaced,
    conditions: Vec<Condition>,
}

/// Which values of a field a rule replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replaced {
    /// None: the field must not be set.
    Nothing,
    /// Zero, and empty texts and lists.
    Zero,
    Everything,
}

impl Replaced {
    /// By the operators of rules.
    const BY_OPERATOR: [(&str, Replaced); 3] =
        [(" = ", Replaced::Nothing), (" ?= ", Replaced::Zero), (" := ", Replaced::Everything)];
}

#[derive(Debug)]
enum New {
    Constant(Value),
    /// The value of another field.
    Copy(Steps),
}

#[derive(Debug)]
enum Condition {
    Is(Steps, Value),
    Set(Steps),
    Unset(Steps),
    /// The object has no other field than this one.
    Only(String),
}

/// Reads the rules. `None` if a line is not one.
pub(super) fn rules(text: &str) -> Option<Rules> {
    let mut all = Rules::default();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, conditions) = match line.split_once(" if ") {
            Some((head, conditions)) => {
                (head, conditions.split(" if ").map(condition).collect::<Option<_>>()?)
            }
            None => (line, Vec::new()),
        };
        let (ty, rest) = head.split_once(' ')?;
        let mut operators = Replaced::BY_OPERATOR.into_iter();
        let (replaces, (at, value)) =
            operators.find_map(|(operator, it)| Some((it, rest.split_once(operator)?)))?;
        let value_of = match value.strip_prefix('$') {
            Some(path) => New::Copy(steps(path)),
            None => New::Constant(crate::json::read(value.as_bytes()).ok()?),
        };
        let rule = Rule { at: steps(at), value: value_of, replaces, conditions };
        all.0.entry(format!("io.k8s.api.{ty}")).or_default().push(rule);
    }
    Some(all)
}

fn steps(path: &str) -> Steps {
    path.split('/').map(|step| step.replace("~1", "/")).collect()
}

fn condition(text: &str) -> Option<Condition> {
    if let Some(name) = text.strip_prefix("only ") {
        return Some(Condition::Only(name.to_owned()));
    }
    let (path, what) = text.split_once(' ')?;
    match what {
        "set" => Some(Condition::Set(steps(path))),
        "unset" => Some(Condition::Unset(steps(path))),
        _ => {
            let value = crate::json::read(what.strip_prefix("is ")?.as_bytes()).ok()?;
            Some(Condition::Is(steps(path), value))
        }
    }
}

fn get<'v>(object: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(object, |at, step| at.get(step)).filter(|value| !value.is_null())
}

impl Condition {
    fn is_met(&self, object: &Value) -> bool {
        match self {
            Condition::Is(path, value) => get(object, path) == Some(value),
            Condition::Set(path) => get(object, path).is_some(),
            Condition::Unset(path) => get(object, path).is_none(),
            Condition::Only(name) => object.as_map().is_some_and(|map| map.keys().all(|key| key == name)),
        }
    }
}

impl Rule {
    fn apply(&self, object: &mut Value) {
        let is_zero = |value: &Value| match value {
            Value::Int(number) => *number == 0,
            Value::Str(text) => text.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Null | Value::Bool(_) | Value::Float(_) | Value::Map(_) => false,
        };
        let is_replaced = match (get(object, &self.at), self.replaces) {
            (None, _) | (Some(_), Replaced::Everything) => true,
            (Some(value), Replaced::Zero) => is_zero(value),
            (Some(_), Replaced::Nothing) => false,
        };
        if !is_replaced || !self.conditions.iter().all(|it| it.is_met(object)) {
            return;
        }
        let value = match &self.value {
            New::Constant(value) => value.clone(),
            New::Copy(path) => match get(object, path) {
                Some(value) => value.clone(),
                None => return,
            },
        };
        insert(object, &self.at, value);
    }
}

/// Sets a value, and creates missing objects on the way.
fn insert(object: &mut Value, path: &[String], value: Value) {
    let [way @ .., last] = path else { return };
    let mut at = object;
    for step in way {
        let Value::Map(map) = at else { return };
        at = map.entry_or_insert_with(step, || Value::Map(Map::new()));
        if at.is_null() {
            *at = Value::Map(Map::new());
        }
    }
    if let Value::Map(map) = at {
        map.insert(last.as_str(), value);
    }
}
