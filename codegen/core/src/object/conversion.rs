//! Conversion webhooks: the reviews that the server sends, and how it checks their answers.

use super::metadata;
use crate::GroupVersion;
use crate::diag::{Diag, Diags};
use crate::go;
use crate::ir;
use crate::json;
use crate::metadata::{check_annotations, check_labels};
use crate::path::Path;
use crate::server::Server;
use crate::value::{Map, Value};
use std::fmt;

/// Converts the objects of a CRD between its versions, as its webhook does.
pub trait Conversion: fmt::Debug {
    /// Converts an object, whose version differs from the wanted one.
    ///
    /// # Errors
    /// Fails with the server's message.
    fn convert(&self, object: Value, api_version: &str) -> Result<Value, Unconverted>;
}

/// Why a webhook does not convert objects, in the server's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconverted(pub String);

impl fmt::Display for Unconverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unconverted {}

impl From<String> for Unconverted {
    fn from(words: String) -> Unconverted {
        Unconverted(words)
    }
}

impl From<&str> for Unconverted {
    fn from(words: &str) -> Unconverted {
        Unconverted(words.to_owned())
    }
}

const REVIEW: &str = "ConversionReview";
const GROUP: &str = "apiextensions.k8s.io";

/// The version of reviews that the server sends to a webhook, which takes these: the first that the server knows. It is the same for
/// conversion and admission.
pub fn review_version(taken: &[impl AsRef<str>]) -> Option<&'static str> {
    taken.iter().find_map(|taken| ["v1", "v1beta1"].into_iter().find(|known| *known == taken.as_ref()))
}

/// Objects that a webhook shall convert to a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The version of the review: `v1` or `v1beta1`.
    review: &'static str,
    uid: String,
    desired: String,
    objects: Vec<Value>,
}

impl Request {
    /// A request for objects, which must not be in the wanted version already.
    ///
    /// # Errors
    /// Fails with the server's message if the webhook takes no review that the server sends.
    pub fn new(
        conversion: &ir::Conversion,
        uid: &str,
        desired: &str,
        objects: Vec<Value>,
    ) -> Result<Request, Unconverted> {
        let taken = conversion.review_versions.as_deref().unwrap_or_default();
        let review = review_version(taken).ok_or("no supported conversion review versions")?;
        Ok(Request { review, uid: uid.to_owned(), desired: desired.to_owned(), objects })
    }

    /// The review to send.
    pub fn to_value(&self) -> Value {
        let request = map([
            ("uid", self.uid.as_str().into()),
            ("desiredAPIVersion", self.desired.as_str().into()),
            ("objects", Value::List(self.objects.clone())),
        ]);
        map([
            ("kind", REVIEW.into()),
            ("apiVersion", format!("{GROUP}/{}", self.review).into()),
            ("request", request),
        ])
    }

    /// The objects that the answer to the review contains.
    ///
    /// # Errors
    /// Fails with the server's message if the webhook has not converted all objects, or has changed what it must not change.
    pub fn read(&self, answer: &Value) -> Result<Vec<Value>, Unconverted> {
        let Some(first) = self.objects.first() else { return Ok(Vec::new()) };
        let of = kind_text(first);
        let converted = self.converted(answer).map_err(|why| self.failed(&why.0))?;
        let (found, wanted) = (converted.len(), self.objects.len());
        if found != wanted {
            let why = format!("conversion webhook for {of} returned {found} objects, expected {wanted}");
            return Err(why.into());
        }
        self.objects
            .iter()
            .zip(converted)
            .enumerate()
            .map(|(index, it)| self.check(index, it.0, it.1))
            .collect()
    }

    /// The server's message about a webhook that has not answered, or not with success.
    pub fn failed(&self, why: &str) -> Unconverted {
        let of = self.objects.first().map(kind_text).unwrap_or_default();
        Unconverted(format!("conversion webhook for {of} failed: {why}"))
    }

    /// The converted objects in the answer.
    fn converted(&self, answer: &Value) -> Result<Vec<Value>, Unconverted> {
        let (wanted, found) = (format!("{GROUP}/{}, Kind={REVIEW}", self.review), kind_text(answer));
        // The server checks neither for v1beta1.
        let is_strict = self.review == "v1";
        if found == "/v1, Kind=Status" {
            let review = self.review;
            return Err(format!("converting (v1.Status) to ({review}.{REVIEW}): unknown conversion").into());
        }
        if is_strict && found != wanted {
            return Err(format!("expected webhook response of {wanted}, got {found}").into());
        }
        let response = answer.get("response").filter(|response| !response.is_null());
        let response = response.ok_or("no response provided")?;
        let uid = response.text("uid");
        if is_strict && uid != self.uid {
            let why = format!("expected response.uid={}, got {}", go::quote(&self.uid), go::quote(uid));
            return Err(why.into());
        }
        let of_result = |name: &str| response.get("result").map_or("", |result| result.text(name));
        if of_result("status") != "Success" {
            return Err(match of_result("message") {
                "" => format!("response.result.status was '{}', not 'Success'", of_result("status")).into(),
                message => message.into(),
            });
        }
        Ok(response.get("convertedObjects").and_then(Value::as_list).unwrap_or_default().to_vec())
    }

    /// Checks a converted object, and restores its metadata except for labels and annotations.
    fn check(&self, index: usize, original: &Value, mut converted: Value) -> Result<Value, Unconverted> {
        let of = kind_text(original);
        // The server names the index only if there are several objects.
        let at = if self.objects.len() > 1 { format!(" at index {index}") } else { String::new() };
        let invalid = |why: String| {
            Unconverted(format!("conversion webhook for {of} returned invalid converted object{at}: {why}"))
        };
        if converted.is_null() {
            let why = "unexpected end of JSON input".to_owned();
            return Err(if at.is_empty() { why.into() } else { invalid(why) });
        }
        if converted.text("kind").is_empty() {
            return Err(invalid(format!("Object 'Kind' is missing in '{}'", json::to_string(&converted))));
        }
        let wrong = |why: String| match at.as_str() {
            "" => format!("conversion webhook for {of} returned invalid object at index 0: {why}").into(),
            _ => invalid(why),
        };
        let found = GroupVersion::of(converted.text("apiVersion")).to_string();
        if found != self.desired {
            let why = format!("invalid groupVersion (expected {}, received {found})", self.desired);
            return Err(wrong(why));
        }
        let (wanted, found) = (original.text("kind"), converted.text("kind"));
        if found != wanted {
            return Err(wrong(format!("invalid kind (expected {wanted}, received {found})")));
        }
        let of_metadata = |object: &Value, name: &str| {
            object.get("metadata").map_or("", |metadata| metadata.text(name)).to_owned()
        };
        for (name, what) in [("name", "name"), ("namespace", "namespace"), ("uid", "UID")] {
            let (wanted, found) = (of_metadata(original, name), of_metadata(&converted, name));
            if wanted != found {
                let why = format!("must have the same {what}: {wanted} != {found}");
                return Err(match at.as_str() {
                    "" => format!("conversion webhook for {of} returned invalid object: {why}").into(),
                    _ => invalid(why),
                });
            }
        }
        let metadata = restored(original.get("metadata"), converted.get("metadata")).map_err(|why| {
            let at = if at.is_empty() { String::new() } else { format!(" in object{at}") };
            Unconverted(format!("conversion webhook for {of} returned invalid metadata{at}: {why}"))
        })?;
        if let Value::Map(map) = &mut converted {
            map.insert("metadata", metadata);
        }
        Ok(converted)
    }
}

/// The metadata of a converted object: the original one with the labels and annotations that the webhook returns.
fn restored(original: Option<&Value>, converted: Option<&Value>) -> Result<Value, Unconverted> {
    let converted = converted.ok_or("missing metadata in converted object")?;
    let Value::Map(converted) = converted else {
        return Err(format!("invalid metadata of type {} in converted object", converted.go_type()).into());
    };
    let mut metadata = original.and_then(Value::as_map).cloned().unwrap_or_default();
    for name in ["labels", "annotations"] {
        let found = match converted.get(name) {
            None | Some(Value::Null) => {
                metadata.remove(name);
                continue;
            }
            Some(Value::Map(found)) => found,
            Some(other) => {
                let ty = other.go_type();
                return Err(format!("invalid metadata.{name} of type {ty} in converted object").into());
            }
        };
        if let Some((key, value)) = found.iter().find(|(_, value)| value.as_str().is_none()) {
            let ty = value.go_type();
            let why = format!("metadata.{name}[{key}] must be a string, but is {ty} in converted object");
            return Err(why.into());
        }
        if metadata.get(name).and_then(Value::as_map) != Some(found) {
            check_entries(name, found)?;
        }
        metadata.insert(name, Value::Map(found.clone()));
    }
    Ok(Value::Map(metadata))
}

/// Checks new labels or annotations.
fn check_entries(name: &str, found: &Map<Value>) -> Result<(), Unconverted> {
    let typed = metadata::typed(&[(name, Value::Map(found.clone()))].into_iter().collect());
    let (at, mut errors) = (Path::ROOT.child("metadata"), Diags::new());
    match name {
        "labels" => check_labels(&typed.labels, &at.child("labels"), Server::NEWEST, &mut errors),
        // The server's path has no plural here.
        _ => check_annotations(&typed.annotations, &at.child("annotation"), Server::NEWEST, &mut errors),
    }
    let texts: Vec<String> = errors.iter().map(Diag::text).collect();
    match &texts[..] {
        [] => Ok(()),
        [one] => Err(one.as_str().into()),
        all => Err(format!("[{}]", all.join(", ")).into()),
    }
}

/// Whether an object has only a version and a kind. The server does not ask the webhook about it.
pub(crate) fn is_empty(object: &Value) -> bool {
    object.as_map().is_some_and(|map| map.iter().all(|(name, _)| matches!(name, "apiVersion" | "kind")))
}

/// The group, version and kind of an object, as the server prints them.
pub fn kind_text(object: &Value) -> String {
    let version = object.text("apiVersion");
    let slash = if version.contains('/') { "" } else { "/" };
    format!("{slash}{version}, Kind={}", object.text("kind"))
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Value {
        json::read(text.as_bytes()).expect("JSON")
    }

    fn request(objects: usize) -> Request {
        let object =
            r#"{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"a","uid":"u","labels":{"a":"b"}}}"#;
        let conversion =
            ir::Conversion { review_versions: Some(vec!["v9".into(), "v1".into()]), ..Default::default() };
        let objects = vec![read(object); objects];
        Request::new(&conversion, "1", "g.io/v2", objects).expect("a request")
    }

    fn answer(objects: &str) -> String {
        let all = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"1","result":{"status":"Success"},"convertedObjects":[OBJECTS]}}"#;
        all.replace("OBJECTS", objects)
    }

    #[test]
    fn restores_metadata_except_for_labels_and_annotations() {
        let object = r#"{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"a","uid":"u","generation":7,"labels":{"c":"d"}},"x":1}"#;
        let converted = request(1).read(&read(&answer(object))).expect("objects");
        let metadata = json::to_string(converted[0].get("metadata").expect("metadata"));
        assert_eq!(metadata, r#"{"labels":{"c":"d"},"name":"a","uid":"u"}"#);
    }

    #[test]
    fn rejects_wrong_answers_in_the_servers_words() {
        let one = |object: &str| answer(object);
        for (objects, answer, expected) in [
            (
                1,
                r#"{"apiVersion":"v1","kind":"Status"}"#.to_owned(),
                "failed: converting (v1.Status) to (v1.ConversionReview): unknown conversion",
            ),
            (
                1,
                one("").replace(r#""uid":"1""#, r#""uid":"2""#),
                r#"failed: expected response.uid="1", got "2""#,
            ),
            (
                1,
                one("").replace("Success", "Failure"),
                "failed: response.result.status was 'Failure', not 'Success'",
            ),
            (1, one("").replace(r#""status":"Success""#, r#""message":"no way""#), "failed: no way"),
            (1, one(""), "returned 0 objects, expected 1"),
            (
                1,
                one(r#"{"apiVersion":"g.io/v2"}"#),
                r#"returned invalid converted object: Object 'Kind' is missing in '{"apiVersion":"g.io/v2"}'"#,
            ),
            (
                1,
                one(r#"{"apiVersion":"g.io/v3","kind":"K"}"#),
                "returned invalid object at index 0: invalid groupVersion (expected g.io/v2, received g.io/v3)",
            ),
            (
                1,
                one(r#"{"apiVersion":"g.io/v2","kind":"L"}"#),
                "returned invalid object at index 0: invalid kind (expected K, received L)",
            ),
            (
                1,
                one(r#"{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"b"}}"#),
                "returned invalid object: must have the same name: a != b",
            ),
            (
                1,
                one(
                    r#"{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"a","uid":"u","labels":{"a":1}}}"#,
                ),
                "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
            ),
            (
                1,
                one(
                    r#"{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"a","uid":"u","annotations":[]}}"#,
                ),
                "returned invalid metadata: invalid metadata.annotations of type []interface {} in converted object",
            ),
            (
                2,
                one("{},{}"),
                "returned invalid converted object at index 0: Object 'Kind' is missing in '{}'",
            ),
        ] {
            let why = request(objects).read(&read(&answer)).expect_err(expected);
            assert_eq!(why.0, format!("conversion webhook for g.io/v1, Kind=K {expected}"));
        }
    }
}
