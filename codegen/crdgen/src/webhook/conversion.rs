//! Answers a ConversionReview. The server uses all converted objects or none of them. So if one cannot be converted,
//! the status lists all such objects in its message, which the server shows.

use super::text;
use super::until::Until;
use crdgen_kinds::convert::{Error, Versions};
use crdgen_kinds::straight::{Scan, Walk};
use crdgen_runtime::GroupVersion;
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};

/// If there are more failures than this, the others are only counted.
const NAMED: usize = 10;
/// The length of the shortest object that can be converted: one with an apiVersion and a kind. If a review has shorter ones,
/// there may be many of them, so its objects are not collected as texts.
const SHORTEST: usize = r#"{"apiVersion":"a/b","kind":"c"}"#.len();

/// A request, whose objects may still be text.
pub(super) struct Request<O> {
    pub(super) uid: Value,
    pub(super) desired: String,
    pub(super) objects: Vec<O>,
}

/// An object in a request.
pub(super) trait Object {
    /// Appends the object in another version to other text, as JSON. If it cannot be converted, returns the error, with the
    /// name of the object if it is `wanted`. Returns `None` if the object is not JSON.
    fn convert(
        self,
        all: &[Versions],
        to: &str,
        wanted: bool,
        out: &mut String,
    ) -> Option<Result<(), Failure>>;
}

/// Why an object cannot be converted, and how messages name it.
pub(super) struct Failure {
    named: Option<Named>,
    error: Error,
}

impl Object for Value {
    fn convert(
        self,
        all: &[Versions],
        to: &str,
        wanted: bool,
        out: &mut String,
    ) -> Option<Result<(), Failure>> {
        let named = wanted.then(|| Named::of(&self));
        let converted = convert(all, self, to);
        Some(converted.map(|object| json::write(&object, out)).map_err(|error| Failure { named, error }))
    }
}

/// The text of an object.
impl Object for &str {
    fn convert(
        self,
        all: &[Versions],
        to: &str,
        wanted: bool,
        out: &mut String,
    ) -> Option<Result<(), Failure>> {
        let before = out.len();
        if Versions::convert_text(all, self, to, out).is_some() {
            return Some(Ok(()));
        }
        out.truncate(before);
        json::read(self.as_bytes()).ok()?.convert(all, to, wanted, out)
    }
}

impl Request<Value> {
    pub(super) fn of(mut request: Map<Value>) -> Request<Value> {
        let objects = match request.remove("objects") {
            Some(Value::List(objects)) => objects,
            _ => Vec::new(),
        };
        let uid = request.remove("uid").unwrap_or_else(|| Value::from(""));
        Request { uid, desired: text(&request, "desiredAPIVersion"), objects }
    }
}

impl<'t> Request<&'t str> {
    /// Returns `None` if the whole text has to be read to find out what it contains.
    pub(super) fn scan(scan: &mut Scan<'t>) -> Option<Request<&'t str>> {
        let (mut uid, mut desired, mut objects) = (None, None, None);
        scan.members(|name, scan| {
            let is_new = match name {
                "objects" => objects.replace(scan.items(SHORTEST)?).is_none(),
                "uid" => uid.replace(scan.value()?).is_none(),
                "desiredAPIVersion" => desired.replace(scan.value()?).is_none(),
                _ => false,
            };
            is_new.then_some(Walk::On)
        })?;
        let desired = json::read(desired?.as_bytes()).ok()?.as_str()?.to_owned();
        Some(Request { uid: json::read(uid?.as_bytes()).ok()?, desired, objects: objects? })
    }
}

/// Writes the response to a request, as JSON. Each object is written as soon as it is converted, because a review may
/// have many. Returns `None` if an object is not JSON, or if it is too late.
pub(super) fn respond<O: Object>(
    versions: &[Versions],
    request: Request<O>,
    until: Until,
    out: &mut String,
) -> Option<()> {
    let Request { uid, desired, objects } = request;
    out.push_str("{\"convertedObjects\":[");
    let start = out.len();
    let (mut failures, mut more) = (Vec::new(), 0);
    for (index, object) in objects.into_iter().enumerate() {
        if until.is_over() {
            return None;
        }
        if index > 0 && failures.is_empty() {
            out.push(',');
        }
        match object.convert(versions, &desired, failures.len() < NAMED, out)? {
            Ok(()) => {}
            Err(Failure { named: Some(named), error }) => failures.push((named.at(index), error)),
            Err(Failure { named: None, .. }) => more += 1,
        }
        // The server uses all objects or none, so after a failure none of them is needed.
        if !failures.is_empty() {
            out.truncate(start);
        }
    }
    let result = if failures.is_empty() {
        Value::Map(Map::from_iter([("status", Value::from("Success"))]))
    } else {
        failure(&desired, &failures, more)
    };
    out.push_str("],\"result\":");
    json::write(&result, out);
    out.push_str(",\"uid\":");
    json::write(&uid, out);
    out.push('}');
    Some(())
}

/// Converts an object, or the items of a list of objects.
fn convert(all: &[Versions], object: Value, desired: &str) -> Result<Value, Error> {
    let api_version = object.text("apiVersion");
    let group = GroupVersion::of(api_version).group;
    let kind = object.text("kind");
    let of_group = || all.iter().filter(|versions| versions.group() == group);
    if let Some(versions) = of_group().find(|versions| versions.kind() == kind) {
        return versions.convert_value(object, desired);
    }
    let of_list = kind.strip_suffix("List");
    if let (Some(_), Some(Value::List(_))) =
        (of_group().find(|versions| Some(versions.kind()) == of_list), object.get("items"))
        && let Value::Map(mut list) = object
    {
        let items = match list.remove("items") {
            Some(Value::List(items)) => items,
            _ => Vec::new(),
        };
        let items = items.into_iter().map(|item| convert(all, item, desired)).collect::<Result<_, _>>()?;
        list.insert("items", Value::List(items));
        list.insert("apiVersion", Value::from(desired));
        return Ok(Value::Map(list));
    }
    Err(Error::new(format!("this webhook does not convert `{kind}` of `{api_version}`")))
}

/// How messages name an object.
struct Named {
    group: String,
    kind: String,
    name: String,
}

impl Named {
    fn of(object: &Value) -> Named {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let metadata = |name: &str| text(object.get("metadata").and_then(|metadata| metadata.get(name)));
        let (name, namespace) = (metadata("name"), metadata("namespace"));
        let name = match (&*name, &*namespace) {
            ("", _) => String::new(),
            (name, "") => name.to_owned(),
            (name, namespace) => format!("{namespace}/{name}"),
        };
        let api_version = text(object.get("apiVersion"));
        let group = GroupVersion::of(&api_version).group.to_owned();
        Named { group, kind: text(object.get("kind")), name }
    }

    /// Names an object without a name by its index.
    fn at(mut self, index: usize) -> Named {
        if self.name.is_empty() {
            self.name = format!("objects[{index}]");
        }
        self
    }
}

/// Returns the status for failures, of which there are `more`.
fn failure(desired: &str, failures: &[(Named, Error)], more: usize) -> Value {
    let mut lines: Vec<String> = failures
        .iter()
        .map(|(Named { kind, name, .. }, error)| format!("{kind} \"{name}\" to {desired}: {error}"))
        .collect();
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    let message = lines.join("; ");
    let causes = failures.iter().map(|(_, error)| {
        let mut cause = Map::new();
        cause.insert("reason", Value::from("FieldValueInvalid"));
        cause.insert("message", Value::from(error.message()));
        if !error.path().is_empty() {
            cause.insert("field", Value::from(error.path()));
        }
        Value::Map(cause)
    });
    let mut details = Map::new();
    if let Some((Named { group, kind, name }, _)) = failures.first() {
        details.insert("group", Value::from(&**group));
        details.insert("kind", Value::from(&**kind));
        details.insert("name", Value::from(&**name));
    }
    details.insert("causes", Value::List(causes.collect()));
    let mut status = Map::new();
    status.insert("status", Value::from("Failure"));
    status.insert("reason", Value::from("Invalid"));
    status.insert("code", Value::Int(422));
    status.insert("message", Value::from(message));
    status.insert("details", Value::Map(details));
    Value::Map(status)
}
