//! Which CRDs and objects inputs have.

use std::collections::{BTreeMap, BTreeSet};

use crdgen_core::documents::{Manifest, is_definition, objects};

use super::{Inventory, Source, may_define, stream};
use crdgen_files::Error;

/// Which CRDs and objects some inputs have.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The CRDs by name, each with its files.
    pub crds: BTreeMap<String, BTreeSet<String>>,
    /// The objects by kind, each with its files and their numbers of objects. A kind is as in `Deployment.apps`.
    pub kinds: BTreeMap<String, BTreeMap<String, usize>>,
    /// The files that cannot be read.
    pub broken: BTreeSet<String>,
}

impl Contents {
    /// Reads inputs, CRDs first: objects of their kinds are for the server. Calls `step` after each input.
    pub fn read(found: &Inventory, step: &(dyn Fn() + Sync)) -> Result<Contents, Error> {
        found.serve(kinds_of_crds(found)?);
        let mut all = Contents::default();
        let work = |source: &Source, group| {
            let (objects, unreadable) = objects(group);
            let of = |object: &Manifest| {
                let (group, kind) = (object.group_version().0, object.text("kind"));
                let dot = if group.is_empty() { "" } else { "." };
                let name = object.metadata("name").to_owned();
                (is_definition(&object.value), name, format!("{kind}{dot}{group}"))
            };
            Ok((source.name.clone(), objects.iter().map(of).collect::<Vec<_>>(), !unreadable.is_empty()))
        };
        stream::each_group(found, step, work, |(file, objects, is_broken)| {
            for (is_crd, name, kind) in objects {
                match is_crd {
                    true => drop(all.crds.entry(name).or_default().insert(file.clone())),
                    false => *all.kinds.entry(kind).or_default().entry(file.clone()).or_default() += 1,
                }
            }
            all.broken.extend(is_broken.then_some(file));
            Ok(())
        })?;
        Ok(all)
    }
}

/// The groups and kinds of the CRDs.
fn kinds_of_crds(found: &Inventory) -> Result<BTreeSet<(String, String)>, Error> {
    let mut out = BTreeSet::new();
    for input in found.iter() {
        let Some(source) = found.read(input)?.filter(may_define) else { continue };
        let (objects, _) = objects(source.group());
        let crds = objects.iter().map(|object| &object.value).filter(|it| is_definition(it));
        out.extend(crds.filter_map(|crd| {
            let spec = crd.get("spec")?;
            let kind = spec.get("names")?.get("kind")?;
            Some((spec.get("group")?.as_str()?.to_owned(), kind.as_str()?.to_owned()))
        }));
    }
    Ok(out)
}
