//! Kubernetes' own types, recognised by the names of their properties, so that they get the names
//! under which everyone knows them.

use std::collections::BTreeMap;

use super::model::Struct;
use crate::ir::{Additional, Items, Schema};
use crate::k8s;

/// What definitions embed; and everything that these types use.
const ROOTS: [&str; 22] = [
    "autoscaling/v2.HorizontalPodAutoscalerBehavior",
    "autoscaling/v2.MetricSpec",
    "core/v1.EphemeralContainer",
    "core/v1.LoadBalancerStatus",
    "core/v1.NodeSelector",
    "core/v1.ObjectReference",
    "core/v1.PersistentVolumeClaimSpec",
    "core/v1.PersistentVolumeClaimStatus",
    "core/v1.PodSpec",
    "core/v1.ResourceRequirements",
    "core/v1.ServicePort",
    "core/v1.SessionAffinityConfig",
    "core/v1.Taint",
    "core/v1.TopologySelectorTerm",
    "core/v1.TypedObjectReference",
    "meta/v1.Condition",
    "meta/v1.LabelSelector",
    "meta/v1.OwnerReference",
    "networking/v1.NetworkPolicyEgressRule",
    "networking/v1.NetworkPolicyIngressRule",
    "rbac/v1.PolicyRule",
    "rbac/v1.Subject",
];

/// Names of fewer letters in all can mean anything.
const TELLING: usize = 16;

/// The types with the names of their properties.
pub(super) struct Kubernetes {
    types: Vec<(&'static str, Vec<String>)>,
}

impl Kubernetes {
    /// Reads the table.
    pub(super) fn new() -> Kubernetes {
        let index: BTreeMap<&str, &'static str> = k8s::names().map(|n| (n, n)).collect();
        let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        let mut open: Vec<&'static str> = ROOTS.to_vec();
        while let Some(name) = open.pop() {
            let short = name.split_once('.').map_or(name, |(_, short)| short);
            if found.contains_key(short) {
                continue;
            }
            let Some(schema) = k8s::shallow(name) else { continue };
            found.insert(short, schema.properties.keys().map(str::to_owned).collect());
            references(&schema, &mut |target| open.extend(index.get(target).copied()));
        }
        let types = found.into_iter().filter(|(_, properties)| !properties.is_empty()).collect();
        Kubernetes { types }
    }

    /// The name of the type that a struct is, or is an older form of.
    /// `words` are those of the path to it.
    pub(super) fn name_of(&self, body: &Struct, words: &[String]) -> Option<&'static str> {
        let word = words.last().map_or("", String::as_str);
        let n = body.fields.len();
        if n == 0 {
            return None;
        }
        if body.fields.iter().map(|f| f.property.as_str()).eq(["key", "operator", "values"]) {
            // The same structure under two names, of which the place tells one.
            let of_nodes = words.iter().any(|w| w.contains("Node") || w == "Preference");
            return Some(if of_nodes { "NodeSelectorRequirement" } else { "LabelSelectorRequirement" });
        }
        let has =
            |properties: &[String]| body.fields.iter().all(|f| properties.binary_search(&f.property).is_ok());
        let hinted = |name: &str| {
            let (name, word) = (name.to_ascii_lowercase(), word.to_ascii_lowercase());
            word.len() > 2 && (name.contains(&word) || word.contains(&name))
        };
        let size = |known: usize| known == n || (n >= 5 && n < known && n * 10 >= known * 7);
        let all: Vec<&(&'static str, Vec<String>)> =
            self.types.iter().filter(|(_, p)| size(p.len()) && has(p)).collect();
        let nearest = all.iter().map(|(_, p)| p.len()).min()?;
        let mut best = all.iter().filter(|(_, p)| p.len() == nearest);
        let letters: usize = body.fields.iter().map(|f| f.property.len()).sum();
        match (best.next(), best.next()) {
            (Some((name, _)), None) if letters >= TELLING || (n > 1 && hinted(name)) => Some(*name),
            _ if n == 1 => None,
            _ => all.iter().map(|(name, _)| *name).find(|name| hinted(name)),
        }
    }
}

fn references(schema: &Schema, call: &mut impl FnMut(&str)) {
    if let Some(target) = schema.foreign.as_ref().and_then(|f| f.reference.as_deref()) {
        call(target);
    }
    schema.properties.values().for_each(|s| references(s, call));
    if let Some(Items::One(items)) = &schema.items {
        references(items, call);
    }
    if let Some(Additional::Schema(value)) = &schema.additional_properties {
        references(value, call);
    }
}
