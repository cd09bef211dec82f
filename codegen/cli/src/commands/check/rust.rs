//! `crdgen check src`: the CRDs are those of Rust types.

use std::path::Path;

use crdgen_core::check::lints;
use crdgen_core::compare::proof::Reported;
use crdgen_core::decode;
use crdgen_core::diag::{Level, codes};

use super::{Args, Run};
use crate::arguments::values;
use crate::crds::against;
use crate::input::Source;
use crate::outcome::no_kind;
use crate::output::report::{Finding, Findings};
use crate::terminal;
use crdgen_files::Error;
use crdgen_files::source::{self, Definitions, Options};
use crdgen_tasks::rust_types::{InSchemars, by_file, located, package};

/// The CRDs of Rust types, and what is reported about them.
pub(super) struct Types {
    /// The names of the CRDs.
    pub(super) names: Vec<String>,
    /// How many files were read.
    pub(super) files: usize,
    /// The findings, file by file. The first one has the path that the user wrote if nothing is found.
    pub(super) findings: Vec<Findings>,
}

/// The options with which the types are read.
pub(super) fn options(path: &str, args: &Args) -> Result<Options, Error> {
    let mut options = Options { path: package(Path::new(path)), refused: true, ..Options::default() };
    let mut on = args.lint.clone();
    on.extend(args.costs.then(|| codes::lint::COST.id.to_owned()));
    options.lints.switch(&on, &args.no_lint)?;
    options.kube = args.kube.as_deref().map(values::kube).transpose()?;
    Ok(options)
}

/// Reads Rust sources and checks their CRDs, with `--against` also as updates.
pub(super) fn check(path: &str, args: &Args, run: &mut Run<'_>) -> Result<Types, Error> {
    against::add_types_of(&mut run.against, path)?;
    let options = options(path, args)?;
    let Definitions { crds, found, files, withheld, cargo, by_kube, .. } = source::read(&options)?;
    if crds.is_empty() && found.is_empty() {
        return Err(no_kind(Path::new(path)));
    }
    if found.iter().any(|it| it.diag.level == Level::Error) {
        run.against.expect_unread(withheld.into_iter().map(|it| it.name));
        if let Some(why) = cargo {
            terminal::say_error(&why);
        }
    }
    let mut findings = by_file(found);
    let source = Source::new(path.to_owned(), Default::default());
    let in_schemars = InSchemars::new(&options, by_kube);
    let changed = |crd| -> Vec<Finding> { run.changed(crd, path, &in_schemars) };
    let changed: Vec<Vec<Finding>> = crds.iter().map(changed).collect();
    if changed.iter().any(|it| !it.is_empty()) {
        findings.extend(located(&options, &crds, changed, path)?);
    }
    if findings.is_empty() {
        findings.push(Findings { source, findings: Vec::new() });
    }
    Ok(Types { names: crds.into_iter().map(|crd| crd.metadata.name).collect(), files: files.len(), findings })
}

impl Run<'_> {
    /// The changes of a CRD whose classes are on.
    fn changed(&self, crd: &crdgen_core::ir::Crd, path: &str, in_schemars: &InSchemars) -> Vec<Finding> {
        let name = &crd.metadata.name;
        let mut new = crd.clone();
        decode::set_defaults(&mut new);
        let Some((old, new)) = self.against.get_of_types(&new, Path::new(path), in_schemars) else {
            return Vec::new();
        };
        let changes = crdgen_diff::reported(&old, &new, &self.search, self.unstable);
        let is_on = |it: &Reported| self.lints.is_on(it.diag.code);
        let (mut reported, in_vain) =
            lints::without_allowed(&new, changes.into_iter().filter(is_on).collect());
        reported.extend(in_vain.into_iter().map(|it| Reported::from(source::allows_nothing(it))));
        let finding =
            |Reported { diag, change }| Finding { change, ..Finding::new(name.clone(), None, diag) };
        reported.into_iter().map(finding).collect()
    }
}
