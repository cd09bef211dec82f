//! The text of recorded vectors. It is made for reviews: a vector takes three lines, and a document in it is written as
//! edits of another one.
//!
//! ```text
//! base crontab.yaml
//!   {…}                                        # a document that others are edits of
//! vector create-1-7: crontab.yaml remove scope
//!   {"crd":{"like":"crontab.yaml","edits":[…]},"op":"crd"}
//!   {"errors":[],"stored":{"like":"crd","edits":[…]}}
//! ```
//!
//! `like` names a base, a document of the request (`crd`, `old` or `object`), another part of the answer (`.prepared`)
//! or, for the same part of the answer to an earlier vector, `answer to NAME`.

use std::collections::HashMap;
use std::fmt::Write;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use super::Vector;
use super::edits::{apply, between};
use crate::corpus::Seed;
use crate::json::parse;

/// A part that is shorter than this is written as it is.
const SHORT: usize = 200;

/// What the name of an answer to an earlier vector starts with.
const ANSWER_TO: &str = "answer to ";

/// The members of a request that are documents, as texts. Each may be written as edits of those before it.
const DOCUMENTS: [&str; 3] = ["old", "crd", "object"];

/// Returns the shortest way to write a document: as it is, or as edits of one of the others.
fn shortest(document: &Value, others: &[(String, Value)]) -> Value {
    let mut shortest = document.clone();
    let mut length = to_string(document).len();
    if length < SHORT {
        return shortest;
    }
    for (name, other) in others {
        let edits = Value::List(between(other, document));
        let like = Value::Map(Map::from_iter([("like", Value::from(name.as_str())), ("edits", edits)]));
        let this = to_string(&like).len();
        if this < length {
            (shortest, length) = (like, this);
        }
    }
    shortest
}

/// Returns the name of the other document and the edits, if a document is written as edits.
fn like(written: &Value) -> Option<(&str, &[Value])> {
    let map = written.as_map().filter(|map| map.len() == 2)?;
    Some((map.get("like")?.as_str()?, map.get("edits")?.as_list()?))
}

/// The documents of a request that are JSON as crdgen writes it. Some are YAML, or JSON in another form.
fn documents(request: &Value) -> impl Iterator<Item = (&'static str, Value)> + '_ {
    DOCUMENTS.into_iter().filter_map(|name| {
        let text = request.get(name)?.as_str()?;
        let document = parse(text).ok()?;
        (to_string(&document) == text).then_some((name, document))
    })
}

/// What vectors are written with.
#[derive(Default)]
struct Bases {
    documents: Vec<(String, Value)>,
    /// The answers to some vectors, by their names.
    answers: Vec<(String, Map<Value>)>,
}

impl Bases {
    /// Keeps the answer to a vector, if it is one that others are written with.
    fn keep(&mut self, vector: &Vector) {
        if vector.name.starts_with("seed ")
            && let Some(answer) = vector.answer.as_map()
        {
            self.answers.push((vector.name.clone(), answer.clone()));
        }
    }

    fn write_request(&self, request: &Value) -> Value {
        let Some(map) = request.as_map() else { return request.clone() };
        let (mut others, mut out) = (self.documents.clone(), map.clone());
        for (name, document) in documents(request) {
            let written = shortest(&document, &others);
            if like(&written).is_some() {
                out.insert(name, written);
            }
            others.push((name.to_owned(), document));
        }
        Value::Map(out)
    }

    fn read_request(&self, written: &Value) -> Result<Value, String> {
        let Some(map) = written.as_map() else { return Ok(written.clone()) };
        let mut out = map.clone();
        for name in DOCUMENTS {
            let Some((other, edits)) = map.get(name).and_then(like) else { continue };
            let base =
                self.documents.iter().find(|(known, _)| known == other).map(|(_, document)| document.clone());
            let base = match base {
                Some(base) => base,
                None => document(&out, other)?,
            };
            out.insert(name, Value::Str(to_string(&apply(&base, edits)?)));
        }
        Ok(Value::Map(out))
    }

    fn write_answer(&self, request: &Value, answer: &Value) -> Value {
        let Some(map) = answer.as_map() else { return answer.clone() };
        let mut others: Vec<(String, Value)> =
            documents(request).map(|(name, document)| (name.to_owned(), document)).collect();
        let mut out = Map::new();
        for (name, part) in map.iter() {
            let before = others.len();
            let answers = self.answers.iter().filter_map(|(of, answer)| Some((of, answer.get(name)?)));
            others.extend(answers.map(|(of, part)| (format!("{ANSWER_TO}{of}"), part.clone())));
            out.insert(name, shortest(part, &others));
            others.truncate(before);
            others.push((format!(".{name}"), part.clone()));
        }
        Value::Map(out)
    }

    fn read_answer(&self, request: &Value, written: &Value) -> Result<Value, String> {
        let (Some(map), Some(request)) = (written.as_map(), request.as_map()) else {
            return Ok(written.clone());
        };
        let mut out = Map::new();
        for (name, part) in map.iter() {
            let part = match like(part) {
                None => part.clone(),
                Some((other, edits)) => {
                    let missing = || format!("no document {other}");
                    if let Some(before) = other.strip_prefix('.') {
                        apply(out.get(before).ok_or_else(missing)?, edits)?
                    } else if let Some(of) = other.strip_prefix(ANSWER_TO) {
                        let answer = self.answers.iter().find(|(known, _)| known == of);
                        apply(answer.and_then(|(_, answer)| answer.get(name)).ok_or_else(missing)?, edits)?
                    } else {
                        apply(&document(request, other)?, edits)?
                    }
                }
            };
            out.insert(name, part);
        }
        Ok(Value::Map(out))
    }
}

/// The document of a request with this name.
fn document(request: &Map<Value>, name: &str) -> Result<Value, String> {
    let text = request.get(name).and_then(Value::as_str).ok_or_else(|| format!("no document {name}"))?;
    parse(text)
}

/// Writes the vectors of an area. Equal vectors give equal texts.
///
/// # Panics
/// Panics if a vector is not the same when it is read again.
pub(super) fn write(vectors: &[Vector], seeds: &[Seed]) -> String {
    let documents = seeds.iter().map(|seed| (seed.name.clone(), seed.value.clone())).collect();
    let mut bases = Bases { documents, answers: Vec::new() };
    let mut out = String::new();
    let uses_bases = vectors.iter().any(|v| DOCUMENTS.iter().any(|name| v.request.get(name).is_some()));
    if uses_bases {
        for (name, document) in &bases.documents {
            let _ = writeln!(out, "base {name}\n  {}", to_string(document));
        }
    }
    for vector in vectors {
        let request = bases.write_request(&vector.request);
        let answer = bases.write_answer(&vector.request, &vector.answer);
        let _ = writeln!(out, "vector {}\n  {}\n  {}", vector.name, to_string(&request), to_string(&answer));
        bases.keep(vector);
    }
    let again = read(&out).unwrap_or_else(|e| panic!("the written vectors cannot be read: {e}"));
    assert_eq!(vectors.len(), again.len());
    for (vector, again) in vectors.iter().zip(&again) {
        assert_eq!(vector.name, again.name);
        assert_eq!(to_string(&vector.request), to_string(&again.request), "{}", vector.name);
        assert_eq!(to_string(&vector.answer), to_string(&again.answer), "{}", vector.name);
    }
    out
}

/// Reads the vectors of an area.
pub(super) fn read(text: &str) -> Result<Vec<Vector>, String> {
    let mut bases = Bases::default();
    let mut vectors = Vec::new();
    let mut lines = text.lines();
    while let Some(heading) = lines.next() {
        let mut json = || parse(lines.next().unwrap_or_default().trim_start());
        let failed = |e: String| format!("{heading}: {e}");
        match heading.split_once(' ') {
            Some(("base", name)) => bases.documents.push((name.to_owned(), json().map_err(failed)?)),
            Some(("vector", name)) => {
                let request = json().and_then(|written| bases.read_request(&written)).map_err(failed)?;
                let answer =
                    json().and_then(|written| bases.read_answer(&request, &written)).map_err(failed)?;
                let vector = Vector { name: name.to_owned(), request, answer };
                bases.keep(&vector);
                vectors.push(vector);
            }
            _ => return Err(format!("expected `base NAME` or `vector NAME`, but found {heading:?}")),
        }
    }
    Ok(vectors)
}

/// Writes answers that differ from others, which they are edits of.
///
/// # Panics
/// Panics if an answer is not the same when it is read again.
pub(crate) fn write_answers<'a>(answers: impl Iterator<Item = (&'a str, &'a Value, &'a Value)>) -> String {
    let mut out = String::new();
    for (name, usual, answer) in answers {
        let edits = between(usual, answer);
        assert_eq!(apply(usual, &edits).as_ref(), Ok(answer), "{name}");
        let _ = writeln!(out, "answer {name}\n  {}", to_string(&Value::List(edits)));
    }
    out
}

/// Reads answers by their names, with a function that returns the answer which a name's edits apply to.
pub(crate) fn read_answers<'a>(
    text: &str,
    usual: impl Fn(&str) -> Option<&'a Value>,
) -> Result<HashMap<String, Value>, String> {
    let mut out = HashMap::new();
    let mut lines = text.lines();
    while let Some(heading) = lines.next() {
        let name =
            heading.strip_prefix("answer ").ok_or_else(|| format!("expected `answer NAME`: {heading}"))?;
        let edits =
            parse(lines.next().unwrap_or_default().trim_start()).map_err(|e| format!("{name}: {e}"))?;
        // An answer to a vector that is no longer recorded is of no use.
        let Some(usual) = usual(name) else { continue };
        let answer = apply(usual, edits.as_list().unwrap_or_default()).map_err(|e| format!("{name}: {e}"))?;
        out.insert(name.to_owned(), answer);
    }
    Ok(out)
}
