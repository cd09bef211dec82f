//! Starts watches.

use super::Call;
use super::list::check_known;
use crate::answer::{Answer, Content};
use crate::select::Selector;
use crate::show::Columns;
use crate::status::{Failure, Source};
use crate::store::Object;
use crate::watch::{Delay, Watch};
use crate::webhooks::Hooks;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The longest time of a watch without `timeoutSeconds`: the server takes between 30 and 60 minutes.
const LONGEST: Duration = Duration::from_secs(45 * 60);

impl Call<'_> {
    pub(super) fn watch(&mut self) -> Result<Answer, Failure> {
        let query = &self.request.query;
        self.check_list_options()?;
        let selector = self.selector()?;
        let current = self.state.store.revision();
        let asked = self.asked_version().map_err(|why| Failure::new(500, "", why.to_string()))?;
        let sends_initial = query.initial_events == Some(true);
        if sends_initial {
            check_known(asked, current)?;
        }
        let shows_all = sends_initial || asked == 0 && query.initial_events != Some(false);
        let converted = self.kind.conversion().is_some();
        let initial = match (shows_all, converted) {
            (false, _) => None,
            (true, false) => Some(self.state.store.initial(&self.kind.stored_in)),
            // The server converts objects before it answers. If it cannot, it says so.
            (true, true) => Some(self.selected(&selector)?.into()),
        };
        // A watch from a future revision gets the changes after it.
        let position = if shows_all || asked == 0 { current } else { asked };
        let resource = self.resource();
        let watch = Watch {
            id: self.state.store.start_watch(&resource, position, initial),
            shared: self.shared.clone(),
            hooks: Hooks::new(self.hooks.caller().clone()),
            resource,
            kind: Arc::clone(&self.kind),
            writer: Arc::clone(&self.writer),
            version: self.path.version.clone(),
            namespace: self.path.namespace.clone(),
            selector,
            form: self.form,
            syntax: self.syntax,
            include_object: query.include_object.clone(),
            bookmarks: query.bookmarks,
            position,
            taken: VecDeque::new(),
            initial_is_shown: converted,
            marks_initial: sends_initial && query.bookmarks,
            now: self.state.clock.seconds(),
            columns: Columns::Described,
            is_over: false,
            ends_after: None,
            delay: Delay::None,
            timeout: Some(query.timeout.unwrap_or(LONGEST)),
        };
        Ok(Answer::new(200, Content::Watch(Box::new(watch))))
    }

    /// The objects that are selected, in the version of the request.
    fn selected(&self, selector: &Selector) -> Result<Vec<Arc<Object>>, Failure> {
        let mut found = Vec::new();
        for (_, object) in self.state.store.objects(&self.kind.stored_in, &self.path.namespace) {
            let shown = self.shown(object);
            if !shown.as_ref().is_ok_and(|shown| !selector.matches(self.served(), shown)) {
                found.push(shown);
            }
        }
        self.all_shown(found, Source::Cache)
    }
}
