//! Rules of roles, webhooks and policies that name what the new server does not have, or not by this name alone.

use std::collections::BTreeSet;

use crdgen_core::diag::Diag;
use crdgen_core::documents::Manifest;
use crdgen_core::object::lifecycle::{self, Lifecycle};
use crdgen_core::path::{Path, Step};
use crdgen_core::value::Value;
use crdgen_diff::Class;
use crdgen_kubernetes::kinds::{RESOURCE_RULES, rows};
use crdgen_runtime::recipe::plural_of;

use super::Way;

impl Way {
    /// What rules of an object name in vain on the new server.
    pub(super) fn named(self, object: &Manifest) -> Vec<Diag> {
        let (group, kind) = (object.group_version().0, object.text("kind"));
        let Some(row) = rows().iter().find(|row| (row.group, row.kind) == (group, kind)) else {
            return Vec::new();
        };
        let mut out: Vec<Diag> = self.param_kind(&object.value).into_iter().collect();
        for rules in RESOURCE_RULES.iter().filter(|rules| rules.kind == row.id) {
            each_rule(&object.value, rules.path, &mut Vec::new(), &mut |rule, steps| {
                out.extend(self.in_vain(rule).into_iter().map(|diag| Diag { steps: steps.to_vec(), ..diag }));
            });
        }
        out
    }

    /// That the server does not have the kind of the parameters of a policy. Then the policy fails for each request that it matches.
    fn param_kind(self, policy: &Value) -> Option<Diag> {
        let kind = policy.get("spec")?.get("paramKind")?;
        let (group, version) = kind.text("apiVersion").split_once('/')?;
        let found = lifecycle::of(group, version, kind.text("kind"))?;
        let (from, to) = (self.from.minor(), self.to.minor());
        let missing = found.missing(to).filter(|_| found.missing(from).is_none())?;
        let (code, level) = Class::Breaking.reported()?;
        let text = format!("it has no parameters, so it fails for all that it matches: {}", missing.detail);
        let steps = ["spec", "paramKind", "apiVersion"].map(|name| Step::Key(name.to_owned())).to_vec();
        let diag = Diag::own(code, level, &Path::ROOT, text).help(found.help_on(to));
        Some(Diag { steps, ..diag })
    }

    fn in_vain(self, rule: &Value) -> Vec<Diag> {
        let texts = |name: &str| -> Option<Vec<&str>> {
            Some(rule.get(name)?.as_list()?.iter().filter_map(Value::as_str).collect())
        };
        let groups = texts("apiGroups").unwrap_or_default();
        let resources: Vec<&str> = texts("resources").unwrap_or_default();
        let plurals: BTreeSet<&str> = resources.iter().filter_map(|it| it.split('/').next()).collect();
        // Rules of roles name no versions.
        let versions = texts("apiVersions");
        let mut kinds: Vec<Named> = Vec::new();
        for row in lifecycle::all().iter().filter(|row| groups.contains(&row.group)) {
            let plural = plural_of(row.kind);
            match kinds.iter_mut().find(|named| (named.group, named.kind) == (row.group, row.kind)) {
                Some(named) => named.versions.push(row),
                None if plurals.contains(plural.as_str()) => {
                    kinds.push(Named { group: row.group, kind: row.kind, plural, versions: vec![row] });
                }
                None => {}
            }
        }
        let kinds = kinds.iter();
        kinds.filter_map(|named| self.about(named, versions.as_deref())).collect()
    }

    /// What is to say about a kind that a rule names.
    fn about(self, named: &Named, versions: Option<&[&str]>) -> Option<Diag> {
        let Named { group, kind, plural, versions: rows } = named;
        let (from, to) = (self.from.minor(), self.to.minor());
        let says = |class: Class, text: String, help: String| {
            let (code, level) = class.reported()?;
            let text = format!("on Kubernetes {}: {text}", self.to);
            Some(Diag::own(code, level, &Path::ROOT, text).help(help))
        };
        let of = if group.is_empty() { "the core group" } else { group };
        let Some(versions) = versions else {
            let is_known =
                || crdgen_kubernetes::kinds::rows().iter().any(|row| (row.group, row.kind) == (group, kind));
            let is_served = |minor| rows.iter().any(|row| row.is_in(minor)) || is_known();
            let text = format!("the server does not have {plural} of {of}");
            let help = "remove the name from the rule".to_owned();
            return says(Class::Client, text, help).filter(|_| is_served(from) && !is_served(to));
        };
        let find = |version: &str| rows.iter().find(|row| row.version == version);
        // Versions of which nothing is known are there.
        let is_in = |version: &&&str, minor| find(version).is_none_or(|row| row.is_in(minor));
        if versions.contains(&"*") || !versions.iter().any(|version| is_in(&version, from)) {
            return None;
        }
        let others = || rows.iter().filter(|row| row.is_in(to) && !versions.contains(&row.version));
        let newest = others().find(|row| row.is_on_by_default()).or_else(|| others().next_back());
        let replacing = versions.iter().find_map(|version| find(version)?.replacement);
        let replacing = replacing.map(|(_, version, _)| version).filter(|version| find(version).is_none());
        let help = match newest.map(|row| row.version).or(replacing) {
            Some(version) => format!("add {version} to `apiVersions`"),
            None => format!("the server has no version of {plural}"),
        };
        if !versions.iter().any(|version| is_in(&version, to)) {
            let text = format!(
                "it matches no {plural} of {of}, which the server does not have in {}",
                versions.join(", ")
            );
            return says(Class::Meaning, text, help);
        }
        // On the way back, versions that are not named were there before.
        let newest = newest.filter(|row| from < to && !row.is_in(from))?;
        let is_on = versions.iter().any(|version| find(version).is_none_or(|row| row.is_on_by_default()));
        let text = format!(
            "it matches no {plural} of {of} in {}, which is new, unless the server also has {}, which is off by default",
            newest.version,
            versions.join(" or ")
        );
        says(Class::Meaning, text, help).filter(|_| !is_on)
    }
}

/// A kind that a rule names, and what is known about its versions.
struct Named {
    group: &'static str,
    kind: &'static str,
    plural: String,
    versions: Vec<&'static Lifecycle>,
}

/// Visits the rules that some fields lead to, with the steps to each.
fn each_rule(
    value: &Value,
    path: &[&'static str],
    steps: &mut Vec<Step>,
    visit: &mut dyn FnMut(&Value, &[Step]),
) {
    if let Some(list) = value.as_list() {
        for (index, item) in list.iter().enumerate() {
            steps.push(Step::Index(index));
            each_rule(item, path, steps, visit);
            steps.pop();
        }
        return;
    }
    match path {
        [] => visit(value, steps),
        [name, path @ ..] => {
            if let Some(value) = value.get(name) {
                steps.push(Step::Key((*name).to_owned()));
                each_rule(value, path, steps, visit);
                steps.pop();
            }
        }
    }
}
