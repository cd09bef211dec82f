//! Checks that are rows of a table: a field, and what must be right there. The rows of a kind are in the server's order.

use super::selectors;
use super::words::{duplicate, invalid, invalid_text, negative, required, too_long, unsupported};
use crate::mistake::Mistake;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

/// A row: the path of a field in its object, and a check. `[]` means all items of a list, and the rest of the path is in these.
pub(super) type Row = (&'static str, Check);

/// What a field must be.
pub(super) enum Check {
    /// It must not be empty. The text is the reason.
    Required(&'static str),
    /// If it is set, it is one of these texts.
    OneOf(&'static [&'static str]),
    /// Each text of the list is one of these. The mistake is one of the list.
    AllOf(&'static [&'static str]),
    /// Each text of the list is one of these, and none is there twice.
    SetOf(&'static [&'static str]),
    /// The reasons of the function are the mistakes of the text, also of a missing one.
    Text(fn(&str) -> Vec<String>),
    /// The same, but only if the text is there.
    TextIfSet(fn(&str) -> Vec<String>),
    /// It has at most so many bytes, and this is the message if it has more.
    Longest(usize, Long),
    /// A selector of labels.
    Selector,
    Labels,
    NotNegative,
    /// A number that is not below a limit, with the reason.
    AtLeast(i64, &'static str),
    /// No two items have the same text in this field.
    Unique(&'static str),
    /// It never changes. Messages show the new value.
    Fixed,
    /// The same, and messages show null.
    FixedUnseen,
    /// What no row can say.
    Code(fn(&At<'_>) -> Mistakes),
}

/// The message about a text that is too long.
#[derive(Clone, Copy)]
pub(super) enum Long {
    Bytes,
    Characters,
}

/// A field of an object.
pub(super) struct At<'v> {
    pub(super) field: String,
    pub(super) value: Option<&'v Value>,
    /// The object of the field, and the one that it replaces.
    pub(super) object: &'v Value,
    pub(super) live: Option<&'v Value>,
    /// The field in the object that is replaced, if it is not in a list.
    old: Option<&'v Value>,
}

impl<'v> At<'v> {
    pub(super) fn text(&self) -> &'v str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }

    pub(super) fn items(&self) -> &'v [Value] {
        self.value.and_then(Value::as_list).unwrap_or_default()
    }

    /// The same place with another field, and what is wrong there.
    pub(super) fn child(&self, name: &str) -> String {
        format!("{}.{name}", self.field)
    }
}

/// The mistakes that the rows find in an object.
pub(super) fn mistakes(rows: &[Row], object: &Value, live: Option<&Value>) -> Mistakes {
    let mut out = Mistakes::new();
    for (path, check) in rows {
        let start = At { field: String::new(), value: Some(object), object, live, old: live };
        each(start, path, &mut |at| out.extend(check.mistakes(at)));
    }
    out
}

/// Calls a function for each field at a path.
fn each<'v>(at: At<'v>, path: &str, found: &mut dyn FnMut(&At<'v>)) {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let (name, is_list) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
    let field = if at.field.is_empty() { name.to_owned() } else { at.child(name) };
    let value = at.value.and_then(|value| value.get(name)).filter(|value| !value.is_null());
    let mut next = At { field, value, old: at.old.and_then(|old| old.get(name)), ..at };
    let mut go = |next: At<'v>| if rest.is_empty() { found(&next) } else { each(next, rest, found) };
    if !is_list {
        return go(next);
    }
    next.old = None;
    for (i, item) in next.items().iter().enumerate() {
        go(At { field: format!("{}[{i}]", next.field), value: Some(item), ..next });
    }
}

impl Check {
    fn mistakes(&self, at: &At<'_>) -> Mistakes {
        let field = || at.field.clone();
        let one = |mistake: Option<Mistake<'static>>| mistake.into_iter().collect();
        let texts = |reasons: Vec<String>| {
            reasons.iter().map(|why| invalid_text(field(), at.text(), why)).collect::<Mistakes>()
        };
        match self {
            Check::Required(why) => {
                let is_missing = at.value.is_none_or(|value| match value {
                    Value::Str(text) => text.is_empty(),
                    Value::List(items) => items.is_empty(),
                    _ => false,
                });
                one(is_missing.then(|| required(field(), why)))
            }
            Check::OneOf(known) => one(at
                .value
                .and_then(Value::as_str)
                .filter(|text| !known.contains(text))
                .map(|text| unsupported(field(), text, known))),
            Check::AllOf(known) => {
                let texts = at.items().iter().filter_map(Value::as_str);
                texts
                    .filter(|text| !known.contains(text))
                    .map(|text| unsupported(field(), text, known))
                    .collect()
            }
            Check::SetOf(known) => set_of(at, known),
            Check::Text(reasons) => texts(reasons(at.text())),
            Check::TextIfSet(reasons) if at.value.is_some() => texts(reasons(at.text())),
            Check::Longest(most, long) if at.text().len() > *most => one(Some(match long {
                Long::Bytes => too_long(field(), *most),
                Long::Characters => {
                    invalid_text(field(), at.text(), &format!("must be {most} characters or less"))
                }
            })),
            Check::TextIfSet(_) | Check::Longest(..) => Mistakes::new(),
            Check::Selector => selectors::mistakes(at.value, &at.field),
            Check::Labels => selectors::labels(at.value, &at.field),
            Check::NotNegative => one(negative(field(), at.value)),
            Check::AtLeast(least, why) => {
                let small = at.value.filter(|value| value.as_int().is_some_and(|number| number < *least));
                one(small.map(|value| invalid(field(), value, why)))
            }
            Check::Unique(name) => unique(at, name),
            Check::Fixed | Check::FixedUnseen => {
                let shown = at.value.filter(|_| matches!(self, Check::Fixed)).unwrap_or(&Value::Null);
                let is_changed = at.live.is_some() && at.value != at.old.filter(|old| !old.is_null());
                one(is_changed.then(|| invalid(field(), shown, "field is immutable")))
            }
            Check::Code(check) => check(at),
        }
    }
}

fn set_of(at: &At<'_>, known: &[&str]) -> Mistakes {
    let texts = || at.items().iter().filter_map(Value::as_str).enumerate();
    let field = |i: usize| format!("{}[{i}]", at.field);
    let unknown = texts().filter(|(_, text)| !known.contains(text));
    let unknown = unknown.map(|(i, text)| unsupported(field(i), text, known));
    let again = texts().filter(|(i, text)| texts().take(*i).any(|(_, before)| before == *text));
    unknown.chain(again.map(|(i, text)| duplicate(field(i), text))).collect()
}

fn unique(at: &At<'_>, name: &str) -> Mistakes {
    let text = |item: &'_ Value| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let items = at.items();
    let again =
        items.iter().enumerate().filter(|(i, item)| items[..*i].iter().any(|it| text(it) == text(item)));
    again.map(|(i, item)| duplicate(format!("{}[{i}].{name}", at.field), &text(item))).collect()
}
