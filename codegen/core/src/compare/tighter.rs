//! What one schema forbids and another one allows at the same place: why a value that moves from one version to another
//! may be rejected there.

use crate::ir::{Extensions, Limits, Schema};
use crate::json;
use crate::listed;
use crate::server::Server;
use crate::structural::is_supported;
use crate::value::Value;
use std::collections::HashSet;

/// So many values are named; the others are counted.
const NAMED: usize = 5;

/// A schema, and the version that it is of.
#[derive(Clone, Copy, Debug)]
pub struct Side<'s> {
    /// The name of the version.
    pub version: &'s str,
    /// The schema at the place.
    pub schema: &'s Schema,
}

/// How the value gets from one version to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// As it is.
    Unchanged,
    /// By a conversion of its type, after which other fields are there, and other values of an enum.
    Converted,
}

/// Each constraint that the first schema has and a valid value of the second one may violate, in words. Only the values
/// themselves are compared, not what is inside of them.
pub fn tighter(tight: Side<'_>, loose: Side<'_>, way: Way) -> Vec<String> {
    let mut out = Out { tight, loose, all: Vec::new() };
    out.numbers();
    out.texts();
    out.sizes();
    out.lists();
    if way == Way::Unchanged {
        out.values();
        out.required();
        out.junctors();
    }
    out.rules();
    out.all
}

struct Out<'s> {
    tight: Side<'s>,
    loose: Side<'s>,
    all: Vec<String>,
}

impl Out<'_> {
    fn limits(&self) -> (&Limits, &Limits) {
        (&self.tight.schema.limits, &self.loose.schema.limits)
    }

    /// A keyword with its value, and the value in the other version.
    fn add(&mut self, keyword: &str, tight: &str, loose: Option<String>) {
        let loose = loose.unwrap_or_else(|| "not set".to_owned());
        self.all.push(format!("{keyword} is {tight}, but {loose} in {}", self.loose.version));
    }

    fn numbers(&mut self) {
        let (tight, loose) = self.limits();
        let text = |bound: f64, exclusive: bool| {
            let number = json::to_string(&Value::Float(bound));
            if exclusive { format!("{number} (exclusive)") } else { number }
        };
        let mut found = Vec::new();
        for (keyword, a, b, is_tighter) in [
            (
                "minimum",
                tight.minimum.map(|n| (n, tight.exclusive_minimum)),
                loose.minimum.map(|n| (n, loose.exclusive_minimum)),
                (|a, b| a > b) as fn(f64, f64) -> bool,
            ),
            (
                "maximum",
                tight.maximum.map(|n| (n, tight.exclusive_maximum)),
                loose.maximum.map(|n| (n, loose.exclusive_maximum)),
                |a, b| a < b,
            ),
        ] {
            let Some((n, exclusive)) = a else { continue };
            if b.is_none_or(|(m, other)| is_tighter(n, m) || n == m && exclusive && !other) {
                found.push((keyword, text(n, exclusive), b.map(|(m, other)| text(m, other))));
            }
        }
        if let Some(step) = tight.multiple_of {
            let is_multiple = |other: f64| step != 0.0 && (other / step).fract() == 0.0;
            if loose.multiple_of.is_none_or(|other| !is_multiple(other)) {
                found.push((
                    "multipleOf",
                    text(step, false),
                    loose.multiple_of.map(|other| text(other, false)),
                ));
            }
        }
        found.into_iter().for_each(|(keyword, a, b)| self.add(keyword, &a, b));
    }

    fn texts(&mut self) {
        let (tight, loose) = self.limits();
        let quoted = |text: &str| (!text.is_empty()).then(|| format!("`{text}`"));
        // Formats that servers do not know limit nothing, and all integers have 64 bits.
        let format = |schema: &Schema| {
            let format = schema.limits.format.as_str();
            let limits = is_supported(format, schema.ty.as_ref(), Server::NEWEST) && format != "int64";
            quoted(if limits { format } else { "" })
        };
        let all = [
            ("pattern", quoted(&tight.pattern), quoted(&loose.pattern)),
            ("format", format(self.tight.schema), format(self.loose.schema)),
        ];
        for (keyword, a, b) in all {
            if let Some(a) = a.filter(|a| Some(a) != b.as_ref()) {
                self.add(keyword, &a, b);
            }
        }
    }

    fn sizes(&mut self) {
        let (tight, loose) = self.limits();
        let least = [
            ("minLength", tight.min_length, loose.min_length),
            ("minItems", tight.min_items, loose.min_items),
            ("minProperties", tight.min_properties, loose.min_properties),
        ];
        let most = [
            ("maxLength", tight.max_length, loose.max_length),
            ("maxItems", tight.max_items, loose.max_items),
            ("maxProperties", tight.max_properties, loose.max_properties),
        ];
        let least = least.into_iter().filter(|(_, a, b)| a.is_some_and(|a| a > 0 && b.is_none_or(|b| a > b)));
        let most = most.into_iter().filter(|(_, a, b)| a.is_some_and(|a| b.is_none_or(|b| a < b)));
        let found: Vec<_> = least.chain(most).collect();
        for (keyword, a, b) in found {
            let a = a.map(|a| a.to_string()).unwrap_or_default();
            self.add(keyword, &a, b.map(|b| b.to_string()));
        }
    }

    fn lists(&mut self) {
        let (tight, loose) = (self.tight.schema, self.loose.schema);
        let is_set = |schema: &Schema| schema.ext.list_type.as_deref() == Some("set");
        // Items that are unique by fewer keys are unique by more.
        let are_keys_of = |a: &Extensions, b: &Extensions| {
            b.list_type.as_deref() == Some("map")
                && b.list_map_keys.iter().all(|key| a.list_map_keys.contains(key))
        };
        if tight.limits.unique_items && !loose.limits.unique_items && !is_set(loose) {
            self.add("uniqueItems", "true", Some("false".to_owned()));
        }
        let other = loose.ext.list_type.clone();
        if is_set(tight) && !is_set(loose) && !loose.limits.unique_items {
            self.add("x-kubernetes-list-type", "set", other);
        } else if tight.ext.list_type.as_deref() == Some("map") && !are_keys_of(&tight.ext, &loose.ext) {
            let keys = |ext: &Extensions| format!("map by {}", ext.list_map_keys.join(", "));
            let by = other.map(|ty| if ty == "map" { keys(&loose.ext) } else { ty });
            self.add("x-kubernetes-list-type", &keys(&tight.ext), by);
        }
    }

    fn values(&mut self) {
        let (tight, loose) = self.limits();
        let list =
            |values: &[&Value]| listed::first(values.iter().map(|value| json::to_string(value)), NAMED);
        let (a, b) = (&tight.enumeration, &loose.enumeration);
        // Of long lists, not every value is compared with every other.
        let allowed: HashSet<String> = a.iter().map(json::to_string).collect();
        let is_other = |value: &&Value| !value.is_null() && !allowed.contains(&json::to_string(value));
        let only: Vec<&Value> = b.iter().filter(is_other).collect();
        let message = match (a.is_empty(), b.is_empty()) {
            (true, _) => return,
            (false, true) => format!(
                "enum allows only {}, but is not set in {}",
                list(&a.iter().collect::<Vec<_>>()),
                self.loose.version
            ),
            (false, false) if only.is_empty() => return,
            (false, false) => {
                format!("enum does not allow {}, which {} allows", list(&only), self.loose.version)
            }
        };
        self.all.push(message);
    }

    fn required(&mut self) {
        let (tight, loose) = (self.tight.schema, self.loose.schema);
        let before: HashSet<&String> = loose.limits.required.iter().collect();
        let found: Vec<String> = tight
            .limits
            .required
            .iter()
            .filter(|name| !before.contains(name))
            .filter(|name| tight.properties.get(name).is_none_or(|property| property.default.is_none()))
            .map(|name| format!("`{name}` is required, but optional in {}", self.loose.version))
            .collect();
        self.all.extend(found);
    }

    fn junctors(&mut self) {
        let (tight, loose) = self.limits();
        let not = |limits: &Limits| limits.not.as_deref().map_or_else(Vec::new, |not| vec![not.clone()]);
        let all = [
            ("allOf", tight.all_of == loose.all_of || tight.all_of.is_empty()),
            ("anyOf", tight.any_of == loose.any_of || tight.any_of.is_empty()),
            ("oneOf", tight.one_of == loose.one_of || tight.one_of.is_empty()),
            ("not", not(tight) == not(loose) || tight.not.is_none()),
        ];
        for (keyword, _) in all.into_iter().filter(|(_, is_same)| !is_same) {
            self.all.push(format!("{keyword} is not the same as in {}", self.loose.version));
        }
    }

    fn rules(&mut self) {
        let (tight, loose) = (&self.tight.schema.rules, &self.loose.schema.rules);
        let before: HashSet<&String> = loose.iter().map(|rule| &rule.rule).collect();
        for rule in tight.iter().filter(|rule| !before.contains(&rule.rule)) {
            let rule = rule.rule.split_whitespace().collect::<Vec<_>>().join(" ");
            self.all.push(format!("{} does not have the rule `{rule}`", self.loose.version));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Side, Way, tighter};
    use crate::decode;
    use crate::ir::Schema;
    use crate::json;

    fn schema(text: &str) -> Schema {
        let value = json::read(text.as_bytes()).expect("JSON");
        decode::schema(value).0.expect("a schema")
    }

    #[test]
    fn names_what_only_one_side_forbids() {
        for (tight, loose, expected) in [
            (r#"{"maxLength":5}"#, "{}", vec!["maxLength is 5, but not set in b"]),
            (r#"{"maxLength":5}"#, r#"{"maxLength":7}"#, vec!["maxLength is 5, but 7 in b"]),
            (r#"{"maxLength":5}"#, r#"{"maxLength":5}"#, vec![]),
            (r#"{"maxLength":5}"#, r#"{"maxLength":4}"#, vec![]),
            (r#"{"minItems":0}"#, "{}", vec![]),
            (r#"{"minimum":1}"#, r#"{"minimum":0.5}"#, vec!["minimum is 1, but 0.5 in b"]),
            (r#"{"minimum":1}"#, r#"{"minimum":1,"exclusiveMinimum":true}"#, vec![]),
            (
                r#"{"minimum":1,"exclusiveMinimum":true}"#,
                r#"{"minimum":1}"#,
                vec!["minimum is 1 (exclusive), but 1 in b"],
            ),
            (r#"{"multipleOf":2}"#, r#"{"multipleOf":4}"#, vec![]),
            (r#"{"multipleOf":2}"#, r#"{"multipleOf":3}"#, vec!["multipleOf is 2, but 3 in b"]),
            (r#"{"pattern":"a"}"#, r#"{"pattern":"b"}"#, vec!["pattern is `a`, but `b` in b"]),
            (r#"{"type":"string","format":"uuid"}"#, "{}", vec!["format is `uuid`, but not set in b"]),
            (r#"{"type":"string","format":"mine"}"#, "{}", vec![]),
            (r#"{"type":"integer","format":"int64"}"#, r#"{"type":"integer"}"#, vec![]),
            (r#"{"enum":["a","b"]}"#, "{}", vec![r#"enum allows only "a", "b", but is not set in b"#]),
            (
                r#"{"enum":["a"]}"#,
                r#"{"enum":["a","b"]}"#,
                vec![r#"enum does not allow "b", which b allows"#],
            ),
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
            (r#"{"not":{"minimum":1}}"#, "{}", vec!["not is not the same as in b"]),
            (
                r#"{"x-kubernetes-validations":[{"rule":"self  > 1"}]}"#,
                r#"{"x-kubernetes-validations":[{"rule":"self > 2"}]}"#,
                vec!["b does not have the rule `self > 1`"],
            ),
        ] {
            let (a, b) = (schema(tight), schema(loose));
            let (a, b) = (Side { version: "a", schema: &a }, Side { version: "b", schema: &b });
            assert_eq!(tighter(a, b, Way::Unchanged), expected, "{tight} {loose}");
        }
    }
}
