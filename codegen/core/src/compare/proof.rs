//! How it is known what a change means.

use std::sync::Arc;

use super::changes::{Class, Part};
use crate::value::{Map, Value};
use crate::yaml;

/// How the class of a change is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// The CRDs say it, without a look at objects.
    Document,
    /// A request that succeeds with the old CRD fails with the new one.
    Witness(Arc<Witness>),
    /// A search tried this many objects and found no such request.
    Searched {
        /// The number of objects.
        tried: usize,
        /// Why it tried no more.
        end: End,
    },
}

/// Why a search that found nothing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It tried as many objects as it may for one change.
    Complete,
    /// All changes of the version together used up the budget.
    Budget,
    /// It found no object that the server accepted before.
    NoObjects,
}

/// A request that the server accepts with the old CRD and rejects with the new one.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The request.
    pub request: Request,
    /// The errors with which the server rejects it with the new CRD. The first one is about the change.
    pub words: Vec<String>,
    /// The number of objects that were tried before this one, and this one.
    pub tried: usize,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// To create an object.
    Create {
        /// The object.
        object: Value,
    },
    /// To update an object.
    Update {
        /// The object before, which the server accepted with the old CRD.
        stored: Value,
        /// The object after.
        object: Value,
    },
    /// To update the status of an object.
    UpdateStatus {
        /// The object before, which the server accepted with the old CRD.
        stored: Value,
        /// The object with the new status.
        object: Value,
    },
    /// To write an object in another version than the one in which it is stored.
    Convert {
        /// The object as it is stored, which the server accepted with the old CRD.
        stored: Value,
        /// What the server makes of it in the other version.
        object: Value,
    },
}

impl Proof {
    /// Returns the witness, if there is one.
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Proof::Witness(witness) => Some(witness),
            Proof::Document | Proof::Searched { .. } => None,
        }
    }

    /// Returns what is known, for people.
    pub fn text(&self) -> Option<String> {
        match self {
            Proof::Document => None,
            Proof::Searched { tried, end } => Some(match (end, tried) {
                (End::Complete, _) => format!("{tried} objects were tried"),
                (End::Budget, 0) => {
                    "no objects were tried, because the budget of the search was used up. Set a larger one"
                        .to_owned()
                }
                (End::Budget, _) => {
                    format!(
                        "{tried} objects were tried until the budget of the search was used up. Set a larger one"
                    )
                }
                (End::NoObjects, _) => {
                    "no objects were tried, because none was found that the server accepted before".to_owned()
                }
            }),
            Proof::Witness(witness) => {
                let objects: Vec<String> = witness.objects().into_iter().map(example).collect();
                Some(format!("{}\n{}", witness.text(), objects.join("\n---\n")))
            }
        }
    }

    /// Adds the members of its JSON form to a map.
    pub fn write(&self, out: &mut Map<Value>) {
        let count = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        match self {
            Proof::Document => {}
            Proof::Searched { tried, end } => {
                out.insert("tried", count(*tried));
                let why = match end {
                    End::Complete => None,
                    End::Budget => Some("budget"),
                    End::NoObjects => Some("no objects"),
                };
                why.into_iter().for_each(|why| _ = out.insert("stopped", why.into()));
            }
            Proof::Witness(witness) => {
                out.insert("tried", count(witness.tried));
                out.insert("witness", witness.to_value());
            }
        }
    }
}

impl Witness {
    /// Returns in one sentence what the request is, and what the server answers.
    pub fn text(&self) -> String {
        let reason = self.words.first().map_or("", String::as_str);
        match &self.request {
            Request::Create { .. } => {
                format!("this object was accepted, and now the server answers: {reason}")
            }
            Request::Convert { .. } => {
                format!(
                    "this object is stored as the first one, and as the second one the server answers: {reason}"
                )
            }
            request if request.is_idle() => {
                format!("if this object exists, the server rejects its next update: {reason}")
            }
            Request::UpdateStatus { .. } => {
                format!("the status of this object was accepted, and now the server answers: {reason}")
            }
            Request::Update { .. } => {
                format!("this object could be changed to the one below, and now the server answers: {reason}")
            }
        }
    }

    /// Returns the objects that [`Witness::text`] is about: one, or one before and one after an edit.
    pub fn objects(&self) -> Vec<&Value> {
        match &self.request {
            Request::Update { stored, .. } if self.request.is_idle() => vec![stored],
            Request::Update { stored, object } | Request::Convert { stored, object } => vec![stored, object],
            Request::Create { object } | Request::UpdateStatus { object, .. } => vec![object],
        }
    }

    /// Returns the witness as JSON.
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        match &self.request {
            Request::Create { object } => _ = out.insert("object", object.clone()),
            Request::Update { stored, object } | Request::Convert { stored, object } => {
                out.insert("stored", stored.clone());
                out.insert("object", object.clone());
            }
            Request::UpdateStatus { stored, object } => {
                out.insert("stored", stored.clone());
                out.insert("object", object.clone());
                out.insert("subresource", "status".into());
            }
        }
        out.insert("errors", Value::List(self.words.iter().map(|text| text.as_str().into()).collect()));
        Value::Map(out)
    }
}

impl Request {
    /// Whether it is an update that changes nothing but the metadata.
    fn is_idle(&self) -> bool {
        match self {
            Request::Create { .. } | Request::Convert { .. } => false,
            Request::Update { stored, object } | Request::UpdateStatus { stored, object } => {
                without_metadata(stored) == without_metadata(object)
            }
        }
    }
}

/// An object as YAML, without a line break at the end.
pub fn example(object: &Value) -> String {
    yaml::write(object).trim_end().to_owned()
}

fn without_metadata(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(map) = out.as_map_mut() {
        map.remove("metadata");
    }
    out
}

/// What is known about a change, for reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// What it means.
    pub class: Class,
    /// The part of the CRD that changes. `None` if it is about a conversion.
    pub part: Option<Part>,
    /// The version of the kind. `None` if the whole CRD changes.
    pub version: Option<String>,
    /// The version in which the objects are stored that it is about, if that is another one.
    pub stored: Option<String>,
    /// The place in objects, such as `spec.ports[].name`. `None` if it is not about a value in objects.
    pub field: Option<String>,
    /// What it was. `None` if it was not there.
    pub was: Option<String>,
    /// What it is now. `None` if it is not there any more.
    pub now: Option<String>,
    /// How its class is known.
    pub proof: Proof,
    /// Identifies the change. It does not depend on files, lines and the order of versions.
    pub fingerprint: String,
    /// The same for the change in all versions.
    pub in_versions: String,
    /// Whether it is about an alpha or beta version, in which Kubernetes' deprecation policy allows it.
    pub is_of_unstable: bool,
}

impl Changed {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        let Changed { class, version, field, was, now, proof, .. } = self;
        let optional = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
        let mut out: Map<Value> = [
            ("class", Value::from(class.name())),
            ("version", optional(version)),
            ("field", optional(field)),
            ("old", optional(was)),
            ("new", optional(now)),
        ]
        .into_iter()
        .collect();
        proof.write(&mut out);
        Value::Map(out)
    }
}
