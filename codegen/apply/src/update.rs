//! Who owns which fields after a write: the rules of apply and of all other writes.

use crate::message::Message;
use crate::order;
use crate::path::{Path, PathElement};
use crate::set::Set;
use crate::typed::{Comparison, Mismatches, Typed};
use crdgen_text::go;
use crdgen_text::path::has_room;
use std::collections::BTreeMap;
use std::fmt;

/// The fields that one manager owns, as of one version of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// The fields.
    pub set: Set,
    /// The `apiVersion` in which they are named.
    pub version: String,
    /// Whether the manager applied them. Otherwise it wrote them in another way.
    pub applied: bool,
}

/// What each manager owns.
pub type Managers = BTreeMap<String, Owned>;

/// Who writes an object, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Author<'n> {
    /// The manager.
    pub manager: &'n str,
    /// The `apiVersion` of the kind in which it writes.
    pub version: &'n str,
}

/// What an apply does if other managers own what it would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// It fails.
    Fail,
    /// It takes these fields from the other managers.
    Force,
}

impl OnConflict {
    /// Returns what the parameter `force` of a request means.
    pub fn of_force(force: bool) -> OnConflict {
        if force { OnConflict::Force } else { OnConflict::Fail }
    }
}

/// Converts objects between the versions of a kind.
pub trait Convert<'s> {
    /// Converts an object to the version with this `apiVersion`.
    ///
    /// # Errors
    /// Fails if the version does not exist, or if the object cannot be converted.
    fn convert(&self, object: &Typed<'s>, version: &str) -> Result<Typed<'s>, Unconverted>;
}

/// Why an object is not converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconverted {
    /// The version does not exist any more. What managers own in it is forgotten.
    NoVersion(String),
    /// The conversion failed.
    Failed(String),
}

impl fmt::Display for Unconverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unconverted::NoVersion(text) | Unconverted::Failed(text) => f.write_str(text),
        }
    }
}

/// A field that another manager owns and that an apply would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The manager that owns the field.
    pub manager: String,
    /// The field.
    pub path: Path,
}

/// The fields that other managers own and that an apply would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflicts(BTreeMap<String, Set>);

impl Conflicts {
    /// Returns the number of conflicts.
    pub fn number(&self) -> usize {
        self.0.values().map(Set::len).sum()
    }

    /// Returns the conflicts, sorted by manager. Paths can be as long as the document, so those for which there is no room are left
    /// out, but not the first one. The server has no limit.
    pub fn shown(&self) -> Vec<Conflict> {
        let mut out = Vec::new();
        let mut is_full = false;
        for (manager, set) in &self.0 {
            set.each(&mut |path| {
                let lengths = path.0.iter().map(PathElement::length).chain([manager.len()]);
                is_full = is_full || !has_room(out.len(), lengths);
                if !is_full {
                    out.push(Conflict { manager: manager.clone(), path: path.clone() });
                }
            });
        }
        out
    }

    /// Returns the conflicts about other fields.
    pub fn without(&self, allowed: &Set) -> Conflicts {
        let rest = self.0.iter().map(|(manager, set)| (manager.clone(), set.difference(allowed)));
        Conflicts(rest.filter(|(_, set)| !set.is_empty()).collect())
    }

    /// The server's text: a line if there is one conflict, and otherwise a list for each manager.
    pub(crate) fn text(&self, name: impl Fn(&str) -> String) -> String {
        let shown = self.shown();
        if let ([Conflict { manager, path }], 1) = (&shown[..], self.number()) {
            return format!("conflict with {}: {path}", name(manager));
        }
        let mut lines = Vec::new();
        for group in shown.chunk_by(|a, b| a.manager == b.manager) {
            lines.extend(group.first().map(|it| format!("conflicts with {}:", name(&it.manager))));
            lines.extend(group.iter().map(|it| format!("- {}", it.path)));
        }
        lines.join("\n")
    }
}

/// Why a write fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Other managers own fields that the apply would change, and it has no `force`.
    Conflicts(Conflicts),
    /// Anything else, in the server's words.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Other(text) => f.write_str(text),
            Failure::Conflicts(conflicts) => f.write_str(&conflicts.text(go::quote)),
        }
    }
}

impl std::error::Error for Failure {}

fn failed(what: &str, why: impl fmt::Display) -> Failure {
    Failure::Other(format!("failed to {what}: {why}"))
}

/// The rules of writes for one kind.
#[derive(Clone, Debug)]
pub struct Updater<C> {
    /// Converts objects to the versions in which managers own fields.
    pub convert: C,
    /// The fields that no write can change, by `apiVersion`. They have no owners.
    pub ignored: BTreeMap<String, Set>,
    /// Return the object of an apply that changes nothing, too. The server does not, so that it can keep the time.
    pub return_unchanged: bool,
}

/// The result of an apply.
#[derive(Clone, Debug)]
pub struct Applied<'s> {
    /// The new object. `None` if the apply changes no value.
    pub object: Option<Typed<'s>>,
    /// What each manager owns now.
    pub managers: Managers,
}

impl<'s, C: Convert<'s>> Updater<C> {
    /// Returns what each manager owns after `manager` has replaced `live` with `new`.
    ///
    /// # Errors
    /// Fails if objects cannot be converted or compared.
    pub fn update(
        &self,
        live: &Typed<'s>,
        new: &Typed<'s>,
        managers: Managers,
        author: Author<'_>,
    ) -> Result<Managers, Failure> {
        let Author { manager, version } = author;
        let managers = self.reconcile(live, managers)?;
        let (mut managers, compared) = self.take_changes(live, new, managers, author, OnConflict::Force)?;
        let own = managers.remove(manager).map(|owned| owned.set).unwrap_or_default();
        let set = own.difference(&compared.removed).union(&compared.modified).union(&compared.added);
        let set = self.owned(set, version);
        if !set.is_empty() {
            managers.insert(manager.to_owned(), Owned { set, version: version.to_owned(), applied: false });
        }
        Ok(managers)
    }

    /// Merges `config` into `live`, and removes what the manager applied before and does not apply any more.
    ///
    /// # Errors
    /// Fails if other managers own what would change, unless they are forced, and if objects cannot be converted, merged
    /// or compared.
    pub fn apply(
        &self,
        live: &Typed<'s>,
        config: &Typed<'s>,
        managers: Managers,
        author: Author<'_>,
        on_conflict: OnConflict,
    ) -> Result<Applied<'s>, Failure> {
        let Author { manager, version } = author;
        let mut managers = self.reconcile(live, managers)?;
        let merged = live.merge(config).map_err(|why| failed("merge config", why))?;
        let set = config.field_set().map_err(|why| failed("get field set", why))?;
        let owned = Owned { set: self.owned(set, version), version: version.to_owned(), applied: true };
        let last = managers.insert(manager.to_owned(), owned);
        let own = managers.get(manager);
        let new = match last.filter(|last| !last.set.is_empty()) {
            // Whoever applies the same fields again gives up none of them. It is so only if no object is converted, because
            // that may fail.
            Some(last) if Some(&last) == own && managers.values().all(|it| it.version == version) => {
                Ok(merged)
            }
            Some(last) => self.prune(merged, &managers, version, &last),
            None => Ok(merged),
        };
        let new = new.map_err(|why| failed("prune fields", why))?;
        let (managers, _) = self.take_changes(live, &new, managers, author, on_conflict)?;
        let changed = self.return_unchanged || !order::equal(live.value(), new.value());
        Ok(Applied { object: changed.then_some(new), managers })
    }

    /// The fields of a set that somebody can own.
    fn owned(&self, set: Set, version: &str) -> Set {
        match self.ignored.get(version) {
            Some(ignored) => set.recursive_difference(ignored),
            None => set,
        }
    }

    fn compare(&self, old: &Typed<'s>, new: &Typed<'s>, version: &str) -> Result<Comparison, Mismatches> {
        let comparison = old.compare(new)?;
        Ok(match self.ignored.get(version) {
            Some(ignored) => comparison.without(ignored),
            None => comparison,
        })
    }

    /// Takes what changes from all other managers. Also returns what changes in the version of the author.
    fn take_changes(
        &self,
        old: &Typed<'s>,
        new: &Typed<'s>,
        mut managers: Managers,
        author: Author<'_>,
        on_conflict: OnConflict,
    ) -> Result<(Managers, Comparison), Failure> {
        let Author { manager, version } = author;
        let compare = |old: &Typed<'s>, new: &Typed<'s>, version: &str| {
            self.compare(old, new, version).map_err(|why| failed("compare objects", why))
        };
        let mut versions = BTreeMap::from([(version.to_owned(), compare(old, new, version)?)]);
        let mut conflicts = BTreeMap::new();
        let mut obsolete = Vec::new();
        for (name, owned) in managers.iter().filter(|(name, _)| *name != manager) {
            if !versions.contains_key(&owned.version) {
                let converted = |object, what| match self.convert.convert(object, &owned.version) {
                    Ok(object) => Ok(Some(object)),
                    Err(Unconverted::NoVersion(_)) => Ok(None),
                    Err(why) => Err(failed(what, why)),
                };
                let Some(old) = converted(old, "convert old object")? else {
                    obsolete.push(name.clone());
                    continue;
                };
                let Some(new) = converted(new, "convert new object")? else {
                    obsolete.push(name.clone());
                    continue;
                };
                versions.insert(owned.version.clone(), compare(&old, &new, &owned.version)?);
            }
            let changes = &versions[&owned.version];
            let conflict = owned.set.intersection(&changes.modified.union(&changes.added));
            if !conflict.is_empty() {
                conflicts.insert(name.clone(), conflict);
            }
        }
        if on_conflict == OnConflict::Fail && !conflicts.is_empty() {
            return Err(Failure::Conflicts(Conflicts(conflicts)));
        }
        obsolete.iter().for_each(|name| drop(managers.remove(name)));
        for (name, owned) in managers.iter_mut().filter(|(name, _)| *name != manager) {
            if let Some(conflict) = conflicts.get(name) {
                owned.set = owned.set.difference(conflict);
            }
            if let Some(changes) = versions.get(&owned.version).filter(|it| !it.removed.is_empty()) {
                owned.set = owned.set.difference(&changes.removed);
            }
        }
        managers.retain(|_, owned| !owned.set.is_empty());
        Ok((managers, versions.remove(version).unwrap_or_default()))
    }

    /// Removes what the manager applied last and does not apply now, unless somebody else owns it.
    fn prune(
        &self,
        merged: Typed<'s>,
        managers: &Managers,
        version: &str,
        last: &Owned,
    ) -> Result<Typed<'s>, Message> {
        let converted = match self.convert.convert(&merged, &last.version) {
            Ok(converted) => converted,
            Err(Unconverted::NoVersion(_)) => return Ok(merged),
            Err(why) => {
                return Err(Message(format!(
                    "failed to convert merged object to last applied version: {why}"
                )));
            }
        };
        let pruned = converted.remove(&converted.with_declared_fields(&last.set));
        let pruned = self
            .add_owned(&converted, pruned, &last.version, managers)
            .map_err(|why| Message(format!("failed add back owned items: {why}")))?;
        let pruned = self
            .add_dangling(&converted, &pruned, last)
            .map_err(|why| Message(format!("failed add back dangling items: {why}")))?;
        self.convert.convert(&pruned, version).map_err(|why| Message(why.to_string()))
    }

    /// Restores what was pruned although a manager owns it.
    fn add_owned(
        &self,
        merged: &Typed<'s>,
        pruned: Typed<'s>,
        pruned_version: &str,
        managers: &Managers,
    ) -> Result<Typed<'s>, Message> {
        let mut by_version: BTreeMap<&str, Set> = BTreeMap::new();
        for owned in managers.values() {
            let set = by_version.entry(&owned.version).or_default();
            *set = set.union(&owned.set);
        }
        // The version in which fields were pruned comes first, because conversions to others may need them.
        let first = by_version.remove(pruned_version).map(|set| (pruned_version, set));
        let (mut merged, mut pruned) = (merged.clone(), pruned);
        for (version, set) in first.into_iter().chain(by_version) {
            (merged, pruned) = self.add_owned_of(merged, pruned, version, &set)?;
        }
        Ok(pruned)
    }

    fn add_owned_of(
        &self,
        merged: Typed<'s>,
        pruned: Typed<'s>,
        version: &str,
        owned: &Set,
    ) -> Result<(Typed<'s>, Typed<'s>), Message> {
        let converted = |object, what: &str| match self.convert.convert(object, version) {
            Ok(object) => Ok(Some(object)),
            Err(Unconverted::NoVersion(_)) => Ok(None),
            Err(why) => Err(format!("failed to convert {what} object at version {version}: {why}")),
        };
        let Some(in_version) = converted(&merged, "merged")? else { return Ok((merged, pruned)) };
        let Some(pruned_in_version) = converted(&pruned, "pruned")? else { return Ok((in_version, pruned)) };
        let set_of = |object: &Typed<'s>, what: &str| {
            object.field_set().map_err(|why| {
                format!("failed to create field set from {what} object at version {version}: {why}")
            })
        };
        let all = set_of(&in_version, "merged")?;
        let kept = set_of(&pruned_in_version, "pruned")?;
        let declared = |set: &Set| in_version.with_declared_fields(set);
        let gone = declared(&all).difference(&declared(&kept).union(&declared(owned)));
        let pruned = in_version.remove(&gone);
        Ok((in_version, pruned))
    }

    /// Restores what was pruned although the manager did not apply it last: what has no owner.
    fn add_dangling(
        &self,
        merged: &Typed<'s>,
        pruned: &Typed<'s>,
        last: &Owned,
    ) -> Result<Typed<'s>, Message> {
        let converted = match self.convert.convert(pruned, &last.version) {
            Ok(converted) => converted,
            Err(Unconverted::NoVersion(_)) => return Ok(merged.clone()),
            Err(why) => {
                return Err(Message(format!(
                    "failed to convert pruned object to last applied version: {why}"
                )));
            }
        };
        let set_of = |object: &Typed<'s>, what: &str| {
            object.field_set().map_err(|why| {
                format!("failed to create field set from {what} object in last applied version: {why}")
            })
        };
        let kept = merged.with_declared_fields(&set_of(&converted, "pruned")?);
        let all = merged.with_declared_fields(&set_of(merged, "merged")?);
        let last = merged.with_declared_fields(&last.set);
        Ok(merged.remove(&all.difference(&kept).intersection(&last)))
    }

    /// Changes what managers own for list types and map types that have changed since.
    fn reconcile(&self, live: &Typed<'s>, managers: Managers) -> Result<Managers, Failure> {
        let mut out = Managers::new();
        for (name, mut owned) in managers {
            match self.convert.convert(live, &owned.version) {
                // In a version that does not exist, no field has an owner.
                Err(Unconverted::NoVersion(_)) => continue,
                Err(Unconverted::Failed(why)) => return Err(Failure::Other(why)),
                Ok(live) => {
                    let changed = live.reconcile(&owned.set).map_err(|why| {
                        Failure::Other(format!("errors reconciling field set with schema: {why}"))
                    })?;
                    owned.set = changed.unwrap_or(owned.set);
                }
            }
            out.insert(name, owned);
        }
        Ok(out)
    }
}
