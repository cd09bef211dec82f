//! Reading and writing YAML and JSON.

mod places;
mod read_back;

use crdgen_core::value::Value;
use crdgen_core::yaml;
use crdgen_tests::processor_time;
use crdgen_tests::rng::Rng;
use crdgen_tests::yaml as texts;
use std::time::Duration;

/// Text that crdgen writes is read back as the same JSON, whatever the value is.
#[test]
fn written_text_is_read_back() {
    let pool = texts::torture();
    let generated = (0..3000).map(|i| texts::generated(&pool, &mut Rng::of_case(3, i)));
    for text in pool.iter().cloned().chain(generated) {
        for document in yaml::read(&text).0 {
            for written in [yaml::write(&document.value), yaml::write_object(&document.value)] {
                let again = yaml::read_one(written.as_bytes());
                let again = again.map_or_else(|d| Value::Str(d.text), |d| d.value);
                assert_eq!(again, texts::as_json(&document.value), "written: {written:?}");
                // kubectl must read it as one document too.
                assert!(yaml::read(written.as_bytes()).0.len() <= 1, "written: {written:?}");
            }
        }
    }
}

#[track_caller]
fn written(yaml_or_json: &str, expected: &str) {
    let document = yaml::read_one(yaml_or_json.as_bytes()).expect("a test's text");
    assert_eq!(yaml::write_object(&document.value), expected);
}

#[test]
fn writing() {
    written(
        r#"{"spec":{"l":[{"b":1,"a":[1,[2,3]]},"x"],"e":{},"f":[]},"kind":"K","a":null,"metadata":{"name":"m"},"apiVersion":"v1"}"#,
        "apiVersion: v1\nkind: K\nmetadata:\n  name: m\nspec:\n  e: {}\n  f: []\n  l:\n  - a:\n    - 1\n    - - 2\n      - 3\n    b: 1\n  - x\na: null\n",
    );
    written(
        r#"{"a":"x\ny","b":"x\ny\n","c":"x\ny\n\n"}"#,
        "a: |-\n  x\n  y\nb: |\n  x\n  y\nc: |+\n  x\n  y\n\n",
    );
    written(r#"{"a":"  x\ny","l":["a\nb"]}"#, "a: |2-\n    x\n  y\nl:\n- |-\n  a\n  b\n");
    written(r#"{"a":" x\ny ","b":"\n","c":"a\rb\nc"}"#, "a: \" x\\ny \"\nb: \"\\n\"\nc: \"a\\rb\\nc\"\n");
    written(
        r##"{"on":"on","1":"0777","~":"null","a b":"a: b","c":"#x","d":"it's","e":"- x","f":"-x","g":"12:30","h":"2001-01-01","i":"","j":".5","k":"=","l":"<<","<<":1}"##,
        "\"1\": \"0777\"\n\"<<\": 1\na b: 'a: b'\nc: '#x'\nd: it's\ne: '- x'\nf: -x\ng: \"12:30\"\nh: \"2001-01-01\"\ni: \"\"\nj: \".5\"\nk: '='\nl: <<\n\"on\": \"on\"\n\"~\": \"null\"\n",
    );
    written(r#"{"a":1.5,"b":1e21,"c":-0.0,"d":1e-7}"#, "a: 1.5\nb: 1e+21\nc: -0.0\nd: 1e-7\n");
}

/// Malicious texts, some of which are so many times as long as the smallest.
fn malicious(times: usize) -> Vec<String> {
    let aliases: String = std::iter::once("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned())
        .chain((1..30).map(|i| {
            let all = vec![format!("*a{}", i - 1); 10].join(",");
            format!("a{i}: &a{i} [{all}]\n")
        }))
        .collect();
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 5000].join(","));
    let merges: String = std::iter::once("m0: &m0 {a: 1, b: 2}\n".to_owned())
        .chain((1..60).map(|i| format!("m{i}: &m{i} {{<<: [*m{0}, *m{0}], k{i}: 1}}\n", i - 1)))
        .collect();
    let lists: String = (0..3000).map(|i| format!("{}-\n", " ".repeat(i))).collect();
    let many = times << 16;
    vec![
        aliases,
        long,
        merges,
        lists,
        "[".repeat(4 * many),
        "{a: ".repeat(many),
        "- ".repeat(many),
        "? ".repeat(many),
        "&a [".repeat(many),
        "{\"a\":".repeat(many),
        "a: &a [*a]".to_owned(),
        "\u{7f}".repeat(4 * many),
    ]
}

/// How long a malicious text takes until it is rejected.
fn rejected_after(bomb: &str) -> Duration {
    let start = processor_time();
    let (documents, diags) = yaml::read(bomb.as_bytes());
    assert!(documents.is_empty() && !diags.is_empty(), "read: {}", &bomb[..60.min(bomb.len())]);
    processor_time() - start
}

/// Malicious texts end in an error, and four times the text takes about four times as long.
#[test]
fn bombs() {
    let slack = Duration::from_millis(30);
    for (small, large) in malicious(1).iter().zip(&malicious(4)) {
        let (mut few, mut many) = (rejected_after(small), rejected_after(large));
        for _ in 0..3 {
            if many > (few + slack) * 6 {
                (few, many) = (few.min(rejected_after(small)), many.min(rejected_after(large)));
            }
        }
        let start = &small[..60.min(small.len())];
        assert!(many <= (few + slack) * 6, "{start}: {few:?}, and four times as much {many:?}");
    }
    let harmless = ["a: ".to_owned() + &"x".repeat(1 << 22), "'".to_owned() + &"''".repeat(1 << 20) + "'"];
    let deep = crdgen_core::value::MAX_DEPTH;
    let lists: String = (0..deep).map(|i| format!("{}-\n", " ".repeat(i))).collect();
    let nested =
        ["[".repeat(deep) + &"]".repeat(deep), "{\"a\":".repeat(deep) + "1" + &"}".repeat(deep), lists];
    for text in harmless.iter().chain(&nested) {
        let (documents, diags) = yaml::read(text.as_bytes());
        assert_eq!(diags, []);
        let written = yaml::write(&documents[0].value);
        assert_eq!(yaml::read(written.as_bytes()).0[0].value, documents[0].value);
    }
}

/// Reads mutated texts for `$CRDGEN_FUZZ_SECONDS`, or for 2 seconds if it is not set.
#[test]
fn fuzz() {
    let seconds = std::env::var("CRDGEN_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    let seed = std::env::var("CRDGEN_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    match texts::fuzz(seed, Duration::from_secs(seconds)) {
        Ok(outcome) => println!("{outcome:?}"),
        Err(text) => panic!("this breaks a rule: {:?}", String::from_utf8_lossy(&text)),
    }
}

/// Splits a stream as kubectl does.
#[test]
fn objects_of_lists() {
    let (documents, diags) =
        yaml::read(b"kind: List\nitems:\n- kind: A\n- kind: B\n---\nkind: C\nitems: []\n");
    assert_eq!(diags, []);
    let kinds: Vec<_> =
        documents.iter().flat_map(|d| d.objects()).filter_map(|(_, o)| o.get("kind")).collect();
    assert_eq!(kinds, [&Value::from("A"), &Value::from("B"), &Value::from("C")]);
}
