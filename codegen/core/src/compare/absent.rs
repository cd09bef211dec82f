//! Decides that values of one schema cannot break a rule of another one: the rule is about fields that only the other schema has,
//! or it says no more than the keywords of both.

use super::{presence, unique};
use crate::cel::ast::{Ast, Expr, ExprId, Literal, ops};
use crate::cel::escape;
use crate::ir::{Schema, Type};
use crate::object::validate::Validator;
use crate::path::Path;
use crate::server::Server;
use crate::value::Value;
use std::borrow::Cow;
use std::cell::RefCell;

/// How deep expressions are read.
const DEEPEST: usize = 100;

/// From here on, numbers may be rounded.
const EXACT: u64 = 1 << 53;

/// What a rule calls the values before an update.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// `oldSelf` is such a value, which the server kept by `loose`, too.
    Value,
    /// `oldSelf` is an optional.
    Optional,
}

/// Whether a rule of `tight` is true for all values that the server keeps by `loose`, whatever else is in them. `false` if this
/// is not known.
pub(super) fn is_always_true(ast: &Ast, before: Before, tight: &Schema, loose: &Schema) -> bool {
    let this = Part { tight, loose, path: vec!["self".to_owned()] };
    Known { ast, before, present: RefCell::default() }.truth(ast.root(), &this, 0) == Some(true)
}

/// A part of the value that is always there, with the schemas of both sides.
#[derive(Clone)]
struct Part<'s> {
    tight: &'s Schema,
    loose: &'s Schema,
    /// The variable and the names of the fields that lead to it.
    path: Vec<String>,
}

/// A field that an expression names.
enum Field<'s> {
    /// Both schemas list it, and it is always there.
    Present(Part<'s>),
    /// Both schemas list it.
    Listed(Part<'s>),
    /// The server drops it by `loose`, and `tight` has no default for it.
    Dropped,
}

/// What an expression can be.
enum Values<'s> {
    /// Numbers from the first to the second.
    Numbers(f64, f64),
    /// One of these texts.
    Texts(Vec<&'s str>),
    /// A text that matches a schema.
    Matching(&'s Schema),
}

struct Known<'a> {
    ast: &'a Ast,
    before: Before,
    /// The optional fields that are there in the part of the rule that is read, because the rule asks for them before.
    present: RefCell<Vec<Vec<String>>>,
}

impl<'a> Known<'a> {
    /// The value of an expression, if it does not depend on the object. An expression with a value has no errors.
    fn truth(&self, id: ExprId, this: &Part<'a>, depth: usize) -> Option<bool> {
        if depth > DEEPEST {
            return None;
        }
        let of = |id: ExprId| self.truth(id, this, depth + 1);
        if unique::list_of(self.ast, id)
            .and_then(|list| self.part(list, this, depth + 1))
            .is_some_and(|list| are_unique(&list))
        {
            return Some(true);
        }
        match self.ast.expr(id) {
            Expr::Literal(Literal::Bool(value)) => Some(*value),
            Expr::Select { test_only: true, .. } => match self.tested(id, this, depth + 1)? {
                Field::Present(_) => Some(true),
                Field::Listed(_) => None,
                Field::Dropped => Some(false),
            },
            Expr::Call { function, target: None, args } => match (&**function, &**args) {
                (ops::NOT, [inner]) => of(*inner).map(|value| !value),
                // If one side decides, errors of the other one do not matter.
                (ops::AND, [left, right]) => {
                    let guards = self.there_unless(*left, false, this, depth + 1);
                    match (of(*left), self.with(guards, || of(*right))) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), other) => other,
                        (None, _) => None,
                    }
                }
                (ops::OR, [left, right]) => {
                    let guards = self.there_unless(*left, true, this, depth + 1);
                    match (of(*left), self.with(guards, || of(*right))) {
                        (Some(true), _) | (_, Some(true)) => Some(true),
                        (Some(false), other) => other,
                        (None, _) => None,
                    }
                }
                (ops::CONDITIONAL, [condition, yes, no]) => match of(*condition) {
                    Some(value) => of(if value { *yes } else { *no }),
                    None if !self.never_fails(*condition, this, depth + 1) => None,
                    None => {
                        let there = |value| self.there_unless(*condition, value, this, depth + 1);
                        let yes = self.with(there(false), || of(*yes))?;
                        let no = self.with(there(true), || of(*no))?;
                        (no == yes).then_some(yes)
                    }
                },
                (name, [left, right]) => {
                    if let (Some(left), Some(right)) = (of(*left), of(*right)) {
                        return match name {
                            ops::EQUALS => Some(left == right),
                            ops::NOT_EQUALS => Some(left != right),
                            _ => None,
                        };
                    }
                    if let (ops::IN, Some(text), Some(list)) =
                        (name, self.text(*left), self.part(*right, this, depth + 1))
                    {
                        return self.has_no_item(&list, text).then_some(false);
                    }
                    let left = self.values(*left, this, depth + 1)?;
                    match (name, self.ast.expr(*right)) {
                        (ops::IN, Expr::List { elements, .. }) => {
                            let all: Option<Vec<&str>> = elements.iter().map(|it| self.text(*it)).collect();
                            let (Values::Texts(own), Some(all)) = (left, all) else { return None };
                            own.iter().all(|text| all.contains(text)).then_some(true)
                        }
                        _ => compared(name, &left, &self.values(*right, this, depth + 1)?),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a condition has a result for all values: it only asks which fields are there.
    fn never_fails(&self, id: ExprId, this: &Part<'a>, depth: usize) -> bool {
        match self.ast.expr(id) {
            _ if depth > DEEPEST => false,
            Expr::Call { function, target: None, args } => {
                matches!(&**function, ops::NOT | ops::AND | ops::OR)
                    && args.iter().all(|it| self.never_fails(*it, this, depth + 1))
            }
            _ => self.tested(id, this, depth + 1).is_some(),
        }
    }

    /// The optional fields that are there unless an expression is `value`, also if it fails: `!has(self.a) || !has(self.b)` is true
    /// without them, and `has(self.a) && has(self.b)` is false.
    fn there_unless(&self, id: ExprId, value: bool, this: &Part<'a>, depth: usize) -> Vec<Vec<String>> {
        if depth > DEEPEST {
            return Vec::new();
        }
        match self.ast.expr(id) {
            Expr::Call { function, target: None, args } => match (&**function, &**args) {
                (ops::NOT, [inner]) => self.there_unless(*inner, !value, this, depth + 1),
                (name, [left, right]) if name == if value { ops::OR } else { ops::AND } => {
                    let mut out = self.there_unless(*left, value, this, depth + 1);
                    out.extend(self.with(out.clone(), || self.there_unless(*right, value, this, depth + 1)));
                    out
                }
                _ => Vec::new(),
            },
            _ if value => Vec::new(),
            _ => match self.tested(id, this, depth + 1) {
                Some(Field::Listed(field) | Field::Present(field)) => vec![field.path],
                Some(Field::Dropped) | None => Vec::new(),
            },
        }
    }

    /// Reads a part of the rule in which more fields are there.
    fn with<T>(&self, more: Vec<Vec<String>>, read: impl FnOnce() -> T) -> T {
        let before = self.present.borrow().len();
        self.present.borrow_mut().extend(more);
        let out = read();
        self.present.borrow_mut().truncate(before);
        out
    }

    /// The field for whose presence an expression asks.
    fn tested(&self, id: ExprId, this: &Part<'a>, depth: usize) -> Option<Field<'a>> {
        match self.ast.expr(id) {
            Expr::Select { operand, field, test_only: true } => {
                self.field(&self.part(*operand, this, depth + 1)?, field)
            }
            _ => None,
        }
    }

    /// The part of the object that an expression reads. `None` if it is something else, or may be absent.
    fn part(&self, id: ExprId, this: &Part<'a>, depth: usize) -> Option<Part<'a>> {
        if depth > DEEPEST {
            return None;
        }
        match self.ast.expr(id) {
            Expr::Ident(name) => match (&**name, self.before) {
                ("self", _) => Some(this.clone()),
                ("oldSelf", Before::Value) => Some(Part { path: vec!["oldSelf".to_owned()], ..this.clone() }),
                _ => None,
            },
            Expr::Select { operand, field, test_only: false } => {
                match self.field(&self.part(*operand, this, depth + 1)?, field)? {
                    Field::Present(part) => Some(part),
                    Field::Listed(_) | Field::Dropped => None,
                }
            }
            _ => None,
        }
    }

    fn field(&self, around: &Part<'a>, name: &str) -> Option<Field<'a>> {
        let name = escape::unescape(name).unwrap_or(Cow::Borrowed(name));
        let Part { tight, loose, path } = around;
        let own = tight.properties.get(&name)?;
        let other = loose.properties.get(&name);
        // A default may contain the field, with any value, unless it was there before.
        if own.default.as_ref() != other.and_then(|it| it.default.as_ref()) || tight.default != loose.default
        {
            return None;
        }
        if presence::is_never_there(loose, &name) {
            return Some(Field::Dropped);
        }
        if let Some(other) = other {
            let path: Vec<String> = path.iter().cloned().chain([name.clone().into_owned()]).collect();
            // A null may be dropped.
            let is_required =
                loose.limits.required.iter().any(|it| *it == name) || presence::is_filled(&name, own);
            let is_there =
                is_required && !own.nullable && !other.nullable || self.present.borrow().contains(&path);
            let part = Part { tight: own, loose: other, path };
            return Some(if is_there { Field::Present(part) } else { Field::Listed(part) });
        }
        (loose.default.is_none() && presence::drops(loose, &name)).then_some(Field::Dropped)
    }

    /// How many of some conditions may be true. `None` if one of them may fail.
    fn count(&self, conditions: &[ExprId], this: &Part<'a>, depth: usize) -> Option<Values<'a>> {
        let (mut least, mut most) = (0.0, 0.0);
        for id in conditions {
            let truth = self.truth(*id, this, depth + 1);
            if truth.is_none() && self.tested(*id, this, depth + 1).is_none() {
                return None;
            }
            least += f64::from(u8::from(truth == Some(true)));
            most += f64::from(u8::from(truth != Some(false)));
        }
        Some(Values::Numbers(least, most))
    }

    /// What an expression can be.
    fn values(&self, id: ExprId, this: &Part<'a>, depth: usize) -> Option<Values<'a>> {
        if let Some(conditions) = self.ast.counted(id) {
            return self.count(conditions, this, depth + 1);
        }
        match self.ast.expr(id) {
            Expr::Literal(Literal::Int(number)) if number.unsigned_abs() < EXACT => {
                Some(Values::Numbers(*number as f64, *number as f64))
            }
            Expr::Literal(Literal::Double(number)) => Some(Values::Numbers(*number, *number)),
            Expr::Literal(Literal::String(_)) => Some(Values::Texts(vec![self.text(id)?])),
            Expr::Call { function, target, args } if &**function == "size" => {
                let of = match (target, &**args) {
                    (Some(of), []) => of,
                    (None, [of]) => of,
                    _ => return None,
                };
                sizes(&self.part(*of, this, depth + 1)?)
            }
            _ => values_of(&self.part(id, this, depth + 1)?),
        }
    }

    /// Whether no list of texts by the loose schema has a text.
    fn has_no_item(&self, list: &Part<'a>, text: &str) -> bool {
        let (Some(tight), Some(loose)) = (list.tight.item(), list.loose.item()) else { return false };
        let item = Part { tight, loose, path: Vec::new() };
        match values_of(&item) {
            Some(values) => compared(ops::EQUALS, &values, &Values::Texts(vec![text])) == Some(false),
            None => false,
        }
    }

    fn text(&self, id: ExprId) -> Option<&'a str> {
        match self.ast.expr(id) {
            Expr::Literal(Literal::String(text)) => Some(text),
            _ => None,
        }
    }
}

/// Whether the items of a list are unique by the loose schema.
fn are_unique(Part { tight, loose, .. }: &Part<'_>) -> bool {
    let is_set = loose.ext.list_type.as_deref() == Some("set") || loose.limits.unique_items;
    is_set && unique::has_single_items(loose) && unique::has_single_items(tight)
}

/// The values of a part by the loose schema.
fn values_of<'s>(part: &Part<'s>) -> Option<Values<'s>> {
    let Part { tight, loose, .. } = part;
    if tight.nullable || loose.nullable || tight.ty != loose.ty || may_be_bytes(part) {
        return None;
    }
    match &loose.ty {
        Some(Type::Integer | Type::Number) => Some(Values::Numbers(
            loose.limits.minimum.unwrap_or(f64::NEG_INFINITY),
            loose.limits.maximum.unwrap_or(f64::INFINITY),
        )),
        Some(Type::String) if !loose.limits.enumeration.is_empty() => {
            loose.limits.enumeration.iter().map(Value::as_str).collect::<Option<_>>().map(Values::Texts)
        }
        Some(Type::String) => Some(Values::Matching(loose)),
        _ => None,
    }
}

/// Whether rules may see bytes: the size of these is not that of the text.
fn may_be_bytes(Part { tight, loose, .. }: &Part<'_>) -> bool {
    tight.limits.format != loose.limits.format || loose.limits.format == "byte"
}

/// The sizes of a part by the loose schema.
fn sizes<'s>(part: &Part<'s>) -> Option<Values<'s>> {
    let Part { tight, loose, .. } = part;
    if tight.nullable || loose.nullable || tight.ty != loose.ty || may_be_bytes(part) {
        return None;
    }
    let limits = &loose.limits;
    let (least, most) = match &loose.ty {
        Some(Type::Array) => (limits.min_items, limits.max_items),
        // The server drops fields that the new schema does not list.
        Some(Type::Object) if loose.value().is_some() && tight.value().is_some() => {
            (limits.min_properties, limits.max_properties)
        }
        Some(Type::String) => match values_of(part) {
            Some(Values::Texts(texts)) => {
                let lengths = || texts.iter().map(|text| text.chars().count() as i64);
                (lengths().min(), lengths().max())
            }
            _ => (limits.min_length, limits.max_length),
        },
        _ => return None,
    };
    Some(Values::Numbers(least.unwrap_or(0) as f64, most.map_or(f64::INFINITY, |most| most as f64)))
}

/// The result of a comparison, if it is the same for all values of both sides.
fn compared(name: &str, left: &Values<'_>, right: &Values<'_>) -> Option<bool> {
    match (left, right) {
        (Values::Numbers(a, b), Values::Numbers(c, d)) => {
            let decided = |is: bool, is_not: bool| (is || is_not).then_some(is);
            let (is_same, is_other) = (a == b && c == d && a == c, b < c || a > d);
            match name {
                ops::EQUALS => decided(is_same, is_other),
                ops::NOT_EQUALS => decided(is_other, is_same),
                ops::LESS => decided(b < c, a >= d),
                ops::LESS_EQUALS => decided(b <= c, a > d),
                ops::GREATER => decided(a > d, b <= c),
                ops::GREATER_EQUALS => decided(a >= d, b < c),
                _ => None,
            }
        }
        (Values::Texts(own), Values::Texts(others)) => {
            let is_other = !own.iter().any(|text| others.contains(text));
            let is_same = own.len() == 1 && own == others;
            match name {
                ops::EQUALS => (is_same || is_other).then_some(is_same),
                ops::NOT_EQUALS => (is_same || is_other).then_some(is_other),
                _ => None,
            }
        }
        (Values::Matching(schema), Values::Texts(texts)) => {
            let validator = Validator::new(schema, Server::NEWEST);
            let is_valid = |text: &&str| validator.validate(&Value::from(*text), &Path::ROOT).is_empty();
            let is_other = !texts.iter().any(is_valid);
            match name {
                ops::EQUALS => is_other.then_some(false),
                ops::NOT_EQUALS => is_other.then_some(true),
                _ => None,
            }
        }
        (Values::Numbers(..), _) | (Values::Texts(_) | Values::Matching(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Before, is_always_true};
    use crate::cel::{self, Kube};
    use crate::{decode, json};

    fn decided(rule: &str, tight: &str, loose: &str) -> bool {
        let schema = |properties: &str| {
            let text = format!(r#"{{"type":"object","properties":{properties}}}"#);
            decode::schema(json::read(text.as_bytes()).expect("JSON")).0.expect("a schema")
        };
        let ast = cel::parse(rule, Kube::STORED).expect("a rule");
        is_always_true(&ast, Before::Value, &schema(tight), &schema(loose))
    }

    #[test]
    fn objects_without_a_field_follow_rules_about_it() {
        let (old, new) = (r#"{"a":{"type":"string"}}"#, r#"{"a":{"type":"string"},"b":{"type":"string"}}"#);
        for (rule, expected) in [
            ("!(has(self.a) && has(self.b))", true),
            ("!has(self.b) || self.b == self.a", true),
            ("has(self.b) ? self.a == self.b : true", true),
            ("!has(self.b) || !self.b.startsWith('x') || has(self.a)", true),
            ("has(self.b)", false),
            ("has(self.a) || !has(self.b) && has(self.a)", false),
            ("!has(self.a)", false),
            ("has(self.a) ? true : !has(self.b)", true),
            ("!(has(self.a) && self.a == 'x' && has(self.b) && self.b == 'y')", true),
            ("!(has(self.a) && (has(self.b) || self.a == 'x'))", false),
        ] {
            assert_eq!(decided(rule, new, old), expected, "{rule}");
            assert!(!decided(rule, new, new), "{rule}");
        }
        let (one, several) = (
            r#"{"a":{"type":"string"}}"#,
            r#"{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}"#,
        );
        for (rule, expected) in [
            ("[has(self.b), has(self.c)].filter(x, x == true).size() <= 1", true),
            ("[has(self.a), has(self.b), has(self.c)].filter(x, x == true).size() <= 1", true),
            ("[has(self.a), has(self.b)].filter(x, x == true).size() == 1", false),
            ("[has(self.b), self.a == 'x'].filter(x, x == true).size() <= 1", false),
            ("oldSelf == null || !has(self.b) && !has(oldSelf.b) || self.b == oldSelf.b", true),
            ("!has(oldSelf.b) || has(self.b)", true),
            ("!has(oldSelf.a) || has(self.a)", false),
        ] {
            assert_eq!(decided(rule, several, one), expected, "{rule}");
        }
        let rule = "!has(self.b)";
        assert!(!decided(rule, r#"{"b":{"type":"string","default":"x"}}"#, "{}"), "the server fills it in");
        let kept = r#"{"o":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}"#;
        let listed = r#"{"o":{"type":"object","properties":{"b":{"type":"string"}}}}"#;
        let none = r#"{"o":{"type":"object"}}"#;
        assert!(!decided("!has(self.o.b)", listed, kept), "the server keeps it");
        assert!(!decided("!has(self.o.b)", listed, none), "without `o` the rule fails");
        assert!(decided("!has(self.o) || !has(self.o.b)", listed, none));
        assert!(decided("has(self.o) ? !has(self.o.b) : true", listed, none));
        assert!(decided("!(has(self.o) && has(self.o.b) && self.o.b.size() > 0)", listed, none));
        assert!(decided("!(!(!has(self.o)) && (has(self.o.b) && self.o.b == 'x'))", listed, none));
        assert!(!decided("!(!has(self.o) && has(self.o.b))", listed, none), "without `o` the rule fails");
        let texts = |format: &str| format!(r#"{{"b":{{"type":"string","minLength":4{format}}}}}"#);
        let is_met = "!has(self.b) || size(self.b) >= 4";
        assert!(decided(is_met, &texts(""), &texts("")));
        let bytes = texts(r#","format":"byte""#);
        assert!(!decided(is_met, &bytes, &bytes), "the size of bytes is not that of their text");
    }

    #[test]
    fn keywords_may_imply_rules() {
        let old = r#"{"e":{"type":"string","enum":["ab","c"]},"n":{"type":"integer","minimum":0,"maximum":9},
            "s":{"type":"string","maxLength":5},"l":{"type":"array","minItems":1,"items":{"type":"string"}},
            "t":{"type":"string"},"q":{"type":"string","nullable":true,"maxLength":5},
            "p":{"type":"string","pattern":"^[0-9]+$"},"m":{"type":"array","items":{"type":"string","pattern":"^[0-9]+$"}},"d":{"type":"integer","maximum":9,"default":1}}"#;
        for (rule, expected) in [
            ("!has(self.e) || self.e != 'bad'", true),
            ("!has(self.e) || self.e != 'c'", false),
            ("!has(self.e) || self.e in ['ab', 'c', 'd']", true),
            ("!has(self.e) || self.e in ['ab']", false),
            ("!has(self.e) || size(self.e) < 3", true),
            ("!has(self.e) || size(self.e) < 2", false),
            ("has(self.n) ? self.n <= 9 && self.n > -1 : true", true),
            ("!has(self.n) || self.n < 9", false),
            ("!has(self.n) || self.n != 10", true),
            ("!has(self.s) || self.s.size() <= 5", true),
            ("!has(self.s) || self.s.size() <= 4", false),
            ("!has(self.s) || !has(self.n) || self.s.size() < 6 && self.n >= 0", true),
            ("!has(self.l) || self.l.size() > 0", true),
            ("!has(self.q) || self.q.size() <= 5", false),
            ("!has(self.m) || !('*' in self.m)", true),
            ("!has(self.m) || !('7' in self.m)", false),
            ("!has(self.l) || !('*' in self.l)", false),
            // Without a guard, the field may be absent.
            ("self.n <= 9", false),
            ("self.n <= 9 || !has(self.n)", false),
            ("!has(self.t) || self.n <= 9", false),
            ("!has(self.p) || self.p != 'bad'", true),
            ("!has(self.p) || 'bad' != self.p", false),
            ("!has(self.p) || self.p != '7'", false),
            ("!has(self.p) || self.p == 'bad'", false),
            ("has(self.d) && self.d <= 9", true),
            ("has(self.d) && self.d <= 8", false),
            ("!has(oldSelf.e) || has(self.e)", false),
        ] {
            assert_eq!(decided(rule, old, old), expected, "{rule}");
        }
        let required =
            |ty: &str| format!(r#"{{"o":{{"type":"object","required":["f"],"properties":{{"f":{ty}}}}}}}"#);
        let (text, null) =
            (required(r#"{"type":"string"}"#), required(r#"{"type":"string","nullable":true}"#));
        let filled = required(r#"{"type":"string","default":"x"}"#);
        for (rule, tight, loose, expected) in [
            ("!has(self.o) || has(self.o.f)", &text, &text, true),
            ("!has(self.o) || !has(oldSelf.o) || has(self.o.f)", &text, &text, true),
            ("!has(self.o) || has(self.o.f)", &text, &null, false),
            ("has(self.o) && has(oldSelf.o) ? has(self.o.f) == has(oldSelf.o.f) : true", &text, &text, true),
            ("!has(self.o) || has(self.o.f)", &filled, &text, false),
            ("!has(self.o) || has(self.o.f)", &text, &r#"{"o":{"type":"object"}}"#.to_owned(), false),
        ] {
            assert_eq!(decided(rule, tight, loose), expected, "{rule} {tight} {loose}");
        }
    }
}
