//! `crdgen import`: generates Rust types for CRDs.

use crate::arguments::selection;
use crate::input::{self, Source, cluster, stream};
use crate::outcome::Outcome;
use crate::outcome::no_such_kind;
use crate::output::folders;
use crate::output::report::{self, Finding, Findings};
use crate::terminal;
use crdgen_build::import::{
    Builders, Import, Imported, Kept, KubernetesTypes, MapType, Numbers, Options, TimeType,
};
use crdgen_files::Error;
use crdgen_files::generated;
use crdgen_files::input::{Shown, read_to_string};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crdgen_core::diag::{Diags, Level};
use crdgen_core::ir::Crd;
use crdgen_core::names::compare_versions;
use crdgen_rust::syntax::nesting;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Write Rust types for CustomResourceDefinitions
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crdgen import crds --out-dir src/api                  write a folder of modules
  crdgen import --cluster certificates.cert-manager.io  import a CRD from the cluster
  crdgen import crds --client-only --kube               write types for a client on kube-rs")]
pub(crate) struct Args {
    /// Files, folders (Helm charts too), glob patterns, or - for standard input. By default crdgen reads what
    /// is piped in, or otherwise the current folder. With --cluster, the names of CRDs, or none for all CRDs
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<String>,
    #[command(flatten)]
    selection: selection::Selection,
    /// Read OpenAPI v3 documents as servers publish them, which contain less than CRDs. With --cluster, name groups
    /// and versions such as apps/v1
    #[arg(long)]
    openapi: bool,
    /// Read from the cluster that kubectl uses
    #[arg(long)]
    cluster: bool,
    #[command(flatten)]
    context: selection::Context,
    /// Write modules to this folder, instead of one file to standard output
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// The old name of --out-dir: in all other commands `-o` is the format
    #[arg(short = 'o', hide = true, value_name = "DIR", conflicts_with = "out_dir")]
    old_out_dir: Option<PathBuf>,
    /// Write nothing. Fail if the files in --out-dir are out of date, or belong to CRDs that no longer exist
    #[arg(long)]
    check: bool,
    /// Also replace files in --out-dir that crdgen did not write
    #[arg(long)]
    force: bool,
    /// Process only this kind. May be repeated
    #[arg(long, value_name = "NAME")]
    kind: Vec<String>,
    /// Process only this version. May be repeated
    #[arg(long, value_name = "NAME")]
    api_version: Vec<String>,
    /// Write only what a client needs: types for serde, without the attributes that reproduce the CRDs
    #[arg(long)]
    client_only: bool,
    /// Write no doc comments
    #[arg(long)]
    no_docs: bool,
    /// Write no notes about defaults and constraints into doc comments
    #[arg(long)]
    no_notes: bool,
    /// Use types of the crate k8s-openapi for Kubernetes' own types. `lossless`: only types that keep every object
    /// unchanged. `all`: also types that normalize times, quantities and small integers as Kubernetes does. The
    /// default with --client-only is `lossless`. Without --client-only, crdgen uses a type only if its schema
    /// differs from the CRD's in at most a few keywords
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "lossless",
        value_parser = ["lossless", "all"])]
    k8s: Option<String>,
    /// Use no types of the crate k8s-openapi
    #[arg(long, conflicts_with = "k8s")]
    no_k8s: bool,
    /// The type for `format: date-time`. chrono and jiff do not keep the original spelling
    #[arg(long, value_name = "CRATE", default_value = "string", value_parser = ["chrono", "jiff", "string"])]
    time: String,
    /// Write kinds for kube-rs. They use the derive of crdgen::kube; with --client-only, kube's own derive
    #[arg(long)]
    kube: bool,
    /// Derive crdgen::Apply: typed configurations for server-side apply
    #[arg(long, conflicts_with = "client_only")]
    apply: bool,
    /// Derive schemars::JsonSchema
    #[arg(long)]
    schemars: bool,
    /// Put each API group behind a Cargo feature. The first lines of the code show what Cargo.toml needs
    #[arg(long)]
    features: bool,
    /// Use the names that kopium gives, so that code for its types still compiles: one type per path, and one module
    /// for all types. Implies --kube
    #[arg(long)]
    kopium_compat: bool,
    /// Derive builders: `typed` for the crate typed-builder, `bon` for the crate bon
    #[arg(long, value_name = "CRATE", value_parser = ["typed", "bon"])]
    builders: Option<String>,
    /// Derive this trait too. With `Pattern=Trait`, only for types whose name matches; * matches anything. May be repeated
    #[arg(short = 'D', long, value_name = "[PATTERN=]TRAIT")]
    derive: Vec<String>,
    /// The type for maps
    #[arg(long, value_name = "TYPE", default_value = "BTreeMap", value_parser = ["BTreeMap", "HashMap"])]
    map_type: String,
    /// Use f64 for numbers that are not integers, instead of serde_json::Number. f64 rounds and has no Eq
    #[arg(long)]
    floats: bool,
    /// Add a variant for unknown strings to enums, because newer servers may send some
    #[arg(long)]
    open_enums: bool,
    /// A file with names for types, in lines of `Kind.path.to.field = Name` or `Name = OtherName`
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Error> {
    let folder = args.folder()?;
    let mut import = Import::default();
    import.options = options(args)?;
    let names = args.names.as_deref().map(names).transpose()?.unwrap_or_default();
    import.options.names.extend(names.iter().map(|named| (named.from.clone(), named.to.clone())));
    if args.cluster {
        ask_cluster(args, &mut import)?;
    } else {
        let sources = read_files(args, &mut import)?;
        warn_of_refused(args, import.kept(), sources)?;
    }
    choose(args, &mut import)?;
    let imported = import.run();
    check_names(args, &names, &imported)?;
    say_remarks(&imported);
    let Some(dir) = folder else {
        terminal::print_code(&imported.file())?;
        return Ok(Outcome::Fine);
    };
    write(args, dir, &imported)
}

/// Keeps the kinds and versions that the user wants. There must be one.
fn choose(args: &Args, import: &mut Import) -> Result<(), Error> {
    let known: BTreeSet<String> = import.kept().iter().map(|kept| kept.heading.kind.clone()).collect();
    let has_kind = import.kept().iter().any(|kept| args.is_wanted(kept));
    let wanted = import.kept().iter().filter(|kept| args.is_wanted(kept));
    let there: BTreeSet<String> = wanted.flat_map(|kept| kept.heading.versions.iter().cloned()).collect();
    import.kept().retain_mut(|kept| {
        let versions = &mut kept.heading.versions;
        if !args.api_version.is_empty() {
            versions.retain(|version| args.api_version.contains(version));
        } else if args.kopium_compat {
            newest(versions);
        }
        let is_left = args.api_version.is_empty() || !versions.is_empty();
        is_left && args.is_wanted(kept)
    });
    if import.kept().is_empty() && !known.is_empty() && !has_kind {
        let known: Vec<String> = known.into_iter().collect();
        return Err(no_such_kind(&args.kind.join(", "), &args.places(), &known));
    }
    if import.kept().is_empty() && has_kind {
        let wanted = args.api_version.join(", ");
        let there: Vec<String> = there.into_iter().collect();
        let (place, there) = (args.places(), there.join(", "));
        return Err(Error::Nothing(format!(
            "no kind with a version {wanted} in {place}; there are: {there}"
        )));
    }
    if import.kept().is_empty() {
        let what = if args.openapi { "no kinds" } else { "no CustomResourceDefinition" };
        return Err(Error::Nothing(format!("{what} in {}", args.places())));
    }
    Ok(())
}

/// Says what the user should know about the code.
fn say_remarks(imported: &Imported) {
    for fallback in &imported.fallbacks {
        terminal::say(format_args!("{}: {}: kept as JSON", fallback.place, fallback.reason));
    }
    for name in &imported.unused_names {
        terminal::say(format_args!(
            "--names: {name}: there is no type at this path, or the name is already taken"
        ));
    }
    for kind in &imported.contested {
        terminal::say(format_args!(
            "{kind} has several different CRDs: `crdgen emit` rejects code with more than one of them"
        ));
    }
    terminal::say(format_args!("Cargo.toml needs:"));
    imported.needs().iter().for_each(|line| terminal::say(format_args!("    {line}")));
}

/// Writes the code to a folder, or checks that it is there.
fn write(args: &Args, dir: &Path, imported: &Imported) -> Result<Outcome, Error> {
    let mut out = folders::folder(dir, args.force);
    let files = imported.folder();
    let mut drifted = false;
    for (path, text) in &files {
        let is_current = || Ok::<bool, Error>(out.read(path)?.as_deref() == Some(text.as_bytes()));
        if args.check {
            if !is_current()? {
                terminal::say(format_args!("out of date: {}", dir.join(path).shown()));
                drifted = true;
            }
        } else {
            out.stage(path, text).map_err(folders::with_help)?;
        }
    }
    folders::finish(&mut out)?;
    for path in stale(dir, &files) {
        terminal::say(format_args!("{}: crdgen no longer generates this file. Remove it", path.shown()));
        drifted = true;
    }
    Ok(if drifted && args.check { Outcome::Findings } else { Outcome::Fine })
}

/// Returns files of earlier runs that this run no longer generates.
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
                let text = || read_to_string(&path).unwrap_or_default();
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
        if self.cluster { "the cluster".to_owned() } else { input::names(&self.paths) }
    }
}

/// A source, and the CRDs that are from it.
struct Origin {
    source: Source,
    range: Range<usize>,
    /// Whether the places of its CRDs are known.
    is_plain: bool,
}

/// Reads all files. Returns them with the CRDs that are from each.
fn read_files(args: &Args, import: &mut Import) -> Result<Vec<Origin>, Error> {
    let mut sources = Vec::new();
    let rules = args.selection.rules()?;
    let wanted = match args.openapi {
        true => input::Options::anything(&rules),
        false => input::Options::crds(&rules),
    };
    for input in input::find(&args.paths, &wanted)?.iter() {
        let source = input.read()?;
        let before = import.kept().len();
        match import.keep(&source.name, &source.bytes, args.openapi) {
            Ok(is_plain) => sources.push(Origin { source, range: before..import.kept().len(), is_plain }),
            // The limit is for all files together, so it is useless to read others.
            Err(why @ Error::Argument(_)) => return Err(why),
            // Without one of the CRDs, types and modules would be missing from the code.
            Err(why) if args.paths.contains(&source.name) || input::may_define(&source) => return Err(why),
            // A folder may contain anything.
            Err(why) => terminal::say(format_args!("skipped {why}")),
        }
    }
    Ok(sources)
}

/// Warns about CRDs that no current server accepts. crdgen generates code for them all the same, because an older
/// server may have accepted them.
fn warn_of_refused(args: &Args, kept: &[Kept], sources: Vec<Origin>) -> Result<(), Error> {
    // A document that a server has published is not a CRD.
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
            "warning: a server rejects {count} of {number} CRDs. crdgen generates code for them anyway"
        ));
    }
    Ok(())
}

/// Returns the server's errors for a CRD, without those about unions, which future servers know.
fn errors(crd: &Crd) -> Diags {
    let mut sent = crd.clone();
    sent.drop_unions();
    crdgen_kinds::check(&sent).errors
}

/// Prints the server's errors for the CRDs in a source as warnings, each at its place. Only the template of a Helm
/// chart has no places, because it is read without its actions.
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
        let without = |diag| Finding::new(object.clone(), None, diag);
        say(next().unwrap_or_default().into_iter().map(without).collect());
    }
    Ok(())
}

fn ask_cluster(args: &Args, import: &mut Import) -> Result<(), Error> {
    let context = args.context.name();
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

/// Keeps only the version that clients prefer.
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
        // kopium derives kube's `CustomResource` too.
        kube: args.kube || args.kopium_compat,
        apply: args.apply,
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
            return Err(Error::Argument(format!(
                "--derive {derive}: `{path}` is not the path of a trait, such as Eq or std::hash::Hash"
            )));
        }
        options.derives.push((pattern.to_owned(), path.to_owned()));
    }
    Ok(options)
}

/// A line of the file with names.
struct Name {
    /// The file and the line.
    place: String,
    /// A path or a name.
    from: String,
    to: String,
}

/// The lines of a file with names.
fn names(path: &Path) -> Result<Vec<Name>, Error> {
    let text = read_to_string(path).map_err(Error::file(path))?;
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let place = format!("{}:{}", path.shown(), number + 1);
        let Some((from, to)) = line.split_once('=') else {
            return Err(Error::Argument(format!("{place}: write `Kind.path.to.field = Name`")));
        };
        let to = to.trim();
        if !nesting::is_identifier(to) {
            return Err(Error::Argument(format!("{place}: `{to}` is not a valid type name")));
        }
        out.push(Name { place, from: from.trim().to_owned(), to: to.to_owned() });
    }
    Ok(out)
}

/// Reports names that match nothing. If only some kinds are imported, this may be intended and is not reported.
fn check_names(args: &Args, names: &[Name], imported: &Imported) -> Result<(), Error> {
    if !(args.kind.is_empty() && args.api_version.is_empty()) {
        return Ok(());
    }
    let mut errors = imported.unknown_names().iter().map(|(unknown, help)| {
        let place = names.iter().find(|name| name.from == *unknown).map_or("--names", |name| &name.place);
        let help = help
            .as_deref()
            .unwrap_or("write the path of a field, such as Kind.spec.field, or the name of a type");
        Error::Argument(format!("{place}: no type has the path or name `{unknown}`; {help}"))
    });
    let last = errors.next_back();
    errors.for_each(|error| terminal::say_error(&error));
    last.map_or(Ok(()), Err)
}
