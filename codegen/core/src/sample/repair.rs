//! Changes an example until the server accepts it. The search applies the first change that leaves fewer errors.

use super::make::{Maker, VARIANTS};
use super::{asked, named, solve};
use crate::diag::Diag;
use crate::ir::Schema;
use crate::path::Step;
use crate::rules::reads::is_built_in;
use crate::value::Value;

/// How many changed objects are checked for one example.
pub(super) const QUESTIONS: usize = 400;

/// How many are checked for an example that clients can also edit.
pub(super) const FEW: usize = 80;

/// The part of them that solves the rule of an error, after all other changes: one of so many.
const SOLVED: usize = 4;

/// How many items of a list are changed.
const MOST_ITEMS: usize = 2;

/// The errors of an object, and whether all of them come from rules.
pub(super) type Complaints = Option<(bool, Vec<Diag>)>;

/// Whether the server accepts an object.
pub(super) fn is_accepted(complaints: &Complaints) -> bool {
    complaints.as_ref().is_some_and(|(_, errors)| errors.is_empty())
}

/// The changed object that the server accepts, if one is found by checking at most this many objects. Otherwise the first error that
/// no change repairs, if the object can be read.
pub(super) fn until_accepted(
    mut object: Value,
    maker: &Maker<'_>,
    complaints: &dyn Fn(&Value) -> Complaints,
    most: usize,
) -> Result<Value, Option<Box<Diag>>> {
    let mut found = complaints(&object).ok_or(None)?;
    let mut questions = 0;
    while let Some(first) = found.1.first() {
        let before = rank(&found);
        let asked = asked(&object, first, maker);
        let near = asked.iter().cloned().chain(changes(&object, &first.steps, maker));
        let near = near.take(usize::saturating_sub(most, questions));
        let solved = std::iter::once(()).flat_map(|()| solved(&object, first, maker, &asked));
        let better = near.chain(solved.take(most / SOLVED)).find_map(|changed| {
            questions += 1;
            let complaints = complaints(&changed)?;
            (rank(&complaints) < before).then_some((changed, complaints))
        });
        (object, found) = better.ok_or_else(|| Some(Box::new(first.clone())))?;
    }
    Ok(object)
}

/// The server runs rules last, so an object with errors only from rules is closer to being accepted.
fn rank((only_rules, errors): &(bool, Vec<Diag>)) -> (bool, usize) {
    (!only_rules, errors.len())
}

/// Objects with one change near a place, the most likely fix first: another value, an additional field, a field less.
/// At the end, the place or something around it is removed.
fn changes<'m>(
    object: &'m Value,
    place: &'m [Step],
    maker: &'m Maker<'_>,
) -> impl Iterator<Item = Value> + 'm {
    // If something is missing, the object around it must change.
    let known = (0..=place.len()).rev().find(|len| object.at(&place[..*len]).is_some()).unwrap_or(0);
    let around = [known, known.saturating_sub(1)].into_iter().take(1 + usize::from(known > 0));
    let missing =
        place.get(known).and_then(|step| if let Step::Key(name) = step { Some(name) } else { None });
    let near = around.flat_map(move |len| near(object, &place[..len], missing, maker));
    let without = (1..=known).rev().filter_map(move |len| {
        let is_frame = len == 1 && matches!(&place[0], Step::Key(name) if is_built_in(name));
        if is_frame {
            None
        } else {
            changed(object, &place[..len - 1], |parent| remove(parent, &place[len - 1]))
        }
    });
    near.chain(without)
}

/// Objects with the values that the rule of an error compares its fields with.
fn asked(object: &Value, error: &Diag, maker: &Maker<'_>) -> Vec<Value> {
    let Some((place, schema, rule)) = with_rule(error, maker) else { return Vec::new() };
    let set = |values: Vec<(Vec<Step>, Value)>| {
        let out = values.into_iter().try_fold(object.clone(), |out, (below, value)| {
            let at: Vec<Step> = place.iter().cloned().chain(below).collect();
            changed(&out, &at, |own| {
                match (own, value) {
                    (Value::Map(own), Value::Map(keys)) => {
                        keys.into_iter().for_each(|(key, value)| _ = own.insert(key, value));
                    }
                    (own, value) => *own = value,
                }
                Some(())
            })
        });
        out.filter(|out| out != object)
    };
    let example = |key: &str, values: &Schema| maker.alone(key, values, 0);
    asked::values(schema, rule, &example).into_iter().filter_map(set).collect()
}

/// Objects in which other values solve the rule of an error, starting with the object and with those that the rule asks for.
fn solved<'m>(
    object: &'m Value,
    error: &'m Diag,
    maker: &Maker<'m>,
    asked: &'m [Value],
) -> impl Iterator<Item = Value> + 'm {
    with_rule(error, maker).into_iter().flat_map(move |(place, schema, rule)| {
        let starts = std::iter::once(object).chain(asked);
        let solutions = starts.flat_map(move |start| {
            let changes = start.at(place).map(|value| solve::solutions(rule, value)).unwrap_or_default();
            changes.into_iter().filter_map(move |change| put(start, place, change))
        });
        let others = object.at(place).map(|value| solve::others(schema, rule, value)).unwrap_or_default();
        solutions.chain(others.into_iter().filter_map(move |change| put(object, place, change)))
    })
}

/// A copy with values at places below one.
fn put(object: &Value, place: &[Step], change: solve::Change) -> Option<Value> {
    change.into_iter().try_fold(object.clone(), |out, (below, value)| {
        let at = [place, &below].concat();
        let (last, around) = at.split_last()?;
        changed(&out, around, |around| match (around, last) {
            (Value::Map(map), Step::Key(name)) => {
                map.insert(name.as_str(), value);
                Some(())
            }
            (Value::List(items), Step::Index(index)) => items.get_mut(*index).map(|item| *item = value),
            _ => None,
        })
    })
}

/// The rule of an error, and the place and schema that have it. The error may be about a field inside of what the rule is about.
fn with_rule<'e>(error: &'e Diag, maker: &Maker<'e>) -> Option<(&'e [Step], &'e Schema, &'e str)> {
    let rule = error.rule.as_deref()?;
    let places = (0..=error.steps.len()).rev().map(|len| &error.steps[..len]);
    let mut of_rule = places.filter_map(|place| Some((place, solve::schema_at(maker.schema, place)?, rule)));
    of_rule.find(|(_, schema, _)| schema.rules.iter().any(|it| it.rule == rule))
}

/// Objects with a change at a place or directly below it.
fn near<'m>(
    object: &'m Value,
    place: &'m [Step],
    missing: Option<&'m String>,
    maker: &'m Maker<'_>,
) -> Box<dyn Iterator<Item = Value> + 'm> {
    let own = place.iter().rev().find_map(|step| if let Step::Key(name) = step { Some(name) } else { None });
    let own = own.map_or("", String::as_str);
    let Some(schema) = solve::schema_at(maker.schema, place) else { return Box::new(std::iter::empty()) };
    let at_root = place.is_empty();
    let fields = move || schema.properties.iter().filter(move |(name, _)| !(at_root && is_built_in(name)));
    let has = move |name: &str| object.at(place).is_some_and(|it| it.get(name).is_some());
    let set = move |name: &str, value: Value| {
        changed(object, place, |it| {
            it.as_map_mut()?.insert(name, value);
            Some(())
        })
    };
    let values = (0..VARIANTS).filter(move |_| !at_root).filter_map(move |variant| {
        changed(object, place, |it| {
            let value = maker.alone(own, schema, variant);
            (*it != value).then(|| *it = value)
        })
    });
    let names = std::iter::once(()).filter(move |()| at_root).flat_map(move |()| named::names(schema));
    let names = names.filter_map(move |name| {
        changed(object, place, |it| {
            it.as_map_mut()?.get_mut("metadata")?.as_map_mut()?.insert("name", Value::from(name));
            Some(())
        })
    });
    let wanted = fields().filter(move |(name, _)| missing.is_some_and(|it| it == name));
    let more = wanted.chain(fields().filter(move |(name, _)| !has(name)));
    // The server adds the default of a field by itself.
    let more = more.filter_map(move |(name, property)| {
        set(name, maker.alone(name, property, usize::from(property.default.is_some())))
    });
    let fewer = fields()
        .filter(move |(name, _)| has(name))
        .filter_map(move |(name, _)| changed(object, place, |it| it.as_map_mut()?.remove(name).map(drop)));
    let others = fields().filter(move |(name, _)| has(name)).flat_map(move |(name, property)| {
        (0..VARIANTS).filter_map(move |variant| set(name, maker.alone(name, property, variant)))
    });
    // A rule of a list may be about its items.
    let count = object.at(place).and_then(Value::as_list).map_or(0, |items| items.len().min(MOST_ITEMS));
    let inside = (0..count).flat_map(move |index| {
        let item = [place, &[Step::Index(index)]].concat();
        near(object, &item, None, maker).collect::<Vec<Value>>()
    });
    let empty = changed(object, place, |it| match it {
        Value::List(items) if !items.is_empty() => {
            items.clear();
            Some(())
        }
        _ => None,
    });
    Box::new(names.chain(more).chain(fewer).chain(others).chain(values).chain(inside).chain(empty))
}

/// A copy with a change at a place. None if there is nothing to change.
fn changed(object: &Value, place: &[Step], change: impl FnOnce(&mut Value) -> Option<()>) -> Option<Value> {
    let mut out = object.clone();
    let mut at = &mut out;
    for step in place {
        at = match (step, at) {
            (Step::Key(name), Value::Map(map)) => map.get_mut(name)?,
            (Step::Index(index), Value::List(list)) => list.get_mut(*index)?,
            _ => return None,
        };
    }
    change(at)?;
    Some(out)
}

fn remove(parent: &mut Value, step: &Step) -> Option<()> {
    match (step, parent) {
        (Step::Key(name), Value::Map(map)) => map.remove(name).map(drop),
        (Step::Index(index), Value::List(list)) if *index < list.len() => {
            list.remove(*index);
            Some(())
        }
        _ => None,
    }
}
