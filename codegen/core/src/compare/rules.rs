//! Compares the rules of two schemas for the same place.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::absent::{self, Before};
use super::limit::Limit;
use super::on_create::OnCreate;
use super::presence;
use crate::cel::{self, Ast, Expr, ExprId, Shape, escape};
use crate::ir::{Rule, Schema, SchemaOf, Type};
use crate::path::Path;
use crate::rules::run::Rules;
use crate::server::Server;

/// Reports the rules of the first schema that a value may break although it follows the rules of the second one. A rule that
/// is written in another way, with other white space or parentheses, is the same rule. `known` are the rules of the second schema, or `None`
/// if a conversion changes the value.
pub(super) fn compare(tight: &Schema, loose: &Schema, known: Option<&OnCreate<'_>>, out: &mut Vec<Limit>) {
    let mut new = without(&tight.rules, &loose.rules);
    let mut gone = without(&loose.rules, &tight.rules);
    let is_same = |a: &Known<'_>, b: &Known<'_>| {
        a.is_optional() == b.is_optional() && a.is_same(b, &|ast, id| shape(tight, ast, id))
    };
    // Rules that are the same read the same fields.
    let (by_new, by_gone) = (ByFields::new(&new), ByFields::new(&gone));
    let [same, is_new] = [(&gone, &new, by_new), (&new, &gone, by_gone)].map(|(own, others, by)| {
        own.iter().map(|it| by.like(it, others).any(|other| is_same(it, other))).collect()
    });
    retain_others(&mut gone, same);
    retain_others(&mut new, is_new);
    let alone = new.len() == 1 && gone.len() == 1;
    let are_few = new.len() * gone.len() <= MAX_IMPLIED;
    let by_gone = ByFields::new(&gone);
    new.retain(|rule| match are_few {
        true => !gone.iter().any(|old| old.implies(rule)),
        false => !by_gone.like(rule, &gone).take(MOST_IMPLIED).any(|old| old.implies(rule)),
    });
    for rule in new {
        // A rule replaces the rule that has its message, and the only rule that is gone.
        let message = &rule.rule.message;
        let replaced =
            gone.iter().position(|old| alone || !message.is_empty() && old.rule.message == *message);
        let old = replaced.map(|at| gone.remove(at));
        if !are_few && old.as_ref().is_some_and(|old| old.implies(&rule)) {
            continue;
        }
        // A conversion may set fields that the other schema does not have.
        let before = if rule.is_optional() { Before::Optional } else { Before::Value };
        let is_implied = |(ast, known): (&Ast, &OnCreate<'_>)| {
            absent::is_always_true(ast, before, tight, loose)
                || presence::implies_rule(ast, tight, loose, known)
                || ast.follows_in_order(known.all().iter())
        };
        let is_listed = || known.is_some() && is_true_of_listed(&rule, tight, loose);
        if rule.ast.as_ref().zip(known).is_some_and(is_implied) || is_listed() {
            continue;
        }
        out.push(Limit::Rule {
            index: rule.index,
            own: one_line(&rule.rule.rule),
            other: old.map(|old| one_line(&old.rule.rule)),
            is_transition: rule.is_transition(),
        });
    }
}

/// Whether a rule is true of all values that the second schema lists. They are tried one by one.
fn is_true_of_listed(rule: &Known<'_>, tight: &Schema, loose: &Schema) -> bool {
    let is_single = matches!(loose.ty, Some(Type::String | Type::Integer | Type::Number | Type::Boolean));
    let listed = &loose.limits.enumeration;
    let are_few = (1..=MAX_LISTED).contains(&listed.len());
    let is_alike = tight.ty == loose.ty && !tight.nullable && !loose.nullable;
    let reads_old = rule.ast.as_ref().is_none_or(|ast| ast.has_name("oldSelf"));
    if !is_single || !is_alike || !are_few || reads_old {
        return false;
    }
    let alone = Schema { rules: vec![rule.rule.clone()], ..tight.clone() };
    let rules = Rules::of(&alone, SchemaOf::Value, Server::NEWEST);
    listed.iter().all(|value| rules.validate(&alone, value, None, &Path::ROOT).errors.is_empty())
}

/// Removes rules that are the same as others.
fn retain_others(rules: &mut Vec<Known<'_>>, same: Vec<bool>) {
    let mut same = same.into_iter();
    rules.retain(|_| !same.next().unwrap_or(false));
}

/// The indexes of rules, by the names of the fields that they read.
struct ByFields(HashMap<BTreeSet<String>, Vec<usize>>);

impl ByFields {
    fn new(rules: &[Known<'_>]) -> ByFields {
        let mut out: HashMap<BTreeSet<String>, Vec<usize>> = HashMap::new();
        for (at, rule) in rules.iter().enumerate() {
            out.entry(rule.fields()).or_default().push(at);
        }
        ByFields(out)
    }

    /// The first rules that read the same fields as a rule.
    fn like<'k, 's>(&self, rule: &Known<'_>, rules: &'k [Known<'s>]) -> impl Iterator<Item = &'k Known<'s>> {
        let all = self.0.get(&rule.fields()).into_iter().flatten().take(MOST_ALIKE);
        all.filter_map(|at| rules.get(*at)).collect::<Vec<_>>().into_iter()
    }
}

/// A rule with its index in the schema.
struct Known<'s> {
    index: usize,
    rule: &'s Rule,
    ast: Option<Ast>,
}

impl Known<'_> {
    /// Whether the server also checks it on create although it uses `oldSelf`.
    fn is_optional(&self) -> bool {
        self.rule.optional_old_self == Some(true)
    }

    /// The names of the fields that it reads.
    fn fields(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        let Some(ast) = &self.ast else { return out };
        let mut open = vec![ast.root()];
        while let Some(id) = open.pop() {
            if let Expr::Select { field, .. } = ast.expr(id) {
                out.insert(escape::unescape(field).unwrap_or(Cow::Borrowed(field)).into_owned());
            }
            ast.children(id, &mut |child| open.push(child));
        }
        out
    }

    /// Whether it is the same rule, whatever its white space, parentheses and escapes.
    fn is_same(&self, other: &Known<'_>, shape: &dyn Fn(&Ast, ExprId) -> Shape) -> bool {
        matches!((&self.ast, &other.ast), (Some(a), Some(b)) if a.is_same_escaped(b, shape))
    }

    /// Whether the server checks it only on updates.
    fn is_transition(&self) -> bool {
        !self.is_optional() && self.ast.as_ref().is_some_and(|ast| ast.has_name("oldSelf"))
    }

    /// Whether whatever follows this rule follows the other one, in all requests in which the server checks that one.
    fn implies(&self, other: &Known<'_>) -> bool {
        self.is_optional() == other.is_optional()
            && (!self.is_transition() || other.is_transition())
            && matches!((&self.ast, &other.ast), (Some(a), Some(b)) if a.implies(b))
    }
}

/// The rules that are not in the other list with the same text.
fn without<'s>(rules: &'s [Rule], others: &[Rule]) -> Vec<Known<'s>> {
    let key = |rule: &Rule| (rule.rule.clone(), rule.optional_old_self == Some(true));
    let others: HashSet<(String, bool)> = others.iter().map(key).collect();
    let rest = rules.iter().enumerate().filter(|(_, rule)| !others.contains(&key(rule)));
    rest.map(|(index, rule)| Known { index, rule, ast: cel::parse_stored(&rule.rule) }).collect()
}

/// What an expression in a rule of a schema is.
fn shape(schema: &Schema, ast: &Ast, id: ExprId) -> Shape {
    match part(schema, ast, id) {
        Some(Schema { ty: Some(Type::String | Type::Integer | Type::Number | Type::Boolean), .. }) => {
            Shape::Single
        }
        Some(it) if it.value().is_none() => Shape::Object,
        Some(_) | None => Shape::Other,
    }
}

/// The schema of a part of the object.
fn part<'s>(schema: &'s Schema, ast: &Ast, id: ExprId) -> Option<&'s Schema> {
    match ast.expr(id) {
        Expr::Ident(name) => matches!(&**name, "self" | "oldSelf").then_some(schema),
        Expr::Select { operand, field, test_only: false } => {
            let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
            part(schema, ast, *operand)?.properties.get(&name)
        }
        _ => None,
    }
}

/// The maximum number of values that are tried.
const MAX_LISTED: usize = 200;

/// With how many rules that read the same fields a rule is compared.
const MOST_ALIKE: usize = 100;

/// In how many pairs of rules it is decided whether one says more than the other, because this takes longer. If there are more, this is
/// decided for so many rules that read the same fields.
const MAX_IMPLIED: usize = 100;
const MOST_IMPLIED: usize = 4;

pub(super) fn one_line(rule: &str) -> String {
    rule.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::compare::limit::Limit;
    use crate::compare::on_create::OnCreate;
    use crate::ir::Schema;
    use crate::{decode, json};

    /// A schema with so many fields, and a rule for each of them.
    fn schema(rule: impl Fn(usize) -> String) -> Schema {
        let fields: Vec<String> = (0..40).map(|at| format!(r#""f{at}":{{"type":"string"}}"#)).collect();
        let rules: Vec<String> = (0..40).map(|at| format!(r#"{{"rule":"{}"}}"#, rule(at))).collect();
        let text = format!(
            r#"{{"type":"object","properties":{{{}}},"x-kubernetes-validations":[{}]}}"#,
            fields.join(","),
            rules.join(",")
        );
        decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema")
    }

    #[test]
    fn compares_each_of_many_rules_with_those_about_the_same_fields() {
        let old = schema(|at| format!("!has(self.f{at}) || self.f{at} != 'x'"));
        let limits = |new: &Schema| {
            let mut out: Vec<Limit> = Vec::new();
            compare(new, &old, Some(&OnCreate::new(&old.rules)), &mut out);
            out.len()
        };
        assert_eq!(limits(&schema(|at| format!("has(self.f{at}) ? self.f{at} != 'x' : true"))), 0);
        assert_eq!(limits(&schema(|at| format!("(!has(self.f{at})) || (self.f{at} != 'x')"))), 0);
        assert_eq!(limits(&schema(|at| format!("has(self.f{at}) ? self.f{at} != 'y' : true"))), 40);
        assert_eq!(limits(&schema(|at| format!("!has(self.f{at}) || self.f{} != 'x'", (at + 1) % 40))), 40);
    }
}
