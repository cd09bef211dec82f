//! The answers of older servers to the recorded requests. `tests/vectors/older/1.NN.jsonl.gz` only contains the answers
//! that differ from those of the newest server, one per line.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use crdgen_core::json::to_string;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::compare::Options;
use crate::json::parse;
use crate::vectors::{self, Vector};

/// The areas that depend on the server's version and are exact for all versions. Published documents and the evaluation
/// of single expressions always match the newest server.
pub const AREAS: &[&str] = &["cel", "crd", "object", "structural", "update"];

/// The minor versions of the older servers.
pub const VERSIONS: RangeInclusive<u32> = Server::OLDEST.minor()..=Server::NEWEST.minor() - 1;

/// The minor versions whose answers are recorded.
pub const RECORDED: &[u32] = &[33, 34, 35, 36];

/// Returns how answers of a server are compared.
pub fn options(minor: u32) -> Options {
    // Before 1.34, the server prints structs as Go source, with the addresses of pointers.
    Options { addresses: minor < 34, ..Options::default() }
}

/// Answers that differ from those of the newest server, by area and name.
#[derive(Default)]
pub struct Answers(HashMap<(String, String), Value>);

impl Answers {
    /// The recorded answers of a server.
    pub fn load(minor: u32) -> io::Result<Answers> {
        let mut out = HashMap::new();
        for line in BufReader::new(GzDecoder::new(File::open(file(minor))?)).lines() {
            let line = parse(&line?).map_err(io::Error::other)?;
            let text = |key| line.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            out.insert((text("area"), text("name")), line.get("answer").cloned().unwrap_or_default());
        }
        Ok(Answers(out))
    }

    /// Returns the server's answer to the request of a vector.
    pub fn of<'a>(&'a self, area: &str, vector: &'a Vector) -> &'a Value {
        self.own(area, vector).unwrap_or(&vector.answer)
    }

    /// Returns the answer of this server, if it differs from that of the newest one.
    pub fn own(&self, area: &str, vector: &Vector) -> Option<&Value> {
        self.0.get(&(area.to_owned(), vector.name.clone()))
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
        self.0.insert((area.to_owned(), vector.name.clone()), answer);
    }

    /// Writes the answers. Equal answers give equal bytes.
    pub fn save(&self, minor: u32) -> io::Result<()> {
        let mut lines: Vec<_> = self.0.iter().collect();
        lines.sort_by_key(|(key, _)| *key);
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        for ((area, name), answer) in lines {
            let line: Map<Value> = [
                ("area", Value::from(area.as_str())),
                ("name", Value::from(name.as_str())),
                ("answer", answer.clone()),
            ]
            .into_iter()
            .collect();
            writeln!(out, "{}", to_string(&Value::Map(line)))?;
        }
        let path = file(minor);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, out.finish()?)
    }
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
    vectors::dir().join(format!("older/1.{minor}.jsonl.gz"))
}
