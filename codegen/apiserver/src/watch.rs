//! Watches: the changes of objects, one after the other.

use crate::meta::{self, map};
use crate::random::Random;
use crate::registry::Kind;
use crate::request::Form;
use crate::select::Selector;
use crate::show::{Rows, metadata_only};
use crate::state::Shared;
use crate::status::Failure;
use crate::store::{Event, Resource, WatchId};
use crate::webhooks::{Hooks, Wanted};
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
    pub(crate) include_object: String,
    pub(crate) bookmarks: bool,
    /// The revision of the last change that was looked at.
    pub(crate) position: u64,
    /// Lines that the client has not got yet.
    pub(crate) lines: VecDeque<String>,
    pub(crate) has_columns: bool,
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
    Line(String),
    /// Webhooks must be called first.
    Calls(Vec<Wanted>),
    /// Nothing yet. The task is woken once there is more.
    Pending,
    Over,
}

impl Watch {
    /// The next line of the answer.
    pub(crate) fn next(&mut self, waker: &Waker) -> Next {
        if self.ends_after == Some(0) {
            self.is_over = true;
            return Next::Over;
        }
        let next = self.next_line(waker);
        if let (Next::Line(_), Some(rest)) = (&next, &mut self.ends_after) {
            *rest -= 1;
        }
        next
    }

    fn next_line(&mut self, waker: &Waker) -> Next {
        if let Some(line) = self.lines.pop_front() {
            return Next::Line(line);
        }
        if self.is_over {
            return Next::Over;
        }
        let shared = self.shared.clone();
        let mut state = shared.lock();
        if state.registry.get(&self.resource).is_none() || state.failed().is_some() {
            self.is_over = true;
            return Next::Over;
        }
        let now = state.clock.seconds();
        let changes = state.store.changes(&self.resource, self.position);
        let changes: Option<Vec<Event>> = changes.map(|changes| changes.cloned().collect());
        match changes {
            None => {
                let (asked, oldest) = (self.position, state.store.revision());
                let why = Failure::expired(format!("too old resource version: {asked} ({oldest})"));
                self.line("ERROR", why.to_value());
                self.is_over = true;
            }
            Some(events) => {
                // One review converts the objects of all events.
                let shown = events.iter().map(|event| self.shown_around(event)).collect::<Vec<_>>();
                if self.hooks.is_waiting() {
                    return Next::Calls(self.hooks.wanted());
                }
                self.hooks.forget();
                for (event, shown) in events.iter().zip(shown) {
                    self.position = event.revision;
                    match shown {
                        Ok((before, after)) => self.event(event, before, after, now),
                        Err(why) => {
                            self.line("ERROR", why.to_value());
                            self.is_over = true;
                            break;
                        }
                    }
                }
            }
        }
        match self.lines.pop_front() {
            Some(line) => Next::Line(line),
            None => {
                state.store.wait(&self.resource, self.id, waker);
                Next::Pending
            }
        }
    }

    /// What a watch sends before it ends because its time is over.
    pub(crate) fn last(&mut self) -> Option<String> {
        if self.bookmarks && !self.is_over {
            self.position = self.position.max(self.shared.lock().store.revision());
            self.bookmark(None);
        }
        self.is_over = true;
        self.lines.pop_front()
    }

    fn line(&mut self, ty: &str, object: Value) {
        let mut line = json::to_string(&map([("type", ty.into()), ("object", object)]));
        line.push('\n');
        self.lines.push_back(line);
    }

    pub(crate) fn bookmark(&mut self, annotations: Option<Value>) {
        let mut object = map([
            ("apiVersion", self.kind.api_version(&self.version).into()),
            ("kind", self.kind.names.kind.as_str().into()),
        ]);
        meta::set(&mut object, "resourceVersion", Some(self.position.to_string().into()));
        meta::set(&mut object, "creationTimestamp", Some(Value::Null));
        meta::set(&mut object, "annotations", annotations);
        self.line("BOOKMARK", object);
    }

    /// An object in the version of the watch, if the client has selected it.
    fn shown(&self, stored: &Value) -> Result<Option<Value>, Failure> {
        if !self.namespace.is_empty() && meta::text(stored, "namespace") != self.namespace {
            return Ok(None);
        }
        let shown = self.hooks.read(&self.kind, stored, &self.version).map_err(Failure::from)?;
        Ok(self.selector.matches(self.writer.served(), &shown).then_some(shown))
    }

    /// The object before and after a change.
    fn shown_around(&self, event: &Event) -> Result<(Option<Value>, Option<Value>), Failure> {
        let before = event.before().map_or(Ok(None), |before| self.shown(before));
        let after = event.after().map_or(Ok(None), |after| self.shown(after));
        Ok((before?, after?))
    }

    /// Makes the calls that the watch needs.
    pub(crate) async fn call(mut self: Box<Watch>, wanted: Vec<Wanted>) -> Box<Watch> {
        self.hooks.call(wanted).await;
        self
    }

    /// An object that was there when the watch began, in its version.
    pub(crate) fn added(&mut self, shown: Value, now: i64) {
        self.send("ADDED", shown, now);
    }

    /// A change of an object. For the client an object that leaves its selection is deleted.
    fn event(&mut self, event: &Event, before: Option<Value>, after: Option<Value>, now: i64) {
        match (before, after) {
            (None, None) => {}
            (None, Some(after)) => self.send("ADDED", after, now),
            (Some(_), Some(after)) => self.send("MODIFIED", after, now),
            (Some(mut before), None) => {
                meta::set(&mut before, "resourceVersion", Some(event.revision.to_string().into()));
                self.send("DELETED", before, now);
            }
        }
    }

    fn send(&mut self, ty: &str, object: Value, now: i64) {
        let object = match self.form {
            Form::Plain | Form::Discovery => object,
            Form::Metadata => metadata_only(&object),
            Form::Table => {
                let metadata = map([("resourceVersion", meta::text(&object, "resourceVersion").into())]);
                let with_columns = !std::mem::replace(&mut self.has_columns, true);
                let (kind, writer) = (Arc::clone(&self.kind), Arc::clone(&self.writer));
                let served = writer.served();
                let table = served.version(&self.version).ok().and_then(|version| {
                    let include = &self.include_object;
                    let rows = Rows { kind: &kind, served, version, now, include };
                    rows.table(vec![object], metadata, with_columns).ok()
                });
                table.unwrap_or_default()
            }
        };
        self.line(ty, object);
    }
}
