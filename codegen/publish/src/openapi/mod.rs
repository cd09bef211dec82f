//! OpenAPI v2 and v3, as a cluster publishes them for one version of a CRD.

mod kind;
mod merge;
mod protobuf;
mod routes;
mod schema;
mod shared;
mod template;
mod words;

pub(crate) use shared::{Form, META, definitions};

pub use merge::{Merged, TooLarge};
pub use protobuf::to_protobuf;

use std::borrow::Cow;
use std::fmt::Write;

use crate::go;
use crate::ir::{Crd, Schema, SelectableField, Spec};
use crate::json;
use crate::value::{Map, Value};
use crdgen_rules::server::Server;
use crdgen_rules::structural::{convertible, has_invalid_types, is_structural};
use routes::Shape;
use schema::finish;
use words::Words;

/// The options for a published document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Build OpenAPI v2, which old versions of kubectl and client generators read, instead of v3.
    pub v2: bool,
    /// Leave out all value validations.
    pub strip_value_validation: bool,
    /// Leave out `nullable`.
    pub strip_nullable: bool,
    /// Publish a schema even if it violates the rules for structural schemas, as long as it can be converted to one.
    pub allow_non_structural: bool,
    /// Keep defaults in v2, although the server's endpoint does not publish them.
    pub keep_defaults: bool,
    /// Unfold unions, embedded resources and int-or-strings as the structural-schema proposal does, and not as servers
    /// do.
    pub unfold: bool,
}

impl Options {
    fn form(&self) -> Form {
        match (self.v2, self.keep_defaults) {
            (false, _) => Form::V3,
            (true, false) => Form::V2,
            (true, true) => Form::V2WithDefaults,
        }
    }
}

/// The names that are used throughout a document.
struct Names<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    list_kind: &'a str,
    plural: &'a str,
    selectable_fields: &'a [SelectableField],
}

impl<'a> Names<'a> {
    fn of(spec: &'a Spec, index: usize) -> Option<Names<'a>> {
        Some(Names {
            group: &spec.group,
            version: &spec.versions.get(index)?.name,
            kind: &spec.names.kind,
            list_kind: &spec.names.list_kind,
            plural: &spec.names.plural,
            selectable_fields: spec.selectable_fields_of(index),
        })
    }

    /// The name of a kind's schema: the reversed group, the version, and the kind.
    fn model(&self, kind: &str) -> String {
        model_name(self.group, self.version, kind)
    }
}

/// Returns the name under which the schema of a kind is published: the reversed group, the version and the kind.
pub fn model_name(group: &str, version: &str, kind: &str) -> String {
    let reversed: Vec<&str> = group.rsplit('.').collect();
    format!("{}.{version}.{kind}", reversed.join("."))
}

/// The name of a schema as references contain it, which are URLs.
fn in_references(model: String) -> String {
    if model.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')) {
        return model;
    }
    go::url::Url::parse(&format!("#{model}")).map_or(model, |url| url.to_string().split_off(1))
}

/// What the server publishes for a version: the schemas of the kind and of its list, and the document around them.
pub struct Published {
    /// The name under which the schema of the kind is published.
    pub model: String,
    /// The name under which the schema of the list is published.
    pub list_model: String,
    /// The schema of the kind.
    pub schema: Value,
    /// The schema of the list.
    pub list_schema: Value,
    words: Words,
    shape: Shape,
    form: Form,
}

impl Published {
    /// Returns the schemas of the document by their names: those of Kubernetes' own types, the kind and its list.
    pub fn models(&self) -> impl Iterator<Item = (&str, &Value)> {
        let scale = self.shape.scale;
        let common = shared::definitions(self.form).iter().filter(move |(name, _)| used(name, scale));
        common.chain([(self.model.as_str(), &self.schema), (self.list_model.as_str(), &self.list_schema)])
    }

    /// Returns the whole document.
    pub fn document(self) -> Value {
        let Published { model, list_model, schema, list_schema, words, shape, form } = self;
        document(&words, shape, form, [(model, schema), (list_model, list_schema)])
    }

    /// Returns the whole document as compact JSON.
    pub fn text(&self) -> String {
        self.texts().document
    }

    /// Returns the document and the schemas in it as compact JSON. The parts that all documents share are not written
    /// again for each document.
    pub fn texts(&self) -> Texts {
        let Published { model, list_model, schema, list_schema, words, shape, form } = self;
        let (schema, list_schema) = (json::to_string(schema), json::to_string(list_schema));
        let common = shared::definition_texts(*form).filter(|(name, _)| used(name, shape.scale));
        let mut definitions: Vec<(String, Cow<'_, str>)> =
            common.map(|(name, text)| (name.to_owned(), Cow::from(text))).collect();
        definitions.push((model.clone(), schema.as_str().into()));
        definitions.push((list_model.clone(), list_schema.as_str().into()));
        let definitions: Map<Cow<'_, str>> = definitions.into_iter().collect();
        let v3 = *form == Form::V3;
        let mut out = String::with_capacity(schema.len() + (1 << 17));
        out.push_str(if v3 { r#"{"components":{"schemas":"# } else { r#"{"definitions":"# });
        json::write_members(definitions.iter().map(|(name, text)| (name, text.as_ref())), &mut out);
        out.push_str(if v3 { "}" } else { "" });
        _ = write!(out, r#","info":{{"title":"{TITLE}","version":"{VERSION}"}}"#);
        if v3 {
            out.push_str(r#","openapi":"3.0.0""#);
        } else {
            _ = write!(out, r#","parameters":{}"#, shared::parameters_text(shape.namespaced));
        }
        out.push_str(r#","paths":"#);
        template::write_paths(words, *shape, &mut out);
        out.push_str(if v3 { "}" } else { r#","swagger":"2.0"}"# });
        Texts { schema, list_schema, document: out }
    }
}

/// Returns the whole document with these schemas, and those that all documents share.
fn document(
    words: &Words,
    shape: Shape,
    form: Form,
    schemas: impl IntoIterator<Item = (String, Value)>,
) -> Value {
    let paths = Value::Map(routes::paths(words, shape).into_iter().collect());
    let common = shared::definitions(form).iter().filter(|(name, _)| used(name, shape.scale));
    let mut definitions: Vec<(String, Value)> =
        common.map(|(name, schema)| (name.to_owned(), schema.clone())).collect();
    definitions.extend(schemas);
    let definitions = Value::Map(definitions.into_iter().collect());
    let info = finish(vec![("title", TITLE.into()), ("version", VERSION.into())]);
    let mut out = vec![("info", info), ("paths", paths)];
    if form == Form::V3 {
        out.push(("openapi", "3.0.0".into()));
        out.push(("components", finish(vec![("schemas", definitions)])));
    } else {
        out.push(("swagger", "2.0".into()));
        out.push(("definitions", definitions));
        out.push(("parameters", shared::parameters(shape.namespaced)));
    }
    finish(out)
}

/// The schemas of a kind that has no CRD.
#[derive(Clone, Debug)]
pub struct Models {
    /// The name under which the schema of the kind is published.
    pub model: String,
    /// The name under which the schema of the list is published.
    pub list_model: String,
    /// These schemas, and those that they refer to.
    pub schemas: Map<Value>,
}

/// Returns the document of a version with these schemas: of OpenAPI v2 if `v2` is `true`, otherwise of v3. `None` if there is no such
/// version.
pub fn publish_models(spec: &Spec, index: usize, models: Models, v2: bool) -> Option<Value> {
    let words = Words::new(&Names::of(spec, index)?).of_models(models.model, models.list_model);
    let form = Options { v2, ..Options::default() }.form();
    Some(document(&words, Shape::of(spec, index, v2), form, models.schemas))
}

/// What the server publishes for a version, as compact JSON.
pub struct Texts {
    /// The schema of the kind.
    pub schema: String,
    /// The schema of the list.
    pub list_schema: String,
    /// The whole document, which contains both schemas.
    pub document: String,
}

const TITLE: &str = "Kubernetes CRD Swagger";
const VERSION: &str = "v0.1.0";

/// Whether a document contains this shared schema.
fn used(name: &str, scale: bool) -> bool {
    scale || !name.starts_with(shared::SCALE)
}

/// Returns what the server publishes for the version at `index`. `None` if there is no such version.
pub fn publish(crd: &Crd, index: usize, options: &Options) -> Option<Published> {
    let names = Names::of(&crd.spec, index)?;
    let schema = crd.spec.schema_of(index).filter(|s| publishable(s, options));
    let list_schema = kind::list(&names, options);
    // If the list has the same kind as its items, the schema of the list replaces that of the items.
    let is_list = names.kind == names.list_kind;
    Some(Published {
        model: names.model(names.kind),
        list_model: names.model(names.list_kind),
        schema: if is_list { list_schema.clone() } else { kind::kind(crd, &names, schema, options) },
        list_schema,
        words: Words::new(&names),
        shape: Shape::of(&crd.spec, index, options.v2),
        form: options.form(),
    })
}

/// Whether the server publishes the schema rather than just `type: object`.
fn publishable(schema: &Schema, options: &Options) -> bool {
    !has_invalid_types(schema)
        && convertible(schema).is_ok()
        && (options.allow_non_structural || is_structural(schema, Server::NEWEST))
}
