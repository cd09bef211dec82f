//! The quality of service of a pod, which the server computes when the pod is created.

use crate::value::Value;

/// The resources that decide.
const RESOURCES: [&str; 2] = ["cpu", "memory"];

/// Returns the class as `status.qosClass` has it. Quantities are in their canonical form, and a request is never above its
/// limit. So the sums of all containers are equal exactly if those of each container are.
pub(super) fn quality_of_service(pod: &Value) -> &'static str {
    let containers = containers(pod);
    let amounts = |kind| containers.iter().flat_map(move |one| RESOURCES.map(|name| amount(one, kind, name)));
    if amounts("requests").chain(amounts("limits")).all(|amount| amount.is_none()) {
        return "BestEffort";
    }
    let is_guaranteed = amounts("limits")
        .zip(amounts("requests"))
        .all(|(limit, request)| limit.is_some() && request == limit);
    if is_guaranteed { "Guaranteed" } else { "Burstable" }
}

/// What has resources: the pod, if it says what it needs as a whole, or else its containers.
fn containers(pod: &Value) -> Vec<&Value> {
    let Some(spec) = pod.get("spec") else { return Vec::new() };
    if spec
        .get("resources")
        .is_some_and(|whole| ["requests", "limits"].iter().any(|it| whole.get(it).is_some()))
    {
        return vec![spec];
    }
    ["containers", "initContainers"]
        .into_iter()
        .filter_map(|name| spec.get(name).and_then(Value::as_list))
        .flatten()
        .collect()
}

/// A quantity that is not zero.
fn amount<'v>(container: &'v Value, kind: &str, resource: &str) -> Option<&'v str> {
    let quantity = container.get("resources")?.get(kind)?.get(resource)?.as_str()?;
    Some(quantity).filter(|text| *text != "0")
}

#[cfg(test)]
mod tests {
    use super::quality_of_service;
    use crate::yaml;

    #[test]
    fn qualities() {
        for (containers, expected) in [
            ("[{}]", "BestEffort"),
            ("[{resources: {requests: {cpu: '0', example.com/gpu: '1'}}}]", "BestEffort"),
            ("[{resources: {requests: {cpu: '1'}}}]", "Burstable"),
            (
                "[{resources: {limits: {cpu: '1', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}]",
                "Guaranteed",
            ),
            (
                "[{resources: {limits: {cpu: '1', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}, {}]",
                "Burstable",
            ),
            (
                "[{resources: {limits: {cpu: '2', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}}]",
                "Burstable",
            ),
        ] {
            let (documents, _) = yaml::read(format!("spec: {{containers: {containers}}}").as_bytes());
            assert_eq!(quality_of_service(&documents[0].value), expected, "{containers}");
        }
    }
}
