//! The defaults that the server sets while it decodes, in v1 and v1beta1.

use crate::ir::{ApiVersion, Conversion, Crd, Names, Spec, Version};

/// Sets the defaults that the server sets while it decodes a CRD.
pub fn set_defaults(crd: &mut Crd) {
    names(&mut crd.spec.names);
    if crd.api_version == ApiVersion::V1beta1 {
        before_v1(&mut crd.spec);
    }
    let conversion = crd
        .spec
        .conversion
        .get_or_insert_with(|| Conversion { strategy: "None".to_owned(), ..Conversion::default() });
    if crd.api_version == ApiVersion::V1beta1
        && conversion.strategy == "Webhook"
        && conversion.review_versions.as_ref().is_none_or(Vec::is_empty)
    {
        conversion.review_versions = Some(vec!["v1beta1".to_owned()]);
    }
    if let Some(service) = conversion.client_config.as_mut().and_then(|c| c.service.as_mut()) {
        service.port.get_or_insert(443);
    }
    if crd.status.stored_versions.as_ref().is_none_or(Vec::is_empty)
        && let Some(version) = crd.spec.storage_version()
    {
        crd.status.stored_versions = Some(vec![version.name.clone()]);
    }
}

fn names(names: &mut Names) {
    if names.singular.is_empty() {
        names.singular = names.kind.to_lowercase();
    }
    if names.list_kind.is_empty() && !names.kind.is_empty() {
        names.list_kind = format!("{}List", names.kind);
    }
}

fn before_v1(spec: &mut Spec) {
    if spec.scope.is_empty() {
        spec.scope = "Namespaced".to_owned();
    }
    if spec.versions.is_empty() && !spec.version.is_empty() {
        let version =
            Version { name: spec.version.clone(), served: true, storage: true, ..Version::default() };
        spec.versions.push(version);
        spec.no_versions = false;
    }
    if spec.version.is_empty()
        && let Some(first) = spec.versions.first()
    {
        spec.version = first.name.clone();
    }
    spec.preserve_unknown_fields.get_or_insert(true);
}
