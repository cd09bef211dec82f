//! Values that rules ask for by other values: one side of a comparison by the other side, and texts and numbers in some order. The
//! server's own check decides which of them are right.

use crate::cel::ast::{Ast, Expr, ExprId, ops};
use crate::cel::{self, escape};
use crate::compare::bounds;
use crate::ir::{Schema, Type};
use crate::path::Step;
use crate::value::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// The maximum number of places of a rule.
const MOST_PLACES: usize = 6;

/// How many values of each of two places are tried together.
const MOST_TOGETHER: usize = 6;

/// How many characters of a text are changed.
const MOST_CHANGED: usize = 4;

/// Functions, and a text that each of them reads.
const READ: &[(&[&str], &str)] = &[
    (&["isSemver", "semver"], "1.0.0"),
    (&["isURL", "url"], "https://example"),
    (&["isQuantity", "quantity"], "1"),
    (&["isIP", "ip", "containsIP"], "10.0.0.1"),
    (&["isCIDR", "cidr", "containsCIDR"], "10.0.0.0/8"),
    (&["duration"], "1h"),
    (&["timestamp"], "2026-01-31T12:00:00Z"),
    (&["int", "uint", "double"], "1"),
];

/// Longer rules are not read: each node of a rule is looked at several times.
const MOST_BYTES: usize = 2000;

/// Values for places of a value.
pub(super) type Change = Vec<(Vec<Step>, Value)>;

/// Returns the solutions of the equations in a rule: places that it reads in a value, with the other sides.
pub(super) fn solutions(rule: &str, value: &Value) -> Vec<Change> {
    parsed(rule).map(|ast| Reader::new(&ast, value).solutions()).unwrap_or_default()
}

/// Returns other values of the places that a rule reads in a value: first those of one place, then those of two.
pub(super) fn others(schema: &Schema, rule: &str, value: &Value) -> Vec<Change> {
    let Some(ast) = parsed(rule) else { return Vec::new() };
    let places: Vec<Vec<Change>> = Reader::new(&ast, value).places(schema);
    let mut out = places.concat();
    for (at, first) in places.iter().enumerate() {
        for (a, second) in
            first.iter().take(MOST_TOGETHER).flat_map(|a| places[at + 1..].iter().map(move |b| (a, b)))
        {
            out.extend(second.iter().take(MOST_TOGETHER).map(|b| [&a[..], b].concat()));
        }
    }
    out
}

fn parsed(rule: &str) -> Option<Ast> {
    if rule.len() > MOST_BYTES { None } else { cel::parse_stored(rule) }
}

/// The schema of a place.
pub(super) fn schema_at<'s>(schema: &'s Schema, place: &[Step]) -> Option<&'s Schema> {
    place.iter().try_fold(schema, |schema, step| match step {
        Step::Key(name) => schema.properties.get(name).or(schema.value()),
        Step::Index(_) => schema.item(),
    })
}

/// Reads a rule with a value.
struct Reader<'a> {
    ast: &'a Ast,
    value: &'a Value,
    nodes: Vec<ExprId>,
    /// The lists and maps whose elements the variables are.
    ranges: HashMap<&'a str, ExprId>,
}

impl<'a> Reader<'a> {
    fn new(ast: &'a Ast, value: &'a Value) -> Reader<'a> {
        let mut out = Reader { ast, value, nodes: Vec::new(), ranges: HashMap::new() };
        let mut open = vec![ast.root()];
        while let Some(id) = open.pop() {
            out.nodes.push(id);
            if let Expr::Comprehension(it) = ast.expr(id) {
                out.ranges.insert(it.var2.as_ref().unwrap_or(&it.var), it.range);
            }
            ast.children(id, &mut |child| open.push(child));
        }
        // The rule reads from left to right.
        out.nodes.sort_by_key(|id| ast.offset(*id));
        out
    }

    /// The place that an expression reads. The element of a list or map is its first one.
    fn place(&self, mut id: ExprId) -> Option<Vec<Step>> {
        let mut names = Vec::new();
        // A variable can have the name of the one in its range.
        for _ in 0..self.nodes.len() {
            match self.ast.expr(id) {
                Expr::Ident(name) if &**name == "self" => {
                    let mut out = Vec::new();
                    for name in names.into_iter().rev() {
                        let step = match (name, self.value.at(&out)) {
                            (Some(name), _) => Step::Key(name),
                            (None, Some(Value::Map(map))) => Step::Key(map.keys().next()?.to_owned()),
                            (None, _) => Step::Index(0),
                        };
                        out.push(step);
                    }
                    return Some(out);
                }
                Expr::Ident(name) => {
                    names.push(None);
                    id = *self.ranges.get(&**name)?;
                }
                Expr::Select { operand, field, .. } => {
                    names.push(Some(escape::unescape(field).unwrap_or(Cow::Borrowed(field)).into_owned()));
                    id = *operand;
                }
                _ => return None,
            }
        }
        None
    }

    /// The value of an expression, if it is easy to compute.
    fn evaluate(&self, id: ExprId) -> Option<Value> {
        if let Some(of) = bounds::size_of(self.ast, id) {
            let size = match self.evaluate(of)? {
                Value::Str(text) => text.chars().count(),
                Value::List(items) => items.len(),
                Value::Map(fields) => fields.len(),
                Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => return None,
            };
            return i64::try_from(size).ok().map(Value::Int);
        }
        match self.ast.expr(id) {
            Expr::Literal(_) => super::asked::literal(self.ast, id),
            Expr::Call { function, target: None, args } => {
                let [left, right] = **args else { return None };
                computed(function, &self.evaluate(left)?, &self.evaluate(right)?)
            }
            _ => self.value.at(&self.place(id)?).cloned(),
        }
    }

    /// The places for which the rule has an equation, with its other side. An equation can use the solution of one before.
    fn solutions(&self) -> Vec<Change> {
        let mut out = Vec::new();
        for id in &self.nodes {
            let Expr::Call { function, target, args } = self.ast.expr(*id) else { continue };
            let sides = match (target, &**args) {
                (None, [left, right]) if matches!(&**function, ops::EQUALS | ops::IN) => {
                    vec![(*left, *right), (*right, *left)]
                }
                (Some(of), [arg]) => vec![(*of, *arg)],
                _ => continue,
            };
            for (place, other) in sides {
                let (Some(place), Some(other)) = (self.place(place), self.evaluate(other)) else { continue };
                let values = match (&**function, other) {
                    (ops::EQUALS, other) => vec![other],
                    (ops::IN, Value::List(items)) => items.into_iter().take(1).collect(),
                    (ops::IN, Value::Map(map)) => map.keys().next().map(Value::from).into_iter().collect(),
                    ("startsWith", Value::Str(start)) => {
                        vec![format!("{start}{}", super::named::NAME).into(), start.into()]
                    }
                    ("endsWith", Value::Str(end)) => {
                        vec![format!("{}{end}", super::named::NAME).into(), end.into()]
                    }
                    ("contains", Value::Str(part)) => vec![part.into()],
                    _ => continue,
                };
                out.extend(values.into_iter().map(|it| vec![(place.clone(), it)]));
            }
        }
        out
    }

    /// The places that the rule reads, with values of their types.
    fn places(&self, schema: &Schema) -> Vec<Vec<Change>> {
        let is_literal = |id: &&ExprId| matches!(self.ast.expr(**id), Expr::Literal(_));
        let literals: Vec<Value> =
            self.nodes.iter().filter(is_literal).filter_map(|id| self.evaluate(*id)).collect();
        let mut out: Vec<(Vec<Step>, Vec<Value>)> = Vec::new();
        for id in &self.nodes {
            let Some(place) = self.place(*id) else { continue };
            let Some(inner) = schema_at(schema, &place) else { continue };
            if out.len() == MOST_PLACES || out.iter().any(|(known, _)| *known == place) {
                continue;
            }
            let is_any = inner.ext.int_or_string;
            let values = match inner.ty {
                Some(Type::String) => self.texts(&place, &literals),
                Some(Type::Integer | Type::Number) => self.numbers(&place, &literals),
                _ if is_any => [self.texts(&place, &literals), self.numbers(&place, &literals)].concat(),
                _ => continue,
            };
            out.push((place, values));
        }
        let change = |(place, values): (Vec<Step>, Vec<Value>)| {
            values.into_iter().map(|it| vec![(place.clone(), it)]).collect()
        };
        out.into_iter().map(change).collect()
    }

    fn numbers(&self, place: &[Step], literals: &[Value]) -> Vec<Value> {
        let own = self.value.at(place).and_then(Value::as_int);
        let near = own.into_iter().flat_map(|it| [it.checked_add(1), it.checked_sub(1)]).flatten();
        let listed = literals.iter().filter(|it| matches!(it, Value::Int(_))).cloned();
        near.map(Value::Int).chain(listed).collect()
    }

    /// Texts that the functions around a place read, and texts next to these, to its value and to the constants of the rule.
    fn texts(&self, place: &[Step], literals: &[Value]) -> Vec<Value> {
        let read = self.read(place);
        let own = self.value.at(place).and_then(Value::as_str);
        let listed: Vec<&str> = literals.iter().filter_map(Value::as_str).collect();
        let longer = read.iter().flat_map(|text| listed.iter().map(move |end| format!("{text}{end}")));
        let mut out: Vec<String> = read.iter().map(|text| (*text).to_owned()).chain(longer).collect();
        for text in read.into_iter().chain(own).chain(listed.iter().copied()) {
            out.extend(neighbours(text));
        }
        out.into_iter().map(Value::Str).collect()
    }

    /// A text that the functions read whose argument is a place.
    fn read(&self, place: &[Step]) -> Option<&'static str> {
        self.nodes.iter().find_map(|id| {
            let Expr::Call { function, args, .. } = self.ast.expr(*id) else { return None };
            let (_, text) = READ.iter().find(|(names, _)| names.contains(&&**function))?;
            let is_it = |arg: &ExprId| self.place(*arg).is_some_and(|it| it == place);
            args.first().is_some_and(is_it).then_some(*text)
        })
    }
}

fn computed(function: &str, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(Value::Int(match function {
            ops::ADD => left.checked_add(*right)?,
            ops::SUBTRACT => left.checked_sub(*right)?,
            ops::MULTIPLY => left.checked_mul(*right)?,
            ops::DIVIDE => left.checked_div(*right)?,
            ops::MODULO => left.checked_rem(*right)?,
            _ => return None,
        })),
        (Value::Str(left), Value::Str(right)) if function == ops::ADD => {
            Some(Value::Str(format!("{left}{right}")))
        }
        _ => None,
    }
}

/// Texts that differ from a text in one digit or letter: those before and after it in their order, the ones at the end first.
fn neighbours(text: &str) -> Vec<String> {
    let places = |is: fn(&char) -> bool| text.char_indices().rev().filter(move |(_, it)| is(it));
    let changed = places(char::is_ascii_digit).chain(places(char::is_ascii_alphabetic)).take(MOST_CHANGED);
    let other = |(at, it): (usize, char)| {
        let ends = if it.is_ascii_digit() { ['9', '0'] } else { ['z', 'a'] };
        let near = [u32::from(it) + 1, u32::from(it).saturating_sub(1)].map(char::from_u32);
        let all = near.into_iter().flatten().filter(char::is_ascii_alphanumeric).chain(ends);
        let others: Vec<char> = all.filter(|other| *other != it).collect();
        others.into_iter().map(move |other| format!("{}{other}{}", &text[..at], &text[at + 1..]))
    };
    changed.flat_map(other).collect()
}

#[cfg(test)]
mod tests {
    use super::neighbours;
    use crate::sample::{Extent, Samples};
    use crate::{decode, json};

    /// The properties of a spec, all of which are required, and its rule.
    const RULES: &[(&str, &str)] = &[
        (r#""a":T,"b":T"#, "self.a != self.b"),
        (r#""a":T,"b":T"#, "self.a < self.b"),
        (r#""a":T,"b":T,"c":T"#, "self.a < self.b && self.b < self.c"),
        (r#""a":{"type":"string"},"b":{"type":"string"}"#, "self.a < self.b"),
        (r#""a":D,"b":D"#, "self.a < self.b"),
        (r#""a":{"type":"string","format":"date"},"b":{"type":"string","format":"date"}"#, "self.a < self.b"),
        (
            r#""a":{"type":"string","format":"uuid"},"b":{"type":"string","format":"uuid"}"#,
            "self.a != self.b",
        ),
        (
            r#""a":{"type":"string","format":"ipv4"},"b":{"type":"string","format":"ipv4"}"#,
            "self.a != self.b",
        ),
        (
            r#""a":{"type":"string","format":"duration"},"b":{"type":"string","format":"duration"}"#,
            "self.a < self.b",
        ),
        (
            r#""a":{"type":"string","pattern":"^[0-9]+[smh]$"},"b":{"type":"string","pattern":"^[0-9]+[smh]$"}"#,
            "duration(self.a) < duration(self.b)",
        ),
        (
            r#""a":{"type":"string","pattern":"^[0-9]+[KMG]i$"},"b":{"type":"string","pattern":"^[0-9]+[KMG]i$"}"#,
            "quantity(self.a).isLessThan(quantity(self.b))",
        ),
        (r#""a":Q,"b":Q"#, "quantity(string(self.a)).isLessThan(quantity(string(self.b)))"),
        (r#""a":Q,"b":Q"#, "quantity(self.a).isLessThan(quantity(self.b))"),
        (r#""a":{"type":"string"},"b":{"type":"string"}"#, "timestamp(self.a) < timestamp(self.b)"),
        (
            r#""a":{"type":"string"},"m":{"type":"object","additionalProperties":{"type":"string"}}"#,
            "self.a in self.m",
        ),
        (
            r#""a":{"type":"string"},"l":{"type":"array","items":{"type":"string"}}"#,
            "self.l.exists(x, x == self.a + '-x')",
        ),
        (r#""a":{"type":"string"},"b":{"type":"string"}"#, "self.a.startsWith(self.b + '-')"),
        (
            r#""l":{"type":"array","items":{"type":"object","properties":{"w":{"type":"integer"}}}}"#,
            "self.l.map(x, has(x.w) ? x.w : 0).sum() == 100",
        ),
        (r#""n":{"type":"integer"},"q":{"type":"integer"}"#, "self.q == self.n / 2 + 1 && self.n >= 3"),
        (
            r#""a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}"#,
            "self.a + self.b == self.c",
        ),
        (r#""v":{"type":"string"}"#, "isSemver(self.v) && semver(self.v).isGreaterThan(semver('1.2.0'))"),
        (
            r#""v":{"type":"string"},"w":{"type":"string"}"#,
            "isSemver(self.v) && isSemver(self.w) && semver(self.v).isGreaterThan(semver(self.w))",
        ),
        (r#""u":{"type":"string"}"#, "url(self.u).getHostname().endsWith('.example.com')"),
        (r#""u":{"type":"string"}"#, "isURL(self.u) && url(self.u).getEscapedPath().startsWith('/api')"),
        (r#""i":{"type":"string"},"c":{"type":"string"}"#, "cidr(self.c).containsIP(self.i)"),
    ];

    /// Prepares a kind whose spec has properties and a rule.
    fn samples(properties: &str, rule: &str) -> Samples {
        let properties = properties
            .replace(":T", r#":{"type":"string","pattern":"^[0-2][0-9]:[0-5][0-9]$","maxLength":5}"#)
            .replace(":D", r#":{"type":"string","format":"date-time"}"#)
            .replace(":Q", r#":{"x-kubernetes-int-or-string":true}"#);
        let spec = format!(
            r#"{{"type":"object","x-kubernetes-validations":[{{"rule":{rule:?}}}],"properties":{{{properties}}}}}"#
        );
        let mut spec = decode::schema(json::read(spec.as_bytes()).expect("JSON")).0.expect("a schema");
        spec.limits.required = spec.properties.keys().map(str::to_owned).collect();
        let crd = br#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"yards.x.com"},
            "spec":{"group":"x.com","names":{"kind":"Yard","plural":"yards","singular":"yard","listKind":"YardList"},"scope":"Namespaced",
            "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","required":["spec"],
            "properties":{"spec":{"type":"object"}}}}}]}}"#;
        let mut crd = decode::crd(json::read(crd).expect("JSON")).0.expect("a CRD");
        let schema = crd.spec.versions[0].body.schema.as_mut().expect("a schema");
        schema.open_api_v3_schema.as_mut().expect("a schema").properties.insert("spec", spec);
        Samples::new(&crd).expect(rule)
    }

    #[test]
    fn rules_that_compare_values_have_examples() {
        let mut without = Vec::new();
        for (properties, rule) in RULES {
            let samples = samples(properties, rule);
            for extent in [Extent::Minimal, Extent::Full] {
                if samples.object("v1", extent).is_none() {
                    without.push((extent, rule));
                }
            }
        }
        assert!(without.is_empty(), "{without:#?}");
    }

    #[test]
    fn clients_can_edit_examples() {
        let samples = samples(r#""load":Q"#, "quantity(self.load).compareTo(quantity(oldSelf.load)) >= 0");
        let object = samples.object("v1", Extent::Minimal).expect("an object");
        let load = object.get("spec").and_then(|spec| spec.get("load"));
        assert!(load.is_some_and(|load| load.as_str().is_some()), "{object:?}");
    }

    #[test]
    fn the_error_in_the_way_is_known() {
        let samples = samples(r#""a":T"#, "self.a == 'x' && self.a == 'y'");
        assert_eq!(samples.object("v1", Extent::Full), None);
        let error = samples.obstacle("v1").expect("an error");
        assert_eq!(error.rule.as_deref(), Some("self.a == 'x' && self.a == 'y'"));
    }

    #[test]
    fn neighbours_come_before_and_after_a_text() {
        assert_eq!(neighbours("a1"), ["a2", "a0", "a9", "a0", "b1", "z1"]);
        assert_eq!(neighbours("ä"), [""; 0]);
    }
}
