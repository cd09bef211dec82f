//! Values that rules ask for: the constants that they compare a value with, others than those that they exclude, and texts that
//! start, end, contain, match or are as long as they say.

use std::borrow::Cow;

use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::cel::{self, escape};
use crate::compare::bounds::{self, Comparison, Range};
use crate::go::base64_encode;
use crate::go::regexp::Regexp;
use crate::ir::{Rule, Schema, Type};
use crate::object::Patterns;
use crate::path::Step;
use crate::value::Value;

/// The maximum number of values of one rule, and of the places that it reads.
const MOST: usize = 24;

/// Longer texts are not made.
const LONGEST: usize = 300;

/// How many bytes of the rules of a value are read: an example is repaired in many steps, and each of them reads the rules.
const MOST_BYTES: usize = 10_000;

/// What rules say about one value.
#[derive(Default)]
struct Asked {
    /// The names of the fields that lead to it from the value of the rule.
    path: Vec<String>,
    exact: Vec<Value>,
    /// What it must not be.
    excluded: Vec<Value>,
    start: String,
    end: String,
    parts: Vec<String>,
    patterns: Vec<String>,
    sizes: Vec<usize>,
    /// The keys that it must have, if it is a map.
    keys: Vec<String>,
}

/// Returns the texts that the rules of a text may ask for. In a `byte` format, rules see what the base64 means.
pub(super) fn texts(schema: &Schema) -> Vec<String> {
    let own = read(&schema.rules, schema).into_iter().find(|asked| asked.path.is_empty());
    let mut out = own.map(|asked| asked.texts()).unwrap_or_default();
    if schema.limits.format == "byte" {
        out.iter_mut().for_each(|text| *text = base64_encode(text.as_bytes()));
    }
    out
}

/// Whether a text matches the patterns that its rules ask for.
pub(super) fn is_match(schema: &Schema, text: &str, compiled: &Patterns) -> bool {
    let own = read(&schema.rules, schema).into_iter().find(|asked| asked.path.is_empty());
    let patterns = own.map(|asked| asked.patterns).unwrap_or_default();
    patterns.iter().all(|it| compiled.get(it).as_ref().as_ref().is_ok_and(|pattern| pattern.is_match(text)))
}

/// Returns changes of the places that a rule of a schema reads, by what all rules of the schema say about them: first those of all
/// places at once, and then those of one place. `example` makes the value of a key.
pub(super) fn values(
    schema: &Schema,
    rule: &str,
    example: &dyn Fn(&str, &Schema) -> Value,
) -> Vec<Vec<(Vec<Step>, Value)>> {
    let is_it = |it: &&Rule| it.rule == rule;
    let of_rule = read(schema.rules.iter().filter(is_it), schema);
    let of_all = read(&schema.rules, schema).into_iter();
    let mut places: Vec<Vec<(Vec<Step>, Value)>> = Vec::new();
    for asked in of_all.filter(|it| of_rule.iter().any(|own| own.path == it.path)) {
        let Some(inner) = at(schema, &asked.path) else { continue };
        let steps: Vec<Step> = asked.path.iter().cloned().map(Step::Key).collect();
        let values: Vec<Value> = match inner.ty {
            // The text may have rules, too.
            Some(Type::String) => asked.texts().into_iter().chain(texts(inner)).map(Value::Str).collect(),
            _ => {
                let keys = inner.value().filter(|_| !asked.keys.is_empty()).map(|values| {
                    let keys = asked.keys.iter();
                    Value::Map(keys.map(|key| (key.clone(), example(key, values))).collect())
                });
                keys.into_iter().chain(asked.others()).collect()
            }
        };
        if !values.is_empty() {
            places.push(values.into_iter().map(|value| (steps.clone(), value)).collect());
        }
    }
    let most = places.iter().map(Vec::len).max().unwrap_or(0);
    let at_once = |number: usize| places.iter().map(|of| of[number % of.len()].clone()).collect();
    let all = (0..most).filter(|_| places.len() > 1).map(at_once).take(MOST / 2);
    all.chain(places.iter().flatten().cloned().map(|one| vec![one])).take(MOST).collect()
}

fn at<'s>(schema: &'s Schema, path: &[String]) -> Option<&'s Schema> {
    path.iter().try_fold(schema, |at, name| at.properties.get(name).or(at.value()))
}

/// Reads rules about a value and the fields in it.
fn read<'r>(rules: impl IntoIterator<Item = &'r Rule>, schema: &Schema) -> Vec<Asked> {
    let mut out: Vec<Asked> = Vec::new();
    let mut left = MOST_BYTES;
    for rule in rules {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(rule.rule.len());
        let Some(ast) = cel::parse_stored(&rule.rule) else { continue };
        // Each expression, and whether the rule asks for it to be false.
        let mut open: Vec<(ExprId, bool)> = vec![(ast.root(), false)];
        while let Some((id, is_false)) = open.pop() {
            let is_inside_false = match ast.expr(id) {
                Expr::Call { function, .. } => match &**function {
                    ops::NOT => !is_false,
                    ops::AND | ops::OR | ops::CONDITIONAL => is_false,
                    _ => false,
                },
                Expr::Comprehension(_) => is_false,
                _ => false,
            };
            ast.children(id, &mut |child| open.push((child, is_inside_false)));
            let Expr::Call { function, target, args } = ast.expr(id) else { continue };
            match (target, &**args) {
                (None, [left, right]) => {
                    for comparison in bounds::both_ways(function, *left, *right) {
                        compared(&ast, comparison, is_false, schema, &mut out);
                    }
                }
                (Some(of), [arg]) => {
                    let Expr::Literal(Literal::String(text)) = ast.expr(*arg) else { continue };
                    let Some(asked) = asked_at(&ast, *of, schema, &mut out) else { continue };
                    let first = |known: &mut String| {
                        if known.is_empty() {
                            *known = text.to_string();
                        }
                    };
                    match &**function {
                        _ if is_false => {}
                        "startsWith" => first(&mut asked.start),
                        "endsWith" => first(&mut asked.end),
                        "contains" => asked.parts.push(text.to_string()),
                        "matches" => asked.patterns.push(text.to_string()),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// Reads a comparison of a value, or of its size, with a constant. `is_false` if the rule asks for it to be false.
fn compared(ast: &Ast, it: Comparison<'_>, is_false: bool, schema: &Schema, out: &mut Vec<Asked>) {
    let Comparison { operator, left, right } = it;
    let operator = match is_false {
        true => bounds::negated(operator).unwrap_or(operator),
        false => operator,
    };
    if let (Some(of), Some(count)) = (bounds::size_of(ast, left), bounds::integer(ast, right)) {
        let Some(Range { least, most }) = Range::of_size(operator, count) else { return };
        if let Some(asked) = asked_at(ast, of, schema, out) {
            let sizes = [least, most].into_iter().flatten().filter_map(|size| usize::try_from(size).ok());
            asked.sizes.extend(sizes.filter(|size| *size <= LONGEST));
        }
        return;
    }
    if let (ops::IN, false, Some(Value::Str(key))) = (operator, is_false, literal(ast, left)) {
        asked_at(ast, right, schema, out).into_iter().for_each(|asked| asked.keys.push(key.clone()));
        return;
    }
    let mut excluded = Vec::new();
    let values: Vec<Value> = match (operator, ast.expr(right)) {
        (ops::IN, Expr::List { elements, .. }) => {
            let listed = elements.iter().filter_map(|it| literal(ast, *it));
            match is_false {
                false => listed.collect(),
                true => {
                    excluded.extend(listed);
                    Vec::new()
                }
            }
        }
        (ops::EQUALS, _) => literal(ast, right).into_iter().collect(),
        (ops::NOT_EQUALS, _) => {
            excluded.extend(literal(ast, right));
            Vec::new()
        }
        (_, Expr::Literal(Literal::Int(number))) => {
            let range = Range::of(operator, *number);
            range.iter().flat_map(|it| [it.least, it.most]).flatten().map(Value::Int).collect()
        }
        _ => return,
    };
    if let Some(asked) = asked_at(ast, left, schema, out) {
        asked.exact.extend(values);
        asked.excluded.extend(excluded);
    }
}

pub(super) fn literal(ast: &Ast, id: ExprId) -> Option<Value> {
    match ast.expr(id) {
        Expr::Literal(Literal::String(text)) => Some(Value::from(&**text)),
        Expr::Literal(Literal::Int(number)) => Some(Value::Int(*number)),
        Expr::Literal(Literal::Double(number)) => Some(Value::Float(*number)),
        Expr::Literal(Literal::Bool(value)) => Some(Value::Bool(*value)),
        _ => None,
    }
}

/// What is known about the value that an expression reads. `None` if it is not a part of the value of the rule.
fn asked_at<'o>(ast: &Ast, id: ExprId, schema: &Schema, out: &'o mut Vec<Asked>) -> Option<&'o mut Asked> {
    let path = path(ast, id)?;
    at(schema, &path)?;
    let known = out.iter().position(|asked| asked.path == path);
    let index = known.unwrap_or(out.len());
    if known.is_none() && index < MOST {
        out.push(Asked { path, ..Asked::default() });
    }
    out.get_mut(index)
}

fn path(ast: &Ast, mut id: ExprId) -> Option<Vec<String>> {
    let mut out = Vec::new();
    loop {
        match ast.expr(id) {
            Expr::Ident(name) if &**name == "self" => break,
            Expr::Select { operand, field, test_only: false } => {
                out.push(escape::unescape(field).unwrap_or(Cow::Borrowed(field)).into_owned());
                id = *operand;
            }
            _ => return None,
        }
    }
    out.reverse();
    Some(out)
}

impl Asked {
    /// Values other than texts that may be what the rules ask for.
    fn others(self) -> Vec<Value> {
        let Asked { mut exact, excluded, .. } = self;
        for value in &excluded {
            match value {
                Value::Bool(value) => exact.push(Value::Bool(!value)),
                Value::Int(number) => {
                    let near = [number.checked_add(1), number.checked_sub(1)].into_iter().flatten();
                    exact.extend(near.map(Value::Int).filter(|it| !excluded.contains(it)));
                }
                Value::Float(number) => exact.push(Value::Float(number + 1.0)),
                Value::Null | Value::Str(_) | Value::List(_) | Value::Map(_) => {}
            }
        }
        exact
    }

    /// Texts that may be what the rules ask for.
    fn texts(&self) -> Vec<String> {
        let mut out: Vec<String> = self.exact.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        for pattern in self.patterns.iter().filter_map(|it| Regexp::parse(it).ok()) {
            out.extend(self.sizes.iter().filter_map(|size| of_length(&pattern, *size)));
            out.extend(pattern.sample());
        }
        // One of them is none of those that rules exclude.
        let is_excluded = |text: &str| self.excluded.iter().any(|it| it.as_str() == Some(text));
        let mut other = super::named::NAME.to_owned();
        while is_excluded(&other) {
            other.push('a');
        }
        out.extend(Some(other).filter(|_| self.excluded.iter().any(|it| it.as_str().is_some())));
        let Asked { start, end, parts, .. } = self;
        let inside = parts.concat();
        if !(start.is_empty() && end.is_empty() && inside.is_empty()) {
            out.push(format!(
                "{start}{inside}{}{end}",
                if inside.is_empty() { super::named::NAME } else { "" }
            ));
        }
        let fixed = start.chars().count() + inside.chars().count() + end.chars().count();
        for missing in self.sizes.iter().filter_map(|size| size.checked_sub(fixed)) {
            out.push(format!("{start}{inside}{}{end}", "a".repeat(missing)));
        }
        out
    }
}

/// How many places of a text are tried to make it longer.
const MOST_PLACES: usize = 64;

/// Returns a text of some length that a pattern matches: an example with one character repeated, or cut.
pub fn of_length(pattern: &Regexp, length: usize) -> Option<String> {
    let example: Vec<char> = pattern.sample()?.chars().collect();
    let Some(missing) = length.checked_sub(example.len()) else {
        let cut: String = example[..length].iter().collect();
        return pattern.is_match(&cut).then_some(cut);
    };
    (0..example.len().min(MOST_PLACES)).rev().find_map(|at| {
        let (start, end) = example.split_at(at);
        let repeated = std::iter::repeat_n(example[at], missing);
        let text: String = start.iter().copied().chain(repeated).chain(end.iter().copied()).collect();
        pattern.is_match(&text).then_some(text)
    })
}
