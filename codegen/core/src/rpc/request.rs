//! The fields of a request.

use super::error::Error;
use crate::decode::{self, Written};
use crate::go;
use crate::ir::Crd;
use crate::server::Server;
use crate::value::Value;
use crate::yaml::{self, Format};
use std::str::FromStr;

/// The fields of all operations. Missing fields are empty.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// The operation.
    pub(super) op: String,
    /// A CRD, as YAML or JSON text.
    pub(super) crd: String,
    /// The text of the old CRD or object.
    pub(super) old: String,
    /// A version name; empty for the first version.
    pub(super) version: String,
    /// The text of an object.
    pub(super) object: String,
    /// The texts of objects.
    pub(super) objects: Vec<String>,
    /// The subresource that is written.
    pub(super) subresource: String,
    /// The namespace of the request.
    pub(super) namespace: String,
    /// Writes with owners: the text of the stored object, what the client sends, the kind of the write, and the manager.
    pub(super) live: String,
    pub(super) request: String,
    pub(super) kind: String,
    pub(super) manager: String,
    pub(super) force: bool,
    /// The text of a Scale.
    pub(super) scale: String,
    /// Version names.
    pub(super) versions: Vec<String>,
    /// Whether to add the findings about an object, with their places.
    pub(super) findings: bool,
    /// The lints to switch on and off.
    pub(super) lints: Vec<String>,
    pub(super) no_lints: Vec<String>,
    /// Whether to leave out the complete documents.
    pub(super) brief: bool,
    /// Options of the published documents.
    pub(super) strip_value_validation: bool,
    pub(super) strip_nullable: bool,
    pub(super) allow_non_structural: bool,
    pub(super) keep_defaults: bool,
    pub(super) unfold: bool,
    /// The text of a schema.
    pub(super) schema: String,
    /// The texts of values.
    pub(super) this: String,
    pub(super) old_self: String,
    /// Expressions.
    pub(super) exprs: Vec<String>,
    /// The Kubernetes version whose CEL libraries the expressions use, `1.NN`.
    pub(super) kube: String,
    /// Regular expressions, and the texts to match.
    pub(super) patterns: Vec<String>,
    pub(super) texts: Vec<String>,
    /// Any text, or the same as base64.
    pub(super) text: String,
    pub(super) base64: String,
}

impl Request {
    /// The version of the server: `kube`, or the newest one.
    pub(super) fn server(&self) -> Result<Server, Error> {
        Ok(self.minor()?.map_or(Server::NEWEST, Server::of))
    }

    /// The minor version in `kube`, if there is one.
    pub(super) fn minor<N: FromStr>(&self) -> Result<Option<N>, Error> {
        if self.kube.is_empty() {
            return Ok(None);
        }
        let minor = self.kube.strip_prefix("1.").and_then(|minor| minor.parse().ok());
        minor.map(Some).ok_or_else(|| Error::Request("kube must be a version such as 1.33".to_owned()))
    }

    pub(super) fn read(value: Value) -> Result<Request, Error> {
        let mut out = Request::default();
        let Value::Map(map) = value else { return Err(Error::Request("not an object".to_owned())) };
        for (key, value) in map {
            match key.as_str() {
                "op" => out.op = text(&key, value)?,
                "crd" => out.crd = text(&key, value)?,
                "old" => out.old = text(&key, value)?,
                "text" => out.text = text(&key, value)?,
                "base64" => out.base64 = text(&key, value)?,
                "version" => out.version = text(&key, value)?,
                "object" => out.object = text(&key, value)?,
                "live" => out.live = text(&key, value)?,
                "request" => out.request = text(&key, value)?,
                "kind" => out.kind = text(&key, value)?,
                "manager" => out.manager = text(&key, value)?,
                "force" => out.force = flag(&key, &value)?,
                "subresource" => out.subresource = text(&key, value)?,
                "namespace" => out.namespace = text(&key, value)?,
                "scale" => out.scale = text(&key, value)?,
                "findings" => out.findings = flag(&key, &value)?,
                "lints" => out.lints = texts(&key, value)?,
                "noLints" => out.no_lints = texts(&key, value)?,
                "brief" => out.brief = flag(&key, &value)?,
                "stripValueValidation" => out.strip_value_validation = flag(&key, &value)?,
                "stripNullable" => out.strip_nullable = flag(&key, &value)?,
                "allowNonStructural" => out.allow_non_structural = flag(&key, &value)?,
                "unfold" => out.unfold = flag(&key, &value)?,
                "keepDefaults" => out.keep_defaults = flag(&key, &value)?,
                "objects" => out.objects = texts(&key, value)?,
                "schema" => out.schema = text(&key, value)?,
                "self" => out.this = text(&key, value)?,
                "oldSelf" => out.old_self = text(&key, value)?,
                "exprs" => out.exprs = texts(&key, value)?,
                "kube" => out.kube = text(&key, value)?,
                "patterns" => out.patterns = texts(&key, value)?,
                "texts" => out.texts = texts(&key, value)?,
                "versions" => out.versions = texts(&key, value)?,
                _ => {}
            }
        }
        Ok(out)
    }
}

fn text(key: &str, value: Value) -> Result<String, Error> {
    match value {
        Value::Str(text) => Ok(text),
        Value::Null => Ok(String::new()),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => {
            Err(Error::Request(format!("{key} must be a string")))
        }
    }
}

fn flag(key: &str, value: &Value) -> Result<bool, Error> {
    match value {
        Value::Bool(set) => Ok(*set),
        Value::Null => Ok(false),
        Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => {
            Err(Error::Request(format!("{key} must be a boolean")))
        }
    }
}

fn texts(key: &str, value: Value) -> Result<Vec<String>, Error> {
    match value {
        Value::List(items) => items.into_iter().map(|item| text(key, item)).collect(),
        Value::Null => Ok(Vec::new()),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Map(_) => {
            Err(Error::Request(format!("{key} must be a list")))
        }
    }
}

/// Reads a text. Returns the value and the fields that occur twice.
pub(super) fn document(text: &str) -> Result<(Value, Vec<String>), Error> {
    let document = yaml::read_one(text.as_bytes()).map_err(|e| Error::Document(e.text))?;
    let strict = document.strict_errors();
    Ok((document.value, strict))
}

/// Reads a CRD. Also returns the findings of strict decoding.
pub(super) fn definition(text: &str) -> Result<(Crd, Vec<String>), Error> {
    definition_for(text, Server::NEWEST)
}

/// Reads a CRD like a server of this version, which does not know newer fields.
pub(super) fn definition_for(text: &str, server: Server) -> Result<(Crd, Vec<String>), Error> {
    let mut document = yaml::read_one(text.as_bytes()).map_err(|e| Error::DefinitionText(e.to_string()))?;
    let (mut strict, repeats) = match document.format {
        Format::Yaml => (document.strict_errors(), Vec::new()),
        Format::Json => (Vec::new(), document.strict),
    };
    let unknown = if server.is_before(35) { take_observed(&mut document.value) } else { Vec::new() };
    let floats = document.floats.map(|floats| *floats);
    let (crd, diags) = decode::crd_as_written(document.value, Written { repeats, floats });
    match crd {
        Some(mut crd) => {
            crd.drop_unions();
            strict.extend(diags.into_iter().map(|d| d.detail));
            strict.extend(unknown.iter().map(|field| format!("unknown field {}", go::quote(field))));
            Ok((crd, strict))
        }
        None => Err(Error::Definition(diags)),
    }
}

/// Removes the fields `observedGeneration`, which the status of CRDs has since 1.35, and returns their names.
fn take_observed(definition: &mut Value) -> Vec<String> {
    const NAME: &str = "observedGeneration";
    let mut found = Vec::new();
    let Some(status) = member(definition, "status").and_then(Value::as_map_mut) else { return found };
    if status.remove(NAME).is_some() {
        found.push(format!("status.{NAME}"));
    }
    if let Some(Value::List(conditions)) = status.get_mut("conditions") {
        for (i, condition) in conditions.iter_mut().enumerate() {
            if condition.as_map_mut().is_some_and(|condition| condition.remove(NAME).is_some()) {
                found.push(format!("status.conditions[{i}].{NAME}"));
            }
        }
    }
    found
}

fn member<'v>(value: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    value.as_map_mut()?.get_mut(name)
}
