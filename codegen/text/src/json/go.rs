//! Values in Go's own notation, for messages of the server that print them.

use super::to_string;
use crate::go;
use crate::value::Value;

/// Returns a value as Go's `%#v` prints it in a field of any type.
pub fn go_source(value: &Value) -> String {
    match value {
        Value::Null => "interface {}(nil)".to_owned(),
        Value::Bool(_) | Value::Int(_) => to_string(value),
        Value::Float(f) => go::number::format_g(*f),
        Value::Str(s) => go::quote(s),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(go_source).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Value::Map(map) => {
            let members: Vec<String> =
                map.iter().map(|(key, value)| format!("{}:{}", go::quote(key), go_source(value))).collect();
            format!("map[string]interface {{}}{{{}}}", members.join(", "))
        }
    }
}

/// Returns a value as Go's `%v` prints it.
pub fn go_plain(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::Bool(_) | Value::Int(_) => to_string(value),
        Value::Float(f) => go::number::format_g(*f),
        Value::Str(s) => s.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(go_plain).collect::<Vec<_>>().join(" ")),
        Value::Map(map) => {
            let members: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}:{}", go_plain(value))).collect();
            format!("map[{}]", members.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    #[test]
    fn prints_values_as_go_does() {
        let value = read(br#"{"a":[1,1.5,"x",null],"b":{"c":true}}"#).expect("valid JSON");
        assert_eq!(
            go_source(&value),
            r#"map[string]interface {}{"a":[]interface {}{1, 1.5, "x", interface {}(nil)}, "b":map[string]interface {}{"c":true}}"#
        );
        assert_eq!(go_plain(&value), "map[a:[1 1.5 x <nil>] b:map[c:true]]");
    }
}
