//! What the server sets in requests for certificates.

use crate::meta;
use crate::verbs::Call;
use crdgen_core::value::{Map, Value};

/// A request for a certificate says who has sent it. Its conditions get times.
pub(super) fn signing(call: &Call<'_>, object: &mut Value, live: Option<&Value>) {
    let Value::Map(map) = object else { return };
    let Some(live) = live else {
        let user = &call.request.user;
        if let Some(Value::Map(spec)) = map.get_mut("spec") {
            for name in ["extra", "uid"] {
                spec.remove(name);
            }
            spec.insert("username", user.name.as_str().into());
            spec.insert("groups", user.groups.clone().into());
        }
        map.insert("status", Value::Map(Map::new()));
        return;
    };
    let conditions = |object: &Value| {
        let conditions = object.get("status").and_then(|status| status.get("conditions")?.as_list());
        conditions.unwrap_or_default().to_vec()
    };
    let old = conditions(live);
    let Some(Value::List(new)) = map.get_mut("status").and_then(|it| it.as_map_mut()?.get_mut("conditions"))
    else {
        return;
    };
    let now = call.state.clock.now();
    for condition in new.iter_mut() {
        let same = old.iter().find(|old| {
            ["type", "status"].iter().all(|name| old.get(name) == condition.get(name))
                && !meta::own(old, "lastTransitionTime").is_empty()
        });
        let since = same.map_or(now.as_str(), |same| meta::own(same, "lastTransitionTime")).to_owned();
        for (name, time) in [("lastUpdateTime", now.as_str()), ("lastTransitionTime", &since)] {
            if meta::own(condition, name).is_empty()
                && let Value::Map(condition) = &mut *condition
            {
                condition.insert(name, time.into());
            }
        }
    }
}
