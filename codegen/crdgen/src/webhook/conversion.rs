//! The answer to a ConversionReview. The server takes all converted objects or none of them: if one cannot be
//! converted, the status names all such objects, and the server shows its message.

use super::text;
use crate::convert::{Error, Versions};
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};

/// More objects than this are counted, not named.
const NAMED: usize = 10;

/// The response to a request, as JSON. Objects are written as soon as they are converted: a review may have many.
pub(super) fn respond(versions: &[Versions], mut request: Map<Value>) -> String {
    let desired = text(&request, "desiredAPIVersion");
    let objects = match request.remove("objects") {
        Some(Value::List(objects)) => objects,
        _ => Vec::new(),
    };
    let mut converted = Vec::with_capacity(objects.len());
    let mut failures = Vec::new();
    for (index, object) in objects.into_iter().enumerate() {
        let named = Named::of(&object, index);
        match convert(versions, object, &desired) {
            Ok(object) => converted.push(json::to_string(&object)),
            Err(error) => failures.push((named, error)),
        }
    }
    let result = if failures.is_empty() {
        Value::Map(Map::from_iter([("status", Value::from("Success"))]))
    } else {
        converted.clear();
        failure(&desired, &failures)
    };
    let uid = request.remove("uid").unwrap_or_else(|| Value::from(""));
    json::object([
        ("convertedObjects", json::list(converted)),
        ("result", json::to_string(&result)),
        ("uid", json::to_string(&uid)),
    ])
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

/// How an object is named.
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

/// The status of a failure.
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
