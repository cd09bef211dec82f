//! Reads the conversions that Rust sources declare, and the mistakes in them.

use super::{Options, add, cargo, files, on_its_stack, shorten};
use crate::Error;
use crdgen_source::declared::Declared;
use crdgen_source::{Found, Program};

/// The conversions of some packages.
#[derive(Debug, Default)]
pub struct Conversions {
    /// The conversions of each crate.
    pub crates: Vec<Declared>,
    /// The errors, warnings and notes.
    pub found: Vec<Found>,
    /// The error of cargo, if it could not find other crates. Their types are then unknown.
    pub cargo: Option<Error>,
}

/// What is read about the versions of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Their conversions.
    Conversions,
    /// Their conversions and schemas.
    Schemas,
}

/// Reads the conversions between kinds.
pub fn conversions(options: &Options, detail: Detail) -> Result<Conversions, Error> {
    on_its_stack(|| {
        let mut out = Conversions::default();
        let mut workspace = cargo::Workspace::new(options);
        for root in workspace.roots()? {
            let mut sources = files::Files::new(&mut workspace);
            let program = Program::new(&mut sources, root);
            out.crates.push(match detail {
                Detail::Schemas => program.declared_with_schemas(),
                Detail::Conversions => program.declared(),
            });
            add(program.found(), &mut out.found);
        }
        out.found.iter_mut().filter_map(|found| found.at.as_mut()).for_each(shorten);
        out.found.extend(workspace.outdated_lock());
        out.cargo = workspace.take_failure();
        Ok(out)
    })
}
