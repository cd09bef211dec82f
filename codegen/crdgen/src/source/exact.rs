//! The exact way: a small program is compiled against the package, and the types themselves are asked.

use super::{Failure, Options, cargo, files};
use crdgen_core::ir::Crd;
use crdgen_core::read::rust::resolve::{CrateSource, Program};
use crdgen_core::{json, read, shape};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The definitions of all kinds in the libraries of the packages, made by the compiled types. Kinds that
/// are not public cannot be asked; the compiler says so.
pub fn exact(options: &Options) -> Result<Vec<Crd>, Failure> {
    let mut workspace = cargo::Workspace::new(options);
    let roots = workspace.roots()?;
    let mut crds = Vec::new();
    for root in roots {
        let paths = Program::new(&mut files::Files::new(&mut workspace), root.clone()).paths();
        let is_library = root.root.ends_with("lib.rs");
        if paths.is_empty() || !is_library {
            continue;
        }
        crds.extend(ask(&mut workspace, &root, &paths)?);
    }
    let (crds, diags) = shape::merge(crds);
    match diags.first() {
        Some(diag) => Err(Failure(diag.text())),
        None => Ok(crds),
    }
}

/// The definitions the compiled types make, checked as those of the sources are; nothing that is wrong has a
/// place in a file.
pub fn read_exact(options: &Options) -> Result<super::Definitions, Failure> {
    let mut crds = exact(options)?;
    crds.retain(|crd| options.kinds.is_empty() || options.kinds.contains(&crd.spec.names.kind));
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    let found = match options.unchecked {
        true => Vec::new(),
        false => {
            let all = crds.iter().flat_map(|crd| crate::kind::findings(crd, options.kube));
            all.map(|diag| super::Found { diag, at: None }).collect()
        }
    };
    Ok(super::Definitions { crds, found, files: Vec::new() })
}

fn ask(workspace: &mut cargo::Workspace, root: &CrateSource, paths: &[String]) -> Result<Vec<Crd>, Failure> {
    let failed = |what: String| Failure(format!("cannot ask the types of {}: {what}", root.name));
    let Some(metadata) = workspace.metadata() else { return Err(failed("cargo metadata failed".into())) };
    let own = Path::new(&root.root).canonicalize().unwrap_or_default();
    let is_own = |p: &&cargo::Package| p.library.as_ref().is_some_and(|(_, r)| Path::new(r) == own);
    let Some(package) = metadata.packages.values().find(is_own) else {
        return Err(failed("the package is not in the workspace".into()));
    };
    let Some(crdgen) = metadata.packages.values().find(|p| p.name == "crdgen") else {
        return Err(failed("it does not depend on crdgen".into()));
    };
    let folder =
        |manifest: &str| Path::new(manifest).parent().unwrap_or(Path::new(".")).display().to_string();
    let crdgen = match crdgen.foreign {
        true => format!("version = \"={}\"", crdgen.version),
        false => format!("path = {:?}", folder(&crdgen.manifest)),
    };
    let features: Vec<String> = package.features.iter().map(|f| format!("{f:?}")).collect();
    let manifest = format!(
        "[package]\nname = \"crdgen-exact\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         subject = {{ package = {:?}, path = {:?}, default-features = false, features = [{}] }}\n\
         crdgen = {{ {crdgen}, default-features = false }}\n",
        package.name,
        folder(&package.manifest),
        features.join(", "),
    );
    let mut main = String::from("fn main() {\n");
    for path in paths {
        _ = writeln!(
            main,
            "    println!(\"{{}}\", <subject::{path} as crdgen::CustomResource>::crd_json());"
        );
    }
    main.push_str("}\n");
    let place = Path::new(&metadata.target).join("crdgen-exact").join(&package.name);
    let io = |e: std::io::Error| failed(format!("{}: {e}", place.display()));
    crate::output::write_if_changed(&place.join("Cargo.toml"), &manifest).map_err(io)?;
    crate::output::write_if_changed(&place.join("src/main.rs"), &main).map_err(io)?;
    if let Ok(lock) = std::fs::read_to_string(Path::new(&metadata.root).join("Cargo.lock"))
        && !place.join("Cargo.lock").exists()
    {
        crate::output::write_if_changed(&place.join("Cargo.lock"), &lock).map_err(io)?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--manifest-path"])
        .arg(place.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", Path::new(&metadata.target).join("crdgen-exact").join("target"))
        .stderr(Stdio::inherit())
        .output()
        .map_err(io)?;
    if !output.status.success() {
        return Err(failed("the program that asks them did not compile or run".into()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .map(|line| {
            let value = json::read(line.as_bytes()).map_err(|e| failed(e.to_string()))?;
            let mut crd = read::crd(value).0.ok_or_else(|| failed("an answer is no definition".into()))?;
            written(&mut crd);
            Ok(crd)
        })
        .collect()
}

/// Takes out what reading fills in, so that the definition is written as it was.
fn written(crd: &mut Crd) {
    let names = &mut crd.spec.names;
    if names.list_kind == format!("{}List", names.kind) {
        names.list_kind.clear();
    }
    if crd.spec.conversion.as_ref().is_some_and(|c| c.strategy == "None" && c.client_config.is_none()) {
        crd.spec.conversion = None;
    }
}
