//! The difference between two JSON documents as a list of edits, so that a recorded document takes one short line.
//!
//! ```text
//! ["/spec/scope","Cluster"]              # set a member or an item
//! ["/spec/names/singular"]               # remove a member
//! ["/spec/versions",1,0,[{…}]]           # from item 1 on, remove 0 items and insert others
//! ```
//!
//! A path is a JSON Pointer. The edits of a list apply in their order.

use crdgen_core::value::Value;

/// Returns the edits that turn one document into another.
pub(crate) fn between(old: &Value, new: &Value) -> Vec<Value> {
    let mut edits = Vec::new();
    compare(old, new, "", &mut edits);
    edits
}

fn compare(old: &Value, new: &Value, path: &str, edits: &mut Vec<Value>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Map(old), Value::Map(new)) => {
            for key in old.keys().filter(|key| !new.contains_key(key)) {
                edits.push(Value::List(vec![pointer(path, key).into()]));
            }
            for (key, value) in new.iter() {
                let path = pointer(path, key);
                match old.get(key) {
                    Some(old) => compare(old, value, &path, edits),
                    None => edits.push(Value::List(vec![path.into(), value.clone()])),
                }
            }
        }
        (Value::List(old), Value::List(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &pointer(path, &index.to_string()), edits);
            }
        }
        (Value::List(old), Value::List(new)) => edits.push(splice(old, new, path)),
        _ => edits.push(Value::List(vec![path.into(), new.clone()])),
    }
}

/// Returns the edit that replaces the items between the common start and the common end of two lists.
fn splice(old: &[Value], new: &[Value], path: &str) -> Value {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let removed = old.len() - end;
    let inserted = new[..new.len() - end].to_vec();
    Value::List(vec![path.into(), int(start), int(removed), Value::List(inserted)])
}

fn int(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn pointer(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Applies edits to a document.
pub(crate) fn apply(document: &Value, edits: &[Value]) -> Result<Value, String> {
    let mut document = document.clone();
    for edit in edits {
        apply_one(&mut document, edit).ok_or_else(|| format!("an edit that does not fit: {edit:?}"))?;
    }
    Ok(document)
}

fn apply_one(document: &mut Value, edit: &Value) -> Option<()> {
    let (path, arguments) = edit.as_list()?.split_first()?;
    let path: Vec<String> =
        path.as_str()?.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~")).collect();
    match arguments {
        [] => {
            let (last, way) = path.split_last()?;
            reach(document, way)?.as_map_mut()?.remove(last)?;
        }
        [value] => match path.split_last() {
            Some((last, way)) => match reach(document, way)? {
                Value::Map(map) => drop(map.insert(last.clone(), value.clone())),
                Value::List(items) => *items.get_mut(last.parse::<usize>().ok()?)? = value.clone(),
                Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
                    return None;
                }
            },
            None => *document = value.clone(),
        },
        [start, removed, inserted] => {
            let Value::List(items) = reach(document, &path)? else { return None };
            let start = usize::try_from(start.as_int()?).ok()?;
            let end = start.checked_add(usize::try_from(removed.as_int()?).ok()?)?;
            items.get(start..end)?;
            items.splice(start..end, inserted.as_list()?.iter().cloned());
        }
        _ => return None,
    }
    Some(())
}

fn reach<'v>(document: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(document, |value, key| match value {
        Value::Map(map) => map.get_mut(key),
        Value::List(items) => items.get_mut(key.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{apply, between};
    use crate::json::json;

    #[test]
    fn edits_lead_from_one_document_to_the_other() {
        for (old, new, edits) in [
            (r#"{"a":1}"#, r#"{"a":1}"#, "[]"),
            (r#"{"a":1,"b":2}"#, r#"{"b":3,"c":{}}"#, r#"[["/a"],["/b",3],["/c",{}]]"#),
            (r#"{"l":[1,2,3]}"#, r#"{"l":[1,5,3]}"#, r#"[["/l/1",5]]"#),
            (r#"{"l":[1,2,3]}"#, r#"{"l":[1,3]}"#, r#"[["/l",1,1,[]]]"#),
            (r#"{"l":[1,3]}"#, r#"{"l":[1,2,2,3]}"#, r#"[["/l",1,0,[2,2]]]"#),
            (r#"{"l":[]}"#, r#"{"l":[0]}"#, r#"[["/l",0,0,[0]]]"#),
            (r#"{"a/b~c":{"":1}}"#, r#"{"a/b~c":{"":2}}"#, r#"[["/a~1b~0c/",2]]"#),
            ("1", r#"{"a":1}"#, r#"[["",{"a":1}]]"#),
        ] {
            let (old, new, edits) = (json(old), json(new), json(edits));
            let found = between(&old, &new);
            assert_eq!(Some(found.as_slice()), edits.as_list(), "{old:?} {new:?}");
            assert_eq!(apply(&old, &found).as_ref(), Ok(&new), "{old:?} {edits:?}");
        }
    }

    #[test]
    fn edits_that_do_not_fit_are_errors() {
        for edit in [r#"["/x"]"#, r#"["/a/b",1]"#, r#"["/l",1,5,[]]"#, r#"["/l/7",1]"#, r#"["/a",1,2]"#, "1"]
        {
            assert!(apply(&json(r#"{"a":1,"l":[1,2]}"#), &[json(edit)]).is_err(), "{edit}");
        }
    }
}
