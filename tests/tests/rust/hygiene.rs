//! The code of the derives compiles in a hostile module: the names of the prelude mean other things, and this crate has
//! another name.

/// Where a project re-exports its tools.
pub mod tools {
    pub use crdgen;
    pub use serde;
}

mod hostile {
    pub struct Option;
    pub struct Some;
    pub struct None;
    pub struct String;
    pub struct Vec;
    pub struct Result;
    pub struct Ok;
    pub struct Box;
    pub struct Default;
    pub struct Clone;
    pub struct Debug;
    pub mod core {}
    pub mod std {}
    pub mod crdgen {}
    pub mod serde {}

    #[derive(
        ::core::clone::Clone,
        ::core::fmt::Debug,
        ::crdgen::CustomResource,
        ::crdgen::Schema,
        ::serde::Deserialize,
        ::serde::Serialize,
    )]
    #[kube(
        group = "hygiene.example.com",
        version = "v1",
        kind = "Hostile",
        status = "HostileStatus",
        derive = "Default"
    )]
    pub struct HostileSpec {
        #[serde(default = "text", skip_serializing_if = "empty")]
        pub name: ::std::string::String,
        #[serde(default)]
        pub inner: Inner,
        #[schema(min_items = 1)]
        pub list: ::std::vec::Vec<::core::option::Option<i32>>,
    }

    impl ::core::default::Default for HostileSpec {
        fn default() -> Self {
            HostileSpec { name: text(), inner: Inner { a: 1 }, list: ::std::vec::Vec::new() }
        }
    }

    #[derive(
        ::core::clone::Clone,
        ::core::default::Default,
        ::core::fmt::Debug,
        ::crdgen::Schema,
        ::serde::Deserialize,
        ::serde::Serialize,
    )]
    pub struct Inner {
        pub a: i32,
    }

    #[derive(
        ::core::clone::Clone, ::core::fmt::Debug, ::crdgen::Schema, ::serde::Deserialize, ::serde::Serialize,
    )]
    pub struct HostileStatus {
        pub ready: bool,
    }

    fn text() -> ::std::string::String {
        "x".to_string()
    }

    fn empty(s: &str) -> bool {
        s.is_empty()
    }
}

mod renamed {
    use super::tools;

    #[derive(
        Clone,
        Debug,
        tools::crdgen::CustomResource,
        tools::crdgen::Schema,
        serde::Deserialize,
        serde::Serialize,
    )]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Renamed")]
    #[kube(crates(crdgen = "tools::crdgen", serde = "tools::serde"))]
    #[schema(crate = "tools::crdgen")]
    pub struct RenamedSpec {
        pub generic: Generic<i32>,
        pub borrowed: std::borrow::Cow<'static, str>,
    }

    #[derive(Clone, Debug, tools::crdgen::Schema, serde::Deserialize, serde::Serialize)]
    #[schema(crate = "tools::crdgen")]
    pub struct Generic<T, const N: usize = 2>
    where
        T: Copy,
    {
        pub it: T,
    }
}

/// A kind whose fields are in the object itself, and one whose schema a function returns.
mod lifted {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Bucket", no_spec, status = "Usage")]
    #[kube(derive = "Default", derive = "PartialEq")]
    pub struct BucketFields {
        pub size: i32,
        #[schemars(schema_with = "any_text")]
        pub owner: String,
        #[serde(flatten)]
        pub rest: BTreeMap<String, serde_json::Value>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Usage {
        pub used: i32,
    }

    fn any_text() -> crdgen::ir::Schema {
        let mut schema = crdgen::ir::Schema::of(crdgen::ir::Type::String);
        schema.limits.max_length = Some(63);
        schema
    }
}

#[test]
fn fields_are_in_the_object_itself() {
    use crdgen::CustomResource;
    use lifted::{Bucket, BucketFields, Usage};
    let mut it = Bucket::new("a", BucketFields { size: 1, owner: "me".into(), rest: Default::default() });
    it.spec.rest.insert("more".into(), serde_json::json!([1]));
    it.status = Some(Usage { used: 0 });
    let json = serde_json::to_value(&it).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        json,
        serde_json::json!({
            "apiVersion": "hygiene.example.com/v1", "kind": "Bucket", "metadata": {"name": "a"},
            "size": 1, "owner": "me", "more": [1], "status": {"used": 0},
        })
    );
    let back: Bucket = serde_json::from_value(json).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back, it);
    let crd = Bucket::crd_json();
    assert!(crd.contains(r#""owner":{"maxLength":63,"type":"string"}"#), "{crd}");
    assert!(crd.contains(r#""subresources":{"status":{}}"#), "{crd}");
    assert!(!crd.contains(r#""spec":{"properties""#), "{crd}");
}

#[test]
fn resources_are_written_and_read() {
    use crdgen::CustomResource;
    let mut it = hostile::Hostile::new("a", hostile::HostileSpec::default());
    it.spec.list.push(Some(3));
    let json = serde_json::to_value(&it).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        json,
        serde_json::json!({
            "apiVersion": "hygiene.example.com/v1", "kind": "Hostile", "metadata": {"name": "a"},
            "spec": {"name": "x", "inner": {"a": 1}, "list": [3]},
        })
    );
    let back: hostile::Hostile = serde_json::from_value(json).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back.spec.list, it.spec.list);
    assert_eq!(hostile::Hostile::crd().metadata.name, "hostiles.hygiene.example.com");
    assert!(hostile::Hostile::crd_json().contains(r#""default":{"a":0}"#));
    let renamed = renamed::Renamed::crd_json();
    assert!(renamed.contains(r#""generic":{"properties":{"it":{"format":"int32""#), "{renamed}");
}
