//! Checks of what containers ask for, and may have.

use crate::checks::at::{At, Mistakes};
use crate::checks::limits;
use crate::checks::rows::{Check::*, check};
use crdgen_core::apply::sum_of_containers;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// The resources of whole pods, in the order of messages.
const OF_PODS: [&str; 3] = ["cpu", "hugepages-", "memory"];

/// What has resources.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// The mistakes in the resources of a container.
pub(super) fn of_container(at: &At<'_>, out: &mut Mistakes) {
    requirements(at, Of::Container, out);
}

/// The mistakes in the overhead of pods, which is checked as limits.
pub(in crate::checks) fn overhead(at: &At<'_>, out: &mut Mistakes) {
    if let Some(overhead) = at.value {
        let limits = Value::Map([("limits", overhead.clone())].into_iter().collect());
        requirements(&At { value: Some(&limits), old: None, ..at.clone() }, Of::Container, out);
    }
}

fn requirements(at: &At<'_>, of: Of, out: &mut Mistakes) {
    let (mut has_basic, mut has_huge) = (false, false);
    let limits = at.get("limits");
    for (part, list) in [("limits", limits.clone()), ("requests", at.get("requests"))] {
        for (name, amount) in list.members() {
            check_name(of, name, &amount, out);
            let Some(quantity) = amount.quantity() else { continue };
            limits::amount(name, &amount, out);
            let text = amount.text();
            if part == "requests" {
                let limit = limits.member(name);
                let is_exact = !is_native(name) || is_huge(name);
                match limit.and_then(|limit| Some((limit.text(), limit.quantity()?))) {
                    Some((limit, most)) => {
                        let order = quantity.compare(&most);
                        let why = if is_exact { "must be equal to" } else { "must be less than or equal to" };
                        if order.is_gt() || is_exact && order.is_ne() {
                            out.push(list.invalid_text(text, &format!("{why} {name} limit of {limit}")));
                        }
                    }
                    None if is_exact => {
                        out.push(limits.required("Limit must be set for non overcommitable resources"));
                    }
                    None => {}
                }
            }
            has_basic |= matches!(name, "cpu" | "memory");
            has_huge |= is_huge(name);
            if is_huge(name) && !is_multiple(name, &quantity) {
                out.push(amount.invalid(&format!("{text} is not positive integer multiple of {name}")));
            }
        }
    }
    if has_huge && !has_basic {
        out.push(at.forbidden("HugePages require cpu or memory"));
    }
    claims_of(&at.get("claims"), out);
}

fn check_name(of: Of, name: &str, at: &At<'_>, out: &mut Mistakes) {
    let wrong = limits::wrong_resource(name);
    match of {
        Of::Pod if wrong.is_empty() && !OF_PODS.contains(&name) && !is_huge(name) => {
            out.push(at.unsupported_text(name, &OF_PODS));
        }
        Of::Pod => {}
        Of::Container => {
            let wrong = limits::wrong_resource_of_container(name);
            return out.extend(wrong.iter().map(|why| at.invalid_text(name, why)));
        }
    }
    out.extend(wrong.iter().map(|why| at.invalid_text(name, why)));
}

/// Whether an amount of memory is made of whole pages.
fn is_multiple(name: &str, amount: &Quantity) -> bool {
    let page = name.strip_prefix("hugepages-").and_then(|size| Quantity::parse(size).ok()?.as_int());
    let (Some(page), Some(amount)) = (page.filter(|page| *page > 0), amount.as_int()) else { return false };
    amount % page == 0
}

/// The devices that a container uses.
fn claims_of(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for claim in at.each() {
        let (name, request) = (claim.get("name").text(), claim.get("request"));
        if name.is_empty() {
            out.push(claim.required(""));
            continue;
        }
        if seen.contains(name) {
            out.push(claim.duplicate_text(name));
        } else {
            let key = if request.is_empty() { name.to_owned() } else { format!("{name}/{}", request.text()) };
            check(&[("", NameOrEmpty(names::dns1123_label))], &request, out);
            let is_part = |other: &String| other.split_once('/').is_some_and(|(other, _)| other == name);
            if seen.contains(&key) {
                out.push(claim.duplicate_text(&key));
            } else if request.is_empty() {
                out.extend(seen.iter().filter(|it| is_part(it)).map(|_| claim.duplicate_text(name)));
            }
            seen.insert(key);
        }
        let known: Vec<&str> = at.pod.map(|pod| pod.claims.iter().copied().collect()).unwrap_or_default();
        if !known.contains(&name) {
            let which = match &known[..] {
                [] => " which is empty".to_owned(),
                known => format!(": {}", known.join(", ")),
            };
            let name = go::quote(name);
            let why = format!("{name}: must be one of the names in pod.spec.resourceClaims{which}");
            out.push(claim.mistake(Kind::NotFound, why));
        }
    }
}

/// The claims for devices of a pod.
pub(super) fn claims(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for claim in at.each() {
        let name = claim.get("name");
        if !name.is_empty() && seen.contains(name.text()) {
            out.push(name.duplicate());
        } else {
            check(&[("", NeedsName(names::dns1123_label))], &name, out);
            seen.insert(name.text());
        }
        let why = match (
            claim.get("resourceClaimName").is_set(),
            claim.get("resourceClaimTemplateName").is_set(),
        ) {
            (true, true) => {
                "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            }
            (false, false) => "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`",
            _ => "",
        };
        if !why.is_empty() {
            out.push(claim.invalid_of("PodResourceClaim", why));
        }
        for name in ["resourceClaimName", "resourceClaimTemplateName"] {
            check(&[(name, NameIfSet(names::dns1123_subdomain))], &claim, out);
        }
    }
}

/// The mistakes in the resources of a whole pod.
pub(super) fn of_pod(at: &At<'_>, out: &mut Mistakes) {
    let spec = at.spec();
    if spec.get("os.name").text() == "windows" {
        return out.push(at.forbidden("may not be set for a windows pod"));
    }
    check(&[("claims", Forbidden("claims may not be set for Resources at pod-level"))], at, out);
    requirements(at, Of::Pod, out);
    // All containers together ask for no more than their pod.
    for (name, most) in at.get("requests").members() {
        let sum = spec.value.and_then(|spec| sum_of_containers(spec, "requests", name));
        let (Some(sum), Some(amount)) = (sum, most.quantity()) else { continue };
        if sum.amount.compare(&amount).is_gt() {
            let why =
                format!("must be greater than or equal to aggregate container requests of {}", sum.text);
            out.push(most.invalid(&why));
        }
    }
    for (i, container) in spec.get("containers").each().enumerate() {
        for (name, most) in at.get("limits").members() {
            let limits = container.get("resources.limits");
            let Some(limit) = limits.member(name) else { continue };
            if let (Some(amount), Some(amount_of_pod)) = (limit.quantity(), most.quantity())
                && amount.compare(&amount_of_pod).is_gt()
            {
                let why = format!("must be less than or equal to pod limits of {}", most.text());
                let field = at.field.child("containers").index(i).key(name).child("limits");
                out.push(limit.shown_as(field).invalid(&why));
            }
        }
    }
}
