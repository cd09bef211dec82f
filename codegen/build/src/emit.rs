//! Writes CRDs to files, with the file names of the Go tools, or compares them with existing files.

use crdgen_files::input::Shown;

use crate::{Error, docs};
use crdgen_core::decode::set_defaults;
use crdgen_core::encode;
use crdgen_core::file_name;
use crdgen_core::ir::{Crd, Version};
use crdgen_core::value::Value;
use crdgen_core::{inert, json};
use crdgen_files::difference::unified;
pub use crdgen_files::output::Document;
use crdgen_files::output::{Folder, Replace};
use crdgen_files::{generated, input};
use crdgen_kinds::to_yaml;
use crdgen_publish::json_schema::{self, Draft};
use crdgen_publish::openapi;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The output format of a CRD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// YAML.
    #[default]
    Yaml,
    /// JSON in one line.
    Json,
    /// Swagger 2.0 as a server publishes it, per served version.
    OpenApiV2,
    /// OpenAPI 3.0 as a server publishes it, per served version.
    OpenApiV3,
    /// A strict JSON Schema per version, draft 2020-12, in the layout of kubeconform.
    JsonSchema,
    /// A strict JSON Schema per version, draft-07.
    JsonSchema07,
    /// A documentation page in HTML.
    Docs,
    /// A documentation page in Markdown.
    DocsMarkdown,
}

/// A file that is out of date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The file.
    pub path: PathBuf,
    /// The text that it should have.
    pub wanted: String,
    /// The text that it has. `None` if it is missing.
    pub found: Option<String>,
}

/// Options for formats with one document per version.
#[derive(Clone, Debug, Default)]
pub struct Publishing {
    /// Write only this version of each kind, even if it is not served. By default all served versions.
    pub version: Option<String>,
    /// Write one OpenAPI document for all kinds.
    pub merge: bool,
    /// Options for OpenAPI documents.
    pub options: openapi::Options,
}

/// Writes CRDs as documents, in their order: one per CRD, or one per version for formats such as OpenAPI. In YAML, each
/// starts with `header` as a comment.
pub fn documents(crds: &[Crd], format: OutputFormat, header: Option<&str>) -> Vec<Document> {
    match format {
        OutputFormat::Docs => docs::documents(crds, docs::PageFormat::Html),
        OutputFormat::DocsMarkdown => docs::documents(crds, docs::PageFormat::Markdown),
        _ => crds.iter().flat_map(|crd| documents_of(crd, format, header)).collect(),
    }
}

/// Like [`documents`], with options for published formats.
pub fn published(crds: &[Crd], format: OutputFormat, publishing: &Publishing) -> Vec<Document> {
    let Publishing { version, merge, options } = publishing;
    let v2 = match format {
        OutputFormat::OpenApiV2 => true,
        OutputFormat::OpenApiV3 => false,
        OutputFormat::JsonSchema | OutputFormat::JsonSchema07 => {
            let draft = if format == OutputFormat::JsonSchema { Draft::V2020 } else { Draft::V7 };
            return crds.iter().flat_map(|crd| json_schemas(crd, draft, version.as_deref())).collect();
        }
        OutputFormat::Yaml | OutputFormat::Json | OutputFormat::Docs | OutputFormat::DocsMarkdown => {
            return documents(crds, format, None);
        }
    };
    let options = openapi::Options { v2, ..options.clone() };
    let documents = crds.iter().flat_map(|crd| openapi_documents(crd, &options, version.as_deref()));
    if !merge {
        let text = |document: openapi::Published| inert::json(&document.text()).into_owned() + "\n";
        return documents.map(|(name, document)| Document { name, text: text(document) }).collect();
    }
    let mut merged = Merged::new(format, publishing);
    merged.add(crds);
    vec![merged.document()]
}

/// Builds one OpenAPI document for many CRDs, which arrive in parts.
#[doc(hidden)]
pub struct Merged<'p> {
    publishing: &'p Publishing,
    options: openapi::Options,
    merged: openapi::Merged,
}

impl<'p> Merged<'p> {
    pub fn new(format: OutputFormat, publishing: &'p Publishing) -> Merged<'p> {
        let options =
            openapi::Options { v2: format == OutputFormat::OpenApiV2, ..publishing.options.clone() };
        let merged = openapi::Merged::new(options.v2);
        Merged { publishing, options, merged }
    }

    /// Adds what a server publishes for some CRDs.
    pub fn add(&mut self, crds: &[Crd]) {
        let version = self.publishing.version.as_deref();
        let documents = crds.iter().flat_map(|crd| openapi_documents(crd, &self.options, version));
        documents.for_each(|(_, document)| self.merged.add(document.document()));
    }

    /// Fails if the document has become too large.
    pub fn check(&self) -> Result<(), openapi::TooLarge> {
        self.merged.check()
    }

    pub fn document(self) -> Document {
        let name = if self.options.v2 { "openapi-v2.json" } else { "openapi-v3.json" };
        Document { name: name.to_owned(), text: inert_line(self.merged.text()) }
    }
}

/// Returns the OpenAPI documents of a CRD: one for each served version, or only the one of the named version.
fn openapi_documents(
    crd: &Crd,
    options: &openapi::Options,
    version: Option<&str>,
) -> Vec<(String, openapi::Published)> {
    // Rust sources leave some fields to the server's defaults, such as `listKind`.
    let mut crd = crd.clone();
    set_defaults(&mut crd);
    let wanted = |v: &Version| version.map_or(v.served, |name| name == v.name);
    let versions = crd.spec.versions.iter().enumerate().filter(|(_, v)| wanted(v));
    versions
        .filter_map(|(index, v)| {
            let name = format!("{}_{}_{}", crd.spec.group, v.name, crd.spec.names.plural);
            Some((file_name(&name, "json"), openapi::publish(&crd, index, options)?))
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
    inert_line(json::to_string(value))
}

fn inert_line(text: String) -> String {
    let mut line = match inert::json(&text) {
        Cow::Owned(inert) => inert,
        Cow::Borrowed(_) => text,
    };
    line.push('\n');
    line
}

fn documents_of(crd: &Crd, format: OutputFormat, header: Option<&str>) -> Vec<Document> {
    let base = format!("{}_{}", crd.spec.group, crd.spec.names.plural);
    match format {
        OutputFormat::Yaml => {
            let mut text = String::new();
            for line in header.unwrap_or_default().lines() {
                text.push_str(format!("# {}", inert::text(line)).trim_end());
                text.push('\n');
            }
            text.push_str(&to_yaml(crd));
            vec![Document { name: file_name(&base, "yaml"), text }]
        }
        OutputFormat::Json => {
            vec![Document { name: file_name(&base, "json"), text: line(&encode::crd(crd)) }]
        }
        OutputFormat::OpenApiV2
        | OutputFormat::OpenApiV3
        | OutputFormat::JsonSchema
        | OutputFormat::JsonSchema07 => published(std::slice::from_ref(crd), format, &Publishing::default()),
        OutputFormat::Docs => docs::documents(std::slice::from_ref(crd), docs::PageFormat::Html),
        OutputFormat::DocsMarkdown => docs::documents(std::slice::from_ref(crd), docs::PageFormat::Markdown),
    }
}

/// Joins documents into one text: a stream of YAML documents, or one JSON document per line.
pub fn joined(documents: &[Document], format: OutputFormat) -> String {
    let mut out = String::new();
    for document in documents {
        if format == OutputFormat::Yaml {
            out.push_str("---\n");
        }
        out.push_str(&document.text);
    }
    out
}

/// Turns a YAML document into a template for a Helm chart, with the values `crds.install` (default true), `crds.keep`
/// (default true: the CRD and its objects remain when the chart is uninstalled) and `crds.annotations`. Escapes text that
/// looks like a template.
pub fn to_helm(document: &mut Document) {
    let protected = document.text.replace("{{", "{{ \"{{\" }}");
    let (head, rest) = match protected.split_once("\nmetadata:\n") {
        Some((head, rest)) => (format!("{head}\nmetadata:\n"), rest),
        None => return,
    };
    // The annotations that are there already come first in the metadata, because keys are sorted.
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

/// Shows how a file is out of date, in the format of `diff -u`.
pub fn difference(drift: &Drift) -> String {
    let path = drift.path.shown();
    let Some(found) = &drift.found else { return format!("{path}: missing\n") };
    format!("--- {path}\n+++ {path} (wanted)\n{}", unified(found, &drift.wanted))
}

/// Adds a first line to CRDs in YAML with the crate that they belong to, so that crdgen can find files of kinds that no
/// longer exist. `crates` has the names of the CRDs of each crate.
pub fn mark(documents: &mut [Document], crds: &[Crd], crates: &BTreeMap<String, Vec<String>>) {
    for (document, crd) in documents.iter_mut().zip(crds) {
        let of_crate = crates.iter().find(|(_, names)| names.contains(&crd.metadata.name));
        if let Some((name, _)) = of_crate {
            document.text.insert_str(0, &generated::line(name));
        }
    }
}

/// Writes the documents that differ from existing files. Returns the paths of the written files.
pub fn write(folder: &mut Folder, documents: &[Document]) -> Result<Vec<PathBuf>, Error> {
    let mut written = Vec::new();
    for document in documents {
        if folder.write(&document.name, &document.text)? {
            written.push(folder.path().join(&document.name));
        }
    }
    Ok(written)
}

/// Returns the documents that differ from existing files, without writing them.
pub fn drift(folder: &Path, documents: &[Document]) -> Result<Vec<Drift>, Error> {
    let there = Folder::new(folder, Replace::Own);
    let mut out = Vec::new();
    for document in documents {
        let found = there.read(&document.name)?;
        if found.as_deref() != Some(document.text.as_bytes()) {
            let found = found.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            out.push(Drift { path: folder.join(&document.name), wanted: document.text.clone(), found });
        }
    }
    Ok(out)
}

/// Returns files that crdgen wrote for these crates, but that are not among the documents, because the kind was removed or
/// renamed. Ignores files without crdgen's first line.
pub fn stale(folder: &Path, documents: &[Document], crates: &BTreeMap<String, Vec<String>>) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // crdgen never writes links, so it did not write this file.
        let is_yaml = path.extension().is_some_and(|e| e == "yaml");
        if !is_yaml || !entry.file_type().is_ok_and(|ty| ty.is_file()) {
            continue;
        }
        if documents
            .iter()
            .any(|document| path.file_name().is_some_and(|name| name == document.name.as_str()))
        {
            continue;
        }
        let text = input::read_to_string(&path).unwrap_or_default();
        if generated::krate(&text).is_some_and(|name| crates.contains_key(name)) {
            out.push(path);
        }
    }
    out.sort();
    out
}
