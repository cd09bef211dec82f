//! Kinds: types with a definition.

use crdgen_runtime::diag::{Diags, Level};
use crdgen_runtime::inert::Inert;
use crdgen_runtime::ir::Crd;
use crdgen_runtime::recipe::Declared;
use crdgen_runtime::{encode, json, recipe, yaml};
use std::fmt;

/// A type that is a Kubernetes kind. Derive it with `#[derive(CustomResource)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind",
    note = "the derive on the spec generates the kind. Use `Foo`, not `FooSpec`"
)]
pub trait CustomResource {
    /// The API group.
    const GROUP: &'static str;
    /// The API version.
    const VERSION: &'static str;
    /// The kind.
    const KIND: &'static str;

    #[doc(hidden)]
    fn declared() -> Declared;

    /// The definition, or what is wrong with the types.
    fn definition() -> Result<Crd, Problems> {
        let (crd, diags) = Self::declared().definition();
        Problems::check(crd, diags)
    }

    /// The definition.
    ///
    /// # Panics
    ///
    /// Panics with all messages if there is none. The generated test, a build script and `crdgen emit` find
    /// that out before the program runs; [`CustomResource::definition`] gives the messages back instead.
    fn crd() -> Crd {
        match Self::definition() {
            Ok(crd) => crd,
            Err(problems) => panic!("{problems}"),
        }
    }

    /// The definition as YAML, ready for kubectl. Panics as [`CustomResource::crd`] does.
    fn crd_yaml() -> String {
        to_yaml(&Self::crd())
    }

    /// The definition as compact JSON. Panics as [`CustomResource::crd`] does.
    fn crd_json() -> String {
        json::to_string(&encode::crd(&Self::crd()))
    }
}

/// A definition as YAML.
pub fn to_yaml(crd: &Crd) -> String {
    yaml::write_object(&encode::crd(crd))
}

/// What the API server would say when this definition is created.
#[cfg(feature = "check")]
pub fn check(crd: &Crd) -> crdgen_core::check::Report {
    let mut sent = crd.clone();
    crdgen_runtime::decode::set_defaults(&mut sent);
    crdgen_core::check::create(&sent, &crdgen_core::check::Options::default())
}

/// Rules that read fields that may be absent. The server takes such a definition and then rejects every object
/// without the field.
#[cfg(feature = "check")]
pub(crate) fn unguarded(crd: &Crd) -> Diags {
    use crdgen_core::check::lints::{Lints, run};
    let mut only = Lints::none();
    only.set(crdgen_runtime::diag::codes::lint::UNGUARDED.id, true);
    run(crd, &only)
}

/// What a server says of a definition when it is created, the oldest to support if there is one, and which rules
/// read what may be absent.
#[cfg(feature = "build")]
pub(crate) fn findings(crd: &Crd, kube: Option<u32>) -> Diags {
    use crdgen_core::check::{Options, create, lints};
    let mut sent = crd.clone();
    crdgen_runtime::decode::set_defaults(&mut sent);
    let report = create(&sent, &kube.map_or_else(Options::default, Options::of_server));
    let mut advice = lints::Lints::default();
    advice.kube = kube;
    advice.set(crdgen_runtime::diag::codes::lint::SIZE.id, false);
    with_advice(report, lints::run(&sent, &advice))
}

/// What a server says and what is advised. What is an error already need not be warned about: the advice
/// helps with the error.
#[cfg(feature = "build")]
pub(crate) fn with_advice(report: crdgen_core::check::Report, mut advice: Diags) -> Diags {
    let mut errors = report.errors;
    advice.retain(|a| {
        let same = |e: &&mut crdgen_runtime::diag::Diag| {
            a.code == &crdgen_runtime::diag::codes::lint::KUBE && e.steps == a.steps
        };
        match errors.iter_mut().find(same) {
            Some(error) => error.help.clone_from(&a.help),
            None => return true,
        }
        false
    });
    errors.into_iter().chain(report.warnings).chain(advice).collect()
}

/// Several versions of one kind as one definition.
pub fn merge(crds: impl IntoIterator<Item = Crd>) -> Result<Vec<Crd>, Problems> {
    let (crds, diags) = recipe::merge(crds.into_iter().collect());
    Problems::check(crds, diags)
}

/// The same, with what is wrong beside it.
#[cfg(feature = "build")]
pub(crate) fn merge_all(crds: impl IntoIterator<Item = Crd>) -> (Vec<Crd>, Diags) {
    recipe::merge(crds.into_iter().collect())
}

/// What is wrong with the types of a kind.
#[derive(Clone, Debug)]
pub struct Problems {
    /// One for each mistake.
    pub diags: Diags,
}

impl Problems {
    pub(crate) fn check<T>(it: T, diags: Diags) -> Result<T, Problems> {
        if diags.iter().any(|d| d.level == Level::Error) { Err(Problems { diags }) } else { Ok(it) }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diag) in self.diags.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            let field = diag.field_shown().map_or_else(String::new, |field| format!("{field}: "));
            write!(f, "{}: {}", diag.code.id, Inert(format_args!("{field}{}", diag.detail)))?;
            if let Some(help) = &diag.help {
                write!(f, "\n  help: {}", Inert(help))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
