//! The initial inputs of each target.

use crdgen_core::json::to_string;
use crdgen_tests::case::own_cases;
use crdgen_tests::corpus;
use std::fs;

pub(super) fn yaml() -> Vec<Vec<u8>> {
    corpus::own_crds().into_iter().map(|s| s.text.into_bytes()).collect()
}

pub(super) fn json() -> Vec<Vec<u8>> {
    let small =
        [r#"{"a":[1,-2.5e3,true,null,"\u00e9\n"]}"#, "[]", "0", "\"\"", "1e400", "9223372036854775808"];
    let seeds = corpus::own_crds().into_iter().map(|s| to_string(&s.value).into_bytes());
    seeds.chain(small.iter().map(|s| s.as_bytes().to_vec())).collect()
}

pub(super) fn rpc() -> Vec<Vec<u8>> {
    let cases = own_cases(&corpus::own_crds());
    let mut seeds: Vec<Vec<u8>> =
        cases.iter().step_by(7).map(|c| to_string(&c.request).into_bytes()).collect();
    seeds.push(br#"{"op":"priority","versions":["v1","v2beta1","foo"]}"#.to_vec());
    seeds.push(br#"{"op":"version","id":7}"#.to_vec());
    seeds
}

pub(super) fn object() -> Vec<Vec<u8>> {
    let text = "apiVersion: ex.com/v1\nkind: W\nmetadata: {name: a, labels: {b: c}}\ns: text\ni: 3\nn: 1.5\nb: null\nl: [a, b]\nm: {k: 1}\no: {in: x, a-b: 2}\ne: {apiVersion: v1, kind: Pod, metadata: {name: p}}\nx: 5%\nt: 2020-01-01T00:00:00Z\nk: [{a: x}]\n";
    vec![text.as_bytes().to_vec()]
}

pub(super) fn fields() -> Vec<Vec<u8>> {
    let text = r#"{"f:a":{".":{},"f:b":{}},"f:l":{"k:{\"name\":\"x\",\"port\":80}":{".":{},"f:y":{}},"v:1.5":{},"v:\"z\"":{},"i:0":{}}}"#;
    vec![text.as_bytes().to_vec()]
}

pub(super) fn apply() -> Vec<Vec<u8>> {
    let live = r#"{"apiVersion":"ex.com/v1","kind":"W","metadata":{"name":"a","uid":"u","managedFields":[{"manager":"x","operation":"Apply","apiVersion":"ex.com/v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:l":{"v:\"a\"":{}},"f:k":{"k:{\"a\":\"x\"}":{".":{},"f:a":{}}}}}]},"l":["a"],"k":[{"a":"x"}]}"#;
    let sent = "apiVersion: ex.com/v1\nkind: W\nmetadata: {name: a}\ns: text\nl: [a, b]\nm: {k: 1}\nk: [{a: x}, {a: y}]\n";
    vec![format!("{live}---\n{sent}").into_bytes(), sent.as_bytes().to_vec()]
}

pub(super) fn built_in() -> Vec<Vec<u8>> {
    let live = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","uid":"u","managedFields":[{"manager":"x","operation":"Apply","apiVersion":"apps/v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{}}}}}}}}]},"spec":{"replicas":1,"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;
    let sent = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  replicas: 2\n  template:\n    spec:\n      containers: [{name: c, image: x, ports: [{containerPort: 1}], resources: {limits: {cpu: 1500m}}}]\n";
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: b}\ndata: null\n";
    vec![format!("{live}---\n{sent}").into_bytes(), sent.as_bytes().to_vec(), secret.as_bytes().to_vec()]
}

pub(super) fn cel() -> Vec<Vec<u8>> {
    [
        "self.s == 'a' && self.i > 3 || !self.b",
        "self.l.all(x, x.size() < 5 && x.matches('^[a-z]+$'))",
        "self.m.exists(k, self.m[k] > 1) ? 'a' : \"b\" + string(self.i)",
        "has(self.o.__in__) && self.o.a__dash__b in [1, 2u, -3.5e7]",
        "self.?o.?x.orValue({'a': b'\\x00', r'''raw''': null}).size() == 1",
        "duration('1h') + timestamp('2020-01-01T00:00:00Z').getFullYear()",
        "quantity('1Mi').add(quantity('1')).isGreaterThan(quantity(self.s))",
        "[[1,2],[3]].map(l, l.filter(x, x % 2 == 0)).flatten().sum() == 2",
        "self.k.map(e, e.a).isSorted() && ip('::1').family() == 6",
        "oldSelf.s == self.s // why",
        "'%d %s'.format([1, self.s]).split(' ').join('-').lowerAscii()",
        "optional.of(1).hasValue() && type(self.x) == int && dyn(self.x) == 3",
        "self.l.transformList(i, v, i > 0, v + v).exists_one(v, v == 'aa')",
        "cel.bind(x, self.i * 2, x + x) > 9223372036854775807 - 1",
    ]
    .iter()
    .map(|s| s.as_bytes().to_vec())
    .collect()
}

pub(super) fn pattern() -> Vec<Vec<u8>> {
    [
        "^(a|b)*?[^[:alpha:]\\d-z]{2,5}$",
        "(?i:x)(?P<n>\\p{Greek}+)\\Q.*\\E\\x{10FFFF}",
        "a{1000}(b+?|)\\b\\pN",
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    ]
    .iter()
    .map(|s| s.as_bytes().to_vec())
    .collect()
}

pub(super) fn rust() -> Vec<Vec<u8>> {
    let ui = corpus::tests_dir().join("ui");
    let files = ["attributes.txt", "code.txt", "kinds.txt", "newcomer.txt", "rules.txt", "serde.txt"];
    let texts = files.iter().filter_map(|name| fs::read_to_string(ui.join(name)).ok());
    let head =
        "#[derive(CustomResource, Schema)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Foo\")]\n";
    let case = |case: &str| {
        let body = case.split_once('\n').map_or("", |(_, body)| body);
        if let Some(full) = body.strip_prefix("full\n") {
            return full.as_bytes().to_vec();
        }
        let (more, fields): (Vec<&str>, Vec<&str>) = body.lines().partition(|line| line.starts_with("+ "));
        let fields: Vec<&str> = fields.into_iter().filter(|line| !line.starts_with("kube ")).collect();
        let (on_type, fields): (Vec<&str>, Vec<&str>) =
            fields.into_iter().partition(|line| line.starts_with("type "));
        let on_type: String = on_type.iter().map(|line| line["type ".len()..].to_owned() + "\n").collect();
        let more: String = more.iter().map(|line| line["+ ".len()..].to_owned() + "\n").collect();
        format!("{head}{on_type}pub struct FooSpec {{ {} }}\n{more}", fields.join("\n")).into_bytes()
    };
    let mut seeds: Vec<Vec<u8>> =
        texts.flat_map(|text| text.split("\n## ").skip(1).map(case).collect::<Vec<_>>()).collect();
    seeds.push(
        b"#!/bin/sh\nmod a; #[path = \"a.rs\"] pub mod b; use a::{b::*, c as d}; include!(\"a.rs\");"
            .to_vec(),
    );
    seeds
}
