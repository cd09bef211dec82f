//! `crdgen upgrade`: what CRDs and objects meet when their cluster gets another Kubernetes.

use crdgen_core::documents::{Manifest, objects};
use crdgen_core::server::Server;
use crdgen_diff::{Class, Unstable};

use crate::arguments::{search, selection, values};
use crate::input::{self, Source, stream};
use crate::outcome::Outcome;
use crate::output::changes::{ChangeReport, Wanted};
use crate::output::report::{Findings, Format};
use crate::terminal;
use crate::terminal::progress::Progress;
use crdgen_files::Error;
use crdgen_report::exceptions;
use crdgen_tasks::project::{InFile, Old, Project, Request, Words};
use crdgen_tasks::rust_types::RustTypes;
use crdgen_tasks::upgrade::{Upgrade, UpgradedObjects, Way};

/// Show what CRDs and objects meet when their cluster gets another Kubernetes
///
/// crdgen asks both servers the same: whether they accept each CRD, anew and as it is, and what they make of its objects. A breaking
/// difference comes with an object that the old server accepts and the new one rejects. Objects among the inputs are asked about one by
/// one. Of Kubernetes' own kinds, crdgen says which the new server has no more, which expressions of policies, webhooks and devices it
/// rejects, and which rules of roles, webhooks and policies match nothing any more.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen upgrade --from 1.35                what is different in the newest Kubernetes
  crdgen upgrade --from 1.35 --to 1.36 deploy
                                            what is different in 1.36 for the CRDs and objects in a folder
  kubectl get widgets -A -o yaml | crdgen upgrade --from 1.35 crds -
                                            the same for the objects of a cluster
  crdgen upgrade --from 1.35 --cluster      for the CRDs in the cluster that kubectl uses
  crdgen upgrade --from 1.37 --to 1.36      what a rollback meets
  crdgen upgrade --fleet 1.34..1.37         what the oldest and the newest cluster do not agree on

Classes, the worst first: `refused` (the server rejects the CRD), stuck (a stored object cannot be updated any more), breaking (an object
that was accepted is rejected), on-edit (an edit of an object is rejected), data-loss, meaning (the same object does something else),
dearer (rules may cost more), client, usage. `crdgen explain CHG002` explains a class.")]
pub(crate) struct Args {
    /// Files, folders, glob patterns, Rust files or folders of sources such as src, or - for standard input. By default crdgen reads
    /// what is piped in, or otherwise the current folder
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    /// The version of Kubernetes that the cluster has
    #[arg(long, value_name = "1.NN", value_parser = values::KUBE, required_unless_present = "fleet")]
    from: Option<String>,
    /// The version of Kubernetes that it gets [default: the newest one]
    #[arg(long, value_name = "1.NN", value_parser = values::KUBE)]
    to: Option<String>,
    /// The oldest and the newest version of some clusters: shows both what only the newest and what only the oldest rejects
    #[arg(long, value_name = "1.NN..1.NN", conflicts_with_all = ["from", "to"])]
    fleet: Option<String>,
    #[command(flatten)]
    crds: selection::Crds,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", default_value = "human")]
    output: Format,
    /// Fail if there is a difference of this class or of a worse one
    #[arg(long, value_name = "CLASS", default_value = "data-loss", value_parser = super::diff::class)]
    fail_on: Class,
    #[command(flatten)]
    exceptions: exceptions::Args,
    #[command(flatten)]
    search: search::Args,
    /// List what was skipped
    #[arg(short, long)]
    verbose: bool,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let ways = args.ways()?;
    // The CRDs and the objects are both read from it.
    if args.paths.iter().any(|path| path == "-") {
        input::piped()?;
    }
    let options = args.crds.options()?;
    let mut project = Project::open(Request {
        paths: &args.paths,
        options,
        old: Old::Nowhere,
        has_types: true,
        words: Words { done: "asked about", to_do: "ask about" },
    })?;
    let upgrade = Upgrade::new(ways.clone(), args.search.options());
    // A cluster serves alpha and beta versions as others.
    let unstable = Unstable::AsStable;
    let (output, exceptions, fail_on) = (args.output, &args.exceptions, args.fail_on);
    let mut results =
        ChangeReport::new(&Wanted { command: "crdgen upgrade", output, exceptions, fail_on, unstable })?;
    if let Some(inputs) = project.inputs() {
        let work = |source: &Source, read| Ok((source.clone(), upgrade.of_text(&project, source, read)));
        stream::each(inputs, work, |(source, (names, findings))| {
            results.add(Findings { source, findings }, &names, |_| ())
        })?;
    }
    let has_definitions = results.counts.objects > 0;
    let count = project.each_types(has_definitions, RustTypes::compared, |project, types| {
        let files = upgrade.of_types(project, &types)?;
        files.into_iter().try_for_each(|InFile { found, names }| results.add(found, &names, |_| ()))
    })?;
    let sources = project.inputs().map_or(0, |inputs| inputs.len()) + count;
    // The cluster has the CRDs, and paths the objects. Without paths there are none.
    let files = project.files().filter(|files| !args.crds.cluster || !files.is_empty());
    let objects = match files {
        Some(files) => of_objects((args, files), &upgrade.objects(), &mut results)?,
        None => 0,
    };
    if objects == 0 && results.is_empty() {
        return Err(Error::Nothing(format!("no CRD and no object in {}", input::names(&args.paths))));
    }
    results.add_exceptions()?;
    results.counts.sources += sources;
    // CRDs are objects, too.
    let what = if objects > results.counts.objects { "object" } else { "CRD" };
    results.counts.objects = results.counts.objects.max(objects);
    let outcome = results.finish(what, |_, _| ())?;
    project.inputs().iter().for_each(|inputs| inputs.say_skipped(args.verbose));
    project.say_partly_checked();
    say_limits(ways[0]);
    Ok(outcome)
}

impl Args {
    /// The ways, of which there is at least one.
    fn ways(&self) -> Result<Vec<Way>, Error> {
        let (from, to) = match (&self.fleet, &self.from) {
            (Some(fleet), _) => {
                let ends = fleet.split_once("..").ok_or_else(|| {
                    Error::Argument("write the oldest and the newest version, such as 1.34..1.37".to_owned())
                })?;
                (values::server(ends.0)?, values::server(ends.1)?)
            }
            (None, from) => {
                let to = self.to.as_deref().map_or(Ok(Server::NEWEST), values::server)?;
                (values::server(from.as_deref().unwrap_or_default())?, to)
            }
        };
        if from == to {
            return Err(Error::Argument("both are the same version of Kubernetes".to_owned()));
        }
        let (there, back) = (Way { from, to }, Way { from: to, to: from });
        Ok(if self.fleet.is_some() { vec![there, back] } else { vec![there] })
    }
}

/// Asks about the objects among the inputs, and returns how many there are.
fn of_objects(
    (args, files): (&Args, &[String]),
    upgrade: &UpgradedObjects,
    results: &mut ChangeReport,
) -> Result<usize, Error> {
    let inputs = input::find(files, &args.crds.objects()?)?;
    let progress = Progress::new("reading objects", inputs.len());
    let work = |source: &Source, group| {
        let (all, mut findings) = objects(group);
        // Why texts that may have CRDs, and files that the user names, cannot be read is known.
        findings.retain(|_| source.origin.is_found && !input::may_define(source));
        findings.extend(all.iter().flat_map(|object: &Manifest| upgrade.of(object)));
        let unknown = all.iter().filter(|object| upgrade.is_unknown(object)).count();
        Ok((source.clone(), findings, all.len(), unknown))
    };
    let (mut count, mut unknown) = (0, 0);
    stream::each_group(&inputs, &progress, work, |(source, findings, all, unknown_here)| {
        count += all;
        unknown += unknown_here;
        results.add(Findings { source, findings }, &[], |_| ())
    })?;
    if unknown > 0 {
        results
            .report
            .note(format!("objects without a CRD among the inputs, which were not compared: {unknown}"));
    }
    Ok(count)
}

/// Says what crdgen does not know of both servers.
fn say_limits(Way { from, to }: Way) {
    terminal::say(format_args!(
        "of Kubernetes' own kinds, crdgen compared which the servers have, their expressions, and the resources that their rules name. \
         It does not know what else the servers check in another way"
    ));
    for server in [from, to].into_iter().filter(|server| *server < Server::OLDEST) {
        terminal::say(format_args!(
            "of Kubernetes {server}, crdgen knows formats and the functions of CEL; other checks are those of {}",
            Server::OLDEST
        ));
    }
}
