//! `crdgen convert`: converts objects to another version, as the sources declare it.

use crate::arguments::selection;
use crate::crds::sources::{Exact, note_ignored};
use crate::input::{self, Source, stream};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::output::report::{self, Finding, Findings};
use crate::terminal::progress::Progress;
use crate::terminal::{self, Lines, Ready, print};
use crdgen_build::declared;
use crdgen_files::Error;
use crdgen_files::generated;
use crdgen_files::input::Shown;
use crdgen_files::output::{Document, Folder};
use crdgen_files::source::{self, Options};
use crdgen_report::conversion::verdict;
use crdgen_tasks::converter::{CompileWhen, ConversionRemark, ObjectConverter, TargetVersion};
use crdgen_tasks::rust_types::{by_file, package};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crdgen_core::diag::Level;
use crdgen_core::documents::{Manifest, objects};
use crdgen_core::file_name;
use crdgen_core::value::Value;
use crdgen_core::yaml;
use crdgen_source::Found;

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
            let mut outcome = Outcome::Fine;
            for it in crates.iter().flat_map(declared::verdicts) {
                verdict(&it, &mut text);
                if it.places.iter().any(|place| place.fate == declared::Fate::Undeclared) {
                    outcome = Outcome::Findings;
                }
            }
            print(&text.ready())?;
            return Ok(outcome);
        }
        let to = TargetVersion::of(args.to.as_deref().unwrap_or_default())?;
        let inputs = input::find(&args.paths, &input::Options::objects(&args.selection.rules()?))?;
        let types = match &args.types {
            None => None,
            Some(path) => match types(path, args)? {
                Some(crates) => Some(crates),
                None => return Ok(Outcome::Findings),
            },
        };
        if let Some(crates) = &types {
            to.expect_known(crates)?;
        }
        let mut converter = ObjectConverter::new(to, types.as_deref());
        if let (Some(when), Some(path)) = (args.exact, &args.types) {
            let when = match when {
                Exact::Always => CompileWhen::Always,
                Exact::Auto => CompileWhen::WhereNeeded,
            };
            converter = converter.exact(when, options(path, args));
        }
        let mut run = Run {
            converter,
            folder: args.out_dir.as_deref().map(|dir| folders::folder(dir, args.force)),
            waiting: String::new(),
            objects: 0,
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

struct Run<'a> {
    converter: ObjectConverter<'a>,
    folder: Option<Folder>,
    /// Output that is not printed yet. If no object can have the wanted version, nothing is printed.
    waiting: String,
    objects: usize,
    /// The groups of the objects in each file.
    names: HashMap<String, String>,
    outcome: Outcome,
}

/// How many bytes of output may wait before they are printed.
const WAITING: usize = 8 << 20;

impl Run<'_> {
    /// Converts the objects of some documents, and writes those that can be converted.
    fn add(&mut self, source: Source, objects: &[Manifest], unreadable: Vec<Finding>) -> Result<(), Error> {
        let (mut findings, mut documents) = (unreadable, Vec::new());
        for object in objects {
            self.objects += 1;
            let converted = self.converter.convert(object);
            self.converter.take_remarks().into_iter().for_each(remark);
            match converted {
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

    fn finish(mut self, paths: &[String]) -> Result<Outcome, Error> {
        if self.objects == 0 && self.outcome == Outcome::Fine {
            return Err(Error::Nothing(format!("no object in {}", input::names(paths))));
        }
        self.converter.check_target()?;
        self.print()?;
        self.folder.iter_mut().try_for_each(folders::finish)?;
        self.converter.notes().iter().for_each(terminal::say);
        Ok(self.outcome)
    }
}

fn remark(remark: ConversionRemark) {
    let crd = match remark {
        ConversionRemark::Error(error) => return terminal::say_error(&error),
        ConversionRemark::Found(found) => {
            show_errors(found, None);
            return;
        }
        ConversionRemark::KeepsUnknown(crd) => crd,
    };
    terminal::say(format_args!(
        "note: {crd} has `preserveUnknownFields: true`, which the server rejects in a new CRD of v1. crdgen wrote \
         `x-kubernetes-preserve-unknown-fields: true` at the objects of its schema instead, which keeps the same fields"
    ));
}
