//! Changes CRDs with JSON Patch. In addition to indexes, a step into a list may name an item: `name=v1`.

use super::failure::Failure;
use super::text;
use crdgen_core::value::{Map, Value};

/// One change.
#[derive(Clone, Debug)]
pub struct Patch {
    op: String,
    path: String,
    from: String,
    value: Value,
}

impl Patch {
    /// Reads a change.
    pub fn read(map: &Map<Value>) -> Patch {
        Patch {
            op: text(map, "op"),
            path: text(map, "path"),
            from: text(map, "from"),
            value: map.get("value").cloned().unwrap_or_default(),
        }
    }

    /// Changes a document, or returns why it cannot.
    pub fn apply(&self, document: &mut Value) -> Result<(), Failure> {
        match self.op.as_str() {
            "add" => put(document, &self.path, self.value.clone(), true),
            "replace" => put(document, &self.path, self.value.clone(), false),
            "remove" => take(document, &self.path).map(drop),
            "move" => {
                let value = take(document, &self.from)?;
                put(document, &self.path, value, true)
            }
            "copy" => {
                let value = find(document, &self.from).cloned().ok_or_else(|| nothing(&self.from))?;
                put(document, &self.path, value, true)
            }
            "test" if find(document, &self.path) == Some(&self.value) => Ok(()),
            "test" => Err(format!("{}: another value", self.path).into()),
            other => {
                Err(format!("{other} is not an operation. Use add, remove, replace, move, copy or test")
                    .into())
            }
        }
    }
}

fn nothing(path: &str) -> Failure {
    format!("{path}: nothing is there").into()
}

/// Splits a path into its steps.
fn steps(path: &str) -> Vec<String> {
    path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
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
    steps(path).iter().try_fold(document, |value, step| match value {
        Value::Map(map) => map.get(step),
        Value::List(items) => items.get(index(items, step)?),
        _ => None,
    })
}

/// Returns the parent of the last step of a path, and that step.
fn parent<'v>(document: &'v mut Value, path: &str) -> Result<(&'v mut Value, String), Failure> {
    let mut steps = steps(path);
    let last = steps.pop().ok_or_else(|| nothing(path))?;
    let found = steps.iter().try_fold(document, |value, step| child(value, step));
    Ok((found.ok_or_else(|| nothing(path))?, last))
}

fn put(document: &mut Value, path: &str, value: Value, may_be_new: bool) -> Result<(), Failure> {
    let (parent, last) = parent(document, path)?;
    match parent {
        Value::Map(map) if may_be_new || map.contains_key(&last) => drop(map.insert(last, value)),
        Value::List(items) if may_be_new && last == "-" => items.push(value),
        Value::List(items) if may_be_new && last.parse() == Ok(items.len()) => items.push(value),
        Value::List(items) => {
            let index = index(items, &last).ok_or_else(|| nothing(path))?;
            if may_be_new {
                items.insert(index, value);
            } else {
                items[index] = value;
            }
        }
        _ => return Err(nothing(path)),
    }
    Ok(())
}

fn take(document: &mut Value, path: &str) -> Result<Value, Failure> {
    let (parent, last) = parent(document, path)?;
    let taken = match parent {
        Value::Map(map) => map.remove(&last),
        Value::List(items) => index(items, &last).map(|index| items.remove(index)),
        _ => None,
    };
    taken.ok_or_else(|| nothing(path))
}

#[cfg(test)]
mod tests {
    use super::Patch;
    use crdgen_core::json;
    use crdgen_core::value::Value;

    #[test]
    fn documents_are_changed() {
        let patched = |patch: &str, document: &str| {
            let patch =
                json::read(patch.as_bytes()).ok().and_then(|p| p.as_map().map(Patch::read)).expect("a patch");
            let mut document: Value = json::read(document.as_bytes()).expect("JSON");
            patch.apply(&mut document).map(|()| json::to_string(&document))
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
}
