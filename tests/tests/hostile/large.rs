//! Runs every command on a hundred megabytes, in a gigabyte of memory: CRDs, objects and documents of every shape.
//!
//! Without optimization this would take minutes per command. So `cargo test` uses a tenth of a megabyte and less memory
//! accordingly, which finds anything that grows too fast with the input. `CI_HOSTILE_KB=100000 .ci/run hostile` runs
//! the optimized program on the full size.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;

use super::{IN, Limits, OUT, READERS, Sandbox, WRITERS, some, with};

/// Returns the size of the inputs in kilobytes.
fn kilobytes() -> usize {
    std::env::var("CRDGEN_HOSTILE_KB").ok().and_then(|kb| kb.parse().ok()).unwrap_or(100)
}

/// Returns the limits: a gigabyte, and less memory for inputs below fifty megabytes. A part of the memory does not
/// shrink with the input: the program itself needs some, and so does each document in progress, with at most four
/// million values.
fn limits(kilobytes: usize) -> Limits {
    let memory = (384 << 20) + (kilobytes as u64) * 12_800;
    Limits::new(2 + kilobytes as u64 / 1_000, memory.min(1 << 30))
}

/// A shape of inputs: the name of the file, which commands to run on it, and the parts of the text. Parts are added
/// until the text is long enough.
struct Shape {
    file: &'static str,
    takes: fn(&[&str]) -> bool,
    start: fn() -> String,
    part: fn(usize) -> String,
    end: &'static str,
}

const SHAPES: &[Shape] = &[
    // Commands that write files write one for each of these, and a system creates only some thousands of files a
    // second.
    Shape {
        file: "small.yaml",
        takes: reads_definitions,
        start: String::new,
        part: |n| head(n, "Namespaced"),
        end: "",
    },
    Shape {
        file: "refused.yaml",
        takes: reads_definitions,
        start: String::new,
        part: |n| head(n, "Galactic"),
        end: "",
    },
    Shape {
        file: "fields.yaml",
        takes: takes_definitions,
        start: String::new,
        part: |n| {
            let mut out = head(n, "Namespaced") + "        properties:\n";
            (0..600).for_each(|i| out.push_str(&field(i)));
            out
        },
        end: "",
    },
    Shape {
        file: "descriptions.yaml",
        takes: takes_definitions,
        start: String::new,
        part: |n| format!("{}        description: {}\n", head(n, "Namespaced"), "word ".repeat(20_000)),
        end: "",
    },
    Shape {
        file: "list.yaml",
        takes: reads_definitions,
        start: || "apiVersion: v1\nkind: List\nitems:\n".to_owned(),
        part: |n| indented(&head(n, "Galactic")),
        end: "",
    },
    Shape {
        file: "list.json",
        takes: reads_definitions,
        start: || "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [null\n".to_owned(),
        part: |n| format!(",{}", super::definition("example.com", &format!("a{n}s"), &format!("A{n}"), "v1")),
        end: "]}",
    },
    Shape {
        file: "giant.yaml",
        takes: takes_definitions,
        start: || head(0, "Namespaced"),
        part: |n| if n == 0 { "        properties:\n".to_owned() } else { field(n) },
        end: "",
    },
    Shape {
        file: "dense.yaml",
        takes: takes_definitions,
        start: || head(0, "Namespaced"),
        part: |n| {
            if n == 0 {
                "        properties:\n".to_owned()
            } else {
                format!("          a{n}: {{type: string}}\n")
            }
        },
        end: "",
    },
    Shape {
        file: "string.yaml",
        takes: takes_definitions,
        start: || head(0, "Namespaced"),
        part: |n| if n == 0 { "        description: ".to_owned() } else { "word ".repeat(1_000) },
        end: "\n",
    },
    Shape {
        file: "object.yaml",
        takes: takes_objects,
        start: || "apiVersion: example.com/v1\nkind: Good\nspec:\n  list:\n".to_owned(),
        part: |n| format!("  - {{a: x{n}, b: {n}, c: [1, 2, 3]}}\n"),
        end: "",
    },
    Shape {
        file: "numbers.json",
        takes: takes_objects,
        start: || "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Good\", \"spec\": {\"a\": [0".to_owned(),
        part: |_| ",1".repeat(1_000),
        end: "]}}",
    },
    Shape {
        file: "deep.json",
        takes: takes_objects,
        start: || "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Good\", \"spec\": {\"a\": [0".to_owned(),
        part: |_| format!(",{}{}", "[".repeat(100), "]".repeat(100)),
        end: "]}}",
    },
    Shape {
        file: "objects.yaml",
        takes: takes_objects,
        start: String::new,
        part: |n| {
            format!("---\napiVersion: example.com/v1\nkind: Good\nmetadata: {{name: a{n}}}\nspec: {{a: b}}\n")
        },
        end: "",
    },
    Shape {
        file: "published.json",
        takes: takes_published,
        start: || {
            "{\"openapi\": \"3.0.0\", \"components\": {\"schemas\": {\"a\": {\"type\": \"object\"}".to_owned()
        },
        part: published,
        end: "}}}",
    },
    Shape {
        file: "references.json",
        takes: takes_published,
        start: || {
            "{\"openapi\": \"3.0.0\", \"components\": {\"schemas\": {\"a\": {\"type\": \"object\"}".to_owned()
        },
        part: referring,
        end: "}}}",
    },
];

/// Returns the first lines of a CRD.
fn head(number: usize, scope: &str) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a{number}s.example.com\n\
         spec:\n  group: example.com\n  scope: {scope}\n  names: {{plural: a{number}s, kind: A{number}}}\n  versions:\n\
         \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n"
    )
}

fn field(number: usize) -> String {
    format!(
        "          field{number}:\n            type: string\n            description: The field number {number}, which is \
         like all others in every way.\n            maxLength: 10\n"
    )
}

/// Indents a document as an item of a list.
fn indented(document: &str) -> String {
    let mut out = String::new();
    for (i, line) in document.lines().skip(1).enumerate() {
        _ = writeln!(out, "{}{line}", if i == 0 { "- " } else { "  " });
    }
    out
}

fn published(number: usize) -> String {
    format!(
        ",\"com.example.v1.A{number}\": {{\"type\": \"object\", \"properties\": {{\"metadata\": {{\"$ref\": \
         \"#/components/schemas/ObjectMeta\"}}, \"spec\": {{\"type\": \"object\"}}}}, \
         \"x-kubernetes-group-version-kind\": [{{\"group\": \"example.com\", \"kind\": \"A{number}\", \"version\": \"v1\"}}]}}\n"
    )
}

/// Returns a schema that refers to the next one twice. The first one is a kind.
fn referring(number: usize) -> String {
    let next = number + 1;
    let kind = "\"x-kubernetes-group-version-kind\": [{\"group\": \"example.com\", \"kind\": \"A\", \"version\": \"v1\"}],";
    format!(
        ",\"A{number}\": {{\"type\": \"object\", {} \"properties\": {{\"metadata\": {{\"$ref\": \
         \"#/components/schemas/ObjectMeta\"}}, \"a\": {{\"$ref\": \"#/components/schemas/A{next}\"}}, \
         \"b\": {{\"$ref\": \"#/components/schemas/A{next}\"}}}}}}\n",
        if number.is_multiple_of(1_000) { kind } else { "" }
    )
}

fn takes_definitions(_: &[&str]) -> bool {
    true
}

fn reads_definitions(args: &[&str]) -> bool {
    !args.contains(&OUT)
}

/// Whether to run a command on objects. One command represents all that read CRDs, because they skip objects in the
/// same way.
fn takes_objects(args: &[&str]) -> bool {
    matches!(args, ["check", IN] | ["cel", ..] | ["import", ..])
}

fn takes_published(args: &[&str]) -> bool {
    args.contains(&"--openapi")
}

fn write(shape: &Shape, path: &Path, bytes: usize) {
    let file = File::create(path).unwrap_or_else(|e| panic!("{e}"));
    let mut out = BufWriter::new(file);
    let mut put =
        |text: &str| out.write_all(text.as_bytes()).map(|()| text.len()).unwrap_or_else(|e| panic!("{e}"));
    let mut written = put(&(shape.start)());
    let mut number = 0;
    while written < bytes {
        written += put(&(shape.part)(number));
        number += 1;
    }
    put(shape.end);
}

/// Every command needs bounded memory, and time that only grows linearly with the input. It ends with a result, with
/// findings, or with an error about what is too large.
#[test]
fn every_command_processes_a_hundred_megabytes() {
    let kilobytes = kilobytes();
    let mut sandbox = Sandbox::new("large");
    sandbox.limits = limits(kilobytes);
    for (number, shape) in SHAPES.iter().enumerate() {
        write(shape, &sandbox.path(shape.file), kilobytes * 1_000);
        let commands = READERS.iter().chain(WRITERS).filter(|args| (shape.takes)(args));
        for args in some(commands, number) {
            sandbox.clear();
            let args = with(args, shape.file);
            let ran = sandbox.check_limits(sandbox.command(&args), &args.join(" "), Stdio::null());
            let text = format!("{} {:?} {} MiB", args.join(" "), ran.time, ran.memory >> 20);
            eprintln!("{text}");
            assert!(matches!(ran.code(), Some(0..=2)), "{text}\n{}", ran.stderr);
            if ran.code() == Some(2) {
                // It prints the errors of an expression to standard output.
                let has_finding = args[0] == "cel";
                assert!(ran.stderr.contains("error: ") || has_finding, "{text}\n{}", ran.stderr);
            }
        }
        std::fs::remove_file(sandbox.path(shape.file)).unwrap_or_else(|e| panic!("{e}"));
    }
    sandbox.clear();
}
