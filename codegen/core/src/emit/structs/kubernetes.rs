//! Kubernetes' own types, recognised by the names of their properties, so that they get the names
//! under which everyone knows them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::ir::{Additional, Items, Schema};
use crate::k8s;

/// What definitions embed; and everything that these types use.
const ROOTS: [&str; 31] = [
    "autoscaling/v2.HorizontalPodAutoscalerBehavior",
    "autoscaling/v2.MetricSpec",
    "core/v1.EphemeralContainer",
    "core/v1.LoadBalancerStatus",
    "core/v1.NodeSelector",
    "core/v1.ObjectReference",
    "core/v1.PersistentVolumeClaimSpec",
    "core/v1.PersistentVolumeClaimStatus",
    "core/v1.PodSpec",
    "core/v1.PodAntiAffinity",
    "core/v1.ResourceRequirements",
    "core/v1.SeccompProfile",
    "core/v1.SecretEnvSource",
    "core/v1.SecretKeySelector",
    "core/v1.SecretProjection",
    "core/v1.ServicePort",
    "core/v1.SessionAffinityConfig",
    "core/v1.Sysctl",
    "core/v1.Taint",
    "core/v1.TopologySelectorTerm",
    "core/v1.TypedObjectReference",
    "core/v1.VolumeDevice",
    "meta/v1.Condition",
    "meta/v1.LabelSelector",
    "meta/v1.LabelSelectorRequirement",
    "meta/v1.OwnerReference",
    "networking/v1.NetworkPolicyEgressRule",
    "networking/v1.NetworkPolicyIngressRule",
    "rbac/v1.PolicyRule",
    "rbac/v1.RoleRef",
    "rbac/v1.Subject",
];

/// Names of fewer letters in all can mean anything.
const TELLING: usize = 16;

/// One of Kubernetes' own types.
pub(super) struct Known {
    /// Its name in the table, such as `core/v1.PodSpec`.
    pub(super) full: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    properties: Vec<String>,
}

/// The types with the names of their properties, by name.
pub(super) struct Kubernetes {
    types: Vec<Known>,
}

impl Kubernetes {
    /// The table, which is read once.
    pub(super) fn get() -> &'static Kubernetes {
        static READ: OnceLock<Kubernetes> = OnceLock::new();
        READ.get_or_init(Kubernetes::read)
    }

    fn read() -> Kubernetes {
        let index: BTreeMap<&str, &'static str> = k8s::names().map(|n| (n, n)).collect();
        let mut found: BTreeMap<&'static str, Known> = BTreeMap::new();
        let mut open: Vec<&'static str> = ROOTS.to_vec();
        while let Some(full) = open.pop() {
            let name = full.split_once('.').map_or(full, |(_, name)| name);
            if found.contains_key(name) {
                continue;
            }
            let Some(schema) = k8s::find(full).map(k8s::Type::shallow) else { continue };
            let Some(schema) = followed(schema) else { continue };
            let properties = schema.properties.keys().map(str::to_owned).collect();
            found.insert(name, Known { full, name, properties });
            references(schema, &mut |target| open.extend(index.get(target).copied()));
        }
        Kubernetes { types: found.into_values().filter(|known| !known.properties.is_empty()).collect() }
    }

    fn named(&self, name: &str) -> Option<&Known> {
        self.types.iter().find(|known| known.name == name)
    }

    /// The type that an object with these properties is, or is an older form of.
    /// `words` are those of the path to it.
    pub(super) fn name_of(&self, properties: &[&str], words: &[String]) -> Option<&Known> {
        let word = words.last().map_or("", String::as_str);
        let n = properties.len();
        if n == 0 {
            return None;
        }
        if properties == ["key", "operator", "values"] {
            // The same structure under two names, of which the place tells one.
            let of_nodes = words.iter().any(|w| w.contains("Node") || w == "Preference");
            let name = if of_nodes { "NodeSelectorRequirement" } else { "LabelSelectorRequirement" };
            return self.named(name);
        }
        let has = |known: &Known| {
            properties.iter().all(|p| known.properties.binary_search_by(|k| k.as_str().cmp(p)).is_ok())
        };
        let hinted = |name: &str| {
            let (name, word) = (name.to_ascii_lowercase(), word.to_ascii_lowercase());
            word.len() > 2 && (name.contains(&word) || word.contains(&name))
        };
        let size = |known: usize| known == n || (n >= 5 && n < known && n * 10 >= known * 7);
        let all: Vec<&Known> =
            self.types.iter().filter(|known| size(known.properties.len()) && has(known)).collect();
        let nearest = all.iter().map(|known| known.properties.len()).min()?;
        let mut best = all.iter().filter(|known| known.properties.len() == nearest);
        let letters: usize = properties.iter().map(|p| p.len()).sum();
        match (best.next(), best.next()) {
            (Some(known), None) if letters >= TELLING || (n > 1 && hinted(known.name)) => Some(*known),
            _ if n == 1 => None,
            _ => {
                // Secrets and config maps are referred to in the same form.
                let owner = ["ConfigMap", "Secret"].into_iter().find(|owner| word.contains(owner));
                let of_owner = |known: &Known| owner.is_some_and(|owner| known.name.starts_with(owner));
                let hinted = all.iter().find(|known| hinted(known.name));
                hinted.or_else(|| all.iter().find(|known| of_owner(known))).copied()
            }
        }
    }
}

/// The schema that a name stands for.
pub(super) fn followed(mut known: &'static Schema) -> Option<&'static Schema> {
    while let Some(name) = known.foreign.as_ref().and_then(|f| f.reference.as_deref()) {
        known = k8s::find(name)?.shallow();
    }
    Some(known)
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
