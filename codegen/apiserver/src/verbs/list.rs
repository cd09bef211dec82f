//! Lists objects.

use super::Call;
use crate::answer::Answer;
use crate::request::VersionMatch;
use crate::select::Selector;
use crate::show::Rest;
use crate::status::{Cause, Details, Failure, Mistake, Source};
use crate::store::{Key, Object, Token};
use crdgen_core::diag::Kind;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn list(&mut self) -> Result<Answer, Failure> {
        let selector = self.selector()?;
        let query = &self.request.query;
        let current = self.state.store.revision();
        let asked = self
            .asked_version()
            .map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?;
        let token = match query.next.as_str() {
            "" => None,
            text => Some(Token::read(text).ok_or_else(|| {
                Failure::bad_request("continue key is not valid: encoding/json: invalid character")
            })?),
        };
        self.check_list_options()?;
        check_known(asked, current)?;
        // Clients can write tokens too.
        check_known(token.as_ref().map_or(0, |token| token.revision), current)?;
        let is_exact = query.version_match == Some(VersionMatch::Exact)
            || query.version_match.is_none() && asked > 0 && query.limit > 0;
        let (revision, after) = match &token {
            Some(token) => (token.revision, Some(token.last.clone())),
            None if is_exact => (asked, None),
            None => (current, None),
        };
        let (resource, namespace) = (&self.kind.stored_in, &self.path.namespace);
        if revision == current {
            let found = self.state.store.objects_after(resource, namespace, after.as_ref());
            return self.part(found, &selector, revision);
        }
        let old = self.state.store.at(resource, revision).ok_or_else(|| {
            Failure::expired(match token {
                None => "The resourceVersion for the provided list is too old.",
                Some(_) => {
                    "The provided continue parameter is too old to display a consistent list result. You can start a new \
                     list without the continue parameter."
                }
            })
        })?;
        let is_after = |key: &Key| after.as_ref().is_none_or(|last| key > last);
        let is_inside = |key: &Key| namespace.is_empty() || key.namespace == *namespace;
        self.part(old.iter().filter(|(key, _)| is_after(key) && is_inside(key)), &selector, revision)
    }

    /// Checks the options of a list in the query.
    pub(super) fn check_list_options(&self) -> Result<(), Failure> {
        let query = &self.request.query;
        let forbidden = |field: &'static str, why: &str| Mistake::new(field, Kind::Forbidden, why.to_owned());
        let mut mistakes = Vec::new();
        if query.version_match.is_some() && query.resource_version.is_empty() {
            let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            mistakes.push(forbidden("resourceVersionMatch", why));
        }
        if query.initial_events.is_some() {
            mistakes.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        Failure::check_options("ListOptions", &mistakes)
    }

    /// A part of a list: as many objects as the client wants.
    fn part<'o>(
        &self,
        objects: impl Iterator<Item = (&'o Key, &'o Arc<Object>)>,
        selector: &Selector,
        revision: u64,
    ) -> Result<Answer, Failure> {
        let limit = self.request.query.limit;
        let mut objects = objects.peekable();
        let (mut items, mut rest) = (Vec::new(), None);
        while let Some((key, object)) = objects.next() {
            let shown = self.shown(object);
            // The webhook converts all objects of the answer at once, so the others are looked at as well.
            if shown.as_ref().is_ok_and(|shown| !selector.matches(self.served(), shown)) {
                continue;
            }
            items.push(shown);
            if limit > 0 && items.len() >= limit && objects.peek().is_some() {
                let remaining = selector.is_everything().then(|| objects.count());
                rest = Some(Rest { token: Token { revision, last: key.clone() }, remaining });
                break;
            }
        }
        let query = &self.request.query;
        // What a cache does not have, the server reads from its storage.
        let source =
            match limit > 0 || !query.next.is_empty() || query.version_match == Some(VersionMatch::Exact) {
                true => Source::Storage,
                false => Source::Cache,
            };
        let items = self.all_shown(items, source)?;
        self.many(items, revision, rest)
    }
}

/// A version that does not exist yet cannot be read.
pub(crate) fn check_known(asked: u64, current: u64) -> Result<(), Failure> {
    if asked <= current {
        return Ok(());
    }
    let message = "Too large resource version";
    let cause = Cause {
        reason: "ResourceVersionTooLarge".to_owned(),
        message: message.to_owned(),
        field: String::new(),
    };
    let details = Details { causes: vec![cause], retry_after: 1, ..Details::default() };
    Err(Failure::new(504, "Timeout", format!("Timeout: {message}: {asked}, current: {current}"))
        .with(details))
}
