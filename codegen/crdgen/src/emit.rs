//! Definitions as files: named as the Go tools name them, written when they differ, or held against what
//! is there.

use crate::docs;
use crate::kind::to_yaml;
use crate::output::write_if_changed;
use crdgen_core::emit::json_schema::{self, Draft};
use crdgen_core::emit::{self, openapi};
use crdgen_core::ir::{Crd, Version};
use crdgen_core::read::crd::set_defaults;
use crdgen_core::value::Value;
use crdgen_core::{inert, json};
use std::io;
use std::path::{Path, PathBuf};

/// The form of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// The definition as YAML.
    #[default]
    Yaml,
    /// The definition as one line of JSON.
    Json,
    /// What a cluster publishes of each served version, as Swagger 2.0.
    #[cfg_attr(feature = "cli", value(name = "openapi-v2"))]
    OpenApiV2,
    /// What a cluster publishes of each served version, as OpenAPI 3.0.
    #[cfg_attr(feature = "cli", value(name = "openapi-v3"))]
    OpenApiV3,
    /// A strict JSON Schema of each version, draft 2020-12, in kubeconform's layout.
    JsonSchema,
    /// A strict JSON Schema of each version, draft-07.
    #[cfg_attr(feature = "cli", value(name = "json-schema-07"))]
    JsonSchema07,
    /// A page of documentation in HTML.
    Docs,
    /// A page of documentation in Markdown.
    DocsMarkdown,
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How a file differs from what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The file.
    pub path: PathBuf,
    /// What it should be.
    pub wanted: String,
    /// What it is; none if it is missing.
    pub found: Option<String>,
}

/// What is published of definitions, and how; for the forms that are about versions.
#[derive(Clone, Debug, Default)]
pub struct Publishing {
    /// Only this version of each kind, served or not; without it all that are served.
    pub version: Option<String>,
    /// One OpenAPI document for all.
    pub merge: bool,
    /// How OpenAPI documents are built. Which of the two it is, the form says.
    pub options: openapi::Options,
}

/// The documents of the definitions, in their order: one each, or one for each version where the form is
/// about versions. `header` stands before each as a comment (in YAML).
pub fn documents(crds: &[Crd], form: Form, header: Option<&str>) -> Vec<Document> {
    crds.iter().flat_map(|crd| documents_of(crd, form, header)).collect()
}

/// The same with choices about what is published.
pub fn published(crds: &[Crd], form: Form, publishing: &Publishing) -> Vec<Document> {
    let Publishing { version, merge, options } = publishing;
    let v2 = match form {
        Form::OpenApiV2 => true,
        Form::OpenApiV3 => false,
        Form::JsonSchema | Form::JsonSchema07 => {
            let draft = if form == Form::JsonSchema { Draft::V2020 } else { Draft::V7 };
            return crds.iter().flat_map(|crd| json_schemas(crd, draft, version.as_deref())).collect();
        }
        Form::Yaml | Form::Json | Form::Docs | Form::DocsMarkdown => return documents(crds, form, None),
    };
    let options = openapi::Options { v2, ..options.clone() };
    let documents = crds.iter().flat_map(|crd| openapi_documents(crd, &options, version.as_deref()));
    if !merge {
        let text = |document: openapi::Published| inert::json(&document.text()).into_owned() + "\n";
        return documents.map(|(name, document)| Document { name, text: text(document) }).collect();
    }
    let documents = documents.map(|(_, document)| document.document());
    let (name, merged) = if v2 {
        ("openapi-v2.json", openapi::merge_v2(documents))
    } else {
        ("openapi-v3.json", openapi::merge_v3(documents))
    };
    vec![Document { name: name.to_owned(), text: line(&merged) }]
}

/// What is published of a definition: a document for each version that is served, or for the named one.
fn openapi_documents(
    crd: &Crd,
    options: &openapi::Options,
    version: Option<&str>,
) -> Vec<(String, openapi::Published)> {
    // What Rust sources leave to the server, the list's kind among it.
    let mut crd = crd.clone();
    set_defaults(&mut crd);
    let wanted = |v: &Version| version.map_or(v.served, |name| name == v.name);
    let versions = crd.spec.versions.iter().enumerate().filter(|(_, v)| wanted(v));
    versions
        .filter_map(|(index, v)| {
            let name = format!("{}_{}_{}.json", crd.spec.group, v.name, crd.spec.names.plural);
            Some((name, openapi::publish(&crd, index, options)?))
        })
        .collect()
}

fn json_schemas(crd: &Crd, draft: Draft, version: Option<&str>) -> Vec<Document> {
    let wanted = |v: &Version| version.is_none_or(|name| name == v.name);
    let versions = crd.spec.versions.iter().enumerate().filter(|(_, v)| wanted(v));
    versions
        .filter_map(|(index, _)| {
            let text = line(&json_schema::json_schema(crd, index, draft)?);
            Some(Document { name: json_schema::file_name(crd, index)?, text })
        })
        .collect()
}

fn line(value: &Value) -> String {
    inert::json(&json::to_string(value)).into_owned() + "\n"
}

fn documents_of(crd: &Crd, form: Form, header: Option<&str>) -> Vec<Document> {
    let base = format!("{}_{}", crd.spec.group, crd.spec.names.plural);
    match form {
        Form::Yaml => {
            let mut text = String::new();
            for line in header.unwrap_or_default().lines() {
                text.push_str(format!("# {}", inert::text(line)).trim_end());
                text.push('\n');
            }
            text.push_str(&to_yaml(crd));
            vec![Document { name: format!("{base}.yaml"), text }]
        }
        Form::Json => vec![Document { name: format!("{base}.json"), text: line(&emit::crd(crd)) }],
        Form::OpenApiV2 | Form::OpenApiV3 | Form::JsonSchema | Form::JsonSchema07 => {
            published(std::slice::from_ref(crd), form, &Publishing::default())
        }
        Form::Docs => docs::documents(std::slice::from_ref(crd), docs::Form::Html),
        Form::DocsMarkdown => docs::documents(std::slice::from_ref(crd), docs::Form::Markdown),
    }
}

/// All documents as one text: a stream of YAML documents, or one JSON document a line.
pub fn joined(documents: &[Document], form: Form) -> String {
    let mut out = String::new();
    for document in documents {
        if form == Form::Yaml {
            out.push_str("---\n");
        }
        out.push_str(&document.text);
    }
    out
}

/// Makes a YAML document a template of a Helm chart. Its values are `crds.install` (default true),
/// `crds.keep` (default true: uninstalling the chart leaves the definition and all its objects) and
/// `crds.annotations`. What looks like a template in the document is protected.
pub fn to_helm(document: &mut Document) {
    let protected = document.text.replace("{{", "{{ \"{{\" }}");
    let (head, rest) = match protected.split_once("\nmetadata:\n") {
        Some((head, rest)) => (format!("{head}\nmetadata:\n"), rest),
        None => return,
    };
    // The annotations that are there already stand first in the metadata, keys being sorted.
    let (own, rest) = match rest.strip_prefix("  annotations:\n") {
        Some(rest) => {
            let end = rest.match_indices('\n').map(|(i, _)| i + 1).find(|i| !rest[*i..].starts_with("    "));
            rest.split_at(end.unwrap_or(rest.len()))
        }
        None => ("", rest),
    };
    let annotations = "    {{- if (dig \"crds\" \"keep\" true .Values.AsMap) }}\n    helm.sh/resource-policy: keep\n    {{- end }}\n    {{- with (dig \"crds\" \"annotations\" (dict) .Values.AsMap) }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n";
    document.text = format!(
        "{{{{- if (dig \"crds\" \"install\" true .Values.AsMap) }}}}\n{head}  annotations:\n{own}{annotations}{rest}{{{{- end }}}}\n"
    );
}

/// How a file differs from what it should be, line by line, as `diff -u` shows it.
pub fn difference(drift: &Drift) -> String {
    let path = drift.path.display();
    let Some(found) = &drift.found else { return format!("{path}: missing\n") };
    let diff = similar::TextDiff::from_lines(found.as_str(), drift.wanted.as_str());
    diff.unified_diff().header(&format!("{path}"), &format!("{path} (wanted)")).to_string()
}

/// Writes the documents that differ from what is there; gives back which.
pub fn write(folder: &Path, documents: &[Document]) -> io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for document in documents {
        let path = folder.join(&document.name);
        if write_if_changed(&path, &document.text)? {
            written.push(path);
        }
    }
    Ok(written)
}

/// The documents that differ from what is there; nothing is written.
pub fn drift(folder: &Path, documents: &[Document]) -> io::Result<Vec<Drift>> {
    let mut out = Vec::new();
    for document in documents {
        let path = folder.join(&document.name);
        let found = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if found.as_deref() != Some(document.text.as_str()) {
            out.push(Drift { path, wanted: document.text.clone(), found });
        }
    }
    Ok(out)
}
