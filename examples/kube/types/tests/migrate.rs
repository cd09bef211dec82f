//! Writes the CRDs of kube-derive and schemars for `types.rs` and `habits.rs` with `UPDATE=1`. Tests of `crdgen
//! migrate-check` use these files, so they need not build kube-derive and schemars.

use crdgen_core::{json, yaml};
use kube::core::CustomResourceExt;
use kube::core::crd::merge_crds;
use kube_types::examples::kube_rs as examples;
use kube_types::kube_rs::{Anything, City, Crate, Framed, Order, Payment, Shelf, ShoppingBasket};

/// Types for which the old tools generate worse CRDs.
#[allow(dead_code, reason = "only the definition is wanted")]
mod habits {
    use kube::{CustomResource, KubeSchema};
    use schemars::JsonSchema;

    include!("../src/habits.rs");
}

#[test]
fn the_old_definitions() {
    let all = [
        Order::crd(),
        City::crd(),
        ShoppingBasket::crd(),
        Payment::crd(),
        Shelf::crd(),
        Crate::crd(),
        Anything::crd(),
        Framed::crd(),
        habits::Habit::crd(),
        examples::LedgerObject::crd(),
        examples::Entry::crd(),
        examples::Page::crd(),
        examples::Bound::crd(),
        examples::Compat::crd(),
        examples::Binding::crd(),
        examples::Choice::crd(),
        merge_crds(vec![examples::v1::Many::crd(), examples::v2::Many::crd()], "v2").expect("one kind"),
    ];
    let mut out =
        String::from("# What kube-derive 5 and schemars 1 make of the types in examples/kube/types/src.\n");
    for crd in all {
        let text = serde_json::to_string(&crd).expect("JSON");
        out.push_str("---\n");
        out.push_str(&yaml::write_object(&json::read(text.as_bytes()).expect("JSON")));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/migrate/kube-derive.yaml");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &out).expect("written");
    }
    assert!(std::fs::read_to_string(path).expect("it is there") == out, "differs: run with UPDATE=1");
}
