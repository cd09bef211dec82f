//! Definitions as files: named as the Go tools name them, written when they differ, or held against what
//! is there.

use crate::kind::to_yaml;
use crate::output::write_if_changed;
use crdgen_core::emit::json_schema::{self, Draft};
use crdgen_core::emit::{self, openapi};
use crdgen_core::ir::{Crd, Version};
use crdgen_core::json;
use crdgen_core::value::Value;
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

/// The documents of the definitions, in their order: one each, or one for each version where the form is
/// about versions. `header` stands before each as a comment (in YAML).
pub fn documents(crds: &[Crd], form: Form, header: Option<&str>) -> Vec<Document> {
    crds.iter().flat_map(|crd| documents_of(crd, form, header)).collect()
}

fn documents_of(crd: &Crd, form: Form, header: Option<&str>) -> Vec<Document> {
    let base = format!("{}_{}", crd.spec.group, crd.spec.names.plural);
    let line = |value: &Value| json::to_string(value) + "\n";
    let openapi = |v2: bool| {
        let options = openapi::Options { v2, ..openapi::Options::default() };
        let served = crd.spec.versions.iter().enumerate().filter(|(_, v)| v.served);
        let document = |(i, v): (usize, &Version)| {
            let name = format!("{}_{}_{}.json", crd.spec.group, v.name, crd.spec.names.plural);
            Some(Document { name, text: openapi::publish(crd, i, &options)?.text() + "\n" })
        };
        served.filter_map(document).collect()
    };
    let json_schema = |draft: Draft| {
        let document = |i: usize| {
            let text = line(&json_schema::json_schema(crd, i, draft)?);
            Some(Document { name: json_schema::file_name(crd, i)?, text })
        };
        (0..crd.spec.versions.len()).filter_map(document).collect()
    };
    match form {
        Form::Yaml => {
            let mut text = String::new();
            for line in header.unwrap_or_default().lines() {
                text.push_str(format!("# {line}").trim_end());
                text.push('\n');
            }
            text.push_str(&to_yaml(crd));
            vec![Document { name: format!("{base}.yaml"), text }]
        }
        Form::Json => vec![Document { name: format!("{base}.json"), text: line(&emit::crd(crd)) }],
        Form::OpenApiV2 => openapi(true),
        Form::OpenApiV3 => openapi(false),
        Form::JsonSchema => json_schema(Draft::V2020),
        Form::JsonSchema07 => json_schema(Draft::V7),
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
