//! Deletes objects.

use super::Call;
use crate::answer::Answer;
use crate::controllers::mark;
use crate::lifecycle::{FOREGROUND, ORPHAN, keeps};
use crate::meta;
use crate::request::read_body;
use crate::status::{Details, Failure, Mistake, success};
use crate::store::{Key, Resource};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::Value;
use http::header::CONTENT_TYPE;
use std::sync::Arc;

/// What happens to the objects that the deleted one owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Propagation {
    #[default]
    Background,
    Foreground,
    Orphan,
}

#[derive(Clone, Debug, Default)]
struct Options {
    propagation: Propagation,
    uid: String,
    version: String,
    dry_run: bool,
}

impl Call<'_> {
    pub(super) fn delete(&mut self) -> Result<Answer, Failure> {
        let options = self.options()?;
        let live = self.live()?;
        let Resource { plural, group } = self.resource();
        for (wanted, field, what) in
            [(&options.uid, "uid", "UID"), (&options.version, "resourceVersion", "ResourceVersion")]
        {
            let found = meta::text(&live, field);
            if !wanted.is_empty() && wanted != found {
                let why = format!(
                    "Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
                );
                return Err(Failure::conflict(&plural, &group, &self.path.name, &why));
            }
        }
        match self.delete_one(&live, &options) {
            Some(kept) => self.one(200, &kept),
            None => Ok(Answer::value(success(&Details {
                name: self.path.name.clone(),
                group: group.to_string(),
                kind: plural.to_string(),
                uid: meta::text(&live, "uid").to_owned(),
                ..Details::default()
            }))),
        }
    }

    pub(super) fn delete_collection(&mut self) -> Result<Answer, Failure> {
        let options = self.options()?;
        let selector = self.selector()?;
        let stored: Vec<Arc<Value>> = self
            .state
            .store
            .objects(&self.kind.resource, &self.path.namespace)
            .map(|(_, object)| Arc::clone(object))
            .collect();
        let mut deleted = Vec::new();
        for live in stored {
            let shown = self.shown(&live)?;
            if selector.matches(self.served(), &shown) {
                self.delete_one(&live, &options);
                deleted.push(shown);
            }
        }
        self.many(deleted, self.state.store.revision(), None)
    }

    /// Deletes an object, or marks it if something keeps it. Returns the marked object.
    fn delete_one(&mut self, live: &Arc<Value>, options: &Options) -> Option<Arc<Value>> {
        let resource = self.resource();
        let mut finalizers: Vec<String> = meta::finalizers(live).into_iter().map(str::to_owned).collect();
        finalizers.retain(|name| name != FOREGROUND && name != ORPHAN);
        match options.propagation {
            Propagation::Background => {}
            Propagation::Foreground => finalizers.push(FOREGROUND.to_owned()),
            Propagation::Orphan => finalizers.push(ORPHAN.to_owned()),
        }
        let keeps = !finalizers.is_empty() || keeps(&resource, live);
        let key = Key::new(meta::text(live, "namespace"), meta::text(live, "name"));
        if !keeps {
            if !options.dry_run {
                self.state.remove(&resource, &key);
            }
            return None;
        }
        let mut object = Value::clone(live);
        meta::set_finalizers(&mut object, finalizers);
        if !meta::is_deleting(&object) {
            let now = self.state.clock.now();
            meta::set(&mut object, "deletionTimestamp", Some(now.into()));
            meta::set(&mut object, "deletionGracePeriodSeconds", Some(Value::Int(0)));
            let generation = object.get("metadata").and_then(|m| m.get("generation")?.as_int());
            if let Some(generation) = generation {
                meta::set(&mut object, "generation", Some(Value::Int(generation + 1)));
            }
        }
        mark(&resource, &mut object);
        if options.dry_run || object == **live {
            return Some(Arc::new(object));
        }
        Some(self.state.put(&resource, object))
    }

    /// The options in the query and in the body. Those in the body win.
    fn options(&self) -> Result<Options, Failure> {
        let query = &self.request.query;
        let body = read_body(self.request.header(CONTENT_TYPE), &self.request.body)?.value;
        let policy = match meta::own(&body, "propagationPolicy") {
            "" => query.propagation_policy.as_deref().unwrap_or_default(),
            policy => policy,
        };
        let orphan = body.get("orphanDependents").and_then(Value::as_bool).or(query.orphan_dependents);
        let propagation = match (policy, orphan) {
            ("", Some(true)) | ("Orphan", _) => Propagation::Orphan,
            ("Foreground", _) => Propagation::Foreground,
            ("" | "Background", _) => Propagation::Background,
            (other, _) => {
                let why = format!(
                    "{}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                    go::quote(other)
                );
                let mistake = Mistake::new("propagationPolicy", Kind::NotSupported, why);
                return Err(Failure::invalid_option("DeleteOptions", mistake));
            }
        };
        let conditions = body.get("preconditions");
        let text = |name: &str| conditions.map_or("", |it| meta::own(it, name)).to_owned();
        let in_body = body.get("dryRun").and_then(Value::as_list).is_some_and(|list| !list.is_empty());
        Ok(Options {
            propagation,
            uid: text("uid"),
            version: text("resourceVersion"),
            dry_run: self.is_dry_run() || in_body,
        })
    }
}
