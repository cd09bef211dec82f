//! Compares CRDs with the types in Rust sources.

use super::{Options, cargo};
use crate::Error;
use crdgen_core::compare::{compare, defines, without_definition};
use crdgen_core::diag::Diag;
use crdgen_core::ir::Crd;
use crdgen_source::{At, CrateSource, Found, FoundKind, FoundKinds, Located, Program, Sources, Unread};
use std::cell::RefCell;
use std::collections::HashMap;

/// The kinds in the sources, to compare CRDs with.
pub struct Kinds<'p, 's> {
    crates: Vec<Crate<'p, 's>>,
    /// The mistakes in the sources themselves.
    found: Vec<Found>,
}

/// The kinds of a crate.
struct Crate<'p, 's> {
    program: &'p Program<'s>,
    kinds: Vec<FoundKind>,
    /// Their CRDs.
    crds: Vec<Crd>,
    /// Whether a CRD that was compared defines the kind, for each kind.
    is_defined: Vec<bool>,
    /// The names of the CRDs whose types cannot be determined. They are not compared.
    unknown: Vec<String>,
}

/// The diagnostics of [`against`] that are not differences.
#[derive(Debug, Default)]
pub struct Compared {
    /// Mistakes in the sources, and kinds without a CRD.
    pub found: Vec<Found>,
    /// The error of cargo, if it could not find other crates. Their types are then unknown.
    pub cargo: Option<Error>,
}

/// The sources of a crate. The sources of all crates are in memory at once, and share the same workspace.
struct Files<'w>(&'w RefCell<cargo::Workspace>);

impl Sources for Files<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        self.0.borrow().read(path)
    }

    fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        self.0.borrow_mut().extern_crate(from, name)
    }

    fn version(&mut self, from: &CrateSource, name: &str) -> Option<String> {
        self.0.borrow_mut().version(from, name)
    }

    fn why_unread(&self, path: &str) -> Unread {
        self.0.borrow().why_unread(path)
    }
}

/// Reads the kinds in the sources, and calls `compare` with them. Returns the diagnostics that are not differences.
pub fn against(
    options: &Options,
    compare: impl FnOnce(&mut Kinds<'_, '_>) -> Result<(), Error> + Send,
) -> Result<Compared, Error> {
    super::on_its_stack(|| read(options, compare))
}

fn read(
    options: &Options,
    compare: impl FnOnce(&mut Kinds<'_, '_>) -> Result<(), Error>,
) -> Result<Compared, Error> {
    let mut workspace = cargo::Workspace::new(options);
    let roots = workspace.roots()?;
    let workspace = RefCell::new(workspace);
    let found = {
        let mut sources: Vec<Files<'_>> = roots.iter().map(|_| Files(&workspace)).collect();
        let programs = sources.iter_mut().zip(roots).map(|(files, root)| Program::new(files, root));
        let programs: Vec<Program<'_>> = programs.collect();
        let mut kinds = Kinds { crates: Vec::new(), found: Vec::new() };
        programs.iter().for_each(|program| kinds.add(program));
        compare(&mut kinds)?;
        kinds.finish()
    };
    let found = found.into_iter().chain(workspace.borrow().outdated_lock()).collect();
    Ok(Compared { found, cargo: workspace.borrow_mut().take_failure() })
}

impl<'p, 's> Kinds<'p, 's> {
    fn add(&mut self, program: &'p Program<'s>) {
        let FoundKinds { known: mut kinds, mistaken: unknown } = program.kinds(&|_, _| true);
        super::add(program.found(), &mut self.found);
        // A binary may declare the same modules as its library.
        let mut known: HashMap<&str, Vec<(&Program<'_>, &FoundKind)>> = HashMap::new();
        for (of, other) in self.crates.iter().flat_map(|of| of.kinds.iter().map(move |kind| (of, kind))) {
            known.entry(&other.crd.metadata.name).or_default().push((of.program, other));
        }
        kinds.retain(|kind| {
            let at = Located::new(program, kind).at(&[]);
            let is_same = |(of, other): &(&Program<'_>, &FoundKind)| {
                other.crd == kind.crd && Located::new(of, other).at(&[]) == at
            };
            !known.get(kind.crd.metadata.name.as_str()).is_some_and(|all| all.iter().any(is_same))
        });
        // If a mistake is not inside of a kind, some kinds may not even be found.
        if !unknown.is_empty() || !program.has_errors() {
            let unknown = unknown.into_iter().map(|kind| kind.name).collect();
            let crds: Vec<Crd> = kinds.iter().map(|k| k.crd.clone()).collect();
            self.crates.push(Crate { program, kinds, is_defined: vec![false; crds.len()], crds, unknown });
        }
    }

    /// Whether the sources have neither kinds nor mistakes.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.crates.iter().all(|of| of.kinds.is_empty())
    }

    /// Compares a CRD with the types of its versions. Returns the differences, with their places in the sources.
    pub fn compare(&mut self, definition: &Crd) -> Vec<(Diag, Option<At>)> {
        for Crate { crds, is_defined, .. } in &mut self.crates {
            for (kind, is_defined) in crds.iter().zip(is_defined) {
                *is_defined |= defines(definition, kind);
            }
        }
        let is_unknown = |of: &Crate<'_, '_>| of.unknown.contains(&definition.metadata.name);
        if self.crates.iter().any(is_unknown) {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut of_none: Option<Vec<Diag>> = None;
        for Crate { program, kinds, crds, .. } in &self.crates {
            let mut unmatched = Vec::new();
            for difference in compare(definition, crds) {
                match difference.kind.and_then(|k| kinds.get(k)) {
                    Some(kind) => {
                        let mut at = Located::new(program, kind).at(&difference.rust);
                        at.iter_mut().for_each(super::shorten);
                        out.push((difference.diag, at));
                    }
                    None => unmatched.push(difference.diag),
                }
            }
            // A version lacks a type only if no crate has one.
            match &mut of_none {
                None => of_none = Some(unmatched),
                Some(all) => all.retain(|diag| unmatched.contains(diag)),
            }
        }
        out.extend(of_none.into_iter().flatten().map(|diag| (diag, None)));
        out
    }

    /// Returns the mistakes in the sources themselves, and the kinds without a CRD.
    fn finish(self) -> Vec<Found> {
        let Kinds { crates, mut found } = self;
        for Crate { program, kinds, crds, is_defined, .. } in crates {
            let missing = kinds.iter().zip(&crds).zip(is_defined).filter(|(_, is_defined)| !is_defined);
            found.extend(missing.map(|((kind, crd), _)| {
                let at = Located::new(program, kind).at(&[]);
                Found { diag: without_definition(crd), at }
            }));
        }
        found.iter_mut().filter_map(|f| f.at.as_mut()).for_each(super::shorten);
        found
    }
}
