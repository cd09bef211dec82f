//! What commands read: files, folders, glob patterns, standard input, revisions of git, charts and kustomizations, in a stable
//! order. All commands of crdgen read through this module, so that all of them know the same kinds of inputs.
//!
//! **Unstable**: any release may change what is in this module.
//!
//! [`find`] makes an [`Inventory`] of the arguments. A file that the user names is always read. Of a folder, `walk` finds the
//! files, `layout` finds out which of them belong to charts and kustomizations, and `class` names what is surely not for a
//! server. `build` and `kustomize` build the kustomizations. The rest is found when the text of a file is known ([`Inventory::read`]).

mod at_path;
mod build;
mod charts;
mod class;
pub mod cluster;
mod contents;
mod definitions;
mod finder;
mod findings;
pub mod git;
mod inventory;
mod kept;
mod kustomize;
mod layout;
mod limited;
mod not_yaml;
mod notes;
pub mod open;
mod options;
pub mod pairs;
mod path;
mod piped;
mod reading;
mod release;
mod renames;
mod revision;
mod source;
mod sources;
pub mod stream;
mod suites;
mod walk;

pub use at_path::{AtPath, HERE};
pub use charts::RENDERED;
pub use class::{Class, Skipped, Unwanted, Wants, is_for};
pub use contents::Contents;
pub use definitions::{expect_accepted, is_named, no_definition, no_such_kind};
pub use findings::Findings;
pub use inventory::Inventory;
pub use kept::KeptCrds;
pub use kustomize::Kustomization;
pub use layout::Layout;
#[cfg(unix)]
pub use limited::abandon;
pub use limited::{Ended, OwnLimits, run_own};
pub use not_yaml::NotYaml;
pub use notes::Notes;
pub use options::{Build, Cluster, Options};
pub use path::{common_end, normal};
pub use reading::{Input, batches, why_skipped};
pub use release::{MAX as MAX_RELEASE, Release, What as PartOfRelease};
pub use renames::{Renames, gone_since};
pub(crate) use source::mentions;
pub use source::{Origin, Source, may_define};
pub use sources::{AtRevision, Checkout};
pub use walk::Rules;

use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use crdgen_files::inside::Inside;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use finder::Finder;
use reading::STDIN;

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
    finder.arguments(args)?;
    finder.finish()
}

/// Makes an inventory of texts that were read already.
///
/// # Errors
/// Fails if a part of the options is wrong.
pub fn given(sources: Vec<Source>, options: &Options) -> Result<Inventory, Error> {
    let mut finder = Finder::new(options);
    finder.found.extend(sources.into_iter().map(Input::given));
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

/// Finds what an argument names. A revision of git without a path has the same paths as today.
pub fn find_with(same: &[String], arg: &str, options: &Options) -> Result<Inventory, Error> {
    match AtPath::named(arg)? {
        Some(at) => at_revision(&at, same, options),
        None => find(&[arg.to_owned()], options),
    }
}

/// Finds what is at a revision of git: its path, or if it has none, the same paths as today.
pub fn at_revision(at: &AtPath, same: &[String], options: &Options) -> Result<Inventory, Error> {
    let mut finder = Finder::new(options);
    finder.revision(at, same)?;
    finder.finish()
}

/// Describes the arguments, for messages.
pub fn names(args: &[String]) -> String {
    if !args.is_empty() {
        let name = |arg: &'_ String| match arg.as_str() {
            STDIN => "<stdin>".to_owned(),
            HERE => HERE_IN_WORDS.to_owned(),
            arg => arg.to_owned(),
        };
        let names: Vec<String> = args.iter().map(name).collect();
        return names.join(" ");
    }
    match piped::text(Notes::default()) {
        Ok(Some(_)) => "<stdin>".to_owned(),
        Ok(None) | Err(_) => HERE_IN_WORDS.to_owned(),
    }
}

/// What messages call the current folder: a sentence may go on behind it.
const HERE_IN_WORDS: &str = "the current folder";
