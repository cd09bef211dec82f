//! What rules read, and the constants that they compare it with.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crdgen_core::cel::ast::{Ast, Expr, ExprId, Literal, Name, ops};
use crdgen_core::cel::{self, escape};
use crdgen_core::go::duration::duration;
use crdgen_core::go::regexp::{Comparisons, Regexp};
use crdgen_core::ir::{Schema, Type};
use crdgen_core::path::Step;
use crdgen_core::sample;
use crdgen_core::value::Value;

use super::{texts, values};
use crate::place::Place;

/// Lists and texts of larger sizes are not tried.
const LARGEST_SIZE: i64 = 1100;

/// The maximum number of constants of one rule.
const MOST: usize = 40;

/// The maximum number of patterns that are compared with each other.
const MOST_PATTERNS: usize = 6;

/// The functions that compare a text with a pattern, and that read a duration.
const MATCHES: &str = "matches";
const DURATION: &str = "duration";

/// The functions that read texts in another form, and that remove white space.
const FORMS: &[&str] = &[
    "isIP",
    "ip",
    "isCIDR",
    "cidr",
    "isURL",
    "url",
    "isQuantity",
    "quantity",
    "isSemver",
    "semver",
    "timestamp",
    DURATION,
    "validate",
];
const TRIM: &str = "trim";

/// The format of texts that rules read as bytes.
const BYTE: &str = "byte";

/// The maximum number of keys of maps, and the longest of a rule's lengths.
const MOST_KEYS: usize = 80;
const LONGEST_KEY: i64 = 300;

/// The nanoseconds of a second.
const NANOSECONDS: i64 = 1_000_000_000;

/// The constants of a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    integers: Vec<i64>,
    numbers: Vec<f64>,
    texts: Vec<String>,
    /// The patterns that texts are compared with.
    patterns: Vec<String>,
    /// Whether texts are read as durations.
    has_durations: bool,
    /// Whether texts are read in another form: as addresses, times or quantities.
    has_forms: bool,
    /// Whether white space is removed from texts.
    has_spaces: bool,
    /// Whether the sign of numbers changes.
    has_signs: bool,
}

impl Constants {
    fn add(&mut self, literal: &Literal) {
        if self.integers.len() + self.numbers.len() + self.texts.len() > MOST {
            return;
        }
        match literal {
            Literal::Int(number) => self.integers.push(*number),
            Literal::Uint(number) => self.integers.extend(i64::try_from(*number)),
            Literal::Double(number) => self.numbers.push(*number),
            Literal::String(text) => self.texts.push(text.to_string()),
            Literal::Null | Literal::Bool(_) | Literal::Bytes(_) => {}
        }
    }

    fn add_pattern(&mut self, pattern: &str) {
        if self.patterns.len() < MOST_PATTERNS && !self.patterns.iter().any(|own| own == pattern) {
            self.patterns.push(pattern.to_owned());
        }
    }

    /// The values of a schema near the constants.
    pub(super) fn near(&self, place: &Place<'_>, schema: &Schema) -> Vec<Value> {
        let mut out = Vec::new();
        let near = self.integers.iter().flat_map(|it| [Some(*it), it.checked_add(1), it.checked_sub(1)]);
        let mut integers: Vec<i64> = near.flatten().collect();
        if self.has_signs {
            let opposite: Vec<i64> = integers.iter().filter_map(|it| it.checked_neg()).collect();
            integers.extend(opposite);
        }
        // The smallest comes first, because rules take longer on long lists.
        let sizes: BTreeSet<i64> =
            integers.iter().copied().filter(|it| (0..=LARGEST_SIZE).contains(it)).collect();
        let sizes = sizes.into_iter().map(|it| it as usize);
        match &schema.ty {
            Some(Type::Integer) => {
                out.extend(integers.iter().map(|it| Value::Int(*it)));
                out.extend(
                    self.numbers.iter().flat_map(|it| [it.floor() as i64, it.ceil() as i64]).map(Value::Int),
                );
            }
            Some(Type::Number) => {
                out.extend(integers.iter().map(|it| Value::Float(*it as f64)));
                out.extend(self.numbers.iter().flat_map(|it| [*it, it - 0.5, it + 0.5]).map(Value::Float));
                let all = integers.iter().map(|it| *it as f64).chain(self.numbers.iter().copied());
                out.extend(values::between(all.collect()).map(Value::Float));
            }
            Some(Type::String) => {
                out.extend(self.texts((schema, &place.patterns), sizes).into_iter().map(Value::Str))
            }
            Some(Type::Array) => {
                if let Some(items) = schema.item() {
                    out.extend(
                        sizes.map(|count| Value::List(place.examples.items(place.name(), items, count))),
                    );
                    out.extend(self.texts.iter().map(|text| Value::List(vec![Value::Str(text.clone())])));
                }
            }
            Some(Type::Object) => {
                if let Some(values) = schema.value() {
                    let entry = |key: String| {
                        let value = place.examples.value(&key, values, 0, 0);
                        (key, value)
                    };
                    out.extend(
                        sizes.map(|count| {
                            Value::Map((0..count).map(|at| entry(format!("key-{at}"))).collect())
                        }),
                    );
                    // Keys may be numbers, and rules may be about their form.
                    let numbers = integers.iter().map(i64::to_string);
                    let lengths = integers.iter().filter(|it| (0..=LONGEST_KEY).contains(*it));
                    let others = self
                        .texts((&Schema::of(Type::String), &place.patterns), lengths.map(|it| *it as usize));
                    let all = self.texts.iter().cloned().chain(numbers).chain(others);
                    for key in all.chain(texts::SOME[..8].iter().map(|it| (*it).to_owned())).take(MOST_KEYS) {
                        out.push(Value::Map([entry(key)].into_iter().collect()));
                    }
                }
            }
            Some(Type::Boolean | Type::Other(_)) | None => {}
        }
        if schema.ext.int_or_string {
            out.extend(integers.iter().map(|it| Value::Int(*it)));
            out.extend(self.texts.iter().cloned().map(Value::Str));
        }
        out
    }

    /// Adds texts that the patterns match, and texts that only one of two patterns matches.
    fn finish(&mut self, known: &Comparisons) {
        let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).collect();
        let between = texts::differences(&patterns, known);
        let samples = patterns.iter().filter_map(|pattern| Regexp::parse(pattern).ok()?.sample());
        let found: Vec<String> = between.into_iter().chain(samples).collect();
        self.texts.extend(found);
    }

    /// The constants themselves, as values of a schema.
    pub(super) fn exact(&self, schema: &Schema) -> Vec<Value> {
        let integers = || self.integers.iter().map(|it| Value::Int(*it));
        let texts = || self.texts.iter().cloned().map(Value::Str);
        match &schema.ty {
            Some(Type::Integer) => integers().collect(),
            Some(Type::Number) => self.numbers.iter().map(|it| Value::Float(*it)).chain(integers()).collect(),
            Some(Type::String) => texts().collect(),
            _ if schema.ext.int_or_string => integers().chain(texts()).collect(),
            _ => Vec::new(),
        }
    }

    /// Integers that are near a constant together with a value, in a sum or a product.
    pub(super) fn with(&self, value: i64) -> Vec<Value> {
        let ends = self.integers.iter().flat_map(|it| [it.checked_sub(value), it.checked_div(value)]);
        let near = ends.flatten().flat_map(|it| [Some(it), it.checked_add(1), it.checked_sub(1)]);
        near.flatten().map(Value::Int).collect()
    }

    /// Durations near the constants.
    fn durations(&self) -> Vec<String> {
        let texts = self.texts.iter().filter_map(|text| Some(duration(text)? / NANOSECONDS));
        let seconds = self.integers.iter().copied().chain(texts);
        let near = seconds.flat_map(|it| [Some(it), it.checked_add(1), it.checked_sub(1)]).flatten();
        near.filter(|it| *it >= 0).map(|it| format!("{it}s")).collect()
    }

    fn texts(
        &self,
        (schema, known): (&Schema, &Comparisons),
        sizes: impl Iterator<Item = usize>,
    ) -> Vec<String> {
        let mut out = self.texts.clone();
        let own = Some(schema.limits.pattern.as_str()).filter(|own| !own.is_empty());
        let patterns: Vec<&str> = self.patterns.iter().map(String::as_str).chain(own).collect();
        out.extend(texts::differences(&patterns, known));
        let pattern = Regexp::parse(&schema.limits.pattern).ok();
        if self.has_durations {
            out.extend(self.durations());
        }
        if self.has_forms {
            out.extend(texts::SOME.iter().map(|text| (*text).to_owned()));
        }
        if self.has_spaces {
            out.extend([" ", " a", "a "].map(str::to_owned));
        }
        for length in sizes {
            out.push("a".repeat(length));
            if schema.limits.format == BYTE {
                out.push(texts::of_bytes(length));
            }
            let own = pattern.as_ref().filter(|_| !schema.limits.pattern.is_empty());
            out.extend(own.and_then(|pattern| sample::of_length(pattern, length)));
        }
        for text in &self.texts {
            out.extend([format!("{text}a"), format!("a{text}"), format!("a{text}a"), text.to_uppercase()]);
            if let Some(last) = text.chars().last() {
                out.push(text[..text.len() - last.len_utf8()].to_owned());
            }
        }
        out
    }
}

/// What a rule reads.
pub(super) struct Read<'s> {
    pub(super) rule: &'s str,
    /// Whether it compares values with old ones.
    pub(super) has_old: bool,
    /// The places that it reads, and those around them.
    pub(super) places: Vec<Place<'s>>,
    /// The steps to the values that it uses with all that is in them.
    whole: HashSet<Vec<Step>>,
    pub(super) constants: Constants,
}

impl<'s> Read<'s> {
    fn new(rule: &'s str) -> Read<'s> {
        let (places, whole, constants) = (Vec::new(), HashSet::new(), Constants::default());
        Read { rule, has_old: false, places, whole, constants }
    }

    /// Adds what the rule of a place reads.
    fn read(&mut self, place: &Place<'s>) {
        let Some(ast) = cel::parse_stored(self.rule) else { return };
        self.has_old |= ast.has_name("oldSelf");
        Reader { ast: &ast, variables: Vec::new(), out: self }.whole(ast.root(), place);
    }

    /// Whether the rule reads a place.
    pub(super) fn reads(&self, place: &Place<'_>) -> bool {
        self.places.iter().any(|it| it.steps == place.steps)
    }

    /// Whether the rule reads a place, or a value in which it is.
    pub(super) fn depends_on(&self, place: &Place<'_>) -> bool {
        self.reads(place) || self.whole.iter().any(|whole| place.steps.starts_with(whole))
    }

    /// Whether the rule reads nothing but a place, and what is in it.
    pub(super) fn reads_only(&self, place: &Place<'_>) -> bool {
        let is_of = |steps: &[Step]| steps.starts_with(&place.steps);
        self.whole.iter().all(|whole| is_of(whole))
            && self.places.iter().all(|it| place.steps.starts_with(&it.steps) || is_of(&it.steps))
    }
}

/// What the rules of places read. The rules of a place are read once for all changes in it.
#[derive(Default)]
pub(crate) struct Reads<'s> {
    by_place: HashMap<Vec<Step>, Rc<[Read<'s>]>>,
}

impl<'s> Reads<'s> {
    /// The rules of a place, on both sides.
    pub(super) fn at(&mut self, place: &Place<'s>) -> Rc<[Read<'s>]> {
        if let Some(known) = self.by_place.get(&place.steps) {
            return Rc::clone(known);
        }
        let mut seen: HashSet<&str> = HashSet::new();
        let mut out = Vec::new();
        for rule in place.schemas().flat_map(|schema| &schema.rules).filter(|it| seen.insert(&it.rule)) {
            let mut own = Read::new(&rule.rule);
            own.read(place);
            own.constants.finish(&place.patterns);
            out.push(own);
        }
        let out: Rc<[Read<'s>]> = out.into();
        self.by_place.insert(place.steps.clone(), Rc::clone(&out));
        out
    }
}

/// The places that the rules of a place read, on both sides, with the constants of all these rules.
pub(super) fn reads<'s>(place: &Place<'s>) -> Vec<(Place<'s>, Constants)> {
    let mut all = Read::new("");
    for rule in place.schemas().flat_map(|schema| &schema.rules) {
        all.rule = &rule.rule;
        all.read(place);
    }
    let Read { places, mut constants, .. } = all;
    constants.finish(&place.patterns);
    places.into_iter().map(|place| (place, constants.clone())).collect()
}

struct Reader<'r, 's> {
    ast: &'r Ast,
    /// The variables of macros, with their places if they have one.
    variables: Vec<(&'r Name, Option<Place<'s>>)>,
    out: &'r mut Read<'s>,
}

impl<'r, 's> Reader<'r, 's> {
    /// Reads an expression. Returns its place, if it is a part of the object.
    fn read(&mut self, id: ExprId, this: &Place<'s>) -> Option<Place<'s>> {
        let ast = self.ast;
        match ast.expr(id) {
            Expr::Ident(name) => {
                if let Some((_, place)) = self.variables.iter().rev().find(|(own, _)| *own == name) {
                    return place.clone();
                }
                matches!(&**name, "self" | "oldSelf").then(|| self.found(this.clone()))
            }
            Expr::Select { operand, field, .. } => {
                let of = self.read(*operand, this)?;
                let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
                Some(self.found(of.field(&name)))
            }
            Expr::Literal(literal) => {
                self.out.constants.add(literal);
                None
            }
            Expr::Call { function, target, args } => {
                let is_step = matches!(&**function, ops::INDEX | ops::OPT_INDEX | ops::OPT_SELECT | "size");
                let mut read = |id: ExprId| match is_step {
                    true => self.read(id, this),
                    false => self.whole(id, this),
                };
                let of = target.map(&mut read);
                let places: Vec<Option<Place<'s>>> = args.iter().map(|arg| read(*arg)).collect();
                if &**function == MATCHES {
                    for arg in args {
                        if let Expr::Literal(Literal::String(pattern)) = ast.expr(*arg) {
                            self.out.constants.add_pattern(pattern);
                        }
                    }
                }
                self.out.constants.has_durations |= &**function == DURATION;
                self.out.constants.has_forms |= FORMS.contains(&&**function);
                self.out.constants.has_spaces |= &**function == TRIM;
                self.out.constants.has_signs |= &**function == ops::NEGATE;
                let first = places.first().cloned().flatten();
                let text = args.get(1).and_then(|arg| match ast.expr(*arg) {
                    Expr::Literal(Literal::String(text)) => Some(text),
                    _ => None,
                });
                match (&**function, first, text) {
                    (ops::INDEX | ops::OPT_INDEX | ops::OPT_SELECT, Some(of), Some(key)) => {
                        Some(self.found(of.field(key)))
                    }
                    (ops::INDEX | ops::OPT_INDEX, Some(of), None) => Some(self.found(of.element())),
                    ("value" | "orValue", _, _) => of.flatten(),
                    _ => None,
                }
            }
            Expr::Comprehension(comprehension) => {
                let range = self.read(comprehension.range, this);
                // The only variable of a map is a key.
                let has_items = |it: &Place<'_>| it.schemas().any(|schema| schema.item().is_some());
                let range = range.filter(|it| comprehension.var2.is_some() || has_items(it));
                let item = range.map(|it| self.found(it.element()));
                let before = self.variables.len();
                let element = comprehension.var2.as_ref().unwrap_or(&comprehension.var);
                self.variables.push((&comprehension.var, None));
                self.variables.push((element, item));
                self.variables.push((&comprehension.accu, None));
                for part in
                    [comprehension.init, comprehension.condition, comprehension.step, comprehension.result]
                {
                    self.whole(part, this);
                }
                self.variables.truncate(before);
                None
            }
            Expr::Unspecified | Expr::List { .. } | Expr::Map(_) | Expr::Struct { .. } => {
                let mut children = Vec::new();
                ast.children(id, &mut |child| children.push(child));
                for child in children {
                    self.whole(child, this);
                }
                None
            }
        }
    }

    /// Reads an expression whose value is used with all that is in it.
    fn whole(&mut self, id: ExprId, this: &Place<'s>) -> Option<Place<'s>> {
        let place = self.read(id, this);
        self.out.whole.extend(place.iter().map(|place| place.steps.clone()));
        place
    }

    fn found(&mut self, place: Place<'s>) -> Place<'s> {
        let is_known = |steps: &[Step]| self.out.places.iter().any(|known| known.steps == steps);
        if place.schemas().next().is_some() && !is_known(&place.steps) {
            self.out.places.push(place.clone());
        }
        place
    }
}
