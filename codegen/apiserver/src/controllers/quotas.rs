//! Measures what the objects of a namespace use, for the status of its quotas.

use crate::meta;
use crate::quota::{
    Amount, Amounts, Scope, added, amounts_of, is_measured, of_object, quotas, scopes, to_value,
};
use crate::state::State;
use crate::store::Object;
use crdgen_core::apply::{Hooks, Verb, Write};
use crdgen_core::value::{Map, Value};
use std::sync::Arc;

/// Sets the status of all quotas of a namespace.
pub(super) fn settle(state: &mut State, namespace: &str) {
    let all: Vec<Arc<Object>> =
        state.store.objects(&quotas(), namespace).map(|(_, quota)| Arc::clone(quota)).collect();
    let mut measured: Vec<Measured> = all.iter().map(|quota| Measured::new(quota)).collect();
    measure(state, namespace, &mut measured);
    for Measured { quota, hard, used, .. } in measured {
        let is_same = |name: &str, wanted: &Amounts| {
            let found = amounts_of(quota, "status", name);
            found.len() == wanted.len()
                && found.iter().zip(wanted).all(|((a, x), (b, y))| a == b && x.compare(y).is_eq())
        };
        if is_same("hard", &hard) && is_same("used", &used) {
            continue;
        }
        if let Some(changed) = with_status(state, quota, &hard, &used, "kube-controller-manager") {
            // Nothing has to be measured again because of this, whatever the status is.
            state.store.put(&quotas(), changed);
        }
    }
}

/// A quota, and how much there is of what it limits.
struct Measured<'q> {
    quota: &'q Value,
    scopes: Vec<Scope<'q>>,
    hard: Amounts,
    used: Amounts,
}

impl Measured<'_> {
    fn new(quota: &Value) -> Measured<'_> {
        Measured {
            quota,
            scopes: scopes(quota),
            hard: amounts_of(quota, "spec", "hard"),
            used: Amounts::new(),
        }
    }
}

/// Measures each object once for all quotas, and adds it once for those that select the same objects.
fn measure(state: &State, namespace: &str, all: &mut [Measured<'_>]) {
    let now = state.clock.seconds();
    for kind in state.registry.kinds().filter(|kind| kind.namespaced && kind.stored_in == kind.resource) {
        let resource = &kind.resource;
        let mut limiting = Vec::new();
        for measured in &mut *all {
            let names = measured.hard.keys().filter(|name| is_measured(resource, name));
            let zeros: Amounts = names.map(|name| (name.clone(), Amount::number(0))).collect();
            if !zeros.is_empty() {
                measured.used.extend(zeros);
                limiting.push(measured);
            }
        }
        if limiting.is_empty() {
            continue;
        }
        let mut sums: Vec<(Vec<Scope<'_>>, Amounts)> = Vec::new();
        for measured in &limiting {
            if !sums.iter().any(|(scopes, _)| *scopes == measured.scopes) {
                sums.push((measured.scopes.clone(), Amounts::new()));
            }
        }
        for (_, object) in state.store.objects(resource, namespace) {
            let uses = of_object(resource, object, now);
            for (scopes, sum) in &mut sums {
                if scopes.iter().all(|scope| scope.has(resource, object)) {
                    *sum = added(std::mem::take(sum), &uses);
                }
            }
        }
        for measured in limiting {
            let own = sums.iter().find(|(scopes, _)| *scopes == measured.scopes);
            for (name, sum) in own.iter().flat_map(|(_, sums)| sums) {
                if let Some(used) = measured.used.get_mut(name) {
                    *used = used.add(sum);
                }
            }
        }
    }
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
