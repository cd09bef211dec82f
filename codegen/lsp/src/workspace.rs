//! What is in the folders of the workspace: which files are for a server, and the CRDs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::check::lints::Lints;
use crdgen_core::server::Server;
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_tasks::against::Against;
use crdgen_tasks::inputs::{self, Inventory, Options, Rules, Source, may_define};
use crdgen_tasks::kinds::{KindSearch, Kinds};
use crdgen_tasks::project::Project;

use crate::log::log;

/// What the options of the command set.
#[derive(Clone, Default)]
pub struct Settings {
    /// The lints that are on, and the oldest Kubernetes to support.
    pub lints: Lints,
    /// The servers to support, newest first. None for the newest one.
    pub servers: Vec<Server>,
    /// Which files of folders to read.
    pub rules: Rules,
    /// Where the old CRDs are that those of the workspace replace: a file, a folder or a revision of git.
    pub against: Option<String>,
    /// What the user must know at the start, such as why other settings are not used.
    pub warning: Option<String>,
}

/// The files of the workspace, as the command finds them in folders.
pub struct Workspace {
    pub(crate) settings: Settings,
    /// The folders.
    roots: Vec<PathBuf>,
    /// The files in which objects may be.
    objects: Inventory,
    /// The texts with CRDs, by the paths of their files.
    definitions: BTreeMap<PathBuf, Source>,
    /// The old CRDs.
    pub(crate) project: Project,
}

impl Settings {
    /// How the command reads CRDs, without building kustomizations and charts.
    pub(crate) fn crds(&self) -> Options {
        Options::crds(&self.rules).without_builds()
    }

    /// What the CRDs of some folders are compared with.
    fn project(&self, folders: &[String]) -> Result<Project, Error> {
        let old = self.against.as_deref().filter(|_| !folders.is_empty());
        let against = Against::new(old, Some(folders), &self.rules)?;
        Ok(Project::of_texts(self.crds(), against))
    }

    /// How the command reads objects, in the same way.
    pub(crate) fn objects(&self) -> Options {
        Options::objects(&self.rules).without_builds()
    }
}

impl Workspace {
    /// A workspace in which no files are found yet.
    ///
    /// # Errors
    /// Fails if a part of the settings is wrong.
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> Result<Workspace, Error> {
        let objects = inputs::given(Vec::new(), &settings.objects())?;
        let project = settings.project(&[])?;
        Ok(Workspace { settings, roots, objects, definitions: BTreeMap::new(), project })
    }

    /// The same workspace with the files that are in its folders now. A folder that does not exist has none.
    ///
    /// # Errors
    /// Fails if a folder cannot be read.
    pub fn find_again(&self) -> Result<Workspace, Error> {
        let (roots, settings) = (self.roots.clone(), self.settings.clone());
        let names: Vec<String> =
            roots.iter().filter(|root| root.is_dir()).map(|root| root.shown().to_string()).collect();
        // Without arguments, the command reads the current folder.
        if names.is_empty() {
            return Workspace::new(roots, settings);
        }
        let found = inputs::find(&names, &settings.crds())?;
        let mut definitions = BTreeMap::new();
        for input in found.iter() {
            if let Some(source) = found.read(input)? {
                definitions.insert(PathBuf::from(&source.name), source);
            }
        }
        let objects = inputs::find(&names, &settings.objects())?;
        let project = match settings.project(&names) {
            Ok(project) => project,
            Err(why) => {
                log(format_args!("nothing is compared: {why}"));
                settings.project(&[])?
            }
        };
        Ok(Workspace { settings, roots, objects, definitions, project })
    }

    /// A text that replaces that of a file, as the command would read the file in its folder. `None` if the command would skip the
    /// file, such as a template of a chart.
    pub(crate) fn source(&self, path: &Path, text: Arc<Vec<u8>>) -> Option<Source> {
        let known = self.objects.with_text(path, Arc::clone(&text));
        // A file that was never saved is not skipped: nothing is known about it.
        let is_unknown = || !self.roots.iter().any(|root| path.starts_with(root)) || !path.exists();
        known.or_else(|| {
            let mut source = is_unknown().then(|| Source::new(path.shown().to_string(), text))?;
            source.origin.is_found = true;
            Some(source)
        })
    }

    /// Whether a text may have CRDs that differ from those of the file.
    pub(crate) fn changes(&self, path: &Path, text: &Arc<Vec<u8>>) -> bool {
        match self.definitions.get(path) {
            Some(saved) => saved.bytes != *text,
            None => may_define(&Source::new(path.shown().to_string(), Arc::clone(text))),
        }
    }

    /// Whether a file should be among those of the workspace but is not, because it is new.
    pub(crate) fn lacks(&self, path: &Path) -> bool {
        let is_inside = self.roots.iter().any(|root| path.starts_with(root));
        is_inside && self.objects.with_text(path, Arc::default()).is_none()
    }

    /// The kinds of all CRDs. The texts of some files replace what is on the disk.
    ///
    /// # Errors
    /// Fails if there are too many CRDs.
    pub fn kinds(&self, open: &BTreeMap<PathBuf, Arc<Vec<u8>>>) -> Result<Kinds, Error> {
        let saved = self.definitions.iter().filter(|(path, _)| !open.contains_key(*path));
        let mut sources: Vec<Source> = saved.map(|(_, source)| source.clone()).collect();
        sources
            .extend(open.iter().map(|(path, text)| Source::new(path.shown().to_string(), Arc::clone(text))));
        let Settings { rules, servers, lints: _, against: _, warning: _ } = &self.settings;
        let search = KindSearch { rules: rules.clone(), servers: servers.clone(), ..KindSearch::default() };
        Kinds::find(&search, &inputs::given(sources, &self.settings.crds())?)
    }
}

/// The groups and kinds that have CRDs.
pub(crate) fn served(kinds: &Kinds) -> BTreeSet<(String, String)> {
    let heading =
        |entry: &crdgen_tasks::kinds::Entry| (entry.heading.group.clone(), entry.heading.names.kind.clone());
    kinds.iter().map(heading).collect()
}
