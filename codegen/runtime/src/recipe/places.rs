//! Where the parts of a type are in its source. Only tests know this: derives write it for `cfg(test)`, so that the generated
//! test can name the attribute that causes an error.

use crate::diag::Diag;
use crate::ir::{Allowed, Crd};
use crate::path::Step;
use std::fmt::Write;

/// The places of a type's fields and rules, as derives write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The file.
    pub file: String,
    /// The fields, by their names in the document. A field without a name is not listed.
    pub fields: Vec<Place>,
    /// The rules, by their expressions.
    pub rules: Vec<Place>,
}

/// The place of a field or rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the field, or the expression of the rule.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Places {
    /// Returns the places as text, for [`Places::read`].
    pub fn text(&self) -> String {
        let mut out = format!("{}:{}", self.file.len(), self.file);
        for (sign, all) in [('.', &self.fields), ('=', &self.rules)] {
            for Place { name, line, column } in all {
                _ = write!(out, "{sign}{line}:{column}:{}:{name}", name.len());
            }
        }
        out
    }

    /// Reads a text of [`Places::text`]. None if there is none.
    pub fn read(text: &str) -> Option<Places> {
        let (file, mut rest) = sized(text)?;
        let mut out = Places { file: file.to_owned(), ..Places::default() };
        while let Some(sign) = rest.chars().next() {
            let (line, after) = rest[sign.len_utf8()..].split_once(':')?;
            let (column, after) = after.split_once(':')?;
            let (name, after) = sized(after)?;
            let place =
                Place { name: name.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? };
            if sign == '.' {
                out.fields.push(place)
            } else {
                out.rules.push(place)
            }
            rest = after;
        }
        Some(out)
    }

    /// Finds the place of a diagnostic in this type. `steps` lead from the type to the diagnostic's place, and `rule` is the
    /// rule that it is about.
    fn find(&self, steps: &[Step], rule: Option<&str>) -> Option<String> {
        let rule = rule.and_then(|rule| self.rules.iter().find(|place| place.name == rule));
        let field = || match steps {
            [Step::Key(properties), Step::Key(name), ..] if properties == "properties" => {
                self.fields.iter().find(|place| place.name == *name)
            }
            _ => None,
        };
        let Place { line, column, .. } = rule.or_else(field)?;
        Some(format!("{}:{line}:{column}", self.file))
    }
}

/// Splits a text with its length from the rest.
fn sized(text: &str) -> Option<(&str, &str)> {
    let (len, rest) = text.split_once(':')?;
    let len = len.parse().ok()?;
    Some((rest.get(..len)?, &rest[len..]))
}

/// The types in a schema, each with the steps from the schema of its version.
pub type PlacedTypes = Vec<(Vec<Step>, &'static str)>;

/// Finds the attribute that causes a diagnostic about a CRD: its file, line and column.
pub fn find(types: &PlacedTypes, crd: &Crd, diag: &Diag) -> Option<String> {
    let steps = Allowed::in_schema(&diag.steps)?;
    let mut around: Vec<_> = types.iter().filter(|(path, _)| steps.starts_with(path)).collect();
    // The innermost type comes first.
    around.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    let rule = rule(crd, diag);
    around.into_iter().find_map(|(path, text)| Places::read(text)?.find(&steps[path.len()..], rule))
}

/// The rule that a diagnostic is about.
fn rule<'c>(crd: &'c Crd, diag: &Diag) -> Option<&'c str> {
    let Some(Step::Index(version)) = diag.steps.get(2) else { return None };
    let mut schema = crd.spec.versions.get(*version)?.body.schema.as_ref()?.open_api_v3_schema.as_ref()?;
    let mut steps = Allowed::in_schema(&diag.steps)?;
    loop {
        let (step, rest) = steps.split_first()?;
        let Step::Key(step) = step else { return None };
        (schema, steps) = match (step.as_str(), rest) {
            ("properties", [Step::Key(name), rest @ ..]) => (schema.properties.get(name)?, rest),
            ("items", rest) => (schema.item()?, rest),
            ("additionalProperties", rest) => (schema.value()?, rest),
            ("x-kubernetes-validations", [Step::Index(number), ..]) => {
                return schema.rules.get(*number).map(|rule| rule.rule.as_str());
            }
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Places};

    #[test]
    fn reads_what_it_writes() {
        let place = |name: &str| Place { name: name.to_owned(), line: 3, column: 14 };
        let places = Places {
            file: "src/a:b.rs".to_owned(),
            fields: vec![place("a"), place("ä.b=:")],
            rules: vec![place("self == '\n.'")],
        };
        assert_eq!(Places::read(&places.text()), Some(places));
        assert_eq!(Places::read(""), None);
    }
}
