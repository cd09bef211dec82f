//! A CRD before or after the update, as the server serves it.

use crdgen_core::diag::Diag;
use crdgen_core::diag::codes::cel::NOT_CHECKED;
use crdgen_core::ir::{Body, Crd, Scale, Schema, Spec, Validation, Version};
use crdgen_core::json;
use crdgen_core::object::write::Written;
use crdgen_core::object::{Action, Admission, Checked, Served, Unknown};
use crdgen_core::path::Step;
use crdgen_core::sample::{Effort, Samples};
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

const STATUS: &str = "status";

/// Returns an object as it is before its status is written.
pub(crate) fn without_status(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(map) = out.as_map_mut() {
        map.remove(STATUS);
    }
    out
}

/// Returns an object as a client sends it and as it is stored: as text, in which 1.0 is an integer.
fn as_text(object: &Value) -> Value {
    let mut out = object.clone();
    json::read_back(&mut out);
    out
}

/// Returns an object in another version, to which the server converts it by changing `apiVersion` alone.
pub(crate) fn in_version(mut object: Value, version: &str) -> Value {
    let text = object.text("apiVersion");
    let group = text.split_once('/').map_or("", |(group, _)| group);
    let text = format!("{group}/{version}");
    if let Some(map) = object.as_map_mut() {
        map.insert("apiVersion", Value::from(text));
    }
    object
}

/// One of the two CRDs.
pub(crate) struct Side {
    pub(crate) samples: Samples,
    /// The cost of the rules in all answers so far, as the server counts it. Sides that are made of this one add to it.
    cost: Arc<AtomicI64>,
}

/// The server's answer to a request.
#[derive(Default)]
pub(crate) struct Answer {
    /// The errors, which are the reasons why the server rejects the object.
    pub(crate) errors: Vec<Diag>,
    /// The fields that the server drops, because it does not know them.
    pub(crate) dropped: Vec<Unknown>,
    /// Whether it is the answer to a write of the status.
    pub(crate) is_of_status: bool,
}

impl Answer {
    /// Whether the server accepts the object, and keeps all of it.
    pub(crate) fn is_fine(&self) -> bool {
        self.errors.is_empty() && self.dropped.is_empty()
    }
}

/// What a side is asked for.
#[derive(Clone)]
pub(crate) enum Asked {
    /// To create an object.
    Create(Value),
    /// To update the first object to the second one.
    Update(Value, Value),
}

impl Side {
    /// Prepares a CRD. `None` if the server cannot serve it.
    pub(crate) fn new(crd: &Crd) -> Option<Side> {
        Side::on(Server::NEWEST, crd.clone())
    }

    /// Prepares a CRD for a server. `None` if it cannot serve it.
    pub(crate) fn on(server: Server, crd: Crd) -> Option<Side> {
        Some(Side { samples: Samples::on(server, crd)?, cost: Arc::default() })
    }

    /// Prepares the objects of one version of a CRD, as the server shows them in another one if it changes nothing but `apiVersion`.
    pub(crate) fn converted(crd: &Crd, version: &Version, to: &str) -> Option<Side> {
        let version = Version { name: to.to_owned(), ..version.clone() };
        Side::on(Server::NEWEST, alone(crd, version, crd.spec.shared.clone()))
    }

    /// Prepares one version with another schema. `None` if the server cannot serve it.
    pub(crate) fn with_schema(&self, version: &str, schema: Schema) -> Option<Side> {
        let crd = &self.served().crd;
        let own = crd.spec.versions.iter().find(|it| it.name == version)?;
        let body = |of: &Body, schema| Body {
            schema,
            subresources: of.subresources.clone(),
            columns: of.columns.clone(),
            selectable_fields: of.selectable_fields.clone(),
        };
        let schema = Some(Validation { open_api_v3_schema: Some(schema) });
        let version = Version { name: own.name.clone(), body: body(&own.body, schema), ..Version::default() };
        let side = Side::on(self.served().server(), alone(crd, version, body(&crd.spec.shared, None)))?;
        Some(Side { cost: Arc::clone(&self.cost), ..side })
    }

    /// The cost of the rules in all answers so far, as the server counts it.
    pub(crate) fn cost(&self) -> i64 {
        self.cost.load(Ordering::Relaxed)
    }

    fn add_cost(&self, cost: i64) {
        self.cost.fetch_add(cost, Ordering::Relaxed);
    }

    /// Changes an object until the server accepts it, but keeps the value at a place. Takes what this needs from the effort.
    pub(crate) fn accepted_around(
        &self,
        version: &str,
        object: Value,
        place: &[Step],
        effort: &mut Effort,
    ) -> Option<Value> {
        let before = effort.cost;
        let accepted = self.samples.accepted_around(version, object, place, effort);
        self.add_cost(before - effort.cost);
        accepted
    }

    pub(crate) fn served(&self) -> &Served {
        self.samples.served()
    }

    pub(crate) fn schema(&self, version: &str) -> Option<&Schema> {
        self.samples.schema(version)
    }

    /// The subresource `scale` of a version.
    pub(crate) fn scale(&self, version: &str) -> Option<&Scale> {
        let spec = &self.served().crd.spec;
        let index = spec.versions.iter().position(|it| it.name == version)?;
        spec.subresources_of(index)?.scale.as_ref()
    }

    /// Whether the server treats objects of a version as those of another side in all but what the schema says.
    pub(crate) fn is_like(&self, other: &Side, version: &str) -> bool {
        let [own, other] = [self, other].map(|side| {
            let spec = &side.served().crd.spec;
            let index = spec.versions.iter().position(|it| it.name == version);
            (spec.preserve_unknown_fields, index.and_then(|at| spec.subresources_of(at)))
        });
        own == other
    }

    /// Returns the answer to a request.
    pub(crate) fn answer(&self, version: &str, asked: &Asked) -> Answer {
        match asked {
            Asked::Create(object) => self.create(version, object),
            Asked::Update(before, after) => self.update(version, before, after),
        }
    }

    /// Whether objects of a version have a status that is written by itself.
    fn has_status(&self, version: &str, object: &Value) -> bool {
        let served = self.served();
        object.get(STATUS).is_some()
            && served.version(version).is_ok_and(|version| served.has_status(version))
    }

    /// Creates an object, and then writes its status, if that is separate.
    pub(crate) fn create(&self, version: &str, object: &Value) -> Answer {
        let answer = self.ask(version, object, Action::Create);
        match answer.is_fine() && self.has_status(version, object) {
            true => self.write_status(version, &without_status(object), object),
            false => answer,
        }
    }

    /// Updates an object, and then its status, if that is separate.
    pub(crate) fn update(&self, version: &str, stored: &Value, object: &Value) -> Answer {
        let answer = self.ask(version, object, Action::Update(as_text(stored)));
        match answer.is_fine() && self.has_status(version, object) {
            true => self.write_status(version, stored, object),
            false => answer,
        }
    }

    fn write_status(&self, version: &str, stored: &Value, object: &Value) -> Answer {
        let answer = self.ask(version, object, Action::UpdateStatus(as_text(stored)));
        Answer { is_of_status: true, ..answer }
    }

    fn ask(&self, version: &str, object: &Value, action: Action) -> Answer {
        let served = self.served();
        let admitted = served.version(version).and_then(|at| served.ask(at, as_text(object), action));
        match admitted {
            Ok(Admission::Checked(checked)) => {
                let Checked { unknown, written: Written { errors, cost, .. } } = *checked;
                self.add_cost(cost);
                Answer {
                    errors: errors.into_iter().map(|(_, diag)| diag).filter(is_reason).collect(),
                    dropped: unknown,
                    is_of_status: false,
                }
            }
            Ok(Admission::Undecodable(why)) | Err(why) => {
                Answer { errors: vec![why.diag()], ..Answer::default() }
            }
        }
    }
}

/// The CRD with a version that is its only one, and without copies of the others, which are most of it.
fn alone(crd: &Crd, version: Version, shared: Body) -> Crd {
    let Spec { group, names, scope, preserve_unknown_fields, .. } = &crd.spec;
    let spec = Spec {
        group: group.clone(),
        names: names.clone(),
        scope: scope.clone(),
        shared,
        versions: vec![Version { served: true, storage: true, ..version }],
        preserve_unknown_fields: *preserve_unknown_fields,
        ..Spec::default()
    };
    Crd { metadata: crd.metadata.clone(), spec, ..Crd::default() }
}

/// Whether an error says what is wrong. One only says that others prevented some checks.
fn is_reason(error: &Diag) -> bool {
    error.code.id != NOT_CHECKED.id
}
