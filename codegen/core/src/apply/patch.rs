//! JSON merge patches (RFC 7396), with the deviations of the library of the server: it also drops nulls from what replaces
//! nothing, and from lists in it.

use crate::value::{Map, Value};

/// Applies a patch: null removes a field, objects are merged, and anything else replaces what was there.
pub fn merge(object: &mut Value, patch: &Value) {
    match (&mut *object, patch) {
        (Value::Map(members), Value::Map(changes)) => merge_members(members, changes),
        // Nulls in such a list stay.
        (Value::Map(_), _) => *object = patch.clone(),
        _ => *object = without_nulls(patch),
    }
}

fn merge_members(members: &mut Map<Value>, changes: &Map<Value>) {
    for (name, change) in changes.iter() {
        match members.get_mut(name) {
            _ if change.is_null() => drop(members.remove(name)),
            Some(member) => merge(member, change),
            None => drop(members.insert(name, without_nulls(change))),
        }
    }
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Map(members) => {
            let kept = members.iter().filter(|(_, member)| !member.is_null());
            Value::Map(kept.map(|(name, member)| (name, without_nulls(member))).collect())
        }
        Value::List(items) => Value::List(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn merges_as_the_library_of_the_server() {
        for (object, patch, merged) in [
            (r#"{"a":1,"b":{"c":1,"d":2}}"#, r#"{"a":null,"b":{"c":3}}"#, r#"{"b":{"c":3,"d":2}}"#),
            (r#"{}"#, r#"{"a":{"b":null,"c":[null,{"d":null}]}}"#, r#"{"a":{"c":[null,{}]}}"#),
            (r#"{"a":[1]}"#, r#"{"a":[{"d":null}]}"#, r#"{"a":[{}]}"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":[{"d":null}]}"#, r#"{"a":[{"d":null}]}"#),
        ] {
            let read = |text: &str| json::read(text.as_bytes()).expect("valid JSON");
            let mut object = read(object);
            merge(&mut object, &read(patch));
            assert_eq!(object, read(merged), "{patch}");
        }
    }
}
