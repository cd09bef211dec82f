//! Validates allOf, anyOf, oneOf, not and dependencies.

use super::at::At;
use super::findings::Findings;
use super::{ValidatedNode, Validator};
use crate::diag::codes::object as codes;
use crate::go;
use crate::ir::{Dependency, Junctors, Schema};
use crate::listed;
use crate::value::Value;

/// The fields of a union, if each branch only requires one field.
fn fields<'s>(branches: &'s [Schema]) -> Option<Vec<&'s str>> {
    let field = |branch: &'s Schema| {
        let [field] = branch.limits.required.as_slice() else { return None };
        let mut rest = branch.clone();
        rest.limits.required.clear();
        (rest == Schema::default()).then_some(field.as_str())
    };
    branches.iter().map(field).collect()
}

/// What is wrong with a value that matches no branch. Its texts are only made if they are reported.
struct Mismatch<'s, D, H> {
    /// The branch of which most checks passed, with how many.
    closest: Option<(usize, &'s Schema)>,
    /// The error, for the name of the value.
    detail: D,
    help: H,
}

impl<'s> Validator<'s> {
    /// Validates the junctors of a node, and returns how many checks passed. Inside junctors, the server does not
    /// accept a value only because it has not changed.
    pub(super) fn junctors(
        &self,
        node: ValidatedNode<'s>,
        value: &Value,
        at: &At<'_>,
        out: &mut Findings,
    ) -> usize {
        let Junctors { all_of, any_of, one_of, not } = node.schema.limits.junctors();
        let mut count = 1;
        if !any_of.is_empty() {
            count += self.any_of(any_of, value, at, out);
        }
        if !one_of.is_empty() {
            count += self.one_of(one_of, value, at, out);
        }
        if !all_of.is_empty() {
            count += self.all_of(all_of, value, at, out);
        }
        if let Some(not) = not {
            let mut inner = Findings::counting();
            self.node(ValidatedNode::branch(not), value, at, None, &mut inner);
            if inner.is_empty() && !out.count_instead(at) {
                let detail = format!("{} must not validate the schema (not)", go::quote(&at.name()));
                // Nothing is allowed here, as where an enum excludes the fields of its other variants.
                let help = match node.schema.forbids() {
                    true => "remove it: no value is allowed here",
                    false => "change the value so that it does not match `not`",
                };
                out.add_plain(&codes::JUNCTOR, at, detail, help);
            }
        }
        if let (Some(foreign), Value::Map(map)) = (&node.schema.foreign, value) {
            for (name, dependency) in foreign.dependencies.iter().filter(|(name, _)| map.contains_key(name)) {
                match dependency {
                    Dependency::Schema(schema) => {
                        count += self.node(ValidatedNode::branch(schema), value, &at.member(name), None, out);
                    }
                    Dependency::Nothing => {}
                    Dependency::Properties(needed) => {
                        for needed in needed.iter().filter(|needed| !map.contains_key(needed)) {
                            if out.count_instead(at) {
                                continue;
                            }
                            let detail = format!("{} has a dependency on {needed}", go::quote(&at.name()));
                            out.add_plain(&codes::DEPENDENCY, at, detail, format!("add `{needed}`"));
                        }
                    }
                }
            }
        }
        count
    }

    /// How many checks of a branch passed, and whether all did.
    fn branch(&self, schema: &'s Schema, value: &Value, at: &At<'_>) -> (usize, bool) {
        let mut found = Findings::counting();
        let count = self.node(ValidatedNode::branch(schema), value, at, None, &mut found);
        (count, found.is_empty())
    }

    /// Reports that no branch matches, and why the closest one does not.
    fn report<D: FnOnce(&str) -> String, H: FnOnce() -> String>(
        &self,
        mismatch: Mismatch<'s, D, H>,
        value: &Value,
        at: &At<'_>,
        out: &mut Findings,
    ) -> usize {
        let Mismatch { closest, detail, help } = mismatch;
        if !out.count_instead(at) {
            out.add_plain(&codes::JUNCTOR, at, detail(&go::quote(&at.name())), help());
            if let Some((_, schema)) = closest {
                self.node(ValidatedNode::branch(schema), value, at, None, out);
            }
        }
        closest.map_or(0, |(count, _)| count)
    }

    fn any_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut closest: Option<(usize, &Schema)> = None;
        for schema in all {
            let (count, matches) = self.branch(schema, value, at);
            if matches {
                return count;
            }
            if closest.is_none_or(|(most, _)| count > most) {
                closest = Some((count, schema));
            }
        }
        let detail = |name: &str| format!("{name} must validate at least one schema (anyOf)");
        let help = || "make the value match one of the alternatives".to_owned();
        self.report(Mismatch { closest, detail, help }, value, at, out)
    }

    fn one_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut closest: Option<(usize, &Schema)> = None;
        let mut first_match = 0;
        let mut number = 0;
        for schema in all {
            let (count, matches) = self.branch(schema, value, at);
            if matches {
                if number == 0 {
                    first_match = count;
                }
                number += 1;
                closest = None;
            } else if number == 0 && closest.is_none_or(|(most, _)| count > most) {
                closest = Some((count, schema));
            }
        }
        let (found, help) = match number {
            0 => ("Found none valid".to_owned(), "make the value match one of the alternatives"),
            1 => return first_match,
            _ => (
                format!("Found {number} valid alternatives"),
                "make the value match only one of the alternatives",
            ),
        };
        let help = || match fields(all) {
            Some(fields) => {
                let fields = fields.iter().map(|field| format!("`{field}`"));
                format!("set exactly one of {}", listed::first(fields, listed::NAMED))
            }
            None => help.to_owned(),
        };
        let detail = |name: &str| format!("{name} must validate one and only one schema (oneOf). {found}");
        self.report(Mismatch { closest, detail, help }, value, at, out)
    }

    fn all_of(&self, all: &'s [Schema], value: &Value, at: &At<'_>, out: &mut Findings) -> usize {
        let mut matches = 0;
        let mut total = 0;
        for schema in all {
            let before = out.len();
            total += self.node(ValidatedNode::branch(schema), value, at, None, out);
            matches += usize::from(out.len() == before);
        }
        if matches != all.len() && !out.count_instead(at) {
            let none = if matches == 0 { ". None validated" } else { "" };
            let detail = format!("{} must validate all the schemas (allOf){none}", go::quote(&at.name()));
            out.add_plain(&codes::JUNCTOR, at, detail, "make the value match all of them");
        }
        total
    }
}
