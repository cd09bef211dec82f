//! Test suites for CRDs: objects that the server must accept or reject, the errors, and the stored objects. Suites have the
//! format of openshift/api, with some additions, but need neither etcd nor kube-apiserver. Plain folders `valid` and
//! `invalid` are suites too.

mod broken;
mod case;
mod columns;
mod coverage;
mod crds;
mod difference;
mod failure;
mod files;
mod folders;
mod gates;
mod read;
mod servers;
mod tests;
mod update;

pub use case::{Case, Outcome};
pub use coverage::{Constraint, Sort, Test, Trial, coverage, trials};
#[doc(hidden)]
pub use crdgen_core::json_patch::Patch as JsonPatch;
pub use failure::Failure;
#[doc(hidden)]
pub use files::special;
#[doc(hidden)]
pub use tests::Tests;
pub use update::updated;

use crate::Error;
use crdgen_core::ir::Crd;
use crdgen_core::value::{Map, Value};
use crdgen_files::input::{self, Shown};
use crdgen_files::source;
use crdgen_kinds::objects::{CompiledKind, FOR_OWN};
use crds::{Crds, Definition};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The CRDs that suites test, and options for the run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// CRDs: files, folders, Rust packages. Without any, CRDs in the folder of a suite and in the folders above are used, up
    /// to that of a Rust package or repository. Suites can also name CRDs themselves.
    pub crds: Vec<PathBuf>,
    /// The package of Rust types whose declared conversions convert objects as the webhook of a CRD does. By default that of the CRD.
    /// Without one, each object stays in its own version.
    pub types: Option<PathBuf>,
    /// The minor version of Kubernetes. By default the newest one that crdgen knows.
    pub kube: Option<u32>,
    /// Accept only the messages of that server. By default a case also passes if it expects the message of an older server:
    /// before Kubernetes 1.35, messages contained the type of a value (`Invalid value: "object"`) instead of the value.
    pub exact_words: bool,
}

/// The cases of one file, for one CRD.
#[derive(Debug)]
pub struct Suite {
    /// The name of the suite.
    pub name: String,
    /// The file or folder of the suite.
    pub path: PathBuf,
    /// The name of the CRD, and its file.
    pub crd: String,
    /// The cases.
    pub cases: Vec<Case>,
    target: Option<Target>,
    /// The CRD with all its versions, for conversions, if the suite names a version.
    whole: Option<Target>,
    /// Whether these are broken CRDs, which do not belong to a suite.
    is_of_crds: bool,
    /// Why the cases cannot run: the server rejects the CRD. This is reported as a case of its own.
    rejected: Option<String>,
    options: Options,
}

/// CRDs that the caller has read, and their text.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Given {
    pub path: PathBuf,
    pub text: Arc<Vec<u8>>,
    /// The CRDs, as they are applied.
    pub documents: Vec<Value>,
}

/// The CRD under test.
#[derive(Debug)]
struct Target {
    path: PathBuf,
    document: Value,
    version: String,
    /// Whether it does not matter that the server accepts the CRD.
    is_any: bool,
    kinds: [OnceLock<Result<CompiledKind, Failure>>; 3],
    /// The package of Rust types that converts its objects, and the conversions that they declare.
    types: Option<PathBuf>,
    declared: Arc<OnceLock<Result<Vec<crate::declared::Declared>, Failure>>>,
}

/// Older servers with other messages, which a case may expect instead of those of the server in the options.
const OLDER: [u32; 2] = [34, 33];

/// What a suite without a CRD tests.
const OWN: &str = "Kubernetes' own kinds";

/// Finds all suites below these paths. If the CRD of a suite is missing, the suite has a single case, which fails. Files with
/// CRDs that the server rejects, or that cannot be read, are suites with a case for each of them, which fails too. The cases
/// of suites for these CRDs do not run.
pub fn find(paths: &[PathBuf], options: &Options) -> Result<Vec<Suite>, Error> {
    find_with(paths, options, &[])
}

/// The same, with more CRDs that the caller has read.
#[doc(hidden)]
pub fn find_with(paths: &[PathBuf], options: &Options, given: &[Given]) -> Result<Vec<Suite>, Error> {
    let mut crds = Crds::new(paths, &options.crds, given)?;
    let mut out = Vec::new();
    for path in paths {
        for file in files::files(path)? {
            let bytes = match input::read(&file) {
                Ok(bytes) => bytes,
                Err(why) if file == *path => return Err(Error::file(&file)(why)),
                // It is reported below, with the files of CRDs.
                Err(_) => {
                    crds.add_file(file);
                    continue;
                }
            };
            if let Some(suite) = read::suite(&file, &bytes)? {
                instances(&file, suite, &mut crds, options, &mut out);
            }
        }
        for folder in folders::find(path)? {
            out.push(Suite::of_folder(&folder, &mut crds, options)?);
        }
    }
    // CRDs without a suite do not count, because these folders may contain anything.
    if out.is_empty() {
        return Ok(out);
    }
    let minor = options.minor();
    let mut rejected: BTreeSet<(PathBuf, String)> = BTreeSet::new();
    // A server need not accept CRDs whose tests are all for newer ones.
    let (newer, tested): (Vec<&Suite>, Vec<&Suite>) = out.iter().partition(|suite| suite.needs_newer());
    let crds_of = |suites: Vec<&Suite>| -> BTreeSet<(PathBuf, String)> {
        let targets = suites.into_iter().filter_map(|suite| suite.target.as_ref());
        targets.map(|target| (target.path.clone(), target.name().to_owned())).collect()
    };
    let for_newer: BTreeSet<_> = &crds_of(newer) - &crds_of(tested);
    for (file, text) in crds.files() {
        let mut broken = broken::find(file, text, minor)?;
        broken.retain(|broken| !for_newer.contains(&(file.to_owned(), broken.name.clone())));
        rejected.extend(broken.iter().map(|broken| (file.to_owned(), broken.name.clone())));
        let cases: Vec<Case> = broken.into_iter().map(|broken| broken.case).collect();
        if !cases.is_empty() {
            out.push(Suite::of_crds(file, cases, options));
        }
    }
    let mut others = Vec::new();
    for suite in out.iter_mut().filter(|suite| !suite.needs_newer()) {
        let Some(target) = &suite.target else { continue };
        let name = target.name();
        let why = format!("the server rejects {name} ({})", target.path.shown());
        if rejected.contains(&(target.path.clone(), name.to_owned())) {
            suite.rejected = Some(why);
            continue;
        }
        // The CRD of a package has no file that was checked, and one with a single version is another CRD.
        if !source::is_rust(&target.path) && target.version.is_empty() {
            continue;
        }
        let Err(failure) = target.kind(0, minor) else { continue };
        let title = match target.version.as_str() {
            "" => format!("the server accepts {name}"),
            version => format!("{name} can be tested with {version} alone"),
        };
        suite.rejected = Some(why);
        if rejected.insert((target.path.clone(), format!("{name} {}", target.version))) {
            let case = Case::broken(&title, failure.why);
            others.push(Suite::of_crds(&target.path, vec![case], options));
        }
    }
    out.append(&mut others);
    Ok(out)
}

/// Adds a suite for each of its CRDs.
fn instances(file: &Path, suite: read::Suite, crds: &mut Crds, options: &Options, out: &mut Vec<Suite>) {
    let found = crds.of_suite(file, &suite).map_err(|failure| failure.to_string());
    let needs_no_crd = !suite.cases.is_empty() && suite.cases.iter().all(Case::needs_no_crd);
    let found = found.and_then(|found| match (found.is_empty(), suite.crd_name.as_str()) {
        (false, _) => Ok(found),
        (true, "") if needs_no_crd => {
            out.push(Suite::without_crd(file, (&suite.name, OWN), suite.cases.clone(), options));
            Ok(found)
        }
        (true, "") => Err(format!("the suite names no CRD: add `crdName` or `crd`{FOR_OWN}")),
        (true, name) => Err(format!("no CRD {name} in {}", crds.places(file))),
    });
    let found = found.unwrap_or_else(|why| {
        let others = suite.cases.iter().filter(|case| case.needs_no_crd()).cloned();
        let cases = std::iter::once(Case::broken("the CRD is there", why)).chain(others).collect();
        out.push(Suite::without_crd(file, (&suite.name, &suite.crd_name), cases, options));
        Vec::new()
    });
    for Definition { path, document, .. } in found {
        let name = document.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        out.push(Suite {
            name: suite.name.clone(),
            path: file.to_owned(),
            crd: format!("{} ({})", name.unwrap_or_default(), path.shown()),
            cases: suite.cases.clone(),
            whole: (!suite.version.is_empty() && suite.cases.iter().any(Case::is_conversion))
                .then(|| Target::new(path.clone(), document.clone(), "", options)),
            target: Some(Target::new(path, document, &suite.version, options)),
            is_of_crds: false,
            rejected: None,
            options: options.clone(),
        });
    }
}

impl Options {
    /// Returns the minor version of the server.
    fn minor(&self) -> u32 {
        self.kube.unwrap_or(crdgen_core::server::Server::NEWEST.minor())
    }
}

impl Suite {
    /// Returns a suite with a name, whose cases need no CRD.
    fn without_crd(file: &Path, (name, crd): (&str, &str), cases: Vec<Case>, options: &Options) -> Suite {
        Suite {
            name: name.to_owned(),
            path: file.to_owned(),
            crd: crd.to_owned(),
            cases,
            target: None,
            whole: None,
            is_of_crds: false,
            rejected: None,
            options: options.clone(),
        }
    }

    /// Returns a suite for the broken CRDs of a file. Its cases fail.
    fn of_crds(file: &Path, cases: Vec<Case>, options: &Options) -> Suite {
        Suite { is_of_crds: true, ..Suite::without_crd(file, ("CRDs", ""), cases, options) }
    }

    /// Whether all of its cases need a newer server.
    fn needs_newer(&self) -> bool {
        let minor = self.options.minor();
        !self.cases.is_empty() && self.cases.iter().all(|case| case.needs_newer(minor).is_some())
    }

    /// Whether its CRD is missing, which a case without a place in the file reports.
    fn lacks_crd(&self) -> bool {
        self.target.is_none() && self.cases.iter().any(|case| case.is_broken() && case.at.is_none())
    }

    /// Returns the CRD that the suite tests. If the suite names a version, the CRD has only this version. `None` if the CRD is
    /// missing.
    pub fn definition(&self) -> Option<&Value> {
        self.target.as_ref().map(|target| &target.document)
    }

    /// Runs a case of this suite.
    pub fn run(&self, case: &Case) -> Outcome {
        if let Some(server) = case.needs_newer(self.options.minor()) {
            return Outcome::NeedsNewer(server);
        }
        match (&self.target, &self.rejected) {
            (Some(_), Some(why)) if !case.needs_no_crd() => Outcome::NotRun(why.clone()),
            (Some(target), None) => {
                self.run_on(self.whole.as_ref().filter(|_| case.is_conversion()).unwrap_or(target), case)
            }
            (Some(_), Some(_)) | (None, _) => case.run_alone(),
        }
    }

    /// Returns why the cases cannot run, if the server rejects the CRD.
    pub fn rejected(&self) -> Option<&str> {
        self.rejected.as_deref()
    }

    fn run_on(&self, target: &Target, case: &Case) -> Outcome {
        let newest = self.options.minor();
        let convert = |object: &Value, version: &str| target.convert(object, version);
        let first = case.run(|| target.kind(0, newest), &target.document, &convert);
        let may_be_older = !self.options.exact_words && case.expects_words();
        if matches!(first, Outcome::Passed) || !may_be_older {
            return first;
        }
        let older = OLDER.iter().enumerate().filter(|(_, minor)| **minor < newest).map(|(i, minor)| {
            let kind = || target.kind(i + 1, *minor);
            case.run(kind, &target.document, &convert)
        });
        match older.into_iter().any(|outcome| matches!(outcome, Outcome::Passed)) {
            true => Outcome::PassedInOlderWords,
            false => first,
        }
    }

    fn of_folder(folder: &folders::Folder, crds: &mut Crds, options: &Options) -> Result<Suite, Error> {
        let (found, cases) = folder.cases(crds)?;
        let name = found.as_ref().and_then(|crd| crd.document.get("metadata")?.get("name")?.as_str());
        let is_own = found.is_none() && cases.iter().any(|case| case.own.is_some());
        Ok(Suite {
            name: folder.path.shown().to_string(),
            path: folder.path.clone(),
            crd: name.unwrap_or(if is_own { OWN } else { "" }).to_owned(),
            cases,
            target: found.map(|Definition { path, document }| Target::new(path, document, "", options)),
            whole: None,
            is_of_crds: false,
            rejected: None,
            options: options.clone(),
        })
    }
}

impl Target {
    /// The name of the CRD.
    fn name(&self) -> &str {
        let name = self.document.get("metadata").and_then(|metadata| metadata.get("name"));
        name.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the target for a CRD. If a suite names a version, only this version counts.
    fn new(path: PathBuf, mut document: Value, version: &str, options: &Options) -> Target {
        if !version.is_empty() {
            only(&mut document, version);
        }
        let types = options.types.clone().or_else(|| source::is_rust(&path).then(|| path.clone()));
        Target {
            path,
            document,
            version: version.to_owned(),
            is_any: false,
            kinds: Default::default(),
            types,
            declared: Arc::default(),
        }
    }

    /// Converts an object to another version, as Rust types declare it. `None` if they declare no conversion.
    fn convert(&self, object: &Value, version: &str) -> Result<Option<Value>, Failure> {
        use crate::declared::{Error, Versions};
        let Some(types) = &self.types else { return Ok(None) };
        let read = || {
            let options = source::Options { path: types.clone(), ..source::Options::default() };
            let read = source::conversions(&options, source::Detail::Conversions)
                .map_err(|error| Failure::from(error.to_string()))?;
            let is_error =
                |found: &&crdgen_source::Found| found.diag.level == crdgen_core::diag::Level::Error;
            match read.found.iter().find(is_error) {
                Some(found) => Err(found.diag.text().into()),
                None => Ok(read.crates),
            }
        };
        let declared = self.declared.get_or_init(read).as_ref().map_err(Clone::clone)?;
        let (group, from) = object.text("apiVersion").split_once('/').unwrap_or_default();
        let found = declared.iter().find_map(|declared| Versions::of(declared, group, object.text("kind")));
        let (Some(versions), Some(members)) = (found, object.as_map()) else { return Ok(None) };
        versions.convert(members.clone(), from, version).map(Some).map_err(|error| match &error {
            Error::Code { .. } => {
                format!("{error}, so it cannot test this conversion: test it in Rust").into()
            }
            Error::Value(_) => error.to_string().into(),
        })
    }

    fn kind(&self, index: usize, minor: u32) -> Result<&CompiledKind, Failure> {
        let make = || match self.is_any {
            false => kind(&self.document, &self.version, minor)
                .map_err(|why| format!("{}: {why}", self.path.shown()).into()),
            true => {
                let crd = decoded(self.document.clone())?;
                CompiledKind::established(crd, minor).map_err(|problems| problems.to_string().into())
            }
        };
        let made = self.kinds[index].get_or_init(make);
        made.as_ref().map_err(Clone::clone)
    }
}

/// Compiles a CRD in YAML. If a version is named, the CRD has only this version.
fn kind(document: &Value, version: &str, minor: u32) -> Result<CompiledKind, Failure> {
    let mut document = document.clone();
    if !version.is_empty() {
        let names: Vec<&str> =
            versions(&document).iter().filter_map(|it| it.get("name").and_then(Value::as_str)).collect();
        if !names.contains(&version) {
            return Err(format!("the CRD has no version {version}; it has {}", names.join(", ")).into());
        }
        only(&mut document, version);
    }
    CompiledKind::on(decoded(document)?, minor)
        .map_err(|problems| format!("the server rejects the CRD:\n{problems}").into())
}

fn decoded(document: Value) -> Result<Crd, Failure> {
    let (crd, diags) = crdgen_core::decode::crd(document);
    Ok(crd.ok_or_else(|| diags.iter().map(|d| d.shown()).collect::<Vec<_>>().join("\n"))?)
}

/// Returns the versions of a CRD.
fn versions(document: &Value) -> &[Value] {
    let versions = document.get("spec").and_then(|spec| spec.get("versions")).and_then(Value::as_list);
    versions.unwrap_or_default()
}

/// Keeps only one version, which is then served and stored.
fn only(document: &mut Value, version: &str) {
    let versions =
        document.as_map_mut().and_then(|crd| crd.get_mut("spec")?.as_map_mut()?.get_mut("versions"));
    let Some(Value::List(versions)) = versions else { return };
    versions.retain(|v| v.get("name").and_then(Value::as_str) == Some(version));
    for version in versions.iter_mut().filter_map(Value::as_map_mut) {
        version.insert("served", true.into());
        version.insert("storage", true.into());
    }
}

/// Returns a member that is a text, or an empty text.
fn text(map: &Map<Value>, name: &str) -> String {
    map.text(name).to_owned()
}
