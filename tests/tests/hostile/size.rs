//! Documents that are very large, deep or numerous, and documents that expand to more than their text.

use std::process::Stdio;
use std::time::Duration;

use crdgen_tests::corpus::GOOD;

use super::{Limits, READERS, Sandbox, WRITERS, some, with};

/// Returns a short CRD with a description of this many bytes. Without `good`, the server reports findings about it.
fn one(number: usize, description: usize, good: bool) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a{number}s.example.com\n\
        spec:\n  group: example.com\n  scope: {}\n  names: {{plural: a{number}s, kind: A{number}}}\n  versions:\n\
        \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
        \x20       description: {}\n",
        if good { "Namespaced" } else { "Galactic" },
        "word ".repeat(description / 5 + 1)
    )
}

fn stream(count: usize, description: usize, good: bool) -> String {
    (0..count).map(|number| one(number, description, good)).collect()
}

/// Each input is in memory only once, and results are freed.
#[test]
fn a_hundred_megabytes_need_at_most_three_hundred() {
    let mut sandbox = Sandbox::new("size-memory");
    sandbox.limits = Limits::new(120, 300 << 20);
    let text = stream(25_000, 3_900, true) + &one(0, 0, false);
    assert!(text.len() > 100_000_000 && text.len() < 128 << 20, "{}", text.len());
    sandbox.write("all.yaml", text);
    let ran = sandbox.run(&["check", "all.yaml"]);
    assert_eq!(ran.code(), Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("25001 CRDs in 1 file: 1 error"), "{}", ran.stderr);
    assert!(ran.stdout.contains("Galactic"));
}

/// Asserts that four times the input takes about four times as long. Six times as long is too much, and quadratic time
/// would be sixteen times.
///
/// Compares the fastest of several runs, because processors are slower when other work shares their caches. The large
/// input runs again only if it took too long. The small one then runs again too, so that both are measured under the
/// same load.
#[track_caller]
fn grows_evenly(what: &str, small: impl Fn() -> Duration, large: impl Fn() -> Duration) {
    // The clock has a resolution of ten milliseconds.
    let start = Duration::from_millis(30);
    let (mut few, mut many) = (small().min(small()), large());
    for _ in 0..3 {
        if many <= (few + start) * 6 {
            return;
        }
        (few, many) = (few.min(small()), many.min(large()));
    }
    assert!(many <= (few + start) * 6, "{what}: {few:?} and four times as many {many:?}");
}

/// Four times as many CRDs take four times as long. This is also true if each has findings, whatever the lines contain.
#[test]
fn time_grows_with_the_number_of_definitions() {
    let mut sandbox = Sandbox::new("size-time");
    sandbox.limits = Limits::new(120, 1 << 30);
    let json = |count: usize| -> String {
        (0..count)
            .map(|n| super::definition("example.com", &format!("a{n}s"), "A", "V!").replace('\n', ""))
            .collect()
    };
    let broken = |count: usize| "---\nkind: [\n".repeat(count);
    for (name, small, large) in [
        ("good", stream(1_000, 0, true), stream(4_000, 0, true)),
        ("bad", stream(1_000, 0, false), stream(4_000, 0, false)),
        ("one-line", json(1_000), json(4_000)),
        ("broken", broken(4_000), broken(16_000)),
        ("empty", "---\n".repeat(50_000), "---\n".repeat(200_000)),
    ] {
        for format in ["human", "json"] {
            let time = |text: &str| {
                sandbox.write("all.yaml", text);
                sandbox.run(&["check", "-o", format, "all.yaml"]).time
            };
            grows_evenly(&format!("{name} as {format}"), || time(&small), || time(&large));
        }
    }
}

/// The same is true for commands that write something for each CRD, where most of the time is spent on writing.
#[test]
fn writing_takes_the_same_time_for_each_definition() {
    let mut sandbox = Sandbox::new("size-writers");
    sandbox.limits = Limits::new(120, 1 << 30);
    let (few, many) = (60, 240);
    for args in WRITERS.iter().chain(READERS).filter(|args| !args.contains(&"check")) {
        let time = |count: usize| {
            sandbox.write("all.yaml", stream(count, 0, true));
            sandbox.clear();
            sandbox.run(&with(args, "all.yaml")).time
        };
        grows_evenly(&args.join(" "), || time(few), || time(many));
    }
}

/// The documents for many CRDs are far larger than the CRDs, and are not all in memory.
#[test]
fn published_documents_are_not_kept() {
    let mut sandbox = Sandbox::new("size-published");
    sandbox.limits = Limits::new(120, 200 << 20);
    sandbox.write("all.yaml", stream(4_000, 0, true));
    let mut command = sandbox.command(&["openapi", "all.yaml"]);
    command.stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap_or_else(|e| panic!("{e}"));
    let mut out = child.stdout.take().unwrap_or_else(|| panic!("no pipe"));
    let reader = std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
    let (status, ..) = sandbox.wait(&mut child, "openapi all.yaml");
    assert!(status.success());
    let bytes = reader.join().unwrap_or_else(|_| panic!("the reader")).unwrap_or_default();
    assert!(bytes > 250 << 20, "{bytes}");
}

/// Commands process each of these in a gigabyte of memory, and an optimized program in two seconds.
#[test]
fn bombs_do_nothing() {
    let sandbox = Sandbox::new("size-bombs");
    let crd = |schema: &str| {
        GOOD.replace(
            "{type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}",
            schema,
        )
    };
    let aliases = {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..12 {
            let list = vec![format!("*a{}", n - 1); 10].join(", ");
            text.push_str(&format!("a{n}: &a{n} [{list}]\n"));
        }
        text + GOOD
    };
    let merges = {
        let mut text = "a0: &a0 {x: 1}\n".to_owned();
        for n in 1..2_000 {
            text.push_str(&format!("a{n}: &a{n} {{<<: [*a{}, *a{}]}}\n", n - 1, n / 2));
        }
        text + GOOD
    };
    let deep_list = |n: usize| format!("{GOOD}---\na: {}{}\n", "[".repeat(n), "]".repeat(n));
    let deep_map = |n: usize| format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n));
    let deep_block: String = (0..1_500).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    let deep_schema = |n: usize| {
        crd(&format!("{}{{type: object}}{}", "{type: object, properties: {a: ".repeat(n), "}}".repeat(n)))
    };
    let deep_union =
        |n: usize| crd(&format!("{{type: object, not: {}{{}}{}}}", "{anyOf: [".repeat(n), "]}".repeat(n)));
    let wide = |n: usize| {
        let fields: Vec<String> = (0..n).map(|i| format!("f{i}: {{type: string}}")).collect();
        crd(&format!(
            "{{type: object, properties: {{spec: {{type: object, properties: {{{}}}}}}}}}",
            fields.join(", ")
        ))
    };
    let long = "x".repeat(1 << 20);
    let inputs: Vec<(&str, Vec<u8>)> = vec![
        ("aliases.yaml", aliases.into()),
        ("merges.yaml", merges.into()),
        ("lists.yaml", deep_list(9_000).into()),
        ("lists.json", format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000)).into()),
        ("maps.json", deep_map(200_000).into()),
        ("block.yaml", deep_block.into()),
        ("schema.yaml", deep_schema(200).into()),
        ("schema-deep.yaml", deep_schema(3_000).into()),
        ("union.yaml", deep_union(200).into()),
        ("wide.yaml", wide(5_000).into()),
        ("key.yaml", format!("{GOOD}\"{long}\": 1\n? {long}\n: 2\n").into()),
        ("name.json", super::definition(&long, &long, &long, &long).into()),
        ("description.yaml", crd(&format!("{{type: object, description: {long}}}")).into()),
        (
            "pattern.yaml",
            crd(&format!(
                "{{type: object, properties: {{a: {{type: string, pattern: '(({}))'}}}}}}",
                "a{1,1000}".repeat(50)
            ))
            .into(),
        ),
        ("bom.yaml", [b"\xef\xbb\xbf", GOOD.as_bytes()].concat()),
        ("boms.yaml", [b"\xef\xbb\xbf".repeat(1_000), GOOD.into()].concat()),
        (
            "utf16.yaml",
            [&[0xfe, 0xff][..], &GOOD.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()]
                .concat(),
        ),
        ("utf16-odd.yaml", [&[0xff, 0xfe][..], b"abc"].concat()),
        ("broken.yaml", [GOOD.as_bytes(), b"x: \xff\xfe\xc0\x80\xed\xa0\x80\n"].concat()),
        ("broken.json", b"{\"kind\": \"\xff\xfe\", \"a\": \"\\ud800\"}".to_vec()),
        ("zeros.yaml", vec![0; 1 << 16]),
        ("nothing.yaml", Vec::new()),
        ("spaces.yaml", b" \t\r\n".repeat(1 << 16)),
        ("comments.yaml", b"# comment\n".repeat(1 << 16)),
        ("documents.yaml", b"---\n".repeat(1 << 16)),
        (
            "tags.yaml",
            format!("{GOOD}a: !!binary {}\nb: !!{} c\n", "QQ==".repeat(1_000), "x".repeat(10_000)).into(),
        ),
        (
            "numbers.json",
            format!(
                "{{\"a\": [{}1e{}, 1e-{}, {}]}}",
                "1,".repeat(100),
                "9".repeat(1_000),
                "9".repeat(1_000),
                "9".repeat(100_000)
            )
            .into(),
        ),
        ("quotes.yaml", format!("a: \"{}\n", "\\x41".repeat(50_000)).into()),
    ];
    for (number, (name, input)) in inputs.into_iter().enumerate() {
        sandbox.write(name, &input);
        for args in some(READERS, number) {
            sandbox.run(&with(args, name));
        }
        std::fs::remove_file(sandbox.path(name)).unwrap_or_else(|e| panic!("{e}"));
    }
}
