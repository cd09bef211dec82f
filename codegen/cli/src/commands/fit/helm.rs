//! `crdgen fit --for helm`: what Helm stores of a chart, and CRDs that are small enough for it.

use std::path::Path;

use crdgen_build::emit::{self, OutputFormat};
use crdgen_core::descriptions::each_of;
use crdgen_core::ir::Crd;
use crdgen_files::Error;
use crdgen_files::output::Document;
use crdgen_tasks::inputs::{MAX_RELEASE, Release};

use super::Args;
use crate::crds::accepted::{self, Also};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::terminal::{self, Ready, print};

/// How large a release should be: the estimate is not exact, and what Helm renders may not be known.
const WANTED: usize = MAX_RELEASE / 10 * 9;

pub(super) fn run(args: &Args) -> Result<Outcome, Error> {
    let [chart] = &args.paths[..] else {
        return Err(Error::Argument("name one chart: `crdgen fit --for helm CHART`".to_owned()));
    };
    let release = Release::of(Path::new(chart))?;
    if let Some(why) = &release.not_rendered {
        terminal::say(format_args!("what Helm renders is not counted: {why}"));
    }
    let size = release.size();
    if args.size.sizes {
        print(&Ready::text(&report(&release, size)))?;
        return Ok(if size > MAX_RELEASE { Outcome::Findings } else { Outcome::Fine });
    }
    let folder = Path::new(chart).join("crds");
    let mut crds: Vec<Crd> = Vec::new();
    let mut read = Outcome::Fine;
    if folder.is_dir() {
        let paths = [folder.to_string_lossy().into_owned()];
        let also = Also { refused: true, ..Also::NOTHING };
        read = accepted::each(&paths, &args.from.options()?.without_builds(), also, |found| {
            crds.extend(found);
            Ok(())
        })?;
    }
    if crds.is_empty() {
        terminal::say(format_args!("{chart} has no CRDs in `crds`: those in templates are not changed"));
    }
    args.size.apply(&mut crds, false);
    let (depth, documents) = fit(&release, &crds);
    let after = size_with(&release, &documents);
    match depth {
        Some(depth) => terminal::say(format_args!(
            "{chart}: Helm stores about {after} of {MAX_RELEASE} bytes instead of {size}, without descriptions below level {depth}"
        )),
        None => terminal::say(format_args!("{chart}: Helm stores about {after} of {MAX_RELEASE} bytes")),
    }
    if after > MAX_RELEASE {
        terminal::say(format_args!(
            "warning: that is still too much: `crdgen fit --for helm --sizes {chart}` shows what takes most. Leave out files with \
             .helmignore, or give the CRDs a chart of their own"
        ));
    }
    match &args.out_dir {
        None => print(&Ready::document(&emit::joined(&documents, OutputFormat::Yaml)))?,
        Some(dir) => folders::write(dir, &documents, args.force)?,
    }
    Ok(if after > MAX_RELEASE { Outcome::Findings } else { read })
}

/// The CRDs without the descriptions from some depth on, if the release is too large with them, and that depth: the largest with
/// which the release is small enough, or 0.
fn fit(release: &Release, crds: &[Crd]) -> (Option<usize>, Vec<Document>) {
    let whole = documents(crds);
    if size_with(release, &whole) <= WANTED {
        return (None, whole);
    }
    let mut deepest = 0;
    for crd in &mut crds.to_vec() {
        each_of(crd, &mut |_, depth| deepest = deepest.max(depth));
    }
    let (mut fits, mut too_large) = (0, deepest + 1);
    while too_large - fits > 1 {
        let depth = fits.midpoint(too_large);
        match size_with(release, &documents(&above(crds, depth))) <= WANTED {
            true => fits = depth,
            false => too_large = depth,
        }
    }
    (Some(fits), documents(&above(crds, fits)))
}

/// The CRDs with the descriptions above a depth.
fn above(crds: &[Crd], wanted: usize) -> Vec<Crd> {
    let mut crds = crds.to_vec();
    for crd in &mut crds {
        each_of(crd, &mut |schema, depth| {
            if depth >= wanted {
                schema.description.clear();
            }
        });
    }
    crds
}

fn documents(crds: &[Crd]) -> Vec<Document> {
    emit::documents(crds, OutputFormat::Yaml, None)
}

fn size_with(release: &Release, documents: &[Document]) -> usize {
    release.size_with_crds(documents.iter().map(|document| document.text.as_str()))
}

/// The sizes for people.
fn report(release: &Release, size: usize) -> String {
    let mut out = format!("Helm stores about {size} of {MAX_RELEASE} bytes for a release\n");
    for (what, bytes, stored) in release.by_part() {
        out.push_str(&format!("{:<18} {bytes:>9} bytes, stored alone {stored:>9}\n", what.name()));
    }
    out
}
