//! Measures what the objects of a namespace use, for the status of its quotas.

use crate::meta;
use crate::quota::{Amount, Amounts, added, amounts_of, is_measured, of_object, quotas, selects, to_value};
use crate::state::State;
use crate::store::Object;
use crdgen_core::apply::{Hooks, Verb, Write};
use crdgen_core::value::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sets the status of all quotas of a namespace.
pub(super) fn settle(state: &mut State, namespace: &str) {
    let all: Vec<Arc<Object>> =
        state.store.objects(&quotas(), namespace).map(|(_, quota)| Arc::clone(quota)).collect();
    for quota in all {
        let hard = amounts_of(&quota, "spec", "hard");
        let used = used(state, &quota, namespace, &hard);
        let is_same = |name: &str, wanted: &Amounts| {
            let found = amounts_of(&quota, "status", name);
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|((a, x), (b, y))| a == b && x.compare(y).is_eq())
        };
        if is_same("hard", &hard) && is_same("used", &used) {
            continue;
        }
        if let Some(changed) = with_status(state, &quota, &hard, &used, "kube-controller-manager") {
            state.put(&quotas(), changed);
        }
    }
}

/// How much there is of what a quota limits.
fn used(state: &State, quota: &Value, namespace: &str, hard: &Amounts) -> Amounts {
    let now = state.clock.seconds();
    let mut used: Amounts = BTreeMap::new();
    for kind in state.registry.kinds().filter(|kind| kind.namespaced && kind.stored_in == kind.resource) {
        let resource = &kind.resource;
        let measured: Vec<&String> = hard.keys().filter(|name| is_measured(resource, name)).collect();
        if measured.is_empty() {
            continue;
        }
        let mut sum: Amounts = measured.iter().map(|name| ((*name).clone(), Amount::number(0))).collect();
        for (_, object) in state.store.objects(resource, namespace) {
            if selects(quota, resource, object) {
                sum = added(sum, &of_object(resource, object, now));
            }
        }
        sum.retain(|name, _| measured.contains(&name));
        used.extend(sum);
    }
    used
}

/// A quota with another status, as a client sets it.
pub(crate) fn with_status(
    state: &State,
    quota: &Value,
    hard: &Amounts,
    used: &Amounts,
    manager: &str,
) -> Option<Value> {
    let kind = state.registry.get(&quotas())?;
    let mut body = quota.clone();
    let status = meta::map([("hard", to_value(hard)), ("used", to_value(used))]);
    if let Value::Map(body) = &mut body {
        let body: &mut Map<Value> = body;
        body.insert("status", status);
    }
    let now = state.clock.now();
    let write = Write {
        verb: Verb::Update,
        manager,
        body,
        live: Some(quota.clone()),
        subresource: "status",
        namespace: meta::text(quota, "namespace"),
        now: &now,
    };
    kind.built_in(kind.storage_version())?.write_with(write, &Hooks::default()).ok()?.object
}
