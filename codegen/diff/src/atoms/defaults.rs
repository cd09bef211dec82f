//! Defaults that change: what reads the value that the server fills in, and objects for which it matters.

use crdgen_core::cel::ast::{Ast, Expr, ExprId, Literal};
use crdgen_core::cel::{self, escape};
use crdgen_core::compare::readers::junctors_read;
use crdgen_core::ir::{Schema, Type};
use crdgen_core::path::Step;
use crdgen_core::value::Value;
use std::borrow::Cow;

use super::rules::{Constants, Reads};
use super::{Atom, set};
use crate::place::Place;

/// How many items without a value are tried.
const COUNTS: [usize; 5] = [1, 2, 3, 4, 8];

/// What reads the value of a place for which the schemas have other defaults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Readers {
    None,
    /// Rules that read nothing else, so that their result is the same for all objects without the value.
    Alone,
    Others,
}

/// What of the new schema reads the default of a place. The default meets the keywords and rules of the place itself.
pub(crate) fn readers<'s>(
    place: &Place<'s>,
    old: &'s Schema,
    new: &'s Schema,
    reads: &mut Reads<'s>,
) -> Readers {
    // A null in a list stays there if the schema allows it.
    let is_item = matches!(place.steps.last(), Some(Step::Index(_)));
    let default = |schema: Option<&'s Schema>| {
        schema.filter(|schema| !(is_item && schema.nullable)).and_then(|schema| schema.default.as_ref())
    };
    let defaults = (default(place.old), default(place.new));
    match defaults {
        (before, after) if before == after => return Readers::None,
        // The server accepted no null there.
        (None, _) if is_item => return Readers::None,
        (_, None) if is_item => return Readers::Others,
        _ => {}
    }
    let mut out = Readers::None;
    for len in 0..place.steps.len() {
        let around = place.around(len, old, new);
        let Some(schema) = around.new else { continue };
        if keywords_read(schema, place, len, defaults) {
            return Readers::Others;
        }
        for read in reads.at(&around).iter().filter(|it| it.depends_on(place)) {
            let has = |schema: Option<&Schema>| {
                schema.is_some_and(|schema| schema.rules.iter().any(|rule| rule.rule == read.rule))
            };
            // A list may have other items, and a map other keys.
            let is_one = place.each_step().skip(len).all(|(_, is_any)| !is_any);
            out = out.max(match read.reads_only(place) && is_one && !read.has_old {
                _ if !has(around.new) => Readers::None,
                true => Readers::Alone,
                false if has(around.old) && is_kept(read.rule, &place.steps[len..], place, defaults) => {
                    Readers::None
                }
                false => Readers::Others,
            });
        }
    }
    out
}

/// Whether keywords of a schema around a place, with so many steps, read the default of the place.
fn keywords_read(
    schema: &Schema,
    place: &Place<'_>,
    len: usize,
    (before, after): (Option<&Value>, Option<&Value>),
) -> bool {
    let inside = &place.steps[len..];
    let is_other_presence = before.is_some() != after.is_some();
    let is_of_field = inside.len() == 1 && is_other_presence;
    let limits = &schema.limits;
    // The server drops fields that are not listed.
    let is_full = |most: i64| {
        let is_open = schema.preserves_unknown_fields() || schema.additional_properties.is_some();
        is_open || i64::try_from(schema.properties.len()).is_ok_and(|count| count > most)
    };
    let first = place.each_step().nth(len);
    let is_inside = |name: &String| {
        first.is_some_and(|(step, is_any)| is_any || matches!(step, Step::Key(key) if key == name))
    };
    let is_counted = match after {
        Some(_) => limits.max_properties.is_some_and(is_full),
        None => limits.min_properties.is_some() || limits.required.iter().any(is_inside),
    };
    let is_key = || match inside {
        [_, Step::Key(name), ..] => schema.ext.list_map_keys.contains(name),
        _ => true,
    };
    let is_in_list = matches!(inside.first(), Some(Step::Index(_)));
    let is_item_read = match schema.ext.list_type.as_deref() {
        Some("set") => true,
        Some("map") => is_key(),
        _ => limits.unique_items,
    };
    !limits.enumeration.is_empty()
        || is_of_field && is_counted
        || is_in_list && is_item_read
        || junctors_read(schema, inside, is_other_presence)
}

/// Whether all objects without a value that met a rule with one default meet it with the other one.
fn is_kept(
    rule: &str,
    steps: &[Step],
    place: &Place<'_>,
    (before, after): (Option<&Value>, Option<&Value>),
) -> bool {
    let Some(ast) = cel::parse_stored(rule) else { return false };
    let is_number = place.new.is_some_and(|new| new.ty == Some(Type::Number));
    let filled = |default: Option<&Value>| {
        let literal = match default {
            Some(Value::Int(number)) if is_number => Some(Literal::Double(*number as f64)),
            Some(Value::Int(number)) => Some(Literal::Int(*number)),
            Some(Value::Float(number)) => Some(Literal::Double(*number)),
            Some(Value::Str(text)) => Some(Literal::String(text.as_str().into())),
            Some(Value::Bool(value)) => Some(Literal::Bool(*value)),
            Some(Value::Null | Value::List(_) | Value::Map(_)) | None => None,
        };
        let mut out = ast.clone();
        let mut open = vec![ast.root()];
        while let Some(id) = open.pop() {
            let value = match ast.expr(id) {
                Expr::Select { test_only: true, .. } => Some(Literal::Bool(default.is_some())),
                _ => literal.clone(),
            };
            match value.filter(|_| leads_to(&ast, id, steps)) {
                Some(value) => *out.expr_mut(id) = Expr::Literal(value),
                None => ast.children(id, &mut |child| open.push(child)),
            }
        }
        out
    };
    !ast.has_name("oldSelf") && filled(before).implies(&filled(after))
}

/// Whether an expression selects a field of the value of a rule, by all these steps.
fn leads_to(ast: &Ast, id: ExprId, steps: &[Step]) -> bool {
    match (ast.expr(id), steps.split_last()) {
        (Expr::Ident(name), None) => &**name == "self",
        (Expr::Select { operand, field, .. }, Some((Step::Key(name), rest))) => {
            let field = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
            field == name.as_str() && leads_to(ast, *operand, rest)
        }
        _ => false,
    }
}

/// Lists whose items lack a value, or of which one has it: with a default they may be equal, or too much together.
pub(super) fn in_list(place: &Place<'_>, old: &Schema, new: &Schema) -> Vec<Atom> {
    let Some(at) = place.steps.iter().rposition(|step| matches!(step, Step::Index(_))) else {
        return Vec::new();
    };
    let (list, item) = (place.around(at, old, new), place.around(at + 1, old, new));
    let Some(own) = item.old else { return Vec::new() };
    let inside = &place.steps[at + 1..];
    let without = |number: usize| {
        let mut out = list.examples.value(list.name(), own, 0, number);
        match inside.split_last() {
            None => out = Value::Null,
            Some((Step::Key(name), around)) => {
                let map = out.at_mut(around).and_then(Value::as_map_mut);
                map.into_iter().for_each(|map| _ = map.remove(name));
            }
            Some((Step::Index(_), _)) => {}
        }
        out
    };
    let defaults = [place.new, place.old].into_iter().flatten().filter_map(|schema| schema.default.clone());
    let pairs = defaults.filter_map(|default| {
        let mut other = without(0);
        match inside {
            [] => other = default,
            _ => set(&mut other, inside, default).then_some(())?,
        }
        Some(vec![without(0), other])
    });
    let many = COUNTS.iter().map(|count| (0..*count).map(without).collect());
    let at = &place.steps[..at];
    pairs.chain(many).map(|items| Atom { at: at.to_vec(), value: Some(Value::List(items)) }).collect()
}

/// Values of another place that may matter together with a default of `own`.
pub(super) fn near(own: &Schema, default: &Value, other: &Schema, constants: &Constants) -> Vec<Value> {
    let mut out = Vec::new();
    if own.ty == other.ty {
        out.push(default.clone());
    }
    if let (Value::Int(number), Some(Type::Integer)) = (default, &other.ty) {
        out.extend(constants.with(*number));
    }
    if let Value::List(items) = default
        && own.item().is_some_and(|item| item.ty == other.ty)
    {
        out.extend(items.iter().cloned());
    }
    if other.item().is_some_and(|item| item.ty == own.ty) {
        out.push(Value::List(vec![default.clone()]));
    }
    out
}
