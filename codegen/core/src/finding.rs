//! What checks and comparisons find: a diagnostic with its place, the object, and the change that it is about.

use crate::compare::changes::{Change, between};
use crate::compare::proof::Changed;
use crate::diag::{BadValue, Diag};
use crate::ir::Crd;
use crate::server::Server;
use crate::span::{Place, Pos};
use crate::value::{Map, Value};

/// A diagnostic, with its place if it is about a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The name of the object that the diagnostic is about, if it is known.
    pub object: String,
    /// The place of the diagnostic. `None` if it is about the text as a whole, or if no text was read.
    pub place: Option<Place>,
    /// The diagnostic.
    pub diag: Diag,
    /// What changes, if the diagnostic is about an update.
    pub change: Option<Box<Changed>>,
    /// Where else the same was found: the files and places of copies of the object.
    pub copies: Vec<(String, Option<Place>)>,
    /// The other objects about which the same was found at this place, such as the CRDs that share a Rust type.
    pub others: Vec<String>,
    /// The other versions of the kind in which the same changes, and the versions in which the objects are stored that it is about.
    pub versions: Vec<(String, Option<String>)>,
    /// The servers that report it, if others of those that were asked do not.
    pub servers: Vec<Server>,
}

impl From<Diag> for Finding {
    fn from(diag: Diag) -> Finding {
        Finding::new(String::new(), None, diag)
    }
}

impl Finding {
    /// Creates a finding that is not about an update.
    pub fn new(object: String, place: Option<Place>, diag: Diag) -> Finding {
        Finding {
            object,
            place,
            diag,
            change: None,
            copies: Vec::new(),
            others: Vec::new(),
            versions: Vec::new(),
            servers: Vec::new(),
        }
    }

    /// Returns a fingerprint of the finding in a file. It stays the same if lines move. That of a change also stays the same
    /// if the file is moved.
    pub fn fingerprint(&self, file: &str) -> String {
        if let Some(change) = &self.change {
            return change.fingerprint.clone();
        }
        fingerprint(&[file, &self.object, self.diag.code.id, &self.diag.text()])
    }

    /// Returns the finding as `-o json` prints it, for other programs.
    pub fn to_value(&self, file: &str) -> Value {
        let diag = &self.diag;
        let mut out: Map<Value> = Map::from_iter([
            ("file", Value::from(file)),
            ("object", self.object.as_str().into()),
            ("code", diag.code.id.into()),
            ("level", diag.level.name().into()),
            ("field", diag.field.as_str().into()),
            ("badValue", diag.bad.as_ref().map(BadValue::to_value).unwrap_or_default()),
            ("detail", diag.detail.as_str().into()),
            ("text", diag.text().into()),
            ("fingerprint", self.fingerprint(file).into()),
        ]);
        if let Some(kind) = diag.kind {
            out.insert("type", kind.reason().into());
        }
        if let Some(place) = self.place {
            out.insert("start", position(place.start));
            out.insert("end", position(place.end));
        }
        if let Some(help) = &diag.help {
            out.insert("help", help.as_str().into());
        }
        if let Some(change) = &self.change {
            out.insert("change", change.to_value());
        }
        if !self.copies.is_empty() {
            let copy = |(file, place): &(String, Option<Place>)| {
                let mut out: Map<Value> = Map::from_iter([("file", Value::from(file.as_str()))]);
                if let Some(place) = place {
                    out.insert("start", position(place.start));
                    out.insert("end", position(place.end));
                }
                Value::from(out)
            };
            out.insert("copies", Value::List(self.copies.iter().map(copy).collect()));
        }
        if !self.others.is_empty() {
            let others = self.others.iter().map(|other| Value::from(other.as_str()));
            out.insert("others", Value::List(others.collect()));
        }
        if !self.servers.is_empty() {
            let servers = self.servers.iter().map(|server| Value::from(server.to_string()));
            out.insert("servers", Value::List(servers.collect()));
        }
        out.into()
    }
}

fn position(pos: Pos) -> Value {
    Map::from_iter([
        ("line", Value::Int(pos.line.into())),
        ("column", Value::Int(pos.column.into())),
        ("offset", Value::Int(pos.offset.try_into().unwrap_or(i64::MAX))),
    ])
    .into()
}

/// Returns what is found about the changes of a CRD, without a search for objects that they break.
pub fn unsearched(old: &Crd, new: &Crd) -> Vec<Finding> {
    between(old, new).iter().filter_map(Change::diag).map(Finding::from).collect()
}

/// Returns the fingerprint of some texts.
pub fn fingerprint(parts: &[&str]) -> String {
    // FNV-1a, which needs no crate. It need not resist attacks: users choose their own baselines.
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}
