//! What an update does to objects that exist.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use crdgen_core::ir::Crd;
use crdgen_core::path::Step;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};

use crate::side::{Answer, Side, in_version};

/// The CRDs before and after an update, for questions about objects.
pub struct Update {
    old: Side,
    new: Side,
    /// The new CRD.
    crd: Crd,
}

/// When the update makes a difference for an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// When it is read, without any write: fields are missing.
    Read,
    /// When it is applied again, without a change of its values.
    Applied,
    /// When the value in question is edited, or the object is created again.
    Edited,
    /// When it is read or written in another version, into which the server converts it by changing `apiVersion` alone.
    Converted {
        /// The version.
        version: String,
    },
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            When::Read => f.write_str("loses fields"),
            When::Applied => f.write_str("rejected when applied again"),
            When::Edited => f.write_str("rejected when edited or created again"),
            When::Converted { version } => write!(f, "incomplete or rejected as {version}"),
        }
    }
}

/// A difference that the update makes for an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// When.
    pub when: When,
    /// The place in the object.
    pub steps: Vec<Step>,
    /// The server's words: an error, or which field it drops.
    pub text: String,
}

impl Effect {
    /// Returns a text that is the same for objects with the same problem: the place without indexes, and the reason.
    pub fn cause(&self) -> String {
        let steps = self.steps.iter().map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) => "[]",
        });
        steps.collect::<Vec<_>>().join(".")
    }
}

impl Update {
    /// Prepares an update. `None` if the server cannot serve one of the CRDs.
    pub fn new(old: &Crd, new: &Crd) -> Option<Update> {
        Some(Update { old: Side::new(old)?, new: Side::new(new)?, crd: new.clone() })
    }

    /// The same, if another server serves the same CRD. `None` if one of them cannot.
    pub fn of_servers(crd: &Crd, from: Server, to: Server) -> Option<Update> {
        let [old, new] = [from, to].map(|server| Side::on(server, crd.clone()));
        Some(Update { old: old?, new: new?, crd: crd.clone() })
    }

    /// Returns the effects on an object that the server stores. `None` if the object is not of this kind. Errors that
    /// it already had before the update are not reported.
    pub fn effects(&self, object: &Value) -> Option<Vec<Effect>> {
        let spec = &self.crd.spec;
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let (group, version) = text("apiVersion")?.split_once('/')?;
        if group != spec.group || text("kind")? != spec.names.kind {
            return None;
        }
        let object = as_written(object);
        let mut out = Vec::new();
        let is_other_server = self.old.served().server() != self.new.served().server();
        let is_new = |before: &Answer, after: Answer| {
            // Servers say the same in other words, and at other places.
            if is_other_server && !before.errors.is_empty() {
                return Vec::new();
            }
            let known: HashSet<String> = before.errors.iter().map(|it| key(&it.steps, it.code.id)).collect();
            let is_new = move |it: &crdgen_core::diag::Diag| !known.contains(&key(&it.steps, it.code.id));
            after.errors.into_iter().filter(is_new).collect::<Vec<_>>()
        };
        let (old, new) = (self.old.create(version, &object), self.new.create(version, &object));
        out.extend(dropped(&old, &new, When::Read));
        let update = |side: &Side| side.update(version, &object, &object);
        let applied = is_new(&update(&self.old), update(&self.new));
        let edited = is_new(&old, new);
        let is_applied: HashSet<String> = applied.iter().map(|it| key(&it.steps, it.code.id)).collect();
        out.extend(applied.into_iter().map(|error| effect(When::Applied, error)));
        let edited = edited.into_iter().filter(|it| !is_applied.contains(&key(&it.steps, it.code.id)));
        out.extend(edited.map(|error| effect(When::Edited, error)));
        let is_plain = spec.conversion.as_ref().is_none_or(|it| matches!(&*it.strategy, "" | "None"));
        let others = spec.versions.iter().filter(|other| other.served && other.name != version && is_plain);
        for other in others {
            let when = || When::Converted { version: other.name.clone() };
            let converted = in_version(object.clone(), &other.name);
            let asks = |side: &Side| side.create(&other.name, &converted);
            let was_there = self.old.served().version(&other.name).is_ok();
            let before = if was_there { asks(&self.old) } else { Answer::default() };
            let after = asks(&self.new);
            out.extend(dropped(&before, &after, when()));
            out.extend(is_new(&before, after).into_iter().map(|error| effect(when(), error)));
        }
        Some(out)
    }
}

fn key(steps: &[Step], code: &str) -> String {
    format!("{code} {steps:?}")
}

fn effect(when: When, error: crdgen_core::diag::Diag) -> Effect {
    Effect { when, text: error.text(), steps: error.steps }
}

/// The fields that only the new side drops.
fn dropped(old: &Answer, new: &Answer, when: When) -> Vec<Effect> {
    let known: HashSet<&String> = old.dropped.iter().map(|field| &field.field).collect();
    let fields = new.dropped.iter().filter(|field| !known.contains(&field.field));
    let one = |field: &crdgen_core::object::Unknown| Effect {
        when: when.clone(),
        steps: field.steps.clone(),
        text: format!("the server drops {}", field.field),
    };
    fields.map(one).collect()
}

/// An object without what only the server writes.
fn as_written(object: &Value) -> Value {
    const OF_SERVER: [&str; 6] =
        ["resourceVersion", "uid", "creationTimestamp", "generation", "managedFields", "selfLink"];
    let mut out = object.clone();
    let metadata = out.at_mut(&[Step::Key("metadata".to_owned())]).and_then(Value::as_map_mut);
    if let Some(metadata) = metadata {
        OF_SERVER.iter().for_each(|name| _ = metadata.remove(name));
    }
    out
}

/// What a set of objects goes through.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How many objects there are.
    pub objects: usize,
    /// For how many of them the update makes no difference.
    pub fine: usize,
    /// For how many objects the update makes a difference, by the name of the moment.
    pub at: BTreeMap<&'static str, usize>,
    /// What happens to them, in the order in which it was found.
    pub causes: Vec<Cause>,
}

/// What happens to some objects for the same reason.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The effect on the first object.
    pub first: Effect,
    /// The name of the first object.
    pub object: String,
    /// How many objects there are.
    pub objects: usize,
}

impl Tally {
    /// Adds an object.
    pub fn add(&mut self, name: &str, effects: Vec<Effect>) {
        self.objects += 1;
        self.fine += usize::from(effects.is_empty());
        let moments: BTreeSet<&'static str> = effects.iter().map(|effect| effect.when.name()).collect();
        for moment in moments {
            *self.at.entry(moment).or_default() += 1;
        }
        let mut own: HashSet<(When, String)> = HashSet::new();
        for effect in effects {
            let cause = effect.cause();
            if !own.insert((effect.when.clone(), cause.clone())) {
                continue;
            }
            let known = self.causes.iter_mut();
            match known.into_iter().find(|it| it.first.when == effect.when && it.first.cause() == cause) {
                Some(known) => known.objects += 1,
                None => self.causes.push(Cause { first: effect, object: name.to_owned(), objects: 1 }),
            }
        }
    }

    /// Returns for how many objects the update makes a difference at a moment.
    pub fn objects_at(&self, moment: &str) -> usize {
        self.at.get(moment).copied().unwrap_or(0)
    }

    /// Returns it as JSON.
    pub fn to_value(&self, kind: &str) -> Value {
        let count = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let cause = |it: &Cause| {
            let mut out: Map<Value> = [("when", Value::from(it.first.when.name()))].into_iter().collect();
            if let When::Converted { version } = &it.first.when {
                out.insert("version", version.as_str().into());
            }
            out.insert("objects", count(it.objects));
            out.insert("first", it.object.as_str().into());
            out.insert("text", it.first.text.as_str().into());
            Value::Map(out)
        };
        let members = [
            ("crd", Value::from(kind)),
            ("objects", count(self.objects)),
            ("fine", count(self.fine)),
            ("causes", Value::List(self.causes.iter().map(cause).collect())),
        ];
        Value::Map(members.into_iter().collect())
    }
}

impl When {
    /// Returns its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            When::Read => "read",
            When::Applied => "applied",
            When::Edited => "edited",
            When::Converted { .. } => "converted",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tally, Update};
    use crdgen_core::{decode, json};

    fn crd(versions: &str) -> crdgen_core::ir::Crd {
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"ws.example.com"}},
            "spec":{{"group":"example.com","scope":"Namespaced","names":{{"kind":"W","plural":"ws","singular":"w","listKind":"WList"}},
            "versions":[{versions}]}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    }

    fn version(name: &str, storage: bool, spec: &str, more: &str) -> String {
        format!(
            r#"{{"name":"{name}","served":true,"storage":{storage},"schema":{{"openAPIV3Schema":
            {{"type":"object","properties":{{"spec":{{"type":"object","properties":{spec}}}}}{more}}}}}}}"#
        )
    }

    #[test]
    fn objects_show_when_an_update_matters() {
        let fields = r#"{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{"type":"string"}}}"#;
        let old = crd(&version("v1", true, fields, ""));
        let new = r#"{"a":{"type":"string","maxLength":3},"c":{"type":"array","items":{"type":"string"}}}"#;
        let rule = r#","x-kubernetes-validations":[{"rule":"!has(self.spec.c) || self.spec.c.size() < 2"}]"#;
        let new = [version("v1", true, new, rule), version("v2", false, r#"{"a":{"type":"string"}}"#, "")];
        let update = Update::new(&old, &crd(&new.join(","))).expect("the CRDs can be served");
        let mut tally = Tally::default();
        for (name, spec) in [
            ("fine", r#"{"a":"x"}"#),
            ("long", r#"{"a":"text"}"#),
            ("lost", r#"{"b":1}"#),
            ("lists", r#"{"c":["x","y"]}"#),
            ("long2", r#"{"a":"other"}"#),
        ] {
            let object = format!(
                r#"{{"apiVersion":"example.com/v1","kind":"W","metadata":{{"name":"{name}","namespace":"n","resourceVersion":"1"}},"spec":{spec}}}"#
            );
            let object = json::read(object.as_bytes()).expect("JSON");
            tally.add(name, update.effects(&object).expect("the object is of this kind"));
        }
        let shown: Vec<String> = tally
            .causes
            .iter()
            .map(|it| format!("{} {} {}: {}", it.first.when, it.objects, it.object, it.first.text))
            .collect();
        assert_eq!((tally.objects, tally.fine), (5, 1));
        assert_eq!(
            shown,
            [
                "rejected when edited or created again 2 long: spec.a: Too long: may not be more than 3 bytes",
                "loses fields 1 lost: the server drops spec.b",
                "incomplete or rejected as v2 1 lost: the server drops spec.b",
                "rejected when applied again 1 lists: <nil>: Invalid value: failed rule: !has(self.spec.c) || self.spec.c.size() < 2",
                "incomplete or rejected as v2 1 lists: the server drops spec.c",
            ]
        );
    }
}
