//! Values in objects.

use crate::value::Value;

/// The value at a path.
pub(super) fn at<'v>(object: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(object, |at, name| at.get(name))
}

/// The same, to change it.
pub(super) fn at_mut<'v>(object: &'v mut Value, path: &[&str]) -> Option<&'v mut Value> {
    path.iter().try_fold(object, |at, name| at.as_map_mut()?.get_mut(name))
}

/// A map of texts.
pub(super) fn texts<const N: usize>(members: [(&str, &str); N]) -> Value {
    Value::Map(members.into_iter().map(|(name, text)| (name, Value::from(text))).collect())
}
