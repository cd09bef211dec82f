//! JSON patches (RFC 6902) as the server's library applies them, with its words: evanphx/json-patch, version 4. It differs from the
//! RFC: `replace` adds a field that is missing, indexes from -1 on count from the end, and what is missing is null for `test`.

use crate::number::{BadNumber, atoi};
use crdgen_core::json;
use crdgen_core::json_patch::{MAX_COPIED, depth};
use crdgen_core::value::{MAX_DEPTH, Value};
use std::fmt;

/// How many values a patch may move: those in the values that it moves, and items because of items before them in lists. Not even
/// this many take seconds.
const MAX_MOVED: usize = 1 << 27;

/// A step of a patch.
#[derive(Clone, Debug)]
struct Step<'p> {
    op: &'p str,
    path: Option<&'p str>,
    from: Option<&'p str>,
    value: Option<&'p Value>,
}

/// Applies a patch.
///
/// # Errors
/// Fails if a step is not possible.
pub fn apply(document: &mut Value, steps: &[Value]) -> Result<(), NotApplied> {
    let mut patched = Patched { document, copied: 0, moved: 0 };
    for step in steps {
        let text = |name| step.get(name).and_then(Value::as_str);
        let (path, from) = (text("path"), text("from"));
        let step = Step { op: text("op").unwrap_or("unknown"), path, from, value: step.get("value") };
        patched.apply(&step).map_err(NotApplied)?;
    }
    Ok(())
}

const MISSING: &str = "missing value";
const NO_PATH: &str = "operation missing path field: missing value";
const NO_FROM: &str = "operation, missing from field: missing value";

/// Why a patch is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplied(Impossible);

impl NotApplied {
    /// Whether a test of the patch has failed.
    pub fn is_failed_test(&self) -> bool {
        matches!(self.0, Impossible::TestFailed(_))
    }
}

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a step is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Impossible {
    UnknownOperation(String),
    /// A step without one of its fields.
    NoField {
        op: String,
        field: &'static str,
        why: &'static str,
    },
    /// A part of the document is missing.
    Missing {
        op: &'static str,
        what: &'static str,
        path: String,
    },
    /// A container has no place with a key. What is done to the place of this path is described as in `error in add for path`.
    Key {
        doing: &'static str,
        path: String,
        why: BadKey,
    },
    /// A copy cannot be added.
    Copied(BadKey),
    /// The document cannot be replaced by such a value.
    NoContainer,
    TestFailed(String),
    TooDeep(String),
    /// The patch copies too many bytes.
    TooLong(usize),
    TooManyMoves,
}

/// Why a container has no place with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum BadKey {
    Number(BadNumber),
    /// An item cannot be added there.
    NoIndex {
        key: String,
        why: BadNumber,
    },
    OutOfRange(i64),
    Missing(String),
    TooManyMoves,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Impossible::UnknownOperation(op) => write!(f, "Unexpected kind: {op}"),
            Impossible::NoField { op, field, why } => {
                write!(f, "{op} operation failed to decode {field}: {why}")
            }
            Impossible::Missing { op, what, path } => {
                write!(f, "{op} operation does not apply: {what}: {path}: {MISSING}")
            }
            Impossible::Key { doing, path, why } => write!(f, "error in {doing}: '{path}': {why}"),
            Impossible::Copied(why) => write!(f, "error while adding value during copy: {why}"),
            Impossible::NoContainer => {
                f.write_str("replace operation value must be object or array: %!w(<nil>)")
            }
            Impossible::TestFailed(path) => write!(f, "testing value {path} failed: test failed"),
            Impossible::TooDeep(path) => write!(f, "{path}: the document is too deep"),
            Impossible::TooLong(copied) => write!(
                f,
                "Unable to complete the copy, the accumulated size increase of copy is {copied}, exceeding the limit {MAX_COPIED}"
            ),
            Impossible::TooManyMoves => BadKey::TooManyMoves.fmt(f),
        }
    }
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadKey::Number(why) => why.fmt(f),
            BadKey::NoIndex { key, why } => {
                write!(f, "value was not a proper array index: '{key}': {why}")
            }
            BadKey::OutOfRange(index) => {
                write!(f, "Unable to access invalid index: {index}: invalid index referenced")
            }
            BadKey::Missing(key) => write!(f, "Unable to remove nonexistent key: {key}: {MISSING}"),
            BadKey::TooManyMoves => write!(f, "the patch moves more than {MAX_MOVED} values"),
        }
    }
}

/// A document on its way through the steps.
struct Patched<'d> {
    document: &'d mut Value,
    copied: usize,
    moved: usize,
}

impl Patched<'_> {
    fn apply(&mut self, step: &Step<'_>) -> Result<(), Impossible> {
        let Step { op, path, from, value } = *step;
        let without = |field, why| Impossible::NoField { op: op.to_owned(), field, why };
        let path_of = |why| path.ok_or_else(|| without("path", why));
        let from_of = || from.ok_or_else(|| without("from", NO_FROM));
        let value = || value.cloned().unwrap_or_default();
        let missing = |op, path: &str| Impossible::Missing {
            op,
            what: "doc is missing path",
            path: format!("\"{path}\""),
        };
        match op {
            "add" => {
                let path = path_of(MISSING)?;
                let why = |why| Impossible::Key { doing: "add for path", path: path.to_owned(), why };
                self.add(path, value(), &|| missing("add", path))?.map_err(why)
            }
            "remove" => {
                let path = path_of(MISSING)?;
                let (parent, key) = find(self.document, path).ok_or_else(|| missing("remove", path))?;
                let removed = remove(parent, &key, &mut self.moved);
                let why = |why| Impossible::Key { doing: "remove for path", path: path.to_owned(), why };
                removed.map(drop).map_err(why)
            }
            "replace" => self.replace(path_of(NO_PATH)?, value()),
            "move" => self.r#move(from_of()?, path_of(NO_PATH)),
            "test" => self.test(path_of(NO_PATH)?, &value()),
            "copy" => self.copy(from_of()?, path_of(MISSING)),
            other => Err(Impossible::UnknownOperation(other.to_owned())),
        }
    }

    /// Adds a value. The inner result is about the key in a container that is there.
    fn add(
        &mut self,
        path: &str,
        value: Value,
        missing: &dyn Fn() -> Impossible,
    ) -> Result<Result<(), BadKey>, Impossible> {
        if path.matches('/').count() + depth(&value) > MAX_DEPTH {
            return Err(Impossible::TooDeep(path.to_owned()));
        }
        let (parent, key) = find(self.document, path).ok_or_else(missing)?;
        match parent {
            Value::Map(map) => drop(map.insert(key, value)),
            Value::List(items) => return Ok(add_item(items, key, value, &mut self.moved)),
            _ => return Err(missing()),
        }
        Ok(Ok(()))
    }

    fn replace(&mut self, path: &str, value: Value) -> Result<(), Impossible> {
        if path.is_empty() {
            if !matches!(value, Value::Map(_) | Value::List(_)) {
                return Err(Impossible::NoContainer);
            }
            *self.document = value;
            return Ok(());
        }
        if path.matches('/').count() + depth(&value) > MAX_DEPTH {
            return Err(Impossible::TooDeep(path.to_owned()));
        }
        let missing = |what| Impossible::Missing { op: "replace", what, path: path.to_owned() };
        match find(self.document, path).ok_or_else(|| missing("doc is missing path"))? {
            (Value::Map(map), key) => drop(map.insert(key, value)),
            (Value::List(items), key) => {
                let length = items.len();
                let index = atoi(&key).ok().and_then(|number| index(number, length).ok());
                items[index.ok_or_else(|| missing("doc is missing key"))?] = value;
            }
            _ => return Err(missing("doc is missing path")),
        }
        Ok(())
    }

    fn r#move(&mut self, from: &str, path: Result<&str, Impossible>) -> Result<(), Impossible> {
        let missing = |what, path: &str| Impossible::Missing { op: "move", what, path: path.to_owned() };
        let why = |path: &str, why| Impossible::Key { doing: "move for path", path: path.to_owned(), why };
        let (parent, key) =
            find(self.document, from).ok_or_else(|| missing("doc is missing from path", from))?;
        let value = remove(parent, &key, &mut self.moved).map_err(|it| why(&key, it))?;
        // To add a value is to look at all of it.
        shift(&mut self.moved, nodes(&value)).map_err(|_| Impossible::TooManyMoves)?;
        let path = path?;
        let added = self.add(path, value, &|| missing("doc is missing destination path", path))?;
        added.map_err(|it| why(path, it))
    }

    fn test(&mut self, path: &str, wanted: &Value) -> Result<(), Impossible> {
        let failed = || Err(Impossible::TestFailed(path.to_owned()));
        if path.is_empty() {
            return if *self.document == *wanted { Ok(()) } else { failed() };
        }
        let missing = || Impossible::Missing { op: "test", what: "is missing path", path: path.to_owned() };
        let (parent, key) = find(self.document, path).ok_or_else(missing)?;
        let why = |why| Impossible::Key { doing: "test for path", path: path.to_owned(), why };
        let found = get(parent, &key).map_err(why)?;
        if found.unwrap_or(&Value::Null) == wanted { Ok(()) } else { failed() }
    }

    fn copy(&mut self, from: &str, path: Result<&str, Impossible>) -> Result<(), Impossible> {
        let missing = |what, path: &str| Impossible::Missing { op: "copy", what, path: path.to_owned() };
        let (parent, key) =
            find(self.document, from).ok_or_else(|| missing("doc is missing from path", from))?;
        let why = |why| Impossible::Key { doing: "copy for from", path: from.to_owned(), why };
        let value = get(parent, &key).map_err(why)?.cloned().unwrap_or_default();
        let path = path?;
        self.copied = self.copied.saturating_add(json::length(&value));
        if self.copied > MAX_COPIED {
            return Err(Impossible::TooLong(self.copied));
        }
        let added = self.add(path, value, &|| missing("doc is missing destination path", path))?;
        added.map_err(Impossible::Copied)
    }
}

/// Adds an item to a list.
fn add_item(items: &mut Vec<Value>, key: String, value: Value, moved: &mut usize) -> Result<(), BadKey> {
    if key == "-" {
        items.push(value);
        return Ok(());
    }
    let number = atoi(&key).map_err(|why| BadKey::NoIndex { key, why })?;
    let index = index(number, items.len() + 1)?;
    shift(moved, items.len() - index)?;
    items.insert(index, value);
    Ok(())
}

fn decoded(step: &str) -> String {
    // The library replaces both in one pass, so `~01` is `~1`.
    let mut out = String::with_capacity(step.len());
    let mut rest = step;
    while let Some(index) = rest.find('~') {
        let (before, after) = rest.split_at(index);
        out.push_str(before);
        let (text, length) = match after.as_bytes().get(1) {
            Some(b'0') => ("~", 2),
            Some(b'1') => ("/", 2),
            _ => ("~", 1),
        };
        out.push_str(text);
        rest = &after[length..];
    }
    out + rest
}

/// The container of what a path names, and its key there.
fn find<'v>(document: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let (_, path) = path.split_once('/')?;
    let (before, last) = path.rsplit_once('/').map_or((None, path), |(before, last)| (Some(before), last));
    let mut steps = before.into_iter().flat_map(|before| before.split('/'));
    let parent = steps.try_fold(document, |value, step| {
        let step = decoded(step);
        match value {
            Value::Map(map) => map.get_mut(&step),
            Value::List(items) => {
                let length = items.len();
                let index = index(atoi(&step).ok()?, length).ok()?;
                items.get_mut(index)
            }
            _ => None,
        }
    })?;
    matches!(parent, Value::Map(_) | Value::List(_)).then(|| (parent, decoded(last)))
}

/// The value of a key. In a map it may be missing.
fn get<'v>(parent: &'v Value, key: &str) -> Result<Option<&'v Value>, BadKey> {
    match parent {
        Value::List(items) => Ok(items.get(index(atoi(key).map_err(BadKey::Number)?, items.len())?)),
        map => Ok(map.get(key)),
    }
}

fn remove(parent: &mut Value, key: &str, moved: &mut usize) -> Result<Value, BadKey> {
    match parent {
        Value::List(items) => {
            let index = index(atoi(key).map_err(BadKey::Number)?, items.len())?;
            shift(moved, items.len() - index)?;
            Ok(items.remove(index))
        }
        map => {
            let removed = map.as_map_mut().and_then(|map| map.remove(key));
            removed.ok_or_else(|| BadKey::Missing(key.to_owned()))
        }
    }
}

/// The index that a number means in a list. Negative ones count from its end.
fn index(number: i64, length: usize) -> Result<usize, BadKey> {
    let from_end = || length.checked_sub(usize::try_from(number.unsigned_abs()).ok()?);
    let index = if number < 0 { from_end() } else { usize::try_from(number).ok() };
    index.filter(|index| *index < length).ok_or(BadKey::OutOfRange(number))
}

fn shift(moved: &mut usize, items: usize) -> Result<(), BadKey> {
    *moved = moved.saturating_add(items);
    if *moved > MAX_MOVED { Err(BadKey::TooManyMoves) } else { Ok(()) }
}

/// The number of values in a value.
pub fn nodes(value: &Value) -> usize {
    match value {
        Value::List(items) => 1 + items.iter().map(nodes).sum::<usize>(),
        Value::Map(map) => 1 + map.values().map(nodes).sum::<usize>(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        json::read(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    fn patched(step: &str) -> Result<String, NotApplied> {
        let mut document = read(r#"{"a":{"b/c":1,"l":[1,2],"t":"x"}}"#);
        apply(&mut document, &[read(step)]).map(|()| json::to_string(&document))
    }

    #[test]
    fn documents_are_changed() {
        for (step, expected) in [
            (r#"{"op":"add","path":"/a/l/-","value":3}"#, r#"{"a":{"b/c":1,"l":[1,2,3],"t":"x"}}"#),
            (r#"{"op":"add","path":"/a/l/0","value":0}"#, r#"{"a":{"b/c":1,"l":[0,1,2],"t":"x"}}"#),
            (r#"{"op":"add","path":"/a/l/2","value":3}"#, r#"{"a":{"b/c":1,"l":[1,2,3],"t":"x"}}"#),
            (r#"{"op":"add","path":"/a/l/-1","value":3}"#, r#"{"a":{"b/c":1,"l":[1,2,3],"t":"x"}}"#),
            (r#"{"op":"remove","path":"/a/b~1c"}"#, r#"{"a":{"l":[1,2],"t":"x"}}"#),
            (r#"{"op":"remove","path":"/a/l/-1"}"#, r#"{"a":{"b/c":1,"l":[1],"t":"x"}}"#),
            (r#"{"op":"move","from":"/a/l/0","path":"/z"}"#, r#"{"a":{"b/c":1,"l":[2],"t":"x"},"z":1}"#),
            (r#"{"op":"copy","from":"/nope","path":"/z"}"#, r#"{"a":{"b/c":1,"l":[1,2],"t":"x"},"z":null}"#),
            (r#"{"op":"replace","path":"/z","value":1}"#, r#"{"a":{"b/c":1,"l":[1,2],"t":"x"},"z":1}"#),
            (r#"{"op":"replace","path":"","value":{}}"#, "{}"),
            (r#"{"op":"test","path":"/nope","value":null}"#, r#"{"a":{"b/c":1,"l":[1,2],"t":"x"}}"#),
        ] {
            assert_eq!(patched(step).as_deref(), Ok(expected), "{step}");
        }
    }

    /// The words of a server of 1.37 about the patches of webhooks.
    #[test]
    fn failures_have_the_words_of_the_library() {
        for (step, expected) in [
            (
                r#"{"op":"remove","path":"/nope"}"#,
                "error in remove for path: '/nope': Unable to remove nonexistent key: nope: missing value",
            ),
            (
                r#"{"op":"remove","path":"/nope/a"}"#,
                r#"remove operation does not apply: doc is missing path: "/nope/a": missing value"#,
            ),
            (
                r#"{"op":"remove","path":""}"#,
                r#"remove operation does not apply: doc is missing path: "": missing value"#,
            ),
            (
                r#"{"op":"remove","path":"/a/l/9"}"#,
                "error in remove for path: '/a/l/9': Unable to access invalid index: 9: invalid index referenced",
            ),
            (
                r#"{"op":"replace","path":"/q/b","value":1}"#,
                "replace operation does not apply: doc is missing path: /q/b: missing value",
            ),
            (
                r#"{"op":"replace","path":"/a/l/9","value":1}"#,
                "replace operation does not apply: doc is missing key: /a/l/9: missing value",
            ),
            (
                r#"{"op":"add","path":"/q/b","value":1}"#,
                r#"add operation does not apply: doc is missing path: "/q/b": missing value"#,
            ),
            (
                r#"{"op":"add","path":"a","value":1}"#,
                r#"add operation does not apply: doc is missing path: "a": missing value"#,
            ),
            (
                r#"{"op":"add","path":"/a/t/x","value":1}"#,
                r#"add operation does not apply: doc is missing path: "/a/t/x": missing value"#,
            ),
            (
                r#"{"op":"add","path":"/a/l/9","value":1}"#,
                "error in add for path: '/a/l/9': Unable to access invalid index: 9: invalid index referenced",
            ),
            (
                r#"{"op":"add","path":"/a/l/-9","value":1}"#,
                "error in add for path: '/a/l/-9': Unable to access invalid index: -9: invalid index referenced",
            ),
            (
                r#"{"op":"add","path":"/a/l/x","value":1}"#,
                r#"error in add for path: '/a/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax"#,
            ),
            (r#"{"op":"add","value":1}"#, "add operation failed to decode path: missing value"),
            (r#"{"op":"add","path":1}"#, "add operation failed to decode path: missing value"),
            (r#"{"op":"test","path":"/a/t","value":"y"}"#, "testing value /a/t failed: test failed"),
            (r#"{"op":"test","path":"/nope","value":"y"}"#, "testing value /nope failed: test failed"),
            (
                r#"{"op":"test","path":"/nope/a","value":"y"}"#,
                "test operation does not apply: is missing path: /nope/a: missing value",
            ),
            (
                r#"{"op":"copy","from":"/nope/x","path":"/b"}"#,
                "copy operation does not apply: doc is missing from path: /nope/x: missing value",
            ),
            (
                r#"{"op":"copy","path":"/b"}"#,
                "copy operation failed to decode from: operation, missing from field: missing value",
            ),
            (
                r#"{"op":"move","from":"/nope","path":"/b"}"#,
                "error in move for path: 'nope': Unable to remove nonexistent key: nope: missing value",
            ),
            (
                r#"{"op":"move","from":"/nope/x","path":"/b"}"#,
                "move operation does not apply: doc is missing from path: /nope/x: missing value",
            ),
            (r#"{"op":"nope","path":"/a"}"#, "Unexpected kind: nope"),
            (r#"{"path":"/a"}"#, "Unexpected kind: unknown"),
        ] {
            assert_eq!(patched(step).err().map(|why| why.to_string()).as_deref(), Some(expected), "{step}");
        }
    }

    /// Applies a step many times.
    fn many(step: &str) -> Option<Impossible> {
        let mut document = read(&format!(r#"{{"a":{{}},"l":["{}"]}}"#, "x".repeat(10_000)));
        apply(&mut document, &vec![read(step); 10_000]).err().map(|why| why.0)
    }

    #[test]
    fn large_values_are_not_moved_without_end() {
        let mut document = read(&format!(r#"{{"a":[{}0]}}"#, "0,".repeat(100_000)));
        let there = read(r#"{"op":"move","from":"/a","path":"/b"}"#);
        let back = read(r#"{"op":"move","from":"/b","path":"/a"}"#);
        let steps: Vec<Value> = (0..5000).flat_map(|_| [there.clone(), back.clone()]).collect();
        assert_eq!(apply(&mut document, &steps[..100]), Ok(()));
        let why = apply(&mut document, &steps).err();
        assert_eq!(
            why.map(|why| why.to_string()).as_deref(),
            Some("the patch moves more than 134217728 values")
        );
    }

    #[test]
    fn copies_double_no_document_without_end() {
        let why = many(r#"{"op":"copy","from":"/l/0","path":"/l/-"}"#);
        assert!(matches!(why, Some(Impossible::TooLong(_))));
        let why = many(r#"{"op":"copy","from":"/a","path":"/a/b"}"#);
        assert!(matches!(why, Some(Impossible::TooDeep(_))));
    }
}
