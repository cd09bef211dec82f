//! An object that is read and written again is stored as the same object.

use crdgen_core::check::{self, Options};
use crdgen_core::decode;
use crdgen_core::encode;
use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_tests::corpus::{self, Seed};

/// Whether there are no nulls and no empty lists, except in values that authors write.
fn is_tidy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::List(items) => !items.is_empty() && items.iter().all(is_tidy),
        Value::Map(map) => {
            let own = |key: &str| matches!(key, "default" | "enum" | "example");
            map.iter().all(|(key, value)| own(key) || is_tidy(value))
        }
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => true,
    }
}

fn check_all(seeds: Vec<Seed>) -> usize {
    let mut accepted = 0;
    for seed in seeds {
        let (Some(crd), _) = decode::crd(seed.value) else { continue };
        let report = check::create(&crd, &Options::default());
        if !report.is_accepted() {
            continue;
        }
        accepted += 1;
        let written = encode::crd(&crd);
        let (again, diags) = decode::crd(written.clone());
        assert!(diags.is_empty(), "{}: {diags:?}", seed.name);
        let again = again.expect("no diagnostics, so it was read");
        let stored = check::create(&again, &Options::default()).stored(&again);
        let (before, after) = (encode::stored(&report.stored(&crd)), encode::stored(&stored));
        assert!(before == after, "{}:\n{}\n{}", seed.name, to_string(&before), to_string(&after));
        assert_eq!(encode::crd(&again), written, "{}: writing is not stable", seed.name);
        assert!(written.get("status").is_none());
        assert!(is_tidy(&written), "{}: {}", seed.name, to_string(&written));
    }
    accepted
}

#[test]
fn own_definitions() {
    assert!(check_all(corpus::own_crds()) > 0);
}

#[test]
fn shared_definitions() {
    match corpus::shared_crds() {
        Some(seeds) => assert!(check_all(seeds) > 500),
        None => crdgen_tests::skip("definitions::round_trip", "no shared corpus; set $CRDGEN_CORPUS"),
    }
}
