//! The checks of an object that is about to be stored, and the warnings about it.

use crate::checks::{Checks, negative_replicas};
use crate::kinds::{KindId, Row, Subresource};
use crate::metadata;
use crate::mistake::Mistake;
use crdgen_core::object::published;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// An object that a write has made, before it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// Its kind.
    pub row: &'static Row,
    /// The name of its version.
    pub version: &'s str,
    /// The subresource that is written, if it is one.
    pub subresource: Option<Subresource>,
    /// The object with its defaults.
    pub object: &'s Value,
    /// The object that it replaces.
    pub live: Option<&'s Value>,
    /// Whether claims in its namespace can be for administrators.
    pub allows_admin: bool,
    /// The server.
    pub server: Server,
}

impl Subject<'_> {
    /// The object and the one that it replaces in the newest version, which the server's code checks.
    fn newest(&self) -> (Option<Value>, Option<Value>) {
        let Some(of) = self.row.newest() else { return (None, None) };
        (of.convert(self.object), self.live.and_then(|live| of.convert(live)))
    }

    /// Returns the mistakes in its metadata, those that the server's code finds, and those in its structure.
    pub fn mistakes(&self) -> Vec<Mistake> {
        let Subject { row, version, subresource, object, live, allows_admin, server } = *self;
        if subresource == Some(Subresource::Scale) {
            return negative_replicas(object);
        }
        let checks = Checks::of(row.id).on(server);
        let metadata = || {
            let mistakes = metadata::check(row, object, live, server);
            let finalizers = subresource.is_none().then(|| metadata::finalizers(row, object));
            let mistakes: Vec<Mistake> = mistakes.iter().map(Mistake::of).collect();
            mistakes.into_iter().chain(finalizers.into_iter().flatten()).collect::<Vec<_>>()
        };
        // The code for some kinds does not check the metadata of new objects. Then the server does, if there are no mistakes yet.
        let is_last = matches!(row.id, KindId::Event | KindId::PodDisruptionBudget) && live.is_none();
        let is_of_status = subresource == Some(Subresource::Status);
        let mut mistakes = match allows_admin {
            true => Vec::new(),
            false => Checks::of_administrators(row.id, is_of_status, object, live),
        };
        if !is_last {
            mistakes.extend(metadata());
        }
        let (newest, newest_live) = self.newest();
        let checked = newest.as_ref().unwrap_or(object);
        if !is_of_status || !checks.is_status_alone {
            mistakes.extend(checks.object(checked, newest_live.as_ref().or(live)));
        }
        if is_of_status {
            mistakes.extend(checks.of_status(checked, live));
        }
        mistakes.extend(match (subresource, live) {
            (None, Some(live)) => checks.of_changes(object, live),
            (Some(Subresource::Resize), Some(live)) => checks.of_resizes(object, live),
            _ => Vec::new(),
        });
        if is_last && mistakes.is_empty() {
            mistakes.extend(metadata());
        }
        // A schema says less than the server's code, and something else about the same fields.
        if (subresource, checks.are_all, mistakes.is_empty()) == (None, false, true)
            && let Some(schema) = row.schema_of(version)
        {
            mistakes.extend(published::check(object, &schema, server).0.iter().map(Mistake::of));
        }
        // Several checks may find the same mistake.
        let mut seen = BTreeSet::new();
        mistakes.retain(|it| seen.insert((it.field.to_string(), it.why.clone())));
        mistakes
    }

    /// Returns the warnings about what is deprecated, or hardly meant so.
    pub fn warnings(&self) -> Vec<Mistake> {
        match self.subresource {
            Some(Subresource::Status) => Checks::of(self.row.id).warnings_of_status(self.object),
            Some(_) => Vec::new(),
            None => {
                let (newest, newest_live) = self.newest();
                let (object, live) =
                    (newest.as_ref().unwrap_or(self.object), newest_live.as_ref().or(self.live));
                Checks::of(self.row.id).on(self.server).warnings(object, live)
            }
        }
    }
}
