//! Changes of a schema node from each form to each other one, with the values that may make a difference between them.

use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use crdgen_tests::rng::Rng;

use super::{json, nodes};

/// Forms of a node of which each may become each other one.
pub struct Group {
    /// What the forms are about.
    pub name: &'static str,
    /// The forms, as JSON. An empty one means that the node is absent.
    forms: fn() -> Vec<String>,
    /// The values that are tried at the node, as JSON. It is also absent once.
    values: fn() -> Vec<String>,
    /// The schemas around the node, in which `NODE` is its own, and the steps to it in objects.
    spots: &'static [(&'static str, &'static [&'static str])],
}

const FIELD: (&str, &[&str]) = (r#"{"type":"object","properties":{"f":NODE}}"#, &["f"]);
const SPOTS: &[(&str, &[&str])] = &[
    FIELD,
    (r#"{"type":"object","properties":{"f":NODE},"required":["f"]}"#, &["f"]),
    (r#"{"type":"object","properties":{"l":{"type":"array","items":NODE}}}"#, &["l", "0"]),
    (r#"{"type":"object","properties":{"m":{"type":"object","additionalProperties":NODE}}}"#, &["m", "k"]),
    (r#"{"type":"object","properties":{"f":NODE},"x-kubernetes-preserve-unknown-fields":true}"#, &["f"]),
];

/// All groups.
pub const GROUPS: &[Group] = &[
    Group { name: "types and unknown fields", forms: of_nodes, values: values_of_nodes, spots: SPOTS },
    Group { name: "multiples and bounds", forms: of_steps, values: values_of_steps, spots: &[FIELD] },
    Group { name: "fields and counts", forms: of_counts, values: values_of_counts, spots: SPOTS },
    Group { name: "texts", forms: of_texts, values: values_of_texts, spots: &[FIELD] },
    Group { name: "lists", forms: of_lists, values: values_of_lists, spots: &[FIELD] },
];

/// A node that becomes another one: the schemas around it, before and after, and what is tried.
pub struct Change {
    /// The name of its group.
    pub group: &'static str,
    /// What it is called.
    pub name: String,
    /// The schema around the node before the change.
    pub old: Value,
    /// The same schema after it.
    pub new: Value,
    /// The steps to the node in objects, from what the schemas are about.
    pub place: Vec<Step>,
    /// The values to try there. `None` for an object without it.
    pub values: Vec<Option<Value>>,
}

impl Group {
    /// How many pairs of forms there are.
    pub fn kinds(&self) -> usize {
        let count = (self.forms)().len();
        count * (count - 1)
    }

    /// All changes of one form to another one, at all spots.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        let forms = (self.forms)();
        let values: Vec<Option<Value>> =
            [None].into_iter().chain((self.values)().iter().map(|text| Some(json(text)))).collect();
        let one = forms.clone();
        let with_all = move |old: String| forms.clone().into_iter().map(move |new| (old.clone(), new));
        let pairs = one.into_iter().flat_map(with_all).filter(|(old, new)| old != new);
        pairs.flat_map(move |(old, new)| {
            let values = values.clone();
            self.spots.iter().map(move |(around, place)| {
                let with = |form: &str| match form {
                    "" => json(r#"{"type":"object"}"#),
                    form => json(&around.replace("NODE", form)),
                };
                let step = |step: &&str| match step.parse() {
                    Ok(index) => Step::Index(index),
                    Err(_) => Step::Key((*step).to_owned()),
                };
                let shown = |form: &str| if form.is_empty() { "nothing".to_owned() } else { form.to_owned() };
                Change {
                    group: self.name,
                    name: format!("{} becomes {} in {around}", shown(&old), shown(&new)),
                    old: with(&old),
                    new: with(&new),
                    place: place.iter().map(step).collect(),
                    values: values.clone(),
                }
            })
        })
    }
}

/// Gives a random node of a CRD the form of one side of a random change, and returns the CRD with that of the other side, the change,
/// and the place of the node in objects.
pub fn change(crd: &mut Value, rng: &mut Rng) -> Option<(Value, Change)> {
    let group = rng.pick(GROUPS);
    let forms = (group.forms)().into_iter().filter(|form| !form.is_empty()).collect::<Vec<_>>();
    let (old, new) = (rng.pick(&forms).clone(), rng.pick(&forms).clone());
    let nodes: Vec<Vec<Step>> = nodes(crd).into_iter().filter(|place| place.len() > ROOT).collect();
    if nodes.is_empty() || old == new {
        return None;
    }
    let node = rng.pick(&nodes);
    let mut out = crd.clone();
    *crd.at_mut(node)? = json(&old);
    *out.at_mut(node)? = json(&new);
    let values = (group.values)().iter().map(|text| Some(json(text))).collect();
    let place = in_objects(&node[ROOT..]);
    let change = Change {
        group: group.name,
        name: format!("{old} becomes {new}"),
        old: json(&old),
        new: json(&new),
        place,
        values,
    };
    Some((out, change))
}

/// The number of steps to the schema of whole objects.
const ROOT: usize = 5;

/// The steps in objects to the values of a schema.
fn in_objects(mut steps: &[Step]) -> Vec<Step> {
    let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
    let mut out = Vec::new();
    loop {
        steps = match steps {
            [step, name, more @ ..] if is(step, "properties") => {
                out.push(name.clone());
                more
            }
            [step, more @ ..] if is(step, "items") => {
                out.push(Step::Index(0));
                more
            }
            [step, more @ ..] if is(step, "additionalProperties") => {
                out.push(Step::Key("key".to_owned()));
                more
            }
            _ => return out,
        };
    }
}

fn of_nodes() -> Vec<String> {
    const UNKNOWN: &str = r#""x-kubernetes-preserve-unknown-fields":true"#;
    const ANY: &str = r#""x-kubernetes-int-or-string":true"#;
    let object = |more: &str| format!(r#"{{"type":"object"{more}}}"#);
    let map = |values: &str| object(&format!(r#","additionalProperties":{values}"#));
    let list = |items: &str, more: &str| format!(r#"{{"type":"array","items":{items}{more}}}"#);
    let of_a = |a: &str, more: &str| object(&format!(r#","properties":{{"a":{a}}}{more}"#));
    let text = r#"{"type":"string"}"#;
    let mut out = vec![String::new()];
    out.extend(["", r#","nullable":true"#].map(object));
    out.extend(["", r#","nullable":true"#].map(|more| format!("{{{UNKNOWN}{more}}}")));
    out.push(object(&format!(",{UNKNOWN}")));
    out.extend(["true", "false", "{}"].map(map));
    out.push(map(&format!("true,{UNKNOWN}")));
    for values in [
        text,
        r#"{"type":"string","nullable":true}"#,
        r#"{"type":"string","default":"x"}"#,
        r#"{"type":"integer","maximum":3}"#,
        &format!("{{{ANY}}}"),
        &format!("{{{UNKNOWN}}}"),
        r#"{"type":"object"}"#,
        &object(&format!(",{UNKNOWN}")),
        &map(text),
        &of_a(text, r#","required":["a"]"#),
    ] {
        out.push(map(values));
    }
    out.push(map(&format!("{text},{UNKNOWN}")));
    for a in [
        text,
        r#"{"type":"string","default":"x"}"#,
        &format!("{{{ANY}}}"),
        &format!("{{{UNKNOWN}}}"),
        r#"{"type":"object"}"#,
        &format!(r#"{{{UNKNOWN},"maximum":3}}"#),
    ] {
        out.extend([String::new(), format!(",{UNKNOWN}")].map(|more| of_a(a, &more)));
    }
    out.push(of_a(text, r#","required":["a"]"#));
    let embedded = r#","x-kubernetes-embedded-resource":true"#;
    out.extend([of_a(text, embedded), object(&format!("{embedded},{UNKNOWN}"))]);
    for ty in ["string", "integer", "number", "boolean"] {
        out.extend(["", r#","nullable":true"#].map(|more| format!(r#"{{"type":"{ty}"{more}}}"#)));
    }
    out.extend(["", r#","nullable":true"#, r#","maximum":3"#].map(|more| format!("{{{ANY}{more}}}")));
    out.push(format!(r#"{{{ANY},"anyOf":[{{"type":"integer"}},{{"type":"string"}}]}}"#));
    out.extend([text, &format!("{{{UNKNOWN}}}"), &format!("{{{ANY}}}")].map(|items| list(items, "")));
    out.push(list(text, r#","x-kubernetes-list-type":"set""#));
    out.push(list(r#"{"type":"string","nullable":true}"#, ""));
    out
}

fn values_of_nodes() -> Vec<String> {
    let inside = [
        "null",
        r#""""#,
        r#""a""#,
        "1",
        "5",
        "1.5",
        "true",
        "[]",
        r#"["a"]"#,
        "[1]",
        "[null]",
        "{}",
        r#"{"a":"x"}"#,
        r#"{"a":1}"#,
        r#"{"b":"x"}"#,
        r#"{"a":{}}"#,
    ];
    let mut out: Vec<String> = inside.iter().map(|value| (*value).to_owned()).collect();
    for key in ["a", "c"] {
        out.extend(inside.iter().map(|value| format!(r#"{{"{key}":{value}}}"#)));
    }
    out.extend(inside.iter().map(|value| format!("[{value}]")));
    out.push(r#"["a","a"]"#.to_owned());
    out.push(r#"{"a":"x","c":{"d":1}}"#.to_owned());
    for more in ["", r#","a":"x""#, r#","a":1"#, r#","c":1"#] {
        let metadata = r#""metadata":{"name":"n"}"#;
        out.push(format!(r#"{{"apiVersion":"v1","kind":"K",{metadata}{more}}}"#));
    }
    out.push(r#"{"apiVersion":"v1","kind":1}"#.to_owned());
    out.push(r#"{"apiVersion":"v1","kind":"K","metadata":{"name":"N_"}}"#.to_owned());
    out
}

fn of_steps() -> Vec<String> {
    let steps = ["0.1", "0.2", "0.3", "0.5", "1", "1.5", "2", "2.5", "3", "4", "5", "10", "1000"];
    let mut out = Vec::new();
    for ty in ["number", "integer"] {
        for bounds in ["", r#","minimum":0,"maximum":100"#] {
            out.push(format!(r#"{{"type":"{ty}"{bounds}}}"#));
            out.extend(steps.iter().map(|step| format!(r#"{{"type":"{ty}","multipleOf":{step}{bounds}}}"#)));
        }
    }
    for ty in ["number", "integer"] {
        for bound in ["5", "4.5", r#"5,"exclusiveMinimum":true"#, r#"4,"exclusiveMinimum":true"#, "6"] {
            out.push(format!(r#"{{"type":"{ty}","minimum":{bound}}}"#));
            out.push(format!(r#"{{"type":"{ty}","maximum":{}}}"#, bound.replace("Minimum", "Maximum")));
        }
        out.push(format!(r#"{{"type":"{ty}","format":"int32"}}"#));
        out.push(format!(r#"{{"type":"{ty}","format":"int64"}}"#));
    }
    out
}

fn values_of_steps() -> Vec<String> {
    let mut out: Vec<String> = (-3..=60).map(|number| number.to_string()).collect();
    out.extend((-3..=60).map(|number| format!("{}.{}", number / 10, (number % 10_i32).abs())));
    let near =
        ["4", "5", "6", "10", "4.5", "5.000000004", "4.999999996", "5.9999999945", "4.000000003", "5.5"];
    out.extend(near.map(str::to_owned));
    for large in [
        "1000000000000000.2",
        "1000000000000000.5",
        "2000000000.5",
        "1000000001",
        "10000000001.5",
        "1.5e15",
        "2.25e15",
        "4503599627370497.5",
        "9007199254740993",
        "9007199254740992",
        "90071992547409910",
        "18014398509481984",
        "4611686018427387904",
        "9223372036854775807",
        "-9223372036854775808",
        "2147483648",
        "1e22",
        "-1000000000000000.2",
        "300000000000000.25",
        "3000000000000003",
        "1e300",
    ] {
        out.push(large.to_owned());
    }
    out
}

fn of_counts() -> Vec<String> {
    let fields = r#""properties":{"a":{"type":"string"},"b":{"type":"string"}}"#;
    let mut out = Vec::new();
    for required in ["", r#""a""#, r#""a","a""#, r#""a","b""#, r#""a","b","b""#] {
        let required =
            if required.is_empty() { String::new() } else { format!(r#","required":[{required}]"#) };
        let counts = [
            "",
            r#","minProperties":1"#,
            r#","minProperties":2"#,
            r#","minProperties":3"#,
            r#","maxProperties":1"#,
        ];
        out.extend(counts.map(|count| format!(r#"{{"type":"object",{fields}{required}{count}}}"#)));
    }
    for (a, more) in [
        (r#"{"type":"string","default":"x"}"#, r#","minProperties":1"#),
        (r#"{"type":"string","default":"x"}"#, r#","maxProperties":1"#),
        (r#"{"type":"string","nullable":true}"#, r#","required":["a"]"#),
        (r#"{"type":"string","nullable":true}"#, r#","minProperties":1"#),
    ] {
        out.push(format!(r#"{{"type":"object","properties":{{"a":{a},"b":{{"type":"string"}}}}{more}}}"#));
    }
    for only in [
        "",
        r#","required":["a"]"#,
        r#","minProperties":1"#,
        r#","maxProperties":1"#,
        r#","maxProperties":0"#,
    ] {
        out.push(format!(r#"{{"type":"object","properties":{{"b":{{"type":"string"}}}}{only}}}"#));
        out.push(format!(r#"{{"type":"object","x-kubernetes-preserve-unknown-fields":true{only}}}"#));
        out.push(format!(r#"{{"type":"object","additionalProperties":{{"type":"string"}}{only}}}"#));
    }
    for junctor in [
        r#""anyOf":[{"required":["a"]},{"required":["b"]}]"#,
        r#""oneOf":[{"required":["a"]},{"required":["b"]}]"#,
        r#""oneOf":[{"required":["a"]},{"required":["a"]},{"required":["b"]}]"#,
        r#""allOf":[{"minProperties":2}]"#,
        r#""not":{"required":["a","a"]}"#,
        r#""not":{"minProperties":2}"#,
        r#""anyOf":[{"maxProperties":1}]"#,
        r#""enum":[{"a":"x"},{"a":"x"},{}]"#,
    ] {
        out.push(format!(r#"{{"type":"object",{fields},{junctor}}}"#));
    }
    out
}

fn values_of_counts() -> Vec<String> {
    let mut out = vec!["null".to_owned()];
    for a in ["", r#""a":"x""#, r#""a":null"#] {
        for b in ["", r#""b":"x""#, r#""b":null"#] {
            for c in ["", r#""c":"x""#] {
                let parts: Vec<&str> = [a, b, c].into_iter().filter(|part| !part.is_empty()).collect();
                out.push(format!("{{{}}}", parts.join(",")));
            }
        }
    }
    out
}

fn of_texts() -> Vec<String> {
    let limits = [
        "",
        r#""minLength":1"#,
        r#""minLength":2"#,
        r#""maxLength":1"#,
        r#""maxLength":0"#,
        r#""pattern":"^a""#,
        r#""pattern":"^[ab]$""#,
        r#""pattern":"^.{1,2}$""#,
        r#""enum":["a"]"#,
        r#""enum":["a","a"]"#,
        r#""enum":["a","b"]"#,
        r#""enum":["a",null],"nullable":true"#,
        r#""enum":["a"],"nullable":true"#,
        r#""nullable":true"#,
        r#""default":"a""#,
        r#""default":"a","nullable":true"#,
        r#""format":"date""#,
        r#""format":"byte""#,
        r#""format":"password""#,
        r#""format":"ipv4""#,
        r#""format":"ipv6""#,
        r#""format":"duration""#,
        r#""format":"date-time""#,
        r#""allOf":[{"maxLength":1}]"#,
        r#""not":{"enum":["a"]}"#,
        r#""anyOf":[{"enum":["a"]},{"minLength":2}]"#,
        r#""minLength":7,"format":"ipv4""#,
        r#""minLength":20,"format":"date-time""#,
    ];
    limits
        .map(|limit| format!(r#"{{"type":"string"{}{limit}}}"#, if limit.is_empty() { "" } else { "," }))
        .into()
}

fn values_of_texts() -> Vec<String> {
    let texts = [
        "",
        "a",
        "b",
        "ab",
        "abc",
        "ä",
        "ää",
        "\u{1f980}",
        "a\\n",
        "\\na",
        "YQ==",
        "YQ",
        "2020-01-01",
        "2020-1-1",
        "2020-01-01T00:00:00Z",
        "2020-01-01 00:00:00Z",
        "2020-01-01T00:00:00+01:00",
        "1.2.3.4",
        "::1",
        "::",
        "::ffff:1.2.3.4",
        "1s",
        "0",
        "1h2m",
        "P1D",
        "1 s",
        "01.2.3.4",
    ];
    texts.iter().map(|text| format!(r#""{text}""#)).chain(["null".to_owned(), "1".to_owned()]).collect()
}

fn of_lists() -> Vec<String> {
    let item = r#"{"type":"object","properties":{"k":{"type":"string"},"l":{"type":"string","default":"x"},"n":{"type":"number"}},"required":["k"]}"#;
    let by = |keys: &str| format!(r#","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[{keys}]"#);
    let mut out = Vec::new();
    for more in [
        String::new(),
        by(r#""k""#),
        by(r#""k","l""#),
        by(r#""l""#),
        r#","maxItems":1"#.to_owned(),
        r#","minItems":1"#.to_owned(),
        r#","minItems":2"#.to_owned(),
        r#","x-kubernetes-list-type":"atomic""#.to_owned(),
        r#","default":[]"#.to_owned(),
        r#","nullable":true"#.to_owned(),
    ] {
        out.push(format!(r#"{{"type":"array","items":{item}{more}}}"#));
    }
    for item in [
        r#"{"type":"string"}"#,
        r#"{"type":"number"}"#,
        r#"{"type":"integer"}"#,
        r#"{"type":"string","nullable":true}"#,
    ] {
        for more in ["", r#","x-kubernetes-list-type":"set""#, r#","uniqueItems":false"#, r#","maxItems":1"#]
        {
            out.push(format!(r#"{{"type":"array","items":{item}{more}}}"#));
        }
    }
    out
}

fn values_of_lists() -> Vec<String> {
    let items = [
        r#"{"k":"a"}"#,
        r#"{"k":"b"}"#,
        r#"{"k":"a","l":"x"}"#,
        r#"{"k":"a","l":"y"}"#,
        r#"{"k":"b","l":"y"}"#,
        r#"{"k":"a","n":1}"#,
        r#"{"l":"x"}"#,
        r#""a""#,
        r#""b""#,
        "1",
        "1.0",
        "2",
        "1.5",
        "null",
    ];
    let mut out = vec!["[]".to_owned(), "null".to_owned()];
    for one in items {
        out.push(format!("[{one}]"));
        out.extend(items.iter().map(|other| format!("[{one},{other}]")));
    }
    out
}

/// Returns an object of a kind with a value at a place of its spec.
pub fn object(place: &[Step], value: Option<&Value>) -> Value {
    let spec = value.map_or_else(|| Value::Map(Map::new()), |value| at(place, value.clone()));
    let mut out = json(r#"{"apiVersion":"example.com/v1","kind":"Form","metadata":{"name":"f"}}"#);
    if let Some(map) = out.as_map_mut() {
        map.insert("spec", spec);
    }
    out
}

fn at(place: &[Step], value: Value) -> Value {
    match place.split_first() {
        Some((Step::Key(name), rest)) => Value::Map([(name.as_str(), at(rest, value))].into_iter().collect()),
        Some((Step::Index(_), rest)) => Value::List(vec![at(rest, value)]),
        None => value,
    }
}

/// Returns the CRD of this kind with a schema of its spec.
pub fn crd(spec: &Value) -> Value {
    let mut out = json(
        r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"forms.example.com"},
        "spec":{"group":"example.com","scope":"Cluster","names":{"kind":"Form","plural":"forms","singular":"form","listKind":"FormList"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{}}}}]}}"#,
    );
    let key = |name: &str| Step::Key(name.to_owned());
    let place = [
        key("spec"),
        key("versions"),
        Step::Index(0),
        key("schema"),
        key("openAPIV3Schema"),
        key("properties"),
    ];
    if let Some(fields) = out.at_mut(&place).and_then(Value::as_map_mut) {
        fields.insert("spec", spec.clone());
    }
    out
}
