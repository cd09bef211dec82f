//! The types of examples/kube with one version of kube. `main DIR` writes their CRDs there. `crd()` must return the
//! same CRD as `crdgen emit` reads from the sources.

#[cfg(feature = "controller")]
pub mod site;

#[cfg(all(test, feature = "live"))]
mod live {
    use crate::site;

    #[macro_use]
    mod story;

    story!(crdgen, site);
}

pub mod by_hand;
pub mod embedded;
pub mod habits;
pub mod types;

/// Crates that a framework crate reexports for its users.
pub mod framework {
    pub use ::crdgen;
    pub use k8s_openapi;
    pub use kube;
    pub use schemars;
    pub use serde;
    pub use serde_json;
}

use kube::core::CustomResourceExt;

/// Writes the CRD, and the part of it that a client's own type keeps. Types of an older Kubernetes have fewer fields.
fn write<K: crdgen::CustomResource + CustomResourceExt>(folder: &str) {
    let name = <K as CustomResourceExt>::crd_name();
    let plural = name.split('.').next().unwrap_or_default();
    let yaml = <K as crdgen::CustomResource>::crd_yaml();
    std::fs::write(format!("{folder}/{}_{plural}.yaml", K::GROUP), yaml).expect("a folder to write into");
    let client = serde_json::to_value(<K as CustomResourceExt>::crd()).expect("a definition");
    assert_eq!(client["metadata"]["name"], name);
    assert!(client.pointer("/spec/versions/0/schema/openAPIV3Schema/type").is_some(), "{name}");
}

fn main() {
    let folder = std::env::args().nth(1).expect("usage: main DIR");
    macro_rules! write {
        ($($module:ident: $($kind:ident)*;)*) => { $($(write::<$module::$kind>(&folder);)*)* };
    }
    write! {
        types: Order City ShoppingBasket Payment Shelf Crate Anything Framed;
        habits: Habit;
        embedded: Runner;
        by_hand: Poster;
    }
    let album = <by_hand::Album as crdgen::CustomResource>::crd_json();
    assert_eq!(album.matches(r#""cover":{"nullable":true,"pattern":"^#[0-9a-f]{6}$","type":"string"}"#).count(), 2, "{album}");
    assert_eq!(types::till()["status"]["size"], 3);
}
