//! The code of the derives compiles wherever their items are, and adds no warning of its own.

#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unsafe_code,
    unused_qualifications,
    unreachable_pub,
    single_use_lifetimes,
    unused_lifetimes,
    unused_macro_rules,
    unused_results,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    non_local_definitions,
    trivial_casts,
    unnameable_test_items,
    unnameable_types,
    variant_size_differences,
    clippy::all,
    clippy::pedantic
)]

use crdgen::{CustomResource, Schema};

#[track_caller]
fn described<K: CustomResource>(wanted: &str) {
    let crd = K::crd_json();
    assert!(crd.contains(wanted), "{wanted}\n{crd}");
}

/// Items inside of functions. A generated test could not refer to a kind there.
#[test]
fn in_function_bodies() {
    use serde::{Deserialize, Serialize};

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Local", status = "Inner")]
    #[schema(test = false)]
    struct LocalSpec {
        inner: Inner,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct Inner {
        #[serde(default = "seven")]
        size: i32,
    }

    fn seven() -> i32 {
        7
    }

    let it = Local::new("a", LocalSpec { inner: Inner { size: seven() } });
    assert_eq!((it.spec.inner.size, it.status.is_none()), (7, true));
    described::<Local>(r#""size":{"default":7,"format":"int32","type":"integer"}"#);
}

/// A rule causes a warning, which the author has turned off.
#[test]
fn warnings_can_be_silenced() {
    use serde::{Deserialize, Serialize};

    #[allow(deprecated)]
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[schema(rule = "self.most > 1")]
    struct Range {
        most: Option<i32>,
    }

    assert_eq!(Range { most: None }.most, None);
}

/// Lifetimes, constants, bounds and defaults of parameters, and names that generated code might use itself.
mod parameters {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};
    use std::borrow::Cow;
    use std::marker::PhantomData;

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub(super) struct Borrowed<'a, 'b: 'a> {
        #[serde(borrow)]
        pub(super) text: Cow<'a, str>,
        pub(super) slice: &'b str,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct Fixed<const N: usize, T = i32>
    where
        T: Copy,
    {
        first: T,
        #[serde(skip)]
        size: PhantomData<[(); N]>,
    }

    /// Parameters by names that are common in generated code.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct Named<S, D: Clone, K, V> {
        s: S,
        d: Option<D>,
        #[serde(skip)]
        k: PhantomData<K>,
        all: Vec<V>,
    }

    /// Types by such names.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct With(i32);

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct Written<T: Default + Serialize> {
        #[serde(default, serialize_with = "as_it_is")]
        #[schema(as = "i32")]
        with: With,
        #[serde(default, serialize_with = "as_it_is")]
        #[schema(as = "Option<i32>")]
        it: Option<T>,
    }

    impl Default for With {
        fn default() -> Self {
            With(3)
        }
    }

    fn as_it_is<T: Serialize, S: serde::Serializer>(it: &T, s: S) -> Result<S::Ok, S::Error> {
        it.serialize(s)
    }

    trait Shop {
        type Ware;
    }

    #[derive(Clone, Debug, Deserialize, Serialize)]
    struct Corner;

    impl Shop for Corner {
        type Ware = String;
    }

    /// A type that belongs to a parameter, which has no schema itself.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct Sold<T: Shop> {
        ware: T::Ware,
    }

    /// The same, with what is needed written out.
    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[schema(bound = "T::Ware: Schema")]
    struct Bought<T: Shop> {
        ware: T::Ware,
    }

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Parameters")]
    pub(super) struct ParametersSpec {
        fixed: Fixed<2>,
        named: Named<i32, String, (), bool>,
        written: Written<i64>,
        sold: Sold<Corner>,
        bought: Bought<Corner>,
    }
}

#[test]
fn parameters_are_replaced_by_their_types() {
    let it: parameters::Borrowed<'_, '_> =
        serde_json::from_str(r#"{"text":"a","slice":"b"}"#).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((it.text.as_ref(), it.slice), ("a", "b"));
    assert!(std::ptr::eq(
        <parameters::Borrowed<'_, '_> as Schema>::shape(),
        <parameters::Borrowed<'_, '_>>::shape()
    ));
    described::<parameters::Parameters>(
        r#""fixed":{"properties":{"first":{"format":"int32","type":"integer"}}"#,
    );
    described::<parameters::Parameters>(r#""with":{"default":3,"format":"int32""#);
    described::<parameters::Parameters>(r#""properties":{"ware":{"type":"string"}}"#);
}

/// Nothing from the prelude is in scope, neither types nor macros.
#[no_implicit_prelude]
mod no_prelude {
    #[::core::prelude::v1::derive(
        ::core::clone::Clone,
        ::core::fmt::Debug,
        ::crdgen::CustomResource,
        ::crdgen::Schema,
        ::serde::Deserialize,
        ::serde::Serialize
    )]
    #[kube(
        group = "hygiene.example.com",
        version = "v1",
        kind = "Bare",
        status = "State",
        derive = "::core::cmp::PartialEq"
    )]
    #[::core::prelude::v1::derive(::core::cmp::PartialEq)]
    pub(super) struct BareSpec {
        #[serde(default)]
        name: ::core::option::Option<::std::string::String>,
        #[serde(default = "three", skip_serializing_if = "::std::vec::Vec::is_empty")]
        list: ::std::vec::Vec<i32>,
        state: State,
    }

    #[::core::prelude::v1::derive(
        ::core::clone::Clone,
        ::core::cmp::PartialEq,
        ::core::fmt::Debug,
        ::crdgen::Schema,
        ::serde::Deserialize,
        ::serde::Serialize
    )]
    #[serde(tag = "type")]
    pub(super) enum State {
        On { since: i32 },
        Off,
    }

    fn three() -> ::std::vec::Vec<i32> {
        ::std::vec![3]
    }
}

#[test]
fn without_a_prelude() {
    described::<no_prelude::Bare>(r#""list":{"default":[3]"#);
}

/// Names that are keywords.
mod raw {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Raw")]
    pub(super) struct RawSpec {
        r#type: r#struct::r#Self_,
        #[serde(default = "r#struct::r#fn")]
        r#match: i32,
    }

    pub(super) mod r#struct {
        use crdgen::Schema;
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(in super::super) enum r#Self_ {
            Async,
            AwaitAll,
        }

        pub(super) fn r#fn() -> i32 {
            5
        }
    }
}

#[test]
fn raw_names_are_plain_in_the_document() {
    described::<raw::Raw>(r#""match":{"default":5,"#);
    described::<raw::Raw>(r#""type":{"enum":["async","awaitAll"],"type":"string"}"#);
}

/// Deprecated items may still have a schema.
mod deprecated {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[deprecated = "use something else"]
    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    pub(super) struct Old {
        size: i32,
    }

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[allow(deprecated, reason = "serde's derive warns otherwise")]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Aged", deprecated = "use something else")]
    pub(super) struct AgedSpec {
        #[serde(default)]
        old: Old,
        #[deprecated]
        #[serde(default)]
        older: i32,
    }
}

#[test]
fn deprecated_is_described() {
    described::<deprecated::Aged>(r#""older":{"default":0,"#);
}

/// Structs that macros generate: their arguments are in groups without delimiters.
mod made {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    macro_rules! made {
        (
            $vis:vis, $kind:literal $group:expr, $pattern:literal, $most:expr, $rule:expr, $doc:expr;
            $name:ident { $($field:ident: $ty:ty = $default:expr),* }
        ) => {
            #[doc = $doc]
            #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
            #[kube(group = $group, version = "v1", kind = $kind)]
            #[schema(rule = $rule)]
            $vis struct $name {
                $(#[doc = concat!("The field ", stringify!($field), ".")] #[schema(default = $default)] $field: $ty,)*
                #[schema(pattern = $pattern, max_length = $most)]
                name: String,
            }
        };
    }

    made! {
        pub(super), "Made" "hygiene.example.com", "^[a-z]+$", 5 + 4, "size(self.name) > 0", "What a macro made.";
        MadeSpec { a: Option<Vec<Option<i32>>> = [1, null], b: Box<str> = "x", c: (i32, i32) = [1, 2] }
    }
}

#[test]
fn made_by_macros() {
    described::<made::Made>(
        r#""a":{"default":[1,null],"description":"The field a.","items":{"format":"int32","nullable":true"#,
    );
    described::<made::Made>(r#""name":{"maxLength":9,"pattern":"^[a-z]+$","type":"string"}"#);
    described::<made::Made>(r#""description":"What a macro made.""#);
}

/// Kinds that are private to their module or crate.
mod private {
    mod deep {
        use crdgen::{CustomResource, Schema};
        use serde::{Deserialize, Serialize};

        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "hygiene.example.com", version = "v1", kind = "Private", status = "Own")]
        struct PrivateSpec {
            own: Own,
        }

        #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
        struct Own {
            it: bool,
        }

        pub(in super::super) fn crd() -> String {
            let it = Private::new("a", PrivateSpec { own: Own { it: true } });
            assert!(it.spec.own.it);
            Private::crd_json()
        }
    }

    pub(super) use deep::crd;
}

#[test]
fn private_kinds() {
    assert!(private::crd().contains(r#""own":{"properties":{"it":{"type":"boolean"}}"#));
}

/// Documentation that is computed by macros.
mod documented {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[doc = include_str!("docs/type.md")]
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Documented")]
    pub(super) struct DocumentedSpec {
        #[doc = include_str!("docs/field.md")]
        pub(super) from_file: i32,
        /// One line,
        #[doc = concat!("and ", "another", " of version ", 2)]
        pub(super) joined: i32,
        /** A block
        of lines. */
        pub(super) block: Choice,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub(super) enum Choice {
        #[doc = concat!("The ", "first.")]
        First,
        /// The second.
        Second,
    }
}

#[test]
fn documentation_is_put_together() {
    described::<documented::Documented>(r#""from_file":{"description":"Text of a file, in one line.""#);
    described::<documented::Documented>(r#""joined":{"description":"One line,\nand another of version 2""#);
    described::<documented::Documented>("What a file says of the type.");
}

/// Macros and attributes with the names of those in the standard library.
mod shadowed {
    #![allow(dead_code, unused_macros, reason = "they are there to be in the way")]

    macro_rules! panic {
        () => {};
    }
    macro_rules! vec {
        () => {};
    }
    macro_rules! concat {
        () => {};
    }
    macro_rules! compile_error {
        () => {};
    }
    macro_rules! matches {
        () => {};
    }

    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    mod crdgen_core {}
    mod alloc {}

    trait ToString {}
    trait From {}
    trait Into {}
    trait Iterator {}
    trait FnOnce {}

    impl<T> ToString for T {}
    impl<T> From for T {}
    impl<T> Into for T {}
    impl<T> Iterator for T {}
    impl<T> FnOnce for T {}

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "Shadowed")]
    pub(super) struct ShadowedSpec {
        #[serde(default)]
        size: u64,
    }
}

#[test]
fn names_in_the_way() {
    described::<shadowed::Shadowed>(r#""size":{"default":0"#);
}

/// Types with the names of functions' type parameters.
mod short_names {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "hygiene.example.com", version = "v1", kind = "K", status = "S")]
    pub(super) struct D {
        t: T,
    }

    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    struct S {
        d: Option<bool>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    struct T {
        #[serde(default)]
        e: E,
    }

    #[derive(Clone, Debug, Default, Deserialize, Schema, Serialize)]
    enum E {
        #[default]
        A,
    }
}

#[test]
fn types_may_be_named_as_parameters_are() {
    described::<short_names::K>(r#""status":{"#);
}

/// Conversions of types that a macro generates from its arguments.
mod converted {
    pub(super) mod older {
        #[derive(serde::Serialize)]
        pub(crate) struct Part {
            pub(crate) size: i32,
        }
        pub(crate) enum Choice {
            One { size: i32 },
            Two(Part),
        }
        pub(crate) struct Whole {
            pub(crate) count: i32,
            pub(crate) part: Part,
            pub(crate) parts: Vec<Part>,
            pub(crate) choice: Choice,
        }
    }

    macro_rules! made {
        ($old:literal $name:ident { $($field:ident: $ty:ty),* }) => {
            #[derive(crdgen::Convert, serde::Serialize)]
            #[convert(from = $old)]
            pub(super) struct $name { $(pub(super) $field: $ty),* }
        };
        ($old:literal $name:ident $one:ident { $field:ident: $ty:ty } $two:ident($part:ty)) => {
            #[derive(crdgen::Convert, serde::Serialize)]
            #[convert(from = $old)]
            pub(super) enum $name { $one { $field: $ty }, $two($part) }
        };
    }

    made! { "older::Part" Part { size: i32 } }
    made! { "older::Choice" Choice One { size: i32 } Two(Part) }
    made! { "older::Whole" Whole { count: i32, part: Part, parts: Vec<Part>, choice: Choice } }
}

#[test]
fn types_made_by_macros_convert() {
    use converted::{Whole, older};

    let part = |size| older::Part { size };
    let choice = older::Choice::Two(part(4));
    let whole = Whole::from(older::Whole { count: 1, part: part(2), parts: vec![part(3)], choice });
    assert_eq!((whole.count, whole.part.size, whole.parts[0].size), (1, 2, 3));
    let older = older::Whole::from(whole);
    assert_eq!((older.count, older.part.size, older.parts[0].size), (1, 2, 3));
    assert!(matches!(older.choice, older::Choice::Two(older::Part { size: 4 })));
}
