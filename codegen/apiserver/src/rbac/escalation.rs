//! Users give others only what they may do themselves.

use super::bindings::rules_for;
use super::rule::{Rule, is_path, quoted};
use crate::store::Store;
use crate::user::User;
use crdgen_core::go;
use std::collections::{BTreeSet, HashMap};

/// What a user needs who gives others everything.
pub(crate) fn full_authority() -> [Rule<'static>; 2] {
    [
        Rule { verbs: vec!["*"], groups: vec!["*"], resources: vec!["*"], ..Rule::default() },
        Rule { verbs: vec!["*"], paths: vec!["*"], ..Rule::default() },
    ]
}

/// How often parts of rules are compared with rules. A rule has a part for each verb with each group, resource and name.
const MOST_COMPARED: usize = 10_000_000;
/// As how many rules those of a user count at least, because parts also need memory.
const FEW: usize = 100;

/// Why a user may not give others these rules in a namespace, in the server's words. `None` if the user may.
pub(crate) fn missing(store: &Store, user: &User, namespace: &str, rules: &[Rule<'_>]) -> Option<String> {
    let found = rules_for(store, user, namespace);
    let is_missing = |part: &Rule<'_>| !found.granted.iter().any(|granted| covers(&granted.rule, part));
    // What one rule allows as a whole, it allows in parts.
    let rules: Vec<&Rule<'_>> = rules.iter().filter(|rule| is_missing(rule)).collect();
    let parts_of_all = rules.iter().fold(0usize, |sum, rule| sum.saturating_add(number_of_parts(rule)));
    if parts_of_all.saturating_mul(found.granted.len().max(FEW)) > MOST_COMPARED {
        return Some(format!(
            "the rules have {parts_of_all} parts to compare with {} rules of the user: write shorter lists",
            found.granted.len()
        ));
    }
    let missing: Vec<Rule<'_>> = rules.into_iter().flat_map(parts).filter(is_missing).collect();
    if missing.is_empty() {
        return None;
    }
    let texts: BTreeSet<String> = compact(missing).iter().map(Rule::words).collect();
    let texts: Vec<String> = texts.into_iter().collect();
    let resolution = found.problem().map_or_else(String::new, |why| format!("; resolution errors: [{why}]"));
    let (name, groups) = (go::quote(&user.name), quoted(&user.groups));
    Some(format!(
        "user {name} (groups={groups}) is attempting to grant RBAC permissions not currently held:\n{}{resolution}",
        texts.join("\n")
    ))
}

fn number_of_parts(rule: &Rule<'_>) -> usize {
    let resources =
        [&rule.groups, &rule.resources, &rule.verbs].iter().fold(1usize, |n, it| n.saturating_mul(it.len()));
    let of_paths = rule.paths.len().saturating_mul(rule.verbs.len());
    resources.saturating_mul(rule.names.len().max(1)).saturating_add(of_paths)
}

/// Rules with one verb and one resource or path each, which together are this one.
fn parts<'v>(rule: &Rule<'v>) -> Vec<Rule<'v>> {
    let mut out = Vec::new();
    for &group in &rule.groups {
        for &resource in &rule.resources {
            for &verb in &rule.verbs {
                let part = Rule {
                    verbs: vec![verb],
                    groups: vec![group],
                    resources: vec![resource],
                    ..Rule::default()
                };
                if rule.names.is_empty() {
                    out.push(part);
                } else {
                    out.extend(rule.names.iter().map(|&name| Rule { names: vec![name], ..part.clone() }));
                }
            }
        }
    }
    for &path in &rule.paths {
        let of_verb = |&verb: &&'v str| Rule { verbs: vec![verb], paths: vec![path], ..Rule::default() };
        out.extend(rule.verbs.iter().map(of_verb));
    }
    out
}

/// Whether a rule allows everything that a part of another one allows.
fn covers(rule: &Rule<'_>, part: &Rule<'_>) -> bool {
    let all =
        |list: &[&str], wanted: &[&str]| list.contains(&"*") || wanted.iter().all(|it| list.contains(it));
    let of_any = |resource: &&str| {
        let subresource = resource.split_once('/').map(|(_, subresource)| format!("*/{subresource}"));
        rule.resources.contains(resource)
            || subresource.is_some_and(|it| rule.resources.contains(&it.as_str()))
    };
    all(&rule.verbs, &part.verbs)
        && all(&rule.groups, &part.groups)
        && (all(&rule.resources, &part.resources) || part.resources.iter().all(of_any))
        && (rule.names.is_empty() || !part.names.is_empty() && all_of(&rule.names, &part.names))
        && part.paths.iter().all(|path| rule.paths.iter().any(|pattern| is_path(pattern, path)))
}

/// Whether a list has all of these. Names have no `*`.
fn all_of(list: &[&str], wanted: &[&str]) -> bool {
    wanted.iter().all(|it| list.contains(it))
}

/// The rules, of which those that differ only in their verbs are one.
fn compact(parts: Vec<Rule<'_>>) -> Vec<Rule<'_>> {
    let (mut out, mut places): (Vec<Rule<'_>>, _) = (Vec::new(), HashMap::new());
    for part in parts {
        if part.paths.is_empty() {
            let key = (part.groups.clone(), part.resources.clone(), part.names.clone());
            let place = *places.entry(key).or_insert(out.len());
            if let Some(rule) = out.get_mut(place) {
                rule.verbs.extend(part.verbs);
                continue;
            }
        }
        out.push(part);
    }
    out
}
