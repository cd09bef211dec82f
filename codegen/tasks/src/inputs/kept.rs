//! A folder with CRDs of other projects, and a list of where each comes from: what `crdgen crds` writes.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crdgen_core::decode::Written;
use crdgen_core::documents::Group;
use crdgen_core::ir::Crd;
use crdgen_core::{decode, encode, json, yaml};

use super::at_path::GIT;
use super::{Inventory, RENDERED, Source, no_definition, normal, stream};
use crdgen_files::Error;
use crdgen_files::generated;
use crdgen_files::input::{self, Shown};
use crdgen_files::output::Document;

/// The list of where each CRD comes from. Commands do not read files with this extension.
const ORIGINS: &str = "origins.toml";

/// The name that controller-gen and `crdgen emit` give the file of a CRD.
fn file_name(crd: &Crd) -> String {
    crdgen_core::file_name(&format!("{}_{}", crd.spec.group, crd.spec.names.plural), "yaml")
}

/// Where a source of an argument comes from, as the list names it. The list is the same on every machine and from every
/// folder, so paths are relative to its folder.
fn origin(argument: &str, name: &str, list: &Path) -> String {
    if argument.starts_with(GIT) {
        return format!("{GIT}{name}");
    }
    if argument == "-" {
        return "standard input".to_owned();
    }
    let (path, more) = match name.strip_suffix(RENDERED) {
        Some(path) if !Path::new(name).exists() => (path, RENDERED),
        _ => (name, ""),
    };
    let path = from_to(&resolved(list), &resolved(Path::new(path)));
    path.map_or_else(|| name.to_owned(), |path| format!("{}{more}", path.shown()))
}

/// The absolute path of a file or folder that need not exist.
fn resolved(path: &Path) -> PathBuf {
    let absolute = normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let real = absolute.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match real.and_then(|(above, real)| Some(real.join(absolute.strip_prefix(above).ok()?))) {
        Some(real) => normal(&real),
        None => absolute,
    }
}

/// The path from one absolute folder to a path. There is none from one drive of Windows to another.
fn from_to(folder: &Path, path: &Path) -> Option<PathBuf> {
    let (from, to): (Vec<_>, Vec<_>) = (folder.components().collect(), path.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let ups = from.iter().skip(common).map(|_| Component::ParentDir);
    (common > 0).then(|| ups.chain(to.iter().skip(common).copied()).collect())
}

/// The CRDs by the names of their files, with their origins.
#[derive(Default)]
pub struct KeptCrds(BTreeMap<String, (String, String)>);

impl KeptCrds {
    /// Adds the CRDs that an argument names. `list` is the folder that the CRDs are kept in.
    pub fn add(&mut self, argument: &str, found: &Inventory, list: &Path) -> Result<(), Error> {
        let before = self.0.len();
        for input in found.iter() {
            if let Some(source) = found.read(input)? {
                self.source(&origin(argument, &source.name, list), &source)?;
            }
        }
        found.say_skipped(false);
        match self.0.len() == before {
            true => Err(no_definition(&[argument.to_owned()])),
            false => Ok(()),
        }
    }

    /// Adds the CRDs of a source. A CRD that is there already stays.
    pub fn source(&mut self, origin: &str, source: &Source) -> Result<(), Error> {
        let texts = |group: Group| Ok(group.texts());
        stream::groups(source, texts, |texts: Vec<String>| {
            for text in texts {
                let value = json::read(text.as_bytes()).unwrap_or_default();
                let (Some(mut crd), _) = decode::crd_as_written(value, Written::default()) else { continue };
                // What a server adds is not part of the CRD.
                crd.status = Default::default();
                let text = format!("{}{}", generated::mark(), yaml::write_object(&encode::crd(&crd)));
                self.0.entry(file_name(&crd)).or_insert_with(|| (text, origin.to_owned()));
            }
            Ok(())
        })
    }

    /// The files of the CRDs and of the list. What the list in the folder has stays in it.
    ///
    /// # Errors
    /// Fails if the list in the folder cannot be read.
    pub fn documents(&self, folder: &Path) -> Result<Vec<Document>, Error> {
        let list = folder.join(ORIGINS);
        let mut origins: BTreeMap<String, String> = match input::read_to_string(&list) {
            Ok(text) if generated::is_marked(&text) => toml::from_str(&text)
                .map_err(|why| Error::Argument(format!("{}: {}", list.shown(), why.message())))?,
            // A list of others is not replaced, except with --force.
            Ok(_) | Err(_) => BTreeMap::new(),
        };
        let mut documents: Vec<Document> = Vec::new();
        for (name, (text, origin)) in &self.0 {
            origins.insert(name.clone(), origin.clone());
            documents.push(Document { name: name.clone(), text: text.clone() });
        }
        let text = toml::to_string(&origins).map_err(|why| Error::Argument(why.to_string()))?;
        documents.push(Document { name: ORIGINS.into(), text: format!("{}{text}", generated::mark()) });
        Ok(documents)
    }

    /// The names of the files.
    pub fn names(&self) -> Vec<&String> {
        self.0.keys().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{from_to, origin};
    use std::path::Path;

    #[test]
    fn paths_are_relative_to_the_list() {
        for (folder, path, expected) in [
            ("/r/crds", "/r/charts/a/crds/x.yaml", "../charts/a/crds/x.yaml"),
            ("/r", "/r/x.yaml", "x.yaml"),
            ("/r/a/b", "/s/x.yaml", "../../../s/x.yaml"),
        ] {
            assert_eq!(from_to(Path::new(folder), Path::new(path)).as_deref(), Some(Path::new(expected)));
        }
    }

    #[test]
    fn origins_do_not_depend_on_the_machine() {
        let here = std::env::current_dir().unwrap_or_default();
        let absolute = here.join("charts/x.yaml").display().to_string();
        for (argument, name, expected) in [
            ("charts", "charts/x.yaml", "../charts/x.yaml"),
            ("charts", absolute.as_str(), "../charts/x.yaml"),
            ("charts/a", "charts/a/x.yaml (rendered)", "../charts/a/x.yaml (rendered)"),
            ("git:v1.2.0:deploy", "v1.2.0:deploy/x.yaml", "git:v1.2.0:deploy/x.yaml"),
            ("-", "<stdin>", "standard input"),
        ] {
            assert_eq!(origin(argument, name, Path::new("crds")), expected, "{argument}");
        }
    }
}
