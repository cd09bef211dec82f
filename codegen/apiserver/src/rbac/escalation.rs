//! Users give others only what they may do themselves.

use super::bindings::rules_for;
use super::rule::{Rule, is_path, quoted};
use crate::store::Store;
use crate::user::User;
use crdgen_core::go;
use std::collections::BTreeSet;

/// What a user needs who gives others everything.
pub(crate) fn full_authority() -> [Rule<'static>; 2] {
    [
        Rule { verbs: vec!["*"], groups: vec!["*"], resources: vec!["*"], ..Rule::default() },
        Rule { verbs: vec!["*"], paths: vec!["*"], ..Rule::default() },
    ]
}

/// Why a user may not give others these rules in a namespace, in the server's words. `None` if the user may.
pub(crate) fn missing(store: &Store, user: &User, namespace: &str, rules: &[Rule<'_>]) -> Option<String> {
    let found = rules_for(store, user, namespace);
    let is_missing = |part: &Rule<'_>| !found.granted.iter().any(|granted| covers(&granted.rule, part));
    let missing: Vec<Rule<'_>> = rules.iter().flat_map(parts).filter(is_missing).collect();
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
    let mut out: Vec<Rule<'_>> = Vec::new();
    for part in parts {
        let same = out.iter_mut().find(|rule| {
            part.paths.is_empty()
                && (&rule.groups, &rule.resources, &rule.names)
                    == (&part.groups, &part.resources, &part.names)
        });
        match same {
            Some(rule) => rule.verbs.extend(part.verbs),
            None => out.push(part),
        }
    }
    out
}
