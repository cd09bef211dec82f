//! The quick check of whether an object is valid gives the same result as the full check.

use crdgen_core::decode;
use crdgen_core::object::Served;
use crdgen_core::sample::random::{Random, value};
use crdgen_core::sample::{Extent, Samples};
use crdgen_core::value::{Map, Value};
use crdgen_tests::corpus;

#[test]
fn the_short_way_gives_the_same_answer() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in corpus::own_crds() {
        let (Some(crd), _) = decode::crd(seed.value) else { continue };
        let (Some(samples), Ok(served)) = (Samples::new(&crd), Served::new(crd)) else { continue };
        let spec = &served.crd.spec;
        for (index, version) in spec.versions.iter().enumerate() {
            let Some(schema) = spec.schema_of(index) else { continue };
            let example = samples.object(&version.name, Extent::Full);
            let version = served.version(&version.name).expect("it is there");
            for seed in 0..60 {
                let Some(Value::Map(mut object)) = value(schema, example.as_ref(), &mut Random::new(seed))
                else {
                    continue;
                };
                object.insert("apiVersion", Value::from(format!("{}/{}", spec.group, version.name)));
                object.insert("kind", Value::from(&*spec.names.kind));
                let namespace = (spec.scope == "Namespaced").then(|| ("namespace", Value::from("y")));
                let metadata = [("name", Value::from("x"))].into_iter().chain(namespace);
                object.insert("metadata", Value::Map(Map::from_iter(metadata)));
                let object = Value::Map(object);
                let Some(answer) = served.accepts(version, &object) else { continue };
                let errors = served.check(version, &object).expect("it is decoded");
                assert_eq!(answer, errors.is_empty(), "{object:?} {errors:#?}");
                *(if answer { &mut valid } else { &mut invalid }) += 1;
            }
        }
    }
    assert!(valid > 200 && invalid > 20, "{valid} valid, {invalid} invalid");
}
