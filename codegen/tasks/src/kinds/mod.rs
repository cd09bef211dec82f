//! The kinds that objects are checked against: CRDs from files, Rust, git, a cluster and the objects' own files.
//!
//! [`KindSearch`] says where to look for CRDs. Of several CRDs for one kind, each object gets the nearest one. A CRD is checked and compiled
//! when it is first needed, because often only a few kinds have objects.
//!
//! **Unstable**: any release may change what is in this module.

mod entry;
mod folders;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crdgen_core::documents::Group;
use crdgen_core::listed;
use crdgen_core::server::Server;
use crdgen_import::{Unreadable, definitions as templates};

use crate::inputs::{
    self, Cluster, Findings, Inventory, NotYaml, Notes, Options, Rules, Source, may_define, stream,
};
use crdgen_files::Error;
use crdgen_files::source;
use crdgen_kinds::objects::CompiledKind;
use entry::Origin;
pub use entry::{Entry, Heading};
use folders::Folders;

/// Where to look for CRDs, other than among the objects.
#[derive(Clone, Default)]
pub struct KindSearch {
    /// Files, folders, charts, glob patterns, Rust packages and revisions of git.
    pub crds: Vec<String>,
    /// The cluster whose CRDs are used.
    pub cluster: Option<Cluster>,
    /// Folders with CRDs that are used if no other CRD is for a kind.
    pub folders: Vec<String>,
    /// Which files of folders to read, and where notes for the user go.
    pub rules: Rules,
    /// The servers. None for the newest one.
    pub servers: Vec<Server>,
    /// How to report files that cannot be read.
    pub broken: ShowBroken,
}

impl KindSearch {
    /// Whether the user says where CRDs are.
    pub fn is_given(&self) -> bool {
        self.cluster.is_some() || !self.crds.is_empty() || !self.folders.is_empty()
    }
}

/// How to report files that cannot be read and do not look like CRDs. Folders of CRDs often contain templates of
/// charts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShowBroken {
    /// Not at all.
    #[default]
    No,
    /// In one line with the names of all of them.
    Names,
    /// One by one, with the reason.
    Reasons,
}

/// The largest number of kinds. Each takes some kilobytes at least, and no cluster has a tenth of these.
const MAX_KINDS: usize = 50_000;

/// How many bytes of the objects' own files to keep until the objects are read, so that the files are not read twice.
const MAX_KEPT: usize = 64 << 20;

/// Kinds by group and name.
#[derive(Default)]
pub struct Kinds {
    all: BTreeMap<(String, String), Candidates>,
    servers: Vec<Server>,
    is_of_cluster: bool,
    /// How to report files that are skipped because they cannot be read.
    broken: ShowBroken,
    notes: Notes,
    /// Of how many sources a part could not be read.
    unreadable: usize,
    /// How many CRDs were read, including those whose kinds were already known.
    read: usize,
    /// The kinds with several CRDs that differ, each with the place of the one that is used and of one that is not.
    ignored: Vec<(String, String, String)>,
    /// The kinds with several CRDs that differ, of which each object uses the nearest one.
    several: BTreeSet<String>,
    /// Where the CRDs that are added come from.
    layer: Layer,
    /// How many schemas are kept as models.
    schemas: Arc<AtomicUsize>,
}

/// Where CRDs come from. For a kind, only those of the first place that has any are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Layer {
    /// The arguments.
    #[default]
    Given,
    /// The files of the objects.
    Objects,
    /// A repository or folder that is used if no other CRD is for a kind.
    More(usize),
}

/// How many places of CRDs for one kind to distinguish.
const MAX_PLACES: usize = 1000;

/// The CRDs for a kind. A repository may have several projects, or several versions of one.
struct Candidates {
    layer: Layer,
    /// They differ, and the first one is used if no other one is nearer.
    entries: Vec<Entry>,
    /// The folders of CRDs, each with the index of an entry.
    folders: Folders,
}

impl Candidates {
    fn first(&self) -> &Entry {
        &self.entries[0]
    }

    /// The CRD for an object of a version in a file: the nearest one, if it serves the version or none does. Tests of upgrades
    /// have the CRDs of an older release, and objects that they create after the upgrade.
    fn for_object(&self, file: &str, version: &str) -> &Entry {
        let serves = |entry: &&Entry| entry.heading.served.iter().any(|served| served == version);
        let nearest = self.nearest(file);
        if serves(&nearest) { nearest } else { self.entries.iter().find(serves).unwrap_or(nearest) }
    }

    /// The CRD that is nearest to a file: in one of the folders around it, or in a folder of these, such as `crds`. If there
    /// is none, or if all CRDs are in this folder, the first one: it may have the CRDs of all releases.
    fn nearest(&self, file: &str) -> &Entry {
        if self.entries.len() == 1 {
            return self.first();
        }
        self.folders.nearest(&folder(file)).map_or_else(|| self.first(), |index| &self.entries[index])
    }
}

/// The absolute path to the folder of a file.
fn folder(file: &str) -> PathBuf {
    let path = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    inputs::normal(path.parent().unwrap_or(&path))
}

impl Kinds {
    /// Finds all CRDs: those that the search names, and those among the objects.
    ///
    /// # Errors
    /// Fails if a place that the search names cannot be read, or has no CRD.
    pub fn find(search: &KindSearch, objects: &Inventory) -> Result<Kinds, Error> {
        let KindSearch { crds, cluster, folders, rules, servers, broken } = search;
        let is_of_cluster = cluster.is_some();
        let (servers, broken, notes) = (servers.clone(), *broken, rules.notes());
        let mut kinds = Kinds { servers, is_of_cluster, broken, notes, ..Kinds::default() };
        let mut skipped = NotYaml::default();
        for arg in crds {
            kinds.named(arg, rules, &mut skipped)?;
        }
        match broken {
            ShowBroken::No => {}
            ShowBroken::Names => skipped.say(notes),
            ShowBroken::Reasons => skipped.say_reasons(notes),
        }
        if let Some(Cluster { context }) = cluster {
            let bytes = Arc::new(inputs::cluster::definitions(&[], context.as_deref())?);
            kinds.read(&Source::new("<cluster>".to_owned(), bytes), true)?;
        }
        kinds.layer = Layer::Objects;
        // Files that are kept look like other texts that were read before.
        let repositories = objects.repositories();
        let mut kept = 0;
        for input in objects.iter() {
            let Some(source) = objects.source(input)? else { continue };
            kinds.among(&source)?;
            // The file will be read again for its objects.
            kept += source.bytes.len();
            if kept <= MAX_KEPT {
                input.keep(&source);
            }
        }
        kinds.say_ignored();
        if !search.is_given() {
            for root in repositories {
                kinds.more(&root, rules)?;
            }
        }
        for folder in folders {
            kinds.more(folder, rules)?;
        }
        objects.serve(kinds.all.keys().cloned().collect());
        Ok(kinds)
    }

    /// Adds the CRDs of one argument.
    fn named(&mut self, arg: &str, rules: &Rules, skipped: &mut NotYaml) -> Result<(), Error> {
        let (read_before, unreadable_before) = (self.read, self.unreadable);
        if source::is_rust(Path::new(arg)) {
            let read = source::read(&source::Options {
                path: arg.into(),
                kube: self.servers.iter().min().map(|server| server.minor()),
                ..source::Options::default()
            })?;
            if read.has_errors() {
                return Err(Error::Mistakes { found: read.found, cargo: read.cargo.map(Box::new) });
            }
            for crd in read.crds {
                let source = Source::new(arg.to_owned(), Arc::default());
                self.add(Entry::new(crd, Origin { source, written: None, is_served: false }, &self.schemas))?;
            }
        } else {
            let inputs = inputs::find(&[arg.to_owned()], &Options::crds(rules))?;
            for input in inputs.iter() {
                if let Some(source) = inputs.source(input)? {
                    self.read_or_skip(&source, skipped)?;
                }
            }
        }
        if self.read == read_before {
            if self.unreadable > unreadable_before {
                return Err(Error::Nothing(format!(
                    "no CRD that crdgen can read in {arg}: fix the errors above"
                )));
            }
            // `--crd` reads all arguments that follow it.
            let help = "--crd reads all paths that follow it, so write the paths of objects before it";
            return Err(Error::Nothing(format!("no CustomResourceDefinition in {arg}; {help}")));
        }
        Ok(())
    }

    /// Prints which CRDs are not used.
    fn say_ignored(&self) {
        match self.ignored.as_slice() {
            [] => {}
            [(kind, kept, other)] => self
                .notes
                .say(format_args!("there are two CRDs for {kind}: crdgen uses {kept} and ignores {other}")),
            several => {
                let kinds: BTreeSet<String> =
                    several.iter().map(|(kind, kept, _)| format!("{kind} ({kept})")).collect();
                self.notes.say(format_args!(
                    "there are several CRDs for {} kinds. crdgen uses the first one of each: {}",
                    kinds.len(),
                    listed::first(kinds.iter(), listed::NAMED)
                ));
            }
        }
        if !self.several.is_empty() {
            self.notes.say(format_args!(
                "there are several CRDs for {}. crdgen uses the one that is nearest to each object",
                listed::first(self.several.iter(), listed::NAMED)
            ));
        }
    }

    /// Adds the CRDs of a folder whose kinds are not known yet. The folder may contain anything.
    fn more(&mut self, folder: &str, rules: &Rules) -> Result<(), Error> {
        let inputs = inputs::find(&[folder.to_owned()], &Options::crds(rules))?;
        self.layer = match self.layer {
            Layer::More(number) => Layer::More(number + 1),
            Layer::Given | Layer::Objects => Layer::More(0),
        };
        for input in inputs.iter() {
            let Some(source) = inputs.read(input)? else { continue };
            let read = reader_of(&source, &self.schemas);
            stream::groups(&source, read, |found| {
                found.into_iter().try_for_each(|entry| self.add(entry).map(|_| ()))
            })?;
        }
        Ok(())
    }

    /// Adds the CRDs among the inputs. Their mistakes are reported when they are read as objects.
    fn among(&mut self, source: &Source) -> Result<(), Error> {
        if !may_define(source) {
            return Ok(());
        }
        let read = reader_of(source, &self.schemas);
        stream::groups(source, read, |found| {
            for entry in found {
                if let Some(entry) = self.add(entry)? {
                    entry.reported.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })
    }

    /// Adds the CRDs of a source, which may be any file.
    fn read_or_skip(&mut self, source: &Source, skipped: &mut NotYaml) -> Result<(), Error> {
        if may_define(source) {
            return self.read(source, false);
        }
        if self.broken != ShowBroken::No {
            skipped.add(source);
        }
        Ok(())
    }

    /// Adds the CRDs of a source, which may be the template of a chart.
    fn read(&mut self, source: &Source, is_served: bool) -> Result<(), Error> {
        let origin = |written| Origin { source: source.clone(), written, is_served };
        let schemas = Arc::clone(&self.schemas);
        let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
        let read = |group: Group| {
            let mut read = group.read();
            let missing = std::mem::take(&mut read.missing);
            let entry = |(crd, document, steps)| Entry::new(crd, origin(Some((document, steps))), &schemas);
            Ok((missing, read.take().map(entry).collect::<Vec<_>>()))
        };
        stream::groups(source, read, |(missing, found)| {
            unreadable.extend(missing);
            entries.extend(found);
            if entries.len() + unreadable.len() > MAX_KINDS { Err(too_many(source)) } else { Ok(()) }
        })?;
        if !unreadable.is_empty() {
            match templates::definitions(&source.bytes) {
                Ok(crds) => {
                    entries = crds.into_iter().map(|crd| Entry::new(crd, origin(None), &schemas)).collect()
                }
                // Other documents of the source may be readable.
                Err(_) => {
                    let findings = unreadable;
                    (self.notes.findings)(&Findings { source: source.clone(), findings });
                    self.unreadable += 1;
                }
            }
        }
        entries.into_iter().try_for_each(|entry| self.add(entry).map(|_| ()))
    }

    /// Adds a CRD, unless its kind is already known, or the CRD is.
    fn add(&mut self, mut entry: Entry) -> Result<Option<&Entry>, Error> {
        self.read += 1;
        let key = (entry.heading.group.clone(), entry.heading.names.kind.clone());
        let folder = folder(&entry.origin.source.name);
        if !self.all.contains_key(&key) {
            if self.all.len() == MAX_KINDS {
                return Err(too_many(&entry.origin.source));
            }
            let new = Candidates { layer: self.layer, entries: vec![entry], folders: Folders::new(folder) };
            return Ok(Some(self.all.entry(key).or_insert(new).first()));
        }
        let Some(there) = self.all.get_mut(&key) else { return Ok(None) };
        if there.layer != self.layer || there.folders.count() >= MAX_PLACES {
            return Ok(None);
        }
        if let Some(same) = there.entries.iter_mut().position(|it| it.says_the_same_as(&mut entry)) {
            there.folders.add(folder, same);
            return Ok(None);
        }
        let kind = format!("{} of {}", key.1, key.0);
        match self.layer {
            Layer::Given => {
                self.ignored.push((kind, there.first().origin.place(), entry.origin.place()));
                return Ok(None);
            }
            Layer::Objects => drop(self.several.insert(kind)),
            Layer::More(_) => {}
        }
        there.folders.add(folder, there.entries.len());
        there.entries.push(entry);
        Ok(there.entries.last())
    }

    /// All of them, by group and kind.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.all.values().map(Candidates::first)
    }

    /// The servers that the user chose, newest first, or the newest one.
    pub fn servers(&self) -> &[Server] {
        const NEWEST: &[Server] = &[Server::NEWEST];
        if self.servers.is_empty() { NEWEST } else { &self.servers }
    }

    /// The newest of them.
    pub fn server(&self) -> Server {
        self.servers()[0]
    }

    /// The CRD of a kind.
    pub fn get(&self, group: &str, kind: &str) -> Option<&Entry> {
        self.all.get(&(group.to_owned(), kind.to_owned())).map(Candidates::first)
    }

    /// The CRD for an object of a group, version and kind in a file.
    pub fn for_object(&self, file: &str, (group, version): (&str, &str), kind: &str) -> Option<&Entry> {
        self.all.get(&(group.to_owned(), kind.to_owned())).map(|it| it.for_object(file, version))
    }

    /// Returns the compiled kind of a CRD, or `None` if the newest server rejects the CRD.
    pub fn compiled<'e>(&self, entry: &'e Entry) -> Option<&'e CompiledKind> {
        self.compiled_on(entry, self.server())
    }

    /// The same for one of the servers.
    pub fn compiled_on<'e>(&self, entry: &'e Entry, server: Server) -> Option<&'e CompiledKind> {
        let all = entry.compiled(self.servers());
        all.iter().find(|(of, _)| *of == server)?.1.as_ref().ok()
    }

    /// Returns the errors of CRDs that were needed but that the server rejects.
    pub fn rejected(&self) -> Vec<Findings> {
        let entries = self.all.values().flat_map(|it| &it.entries);
        let rejected = entries.filter(|entry| !entry.reported.load(Ordering::Relaxed));
        rejected.filter_map(Entry::rejection).collect()
    }

    /// Whether a part of a source of CRDs could not be read.
    pub fn is_incomplete(&self) -> bool {
        self.unreadable > 0
    }

    /// Whether the kinds of a cluster are among them.
    pub fn is_of_cluster(&self) -> bool {
        self.is_of_cluster
    }

    /// The kinds of a group with a name near this one, or the groups with a kind of this name: "did you mean …?"
    pub fn nearest(&self, group: &str, kind: &str) -> Option<String> {
        let near = |known: BTreeSet<&str>, written| crdgen_core::nearest::did_you_mean(written, known);
        let of_group = self.all.keys().filter(|(of, _)| of == group).map(|(_, kind)| kind.as_str());
        let groups = self.all.keys().filter(|(_, name)| name == kind).map(|(group, _)| group.as_str());
        near(of_group.collect(), kind).or_else(|| near(groups.collect(), group))
    }
}

/// Reads the CRDs in parts of a source.
fn reader_of(
    source: &Source,
    schemas: &Arc<AtomicUsize>,
) -> impl Fn(Group) -> Result<Vec<Entry>, Error> + Sync + use<> {
    let (source, schemas) = (source.clone(), Arc::clone(schemas));
    move |group: Group| {
        let entry = |(crd, document, steps)| {
            let origin =
                Origin { source: source.clone(), written: Some((document, steps)), is_served: false };
            Entry::new(crd, origin, &schemas)
        };
        Ok(group.read().take().map(entry).collect())
    }
}

fn too_many(source: &Source) -> Error {
    let why = Unreadable::TooManyDefinitions { limit: MAX_KINDS };
    Error::NoDefinitions { name: source.name.clone(), why }
}
