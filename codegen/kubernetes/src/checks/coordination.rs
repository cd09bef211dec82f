//! Checks of leases and disruption budgets.

use super::words::{amount, invalid, negative, unsupported};
use super::{find, selectors};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::json;
use crdgen_core::value::Value;

/// The mistakes of a lease.
pub(super) fn lease(object: &Value) -> Vec<Mistake<'static>> {
    let mut out = Vec::new();
    let seconds = find(object, &["spec", "leaseDurationSeconds"]);
    if let Some(seconds) = seconds.filter(|it| it.as_int().is_some_and(|it| it <= 0)) {
        out.push(invalid("spec.leaseDurationSeconds".to_owned(), seconds, "must be greater than 0"));
    }
    out.extend(negative("spec.leaseTransitions".to_owned(), find(object, &["spec", "leaseTransitions"])));
    out
}

/// The mistakes of a disruption budget.
pub(super) fn budget(object: &Value) -> Vec<Mistake<'static>> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = Vec::new();
    let (least, most) = (spec.get("minAvailable"), spec.get("maxUnavailable"));
    if let (Some(least), Some(most)) = (least, most) {
        let shown = |name: &str| spec.get(name).map_or_else(|| "null".to_owned(), json::to_string);
        let why = format!(
            r#"{{"MinAvailable":{},"Selector":{},"MaxUnavailable":{},"UnhealthyPodEvictionPolicy":{}}}: minAvailable and maxUnavailable cannot be both set"#,
            json::to_string(least),
            shown("selector"),
            json::to_string(most),
            shown("unhealthyPodEvictionPolicy")
        );
        out.push(Mistake::new("spec", Kind::Invalid, why));
    }
    out.extend(amount("spec.minAvailable".to_owned(), least));
    out.extend(amount("spec.maxUnavailable".to_owned(), most));
    out.extend(selectors::mistakes(spec.get("selector"), "spec.selector"));
    let policy = spec.get("unhealthyPodEvictionPolicy").and_then(Value::as_str);
    if let Some(policy) = policy.filter(|policy| !matches!(*policy, "AlwaysAllow" | "IfHealthyBudget")) {
        let field = "spec.unhealthyPodEvictionPolicy".to_owned();
        out.push(unsupported(field, policy, &["AlwaysAllow", "IfHealthyBudget"]));
    }
    out
}
