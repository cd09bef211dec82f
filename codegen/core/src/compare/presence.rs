//! What the junctors of two schemas say about which fields are there: all combinations of fields are tried.

use crate::ir::{Junctors, Limits, Schema, Type};

/// How many fields and conditions are tried in all combinations.
const MOST: usize = 12;

/// How deep junctors are read.
const DEEPEST: usize = 12;

/// Whether an object may follow the junctors of `loose` and break those of `tight`. `true` if this is not known.
pub(super) fn may_break(tight: &Schema, loose: &Schema) -> bool {
    let mut table = Table { facts: Vec::new(), is_complete: true };
    let Some((old, new)) = table.both(tight, loose) else { return true };
    table.any(loose, |facts| old.is_true(facts) && !new.is_true(facts))
}

/// Whether no object that follows the junctors of a schema has a field. `false` if this is not known.
pub(super) fn is_never_there(schema: &Schema, name: &str) -> bool {
    if schema.limits.one_of.is_empty() && schema.limits.not.is_none() && schema.limits.all_of.is_empty() {
        return false;
    }
    let mut table = Table { facts: Vec::new(), is_complete: true };
    if !is_plain(schema) || schema.properties.get(name).is_none_or(|it| it.default.is_some()) {
        return false;
    }
    let all = table.junctors(schema, 0);
    let Some(at) = table.facts.iter().position(|fact| *fact == Fact::Field(name.to_owned())) else {
        return false;
    };
    !table.any(schema, |facts| all.is_true(facts) && facts[at])
}

/// Whether the values of a schema are objects whose fields the schema lists, without a default for all of them.
fn is_plain(schema: &Schema) -> bool {
    schema.ty == Some(Type::Object) && !schema.nullable && schema.default.is_none()
}

/// Something that is true or false for an object.
#[derive(Clone, Debug, PartialEq)]
enum Fact {
    /// A field is there.
    Field(String),
    /// The value of a field, if it is there, matches a schema.
    Matches(String, Schema),
    /// The object matches a schema without junctors and fields.
    Object(Schema),
}

/// A condition about facts, by their indices.
enum Condition {
    Fact(usize),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    One(Vec<Condition>),
}

impl Condition {
    fn is_true(&self, facts: &[bool]) -> bool {
        match self {
            Condition::Fact(at) => facts[*at],
            Condition::Not(inner) => !inner.is_true(facts),
            Condition::All(all) => all.iter().all(|it| it.is_true(facts)),
            Condition::Any(any) => any.iter().any(|it| it.is_true(facts)),
            Condition::One(one) => one.iter().filter(|it| it.is_true(facts)).count() == 1,
        }
    }
}

struct Table {
    facts: Vec<Fact>,
    is_complete: bool,
}

impl Table {
    /// The conditions of both schemas, if the facts are the same before and after the update.
    fn both(&mut self, tight: &Schema, loose: &Schema) -> Option<(Condition, Condition)> {
        if !is_plain(tight) || !is_plain(loose) {
            return None;
        }
        let (old, new) = (self.junctors(loose, 0), self.junctors(tight, 0));
        let is_same = |fact: &Fact| match fact {
            Fact::Field(name) | Fact::Matches(name, _) => {
                let (before, after) = (loose.properties.get(name), tight.properties.get(name));
                before.zip(after).is_some_and(|(before, after)| is_kept(before, after))
            }
            // Fields that the server fills in or drops matter for the object as a whole.
            Fact::Object(_) => loose.properties == tight.properties,
        };
        (self.is_complete && self.facts.iter().all(is_same)).then_some((old, new))
    }

    /// Whether a condition is true for one of the combinations that a schema allows.
    fn any(&self, schema: &Schema, condition: impl Fn(&[bool]) -> bool) -> bool {
        if !self.is_complete || self.facts.len() > MOST {
            return true;
        }
        let is_there = |name: &String| {
            schema.limits.required.contains(name)
                || schema.properties.get(name).is_some_and(|it| it.default.is_some() && !it.nullable)
        };
        let is_possible = |facts: &[bool]| {
            self.facts.iter().zip(facts).all(|(fact, is)| match fact {
                Fact::Field(name) => *is || !is_there(name),
                Fact::Matches(..) | Fact::Object(_) => true,
            })
        };
        (0..1_u32 << self.facts.len()).any(|bits| {
            let facts: Vec<bool> = (0..self.facts.len()).map(|at| bits >> at & 1 == 1).collect();
            is_possible(&facts) && condition(&facts)
        })
    }

    fn fact(&mut self, fact: Fact) -> Condition {
        let known = self.facts.iter().position(|it| *it == fact);
        let at = known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        self.is_complete &= self.facts.len() <= MOST;
        Condition::Fact(at)
    }

    /// The condition that all junctors of a schema are met.
    fn junctors(&mut self, schema: &Schema, depth: usize) -> Condition {
        self.is_complete &= depth <= DEEPEST;
        if !self.is_complete {
            return Condition::All(Vec::new());
        }
        let Junctors { all_of, any_of, one_of, not } = schema.limits.junctors();
        let mut each = |clauses: &[Schema]| -> Vec<Condition> {
            clauses.iter().map(|clause| self.clause(clause, depth + 1)).collect()
        };
        let mut all = each(all_of);
        if !any_of.is_empty() {
            all.push(Condition::Any(each(any_of)));
        }
        if !one_of.is_empty() {
            all.push(Condition::One(each(one_of)));
        }
        if let Some(not) = not {
            all.push(Condition::Not(Box::new(self.clause(not, depth + 1))));
        }
        Condition::All(all)
    }

    /// The condition that an object matches a schema in a junctor.
    fn clause(&mut self, clause: &Schema, depth: usize) -> Condition {
        let mut all = vec![self.junctors(clause, depth)];
        for name in &clause.limits.required {
            all.push(self.fact(Fact::Field(name.clone())));
        }
        for (name, inner) in clause.properties.iter().filter(|(_, inner)| **inner != Schema::default()) {
            let absent = Condition::Not(Box::new(self.fact(Fact::Field(name.to_owned()))));
            let matches = self.fact(Fact::Matches(name.to_owned(), inner.clone()));
            all.push(Condition::Any(vec![absent, matches]));
        }
        let mut rest = clause.clone();
        rest.properties = Default::default();
        let Limits { required, all_of, any_of, one_of, not, .. } = &mut rest.limits;
        (*required, *all_of, *any_of, *one_of, *not) = Default::default();
        if rest != Schema::default() {
            all.push(self.fact(Fact::Object(rest)));
        }
        Condition::All(all)
    }
}

/// Whether the server fills in the same, and keeps all of a value, by both schemas.
fn is_kept(before: &Schema, after: &Schema) -> bool {
    let is_single = |schema: &Schema| {
        matches!(schema.ty, Some(Type::String | Type::Integer | Type::Number | Type::Boolean))
    };
    before.default == after.default
        && before.nullable == after.nullable
        && (before == after || is_single(before) && is_single(after))
}

#[cfg(test)]
mod tests {
    use super::{is_never_there, may_break};
    use crate::ir::Schema;
    use crate::{decode, json};

    fn schema(keywords: &str) -> Schema {
        let text = format!(
            r#"{{"type":"object","properties":{{"a":{{"type":"string"}},"b":{{"type":"string"}},"c":{{"type":"string","default":"x"}}}}{keywords}}}"#
        );
        decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema")
    }

    #[test]
    fn tries_all_combinations_of_fields() {
        let either = r#","oneOf":[{"required":["a"]},{"required":["b"]}]"#;
        let only_a =
            r#","oneOf":[{"required":["a"]},{"required":["b"]}],"not":{"properties":{"a":{"enum":["x"]}}}"#;
        for (old, new, expected) in [
            (
                either,
                r#","anyOf":[{"required":["a"]},{"required":["b"]}],"not":{"required":["a","b"]}"#,
                false,
            ),
            (either, r#","anyOf":[{"required":["a"]}]"#, true),
            (either, r#","not":{"required":["a","b"]}"#, false),
            ("", either, true),
            (only_a, r#","required":["a"],"not":{"properties":{"a":{"enum":["x"]}}}"#, false),
            (only_a, r#","not":{"properties":{"a":{"enum":["y"]}}}"#, true),
            (
                only_a,
                r#","oneOf":[{"required":["a"]},{"required":["b"]},{"required":["b"]}],"not":{"properties":{"a":{"enum":["x"]}}}"#,
                false,
            ),
            (r#","required":["a"]"#, r#","anyOf":[{"required":["a"]},{"required":["b"]}]"#, false),
            ("", r#","anyOf":[{"required":["c"]}]"#, false),
            ("", r#","not":{"required":["c"]}"#, true),
            (
                r#","allOf":[{"minProperties":2}]"#,
                r#","anyOf":[{"minProperties":2},{"required":["a"]}]"#,
                false,
            ),
        ] {
            assert_eq!(may_break(&schema(new), &schema(old)), expected, "{old} {new}");
        }
        for (keywords, expected) in [
            (only_a, [false, true]),
            (either, [false, false]),
            (r#","not":{"required":["a"]}"#, [true, false]),
        ] {
            assert_eq!(
                ["a", "b"].map(|name| is_never_there(&schema(keywords), name)),
                expected,
                "{keywords}"
            );
        }
    }

    #[test]
    fn values_that_the_server_fills_in_are_not_the_same() {
        let of = |default: &str| {
            schema(r#","oneOf":[{"required":["a"]},{"required":["c"]}]"#.replace("\"c\"", &format!("\"{default}\"")).as_str())
        };
        // The new schema has no default for the field any more.
        let mut new = of("c");
        if let Some(field) = new.properties.get_mut("c") {
            field.default = None;
        }
        assert!(may_break(&new, &of("c")));
    }
}
