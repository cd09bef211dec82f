//! Cluster roles whose rules are those of others.

use super::client::{Client, Not, both};
use crate::meta;
use crate::rbac::cluster_roles;
use crate::state::State;
use crate::store::Object;
use crdgen_core::apply::{Hooks, Verb, Write};
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::labels::of_labels;
use std::sync::Arc;

/// Sets the rules of all cluster roles that collect those of others.
pub(super) fn settle(state: &mut State, client: Client<'_>) -> Result<(), Not> {
    let resource = cluster_roles();
    let all: Vec<_> = state.store.objects(&resource, "").map(|(_, role)| Arc::clone(role)).collect();
    let mut done = Ok(());
    for role in all.iter().filter(|role| role.get("aggregationRule").is_some_and(|rule| !rule.is_null())) {
        done = both(done, settle_one(state, client, role, &all));
    }
    done
}

fn settle_one(
    state: &mut State,
    client: Client<'_>,
    role: &Arc<Object>,
    all: &[Arc<Object>],
) -> Result<(), Not> {
    let wanted = collected(role, all);
    let found = role.get("rules").and_then(Value::as_list).unwrap_or_default();
    if found == wanted {
        return Ok(());
    }
    let (resource, name) = (cluster_roles(), meta::text(role, "name"));
    let Some(of) = state.registry.get(&resource).and_then(|kind| kind.built_in(kind.storage_version()))
    else {
        return Ok(());
    };
    let mut body = meta::map([
        ("apiVersion", meta::own(role, "apiVersion").into()),
        ("kind", meta::own(role, "kind").into()),
        ("metadata", meta::map([("name", name.into())])),
    ]);
    if let Value::Map(body) = &mut body
        && !wanted.is_empty()
    {
        body.insert("rules", Value::List(wanted));
    }
    let now = state.clock.now();
    let write = Write {
        verb: Verb::Apply { force: true },
        manager: "clusterrole-aggregation-controller",
        body,
        live: Some(Value::clone(role)),
        subresource: "",
        namespace: "",
        now: &now,
    };
    let written = of.write_with(write, &Hooks::default()).ok().and_then(|answer| answer.object);
    let object = written.ok_or(Not::Allowed)?;
    let object = client.ask_to_update(state, &resource, role, object, None)?;
    state.put(&resource, object);
    Ok(())
}

/// The rules of the roles that a role selects, each once.
fn collected(role: &Value, all: &[Arc<Object>]) -> Vec<Value> {
    let selectors = role.get("aggregationRule").and_then(|rule| rule.get("clusterRoleSelectors")?.as_list());
    let mut rules = Vec::new();
    for selector in selectors.unwrap_or_default() {
        let is_empty = selector.as_map().is_none_or(Map::is_empty);
        let labels = of_labels(selector);
        let is_selected = |other: &&Arc<Object>| {
            meta::text(other, "name") != meta::text(role, "name")
                && labels.as_ref().map_or(is_empty, |labels| labels.matches(other))
        };
        for other in all.iter().filter(is_selected) {
            for rule in other.get("rules").and_then(Value::as_list).unwrap_or_default() {
                if !rules.contains(rule) {
                    rules.push(rule.clone());
                }
            }
        }
    }
    rules
}
