//! What an update may keep, and what it cannot change.

use super::{definition, with_schema};
use crdgen_core::check::{Options, update};

const ESTABLISHED: &str = "
status:
  conditions: [{type: Established, status: \"True\"}]
  acceptedNames: {plural: crontabs, kind: CronTab}
  storedVersions: [v1]
";

fn errors(new: &str, old: &str) -> Vec<String> {
    update(&definition(new), &definition(old), &Options::default()).errors.iter().map(|d| d.text()).collect()
}

#[test]
fn names_are_fixed_once_established() {
    let old = with_schema("{type: object}");
    let new = old.replace("scope: Namespaced", "scope: Cluster");
    assert!(errors(&new, &old).is_empty());
    assert_eq!(
        errors(&new, &(old.clone() + ESTABLISHED)),
        ["spec.scope: Invalid value: \"Cluster\": field is immutable"]
    );
    let new = old.replace("group: example.com", "group: example.org");
    assert!(errors(&new, &old).iter().any(|e| e.starts_with("spec.group: Invalid value")));
}

#[test]
fn stored_versions_stay() {
    let old = with_schema("{type: object}") + ESTABLISHED;
    let new = with_schema("{type: object}").replace("name: v1", "name: v2");
    let found = errors(&new, &old);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions")
    );
}

#[test]
fn the_generation_counts_changes_of_the_spec() {
    let old = definition(&with_schema("{type: object, properties: {a: {type: string}}}"));
    let generation = |new: &str| {
        let new = definition(new);
        update(&new, &old, &Options::default()).stored(&new).metadata.generation
    };
    assert_eq!(generation(&with_schema("{type: object, properties: {a: {type: string}}}")), 1);
    assert_eq!(generation(&with_schema("{type: object, properties: {a: {type: string}}, required: []}")), 1);
    assert_eq!(generation(&with_schema("{type: object, properties: {a: {type: integer}}}")), 2);
}

#[test]
fn an_update_may_keep_invalid_values() {
    let old = with_schema(
        "{type: object, properties: {a: {type: array, items: {type: object}, x-kubernetes-list-type: set}}}",
    );
    assert!(errors(&old, &old).is_empty());
    assert!(!errors(&old, &with_schema("{type: object}")).is_empty());
}
