//! What the objects of a namespace use, and the ResourceQuotas that limit it.

mod amounts;
mod pods;
mod scopes;
mod usage;

use crate::meta::texts;
use crate::store::Resource;
pub(crate) use amounts::{Amount, Amounts, added, less, of_value, shown, to_value};
pub(crate) use pods::{is_terminating, missing};
pub(crate) use scopes::Scope;
use std::collections::BTreeMap;
pub(crate) use usage::{is_measured, of_object};

use crdgen_core::value::Value;

/// The resource of quotas.
pub(crate) fn quotas() -> Resource {
    Resource::new("", "resourcequotas")
}

/// The amounts at a part of the spec or of the status of a quota.
pub(crate) fn amounts_of(quota: &Value, part: &str, name: &str) -> Amounts {
    quota.get(part).and_then(|part| part.get(name)).map_or_else(BTreeMap::new, of_value)
}

/// Whether a quota is about an object of a resource.
pub(crate) fn selects(quota: &Value, resource: &Resource, object: &Value) -> bool {
    scopes(quota).iter().all(|scope| scope.has(resource, object))
}

/// The scopes of a quota.
pub(crate) fn scopes(quota: &Value) -> Vec<Scope<'_>> {
    let spec = quota.get("spec").unwrap_or(&Value::Null);
    let names = texts(spec, "scopes").into_iter().map(Scope::exists);
    let expressions = spec.get("scopeSelector").and_then(|it| it.get("matchExpressions")?.as_list());
    let selected = expressions.unwrap_or_default().iter().map(|it| Scope {
        name: it.text("scopeName"),
        operator: it.text("operator"),
        values: texts(it, "values"),
    });
    names.chain(selected).collect()
}
