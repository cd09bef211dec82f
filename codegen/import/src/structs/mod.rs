//! Writes Rust types for CRDs. The types represent every valid object without loss, and crdgen generates the same CRDs
//! from them.
//!
//! The steps: `lower` finds a type for every node, and uses one type for equal nodes. `root` adds the kind around the
//! root types. `naming` chooses modules and names once all types are known. `render` and `write` turn the result into
//! text. The [`Plan`] in between is plain data.

mod attributes;
mod code;
mod derives;
mod docs;
mod exactly_one;
mod foreign;
mod keywords;
mod known;
mod kopium;
mod kubernetes;
mod lower;
mod mismatch;
mod model;
mod names;
mod naming;
mod needs;
mod options;
mod partners;
mod render;
mod resource;
mod root;
mod shared;
mod union;
mod write;

pub use model::{
    Arg, Body, Enum, Fallback, Field, Json, Keyword, Module, Plan, Rest, Root, Struct, Ty, TypeDef, TypeId,
    Union, Use,
};
pub use needs::manifest;
pub use options::{Builders, KubernetesTypes, Layout, MapType, Numbers, Options, TimeType};
pub use write::{file, files, tokens};

use std::borrow::Cow;

use crate::ir::Crd;

/// What distinguishes a CRD from other CRDs.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heading {
    /// `group`
    pub group: String,
    /// `names.kind`
    pub kind: String,
    /// `metadata.name`
    pub name: String,
    /// The names of its versions.
    pub versions: Vec<String>,
}

impl Heading {
    /// Returns the heading of a CRD.
    pub fn of(crd: &Crd) -> Heading {
        Heading {
            group: crd.spec.group.clone(),
            kind: crd.spec.names.kind.clone(),
            name: crd.metadata.name.clone(),
            versions: crd.spec.versions.iter().map(|v| v.name.clone()).collect(),
        }
    }
}

/// Makes all decisions: which types exist, what they are called, and which attributes and comments they get.
pub fn plan(crds: &[Crd], options: &Options) -> Plan {
    let headings: Vec<Heading> = crds.iter().map(Heading::of).collect();
    plan_of(&headings, &|index| Cow::Borrowed(&crds[index]), options)
}

/// Makes the same plan for CRDs that are fetched one by one, so that they need not be in memory together.
pub fn plan_of<'c>(
    headings: &[Heading],
    definition: &dyn Fn(usize) -> Cow<'c, Crd>,
    options: &Options,
) -> Plan {
    let (lowering, modules) = root::lower(headings, definition, options);
    naming::finish(lowering, modules, options)
}
