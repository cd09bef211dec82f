//! Kinds as they are in real packages: several versions, features, generics, types that macros make, modules that are
//! not public and what they give away, and crdgen under another name.

use definitions::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

macro_rules! made {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        #[doc = concat!("What a macro made of ", stringify!($name), ".")]
        #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
        #[schema(crate = "definitions")]
        #[serde(rename_all = "camelCase")]
        pub struct $name {
            $(#[doc = "A field."] pub $field: $ty,)*
        }
    };
}

made!(Price { net_sum: i64, parts: Vec<Option<u8>> });

/// The stored version.
pub mod v1 {
    use super::*;

    /// What a shop sells.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Article", namespaced)]
    #[kube(crates(crdgen = "definitions"))]
    pub struct ArticleSpec {
        /// The price.
        pub price: Price,
        /// How many there are.
        #[cfg(feature = "stock")]
        pub stock: Option<i32>,
        /// Who trades it.
        #[cfg(feature = "trade")]
        pub trader: String,
        /// Computed by code that must run.
        #[serde(default = "computed")]
        pub size: i32,
        /// What is known about it.
        pub about: About,
    }

    /// A rule that fails with an error without its note.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[schema(crate = "definitions", rule = "self.note != 'none'")]
    pub struct About {
        /// A note.
        pub note: Option<String>,
    }

    fn computed() -> i32 {
        (1..=4).product()
    }
}

/// The older version.
pub mod v1beta1 {
    use super::*;

    /// What a shop sold.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1beta1", kind = "Article", namespaced, storage = false)]
    #[kube(crates(crdgen = "definitions"))]
    pub struct ArticleSpec {
        /// The price.
        pub price: i64,
    }
}

/// A list of anything.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[schema(crate = "definitions")]
pub struct Page<T, const N: usize> {
    /// What is on it.
    pub all: Vec<T>,
    /// The first of it.
    pub first: [T; 2],
}

mod private {
    use super::*;

    /// Reached by another name.
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Shelf")]
    #[kube(crates(crdgen = "definitions"))]
    pub struct ShelfSpec {
        /// The text on it.
        pub pages: Page<Option<String>, 2>,
        /// A name that is a word of the language.
        pub r#type: r#type::r#Kind,
        /// What the manifest says.
        #[serde(default = "maker")]
        pub maker: String,
    }

    fn maker() -> String {
        concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned()
    }

    pub mod r#type {
        use super::*;

        /// What it is.
        #[allow(non_camel_case_types, reason = "a name that is a keyword")]
        #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
        #[schema(crate = "definitions")]
        pub enum Kind {
            /// Wood.
            Wood,
            /// A word.
            r#async,
        }
    }
}

pub use private::Shelf as Board;

pub use again::*;

mod again {
    pub mod r#loop {
        /// Reached through a glob, in a module with the name of a keyword.
        #[derive(
            Clone,
            definitions::CustomResource,
            Debug,
            serde::Deserialize,
            definitions::Schema,
            serde::Serialize,
        )]
        #[kube(group = "exact.example.com", version = "v1", kind = "Round")]
        #[kube(crates(crdgen = "definitions"))]
        pub struct RoundSpec {
            /// How often.
            pub times: u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Tested")]
    #[kube(crates(crdgen = "definitions"))]
    pub struct TestedSpec {
        /// How many.
        pub size: i32,
    }
}
