//! The scale subresource.

use super::metadata::WrongTypes;
use super::refusal::{BadScale, Refusal};
use super::replicas::names;
use super::served::{Served, ServedVersion};
use super::write::{Handler, Written, fill_system_metadata};
use super::{access, metadata};
use crate::ir::Scale;
use crate::json::to_string;
use crate::path::Path;
use crate::value::{Map, Value};

/// The result of writing a Scale.
#[derive(Debug)]
pub enum Scaled {
    /// The document cannot be decoded as a Scale.
    Undecodable(Refusal),
    /// The object has no valid Scale, or its replicas cannot be set to this value.
    Failed(Refusal),
    /// The result of the write, and the new Scale if there are no errors.
    Written(Box<Written>, Option<Value>),
}

impl Served {
    fn scale_paths(&self, version: &ServedVersion) -> Result<&Scale, Refusal> {
        let scale = self.subresources(version).and_then(|s| s.scale.as_ref());
        scale.ok_or_else(|| version.without("scale"))
    }

    /// Returns the Scale of a stored object. The inner error is the server's answer.
    pub fn scale(&self, stored: Value, version: &ServedVersion) -> Result<Result<Value, Refusal>, Refusal> {
        let paths = self.scale_paths(version)?;
        let object = self.decode_stored(stored, &version.name)?;
        Ok(match scale_of(&object, paths) {
            Err(error) => Err(error),
            Ok((_, false)) => Err(BadScale::NoReplicas(paths.spec_replicas_path.clone()).into()),
            Ok((scale, true)) => Ok(scale),
        })
    }
}

impl Handler<'_> {
    /// Writes a Scale, which sets the replicas of a stored object.
    pub fn write_scale(&self, stored: Value, scale: &Value) -> Result<Scaled, Refusal> {
        let paths = self.served.scale_paths(self.version)?;
        let mut old = self.served.decode_stored(stored, &self.version.name)?;
        if let Err(error) = scale_of(&old, paths) {
            return Ok(Scaled::Failed(error));
        }
        let replicas = match wanted_replicas(scale) {
            Ok(replicas) => replicas,
            Err(error) => return Ok(Scaled::Undecodable(error)),
        };
        if replicas == i64::from(i32::MIN) {
            let path = paths.spec_replicas_path.clone();
            return Ok(Scaled::Failed(BadScale::EmptyReplicas(path).into()));
        }
        if self.served.namespaced() && access::meta_text(&old, "namespace").is_empty() {
            access::set_meta(&mut old, "namespace", Some(Value::from("default")));
        }
        fill_system_metadata(&mut old);
        let mut new = old.clone();
        if let Err(error) =
            access::set_nested(&mut new, &names(&paths.spec_replicas_path), Value::Int(replicas))
        {
            return Ok(Scaled::Failed(error.into()));
        }
        let written = self.replace(new, old);
        let scale = match &written.result {
            Some(result) => scale_of(result, paths).map(|(scale, _)| Some(scale))?,
            None => None,
        };
        Ok(Scaled::Written(Box::new(written), scale))
    }
}

/// The Scale of an object, and whether the object sets replicas at all.
pub(crate) fn scale_of(object: &Value, paths: &Scale) -> Result<(Value, bool), Refusal> {
    let asked = access::nested_int(object, &names(&paths.spec_replicas_path))?;
    let running = access::nested_int(object, &names(&paths.status_replicas_path))?;
    let selector = match paths.label_selector_path.as_deref() {
        None | Some("") => "",
        Some(path) => access::nested_str(object, &names(path))?.unwrap_or_default(),
    };
    // The server's type has 32 bits, so the upper bits are lost.
    let narrow = |n: Option<i64>| Value::Int(i64::from(n.unwrap_or_default() as i32));
    let spec = Some(narrow(asked)).filter(|n| *n != Value::Int(0)).map(|n| ("replicas", n));
    let mut status = vec![("replicas", narrow(running))];
    status.extend(access::text(selector).map(|s| ("selector", s)));
    let metadata = ["name", "namespace"]
        .into_iter()
        .filter_map(|name| access::text(access::meta_text(object, name)).map(|text| (name, text)));
    let map = |entries: Vec<(&str, Value)>| Value::Map(entries.into_iter().collect::<Map<Value>>());
    let scale = map(vec![
        ("apiVersion", Value::from("autoscaling/v1")),
        ("kind", Value::from("Scale")),
        ("metadata", map(metadata.collect())),
        ("spec", map(spec.into_iter().collect())),
        ("status", map(status)),
    ]);
    Ok((scale, asked.is_some()))
}

/// The replicas that a Scale asks for. The messages are those of the server's decoder.
pub(crate) fn wanted_replicas(scale: &Value) -> Result<i64, Refusal> {
    // A Scale without anything is the default one.
    if !matches!(scale, Value::Map(_) | Value::Null) {
        return Err(Refusal::NoObject(scale.json_type()));
    }
    // The server's internal type has no JSON names, so only the Go names of its fields are recognized.
    let [spec, status, replicas] = match Version::of(scale)? {
        Version::V1 => ["spec", "status", "replicas"],
        Version::Internal => ["Spec", "Status", "Replicas"],
    };
    let number_of = |object: Option<&Value>, name| int32(object.and_then(|it| it.get(replicas)), name);
    if let Some(metadata) = scale.get("metadata") {
        metadata::decode(metadata, WrongTypes::Rejected, &Path::ROOT.child("metadata"))?;
    }
    // Go's decoder reports the first mistake, and JSON has the fields in the order of their names.
    let wanted = number_of(member(scale, spec, "Scale.spec", "v1.ScaleSpec")?, "ScaleSpec.spec.replicas")?;
    let status = member(scale, status, "Scale.status", "v1.ScaleStatus")?;
    number_of(status, "ScaleStatus.status.replicas")?;
    if let Some(selector) = status.and_then(|status| status.get("selector"))
        && !matches!(selector, Value::Null | Value::Str(_))
    {
        return Err(wrong(selector, "ScaleStatus.status.selector", "string").into());
    }
    Ok(wanted)
}

/// The versions of Scale that the server can convert to its own.
enum Version {
    V1,
    Internal,
}

impl Version {
    /// The version of a Scale. Missing fields mean `Scale` of `autoscaling/v1`.
    fn of(scale: &Value) -> Result<Version, Refusal> {
        let text = |name: &'static str| match scale.get(name) {
            None | Some(Value::Null) => Ok(""),
            Some(Value::Str(text)) => Ok(text.as_str()),
            Some(other) => Err(Refusal::TypeMeta { field: name, found: other.json_type() }),
        };
        let kind = Some(text("kind")?).filter(|kind| !kind.is_empty()).unwrap_or("Scale");
        let api_version = text("apiVersion")?;
        if api_version.matches('/').count() > 1 {
            return Err(Refusal::ApiVersion(api_version.to_owned()));
        }
        let known = match api_version {
            "" | "/" | "autoscaling/" | "autoscaling/v1" => Some(Version::V1),
            "autoscaling/__internal" | "extensions/__internal" | "apps/__internal" => Some(Version::Internal),
            // These versions exist, but the server cannot convert them.
            "extensions/v1beta1" | "apps/v1beta1" | "apps/v1beta2" if kind == "Scale" => {
                let version = api_version.rsplit('/').next().unwrap_or_default();
                return Err(BadScale::Conversion(version.to_owned()).into());
            }
            other if other.ends_with('/') => return Err(BadScale::NoApiVersion.into()),
            _ => None,
        };
        known.filter(|_| kind == "Scale").ok_or_else(|| {
            let version = match api_version {
                "" | "/" | "autoscaling/" => "autoscaling/v1",
                other => other.trim_start_matches('/'),
            };
            BadScale::Unknown { kind: kind.to_owned(), version: version.to_owned() }.into()
        })
    }
}

/// A field of a Scale that must be an object.
fn member<'v>(
    scale: &'v Value,
    key: &str,
    name: &'static str,
    ty: &'static str,
) -> Result<Option<&'v Value>, BadScale> {
    match scale.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(map @ Value::Map(_)) => Ok(Some(map)),
        Some(other) => Err(wrong(other, name, ty)),
    }
}

fn int32(number: Option<&Value>, name: &'static str) -> Result<i64, BadScale> {
    match number {
        None | Some(Value::Null) => Ok(0),
        Some(Value::Int(n)) if i32::try_from(*n).is_ok() => Ok(*n),
        Some(other) => Err(wrong(other, name, "int32")),
    }
}

fn wrong(value: &Value, name: &'static str, wanted: &'static str) -> BadScale {
    let found = match value {
        Value::Int(_) | Value::Float(_) if wanted == "int32" => format!("number {}", to_string(value)),
        other => other.json_type().to_owned(),
    };
    BadScale::Field { name, found, wanted }
}
