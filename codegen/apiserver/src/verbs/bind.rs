//! Assigns pods to nodes, as a scheduler does.

use super::Call;
use crate::answer::Answer;
use crate::meta;
use crate::request::DryRun;
use crate::status::Failure;
use crate::store::{Key, Resource};
use crdgen_core::go;
use crdgen_core::value::{Map, Value};

impl Call<'_> {
    pub(super) fn bind(&mut self, name: &str, sent: &Value) -> Result<Answer, Failure> {
        if meta::text(sent, "name") != name {
            return Err(Failure::bad_request("name in URL does not match name in Binding object"));
        }
        let nothing = Value::default();
        check_target(sent.get("target").unwrap_or(&nothing))?;
        let mut binding = self.admit_action(name, sent)?;
        let target = binding.get("target").map_or("", |target| target.text("name")).to_owned();
        self.copy_topology(&target, &mut binding);
        let pods = Resource::new("", "pods");
        let key = Key::new(&self.path.namespace, name);
        let found = self.state.store.get(&pods, &key).cloned();
        let live = found.ok_or_else(|| Failure::not_found("pods", "", name))?;
        let spec = |field: &str| live.get("spec").and_then(|spec| spec.get(field));
        let node = spec("nodeName").and_then(Value::as_str).unwrap_or_default();
        let gates = spec("schedulingGates").and_then(Value::as_list).unwrap_or_default();
        let why = match () {
            () if meta::is_deleting(&live) => {
                format!("pod {name} is being deleted, cannot be assigned to a host")
            }
            () if !node.is_empty() => format!("pod {name} is already assigned to node {}", go::quote(node)),
            () if !gates.is_empty() => format!("pod {name} has non-empty .spec.schedulingGates"),
            () => String::new(),
        };
        if !why.is_empty() {
            return Err(Failure::conflict("pods/binding", "", name, &why));
        }
        if self.request.query.dry_run == DryRun::No {
            let now = self.state.clock.now();
            let pod = self.encoded(&pods, bound(&live, &binding, &now));
            self.state.replace(&pods, pod);
        }
        Ok(self.done())
    }
}

fn check_target(target: &Value) -> Result<(), Failure> {
    let mut errors = Vec::new();
    if !matches!(target.text("kind"), "" | "Node") {
        let kind = go::quote(target.text("kind"));
        errors
            .push(format!("target.kind: Unsupported value: {kind}: supported values: \"Node\", \"<empty>\""));
    }
    if target.text("name").is_empty() {
        errors.push("target.name: Required value".to_owned());
    }
    // The server gives these mistakes no reason.
    match &errors[..] {
        [] => Ok(()),
        [one] => Err(Failure::new(500, "", one.as_str())),
        many => Err(Failure::new(500, "", format!("[{}]", many.join(", ")))),
    }
}

/// The pod on its node, with the labels and annotations of the binding.
fn bound(pod: &Value, binding: &Value, now: &str) -> Value {
    let mut pod = pod.clone();
    let target = binding.get("target").map_or("", |target| target.text("name"));
    for name in ["annotations", "labels"] {
        let Some(new) = binding.get("metadata").and_then(|metadata| metadata.get(name)?.as_map()) else {
            continue;
        };
        let old = pod.get("metadata").and_then(|metadata| metadata.get(name)?.as_map().cloned());
        let mut all = old.unwrap_or_default();
        for (name, value) in new.iter() {
            all.insert(name, value.clone());
        }
        meta::set(&mut pod, name, (!all.is_empty()).then_some(Value::Map(all)));
    }
    if let Value::Map(map) = &mut pod {
        if let Value::Map(spec) = map.entry_or_insert_with("spec", || Value::Map(Map::new())) {
            spec.insert("nodeName", target.into());
        }
        if let Some(Value::Map(status)) = map.get_mut("status") {
            status.remove("nominatedNodeName");
        }
    }
    let scheduled = meta::map([("type", "PodScheduled".into()), ("status", "True".into())]);
    meta::set_condition(&mut pod, scheduled, now);
    pod
}
