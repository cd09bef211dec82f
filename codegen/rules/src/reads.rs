//! Determines the possible results of a rule if one field is absent and all other values are arbitrary. It never misses
//! a possible result, but may include impossible ones. So if "true" is not among the results, the rule is never true.

use std::collections::{BTreeSet, HashSet};

use crate::cel::ast::{Ast, Comprehension, Expr, ExprId, Literal, MacroCall, Reference, ops};
use crate::cel::escape::unescape;
use crate::cel::types::{Kind, Ty, Types};
use crate::cel::{Checked, span};
use crate::ir::{Schema, SchemaOf};
use crate::value::Value;

/// A step from `self` to a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A property, by its name in the schema.
    Field(String),
    /// A key of a map.
    Key(String),
    /// Some item of a list.
    Item,
    /// Some value of a map.
    Value,
    /// Something that no rule reads.
    Unread,
}

/// A place at which a rule reads a field or a key.
pub struct Read {
    /// Where it is in the expression.
    pub id: ExprId,
    /// The path to the value.
    pub place: Vec<Step>,
}

impl Read {
    /// The field, in the spelling of rules.
    pub fn field(&self) -> String {
        let mut out = "self".to_owned();
        for step in &self.place {
            match step {
                Step::Field(name) => {
                    out.push('.');
                    out.push_str(&crate::cel::escape::escape(name).unwrap_or(name.into()));
                }
                Step::Key(key) => out.push_str(&format!("['{key}']")),
                Step::Item | Step::Value | Step::Unread => out.push_str("[]"),
            }
        }
        out
    }

    /// An expression that checks whether the field or key is set.
    pub fn test(&self, text: &str, ast: &Ast) -> String {
        let written = |id| text.get(span::of_node(text, ast, id)).unwrap_or_default();
        match (ast.expr(self.id), self.place.last()) {
            (Expr::Call { args, .. }, Some(Step::Key(key))) => {
                let map = args.first().map_or("", |map| written(*map));
                format!("('{key}' in {map})")
            }
            _ => format!("has({})", written(self.id)),
        }
    }
}

/// The message and help about a rule that reads a field without a guard. `written` is the read in the rule.
pub fn words(field: &str, written: &str, test: &str) -> (String, String) {
    (
        format!(
            "reads `{written}`, which may be absent: the server then rejects the object, because the rule fails \
             with \"no such key\""
        ),
        format!("write `!{test} || …`, or make `{field}` required, or give it a default"),
    )
}

/// The possible results of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    is_true: bool,
    is_false: bool,
    /// Any other value.
    other: bool,
    /// The error that the field is absent.
    error: bool,
}

impl Outcomes {
    const NONE: Outcomes = Outcomes { is_true: false, is_false: false, other: false, error: false };
    const TRUE: Outcomes = Outcomes { is_true: true, ..Outcomes::NONE };
    const FALSE: Outcomes = Outcomes { is_false: true, ..Outcomes::NONE };
    const OTHER: Outcomes = Outcomes { other: true, ..Outcomes::NONE };
    const ERROR: Outcomes = Outcomes { error: true, ..Outcomes::NONE };
    const BOOL: Outcomes = Outcomes { is_true: true, is_false: true, ..Outcomes::NONE };

    fn or(self, more: Outcomes) -> Outcomes {
        Outcomes {
            is_true: self.is_true || more.is_true,
            is_false: self.is_false || more.is_false,
            other: self.other || more.other,
            error: self.error || more.error,
        }
    }

    fn has_value(self) -> bool {
        self.is_true || self.is_false || self.other
    }

    /// Whether a rule with these results always rejects the object, possibly with an error.
    pub fn fails(self) -> bool {
        self.error && !self.is_true && !self.other
    }

    /// Whether a rule with these results always rejects the object with its own message.
    pub fn only_false(self) -> bool {
        self == Outcomes::FALSE
    }
}

/// The result of a part of an expression.
#[derive(Clone, Debug)]
struct Part {
    outcomes: Outcomes,
    /// The path, if the part is the value at a path of `self`.
    place: Option<Vec<Step>>,
    /// The map, if the part is one of its keys.
    key_of: Option<Vec<Step>>,
}

impl From<Outcomes> for Part {
    fn from(outcomes: Outcomes) -> Part {
        Part { outcomes, place: None, key_of: None }
    }
}

/// The maximum number of fields of one rule that are examined.
pub const MOST: usize = 100;

/// All reads of fields and keys of `self`.
pub fn of(checked: &Checked, types: &Types) -> Vec<Read> {
    let mut walk = Walk::new(checked, types, &[]);
    walk.reads = Some(Vec::new());
    walk.part(checked.ast.root());
    let mut known = HashSet::new();
    let mut reads = walk.reads.unwrap_or_default();
    reads.retain(|read| known.insert(read.place.clone()));
    reads
}

/// All places whose absence can change the results of a rule: those that it reads or checks for, and those of elements.
pub fn mentions(checked: &Checked, types: &Types) -> HashSet<Vec<Step>> {
    let mut walk = Walk::new(checked, types, &[]);
    walk.mentions = Some(HashSet::new());
    walk.part(checked.ast.root());
    walk.mentions.unwrap_or_default()
}

/// The names of all fields that a rule uses. `None` if it uses an object in another way than by its fields.
pub fn fields(checked: &Checked, types: &Types) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let mut selected = HashSet::new();
    let mut objects = Vec::new();
    let mut rest = vec![checked.ast.root()];
    while let Some(id) = rest.pop() {
        if let Expr::Select { operand, field, test_only: _ } = checked.ast.expr(id) {
            selected.insert(operand.index());
            names.extend(unescape(field).map(|name| name.into_owned()));
        }
        if matches!(types.kind(checked.ty(id)), Kind::Object { .. }) || checked.ty(id) == Ty::DYN {
            objects.push(id.index());
        }
        checked.ast.children(id, &mut |child| rest.push(child));
    }
    objects.iter().all(|object| selected.contains(object)).then_some(names)
}

/// The possible results of a rule if the field at a place is absent, but the value around it exists.
pub fn without(checked: &Checked, types: &Types, place: &[Step]) -> Outcomes {
    let mut walk = Walk::new(checked, types, place);
    walk.part(checked.ast.root()).outcomes
}

struct Walk<'c> {
    checked: &'c Checked,
    types: &'c Types,
    absent: &'c [Step],
    /// The variables of comprehensions, innermost last.
    scopes: Vec<(String, Part)>,
    /// The reads so far, if they are collected.
    reads: Option<Vec<Read>>,
    /// The places that matter, if they are collected.
    mentions: Option<HashSet<Vec<Step>>>,
    depth: usize,
}

/// Deeper expressions are not analyzed. The parser never returns them.
const DEEPEST: usize = 1000;

impl<'c> Walk<'c> {
    fn new(checked: &'c Checked, types: &'c Types, absent: &'c [Step]) -> Self {
        Walk { checked, types, absent, scopes: Vec::new(), reads: None, mentions: None, depth: 0 }
    }

    fn part(&mut self, id: ExprId) -> Part {
        if self.depth > DEEPEST {
            return self.of_type(id).into();
        }
        self.depth += 1;
        let part = self.look(id);
        self.depth -= 1;
        part
    }

    fn look(&mut self, id: ExprId) -> Part {
        let checked = self.checked;
        match checked.ast.expr(id) {
            Expr::Unspecified => Outcomes::OTHER.into(),
            Expr::Literal(Literal::Bool(true)) => Outcomes::TRUE.into(),
            Expr::Literal(Literal::Bool(false)) => Outcomes::FALSE.into(),
            Expr::Literal(_) => Outcomes::OTHER.into(),
            Expr::Ident(name) => match self.scopes.iter().rev().find(|(known, _)| *known == **name) {
                Some((_, part)) => part.clone(),
                None => {
                    let place = (name == "self").then(Vec::new);
                    Part { outcomes: self.of_type(id), place, key_of: None }
                }
            },
            Expr::Select { operand, field, test_only } => self.select(id, *operand, field, *test_only),
            Expr::Call { function, target, args } => self.call(id, function, *target, args),
            Expr::List { elements, optional: _ } => self.strict(id, elements.iter().copied()),
            Expr::Map(entries) => self.strict(id, entries.iter().flat_map(|e| [e.key, e.value])),
            Expr::Struct { name: _, fields } => self.strict(id, fields.iter().map(|f| f.value)),
            Expr::Comprehension(c) => match checked.ast.macro_call(id) {
                Some(call) => self.repeat(id, c, call),
                None => self.anything(id),
            },
        }
    }

    /// The possible values of a node's type.
    fn of_type(&self, id: ExprId) -> Outcomes {
        match self.checked.ty(id) {
            Ty::BOOL => Outcomes::BOOL,
            Ty::DYN | Ty::ANY => Outcomes::BOOL.or(Outcomes::OTHER),
            _ => Outcomes::OTHER,
        }
    }

    fn anything(&self, id: ExprId) -> Part {
        self.of_type(id).or(Outcomes::BOOL).into()
    }

    /// A result that needs the values of all parts.
    fn strict(&mut self, id: ExprId, parts: impl Iterator<Item = ExprId>) -> Part {
        let mut outcomes = self.of_type(id);
        for part in parts {
            let part = self.part(part).outcomes;
            if !part.has_value() {
                return Outcomes::ERROR.into();
            }
            outcomes.error |= part.error;
        }
        outcomes.into()
    }

    /// Records a read, and returns its result.
    fn read(&mut self, id: ExprId, around: &Part, step: Step) -> Part {
        let place = around.place.as_ref().map(|place| {
            let mut place = place.clone();
            place.push(step);
            place
        });
        let Some(place) = place else {
            let outcomes = self.of_type(id).or(Outcomes { error: around.outcomes.error, ..Outcomes::NONE });
            return outcomes.into();
        };
        self.mention(&place);
        if place == self.absent {
            return Outcomes::ERROR.into();
        }
        if let Some(reads) = &mut self.reads
            && matches!(place.last(), Some(Step::Field(_) | Step::Key(_)))
        {
            reads.push(Read { id, place: place.clone() });
        }
        let error = Outcomes { error: around.outcomes.error, ..Outcomes::NONE };
        Part { outcomes: self.of_type(id).or(error), place: Some(place), key_of: None }
    }

    fn mention(&mut self, place: &[Step]) {
        if let Some(mentions) = &mut self.mentions {
            mentions.insert(place.to_vec());
        }
    }

    /// The possible results of checking whether something is set.
    fn presence(&mut self, around: &Part, step: Step) -> Outcomes {
        let error = Outcomes { error: around.outcomes.error, ..Outcomes::NONE };
        let Some(mut place) = around.place.clone() else { return Outcomes::BOOL.or(error) };
        place.push(step);
        self.mention(&place);
        if place == self.absent {
            Outcomes::FALSE.or(error)
        } else if self.absent.starts_with(&place) {
            Outcomes::TRUE.or(error)
        } else {
            Outcomes::BOOL.or(error)
        }
    }

    fn select(&mut self, id: ExprId, operand: ExprId, field: &str, test_only: bool) -> Part {
        let of = self.part(operand);
        if !of.outcomes.has_value() {
            return Outcomes::ERROR.into();
        }
        let step = match self.types.kind(self.checked.ty(operand)) {
            Kind::Object { .. } => unescape(field).map(|name| Step::Field(name.into_owned())),
            Kind::Map(..) => Some(Step::Key(field.to_owned())),
            _ => None,
        };
        let Some(step) = step else {
            let error = Outcomes { error: of.outcomes.error, ..Outcomes::NONE };
            return self.anything(id).outcomes.or(error).into();
        };
        if test_only { self.presence(&of, step).into() } else { self.read(id, &of, step) }
    }

    fn call(&mut self, id: ExprId, function: &str, target: Option<ExprId>, args: &[ExprId]) -> Part {
        match (function, args) {
            (ops::AND, [a, b]) => {
                let (a, b) = (self.part(*a).outcomes, self.part(*b).outcomes);
                Logic::AND.of(a, b).into()
            }
            (ops::OR, [a, b]) => {
                let (a, b) = (self.part(*a).outcomes, self.part(*b).outcomes);
                Logic::OR.of(a, b).into()
            }
            (ops::NOT, [of]) => {
                let of = self.part(*of).outcomes;
                Outcomes { is_true: of.is_false || of.other, is_false: of.is_true || of.other, ..of }.into()
            }
            (ops::CONDITIONAL, [condition, yes, no]) => {
                let condition = self.part(*condition).outcomes;
                let (yes, no) = (self.part(*yes).outcomes, self.part(*no).outcomes);
                let mut out = Outcomes { error: condition.error, ..Outcomes::NONE };
                if condition.is_true || condition.other {
                    out = out.or(yes);
                }
                if condition.is_false || condition.other {
                    out = out.or(no);
                }
                out.into()
            }
            (ops::EQUALS | ops::NOT_EQUALS, [a, b]) => self.equal(id, function, *a, *b),
            (ops::INDEX, [of, key]) => self.index(id, *of, *key),
            (ops::IN, [key, of]) => self.within(id, *key, *of),
            // A missing field is not an error for optionals.
            (ops::OPT_SELECT | ops::OPT_INDEX, [of, ..]) => {
                let of = self.part(*of).outcomes;
                if of.has_value() {
                    Outcomes { error: of.error, ..Outcomes::OTHER }.into()
                } else {
                    Outcomes::ERROR.into()
                }
            }
            _ => self.strict(id, target.into_iter().chain(args.iter().copied())),
        }
    }

    /// Comparisons of booleans are analyzed, because a rule may compare the results of two `has()`.
    fn equal(&mut self, id: ExprId, function: &str, a: ExprId, b: ExprId) -> Part {
        let (one, other) = (self.part(a).outcomes, self.part(b).outcomes);
        if !one.has_value() || !other.has_value() {
            return Outcomes::ERROR.into();
        }
        let error = Outcomes { error: one.error || other.error, ..Outcomes::NONE };
        if one.other || other.other {
            return self.of_type(id).or(error).into();
        }
        let same = (one.is_true && other.is_true) || (one.is_false && other.is_false);
        let different = (one.is_true && other.is_false) || (one.is_false && other.is_true);
        let (yes, no) = if function == ops::EQUALS { (same, different) } else { (different, same) };
        Outcomes { is_true: yes, is_false: no, other: false, error: error.error }.into()
    }

    fn index(&mut self, id: ExprId, of: ExprId, key: ExprId) -> Part {
        let (around, index) = (self.part(of), self.part(key));
        if !around.outcomes.has_value() || !index.outcomes.has_value() {
            return Outcomes::ERROR.into();
        }
        if let Expr::Literal(Literal::String(key)) = self.checked.ast.expr(key) {
            return self.read(id, &around, Step::Key(key.to_string()));
        }
        // A key that comes from this map exists in it.
        if index.key_of.is_some() && index.key_of == around.place {
            return self.read(id, &around, Step::Value);
        }
        let error = around.outcomes.error || index.outcomes.error;
        Outcomes { error, ..self.of_type(id) }.into()
    }

    fn within(&mut self, id: ExprId, key: ExprId, of: ExprId) -> Part {
        let around = self.part(of);
        match self.checked.ast.expr(key) {
            Expr::Literal(Literal::String(key)) if around.outcomes.has_value() => {
                self.presence(&around, Step::Key(key.to_string())).into()
            }
            _ => self.strict(id, [key, of].into_iter()),
        }
    }

    /// A comprehension. If the absent field is inside an element, one element lacks it, and the others are arbitrary.
    fn repeat(&mut self, id: ExprId, c: &Comprehension, call: &MacroCall) -> Part {
        let range = self.part(c.range);
        if !range.outcomes.has_value() {
            return Outcomes::ERROR.into();
        }
        let is_map = self.is_map(c.range);
        let below = |step: Step| {
            range.place.clone().map(|mut place| {
                place.push(step);
                place
            })
        };
        let element = below(if is_map { Step::Value } else { Step::Item });
        if let Some(element) = &element {
            self.mention(element);
        }
        let special =
            element.as_ref().is_some_and(|e| self.absent.len() > e.len() && self.absent.starts_with(e));
        let value = Part { outcomes: Outcomes::BOOL.or(Outcomes::OTHER), place: element, key_of: None };
        let key = Part { outcomes: Outcomes::OTHER, place: None, key_of: range.place.clone() };
        let plain = Part::from(Outcomes::BOOL.or(Outcomes::OTHER));
        let (first, second) = match (&c.var2, is_map) {
            (None, false) => (value, plain.clone()),
            (None, true) => (key, plain.clone()),
            (Some(_), false) => (plain.clone(), value),
            (Some(_), true) => (key, value),
        };
        let bodies = match (&*call.function, c.var2.is_some(), &*call.args) {
            ("all" | "exists" | "exists_one" | "existsOne" | "filter", false, [_, body])
            | ("all" | "exists" | "exists_one" | "existsOne", true, [_, _, body])
            | ("map", false, [_, body]) => vec![*body],
            ("map", false, [_, filter, body]) => vec![*filter, *body],
            _ => return self.anything(id),
        };
        let run = |walk: &mut Self, first: &Part, second: &Part| -> Vec<Outcomes> {
            let scope = walk.scopes.len();
            walk.scopes.push((c.var.to_string(), first.clone()));
            walk.scopes.extend(c.var2.as_ref().map(|var| (var.to_string(), second.clone())));
            let outcomes = bodies.iter().map(|body| walk.part(*body).outcomes).collect();
            walk.scopes.truncate(scope);
            outcomes
        };
        let one = body(&run(self, &first, &second));
        // The other elements only matter if the element is special. Otherwise nested loops would take twice as long for
        // each level.
        let any = if special { body(&run(self, &plain, &plain)) } else { one };
        let range_error = Outcomes { error: range.outcomes.error, ..Outcomes::NONE };
        let outcomes = match (&*call.function, special) {
            ("all", true) => Outcomes { is_false: one.is_false || any.is_false, ..one },
            ("exists", true) => Outcomes { is_true: one.is_true || any.is_true, ..one },
            // The list may be empty.
            ("all", false) => one.or(Outcomes::TRUE),
            ("exists", false) => one.or(Outcomes::FALSE),
            (_, true) if !one.has_value() => Outcomes::ERROR,
            (_, _) => Outcomes { error: one.error, ..self.of_type(id) },
        };
        outcomes.or(range_error).into()
    }

    fn is_map(&self, range: ExprId) -> bool {
        matches!(self.types.kind(self.checked.ty(range)), Kind::Map(..))
    }
}

/// The body of a comprehension, after its filter if there is one.
fn body(parts: &[Outcomes]) -> Outcomes {
    match parts {
        [one] => *one,
        [filter, one] => {
            let mut out = Outcomes { error: filter.error, ..Outcomes::NONE };
            if filter.is_true || filter.other {
                out = out.or(*one);
            }
            if filter.is_false || filter.other {
                out = out.or(Outcomes::OTHER);
            }
            out
        }
        _ => Outcomes::BOOL.or(Outcomes::OTHER),
    }
}

/// `&&` and `||`: if one side decides the result, an error of the other side is ignored.
struct Logic {
    /// Whether the other side decides, too.
    goes_on: fn(Outcomes) -> bool,
    /// Whether one side decides alone.
    decides: fn(Outcomes) -> bool,
    /// The result if both sides go on.
    both: Outcomes,
    /// The result if a side decides.
    either: Outcomes,
}

impl Logic {
    const AND: Logic = Logic {
        goes_on: |o| o.is_true,
        decides: |o| o.is_false,
        both: Outcomes::TRUE,
        either: Outcomes::FALSE,
    };
    const OR: Logic = Logic {
        goes_on: |o| o.is_false,
        decides: |o| o.is_true,
        both: Outcomes::FALSE,
        either: Outcomes::TRUE,
    };

    fn of(&self, a: Outcomes, b: Outcomes) -> Outcomes {
        let Logic { goes_on, decides, both, either } = *self;
        let wide = |o: Outcomes| if o.other { o.or(Outcomes::BOOL) } else { o };
        let (a, b) = (wide(a), wide(b));
        let mut out = Outcomes::NONE;
        if goes_on(a) && goes_on(b) {
            out = out.or(both);
        }
        if decides(a) || decides(b) {
            out = out.or(either);
        }
        out.error = (a.error && (goes_on(b) || b.error)) || (b.error && (goes_on(a) || a.error));
        out
    }
}

/// Whether the value at a place may be absent in an object.
pub fn is_optional(schema: &Schema, of: SchemaOf, place: &[Step]) -> bool {
    let mut schema = schema;
    let mut of = of;
    for (i, step) in place.iter().enumerate() {
        let is_last = i + 1 == place.len();
        let below = match step {
            Step::Field(name) => {
                if of.is_resource() && is_built_in(name) {
                    return false;
                }
                let Some(property) = schema.properties.get(name) else { return false };
                if is_last {
                    return property.default.as_ref().is_none_or(Value::is_null) && !demands(schema, name);
                }
                Some(property)
            }
            Step::Key(_) if is_last => return schema.value().is_some(),
            Step::Key(_) | Step::Value => schema.value(),
            Step::Item => schema.item(),
            Step::Unread => None,
        };
        let Some(below) = below else { return false };
        (schema, of) = (below, SchemaOf::nested(below));
    }
    false
}

/// Whether every resource has a field of this name.
pub fn is_built_in(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// Whether a schema requires a field, even if only in some cases.
fn demands(schema: &Schema, name: &str) -> bool {
    let limits = &schema.limits;
    let junctors = limits.all_of.iter().chain(&limits.any_of).chain(&limits.one_of);
    limits.required.iter().any(|required| required == name)
        || junctors.chain(limits.not.as_deref()).any(|schema| demands(schema, name))
}

/// Whether an expression contains the name `oldSelf`, even for another variable.
pub fn uses_old_self(checked: &Checked) -> bool {
    let mut stack = vec![checked.ast.root()];
    while let Some(id) = stack.pop() {
        if let (Expr::Ident(name), Reference::Variable) =
            (checked.ast.expr(id), &checked.references[id.index()])
            && name == "oldSelf"
        {
            return true;
        }
        checked.ast.children(id, &mut |child| stack.push(child));
    }
    false
}
