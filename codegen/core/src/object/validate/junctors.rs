//! allOf, anyOf, oneOf, not and dependencies.

use super::at::At;
use super::findings::Findings;
use super::{Node, Validator};
use crate::diag::codes::object as codes;
use crate::go;
use crate::ir::{Dependency, Schema};
use crate::value::Value;

impl<'s> Validator<'s> {
    /// Checks the junctors of a node; gives their count. Wrong parts of an update are never let
    /// through in here.
    pub(super) fn junctors(&self, node: Node<'s>, value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let limits = &node.schema.limits;
        let mut count = 1;
        if !limits.any_of.is_empty() {
            count += self.any_of(&limits.any_of, value, at, out);
        }
        if !limits.one_of.is_empty() {
            count += self.one_of(&limits.one_of, value, at, out);
        }
        if !limits.all_of.is_empty() {
            count += self.all_of(&limits.all_of, value, at, out);
        }
        if let Some(not) = &limits.not {
            let mut inner = Findings::default();
            self.node(Node::branch(not), value, at, None, &mut inner);
            if inner.is_empty() {
                let detail = format!("{} must not validate the schema (not)", go::quote(&at.name()));
                out.add_plain(
                    &codes::JUNCTOR,
                    at,
                    detail,
                    "change the value so that it does not match `not`",
                );
            }
        }
        if let (Some(foreign), Value::Map(map)) = (&node.schema.foreign, value) {
            for (name, dependency) in foreign.dependencies.iter().filter(|(name, _)| map.contains_key(name)) {
                match dependency {
                    Dependency::Schema(schema) => {
                        count += self.node(Node::branch(schema), value, &at.member(name), None, out);
                    }
                    Dependency::Nothing => {}
                    Dependency::Properties(needed) => {
                        for needed in needed.iter().filter(|needed| !map.contains_key(needed)) {
                            let detail = format!("{} has a dependency on {needed}", go::quote(&at.name()));
                            out.add_plain(&codes::DEPENDENCY, at, detail, format!("add `{needed}`"));
                        }
                    }
                }
            }
        }
        count
    }

    fn branch(&self, schema: &'s Schema, value: &Value, at: &At<'_>) -> (usize, Findings) {
        let mut found = Findings::default();
        let count = self.node(Node::branch(schema), value, at, None, &mut found);
        (count, found)
    }

    fn any_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut best: Option<(usize, Findings)> = None;
        for schema in all {
            let (count, found) = self.branch(schema, value, at);
            if found.is_empty() {
                return count;
            }
            if best.as_ref().is_none_or(|(most, _)| count > *most) {
                best = Some((count, found));
            }
        }
        let detail = format!("{} must validate at least one schema (anyOf)", go::quote(&at.name()));
        out.add_plain(&codes::JUNCTOR, at, detail, "make the value match one of the alternatives");
        let (count, found) = best.unwrap_or_default();
        out.append(found);
        count
    }

    fn one_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut best: Option<(usize, Findings)> = None;
        let mut first_match = 0;
        let mut matches = 0;
        for schema in all {
            let (count, found) = self.branch(schema, value, at);
            if found.is_empty() {
                if matches == 0 {
                    first_match = count;
                }
                matches += 1;
                best = None;
            } else if matches == 0 && best.as_ref().is_none_or(|(most, _)| count > *most) {
                best = Some((count, found));
            }
        }
        if matches == 1 {
            return first_match;
        }
        let found = if matches == 0 {
            "Found none valid".to_owned()
        } else {
            format!("Found {matches} valid alternatives")
        };
        let detail =
            format!("{} must validate one and only one schema (oneOf). {found}", go::quote(&at.name()));
        let help = if matches == 0 {
            "make the value match one of the alternatives"
        } else {
            "make the value match only one of the alternatives"
        };
        out.add_plain(&codes::JUNCTOR, at, detail, help);
        let (count, found) = best.unwrap_or_default();
        out.append(found);
        count
    }

    fn all_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut matches = 0;
        let mut total = 0;
        for schema in all {
            let (count, found) = self.branch(schema, value, at);
            matches += usize::from(found.is_empty());
            total += count;
            out.append(found);
        }
        if matches != all.len() {
            let none = if matches == 0 { ". None validated" } else { "" };
            let detail = format!("{} must validate all the schemas (allOf){none}", go::quote(&at.name()));
            out.add_plain(&codes::JUNCTOR, at, detail, "make the value match all of them");
        }
        total
    }
}
