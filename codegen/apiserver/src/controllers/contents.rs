//! What each namespace has from its start: the service account `default`, and a ConfigMap with the certificate of the server.

use super::client::{Client, Controller, Not, both};
use crate::meta::{self, map};
use crate::registry::{ACCOUNT, CERTIFICATE, Subresource, namespaces};
use crate::state::State;
use crate::store::{Key, Resource};
use crate::webhooks::Hooks;
use crdgen_core::apply::{self, Verb, Write};
use crdgen_core::value::Value;

const DESCRIPTION: &str = "kubernetes.io/description";

/// Creates what a namespace does not have.
pub(super) fn settle(state: &mut State, hooks: &Hooks, namespace: &str) -> Result<(), Not> {
    let found = state.store.get(&namespaces(), &Key::new("", namespace));
    if found.is_none_or(|found| meta::is_deleting(found)) {
        return Ok(());
    }
    let client = |controller| Client { hooks, controller };
    let account = account(state, client(Controller::ServiceAccounts), namespace);
    both(account, certificate(state, client(Controller::Certificates), namespace))
}

fn account(state: &mut State, client: Client<'_>, namespace: &str) -> Result<(), Not> {
    let (resource, key) = (Resource::new("", "serviceaccounts"), Key::new(namespace, ACCOUNT));
    if state.store.get(&resource, &key).is_some() {
        return Ok(());
    }
    create(state, client, &resource, object("ServiceAccount", &key))
}

fn certificate(state: &mut State, client: Client<'_>, namespace: &str) -> Result<(), Not> {
    let (resource, key) = (Resource::new("", "configmaps"), Key::new(namespace, CERTIFICATE));
    let data = map([("ca.crt", "".into())]);
    let description = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the \
                       internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of \
                       Kubernetes clusters.";
    let live = state.store.get(&resource, &key).cloned();
    let mut wanted = live.as_ref().map_or_else(|| object("ConfigMap", &key), |live| Value::clone(live));
    let annotations = wanted.get("metadata").and_then(|it| it.get("annotations"));
    let is_described = annotations.is_some_and(|it| !it.text(DESCRIPTION).is_empty());
    if live.is_some() && is_described && wanted.get("data") == Some(&data) {
        return Ok(());
    }
    meta::set_at(&mut wanted, &["data"], data);
    meta::set_at(&mut wanted, &["metadata", "annotations", DESCRIPTION], description.into());
    let Some(live) = live else { return create(state, client, &resource, wanted) };
    let Some(written) = written(state, &resource, wanted, Some(&live), None) else {
        return Err(Not::Allowed);
    };
    let written = client.ask_to_write(state, &resource, Some(&live), written, None)?;
    state.replace(&resource, written);
    Ok(())
}

fn object(kind: &str, key: &Key) -> Value {
    let metadata = map([("name", key.name.as_str().into()), ("namespace", key.namespace.as_str().into())]);
    map([("apiVersion", "v1".into()), ("kind", kind.into()), ("metadata", metadata)])
}

fn create(state: &mut State, client: Client<'_>, resource: &Resource, object: Value) -> Result<(), Not> {
    let mut object = written(state, resource, object, None, None).ok_or(Not::Allowed)?;
    let random = state.random.clone();
    state.stamp(&mut object);
    match client.ask_to_write(state, resource, None, object, None) {
        Ok(object) => {
            state.put(resource, object);
            Ok(())
        }
        Err(not) => {
            // The next time, webhooks are asked about the same object.
            state.random = random;
            Err(not)
        }
    }
}

/// The object that a write of the controller manager makes.
pub(super) fn written(
    state: &State,
    resource: &Resource,
    body: Value,
    live: Option<&Value>,
    subresource: Option<Subresource>,
) -> Option<Value> {
    let kind = state.registry.get(resource)?;
    let of = kind.built_in(kind.storage_version())?;
    let now = state.clock.now();
    let namespace = meta::text(&body, "namespace").to_owned();
    let manager = "kube-controller-manager";
    let live = live.cloned();
    let subresource = subresource.map_or("", Subresource::name);
    let write =
        Write { verb: Verb::Update, manager, body, live, subresource, namespace: &namespace, now: &now };
    of.write_with(write, &apply::Hooks::default()).ok()?.object
}
