//! Other programs read the YAML that crdgen writes as the same value: serde_yaml, which programs on kube-rs use, and the
//! reader of kubectl and the server.

use crdgen_core::value::{Map, Value};
use crdgen_core::{json, yaml};
use crdgen_tests::rng::Rng;
use crdgen_tests::{corpus, oracle, yaml as texts};

/// Texts that some reader of YAML takes for something else than a string.
const ODD: &[&str] = &[
    "",
    " ",
    "~",
    "null",
    "Null",
    "NULL",
    "true",
    "True",
    "TRUE",
    "false",
    "y",
    "Y",
    "n",
    "N",
    "yes",
    "Yes",
    "no",
    "NO",
    "on",
    "On",
    "off",
    "OFF",
    "0",
    "-0",
    "+0",
    "00",
    "01",
    "0o17",
    "0O17",
    "017",
    "08",
    "09",
    "0x1F",
    "0X1f",
    "0b11",
    "0B11",
    "-0x1",
    "+0x1",
    "-0b1",
    "-0o7",
    "1_000",
    "0x_1",
    "1e3",
    "1E3",
    "1e+3",
    "1.e3",
    ".5",
    "-.5",
    "+.5",
    "5.",
    "1.0",
    "1_0.5",
    "12:30",
    "12:30:45",
    "-1:30",
    "1:60",
    ".inf",
    "-.inf",
    "+.inf",
    ".Inf",
    ".INF",
    "inf",
    "Infinity",
    ".nan",
    ".NaN",
    ".NAN",
    "nan",
    "NaN",
    "2001-01-01",
    "2001-1-1",
    "2001-01-01T00:00:00Z",
    "2001-01-01 00:00:00",
    "=",
    "<<",
    "-",
    "--",
    "---",
    "----",
    "...",
    "?",
    ":",
    ": ",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "#a",
    "a#b",
    "- a",
    "-a",
    "? a",
    "?a",
    "!a",
    "!!str a",
    "&a",
    "*a",
    "@a",
    "`a",
    "%a",
    "%YAML 1.2",
    "|",
    "|a",
    ">",
    ">-",
    "[",
    "]",
    "{",
    "}",
    "[a]",
    "{a}",
    "{a: b}",
    ",",
    "a,b",
    "'",
    "''",
    "\"",
    "\"\"",
    "'a'",
    "\"a\"",
    "it's",
    "a\\b",
    "\\",
    "\t",
    "\ta",
    "a\tb",
    "a\t",
    " a",
    "a ",
    "  a",
    "\n",
    "\na",
    "a\n",
    "a\n\n",
    "a\nb",
    " a\nb",
    "a\n b",
    "a\n\nb",
    "a\n\n\n",
    "\n\n",
    "a\r",
    "a\rb",
    "\r\n",
    "a\r\nb",
    "a \nb",
    "a\n \nb",
    "#a\nb",
    "a\n---\nb",
    "a\n...\nb",
    "\u{0}",
    "\u{7}",
    "\u{8}",
    "\u{1b}",
    "\u{7f}",
    "\u{85}",
    "a\u{85}b",
    "\u{a0}",
    "\u{2028}",
    "a\u{2028}b",
    "\u{2029}",
    "\u{feff}",
    "\u{feff}a",
    "a\u{feff}",
    "\u{fffe}",
    "\u{fffd}",
    "\u{e000}",
    "\u{10ffff}",
    "é",
    "🦀",
    "日本",
    "\u{202e}",
    "1🦀",
    "0.1.0",
    "1.2.3",
    "v1",
    "1m",
    "100m",
    "1Gi",
    "1e3m",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "0.1e400",
    "1e400",
    "1d",
    "0x",
    "0b",
    "0o",
    "e3",
    ".",
    "..",
    ".e3",
    "+",
    "+a",
    "+1",
    "-1",
    "1-",
    "1+1",
    "tru",
    "truee",
    "nul",
    "nulll",
];

/// Numbers, as JSON has them.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "0.1",
    "-0.5",
    "1.5e300",
    "1e21",
    "1e-7",
    "123456789.125",
    "0.30000000000000004",
    "1e15",
    "1e16",
    "1e17",
    "4.9e-324",
    "1.7976931348623157e308",
    "100000000000000000000",
    "2.5e-8",
];

fn odd_values() -> Vec<Value> {
    let numbers = NUMBERS.iter().map(|text| json::read(text.as_bytes()).expect("a number"));
    let mut all: Vec<Value> = ODD.iter().map(|text| Value::from(*text)).chain(numbers).collect();
    all.extend([Value::Null, true.into(), false.into(), Value::List(Vec::new()), Value::Map(Map::new())]);
    all
}

/// Puts a value into some of the places that documents have.
fn placed(value: &Value) -> Vec<Value> {
    let map = |key: &str, value: Value| Value::Map([(key, value)].into_iter().collect());
    let mut all = vec![
        map("a", value.clone()),
        Value::List(vec![value.clone(), value.clone()]),
        map("a", Value::List(vec![map("b", value.clone()), value.clone()])),
        map("a", map("b", map("c", value.clone()))),
        Value::List(vec![Value::List(vec![value.clone()]), map("a", value.clone())]),
    ];
    if let Value::Str(text) = value {
        all.push(map(text, Value::Int(1)));
        all.push(map("a", map(text, map(text, value.clone()))));
        all.push(Value::List(vec![map(text, Value::List(vec![value.clone()]))]));
    }
    all
}

/// A random value of these parts.
fn random(parts: &[Value], depth: u32, rng: &mut Rng) -> Value {
    match rng.below(if depth == 0 { 1 } else { 3 }) {
        0 => rng.pick(parts).clone(),
        1 => Value::List((0..rng.below(4)).map(|_| random(parts, depth - 1, rng)).collect()),
        _ => {
            let mut out = Map::new();
            for _ in 0..rng.below(4) {
                let key = rng.pick(ODD);
                out.insert(*key, random(parts, depth - 1, rng));
            }
            Value::Map(out)
        }
    }
}

/// The values that are written: odd ones in all places, random ones of them, and real documents.
fn values() -> Vec<Value> {
    let parts = odd_values();
    let mut all: Vec<Value> = parts.iter().flat_map(placed).collect();
    all.extend((0..1500).map(|case| random(&parts, 4, &mut Rng::of_case(5, case))));
    all.extend(corpus::own_crds().into_iter().chain(corpus::own_objects()).map(|seed| seed.value));
    // Without optimization, the whole corpus would take long.
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { 15 };
    let real = [corpus::shared_crds(), corpus::shared_objects()].into_iter().flatten();
    let real = real.flat_map(|seeds| seeds.into_iter().skip(crdgen_tests::turn() % step).step_by(step));
    all.extend(real.map(|seed| seed.value));
    // A float without a fraction is an integer once it is read from JSON.
    all.iter().map(texts::as_json).collect()
}

fn fail(wrong: &[String], count: usize) {
    let shown: Vec<&str> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn serde_yaml_reads_the_same_value() {
    let all = values();
    let mut wrong = Vec::new();
    for value in &all {
        for text in [yaml::write(value), yaml::write_object(value)] {
            let wanted: serde_json::Value =
                serde_json::from_str(&json::to_string(value)).expect("our text is JSON");
            match serde_yaml::from_str::<serde_json::Value>(&text) {
                Ok(found) if found == wanted => {}
                Ok(found) => wrong.push(format!("{text:?}\n    wanted {wanted}\n    found  {found}")),
                Err(why) => wrong.push(format!("{text:?}\n    {why}")),
            }
        }
    }
    fail(&wrong, all.len());
}

#[test]
fn kubectl_and_the_server_read_the_same_value() {
    let Some(oracle) = oracle::or_skip("yaml::read_back") else { return };
    let all = values();
    let requests: Vec<String> = all
        .iter()
        .map(|value| {
            let text = yaml::write(value);
            let request = [("op", Value::from("yaml")), ("text", text.as_str().into())];
            json::to_string(&Value::Map(request.into_iter().collect()))
        })
        .collect();
    let answers = oracle.ask(&requests, 2).unwrap_or_else(|e| panic!("{e}"));
    let mut wrong = Vec::new();
    for ((value, request), answer) in all.iter().zip(&requests).zip(&answers) {
        let answer = json::read(answer.as_bytes()).unwrap_or_default();
        // We read the text back as the same value, and the others read what we read. Their answer is JSON with a mark
        // before floats.
        let text = yaml::write(value);
        let again = yaml::read_one(text.as_bytes()).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        assert_eq!(texts::as_json(&again.value), *value, "{text:?}");
        let wanted = crdgen_core::rpc::yaml::report(text.as_bytes());
        if answer.get("value") != wanted.get("value") || answer.get("valueError").is_some() {
            wrong.push(format!("{request}\n    {}", json::to_string(&answer)));
        }
    }
    fail(&wrong, all.len());
}
