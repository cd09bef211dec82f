//! What is reported once, although several objects of a run have it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::documents::Finding;
use crdgen_core::inert::InertLine;
use crdgen_core::path::Path;

use super::{CheckedObject, Identity, Severity, Validity};
use crate::inputs::Source;

/// The objects and findings of a run so far.
#[derive(Default)]
pub struct Repeated {
    /// The places of the objects and their versions, by what is applied together.
    seen: HashMap<(Arc<str>, Identity), (String, String)>,
    /// The kinds without a CRD that are reported.
    unknown: HashSet<(String, String)>,
    /// The findings about files that several kustomizations build.
    reported: HashSet<(String, Option<usize>, String)>,
}

impl Repeated {
    /// The identities of all objects.
    pub fn into_seen(self) -> HashSet<Identity> {
        self.seen.into_keys().map(|(_, identity)| identity).collect()
    }

    /// Reports two objects with the same name that are applied together, at the second one.
    pub fn report_twice(&mut self, source: &Source, object: &mut CheckedObject, severity: Severity) {
        let mut level = match severity {
            Severity::Error => Level::Error,
            Severity::Warn => Level::Warning,
            Severity::Ignore => return,
        };
        let Some(identity) = object.identity.clone() else { return };
        let identity = (Arc::clone(&source.origin.root), identity);
        let line = object.place.map_or(0, |place| place.start.line);
        let here = format!("{}:{line}", InertLine(&source.name));
        let own = (here, object.version.clone());
        let Some((first, version)) = self.seen.insert(identity, own) else { return };
        // A fingerprint contains the text, and lines move.
        let mut text = format!("{} {} is defined twice", object.kind, object.name);
        if version != object.version {
            // The second one is an update. kubebuilder writes such samples.
            level = Level::Warning;
            text = format!("{text}, in {version} and {}: the server keeps the last one", object.version);
        }
        let diag = Diag::own(&codes::object::SAME_OBJECT, level, &Path::ROOT, text);
        let diag = diag.help(format!("the first is at {first}. Remove one of them, or give it another name"));
        object.findings.push(Finding::new(object.name.clone(), object.place, diag));
        if level == Level::Error {
            object.result = Validity::Invalid;
        }
    }

    /// Keeps the warning that there is no CRD only at the first object of its kind. As an error it stays at each of them,
    /// because each of them then fails.
    pub fn warn_once_per_kind(&mut self, object: &mut CheckedObject) {
        let (kind, version) = (&object.kind, &object.version);
        object.findings.retain(|Finding { diag, .. }| {
            let is_warning = *diag.code == codes::object::NO_CRD && diag.level == Level::Warning;
            !is_warning || self.unknown.insert((kind.clone(), version.clone()))
        });
    }

    /// Keeps the findings about objects of a kustomization that are not yet reported, and adds the kustomization to their help.
    pub fn keep_new(&mut self, source: &Source, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            let at = finding.place.map(|place| place.start.offset);
            let is_new = self.reported.insert((source.name.clone(), at, finding.diag.shown().to_string()));
            let root = InertLine(&source.origin.root);
            let built = format!("crdgen checked what the kustomization {root} builds");
            finding.diag.help = Some(match finding.diag.help.take() {
                Some(help) => format!("{help}\n{built}"),
                None => built,
            });
            is_new
        });
    }
}
