//! `crdgen convert`: converts objects to another version, as the sources declare it.

use crate::arguments::selection;
use crate::crds::sources::{Exact, by_file, note_ignored, package};
use crate::input::{self, Source, definitions, stream};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::output::report::{self, Finding, Findings};
use crate::terminal::progress::Progress;
use crate::terminal::{self, Lines, Ready, print};
use crdgen::__cli::files::Shown;
use crdgen::__cli::generated;
use crdgen::Error;
use crdgen::declared::{self, Fate, Place as Difference, Verdict, Versions};
use crdgen::output::{Document, Folder};
use crdgen::source::{self, Compiled, Options};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crdgen_core::check::upgrade::{self, Upgraded};
use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::{Manifest, objects};
use crdgen_core::file_name;
use crdgen_core::ir::Crd;
use crdgen_core::names;
use crdgen_core::path::Path as Field;
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, encode, listed, nearest, yaml};
use crdgen_source::{At, Found};

/// Convert objects to another version, without running a webhook
///
/// The conversions are read from #[derive(Convert)] and #[versioned] in the sources. What a version cannot express is
/// kept in an annotation, as your webhook does. Without --types only `apiVersion` changes, as on a server
/// without a webhook. CRDs of v1beta1 become CRDs of v1.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen convert objects/ --to v1 --types src/ --out-dir converted
  kubectl get sites -o yaml | crdgen convert --to example.com/v1 --types .
  crdgen convert objects/ --to v1 --types . --exact
  crdgen convert --report --types src/
  crdgen convert old-crd.yaml --to v1")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, or - for standard input. By default crdgen reads what is piped in, or
    /// otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// The version to convert to, such as v1 or example.com/v1. Objects of other groups stay as they are
    #[arg(long, value_name = "[GROUP/]VERSION", required_unless_present = "report")]
    to: Option<String>,
    /// The Rust types with the conversions: the folder of a package, its Cargo.toml, or a single .rs file
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    types: Option<PathBuf>,
    /// Convert nothing. Show which data each version cannot express, and whether a conversion keeps or loses it
    #[arg(long, requires = "types", conflicts_with_all = ["to", "out_dir"])]
    report: bool,
    /// Compile the package of --types and run its conversions, instead of reading its sources. Needed where a
    /// conversion calls a function
    ///
    /// With `auto`, crdgen compiles only if an object needs a function. This runs the build scripts, macros and functions
    /// of the package: use it only for packages that you trust.
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        requires = "types",
        conflicts_with = "report"
    )]
    exact: Option<Exact>,
    /// Turn on these Cargo features
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "types")]
    features: Vec<String>,
    /// Write one file per object to this folder, instead of all objects to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// Also replace files in --out-dir that crdgen did not write
    #[arg(long, requires = "out_dir")]
    force: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    source::on_its_stack(|| {
        if args.report {
            let Some(crates) = args.types.as_deref().map(|path| types(path, args)).transpose()?.flatten()
            else {
                return Ok(Outcome::Findings);
            };
            let mut text = Lines::default();
            crates.iter().flat_map(declared::verdicts).for_each(|verdict| show(&verdict, &mut text));
            print(&text.ready())?;
            return Ok(Outcome::Fine);
        }
        let to = To::of(args.to.as_deref().unwrap_or_default())?;
        let inputs = input::find(&args.paths, &input::Options::objects(&args.selection.rules()?))?;
        let types = match &args.types {
            None => None,
            Some(path) => match types(path, args)? {
                Some(crates) => Some(crates),
                None => return Ok(Outcome::Findings),
            },
        };
        if let Some(crates) = &types {
            to.is_known(crates)?;
        }
        let mut run = Run {
            to,
            crates: types.as_deref(),
            exact: match (args.exact, &args.types) {
                (Some(when), Some(path)) => {
                    Some(Compiling { when, options: options(path, args), compiled: None })
                }
                _ => None,
            },
            folder: args.out_dir.as_deref().map(|dir| folders::folder(dir, args.force)),
            waiting: String::new(),
            objects: 0,
            renamed: 0,
            groups: BTreeSet::new(),
            unknown: BTreeSet::new(),
            without_kind: 0,
            renamed_kinds: BTreeSet::new(),
            versions: BTreeMap::new(),
            names: HashMap::new(),
            outcome: Outcome::Fine,
        };
        let progress = Progress::new("converting", inputs.len());
        let work = |source: &Source, group| Ok((source.clone(), objects(group)));
        let take = |(source, (objects, unreadable)): (Source, (Vec<Manifest>, Vec<Finding>))| {
            run.add(source, &objects, unreadable)
        };
        stream::each_group(&inputs, &progress, work, take)?;
        drop(progress);
        inputs.say_skipped(false);
        run.finish(&args.paths)
    })
}

fn options(types: &Path, args: &Args) -> Options {
    Options { path: package(types), features: args.features.clone(), ..Options::default() }
}

/// Reads the conversions in the sources. If the sources have errors, reports them and returns `None`.
fn types(path: &Path, args: &Args) -> Result<Option<Vec<declared::Declared>>, Error> {
    let options = options(path, args);
    note_ignored(&options);
    let detail = if args.report { source::Detail::Schemas } else { source::Detail::Conversions };
    let read = source::conversions(&options, detail)?;
    if !show_errors(read.found, read.cargo.as_ref()) {
        return Ok(None);
    }
    if read.crates.iter().all(|declared| declared.pairs.is_empty()) {
        let path = path.shown();
        return Err(Error::Nothing(format!("no conversion in {path}: no kind derives Convert")));
    }
    Ok(Some(read.crates))
}

/// Shows the errors in sources. Returns whether there are none.
fn show_errors(mut found: Vec<Found>, cargo: Option<&Error>) -> bool {
    found.retain(|found| found.diag.level == Level::Error);
    if found.is_empty() {
        return true;
    }
    terminal::say_ready(&report::human(&by_file(found)));
    if let Some(why) = cargo {
        terminal::say_error(why);
    }
    false
}

/// Describes what two versions cannot express of each other, and which limits only one of them has.
fn show(Verdict { pair, places }: &Verdict<'_>, out: &mut Lines) {
    let count = |fate: Fate| places.iter().filter(|place| place.fate == fate).count();
    let mut verdict = match (count(Fate::Lost), count(Fate::Kept)) {
        (0, 0) => "lossless, and nothing has to be kept".to_owned(),
        (0, _) => "lossless: the annotation keeps what a version cannot express".to_owned(),
        (1, _) => "1 place loses data, as accepted with `lossy`".to_owned(),
        (lost, _) => format!("{lost} places lose data, as accepted with `lossy`"),
    };
    match count(Fate::Limited) {
        0 => {}
        1 => verdict.push_str("; 1 limit is not the same in both"),
        limits => verdict.push_str(&format!("; {limits} limits are not the same in both")),
    }
    let heading = format!("{}.{} {} and {}: {verdict}", pair.kind, pair.group, pair.old.name, pair.new.name);
    out.add(heading);
    for Difference { path, what, fate, at } in places {
        let fate = match fate {
            Fate::Kept => "kept ",
            Fate::Lost => "lost ",
            Fate::Limited => "limit",
        };
        let at = at.clone().map(|mut at| {
            source::shorten(&mut at);
            format!(" ({}:{})", at.file, at.start.line)
        });
        out.add(format_args!("  {fate} {path}: {what}{}", at.unwrap_or_default()));
    }
}

/// The version to convert to.
struct To {
    group: Option<String>,
    version: String,
}

impl To {
    fn of(text: &str) -> Result<To, Error> {
        let (group, version) = match text.split_once('/') {
            Some((group, version)) => (Some(group.to_owned()), version),
            None => (None, text),
        };
        if version.is_empty() || version.contains('/') || group.as_deref() == Some("") {
            return Err(Error::Argument(format!(
                "--to {text}: write a version such as v1 or example.com/v1"
            )));
        }
        if !names::dns1035_label(version).is_empty() {
            let lower = version.to_lowercase();
            let near = if names::dns1035_label(&lower).is_empty() { &*lower } else { "v1" };
            return Err(Error::Argument(format!(
                "--to {text}: `{version}` is not the name of a version. Names begin with a lowercase letter, such as {near}"
            )));
        }
        Ok(To { group, version: version.to_owned() })
    }

    /// Fails if no type has the wanted group.
    fn is_known(&self, crates: &[declared::Declared]) -> Result<(), Error> {
        let pairs = || crates.iter().flat_map(|declared| &declared.pairs);
        let Some(group) = self.group.as_deref().filter(|group| pairs().all(|pair| pair.group != *group))
        else {
            return Ok(());
        };
        let names: BTreeSet<String> = pairs()
            .flat_map(|pair| [&pair.old, &pair.new].map(|version| format!("{}/{}", pair.group, version.name)))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(Error::Argument(format!(
            "--to {group}/{}: the types have no kind of the group {group}. They have {}",
            self.version,
            names.join(", ")
        )))
    }

    fn is_of(&self, group: &str) -> bool {
        self.group.as_deref().is_none_or(|own| own == group)
    }
}

struct Run<'a> {
    to: To,
    /// The conversions that the sources declare, if there are sources.
    crates: Option<&'a [declared::Declared]>,
    /// The same conversions, compiled.
    exact: Option<Compiling>,
    folder: Option<Folder>,
    /// Output that is not printed yet. If no object can have the wanted version, nothing is printed.
    waiting: String,
    objects: usize,
    /// How many objects only got another `apiVersion`.
    renamed: usize,
    /// The groups of the objects.
    groups: BTreeSet<String>,
    /// The kinds whose conversion is not declared.
    unknown: BTreeSet<String>,
    /// How many documents have no kind.
    without_kind: usize,
    /// The groups and kinds of which objects only got another `apiVersion`.
    renamed_kinds: BTreeSet<(String, String)>,
    /// The versions of the CRDs among the objects, by group and kind.
    versions: BTreeMap<(String, String), Vec<String>>,
    /// The groups of the objects in each file.
    names: HashMap<String, String>,
    outcome: Outcome,
}

/// How many bytes of output may wait before they are printed.
const WAITING: usize = 8 << 20;

/// Types that are compiled when an object first needs them.
struct Compiling {
    when: Exact,
    options: Options,
    compiled: Option<Compiled>,
}

impl Compiling {
    /// An object in another version.
    fn convert(&mut self, group: &str, kind: &str, object: &Value, to: &str) -> Result<Value, Box<Diag>> {
        let compiled = match &mut self.compiled {
            Some(compiled) => compiled,
            none => none.insert(Compiled::new(&self.options).unwrap_or_else(|error| {
                terminal::say_error(&error);
                Compiled::default()
            })),
        };
        match compiled.convert(group, kind, object, to) {
            Some(converted) => converted.map_err(|why| wrong(&why.0, "")),
            None => {
                show_errors(compiled.why_missing(group, kind), None);
                Err(wrong(
                    "its types could not be compiled, so crdgen cannot run its conversion",
                    "correct the errors above",
                ))
            }
        }
    }
}

impl Run<'_> {
    /// Converts the objects of some documents, and writes those that can be converted.
    fn add(&mut self, source: Source, objects: &[Manifest], unreadable: Vec<Finding>) -> Result<(), Error> {
        let (mut findings, mut documents) = (unreadable, Vec::new());
        for object in objects {
            self.objects += 1;
            match self.convert(object) {
                Ok(Some(value)) => documents.push(self.document(object, &value)),
                Ok(None) => {}
                Err(diag) => findings.push(object.finding(*diag)),
            }
        }
        match &mut self.folder {
            None => {
                self.waiting.extend(documents.iter().flat_map(|it| ["---\n", &it.text]));
                if self.waiting.len() > WAITING {
                    self.print()?;
                }
            }
            Some(folder) => folders::stage(folder, &documents)?,
        }
        if !findings.is_empty() {
            self.outcome = Outcome::Findings;
            terminal::say_ready(&report::human(&[Findings { source, findings }]));
        }
        Ok(())
    }

    fn print(&mut self) -> Result<(), Error> {
        print(&Ready::document(&std::mem::take(&mut self.waiting)))
    }

    /// Returns the file for an object. If another group has the same kind and name, the group is part of the file name.
    fn document(&mut self, object: &Manifest, value: &Value) -> Document {
        let (group, _) = object.group_version();
        let kind = object.text("kind").to_lowercase();
        let name_of = |kind: &str| {
            let parts = [kind, object.metadata("namespace"), object.metadata("name")];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
        };
        let mut name = name_of(&kind);
        if self.names.entry(name.clone()).or_insert_with(|| group.to_owned()) != group {
            name = name_of(&format!("{kind}.{group}"));
        }
        let head = if self.folder.is_some() { generated::mark() } else { String::new() };
        Document { name: file_name(&name, "yaml"), text: head + &yaml::write(value) }
    }

    /// Converts an object to the other version. An object of another group stays as it is. Returns `None` for something that
    /// is not an object.
    fn convert(&mut self, object: &Manifest) -> Result<Option<Value>, Box<Diag>> {
        if object.text("kind").is_empty() {
            self.without_kind += 1;
            return Ok(None);
        }
        self.converted(object).map(Some)
    }

    fn converted(&mut self, object: &Manifest) -> Result<Value, Box<Diag>> {
        let (group, version) = object.group_version();
        let Value::Map(members) = &object.value else { return Err(wrong("this is not an object", "")) };
        self.groups.insert(group.to_owned());
        if definitions::is_definition(&object.value) {
            self.know_versions(&object.value);
        }
        if !self.to.is_of(group) || version == self.to.version {
            return Ok(object.value.clone());
        }
        if definitions::is_definition(&object.value) {
            return self.definition(&object.value);
        }
        let kind = object.text("kind");
        let Some(crates) = self.crates else {
            let out = self.renamed(members, group);
            if out != object.value {
                self.renamed += 1;
                self.renamed_kinds.insert((group.to_owned(), kind.to_owned()));
            }
            return Ok(out);
        };
        let Some(versions) = crates.iter().find_map(|declared| Versions::of(declared, group, kind)) else {
            // The types know nothing of other groups, whose objects stay as they are.
            if crates.iter().flat_map(|declared| &declared.pairs).all(|pair| pair.group != group) {
                self.unknown.insert(kind.to_owned());
                return Ok(object.value.clone());
            }
            let message = format!("the types do not declare how to convert {kind}");
            return Err(wrong(&message, "derive Convert for it, or leave out its objects"));
        };
        let names = versions.names();
        for name in [version, &self.to.version] {
            if !names.contains(&name) {
                let help = format!("the types have the versions {}", names.join(", "));
                return Err(wrong(&format!("{kind} does not have the version `{name}`"), &help));
            }
        }
        let to = &self.to.version;
        if let Some(exact) = self.exact.as_mut().filter(|exact| exact.when == Exact::Always) {
            return exact.convert(group, kind, &object.value, to);
        }
        versions.convert(members.clone(), version, to).or_else(|error| match (&error, &mut self.exact) {
            (declared::Error::Code { .. }, Some(exact)) => exact.convert(group, kind, &object.value, to),
            (declared::Error::Code { code, .. }, None) => {
                Err(wrong_at(&error, &object.value, &called(code.at.clone())))
            }
            (declared::Error::Value(_), _) => Err(wrong_at(&error, &object.value, "")),
        })
    }

    /// Keeps the versions of a CRD.
    fn know_versions(&mut self, crd: &Value) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let spec = crd.get("spec");
        let of_spec = |name: &str| spec.and_then(|spec| spec.get(name));
        let kind = of_spec("names").and_then(|names| names.get("kind"));
        let listed = of_spec("versions").and_then(Value::as_list).into_iter().flatten();
        let versions = listed.map(|version| text(version.get("name"))).chain([text(of_spec("version"))]);
        let versions = versions.filter(|version| !version.is_empty());
        self.versions.entry((text(of_spec("group")), text(kind))).or_default().extend(versions);
    }

    /// Returns the wanted group if there are objects, but none of this group.
    fn other_group(&self) -> Option<&str> {
        let group = self.to.group.as_deref()?;
        (!self.groups.is_empty() && !self.groups.contains(group)).then_some(group)
    }

    /// Checks that there are objects of the wanted group, and that their CRDs have the wanted version, as far as the
    /// CRDs are known.
    fn check_target(&self) -> Result<(), Error> {
        let version = &self.to.version;
        if let Some(group) = self.other_group() {
            let help =
                nearest::did_you_mean(group, self.groups.iter().map(String::as_str)).unwrap_or_else(|| {
                    let groups = self.groups.iter();
                    let groups = groups.map(|it| if it.is_empty() { "core (apiVersion: v1)" } else { it });
                    format!("the groups are {}", groups.collect::<Vec<_>>().join(", "))
                });
            let why = format!("--to {group}/{version}: no object is of the group {group}; {help}");
            return Err(Error::Nothing(why));
        }
        for of_kind @ (_, kind) in &self.renamed_kinds {
            let known = self.versions.get(of_kind);
            if let Some(known) = known.filter(|known| !known.contains(version)) {
                let known = known.join(", ");
                let why =
                    format!("--to {version}: the CRD of {kind} does not have this version; it has {known}");
                return Err(Error::Argument(why));
            }
        }
        Ok(())
    }

    /// Changes only the `apiVersion` of an object. Kubernetes' own objects stay as they are.
    fn renamed(&self, members: &Map<Value>, group: &str) -> Value {
        let mut out = members.clone();
        if group.contains('.') && !group.ends_with(".k8s.io") {
            out.insert("apiVersion", Value::from(format!("{group}/{}", self.to.version)));
        }
        Value::Map(out)
    }

    /// Converts a CRD of v1beta1 to v1, as the server stores it.
    fn definition(&self, value: &Value) -> Result<Value, Box<Diag>> {
        if self.to.version != "v1" {
            let message = format!("CRDs do not have the version `{}`", self.to.version);
            return Err(wrong(&message, "write --to v1"));
        }
        let (crd, diags) = decode::crd(value.clone());
        let error = diags.into_iter().find(|diag| diag.level == Level::Error);
        match (crd, error) {
            (_, Some(error)) => Err(Box::new(error)),
            (Some(crd), None) => match upgrade::to_v1(crd) {
                Ok(Upgraded { crd, keeps_unknown }) => {
                    if keeps_unknown {
                        say_keeps_unknown(&crd);
                    }
                    Ok(encode::crd(&crd))
                }
                Err(error) => {
                    let message =
                        format!("the server rejects the CRD of v1 that this becomes: {}", error.text());
                    let help = error.help.as_deref().unwrap_or("correct the schema in this file");
                    Err(wrong(&message, help))
                }
            },
            (None, None) => Err(wrong("the server cannot read this CRD", "")),
        }
    }

    fn finish(mut self, paths: &[String]) -> Result<Outcome, Error> {
        if self.objects == 0 && self.outcome == Outcome::Fine {
            return Err(Error::Nothing(format!("no object in {}", input::names(paths))));
        }
        self.check_target()?;
        self.print()?;
        self.folder.iter_mut().try_for_each(folders::finish)?;
        if self.renamed > 0 {
            let (objects, their) = if self.renamed == 1 { ("object", "its") } else { ("objects", "their") };
            terminal::say(format_args!(
                "note: {} {objects} got another apiVersion, and nothing else changed. With --types, crdgen also converts {their} \
                 fields",
                self.renamed
            ));
        }
        let unchecked: BTreeSet<&str> = self
            .renamed_kinds
            .iter()
            .filter(|kind| !self.versions.contains_key(kind))
            .map(|(_, kind)| kind.as_str())
            .collect();
        if !unchecked.is_empty() {
            terminal::say(format_args!(
                "note: crdgen cannot check that the version {} exists, because the input has no CRD of {}",
                self.to.version,
                listed::first(unchecked.iter(), listed::NAMED)
            ));
        }
        if self.without_kind > 0 {
            let documents = if self.without_kind == 1 { "document" } else { "documents" };
            terminal::say(format_args!("not converted: {} {documents} without `kind`", self.without_kind));
        }
        if !self.unknown.is_empty() {
            let kinds: Vec<&str> = self.unknown.iter().map(String::as_str).collect();
            terminal::say(format_args!("not converted: {}; the types do not declare how", kinds.join(", ")));
        }
        Ok(self.outcome)
    }
}

fn say_keeps_unknown(crd: &Crd) {
    terminal::say(format_args!(
        "note: {} has `preserveUnknownFields: true`, which the server rejects in a new CRD of v1. crdgen wrote \
         `x-kubernetes-preserve-unknown-fields: true` at the objects of its schema instead, which keeps the same fields",
        crd.metadata.name
    ));
}

/// Returns the help for a conversion that calls a function.
fn called(at: Option<At>) -> String {
    let place = at.map(|mut at| {
        source::shorten(&mut at);
        format!("it is called at {}:{}:{}. ", at.file, at.start.line, at.start.column)
    });
    format!("{}With --exact, crdgen compiles your package and calls it", place.unwrap_or_default())
}

fn wrong(message: &str, help: &str) -> Box<Diag> {
    let mut diag = Diag::own(&codes::rust::NOT_CONVERTED, Level::Error, &Field::ROOT, message.to_owned());
    diag.help = (!help.is_empty()).then(|| help.to_owned());
    Box::new(diag)
}

/// Like [`wrong`], for a value inside an object. If a step of the path is not in the object, because the types use
/// another name, the diagnostic is at the value around it.
fn wrong_at(error: &declared::Error, object: &Value, help: &str) -> Box<Diag> {
    let mut diag = wrong(&error.to_string(), help);
    let (declared::Error::Value(at) | declared::Error::Code { path: at, .. }) = error;
    let mut here = object;
    for step in at.steps() {
        let next = match step {
            Step::Index(index) => here.as_list().and_then(|items| items.get(*index)),
            Step::Key(name) => here.get(name),
        };
        let Some(next) = next else { break };
        here = next;
        diag.steps.push(step.clone());
    }
    diag
}
