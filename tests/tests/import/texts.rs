//! Texts with characters that must be escaped in code: the code for each can be parsed, and gives the same text again.

use super::{emitted, import, normal};
use crdgen_core::json::to_string;
use crdgen_core::value::Value;

/// Texts with unusual characters at the start, in the middle and at the end.
pub(super) const ODD: &[&str] = &[
    "\r",
    "\r\n",
    "\n",
    "\0",
    "\u{1}",
    "\u{7}",
    "\u{1b}]0;x\u{7}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}2J",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{2028}",
    "\u{feff}",
    "\"#",
    "\"##\"###\"####\"#####\"######\"#######\"########",
    "\\",
    "\\\"",
    "*/",
    "{}",
    "🦀",
];

/// Returns a CRD with this text wherever a text can be.
pub(super) fn definition(number: usize, odd: &str) -> String {
    let around = |text: &str| to_string(&Value::from(text));
    let all = [format!("{odd}a"), format!("a{odd}b"), format!("a{odd}")].map(|t| around(&t));
    let [first, middle, last] = &all;
    // The text is in a literal of CEL, which is in a literal of JSON.
    let in_rule = |text: &str| around(&format!("self != {}", to_string(&Value::from(text))));
    let rules = format!(
        r#"[{{"rule": {}, "message": {last}}}, {{"rule": "self != 'b'", "messageExpression": {}}}]"#,
        in_rule(odd),
        around(&format!("'a' + {}", to_string(&Value::from(odd))))
    );
    format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {{"name": "as{number}.example.com", "annotations": {{"example.com/text": {middle}}}}},
        "spec": {{"group": "example.com", "scope": "Namespaced", "names": {{"plural": "as{number}", "kind": "A{number}"}},
            "versions": [{{"name": "v1", "served": true, "storage": true, "deprecated": true, "deprecationWarning": "a",
                "additionalPrinterColumns": [{{"name": {middle}, "type": "string", "jsonPath": ".spec.a", "description": {middle}}}],
                "schema": {{"openAPIV3Schema": {{"type": "object", "properties": {{"spec": {{"type": "object",
                    "description": {middle},
                    "properties": {{
                        "a": {{"type": "string", "maxLength": 99, "title": {middle}, "description": {first}, "default": {middle}, "x-kubernetes-validations": {rules}}},
                        "b": {{"type": "string", "enum": [{first}, {middle}, {last}]}},
                        "c": {{"type": "object", "properties": {{"x": {{"type": "string", "example": {middle}}}}}, "default": {{"x": {last}}}}},
                        {middle}: {{"type": "string"}}
                    }}}}}}}}}}}}]}}}}"#
    )
}

#[test]
fn texts_come_back() {
    let scratch = std::env::temp_dir().join(format!("crdgen-import-texts-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder can be made");
    let path = scratch.join("one.rs");
    for (number, odd) in ODD.iter().enumerate() {
        let (code, crds) = import("a.json", definition(number, odd).as_bytes());
        let bare = |c: char| c == '\r' || c == '\u{202e}' || c == '\u{2066}';
        assert!(!code.contains(bare), "{odd:?}:\n{code}");
        std::fs::write(&path, &code).expect("a file can be written");
        let back = emitted(&path).unwrap_or_else(|why| panic!("{odd:?}: {why}\n{code}"));
        assert_eq!(normal(&back[0]), normal(&crds[0]), "{odd:?}:\n{code}");
    }
    std::fs::remove_dir_all(&scratch).expect("the folder can be removed");
}
