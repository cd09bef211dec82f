//! What the server asks a webhook.

use super::Attributes;
use crate::meta::map;
use crate::registry::{Role, Subresource};
use crdgen_core::value::Value;

/// The request of a review, without its uid. The objects are in `version`. Policies see them elsewhere.
pub(super) fn request(attributes: &Attributes<'_>, version: &str, objects: Option<[&Value; 2]>) -> Value {
    let Attributes { operation, user, kind, version: own, subresource, namespace, name, dry_run, options } =
        attributes;
    let other = subresource.map(|it| it.kind(&kind.names.kind));
    let of_kind = |version: &str| {
        let name = other.as_ref().map_or(kind.names.kind.as_str(), |other| &other.kind);
        let (group, version) = match other.as_ref().and_then(|other| other.group_version) {
            Some((group, version)) => (group, version),
            None => (&*kind.resource.group, version),
        };
        let kind = name;
        map([("group", group.into()), ("version", version.into()), ("kind", kind.into())])
    };
    let of_resource = |version: &str| {
        let (group, plural) = (&*kind.resource.group, &*kind.resource.plural);
        map([("group", group.into()), ("version", version.into()), ("resource", plural.into())])
    };
    let mut request = map([
        ("kind", of_kind(version)),
        ("resource", of_resource(version)),
        ("requestKind", of_kind(own)),
        ("requestResource", of_resource(own)),
        ("operation", operation.text().into()),
        ("userInfo", user.to_value()),
        ("dryRun", (*dry_run).into()),
        ("options", options.clone()),
    ]);
    if let Value::Map(request) = &mut request {
        if let Some([object, old]) = objects {
            request.insert("object", object.clone());
            request.insert("oldObject", old.clone());
        }
        let subresource = subresource.map_or("", Subresource::name);
        // A namespace is in itself.
        let namespace = if kind.role == Role::Namespace { name } else { namespace };
        let texts = [
            ("subResource", subresource),
            ("requestSubResource", subresource),
            ("name", *name),
            ("namespace", *namespace),
        ];
        for (field, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            request.insert(field, Value::from(text));
        }
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
