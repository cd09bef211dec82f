//! `crdgen diff`: what an update of CRDs breaks, with objects that prove it.

mod driver;
mod objects;
mod results;
mod skews;

use crdgen_core::compare::changes::Class;
use crdgen_core::server::Server;
use crdgen_diff::Unstable;

use crate::arguments::{search, selection, values};
use crate::input::{self, Source, stream};
use crate::outcome::Outcome;
use crate::output::report::{Findings, Format};
use crdgen_files::Error;
use crdgen_report::exceptions;
use crdgen_tasks::project::{InFile, Old, Project, Request, Words};
use crdgen_tasks::updates::{Changed, ConvertedTypes, Updates};
use results::Results;

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
    /// The version of Kubernetes that gets the update, or several: 1.35,1.37 or 1.35..1.37 [default: the newest one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBES, hide_possible_values = true)]
    kube: Option<String>,
    #[command(flatten)]
    search: search::Args,
    /// List what was skipped
    #[arg(short, long)]
    verbose: bool,
}

pub(crate) fn class(name: &str) -> Result<Class, Error> {
    let reported = |class: &Class| *class == Class::Refused || class.reported().is_some();
    let known: Vec<Class> = Class::ALL.into_iter().filter(reported).collect();
    known.iter().copied().find(|class| class.name() == name).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|class| class.name()).collect();
        Error::Argument(format!("the classes are {}", names.join(", ")))
    })
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    if args.git_driver {
        return driver::run(&args.paths, &args.search.options());
    }
    let rules = args.selection.rules()?;
    let (old, new) = args.sides()?;
    let mut project = Project::open(Request {
        paths: new,
        options: input::Options::crds(&rules),
        old,
        has_types: true,
        words: Words { done: "compared", to_do: "compare" },
    })?;
    let updates = Updates::new(args.search.options(), args.unstable())
        .on(&args.servers()?)
        .keeping_crds(args.needs_updates());
    let mut results = Results::new(args)?;
    let mut has_definitions = false;
    if let Some(inputs) = project.inputs() {
        let work = |source: &Source, read| Ok((source.clone(), updates.of_text(&project, source, read)));
        stream::each(inputs, work, |(source, changed)| {
            has_definitions |= !changed.names.is_empty();
            results.add(source, changed)
        })?;
    }
    let count = project.each_types(has_definitions, ConvertedTypes::read, |project, types| {
        let skews = &mut results.skews;
        let (files, all) = updates.of_types(project, &types, |old, new| skews.add(old, new))?;
        results.add_all(all);
        files.into_iter().try_for_each(|InFile { found: Findings { source, findings }, names }| {
            results.add(source, Changed { names, findings, ..Changed::default() })
        })
    })?;
    let has_files = project.inputs().is_some();
    for Findings { source, findings } in project.rest(has_files, true)? {
        results.add(source, Changed { findings, ..Changed::default() })?;
    }
    if results.are_none() {
        return Err(Error::Nothing(format!("no CustomResourceDefinition in {}", input::names(new))));
    }
    let sources = project.inputs().map_or(0, |inputs| inputs.len()) + count;
    let outcome = results.finish(&rules, sources, count > 0)?;
    project.inputs().iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    project.say_partly_checked();
    Ok(outcome)
}

/// The command, for reports.
const COMMAND: &str = "crdgen diff";

impl Args {
    /// The old CRDs and the new ones.
    fn sides(&self) -> Result<(Old<'_>, &[String]), Error> {
        match (self.cluster, self.paths.split_first()) {
            (true, _) => Ok((Old::Cluster(self.context.name()), &self.paths)),
            (false, Some((old, new))) => Ok((Old::At(old), new)),
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

    /// The servers that get the update, newest first.
    fn servers(&self) -> Result<Vec<Server>, Error> {
        values::servers(self.kube.as_deref())
    }

    fn unstable(&self) -> Unstable {
        Unstable::failing(self.unstable.fails())
    }
}
