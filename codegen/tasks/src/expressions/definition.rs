//! The CRD whose objects an expression is for.

use crdgen_core::documents::Group;
use crdgen_core::ir::{Crd, Schema};

use super::objects::ExpressionObject;
use crate::inputs::{self, Options, stream};
use crdgen_files::Error;

/// Finds a CRD in a file or folder: the only one, the one of the kind, or the one of an object.
pub(super) fn definition(
    name: &str,
    options: &Options,
    kind: Option<&str>,
    objects: Option<&[ExpressionObject]>,
) -> Result<Crd, Error> {
    let (mut found, mut kinds): (Vec<Crd>, Vec<String>) = (Vec::new(), Vec::new());
    let mut groups: Vec<String> = Vec::new();
    // The only place besides a cluster.
    let place = options.cluster.is_none().then(|| name.to_owned());
    let inputs = inputs::find(place.as_slice(), options)?;
    for input in inputs.iter() {
        let Some(source) = inputs.read(input)? else { continue };
        let read = |group: Group| {
            let mut read = group.read();
            inputs::expect_accepted(&mut read, &source)?;
            Ok(read.definitions)
        };
        stream::groups(&source, read, |some| {
            for crd in some.into_iter().map(|definition| definition.crd) {
                kinds.push(crd.spec.names.kind.clone());
                if kind.is_none_or(|kind| inputs::is_named(&crd.spec.names, kind)) {
                    groups.push(crd.spec.group.clone());
                    found.push(crd);
                }
            }
            Ok(())
        })?;
    }
    if found.len() > 1
        && let Some(objects) = objects
    {
        found.retain(|crd| objects.iter().any(|object| object.is_of(crd)));
    }
    match (found.as_mut_slice(), kind) {
        ([crd], _) => {
            crd.drop_unions();
            Ok(found.remove(0))
        }
        _ if kinds.is_empty() => Err(inputs::no_definition(&[name.to_owned()])),
        ([], Some(kind)) if groups.is_empty() => Err(inputs::no_such_kind(kind, name, &kinds)),
        (_, None) => {
            let kinds = kinds.join(", ");
            Err(Error::Argument(format!("{name}: there are several kinds. Select one with --kind: {kinds}")))
        }
        (_, Some(kind)) => {
            let groups = groups.join(", ");
            Err(Error::Nothing(format!("{name}: several groups define the kind {kind}: {groups}")))
        }
    }
}

/// The index of a version: that with a name, or the first one.
pub(super) fn version_index(crd: &Crd, version: Option<&str>) -> Result<usize, Error> {
    let versions = &crd.spec.versions;
    let Some(name) = version else { return Ok(0) };
    versions.iter().position(|v| v.name == name).ok_or_else(|| {
        let known: Vec<&str> = versions.iter().map(|v| v.name.as_str()).collect();
        Error::Nothing(format!("the CRD has no version {name}; it has {}", known.join(", ")))
    })
}

pub(super) fn schema(crd: &Crd, index: usize) -> Result<&Schema, Error> {
    crd.spec.schema_of(index).ok_or_else(|| Error::Nothing("this version has no schema".to_owned()))
}
