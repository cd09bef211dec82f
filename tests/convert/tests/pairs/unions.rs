//! Whole unions, in each representation of serde.

use super::*;

pub mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1beta1", kind = "Union", namespaced, storage = false)]
    pub struct UnionSpec {
        pub source: Source,
        pub check: Check,
        pub value: Held,
        pub either: Either,
        #[serde(default)]
        pub sources: Vec<Source>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub enum Source {
        Git(Repository),
        File { path: String },
        Inline(String),
        Nothing,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct Repository {
        pub url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub branch: Option<String>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(tag = "type", rename_all = "camelCase")]
    pub enum Check {
        None {},
        Http { port: i32 },
        Fetch(Repository),
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(tag = "kind", content = "value")]
    pub enum Held {
        Nothing {},
        Number { number: i32 },
        Repository(Repository),
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[serde(untagged)]
    pub enum Either {
        Number(i32),
        Text(String),
    }
}

pub mod v1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Union", namespaced)]
    #[convert(from = "v1beta1::UnionSpec")]
    pub struct UnionSpec {
        pub source: Source,
        pub check: Check,
        pub value: Held,
        pub either: Either,
        #[serde(default)]
        pub sources: Vec<Source>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Source")]
    #[serde(rename_all = "camelCase")]
    pub enum Source {
        #[convert(from = "Git")]
        Repository(Repository),
        File {
            path: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[convert(default)]
            mode: Option<i32>,
        },
        Inline(String),
        Nothing,
        #[convert(as = "Nothing")]
        Empty {},
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Repository", removed(branch))]
    pub struct Repository {
        pub url: String,
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Check")]
    #[serde(tag = "type", rename_all = "camelCase")]
    pub enum Check {
        None {},
        Http {
            #[convert(from = "port")]
            number: i32,
        },
        Fetch(Repository),
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Held")]
    #[serde(tag = "kind", content = "value")]
    pub enum Held {
        Nothing {},
        #[convert(from = "Number")]
        Int {
            #[convert(from = "number")]
            of: i32,
        },
        Repository(Repository),
    }

    #[derive(Clone, Debug, Convert, Deserialize, Schema, Serialize)]
    #[convert(from = "v1beta1::Either")]
    #[serde(untagged)]
    pub enum Either {
        Number(i32),
        Text(String),
    }
}

pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Union, v1::Union>()
}
