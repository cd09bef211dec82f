//! CRDs of v1beta1 as CRDs of v1.

use crate::diag::Diag;
use crate::ir::{Additional, Crd, Items, Schema, SchemaOf, Type, Validation};
use crate::{decode, encode};

/// A CRD of v1.
#[derive(Clone, Debug)]
pub struct Upgraded {
    /// The CRD.
    pub crd: Crd,
    /// Whether its schemas keep unknown fields with `x-kubernetes-preserve-unknown-fields`, because the CRD of v1beta1 had
    /// `preserveUnknownFields: true`.
    pub keeps_unknown: bool,
}

/// Returns what the server accepts as a new CRD of v1, from a CRD of v1beta1 that [`decode::crd`] has read. The server keeps
/// `preserveUnknownFields: true` of old CRDs only, so the schemas keep unknown fields instead.
///
/// Fails with the first error of the server, if it rejects the CRD of v1.
pub fn to_v1(mut crd: Crd) -> Result<Upgraded, Box<Diag>> {
    let keeps_unknown = crd.spec.preserve_unknown_fields == Some(true);
    if keeps_unknown {
        crd.spec.preserve_unknown_fields = Some(false);
        let has_shared = crd.spec.shared.schema.is_some();
        for body in crd.spec.versions.iter_mut().map(|version| &mut version.body) {
            if body.schema.is_none() && !has_shared {
                body.schema = Some(Validation::default());
            }
        }
        let bodies = crd.spec.versions.iter_mut().map(|version| &mut version.body);
        for schema in bodies.chain([&mut crd.spec.shared]).filter_map(|body| body.schema.as_mut()) {
            let root = schema.open_api_v3_schema.get_or_insert_default();
            root.ty.get_or_insert(Type::Object);
            keep_unknown(root, SchemaOf::Resource);
        }
    }
    // A server would read the new document.
    if let (Some(mut sent), _) = decode::crd(encode::crd(&crd)) {
        decode::set_defaults(&mut sent);
        let errors = super::create(&sent, &super::Options::default()).errors;
        if let Some(error) = errors.into_iter().next() {
            return Err(Box::new(error));
        }
    }
    Ok(Upgraded { crd, keeps_unknown })
}

/// Keeps unknown fields in all objects of a schema. The server has its own rules for the metadata of the root.
fn keep_unknown(schema: &mut Schema, of: SchemaOf) {
    if of.is_resource() || !schema.properties.is_empty() {
        schema.ext.preserve_unknown_fields = Some(true);
    }
    for (name, inner) in schema.properties.iter_mut() {
        if !(of.is_resource() && name == "metadata") {
            keep_unknown(inner, SchemaOf::Value);
        }
    }
    if let Some(Items::One(item)) = &mut schema.items {
        keep_unknown(item, SchemaOf::Value);
    }
    if let Some(Additional::Schema(value)) = &mut schema.additional_properties {
        keep_unknown(value, SchemaOf::Value);
    }
}

#[cfg(test)]
mod tests {
    use super::to_v1;
    use crate::ir::Crd;
    use crate::{decode, encode, json};

    fn crd(spec: &str) -> Crd {
        let text = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition",
            "metadata":{{"name":"as.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced",
            "names":{{"plural":"as","singular":"a","kind":"A","listKind":"AList"}},
            "versions":[{{"name":"v1","served":true,"storage":true}}],{spec}}}}}"#
        );
        decode::crd(json::read(text.as_bytes()).expect("JSON")).0.expect("a CRD")
    }

    #[test]
    fn old_crds_keep_unknown_fields() {
        let old =
            crd(r#""preserveUnknownFields":true,"validation":{"openAPIV3Schema":{"properties":{"spec":{
            "type":"object","properties":{"a":{"type":"string"}}}}}}"#);
        let new = to_v1(old).unwrap_or_else(|error| panic!("{}", error.text()));
        assert!(new.keeps_unknown);
        let text = json::to_string(&encode::crd(&new.crd));
        assert_eq!(text.matches("\"x-kubernetes-preserve-unknown-fields\":true").count(), 2, "{text}");
        assert!(!text.contains("preserveUnknownFields"), "{text}");
    }

    #[test]
    fn schemas_must_be_structural() {
        let old = crd(
            r#""preserveUnknownFields":false,"validation":{"openAPIV3Schema":{"properties":{"spec":{}}}}"#,
        );
        assert!(to_v1(old).is_err());
    }
}
