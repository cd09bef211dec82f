//! `crdgen import`: Rust types out of definitions.

use std::path::{Path, PathBuf};

use super::inputs::Source;
use super::report::{self, Finding, Findings};
use super::{Outcome, cluster, inputs, outputs, stream, terminal};
use crate::Error;
use crate::import::{Builders, Import, Kept, KubernetesTypes, MapType, Numbers, Options, TimeType};
use crate::{generated, input};
use crdgen_core::diag::{Diags, Level};
use crdgen_core::ir::Crd;
use crdgen_core::names::compare_versions;
use crdgen_core::syntax::nesting;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Write Rust types for CustomResourceDefinitions
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen import crds --out-dir src/api               a folder of modules
  crdgen import --cluster certificates.cert-manager.io  a definition of the cluster
  crdgen import crds --client-only --kube            types for a client on kube-rs")]
pub(crate) struct Args {
    /// Files, directories (those of Helm charts too), glob patterns, or - for standard input; without any what is
    /// piped in, or else the current folder. With --cluster the names of definitions, or none for all
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    /// What is read are OpenAPI v3 documents, as servers publish them; they say less than definitions. With
    /// --cluster: groups and versions such as apps/v1
    #[arg(long)]
    openapi: bool,
    /// Ask the cluster that kubectl talks to
    #[arg(long)]
    cluster: bool,
    /// The context of the kubeconfig to use
    #[arg(long, value_name = "NAME", requires = "cluster")]
    context: Option<String>,
    /// Write a folder of modules instead of one file to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// What --out-dir was called: `-o` is for formats in all other commands
    #[arg(short = 'o', hide = true, value_name = "DIR", conflicts_with = "out_dir")]
    old_out_dir: Option<PathBuf>,
    /// Write nothing; fail if the files in --out-dir are not what would be written, or are of nothing any more
    #[arg(long)]
    check: bool,
    /// Replace files in --out-dir that crdgen has not written
    #[arg(long)]
    force: bool,
    /// Only this kind; may be repeated
    #[arg(long, value_name = "NAME")]
    kind: Vec<String>,
    /// Only this version; may be repeated
    #[arg(long, value_name = "NAME")]
    api_version: Vec<String>,
    /// Only types that serde reads and writes, without the attributes that give the definitions again
    #[arg(long)]
    client_only: bool,
    /// No doc comments
    #[arg(long)]
    no_docs: bool,
    /// No notes on defaults and limits in the doc comments
    #[arg(long)]
    no_notes: bool,
    /// Use types of the crate k8s-openapi for Kubernetes' own: `lossless` where every object comes back as it
    /// was, which --client-only does anyway; `all` also where times, quantities and small integers come back
    /// as Kubernetes writes them. Without --client-only only where that is short to say
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "lossless",
        value_parser = ["lossless", "all"])]
    k8s: Option<String>,
    /// No types of the crate k8s-openapi
    #[arg(long, conflicts_with = "k8s")]
    no_k8s: bool,
    /// The type of points in time; chrono and jiff do not keep how they were written
    #[arg(long, value_name = "CRATE", default_value = "string", value_parser = ["chrono", "jiff", "string"])]
    time: String,
    /// Kinds for programs on kube-rs: by crdgen::kube, or with --client-only by kube's own derive
    #[arg(long)]
    kube: bool,
    /// Derive schemars::JsonSchema
    #[arg(long)]
    schemars: bool,
    /// A Cargo feature for each group, and what Cargo.toml needs in the first lines
    #[arg(long)]
    features: bool,
    /// Name everything as kopium does, so that code for its types goes on to compile: a type for each path, all
    /// of one version in one module
    #[arg(long)]
    kopium_compat: bool,
    /// Builders: `typed` for typed-builder, `bon`
    #[arg(long, value_name = "CRATE", value_parser = ["typed", "bon"])]
    builders: Option<String>,
    /// Derive this too; `Pattern=Trait` for types whose name fits, with * for anything; may be repeated
    #[arg(short = 'D', long, value_name = "[PATTERN=]TRAIT")]
    derive: Vec<String>,
    /// The type of maps
    #[arg(long, value_name = "TYPE", default_value = "BTreeMap", value_parser = ["BTreeMap", "HashMap"])]
    map_type: String,
    /// Numbers that are no integers are f64, which rounds and has no Eq, instead of serde_json::Number
    #[arg(long)]
    floats: bool,
    /// Enums take strings they do not know, as newer servers may send them
    #[arg(long)]
    open_enums: bool,
    /// Names: lines of `Kind.path.to.field = Name` or `Name = OtherName`
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let folder = args.folder()?;
    let mut import = Import::default();
    import.options = options(args)?;
    if args.cluster {
        ask_cluster(args, &mut import)?;
    } else {
        let sources = read_files(args, &mut import)?;
        warn_of_refused(args, &import.kept, sources)?;
    }
    import.kept.retain_mut(|kept| {
        let versions = &mut kept.heading.versions;
        if !args.api_version.is_empty() {
            versions.retain(|version| args.api_version.contains(version));
        } else if args.kopium_compat {
            newest(versions);
        }
        let is_left = args.api_version.is_empty() || !versions.is_empty();
        is_left && args.is_wanted(kept)
    });
    if import.kept.is_empty() {
        let what = if args.openapi { "no kinds" } else { "no CustomResourceDefinition" };
        return Err(Error::Nothing(format!("{what} in {}", args.places())));
    }
    let imported = import.run();
    for fallback in &imported.fallbacks {
        terminal::say(format_args!("{}: {}: kept as JSON", fallback.place, fallback.reason));
    }
    for name in &imported.unused_names {
        terminal::say(format_args!("--names: {name}: no type of its own is there, or the name is taken"));
    }
    for kind in &imported.contested {
        terminal::say(format_args!(
            "{kind} is defined more than once, and differently: `crdgen emit` will not take code with both"
        ));
    }
    terminal::say(format_args!("Cargo.toml needs:"));
    imported.needs().iter().for_each(|line| terminal::say(format_args!("    {line}")));
    let Some(dir) = folder else {
        terminal::print_code(&imported.file())?;
        return Ok(Outcome::Fine);
    };
    let mut out = outputs::folder(dir, args.force);
    let files = imported.folder();
    let mut drifted = false;
    for (path, text) in &files {
        let is_current = || Ok::<bool, Error>(out.read(path)?.as_deref() == Some(text.as_bytes()));
        if args.check {
            if !is_current()? {
                terminal::say(format_args!("out of date: {}", dir.join(path).display()));
                drifted = true;
            }
        } else if out.write(path, text).map_err(outputs::with_help)? {
            terminal::say(format_args!("wrote {}", dir.join(path).display()));
        }
    }
    for path in stale(dir, &files) {
        terminal::say(format_args!("{}: it is made of nothing any more: remove this file", path.display()));
        drifted = true;
    }
    Ok(if drifted && args.check { Outcome::Findings } else { Outcome::Fine })
}

/// Files of earlier runs that this one does not make any more.
fn stale(dir: &Path, files: &[(PathBuf, String)]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // Links are not followed.
            let Ok(ty) = entry.file_type() else { continue };
            if ty.is_dir() {
                pending.push(path);
            } else if ty.is_file() && path.extension().is_some_and(|e| e == "rs") {
                let is_made = files.iter().any(|(made, _)| dir.join(made) == path);
                let text = || input::read_to_string(&path).unwrap_or_default();
                if !is_made && generated::is_marked(&text()) {
                    out.push(path);
                }
            }
        }
    }
    out.sort();
    out
}

impl Args {
    /// Where the code goes, if not to standard output.
    fn folder(&self) -> Result<Option<&Path>, Error> {
        if self.old_out_dir.is_some() {
            terminal::say(format_args!(
                "note: write --out-dir instead of -o, which is for formats in all other commands"
            ));
        }
        let folder = self.out_dir.as_deref().or(self.old_out_dir.as_deref());
        match (folder, self.check, self.force) {
            (None, true, _) => Err(Error::Argument("--check needs --out-dir".to_owned())),
            (None, _, true) => Err(Error::Argument("--force needs --out-dir".to_owned())),
            (folder, ..) => Ok(folder),
        }
    }

    fn is_wanted(&self, kept: &Kept) -> bool {
        self.kind.is_empty() || self.kind.contains(&kept.heading.kind)
    }

    /// Where definitions come from, for messages.
    fn places(&self) -> String {
        if self.cluster { "the cluster".to_owned() } else { inputs::names(&self.paths) }
    }
}

/// A source, and which definitions are from it.
struct Origin {
    source: Source,
    range: Range<usize>,
    /// Whether they have places in it.
    is_plain: bool,
}

/// Reads all files; gives them back with the definitions that are from each.
fn read_files(args: &Args, import: &mut Import) -> Result<Vec<Origin>, Error> {
    let mut sources = Vec::new();
    for input in inputs::find(&args.paths, &["yaml", "yml", "json"])? {
        let source = input.read()?;
        let before = import.kept.len();
        match import.keep(&source.name, &source.bytes, args.openapi) {
            Ok(is_plain) => sources.push(Origin { source, range: before..import.kept.len(), is_plain }),
            // There is no room for any other either.
            Err(why @ Error::Argument(_)) => return Err(why),
            Err(why) if args.paths.contains(&source.name) => return Err(why),
            // In a folder there may be anything.
            Err(why) => terminal::say(format_args!("passed over {why}")),
        }
    }
    Ok(sources)
}

/// Warns of definitions that no server takes. Code is made of them all the same: whoever has them may know a
/// server that took them once.
fn warn_of_refused(args: &Args, kept: &[Kept], sources: Vec<Origin>) -> Result<(), Error> {
    // What a server has published is no definition.
    if args.openapi {
        return Ok(());
    }
    let is_refused = |kept: &Kept| args.is_wanted(kept) && !errors(&kept.get()).is_empty();
    let refused: Vec<bool> = kept.par_iter().map(is_refused).collect();
    for Origin { source, range, is_plain } in sources {
        let refused = &refused[range.clone()];
        if refused.contains(&true) {
            why_refused(&source, &kept[range], refused, is_plain)?;
        }
    }
    let (count, number) = (refused.iter().filter(|refused| **refused).count(), kept.len());
    if count > 0 {
        terminal::say(format_args!(
            "warning: a server rejects {count} of {number} definitions; the code for them is written anyway"
        ));
    }
    Ok(())
}

/// What a server says against a definition. Unions are known by servers to come.
fn errors(crd: &Crd) -> Diags {
    let mut sent = crd.clone();
    sent.drop_unions();
    crate::kind::check(&sent).errors
}

/// Says what a server says against the definitions in a source, as warnings, each at its place. Only the template of
/// a Helm chart has no places, since it is read without its actions.
fn why_refused(source: &Source, kept: &[Kept], refused: &[bool], is_plain: bool) -> Result<(), Error> {
    let say = |mut findings: Vec<Finding>| {
        findings.iter_mut().for_each(|f| f.diag.level = Level::Warning);
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        terminal::say_ready(&report::human(&[Findings { source: source.clone(), findings }]));
    };
    let mut all = kept.iter().zip(refused);
    let mut next = || all.next().filter(|(_, refused)| **refused).map(|(kept, _)| errors(&kept.get()));
    if is_plain {
        return stream::groups(
            source,
            |group| Ok(group.read()),
            |mut read| {
                read.check(|_| next().unwrap_or_default());
                say(read.findings);
                Ok(())
            },
        );
    }
    for kept in kept {
        let object = &kept.heading.name;
        let without = |diag| Finding { object: object.clone(), place: None, diag };
        say(next().unwrap_or_default().into_iter().map(without).collect());
    }
    Ok(())
}

fn ask_cluster(args: &Args, import: &mut Import) -> Result<(), Error> {
    let context = args.context.as_deref();
    if !args.openapi {
        let text = Arc::new(cluster::definitions(&args.paths, context)?);
        return import.keep("the cluster", &text, false).map(drop);
    }
    if args.paths.is_empty() {
        let why = "--openapi --cluster: name groups and versions, such as apps/v1";
        return Err(Error::Argument(why.to_owned()));
    }
    for group_version in &args.paths {
        import.keep(group_version, &Arc::new(cluster::openapi(group_version, context)?), true)?;
    }
    Ok(())
}

/// Leaves the version that clients prefer.
fn newest(versions: &mut Vec<String>) {
    let all = std::mem::take(versions).into_iter();
    versions.extend(all.max_by(|a, b| compare_versions(a, b)));
}

fn options(args: &Args) -> Result<Options, Error> {
    let like = if args.kopium_compat { Options::like_kopium() } else { Options::default() };
    let mut options = Options {
        schema: !args.client_only,
        docs: !args.no_docs,
        notes: !args.no_notes,
        open_enums: args.open_enums,
        kube: args.kube,
        schemars: args.schemars,
        features: args.features,
        time: match args.time.as_str() {
            "chrono" => TimeType::Chrono,
            "jiff" => TimeType::Jiff,
            _ => TimeType::String,
        },
        ..like
    };
    options.kubernetes = match args.k8s.as_deref() {
        _ if args.no_k8s => KubernetesTypes::Own,
        Some("all") => KubernetesTypes::All,
        Some(_) => KubernetesTypes::Lossless,
        None if args.kopium_compat => options.kubernetes,
        None if args.client_only => KubernetesTypes::Lossless,
        None => KubernetesTypes::Own,
    };
    options.builders = match args.builders.as_deref() {
        Some("typed") => Builders::TypedBuilder,
        Some("bon") => Builders::Bon,
        Some(_) | None => Builders::None,
    };
    if args.map_type == "HashMap" {
        options.map = MapType::HashMap;
    }
    if args.floats {
        options.numbers = Numbers::F64;
    }
    for derive in &args.derive {
        let (pattern, path) = derive.split_once('=').unwrap_or(("*", derive));
        if nesting::check_text(path).is_err() || syn::parse_str::<syn::Path>(path).is_err() {
            return Err(Error::Argument(format!("--derive {derive}: `{path}` is no path of a trait")));
        }
        options.derives.push((pattern.to_owned(), path.to_owned()));
    }
    if let Some(path) = &args.names {
        let text = input::read_to_string(path).map_err(Error::file(path))?;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let place = format!("{}:{}", path.display(), number + 1);
            let Some((from, to)) = line.split_once('=') else {
                return Err(Error::Argument(format!("{place}: write `Kind.path.to.field = Name`")));
            };
            let to = to.trim();
            if !nesting::is_identifier(to) {
                return Err(Error::Argument(format!("{place}: `{to}` is no name of a type")));
            }
            options.names.insert(from.trim().to_owned(), to.to_owned());
        }
    }
    Ok(options)
}
