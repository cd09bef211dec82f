//! Checks that are rows of a table: a field, and what must be right there. The rows of a type are in the server's order.

use super::at::{At, Mistakes};
use super::words;
use crate::mistake::Mistake;
use crdgen_core::apply::FieldType;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// A row: the path of a field, and a check. `[]` means all items of a list, and the rest of the path is in these.
pub(super) type Row = (&'static str, Check);

/// What a name must be: the reasons why it is not.
type Name = fn(&str) -> Vec<String>;

/// What decides whether a row applies.
type Condition = fn(&At<'_>) -> bool;

/// What a field must be.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// If it is there, these rows are checked in it.
    In(&'static [Row]),
    /// The rows of another type, or those for which there is a condition.
    All(&'static [Row]),
    If(Condition, &'static [Row]),
    /// The rules that the server's types declare. Updates do not check them again in lists that stay as they are.
    Declared(&'static [Row]),
    /// A list with at most so many items, which the types declare, and the rows of a list that has no more.
    UpTo(usize, &'static [Row]),
    /// It must not be empty. The text is the reason.
    Required(&'static str),
    /// It must not be there.
    Forbidden(&'static str),
    /// It is there, and one of these texts.
    Known(&'static [&'static str]),
    /// It is one of these texts. A missing one is the empty text.
    Of(&'static [&'static str]),
    /// If it is there, it is one of these texts.
    OneOf(&'static [&'static str]),
    /// If it is not empty, it is one of these texts.
    OneOfOrEmpty(&'static [&'static str]),
    /// Each text of the list is one of these. The mistake is one of the list.
    AllOf(&'static [&'static str]),
    /// Each text of the list is one of these, and none is there twice.
    SetOf(&'static [&'static str]),
    /// A name, also if it is missing.
    Name(Name),
    /// The same, unless it is empty.
    NameOrEmpty(Name),
    /// The same, if it is there.
    NameIfSet(Name),
    /// The same, and it is required.
    NeedsName(Name),
    /// It has at most so many bytes.
    Longest(usize),
    /// It has at most so many items.
    Most(usize),
    NotNegative,
    /// If it is there, it is a number between these two, with the reason.
    Between(i64, i64, &'static str),
    /// The same, and a missing one is zero.
    ZeroOrBetween(i64, i64, &'static str),
    /// The number of a port, which is zero if it is missing.
    Port,
    /// The number or the name of a port.
    PortOrName,
    /// A number of pods, or a percentage of them.
    Amount,
    /// No two items have the same text in this field.
    Unique(&'static str),
    /// No two texts of the list are the same.
    UniqueTexts,
    /// No two items have the same texts in these fields. Messages show the second one as this type of clients.
    UniqueBy(&'static [&'static str], &'static str),
    /// It never changes. Messages show the new value.
    Fixed,
    /// The same, and messages show it as this type of the server.
    FixedAs(&'static str),
    /// The same, and messages show null.
    FixedUnseen,
    /// The reason why it is wrong, if the condition is true.
    InvalidIf(Condition, &'static str),
    /// The reason why it must not be there, if the condition is true.
    ForbiddenIf(Condition, &'static str),
    /// The reason why it is missing, if the condition is true.
    RequiredIf(Condition, &'static str),
    /// A warning, if the condition is true.
    WarnIf(Condition, &'static str),
    /// What no row can say.
    Code(fn(&At<'_>, &mut Mistakes)),
}

/// Whether the object is created. A condition.
pub(super) fn is_new(at: &At<'_>) -> bool {
    at.is_new()
}

/// Whether an update changes the field. A condition.
pub(super) fn is_changed(at: &At<'_>) -> bool {
    at.is_changed()
}

/// What the rows find in a field.
pub(super) fn check(rows: &[Row], at: &At<'_>, out: &mut Mistakes) {
    for (path, check) in rows {
        each(at, path, &mut |at| check.check(at, out));
    }
}

/// Calls a function for each field at a path.
fn each(at: &At<'_>, path: &'static str, found: &mut dyn FnMut(&At<'_>)) {
    match path.split_once("[]") {
        None if path.is_empty() => found(at),
        None => found(&at.get(path)),
        Some((list, rest)) => {
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            at.get(list).each().for_each(|item| each(&item, rest, found));
        }
    }
}

impl Check {
    fn check(self, at: &At<'_>, out: &mut Mistakes) {
        let names = |check: Name| at.wrong_text(check(at.text()));
        let is_none_of = |known: &[&str]| !known.contains(&at.text());
        match self {
            Check::In(rows) if at.is_set() => check(rows, at, out),
            Check::All(rows) => check(rows, at, out),
            Check::If(condition, rows) if condition(at) => check(rows, at, out),
            Check::Declared(rows) => {
                let first = out.len();
                check(rows, at, out);
                out[first..].iter_mut().for_each(|it| it.is_declared = !at.is_kept);
            }
            Check::UpTo(most, rows) => {
                let is_kept = at.is_kept || !at.is_new() && !at.is_changed();
                match at.items().len() > most {
                    true => out.push(Mistake { is_declared: !is_kept, ..at.too_many(most) }),
                    false => check(rows, &At { is_kept, ..at.clone() }, out),
                }
            }
            Check::Required(why) if at.is_empty() => out.push(at.required(why)),
            Check::Forbidden(why) if at.is_set() => out.push(at.forbidden(why)),
            Check::Known(_) if at.text().is_empty() => out.push(at.required("")),
            Check::Known(known) | Check::Of(known) if is_none_of(known) => out.push(at.unsupported(known)),
            Check::OneOf(known) if at.is_set() && is_none_of(known) => out.push(at.unsupported(known)),
            Check::OneOfOrEmpty(known) if !at.is_empty() && is_none_of(known) => {
                out.push(at.unsupported(known));
            }
            Check::AllOf(known) => {
                let texts = at.texts().into_iter().filter(|text| !known.contains(text));
                out.extend(texts.map(|text| at.unsupported_text(text, known)));
            }
            Check::SetOf(known) => set_of(at, known, out),
            Check::NeedsName(_) if at.text().is_empty() => out.push(at.required("")),
            Check::Name(name) | Check::NeedsName(name) => out.extend(names(name)),
            Check::NameOrEmpty(name) if !at.text().is_empty() => out.extend(names(name)),
            Check::NameIfSet(name) if at.is_set() => out.extend(names(name)),
            Check::Longest(most) if at.text().len() > most => out.push(at.too_long(most)),
            Check::Most(most) if at.items().len() > most => out.push(at.too_many(most)),
            Check::NotNegative if at.number() < 0 => {
                out.push(at.invalid("must be greater than or equal to 0"));
            }
            Check::Between(least, most, why) if at.int().is_some_and(|it| !(least..=most).contains(&it)) => {
                out.push(at.invalid(why));
            }
            Check::ZeroOrBetween(least, most, why) if !(least..=most).contains(&at.number()) => {
                out.push(at.invalid_as(&at.number().to_string(), why));
            }
            Check::Port => out.extend(words::port(at)),
            Check::PortOrName => out.extend(words::port_or_name(at)),
            Check::Amount => out.extend(words::amount(at)),
            Check::Unique(name) => unique(at, name, out),
            Check::UniqueTexts => {
                out.extend(twice(at, |item| item.as_str()).map(|item| item.duplicate()));
            }
            Check::UniqueBy(names, ty) => unique_by(at, names, ty, out),
            Check::Fixed if at.is_changed() => out.push(at.immutable()),
            Check::FixedAs(ty) if at.is_changed() => out.push(at.invalid_of(ty, "field is immutable")),
            Check::FixedUnseen if at.is_changed() => {
                out.push(at.invalid_as("null", "field is immutable"));
            }
            Check::InvalidIf(condition, why) if condition(at) => out.push(at.invalid(why)),
            Check::ForbiddenIf(condition, why) if condition(at) => out.push(at.forbidden(why)),
            Check::RequiredIf(condition, why) if condition(at) => out.push(at.required(why)),
            Check::WarnIf(condition, why) if condition(at) => out.push(at.warning(why)),
            Check::Code(check) => check(at, out),
            // Nothing is wrong.
            Check::In(_)
            | Check::If(..)
            | Check::Required(_)
            | Check::Forbidden(_)
            | Check::Known(_)
            | Check::Of(_)
            | Check::OneOf(_)
            | Check::OneOfOrEmpty(_)
            | Check::NameOrEmpty(_)
            | Check::NameIfSet(_)
            | Check::Longest(_)
            | Check::Most(_)
            | Check::NotNegative
            | Check::Between(..)
            | Check::ZeroOrBetween(..)
            | Check::Fixed
            | Check::FixedAs(_)
            | Check::FixedUnseen
            | Check::InvalidIf(..)
            | Check::ForbiddenIf(..)
            | Check::RequiredIf(..)
            | Check::WarnIf(..) => {}
        }
    }
}

fn set_of(at: &At<'_>, known: &[&str], out: &mut Mistakes) {
    let items = || at.each().filter(|item| item.value.is_some_and(|it| it.as_str().is_some()));
    out.extend(items().filter(|item| !known.contains(&item.text())).map(|item| item.unsupported(known)));
    check(&[("", Check::UniqueTexts)], at, out);
}

fn unique(at: &At<'_>, name: &'static str, out: &mut Mistakes) {
    let text = |item: &Value| {
        let text = item.get(name).and_then(Value::as_str);
        Some(text.unwrap_or_default().to_owned())
    };
    out.extend(twice(at, text).map(|item| item.get(name)).map(|at| at.duplicate_text(at.text())));
}

fn unique_by(at: &At<'_>, names: &[&str], ty: &'static str, out: &mut Mistakes) {
    let text = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let of = FieldType::of_model(ty);
    for item in twice(at, |item| Some(names.iter().map(|name| text(item, name)).collect::<Vec<_>>())) {
        let shown = of.zip(item.value).map(|(of, value)| of.json(value));
        out.push(item.mistake(Kind::Duplicate, shown.unwrap_or_default()));
    }
}

/// The items of a list that have the key of one before.
pub(super) fn twice<'a, 'v: 'a, K: Ord + 'a>(
    at: &'a At<'v>,
    key: impl Fn(&'v Value) -> Option<K> + 'a,
) -> impl Iterator<Item = At<'v>> + 'a {
    let mut seen = BTreeSet::new();
    at.each().filter(move |item| item.value.and_then(&key).is_some_and(|key| !seen.insert(key)))
}
