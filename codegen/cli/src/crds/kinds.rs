//! The kinds that objects are checked against: CRDs from files, Rust, git, a cluster and the objects' own files.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crdgen_core::decode::Written;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::ir::{Crd, Names, Spec};
use crdgen_core::json::Read;
use crdgen_core::path::Step;
use crdgen_core::span::{Locate, Place};
use crdgen_core::value::Value;
use crdgen_core::walk::any_schema;
use crdgen_core::yaml::Document;
use crdgen_core::{decode, encode, json, listed};
use crdgen_import::{Unreadable, definitions as templates};

use crate::arguments::selection::{Context, Selection};
use crate::arguments::values;
use crate::crds::folders::Folders;
use crate::input::definitions::{self, Group};
pub(crate) use crate::input::may_define;
use crate::input::skipped::Broken;
use crate::input::{self, Inventory, Options as Wanted, Rules, Source, cluster, stream};
use crate::output::report::{self, Finding, Findings};
use crate::terminal;
use crdgen::Error;
use crdgen::objects::Kind;
use crdgen::source::{self, Options};

/// Where CRDs come from.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// The CRDs: files, folders (Helm charts too), glob patterns, a Rust package or .rs file, or git:REV for the CRDs at
    /// a git revision. crdgen also uses CRDs among the objects
    #[arg(long, value_name = "FILE|DIR|git:REV", value_hint = clap::ValueHint::AnyPath, num_args = 1..)]
    crd: Vec<String>,
    /// Use the CRDs of the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: Context,
    /// Folders with CRDs that are used if no other CRD is for a kind, such as those that `crdgen crds` has written
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crd_dir: Vec<String>,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// The version of Kubernetes [default: the newest one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBE, hide_possible_values = true)]
    pub(crate) kube: Option<String>,
}

/// How to report files that cannot be read and do not look like CRDs. Folders of CRDs often contain templates of
/// charts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShowBroken {
    #[default]
    No,
    /// In one line with the names of all of them.
    Names,
    /// One by one, with the reason.
    Reasons,
}

/// The largest number of kinds. Each takes some kilobytes at least, and no cluster has a tenth of these.
const MAX_KINDS: usize = 50_000;

/// How many schemas may be kept as models until their CRDs are compiled. A schema takes about a kilobyte, but writing a
/// CRD as JSON and reading it again costs more than checking it.
const MAX_SCHEMAS: usize = 200_000;

/// How many bytes of the objects' own files to keep until the objects are read, so that the files are not read twice.
const MAX_KEPT: usize = 64 << 20;

/// Kinds by group and name.
#[derive(Default)]
pub(crate) struct Kinds {
    all: BTreeMap<(String, String), Candidates>,
    minor: Option<u32>,
    is_of_cluster: bool,
    /// How to report files that are skipped because they cannot be read.
    broken: ShowBroken,
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
    input::normal(path.parent().unwrap_or(&path))
}

/// A CRD, which is checked and compiled when it is first needed.
pub(crate) struct Entry {
    pub(crate) heading: Heading,
    /// The CRD until it is compiled.
    waiting: Mutex<Option<Waiting>>,
    /// A hash of the spec, from when it is first compared: a repository may have many CRDs for a kind.
    digest: OnceLock<u64>,
    origin: Origin,
    compiled: OnceLock<Result<Kind, Vec<Diag>>>,
    /// Whether its errors are reported elsewhere.
    reported: AtomicBool,
}

/// A CRD that is not compiled yet. Often only a few kinds have objects, and a model takes many times as much memory as
/// text.
enum Waiting {
    Model(Box<Crd>),
    Text(Text),
}

/// A CRD as JSON. The spec is apart, so that the specs of copies can be compared without reading them.
#[derive(Default)]
struct Text {
    /// The fields before the spec, without the end of the object.
    others: Box<str>,
    spec: Box<str>,
}

impl Text {
    fn of(crd: &Crd) -> Text {
        let Value::Map(mut fields) = encode::crd(crd) else { return Text::default() };
        let spec = fields.remove("spec").unwrap_or(Value::Null);
        let mut others = json::to_string(&Value::Map(fields));
        others.pop();
        Text { others: others.into(), spec: json::to_string(&spec).into() }
    }

    /// A hash of the spec.
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.spec.hash(&mut hasher);
        hasher.finish()
    }

    /// Reads what crdgen itself has written, so that this cannot fail.
    fn read(&self) -> Crd {
        let text = format!("{},\"spec\":{}}}", self.others, self.spec);
        let read = json::read_strict(text.as_bytes()).ok();
        let decoded = read.and_then(|Read { value, floats, .. }| {
            decode::crd_as_written(value, Written { floats, ..Written::default() }).0
        });
        decoded.unwrap_or_default()
    }
}

impl Waiting {
    /// Whether both have the same spec.
    fn says_the_same_as(&self, other: &Waiting) -> bool {
        match (self, other) {
            (Waiting::Model(one), Waiting::Model(other)) => one.spec == other.spec,
            (Waiting::Text(one), Waiting::Text(other)) => one.spec == other.spec,
            (Waiting::Model(crd), Waiting::Text(text)) | (Waiting::Text(text), Waiting::Model(crd)) => {
                text.spec == Text::of(crd).spec
            }
        }
    }

    /// A hash of the spec.
    fn digest(&self) -> u64 {
        match self {
            Waiting::Model(crd) => Text::of(crd).digest(),
            Waiting::Text(text) => text.digest(),
        }
    }

    fn into_model(self) -> Crd {
        match self {
            Waiting::Model(crd) => *crd,
            Waiting::Text(text) => text.read(),
        }
    }
}

/// How many schemas a CRD has.
fn schemas_of(crd: &Crd) -> usize {
    let mut count = 0;
    for schema in (0..crd.spec.versions.len()).filter_map(|version| crd.spec.schema_of(version)) {
        any_schema(schema, &mut |_| {
            count += 1;
            false
        });
    }
    count
}

/// What identifies a CRD.
pub(crate) struct Heading {
    pub(crate) name: String,
    pub(crate) group: String,
    pub(crate) names: Names,
    pub(crate) is_namespaced: bool,
    /// The versions that are served.
    pub(crate) served: Vec<String>,
}

/// Where a CRD comes from.
struct Origin {
    source: Source,
    written: Option<(Arc<Document>, Vec<Step>)>,
    /// Whether the CRD is from a server, which may have accepted it when it was less strict.
    is_served: bool,
}

impl Origin {
    /// The file, and the line where that is known.
    fn place(&self) -> String {
        let Origin { source, written, .. } = self;
        match written.as_ref().and_then(|(document, steps)| document.locate(steps)) {
            Some(place) => format!("{}:{}", source.name, place.start.line),
            None => source.name.clone(),
        }
    }
}

impl Args {
    /// Whether the user says where CRDs are.
    pub(crate) fn are_given(&self) -> bool {
        self.cluster || !self.crd.is_empty() || !self.crd_dir.is_empty()
    }

    /// All CRDs that the arguments name, and those among the inputs.
    pub(crate) fn kinds(&self, inputs: &Inventory, broken: ShowBroken) -> Result<Kinds, Error> {
        let minor = self.kube.as_deref().map(values::kube).transpose()?;
        let mut kinds = Kinds { minor, is_of_cluster: self.cluster, broken, ..Kinds::default() };
        let mut skipped = Broken::default();
        for arg in &self.crd {
            kinds.named(arg, &self.selection.rules()?, &mut skipped)?;
        }
        match broken {
            ShowBroken::No => {}
            ShowBroken::Names => skipped.say(),
            ShowBroken::Reasons => skipped.say_reasons(),
        }
        if self.cluster {
            let bytes = Arc::new(cluster::definitions(&[], self.context.name())?);
            kinds.read(&Source::new("<cluster>".to_owned(), bytes), true)?;
        }
        kinds.layer = Layer::Objects;
        // Files that are kept look like other texts that were read before.
        let repositories = inputs.repositories();
        let mut kept = 0;
        for input in inputs.iter() {
            let Some(source) = inputs.source(input)? else { continue };
            kinds.among(&source)?;
            // The file will be read again for its objects.
            kept += source.bytes.len();
            if kept <= MAX_KEPT {
                input.keep(&source);
            }
        }
        kinds.say_ignored();
        let rules = self.selection.rules()?;
        if !self.are_given() {
            for root in repositories {
                kinds.more(&root, &rules)?;
            }
        }
        for folder in &self.crd_dir {
            kinds.more(folder, &rules)?;
        }
        inputs.serve(kinds.all.keys().cloned().collect());
        Ok(kinds)
    }
}

/// The error if a command has no CRD for what it reads.
pub(crate) fn none_for_any() -> Error {
    Error::Nothing("no CRD for any of the objects; pass CRDs with --crd or --cluster".to_owned())
}

impl Kinds {
    /// Adds the CRDs of one argument.
    fn named(&mut self, arg: &str, rules: &Rules, skipped: &mut Broken) -> Result<(), Error> {
        let (read_before, unreadable_before) = (self.read, self.unreadable);
        if source::is_rust(Path::new(arg)) {
            let read = source::read(&Options { path: arg.into(), kube: self.minor, ..Options::default() })?;
            if read.has_errors() {
                return Err(Error::Mistakes { found: read.found, cargo: read.cargo.map(Box::new) });
            }
            for crd in read.crds {
                let source = Source::new(arg.to_owned(), Arc::default());
                self.add(Entry::new(crd, Origin { source, written: None, is_served: false }, &self.schemas))?;
            }
        } else {
            let inputs = input::find(&[arg.to_owned()], &Wanted::crds(rules))?;
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
            [(kind, kept, other)] => terminal::say(format_args!(
                "there are two CRDs for {kind}: crdgen uses {kept} and ignores {other}"
            )),
            several => {
                let kinds: BTreeSet<String> =
                    several.iter().map(|(kind, kept, _)| format!("{kind} ({kept})")).collect();
                terminal::say(format_args!(
                    "there are several CRDs for {} kinds. crdgen uses the first one of each: {}",
                    kinds.len(),
                    listed::first(kinds.iter(), listed::NAMED)
                ));
            }
        }
        if !self.several.is_empty() {
            terminal::say(format_args!(
                "there are several CRDs for {}. crdgen uses the one that is nearest to each object",
                listed::first(self.several.iter(), listed::NAMED)
            ));
        }
    }

    /// Adds the CRDs of a folder whose kinds are not known yet. The folder may contain anything.
    fn more(&mut self, folder: &str, rules: &Rules) -> Result<(), Error> {
        let inputs = input::find(&[folder.to_owned()], &Wanted::crds(rules))?;
        self.layer = match self.layer {
            Layer::More(number) => Layer::More(number + 1),
            Layer::Given | Layer::Objects => Layer::More(0),
        };
        for input in inputs.iter() {
            let Some(source) = inputs.read(input)? else { continue };
            let schemas = Arc::clone(&self.schemas);
            let entry = |(crd, document, steps)| {
                let written = Some((document, steps));
                Entry::new(crd, Origin { source: source.clone(), written, is_served: false }, &schemas)
            };
            let read = |group: Group| Ok(group.read().take().map(entry).collect::<Vec<_>>());
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
        let schemas = Arc::clone(&self.schemas);
        let entry = |(crd, document, steps)| {
            let written = Some((document, steps));
            Entry::new(crd, Origin { source: source.clone(), written, is_served: false }, &schemas)
        };
        let read = |group: Group| Ok(group.read().take().map(entry).collect::<Vec<_>>());
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
    fn read_or_skip(&mut self, source: &Source, skipped: &mut Broken) -> Result<(), Error> {
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
                    terminal::say_ready(&report::human(&[Findings { source: source.clone(), findings }]));
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
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.all.values().map(Candidates::first)
    }

    /// Returns the minor version of the server that the user chose, or of the newest one.
    pub(crate) fn minor(&self) -> u32 {
        self.minor.unwrap_or(crdgen_core::server::Server::NEWEST.minor())
    }

    /// The CRD of a kind.
    pub(crate) fn get(&self, group: &str, kind: &str) -> Option<&Entry> {
        self.all.get(&(group.to_owned(), kind.to_owned())).map(Candidates::first)
    }

    /// The CRD for an object of a group, version and kind in a file.
    pub(crate) fn for_object(
        &self,
        file: &str,
        (group, version): (&str, &str),
        kind: &str,
    ) -> Option<&Entry> {
        self.all.get(&(group.to_owned(), kind.to_owned())).map(|it| it.for_object(file, version))
    }

    /// Returns the compiled kind of a CRD, or `None` if the server rejects the CRD.
    pub(crate) fn compiled<'e>(&self, entry: &'e Entry) -> Option<&'e Kind> {
        let compile = || {
            let waiting = entry.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            let crd = waiting.map(Waiting::into_model).unwrap_or_default();
            let made = match entry.origin.is_served {
                true => Kind::established(crd, self.minor()),
                false => Kind::on(crd, self.minor()),
            };
            made.map_err(|problems| problems.diags)
        };
        entry.compiled.get_or_init(compile).as_ref().ok()
    }

    /// Returns the errors of CRDs that were needed but that the server rejects.
    pub(crate) fn rejected(&self) -> Vec<Findings> {
        let entries = self.all.values().flat_map(|it| &it.entries);
        let rejected = entries.filter(|entry| !entry.reported.load(Ordering::Relaxed));
        rejected.filter_map(Entry::rejection).collect()
    }

    /// Whether a part of a source of CRDs could not be read.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.unreadable > 0
    }

    /// Whether the kinds of a cluster are among them.
    pub(crate) fn is_of_cluster(&self) -> bool {
        self.is_of_cluster
    }

    /// The kinds of a group with a name near this one, or the groups with a kind of this name: "did you mean …?"
    pub(crate) fn nearest(&self, group: &str, kind: &str) -> Option<String> {
        let near = |known: BTreeSet<&str>, written| crdgen_core::nearest::did_you_mean(written, known);
        let of_group = self.all.keys().filter(|(of, _)| of == group).map(|(_, kind)| kind.as_str());
        let groups = self.all.keys().filter(|(_, name)| name == kind).map(|(group, _)| group.as_str());
        near(of_group.collect(), kind).or_else(|| near(groups.collect(), group))
    }
}

impl Entry {
    /// Creates an entry. `schemas` counts the schemas that are kept as models.
    fn new(crd: Crd, origin: Origin, schemas: &AtomicUsize) -> Entry {
        let Spec { group, names, scope, versions, .. } = &crd.spec;
        let heading = Heading {
            name: crd.metadata.name.clone(),
            group: group.clone(),
            names: names.clone(),
            is_namespaced: scope == "Namespaced",
            served: versions.iter().filter(|v| v.served).map(|v| v.name.clone()).collect(),
        };
        let own = schemas_of(&crd);
        let waiting = match schemas.fetch_add(own, Ordering::Relaxed) + own <= MAX_SCHEMAS {
            true => Waiting::Model(Box::new(crd)),
            false => Waiting::Text(Text::of(&crd)),
        };
        Entry {
            heading,
            waiting: Mutex::new(Some(waiting)),
            digest: OnceLock::new(),
            origin,
            compiled: OnceLock::new(),
            reported: AtomicBool::new(false),
        }
    }

    fn says_the_same_as(&mut self, other: &mut Entry) -> bool {
        let [one, other] = [self, other].map(|entry| {
            let waiting = entry.waiting.get_mut().ok()?.as_ref()?;
            Some((*entry.digest.get_or_init(|| waiting.digest()), waiting))
        });
        let both = one.zip(other);
        both.is_some_and(|((a, one), (b, other))| a == b && one.says_the_same_as(other))
    }

    fn rejection(&self) -> Option<Findings> {
        let diags = self.compiled.get()?.as_ref().err()?;
        let errors = diags.iter().filter(|diag| diag.level == Level::Error);
        let findings = errors.map(|diag| {
            let (object, diag) = (self.heading.name.clone(), diag.clone());
            match &self.origin.written {
                Some((document, steps)) => definitions::finding(document, steps, object, true, diag),
                None => Finding::new(object, None, diag),
            }
        });
        Some(Findings { source: self.origin.source.clone(), findings: findings.collect() })
    }

    /// The file of the CRD, and the place of something in it.
    pub(crate) fn locate(&self, steps: &[Step]) -> Option<(&str, Place)> {
        let (document, prefix) = self.origin.written.as_ref()?;
        let steps: Vec<Step> = prefix.iter().chain(steps).cloned().collect();
        Some((self.origin.source.name.as_str(), document.locate(&steps)?))
    }
}

fn too_many(source: &Source) -> Error {
    let why = Unreadable::TooManyDefinitions { limit: MAX_KINDS };
    Error::NoDefinitions { name: source.name.clone(), why }
}
