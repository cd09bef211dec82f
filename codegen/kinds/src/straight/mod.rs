//! Converts objects as JSON text, without values in between, which makes a webhook fast. If anything about a text is
//! unusual, the caller falls back to [`crdgen_runtime::value::Value`], which reports errors and keeps what a type does
//! not know.

mod read;
mod scan;
mod write;

use std::fmt;

pub use read::from_text;
pub use scan::{Scan, Walk};
pub use write::write_members;

/// The error for a text or a type that is too unusual for this module.
#[derive(Debug)]
pub struct Unusual;

impl fmt::Display for Unusual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is left to the way by values")
    }
}

impl std::error::Error for Unusual {}

impl serde::de::Error for Unusual {
    fn custom<T: fmt::Display>(_: T) -> Unusual {
        Unusual
    }
}

impl serde::ser::Error for Unusual {
    fn custom<T: fmt::Display>(_: T) -> Unusual {
        Unusual
    }
}

/// Members that every object has, and that do not go through its type.
const OF_ALL: [&str; 3] = ["apiVersion", "kind", "metadata"];

#[cfg(test)]
mod tests {
    use super::{Scan, from_text, write_members};
    use crate::to_value::to_value;
    use crdgen_runtime::json;
    use crdgen_runtime::value::{Map, Value};
    use serde::{Deserialize, Serialize};
    use std::collections::{BTreeMap, HashMap};

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Object {
        api_version: String,
        kind: String,
        metadata: Metadata,
        spec: Spec,
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Metadata {}

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Spec {
        z: Vec<Shape>,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<i64>,
        #[serde(default)]
        float: f64,
        #[serde(default)]
        small: f32,
        #[serde(default)]
        map: BTreeMap<String, bool>,
        #[serde(default)]
        numbers: BTreeMap<u8, u64>,
        #[serde(default)]
        unordered: HashMap<String, i32>,
        #[serde(default)]
        pair: (i8, Option<char>),
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum Shape {
        Unit,
        New(i32),
        Pair(i32, String),
        Named { b: bool, a: u8 },
    }

    fn object(spec: &str) -> String {
        format!(r#"{{"apiVersion":"g/v1","kind":"K","metadata":{{"name":["x"]}},"spec":{spec}}}"#)
    }

    /// Reads a text as an object, once with values and once straight. If both succeed, they must be equal.
    fn both(text: &str) -> (Option<Value>, Option<Value>) {
        let mut value = json::read(text.as_bytes()).unwrap_or_default();
        if let Value::Map(members) = &mut value {
            members.insert("metadata", Value::Map(Map::new()));
        }
        let by_value = crate::from_value::from_object::<Object>(&value).ok();
        let written = by_value.and_then(|(object, _)| to_value(&object));
        let by_value = written.and_then(|object| json::read(json::to_string(&object).as_bytes()).ok());
        let by_value = by_value.map(|mut object| {
            if let Value::Map(members) = &mut object {
                members.retain(|name, _| !super::OF_ALL.contains(&name));
            }
            object
        });
        let straight = from_text::<Object>(text).and_then(|object| {
            let mut out = String::from("{\"first\":0");
            write_members(&object, &mut out)?;
            out.push('}');
            let mut value = json::read(out.as_bytes()).unwrap_or_else(|e| panic!("{e}: {out}"));
            if let Value::Map(members) = &mut value {
                members.remove("first");
            }
            Some(value)
        });
        (by_value, straight)
    }

    #[test]
    fn gives_what_the_way_by_values_gives() {
        for spec in [
            r#"{"z":[],"text":""}"#,
            r#" { "z" : [ "Unit" , {"New":-3} , {"Pair":[1,"x"]} , {"Named":{"a":1,"b":true}} ] , "text" : "é\n\u00e9\"\\/<>" } "#,
            r#"{"z":[{"Unit":null}],"text":"x"}"#,
            r#"{"z":[],"text":"x","a":9223372036854775807,"float":1e21,"small":0.1,"pair":[-1,"c"]}"#,
            r#"{"z":[],"text":"x","a":-0,"float":3,"small":16777216}"#,
            r#"{"z":[{"New":-2147483648},{"Named":{"a":255,"b":true}}],"text":"x","a":-9223372036854775808}"#,
            r#"{"z":[],"text":"a long text with \ud83d\ude00 and \t more","map":{"a":true,"b":false},"unordered":{"a":1}}"#,
            r#"{"z":[],"text":"x","map":{"a":true,"a":false}}"#,
        ] {
            let (by_value, straight) = both(&object(spec));
            assert!(straight.is_some(), "{spec}");
            assert_eq!(by_value, straight, "{spec}");
        }
    }

    #[test]
    fn leaves_what_is_unusual_to_the_way_by_values() {
        for spec in [
            r#"{"z":[],"text":"x","unknown":1}"#,
            r#"{"z":[],"text":"x","a":null}"#,
            r#"{"z":[],"text":"x","a":9223372036854775808}"#,
            r#"{"z":[],"text":"x","a":1.5}"#,
            r#"{"z":[],"text":"x","a":1,"a":2}"#,
            r#"{"z":[],"text":"x","float":1e999}"#,
            r#"{"z":[],"text":"x","numbers":{"10":1,"9":1}}"#,
            r#"{"z":["Other"],"text":"x"}"#,
            r#"{"z":[{"New":1,"Unit":null}],"text":"x"}"#,
            r#"{"z":[{"Named":{"a":1,"b":true,"c":1}}],"text":"x"}"#,
            r#"{"z":[],"text":"x","pair":[1,"c",2]}"#,
            r#"{"text":"x"}"#,
            r#"{"z":[],"text":7}"#,
            r#"{"z":[],"text":"x"},"#,
            r#"{"z":[],"text":"x"} x"#,
            r#"{"z":[,],"text":"x"}"#,
            r#"{"z":[],"text":"x",}"#,
            r#"{"z":[],"text":"\x"}"#,
            r#"{"z":[],"text":"\ud800"}"#,
            "{\"z\":[],\"text\":\"\n\"}",
            r#"{"z":[],"text":"x","a":01}"#,
            r#"{"z":[],"text":"x","a":-}"#,
            r#"{"z":[],"text":"x","float":1.}"#,
            r#"{"z":[],"text":"x","float":.5}"#,
            r#"{"z":[],"text":"#,
        ] {
            assert_eq!(both(&object(spec)).1, None, "{spec}");
        }
        let deep = object(&("[".repeat(2000) + &"]".repeat(2000)));
        assert_eq!(both(&deep).1, None);
        assert!(Scan::new(&deep).value().is_none());
    }
}
