//! A value inside an object, for checks that need the whole object.

use crate::value::Value;

/// The path from an object down to a value in it.
#[derive(Clone, Copy)]
pub(crate) struct Surrounding<'a>(Option<(&'a Surrounding<'a>, Down<'a>)>);

#[derive(Clone, Copy)]
enum Down<'a> {
    Member(&'a str),
    Item,
}

impl<'a> Surrounding<'a> {
    /// The value is the whole object.
    pub(crate) const NONE: Surrounding<'static> = Surrounding(None);

    /// A member of this object.
    pub(crate) fn member<'b>(&'b self, name: &'b str) -> Surrounding<'b> {
        Surrounding(Some((self, Down::Member(name))))
    }

    /// The first item of this list.
    pub(crate) fn item(&self) -> Surrounding<'_> {
        Surrounding(Some((self, Down::Item)))
    }

    /// An object that contains only the value, at this place.
    pub(crate) fn around(&self, value: Value) -> Value {
        let mut value = value;
        let mut at = self;
        while let Some((up, step)) = &at.0 {
            value = match step {
                Down::Member(name) => Value::Map(std::iter::once((*name, value)).collect()),
                Down::Item => Value::List(vec![value]),
            };
            at = up;
        }
        value
    }

    /// Takes the value at this place out of an object. None if it was removed.
    pub(crate) fn extract(&self, object: Value) -> Option<Value> {
        match &self.0 {
            None => Some(object),
            Some((up, step)) => match (step, up.extract(object)?) {
                (Down::Member(name), Value::Map(mut map)) => map.remove(name),
                (Down::Item, Value::List(items)) => items.into_iter().next(),
                _ => None,
            },
        }
    }
}
