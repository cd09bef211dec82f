//! The types of the crate `k8s_openapi`, in the version that the program uses. If crdgen depended on this crate, Cargo
//! would build crdgen's version in addition to the one that kube needs, and their types would differ. So crdgen does
//! not implement a trait for these types. Instead, a derive writes [`Of`] where it finds one of their names, and the
//! compiler's name for the type shows which one it is.

use super::known::byte_string;
use super::{Node, Schema, Shape};
use crate::k8s::{self, Named, Type};
use std::any::type_name;
use std::marker::PhantomData;

/// The shape of a type whose name is also the name of one of Kubernetes' own types. If the type has a schema of its
/// own, that is used.
#[derive(Debug)]
pub struct Of<T: ?Sized, N>(PhantomData<N>, PhantomData<T>);

impl<T: Schema + ?Sized, N> Of<T, N> {
    /// The type's own recipe. The compiler prefers it to the one of [`ByPath`] wherever there is one.
    pub const SHAPE: &'static Shape = T::SHAPE;
}

/// Finds the recipe of a type that has no recipe of its own, by the compiler's name for the type.
pub trait ByPath {
    /// The recipe.
    const SHAPE: &'static Shape;
}

impl<T: ?Sized, N: Named> ByPath for Of<T, N> {
    const SHAPE: &'static Shape = &Shape::known("a type of k8s-openapi", of::<T, N>, &[]);
}

/// The schema of a type of k8s-openapi that is used under another name, such as an alias. Use it for a field:
/// `#[schema(as = "crdgen::K8sOpenapi<T>")]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct K8sOpenapi<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> Schema for K8sOpenapi<T> {
    const SHAPE: &'static Shape = &Shape::known("a type of k8s-openapi", of_any::<T>, &[]);
}

fn of<T: ?Sized, N: Named>() -> Node {
    by_path(N::TYPES, type_name::<T>())
}

fn of_any<T: ?Sized>() -> Node {
    by_path(k8s::all(), type_name::<T>())
}

fn by_path(types: &[&Type], path: &str) -> Node {
    let Some(inside) = k8s::path_in_k8s_openapi(path) else {
        let help = "add Schema to its #[derive(…)], or give the schema on the field: #[schema(as = \"Type\")], \
                    #[schema(raw = { … })] or #[schema(opaque)]";
        return Node::Wrong(format!("`{path}` has no schema"), help.to_owned());
    };
    // The crate's type for `[]byte`, which has no schema of its own in Kubernetes.
    if inside == "ByteString" {
        return byte_string();
    }
    match k8s::find_by_path(types, inside) {
        Some(ty) => {
            // The version is the first module of the crate: `v1_37`.
            let version = inside.split("::").next().and_then(|module| module.strip_prefix("v1_"));
            Node::plain(ty.embedded(version.and_then(|minor| minor.parse().ok())))
        }
        None => {
            let help =
                "give the schema on the field: #[schema(raw = { … })], or #[schema(opaque)] for any object";
            Node::Wrong(format!("crdgen knows no schema of `{path}`"), help.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::link_static;

    mod k8s_openapi {
        pub(super) struct Pod;
    }

    struct Own;

    impl Schema for Own {
        const SHAPE: &'static Shape = String::SHAPE;
    }

    struct Pods;

    impl Named for Pods {
        const TYPES: &'static [&'static Type] = &[&k8s::types::core_v1_Pod];
    }

    #[test]
    fn prefers_the_schema_of_the_type_itself() {
        assert!(std::ptr::eq(Of::<Own, Pods>::SHAPE, String::SHAPE));
    }

    #[test]
    fn knows_the_bytes_of_k8s_openapi() {
        let Node::Plain(schema) = by_path(&[], "k8s_openapi::ByteString") else {
            panic!("no schema");
        };
        assert_eq!(schema.limits.format, "byte");
    }

    #[test]
    fn says_which_type_has_no_schema() {
        let shape = Of::<k8s_openapi::Pod, Pods>::SHAPE;
        let (_, problems) = link_static(shape);
        assert!(problems[0].detail.contains("k8s_openapi::Pod` has no schema"), "{}", problems[0].detail);
    }
}
