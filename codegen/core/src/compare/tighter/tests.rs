use super::{Comparisons, Way, tighter};
use crate::compare::limit::Limit;
use crate::decode;
use crate::ir::Schema;
use crate::json;

fn schema(text: &str) -> Schema {
    let value = json::read(text.as_bytes()).expect("JSON");
    decode::schema(value).0.expect("a schema")
}

#[test]
fn junctors_in_junctors_are_compared_for_a_bounded_time() {
    let nested = |innermost: &str| {
        let around = |inner: String, level| format!(r#"{{"anyOf":[{inner},{{"maxLength":{level}}}]}}"#);
        schema(&(0..40).fold(innermost.to_owned(), around))
    };
    let (tight, loose) = (nested(r#"{"minLength":4}"#), nested(r#"{"minLength":3}"#));
    let found = tighter(&tight, &loose, Way::Unchanged, &Comparisons::default());
    assert!(matches!(&found[..], [Limit::Junctor { keyword: "anyOf", .. }]), "{found:?}");
}

#[test]
fn names_what_only_one_side_forbids() {
    for (tight, loose, expected) in [
        (r#"{"maxLength":5}"#, "{}", vec!["maxLength is 5, but not set in b"]),
        (r#"{"minProperties":2}"#, r#"{"required":["a","b"]}"#, vec![]),
        (r#"{"minProperties":3}"#, r#"{"required":["a","b"]}"#, vec!["minProperties is 3, but not set in b"]),
        (r#"{"maxLength":5}"#, r#"{"maxLength":7}"#, vec!["maxLength is 5, but 7 in b"]),
        (r#"{"maxLength":5}"#, r#"{"maxLength":5}"#, vec![]),
        (r#"{"maxLength":5}"#, r#"{"maxLength":4}"#, vec![]),
        (r#"{"minItems":0}"#, "{}", vec![]),
        (r#"{"minimum":1,"maxItems":0,"pattern":"a"}"#, r#"{"type":"object"}"#, vec![]),
        (
            r#"{"type":"object","maxProperties":1}"#,
            r#"{"type":"object"}"#,
            vec!["maxProperties is 1, but not set in b"],
        ),
        (
            r#"{"minimum":1,"maxItems":2}"#,
            r#"{"x-kubernetes-int-or-string":true}"#,
            vec!["minimum is 1, but not set in b"],
        ),
        (
            r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}"#,
            r#"{"x-kubernetes-int-or-string":true}"#,
            vec![],
        ),
        (
            r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string","maxLength":3}]}"#,
            r#"{"x-kubernetes-int-or-string":true}"#,
            vec![r#"anyOf has {"type":"integer"}, {"maxLength":3,"type":"string"}, which b does not have"#],
        ),
        (r#"{"minimum":1}"#, r#"{"minimum":0.5}"#, vec!["minimum is 1, but 0.5 in b"]),
        (r#"{"minimum":1}"#, r#"{"minimum":1,"exclusiveMinimum":true}"#, vec![]),
        (
            r#"{"minimum":1,"exclusiveMinimum":true}"#,
            r#"{"minimum":1}"#,
            vec!["minimum is 1 (exclusive), but 1 in b"],
        ),
        (r#"{"type":"integer","multipleOf":2}"#, r#"{"type":"integer","multipleOf":4}"#, vec![]),
        // The server does not call numbers above 2^53 times the factor multiples of it.
        (
            r#"{"type":"number","multipleOf":2}"#,
            r#"{"type":"number","multipleOf":4}"#,
            vec!["multipleOf is 2, but 4 in b"],
        ),
        (r#"{"multipleOf":0.1}"#, r#"{"multipleOf":0.2}"#, vec!["multipleOf is 0.1, but 0.2 in b"]),
        (r#"{"multipleOf":0.1}"#, r#"{"multipleOf":0.2,"minimum":0,"maximum":100}"#, vec![]),
        // It compares integers with the integer part of the factor.
        (
            r#"{"type":"number","multipleOf":2.5}"#,
            r#"{"type":"number","multipleOf":5,"minimum":0,"maximum":100}"#,
            vec!["multipleOf is 2.5, but 5 in b"],
        ),
        (r#"{"minProperties":2}"#, r#"{"required":["a","a"]}"#, vec!["minProperties is 2, but not set in b"]),
        (r#"{"multipleOf":2}"#, r#"{"multipleOf":3}"#, vec!["multipleOf is 2, but 3 in b"]),
        (r#"{"pattern":"a"}"#, r#"{"pattern":"b"}"#, vec!["pattern is `a`, but `b` in b"]),
        (r#"{"type":"string","format":"uuid"}"#, "{}", vec!["format is `uuid`, but not set in b"]),
        (r#"{"type":"string","format":"mine"}"#, "{}", vec![]),
        (r#"{"type":"integer","format":"int64"}"#, r#"{"type":"integer"}"#, vec![]),
        (r#"{"enum":["a","b"]}"#, "{}", vec![r#"enum allows only "a", "b", but is not set in b"#]),
        (r#"{"enum":["a"]}"#, r#"{"enum":["a","b"]}"#, vec![r#"enum does not allow "b", which b allows"#]),
        (r#"{"enum":["a","b"]}"#, r#"{"enum":["a"]}"#, vec![]),
        (r#"{"required":["a"],"properties":{"a":{}}}"#, "{}", vec!["`a` is required, but optional in b"]),
        (r#"{"required":["a"],"properties":{"a":{"default":1}}}"#, "{}", vec![]),
        (
            r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}"#,
            r#"{"x-kubernetes-list-type":"atomic"}"#,
            vec!["x-kubernetes-list-type is map by a, but atomic in b"],
        ),
        (
            r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"]}"#,
            r#"{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"]}"#,
            vec![],
        ),
        (r#"{"x-kubernetes-list-type":"set"}"#, r#"{"uniqueItems":true}"#, vec![]),
        (r#"{"not":{"minimum":1}}"#, "{}", vec![r#"not has {"minimum":1}, which b does not have"#]),
        (r#"{"not":{"minimum":2}}"#, r#"{"not":{"minimum":1}}"#, vec![]),
        (
            r#"{"not":{"minimum":1}}"#,
            r#"{"not":{"minimum":2}}"#,
            vec![r#"not has {"minimum":1}, but {"minimum":2} in b"#],
        ),
        (r#"{"anyOf":[{"minimum":1},{"maximum":3}]}"#, r#"{"anyOf":[{"maximum":2}]}"#, vec![]),
        (
            r#"{"anyOf":[{"maximum":3}]}"#,
            r#"{"anyOf":[{"maximum":3},{"minimum":5}]}"#,
            vec![r#"anyOf does not have {"minimum":5}, which b has"#],
        ),
        (
            r#"{"anyOf":[{"properties":{"a":{"maximum":3}}}]}"#,
            r#"{"anyOf":[{"properties":{"a":{"maximum":4}}}]}"#,
            vec![
                r#"anyOf has {"properties":{"a":{"maximum":3}}}, but {"properties":{"a":{"maximum":4}}} in b"#,
            ],
        ),
        (r#"{"anyOf":[{"maximum":3}]}"#, "{}", vec![r#"anyOf has {"maximum":3}, which b does not have"#]),
        (r#"{"allOf":[{"minimum":1}]}"#, r#"{"allOf":[{"minimum":2},{"maximum":4}]}"#, vec![]),
        (
            r#"{"allOf":[{"minimum":1},{"maximum":4}]}"#,
            r#"{"allOf":[{"minimum":1}]}"#,
            vec![r#"allOf has {"maximum":4}, which b does not have"#],
        ),
        (r#"{"oneOf":[{"minimum":1},{"maximum":0}]}"#, r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#, vec![]),
        (
            r#"{"oneOf":[{"minimum":1}]}"#,
            r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#,
            vec![r#"oneOf does not have {"maximum":0}, which b has"#],
        ),
        (
            r#"{"oneOf":[{"maximum":0},{"minimum":1}]}"#,
            r#"{"oneOf":[{"minimum":1}]}"#,
            vec![r#"oneOf has {"maximum":0}, which b does not have"#],
        ),
        (
            r#"{"x-kubernetes-validations":[{"rule":"self  > 2"}]}"#,
            r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
            vec!["the rule is `self > 2`, but `self > 1` in b"],
        ),
        (
            r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
            r#"{"x-kubernetes-validations":[{"rule":"(self>2)"}]}"#,
            vec![],
        ),
        (
            r#"{"x-kubernetes-validations":[{"rule":"self > 1"}]}"#,
            "{}",
            vec!["b does not have the rule `self > 1`"],
        ),
        (r#"{"type":"string","minLength":10}"#, r#"{"type":"string","format":"date"}"#, vec![]),
        (
            r#"{"type":"string","minLength":11}"#,
            r#"{"type":"string","format":"date"}"#,
            vec!["minLength is 11, but not set in b"],
        ),
        (r#"{"type":"string","maxLength":36}"#, r#"{"type":"string","format":"uuid"}"#, vec![]),
        (r#"{"type":"string","minLength":2}"#, r#"{"type":"string","pattern":"^a[b-z]+$"}"#, vec![]),
        (r#"{"type":"string","maxLength":3}"#, r#"{"type":"string","pattern":"^a[b-z]?$"}"#, vec![]),
        (
            r#"{"type":"string","maxLength":1}"#,
            r#"{"type":"string","pattern":"^a[b-z]?$"}"#,
            vec!["maxLength is 1, but not set in b"],
        ),
        (r#"{"maxLength":9}"#, r#"{"allOf":[{"maxLength":8},{"pattern":"a"}]}"#, vec![]),
        (r#"{"minLength":1}"#, r#"{"anyOf":[{"pattern":"^a"},{"minLength":5}]}"#, vec![]),
        (
            r#"{"minLength":1}"#,
            r#"{"anyOf":[{"pattern":"^a?"},{"minLength":5}]}"#,
            vec!["minLength is 1, but not set in b"],
        ),
        (r#"{"type":"string","pattern":"^a"}"#, r#"{"enum":["ab","ac"]}"#, vec![]),
        (r#"{"type":"string","enum":["b"]}"#, r#"{"type":"string","enum":["a","b"],"pattern":"^b"}"#, vec![]),
        (r#"{"maximum":10}"#, r#"{"type":"integer","maximum":11,"multipleOf":2}"#, vec![]),
        // 10.000000001 is a multiple of 2 for the server.
        (
            r#"{"maximum":10}"#,
            r#"{"type":"number","maximum":11,"multipleOf":2}"#,
            vec!["maximum is 10, but 11 in b"],
        ),
        (r#"{"type":"integer","format":"int32"}"#, r#"{"type":"integer","minimum":1,"maximum":10}"#, vec![]),
        (
            r#"{"oneOf":[{"required":["a"]},{"required":["a"]}]}"#,
            r#"{"oneOf":[{"required":["a"]}]}"#,
            vec![r#"oneOf has {"required":["a"]}, which b does not have"#],
        ),
        (
            r#"{"maximum":9}"#,
            r#"{"type":"integer","maximum":11,"multipleOf":2}"#,
            vec!["maximum is 9, but 11 in b"],
        ),
        (
            r#"{"type":"integer","maximum":9}"#,
            r#"{"type":"integer","maximum":10,"exclusiveMaximum":true}"#,
            vec![],
        ),
        (r#"{"type":"integer","minimum":1}"#, r#"{"type":"integer","minimum":0.5}"#, vec![]),
        (
            r#"{"type":"number","minimum":1}"#,
            r#"{"type":"number","minimum":0.5}"#,
            vec!["minimum is 1, but 0.5 in b"],
        ),
        (
            r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            r#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
            vec![],
        ),
        (r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#, r#"{"required":["b"]}"#, vec![]),
        (
            r#"{"properties":{"a":{"default":1}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            "{}",
            vec![],
        ),
        (r#"{"allOf":[{"maxLength":8}]}"#, r#"{"type":"string","maxLength":8}"#, vec![]),
        (
            r#"{"allOf":[{"maxLength":8}]}"#,
            r#"{"type":"string","maxLength":8,"nullable":true}"#,
            vec![r#"allOf has {"maxLength":8}, which b does not have"#],
        ),
        (
            r#"{"type":"string","pattern":"^ab"}"#,
            r#"{"enum":["ab","ac"]}"#,
            vec![r#"pattern does not allow "ac", which b allows"#],
        ),
    ] {
        let (a, b) = (schema(tight), schema(loose));
        let found = tighter(&a, &b, Way::Unchanged, &Comparisons::default());
        let found: Vec<String> = found.iter().map(|limit: &Limit| limit.words("b")).collect();
        assert_eq!(found, expected, "{tight} {loose}");
    }
}
