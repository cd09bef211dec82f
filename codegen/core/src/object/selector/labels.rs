//! Label selectors: `app=web,tier!=cache,env in (a,b),zone notin (c),ready,!old,size>3`.

use crate::names;
use crate::value::{Map, Value};
use std::cmp::Ordering;
use std::fmt;

/// What labels must be: the requirements, sorted by their labels.
#[derive(Clone, Debug)]
pub struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug)]
struct Requirement {
    label: String,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    In,
    NotIn,
    Exists,
    Missing,
    Greater,
    Less,
}

/// Why a text is not a selector of labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadLabels {
    /// The text has another form.
    Form,
    /// No label can have this name.
    Name {
        /// The name.
        name: String,
        /// The server's message.
        why: String,
    },
    /// `>` and `<` compare whole numbers, and this value is another text.
    Number(String),
    /// No label can have this value.
    Value {
        /// The value.
        value: String,
        /// The server's message.
        why: String,
    },
}

impl fmt::Display for BadLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadLabels::Form => f.write_str("write one such as app=web,env in (a,b),!old"),
            BadLabels::Name { name, why } => write!(f, "{name} cannot be the name of a label: {why}"),
            BadLabels::Number(value) => write!(f, "{value} is not a whole number"),
            BadLabels::Value { value, why } => write!(f, "{value} cannot be the value of a label: {why}"),
        }
    }
}

impl std::error::Error for BadLabels {}

impl LabelSelector {
    /// Reads a selector. Its parts are separated with commas, and an object must match all of them.
    pub fn parse(text: &str) -> Result<LabelSelector, BadLabels> {
        let parts = split(text).filter(|part| !part.trim().is_empty());
        let read = |part: &str| {
            let requirement = requirement(part.trim()).ok_or(BadLabels::Form)?;
            requirement.mistake().map_or(Ok(requirement), Err)
        };
        let mut all = parts.map(read).collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| a.label.cmp(&b.label));
        all.iter_mut().for_each(|requirement| requirement.values.sort_unstable());
        Ok(LabelSelector(all))
    }

    /// Whether an object has the labels.
    pub fn matches(&self, object: &Value) -> bool {
        let labels = object.get("metadata").and_then(|metadata| metadata.get("labels"));
        let mut labels = labels.and_then(Value::as_map).into_iter().flat_map(Map::iter).peekable();
        self.0.iter().all(|Requirement { label, operator, values }| {
            while labels.next_if(|(name, _)| *name < label.as_str()).is_some() {}
            let value =
                labels.peek().filter(|(name, _)| *name == label).and_then(|(_, value)| value.as_str());
            let number = |text: &str| text.parse::<i64>().ok();
            let compared = || Some(number(value?)?.cmp(&number(values.first()?)?));
            let is_among =
                value.is_some_and(|value| values.binary_search_by(|known| known.as_str().cmp(value)).is_ok());
            match operator {
                Operator::In => is_among,
                Operator::NotIn => !is_among,
                Operator::Exists => value.is_some(),
                Operator::Missing => value.is_none(),
                Operator::Greater => compared().is_some_and(Ordering::is_gt),
                Operator::Less => compared().is_some_and(Ordering::is_lt),
            }
        })
    }
}

impl Requirement {
    /// Returns the reason if no label can meet this requirement.
    fn mistake(&self) -> Option<BadLabels> {
        let Requirement { label, operator, values } = self;
        if let Some(why) = names::qualified_name(label).into_iter().next() {
            return Some(BadLabels::Name { name: label.clone(), why: why.to_string() });
        }
        let no_number = || values.iter().find(|value| value.parse::<i64>().is_err());
        if let (Operator::Greater | Operator::Less, Some(value)) = (operator, no_number()) {
            return Some(BadLabels::Number(value.clone()));
        }
        let mut wrong = values.iter().map(|value| (value, names::label_value(value)));
        let (value, why) = wrong.find_map(|(value, why)| Some((value, why.into_iter().next()?)))?;
        Some(BadLabels::Value { value: value.clone(), why: why.to_string() })
    }
}

/// Splits at the commas that are outside of parentheses.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
}

fn requirement(part: &str) -> Option<Requirement> {
    let make = |label: &str, operator, values: Vec<String>| {
        let label = label.trim().to_owned();
        let is_name =
            !label.is_empty() && !label.contains(|c: char| c.is_whitespace() || "()=!,".contains(c));
        is_name.then_some(Requirement { label, operator, values })
    };
    let one = |value: &str| vec![value.trim().to_owned()];
    if let Some(label) = part.strip_prefix('!') {
        return make(label, Operator::Missing, Vec::new());
    }
    if let Some((label, value)) = part.split_once("!=") {
        return make(label, Operator::NotIn, one(value));
    }
    if let Some((label, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
        return make(label, Operator::In, one(value));
    }
    for (sign, operator) in [('>', Operator::Greater), ('<', Operator::Less)] {
        if let Some((label, value)) = part.split_once(sign) {
            return make(label, operator, one(value));
        }
    }
    let Some((head, list)) = part.split_once('(') else {
        return make(part, Operator::Exists, Vec::new());
    };
    let values = list.trim_end().strip_suffix(')')?.split(',').map(|value| value.trim().to_owned()).collect();
    let (label, word) = head.trim_end().rsplit_once(char::is_whitespace)?;
    match word {
        "in" => make(label, Operator::In, values),
        "notin" => make(label, Operator::NotIn, values),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::LabelSelector;
    use crate::json;

    #[test]
    fn labels_are_selected() {
        let object = json::read(br#"{"metadata":{"labels":{"app":"web","env":"a","empty":"","size":"3"}}}"#)
            .expect("JSON");
        for (text, expected) in [
            ("app=web", true),
            ("app==web,env!=b", true),
            ("app = web , env in (a, b)", true),
            ("env notin (a,b)", false),
            ("tier notin (a)", true),
            ("tier!=x", true),
            ("app", true),
            ("!app", false),
            ("!tier,app", true),
            ("empty=", true),
            ("", true),
            ("size>2,size<4", true),
            ("size > 3", false),
            ("app>1", false),
            ("tier<1", false),
        ] {
            let selector = LabelSelector::parse(text).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(selector.matches(&object), expected, "{text}");
        }
        for wrong in ["=x", "a in b", "a in (b", "a of (b)", "!", "a b", "a,(b)", "app~x", "a=b~c", "a>x"] {
            assert!(LabelSelector::parse(wrong).is_err(), "{wrong}");
        }
    }
}
