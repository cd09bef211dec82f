//! The answers of older servers, and of the beta after the newest one, to the recorded requests.
//! `tests/vectors/older/1.NN.answers` only contains the answers that differ from those of the newest server, as edits of these.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;

use crdgen_core::server::Server;
use crdgen_core::value::Value;

use crate::compare::Options;
use crate::vectors::{self, Vector, text};

/// The areas that depend on the server's version and are exact for all versions. Published documents always match the newest
/// server.
const AREAS: &[&str] = &["calls", "cel", "crd", "object", "structural", "update"];

/// The evaluation of single expressions. Older servers do not answer other than the newest one.
const EVALUATIONS: &[&str] = &["costs", "eval", "values"];

/// Returns the areas whose answers depend on the server of Kubernetes 1.`minor`.
pub fn areas(minor: u32) -> impl Iterator<Item = &'static str> {
    let more = if Server::of(minor).is_beta() { EVALUATIONS } else { &[] };
    AREAS.iter().chain(more).copied()
}

/// Returns the minor versions of the servers other than the newest one.
pub fn versions() -> impl Iterator<Item = u32> {
    (Server::OLDEST.minor()..=Server::LAST.minor()).filter(|minor| *minor != Server::NEWEST.minor())
}

/// The minor versions whose answers are recorded.
pub const RECORDED: &[u32] = &[33, 34, 35, 36, 38];

/// Returns how answers of a server are compared.
pub fn options(minor: u32) -> Options {
    // Before 1.34, the server prints structs as Go source, with the addresses of pointers.
    Options { addresses: minor < 34, ..Options::default() }
}

/// Answers that differ from those of the newest server, by `AREA/NAME`.
#[derive(Default)]
pub struct Answers(HashMap<String, Value>);

impl Answers {
    /// The recorded answers of a server.
    pub fn load(minor: u32) -> io::Result<Answers> {
        let text = std::fs::read_to_string(file(minor))?;
        let usual = usual()?;
        Ok(Answers(text::read_answers(&text, |name| usual.get(name)).map_err(io::Error::other)?))
    }

    /// Returns the server's answer to the request of a vector.
    pub fn of<'a>(&'a self, area: &str, vector: &'a Vector) -> &'a Value {
        self.own(area, vector).unwrap_or(&vector.answer)
    }

    /// Returns the answer of this server, if it differs from that of the newest one.
    pub fn own(&self, area: &str, vector: &Vector) -> Option<&Value> {
        self.0.get(&format!("{area}/{}", vector.name))
    }

    /// Returns the number of recorded answers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the answer to a vector.
    pub fn insert(&mut self, area: &str, vector: &Vector, answer: Value) {
        self.0.insert(format!("{area}/{}", vector.name), answer);
    }

    /// Writes the answers. Equal answers give equal bytes.
    pub fn save(&self, minor: u32) -> io::Result<()> {
        let usual = usual()?;
        let mut answers: Vec<_> = self.0.iter().collect();
        answers.sort_by_key(|(name, _)| *name);
        let known =
            answers.into_iter().filter_map(|(name, answer)| Some((name.as_str(), usual.get(name)?, answer)));
        let path = file(minor);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        vectors::write_if_changed(&path, text::write_answers(known).as_bytes())
    }
}

/// The answers of the newest server.
fn usual() -> io::Result<HashMap<String, Value>> {
    let mut out = HashMap::new();
    for area in AREAS.iter().chain(EVALUATIONS) {
        out.extend(
            vectors::load(area)?.into_iter().map(|vector| (format!("{area}/{}", vector.name), vector.answer)),
        );
    }
    Ok(out)
}

/// Returns the vectors of one server that crdgen is known to answer differently, as `AREA/NAME`. They are listed in
/// `tests/vectors/older/skip.txt`, in lines of `1.NN AREA/NAME -- REASON`.
pub fn skipped(minor: u32) -> io::Result<BTreeSet<String>> {
    let text = std::fs::read_to_string(vectors::dir().join("older/skip.txt"))?;
    let version = format!("1.{minor} ");
    let lines = text.lines().filter_map(|line| line.strip_prefix(&version)?.split_once(" -- "));
    Ok(lines.map(|(vector, _)| vector.to_owned()).collect())
}

/// Returns a request for the server of Kubernetes 1.`minor`.
pub fn asked(request: &Value, minor: u32) -> Value {
    let mut request = request.clone();
    if let Some(map) = request.as_map_mut() {
        map.insert("kube", Value::Str(format!("1.{minor}")));
    }
    request
}

fn file(minor: u32) -> PathBuf {
    vectors::dir().join(format!("older/1.{minor}.answers"))
}
