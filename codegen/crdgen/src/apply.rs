//! Typed configurations for server-side apply.
//!
//! `#[derive(Apply)]` gives a type a partner in which each field may be missing. The partner serializes only what is set, so a
//! manager owns exactly that. The partner of a spec comes with one for the whole object, which `kube::Api::patch` takes as it is:
//!
//! ```
//! use crdgen::{Apply, CustomResource, Schema};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
//! #[kube(group = "example.com", version = "v1", kind = "Web", namespaced)]
//! #[serde(rename_all = "camelCase")]
//! pub struct WebSpec {
//!     pub image: String,
//!     pub replicas: Option<i32>,
//!     /// Each port has a name of its own.
//!     #[schema(list_type = "map", list_map_keys = ["name"])]
//!     pub ports: Vec<Port>,
//! }
//!
//! #[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
//! pub struct Port {
//!     #[apply(key)]
//!     pub name: String,
//!     pub port: u16,
//! }
//!
//! let spec = WebSpecApply::new().with_image("nginx").with_ports([PortApply::new("http").with_port(80u16)]);
//! let web = WebApply::new("front").with_spec(spec);
//! // api.patch("front", &PatchParams::apply("my-controller"), &Patch::Apply(&web))
//! # assert_eq!(
//! #     crdgen::apply::to_json(&web),
//! #     r#"{"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"front"},"spec":{"image":"nginx","ports":[{"name":"http","port":80}]}}"#
//! # );
//! ```
//!
//! - Fields that identify the items of a list with `list_type = "map"` have `#[apply(key)]`, and their partner requires them. If
//!   they have a default, write their type as an `Option`, and the partner does not.
//! - A field of a type of another crate has `#[apply(whole)]`: who sets it, sets all of it.
//! - Enums with values have a partner with the same variants, so exactly one is set.
//! - [`Merge`] merges configurations as the server does: by list types and keys. Items that are new come last.
//! - `extract` (with the feature `check`) returns what a manager owns in an object.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crdgen_runtime::json;
use crdgen_runtime::value::Value;
use serde::Serialize;

use crate::ObjectMeta;
use crdgen_kinds::to_value::to_value;

pub use crdgen_derive::Apply;

#[cfg(feature = "check")]
mod extract;
#[cfg(feature = "check")]
pub use extract::{Error, Extractor, extract};

/// A type with a partner in which each field may be missing. Derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partner for server-side apply",
    note = "write `#[derive(Apply)]` on `{Self}`, or `#[apply(whole)]` on the fields of this type"
)]
pub trait Apply: Sized {
    /// What a manager applies of such a value.
    type Config: Merge;
    /// The names of the fields that identify a value in a list.
    const KEYS: &'static [&'static str] = &[];
    /// The same for the items of a list.
    #[doc(hidden)]
    const KEYS_OF_ITEMS: &'static [&'static str] = &[];

    /// Returns the configuration that sets everything that the value has. `None` if the value is not there.
    fn into_config(self) -> Option<Self::Config>;
}

/// Merges configurations as the server merges them with objects.
pub trait Merge {
    /// Sets everything that `applied` sets.
    fn merge(&mut self, applied: Self);
}

/// The configuration of a whole object. `#[derive(Apply)]` on the spec of a kind implements it.
pub trait Configuration: Serialize + serde::de::DeserializeOwned {
    /// The kind.
    type Object: crate::CustomResource;
}

/// Returns a configuration as JSON, with sorted fields.
pub fn to_json(config: &impl Serialize) -> String {
    json::to_string(&to_value(config).unwrap_or_default())
}

macro_rules! whole {
    ($($ty:ty),*) => {
        $(
            impl Apply for $ty {
                type Config = $ty;
                fn into_config(self) -> Option<$ty> {
                    Some(self)
                }
            }
            impl Merge for $ty {
                fn merge(&mut self, applied: $ty) {
                    *self = applied;
                }
            }
        )*
    };
}

whole!(bool, char, f32, f64, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, String, ObjectMeta);
whole!(std::net::IpAddr, std::net::Ipv4Addr, std::net::Ipv6Addr, std::path::PathBuf);
#[cfg(feature = "serde_json")]
whole!(serde_json::Value, serde_json::Number, serde_json::Map<String, serde_json::Value>);

impl<T: Apply> Apply for Option<T> {
    type Config = T::Config;
    const KEYS_OF_ITEMS: &'static [&'static str] = T::KEYS_OF_ITEMS;

    fn into_config(self) -> Option<T::Config> {
        self.and_then(T::into_config)
    }
}

impl<T: Merge> Merge for Option<T> {
    fn merge(&mut self, applied: Option<T>) {
        match (&mut *self, applied) {
            (Some(own), Some(applied)) => own.merge(applied),
            (None, applied) => *self = applied,
            (Some(_), None) => {}
        }
    }
}

impl<T: Apply> Apply for Box<T> {
    type Config = Box<T::Config>;
    const KEYS_OF_ITEMS: &'static [&'static str] = T::KEYS_OF_ITEMS;

    fn into_config(self) -> Option<Box<T::Config>> {
        T::into_config(*self).map(Box::new)
    }
}

impl<T: Merge> Merge for Box<T> {
    fn merge(&mut self, applied: Box<T>) {
        T::merge(self, *applied);
    }
}

impl<T: Apply> Apply for Vec<T> {
    type Config = Vec<T::Config>;
    const KEYS_OF_ITEMS: &'static [&'static str] = T::KEYS;

    fn into_config(self) -> Option<Vec<T::Config>> {
        Some(self.into_iter().filter_map(T::into_config).collect())
    }
}

/// A list without a type is replaced.
impl<T> Merge for Vec<T> {
    fn merge(&mut self, applied: Vec<T>) {
        *self = applied;
    }
}

macro_rules! sets {
    ($($set:ident $bound:ident)*) => {
        $(
            impl<T: std::hash::Hash + $bound> Apply for $set<T> {
                type Config = $set<T>;
                fn into_config(self) -> Option<$set<T>> {
                    Some(self)
                }
            }
            impl<T: std::hash::Hash + $bound> Merge for $set<T> {
                fn merge(&mut self, applied: $set<T>) {
                    *self = applied;
                }
            }
        )*
    };
}
sets!(BTreeSet Ord HashSet Eq);

macro_rules! maps {
    ($($map:ident $bound:ident)*) => {
        $(
            impl<K: std::hash::Hash + $bound, T: Apply> Apply for $map<K, T> {
                type Config = $map<K, T::Config>;
                fn into_config(self) -> Option<Self::Config> {
                    Some(self.into_iter().filter_map(|(key, value)| Some((key, value.into_config()?))).collect())
                }
            }
            impl<K: std::hash::Hash + $bound, T: Merge> Merge for $map<K, T> {
                fn merge(&mut self, applied: $map<K, T>) {
                    for (key, value) in applied {
                        match self.get_mut(&key) {
                            Some(own) => own.merge(value),
                            None => drop(self.insert(key, value)),
                        }
                    }
                }
            }
        )*
    };
}
maps!(BTreeMap Ord HashMap Eq);

/// What a generated configuration needs.
#[doc(hidden)]
pub fn named(name: String) -> ObjectMeta {
    ObjectMeta { name: Some(name), ..ObjectMeta::default() }
}

/// Merges metadata: labels and annotations by their names, finalizers as a set, and owners by their uid.
#[doc(hidden)]
pub fn merge_metadata(own: &mut ObjectMeta, applied: ObjectMeta) {
    let ObjectMeta {
        name,
        generate_name,
        namespace,
        uid,
        resource_version,
        generation,
        creation_timestamp,
        deletion_timestamp,
        deletion_grace_period_seconds,
        labels,
        annotations,
        owner_references,
        finalizers,
    } = applied;
    // The standard library plans a method of this name for maps.
    Merge::merge(&mut own.name, name);
    Merge::merge(&mut own.generate_name, generate_name);
    Merge::merge(&mut own.namespace, namespace);
    Merge::merge(&mut own.uid, uid);
    Merge::merge(&mut own.resource_version, resource_version);
    Merge::merge(&mut own.generation, generation);
    Merge::merge(&mut own.creation_timestamp, creation_timestamp);
    Merge::merge(&mut own.deletion_timestamp, deletion_timestamp);
    Merge::merge(&mut own.deletion_grace_period_seconds, deletion_grace_period_seconds);
    Merge::merge(&mut own.labels, labels);
    Merge::merge(&mut own.annotations, annotations);
    for owner in owner_references {
        match own.owner_references.iter_mut().find(|it| it.uid == owner.uid) {
            Some(same) => *same = owner,
            None => own.owner_references.push(owner),
        }
    }
    let new: Vec<String> = finalizers.into_iter().filter(|it| !own.finalizers.contains(it)).collect();
    own.finalizers.extend(new);
}

/// Merges lists whose items are identified by themselves.
#[doc(hidden)]
pub fn merge_set<C: IntoIterator<Item = T> + Extend<T>, T: Serialize>(own: &mut Option<C>, applied: Option<C>)
where
    for<'a> &'a C: IntoIterator<Item = &'a T>,
{
    let Some(applied) = applied else { return };
    let Some(list) = own else {
        *own = Some(applied);
        return;
    };
    let mut known: HashSet<String> = (&*list).into_iter().map(|item| to_json(item)).collect();
    let new: Vec<T> = applied.into_iter().filter(|item| known.insert(to_json(item))).collect();
    list.extend(new);
}

/// Merges lists whose items are identified by keys.
#[doc(hidden)]
pub fn merge_items<T: Serialize + Merge>(own: &mut Option<Vec<T>>, applied: Option<Vec<T>>, keys: &[&str]) {
    join_items(own, applied, keys, T::merge);
}

/// Merges lists whose items are identified by keys, and are replaced as a whole.
#[doc(hidden)]
pub fn replace_items<T: Serialize>(own: &mut Option<Vec<T>>, applied: Option<Vec<T>>, keys: &[&str]) {
    join_items(own, applied, keys, |same, item| *same = item);
}

fn join_items<T: Serialize>(
    own: &mut Option<Vec<T>>,
    applied: Option<Vec<T>>,
    keys: &[&str],
    join: impl Fn(&mut T, T),
) {
    let key = |item: &T| {
        let item = to_value(item).unwrap_or_default();
        let of: Vec<String> =
            keys.iter().map(|key| json::to_string(item.get(key).unwrap_or(&Value::Null))).collect();
        of.join(",")
    };
    let Some(applied) = applied else { return };
    let Some(list) = own else {
        *own = Some(applied);
        return;
    };
    let mut places: HashMap<String, usize> =
        list.iter().enumerate().map(|(i, item)| (key(item), i)).collect();
    for item in applied {
        match places.get(&key(&item)).and_then(|place| list.get_mut(*place)) {
            Some(same) => join(same, item),
            None => {
                places.insert(key(&item), list.len());
                list.push(item);
            }
        }
    }
}

/// Whether two lists have the same keys, in any order.
#[doc(hidden)]
pub const fn same_keys(a: &[&str], b: &[&str]) -> bool {
    const fn same(a: &str, b: &str) -> bool {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        if a.len() != b.len() {
            return false;
        }
        let mut i = 0;
        while i < a.len() {
            if a[i] != b[i] {
                return false;
            }
            i += 1;
        }
        true
    }
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        let (mut j, mut found) = (0, false);
        while j < b.len() {
            found = found || same(a[i], b[j]);
            j += 1;
        }
        if !found {
            return false;
        }
        i += 1;
    }
    true
}
