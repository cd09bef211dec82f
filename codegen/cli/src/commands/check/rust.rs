//! `crdgen check src`: the CRDs are those of Rust types.

use std::path::Path;

use crdgen_core::diag::codes;

use super::Args;
use crate::outcome::no_kind;
use crdgen_files::Error;
use crdgen_files::source::Options;
use crdgen_tasks::rust_types::{RustSources, RustTypes};

/// The options with which the types are read.
pub(super) fn options(args: &Args) -> Result<Options, Error> {
    let mut options = Options { refused: true, ..Options::default() };
    let mut on = args.lint.clone();
    on.extend(args.costs.then(|| codes::lint::COST.id.to_owned()));
    options.lints.switch(&on, &args.no_lint)?;
    options.kube = args.servers()?.last().map(|oldest| oldest.minor());
    Ok(options)
}

/// Reads Rust sources, and checks their CRDs for the servers to support.
pub(super) fn read(sources: RustSources, args: &Args) -> Result<RustTypes, Error> {
    let types = RustTypes::read(sources, options(args)?)?;
    match types.crds.is_empty() && types.found.is_empty() {
        true => Err(no_kind(Path::new(&types.named))),
        false => match args.servers()?.split_last() {
            Some((_, newer)) => types.checked_on(newer),
            None => Ok(types),
        },
    }
}
