//! The quotas of a namespace: they count a new object, or do not allow it.

use super::Call;
use crate::admission::Operation;
use crate::controllers::with_status;
use crate::meta::text;
use crate::quota::{self, Amounts, added, amounts_of, is_measured, is_terminating, less, selects, shown};
use crate::registry::Role;
use crate::status::Failure;
use crate::store::{Object, Resource};
use crdgen_core::value::Value;
use std::sync::Arc;

/// Quotas that have counted an object, which is not stored yet.
#[derive(Debug, Default)]
#[must_use]
pub(super) struct Charged(Vec<Value>);

/// An object that is about to be stored, and what it was before.
struct Wanted<'w> {
    object: &'w Value,
    old: Option<&'w Value>,
    used: Amounts,
}

impl Call<'_> {
    /// Stores what quotas have counted.
    pub(super) fn charge(&mut self, Charged(changed): Charged) {
        for quota in changed {
            self.state.put(&quota::quotas(), quota);
        }
    }

    /// Counts an object in the quotas of its namespace, or fails if they do not allow it.
    pub(super) fn check_quotas(
        &self,
        operation: Operation,
        object: Option<&Value>,
        old: Option<&Value>,
    ) -> Result<Charged, Failure> {
        let Some(object) = object.filter(|object| self.is_charged(operation, object, old)) else {
            return Ok(Charged::default());
        };
        let quotas = quota::quotas();
        let all = self.state.store.objects(&quotas, &self.path.namespace);
        let all: Vec<Arc<Object>> = all.map(|(_, quota)| Arc::clone(quota)).collect();
        let resource = &self.kind.resource;
        let mut concerned = Vec::new();
        for quota in &all {
            let hard = amounts_of(quota, "status", "hard");
            let measured: Vec<&str> =
                hard.keys().map(String::as_str).filter(|name| is_measured(resource, name)).collect();
            if measured.is_empty() || !selects(quota, resource, object) {
                continue;
            }
            self.check_measured(quota, object, &measured)?;
            concerned.push(quota);
        }
        if concerned.is_empty() {
            return Ok(Charged::default());
        }
        let used = quota::of_object(resource, object, self.state.clock.seconds());
        let wanted = Wanted { object, old, used };
        let mut charged = Vec::new();
        for quota in concerned {
            charged.extend(self.charged(quota, &wanted)?);
        }
        Ok(if self.is_dry_run() { Charged::default() } else { Charged(charged) })
    }

    /// Whether a request can change what objects use.
    fn is_charged(&self, operation: Operation, object: &Value, old: Option<&Value>) -> bool {
        let Resource { plural, group } = &self.kind.resource;
        let is_event = &**plural == "events" && matches!(&**group, "" | "events.k8s.io");
        let of_core = |name: &str| group.is_empty() && &**plural == name;
        if self.subresource.is_some() || self.path.namespace.is_empty() || is_event {
            return false;
        }
        match operation {
            Operation::Create => true,
            Operation::Update if self.kind.role == Role::Pod => {
                old.is_some_and(|old| is_terminating(old) != is_terminating(object))
            }
            Operation::Update => of_core("services") || of_core("persistentvolumeclaims"),
            Operation::Delete => false,
        }
    }

    fn refused(&self, object: &Value, why: &str) -> Failure {
        let Resource { plural, group } = &self.kind.resource;
        Failure::forbidden(plural, group, text(object, "name"), why)
    }

    /// Checks that a pod says what a quota measures, and that the quota has measured it.
    fn check_measured(&self, quota: &Value, object: &Value, measured: &[&str]) -> Result<(), Failure> {
        let name = text(quota, "name");
        if self.kind.role == Role::Pod {
            let missing = quota::missing(object, measured);
            let each: Vec<String> = missing
                .iter()
                .map(|(resource, containers)| {
                    let containers: Vec<&str> = containers.iter().map(String::as_str).collect();
                    format!("{resource} for: {}", containers.join(","))
                })
                .collect();
            if !each.is_empty() {
                let why = format!("failed quota: {name}: must specify {}", each.join("; "));
                return Err(self.refused(object, &why));
            }
        }
        let used = amounts_of(quota, "status", "used");
        if measured.iter().all(|name| used.contains_key(*name)) {
            return Ok(());
        }
        let why = format!("status unknown for quota: {name}, resources: {}", measured.join(","));
        Err(self.refused(object, &why))
    }

    /// A quota that has counted an object. `None` if it counts nothing of it.
    fn charged(&self, quota: &Value, wanted: &Wanted<'_>) -> Result<Option<Value>, Failure> {
        let Wanted { object, old, used: new } = wanted;
        let resource = &self.kind.resource;
        // What an object has used before is there already, if the quota has counted it.
        let was = old.filter(|old| selects(quota, resource, old));
        let was = was.map(|old| quota::of_object(resource, old, self.state.clock.seconds()));
        let mut more = was.map_or_else(|| new.clone(), |was| less(new.clone(), &was));
        let (hard, used) = (amounts_of(quota, "status", "hard"), amounts_of(quota, "status", "used"));
        more.retain(|name, amount| !amount.is_zero() && hard.contains_key(name));
        if more.is_empty() {
            return Ok(None);
        }
        let sum = added(used.clone(), &more);
        let is_exceeded = |name: &String| {
            more.contains_key(name)
                && sum.get(name).zip(hard.get(name)).is_some_and(|(sum, most)| sum.compare(most).is_gt())
        };
        let only = |amounts: &Amounts| -> Amounts {
            let found = amounts.iter().filter(|(name, _)| is_exceeded(name));
            found.map(|(name, amount)| (name.clone(), amount.clone())).collect()
        };
        if hard.keys().any(is_exceeded) {
            let why = format!(
                "exceeded quota: {}, requested: {}, used: {}, limited: {}",
                text(quota, "name"),
                shown(&only(&more)),
                shown(&only(&used)),
                shown(&only(&hard))
            );
            return Err(self.refused(object, &why));
        }
        Ok(with_status(self.state, quota, &hard, &sum, "kube-apiserver"))
    }
}
