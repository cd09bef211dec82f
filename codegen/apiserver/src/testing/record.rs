//! The requests that a server has answered.

use crate::request::{ObjectPath, Request, Target};
use http::Method;

/// A request that a server has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// What the client does, as roles name it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`,
    /// `deletecollection`; or `discover` for requests that are not about objects.
    pub verb: &'static str,
    /// The plural name of the resource, or empty.
    pub resource: String,
    /// The group of the resource.
    pub group: String,
    /// The subresource, or empty.
    pub subresource: String,
    /// The namespace, or empty.
    pub namespace: String,
    /// The name of the object, or empty.
    pub name: String,
    /// The manager of fields: the option of the request, or the name of the program.
    pub manager: String,
    /// The status code of the answer.
    pub code: u16,
    /// Whether the request changed an object. An apply that changes nothing is a write, but no change.
    pub changed: bool,
}

impl Recorded {
    /// Whether the request changes objects.
    pub fn is_write(&self) -> bool {
        matches!(self.verb, "create" | "update" | "patch" | "delete" | "deletecollection")
    }
}

/// All verbs of [`Recorded::verb`].
pub(crate) const VERBS: [&str; 9] =
    ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "discover"];

/// What a request is about, before it is answered.
pub(crate) fn subject(request: &Request) -> Recorded {
    let nothing = ObjectPath::default();
    let path = match &request.target {
        Target::Objects(path) => Some(path),
        _ => None,
    };
    let is_one = path.is_some_and(|path| !path.name.is_empty());
    let is_watch = request.query.watch || path.is_some_and(|path| path.is_watch);
    let verb = match (path, request.method.clone()) {
        (None, _) => "discover",
        (_, Method::GET | Method::HEAD) if is_watch => "watch",
        (_, Method::GET | Method::HEAD) if is_one => "get",
        (_, Method::GET | Method::HEAD) => "list",
        (_, Method::POST) => "create",
        (_, Method::PUT) => "update",
        (_, Method::PATCH) => "patch",
        (_, Method::DELETE) if is_one => "delete",
        (_, Method::DELETE) => "deletecollection",
        _ => "other",
    };
    let path = path.unwrap_or(&nothing);
    Recorded {
        verb,
        resource: short(&path.plural),
        group: short(&path.group),
        subresource: short(&path.subresource),
        namespace: short(&path.namespace),
        name: short(&path.name),
        manager: short(&request.manager()),
        code: 0,
        changed: false,
    }
}

/// A text of a request. No name is longer than this, and those that are not names must not take memory.
fn short(text: &str) -> String {
    text.chars().take(253).collect()
}

/// Requests in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records(pub(crate) Vec<Recorded>);

/// How many requests a server remembers. A server that runs for long must not grow without a limit.
const MOST: usize = 100_000;

impl Records {
    pub(crate) fn push(&mut self, request: Recorded) {
        if self.0.len() < MOST {
            self.0.push(request);
        }
    }

    /// The number of requests.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The requests.
    pub fn iter(&self) -> impl Iterator<Item = &Recorded> {
        self.0.iter()
    }

    /// Only the requests that are selected.
    #[must_use]
    pub fn filter(&self, wanted: impl Fn(&Recorded) -> bool) -> Records {
        Records(self.0.iter().filter(|request| wanted(request)).cloned().collect())
    }

    /// Only the requests after the first ones. Take `len()` before a step, to see what the step did.
    #[must_use]
    pub fn since(&self, first: usize) -> Records {
        Records(self.0.get(first..).unwrap_or_default().to_vec())
    }

    /// Only the writes.
    #[must_use]
    pub fn writes(&self) -> Records {
        self.filter(Recorded::is_write)
    }

    /// Only the requests that changed an object.
    #[must_use]
    pub fn changes(&self) -> Records {
        self.filter(|request| request.changed)
    }

    /// Only the writes to a resource, by its plural name.
    #[must_use]
    pub fn writes_to(&self, resource: &str) -> Records {
        self.filter(|request| request.is_write() && request.resource == resource)
    }
}
