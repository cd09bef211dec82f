//! The explanation of a value: the parts of the expression that decide it.

use std::ops::Range;

use crdgen_text::value::{Map, Value};

/// Why an expression has its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The whole expression.
    pub whole: Part,
    /// Whether nothing was left out because the expression or its values are too large.
    pub is_complete: bool,
}

/// A part of an expression with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The place in the expression, in bytes.
    pub at: Range<usize>,
    /// The value as a short literal, or the error.
    pub value: Result<String, Failure>,
    /// The parts below that decide the value. Constants have no parts.
    pub parts: Vec<Part>,
    /// If the part is a macro such as `all`: the first elements that decide.
    pub items: Vec<Item>,
    /// How many other elements decide in the same way.
    pub more: usize,
}

/// The error of a part, in the server's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

/// An element for which a macro evaluates its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The index in the list, or the key in the map, as a literal.
    pub key: String,
    /// The variables of the macro with their values, as short literals.
    pub variables: Vec<(String, String)>,
    /// The body of the macro for this element.
    pub body: Part,
}

/// How many characters of a part of an expression are shown.
const TEXT: usize = 100;

impl Explanation {
    /// Returns the explanation as lines of text, in which the parts are indented. `text` is the expression.
    pub fn lines(&self, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        self.whole.add_lines(text, 0, &mut out);
        if !self.is_complete {
            out.push("crdgen has left out the rest, because the values are too large".to_owned());
        }
        out
    }

    /// Returns the explanation as data: each part has its `text` with `start` and `end` in bytes, its `value` or `error`, and
    /// what decides it in `parts` and `items`.
    pub fn to_value(&self, text: &str) -> Value {
        let mut out = self.whole.to_map(text);
        if !self.is_complete {
            out.insert("complete", Value::Bool(false));
        }
        Value::Map(out)
    }
}

impl Part {
    fn to_map(&self, expression: &str) -> Map<Value> {
        let number = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let text = expression.get(self.at.clone()).unwrap_or_default();
        let mut out = Map::from_iter([
            ("text", Value::from(text)),
            ("start", number(self.at.start)),
            ("end", number(self.at.end)),
        ]);
        match &self.value {
            Ok(value) => out.insert("value", value.as_str().into()),
            Err(Failure(error)) => out.insert("error", error.as_str().into()),
        };
        if !self.parts.is_empty() {
            let parts = self.parts.iter().map(|part| Value::Map(part.to_map(expression)));
            out.insert("parts", Value::List(parts.collect()));
        }
        if !self.items.is_empty() {
            let items = self.items.iter().map(|Item { key, variables, body }| {
                let variables =
                    variables.iter().map(|(name, value)| (name.as_str(), Value::from(value.as_str())));
                Value::Map(Map::from_iter([
                    ("key", Value::from(key.as_str())),
                    ("variables", Value::Map(variables.collect())),
                    ("body", Value::Map(body.to_map(expression))),
                ]))
            });
            out.insert("items", Value::List(items.collect()));
        }
        if self.more > 0 {
            out.insert("more", number(self.more));
        }
        out
    }

    /// Returns the text of the part in one line, shortened.
    pub fn text(&self, expression: &str) -> String {
        let own = expression.get(self.at.clone()).unwrap_or_default();
        let mut words = own.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = words.char_indices().nth(TEXT) {
            words.truncate(end);
            words.push('…');
        }
        words
    }

    fn add_lines(&self, expression: &str, depth: usize, out: &mut Vec<String>) {
        let indent = |depth: usize| "  ".repeat(depth);
        let text = self.text(expression);
        out.push(match &self.value {
            Ok(value) => format!("{}{text} is {value}", indent(depth)),
            Err(Failure(error)) => format!("{}{text} fails: {error}", indent(depth)),
        });
        for part in &self.parts {
            part.add_lines(expression, depth + 1, out);
        }
        for Item { key, variables, body } in &self.items {
            let others = variables.iter().filter(|(_, value)| value != key);
            let others: Vec<String> = others.map(|(name, value)| format!("{name} is {value}")).collect();
            let colon = if others.is_empty() { "" } else { ": " };
            out.push(format!("{}[{key}]{colon}{}", indent(depth + 1), others.join(", ")));
            body.add_lines(expression, depth + 2, out);
        }
        match self.more {
            0 => {}
            1 => out.push(format!("{}and 1 more", indent(depth + 1))),
            more => out.push(format!("{}and {more} more", indent(depth + 1))),
        }
    }
}
