//! Schemas of Kubernetes' own types, as controller-gen generates them for Go types that embed these.
//!
//! `types.rs` is the table. It has a static for each type, so that a program contains only the types that it uses. The
//! test program `tables` writes it. The text of a type is read when it is needed. crdgen does not depend on the crate
//! `k8s_openapi`, so that programs can use any version of it. Its types are recognized by their paths (`recipe/k8s_openapi.rs`).

mod fields;
pub mod types;

pub use fields::is_removed;

use std::sync::OnceLock;

use crate::ir::{Extensions, Items, Schema, Type as JsonType};
use crate::{decode, json};

/// One of Kubernetes' own types.
#[derive(Debug)]
pub struct Type {
    /// The name of the type, such as `core/v1.PodSpec` or `resource.Quantity`.
    pub name: &'static str,
    /// Its schema as text, with references to its parts.
    text: &'static str,
    /// The types to which it refers.
    parts: &'static [&'static Type],
    /// The schema, once it has been read.
    read: OnceLock<Schema>,
}

/// What the schema of a type is used for.
#[derive(Clone, Copy)]
enum Use {
    /// The server's own objects.
    Own,
    /// CRDs that contain it, with the fields of a minor version of Kubernetes.
    Embedded(Option<u32>),
}

impl Type {
    /// Returns the schema of the type.
    pub fn schema(&self) -> Schema {
        let mut schema = self.shallow().clone();
        self.resolve(&mut schema, 0, Use::Own);
        schema
    }

    /// Returns the schema with unresolved references, and with the fields of a version.
    fn part(&self, of: Use) -> Schema {
        let mut schema = self.shallow().clone();
        if let Use::Embedded(minor) = of {
            if let Some(minor) = minor {
                fields::restrict(self.name, &mut schema, minor);
            }
            self.name_kind(&mut schema);
        }
        schema
    }

    /// Allows only the `apiVersion` and `kind` of the type, if it is a whole resource. k8s-openapi reads no others.
    fn name_kind(&self, schema: &mut Schema) {
        let Some((group, rest)) = self.name.split_once('/') else { return };
        let Some((version, kind)) = rest.split_once('.') else { return };
        if !schema.properties.contains_key("metadata") {
            return;
        }
        let api_version = match group {
            "core" | "meta" => version.to_owned(),
            "apps" | "autoscaling" | "batch" | "policy" => format!("{group}/{version}"),
            "apiserverinternal" => format!("internal.apiserver.k8s.io/{version}"),
            "flowcontrol" => format!("flowcontrol.apiserver.k8s.io/{version}"),
            "rbac" => format!("rbac.authorization.k8s.io/{version}"),
            _ => format!("{group}.k8s.io/{version}"),
        };
        for (name, text) in [("apiVersion", &*api_version), ("kind", kind)] {
            if let Some(property) = schema.properties.get_mut(name) {
                property.limits.enumeration = vec![text.into()];
            }
        }
    }

    /// Returns the schema of the type in a CRD that contains it: with the fields of this minor version of Kubernetes, or else of the
    /// newest, with the numbers that Rust and Go read, and without rules about changes. Those are about Kubernetes' own objects. In
    /// a template they would forbid changes, and in most lists the server rejects them.
    pub fn embedded(&self, minor: Option<u32>) -> Schema {
        let of = Use::Embedded(minor);
        let mut schema = self.part(of);
        self.resolve(&mut schema, 0, of);
        // The type may be the same as another one.
        self.name_kind(&mut schema);
        adapt(&mut schema);
        schema
    }

    /// Returns the schema with unresolved references: each `$ref` names another type.
    pub fn shallow(&self) -> &Schema {
        self.read.get_or_init(|| {
            let value = json::read(self.text.as_bytes()).ok();
            let schema = value.and_then(|value| decode::schema(value).0);
            // A test reads every text of the table, so this never happens.
            schema.unwrap_or_else(|| Schema {
                ext: Extensions { preserve_unknown_fields: Some(true), ..Extensions::default() },
                ..Schema::of(JsonType::Object)
            })
        })
    }

    /// Replaces references by schemas.
    fn resolve(&self, schema: &mut Schema, depth: usize, of: Use) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(name) = schema.foreign.as_ref().and_then(|f| f.reference.as_deref()) {
            if let Some(part) = self.parts.iter().find(|part| part.name == name) {
                *schema = part.part(of);
                part.resolve(schema, depth + 1, of);
            }
            return;
        }
        schema.parts_mut().for_each(|part| self.resolve(part, depth + 1, of));
    }
}

fn adapt(schema: &mut Schema) {
    schema.rules.retain(|rule| !rule.rule.contains("oldSelf"));
    // A quantity has a pattern, and any number.
    if schema.ext.int_or_string && schema.limits.pattern.is_empty() {
        schema.limits.minimum = Some(f64::from(i32::MIN));
        schema.limits.maximum = Some(f64::from(i32::MAX));
    }
    // For its own kinds, the server does not require that the keys of lists are there.
    if let Some(Items::One(item)) = &mut schema.items {
        let Schema { properties, limits, .. } = &mut **item;
        let has_default = |key: &str| properties.get(key).is_some_and(|property| property.default.is_some());
        let keys = schema.ext.list_map_keys.iter().filter(|key| !has_default(key));
        let missing: Vec<String> = keys.filter(|key| !limits.required.contains(key)).cloned().collect();
        limits.required.extend(missing);
    }
    schema.parts_mut().for_each(adapt);
}

/// A name, with all types that have it, in any group and version.
pub trait Named {
    /// All types that have the name.
    const TYPES: &'static [&'static Type];
}

/// The path of a type inside of the crate k8s_openapi, if the compiler's name for the type is in this crate. A program
/// may have any version of the crate, so there is no trait that could say it.
pub fn path_in_k8s_openapi(path: &str) -> Option<&str> {
    let (name, inside) = path.split_once("::")?;
    (name == "k8s_openapi").then_some(inside)
}

/// Finds the type that the compiler calls by this path, such as `v1_37::api::core::v1::pod::Pod` inside of
/// k8s_openapi. It may contain further modules of the crate between the parts of the type's name.
pub fn find_by_path<'a>(types: &[&'a Type], path: &str) -> Option<&'a Type> {
    types.iter().copied().find(|ty| {
        let mut steps = path.split("::");
        ty.name.split(['/', '.']).all(|wanted| steps.any(|step| step == wanted)) && steps.next().is_none()
    })
}

/// The types that CRDs embed. Their parts are not listed.
pub const EMBEDDED: [&str; 31] = [
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

/// No type of the table is nested deeper. The limit protects against a table that refers to itself.
const MAX_DEPTH: usize = 64;

/// Finds a type by its name.
pub fn find(name: &str) -> Option<&'static Type> {
    let at = types::ALL.binary_search_by(|ty| ty.name.cmp(name)).ok()?;
    Some(types::ALL[at])
}

/// Returns the schema of a type such as `core/v1.PodSpec` or `resource.Quantity`.
pub fn schema(name: &str) -> Option<Schema> {
    find(name).map(Type::schema)
}

/// Returns the schema of a type with unresolved references: each `$ref` names another type of the table.
pub fn shallow(name: &str) -> Option<Schema> {
    find(name).map(|ty| ty.shallow().clone())
}

/// Converts the path of a type in the crate `k8s_openapi` to the name that the type would have in the table.
pub fn name_of_rust_path(path: &[&str]) -> Option<String> {
    match path {
        ["api", group, version, ty] => Some(format!("{group}/{version}.{ty}")),
        ["apiextensions_apiserver", "pkg", "apis", "apiextensions", "v1", ty] => {
            Some(format!("apiextensions/v1.{ty}"))
        }
        ["apimachinery", "pkg", "apis", "meta", "v1", ty] => Some(format!("meta/v1.{ty}")),
        ["apimachinery", "pkg", "api", "resource", ty] => Some(format!("resource.{ty}")),
        ["apimachinery", "pkg", "util", "intstr", ty] => Some(format!("intstr.{ty}")),
        ["apimachinery", "pkg", "runtime", ty] => Some(format!("runtime.{ty}")),
        _ => None,
    }
}

/// Converts the name of a type in the table to its name in OpenAPI documents, which k8s-openapi also uses for its
/// schema.
pub fn openapi_name(name: &str) -> Option<String> {
    let (group, ty) = name.rsplit_once('.')?;
    let package = match group {
        "apiextensions/v1" => "apiextensions-apiserver.pkg.apis.apiextensions.v1".to_owned(),
        "meta/v1" => "apimachinery.pkg.apis.meta.v1".to_owned(),
        "resource" => "apimachinery.pkg.api.resource".to_owned(),
        "intstr" => "apimachinery.pkg.util.intstr".to_owned(),
        "runtime" => "apimachinery.pkg.runtime".to_owned(),
        api => format!("api.{}", api.replace('/', ".")),
    };
    Some(format!("io.k8s.{package}.{ty}"))
}

/// Returns all types in the table, sorted by name.
pub fn all() -> &'static [&'static Type] {
    types::ALL
}

/// Returns all names in the table, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    types::ALL.iter().map(|ty| ty.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_and_has_no_references_left() {
        fn whole(schema: &Schema) -> bool {
            schema.foreign.is_none() && schema.parts().all(whole)
        }
        assert!(types::ALL.is_sorted_by_key(|ty| ty.name));
        for ty in types::ALL {
            let value = json::read(ty.text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}", ty.name));
            let (schema, diags) = decode::schema(value);
            assert!(schema.is_some() && diags.is_empty(), "{} cannot be read", ty.name);
            assert!(whole(&ty.schema()), "{} has references left", ty.name);
            assert_eq!(find(ty.name).map(|found| found.name), Some(ty.name));
        }
        assert!(types::ALL.len() > 700, "only {} types", types::ALL.len());
        assert!(find("core/v1.NoSuchType").is_none());
    }

    /// k8s-openapi reads no other kind, and Kubernetes' own objects are checked elsewhere.
    #[test]
    fn embedded_resources_have_the_names_of_their_kinds() {
        let names = |schema: &Schema| {
            ["apiVersion", "kind"]
                .map(|name| schema.properties.get(name).map(|it| it.limits.enumeration.clone()))
        };
        let texts = |api_version: &str, kind: &str| [api_version, kind].map(|text| Some(vec![text.into()]));
        for (name, api_version, kind) in [
            ("autoscaling/v1.Scale", "autoscaling/v1", "Scale"),
            ("core/v1.ConfigMap", "v1", "ConfigMap"),
            // The same schema as another type.
            ("rbac/v1.RoleBinding", "rbac.authorization.k8s.io/v1", "RoleBinding"),
        ] {
            let ty = find(name).expect("a type");
            assert_eq!(names(&ty.embedded(None)), texts(api_version, kind));
            assert_eq!(names(&ty.schema()), [Some(Vec::new()), Some(Vec::new())]);
        }
        let reference = find("autoscaling/v1.CrossVersionObjectReference").expect("a type");
        assert_eq!(names(&reference.embedded(None)), [Some(Vec::new()), Some(Vec::new())]);
    }

    #[test]
    fn keys_of_lists_are_there() {
        fn check(schema: &Schema, name: &str) {
            for key in &schema.ext.list_map_keys {
                let item = schema.item().unwrap_or_else(|| panic!("{name} has no items"));
                let has_default = item.properties.get(key).is_some_and(|property| property.default.is_some());
                assert!(has_default || item.limits.required.contains(key), "{name}: {key}");
            }
            schema.parts().for_each(|part| check(part, name));
        }
        types::ALL.iter().for_each(|ty| check(&ty.embedded(None), ty.name));
    }

    #[test]
    fn finds_types_by_the_paths_that_the_compiler_prints() {
        let find = |path| find_by_path(all(), path_in_k8s_openapi(path)?).map(|ty| ty.name);
        assert_eq!(find("k8s_openapi::v1_37::api::core::v1::pod::Pod"), Some("core/v1.Pod"));
        assert_eq!(find("k8s_openapi::v1_24::api::core::v1::Pod"), Some("core/v1.Pod"));
        let quantity = "k8s_openapi::v1_30::apimachinery::pkg::api::resource::quantity::Quantity";
        assert_eq!(find(quantity), Some("resource.Quantity"));
        let condition = "k8s_openapi::v1_30::apimachinery::pkg::apis::meta::v1::condition::Condition";
        assert_eq!(find(condition), Some("meta/v1.Condition"));
        for path in
            ["mine::api::core::v1::Pod", "k8s_openapi::v1_37::api::core::v1::pod::Pod<mine::core>", "Pod"]
        {
            assert_eq!(find(path), None, "{path}");
        }
    }
}
