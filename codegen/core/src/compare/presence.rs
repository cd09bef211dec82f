//! What the junctors of two schemas say about which fields are there: all combinations of fields are tried.

use super::on_create::OnCreate;
use crate::cel::ast::{Ast, Expr, ExprId, ops};
use crate::cel::condition::{Comparison, Condition, Truth};
use crate::cel::escape;
use crate::ir::{Junctors, Limits, Schema, Type};
use crate::value::Value;
use std::borrow::Cow;

/// How many fields and conditions are tried in all combinations.
const MOST: usize = 12;

/// How deep junctors and rules are read.
const DEEPEST: usize = 12;

/// How many rules are read.
const MOST_RULES: usize = 50;

/// Whether a default fills in a field of each object. The server drops the status of a new object after it has filled in defaults.
pub(super) fn is_filled(name: &str, field: &Schema) -> bool {
    field.default.is_some() && name != "status"
}

/// Whether the server drops a field that a schema does not list. All objects have an API version, a kind and metadata.
pub(super) fn drops(schema: &Schema, name: &str) -> bool {
    !schema.preserves_unknown_fields()
        && schema.additional_properties.is_none()
        && !schema.ext.embedded_resource
        && !matches!(name, "apiVersion" | "kind" | "metadata")
}

/// Whether a schema has `allOf`, `anyOf`, `oneOf` or `not`.
pub(super) fn has_junctors(schema: &Schema) -> bool {
    let Junctors { all_of, any_of, one_of, not } = schema.limits.junctors();
    !all_of.is_empty() || !any_of.is_empty() || !one_of.is_empty() || not.is_some()
}

/// Whether an object may follow the junctors and rules of `loose` and break the junctors of `tight`. `true` if this is not known.
pub(super) fn may_break(tight: &Schema, loose: &Schema, rules: &OnCreate<'_>) -> bool {
    has_junctors(tight) && breaks(Table::new(None), tight, loose, rules)
}

/// The same for values inside of objects, which only have the fields that the schemas list. Objects also have an API version, a kind
/// and metadata.
pub(super) fn may_break_inside(tight: &Schema, loose: &Schema, rules: &OnCreate<'_>) -> bool {
    breaks(Table::new(fields(tight, loose)), tight, loose, rules)
}

fn breaks(mut table: Table, tight: &Schema, loose: &Schema, rules: &OnCreate<'_>) -> bool {
    let Some((old, new)) = table.both(tight, loose) else { return true };
    let rules = table.rules(rules, tight, loose);
    table.any(loose, |facts| {
        let is_old = is_true(&old, facts) && rules.iter().all(|it| is_true(it, facts));
        is_old && !is_true(&new, facts)
    })
}

/// Whether a rule is true for all objects that follow the junctors and rules of `loose`, because it only asks which fields are there.
/// `false` if this is not known.
pub(super) fn implies_rule(rule: &Ast, tight: &Schema, loose: &Schema, rules: &OnCreate<'_>) -> bool {
    if !is_plain(tight) || !is_plain(loose) {
        return false;
    }
    let mut table = Table::new(None);
    let Some(new) = table.rule(rule, rule.root(), (tight, loose)) else { return false };
    let (mut with_junctors, known) = (table.clone(), table.facts.len());
    let old = with_junctors.junctors(loose, 0);
    let is_same = |fact: &Fact| with_junctors.is_kept(fact, tight, loose);
    let old = match with_junctors.is_complete && with_junctors.facts[known..].iter().all(is_same) {
        true => {
            table = with_junctors;
            old
        }
        false => Condition::All(Vec::new()),
    };
    let rules = table.rules(rules, tight, loose);
    !table.any(loose, |facts| {
        let is_old = is_true(&old, facts) && rules.iter().all(|it| is_true(it, facts));
        is_old && !is_true(&new, facts)
    })
}

/// Whether no object that follows the junctors of a schema has a field. `false` if this is not known.
pub(super) fn is_never_there(schema: &Schema, name: &str) -> bool {
    if schema.limits.one_of.is_empty() && schema.limits.not.is_none() && schema.limits.all_of.is_empty() {
        return false;
    }
    let mut table = Table::new(None);
    if !is_plain(schema) || schema.properties.get(name).is_none_or(|it| it.default.is_some()) {
        return false;
    }
    let all = table.junctors(schema, 0);
    let Some(at) = table.facts.iter().position(|fact| *fact == Fact::Field(name.to_owned())) else {
        return false;
    };
    !table.any(schema, |facts| is_true(&all, facts) && facts[at])
}

/// The fields that values of both schemas can have. `None` if they can have others, or if the server fills in some.
fn fields(tight: &Schema, loose: &Schema) -> Option<Vec<String>> {
    let is_open = loose.preserves_unknown_fields()
        || loose.additional_properties.is_some()
        || [tight, loose].iter().any(|schema| schema.ext.embedded_resource);
    let has_default = |schema: &Schema| schema.properties.values().any(|field| field.default.is_some());
    let is_known = !is_open && ![tight, loose].into_iter().any(has_default);
    is_known.then(|| loose.properties.keys().map(str::to_owned).collect())
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

/// Whether a condition about facts, by their indexes, is true.
fn is_true(condition: &Condition, facts: &[bool]) -> bool {
    condition.truth(&|at| Truth::from(facts[at])) == Truth::True
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

#[derive(Clone)]
struct Table {
    facts: Vec<Fact>,
    is_complete: bool,
    /// The fields that values can have. `None` if this is not known.
    fields: Option<Vec<String>>,
}

impl Table {
    fn new(fields: Option<Vec<String>>) -> Table {
        Table { facts: Vec::new(), is_complete: true, fields }
    }

    /// The conditions of both schemas, if the facts are the same before and after the update.
    fn both(&mut self, tight: &Schema, loose: &Schema) -> Option<(Condition, Condition)> {
        // Whether the new schema also allows other types does not matter.
        if !(is_plain(tight) || tight.ty.is_none() && tight.default.is_none()) || !is_plain(loose) {
            return None;
        }
        let (old, new) = (self.junctors(loose, 0), self.junctors(tight, 0));
        let is_same = |fact: &Fact| self.is_kept(fact, tight, loose);
        (self.is_complete && self.facts.iter().all(is_same)).then_some((old, new))
    }

    /// Whether a fact is the same before and after the update.
    fn is_kept(&self, fact: &Fact, tight: &Schema, loose: &Schema) -> bool {
        match fact {
            Fact::Field(name) | Fact::Matches(name, _) => {
                let (before, after) = (loose.properties.get(name), tight.properties.get(name));
                before.zip(after).is_some_and(|(before, after)| is_kept(before, after))
            }
            // Fields that the server fills in or drops matter for the object as a whole.
            Fact::Object(_) => loose.properties == tight.properties,
        }
    }

    /// What rules say about which fields are there, as far as there is room for it.
    fn rules(&mut self, rules: &OnCreate<'_>, tight: &Schema, loose: &Schema) -> Vec<Condition> {
        let mut out = Vec::new();
        for ast in rules.all().iter().take(MOST_RULES) {
            let mut open = vec![ast.root()];
            while let Some(id) = open.pop() {
                if let Expr::Call { function, target: None, args } = ast.expr(id)
                    && &**function == ops::AND
                {
                    open.extend(args.iter().copied());
                    continue;
                }
                let known = self.facts.len();
                match self.rule(ast, id, (tight, loose)) {
                    Some(condition) if self.is_complete => out.push(condition),
                    _ => {
                        self.facts.truncate(known);
                        self.is_complete = true;
                    }
                }
            }
        }
        out
    }

    /// The condition of a rule that only asks which fields of the object are there.
    fn rule(&mut self, ast: &Ast, id: ExprId, (tight, loose): (&Schema, &Schema)) -> Option<Condition> {
        Condition::read(ast, id, &mut |id| {
            let Expr::Select { operand, field, test_only: true } = ast.expr(id) else { return None };
            let is_self = matches!(ast.expr(*operand), Expr::Ident(name) if &**name == "self");
            let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field)).into_owned();
            let is_null = |schema: &Schema| schema.properties.get(&name).is_none_or(|it| it.nullable);
            // Rules may see a null in another way than junctors.
            let is_plain = is_self && !is_null(tight) && !is_null(loose);
            let fact = Fact::Field(name.clone());
            (is_plain && self.is_kept(&fact, tight, loose)).then(|| self.index(fact))
        })
    }

    /// Whether a condition is true for one of the combinations that a schema allows.
    fn any(&self, schema: &Schema, condition: impl Fn(&[bool]) -> bool) -> bool {
        if !self.is_complete || self.facts.len() > MOST {
            return true;
        }
        let is_there = |name: &String| {
            schema.limits.required.contains(name)
                || schema.properties.get(name).is_some_and(|it| is_filled(name, it) && !it.nullable)
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
        Condition::Part(self.index(fact))
    }

    fn index(&mut self, fact: Fact) -> usize {
        let known = self.facts.iter().position(|it| *it == fact);
        let at = known.unwrap_or_else(|| {
            self.facts.push(fact);
            self.facts.len() - 1
        });
        self.is_complete &= self.facts.len() <= MOST;
        at
    }

    /// The condition that all junctors of a schema are met.
    fn junctors(&mut self, schema: &Schema, depth: usize) -> Condition {
        self.is_complete &= depth <= DEEPEST;
        if !self.is_complete {
            return Condition::All(Vec::new());
        }
        let Junctors { all_of, any_of, one_of, not: none_of } = schema.limits.junctors();
        let mut each = |clauses: &[Schema]| -> Vec<Condition> {
            clauses.iter().map(|clause| self.clause(clause, depth + 1)).collect()
        };
        let mut all = each(all_of);
        if !any_of.is_empty() {
            all.push(Condition::Any(each(any_of)));
        }
        if !one_of.is_empty() {
            all.push(Condition::Count(each(one_of), Comparison::Equals, 1));
        }
        if let Some(none_of) = none_of {
            let matched = self.clause(none_of, depth + 1);
            all.push(not(matched));
        }
        Condition::All(all)
    }

    /// Takes the keywords of which is known what they say about objects, and returns it.
    fn of_objects(&mut self, limits: &mut Limits) -> Vec<Condition> {
        let mut out = Vec::new();
        let Limits { enumeration, min_properties, max_properties, .. } = limits;
        let counts = [(min_properties, Comparison::GreaterEquals), (max_properties, Comparison::LessEquals)];
        for (bound, comparison) in counts {
            let Some((number, fields)) = bound.zip(self.fields.clone()) else { continue };
            let all = fields.into_iter().map(|name| self.fact(Fact::Field(name))).collect();
            out.push(Condition::Count(all, comparison, number));
            *bound = None;
        }
        if !enumeration.is_empty() && !enumeration.iter().any(|value| matches!(value, Value::Map(_))) {
            out.push(Condition::Any(Vec::new()));
            enumeration.clear();
        }
        let of_others = Limits {
            min_properties: limits.min_properties,
            max_properties: limits.max_properties,
            enumeration: std::mem::take(&mut limits.enumeration),
            format: std::mem::take(&mut limits.format),
            ..Limits::default()
        };
        // What is left is about numbers, texts and lists.
        *limits = of_others;
        out
    }

    /// The condition that an object matches a schema in a junctor.
    fn clause(&mut self, clause: &Schema, depth: usize) -> Condition {
        let clause = clause.case();
        let mut all = vec![self.junctors(clause, depth)];
        for name in &clause.limits.required {
            all.push(self.fact(Fact::Field(name.clone())));
        }
        for (name, inner) in clause.properties.iter().filter(|(_, inner)| **inner != Schema::default()) {
            let absent = not(self.fact(Fact::Field(name.to_owned())));
            let matches = self.fact(Fact::Matches(name.to_owned(), inner.clone()));
            all.push(Condition::Any(vec![absent, matches]));
        }
        let mut rest = clause.clone();
        rest.properties = Default::default();
        let Limits { required, all_of, any_of, one_of, not, .. } = &mut rest.limits;
        (*required, *all_of, *any_of, *one_of, *not) = Default::default();
        all.extend(self.of_objects(&mut rest.limits));
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
    use super::{implies_rule, is_never_there, may_break};
    use crate::cel::{self, Kube};
    use crate::compare::on_create::OnCreate;
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
            let (old, new) = (schema(old), schema(new));
            assert_eq!(may_break(&new, &old, &OnCreate::new(&old.rules)), expected, "{old:?} {new:?}");
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

    /// The server fills in the default, and then drops the status.
    #[test]
    fn a_default_does_not_fill_in_the_status_of_new_objects() {
        let schema = |name: &str| {
            let text =
                format!(r#"{{"type":"object","properties":{{"{name}":{{"type":"string","default":"x"}}}}}}"#);
            decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema")
        };
        for (name, expected) in [("spec", true), ("status", false)] {
            let schema = schema(name);
            let rule = cel::parse(&format!("has(self.{name})"), Kube::STORED).expect("a rule");
            let rules = OnCreate::new(&schema.rules);
            assert_eq!(implies_rule(&rule, &schema, &schema, &rules), expected, "{name}");
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
        let old = of("c");
        assert!(may_break(&new, &old, &OnCreate::new(&old.rules)));
    }
}
