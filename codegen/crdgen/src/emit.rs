//! Definitions as files: named as the Go tools name them, written when they differ, or held against what
//! is there.

use crate::kind::to_yaml;
use crate::output::write_if_changed;
use crdgen_core::ir::Crd;
use crdgen_core::{emit, json};
use std::io;
use std::path::{Path, PathBuf};

/// The form of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// YAML.
    #[default]
    Yaml,
    /// Compact JSON.
    Json,
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

/// One document per definition, in their order. `header` stands before each as a comment (in YAML).
pub fn documents(crds: &[Crd], form: Form, header: Option<&str>) -> Vec<Document> {
    crds.iter()
        .map(|crd| {
            let base = format!("{}_{}", crd.spec.group, crd.spec.names.plural);
            match form {
                Form::Yaml => {
                    let mut text = String::new();
                    for line in header.unwrap_or_default().lines() {
                        text.push_str(format!("# {line}").trim_end());
                        text.push('\n');
                    }
                    text.push_str(&to_yaml(crd));
                    Document { name: format!("{base}.yaml"), text }
                }
                Form::Json => {
                    let text = json::to_string(&emit::crd(crd)) + "\n";
                    Document { name: format!("{base}.json"), text }
                }
            }
        })
        .collect()
}

/// All definitions as one text: a stream of YAML documents, or one JSON document a line.
pub fn stream(crds: &[Crd], form: Form, header: Option<&str>) -> String {
    let mut out = String::new();
    for document in documents(crds, form, header) {
        if form == Form::Yaml {
            out.push_str("---\n");
        }
        out.push_str(&document.text);
    }
    out
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
