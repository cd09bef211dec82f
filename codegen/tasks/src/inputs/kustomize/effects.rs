//! What of a kustomization can change a server's verdict about a CRD. kustomize takes seconds for a folder with large CRDs, and
//! most of what crdgen leaves to it is for other objects, or sets annotations and the services of webhooks.

use crdgen_core::documents::is_definition;
use crdgen_core::value::Value;
use crdgen_core::yaml;

use super::Kustomization;

const CRD: &str = "CustomResourceDefinition";

/// Fields of CRDs that may have any text.
const ANY_TEXT: [&str; 2] = ["metadata.annotations.", "spec.conversion.webhook.clientConfig.service."];

/// Whether a key that crdgen does not apply can change the verdict about a CRD.
pub(super) fn may_change_crds(of: &Kustomization, key: &str) -> bool {
    match key {
        "replacements" => of.list(key).iter().any(replaces),
        "configurations" => of.files(&[key]).iter().any(|path| match of.inside.read(path) {
            Ok(bytes) => {
                let (documents, problems) = yaml::read(&bytes);
                !problems.is_empty() || documents.iter().any(|document| names_crds(&document.value))
            }
            Err(_) => true,
        }),
        // Where they are used matters.
        "vars" => false,
        _ => true,
    }
}

/// Whether a replacement may be for CRDs, and for a field in which not every text is valid.
fn replaces(item: &Value) -> bool {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    // Names and namespaces are texts. Other sources may have other types.
    let is_text = item.get("source").is_some_and(|source| {
        text(source, "fieldPath")
            .is_none_or(|path| matches!(path.as_str(), "metadata.name" | "metadata.namespace"))
    });
    let Some(targets) = item.get("targets").and_then(Value::as_list) else { return true };
    targets.iter().any(|target| {
        // kustomize takes a kind as a pattern.
        let is_other = target.get("select").and_then(|select| text(select, "kind")).is_some_and(|kind| {
            kind != CRD && !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let fields = target.get("fieldPaths").and_then(Value::as_list).unwrap_or_default();
        let may_have_any = |field: &Value| {
            field.as_str().is_some_and(|field| ANY_TEXT.iter().any(|start| field.starts_with(start)))
        };
        let is_any_text = is_text && !fields.is_empty() && fields.iter().all(may_have_any);
        !is_other && !is_any_text
    })
}

/// Whether the configuration of a transformer names fields of CRDs, or of all kinds.
fn names_crds(value: &Value) -> bool {
    match value {
        Value::Map(map) => {
            let kind = map.get("kind").and_then(Value::as_str);
            let is_field = map.contains_key("path") && kind.is_none_or(|kind| kind == CRD);
            is_field || map.iter().any(|(_, value)| names_crds(value))
        }
        Value::List(items) => items.iter().any(names_crds),
        _ => false,
    }
}

/// Whether a CRD has a variable in a label, which may have any text only after kustomize has replaced it.
pub(super) fn has_var(object: &Value) -> bool {
    let labels = object.get("metadata").and_then(|metadata| metadata.get("labels")).and_then(Value::as_map);
    let is_var = |value: &Value| value.as_str().is_some_and(|text| text.contains("$("));
    is_definition(object) && labels.is_some_and(|labels| labels.iter().any(|(_, value)| is_var(value)))
}

/// Whether the service of a CRD's webhook has no name or no namespace. The server requires both, whatever they are.
pub(super) fn lacks_service(object: &Value) -> bool {
    let service = ["spec", "conversion", "webhook", "clientConfig", "service"];
    let service = service.into_iter().try_fold(object, |value, key| value.get(key));
    is_definition(object)
        && service.is_some_and(|service| ["name", "namespace"].iter().any(|key| service.get(key).is_none()))
}

#[cfg(test)]
mod tests {
    use super::{has_var, lacks_service, names_crds, replaces};
    use crdgen_core::value::Value;
    use crdgen_core::yaml;

    fn value(text: &str) -> Value {
        yaml::read_one(text.as_bytes()).map(|document| document.value).unwrap_or_default()
    }

    #[test]
    fn replacements_of_other_kinds_do_not_matter() {
        let source = "source: {kind: Service, fieldPath: metadata.name}";
        for (text, matters) in [
            ("targets: [{select: {kind: Certificate}, fieldPaths: [spec.x]}]", false),
            ("targets: [{select: {kind: Custom.*}, fieldPaths: [spec.x]}]", true),
            ("targets: [{select: {name: x}, fieldPaths: [spec.x]}]", true),
            ("targets: [{select: {kind: CustomResourceDefinition}, fieldPaths: [spec.x]}]", true),
            ("targets: [{select: {kind: CustomResourceDefinition}}]", true),
            (
                "targets: [{select: {kind: CustomResourceDefinition}, fieldPaths: ['metadata.annotations.[a/b]']}]",
                false,
            ),
            ("targets: [{select: {name: x}, fieldPaths: [metadata.annotations.a, metadata.labels.a]}]", true),
            ("path: x.yaml", true),
        ] {
            assert_eq!(replaces(&value(&format!("{source}\n{text}\n"))), matters, "{text}");
        }
        let other = "source: {kind: Deployment, fieldPath: spec.replicas}\ntargets: [{select: {kind: CustomResourceDefinition}, fieldPaths: [metadata.annotations.a]}]\n";
        assert!(replaces(&value(other)));
    }

    #[test]
    fn configurations_of_other_kinds_do_not_matter() {
        for (text, matters) in [
            ("commonLabels: [{kind: X, path: spec/a, create: true}]", false),
            ("commonLabels: [{path: spec/a}]", true),
            ("nameReference: [{kind: Service, fieldSpecs: [{kind: X, path: spec/a}]}]", false),
            (
                "nameReference: [{kind: Service, fieldSpecs: [{kind: CustomResourceDefinition, path: spec/a}]}]",
                true,
            ),
        ] {
            assert_eq!(names_crds(&value(text)), matters, "{text}");
        }
    }

    #[test]
    fn what_the_server_requires_matters() {
        let crd = |rest: &str| value(&format!("kind: CustomResourceDefinition\n{rest}\n"));
        let with = |service: &str| {
            crd(&format!("spec: {{conversion: {{webhook: {{clientConfig: {{service: {service}}}}}}}}}"))
        };
        assert!(!lacks_service(&with("{name: a, namespace: b}")));
        assert!(lacks_service(&with("{name: a}")));
        assert!(!lacks_service(&crd("spec: {}")));
        assert!(has_var(&crd("metadata: {labels: {a: $(A)}}")));
        assert!(!has_var(&crd("metadata: {annotations: {a: $(A)}}")));
    }
}
