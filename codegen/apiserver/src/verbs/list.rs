//! Lists objects.

use super::Call;
use crate::answer::Answer;
use crate::request::VersionMatch;
use crate::show::Rest;
use crate::status::{Cause, Details, Failure, Mistake};
use crate::store::{Key, Token};
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn list(&mut self) -> Result<Answer, Failure> {
        let selector = self.selector()?;
        let query = &self.request.query;
        let current = self.state.store.revision();
        let asked = Self::check_version_text(&query.resource_version)?;
        let token = match query.next.as_str() {
            "" => None,
            text => Some(Token::read(text).ok_or_else(|| {
                Failure::bad_request("continue key is not valid: encoding/json: invalid character")
            })?),
        };
        if query.version_match.is_some() && query.resource_version.is_empty() {
            let why = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            let mistake = Mistake::new("resourceVersionMatch", Kind::Forbidden, why);
            return Err(Failure::invalid_option("ListOptions", mistake));
        }
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
        let (resource, namespace) = (&self.kind.resource, &self.path.namespace);
        let objects: Vec<(Key, Arc<Value>)> = if revision == current {
            let objects = self.state.store.objects(resource, namespace);
            objects.map(|(key, object)| (key.clone(), Arc::clone(object))).collect()
        } else {
            let old = self.state.store.at(resource, revision).ok_or_else(|| {
                Failure::expired(match token {
                    None => "The resourceVersion for the provided list is too old.",
                    Some(_) => {
                        "The provided continue parameter is too old to display a consistent list result. You can start a new \
                         list without the continue parameter."
                    }
                })
            })?;
            old.into_iter().filter(|(key, _)| namespace.is_empty() || key.namespace == *namespace).collect()
        };
        let start = after.map_or(0, |last| objects.partition_point(|(key, _)| *key <= last));
        let (mut items, mut rest) = (Vec::new(), None);
        let mut objects = objects.into_iter().skip(start).peekable();
        while let Some((key, object)) = objects.next() {
            let shown = self.shown(&object);
            // The webhook converts all objects of the answer at once, so the others are looked at as well.
            if shown.as_ref().is_ok_and(|shown| !selector.matches(self.served(), shown)) {
                continue;
            }
            items.push(shown);
            if query.limit > 0 && items.len() >= query.limit && objects.peek().is_some() {
                let remaining = selector.is_everything().then(|| objects.len());
                rest = Some(Rest { token: Token { revision, last: key }, remaining });
                break;
            }
        }
        let items = self.all_shown(items)?;
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
    Err(Failure::new(504, "Timeout", format!("{message}: {asked}, current: {current}")).with(details))
}
