//! What commands read: files, folders, glob patterns, standard input, revisions of git, charts and kustomizations, in a stable
//! order. All commands of crdgen read through this module, so that all of them know the same kinds of inputs.
//!
//! **Unstable**: any release may change what is in this module.
//!
//! [`find`] makes an [`Inventory`] of the arguments. A file that the user names is always read. Of a folder, `walk` finds the
//! files, `layout` finds out which of them belong to charts and kustomizations, and `class` names what is surely not for a
//! server. `kustomize` builds the kustomizations. The rest is found when the text of a file is known ([`Inventory::read`]).

mod charts;
mod class;
pub mod cluster;
pub mod git;
mod kustomize;
mod layout;
mod limited;
mod notes;
mod path;
mod piped;
mod suites;
mod walk;

pub use class::{Class, Skipped, Unwanted, Wants, is_for};
pub use kustomize::Kustomization;
pub use layout::Layout;
#[cfg(unix)]
pub use limited::abandon;
pub use notes::Notes;
pub use path::{common_end, normal};
pub use walk::Rules;

use crate::Error;
use crate::input::{self, MAX_BYTES, NameOf, Shown, is_document};
use crate::inside::Inside;
use crate::output::Temporary;
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Once, OnceLock};

use crdgen_core::documents::{self, Group};
use crdgen_core::listed;
use crdgen_core::value::Value;
use crdgen_import::{is_template, without_actions};

use kustomize::{Builder, Built};

/// A text, and the name under which it is reported.
#[derive(Clone)]
pub struct Source {
    /// The path as the user would write it, or `<stdin>`.
    pub name: String,
    /// The bytes, whatever they are.
    pub bytes: Arc<Vec<u8>>,
    /// Where the text belongs.
    pub origin: Origin,
}

/// Where a text belongs.
#[derive(Clone, Default)]
pub struct Origin {
    /// Whether crdgen has found the file in a folder. The user did not name it, so it may be anything.
    pub is_found: bool,
    /// What is applied together: a kustomization, a folder, or a file. Two objects with one name are a mistake only there.
    pub root: Arc<str>,
    /// What the objects are if they only lack required fields. A file next to a kustomization that does not list it is a patch,
    /// if others have the kinds and names of its objects. A test applies parts to objects that are already there.
    pub part: Option<Class>,
    /// Whether the text is a template of a chart, without the actions.
    is_template: bool,
    /// The objects of the file as a kustomization builds them.
    built: Option<Arc<Objects>>,
    chooser: Option<Arc<Chooser>>,
}

/// Objects by their number in a file.
type Objects = BTreeMap<usize, Value>;

impl Source {
    /// The same file without the changes of kustomizations.
    pub fn as_written(&self) -> Source {
        Source { origin: Origin { built: None, ..self.origin.clone() }, ..self.clone() }
    }

    /// A text that belongs to nothing else.
    pub fn new(name: String, bytes: Arc<Vec<u8>>) -> Source {
        Source { name, bytes, origin: Origin::default() }
    }

    /// Whether its objects are those that a kustomization builds.
    pub fn is_built(&self) -> bool {
        self.origin.built.is_some()
    }

    /// All documents at once.
    pub fn group(&self) -> Group {
        let mut group = Group::of(&self.bytes);
        self.choose(&mut group, &mut 0);
        group
    }

    /// The documents, some at a time.
    pub fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        let mut number = 0;
        documents::groups(&self.bytes).map(move |mut group| {
            self.choose(&mut group, &mut number);
            group
        })
    }

    /// Keeps the objects that the command wants, as they are applied. `number` counts the objects of the source.
    fn choose(&self, group: &mut Group, number: &mut usize) {
        let Origin { is_found, built, chooser, .. } = &self.origin;
        if built.is_none() && chooser.is_none() {
            return;
        }
        group.rewrite(|object| {
            *number += 1;
            let number = *number - 1;
            if let Some(built) = built {
                let Some(other) = built.get(&number) else { return false };
                *object = other.clone();
            }
            let Some(chooser) = chooser else { return true };
            let is_found = *is_found && built.is_none();
            let has_crd = |group: &str, kind: &str| chooser.has_crd(group, kind);
            let class = class::of_object(object, is_found, chooser.wants, &chooser.unwanted, has_crd);
            class.inspect(|class| chooser.skipped.add_object(*class, &self.name, number)).is_none()
        });
    }
}

/// What a command wants of the objects in its inputs, and what it has skipped.
#[derive(Default)]
struct Chooser {
    wants: Wants,
    unwanted: Unwanted,
    skipped: Skipped,
    /// The groups and kinds that have CRDs, as far as they are known.
    served: OnceLock<BTreeSet<(String, String)>>,
}

impl Chooser {
    fn has_crd(&self, group: &str, kind: &str) -> bool {
        self.served.get().is_some_and(|served| served.contains(&(group.to_owned(), kind.to_owned())))
    }
}

/// Where a source will come from.
pub struct Input {
    path: PathBuf,
    /// The size of the file when it was found. `None` if it is unknown, as for a pipe or standard input.
    size: Option<u64>,
    /// The text, if it was read already: a pipe or standard input can only be read once, and other inputs may be kept
    /// to be read again.
    read_before: OnceLock<Source>,
    /// Whether the error about it was reported.
    reported: Once,
    origin: Origin,
}

/// What a command wants to read.
#[derive(Clone)]
pub struct Options {
    /// What the command wants of the inputs.
    pub wants: Wants,
    /// Which files of a folder to read.
    pub rules: Rules,
    /// What to read of kustomizations.
    pub build: Build,
    /// What the user wants to skip.
    pub unwanted: Unwanted,
    /// The cluster to read, instead of the current folder.
    pub cluster: Option<Cluster>,
}

/// The cluster that kubectl uses.
#[derive(Clone)]
pub struct Cluster {
    /// The context of the kubeconfig, if it is not the current one.
    pub context: Option<String>,
}

/// What to read of the files that a kustomization includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// What it builds. CRDs also as they are in the file.
    Each,
    /// What it builds, if that is one thing. Otherwise the file.
    One,
    /// The file.
    Not,
}

impl Options {
    /// For commands that read CRDs.
    pub fn crds(rules: &Rules) -> Options {
        Options {
            wants: Wants::Crds,
            rules: rules.clone(),
            build: Build::One,
            unwanted: Unwanted::default(),
            cluster: None,
        }
    }

    /// For commands that read objects.
    pub fn objects(rules: &Rules) -> Options {
        Options { wants: Wants::Objects, build: Build::Each, ..Options::crds(rules) }
    }

    /// For commands that find out themselves what a file is.
    pub fn anything(rules: &Rules) -> Options {
        Options { wants: Wants::Anything, build: Build::Not, ..Options::crds(rules) }
    }

    /// Without the builds of kustomizations.
    pub fn without_builds(self) -> Options {
        Options { build: Build::Not, ..self }
    }
}

/// What the arguments of a command name.
pub struct Inventory {
    inputs: Vec<Input>,
    chooser: Arc<Chooser>,
    /// The charts and kustomizations.
    pub layout: Layout,
    /// The kustomizations that were built, by the names of their roots.
    pub built: Vec<Arc<str>>,
    /// The charts that Helm has rendered.
    pub rendered: Vec<Arc<str>>,
    notes: Notes,
}

impl std::ops::Deref for Inventory {
    type Target = [Input];

    fn deref(&self) -> &[Input] {
        &self.inputs
    }
}

/// Finds all inputs. Without arguments, the input is what is piped in, or otherwise the current folder.
pub fn find(args: &[String], options: &Options) -> Result<Inventory, Error> {
    let mut finder = Finder::new(options);
    if let Some(Cluster { context }) = &options.cluster {
        let bytes = cluster::definitions(&[], context.as_deref())?;
        finder.found.push(Input::given(Source::new("<cluster>".to_owned(), Arc::new(bytes))));
    } else if args.is_empty() {
        match piped::text(options.rules.notes)? {
            Some(_) => finder.found.push(Input::named(PathBuf::from(STDIN), None)),
            None => finder.walk(Path::new("."))?,
        }
    }
    for arg in args {
        finder.argument(arg)?;
    }
    finder.finish()
}

/// Returns what is piped in, if anything is.
pub fn piped(notes: Notes) -> Result<Option<Arc<Vec<u8>>>, Error> {
    piped::text(notes)
}

/// Returns the old CRDs, which new ones are compared with. For a folder with a kustomization, these are the CRDs that
/// kustomize prints.
pub fn old(args: &[String], rules: &Rules) -> Result<Vec<Result<Source, Error>>, Error> {
    let mut out = Vec::new();
    for arg in args {
        let file = kustomize::file_in(Path::new(arg));
        let inside = Arc::new(Inside::checkout(Path::new(arg)));
        match file.map(|file| Kustomization::read(&file, &inside)).transpose()?.flatten() {
            Some(root) => out.push(kustomize::crds_of(&root, rules.notes)),
            None => out.extend(as_written(arg, rules)?),
        }
    }
    Ok(out)
}

/// Returns the sources of an argument without patches, which look like CRDs. Reports kustomizations that change CRDs.
pub fn as_written(arg: &str, rules: &Rules) -> Result<Vec<Result<Source, Error>>, Error> {
    let inputs = find(&[arg.to_owned()], &Options::crds(rules).without_builds())?;
    for changing in inputs.layout.kustomizations.values().filter(|it| it.changes_crds()) {
        rules.notes.say(format_args!(
            "{} changes CRDs with patches. Pass the folder with --against {} to compare with its result",
            changing.file().shown(),
            input::folder_of(changing.file()).shown()
        ));
    }
    Ok(inputs.iter().filter_map(|input| inputs.source(input).transpose()).collect())
}

/// Finds the same paths at a revision of git.
pub fn at_revision(revision: &str, paths: &[String], options: &Options) -> Result<Inventory, Error> {
    let mut finder = Finder::new(options);
    finder.revision(revision, paths)?;
    finder.finish()
}

/// Collects the inputs of all arguments.
struct Finder<'a> {
    options: &'a Options,
    found: Vec<Input>,
    chooser: Chooser,
    layout: Layout,
    rendered: Vec<Arc<str>>,
    built: Vec<Arc<str>>,
}

impl<'a> Finder<'a> {
    fn new(options: &'a Options) -> Finder<'a> {
        let (wants, unwanted) = (options.wants, options.unwanted.clone());
        let chooser = Chooser { wants, unwanted, ..Chooser::default() };
        let (rendered, built) = (Vec::new(), Vec::new());
        Finder { options, found: Vec::new(), chooser, layout: Layout::default(), rendered, built }
    }

    fn argument(&mut self, arg: &str) -> Result<(), Error> {
        let path = Path::new(arg);
        match fs::metadata(path) {
            _ if arg == STDIN => self.found.push(Input::named(path.to_owned(), None)),
            Ok(meta) if meta.is_dir() => self.walk(path)?,
            Ok(meta) if meta.is_file() || is_open(path, &meta) => {
                self.found.push(Input::named(path.to_owned(), meta.is_file().then_some(meta.len())));
            }
            Ok(meta) => {
                let special = input::special(meta.file_type());
                let why = io::Error::new(special.kind(), format!("{special}; - reads standard input"));
                return Err(Error::file(arg)(why));
            }
            Err(_) if arg.starts_with(GIT) => {
                let text = &arg[GIT.len()..];
                match text.split_once(':') {
                    Some((revision, path)) => self.revision(revision, &[path.to_owned()])?,
                    None => self.revision(text, &[])?,
                }
            }
            Err(_) if arg.contains(['*', '?', '[']) => self.expand(arg)?,
            Err(e) => return Err(Error::file(arg)(e)),
        }
        Ok(())
    }

    /// Reads the files at a revision. They are written to a temporary folder, so that everything that is done with the files of
    /// a folder is done with them too.
    fn revision(&mut self, revision: &str, paths: &[String]) -> Result<(), Error> {
        let here = [".".to_owned()];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let mut copies: BTreeMap<PathBuf, Temporary> = BTreeMap::new();
        for path in paths {
            let place = git::Place::new(revision, path)?;
            let copy = match copies.entry(place.top.clone()) {
                Entry::Occupied(copy) => copy.into_mut(),
                Entry::Vacant(entry) => {
                    let copy = Temporary::new("revision").map_err(Error::file(std::env::temp_dir()))?;
                    place.write(&copy, self.options.rules.notes, |path| {
                        walk::is_of_others(path, &self.options.rules)
                    })?;
                    entry.insert(copy)
                }
            };
            let folder = copy.path().join(&place.prefix);
            let _of_the_rest = NameOf::new(copy.path(), format!("{revision}:{}", above_all(&place)));
            let _of_the_folder = NameOf::new(&folder, format!("{revision}:{}", place.folder));
            let rules = self.options.rules.moved(&place.top, copy.path());
            self.copied(&folder.join(place.rest), &Options { rules, ..self.options.clone() })?;
        }
        Ok(())
    }

    /// Finds, builds and reads the files of a temporary folder.
    fn copied(&mut self, path: &Path, options: &Options) -> Result<(), Error> {
        let mut finder = Finder { chooser: std::mem::take(&mut self.chooser), ..Finder::new(options) };
        let found = if path.is_dir() {
            finder.walk(path)
        } else {
            // A path that did not exist at that revision has no files.
            finder.found.extend(path.is_file().then(|| Input::found(path.to_owned(), None)));
            Ok(())
        };
        finder.complete();
        let Finder { found: inputs, chooser, rendered, built, .. } = finder;
        self.chooser = chooser;
        self.rendered.extend(rendered);
        self.built.extend(built);
        for input in inputs {
            self.found.push(Input::given(input.read()?));
        }
        found
    }

    fn expand(&mut self, pattern: &str) -> Result<(), Error> {
        let before = self.found.len();
        let paths =
            glob::glob(pattern).map_err(|e| Error::Argument(format!("{pattern}: invalid pattern: {e}")))?;
        for path in paths {
            let path = path.map_err(|e| Error::File { path: e.path().to_owned(), source: e.into() })?;
            match path.is_dir() {
                true => self.walk(&path)?,
                false => self.found.extend(regular(path, self.options.rules.notes)),
            }
        }
        if self.found.len() == before {
            return Err(Error::Nothing(format!("{pattern}: no file matches")));
        }
        Ok(())
    }

    fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let is_wanted = |path: &Path| is_document(path) || kustomize::is_name(path);
        let mut files = walk::files(folder, &self.options.rules, &self.chooser.skipped, is_wanted)?;
        if self.options.wants != Wants::Anything {
            self.layout.add(folder, &files);
        }
        files.retain(|file| match self.layout.class(file) {
            Some(Class::HelmTemplate) if self.reads_templates(file) => true,
            Some(class) => {
                self.chooser.skipped.add(class, &file.shown().to_string());
                false
            }
            None => true,
        });
        let given: Arc<str> = Arc::from(folder.shown().to_string());
        let (inside, notes) = (Inside::checkout(folder), self.options.rules.notes);
        for mut input in files.into_iter().filter_map(|file| found_below(file, &inside, notes)) {
            input.origin.is_template = self.layout.class(&input.path) == Some(Class::HelmTemplate);
            input.origin.part = self.layout.part(&input.path);
            if path::normal(input.folder()) == path::normal(folder) {
                input.origin.root = Arc::clone(&given);
            }
            self.found.push(input);
        }
        Ok(())
    }

    /// Whether the text of a template without its actions is good enough: a CRD is mostly the same for all values.
    fn reads_templates(&self, file: &Path) -> bool {
        self.options.wants == Wants::Crds
            && self.options.build != Build::Each
            && input::read(file).is_ok_and(|bytes| may_define(&Source::new(String::new(), bytes.into())))
    }

    /// Renders the charts that are not part of others.
    fn render(&mut self) {
        let charts = &self.layout.charts;
        let is_root = |chart: &&PathBuf| !chart.ancestors().skip(1).any(|above| charts.contains(above));
        let roots: Vec<PathBuf> = charts.iter().filter(is_root).cloned().collect();
        for chart in roots {
            let name = input::or_here(&chart);
            match charts::render(&chart) {
                charts::Rendered::NoHelm => return,
                charts::Rendered::Failed(why) => {
                    self.options
                        .rules
                        .notes
                        .say(format_args!("skipped the templates of {}: {why}", name.shown()));
                }
                charts::Rendered::Templates(templates) => {
                    let root: Arc<str> = Arc::from(name.shown().to_string());
                    for (name, bytes) in templates {
                        let origin = Origin { is_found: true, root: Arc::clone(&root), ..Origin::default() };
                        self.found.push(Input::given(Source { name, bytes, origin }));
                    }
                    self.rendered.push(root);
                    self.chooser.skipped.remove(Class::HelmTemplate, Path::new(&chart.shown().to_string()));
                }
            }
        }
    }

    /// Builds what was found in folders.
    fn complete(&mut self) {
        if self.options.build == Build::Each {
            self.render();
        }
        for why in &self.layout.unreadable {
            self.options.rules.notes.say(format_args!("{why}"));
        }
        match self.options.build {
            Build::Not => {}
            Build::Each | Build::One => {
                self.built.extend(build(&self.layout, self.options, &mut self.found));
            }
        }
    }

    fn finish(mut self) -> Result<Inventory, Error> {
        self.complete();
        let Finder { options, mut found, chooser, layout, rendered, built } = self;
        let chooser = Arc::new(chooser);
        if options.wants != Wants::Anything {
            for input in &mut found {
                input.origin.chooser = Some(Arc::clone(&chooser));
            }
        }
        Ok(Inventory { inputs: found, chooser, layout, built, rendered, notes: options.rules.notes })
    }
}

/// The path from the folder of a place to the folder of the repository.
fn above_all(place: &git::Place<'_>) -> String {
    let ups = place.prefix.components().map(|_| Component::ParentDir);
    Path::new(place.folder).components().chain(ups).collect::<PathBuf>().shown().to_string()
}

/// The builds of a file: its objects by the names of the roots.
type Builds = BTreeMap<PathBuf, Vec<(Arc<str>, Objects)>>;

/// Builds the kustomizations, and replaces the files that they include by what they build. Returns the names of their
/// roots.
fn build(layout: &Layout, options: &Options, found: &mut Vec<Input>) -> Vec<Arc<str>> {
    let (crds_only, notes) = (options.wants == Wants::Crds, options.rules.notes);
    if crds_only && !layout.kustomizations.values().any(Kustomization::changes_crds) {
        return Vec::new();
    }
    let mut builder = Builder::new(crds_only);
    let (mut names, mut builds) = (Vec::new(), Builds::new());
    let mut all_differ: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (folders, roots): (Vec<&PathBuf>, Vec<&Kustomization>) = layout.roots().unzip();
    for ((folder, root), built) in folders.into_iter().zip(&roots).zip(builder.build(&roots)) {
        let Built { resources, differs } = match built {
            Ok(built) => built,
            Err(why) => {
                let file = root.file().shown();
                notes.say(format_args!("crdgen cannot build {file}, and reads its files as they are: {why}"));
                continue;
            }
        };
        for (file, what) in differs {
            all_differ.entry(what).or_default().insert(file);
        }
        let name: Arc<str> = Arc::from(input::or_here(folder).shown().to_string());
        let mut files: BTreeMap<PathBuf, Objects> = BTreeMap::new();
        for kustomize::Resource { value, from: (file, number), .. } in resources {
            files.entry(file.as_ref().clone()).or_default().insert(number, value);
        }
        for (file, objects) in files {
            builds.entry(file).or_default().push((Arc::clone(&name), objects));
        }
        names.push(name);
    }
    for (what, files) in all_differ {
        notes.say(format_args!("{}: {what}", listed::first(files.iter(), listed::NAMED)));
    }
    if !crds_only {
        let unlisted = |input: &Input| {
            let path = path::normal(&input.path);
            let folder = path::normal(input.folder());
            input.origin.is_found
                && !builds.contains_key(&path)
                && layout.kustomizations.contains_key(&folder)
                && builder.has_only_built(&path)
        };
        for input in found.iter_mut() {
            if unlisted(input) {
                input.origin.part = Some(Class::Patch);
            }
        }
    }
    if crds_only {
        builds.retain(|file, builds| {
            builds.retain(|(_, objects)| !builder.is_unchanged(file, objects));
            builds.dedup_by(|a, b| a.1 == b.1);
            !builds.is_empty()
        });
    }
    let mut out = Vec::new();
    for input in found.drain(..) {
        let Some(builds) = input.origin.is_found.then(|| builds.remove(&path::normal(&input.path))).flatten()
        else {
            out.push(input);
            continue;
        };
        if crds_only && (options.build == Build::Each || builds.len() > 1) {
            out.push(Input::found(input.path.clone(), input.size));
        }
        if !crds_only || options.build == Build::Each || builds.len() == 1 {
            out.extend(builds.into_iter().map(|(root, objects)| input.built(root, objects)));
        }
    }
    // A kustomization may include files from elsewhere.
    for (file, builds) in builds {
        let Some(input) = regular(file, notes) else { continue };
        out.extend(builds.into_iter().map(|(root, objects)| input.built(root, objects)));
    }
    *found = out;
    names
}

impl Inventory {
    /// The repositories of the inputs that are files: the nearest folders above with `.git`.
    pub fn repositories(&self) -> BTreeSet<String> {
        let folders: BTreeSet<&Path> =
            self.inputs.iter().filter(|it| it.read_before.get().is_none()).map(Input::folder).collect();
        folders.into_iter().filter_map(repository).collect()
    }

    /// Sets which groups and kinds have CRDs, so that a server reads their objects. Objects that were read before may have
    /// been skipped, so they must be read again.
    pub fn serve(&self, kinds: BTreeSet<(String, String)>) {
        if self.chooser.served.set(kinds).is_ok() {
            self.skipped().forget(Class::ClientSide);
        }
    }

    /// What is not for a server.
    pub fn skipped(&self) -> &Skipped {
        &self.chooser.skipped
    }

    /// Reads an input, whatever it is. A file that the user does not name may not be readable: then this reports it once, and
    /// returns `None`, so that it does not hide the others.
    pub fn source(&self, input: &Input) -> Result<Option<Source>, Error> {
        match input.read() {
            Err(why) if input.origin.is_found => {
                let mut reported = Ok(());
                input.reported.call_once(|| reported = self.notes.unread(why));
                reported.map(|()| None)
            }
            read => read.map(Some),
        }
    }

    /// Reads an input. Returns `None` if its text shows that it is nothing that the command wants, and in the cases of
    /// [`Inventory::source`].
    pub fn read(&self, input: &Input) -> Result<Option<Source>, Error> {
        let Some(source) = self.source(input)? else { return Ok(None) };
        match self.class(&source) {
            Some(class) => {
                self.skipped().add(class, &source.name);
                Ok(None)
            }
            None => Ok(Some(source)),
        }
    }

    /// What a text is, if it is nothing that the command wants.
    fn class(&self, source: &Source) -> Option<Class> {
        if !source.origin.is_found || source.is_built() {
            return None;
        }
        // A text in another encoding must be read to find out.
        let text = std::str::from_utf8(&source.bytes).ok()?;
        let is_yaml = || Group::of(&source.bytes).parts().iter().all(Result::is_ok);
        match self.chooser.wants {
            Wants::Anything => None,
            Wants::Crds if !may_define(source) => Some(Class::WithoutCrd),
            // The text has no actions any more, and it may not be YAML without them.
            _ if source.origin.is_template => (!is_yaml()).then_some(Class::HelmTemplate),
            Wants::Crds => is_template(text).then_some(Class::Template),
            Wants::Objects => match (text.contains("apiVersion"), text.contains("kind")) {
                (true, true) => is_template(text).then_some(Class::Template),
                // A document with only one of them may be an object with a mistake.
                (_, true) | (true, _) => (!is_yaml()).then_some(Class::NotYaml),
                (false, false) if is_yaml() => Some(Class::NotKubernetes),
                (false, false) => Some(Class::NotYaml),
            },
        }
    }

    /// Prints what was skipped, other than files without anything that the command wants.
    pub fn say_skipped(&self, verbose: bool) {
        if self.skipped().is_empty() {
            return;
        }
        self.notes.say(format_args!("skipped: {}", self.skipped()));
        if verbose {
            for (class, files) in self.skipped().by_class() {
                for file in files {
                    self.notes.say(format_args!("  {}: {file}", class.names().0));
                }
            }
        }
    }
}

/// Describes the arguments, for messages.
pub fn names(args: &[String]) -> String {
    if !args.is_empty() {
        let name = |arg: &'_ String| match arg.as_str() {
            STDIN => "<stdin>".to_owned(),
            "." => HERE.to_owned(),
            arg => arg.to_owned(),
        };
        let names: Vec<String> = args.iter().map(name).collect();
        return names.join(" ");
    }
    match piped::text(Notes::default()) {
        Ok(Some(_)) => "<stdin>".to_owned(),
        Ok(None) | Err(_) => HERE.to_owned(),
    }
}

/// What messages call the current folder: a sentence may go on behind it.
const HERE: &str = "the current folder";

/// What the argument for a revision of git begins with.
const GIT: &str = "git:";

/// The folder of the repository that a folder is in.
fn repository(folder: &Path) -> Option<String> {
    let mut at = folder.to_owned();
    for _ in 0..MAX_DEPTH {
        if at.join(".git").exists() {
            return Some(at.shown().to_string());
        }
        at = input::above(&at);
    }
    None
}

/// How many folders above a given one may be its repository.
const MAX_DEPTH: usize = 64;

/// The argument for standard input.
const STDIN: &str = "-";

/// Whether a path is a pipe that this process already has open, so that another process writes to it: `crdgen check
/// <(helm template …)`. A device does not count, because it may never end.
fn is_open(path: &Path, meta: &Metadata) -> bool {
    let descriptor =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    descriptor && matches!(input::kind(meta.file_type()), "a named pipe" | "a socket")
}

/// Returns a file that was found below a folder. Links may lead only to files in the folder or its repository.
fn found_below(path: PathBuf, inside: &Inside, notes: Notes) -> Option<Input> {
    let meta = inside.regular(&path);
    or_skipped(path, meta, notes)
}

/// Returns an input that was found by its name. Anything that is not a regular file is skipped.
fn regular(path: PathBuf, notes: Notes) -> Option<Input> {
    let meta = input::regular(&path);
    or_skipped(path, meta, notes)
}

fn or_skipped(path: PathBuf, meta: io::Result<Metadata>, notes: Notes) -> Option<Input> {
    match meta {
        Ok(meta) => Some(Input::found(path, Some(meta.len()))),
        Err(why) => {
            notes.say(format_args!("skipped {}: {}", path.shown(), why_skipped(why)));
            None
        }
    }
}

/// Why a file that was found by its name is skipped.
pub fn why_skipped(why: io::Error) -> io::Error {
    match why.kind() {
        io::ErrorKind::NotFound => io::Error::new(why.kind(), "a link to a file that does not exist"),
        _ => why,
    }
}

/// The largest number of inputs in a batch.
const BATCH: usize = 512;
/// The largest number of bytes in a batch.
const BATCH_BYTES: u64 = 8 << 20;
/// A file of this size is in a batch of its own.
const LARGE: u64 = 2 << 20;

/// Returns the inputs in their order, in batches that are processed at once. An input that may be large is in a batch
/// of its own.
pub fn batches(inputs: &[Input]) -> impl Iterator<Item = &[Input]> {
    let mut rest = inputs;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let is_small = |input: &&Input| {
            bytes += input.size.unwrap_or(LARGE);
            input.size.is_some_and(|size| size < LARGE) && bytes <= BATCH_BYTES
        };
        let small = rest.iter().take(BATCH).take_while(is_small).count();
        let (batch, others) = rest.split_at(small.max(1).min(rest.len()));
        rest = others;
        (!batch.is_empty()).then_some(batch)
    })
}

impl Input {
    fn new(path: PathBuf, size: Option<u64>, origin: Origin) -> Input {
        Input { path, size, read_before: OnceLock::new(), reported: Once::new(), origin }
    }

    /// An input that the user names.
    fn named(path: PathBuf, size: Option<u64>) -> Input {
        let root = Arc::from(path.shown().to_string());
        Input::new(path, size, Origin { root, ..Origin::default() })
    }

    /// A file of a folder. Files are applied together only if the user names their folder or if a kustomization includes
    /// them: folders of samples and releases have the same objects in several files.
    fn found(path: PathBuf, size: Option<u64>) -> Input {
        let root = Arc::from(path.shown().to_string());
        Input::new(path, size, Origin { is_found: true, root, ..Origin::default() })
    }

    /// The same file, with the objects that a kustomization makes of its objects.
    fn built(&self, root: Arc<str>, objects: Objects) -> Input {
        let origin = Origin { is_found: true, root, built: Some(Arc::new(objects)), ..Origin::default() };
        Input::new(self.path.clone(), self.size, origin)
    }

    /// Returns an input for a text that is not a file. Its name is that of the file that it was made from.
    pub fn given(source: Source) -> Input {
        let size = Some(source.bytes.len() as u64);
        let input = Input::new(PathBuf::from(&source.name), size, source.origin.clone());
        Input { read_before: OnceLock::from(source), ..input }
    }

    fn folder(&self) -> &Path {
        input::folder_of(&self.path)
    }

    /// Reads the whole input. It may be read again.
    pub fn read(&self) -> Result<Source, Error> {
        if let Some(source) = self.read_before.get() {
            return Ok(Source { origin: self.origin.clone(), ..source.clone() });
        }
        let mut source = self.read_now()?;
        if self.origin.is_template
            && let Ok(text) = std::str::from_utf8(&source.bytes)
        {
            source.bytes = Arc::new(without_actions(text).into_bytes());
        }
        if self.size.is_none() {
            self.keep(&source);
        }
        Ok(source)
    }

    /// Keeps the text until it is read again.
    pub fn keep(&self, source: &Source) {
        self.read_before.get_or_init(|| source.clone());
    }

    fn read_now(&self) -> Result<Source, Error> {
        let failed = Error::file(&self.path);
        if self.path == Path::new(STDIN)
            && let Some(bytes) = piped::read()
        {
            return Ok(self.source("<stdin>".to_owned(), bytes));
        }
        let mut bytes = Vec::new();
        let (name, read) = if self.path == Path::new(STDIN) {
            ("<stdin>".to_owned(), std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes))
        } else {
            let file = std::fs::File::open(&self.path).map_err(&failed)?;
            // The length of a pipe is unknown. If a file grows while it is read, the rest is cut off below.
            let length = self.size.unwrap_or_default();
            if length > MAX_BYTES {
                return Err(self.too_large());
            }
            bytes.reserve(length as usize);
            (self.path.shown().to_string(), file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        };
        read.map_err(&failed)?;
        if self.path == Path::new(STDIN) && bytes.is_empty() {
            return Err(piped::empty());
        }
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.too_large());
        }
        Ok(self.source(name, Arc::new(bytes)))
    }

    fn source(&self, name: String, bytes: Arc<Vec<u8>>) -> Source {
        Source { name, bytes, origin: self.origin.clone() }
    }

    fn too_large(&self) -> Error {
        Error::TooLarge { path: self.path.clone(), limit: MAX_BYTES >> 20 }
    }
}

/// Whether a source may contain a CRD. A source in another encoding than UTF-8 must be read to find out.
pub fn may_define(source: &Source) -> bool {
    // The lossy conversion takes several times as long as the check for valid UTF-8, so it comes second.
    let text = std::str::from_utf8(&source.bytes)
        .map_or_else(|_| String::from_utf8_lossy(&source.bytes), Cow::Borrowed);
    text.contains("CustomResourceDefinition")
        || source.bytes.starts_with(&[0xff, 0xfe])
        || source.bytes.starts_with(&[0xfe, 0xff])
}
