//! Warnings about services and ingresses.

use super::addresses::{address, network};
use super::annotation;
use crate::checks::services::is_headless;
use crate::meta::{own, texts};
use crdgen_core::value::Value;

pub(super) fn service(object: &Value) -> Vec<String> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let ty = own(spec, "type");
    let mut out = Vec::new();
    let mut warn = |is_so: bool, text: &str| out.extend(is_so.then(|| text.to_owned()));
    let hints = "service.kubernetes.io/topology-aware-hints";
    warn(
        annotation(object, hints).is_some(),
        &format!("annotation {hints} is deprecated, please use service.kubernetes.io/topology-mode instead"),
    );
    let (external, balancer) = (texts(spec, "externalIPs"), own(spec, "loadBalancerIP"));
    let is_headless = ty == "ClusterIP" && is_headless(spec);
    if is_headless {
        warn(!balancer.is_empty(), "spec.loadBalancerIP is ignored for headless services");
        warn(!external.is_empty(), "spec.externalIPs is ignored for headless services");
        warn(own(spec, "sessionAffinity") != "None", "spec.SessionAffinity is ignored for headless services");
    }
    let is_external = ty == "ExternalName";
    warn(
        !external.is_empty() && !is_headless && !is_external,
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
    warn(
        is_external && !external.is_empty(),
        r#"spec.externalIPs is ignored when spec.type is "ExternalName""#,
    );
    warn(
        !is_external && !own(spec, "externalName").is_empty(),
        r#"spec.externalName is ignored when spec.type is not "ExternalName""#,
    );
    warn(
        own(spec, "trafficDistribution") == "PreferClose",
        r#"spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone""#,
    );
    for name in ["clusterIPs", "externalIPs"] {
        let list = texts(spec, name).into_iter().enumerate().filter(|(_, text)| *text != "None");
        out.extend(list.filter_map(|(i, text)| address(&format!("spec.{name}[{i}]"), text)));
    }
    out.extend(address("spec.loadBalancerIP", balancer));
    for (i, text) in texts(spec, "loadBalancerSourceRanges").into_iter().enumerate() {
        out.extend(network(&format!("spec.loadBalancerSourceRanges[{i}]"), text));
    }
    out
}

/// Warnings about the addresses in the status of a service or an ingress.
pub(super) fn status(object: &Value) -> Vec<String> {
    let addresses = object.get("status").and_then(|it| it.get("loadBalancer")?.get("ingress")?.as_list());
    let addresses = addresses.unwrap_or_default().iter().enumerate();
    addresses
        .filter_map(|(i, it)| address(&format!("status.loadBalancer.ingress[{i}]"), own(it, "ip")))
        .collect()
}

pub(super) fn ingress(object: &Value) -> Option<String> {
    let name = "kubernetes.io/ingress.class";
    let has_class = object.get("spec").is_some_and(|spec| !own(spec, "ingressClassName").is_empty());
    (annotation(object, name).is_some() && !has_class)
        .then(|| format!(r#"annotation "{name}" is deprecated, please use 'spec.ingressClassName' instead"#))
}
