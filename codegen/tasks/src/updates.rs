//! What updates of CRDs change for objects, clients and people.
//!
//! **Unstable**: any release may change what is in this module.

use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crdgen_build::declared::{self, Declared, Versions};
use crdgen_core::check::lints;
use crdgen_core::diag::Diag;
use crdgen_core::documents::{Definitions, Finding};
use crdgen_core::ir::Crd;
use crdgen_core::server::Server;
use crdgen_core::value::Value;
use crdgen_core::{encode, json};
use crdgen_diff::{Class, Options, Step, Unconverted, Unstable};

use crate::inputs::Source;
use crate::inputs::open::is_open_in_crd;
use crate::project::{InFile, Project};
use crate::rust_types::{RustSources, RustTypes, no_kind};
use crate::servers;
use crdgen_files::Error;
use crdgen_files::source;

/// Updates of CRDs, and how they are judged. A repository may have copies of a CRD, such as in a chart, which are compared once.
pub struct Updates {
    options: Options,
    /// The servers that get them, newest first.
    servers: Vec<Server>,
    unstable: Unstable,
    /// Whether the old and the new CRDs are needed after they were compared.
    keeps_crds: bool,
    known: Mutex<Vec<Arc<Update>>>,
}

struct Update {
    /// The old and the new CRD as JSON, because models take many times as much memory.
    texts: [String; 2],
    changes: OnceLock<Arc<Changes>>,
}

/// What an update changes.
#[derive(Default)]
struct Changes {
    /// What each server makes of it.
    found: Vec<(Server, Vec<crdgen_diff::Finding>)>,
    /// Whether errors were left out about values that another program replaces.
    is_partly_checked: bool,
}

/// The CRDs of a file, and what changes in them.
#[derive(Default)]
pub struct Changed {
    /// The names of the CRDs.
    pub names: Vec<String>,
    /// The changes that are reported, and the errors of the text.
    pub findings: Vec<Finding>,
    /// The new versions that the changes require.
    pub steps: Vec<Step>,
    /// The old and the new CRDs, if they are needed.
    pub updates: Vec<(Crd, Crd)>,
}

/// Rust types: their CRDs, and the conversions that they declare.
pub struct ConvertedTypes {
    /// The types.
    pub types: RustTypes,
    conversions: Vec<Declared>,
}

impl Updates {
    /// None yet.
    pub fn new(options: Options, unstable: Unstable) -> Updates {
        let servers = vec![options.server];
        Updates { options, servers, unstable, keeps_crds: false, known: Mutex::default() }
    }

    /// The same for other servers, newest first.
    #[must_use]
    pub fn on(self, servers: &[Server]) -> Updates {
        let servers = if servers.is_empty() { self.servers } else { servers.to_vec() };
        Updates { servers, ..self }
    }

    /// The same, if the old and the new CRDs are needed after they were compared.
    #[must_use]
    pub fn keeping_crds(self, keeps_crds: bool) -> Updates {
        Updates { keeps_crds, ..self }
    }

    /// What changes in the CRDs of a text.
    pub fn of_text(&self, project: &Project, source: &Source, mut read: Definitions) -> Changed {
        project.skip(source, &mut read);
        let names = read.named().into_iter().map(|named| named.name).collect();
        let mut changed = Changed { names, ..Changed::default() };
        changed.findings = project.of_text(source, read, |crd, old| {
            let Some(old) = old else { return Vec::new() };
            let changes = self.between(&old, crd);
            if changes.is_partly_checked {
                project.add_partly_checked(&crd.metadata.name, source);
            }
            self.add(old, crd, &changes.found, &mut changed)
        });
        changed
    }

    /// What changes in the CRDs of Rust types, file by file, and in all of them. Calls `also` with each old and new CRD.
    pub fn of_types(
        &self,
        project: &mut Project,
        converted: &ConvertedTypes,
        mut also: impl FnMut(&Crd, &Crd),
    ) -> Result<(Vec<InFile>, Changed), Error> {
        let (mut all, mut called) = (Changed::default(), Vec::new());
        let files = project.of_types(&converted.types, |crd, old| {
            also(&old, crd);
            let changes = self.between(&old, crd);
            let Some(Conversion { findings, calls_code }) = converted.objects(&old, crd, &self.options)
            else {
                return self.add(old, crd, &changes.found, &mut all);
            };
            called.extend(calls_code.then(|| crd.metadata.name.clone()));
            // The types convert objects, whatever their CRD says until the webhook is added to it.
            let converted = |(server, found): &(Server, Vec<crdgen_diff::Finding>)| {
                let direct = found.iter().filter(|finding| finding.stored.is_none());
                (*server, direct.chain(&findings).cloned().collect())
            };
            let found: Vec<_> = changes.found.iter().map(converted).collect();
            self.add(old, crd, &found, &mut all)
        })?;
        for crd in called {
            project.notes().say(format_args!(
                "{crd}: not compared: what the conversions make of stored objects, because they call functions, which crdgen \
                 does not run",
            ));
        }
        Ok((files, all))
    }

    /// Adds the new versions that changes require, and the update. Returns what is reported.
    fn add(
        &self,
        old: Crd,
        new: &Crd,
        found: &[(Server, Vec<crdgen_diff::Finding>)],
        changed: &mut Changed,
    ) -> Vec<Finding> {
        changed.steps.extend(found.iter().flat_map(|(_, found)| crdgen_diff::steps(new, found)));
        changed.updates.extend(self.keeps_crds.then(|| (old, new.clone())));
        self.without_allowed(new, self.merged(found, |_| true))
    }

    /// What is reported of what servers find, each finding once.
    fn merged(
        &self,
        found: &[(Server, Vec<crdgen_diff::Finding>)],
        counts: impl Fn(&crdgen_diff::Finding) -> bool,
    ) -> Vec<Finding> {
        let reported = |(server, found): &(Server, Vec<crdgen_diff::Finding>)| {
            let found = found.iter().filter(|finding| counts(finding));
            (*server, found.filter_map(|finding| finding.reported(self.unstable)).collect())
        };
        servers::merged(found.iter().map(reported).collect())
    }

    /// The changes of an update that the server accepts.
    pub(crate) fn reported(&self, old: &Crd, new: &Crd) -> Vec<Finding> {
        self.merged(&self.between(old, new).found, |finding| finding.class != Class::Refused)
    }

    /// The changes that the CRD itself does not allow, and what it allows in vain.
    pub(crate) fn without_allowed(&self, crd: &Crd, changes: Vec<Finding>) -> Vec<Finding> {
        let (mut reported, in_vain) = lints::without_allowed(crd, changes);
        reported.extend(in_vain.into_iter().map(|it| Finding::from(source::allows_nothing(it))));
        reported
    }

    fn between(&self, old: &Crd, new: &Crd) -> Arc<Changes> {
        if old.spec == new.spec && old.metadata == new.metadata {
            return Arc::default();
        }
        let texts = [old, new].map(|crd| json::to_string(&encode::stored(crd)));
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().find(|it| it.texts == texts).cloned();
        let update = known.unwrap_or_else(|| {
            let update = Arc::new(Update { texts, changes: OnceLock::new() });
            all.push(Arc::clone(&update));
            update
        });
        drop(all);
        let compare = || {
            let mut is_partly_checked = false;
            let mut counts = |error: &Diag| {
                let is_open = is_open_in_crd(error);
                is_partly_checked |= is_open;
                !is_open
            };
            let on = |server: &Server| {
                let options = Options { server: *server, ..self.options };
                (*server, crdgen_diff::diff_with(old, new, &options, &mut counts).findings)
            };
            let found = self.servers.iter().map(on).collect();
            Arc::new(Changes { found, is_partly_checked })
        };
        Arc::clone(update.changes.get_or_init(compare))
    }
}

/// What the declared conversions of a kind make of stored objects.
struct Conversion {
    findings: Vec<crdgen_diff::Finding>,
    /// Whether they call functions, which crdgen does not run.
    calls_code: bool,
}

impl ConvertedTypes {
    /// Reads Rust sources.
    pub fn read(sources: RustSources) -> Result<ConvertedTypes, Error> {
        let types = RustTypes::compared(sources)?;
        if types.is_empty() && !types.has_errors() {
            return Err(no_kind(Path::new(&types.source.name)));
        }
        // Only kinds with several versions have conversions.
        let has_versions = types.crds.iter().any(|crd| crd.spec.versions.len() > 1);
        let conversions = has_versions
            .then(|| source::conversions(&types.options, source::Detail::Conversions))
            .transpose()?;
        Ok(ConvertedTypes { types, conversions: conversions.map(|it| it.crates).unwrap_or_default() })
    }

    /// What the declared conversions of a kind make of stored objects. `None` if the types declare no conversion of the kind.
    fn objects(&self, old: &Crd, new: &Crd, options: &Options) -> Option<Conversion> {
        let spec = &new.spec;
        let versions =
            self.conversions.iter().find_map(|it| Versions::of(it, &spec.group, &spec.names.kind))?;
        let calls_code = Cell::new(false);
        let convert = |object: &Value, to: &str| {
            let from = object.get("apiVersion").and_then(Value::as_str).and_then(|it| it.split_once('/'));
            let (Some((_, from)), Value::Map(members)) = (from, object) else {
                return Err(Unconverted::Unknown);
            };
            if [from, to].iter().any(|name| !versions.names().contains(name)) {
                return Err(Unconverted::Unknown);
            }
            versions.convert(members.clone(), from, to).map_err(|why| match why {
                declared::Error::Code { .. } => {
                    calls_code.set(true);
                    Unconverted::Unknown
                }
                declared::Error::Value(why) => Unconverted::Failed(why.to_string()),
            })
        };
        let findings = crdgen_diff::converted(old, new, &convert, options);
        Some(Conversion { findings, calls_code: calls_code.get() })
    }
}
