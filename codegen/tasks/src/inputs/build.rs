//! Builds the kustomizations among the inputs.

use crdgen_files::input::{self, Shown};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crdgen_core::listed;

use super::class::{Class, Wants};
use super::kustomize::{self, Builder, Built, Kustomization};
use super::layout::Layout;
use super::options::{Build, Options};
use super::path;
use super::reading::{Input, regular};
use super::source::Objects;

/// The builds of a file: its objects by the names of the roots.
type Builds = BTreeMap<PathBuf, Vec<(Arc<str>, Objects)>>;

/// Builds the kustomizations, and replaces the files that they include by what they build. Returns the names of their
/// roots.
pub(super) fn build(layout: &Layout, options: &Options, found: &mut Vec<Input>) -> Vec<Arc<str>> {
    let (crds_only, notes) = (options.wants == Wants::Crds, options.rules.notes);
    if crds_only && !layout.kustomizations.values().any(Kustomization::changes_crds) {
        return Vec::new();
    }
    let mut builder = Builder::new(options.wants);
    let (mut names, mut builds) = (Vec::new(), Builds::new());
    let mut all_differ: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (folders, roots): (Vec<&PathBuf>, Vec<&Kustomization>) = layout.roots().unzip();
    for ((folder, root), built) in folders.into_iter().zip(&roots).zip(builder.build(&roots)) {
        let Built { resources, differs } = match built {
            Ok(built) => built,
            Err(why) => {
                let file = root.file().shown();
                notes.say(format_args!("crdgen cannot build {file}, and reads its files as they are: {why}"));
                continue;
            }
        };
        for (file, what) in differs {
            all_differ.entry(what).or_default().insert(file);
        }
        let name: Arc<str> = Arc::from(input::or_here(folder).shown().to_string());
        let mut files: BTreeMap<PathBuf, Objects> = BTreeMap::new();
        for kustomize::Resource { value, from: (file, number), .. } in resources {
            files.entry(file.as_ref().clone()).or_default().insert(number, value);
        }
        for (file, objects) in files {
            builds.entry(file).or_default().push((Arc::clone(&name), objects));
        }
        names.push(name);
    }
    for (what, files) in all_differ {
        notes.say(format_args!("{}: {what}", listed::first(files.iter(), listed::NAMED)));
    }
    if !crds_only {
        let unlisted = |input: &Input| {
            let path = path::normal(&input.path);
            let folder = path::normal(input.folder());
            input.origin.is_found
                && !builds.contains_key(&path)
                && layout.kustomizations.contains_key(&folder)
                && builder.has_only_built(&path)
        };
        for input in found.iter_mut() {
            if unlisted(input) {
                input.origin.part = Some(Class::Patch);
            }
        }
    }
    if crds_only {
        builds.retain(|file, builds| {
            builds.retain(|(_, objects)| !builder.is_unchanged(file, objects));
            builds.dedup_by(|a, b| a.1 == b.1);
            !builds.is_empty()
        });
    }
    let mut out = Vec::new();
    for input in found.drain(..) {
        let Some(builds) = input.origin.is_found.then(|| builds.remove(&path::normal(&input.path))).flatten()
        else {
            out.push(input);
            continue;
        };
        if crds_only && (options.build == Build::Each || builds.len() > 1) {
            out.push(Input::found(input.path.clone(), input.size));
        }
        if !crds_only || options.build == Build::Each || builds.len() == 1 {
            out.extend(builds.into_iter().map(|(root, objects)| input.built(root, objects)));
        }
    }
    // A kustomization may include files from elsewhere.
    for (file, builds) in builds {
        let Some(input) = regular(file, notes) else { continue };
        out.extend(builds.into_iter().map(|(root, objects)| input.built(root, objects)));
    }
    *found = out;
    names
}
