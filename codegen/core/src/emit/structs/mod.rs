//! Rust from CustomResourceDefinitions: types that hold every valid object without loss, and that
//! give the same definitions when they are read again.
//!
//! The way: `lower` finds a type for every node and makes one type of equal nodes; `root` puts
//! the definition around the root types; `naming` decides on modules and names when all types are
//! known; `render` and `write` make text of it. The [`Plan`] between is plain data.

mod attributes;
mod code;
mod derives;
mod docs;
mod fit;
mod foreign;
mod keywords;
mod known;
mod kopium;
mod kubernetes;
mod lower;
mod model;
mod names;
mod naming;
mod needs;
mod options;
mod render;
mod root;
mod said;
mod union;
mod write;

pub use model::{
    Arg, Body, Enum, Fallback, Field, Json, Keyword, Module, Plan, Rest, Root, Struct, Ty, TypeDef, TypeId,
    Union, Use,
};
pub use needs::manifest;
pub use options::{Builders, KubernetesTypes, Layout, MapType, Numbers, Options, TimeType};
pub use write::{file, files, tokens};

use crate::ir::Crd;

/// Decides on everything: which types there are, what they are called and what is said about them.
pub fn plan(crds: &[Crd], options: &Options) -> Plan {
    let (lowering, modules) = root::lower(crds, options);
    naming::finish(lowering, modules, options)
}
