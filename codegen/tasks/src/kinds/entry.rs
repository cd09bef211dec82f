//! A CRD, and what is known about it before it is compiled.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crdgen_core::decode::Written;
use crdgen_core::diag::{Diag, Diags, Level};
use crdgen_core::documents::{self, Finding};
use crdgen_core::ir::{Crd, Names, Spec};
use crdgen_core::json::Read;
use crdgen_core::path::Step;
use crdgen_core::server::Server;
use crdgen_core::span::{Locate, Place};
use crdgen_core::value::Value;
use crdgen_core::walk::any_schema;
use crdgen_core::yaml::Document;
use crdgen_core::{decode, encode, json};

use crate::inputs::{Findings, Source};
use crate::servers::merged;
use crdgen_kinds::objects::CompiledKind;

/// How many schemas may be kept as models until their CRDs are compiled. A schema takes about a kilobyte, but writing a
/// CRD as JSON and reading it again costs more than checking it.
const MAX_SCHEMAS: usize = 200_000;

/// A CRD, which is checked and compiled when it is first needed.
pub struct Entry {
    /// What identifies it.
    pub heading: Heading,
    /// The CRD until it is compiled.
    waiting: Mutex<Option<Waiting>>,
    /// A hash of the spec, from when it is first compared: a repository may have many CRDs for a kind.
    digest: OnceLock<u64>,
    pub(super) origin: Origin,
    /// What each server makes of it.
    compiled: OnceLock<Vec<(Server, Result<CompiledKind, Diags>)>>,
    /// Whether its errors are reported elsewhere.
    pub(super) reported: AtomicBool,
}

/// A CRD that is not compiled yet. Often only a few kinds have objects, and a model takes many times as much memory as
/// text.
enum Waiting {
    Model(Box<Crd>),
    Text(Text),
}

/// A CRD as JSON. The spec is apart, so that the specs of copies can be compared without reading them.
#[derive(Default)]
struct Text {
    /// The fields before the spec, without the end of the object.
    others: Box<str>,
    spec: Box<str>,
}

impl Text {
    fn of(crd: &Crd) -> Text {
        let Value::Map(mut fields) = encode::crd(crd) else { return Text::default() };
        let spec = fields.remove("spec").unwrap_or(Value::Null);
        let mut others = json::to_string(&Value::Map(fields));
        others.pop();
        Text { others: others.into(), spec: json::to_string(&spec).into() }
    }

    /// A hash of the spec.
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.spec.hash(&mut hasher);
        hasher.finish()
    }

    /// Reads what crdgen itself has written, so that this cannot fail.
    fn read(&self) -> Crd {
        let text = format!("{},\"spec\":{}}}", self.others, self.spec);
        let read = json::read_strict(text.as_bytes()).ok();
        let decoded = read.and_then(|Read { value, floats, .. }| {
            decode::crd_as_written(value, Written { floats, ..Written::default() }).0
        });
        decoded.unwrap_or_default()
    }
}

impl Waiting {
    /// Whether both have the same spec.
    fn says_the_same_as(&self, other: &Waiting) -> bool {
        match (self, other) {
            (Waiting::Model(one), Waiting::Model(other)) => one.spec == other.spec,
            (Waiting::Text(one), Waiting::Text(other)) => one.spec == other.spec,
            (Waiting::Model(crd), Waiting::Text(text)) | (Waiting::Text(text), Waiting::Model(crd)) => {
                text.spec == Text::of(crd).spec
            }
        }
    }

    /// A hash of the spec.
    fn digest(&self) -> u64 {
        match self {
            Waiting::Model(crd) => Text::of(crd).digest(),
            Waiting::Text(text) => text.digest(),
        }
    }

    fn into_model(self) -> Crd {
        match self {
            Waiting::Model(crd) => *crd,
            Waiting::Text(text) => text.read(),
        }
    }
}

/// How many schemas a CRD has.
fn schemas_of(crd: &Crd) -> usize {
    let mut count = 0;
    for schema in (0..crd.spec.versions.len()).filter_map(|version| crd.spec.schema_of(version)) {
        any_schema(schema, &mut |_| {
            count += 1;
            false
        });
    }
    count
}

/// What identifies a CRD.
pub struct Heading {
    /// The name of the CRD.
    pub name: String,
    /// Its group.
    pub group: String,
    /// The names of the kind.
    pub names: Names,
    /// Whether its objects are in namespaces.
    pub is_namespaced: bool,
    /// The versions that are served.
    pub served: Vec<String>,
}

/// Where a CRD comes from.
pub(super) struct Origin {
    pub(super) source: Source,
    pub(super) written: Option<(Arc<Document>, Vec<Step>)>,
    /// Whether the CRD is from a server, which may have accepted it when it was less strict.
    pub(super) is_served: bool,
}

impl Origin {
    /// The file, and the line where that is known.
    pub(super) fn place(&self) -> String {
        let Origin { source, written, .. } = self;
        match written.as_ref().and_then(|(document, steps)| document.locate(steps)) {
            Some(place) => format!("{}:{}", source.name, place.start.line),
            None => source.name.clone(),
        }
    }
}

impl Entry {
    /// Creates an entry. `schemas` counts the schemas that are kept as models.
    pub(super) fn new(crd: Crd, origin: Origin, schemas: &AtomicUsize) -> Entry {
        let Spec { group, names, scope, versions, .. } = &crd.spec;
        let heading = Heading {
            name: crd.metadata.name.clone(),
            group: group.clone(),
            names: names.clone(),
            is_namespaced: scope == "Namespaced",
            served: versions.iter().filter(|v| v.served).map(|v| v.name.clone()).collect(),
        };
        let own = schemas_of(&crd);
        let waiting = match schemas.fetch_add(own, Ordering::Relaxed) + own <= MAX_SCHEMAS {
            true => Waiting::Model(Box::new(crd)),
            false => Waiting::Text(Text::of(&crd)),
        };
        Entry {
            heading,
            waiting: Mutex::new(Some(waiting)),
            digest: OnceLock::new(),
            origin,
            compiled: OnceLock::new(),
            reported: AtomicBool::new(false),
        }
    }

    /// Checks and compiles the CRD for each of these servers, or says why one rejects it.
    pub(super) fn compiled(&self, servers: &[Server]) -> &[(Server, Result<CompiledKind, Diags>)] {
        let compile = || {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            let crd = waiting.map(Waiting::into_model).unwrap_or_default();
            let compile = |crd: Crd, server: Server| {
                let made = match self.origin.is_served {
                    true => CompiledKind::established(crd, server.minor()),
                    false => CompiledKind::on(crd, server.minor()),
                };
                (server, made.map_err(|problems| problems.diags))
            };
            std::iter::repeat_n(crd, servers.len()).zip(servers).map(|(crd, of)| compile(crd, *of)).collect()
        };
        self.compiled.get_or_init(compile)
    }

    pub(super) fn says_the_same_as(&mut self, other: &mut Entry) -> bool {
        let [one, other] = [self, other].map(|entry| {
            let waiting = entry.waiting.get_mut().ok()?.as_ref()?;
            Some((*entry.digest.get_or_init(|| waiting.digest()), waiting))
        });
        let both = one.zip(other);
        both.is_some_and(|((a, one), (b, other))| a == b && one.says_the_same_as(other))
    }

    pub(super) fn rejection(&self) -> Option<Findings> {
        let compiled = self.compiled.get()?;
        let finding = |diag: &Diag| {
            let (object, diag) = (self.heading.name.clone(), diag.clone());
            match &self.origin.written {
                Some((document, steps)) => documents::finding(document, steps, object, true, diag),
                None => Finding::new(object, None, diag),
            }
        };
        let found = compiled.iter().map(|(server, made)| {
            let errors = made.as_ref().err().into_iter().flatten().filter(|diag| diag.level == Level::Error);
            (*server, errors.map(finding).collect())
        });
        let findings = merged(found.collect());
        let source = self.origin.source.clone();
        (!findings.is_empty()).then_some(Findings { source, findings })
    }

    /// The file of the CRD, and the place of something in it.
    pub fn locate(&self, steps: &[Step]) -> Option<(&str, Place)> {
        let (document, prefix) = self.origin.written.as_ref()?;
        let steps: Vec<Step> = prefix.iter().chain(steps).cloned().collect();
        Some((self.origin.source.name.as_str(), document.locate(&steps)?))
    }
}
