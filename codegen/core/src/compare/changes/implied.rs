//! What rules and paths say about values in the terms of keywords: `self.names.size() < 6` is a `maxItems` of 5.

use crate::cel::ast::{Ast, Comprehension, Expr, ExprId, Literal, Name, ops};
use crate::cel::{self, escape};
use crate::compare::bounds::{self, Comparison, Range};
use crate::compare::tighter::Comparisons;
use crate::compare::unique;
use crate::ir::{Extensions, Limits, Scale, Schema, Type};
use crate::path::Step;
use crate::value::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How deep expressions are read.
const DEEPEST: usize = 100;

/// From here on, numbers may be rounded.
const EXACT: u64 = 1 << 53;

/// A step from a value to one in it.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Field(String),
    /// All items of a list.
    Items,
    /// All values of a map.
    Values,
}

/// The old schema of whole objects, and what else the server checks.
pub(super) struct Known<'s> {
    root: &'s Schema,
    scale: Option<&'s Scale>,
    /// The rules that were parsed: those of a value are read for each place in it.
    rules: RefCell<HashMap<&'s str, Option<Rc<Ast>>>>,
    pub(super) comparisons: Rc<Comparisons>,
}

impl<'s> Known<'s> {
    pub(super) fn new(
        root: &'s Schema,
        scale: Option<&'s Scale>,
        comparisons: &Rc<Comparisons>,
    ) -> Known<'s> {
        Known { root, scale, rules: RefCell::default(), comparisons: Rc::clone(comparisons) }
    }

    /// Parses a rule. `None` for one that the server only checks on an update.
    fn rule(&self, rule: &'s str) -> Option<Rc<Ast>> {
        let parse = || cel::parse_stored(rule).filter(|ast| !ast.has_name("oldSelf")).map(Rc::new);
        self.rules.borrow_mut().entry(rule).or_insert_with(parse).clone()
    }

    /// Returns schemas that all values of a place match, because of what is around it. `steps` are those in the CRD.
    pub(super) fn at(&self, steps: &[Step]) -> Vec<Schema> {
        let mut out = Vec::new();
        let mut excluded = Vec::new();
        let Some((nodes, parts)) = self.way(steps) else { return out };
        out.extend(self.replicas(&parts));
        for (depth, node) in nodes.iter().enumerate() {
            for rule in &node.rules {
                let Some(ast) = self.rule(&rule.rule) else { continue };
                let place = &parts[depth..];
                let is_bytes = nodes.last().is_some_and(|schema| schema.limits.format == "byte");
                let is_map = nodes.last().is_some_and(|schema| schema.value().is_some());
                let mut reader = Reader { is_bytes, is_map, ..Reader::new(&ast, place) };
                reader.read(ast.root(), 0);
                out.append(&mut reader.found);
                excluded.append(&mut reader.excluded);
            }
        }
        out.extend(nodes.last().and_then(|node| without(node, &excluded)));
        // A list of other values may have equal items for the server that rules see as different ones.
        let is_list = nodes.last().is_some_and(|node| unique::has_single_items(node));
        out.retain(|schema| schema.ext.list_type.is_none() || is_list);
        let has_default = |name: &String| {
            nodes.last().and_then(|node| node.properties.get(name)).is_some_and(|it| it.default.is_some())
        };
        for schema in &mut out {
            // Rules see the defaults of the old schema.
            schema.limits.required.retain(|name| !has_default(name));
            schema.ty = schema.ty.take().or_else(|| nodes.last().and_then(|node| node.ty.clone()));
        }
        out
    }

    /// Returns the schema of the replicas that the subresource `scale` reads, if they are at this place.
    pub(super) fn replicas_at(&self, steps: &[Step]) -> Option<Schema> {
        self.scale?;
        self.replicas(&self.way(steps)?.1)
    }

    /// The schemas on the way to a place, and the steps between them.
    fn way(&self, steps: &[Step]) -> Option<(Vec<&'s Schema>, Vec<Part>)> {
        let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        let start = steps.iter().position(|step| is(step, "openAPIV3Schema"))?;
        let (mut nodes, mut parts) = (vec![self.root], Vec::new());
        let mut rest = steps.get(start + 1..)?;
        let mut at = self.root;
        loop {
            let part = match rest {
                [step, Step::Key(name), more @ ..] if is(step, "properties") => {
                    rest = more;
                    if at.properties.contains_key(name) { Part::Field(name.clone()) } else { Part::Values }
                }
                [step, more @ ..] if is(step, "items") => {
                    rest = more;
                    Part::Items
                }
                [step, more @ ..] if is(step, "additionalProperties") => {
                    rest = more;
                    Part::Values
                }
                _ => return Some((nodes, parts)),
            };
            at = match &part {
                Part::Field(name) => at.properties.get(name)?,
                Part::Items => at.item()?,
                Part::Values => at.value()?,
            };
            nodes.push(at);
            parts.push(part);
        }
    }

    fn replicas(&self, place: &[Part]) -> Option<Schema> {
        let scale = self.scale?;
        let is_at = |path: &String| {
            Scale::names(path).map(|name| Part::Field(name.to_owned())).eq(place.iter().cloned())
        };
        let limits = Limits { minimum: Some(0.0), maximum: Some(f64::from(i32::MAX)), ..Limits::default() };
        let is_here = is_at(&scale.spec_replicas_path) || is_at(&scale.status_replicas_path);
        is_here.then(|| Schema { ty: Some(Type::Integer), limits, ..Schema::default() })
    }
}

/// Reads what a rule says about a place, if there is a value.
struct Reader<'r> {
    ast: &'r Ast,
    /// The place, from the value of the rule.
    place: &'r [Part],
    is_bytes: bool,
    is_map: bool,
    /// The variables of macros, with what they are.
    variables: Vec<(&'r Name, Option<Vec<Part>>)>,
    found: Vec<Schema>,
    /// The values that the place does not have.
    excluded: Vec<Value>,
}

impl<'r> Reader<'r> {
    fn new(ast: &'r Ast, place: &'r [Part]) -> Reader<'r> {
        let (is_bytes, is_map) = (false, false);
        Reader {
            ast,
            place,
            is_bytes,
            is_map,
            variables: Vec::new(),
            found: Vec::new(),
            excluded: Vec::new(),
        }
    }

    /// Reads a condition that is true.
    fn read(&mut self, id: ExprId, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        if unique::list_of(self.ast, id).is_some_and(|list| self.is_place(list)) {
            let ext = Extensions { list_type: Some("set".to_owned()), ..Extensions::default() };
            self.found.push(Schema { ext, ..Schema::default() });
        }
        match self.ast.expr(id) {
            Expr::Call { function, target: None, args } => match (&**function, &**args) {
                (ops::NOT, [inner]) => {
                    self.excluded_by(*inner);
                    self.needed(id, depth + 1);
                }
                (ops::AND, [left, right]) => {
                    self.read(*left, depth + 1);
                    self.read(*right, depth + 1);
                }
                (ops::OR, [left, right]) => {
                    if self.is_absence(*left, depth + 1) {
                        self.read(*right, depth + 1);
                    } else if self.is_absence(*right, depth + 1) {
                        self.read(*left, depth + 1);
                    }
                }
                (ops::CONDITIONAL, [condition, yes, no]) => {
                    if self.is_presence(*condition) {
                        self.read(*yes, depth + 1);
                    } else if self.is_absence(*condition, depth + 1) {
                        self.read(*no, depth + 1);
                    }
                }
                (name, [left, right]) => {
                    for Comparison { operator, left, right } in bounds::both_ways(name, *left, *right) {
                        self.compared(operator, left, right);
                    }
                    self.needed(id, depth + 1);
                }
                _ => self.needed(id, depth + 1),
            },
            Expr::Call { function, target: Some(text), args } => {
                if let ("matches", [pattern]) = (&**function, &**args)
                    && let Expr::Literal(Literal::String(pattern)) = self.ast.expr(*pattern)
                    && self.is_place(*text)
                {
                    self.add(Limits { pattern: pattern.to_string(), ..Limits::default() });
                }
                self.needed(id, depth + 1);
            }
            Expr::Select { operand, field, test_only: true } => {
                if self.is_place(*operand) {
                    self.require(field);
                }
                self.needed(*operand, depth + 1);
            }
            Expr::Comprehension(all) => {
                self.needed(all.range, depth + 1);
                if let Some(condition) = self.condition_of_all(all) {
                    let items = self.path(all.range).map(|range| [range, vec![Part::Items]].concat());
                    self.variables.push((&all.var, items.filter(|items| self.place.starts_with(items))));
                    self.read(condition, depth + 1);
                    self.variables.pop();
                }
            }
            _ => {}
        }
    }

    /// The condition of the macro `all` about the items of a list.
    fn condition_of_all(&self, all: &Comprehension) -> Option<ExprId> {
        let is_all = matches!(self.ast.expr(all.init), Expr::Literal(Literal::Bool(true)));
        match self.ast.expr(all.step) {
            Expr::Call { function, target: None, args } if is_all && all.var2.is_none() => {
                match (&**function, &**args) {
                    (ops::AND, [accu, condition]) => {
                        let is_accu = matches!(self.ast.expr(*accu), Expr::Ident(name) if *name == all.accu);
                        is_accu.then_some(*condition)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a condition asks if the place, or something around it, is there.
    fn is_presence(&self, id: ExprId) -> bool {
        match self.ast.expr(id) {
            Expr::Select { operand, field, test_only: true } => {
                let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
                let path =
                    self.path(*operand).map(|path| [path, vec![Part::Field(name.into_owned())]].concat());
                path.is_some_and(|path| self.place.starts_with(&path))
            }
            _ => false,
        }
    }

    /// Whether a condition is only true if the place is not there.
    fn is_absence(&self, id: ExprId, depth: usize) -> bool {
        match self.ast.expr(id) {
            Expr::Call { function, target: None, args } if depth <= DEEPEST => match (&**function, &**args) {
                (ops::NOT, [inner]) => self.is_presence(*inner),
                (ops::OR, [left, right]) => {
                    self.is_absence(*left, depth + 1) && self.is_absence(*right, depth + 1)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// What a comparison says about the place.
    fn compared(&mut self, name: &str, left: ExprId, right: ExprId) {
        if self.is_place(left) {
            let limits = match (name, self.ast.expr(right)) {
                (ops::IN, Expr::List { elements, .. }) => {
                    let values: Option<Vec<Value>> = elements.iter().map(|it| self.literal(*it)).collect();
                    values.filter(|values| !values.is_empty()).map(one_of)
                }
                (ops::EQUALS, _) => self.literal(right).map(|value| one_of(vec![value])),
                (ops::NOT_EQUALS, Expr::Literal(Literal::String(text))) if text.is_empty() => {
                    (!self.is_bytes).then(|| Limits { min_length: Some(1), ..Limits::default() })
                }
                _ => self.number(right).and_then(|bound| bounded(name, bound)),
            };
            limits.into_iter().for_each(|limits| self.add(limits));
            if name == ops::NOT_EQUALS {
                self.excluded.extend(self.literal(right));
            }
        }
        let size = bounds::size_of(self.ast, left).filter(|of| !self.is_bytes && self.is_place(*of));
        if let (Some(_), Some(count)) = (size, bounds::integer(self.ast, right)) {
            sized(name, count).into_iter().for_each(|limits| self.add(limits));
        }
    }

    /// Reads which values the place does not have if a condition is false.
    fn excluded_by(&mut self, id: ExprId) {
        let Expr::Call { function, target: None, args } = self.ast.expr(id) else { return };
        match (&**function, &**args, args.get(1).map(|right| self.ast.expr(*right))) {
            (ops::IN, [left, _], Some(Expr::List { elements, .. })) if self.is_place(*left) => {
                let all: Vec<Value> = elements.iter().filter_map(|it| self.literal(*it)).collect();
                self.excluded.extend(all);
            }
            (ops::EQUALS, [left, right], _) => {
                for (place, value) in [(*left, *right), (*right, *left)] {
                    let value = self.literal(value).filter(|_| self.is_place(place));
                    self.excluded.extend(value);
                }
            }
            _ => {}
        }
    }

    /// Reads which fields of the place an expression needs: without them it fails.
    fn needed(&mut self, id: ExprId, depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match self.ast.expr(id) {
            Expr::Select { operand, field, test_only } => {
                if !test_only && self.is_place(*operand) {
                    self.require(field);
                }
                self.needed(*operand, depth + 1);
            }
            Expr::Call { function, .. }
                if matches!(&**function, ops::AND | ops::OR | ops::CONDITIONAL)
                    || function.contains('?')
                    || matches!(&**function, "value" | "orValue" | "or" | "optMap") => {}
            Expr::Call { target, args, .. } => {
                let (target, args) = (*target, args.clone());
                target.iter().chain(&args).for_each(|part| self.needed(*part, depth + 1));
            }
            Expr::Comprehension(comprehension) => self.needed(comprehension.range, depth + 1),
            _ => {}
        }
    }

    fn require(&mut self, field: &str) {
        // Rules do not escape the keys of maps.
        let name = escape::unescape(field).filter(|_| !self.is_map).unwrap_or(Cow::Borrowed(field));
        self.add(Limits { required: vec![name.into_owned()], ..Limits::default() });
    }

    fn add(&mut self, limits: Limits) {
        self.found.push(Schema { limits, ..Schema::default() });
    }

    fn is_place(&self, id: ExprId) -> bool {
        self.path(id).is_some_and(|path| path == self.place)
    }

    /// The steps to what an expression reads, if that is a part of the value.
    fn path(&self, id: ExprId) -> Option<Vec<Part>> {
        match self.ast.expr(id) {
            Expr::Ident(name) => match self.variables.iter().rev().find(|(own, _)| *own == name) {
                Some((_, path)) => path.clone(),
                None => (name == "self").then(Vec::new),
            },
            Expr::Select { operand, field, test_only: false } => {
                let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
                let mut path = self.path(*operand)?;
                path.push(Part::Field(name.into_owned()));
                (path.len() <= DEEPEST).then_some(path)
            }
            _ => None,
        }
    }

    fn literal(&self, id: ExprId) -> Option<Value> {
        match self.ast.expr(id) {
            Expr::Literal(Literal::String(text)) => Some(Value::from(&**text)),
            Expr::Literal(Literal::Int(number)) => Some(Value::Int(*number)),
            _ => None,
        }
    }

    fn number(&self, id: ExprId) -> Option<f64> {
        match self.ast.expr(id) {
            Expr::Literal(Literal::Int(number)) => (number.unsigned_abs() < EXACT).then_some(*number as f64),
            Expr::Literal(Literal::Double(number)) => Some(*number),
            _ => None,
        }
    }
}

/// The values of an enum, without those that rules exclude. `None` if this excludes none.
fn without(schema: &Schema, excluded: &[Value]) -> Option<Schema> {
    let mut left = schema.limits.enumeration.clone();
    left.retain(|value| !excluded.contains(value));
    let is_less = !left.is_empty() && left.len() < schema.limits.enumeration.len();
    is_less.then(|| Schema { limits: one_of(left), ..Schema::default() })
}

fn one_of(enumeration: Vec<Value>) -> Limits {
    Limits { enumeration, ..Limits::default() }
}

fn bounded(name: &str, bound: f64) -> Option<Limits> {
    let none = Limits::default();
    Some(match name {
        ops::LESS => Limits { maximum: Some(bound), exclusive_maximum: true, ..none },
        ops::LESS_EQUALS => Limits { maximum: Some(bound), ..none },
        ops::GREATER => Limits { minimum: Some(bound), exclusive_minimum: true, ..none },
        ops::GREATER_EQUALS => Limits { minimum: Some(bound), ..none },
        _ => return None,
    })
}

/// A size is that of a text or of a list. The new schema may list other fields of a map.
fn sized(name: &str, count: i64) -> Option<Limits> {
    let Range { least, most } = Range::of_size(name, count)?;
    Some(Limits {
        min_length: least,
        min_items: least,
        max_length: most,
        max_items: most,
        ..Limits::default()
    })
}

#[cfg(test)]
mod tests {
    use super::Known;
    use crate::ir::Scale;
    use crate::path::Step;
    use crate::{decode, encode, json};
    use std::rc::Rc;

    /// What is known about a place, as JSON. The place is a path in the schema of whole objects.
    fn known(spec: &str, place: &str, scale: Option<&Scale>) -> Vec<String> {
        let text = format!(r#"{{"type":"object","properties":{{"spec":{spec}}}}}"#);
        let root = decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema");
        let steps: Vec<Step> = ["openAPIV3Schema", "properties", "spec"]
            .into_iter()
            .chain(place.split('.').filter(|step| !step.is_empty()))
            .map(|step| Step::Key(step.to_owned()))
            .collect();
        let all = Known::new(&root, scale, &Rc::default()).at(&steps);
        all.iter().map(|schema| json::to_string(&encode::schema(schema))).collect()
    }

    #[test]
    fn rules_say_what_keywords_say() {
        for (rule, place, expected) in [
            ("self.n <= 9", "properties.n", vec![r#"{"maximum":9,"type":"integer"}"#]),
            ("9 >= self.n && true", "properties.n", vec![r#"{"maximum":9,"type":"integer"}"#]),
            (
                "!has(self.n) || self.n > 1",
                "properties.n",
                vec![r#"{"exclusiveMinimum":true,"minimum":1,"type":"integer"}"#],
            ),
            (
                "has(self.n) ? self.n > 1 : has(self.s)",
                "properties.n",
                vec![r#"{"exclusiveMinimum":true,"minimum":1,"type":"integer"}"#],
            ),
            ("!has(self.n) || !has(self.s) || self.n > 1", "properties.n", vec![]),
            ("has(self.s) || self.n > 1", "properties.n", vec![]),
            ("!has(self.n) || self.n > 1 || self.n < 0", "properties.n", vec![]),
            ("self.n <= oldSelf.n", "properties.n", vec![]),
            (
                "self.l.all(x, x.size() < 5)",
                "properties.l.items",
                vec![r#"{"maxItems":4,"maxLength":4,"type":"string"}"#],
            ),
            ("self.l.exists(x, x.size() < 5)", "properties.l.items", vec![]),
            ("size(self.l) < 5", "properties.l", vec![r#"{"maxItems":4,"maxLength":4,"type":"array"}"#]),
            ("self.s.matches('^a')", "properties.s", vec![r#"{"pattern":"^a","type":"string"}"#]),
            ("self.s in ['a', 'b']", "properties.s", vec![r#"{"enum":["a","b"],"type":"string"}"#]),
            (
                "self.n < self.m",
                "",
                vec![r#"{"required":["n"],"type":"object"}"#, r#"{"required":["m"],"type":"object"}"#],
            ),
            ("has(self.n)", "", vec![r#"{"required":["n"],"type":"object"}"#]),
            ("has(self.x__dash__y)", "", vec![r#"{"required":["x-y"],"type":"object"}"#]),
            (
                "has(self.map.x__dash__y)",
                "properties.map",
                vec![r#"{"required":["x__dash__y"],"type":"object"}"#],
            ),
            ("!has(self.n) || self.n < self.m", "", vec![]),
            // The default meets the rule.
            ("self.d < 5", "", vec![r#"{"type":"object"}"#]),
            ("self.?n.orValue(1) < 5", "", vec![]),
            ("size(self.b) < 5", "properties.b", vec![]),
            ("self.e != 'b'", "properties.e", vec![r#"{"enum":["a","c"],"type":"string"}"#]),
            ("!(self.e in ['b', 'c'])", "properties.e", vec![r#"{"enum":["a"],"type":"string"}"#]),
            (
                "!has(self.e) || !('b' == self.e)",
                "properties.e",
                vec![r#"{"enum":["a","c"],"type":"string"}"#],
            ),
            ("self.e != 'b' || self.n > 1", "properties.e", vec![]),
            (
                "self.l.all(x, self.l.exists_one(y, x == y))",
                "properties.l",
                vec![r#"{"type":"array","x-kubernetes-list-type":"set"}"#],
            ),
        ] {
            let spec = format!(
                r#"{{"type":"object","properties":{{"n":{{"type":"integer"}},"m":{{"type":"integer"}},"d":{{"type":"integer","default":1}},
                "s":{{"type":"string"}},"e":{{"type":"string","enum":["a","b","c"]}},"b":{{"type":"string","format":"byte"}},"map":{{"type":"object","additionalProperties":{{"type":"string"}}}},"l":{{"type":"array","items":{{"type":"string"}}}}}},
                "x-kubernetes-validations":[{{"rule":{}}}]}}"#,
                json::to_string(&rule.into())
            );
            assert_eq!(known(&spec, place, None), expected, "{rule}");
        }
    }

    #[test]
    fn the_subresource_scale_reads_integers_of_32_bits() {
        let scale = Scale {
            spec_replicas_path: ".spec.n".to_owned(),
            status_replicas_path: ".status.n".to_owned(),
            label_selector_path: None,
        };
        let spec = r#"{"type":"object","properties":{"n":{"type":"number"},"m":{"type":"number"}}}"#;
        let expected = r#"{"maximum":2147483647,"minimum":0,"type":"integer"}"#;
        assert_eq!(known(spec, "properties.n", Some(&scale)), [expected]);
        assert_eq!(known(spec, "properties.m", Some(&scale)), Vec::<String>::new());
    }
}
