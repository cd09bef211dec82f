//! Assertions about objects, for tests.

use super::{CompiledKind, Verdict};
use crate::CustomResource;
use crate::to_value::to_value;
use crdgen_runtime::value::Value;
use serde::Serialize;

/// Asserts that the API server accepts an object, without unknown fields. Returns the verdict, with the object that the server would
/// store. The object is of a Rust kind, or of one of Kubernetes' own kinds: a type of k8s-openapi, or a `serde_json::Value`.
///
/// ```ignore
/// let stored = crdgen::assert_admitted!(CronTab::new("backup", spec));
/// ```
#[macro_export]
macro_rules! assert_admitted {
    ($object:expr $(,)?) => {
        $crate::judged!($object).admitted()
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
        $crate::judged!($object).rejected(::core::option::Option::None)
    };
    ($object:expr, $field:expr $(,)?) => {
        $crate::judged!($object).rejected(::core::option::Option::Some($field))
    };
}

/// What the server answers to the creation of an object. Its type has a CRD, or it says itself what it is: Rust takes the first of both
/// methods whose bounds it meets.
#[doc(hidden)]
#[macro_export]
macro_rules! judged {
    ($object:expr) => {{
        use $crate::objects::asserts::{OfCrd as _, OfObject as _};
        (&$crate::objects::asserts::Sent(&$object)).judged()
    }};
}

/// An object to judge.
#[derive(Debug)]
pub struct Sent<'o, T>(pub &'o T);

/// Objects whose type has a CRD.
pub trait OfCrd {
    /// Judges the object.
    fn judged(&self) -> Judged;
}

/// Objects of Kubernetes' own kinds.
pub trait OfObject {
    /// Judges the object.
    fn judged(&self) -> Judged;
}

impl<K: CustomResource + Serialize> OfCrd for Sent<'_, K> {
    #[track_caller]
    fn judged(&self) -> Judged {
        match CompiledKind::of::<K>() {
            Ok(kind) => Judged { kind: K::KIND.to_owned(), verdict: kind.create(self.0).strict() },
            Err(problems) => panic!("a server rejects the CRD of {}:\n{problems}", K::KIND),
        }
    }
}

impl<T: Serialize> OfObject for &Sent<'_, T> {
    #[track_caller]
    fn judged(&self) -> Judged {
        let object = to_value(self.0).unwrap_or_default();
        let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (api_version, kind) = (text("apiVersion"), text("kind"));
        match CompiledKind::own(&api_version, &kind) {
            Some(own) => Judged { kind, verdict: own.create(&object).strict() },
            None => panic!(
                "{kind:?} of {api_version:?} is not one of Kubernetes' own kinds: pass a value of a type that derives \
                 CustomResource, or compile its CRD with CompiledKind::new"
            ),
        }
    }
}

/// The answer about an object.
#[derive(Debug)]
pub struct Judged {
    kind: String,
    verdict: Verdict,
}

impl Judged {
    /// Implements [`assert_admitted!`].
    #[track_caller]
    pub fn admitted(self) -> Verdict {
        let Judged { kind, verdict } = self;
        if let Some(why) = &verdict.undecided {
            panic!("crdgen cannot check this {kind}: {why}");
        }
        assert!(verdict.is_accepted(), "the server rejects this {kind}:{}", listed(&verdict));
        verdict
    }

    /// Implements [`assert_refused!`].
    #[track_caller]
    pub fn rejected(self, field: Option<&str>) -> Verdict {
        let Judged { kind, verdict } = self;
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
}

/// Lists the errors, one per line.
fn listed(verdict: &Verdict) -> String {
    verdict.errors.iter().map(|error| format!("\n  {}", error.shown())).collect()
}
