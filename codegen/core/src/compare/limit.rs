//! What only one of two schemas forbids.

/// A constraint of a schema that a valid value of the other schema may violate. Values are as messages show them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A keyword with its value, and with its value in the other schema.
    Keyword {
        /// The keyword.
        keyword: &'static str,
        /// Its value.
        own: String,
        /// Its value in the other schema, if it is set there.
        other: Option<String>,
    },
    /// An enum, which the other schema does not have.
    Enum {
        /// The values that it allows.
        own: String,
    },
    /// Values of the other schema's enum that a keyword of this schema does not allow.
    Values {
        /// The keyword.
        keyword: &'static str,
        /// The values.
        values: String,
    },
    /// A required field that is optional in the other schema.
    Required {
        /// The field.
        field: String,
    },
    /// The schemas inside `allOf`, `anyOf`, `oneOf` or `not` that only one side has.
    Junctor {
        /// The keyword.
        keyword: &'static str,
        /// Those that only this schema has.
        own: Option<String>,
        /// Those that only the other schema has.
        other: Option<String>,
    },
    /// A rule that the other schema does not have.
    Rule {
        /// Its index in the schema.
        index: usize,
        /// The rule.
        own: String,
        /// The rule of the other schema that it replaces.
        other: Option<String>,
        /// Whether it only compares a value with the old one, so that the server does not check it on create.
        is_transition: bool,
    },
}

impl Limit {
    /// Returns the constraint in words. `other` is the name of the version with the other schema.
    pub fn words(&self, version: &str) -> String {
        match self {
            Limit::Keyword { keyword, own, other } => {
                let other = other.as_deref().unwrap_or("not set");
                format!("{keyword} is {own}, but {other} in {version}")
            }
            Limit::Enum { own } => format!("enum allows only {own}, but is not set in {version}"),
            Limit::Values { keyword, values } => {
                format!("{keyword} does not allow {values}, which {version} allows")
            }
            Limit::Required { field } => format!("`{field}` is required, but optional in {version}"),
            Limit::Junctor { keyword, own, other } => match (own, other) {
                (Some(own), Some(other)) => format!("{keyword} has {own}, but {other} in {version}"),
                (Some(own), None) => format!("{keyword} has {own}, which {version} does not have"),
                (None, other) => {
                    let other = other.as_deref().unwrap_or_default();
                    format!("{keyword} does not have {other}, which {version} has")
                }
            },
            Limit::Rule { own, other: None, .. } => format!("{version} does not have the rule `{own}`"),
            Limit::Rule { own, other: Some(other), .. } => {
                format!("the rule is `{own}`, but `{other}` in {version}")
            }
        }
    }
}
