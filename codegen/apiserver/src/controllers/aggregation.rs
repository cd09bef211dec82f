//! Cluster roles whose rules are those of others.

use super::client::{Client, Not, both};
use crate::admission::Operation;
use crate::meta;
use crate::rbac::cluster_roles;
use crate::size;
use crate::state::State;
use crate::store::{Key, Object};
use crdgen_core::apply::{Hooks, Verb, Write};
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::labels::of_labels;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// A cluster role that collects the rules of others.
struct Collector {
    key: Key,
    /// What it collects: the roles of each of its selectors.
    selected: Vec<Vec<Key>>,
}

/// Sets the rules of all cluster roles that collect those of others. Each is set once, after those that it collects. If roles collect
/// each other, this may be no fixed point; the server has none either.
pub(super) fn settle(state: &mut State, client: Client<'_>) -> Result<(), Not> {
    let resource = cluster_roles();
    let all: Vec<_> = state.store.objects(&resource, "").collect();
    let collectors: Vec<Collector> = all
        .iter()
        .filter(|(_, role)| role.get("aggregationRule").is_some_and(|rule| !rule.is_null()))
        .map(|(key, role)| Collector { key: (*key).clone(), selected: selected(key, role, &all) })
        .collect();
    let (mut done, mut numbers) = (Ok(()), Numbers::default());
    for collector in in_order(&collectors) {
        done = both(done, settle_one(state, client, collector, &mut numbers));
    }
    done
}

/// The rules of roles as numbers. Roles that collect each other have the same rules, each of which is looked at once then.
#[derive(Default)]
struct Numbers {
    /// The number of each rule.
    rules: HashMap<String, usize>,
    /// The number of each set of rules, whose numbers are sorted.
    sets: HashMap<Vec<usize>, usize>,
    /// The rules of each role in their order, and the number of their set.
    roles: HashMap<Key, (Arc<[usize]>, usize)>,
}

impl Numbers {
    fn of(&mut self, state: &State, key: &Key) -> (Arc<[usize]>, usize) {
        if let Some(known) = self.roles.get(key) {
            return known.clone();
        }
        let mut number = |rule: &Value| {
            let next = self.rules.len();
            *self.rules.entry(json::to_string(rule)).or_insert(next)
        };
        let rules: Arc<[usize]> = rules_of(state, key).iter().map(&mut number).collect();
        let mut set = rules.to_vec();
        set.sort_unstable();
        set.dedup();
        let next = self.sets.len();
        let set = *self.sets.entry(set).or_insert(next);
        self.roles.insert(key.clone(), (Arc::clone(&rules), set));
        (rules, set)
    }
}

fn rules_of<'s>(state: &'s State, key: &Key) -> &'s [Value] {
    let role = state.store.get(&cluster_roles(), key);
    role.and_then(|role| role.get("rules")?.as_list()).unwrap_or_default()
}

/// The collectors, each after those that it collects, as far as they do not collect each other.
fn in_order(collectors: &[Collector]) -> Vec<&Collector> {
    let numbers: BTreeMap<&Key, usize> =
        collectors.iter().enumerate().map(|(number, it)| (&it.key, number)).collect();
    let (mut order, mut is_seen) = (Vec::new(), vec![false; collectors.len()]);
    for first in 0..collectors.len() {
        let mut stack = vec![(first, false)];
        while let Some((number, is_left)) = stack.pop() {
            if is_left {
                order.push(&collectors[number]);
            } else if !std::mem::replace(&mut is_seen[number], true) {
                stack.push((number, true));
                let next = collectors[number].selected.iter().flatten();
                stack.extend(next.filter_map(|key| Some((*numbers.get(key)?, false))));
            }
        }
    }
    order
}

/// The other roles that a role selects.
fn selected(key: &Key, role: &Value, all: &[(&Key, &Arc<Object>)]) -> Vec<Vec<Key>> {
    let selectors = role.get("aggregationRule").and_then(|rule| rule.get("clusterRoleSelectors")?.as_list());
    let of_selector = |selector: &Value| {
        let is_empty = selector.as_map().is_none_or(Map::is_empty);
        let labels = of_labels(selector);
        let is_selected = |other: &Value| labels.as_ref().map_or(is_empty, |labels| labels.matches(other));
        let found = all.iter().filter(|(other, object)| *other != key && is_selected(object));
        found.map(|(other, _)| (*other).clone()).collect()
    };
    selectors.unwrap_or_default().iter().map(of_selector).collect()
}

fn settle_one(
    state: &mut State,
    client: Client<'_>,
    collector: &Collector,
    numbers: &mut Numbers,
) -> Result<(), Not> {
    let resource = cluster_roles();
    let Some(role) = state.store.get(&resource, &collector.key).cloned() else { return Ok(()) };
    let wanted = collected(state, collector, numbers);
    let found = role.get("rules").and_then(Value::as_list).unwrap_or_default();
    if found.iter().eq(wanted.iter().copied()) {
        return Ok(());
    }
    let wanted = Value::List(wanted.into_iter().cloned().collect());
    let Some(of) = state.registry.get(&resource).and_then(|kind| kind.built_in(kind.storage_version()))
    else {
        return Ok(());
    };
    let mut body = meta::map([
        ("apiVersion", Value::text(&role, "apiVersion").into()),
        ("kind", Value::text(&role, "kind").into()),
        ("metadata", meta::map([("name", collector.key.name.as_str().into())])),
    ]);
    if let Value::Map(body) = &mut body
        && wanted.as_list().is_some_and(|rules| !rules.is_empty())
    {
        body.insert("rules", wanted);
    }
    let now = state.clock.now();
    let write = Write {
        verb: Verb::Apply { force: true },
        manager: "clusterrole-aggregation-controller",
        body,
        live: Some(Value::clone(&role)),
        subresource: "",
        namespace: "",
        now: &now,
    };
    let written = of.write_with(write, &Hooks::default()).ok().and_then(|answer| answer.object);
    let object = written.ok_or(Not::Allowed)?;
    let mut object = client.ask_to_write(state, &resource, Some(&role), object, None)?;
    size::shrink(&resource, &mut object, Operation::Update).map_err(|_| Not::Allowed)?;
    // The order of the roles decides what else has to be set.
    state.store.put(&resource, object);
    numbers.roles.remove(&collector.key);
    Ok(())
}

/// The rules of the roles that a role selects, each once.
fn collected<'s>(state: &'s State, collector: &Collector, numbers: &mut Numbers) -> Vec<&'s Value> {
    let (mut rules, mut seen, mut sets) = (Vec::new(), HashSet::new(), HashSet::new());
    for key in collector.selected.iter().flatten() {
        let (of_role, set) = numbers.of(state, key);
        if sets.insert(set) {
            let all = rules_of(state, key).iter().zip(&*of_role);
            rules.extend(all.filter(|(_, number)| seen.insert(**number)).map(|(rule, _)| rule));
        }
    }
    rules
}
