//! Lists objects.

use super::Call;
use crate::answer::Answer;
use crate::request::VersionMatch;
use crate::select::Selector;
use crate::show::Rest;
use crate::status::{Cause, Details, Failure, Mistake, Source};
use crate::store::{Key, Object, Token};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use http::Method;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn list(&mut self) -> Result<Answer, Failure> {
        let Page { objects, revision, rest } = self.page()?;
        self.many(objects.into_iter().map(|(_, shown)| shown).collect(), revision, rest)
    }

    /// The objects that a list returns, or of which a deletion of many objects deletes all.
    pub(super) fn page(&self) -> Result<Page, Failure> {
        self.check_list_options()?;
        let selector = self.selector()?;
        let query = &self.request.query;
        let current = self.state.store.revision();
        let token = match query.next.as_str() {
            "" => None,
            text => Some(Token::read(text).map_err(|why| {
                Failure::bad_request(format!("invalid continue token: continue key is not valid{why}"))
            })?),
        };
        if token.is_some() && !matches!(query.resource_version.as_str(), "" | "0") {
            return Err(Failure::bad_request(
                "specifying resource version is not allowed when using continue",
            ));
        }
        let asked = self
            .asked_version()
            .map_err(|why| Failure::bad_request(format!("invalid resource version: {why}")))?;
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

    /// Checks the options of lists and watches in the query.
    pub(super) fn check_list_options(&self) -> Result<(), Failure> {
        const FIELD: &str = "resourceVersionMatch";
        let query = &self.request.query;
        let mut mistakes = Vec::new();
        let mut forbid = |field: &'static str, why: &str| {
            mistakes.push(Mistake::new(field, Kind::Forbidden, why.to_owned()));
        };
        let unsupported = |found: &VersionMatch, known: &str| {
            let text = go::quote(found.name());
            Mistake::new(FIELD, Kind::NotSupported, format!("{text}: supported values: {known}"))
        };
        let is_continued = !query.next.is_empty();
        let continued = "resourceVersionMatch is forbidden when continue is provided";
        if query.watch {
            let (initial, version_match) = query.initial();
            let is_right = version_match == Some(&VersionMatch::NotOlderThan);
            if initial.is_some() && !is_right {
                forbid(FIELD, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
            }
            if initial.is_none() && version_match.is_some() {
                forbid(
                    FIELD,
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
                );
            }
            if is_continued && version_match.is_some() {
                forbid(FIELD, continued);
            }
            mistakes
                .extend(version_match.filter(|_| !is_right).map(|it| unsupported(it, "\"NotOlderThan\"")));
            return Failure::check_options("ListOptions", &mistakes);
        }
        if let Some(version_match) = &query.version_match {
            if query.resource_version.is_empty() {
                forbid(FIELD, "resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            if is_continued {
                forbid(FIELD, continued);
            }
            match version_match {
                VersionMatch::Exact if query.resource_version == "0" => {
                    forbid(FIELD, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
                }
                VersionMatch::Exact | VersionMatch::NotOlderThan => {}
                VersionMatch::Other(_) => {
                    mistakes.push(unsupported(version_match, "\"Exact\", \"NotOlderThan\", \"\""));
                }
            }
        }
        if query.initial_events.is_some() {
            mistakes.push(Mistake::new(
                "sendInitialEvents",
                Kind::Forbidden,
                "sendInitialEvents is forbidden for list",
            ));
        }
        Failure::check_options("ListOptions", &mistakes)
    }

    /// A part of a list: as many objects as the client wants.
    fn part<'o>(
        &self,
        objects: impl Iterator<Item = (&'o Key, &'o Arc<Object>)>,
        selector: &Selector,
        revision: u64,
    ) -> Result<Page, Failure> {
        let query = &self.request.query;
        let is_exact = query.version_match == Some(VersionMatch::Exact);
        // The cache of the server has no parts.
        let limit = if query.resource_version == "0" && !is_exact { 0 } else { query.limit };
        let mut objects = objects.peekable();
        let (mut lives, mut items, mut rest) = (Vec::new(), Vec::new(), None);
        while let Some((key, object)) = objects.next() {
            let shown = self.shown(object);
            // The webhook converts all objects of the answer at once, so the others are looked at as well.
            if shown.as_ref().is_ok_and(|shown| !selector.matches(self.served(), shown)) {
                continue;
            }
            lives.push(Arc::clone(object));
            items.push(shown);
            if limit > 0 && items.len() >= limit && objects.peek().is_some() {
                let remaining = selector.is_everything().then(|| objects.count());
                rest = Some(Rest { token: Token { revision, last: key.clone() }, remaining });
                break;
            }
        }
        // What a cache does not have, the server reads from its storage.
        let is_read =
            limit > 0 || !query.next.is_empty() || is_exact || self.request.method == Method::DELETE;
        let source = if is_read { Source::Storage } else { Source::Cache };
        let items = self.all_shown(items, source)?;
        Ok(Page { objects: lives.into_iter().zip(items).collect(), revision, rest })
    }
}

/// Objects of a list.
pub(super) struct Page {
    /// As they are stored, and in the version of the request.
    pub(super) objects: Vec<(Arc<Object>, Arc<Object>)>,
    pub(super) revision: u64,
    pub(super) rest: Option<Rest>,
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
