//! Generates tables of Kubernetes' own kinds from Go modules: that of most kinds, and those of CRDs and API services.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crdgen_core::value::Value;
use crdgen_tests::corpus::tests_dir;
use crdgen_tests::json::parse;

/// The module of most kinds.
const API: &str = "k8s.io/api";

/// The modules of the other kinds, which servers of aggregated APIs serve. Their newest versions have all kinds.
const SERVERS: [&str; 2] = ["k8s.io/apiextensions-apiserver", "k8s.io/kube-aggregator"];

/// The versions of `API` in which kinds appear for the last time. Later modules do not contain kinds that have been
/// removed for some time.
const OLD: [&str; 3] = ["v0.22.0", "v0.26.0", "v0.28.0"];

/// From this version to the newest one, all are read: their types show when a kind is really gone, which is sometimes before its lifecycle
/// data says so.
const EACH_SINCE: u32 = 31;

/// Group, version and kind.
type Gvk = (String, String, String);

/// What the methods of a Go type return.
#[derive(Default)]
struct Row {
    introduced: Option<u32>,
    deprecated: Option<u32>,
    removed: Option<u32>,
    replacement: Option<Gvk>,
    /// Whether the newest module has the type.
    is_in_newest: bool,
    /// The last of the modules of each version that has it.
    last: Option<u32>,
}

/// The folder of the groups of a module.
struct Module {
    folder: PathBuf,
    is_newest: bool,
    /// The minor version, if the modules of all later ones are read too.
    minor: Option<u32>,
}

/// All modules.
fn all_groups() -> io::Result<Vec<Module>> {
    let mut out = Vec::new();
    for version in OLD {
        out.push(Module { folder: folder(API, version)?, is_newest: false, minor: None });
    }
    let newest = newest()?;
    let last = newest.split('.').nth(1).and_then(|minor| minor.parse().ok());
    let last: u32 = last.ok_or_else(|| io::Error::other(format!("{newest} is not a version")))?;
    for minor in EACH_SINCE..last {
        let folder = folder(API, &format!("v0.{minor}.0"))?;
        out.push(Module { folder, is_newest: false, minor: Some(minor) });
    }
    out.push(Module { folder: folder(API, &newest)?, is_newest: true, minor: Some(last) });
    for module in SERVERS {
        let folder = folder(module, &newest)?.join("pkg/apis");
        out.push(Module { folder, is_newest: true, minor: None });
    }
    Ok(out)
}

/// What the comment of a type has if its objects are not in namespaces.
const OF_CLUSTER: &str = "+genclient:nonNamespaced";

/// `codegen/tasks/src/validate/of_cluster.rs`
///
/// # Errors
/// Returns an error if Go cannot get the modules, or if they do not have the expected form.
pub fn of_cluster() -> io::Result<String> {
    let mut found = BTreeSet::new();
    for module in all_groups()? {
        for version in versions(&module.folder)? {
            for file in files(&version.folder)? {
                let text = std::fs::read_to_string(file)?;
                let mut is_of_cluster = false;
                for line in text.lines() {
                    is_of_cluster |= line.contains(OF_CLUSTER);
                    if let Some(kind) =
                        line.strip_prefix("type ").and_then(|rest| rest.strip_suffix(" struct {"))
                        && std::mem::take(&mut is_of_cluster)
                    {
                        found.insert((version.group.clone(), kind.to_owned()));
                    }
                }
            }
        }
    }
    let mut out = String::from(
        "//! Written by `tables write`, from the Go modules of Kubernetes. Do not edit.\n\n\
         /// The groups and names of Kubernetes' own kinds whose objects are not in namespaces, sorted.\n\
         #[rustfmt::skip]\n\
         pub(super) static OF_CLUSTER: &[(&str, &str)] = &[\n",
    );
    for (group, kind) in found {
        let _ = writeln!(out, "    (\"{group}\", \"{kind}\"),");
    }
    out.push_str("];\n");
    Ok(out)
}

/// The first version with CRDs of `apiextensions.k8s.io/v1`: kinds that are as old count as always there.
const FIRST: u32 = 16;

/// `codegen/core/src/object/lifecycle/table.rs`
///
/// # Errors
/// Returns an error if Go cannot get the modules, or if they do not have the expected form.
pub fn table() -> io::Result<String> {
    let mut rows: BTreeMap<Gvk, Row> = BTreeMap::new();
    for module in all_groups()? {
        read(&module, &mut rows)?;
    }
    let mut out = String::from(
        "//! Written by `tables write`, from the lifecycle data in the Go modules of Kubernetes. Do not edit.\n\n\
         use super::{Lifecycle, row};\n\n\
         /// Sorted by group, version and kind.\n\
         #[rustfmt::skip]\n\
         pub(super) static TABLE: &[Lifecycle] = &[\n",
    );
    for (gvk @ (group, version, kind), row) in &rows {
        let gone = row.last.filter(|_| !row.is_in_newest).map(|last| last + 1);
        let gone = gone.filter(|gone| row.removed.is_none_or(|removed| *gone < removed));
        let is_new = row.introduced.is_some_and(|introduced| introduced > FIRST);
        if row.deprecated.is_none() && row.removed.or(gone).is_none() && !is_new {
            continue;
        }
        let replacement = match last(gvk, &rows) {
            Some((group, version, kind)) => format!("Some((\"{group}\", \"{version}\", \"{kind}\"))"),
            None => "None".to_owned(),
        };
        let number = |minor: Option<u32>| minor.map_or("None".to_owned(), |minor| format!("Some({minor})"));
        let introduced = number(row.introduced.filter(|introduced| *introduced > FIRST));
        let (deprecated, removed, gone) = (number(row.deprecated), number(row.removed), number(gone));
        let _ = writeln!(
            out,
            "    row((\"{group}\", \"{version}\", \"{kind}\"), {introduced}, {deprecated}, {removed}, {gone}, {replacement}),"
        );
    }
    out.push_str("];\n");
    Ok(out)
}

/// Returns the kind that replaces another one and is not removed itself, at most in a version that is as old.
fn last<'r>(gvk: &'r Gvk, rows: &'r BTreeMap<Gvk, Row>) -> Option<&'r Gvk> {
    let mut at = gvk;
    // Each step leads to a newer version, but the data could have a circle.
    for _ in 0..rows.len() {
        let Some(row) = rows.get(at) else { break };
        let Some(next) = row.replacement.as_ref().or_else(|| stable(at, rows)).filter(|next| *next != at)
        else {
            break;
        };
        at = next;
    }
    (at != gvk).then_some(at)
}

/// Returns the same kind in a stable version.
fn stable<'r>((group, version, kind): &Gvk, rows: &'r BTreeMap<Gvk, Row>) -> Option<&'r Gvk> {
    let is_stable = |version: &str| version.starts_with('v') && version[1..].parse::<u32>().is_ok();
    if is_stable(version) {
        return None;
    }
    let same =
        rows.iter().filter(|((g, v, k), row)| g == group && k == kind && is_stable(v) && row.is_in_newest);
    same.map(|(gvk, _)| gvk).next_back()
}

/// Returns the version of the module that `tests/k8s-types` uses.
fn newest() -> io::Result<String> {
    let text = std::fs::read_to_string(tests_dir().join("k8s-types/go.mod"))?;
    let version = text.lines().find_map(|line| line.trim().strip_prefix("k8s.io/api "));
    version.map(str::to_owned).ok_or_else(|| io::Error::other("k8s-types/go.mod does not name k8s.io/api"))
}

/// Returns the folder with the sources of a version of a module.
fn folder(module: &str, version: &str) -> io::Result<PathBuf> {
    let module = format!("{module}@{version}");
    let out = Command::new("go")
        .args(["mod", "download", "-json", &module])
        .current_dir(tests_dir().join("k8s-types"))
        .output()?;
    if !out.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&out.stderr).into_owned()));
    }
    let answer = parse(&String::from_utf8_lossy(&out.stdout)).map_err(io::Error::other)?;
    let folder = answer.get("Dir").and_then(Value::as_str);
    folder.map(PathBuf::from).ok_or_else(|| io::Error::other(format!("no folder of {module}")))
}

/// A version of a group: the folder `apps/v1beta1`.
struct Version {
    folder: PathBuf,
    group: String,
    /// The text of `register.go`.
    register: String,
}

/// Finds the versions in a module.
fn versions(module: &Path) -> io::Result<Vec<Version>> {
    let mut out = Vec::new();
    for group in folders(module)? {
        for folder in folders(&group)? {
            let Ok(register) = std::fs::read_to_string(folder.join("register.go")) else { continue };
            let Some(group) = quoted_after(&register, "const GroupName = ").map(str::to_owned) else {
                continue;
            };
            out.push(Version { folder, group, register });
        }
    }
    Ok(out)
}

/// Reads the lifecycle data of a module.
fn read(module: &Module, rows: &mut BTreeMap<Gvk, Row>) -> io::Result<()> {
    for Version { folder, group, register } in versions(&module.folder)? {
        let version = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let of = |kind: &str| (group.clone(), version.clone(), kind.to_owned());
        let registered = register.split_once("AddKnownTypes").map_or("", |(_, rest)| rest);
        for line in registered.lines() {
            let Some(kind) = line.trim().strip_prefix('&').and_then(|l| l.strip_suffix("{},")) else {
                continue;
            };
            if !kind.ends_with("List") && (module.is_newest || module.minor.is_some()) {
                let row = rows.entry(of(kind)).or_default();
                row.is_in_newest |= module.is_newest;
                row.last = row.last.max(module.minor);
            }
        }
        // The methods of some kinds of the core group are written by hand.
        for name in ["zz_generated.prerelease-lifecycle.go", "lifecycle.go"] {
            let Ok(data) = std::fs::read_to_string(folder.join(name)) else { continue };
            methods(&data, &of, rows)?;
        }
    }
    Ok(())
}

fn folders(of: &Path) -> io::Result<Vec<PathBuf>> {
    entries(of, Path::is_dir)
}

/// The Go files in a folder.
fn files(of: &Path) -> io::Result<Vec<PathBuf>> {
    entries(of, |path| path.extension().is_some_and(|extension| extension == "go"))
}

fn entries(of: &Path, wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let all = std::fs::read_dir(of)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut out: Vec<PathBuf> = all.filter(|path| wanted(path)).collect();
    out.sort();
    Ok(out)
}

/// Reads the methods: `func (in *Deployment) APILifecycleRemoved() (major, minor int) {` and the line after it.
fn methods(text: &str, of: &impl Fn(&str) -> Gvk, rows: &mut BTreeMap<Gvk, Row>) -> io::Result<()> {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((kind, method)) = line.strip_prefix("func (in *").and_then(|rest| rest.split_once(") "))
        else {
            continue;
        };
        let returned = lines.next().and_then(|line| line.trim().strip_prefix("return ")).unwrap_or_default();
        if kind.ends_with("List") {
            continue;
        }
        let bad = || io::Error::other(format!("{line}: {returned}"));
        let minor = || {
            let minor = returned.strip_prefix("1, ").and_then(|minor| minor.parse().ok());
            minor.ok_or_else(bad)
        };
        let row = rows.entry(of(kind)).or_default();
        match method.split_once('(').map(|(name, _)| name) {
            Some("APILifecycleIntroduced") => row.introduced = Some(minor()?),
            Some("APILifecycleDeprecated") => row.deprecated = Some(minor()?),
            Some("APILifecycleRemoved") => row.removed = Some(minor()?),
            Some("APILifecycleReplacement") => {
                let part = |name: &str| quoted_after(returned, name).map(str::to_owned).ok_or_else(bad);
                let kind = part("Kind: ")?;
                // The module names the list of a kind in one place.
                let kind = kind.strip_suffix("List").unwrap_or(&kind).to_owned();
                row.replacement = Some((part("Group: ")?, part("Version: ")?, kind));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the text in quotes that follows a text.
fn quoted_after<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.trim_start().strip_prefix('"')?.split_once('"')?.0)
}
