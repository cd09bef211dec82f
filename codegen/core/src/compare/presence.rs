//! What the junctors of two schemas say about which fields are there: all combinations of fields are tried.

use super::bounds::{self, Range};
use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::cel::{self, Kube, escape};
use crate::ir::{Junctors, Limits, Rule, Schema, Type};
use std::borrow::Cow;

/// How many fields and conditions are tried in all combinations.
const MOST: usize = 12;

/// How deep junctors and rules are read.
const DEEPEST: usize = 12;

/// How many rules are read.
const MOST_RULES: usize = 50;

/// Whether an object may follow the junctors of `loose` and break those of `tight`. `true` if this is not known.
pub(super) fn may_break(tight: &Schema, loose: &Schema) -> bool {
    let Junctors { all_of, any_of, one_of, not } = tight.limits.junctors();
    if all_of.is_empty() && any_of.is_empty() && one_of.is_empty() && not.is_none() {
        return false;
    }
    let mut table = Table::default();
    let Some((old, new)) = table.both(tight, loose) else { return true };
    let rules = table.rules(&loose.rules, tight, loose);
    table.any(loose, |facts| {
        let is_old = old.is_true(facts) && rules.iter().all(|it| it.is_true(facts));
        is_old && !new.is_true(facts)
    })
}

/// Whether a rule is true for all objects that follow the junctors and rules of `loose`, because it only asks which fields are there.
/// `false` if this is not known.
pub(super) fn implies_rule(rule: &Ast, tight: &Schema, loose: &Schema) -> bool {
    if !is_plain(tight) || !is_plain(loose) {
        return false;
    }
    let mut table = Table::default();
    let Some(new) = table.rule(rule, rule.root(), (tight, loose), 0) else { return false };
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
    let rules = table.rules(&loose.rules, tight, loose);
    !table.any(loose, |facts| {
        let is_old = old.is_true(facts) && rules.iter().all(|it| it.is_true(facts));
        is_old && !new.is_true(facts)
    })
}

/// Whether no object that follows the junctors of a schema has a field. `false` if this is not known.
pub(super) fn is_never_there(schema: &Schema, name: &str) -> bool {
    if schema.limits.one_of.is_empty() && schema.limits.not.is_none() && schema.limits.all_of.is_empty() {
        return false;
    }
    let mut table = Table::default();
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
    /// Both are true, or none.
    Same(Box<[Condition; 2]>),
    /// So many of them are true.
    Count(Vec<Condition>, Range),
}

impl Condition {
    fn is_true(&self, facts: &[bool]) -> bool {
        match self {
            Condition::Fact(at) => facts[*at],
            Condition::Not(inner) => !inner.is_true(facts),
            Condition::All(all) => all.iter().all(|it| it.is_true(facts)),
            Condition::Any(any) => any.iter().any(|it| it.is_true(facts)),
            Condition::One(one) => one.iter().filter(|it| it.is_true(facts)).count() == 1,
            Condition::Same(both) => both[0].is_true(facts) == both[1].is_true(facts),
            Condition::Count(all, Range { least, most }) => {
                let count = all.iter().filter(|it| it.is_true(facts)).count();
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                least.is_none_or(|least| least <= count) && most.is_none_or(|most| count <= most)
            }
        }
    }
}

#[derive(Clone)]
struct Table {
    facts: Vec<Fact>,
    is_complete: bool,
}

impl Default for Table {
    fn default() -> Table {
        Table { facts: Vec::new(), is_complete: true }
    }
}

impl Table {
    /// The conditions of both schemas, if the facts are the same before and after the update.
    fn both(&mut self, tight: &Schema, loose: &Schema) -> Option<(Condition, Condition)> {
        if !is_plain(tight) || !is_plain(loose) {
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
    fn rules(&mut self, rules: &[Rule], tight: &Schema, loose: &Schema) -> Vec<Condition> {
        let mut out = Vec::new();
        for rule in rules.iter().take(MOST_RULES) {
            let Ok(ast) = cel::parse(&rule.rule, Kube::STORED) else { continue };
            // The server does not check it on create.
            if ast.has_name("oldSelf") {
                continue;
            }
            let mut open = vec![ast.root()];
            while let Some(id) = open.pop() {
                if let Expr::Call { function, target: None, args } = ast.expr(id)
                    && &**function == ops::AND
                {
                    open.extend(args.iter().copied());
                    continue;
                }
                let known = self.facts.len();
                match self.rule(&ast, id, (tight, loose), 0) {
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
    fn rule(&mut self, ast: &Ast, id: ExprId, sides: (&Schema, &Schema), depth: usize) -> Option<Condition> {
        if depth > DEEPEST {
            return None;
        }
        if let Expr::Call { function, target: None, args } = ast.expr(id)
            && let [left, right] = &args[..]
        {
            for it in bounds::both_ways(function, *left, *right) {
                let count =
                    bounds::integer(ast, it.right).and_then(|number| Range::of_size(it.operator, number));
                if let (Some(counted), Some(count)) = (ast.counted(it.left), count) {
                    let all = counted.iter().map(|id| self.rule(ast, *id, sides, depth + 1));
                    return Some(Condition::Count(all.collect::<Option<_>>()?, count));
                }
            }
        }
        let mut of = |id: ExprId| self.rule(ast, id, sides, depth + 1);
        let not = |it: Condition| Condition::Not(Box::new(it));
        match ast.expr(id) {
            Expr::Literal(Literal::Bool(true)) => Some(Condition::All(Vec::new())),
            Expr::Literal(Literal::Bool(false)) => Some(Condition::Any(Vec::new())),
            Expr::Select { operand, field, test_only: true } => {
                let is_self = matches!(ast.expr(*operand), Expr::Ident(name) if &**name == "self");
                let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field)).into_owned();
                let is_null = |schema: &Schema| schema.properties.get(&name).is_none_or(|it| it.nullable);
                let (tight, loose) = sides;
                // Rules may see a null in another way than junctors.
                let is_plain = is_self && !is_null(tight) && !is_null(loose);
                let fact = Fact::Field(name.clone());
                (is_plain && self.is_kept(&fact, tight, loose)).then(|| self.fact(fact))
            }
            Expr::Call { function, target: None, args } => match (&**function, &args[..]) {
                (ops::NOT, [inner]) => Some(not(of(*inner)?)),
                (ops::AND, [a, b]) => Some(Condition::All(vec![of(*a)?, of(*b)?])),
                (ops::OR, [a, b]) => Some(Condition::Any(vec![of(*a)?, of(*b)?])),
                (ops::EQUALS, [a, b]) => Some(Condition::Same(Box::new([of(*a)?, of(*b)?]))),
                (ops::NOT_EQUALS, [a, b]) => Some(not(Condition::Same(Box::new([of(*a)?, of(*b)?])))),
                (ops::CONDITIONAL, [condition, yes, no]) => {
                    let yes = Condition::All(vec![of(*condition)?, of(*yes)?]);
                    let no = Condition::All(vec![not(of(*condition)?), of(*no)?]);
                    Some(Condition::Any(vec![yes, no]))
                }
                _ => None,
            },
            _ => None,
        }
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
