//! What `crdgen check` and `crdgen validate` find in a file of the workspace.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crdgen_core::check::lints::Lints;
use crdgen_core::diag::{Code, codes};
use crdgen_core::documents::{Finding, Manifest, is_definition, objects};
use crdgen_core::object::cause;
use crdgen_core::path::Step;
use crdgen_core::span::Place;
use crdgen_diff::Unstable;
use crdgen_files::Error;
use crdgen_report::exceptions::{self, Exceptions};
use crdgen_tasks::checks::Checks;
use crdgen_tasks::inputs::{self, Source};
use crdgen_tasks::kinds::Kinds;
use crdgen_tasks::updates::Updates;
use crdgen_tasks::validate::{CheckOptions, ObjectChecker, Olds, Policies, Repeated, Severity};

use crate::workspace::{self, Settings, Workspace};

/// A finding, and where its cause is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The finding.
    pub finding: Finding,
    /// The file of the CRD, and the place in it, that cause a finding about an object.
    pub cause: Option<(String, Place)>,
}

/// What is known about a text after its check.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What was found, in the order of the text.
    pub found: Arc<Vec<Found>>,
    /// Whether there are objects other than CRDs.
    pub has_objects: bool,
}

/// How many findings of a document are shown. Editors show no more, and a text may have one a line.
const MOST: usize = 5_000;

/// Returns what the commands find in a text of a file, in its order.
///
/// # Errors
/// Fails if the file refers to something that cannot be read.
pub fn of_text(
    workspace: &Workspace,
    kinds: &Kinds,
    path: &Path,
    text: Arc<Vec<u8>>,
) -> Result<Checked, Error> {
    let Some(source) = workspace.source(path, text) else { return Ok(Checked::default()) };
    let mut exceptions = Exceptions::new(&exceptions::Args::default())?;
    let settings = &workspace.settings;
    let mut found = of_definitions(&source, workspace, &mut exceptions)?;
    let (of_objects, has_objects) = of_objects(&source, settings, kinds, &mut exceptions)?;
    found.extend(of_objects);
    let may_find = |code: &Code| match Lints::known().any(|lint| lint == code) {
        // What changes is only known next to an old CRD.
        true => {
            let is_compared = settings.against.is_some() || !codes::change::ALL.contains(&code);
            settings.lints.is_on(code) && is_compared
        }
        false => true,
    };
    let unused = exceptions.rest(may_find);
    found.extend(unused.into_iter().flat_map(|it| it.findings).map(|finding| Found { finding, cause: None }));
    let mut seen = HashSet::new();
    // Both commands report what cannot be read.
    found.retain(|Found { finding, .. }| {
        let at = finding.place.map(|place| (place.start.offset, place.end.offset));
        seen.insert((finding.diag.code.id, at, finding.diag.shown()))
    });
    found.sort_by_key(|it| it.finding.place.map(|place| place.start.offset));
    found.truncate(MOST);
    Ok(Checked { found: Arc::new(found), has_objects })
}

/// What `crdgen check` finds.
fn of_definitions(
    source: &Source,
    Workspace { settings, project, .. }: &Workspace,
    exceptions: &mut Exceptions,
) -> Result<Vec<Found>, Error> {
    let inventory = inputs::given(vec![source.clone()], &settings.crds())?;
    let updates = Updates::new(crdgen_diff::Options::default(), Unstable::default()).on(&settings.servers);
    let checks = Checks { lints: settings.lints.clone(), servers: settings.servers.clone(), updates };
    let mut out = Vec::new();
    for input in inventory.iter() {
        let Some(source) = inventory.read(input)? else { continue };
        for group in source.groups() {
            let findings = checks.of_text(project, &source, group.read());
            let findings = exceptions.filter(&source, findings).into_iter();
            out.extend(findings.map(|finding| Found { finding, cause: None }));
            if out.len() > MOST {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

/// What `crdgen validate` finds about objects other than CRDs, and whether there are any.
fn of_objects(
    source: &Source,
    settings: &Settings,
    kinds: &Kinds,
    exceptions: &mut Exceptions,
) -> Result<(Vec<Found>, bool), Error> {
    let inventory = inputs::given(vec![source.clone()], &settings.objects())?;
    inventory.serve(workspace::served(kinds));
    let olds = Olds::default();
    let policies = Policies::find(&[], &settings.rules, &inventory)?;
    let checker = ObjectChecker::new(kinds, &olds, &CheckOptions::default(), &policies);
    let (mut repeated, mut out, mut has_objects) = (Repeated::default(), Vec::new(), false);
    let mut causes = Causes { kinds, file: &source.name, known: HashMap::new() };
    for input in inventory.iter() {
        let Some(source) = inventory.read(input)? else { continue };
        for group in source.groups() {
            let (objects, unreadable) = objects(group);
            // What cannot be read may be an object.
            has_objects |= !unreadable.is_empty();
            let unreadable = exceptions.filter(&source, unreadable).into_iter();
            out.extend(unreadable.map(|finding| Found { finding, cause: None }));
            for object in objects.iter().filter(|object| !is_definition(&object.value)) {
                has_objects = true;
                let mut checked = checker.check(object, &source.name, &source.origin.root);
                if source.origin.part.is_some() && checked.lacks_only_fields {
                    continue;
                }
                repeated.report_twice(&source, &mut checked, Severity::Error);
                checked.findings = exceptions.filter(&source, std::mem::take(&mut checked.findings));
                repeated.warn_once_per_kind(&mut checked);
                let found = checked.findings.into_iter();
                out.extend(found.map(|finding| causes.add_to(finding, object)));
                if out.len() > MOST {
                    return Ok((out, has_objects));
                }
            }
        }
    }
    Ok((out, has_objects))
}

/// The lines of CRDs that cause findings. Each is looked up once, because a CRD is read again for it.
struct Causes<'c> {
    kinds: &'c Kinds,
    file: &'c str,
    known: HashMap<Cause, Option<(String, Place)>>,
}

/// Group, kind and the steps in the CRD.
type Cause = (String, String, Vec<Step>);

impl Causes<'_> {
    /// Adds the line of the CRD that causes a finding.
    fn add_to(&mut self, finding: Finding, object: &Manifest) -> Found {
        let cause = self.cause(&finding, object);
        Found { finding, cause }
    }

    fn cause(&mut self, finding: &Finding, object: &Manifest) -> Option<(String, Place)> {
        let ((group, version), kind) = (object.group_version(), object.text("kind"));
        let entry = self.kinds.for_object(self.file, (group, version), kind)?;
        let steps = cause::steps(self.kinds.compiled(entry)?.crd(), version, &finding.diag)?;
        let locate = |(_, _, steps): &Cause| {
            let (file, place) = entry.locate(steps)?;
            Some((file.to_owned(), place))
        };
        let key = (group.to_owned(), kind.to_owned(), steps);
        let found = self.known.entry(key);
        let found = found.or_insert_with_key(locate);
        found.clone()
    }
}
