//! What the schemas in `allOf`, `anyOf`, `oneOf` and `not` of two schemas say: whether those of one forbid what the other one allows.

use super::seen::Seen;
use super::{Comparisons, INT_OR_STRING, Out, Way, tighter};
use crate::compare::limit::Limit;
use crate::compare::presence;
use crate::encode;
use crate::ir::{Extensions, Limits, Schema, Type};
use crate::json;
use crate::listed;
use crate::value::Value;
use std::collections::{HashMap, HashSet};

impl Out<'_> {
    /// Removes the keywords that a schema of `allOf`, or all alternatives, of the loose schema imply.
    pub(super) fn retain_not_implied(&mut self) {
        let Limits { all_of, any_of, one_of, .. } = &self.loose.limits;
        let tight = self.tight;
        let implies = |clause: &Schema, keyword: &str| {
            let is_same = |limit: &Limit| match limit {
                Limit::Keyword { keyword: own, .. } | Limit::Values { keyword: own, .. } => *own == keyword,
                _ => false,
            };
            // Junctors say nothing about the keyword.
            let mut bare = tight.clone();
            (bare.limits.all_of, bare.limits.any_of, bare.limits.one_of, bare.limits.not) =
                Default::default();
            bare.rules = Vec::new();
            self.known.may_compare(&bare, clause)
                && !tighter(&bare, clause, Way::Unchanged, self.known).iter().any(is_same)
        };
        self.all.retain(|limit| match limit {
            Limit::Keyword { keyword, .. } => {
                let all = |clauses: &[Schema]| {
                    !clauses.is_empty() && clauses.iter().all(|clause| implies(clause, keyword))
                };
                !(all_of.iter().any(|clause| implies(clause, keyword)) || all(any_of) || all(one_of))
            }
            _ => true,
        });
    }

    /// Whether all values of the loose schema match a schema in a junctor of the tight one.
    fn follows(&self, clause: &Schema) -> bool {
        let is_there = |name: &String| {
            let is_filled = |property: &Schema| presence::is_filled(name, property);
            self.loose.limits.required.contains(name)
                || self.tight.properties.get(name).is_some_and(is_filled)
        };
        let mut rest = clause.clone();
        rest.limits.required.retain(|name| !is_there(name));
        matches(&rest, self.loose, self.known)
    }

    /// Whether no value of the loose schema matches this alternative, because all of them match what it excludes.
    fn is_impossible(&self, alternative: &Schema) -> bool {
        let Some(not) = alternative.limits.not.as_deref() else { return false };
        let mut rest = not.clone();
        rest.limits.required.retain(|name| !self.loose.limits.required.contains(name));
        // Whether its alternatives are possible would be asked again, without an end.
        let mut loose = self.loose.clone();
        loose.limits.any_of = Vec::new();
        matches(&rest, &loose, self.known)
    }

    /// Whether all values of the loose schema are integers and texts, and there is an alternative for each of both.
    fn is_integer_or_string(&self, alternatives: &[Schema]) -> bool {
        let loose = self.loose;
        let of_type = |ty: Type| Schema {
            ty: Some(ty),
            ext: Extensions { int_or_string: false, ..loose.ext.clone() },
            ..loose.clone()
        };
        loose.ext.int_or_string
            && INT_OR_STRING
                .map(of_type)
                .iter()
                .all(|it| alternatives.iter().any(|own| matches(own, it, self.known)))
    }

    pub(super) fn junctors(&mut self) {
        if !presence::has_junctors(self.tight) {
            return;
        }
        let mut tight = self.tight.clone();
        let seen = Seen { loose: self.loose, tight: Some(self.tight) };
        if seen.junctors(&mut tight.limits).is_none() {
            tight.limits.clone_from(&self.tight.limits);
        }
        if !presence::may_break(&tight, self.loose, &self.rules) {
            return;
        }
        let (tight, loose) = (&tight.limits, &self.loose.limits);
        let admits = |tight: &Schema, loose: &Schema| admits(tight, loose, self.known);
        let mut found = Vec::new();
        let mut add = |keyword, own: &[&Schema], other: &[&Schema]| {
            let shown = |schemas: &[&Schema]| (!schemas.is_empty()).then(|| shown(schemas));
            found.push(Limit::Junctor { keyword, own: shown(own), other: shown(other) });
        };
        // A value must match all schemas, so a new schema is stricter unless an old one implies it.
        let mut only = not_matched(&tight.all_of, &loose.all_of, admits);
        only.retain(|own| !self.follows(own));
        if !only.is_empty() {
            add("allOf", &only, &not_matched(&loose.all_of, &tight.all_of, admits));
        }
        // A value must match one of the schemas, so each old schema must still exist, or a new one must allow all its
        // values.
        let of_old = |alternatives| not_matched(alternatives, &tight.any_of, |other, own| admits(own, other));
        let mut only = of_old(&loose.any_of);
        only.retain(|other| !self.is_impossible(other));
        let is_implied = !loose.one_of.is_empty() && of_old(&loose.one_of).is_empty()
            || tight.any_of.iter().any(|own| self.follows(own))
            || self.is_integer_or_string(&tight.any_of);
        match (tight.any_of.is_empty(), loose.any_of.is_empty()) {
            (true, _) => {}
            (false, _) if is_implied => {}
            (false, true) => add("anyOf", &tight.any_of.iter().collect::<Vec<_>>(), &[]),
            (false, false) if only.is_empty() => {}
            (false, false) => {
                let new = not_matched(&tight.any_of, &loose.any_of, |a, b| a == b);
                add("anyOf", &new, &only);
            }
        }
        // A value must match exactly one of the schemas, so an additional one can reject values, too.
        let gone = not_listed(&loose.one_of, &tight.one_of);
        let new = not_listed(&tight.one_of, &loose.one_of);
        let is_same = gone.is_empty() && new.is_empty();
        if !is_same && !tight.one_of.is_empty() {
            add("oneOf", &new, &gone);
        }
        match (tight.not.as_deref(), loose.not.as_deref()) {
            (Some(own), Some(other)) if admits(other, own) => {}
            (Some(own), _) if lists_only_others(own, self.loose) => {}
            (Some(own), other) => add("not", &[own], &other.into_iter().collect::<Vec<_>>()),
            (None, _) => {}
        }
        self.all.extend(found);
    }
}

/// Whether an enum lists only values of other types than those of a schema.
fn lists_only_others(clause: &Schema, schema: &Schema) -> bool {
    let values = &clause.limits.enumeration;
    let may_be = |value: &Value| match (value, &schema.ty) {
        (Value::Map(_), Some(ty)) => *ty == Type::Object,
        (Value::List(_), Some(ty)) => *ty == Type::Array,
        (Value::Str(_), Some(ty)) => *ty == Type::String,
        (Value::Bool(_), Some(ty)) => *ty == Type::Boolean,
        (Value::Int(_) | Value::Float(_), Some(ty)) => matches!(ty, Type::Integer | Type::Number),
        (Value::Null, _) | (_, None) => true,
    };
    !schema.nullable && !values.is_empty() && !values.iter().any(may_be)
}

/// Schemas as JSON, for messages. If there are many, only the first ones are listed.
fn shown(schemas: &[&Schema]) -> String {
    listed::first(schemas.iter().map(|schema| json::to_string(&encode::schema(schema))), listed::NAMED)
}

/// How many pairs of schemas are compared at most.
const MAX_PAIRS: usize = 10_000;

/// The schemas that match none of the others. In long lists, only equal schemas match.
fn not_matched<'s>(
    all: &'s [Schema],
    others: &[Schema],
    is_match: impl Fn(&Schema, &Schema) -> bool,
) -> Vec<&'s Schema> {
    let text = |schema: &Schema| json::to_string(&encode::schema(schema));
    let equal: HashSet<String> = others.iter().map(text).collect();
    let mut left: Vec<&Schema> = all.iter().filter(|schema| !equal.contains(&text(schema))).collect();
    if left.len() * others.len() <= MAX_PAIRS {
        left.retain(|schema| !others.iter().any(|other| is_match(schema, other)));
    }
    left
}

/// Whether all values of a schema match another one, which is in a junctor and says less about types.
fn matches(clause: &Schema, schema: &Schema, known: &Comparisons) -> bool {
    let below = |own: Option<&Schema>, other: Option<&Schema>| match (own, other) {
        (None, _) => true,
        (Some(own), Some(other)) => matches(own, other, known),
        (Some(own), None) => *own == Schema::default(),
    };
    // A null matches in other ways, but the server accepts none where there is an enum.
    !(schema.nullable && schema.limits.enumeration.is_empty())
        && (clause.ty.is_none() || clause.ty == schema.ty)
        && known.may_compare(clause, schema)
        && tighter(clause, schema, Way::Unchanged, known).is_empty()
        && clause.properties.iter().all(|(name, own)| below(Some(own), schema.properties.get(name)))
        && below(clause.item(), schema.item())
        && below(clause.value(), schema.value())
}

/// The schemas that the other list does not have, or not as often.
fn not_listed<'s>(all: &'s [Schema], others: &[Schema]) -> Vec<&'s Schema> {
    let text = |schema: &Schema| json::to_string(&encode::schema(schema));
    let mut listed: HashMap<String, usize> = HashMap::new();
    for other in others {
        *listed.entry(text(other)).or_default() += 1;
    }
    let is_new = |schema: &&Schema| match listed.get_mut(&text(schema)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        Some(_) | None => true,
    };
    all.iter().filter(is_new).collect()
}

/// The fields that values have only if they match a schema.
fn excluded(not: &Schema) -> impl Iterator<Item = &str> {
    let only = |limits: Limits, of: &Schema| *of == Schema { limits, ..Schema::default() };
    let Limits { any_of, .. } = &not.limits;
    let is_choice = only(Limits { any_of: any_of.clone(), ..Limits::default() }, not);
    let clauses = if is_choice { any_of.as_slice() } else { std::slice::from_ref(not) };
    clauses.iter().filter_map(move |clause| {
        let Limits { required, .. } = &clause.limits;
        let is_field =
            required.len() == 1 && only(Limits { required: required.clone(), ..Limits::default() }, clause);
        required.first().filter(|_| is_field).map(String::as_str)
    })
}

/// Whether a schema inside `allOf` and the like allows all values that another one allows, as far as this can be known.
fn admits(tight: &Schema, loose: &Schema, known: &Comparisons) -> bool {
    let (tight, loose) = (tight.case(), loose.case());
    if tight == loose {
        return true;
    }
    let excluded: HashSet<&str> = loose.limits.not.iter().flat_map(|not| excluded(not)).collect();
    let below = |own: Option<&Schema>, other: Option<&Schema>| match (own, other) {
        (None, _) => true,
        (Some(own), Some(other)) => admits(own, other, known),
        (Some(own), None) => *own == Schema::default(),
    };
    known.may_compare(tight, loose)
        && tighter(tight, loose, Way::Unchanged, known).is_empty()
        && tight
            .properties
            .iter()
            .all(|(name, own)| excluded.contains(name) || below(Some(own), loose.properties.get(name)))
        && below(tight.item(), loose.item())
        && below(tight.value(), loose.value())
        && tight.ty == loose.ty
        && tight.nullable == loose.nullable
        && tight.ext == loose.ext
}
