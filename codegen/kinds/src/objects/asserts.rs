//! Assertions about objects, for tests.

use super::{CompiledKind, Verdict};
use crate::CustomResource;
use serde::Serialize;

/// Asserts that the API server accepts an object of a Rust kind, without unknown fields. Returns the verdict, with the
/// object that the server would store.
///
/// ```ignore
/// let stored = crdgen::assert_admitted!(CronTab::new("backup", spec));
/// ```
#[macro_export]
macro_rules! assert_admitted {
    ($object:expr $(,)?) => {
        $crate::objects::asserts::admitted(&$object)
    };
}

/// Asserts that the API server rejects an object of a Rust kind. With a second argument, asserts that there is an error at
/// this field.
///
/// ```ignore
/// crdgen::assert_refused!(CronTab::new("backup", spec), "spec.replicas");
/// ```
#[macro_export]
macro_rules! assert_refused {
    ($object:expr $(,)?) => {
        $crate::objects::asserts::rejected(&$object, ::core::option::Option::None)
    };
    ($object:expr, $field:expr $(,)?) => {
        $crate::objects::asserts::rejected(&$object, ::core::option::Option::Some($field))
    };
}

/// Implements [`assert_admitted!`].
#[track_caller]
pub fn admitted<K: CustomResource + Serialize>(object: &K) -> Verdict {
    let verdict = verdict(object);
    if let Some(why) = &verdict.undecided {
        panic!("crdgen cannot check this {}: {why}", K::KIND);
    }
    assert!(verdict.is_accepted(), "the server rejects this {}:{}", K::KIND, listed(&verdict));
    verdict
}

/// Implements [`assert_refused!`].
#[track_caller]
pub fn rejected<K: CustomResource + Serialize>(object: &K, field: Option<&str>) -> Verdict {
    let verdict = verdict(object);
    assert!(!verdict.errors.is_empty(), "the server accepts this {}, but should have rejected it", K::KIND);
    if let Some(field) = field {
        assert!(
            verdict.errors.iter().any(|error| error.field == field),
            "the server rejects this {}, but without an error at {field}:{}",
            K::KIND,
            listed(&verdict)
        );
    }
    verdict
}

#[track_caller]
fn verdict<K: CustomResource + Serialize>(object: &K) -> Verdict {
    match CompiledKind::of::<K>() {
        Ok(kind) => kind.create(object).strict(),
        Err(problems) => panic!("a server rejects the CRD of {}:\n{problems}", K::KIND),
    }
}

/// Lists the errors, one per line.
fn listed(verdict: &Verdict) -> String {
    verdict.errors.iter().map(|error| format!("\n  {}", error.shown())).collect()
}
