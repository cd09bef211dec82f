//! Recorded requests and answers, so that crdgen can be compared on a machine without Go. There is a file per area.

mod edits;
pub(crate) mod text;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use crate::case::Case;
use crate::compare::normal;
use crate::evaluations::{self, Grammar};
use crate::json::parse;
use crate::mutate::Mutator;
use crate::{case, corpus, mutate};

/// A request and the oracle's answer.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The name, which is unique in its area.
    pub name: String,
    /// The request.
    pub request: Value,
    /// The oracle's answer, in normalized form.
    pub answer: Value,
}

impl Vector {
    /// Returns the op of the request.
    pub fn op(&self) -> &str {
        self.request.get("op").and_then(Value::as_str).unwrap_or("")
    }
}

/// The folder of the recorded vectors.
pub fn dir() -> PathBuf {
    corpus::tests_dir().join("vectors")
}

/// The areas that are recorded, by the names of their files.
pub fn recorded() -> io::Result<Vec<String>> {
    let mut areas = Vec::new();
    for entry in std::fs::read_dir(dir())? {
        if let Some(area) = entry?.file_name().to_str().and_then(|n| n.strip_suffix(".vectors")) {
            areas.push(area.to_owned());
        }
    }
    areas.sort();
    Ok(areas)
}

fn file(area: &str) -> PathBuf {
    dir().join(format!("{area}.vectors"))
}

/// The vectors of an area.
pub fn load(area: &str) -> io::Result<Vec<Vector>> {
    text::read(&std::fs::read_to_string(file(area))?).map_err(io::Error::other)
}

/// Writes the vectors of an area. Equal vectors give equal bytes.
pub fn save(area: &str, vectors: &[Vector]) -> io::Result<()> {
    std::fs::create_dir_all(dir())?;
    write_if_changed(&file(area), text::write(vectors, &corpus::own_crds()).as_bytes())
}

pub(crate) fn write_if_changed(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) { Ok(()) } else { std::fs::write(path, bytes) }
}

/// Returns an answer without what changes from run to run: with errors in one order, `selfType` without its number, no
/// `message` (it lists the errors in random order) and no stack.
pub fn normalized(answer: &Value) -> Value {
    let Some(map) = answer.as_map() else { return answer.clone() };
    let mut out = Map::new();
    for (key, part) in map.iter() {
        if matches!(key, "message" | "stack" | "id") {
            continue;
        }
        let part = match part {
            Value::List(items) if matches!(key, "errors" | "warnings" | "strict" | "conflicts") => {
                let mut items = items.clone();
                items.sort_by_cached_key(to_string);
                Value::List(items)
            }
            other => other.clone(),
        };
        out.insert(key.to_owned(), parse(&normal(&to_string(&part))).unwrap_or(part));
    }
    Value::Map(out)
}

/// An area with its cases. Of the candidates, only those whose answers show something new are recorded.
pub struct Area {
    /// The name of the file.
    pub name: String,
    /// Cases that are always recorded.
    pub always: Vec<Case>,
    /// Cases that are recorded if their answers are new.
    pub candidates: Vec<Case>,
}

/// How many mutations to try for the vectors of CRDs. About one in ten shows something new.
const CREATES: u64 = 30_000;
const UPDATES: u64 = 12_000;
const OBJECTS: u64 = 20_000;
/// The number of requests with expressions. Each has forty.
const EXPRESSIONS: u64 = 60;
const SEED: u64 = 1;

/// Returns all areas.
pub fn areas() -> Vec<Area> {
    let seeds = corpus::own_crds();
    let mutator = Mutator::new(&seeds, SEED);
    let mut crd: Vec<Case> =
        seeds.iter().map(|s| Case::crd(format!("seed {}", s.name), s.text.clone(), None)).collect();
    let (objects, definitions): (Vec<Case>, Vec<Case>) =
        case::own_cases(&seeds).into_iter().partition(|c| c.request.get("object").is_some());
    crd.extend(definitions);
    let creates: Vec<Case> = (0..CREATES).map(|n| mutator.create(n)).collect();
    let other_op = |op: &str, cases: &[Case]| -> Vec<Case> {
        cases
            .iter()
            .filter(|c| c.request.get("old").is_none())
            .map(|c| {
                let mut request = c.request.clone();
                if let Some(map) = request.as_map_mut() {
                    map.insert("op", Value::from(op));
                }
                Case { name: c.name.clone(), request }
            })
            .collect()
    };
    let mut areas = vec![
        Area {
            name: "structural".into(),
            always: other_op("structural", &crd),
            candidates: other_op("structural", &creates[..8000]),
        },
        Area {
            name: "cel".into(),
            always: other_op("cel", &crd),
            candidates: other_op("cel", &creates[..8000]),
        },
        Area {
            name: "openapi".into(),
            always: [
                other_op("openapi", &crd[..seeds.len()]),
                brief(with_builder_options(other_op("openapi", &crd))),
            ]
            .concat(),
            candidates: brief(with_builder_options(other_op("openapi", &creates[..8000]))),
        },
        Area {
            name: "object".into(),
            always: objects,
            candidates: (0..OBJECTS).filter_map(|n| mutate::object::case(&seeds, SEED, n)).collect(),
        },
        Area {
            name: "update".into(),
            always: Vec::new(),
            candidates: (0..UPDATES).map(|n| mutator.update(n)).collect(),
        },
    ];
    areas.push(Area { name: "crd".into(), always: crd, candidates: creates });
    areas.push(Area { name: "yaml".into(), always: crate::yaml::cases(SEED), candidates: Vec::new() });
    let grammar = Grammar::load();
    let expressions = (0..EXPRESSIONS).map(|n| grammar.case(SEED, n)).collect();
    areas.push(Area { name: "eval".into(), always: expressions, candidates: Vec::new() });
    for (name, cases) in [
        ("libraries", evaluations::libraries()),
        ("calls", evaluations::calls()),
        ("conformance", evaluations::conformance()),
        ("regexp", evaluations::patterns()),
    ] {
        areas.push(Area { name: name.into(), always: cases, candidates: Vec::new() });
    }
    for name in ["apply", "smd"] {
        areas.push(Area { name: name.into(), always: repeated(name), candidates: Vec::new() });
    }
    areas.extend(written());
    areas
}

/// Gives the cases sets of options in turn.
fn with_builder_options(cases: Vec<Case>) -> Vec<Case> {
    let varied = (0..).zip(cases).map(|(number, case)| {
        let mut case = case.with_builder_options(number);
        case.name.push_str(&format!(" options {}", number % 8));
        case
    });
    varied.collect()
}

fn brief(mut cases: Vec<Case>) -> Vec<Case> {
    for case in &mut cases {
        if let Some(map) = case.request.as_map_mut() {
            map.insert("brief", Value::Bool(true));
        }
    }
    cases
}

/// Returns the requests of an area whose only source is its file of vectors: those of `smd` are the calls that the tests of
/// structured-merge-diff make, and some of `apply` are steps of random histories.
fn repeated(area: &str) -> Vec<Case> {
    let vectors = load(area).unwrap_or_default();
    vectors.into_iter().map(|Vector { name, request, .. }| Case { name, request }).collect()
}

/// Returns requests that are written by hand: `tests/corpus/requests/AREA.jsonl` contains whole requests, with their
/// names in `id`.
fn written() -> Vec<Area> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus::tests_dir().join("corpus/requests"))
        .map(|entries| entries.flatten().map(|e| e.path()).collect())
        .unwrap_or_default();
    files.retain(|f| f.extension().is_some_and(|e| e == "jsonl"));
    files.sort();
    files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let always = text
                .lines()
                .enumerate()
                .filter(|(_, line)| !line.trim().is_empty())
                .map(|(number, line)| {
                    let mut request = crate::json::json(line);
                    let id = request.as_map_mut().and_then(|m| m.remove("id"));
                    let name = id.map_or_else(
                        || format!("line {}", number + 1),
                        |id| id.as_str().map_or_else(|| to_string(&id), str::to_owned),
                    );
                    Case { name, request }
                })
                .collect();
            Area {
                name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
                always,
                candidates: Vec::new(),
            }
        })
        .collect()
}

/// Finds answers that show something new, by the shape of their errors without names.
#[derive(Default)]
pub struct Novelty(HashMap<String, usize>);

impl Novelty {
    /// Whether this answer has a part that was seen fewer than `often` times.
    pub fn is_new(&mut self, answer: &Value, often: usize) -> bool {
        let mut new = false;
        for shape in shapes(answer) {
            let seen = self.0.entry(shape).or_default();
            *seen += 1;
            new |= *seen <= often;
        }
        new
    }
}

fn shapes(answer: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for key in ["error", "decodeError", "storeError"] {
        if let Some(text) = answer.get(key).and_then(Value::as_str) {
            // If an input cannot be decoded, the message is the oracle's own.
            out.push(format!("{key} {}", shape(text).chars().take(50).collect::<String>()));
        }
    }
    let list = |key| answer.get(key).and_then(Value::as_list).unwrap_or(&[]);
    for e in list("errors") {
        let part = |key| e.get(key).and_then(Value::as_str).unwrap_or("");
        let field = shape(part("field"));
        let end = field.rsplit('.').next().unwrap_or("").to_owned();
        out.push(format!("{} {} {}", part("type"), end, shape(part("detail"))));
        // Structural errors are plain texts.
        out.extend(e.as_str().map(shape));
    }
    for key in ["warnings", "strict", "conditions", "unknownFields", "versions"] {
        out.extend(list(key).iter().map(|item| format!("{key} {}", shape(&to_string(item)))));
    }
    if out.is_empty() {
        // Answers without errors are distinguished by the stored object.
        let stored = ["stored", "result", "decoded"].iter().find_map(|k| answer.get(k)).unwrap_or(answer);
        keys(stored, &mut out);
    }
    out
}

/// Collects the keywords that occur.
fn keys(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Map(map) => {
            for (key, inner) in map.iter() {
                let kind = match inner {
                    Value::Null => "null",
                    Value::Bool(_) => "bool",
                    Value::Int(_) => "int",
                    Value::Float(_) => "float",
                    Value::Str(_) => "str",
                    Value::List(_) => "list",
                    Value::Map(_) => "map",
                };
                out.push(format!("has {key} {kind}"));
                keys(inner, out);
            }
        }
        Value::List(items) => items.iter().for_each(|i| keys(i, out)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Returns a text without digits and without the content of quotes and brackets.
fn shape(text: &str) -> String {
    let mut out = String::new();
    let mut inside: Option<char> = None;
    for c in text.chars() {
        match inside {
            Some(end) if c == end => inside = None,
            Some(_) => {}
            None => match c {
                '"' | '\'' | '`' => inside = Some(c),
                '[' => inside = Some(']'),
                c if c.is_ascii_digit() => {}
                c => out.push(c),
            },
        }
    }
    out.truncate((0..=out.len().min(160)).rev().find(|&i| out.is_char_boundary(i)).unwrap_or(0));
    out
}

/// Cases with known differences, each with its reason: `tests/vectors/skip.txt`, in lines of `AREA/NAME: reason`, where
/// `NAME` may be `*`.
pub struct Skips(Vec<(String, String)>);

impl Skips {
    /// Reads the list.
    ///
    /// # Panics
    /// Panics if a line has no reason.
    pub fn load() -> Skips {
        let text = std::fs::read_to_string(dir().join("skip.txt")).unwrap_or_default();
        let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#'));
        Skips(
            lines
                .map(|line| {
                    let (case, reason) =
                        line.split_once(" -- ").unwrap_or_else(|| panic!("no reason: {line}"));
                    (case.trim().to_owned(), reason.trim().to_owned())
                })
                .collect(),
        )
    }

    /// The entry for a case, if there is one.
    pub fn find(&self, area: &str, name: &str) -> Option<&str> {
        let exact = format!("{area}/{name}");
        let whole = format!("{area}/*");
        self.0.iter().map(|(case, _)| case.as_str()).find(|case| *case == exact || *case == whole)
    }

    /// All entries.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(case, _)| case.as_str())
    }
}
