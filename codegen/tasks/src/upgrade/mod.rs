//! What CRDs and objects meet when their cluster gets another Kubernetes.
//!
//! **Unstable**: any release may change what is in this module.

mod named;
mod own;

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use crdgen_core::diag::codes::object::DEPRECATED_KIND;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::documents::{Definitions, Finding, Manifest};
use crdgen_core::ir::Crd;
use crdgen_core::object::lifecycle;
use crdgen_core::path::Path;
use crdgen_core::server::Server;
use crdgen_diff::objects::{Effect, Update, When};
use crdgen_diff::{Class, Options, Unstable, between_servers};
use crdgen_kubernetes::kinds;

use crate::inputs::Source;
use crate::project::{InFile, Project};
use crate::rust_types::RustTypes;
use crdgen_files::Error;

/// An upgrade of a cluster, or the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The server that the cluster has.
    pub from: Server,
    /// The server that it gets.
    pub to: Server,
}

/// Upgrades, and the CRDs that meet them.
pub struct Upgrade {
    ways: Vec<Way>,
    options: Options,
    /// The CRDs so far, by group and kind.
    kinds: Mutex<HashMap<(String, String), Kind>>,
}

/// A CRD, which objects may need.
struct Kind {
    crd: Crd,
    /// What the servers of each way make of objects. `None` if one of them cannot serve the CRD.
    updates: OnceLock<Vec<Option<Update>>>,
}

impl Upgrade {
    /// Some upgrades, which nothing has met yet.
    pub fn new(ways: Vec<Way>, options: Options) -> Upgrade {
        Upgrade { ways, options, kinds: Mutex::default() }
    }

    /// What the CRDs of a text meet, and the names of the CRDs.
    pub fn of_text(
        &self,
        project: &Project,
        source: &Source,
        mut read: Definitions,
    ) -> (Vec<String>, Vec<Finding>) {
        project.skip(source, &mut read);
        // What cannot be read is the same for both servers: it was not compared, and fails nothing.
        let same = read.findings.iter_mut().map(|finding| &mut finding.diag);
        same.filter(|diag| diag.level == Level::Error).for_each(|diag| diag.level = Level::Warning);
        let names = read.named().into_iter().map(|named| named.name).collect();
        (names, project.of_text(source, read, |crd, _| self.of_crd(crd)))
    }

    /// What the CRDs of Rust types meet, file by file.
    pub fn of_types(&self, project: &mut Project, types: &RustTypes) -> Result<Vec<InFile>, Error> {
        project.each_of_types(types, |crd| self.of_crd(crd))
    }

    fn of_crd(&self, crd: &Crd) -> Vec<Finding> {
        let key = (crd.spec.group.clone(), crd.spec.names.kind.clone());
        let kind = || Kind { crd: crd.clone(), updates: OnceLock::new() };
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert_with(kind);
        let found = |way: &Way| between_servers(crd, way.from, way.to, &self.options);
        let found = self.ways.iter().flat_map(found);
        found.filter_map(|finding| finding.reported(Unstable::AsStable)).collect()
    }

    /// The objects of all CRDs so far.
    pub fn objects(self) -> UpgradedObjects {
        let kinds = self.kinds.into_inner().unwrap_or_else(PoisonError::into_inner);
        UpgradedObjects { ways: self.ways, kinds }
    }
}

/// What objects meet when their cluster gets another Kubernetes.
pub struct UpgradedObjects {
    ways: Vec<Way>,
    kinds: HashMap<(String, String), Kind>,
}

impl UpgradedObjects {
    /// Whether nothing is known of the kind of an object: it has no CRD, and is not one of Kubernetes' own.
    pub fn is_unknown(&self, object: &Manifest) -> bool {
        let ((group, version), kind) = (object.group_version(), object.text("kind"));
        let is_own = || {
            kinds::find(object.text("apiVersion"), kind).is_some()
                || lifecycle::of(group, version, kind).is_some()
                || !group.contains('.')
                || group.ends_with(".k8s.io")
        };
        !self.kinds.contains_key(&(group.to_owned(), kind.to_owned())) && !is_own()
    }

    /// What an object meets.
    pub fn of(&self, object: &Manifest) -> Vec<Finding> {
        let key = (object.group_version().0.to_owned(), object.text("kind").to_owned());
        let prepare = |kind: &Kind| -> Vec<Option<Update>> {
            self.ways.iter().map(|way| Update::of_servers(&kind.crd, way.from, way.to)).collect()
        };
        let updates = self.kinds.get(&key).map(|kind| kind.updates.get_or_init(|| prepare(kind)).as_slice());
        let of_way = |(at, way): (usize, Way)| {
            let update = updates.and_then(|all| all.get(at)?.as_ref());
            let effects = update.and_then(|update| update.effects(&object.value)).unwrap_or_default();
            let of_own = match updates {
                None => [way.own(object), way.named(object)].concat(),
                Some(_) => Vec::new(),
            };
            let of_custom = effects.into_iter().filter_map(move |effect| way.diag(effect));
            of_custom.chain(way.lifecycle(object)).chain(of_own)
        };
        // A dump has thousands of lines, and objects of all kinds.
        let of = format!("{} {}", object.text("kind"), object.name());
        let named = |diag: Diag| Diag { detail: format!("{of}: {}", diag.detail), ..diag };
        let found = self.ways.iter().copied().enumerate().flat_map(of_way);
        found.map(|diag| object.finding(named(diag))).collect()
    }
}

impl Way {
    fn diag(self, Effect { when, steps, text }: Effect) -> Option<Diag> {
        let class = match when {
            When::Read => Class::DataLoss,
            When::Applied => Class::Stuck,
            When::Edited => Class::OnEdit,
            When::Converted { .. } => Class::Breaking,
        };
        let (code, level) = class.reported()?;
        let text = format!("{when} on Kubernetes {}: {text}", self.to);
        let help = "change the object before the upgrade";
        Some(Diag { steps, ..Diag::own(code, level, &Path::ROOT, text).help(help) })
    }

    /// That the new server has the kind no more, or warns about it.
    fn lifecycle(self, object: &Manifest) -> Option<Diag> {
        let (group, version) = object.group_version();
        let found = lifecycle::of(group, version, object.text("kind"))?;
        let (from, to) = (self.from.minor(), self.to.minor());
        if found.missing(from).is_some() {
            return None;
        }
        if let Some(missing) = found.missing(to) {
            return Some(missing);
        }
        let warning = found.warning(to).filter(|_| found.warning(from).is_none())?;
        let at = Path::ROOT.child("apiVersion");
        Some(Diag::own(&DEPRECATED_KIND, Level::Warning, &at, warning).help(found.help_on(to)))
    }
}
