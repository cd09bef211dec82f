//! Assertions about objects, for tests.

use super::{CompiledKind, FOR_OWN, Verdict};
use crate::CustomResource;
use crate::to_value::to_value;
use serde::Serialize;

/// Asserts that the API server accepts an object, without unknown fields. Returns the verdict, with the object that the server would
/// store. The object is of a Rust kind or, with the feature `testing`, of one of Kubernetes' own kinds: a type of k8s-openapi, or a
/// `serde_json::Value`.
///
/// ```ignore
/// let stored = crdgen::assert_admitted!(CronTab::new("backup", spec));
/// ```
#[macro_export]
macro_rules! assert_admitted {
    ($object:expr $(,)?) => {
        $crate::objects::asserts::admitted($crate::judged!($object))
    };
}

/// Asserts that the API server rejects an object. With a second argument, asserts that there is an error at this field.
///
/// ```ignore
/// crdgen::assert_refused!(CronTab::new("backup", spec), "spec.replicas");
/// ```
#[macro_export]
macro_rules! assert_refused {
    ($object:expr $(,)?) => {
        $crate::objects::asserts::rejected($crate::judged!($object), ::core::option::Option::None)
    };
    ($object:expr, $field:expr $(,)?) => {
        $crate::objects::asserts::rejected($crate::judged!($object), ::core::option::Option::Some($field))
    };
}

/// What the server answers to the creation of an object. Rust takes the first `judged` whose bounds the object meets.
#[doc(hidden)]
#[macro_export]
macro_rules! judged {
    ($object:expr) => {{
        use $crate::objects::asserts::Judge as _;
        (&$crate::objects::asserts::Sent(&$object)).judged()
    }};
}

/// An object to judge.
#[derive(Debug)]
pub struct Sent<'o, T>(pub &'o T);

/// Judges an object.
pub trait Judge {
    /// Returns its kind, and the server's answer.
    fn judged(&self) -> (String, Verdict);
}

/// Objects whose type has a CRD.
impl<K: CustomResource + Serialize> Judge for Sent<'_, K> {
    #[track_caller]
    fn judged(&self) -> (String, Verdict) {
        match CompiledKind::of::<K>() {
            Ok(kind) => (K::KIND.to_owned(), kind.create(self.0).strict()),
            Err(problems) => panic!("a server rejects the CRD of {}:\n{problems}", K::KIND),
        }
    }
}

/// Objects that say themselves what they are.
impl<T: Serialize> Judge for &Sent<'_, T> {
    #[track_caller]
    fn judged(&self) -> (String, Verdict) {
        let object = to_value(self.0).unwrap_or_default();
        let text = |name: &str| object.text(name).to_owned();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        assert!(
            !kind.is_empty(),
            "the object has no `kind`: pass a whole object, such as `CronTab::new(\"name\", spec)`, and not its spec"
        );
        match CompiledKind::own(&api_version, &kind) {
            Some(own) => (kind, own.create(&object).strict()),
            None => panic!(
                "crdgen has no {kind:?} of {api_version:?}: derive CustomResource for the type, or compile the CRD with \
                 CompiledKind::new{FOR_OWN}"
            ),
        }
    }
}

/// Implements [`assert_admitted!`].
#[track_caller]
pub fn admitted((kind, verdict): (String, Verdict)) -> Verdict {
    if let Some(why) = &verdict.undecided {
        panic!("crdgen cannot check this {kind}: {why}");
    }
    assert!(verdict.is_accepted(), "the server rejects this {kind}:{}", listed(&verdict));
    verdict
}

/// Implements [`assert_refused!`].
#[track_caller]
pub fn rejected((kind, verdict): (String, Verdict), field: Option<&str>) -> Verdict {
    assert!(!verdict.errors.is_empty(), "the server accepts this {kind}, but should have rejected it");
    if let Some(field) = field {
        assert!(
            verdict.errors.iter().any(|error| error.field == field),
            "the server rejects this {kind}, but without an error at {field}:{}",
            listed(&verdict)
        );
    }
    verdict
}

/// Lists the errors, one per line.
fn listed(verdict: &Verdict) -> String {
    verdict.errors.iter().map(|error| format!("\n  {}", error.shown())).collect()
}
