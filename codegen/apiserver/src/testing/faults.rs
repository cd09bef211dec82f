//! Faults by rule.

use super::record::{Recorded, VERBS};
use crate::status::{Details, Failure};
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// 409: somebody else has changed the object.
    Conflict,
    /// 410: the version is too old.
    Expired,
    /// 429: the client shall wait some seconds.
    TooManyRequests,
    /// 500: the server has an error. Nothing was done.
    Internal,
    /// 503: the server is not there. Nothing was done.
    Unavailable,
    /// 504: the write is done, but the client does not learn it.
    LostResponse,
    /// A list shows the objects as they were before the last changes, of which this is the number.
    Stale(u64),
    /// A watch ends after this number of events, as if the connection was lost.
    EndWatch(usize),
    /// The events of a watch arrive so much later.
    DelayWatch(Duration),
}

/// Which requests fail, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    fault: Fault,
    verb: Option<String>,
    resource: Option<String>,
    name: Option<String>,
    after: usize,
    times: usize,
}

impl Rule {
    /// The next request fails.
    pub fn new(fault: Fault) -> Rule {
        Rule { fault, verb: None, resource: None, name: None, after: 0, times: 1 }
    }

    /// Only requests with this verb, such as `patch`.
    #[must_use]
    pub fn verb(self, verb: &str) -> Rule {
        Rule { verb: Some(verb.to_owned()), ..self }
    }

    /// Only requests about this resource, by its plural name.
    #[must_use]
    pub fn resource(self, resource: &str) -> Rule {
        Rule { resource: Some(resource.to_owned()), ..self }
    }

    /// Only requests about objects with this name.
    #[must_use]
    pub fn name(self, name: &str) -> Rule {
        Rule { name: Some(name.to_owned()), ..self }
    }

    /// The first `number` of these requests succeed.
    #[must_use]
    pub fn after(self, number: usize) -> Rule {
        Rule { after: number, ..self }
    }

    /// `number` requests fail, instead of one.
    #[must_use]
    pub fn times(self, number: usize) -> Rule {
        Rule { times: number, ..self }
    }

    /// Why no request can fail by this rule: a test with it would test nothing. `resources` are the plural names that are served.
    pub(crate) fn mistake<'r>(&self, mut resources: impl Iterator<Item = &'r str>) -> Option<String> {
        let Rule { fault, verb, resource, .. } = self;
        if let Some(verb) = verb.as_deref().filter(|verb| !VERBS.contains(verb)) {
            return Some(format!("there is no verb {verb:?}. The verbs are {}", VERBS.join(", ")));
        }
        if let (Some(verb), Some(only)) = (verb.as_deref(), fault.only_verb())
            && verb != only
        {
            return Some(format!("{fault:?} happens to {only} requests, and never to {verb}"));
        }
        let resource = resource.as_deref()?;
        let is_served = resources.any(|plural| plural == resource);
        (!is_served).then(|| {
            format!("the server has no resource {resource:?}. Write the plural name, and add the CRD before the rule")
        })
    }

    fn is_about(&self, request: &Recorded) -> bool {
        if self.fault.only_verb().is_some_and(|verb| request.verb != verb) {
            return false;
        }
        let is = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|it| it == found);
        is(&self.verb, request.verb) && is(&self.resource, &request.resource) && is(&self.name, &request.name)
    }
}

/// The rules of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Vec<Rule>);

impl Faults {
    pub(crate) fn add(&mut self, rule: Rule) {
        self.0.push(rule);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The fault for a request, by the first rule that is about it.
    pub(crate) fn next(&mut self, request: &Recorded) -> Option<Fault> {
        let index = self.0.iter().position(|rule| rule.is_about(request))?;
        let rule = &mut self.0[index];
        if rule.after > 0 {
            rule.after -= 1;
            return None;
        }
        rule.times = rule.times.saturating_sub(1);
        let fault = rule.fault;
        if rule.times == 0 {
            self.0.remove(index);
        }
        Some(fault)
    }
}

impl Fault {
    /// The only verb to which it can happen.
    fn only_verb(self) -> Option<&'static str> {
        match self {
            Fault::Stale(_) => Some("list"),
            Fault::EndWatch(_) | Fault::DelayWatch(_) => Some("watch"),
            _ => None,
        }
    }

    /// Whether the server does not do what the request asks for.
    pub(crate) fn prevents_the_request(self) -> bool {
        !matches!(self, Fault::LostResponse | Fault::Stale(_) | Fault::EndWatch(_) | Fault::DelayWatch(_))
    }

    /// The answer of a request that fails.
    pub(crate) fn failure(self, request: &Recorded) -> Failure {
        let Recorded { resource, group, name, .. } = request;
        match self {
            Fault::Conflict => Failure::modified(resource, group, name),
            Fault::Expired => Failure::expired("the provided resource version is too old"),
            Fault::TooManyRequests => {
                let details = Details { retry_after: 1, ..Details::default() };
                let message = "the server has received too many requests and has asked us to try again later";
                Failure::new(429, "TooManyRequests", message).with(details)
            }
            Fault::Internal => Failure::internal("injected by the test"),
            Fault::Unavailable => Failure::new(
                503,
                "ServiceUnavailable",
                "the server is currently unable to handle the request",
            ),
            // The others change the answer.
            Fault::LostResponse | Fault::Stale(_) | Fault::EndWatch(_) | Fault::DelayWatch(_) => {
                Failure::new(
                    504,
                    "Timeout",
                    "the server was unable to return a response in the time allotted",
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_no_request_meets_are_mistakes() {
        let served = || ["pods", "things"].into_iter();
        let stale = || Rule::new(Fault::Stale(1));
        assert_eq!(Rule::new(Fault::Conflict).verb("patch").resource("things").mistake(served()), None);
        assert_eq!(stale().verb("list").mistake(served()), None);
        for rule in [stale().verb("get"), stale().verb("read"), stale().resource("thing")] {
            assert!(rule.mistake(served()).is_some(), "{rule:?}");
        }
    }

    #[test]
    fn rules_apply_after_a_number_of_requests_and_are_used_up() {
        let request = |verb: &'static str| Recorded {
            verb,
            resource: "things".to_owned(),
            group: String::new(),
            subresource: String::new(),
            namespace: String::new(),
            name: "a".to_owned(),
            manager: String::new(),
            code: 0,
            changed: false,
        };
        let mut faults = Faults::default();
        faults.add(Rule::new(Fault::Conflict).verb("patch").resource("things").after(1).times(2));
        let mut next = |verb| faults.next(&request(verb));
        assert_eq!(next("get"), None);
        assert_eq!(next("patch"), None);
        assert_eq!(next("patch"), Some(Fault::Conflict));
        assert_eq!(next("patch"), Some(Fault::Conflict));
        assert_eq!(next("patch"), None);
    }
}
