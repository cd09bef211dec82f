//! Throws broken inputs at every reader, on a stable toolchain: no input may panic, overflow the
//! stack, take longer than two seconds (one, if it is an expression) or more than a gibibyte.
//!
//! Inputs whose outcome is new join the ones that are mutated further. Each process keeps the input
//! at hand in a file, so that a crash, which no code survives, still leaves what caused it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crdgen_core::cel;
use crdgen_core::derive::item;
use crdgen_core::diag::Diag;
use crdgen_core::json::{self, to_string};
use crdgen_core::read::rust::resolve::{CrateSource, Program, Sources};
use crdgen_core::syntax::nesting;
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, go, rpc, yaml};
use crdgen_tests::case::own_cases;
use crdgen_tests::corpus;
use crdgen_tests::rng::Rng;

const USAGE: &str = "usage: fuzz [--seconds N] [--seed S] [--jobs N] [--target NAME,…] [--input FILE]";
const LONGEST: Duration = Duration::from_secs(2);
const EXPRESSION: Duration = Duration::from_secs(1);
const MOST_MEMORY: u64 = 1 << 30;
const JOBS: u64 = 2;
/// How many bytes of an input are printed.
const EXCERPT: usize = 4000;
/// Inputs grow no longer than this, but for a few.
const LENGTH: usize = 20_000;

/// A reader under test; `run` returns a number for the outcome.
struct Target {
    name: &'static str,
    longest: Duration,
    seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]) -> u64,
}

const TARGETS: &[Target] = &[
    Target { name: "json", longest: LONGEST, seeds: json_seeds, run: run_json },
    Target { name: "yaml", longest: LONGEST, seeds: yaml_seeds, run: run_yaml },
    Target { name: "crd", longest: LONGEST, seeds: yaml_seeds, run: run_crd },
    Target { name: "rpc", longest: LONGEST, seeds: rpc_seeds, run: run_rpc },
    Target { name: "cel", longest: EXPRESSION, seeds: cel_seeds, run: run_cel },
    Target { name: "rule", longest: EXPRESSION, seeds: cel_seeds, run: run_rule },
    Target { name: "expression", longest: EXPRESSION, seeds: cel_seeds, run: run_expression },
    Target { name: "object", longest: LONGEST, seeds: object_seeds, run: run_object },
    Target { name: "pattern", longest: LONGEST, seeds: pattern_seeds, run: run_pattern },
    Target { name: "rust", longest: LONGEST, seeds: rust_seeds, run: run_rust },
];

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Which diagnostics there are, not where.
fn shape(diags: &[Diag]) -> u64 {
    let mut codes: Vec<&str> = diags.iter().map(|d| d.code.id).collect();
    codes.sort_unstable();
    codes.dedup();
    hash(codes)
}

fn run_json(input: &[u8]) -> u64 {
    match json::read(input) {
        Ok(value) => {
            let text = to_string(&value);
            match json::read(text.as_bytes()) {
                // A whole float is written as an integer, so the texts are compared.
                Ok(again) => {
                    assert_eq!(text, to_string(&again), "written and read again, it is another value")
                }
                Err(e) => panic!("what was written cannot be read: {e:?}: {text}"),
            }
            hash(text.chars().filter(|c| !c.is_alphanumeric()).collect::<String>())
        }
        Err(e) => hash(format!("{e:?}").chars().filter(|c| !c.is_ascii_digit()).collect::<String>()),
    }
}

fn run_yaml(input: &[u8]) -> u64 {
    let (documents, problems) = yaml::read(input);
    let kinds: Vec<_> = documents.iter().map(|d| std::mem::discriminant(&d.value)).collect();
    let strict = documents.iter().map(|d| d.strict_errors().len()).sum::<usize>();
    for document in &documents {
        yaml::place(input, document.range());
    }
    shape(&problems.into_iter().map(Diag::from).collect::<Vec<_>>()) ^ hash((kinds, strict))
}

fn run_crd(input: &[u8]) -> u64 {
    let Ok(document) = yaml::read_one(input) else { return 0 };
    let (crd, diags) = decode::crd(document.value);
    shape(&diags)
        ^ hash(crd.is_some())
        ^ outcome(&request("crd", &[("crd", &String::from_utf8_lossy(input))]))
}

fn run_rpc(input: &[u8]) -> u64 {
    outcome(&String::from_utf8_lossy(input))
}

fn run_cel(input: &[u8]) -> u64 {
    match cel::parse(&String::from_utf8_lossy(input), cel::Kube::STORED) {
        Ok(_) => hash(input.iter().filter(|b| !b.is_ascii_alphanumeric()).collect::<Vec<_>>()),
        Err(issues) => hash(issues.len()) ^ hash(format!("{:?}", issues.first()).len()),
    }
}

/// A rule on a schema with a field of every kind.
fn run_rule(input: &[u8]) -> u64 {
    let rule: Map<Value> =
        [("rule", Value::Str(String::from_utf8_lossy(input).into_owned()))].into_iter().collect();
    let crd = RULED.replace("RULES", &to_string(&Value::List(vec![Value::Map(rule)])));
    outcome(&request("crd", &[("crd", &crd)])) ^ outcome(&request("cel", &[("crd", &crd)]))
}

/// An expression about an object with such fields.
fn run_expression(input: &[u8]) -> u64 {
    let expression = Value::List(vec![Value::Str(String::from_utf8_lossy(input).into_owned())]);
    let mut map: Map<Value> = [
        ("op", "eval"),
        ("schema", EVALUATED),
        (
            "self",
            r#"{"s":"abc","i":3,"b":true,"l":["a","b"],"m":{"k":1},"o":{"in":"x"},"x":"7","k":[{"a":"y"}]}"#,
        ),
    ]
    .into_iter()
    .map(|(key, text)| (key, Value::from(text)))
    .collect();
    map.insert("exprs", expression);
    let answer = rpc::handle(&to_string(&Value::Map(map)));
    assert!(!answer.contains("\"panic\":"), "{answer}");
    hash(answer.chars().filter(|c| c.is_ascii_lowercase()).take(60).collect::<String>())
}

const EVALUATED: &str = r#"{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean","nullable":true},"l":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},"m":{"type":"object","additionalProperties":{"type":"integer"}},"o":{"type":"object","properties":{"in":{"type":"string"},"a-b":{"type":"integer"}}},"x":{"x-kubernetes-int-or-string":true},"t":{"type":"string","format":"date-time"},"k":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}}}"#;

fn run_object(input: &[u8]) -> u64 {
    let crd = RULED.replace("RULES", r#"[{"rule":"has(self.s)"}]"#);
    outcome(&request("object", &[("crd", &crd), ("object", &String::from_utf8_lossy(input))]))
}

fn run_pattern(input: &[u8]) -> u64 {
    match go::regexp::validate(&String::from_utf8_lossy(input)) {
        Ok(()) => hash(input.iter().filter(|b| !b.is_ascii_alphanumeric()).collect::<Vec<_>>()),
        Err(e) => hash(e.kind.text()),
    }
}

/// A source as the root of a crate, and as each of its own modules; and its items as the derives see them.
fn run_rust(input: &[u8]) -> u64 {
    // Outside of a compiler, proc-macro2 keeps the lines of every source that a thread parses.
    proc_macro2::extra::invalidate_current_thread_spans();
    let text = String::from_utf8_lossy(input);
    let mut sources = Itself(&text);
    let root =
        CrateSource { name: "it".into(), id: "it".into(), root: "lib.rs".into(), cfgs: Default::default() };
    let program = Program::new(&mut sources, root);
    let kinds = program.kinds(&|_| true).len();
    let found: Vec<Diag> = program.found().into_iter().map(|found| found.diag).collect();
    let mut derived = Vec::new();
    for item in nesting::parse_file(&text).map(|file| file.items).unwrap_or_default() {
        if let syn::Item::Struct(_) | syn::Item::Enum(_) = item {
            let tokens = quote::ToTokens::to_token_stream(&item);
            let schema = item::schema(tokens.clone()).to_string();
            let kind = item::custom_resource(tokens).to_string();
            derived.push((schema.contains("compile_error"), kind.contains("compile_error")));
        }
    }
    shape(&found) ^ hash((kinds, derived))
}

/// One file, whatever its path.
struct Itself<'t>(&'t str);

impl Sources for Itself<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        (path == "lib.rs" || path.ends_with("/a.rs")).then(|| self.0.to_owned())
    }
    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

const RULED: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ws.ex.com"},"spec":{"group":"ex.com","names":{"plural":"ws","kind":"W"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"s":{"type":"string","maxLength":9,"default":"a"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean","nullable":true},"l":{"type":"array","maxItems":5,"items":{"type":"string"},"x-kubernetes-list-type":"set"},"m":{"type":"object","additionalProperties":{"type":"integer"}},"o":{"type":"object","properties":{"in":{"type":"string"},"a-b":{"type":"integer"}}},"e":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},"x":{"x-kubernetes-int-or-string":true},"t":{"type":"string","format":"date-time"},"k":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}},"x-kubernetes-validations":RULES}}}]}}"#;

fn request(op: &str, parts: &[(&str, &str)]) -> String {
    let mut map: Map<Value> = parts.iter().map(|(k, v)| (*k, Value::from(*v))).collect();
    map.insert("op", Value::from(op));
    to_string(&Value::Map(map))
}

/// The answer of `rpc` as a number: its keys and the types of its errors. It catches panics itself
/// and says so; that counts as one.
fn outcome(line: &str) -> u64 {
    let answer = rpc::handle(line);
    let answer = json::read(answer.as_bytes()).unwrap_or_else(|e| panic!("the answer is no JSON: {e:?}"));
    assert!(answer.get("panic").is_none(), "{}", to_string(&answer));
    let keys: Vec<&str> = answer.as_map().map(|m| m.keys().collect()).unwrap_or_default();
    let mut errors: Vec<String> = answer
        .get("errors")
        .and_then(Value::as_list)
        .unwrap_or(&[])
        .iter()
        .map(|e| {
            let part = |key| e.get(key).and_then(Value::as_str).unwrap_or("");
            format!(
                "{} {}",
                part("type"),
                part("detail").chars().filter(|c| c.is_ascii_lowercase()).take(40).collect::<String>()
            )
        })
        .collect();
    errors.sort_unstable();
    errors.dedup();
    hash((keys, errors))
}

fn yaml_seeds() -> Vec<Vec<u8>> {
    corpus::own_crds().into_iter().map(|s| s.text.into_bytes()).collect()
}

fn json_seeds() -> Vec<Vec<u8>> {
    let small =
        [r#"{"a":[1,-2.5e3,true,null,"\u00e9\n"]}"#, "[]", "0", "\"\"", "1e400", "9223372036854775808"];
    let seeds = corpus::own_crds().into_iter().map(|s| to_string(&s.value).into_bytes());
    seeds.chain(small.iter().map(|s| s.as_bytes().to_vec())).collect()
}

fn rpc_seeds() -> Vec<Vec<u8>> {
    let cases = own_cases(&corpus::own_crds());
    let mut seeds: Vec<Vec<u8>> =
        cases.iter().step_by(7).map(|c| to_string(&c.request).into_bytes()).collect();
    seeds.push(br#"{"op":"priority","versions":["v1","v2beta1","foo"]}"#.to_vec());
    seeds.push(br#"{"op":"version","id":7}"#.to_vec());
    seeds
}

fn object_seeds() -> Vec<Vec<u8>> {
    let text = "apiVersion: ex.com/v1\nkind: W\nmetadata: {name: a, labels: {b: c}}\ns: text\ni: 3\nn: 1.5\nb: null\nl: [a, b]\nm: {k: 1}\no: {in: x, a-b: 2}\ne: {apiVersion: v1, kind: Pod, metadata: {name: p}}\nx: 5%\nt: 2020-01-01T00:00:00Z\nk: [{a: x}]\n";
    vec![text.as_bytes().to_vec()]
}

fn cel_seeds() -> Vec<Vec<u8>> {
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

fn pattern_seeds() -> Vec<Vec<u8>> {
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

fn rust_seeds() -> Vec<Vec<u8>> {
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

/// Pieces that mean something to a reader.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ": ",
    "- ",
    "\n",
    "\n  ",
    "\"",
    "'",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "|",
    ">-",
    "# ",
    "---\n",
    "...\n",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\t",
    "null",
    "true",
    "~",
    "yes",
    "0x1F",
    "1e999",
    "-0",
    ".inf",
    "18446744073709551616",
    "\r\n",
    "%YAML 1.1\n",
    "? ",
    "@",
    "`",
    "\"type\":\"object\"",
    "x-kubernetes-",
    "properties",
    "items",
    "allOf",
    "not",
    "default",
    "$ref",
    "nullable",
    "metadata",
    "spec",
    "versions",
    "self",
    "oldSelf",
    ".all(x, ",
    ".map(x, ",
    "has(",
    "&&",
    "||",
    "?",
    ".?",
    "[?",
    "==",
    "in ",
    "!",
    "(",
    ")",
    "r'",
    "b\"",
    "'''",
    "\\x",
    "u",
    "1.",
    "{'a': 1}",
    "dyn(",
    "size(",
    "(?",
    "(?P<",
    "{2,3}",
    "\\p{",
    "[^",
    "[:alpha:]",
    "*",
    "+",
    "|",
    "^",
    "$",
    "\\Q",
    "Vec<",
    ">",
    "&'static ",
    "mod a {",
    "mod a;",
    "#[path = \"a.rs\"] ",
    "#[schema(",
    "#[serde(",
    "pub struct A { ",
    "enum A { ",
    "fn a() -> ",
    "const A: u8 = ",
    " else if a {}",
    "vec![",
    "::default()",
    "-> ",
    "=> ",
    "|a| ",
    "/*",
    "//",
    "r#\"",
    "'",
    "\u{202e}",
];

fn mutate(input: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(out.len() + 1);
        let span = |out: &[u8], rng: &mut Rng| {
            let longest = if rng.chance(80) { 16 } else { 200 };
            at..(at + rng.below(longest)).min(out.len())
        };
        match rng.below(11) {
            0 | 1 => {
                out.splice(at..at, rng.pick(PIECES).bytes());
            }
            2 => {
                let range = span(&out, rng);
                out.splice(range, rng.pick(PIECES).bytes());
            }
            3 => {
                let range = span(&out, rng);
                out.drain(range);
            }
            4 => {
                let range = span(&out, rng);
                let piece = out[range].to_vec();
                let to = rng.below(out.len() + 1);
                out.splice(to..to, piece);
            }
            5 if at < out.len() => out[at] = rng.bits() as u8,
            6 if at < out.len() => out[at] ^= 1 << rng.below(8),
            7 => {
                let from = rng.below(other.len() + 1);
                let to = (from + rng.below(300)).min(other.len());
                out.splice(at..at, other[from..to].iter().copied());
            }
            8 => {
                // Depth and breadth: a piece many times over.
                let times = if rng.chance(2) { 20_000 } else { rng.below(300) };
                let piece = if rng.chance(50) {
                    rng.pick(PIECES).as_bytes().to_vec()
                } else {
                    out[span(&out, rng)].to_vec()
                };
                if piece.len() * times < 200_000 {
                    out.splice(at..at, piece.repeat(times));
                }
            }
            9 => out.truncate(at),
            _ => {
                out.splice(at..at, [b"0123456789"[rng.below(10)]]);
            }
        }
    }
    if out.len() > LENGTH && !rng.chance(1) {
        out.truncate(LENGTH);
    }
    out
}

/// The corpus of a target: what it was given and gave a new outcome.
struct Corpus {
    inputs: Vec<Vec<u8>>,
    seen: HashSet<u64>,
}

struct Args {
    seconds: u64,
    seed: u64,
    jobs: u64,
    target: Option<String>,
    input: Option<PathBuf>,
    child: Option<PathBuf>,
}

fn args() -> Option<Args> {
    let mut args = Args { seconds: 60, seed: 1, jobs: JOBS, target: None, input: None, child: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--seconds" => args.seconds = value.parse().ok()?,
            "--seed" => args.seed = value.parse().ok()?,
            "--jobs" => args.jobs = value.parse().ok()?,
            "--target" => args.target = Some(value),
            "--input" => args.input = Some(value.into()),
            "--child" => args.child = Some(value.into()),
            _ => return None,
        }
    }
    Some(args)
}

fn main() -> ExitCode {
    let Some(args) = args() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let result = if args.child.is_some() || args.input.is_some() {
        // As much stack as the command gives its readers.
        let work = thread::Builder::new().stack_size(256 << 20).spawn(move || child(&args));
        work.and_then(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("the harness panicked")))
        })
    } else {
        parent(&args)
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("fuzz: {e}");
            ExitCode::from(2)
        }
    }
}

/// Starts the processes that do the work, and keeps the input on which one dies.
fn parent(args: &Args) -> io::Result<bool> {
    let target_dir = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let dir = PathBuf::from(target_dir).join("fuzz");
    fs::create_dir_all(&dir)?;
    let mut children = Vec::new();
    for job in 0..args.jobs {
        let seed = args.seed.wrapping_mul(1000).wrapping_add(job);
        let file = dir.join(format!("current-{}-{job}", args.target.as_deref().unwrap_or("all")));
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["--seconds", &args.seconds.to_string(), "--seed", &seed.to_string()])
            .arg("--child")
            .arg(&file);
        if let Some(target) = &args.target {
            command.args(["--target", target]);
        }
        children.push((file, command.stdin(Stdio::null()).spawn()?));
    }
    let mut fine = true;
    for (file, mut child) in children {
        let status = child.wait()?;
        if status.success() {
            continue;
        }
        fine = false;
        // Panics are saved by the process itself; all other ends leave the input at hand.
        if status.code() != Some(1) {
            let input = fs::read(&file)?;
            let kept = keep(&dir, "crash", &input)?;
            println!("{status} on {}: {}", kept.display(), excerpt(&input));
        }
    }
    println!("{}", if fine { "nothing found" } else { "found something: see above" });
    Ok(fine)
}

/// The start of an input: enough to see what it is where the file is out of reach, and all of a short one.
fn excerpt(input: &[u8]) -> String {
    let shown = &input[..input.len().min(EXCERPT)];
    format!("{} bytes, \"{}\"", input.len(), shown.escape_ascii())
}

fn keep(dir: &Path, what: &str, input: &[u8]) -> io::Result<PathBuf> {
    let path = dir.join(format!("{what}-{:016x}", hash(input)));
    fs::write(&path, input)?;
    Ok(path)
}

fn targets(args: &Args) -> Vec<&'static Target> {
    TARGETS
        .iter()
        .filter(|t| args.target.as_deref().is_none_or(|names| names.split(',').any(|n| n == t.name)))
        .collect()
}

fn child(args: &Args) -> io::Result<bool> {
    if let Some(input) = &args.input {
        let input = fs::read(input)?;
        for target in targets(args) {
            let start = Instant::now();
            (target.run)(&input);
            println!("{}: {:?}", target.name, start.elapsed());
        }
        return Ok(true);
    }
    let file = args.child.clone().unwrap_or_else(|| "current".into());
    let dir = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let at_hand = File::create(&file)?;
    let (mut number, at_work) = (0, Arc::new(AtomicU64::new(0)));
    let current = Arc::new(AtomicUsize::new(0));
    watch(targets(args), Arc::clone(&at_work), Arc::clone(&current));
    std::panic::set_hook(Box::new(|_| {}));
    let clock = Instant::now();
    let mut rng = Rng::new(args.seed);
    let mut fine = true;
    let targets = targets(args);
    let mut corpora: Vec<Corpus> =
        targets.iter().map(|t| Corpus { inputs: (t.seeds)(), seen: HashSet::new() }).collect();
    let mut counts = vec![0u64; targets.len()];
    let mut slowest = (Duration::ZERO, "");
    let end = Duration::from_secs(args.seconds);
    while clock.elapsed() < end {
        for (i, target) in targets.iter().enumerate() {
            let slice = Instant::now();
            current.store(i, Ordering::Relaxed);
            while slice.elapsed() < Duration::from_millis(200) {
                let corpus = &mut corpora[i];
                let other = rng.pick(&corpus.inputs).clone();
                let one = rng.pick(&corpus.inputs).clone();
                let input = mutate(&one, &other, &mut rng);
                at_hand.set_len(input.len() as u64)?;
                at_hand.write_all_at(&input, 0)?;
                let start = Instant::now();
                number += 1;
                at_work.store(number, Ordering::Relaxed);
                let result = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
                at_work.store(0, Ordering::Relaxed);
                let took = start.elapsed();
                if took > slowest.0 {
                    slowest = (took, target.name);
                }
                counts[i] += 1;
                match result {
                    Ok(outcome) => {
                        if corpus.seen.insert(outcome) && input.len() <= LENGTH && corpus.inputs.len() < 4000
                        {
                            corpus.inputs.push(input);
                        }
                    }
                    Err(panic) => {
                        fine = false;
                        let text = panic.downcast_ref::<String>().map(String::as_str);
                        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("");
                        let text: String = text.chars().take(300).collect();
                        let kept = keep(&dir, &format!("panic-{}", target.name), &input)?;
                        println!(
                            "{} panicked on {}: {text}: {}",
                            target.name,
                            kept.display(),
                            excerpt(&input)
                        );
                    }
                }
            }
        }
    }
    let each: Vec<String> = targets
        .iter()
        .zip(&counts)
        .zip(&corpora)
        .map(|((t, n), c)| format!("{} {n} ({} kept)", t.name, c.inputs.len()))
        .collect();
    println!(
        "{} inputs in {} s: {}; slowest {:?} ({}); {} MiB at most",
        counts.iter().sum::<u64>(),
        clock.elapsed().as_secs(),
        each.join(", "),
        slowest.0,
        slowest.1,
        memory("VmHWM:") >> 20
    );
    Ok(fine)
}

/// How long this process has computed, or if the system does not report that, how long it has existed. On a busy
/// machine an input waits without any fault of its own.
fn computed() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let alive = START.get_or_init(Instant::now).elapsed();
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which is in parentheses: user and system time, in hundredths of seconds.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let times: Vec<u64> = fields.filter_map(|f| f.parse().ok()).collect();
    if times.len() == 2 { Duration::from_millis(10 * (times[0] + times[1])) } else { alive }
}

/// Ends the process when one input takes too long or too much memory. `at_work` is the number of the input, or 0;
/// `current` is the target that reads it.
fn watch(targets: Vec<&'static Target>, at_work: Arc<AtomicU64>, current: Arc<AtomicUsize>) {
    thread::spawn(move || {
        let (mut input, mut since) = (0, computed());
        loop {
            thread::sleep(Duration::from_millis(100));
            let now = at_work.load(Ordering::Relaxed);
            let Target { name, longest, .. } = targets[current.load(Ordering::Relaxed)];
            if now != input || now == 0 {
                (input, since) = (now, computed());
            } else if computed().saturating_sub(since) > *longest {
                println!("an input of {name} took longer than {longest:?}");
                std::process::exit(3);
            }
            if memory("VmRSS:") > MOST_MEMORY {
                println!("an input of {name} took more than {} MiB", MOST_MEMORY >> 20);
                std::process::exit(4);
            }
        }
    });
}

/// A line of the process's status, in bytes; 0 where the system has none.
fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = status.lines().find_map(|l| l.strip_prefix(line));
    found.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) << 10
}
