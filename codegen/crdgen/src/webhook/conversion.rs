//! Answers a ConversionReview. The server uses all converted objects or none of them. So if one cannot be converted,
//! the status lists all such objects in its message, which the server shows.

use super::text;
use crate::convert::{Error, Versions};
use crate::straight::{Scan, Walk};
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};

/// If there are more failures than this, the others are only counted.
const NAMED: usize = 10;

/// A request, whose objects may still be text.
pub(super) struct Request<O> {
    pub(super) uid: Value,
    pub(super) desired: String,
    pub(super) objects: Vec<O>,
}

/// An object in a request.
pub(super) trait Object {
    /// Appends the object in another version to other text, as JSON. If it cannot be converted, returns the object's
    /// identity and the error. Returns `None` if the object is not JSON.
    fn convert(self, all: &[Versions], to: &str, out: &mut String) -> Option<Result<(), (Value, Error)>>;
}

impl Object for Value {
    fn convert(self, all: &[Versions], to: &str, out: &mut String) -> Option<Result<(), (Value, Error)>> {
        // The members that identify the object, for errors.
        let mut identity = Map::new();
        for name in ["apiVersion", "kind", "metadata"] {
            identity.insert(name, self.get(name).cloned().unwrap_or_default());
        }
        let converted = convert(all, self, to);
        let converted = converted.map(|object| json::write(&object, out));
        Some(converted.map_err(|error| (Value::Map(identity), error)))
    }
}

/// The text of an object.
impl Object for &str {
    fn convert(self, all: &[Versions], to: &str, out: &mut String) -> Option<Result<(), (Value, Error)>> {
        let before = out.len();
        if Versions::convert_text(all, self, to, out).is_some() {
            return Some(Ok(()));
        }
        out.truncate(before);
        json::read(self.as_bytes()).ok()?.convert(all, to, out)
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
                "objects" => objects.replace(scan.items()?).is_none(),
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
/// have many. Returns `None` if an object is not JSON.
pub(super) fn respond<O: Object>(versions: &[Versions], request: Request<O>, out: &mut String) -> Option<()> {
    let Request { uid, desired, objects } = request;
    out.push_str("{\"convertedObjects\":[");
    let start = out.len();
    let mut failures = Vec::new();
    for (index, object) in objects.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        if let Err((object, error)) = object.convert(versions, &desired, out)? {
            failures.push((Named::of(&object, index), error));
        }
    }
    let result = if failures.is_empty() {
        Value::Map(Map::from_iter([("status", Value::from("Success"))]))
    } else {
        out.truncate(start);
        failure(&desired, &failures)
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
    let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
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
    fn of(object: &Value, index: usize) -> Named {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let metadata = |name: &str| text(object.get("metadata").and_then(|metadata| metadata.get(name)));
        let (name, namespace) = (metadata("name"), metadata("namespace"));
        let name = match (&*name, &*namespace) {
            ("", _) => format!("objects[{index}]"),
            (name, "") => name.to_owned(),
            (name, namespace) => format!("{namespace}/{name}"),
        };
        let api_version = text(object.get("apiVersion"));
        let group = api_version.split_once('/').map_or("", |(group, _)| group).to_owned();
        Named { group, kind: text(object.get("kind")), name }
    }
}

/// Returns the status for failures.
fn failure(desired: &str, failures: &[(Named, Error)]) -> Value {
    let mut lines: Vec<String> = failures
        .iter()
        .take(NAMED)
        .map(|(Named { kind, name, .. }, error)| format!("{kind} \"{name}\" to {desired}: {error}"))
        .collect();
    if failures.len() > NAMED {
        lines.push(format!("and {} more", failures.len() - NAMED));
    }
    let message = lines.join("; ");
    let causes = failures.iter().take(NAMED).map(|(_, error)| {
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
