//! What the derives write compiles in a hostile module: the names of the prelude mean other things, and this
//! crate goes by another name.

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
