//! Random objects of the versions of a kind, as a server stores them.

use crdgen::convert::Versions;
use crdgen::ir::Crd;
use crdgen::objects::CompiledKind;
use crdgen::value::{Map, Value};
use crdgen_core::sample::random::{Random, value};
use crdgen_core::sample::{Extent, Samples};

/// Returns this many objects of each version, with their versions. Returns fewer if not all of them are valid.
pub(crate) fn objects(versions: &Versions, count: usize) -> Vec<(String, Value)> {
    let crd = versions.crd().expect("a definition");
    let kind = CompiledKind::new(crd.clone()).expect("it is sound");
    let samples = Samples::new(&crd).expect("it is sound");
    let mut out = Vec::new();
    for (number, version) in crd.spec.versions.iter().enumerate() {
        let example = samples.object(&version.name, Extent::Full);
        let schema = crd.spec.schema_of(number).expect("a schema");
        for seed in 0..count {
            let Some(Value::Map(object)) = value(schema, example.as_ref(), &mut Random::new(seed as u64))
            else {
                continue;
            };
            let object = whole(object, &crd, &version.name);
            if kind.validate(&object).is_ok() {
                out.push((version.name.clone(), object));
            }
        }
    }
    out
}

fn whole(mut object: Map<Value>, crd: &Crd, version: &str) -> Value {
    object.insert("apiVersion", Value::from(format!("{}/{version}", crd.spec.group)));
    object.insert("kind", Value::from(&*crd.spec.names.kind));
    let metadata = [("name", Value::from("x")), ("namespace", Value::from("y"))];
    object.insert("metadata", Value::Map(Map::from_iter(metadata)));
    Value::Map(object)
}
