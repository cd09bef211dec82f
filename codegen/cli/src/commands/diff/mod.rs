//! `crdgen diff`: what an update of CRDs breaks, with objects that prove it.

mod comparison;
mod driver;
mod objects;
mod results;
mod types;

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::Reported;
use crdgen_core::diag::Level;
use crdgen_diff::{Options, Unstable};

use crate::arguments::selection;
use crate::crds::against;
use crate::crds::partly::PartlyChecked;
use crate::crds::sources::{self, What};
use crate::input;
use crate::input::skipped::Skipped;
use crate::outcome::Outcome;
use crate::output::report::{Finding, Findings, Format};
use comparison::{Compared, Comparison};
use crdgen_files::Error;
use crdgen_report::exceptions;
use crdgen_tasks::against::Against;
use crdgen_tasks::rust_types::RustSources;
use results::{Found, Results};

/// Show what an update of CRDs breaks, with objects that prove it
///
/// A breaking change comes with an object that the server accepts with the old CRD and rejects with the new one. For changes
/// without one, crdgen says how many objects it tried.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen diff git:main              compare the CRDs in this folder with those on main
  crdgen diff git:v1.2.0 deploy     compare the CRDs in a folder with those of a release
  crdgen diff old.yaml new.yaml     compare two files
  crdgen diff git:main src          compare the CRDs of Rust types with what they were on main
  crdgen diff --cluster deploy/crds compare with what is installed
  crdgen diff --cluster src         compare the CRDs of Rust types with what is installed, and show what a program with
                                    these types meets until they are updated
  crdgen diff git:main --fail-on client -o sarif > diff.sarif
  crdgen diff git:main --objects prod
                                    also show what happens to these objects
  kubectl get widgets -A -o yaml | crdgen diff --cluster crds --objects -
  crdgen diff git:main -o markdown  write a comment for a pull request
  git config diff.crd.command 'crdgen diff --git-driver'
                                    let git show what changes mean, in files with the attribute diff=crd

Classes, the worst first: `refused` (the server rejects the new CRD), stuck (a stored object cannot be updated any more),
breaking (an object that was accepted is rejected), on-edit (an edit of an object is rejected), may-break (no object
was found), data-loss, meaning (the same YAML means something else), client (programs may not read new objects), usage,
looser, compatible, cosmetic. `crdgen explain CHG002` explains a class.")]
pub(crate) struct Args {
    /// The old CRDs: a file, a folder, Rust sources, or git:REV for the same paths at a git revision. Then the new CRDs: files, folders, glob
    /// patterns, git:REV:PATH, Rust files or folders of sources such as src, or - for standard input. Without these, crdgen reads what is piped in, or otherwise the current folder.
    /// With --cluster, all of them are new
    #[arg(value_name = "OLD [NEW]", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// Compare with the CRDs in the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Fail if there is a change of this class or of a worse one
    #[arg(long, value_name = "CLASS", default_value = "data-loss", value_parser = class)]
    fail_on: Class,
    #[command(flatten)]
    unstable: selection::Unstable,
    /// Also show what happens to these objects: files, folders, git:REV, or - for standard input. May be repeated. The run
    /// fails if the update changes or rejects one of them
    #[arg(long, value_name = "PATH|git:REV", value_hint = clap::ValueHint::AnyPath)]
    objects: Vec<String>,
    #[command(flatten)]
    exceptions: exceptions::Args,
    /// Work as git's external diff driver: show what a change of a file means, instead of its lines. Git passes the paths
    #[arg(long, conflicts_with_all = ["cluster", "output", "fail_on", "unstable", "objects", "allow", "baseline", "write_baseline"])]
    git_driver: bool,
    /// How many objects to try for each change
    #[arg(long, value_name = "N", default_value_t = Options::default().budget)]
    budget: usize,
    /// List what was skipped
    #[arg(short, long)]
    verbose: bool,
}

fn class(name: &str) -> Result<Class, Error> {
    let reported = |class: &Class| *class == Class::Refused || class.reported().is_some();
    let known: Vec<Class> = Class::ALL.into_iter().filter(reported).collect();
    known.iter().copied().find(|class| class.name() == name).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|class| class.name()).collect();
        Error::Argument(format!("the classes are {}", names.join(", ")))
    })
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if args.git_driver {
        return driver::run(&args.paths, &args.options());
    }
    let rules = args.selection.rules()?;
    let (old, new) = args.sides()?;
    let (mut rust, mut files) = (Vec::new(), Vec::new());
    for path in new {
        match RustSources::named(path, input::NOTES)? {
            Some(sources) => rust.push(sources),
            None => files.push(path.clone()),
        }
    }
    let has_files = rust.is_empty() || !files.is_empty();
    let mut against = match old {
        None => Against::of_cluster(args.context.name())?,
        Some(old) => Against::new(Some(old), has_files.then_some(&files), &rules)?,
    };
    let inputs = has_files.then(|| input::find(&files, &input::Options::crds(&rules))).transpose()?;
    let (partly, compared) = (PartlyChecked::default(), Compared::default());
    let mut comparison = Comparison { args, against: &mut against, partly, compared };
    let mut results = Results::new(args)?;
    let skipped = Skipped::default();
    let has_definitions = match &inputs {
        Some(inputs) => comparison.files(inputs, &skipped, &mut results)?,
        None => false,
    };
    let mut packages = Vec::new();
    if has_files {
        let is_here = files.is_empty() && input::piped()?.is_none();
        let here = is_here.then(|| ".".to_owned());
        for path in files.iter().chain(&here) {
            match has_definitions {
                true => sources::say_not_read(path, WHAT),
                // Without YAML, the types of a package are all that there is.
                false => packages.extend(RustSources::of_package(path, input::NOTES)?),
            }
        }
    }
    let count = rust.len() + packages.len();
    comparison.sources(rust, &mut results)?;
    comparison.packages(packages, &mut results)?;
    let Comparison { against, partly, .. } = comparison;
    if inputs.as_ref().is_some_and(input::Inventory::has_unread) {
        against.expect_unread([]);
    }
    for Findings { source, findings } in against::rest(against, has_files, true)? {
        results.add(source, Found { findings, ..Found::default() })?;
    }
    if results.are_none() {
        return Err(Error::Nothing(format!("no CustomResourceDefinition in {}", input::names(new))));
    }
    let sources = inputs.as_ref().map_or(0, |inputs| inputs.len()) + count;
    let outcome = results.finish(&rules, sources, count > 0)?;
    inputs.iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    partly.say();
    Ok(outcome)
}

/// The command, for reports.
const COMMAND: &str = "crdgen diff";

const WHAT: What = What { done: "compared", to_do: "compare" };

impl Args {
    /// The old CRDs, unless they are those of the cluster, and the new ones.
    fn sides(&self) -> Result<(Option<&str>, &[String]), Error> {
        match (self.cluster, self.paths.split_first()) {
            (true, _) => Ok((None, &self.paths)),
            (false, Some((old, new))) => Ok((Some(old), new)),
            (false, None) => {
                let why =
                    "name the old CRDs: a file, a folder, git:REV or --cluster, as in `crdgen diff git:main`";
                Err(Error::Argument(why.to_owned()))
            }
        }
    }

    /// Whether the CRDs are needed after they were compared: for questions about objects.
    fn needs_updates(&self) -> bool {
        !self.objects.is_empty()
    }

    fn options(&self) -> Options {
        Options { budget: self.budget }
    }

    fn unstable(&self) -> Unstable {
        Unstable::failing(self.unstable.fails())
    }

    /// The changes that are reported.
    fn reported(&self, found: &[crdgen_diff::Finding]) -> Vec<Reported> {
        found.iter().filter_map(|finding| finding.reported(self.unstable())).collect()
    }

    /// Whether a finding fails the run.
    fn fails_on(&self, finding: &Finding) -> bool {
        let class = Class::of(finding.diag.code).unwrap_or(Class::Refused);
        let level = class.reported().map_or(Level::Error, |(_, level)| level);
        let is_of_unstable = finding.change.as_ref().is_some_and(|change| change.is_of_unstable);
        let counts = self.unstable() == Unstable::AsStable || !is_of_unstable;
        class <= self.fail_on && finding.diag.level >= level && counts
    }
}
