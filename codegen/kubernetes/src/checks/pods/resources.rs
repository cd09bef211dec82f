//! Checks of what containers ask for, and may have.

use super::{
    Mistakes, Pod, always_named, forbidden, invalid_text, label, list, own, required, set, text, unsupported,
};
use crate::checks::limits;
use crate::checks::words::{self, duplicate};
use crate::mistake::Mistake;
use crdgen_core::apply::sum_of_containers;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

/// The resources of containers that have no domain.
const OF_CONTAINERS: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
/// The resources of whole pods, in the order of messages.
const OF_PODS: [&str; 3] = ["cpu", "hugepages-", "memory"];
/// What has resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Container,
    Pod,
}

/// Whether a resource is Kubernetes' own.
fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_huge(name: &str) -> bool {
    name.starts_with("hugepages-")
}

fn is_extended(name: &str) -> bool {
    let is_qualified = || names::qualified_name(&format!("requests.{name}")).is_empty();
    !is_native(name) && !name.starts_with("requests.") && is_qualified()
}

/// The mistakes in the resources of a container.
pub(super) fn of_container(pod: &Pod<'_>, requirements: &Value, at: &str) -> Mistakes {
    requirements_of(pod, Of::Container, requirements, at)
}

/// The mistakes in the overhead of pods, which is checked as limits.
pub(super) fn overhead(pod: &Pod<'_>, overhead: &Value, at: &str) -> Mistakes {
    let limits = Value::Map([("limits", overhead.clone())].into_iter().collect());
    requirements_of(pod, Of::Container, &limits, at)
}

fn requirements_of(pod: &Pod<'_>, of: Of, requirements: &Value, at: &str) -> Mistakes {
    let amounts = |part: &str| {
        let map = set(requirements, part).and_then(Value::as_map);
        map.into_iter().flat_map(Map::iter).filter_map(|(name, text)| {
            let text = text.as_str()?;
            Some((name, text, Quantity::parse(text).ok()?))
        })
    };
    let mut out = Vec::new();
    let (mut has_basic, mut has_huge) = (false, false);
    for part in ["limits", "requests"] {
        for (name, text, amount) in amounts(part) {
            let at_part = format!("{at}.{part}");
            let field = format!("{at_part}[{name}]");
            out.extend(name_mistakes(of, name, &field));
            out.extend(amount_mistakes(name, text, &amount, &field));
            if part == "requests" {
                let limit = amounts("limits").find(|(other, ..)| *other == name);
                let is_exact = !is_native(name) || is_huge(name);
                let ordering = limit.as_ref().map(|(_, _, limit)| amount.compare(limit));
                let shown = limit.map_or("", |(_, text, _)| text);
                let why = match ordering {
                    Some(order) if is_exact && order.is_ne() => Some("must be equal to"),
                    Some(order) if order.is_gt() => Some("must be less than or equal to"),
                    _ => None,
                };
                out.extend(why.map(|why| {
                    invalid_text(at_part.clone(), text, &format!("{why} {name} limit of {shown}"))
                }));
                if ordering.is_none() && is_exact {
                    let why = "Limit must be set for non overcommitable resources";
                    out.push(required(format!("{at}.limits"), why));
                }
            }
            has_basic |= matches!(name, "cpu" | "memory");
            has_huge |= is_huge(name);
            if is_huge(name) && !is_multiple(name, &amount) {
                let why = format!("{text} is not positive integer multiple of {name}");
                out.push(invalid_text(field, text, &why));
            }
        }
    }
    if has_huge && !has_basic {
        out.push(forbidden(at.to_owned(), "HugePages require cpu or memory"));
    }
    out.extend(claims_of(pod, list(requirements, "claims"), &format!("{at}.claims")));
    out
}

fn name_mistakes(of: Of, name: &str, at: &str) -> Mistakes {
    let mut out = limits::resource_name(at, name);
    let invalid = |why: &str| invalid_text(at.to_owned(), name, why);
    match of {
        Of::Pod => {
            let is_known = OF_PODS.contains(&name) || is_huge(name);
            if out.is_empty() && !is_known {
                out.push(unsupported(at.to_owned(), name, &OF_PODS));
            }
        }
        Of::Container if !name.contains('/') => {
            if !OF_CONTAINERS.contains(&name) && !is_huge(name) {
                out.push(invalid("must be a standard resource for containers"));
            }
        }
        Of::Container => {
            if !is_native(name) && !is_extended(name) {
                out.push(invalid("doesn't follow extended resource name standard"));
            }
        }
    }
    out
}

/// The mistakes in an amount of a resource.
fn amount_mistakes(name: &str, text: &str, amount: &Quantity, at: &str) -> Mistakes {
    let mut out = Vec::new();
    if amount.sign() < 0 {
        out.push(invalid_text(at.to_owned(), text, "must be greater than or equal to 0"));
    }
    if (limits::COUNTED.contains(&name) || is_extended(name)) && amount.as_int().is_none() {
        out.push(invalid_text(at.to_owned(), text, "must be an integer"));
    }
    out
}

/// Whether an amount of memory is made of whole pages.
fn is_multiple(name: &str, amount: &Quantity) -> bool {
    let page = name.strip_prefix("hugepages-").and_then(|size| Quantity::parse(size).ok()?.as_int());
    let (Some(page), Some(amount)) = (page.filter(|page| *page > 0), amount.as_int()) else { return false };
    amount % page == 0
}

/// The devices that a container uses.
fn claims_of(pod: &Pod<'_>, claims: &[Value], at: &str) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, claim) in claims.iter().enumerate() {
        let (field, name, request) = (format!("{at}[{i}]"), own(claim, "name"), own(claim, "request"));
        if name.is_empty() {
            out.push(required(field, ""));
            continue;
        }
        if seen.contains(name) {
            out.push(duplicate(field.clone(), name));
        } else {
            let key = if request.is_empty() { name.to_owned() } else { format!("{name}/{request}") };
            if !request.is_empty() {
                out.extend(label(&format!("{field}.request"), request));
            }
            let is_part = |other: &String| other.split_once('/').is_some_and(|(other, _)| other == name);
            if seen.contains(&key) {
                out.push(duplicate(field.clone(), &key));
            } else if request.is_empty() {
                out.extend(seen.iter().filter(|it| is_part(it)).map(|_| duplicate(field.clone(), name)));
            }
            seen.insert(key);
        }
        if !pod.claims.contains(name) {
            let all: Vec<&str> = pod.claims.iter().copied().collect();
            let which =
                if all.is_empty() { " which is empty".to_owned() } else { format!(": {}", all.join(", ")) };
            let why =
                format!("{}: must be one of the names in pod.spec.resourceClaims{which}", go::quote(name));
            out.push(Mistake::new(field, Kind::NotFound, why));
        }
    }
    out
}

/// The claims for devices of a pod.
pub(super) fn claims(pod: &Pod<'_>) -> Mistakes {
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, claim) in list(pod.spec, "resourceClaims").iter().enumerate() {
        let at = pod.field(&format!("resourceClaims[{i}]"));
        let name = own(claim, "name");
        if !name.is_empty() && seen.contains(name) {
            out.push(duplicate(format!("{at}.name"), name));
        } else {
            out.extend(label(&format!("{at}.name"), name));
            seen.insert(name);
        }
        let (own_name, template) =
            (text(claim, "resourceClaimName"), text(claim, "resourceClaimTemplateName"));
        let why = match (own_name, template) {
            (Some(_), Some(_)) => {
                Some("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
            }
            (None, None) => Some("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
            _ => None,
        };
        out.extend(why.map(|why| {
            let shown = words::in_go(claim, &["name", "resourceClaimName", "resourceClaimTemplateName"]);
            Mistake::new(at.clone(), Kind::Invalid, format!("{shown}: {why}"))
        }));
        for (field, name) in [("resourceClaimName", own_name), ("resourceClaimTemplateName", template)] {
            let field = format!("{at}.{field}");
            out.extend(name.into_iter().flat_map(|it| always_named(names::dns1123_subdomain, &field, it)));
        }
    }
    out
}

/// The mistakes in the resources of a whole pod.
pub(super) fn of_pod(pod: &Pod<'_>) -> Mistakes {
    let Some(requirements) = set(pod.spec, "resources") else { return Vec::new() };
    let at = pod.field("resources");
    if set(pod.spec, "os").is_some_and(|os| own(os, "name") == "windows") {
        return vec![forbidden(at, "may not be set for a windows pod")];
    }
    let mut out = Vec::new();
    if set(requirements, "claims").is_some() {
        out.push(forbidden(format!("{at}.claims"), "claims may not be set for Resources at pod-level"));
    }
    out.extend(requirements_of(pod, Of::Pod, requirements, &at));
    out.extend(sums(pod, requirements, &at));
    out
}

/// All containers together ask for no more than their pod.
fn sums(pod: &Pod<'_>, requirements: &Value, at: &str) -> Mistakes {
    let amount = |of: &Value, part: &str, name: &str| {
        let text = of.get(part)?.get(name)?.as_str()?;
        Some((text.to_owned(), Quantity::parse(text).ok()?))
    };
    let mut out = Vec::new();
    let names = |part: &str| {
        let map = set(requirements, part).and_then(Value::as_map);
        map.into_iter().flat_map(Map::keys).map(str::to_owned).collect::<Vec<_>>()
    };
    for name in names("requests") {
        let Some((text, most)) = amount(requirements, "requests", &name) else { continue };
        let Some(sum) =
            sum_of_containers(pod.spec, "requests", &name).filter(|sum| sum.amount.compare(&most).is_gt())
        else {
            continue;
        };
        let why = format!("must be greater than or equal to aggregate container requests of {}", sum.text);
        out.push(invalid_text(format!("{at}.requests[{name}]"), &text, &why));
    }
    for (i, container) in list(pod.spec, "containers").iter().enumerate() {
        for name in names("limits") {
            let of = container.get("resources").unwrap_or(&Value::Null);
            let Some((text, limit)) = amount(of, "limits", &name) else { continue };
            let Some((shown, most)) = amount(requirements, "limits", &name) else { continue };
            if limit.compare(&most).is_gt() {
                let why = format!("must be less than or equal to pod limits of {shown}");
                out.push(invalid_text(format!("{at}.containers[{i}][{name}].limits"), &text, &why));
            }
        }
    }
    out
}
