//! The limits of a namespace: what its LimitRanges give to new pods, and what pods and claims may ask for.

use super::Call;
use crate::admission::Operation;
use crate::meta::{self, text};
use crate::status::Failure;
use crate::store::Resource;
use crdgen_core::apply::sum_of_containers;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::quotient;

/// The annotation that says what was given to a pod.
const ANNOTATION: &str = "kubernetes.io/limit-ranger";
/// The lists of containers, and their names in the annotation.
const CONTAINERS: [(&str, &str); 2] = [("containers", "container"), ("initContainers", "init container")];

/// An amount, and how it is written.
struct Amount {
    amount: Quantity,
    text: String,
}

impl Amount {
    fn read(value: &Value) -> Option<Amount> {
        let text = value.as_str()?.to_owned();
        Some(Amount { amount: Quantity::parse(&text).ok()?, text })
    }
}

/// What something asks for and may have of a resource.
struct Wanted {
    request: Option<Amount>,
    limit: Option<Amount>,
}

impl Wanted {
    fn of_container(container: &Value, resource: &str) -> Wanted {
        let find = |part: &str| Amount::read(container.get("resources")?.get(part)?.get(resource)?);
        Wanted { request: find("requests"), limit: find("limits") }
    }

    /// What a pod says itself counts more than what its containers say.
    fn of_pod(spec: &Value, resource: &str) -> Wanted {
        let is_of_pods = matches!(resource, "cpu" | "memory") || resource.starts_with("hugepages-");
        let find = |part: &str| {
            let whole = Wanted::of_container(spec, resource);
            let whole = if part == "limits" { whole.limit } else { whole.request };
            whole.filter(|_| is_of_pods).or_else(|| {
                let sum = sum_of_containers(spec, part, resource)?;
                Some(Amount { amount: sum.amount, text: sum.text })
            })
        };
        Wanted { request: find("requests"), limit: find("limits") }
    }

    fn below(&self, of: &str, resource: &str, least: &Amount) -> Option<String> {
        let begin = format!("minimum {resource} usage per {of} is {}", least.text);
        let is_less = |found: &&Amount| found.amount.compare(&least.amount).is_lt();
        let Some(request) = &self.request else { return Some(format!("{begin}.  No request is specified")) };
        if is_less(&request) {
            return Some(format!("{begin}, but request is {}", request.text));
        }
        self.limit.as_ref().filter(is_less).map(|limit| format!("{begin}, but limit is {}", limit.text))
    }

    fn above(&self, of: &str, resource: &str, most: &Amount) -> Option<String> {
        let begin = format!("maximum {resource} usage per {of} is {}", most.text);
        let is_more = |found: &&Amount| found.amount.compare(&most.amount).is_gt();
        let Some(limit) = &self.limit else { return Some(format!("{begin}.  No limit is specified")) };
        if is_more(&limit) {
            return Some(format!("{begin}, but limit is {}", limit.text));
        }
        self.request
            .as_ref()
            .filter(is_more)
            .map(|request| format!("{begin}, but request is {}", request.text))
    }

    /// Claims have no limits.
    fn asks_above(&self, of: &str, resource: &str, most: &Amount) -> Option<String> {
        let begin = format!("maximum {resource} usage per {of} is {}", most.text);
        let Some(request) = &self.request else { return Some(format!("{begin}.  No request is specified")) };
        let is_more = request.amount.compare(&most.amount).is_gt();
        is_more.then(|| format!("{begin}, but request is {}", request.text))
    }

    fn ratio_above(&self, of: &str, resource: &str, most: &Amount) -> Option<String> {
        let begin = format!("{resource} max limit to request ratio per {of} is {}", most.text);
        let is_set = |amount: &&Amount| amount.amount.sign() != 0;
        let Some(request) = self.request.as_ref().filter(is_set) else {
            return Some(format!("{begin}, but no request is specified or request is 0"));
        };
        let Some(limit) = self.limit.as_ref().filter(is_set) else {
            return Some(format!("{begin}, but no limit is specified or limit is 0"));
        };
        let ratio = quotient(&limit.amount, &request.amount);
        // The server compares thousandths.
        let is_above = ratio * 1000.0 > 1000.0 * quotient(&most.amount, &Quantity::from_int(1));
        is_above.then(|| format!("{begin}, but provided ratio is {ratio:.6}"))
    }
}

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// The resources in a part of a limit.
fn amounts<'v>(limit: &'v Value, part: &str) -> impl Iterator<Item = (&'v str, &'v Value)> {
    limit.get(part).and_then(Value::as_map).into_iter().flat_map(Map::iter)
}

impl Call<'_> {
    fn limit_ranges(&self) -> impl Iterator<Item = &Value> {
        let resource = Resource::new("", "limitranges");
        let ranges = self.state.store.objects(&resource, &self.path.namespace);
        ranges.map(|(_, range)| &***range).collect::<Vec<_>>().into_iter()
    }

    /// Gives the containers of a new pod what they do not say themselves.
    pub(super) fn set_default_resources(&self, pod: &mut Value) {
        for range in self.limit_ranges() {
            let limits = range.get("spec").map(|spec| list(spec, "limits")).unwrap_or_default();
            let given = give(pod, limits.iter().filter(|limit| limit.text("type") == "Container"));
            if !given.is_empty() {
                let text = format!("LimitRanger plugin set: {}", given.join("; "));
                meta::set_at(pod, &["metadata", "annotations", ANNOTATION], text.into());
            }
        }
    }

    /// Checks that a new pod or a claim asks for no more than it may, and for enough.
    pub(super) fn check_limits(&self, operation: Operation, object: Option<&Value>) -> Result<(), Failure> {
        let Resource { plural, group } = &self.kind.resource;
        let checks = match (&**plural, operation) {
            _ if !group.is_empty() || self.subresource.is_some() => return Ok(()),
            ("pods", Operation::Create) => of_pod,
            ("persistentvolumeclaims", Operation::Create | Operation::Update) => of_claim,
            _ => return Ok(()),
        };
        let Some(object) = object.filter(|object| !meta::is_deleting(object)) else { return Ok(()) };
        let spec = object.get("spec").unwrap_or(&Value::Null);
        for range in self.limit_ranges() {
            let limits = range.get("spec").map(|spec| list(spec, "limits")).unwrap_or_default();
            let mut mistakes: Vec<String> = Vec::new();
            for mistake in limits.iter().flat_map(|limit| checks(limit, spec)) {
                if !mistakes.contains(&mistake) {
                    mistakes.push(mistake);
                }
            }
            let why = match &mistakes[..] {
                [] => continue,
                [one] => one.clone(),
                all => format!("[{}]", all.join(", ")),
            };
            return Err(Failure::forbidden(plural, group, text(object, "name"), &why));
        }
        Ok(())
    }
}

/// Returns what was given to which container.
fn give<'v>(pod: &mut Value, limits: impl Iterator<Item = &'v Value> + Clone) -> Vec<String> {
    let mut given = Vec::new();
    let Some(Value::Map(spec)) = pod.as_map_mut().and_then(|pod| pod.get_mut("spec")) else { return given };
    for (kind, shown) in CONTAINERS {
        let Some(Value::List(containers)) = spec.get_mut(kind) else { continue };
        for container in containers.iter_mut().filter_map(Value::as_map_mut) {
            let name = container.text("name").to_owned();
            let resources = container.entry_or_insert_with("resources", || Value::Map(Map::new()));
            let Value::Map(resources) = resources else { continue };
            for (part, of_limit, what) in
                [("requests", "defaultRequest", "request"), ("limits", "default", "limit")]
            {
                let mut wanted: Map<Value> = Map::new();
                for (name, amount) in limits.clone().flat_map(|limit| amounts(limit, of_limit)) {
                    wanted.insert(name, amount.clone());
                }
                if wanted.is_empty() {
                    continue;
                }
                let Value::Map(found) = resources.entry_or_insert_with(part, || Value::Map(Map::new()))
                else {
                    continue;
                };
                let missing: Vec<(String, Value)> =
                    wanted.into_iter().filter(|(name, _)| found.get(name).is_none()).collect();
                let mut names: Vec<String> = missing.iter().map(|(name, _)| name.clone()).collect();
                names.sort_unstable();
                if !names.is_empty() {
                    given.push(format!("{} {what} for {shown} {name}", names.join(", ")));
                }
                for (name, amount) in missing {
                    found.insert(name, amount);
                }
            }
        }
    }
    given
}

fn of_pod(limit: &Value, spec: &Value) -> Vec<String> {
    let ty = limit.text("type");
    let mut out = Vec::new();
    let mut check = |wanted: &dyn Fn(&str) -> Wanted| {
        for (part, check) in [
            ("min", Wanted::below as fn(&Wanted, &str, &str, &Amount) -> Option<String>),
            ("max", Wanted::above),
            ("maxLimitRequestRatio", Wanted::ratio_above),
        ] {
            for (resource, amount) in amounts(limit, part) {
                let Some(amount) = Amount::read(amount) else { continue };
                out.extend(check(&wanted(resource), ty, resource, &amount));
            }
        }
    };
    match ty {
        "Container" => {
            for container in CONTAINERS.into_iter().flat_map(|(kind, _)| list(spec, kind)) {
                check(&|resource| Wanted::of_container(container, resource));
            }
        }
        "Pod" => check(&|resource| Wanted::of_pod(spec, resource)),
        _ => {}
    }
    out
}

fn of_claim(limit: &Value, spec: &Value) -> Vec<String> {
    let ty = limit.text("type");
    let mut out = Vec::new();
    if ty != "PersistentVolumeClaim" {
        return out;
    }
    for (part, check) in [
        ("min", Wanted::below as fn(&Wanted, &str, &str, &Amount) -> Option<String>),
        ("max", Wanted::asks_above),
    ] {
        for (resource, amount) in amounts(limit, part) {
            let Some(amount) = Amount::read(amount) else { continue };
            // What a claim may have at most is not looked at.
            let wanted = Wanted { limit: None, ..Wanted::of_container(spec, resource) };
            out.extend(check(&wanted, ty, resource, &amount));
        }
    }
    out
}
