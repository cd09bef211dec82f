//! What the server asks a webhook.

use super::Attributes;
use crate::meta::map;
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::matching::About;

/// The request of a review, without its uid. The objects are in `version`. Policies see them elsewhere.
pub(super) fn request(attributes: &Attributes<'_>, version: &str, objects: Option<[&Value; 2]>) -> Value {
    let Attributes { user, kind, subresource, dry_run, options, .. } = attributes;
    let other = subresource.map(|it| it.kind(&kind.names.kind));
    let of_kind = |version: &str| {
        let name = other.as_ref().map_or(kind.names.kind.as_str(), |other| &other.kind);
        let (group, version) = match other.as_ref().and_then(|other| other.group_version) {
            Some((group, version)) => (group, version),
            None => (&*kind.resource.group, version),
        };
        [group, version, name].map(str::to_owned)
    };
    let about = About { kind: &of_kind, user: user.to_value(), dry_run: *dry_run, options: options.clone() };
    let mut request = attributes.target().review(about, version);
    if let (Value::Map(request), Some([object, old])) = (&mut request, objects) {
        request.insert("object", object.clone());
        request.insert("oldObject", old.clone());
    }
    request
}

/// The review with a request.
pub(super) fn review(version: &str, request: Value) -> Value {
    map([
        ("kind", "AdmissionReview".into()),
        ("apiVersion", format!("admission.k8s.io/{version}").into()),
        ("request", request),
    ])
}
