//! Plain folders: objects in `valid` must be accepted, and objects in `invalid` rejected with the words in their
//! comments.

use super::case::{Case, What};
use super::crds::{Crds, Definition};
use super::files::{each_folder, listed};
use crate::Error;
use crdgen_core::span::Locate;
use crdgen_core::yaml::Documents;
use crdgen_files::input;
use crdgen_kinds::objects::CompiledKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder with folders of objects in it.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
}

const VALID: &str = "valid";
const INVALID: &str = "invalid";

/// The start of a comment with a part of the expected error.
const EXPECTED: &str = "# error:";

/// Finds all such folders below a path.
pub(super) fn find(path: &Path) -> Result<Vec<Folder>, Error> {
    let mut out = Vec::new();
    if path.is_dir() {
        each_folder(path, &mut |folder| {
            if folder.join(VALID).is_dir() || folder.join(INVALID).is_dir() {
                out.push(Folder { path: folder.to_owned() });
            }
            Ok(())
        })?;
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(out)
}

impl Folder {
    /// Returns a case for each object, and the CRD of the custom resources, all of which are of one kind.
    pub(super) fn cases(&self, crds: &mut Crds) -> Result<(Option<Definition>, Vec<Case>), Error> {
        let mut cases = Vec::new();
        let mut crd: Option<Definition> = None;
        for name in [VALID, INVALID] {
            let folder = self.path.join(name);
            let files = if folder.is_dir() { listed(&folder)? } else { Vec::new() };
            for path in files {
                let first = cases.len();
                let file = &path;
                let bytes = input::read(file).map_err(Error::file(file))?;
                let label = format!("{name}/{}", file.file_name().unwrap_or_default().to_string_lossy());
                for (i, document) in Documents::new(&Arc::new(bytes.clone())).enumerate() {
                    let label = if i == 0 { label.clone() } else { format!("{label} ({})", i + 1) };
                    let document = match document {
                        Ok(document) => document,
                        Err(unreadable) => {
                            let line = Some(unreadable.place.start.line);
                            cases.push(Case { line, ..Case::broken(&label, unreadable.problem.text) });
                            continue;
                        }
                    };
                    let text = String::from_utf8_lossy(&bytes[document.range()]).into_owned();
                    let line = document.locate(&[]).map(|place| place.start.line);
                    let object = document.value;
                    let api_version = object.text("apiVersion");
                    let group = api_version.split_once('/').map_or("", |(group, _)| group);
                    let kind = object.text("kind");
                    let is_own = CompiledKind::own(api_version, kind).is_some();
                    let found = if is_own { None } else { crds.of_kind(group, kind, &self.path)? };
                    let is_other =
                        |found: &Definition| crd.as_ref().is_some_and(|crd| crd.document != found.document);
                    match found {
                        None if is_own => {}
                        None => {
                            let why = format!("there is no CRD for {kind} of {api_version}");
                            cases.push(Case { line, ..Case::broken(&label, why) });
                            continue;
                        }
                        Some(found) if is_other(&found) => {
                            let why = format!(
                                "all objects in a folder must have the same kind, but this is a {kind}"
                            );
                            cases.push(Case { line, ..Case::broken(&label, why) });
                            continue;
                        }
                        Some(found) => crd = Some(found),
                    }
                    let what = if name == VALID {
                        What::Valid(object)
                    } else {
                        What::Invalid(object, expected(&text))
                    };
                    cases.push(Case { line, ..Case::new(label, what) });
                }
                cases[first..].iter_mut().for_each(|case| case.file = Some(path.clone()));
            }
        }
        Ok((crd, cases))
    }
}

/// Returns the parts of the error that comments in a document contain.
fn expected(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix(EXPECTED));
    lines.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}
