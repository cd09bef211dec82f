//! The places of values, keys and parts of strings.

use crdgen_core::path::Step;
use crdgen_core::span::{Locate, Place};
use crdgen_core::yaml::{self, Document};

fn document(text: &str) -> Document {
    let (mut documents, diags) = yaml::read(text.as_bytes());
    assert_eq!(diags, []);
    documents.pop().expect("a document")
}

/// Parses steps such as `a.b.0.c`.
fn steps(path: &str) -> Vec<Step> {
    let step = |s: &str| s.parse().map_or_else(|_| Step::Key(s.to_owned()), Step::Index);
    path.split('.').filter(|s| !s.is_empty()).map(step).collect()
}

/// Formats the line, the column, and the text at a place.
fn shown(text: &str, place: Place) -> String {
    let Place { start, end } = place;
    format!("{}:{} {}", start.line, start.column, &text[start.offset..end.offset])
}

const YAML: &str = "\
# é
---
apiVersion: v1 # x
spec: &spec
  names: {kind: Foo, \"plu ral\": 'foos'}
  é: !!str ü
  list:
  - a
  - b: 1
    c: 2
  -
    - x
  empty:
base:
  <<: *spec
  own: 1
copy: *spec
twice: 1
twice: 2
";

#[test]
fn values_and_keys() {
    let document = document(YAML);
    for (path, value) in [
        ("", "3:1 apiVersion"),
        ("apiVersion", "3:13 v1"),
        ("spec", "4:1 spec"),
        ("spec.names", "5:10 {"),
        ("spec.names.kind", "5:17 Foo"),
        ("spec.names.plu ral", "5:33 'foos'"),
        ("spec.names.missing", "5:3 names"),
        ("spec.é", "6:12 ü"),
        ("spec.list", "7:3 list"),
        ("spec.list.0", "8:5 a"),
        ("spec.list.1", "9:5 b"),
        ("spec.list.1.c", "10:8 2"),
        ("spec.list.2", "12:5 - x"),
        ("spec.list.2.0", "12:7 x"),
        ("spec.list.7", "7:3 list"),
        ("spec.empty", "13:3 empty"),
        ("spec.missing.deeper", "4:1 spec"),
        ("base.own", "16:8 1"),
        ("base.names.kind", "5:17 Foo"),
        ("copy.list.1.b", "9:8 1"),
        ("twice", "19:8 2"),
    ] {
        let place = document.locate(&steps(path)).expect("a place");
        assert_eq!(shown(YAML, place), value, "{path}");
    }
    for (path, key) in [
        ("apiVersion", Some("3:1 apiVersion")),
        ("spec.names.plu ral", Some("5:22 \"plu ral\"")),
        ("copy.list.1.b", Some("9:5 b")),
        ("twice", Some("19:1 twice")),
        ("spec.list.0", None),
        ("missing", None),
    ] {
        let place = document.locate_key(&steps(path)).map(|p| shown(YAML, p));
        assert_eq!(place.as_deref(), key, "{path}");
    }
}

#[test]
fn keys_that_are_read_as_another_text() {
    let text = "on: 1\n'no': 2\n&a y: 3\n!!str off: 4\n? multiple\n  lines\n: 5\n0x10: {1.0: 6, 7: 8}\n";
    let found = document(text);
    for (keys, written) in [
        // If a key is repeated, the last one is read.
        (&["true"][..], Some("y")),
        (&["no"], None),
        (&["off"], None),
        (&["multiple lines"], None),
        (&["16"], Some("0x10")),
        (&["16", "1"], Some("1.0")),
        (&["16", "7"], None),
        (&["missing"], None),
    ] {
        let steps: Vec<Step> = keys.iter().map(|key| Step::Key((*key).to_owned())).collect();
        assert_eq!(found.key_as_written(&steps), written, "{keys:?}");
    }
    assert_eq!(document("{\"on\": 1}").key_as_written(&steps("on")), None);
}

#[test]
fn json() {
    let text = "{\n \"a\": [1, {\"b\\u0041\": \"x\"}],\n \"c\": {}}";
    let document = document(text);
    for (path, value) in
        [("a", "2:7 ["), ("a.0", "2:8 1"), ("a.1.bA", "2:23 \"x\""), ("c", "3:7 {"), ("d", "1:1 {")]
    {
        assert_eq!(shown(text, document.locate(&steps(path)).expect("a place")), value, "{path}");
    }
}

/// Checks the place of `part` inside of the string at `path`.
#[track_caller]
fn inside(text: &str, path: &str, part: &str, expected: &str) {
    let document = document(text);
    let mut value = &document.value;
    for step in steps(path) {
        value = match step {
            Step::Key(key) => value.get(&key).expect("a member"),
            Step::Index(i) => &value.as_list().expect("a list")[i],
        };
    }
    let start = value.as_str().expect("a string").find(part).expect("the part");
    let place = document.locate_inside(&steps(path), start..start + part.len()).expect("a place");
    assert_eq!(shown(text, place), expected);
}

#[test]
fn pieces_of_strings() {
    inside("a: self.x > 3 # c\n", "a", "x", "1:9 x");
    inside("a: 'it''s x'\n", "a", "'s", "1:7 ''s");
    inside("a: 'it''s x'\n", "a", "x", "1:11 x");
    inside("a: \"\\\"é\\u00e9\\x41 x\"\n", "a", "A", "1:14 \\x41");
    inside("a: \"\\\"é\\u00e9\\x41 x\"\n", "a", "x", "1:19 x");
    inside("a: \"x \\\n   y\\\n  z\"\n", "a", "z", "3:3 z");
    inside("a: one\n  two\n\n  three\n", "a", "two", "2:3 two");
    inside("a: one\n  two\n\n  three\n", "a", "three", "4:3 three");
    inside("a: |\n  one\n    two\n  three\nb: 1\n", "a", "  two", "3:3   two");
    inside("a: |-\n  one\n\n  three\n", "a", "three", "4:3 three");
    inside("l:\n- a: >-\n    one\n    two\n\n    three\n", "l.0.a", "two", "4:5 two");
    inside("l:\n- a: >-\n    one\n    two\n\n    three\n", "l.0.a", "hre", "6:6 hre");
    inside("a: &x !!str foo\nb: *x\n", "b", "oo", "1:14 oo");
    inside("{\"a\":\"x\\/\\ud83d\\ude00y\"}", "a", "y", "1:22 y");
    inside("a: |\r\n  one\r\n  two\r\n", "a", "two", "3:3 two");
}

#[test]
fn places_of_what_cannot_be_read() {
    let text = b"a: 1\n---\nb: 1\nc: d: e\n---\nf: 1\n";
    let (documents, diags) = yaml::read(text);
    assert_eq!(documents.len(), 2);
    let range = diags[0].range.clone().expect("a range");
    let place = yaml::place(text, range);
    assert_eq!((place.start.line, place.start.column), (4, 5));
    assert_eq!(diags[0].text, "yaml: line 2: mapping values are not allowed in this context");
}
