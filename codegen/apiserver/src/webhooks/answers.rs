//! The answers of webhooks that a request has got, and those that it still needs.

use super::Endpoint;
use crate::status::Failure;
use crate::store::Resource;
use crdgen_core::json;
use crdgen_core::object::conversion::{Request, Unconverted};
use crdgen_core::value::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The answer of a webhook, or why there is none.
pub(crate) type Outcome = Result<Value, Unanswered>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// The webhook has not answered.
    Silent(String),
    /// The webhook has answered, and not with a review.
    Unusable(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Silent(why) | Unanswered::Unusable(why) => f.write_str(why),
        }
    }
}

/// The converted object, or why there is none.
pub(super) type Converted = Result<Value, Unconverted>;

/// An object to convert: its resource, the wanted `apiVersion`, and the object as JSON.
type Key = (Resource, String, String);

/// What has been asked and answered.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    reviews: BTreeMap<(Endpoint, String), Outcome>,
    converted: BTreeMap<Key, Converted>,
    wanted_reviews: Vec<(Endpoint, Value)>,
    to_convert: BTreeMap<(Resource, String), ToConvert>,
    /// Objects of reviews that have failed. Each gets a review of its own, as the server sends them: so the failure is about one
    /// object, and in the server's words.
    alone: BTreeSet<Key>,
}

/// Objects that one review shall convert.
#[derive(Debug)]
struct ToConvert {
    conversion: crdgen_core::ir::Conversion,
    /// The objects as JSON, each once.
    known: BTreeSet<String>,
    objects: Vec<(String, Value)>,
}

/// A call to make.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) endpoint: Endpoint,
    pub(crate) review: Value,
    purpose: Purpose,
}

impl Wanted {
    pub(super) fn is_conversion(&self) -> bool {
        matches!(self.purpose, Purpose::Convert { .. })
    }
}

#[derive(Debug)]
enum Purpose {
    Review,
    Convert { request: Request, keys: Vec<Key> },
}

/// A UUID of a text. The same review has the same uid, so that a request that runs again finds its answer.
pub(super) fn uid(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let mut number = u128::from_be_bytes(std::array::from_fn(|index| hash[index]));
    number = number & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let hex = format!("{number:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The time that the server gives a webhook to convert objects, in seconds.
const CONVERSION_TIMEOUT: u32 = 30;

impl Answers {
    pub(super) fn is_waiting(&self) -> bool {
        !self.wanted_reviews.is_empty() || !self.to_convert.is_empty()
    }

    /// The converted object. `None` if the webhook must be asked first.
    pub(super) fn converted(
        &mut self,
        resource: &Resource,
        conversion: &crdgen_core::ir::Conversion,
        object: &Value,
        api_version: &str,
    ) -> Option<Converted> {
        let key = (resource.clone(), api_version.to_owned(), json::to_string(object));
        if let Some(found) = self.converted.get(&key) {
            return Some(found.clone());
        }
        let (resource, api_version, text) = key;
        let group = self.to_convert.entry((resource, api_version)).or_insert_with(|| ToConvert {
            conversion: conversion.clone(),
            known: BTreeSet::new(),
            objects: Vec::new(),
        });
        if group.known.insert(text.clone()) {
            group.objects.push((text, object.clone()));
        }
        None
    }

    /// The answer to a review, and the uid that the review has got. `None` if the webhook must be asked first.
    pub(super) fn reviewed(&mut self, endpoint: &Endpoint, review: &Value) -> (String, Option<Outcome>) {
        let uid = uid(&format!("{} {}", endpoint.url, json::to_string(review)));
        let mut review = review.clone();
        if let Some(Value::Map(request)) = review.as_map_mut().and_then(|map| map.get_mut("request")) {
            request.insert("uid", Value::from(uid.as_str()));
        }
        let key = (endpoint.clone(), json::to_string(&review));
        let found = self.reviews.get(&key).cloned();
        if found.is_none() && !self.wanted_reviews.iter().any(|it| it.0 == *endpoint && it.1 == review) {
            self.wanted_reviews.push((endpoint.clone(), review));
        }
        (uid, found)
    }

    pub(super) fn take_wanted(&mut self) -> Vec<Wanted> {
        let mut out = Vec::new();
        for (endpoint, review) in std::mem::take(&mut self.wanted_reviews) {
            out.push(Wanted { endpoint, review, purpose: Purpose::Review });
        }
        for ((resource, desired), group) in std::mem::take(&mut self.to_convert) {
            let ToConvert { conversion, known: _, objects } = group;
            let objects =
                objects.into_iter().map(|(text, object)| ((resource.clone(), desired.clone(), text), object));
            let (alone, together): (Vec<_>, Vec<_>) = objects.partition(|(key, _)| self.alone.contains(key));
            for objects in alone.into_iter().map(|object| vec![object]).chain([together]) {
                if !objects.is_empty() {
                    out.extend(self.conversion(&conversion, &desired, objects));
                }
            }
        }
        out
    }

    /// The call that converts objects. `None` if the webhook cannot be asked.
    fn conversion(
        &mut self,
        conversion: &crdgen_core::ir::Conversion,
        desired: &str,
        objects: Vec<(Key, Value)>,
    ) -> Option<Wanted> {
        let texts: Vec<&str> = objects.iter().map(|((_, _, text), _)| text.as_str()).collect();
        let uid = uid(&format!("{desired} {}", texts.join(" ")));
        let (keys, objects): (Vec<Key>, Vec<Value>) = objects.into_iter().unzip();
        match Request::new(conversion, &uid, desired, objects) {
            Err(why) => {
                self.converted.extend(keys.into_iter().map(|key| (key, Err(why.clone()))));
                None
            }
            Ok(request) => Some(Wanted {
                endpoint: Endpoint::of(conversion.client_config.as_ref(), CONVERSION_TIMEOUT),
                review: request.to_value(),
                purpose: Purpose::Convert { request, keys },
            }),
        }
    }

    /// Remembers the outcomes of calls.
    pub(super) fn add(&mut self, outcomes: Vec<(Wanted, Outcome)>) {
        for (Wanted { endpoint, review, purpose }, outcome) in outcomes {
            match purpose {
                Purpose::Review => {
                    self.reviews.insert((endpoint, json::to_string(&review)), outcome);
                }
                Purpose::Convert { request, keys } => {
                    let converted = match outcome {
                        Ok(answer) => request.read(&answer),
                        Err(why) => Err(request.failed(&why.to_string())),
                    };
                    match converted {
                        Ok(objects) => {
                            self.converted.extend(keys.into_iter().zip(objects.into_iter().map(Ok)));
                        }
                        Err(_) if keys.len() > 1 => self.alone.extend(keys),
                        Err(why) => {
                            self.converted.extend(keys.into_iter().map(|key| (key, Err(why.clone()))));
                        }
                    }
                }
            }
        }
    }
}

/// Why a request ends without having done anything. No client gets it, because the request runs again.
pub(crate) fn waiting() -> Failure {
    Failure::internal("a webhook has not answered yet")
}

#[cfg(test)]
mod tests {
    use super::uid;

    #[test]
    fn uids_of_reviews_are_of_version_4() {
        let one = uid("a");
        assert_eq!((one.len(), &one[14..15]), (36, "4"));
        assert!(matches!(&one[19..20], "8" | "9" | "a" | "b"), "{one}");
        assert_ne!(one, uid("b"));
    }
}
