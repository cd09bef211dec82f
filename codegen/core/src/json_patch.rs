//! JSON patches (RFC 6902), in whose paths a step into a list may also name an item: `name=v1`. What is not there is null for
//! `test`.

use crate::json;
use crate::value::{MAX_DEPTH, Map, Value};
use std::fmt;

/// How many bytes of JSON the copies of a patch may have, as for the server.
pub const MAX_COPIED: usize = 3 << 20;

/// How many items patches may move because of items before them in lists. Not even this many take seconds.
const MAX_MOVED: usize = 1 << 27;

/// What patches have copied and moved so far. Each copy can double a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copied {
    bytes: usize,
    moved: usize,
}

impl Copied {
    /// Whether a patch failed because it was too much.
    pub fn is_exceeded(&self) -> bool {
        self.bytes > MAX_COPIED || self.moved > MAX_MOVED
    }

    fn shift(&mut self, items: usize) -> Result<(), NotApplied> {
        self.moved = self.moved.saturating_add(items);
        let too_many = || NotApplied(format!("patches move items of lists more than {MAX_MOVED} times"));
        if self.moved > MAX_MOVED { Err(too_many()) } else { Ok(()) }
    }

    fn add(&mut self, value: &Value) -> Result<(), NotApplied> {
        self.bytes = self.bytes.saturating_add(json::length(value));
        if self.bytes <= MAX_COPIED {
            return Ok(());
        }
        Err(NotApplied(format!(
            "Unable to complete the copy, the accumulated size increase of copy is {}, exceeding the limit {MAX_COPIED}",
            self.bytes
        )))
    }
}

/// One change.
#[derive(Clone, Debug)]
pub struct Patch {
    op: String,
    path: String,
    from: String,
    value: Value,
}

/// Why a change is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplied(String);

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotApplied {}

impl Patch {
    /// Reads a change.
    pub fn read(map: &Map<Value>) -> Patch {
        let text = |name: &str| map.text(name).to_owned();
        Patch {
            op: text("op"),
            path: text("path"),
            from: text("from"),
            value: map.get("value").cloned().unwrap_or_default(),
        }
    }

    /// Changes a document, and counts what it copies.
    ///
    /// # Errors
    /// Fails if there is nothing at a path, or something else than `test` expects, or if the document becomes too large or too
    /// deep.
    pub fn apply(&self, document: &mut Value, copied: &mut Copied) -> Result<(), NotApplied> {
        let Patch { op, path, from, value } = self;
        match op.as_str() {
            "add" => put(document, path, value.clone(), Put::Add, copied),
            "replace" => put(document, path, value.clone(), Put::Replace, copied),
            "remove" => take(document, path, copied).map(drop),
            "move" => {
                let value = take(document, from, copied)?;
                put(document, path, value, Put::Add, copied)
            }
            "copy" => {
                let value = find(document, from).ok_or_else(|| nothing(from))?;
                copied.add(value)?;
                let value = value.clone();
                put(document, path, value, Put::Add, copied)
            }
            "test" if find(document, path).unwrap_or(&Value::Null) == value => Ok(()),
            "test" => Err(NotApplied(format!("{path}: another value"))),
            other => Err(NotApplied(format!(
                "{other} is not an operation. Use add, remove, replace, move, copy or test"
            ))),
        }
    }
}

/// The number of lists and maps around the innermost value.
pub fn depth(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Map(map) => 1 + map.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

fn nothing(path: &str) -> NotApplied {
    NotApplied(format!("{path}: nothing is there"))
}

/// Splits a path into its steps. The empty path is the document.
fn split(path: &str) -> Option<Vec<String>> {
    if path.is_empty() {
        return Some(Vec::new());
    }
    let rest = path.strip_prefix('/')?;
    Some(rest.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

/// Returns the index that a step into a list means.
fn index(items: &[Value], step: &str) -> Option<usize> {
    if let Some((key, wanted)) = step.split_once('=') {
        return items.iter().position(|item| item.get(key).and_then(Value::as_str) == Some(wanted));
    }
    step.parse().ok().filter(|index| *index < items.len())
}

fn child<'v>(value: &'v mut Value, step: &str) -> Option<&'v mut Value> {
    match value {
        Value::Map(map) => map.get_mut(step),
        Value::List(items) => {
            let index = index(items, step)?;
            items.get_mut(index)
        }
        _ => None,
    }
}

fn find<'v>(document: &'v Value, path: &str) -> Option<&'v Value> {
    split(path)?.iter().try_fold(document, |value, step| match value {
        Value::Map(map) => map.get(step),
        Value::List(items) => items.get(index(items, step)?),
        _ => None,
    })
}

/// Returns the parent of the last step of a path, and that step.
fn parent<'v>(document: &'v mut Value, path: &str) -> Result<(&'v mut Value, String), NotApplied> {
    let mut steps = split(path).ok_or_else(|| nothing(path))?;
    let last = steps.pop().ok_or_else(|| nothing(path))?;
    let found = steps.iter().try_fold(document, |value, step| child(value, step));
    Ok((found.ok_or_else(|| nothing(path))?, last))
}

/// Whether a value may be put where there is none, or replaces one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Put {
    Add,
    Replace,
}

fn put(
    document: &mut Value,
    path: &str,
    value: Value,
    how: Put,
    copied: &mut Copied,
) -> Result<(), NotApplied> {
    if path.is_empty() {
        *document = value;
        return Ok(());
    }
    if path.matches('/').count() + depth(&value) > MAX_DEPTH {
        return Err(NotApplied(format!("{path}: the document is too deep")));
    }
    let (parent, last) = parent(document, path)?;
    match parent {
        Value::Map(map) if how == Put::Add || map.contains_key(&last) => drop(map.insert(last, value)),
        Value::List(items) if how == Put::Add && last == "-" => items.push(value),
        Value::List(items) if how == Put::Add && last.parse() == Ok(items.len()) => items.push(value),
        Value::List(items) => {
            let index = index(items, &last).ok_or_else(|| nothing(path))?;
            if how == Put::Add {
                copied.shift(items.len() - index)?;
                items.insert(index, value);
            } else {
                items[index] = value;
            }
        }
        _ => return Err(nothing(path)),
    }
    Ok(())
}

fn take(document: &mut Value, path: &str, copied: &mut Copied) -> Result<Value, NotApplied> {
    let (parent, last) = parent(document, path)?;
    let taken = match parent {
        Value::Map(map) => map.remove(&last),
        Value::List(items) => match index(items, &last) {
            Some(index) => {
                copied.shift(items.len() - index)?;
                Some(items.remove(index))
            }
            None => None,
        },
        _ => None,
    };
    taken.ok_or_else(|| nothing(path))
}

#[cfg(test)]
mod tests {
    use super::{Copied, Patch};
    use crate::json;
    use crate::value::Value;

    #[test]
    fn documents_are_changed() {
        let patched = |patch: &str, document: &str| {
            let patch =
                json::read(patch.as_bytes()).ok().and_then(|p| p.as_map().map(Patch::read)).expect("a patch");
            let mut document: Value = json::read(document.as_bytes()).expect("JSON");
            patch.apply(&mut document, &mut Copied::default()).map(|()| json::to_string(&document))
        };
        let document = r#"{"a":{"l":[{"name":"x","n":1},{"name":"y"}],"b/c":1}}"#;
        for (patch, expected) in [
            (r#"{"op":"remove","path":"/a/l/name=x"}"#, Some(r#"{"a":{"b/c":1,"l":[{"name":"y"}]}}"#)),
            (r#"{"op":"remove","path":"/a/b~1c"}"#, Some(r#"{"a":{"l":[{"n":1,"name":"x"},{"name":"y"}]}}"#)),
            (r#"{"op":"replace","path":"/a/l","value":1}"#, Some(r#"{"a":{"b/c":1,"l":1}}"#)),
            (
                r#"{"op":"add","path":"/a/l/-","value":1}"#,
                Some(r#"{"a":{"b/c":1,"l":[{"n":1,"name":"x"},{"name":"y"},1]}}"#),
            ),
            (
                r#"{"op":"move","from":"/a/l/1","path":"/a/z"}"#,
                Some(r#"{"a":{"b/c":1,"l":[{"n":1,"name":"x"}],"z":{"name":"y"}}}"#),
            ),
            (r#"{"op":"test","path":"/a/l/name=x/n","value":1}"#, Some(document)),
            (r#"{"op":"replace","path":"/a/z","value":1}"#, None),
            (r#"{"op":"remove","path":"/a/l/7"}"#, None),
            (r#"{"op":"remove","path":""}"#, None),
        ] {
            let found = patched(patch, document).ok();
            let sorted = expected.map(|e| json::to_string(&json::read(e.as_bytes()).expect("JSON")));
            assert_eq!(found, sorted, "{patch}");
        }
    }

    /// Applies a patch again and again until it fails.
    fn until_it_fails(patch: &str) -> (usize, String) {
        let patch = json::read(patch.as_bytes()).expect("JSON");
        let patch = Patch::read(patch.as_map().expect("a map"));
        let text = format!(r#"{{"a":{{}},"l":["{}"]}}"#, "x".repeat(10_000));
        let mut document: Value = json::read(text.as_bytes()).expect("JSON");
        let mut copied = Copied::default();
        let mut why = (0..10_000).map(|_| patch.apply(&mut document, &mut copied));
        let times = why.by_ref().take_while(Result::is_ok).count();
        drop(why);
        let why = patch.apply(&mut document, &mut copied).expect_err("a limit");
        (times, why.to_string())
    }

    #[test]
    fn copies_double_no_document_without_end() {
        let (times, why) = until_it_fails(r#"{"op":"copy","from":"/l/0","path":"/l/-"}"#);
        assert!(times < 1000 && why.contains("exceeding the limit 3145728"), "{times} {why}");
        let (times, why) = until_it_fails(r#"{"op":"copy","from":"/a","path":"/a/b"}"#);
        assert!(times < 1000 && why.contains("too deep"), "{times} {why}");
    }
}
