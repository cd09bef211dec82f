//! What updates of claims for devices and of rules for their taints change by themselves.

use super::values::at;
use crate::object::access;
use crate::object::write::NOW;
use crate::value::Value;

/// The device of a result or of a status.
fn id(device: &Value) -> [&str; 4] {
    ["driver", "pool", "device", "shareID"].map(|name| device.text(name))
}

/// The status of a device goes with its allocation.
pub(super) fn drop_freed(claim: &mut Value, live: &Value) {
    fn results(claim: &Value) -> &[Value] {
        at(claim, &["status", "allocation", "devices", "results"])
            .and_then(Value::as_list)
            .unwrap_or_default()
    }
    let devices = at(claim, &["status", "devices"]).and_then(Value::as_list).unwrap_or_default();
    let has = |claim: &Value, device: &Value| results(claim).iter().any(|result| id(result) == id(device));
    let is_kept = |device: &&Value| !has(live, device) || has(claim, device);
    let kept: Vec<Value> = devices.iter().filter(is_kept).cloned().collect();
    if kept.len() < devices.len() {
        _ = access::set_nested(claim, &["status", "devices"], Value::List(kept));
    }
}

/// A new effect is new now, unless the client gives another time.
pub(super) fn note_effect(rule: &mut Value, live: &Value) {
    let taint = |rule: &Value, name: &str| at(rule, &["spec", "taint", name]).cloned();
    let is_same = |name: &str| taint(rule, name) == taint(live, name);
    if !is_same("effect") && is_same("timeAdded") {
        _ = access::set_nested(rule, &["spec", "taint", "timeAdded"], NOW.into());
    }
}
