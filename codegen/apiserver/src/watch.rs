//! Watches: the changes of objects, one after the other.

use crate::meta::{self, map};
use crate::random::Random;
use crate::registry::Kind;
use crate::request::{Form, Syntax, protobuf};
use crate::select::Selector;
use crate::show::{Columns, Rows, metadata_only};
use crate::state::Shared;
use crate::status::Failure;
use crate::store::{Entry, Line, LineKey, Object, Resource, Taken, WatchId, bytes};
use crate::webhooks::{Hooks, Wanted};
use bytes::Bytes;
use crdgen_core::apply::Writer;
use crdgen_core::json;
use crdgen_core::object::Served;
use crdgen_core::value::Value;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// A watch that a client has started.
pub(crate) struct Watch {
    pub(crate) id: WatchId,
    pub(crate) shared: Shared,
    pub(crate) hooks: Hooks,
    pub(crate) resource: Resource,
    pub(crate) kind: Arc<Kind>,
    pub(crate) writer: Arc<Writer<Served>>,
    pub(crate) version: String,
    pub(crate) namespace: String,
    pub(crate) selector: Selector,
    pub(crate) form: Form,
    pub(crate) syntax: Syntax,
    pub(crate) include_object: String,
    pub(crate) bookmarks: bool,
    /// The client has got everything up to this revision.
    pub(crate) position: u64,
    /// What was taken from the store, and what the client has not got yet.
    pub(crate) taken: VecDeque<Entry>,
    /// Whether the objects at the beginning are in the version of the watch already.
    pub(crate) initial_is_shown: bool,
    /// Whether the client gets a bookmark after the objects that were there when the watch began.
    pub(crate) marks_initial: bool,
    /// The time for ages in tables.
    pub(crate) now: i64,
    /// The first table describes them.
    pub(crate) columns: Columns,
    pub(crate) is_over: bool,
    /// How many events the client still gets, if a test ends the watch.
    pub(crate) ends_after: Option<usize>,
    /// How much later the client gets each event, if a test delays them.
    pub(crate) delay: Delay,
    /// How long the watch lasts at most.
    pub(crate) timeout: Option<Duration>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().store.end_watch(&self.resource, self.id);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("resource", &self.resource).field("position", &self.position).finish()
    }
}

/// How much later a client gets the next event.
#[derive(Debug)]
pub(crate) enum Delay {
    None,
    Always(Duration),
    /// A time that differs from event to event.
    Shuffled(Random),
}

impl Delay {
    pub(crate) fn next(&mut self) -> Option<Duration> {
        match self {
            Delay::None => None,
            Delay::Always(delay) => Some(*delay),
            Delay::Shuffled(random) => Some(random.moment()),
        }
    }
}

/// What a watch has for its client.
#[derive(Debug)]
pub(crate) enum Next {
    Line(Bytes),
    /// Webhooks must be called first.
    Calls(Vec<Wanted>),
    /// Nothing yet. The task is woken once there is more.
    Pending,
    Over,
}

/// An object in the version of the watch, if the client has selected it.
type Shown = Option<Arc<Object>>;

/// How many entries that the client has not selected a watch skips before other tasks have their turn.
const MOST_SKIPPED: usize = 256;

impl Watch {
    pub(crate) fn content_type(&self) -> &'static str {
        match self.syntax {
            Syntax::Protobuf => "application/vnd.kubernetes.protobuf;stream=watch",
            Syntax::Json | Syntax::Yaml => "application/json",
        }
    }

    /// The next line of the answer.
    pub(crate) fn next(&mut self, waker: &Waker) -> Next {
        if self.ends_after == Some(0) {
            self.is_over = true;
        }
        let next = self.next_line(waker);
        if let (Next::Line(_), Some(rest)) = (&next, &mut self.ends_after) {
            *rest -= 1;
        }
        next
    }

    /// The next line. It is written without the lock, and only when the client has read what came before.
    fn next_line(&mut self, waker: &Waker) -> Next {
        for _ in 0..MOST_SKIPPED {
            if self.is_over {
                return Next::Over;
            }
            let Some(entry) = self.taken.front().cloned() else {
                self.hooks.forget();
                match self.take(waker) {
                    None => continue,
                    Some(next) => return next,
                }
            };
            let line = self.line_of(&entry);
            if self.hooks.is_waiting() {
                // The webhook converts the objects of the next entries as well.
                let rest: Vec<Entry> = self.taken.iter().skip(1).cloned().collect();
                rest.iter().for_each(|entry| drop(self.shown_around(entry)));
                return Next::Calls(self.hooks.wanted());
            }
            self.taken.pop_front();
            if let Entry::Change(event) = &entry {
                self.position = event.revision;
            }
            match line {
                Ok(None) => {}
                Ok(Some(line)) => return Next::Line(line),
                Err(why) => {
                    self.is_over = true;
                    return Next::Line(self.event("ERROR", &why.to_value()));
                }
            }
        }
        waker.wake_by_ref();
        Next::Pending
    }

    /// Takes entries from the store. Returns what the client gets, if there are none.
    fn take(&mut self, waker: &Waker) -> Option<Next> {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        // The server ends the watches of a CRD that changes or goes, and clients begin new ones.
        let is_served = state.registry.get(&self.kind.resource).is_some_and(|kind| kind.id == self.kind.id);
        self.now = state.clock.seconds();
        match state.store.take(&self.resource, self.id, waker) {
            Taken::Entries(entries) => {
                self.taken.extend(entries);
                None
            }
            // What was saved before the storage failed is shown first.
            Taken::Nothing if !is_served || shared.failed().is_some() => {
                self.is_over = true;
                Some(Next::Over)
            }
            Taken::Nothing => {
                // The changes since then are of other resources.
                self.position = self.position.max(state.store.shown());
                Some(Next::Pending)
            }
            Taken::Forgotten => {
                let (asked, oldest) = (self.position, state.store.revision());
                let why = Failure::expired(format!("too old resource version: {asked} ({oldest})"));
                self.is_over = true;
                Some(Next::Line(self.event("ERROR", &why.to_value())))
            }
            Taken::CutOff => {
                self.is_over = true;
                Some(Next::Over)
            }
        }
    }

    /// What a watch sends before it ends because its time is over.
    pub(crate) fn last(&mut self) -> Option<Bytes> {
        // The server sends it two seconds before the end, if the watch takes longer.
        let has_bookmark = self.bookmarks && !self.is_over && self.timeout > Some(Duration::from_secs(2));
        self.is_over = true;
        // A client that goes on from the bookmark gets everything that it has not got here.
        has_bookmark.then(|| self.bookmark(None))
    }

    fn bookmark(&mut self, annotations: Option<Value>) -> Bytes {
        let mut object = map([
            ("apiVersion", self.kind.api_version(&self.version).into()),
            ("kind", self.kind.names.kind.as_str().into()),
        ]);
        meta::set(&mut object, "resourceVersion", Some(self.position.to_string().into()));
        meta::set(&mut object, "annotations", annotations);
        let object = self.in_form(&object);
        self.event("BOOKMARK", &object)
    }

    /// An object in the version of the watch, if the client has selected it.
    fn shown(&self, stored: &Arc<Object>) -> Result<Option<Arc<Object>>, Failure> {
        if !self.namespace.is_empty() && meta::text(stored, "namespace") != self.namespace {
            return Ok(None);
        }
        let shown = self.hooks.read(&self.kind, stored, &self.version).map_err(Failure::from)?;
        Ok(self.selector.matches(self.writer.served(), &shown).then_some(shown))
    }

    /// The object of an entry before and after its change.
    fn shown_around(&self, entry: &Entry) -> Result<(Shown, Shown), Failure> {
        match entry {
            Entry::AllInitial => Ok((None, None)),
            Entry::Initial(object) if self.initial_is_shown => Ok((None, Some(Arc::clone(object)))),
            Entry::Initial(object) => Ok((None, self.shown(object)?)),
            Entry::Change(event) => {
                let before = event.before().map_or(Ok(None), |before| self.shown(before));
                let after = event.after().map_or(Ok(None), |after| self.shown(after));
                Ok((before?, after?))
            }
        }
    }

    /// Makes the calls that the watch needs.
    pub(crate) async fn call(mut self: Box<Watch>, wanted: Vec<Wanted>) -> Box<Watch> {
        self.hooks.call(wanted).await;
        self
    }

    /// The line for an entry. For the client an object that leaves its selection is deleted.
    fn line_of(&mut self, entry: &Entry) -> Result<Option<Bytes>, Failure> {
        if let (Entry::AllInitial, true) = (entry, self.marks_initial) {
            let ends = map([("k8s.io/initial-events-end", "true".into())]);
            return Ok(Some(self.bookmark(Some(ends))));
        }
        let key = self.shared_line(entry);
        if let Some(line) = key.as_ref().and_then(|key| self.shared.lines().get(key)) {
            return Ok(Some(bytes(line)));
        }
        let (ty, object) = match self.shown_around(entry)? {
            (None, None) => return Ok(None),
            (None, Some(after)) => ("ADDED", after),
            (Some(_), Some(after)) => ("MODIFIED", after),
            (Some(before), None) => {
                let mut before = Value::clone(&before);
                if let Entry::Change(event) = entry {
                    meta::set(&mut before, "resourceVersion", Some(event.revision.to_string().into()));
                }
                ("DELETED", Arc::new(before.into()))
            }
        };
        if self.syntax == Syntax::Protobuf {
            let object = self.in_form(&object);
            return Ok(Some(self.event(ty, &object)));
        }
        let line = match (entry, self.form) {
            // They share their texts with lists.
            (Entry::Initial(_), Form::Plain | Form::Discovery) => line_of_text(ty, object.text()),
            _ => line(ty, &self.in_form(&object)),
        };
        let line = Line::new(line);
        if let Some(key) = key {
            self.shared.lines().add(key, &line);
        }
        Ok(Some(bytes(line)))
    }

    /// What the line of an entry has in common with those of other watches. `None` if the line depends on the watch.
    fn shared_line(&self, entry: &Entry) -> Option<LineKey> {
        let is_plain = matches!(self.form, Form::Plain | Form::Discovery) && self.syntax != Syntax::Protobuf;
        if !is_plain || !self.selector.is_everything() || self.kind.conversion().is_some() {
            return None;
        }
        let (ty, object, revision) = match entry {
            Entry::AllInitial => return None,
            Entry::Initial(object) => ("ADDED", object, meta::text(object, "resourceVersion").parse().ok()?),
            Entry::Change(event) => match (event.before(), event.after()) {
                (None, _) => ("ADDED", &event.object, event.revision),
                (Some(_), Some(_)) => ("MODIFIED", &event.object, event.revision),
                (Some(_), None) => ("DELETED", &event.object, event.revision),
            },
        };
        let is_selected = self.namespace.is_empty() || meta::text(object, "namespace") == self.namespace;
        is_selected.then(|| LineKey { kind: self.kind.id, version: self.version.clone(), revision, ty })
    }

    /// An event, as the client gets it.
    fn event(&self, ty: &str, object: &Value) -> Bytes {
        match self.syntax {
            Syntax::Protobuf => protobuf::event(ty, object).unwrap_or_default().into(),
            Syntax::Json | Syntax::Yaml => line(ty, object).into(),
        }
    }

    /// An object in the form that the client accepts.
    fn in_form(&mut self, object: &Value) -> Value {
        match self.form {
            Form::Plain | Form::Discovery => object.clone(),
            Form::Metadata(form) => metadata_only(object, form),
            Form::Table(form) => {
                let metadata = map([("resourceVersion", meta::text(object, "resourceVersion").into())]);
                let columns = std::mem::replace(&mut self.columns, Columns::Known);
                let served = self.writer.served();
                let table = served.version(&self.version).ok().and_then(|version| {
                    let include = &self.include_object;
                    let rows = Rows {
                        kind: &self.kind,
                        served,
                        version,
                        now: self.now,
                        include,
                        form,
                        default_class: String::new(),
                    };
                    rows.table(&[object], metadata, columns).ok()
                });
                table.unwrap_or_default()
            }
        }
    }
}

fn line(ty: &str, object: &Value) -> String {
    line_of_text(ty, &json::to_string(object))
}

/// A line with the text of an object.
fn line_of_text(ty: &str, object: &str) -> String {
    let mut line = String::with_capacity(object.len() + ty.len() + 32);
    json::write_members([("object", object), ("type", &format!("\"{ty}\""))], &mut line);
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_with_and_without_a_text() {
        let text = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
        let object = json::read(text.as_bytes()).expect("JSON");
        assert_eq!(line_of_text("ADDED", text), line("ADDED", &object));
    }
}
