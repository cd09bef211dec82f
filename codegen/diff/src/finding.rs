//! What a comparison finds.

use std::sync::Arc;

use crdgen_core::compare::changes::{Change, Class, Part, is_unstable};
use crdgen_core::compare::proof::{Changed, Proof, Witness};
use crdgen_core::diag::{Code, Diag, Level};
use crdgen_core::finding::{self, fingerprint};
use crdgen_core::path::{Path, Step};

/// The result of a comparison of two CRDs, or of two sets of CRDs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The findings, in the order of the new CRDs.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Returns the worst class. It is `compatible` if nothing changes.
    pub fn verdict(&self) -> Class {
        self.findings.iter().map(|finding| finding.class).min().unwrap_or(Class::Compatible)
    }
}

/// What changes of alpha and beta versions are: such versions may change more often than stable ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unstable {
    /// Notes, which fail no run.
    #[default]
    Notes,
    /// The same as changes of stable versions.
    AsStable,
}

impl Unstable {
    /// The rule, if changes of such versions fail runs or not.
    pub fn failing(fails: bool) -> Unstable {
        if fails { Unstable::AsStable } else { Unstable::Notes }
    }
}

/// A difference, with what it means and how that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it means.
    pub class: Class,
    /// The code of its diagnostic. `None` if it is not reported.
    pub code: Option<&'static Code>,
    /// The name of the CRD.
    pub crd: String,
    /// The version of the kind. `None` if the whole CRD changes.
    pub version: Option<String>,
    /// The version in which the objects are stored that it is about, if that is another one.
    pub stored: Option<String>,
    /// The part of the CRD that changes. `None` if it is about a conversion.
    pub part: Option<Part>,
    /// The place in the new CRD, as the server prints it.
    pub path: String,
    /// The steps to the place in the new CRD.
    pub steps: Vec<Step>,
    /// The place in objects, such as `spec.ports[].name`. `None` if it is not about a value in objects.
    pub field: Option<String>,
    /// What was, and what is now.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// What it was. `None` if it was not there.
    pub was: Option<String>,
    /// What it is now. `None` if it is not there any more.
    pub now: Option<String>,
    /// How its class is known.
    pub proof: Proof,
    /// Identifies the finding. It does not depend on files, lines and the order of versions.
    pub fingerprint: String,
    /// The same for the change in all versions.
    pub in_versions: String,
    /// Whether it is about an alpha or beta version, in which Kubernetes' deprecation policy allows it.
    pub is_of_unstable: bool,
}

impl Finding {
    /// Returns the finding in one line: its class, its place, and what was and is now.
    pub fn line(&self) -> String {
        let place = match (&self.version, self.field.as_deref()) {
            (Some(version), Some("")) => format!("{version} "),
            (Some(version), Some(field)) => format!("{version} {field}: "),
            (Some(version), None) => format!("{version} {}: ", self.path),
            (None, _) => String::new(),
        };
        format!("{}: {place}{}", self.class.name(), self.message)
    }

    /// Returns the diagnostic. `None` if the change is not reported.
    pub fn diag(&self) -> Option<Diag> {
        let level = match self.class {
            Class::Refused => Level::Error,
            class => class.reported()?.1,
        };
        let diag = Diag::own(self.code?, level, &Path::ROOT, self.message.as_str());
        let words = self.proof.text().filter(|_| self.class <= Class::MayBreak);
        let help = [Some(self.help.clone()), words].into_iter().flatten();
        let help: Vec<String> = help.filter(|text| !text.is_empty()).collect();
        let help = (!help.is_empty()).then(|| help.join("\n"));
        Some(Diag { field: self.path.clone(), steps: self.steps.clone(), help, ..diag })
    }

    /// Returns what is reported about the change. `None` if it is not reported.
    pub fn reported(&self, unstable: Unstable) -> Option<finding::Finding> {
        let mut diag = self.diag()?;
        if unstable == Unstable::Notes && self.is_of_unstable {
            diag.level = Level::Note;
        }
        let change = Changed {
            class: self.class,
            part: self.part.clone(),
            version: self.version.clone(),
            stored: self.stored.clone(),
            field: self.field.clone(),
            was: self.was.clone(),
            now: self.now.clone(),
            proof: self.proof.clone(),
            fingerprint: self.fingerprint.clone(),
            in_versions: self.in_versions.clone(),
            is_of_unstable: self.is_of_unstable,
        };
        Some(finding::Finding { change: Some(Box::new(change)), ..diag.into() })
    }

    pub(crate) fn of_change(crd: &str, change: Change, field: Option<String>, proof: Proof) -> Finding {
        let part = change.part.key();
        let [was, now, place] =
            [&change.was, &change.now, &field].map(|text| text.as_deref().unwrap_or_default());
        let identity = |version: &str, stored: Option<&str>| {
            let parts = [crd, version, place, &part, was, now];
            fingerprint(&parts.into_iter().chain(stored).collect::<Vec<_>>())
        };
        let version = change.version.as_deref().unwrap_or_default();
        Finding {
            class: change.class,
            code: change.class.reported().map(|(code, _)| code),
            crd: crd.to_owned(),
            message: change.text(),
            help: change.help().to_owned(),
            proof,
            fingerprint: identity(version, change.stored.as_deref()),
            in_versions: identity("", change.stored.as_ref().map(|_| "")),
            is_of_unstable: change.is_of_unstable(),
            version: change.version,
            stored: change.stored,
            part: Some(change.part),
            path: change.field,
            steps: change.steps,
            was: change.was,
            now: change.now,
            field,
        }
    }

    /// The finding about an error with which the server rejects the new CRD itself.
    pub(crate) fn refused(crd: &str, error: &Diag) -> Finding {
        let identity = fingerprint(&[crd, error.code.id, &error.field, &error.words()]);
        Finding {
            class: Class::Refused,
            code: Some(error.code),
            crd: crd.to_owned(),
            version: None,
            stored: None,
            part: None,
            path: error.field.clone(),
            steps: error.steps.clone(),
            field: None,
            help: error.help.clone().unwrap_or_default(),
            was: None,
            now: None,
            proof: Proof::Document,
            in_versions: identity.clone(),
            fingerprint: identity,
            is_of_unstable: false,
            message: error.words(),
        }
    }

    /// The finding about objects that the new CRD rejects at a place where nothing seems to be stricter.
    pub(crate) fn unexplained(
        crd: &str,
        version: &str,
        stored: Option<&str>,
        (class, error, witness): (Class, Option<&Diag>, Witness),
    ) -> Finding {
        let objects = stored.map_or_else(String::new, |stored| format!("objects are stored as {stored}: "));
        let (code, field) = error.map_or(("", ""), |error| (error.code.id, error.field.as_str()));
        Finding {
            class,
            code: class.reported().map(|(code, _)| code),
            crd: crd.to_owned(),
            version: Some(version.to_owned()),
            stored: stored.map(str::to_owned),
            part: None,
            path: "spec.versions".to_owned(),
            steps: vec![Step::Key("spec".to_owned()), Step::Key("versions".to_owned())],
            field: Some(field.to_owned()),
            message: format!("{objects}several changes together reject what was accepted"),
            help: "objects may exist that are not valid any more. Check real objects with `crdgen validate`"
                .to_owned(),
            was: None,
            now: None,
            proof: Proof::Witness(Arc::new(witness)),
            fingerprint: fingerprint(&[crd, version, stored.unwrap_or_default(), code, field]),
            in_versions: fingerprint(&[crd, code, field]),
            is_of_unstable: is_unstable(version),
        }
    }
}
