//! Which files of a tree belong to Helm charts and kustomizations, and what they are for there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::yaml;

use super::class::Class;
use super::kustomize::{self, Kustomization};
use super::path::normal;
use super::suites;
use crdgen_files::input;
use crdgen_files::inside::Inside;

/// The charts and kustomizations of some files.
#[derive(Default)]
pub struct Layout {
    /// The folders of charts.
    pub charts: BTreeSet<PathBuf>,
    /// The kustomizations by their folders.
    pub kustomizations: BTreeMap<PathBuf, Kustomization>,
    /// Why a kustomization cannot be read.
    pub unreadable: Vec<String>,
    /// The folders that the user gives, which kustomizations may not leave.
    inside: Arc<Inside>,
    /// The files that kustomizations name, other than their resources.
    roles: HashMap<PathBuf, Class>,
    /// The files that tests apply to objects that are already there.
    parts: HashSet<PathBuf>,
}

impl Layout {
    /// Looks at the folders of the files, and at those above `root`: a folder that the user gives may be a part of a chart or
    /// kustomization.
    pub(super) fn add(&mut self, root: &Path, files: &[PathBuf]) {
        let mut folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|file| file.parent()).map(normal).collect();
        // A folder without own files may be the folder of a chart.
        let inner: Vec<PathBuf> = folders.iter().cloned().collect();
        let root = normal(root);
        for folder in inner {
            // If a folder is there, those above it are added for it.
            let above = folder.ancestors().skip(1).take_while(|above| above.starts_with(&root));
            for above in above {
                if !folders.insert(above.to_owned()) {
                    break;
                }
            }
        }
        folders.extend(above(&root));
        let mut inside = Inside::clone(&self.inside);
        inside.add_checkout(&root);
        self.inside = Arc::new(inside);
        for folder in folders {
            if is_chart(&folder) {
                self.charts.insert(folder.clone());
            }
            for (file, role) in suites::files_of(&folder, &self.inside) {
                match role {
                    suites::Role::OfTest => _ = self.roles.insert(file, Class::OfTest),
                    suites::Role::Part => _ = self.parts.insert(file),
                }
            }
            self.kustomization(folder);
        }
    }

    fn kustomization(&mut self, folder: PathBuf) {
        let Some(file) = kustomize::file_in(&folder) else { return };
        // A folder above the one that the user gives may not be inside of it.
        let inside = match self.inside.has(&folder) {
            true => Arc::clone(&self.inside),
            false => Arc::new(Inside::checkout(&folder)),
        };
        match Kustomization::read(&file, &inside) {
            Ok(Some(read)) => {
                let others = read.other_files().into_iter().map(|file| (file, Class::OfKustomization));
                let patches = read.patch_files().into_iter().map(|file| (file, Class::Patch));
                self.roles.extend(others.chain(patches).map(|(file, class)| (normal(&file), class)));
                self.roles.insert(normal(&file), Class::Kustomization);
                self.kustomizations.insert(folder, read);
            }
            Ok(None) => {}
            Err(why) => self.unreadable.push(why.to_string()),
        }
    }

    /// What a file is, if its place shows that no server gets it.
    pub(super) fn class(&self, file: &Path) -> Option<Class> {
        let file = normal(file);
        if let Some(class) = self.roles.get(&file) {
            return Some(*class);
        }
        let chart = file.ancestors().skip(1).find(|folder| self.charts.contains(*folder))?;
        let mut below = file.strip_prefix(chart).ok()?.components();
        let first = below.next()?.as_os_str().to_str()?;
        match below.next() {
            Some(_) if first == "templates" => Some(Class::HelmTemplate),
            Some(_) => None,
            None => is_of_chart(first).then_some(Class::ChartFile),
        }
    }

    /// What a file is if its objects only lack fields, as far as tests show that.
    pub(super) fn part(&self, file: &Path) -> Option<Class> {
        self.parts.contains(&normal(file)).then_some(Class::OfTest)
    }

    /// The kustomizations that no other one includes.
    pub fn roots(&self) -> impl Iterator<Item = (&PathBuf, &Kustomization)> {
        let included: BTreeSet<PathBuf> =
            self.kustomizations.values().flat_map(Kustomization::folders).map(|it| normal(&it)).collect();
        self.kustomizations
            .iter()
            .filter(move |(folder, read)| !read.is_component() && !included.contains(*folder))
    }
}

/// Whether Helm reads a file in the folder of a chart for its own work. The other ones may be examples.
fn is_of_chart(name: &str) -> bool {
    matches!(name, "Chart.yaml" | "Chart.lock" | "requirements.yaml" | "requirements.lock")
        || name.starts_with("values.")
}

/// Whether a folder is a Helm chart: its `Chart.yaml` has the name and version of a chart.
fn is_chart(folder: &Path) -> bool {
    let file = folder.join("Chart.yaml");
    let Ok(bytes) = (if file.is_file() { input::read(&file) } else { return false }) else { return false };
    let Ok(document) = yaml::read_one(&bytes) else { return false };
    ["name", "version"].iter().all(|key| document.value.get(key).is_some_and(|it| !it.is_null()))
}

/// How many folders above a given one may be that of its chart or kustomization.
const ABOVE: usize = 4;

/// The folders above a folder, not beyond the work tree of git.
fn above(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut at = folder.to_owned();
    for _ in 0..ABOVE {
        if at.join(".git").exists() {
            break;
        }
        at = normal(&at.join(".."));
        out.push(at.clone());
    }
    out
}
