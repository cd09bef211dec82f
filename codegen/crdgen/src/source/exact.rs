//! The exact way: the package is compiled as it always is, a small program is linked to it, and the types
//! themselves are asked. Nothing is built twice: the program uses what cargo has built for the package.

use super::{Definitions, Failure, Options, cargo, files};
use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Code, Diag, Level, codes as all_codes};
use crdgen_core::ir::Crd;
use crdgen_core::path;
use crdgen_core::read::rust::resolve::{Asked, CrateSource, Found, Program};
use crdgen_core::value::Value;
use crdgen_core::{decode, json, recipe};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the lines of the program's answer start with; other lines are the package's own.
const DEFINITION: &str = "crdgen-definition:";
const PROBLEM: &str = "crdgen-problem:";

/// The definitions of all kinds in the libraries of the packages, made by the compiled types and checked as
/// those of the sources are.
pub fn read_exact(options: &Options) -> Result<Definitions, Failure> {
    super::on_its_stack(|| ask_all(options), Failure)
}

fn ask_all(options: &Options) -> Result<Definitions, Failure> {
    if options.path.extension().is_some_and(|e| e == "rs") {
        let file = options.path.display();
        return Err(Failure(format!("{file}: a file alone is not compiled: give the folder of its package")));
    }
    let mut workspace = cargo::Workspace::new(options);
    let mut out = Definitions::default();
    let (mut crds, mut places) = (Vec::new(), Vec::new());
    for root in workspace.roots()? {
        let mut sources = files::Files::new(&mut workspace);
        let asked = Program::new(&mut sources, root.clone()).asked();
        out.files.append(&mut sources.read);
        out.crates.entry(root.name.clone()).or_default();
        let wanted = |a: &Asked| options.kinds.is_empty() || options.kinds.contains(&a.kind);
        // A binary may declare the modules of its library once more.
        let is_new = |a: &Asked| !places.iter().any(|(_, at)| a.at.is_some() && a.at == *at);
        let asked: Vec<Asked> = asked.into_iter().filter(|a| wanted(a) && is_new(a)).collect();
        places.extend(asked.iter().map(|a| (a.kind.clone(), a.at.clone())));
        if asked.is_empty() {
            continue;
        }
        let subject = Subject::find(&mut workspace, &root);
        let (reached, others): (Vec<&Asked>, Vec<&Asked>) =
            asked.iter().partition(|a| subject.is_some() && a.path.is_some());
        out.found.extend(others.iter().map(|a| unreached(a, subject.is_none())));
        if let Some(subject) = subject.filter(|_| !reached.is_empty()) {
            let asked = subject.ask(options, &reached, &mut out.found);
            let names = asked.iter().map(|crd| crd.metadata.name.clone());
            out.crates.entry(root.name.clone()).or_default().extend(names);
            crds.extend(asked);
        }
    }
    let (mut crds, diags) = recipe::merge(crds);
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    let place = |kind: &str| places.iter().find(|(k, _)| k == kind).and_then(|(_, at)| at.clone());
    out.found.extend(diags.into_iter().map(|diag| Found { at: place(&diag.field), diag }));
    if !options.unchecked {
        for crd in &crds {
            let found = crate::kind::findings(crd, options.kube).into_iter();
            out.found.extend(found.map(|diag| Found { diag, at: place(&crd.spec.names.kind) }));
        }
    }
    out.found.iter_mut().filter_map(|f| f.at.as_mut()).for_each(super::shorten);
    out.crds = crds;
    out.files.sort();
    out.files.dedup();
    Ok(out)
}

fn unreached(asked: &Asked, in_program: bool) -> Found {
    let (why, help) = match in_program {
        true => {
            ("is part of a program", "move it into a library that the program uses, or leave --exact out")
        }
        false => ("is not public", "make the type and its modules `pub`, or leave --exact out"),
    };
    let message = format!("`{}` {why}, so it cannot be asked", asked.name);
    let diag = Diag::own(&codes::NOT_ASKED, Level::Error, &path::Path::ROOT, message).help(help);
    Found { diag, at: asked.at.clone() }
}

/// Tells the readings of one process apart.
static READINGS: AtomicUsize = AtomicUsize::new(0);

/// A library that is asked.
struct Subject {
    /// The package, as cargo names it.
    id: String,
    package: String,
    manifest: PathBuf,
    /// The packages that are this crate, as cargo names them.
    crdgen: Vec<String>,
    /// Where cargo builds.
    target: String,
    /// Where the program goes: a folder of this reading alone, since others may ask the same package just now.
    place: PathBuf,
}

impl Drop for Subject {
    fn drop(&mut self) {
        // What cannot be removed is in the way of nobody.
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

impl Subject {
    fn find(workspace: &mut cargo::Workspace, root: &CrateSource) -> Option<Subject> {
        let metadata = workspace.metadata()?;
        let own = Path::new(&root.root).canonicalize().ok()?;
        let is_own = |p: &cargo::Package| {
            p.library.as_ref().is_some_and(|(_, r)| Path::new(r).canonicalize().ok() == Some(own.clone()))
        };
        let (id, package) = metadata.packages.iter().find(|(_, p)| is_own(p))?;
        let crdgen = metadata.packages.iter().filter(|(_, p)| p.name == "crdgen").map(|(id, _)| id.clone());
        Some(Subject {
            id: id.clone(),
            package: package.name.clone(),
            manifest: PathBuf::from(&package.manifest),
            crdgen: crdgen.collect(),
            target: metadata.target.clone(),
            place: Path::new(&metadata.target).join("crdgen-exact").join(format!(
                "{}-{}-{}",
                package.name,
                std::process::id(),
                READINGS.fetch_add(1, Ordering::Relaxed)
            )),
        })
    }

    /// What the types say. What goes wrong is found.
    fn ask(&self, options: &Options, asked: &[&Asked], found: &mut Vec<Found>) -> Vec<Crd> {
        let failed = |what: String, help: &str| {
            let message = format!("the types of {} cannot be asked: {what}", self.package);
            let diag = Diag::own(&codes::NOT_COMPILED, Level::Error, &path::Path::ROOT, message);
            Found { diag: diag.help(help), at: None }
        };
        let answer =
            self.build(options).and_then(|built| self.link(&built, asked)).and_then(|program| run(&program));
        let text = match answer {
            Ok(text) => text,
            Err((what, help)) => {
                found.push(failed(what, help));
                return Vec::new();
            }
        };
        let mut crds = Vec::new();
        for line in text.lines() {
            if let Some(definition) = line.strip_prefix(DEFINITION) {
                match json::read(definition.as_bytes()).ok().and_then(|value| decode::crd(value).0) {
                    Some(crd) => crds.push(written(crd)),
                    None => found.push(failed("an answer is no definition".into(), "")),
                }
            } else if let Some(problem) = line.strip_prefix(PROBLEM) {
                found.extend(problem_of(problem, asked));
            }
        }
        crds
    }

    /// Has cargo build the library, its messages shown as they come.
    fn build(&self, options: &Options) -> Result<Built, Trouble> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        command.args([
            "rustc",
            "--lib",
            "--crate-type",
            "lib",
            "--message-format",
            "json-render-diagnostics",
        ]);
        command.arg("--quiet").arg("--manifest-path").arg(&self.manifest);
        command.arg("--target-dir").arg(&self.target);
        if options.all_features {
            command.arg("--all-features");
        }
        if options.no_default_features {
            command.arg("--no-default-features");
        }
        if !options.features.is_empty() {
            command.arg("--features").arg(options.features.join(","));
        }
        let output = command.current_dir(self.folder()).stderr(Stdio::inherit()).output().map_err(|e| {
            (format!("{}: {e}", cargo.to_string_lossy()), "install cargo, or leave --exact out")
        })?;
        if !output.status.success() {
            return Err((
                "it does not compile".into(),
                "what the compiler says stands above; without --exact the sources are read as they are",
            ));
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        Ok(self.artifacts(messages.lines().filter_map(|line| json::read(line.as_bytes()).ok())))
    }

    fn artifacts(&self, messages: impl Iterator<Item = Value>) -> Built {
        let mut built = Built::default();
        let text = |v: &Value, key: &str| v.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let list = |v: &Value, key: &str| v.get(key).and_then(Value::as_list).unwrap_or_default().to_vec();
        for message in messages {
            let id = text(&message, "package_id");
            for folder in list(&message, "linked_paths").iter().filter_map(Value::as_str) {
                // `native=folder`, or the folder alone.
                built.folders.push(folder.to_owned());
            }
            let files = list(&message, "filenames");
            let files: Vec<&Path> = files.iter().filter_map(Value::as_str).map(Path::new).collect();
            for folder in files.iter().filter_map(|file| file.parent()) {
                built.folders.push(format!("dependency={}", folder.display()));
                built.folders.push(format!("dependency={}", folder.join("deps").display()));
            }
            let Some(library) = library(&files) else { continue };
            if id == self.id {
                built.subject = Some(library);
            } else if self.crdgen.contains(&id) {
                built.crdgen.push((list(&message, "features").len(), library));
            }
        }
        built.folders.sort();
        built.folders.dedup();
        // Build scripts may use this crate too, with features that programs have no need of.
        built.crdgen.sort();
        built
    }

    /// Compiles the program that asks.
    fn link(&self, built: &Built, asked: &[&Asked]) -> Result<PathBuf, Trouble> {
        let (Some(subject), false) = (&built.subject, built.crdgen.is_empty()) else {
            return Err(("it does not depend on crdgen".into(), "add crdgen to its dependencies"));
        };
        let source = self.place.join("main.rs");
        let program = self.place.join(format!("ask{}", std::env::consts::EXE_SUFFIX));
        let io = |e: std::io::Error| (format!("{}: {e}", self.place.display()), "");
        crate::output::write_if_changed(&source, &text(asked)).map_err(io)?;
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut said = String::new();
        for (_, crdgen) in &built.crdgen {
            let mut command = Command::new(&rustc);
            command
                .args(["--edition", "2021", "--crate-name", "ask", "-C", "debuginfo=0", "-o"])
                .arg(&program);
            command.arg("--extern").arg(format!("subject={}", subject.display()));
            command.arg("--extern").arg(format!("crdgen={}", crdgen.display()));
            command.args(built.folders.iter().flat_map(|folder| ["-L", folder.as_str()]));
            let output = command.arg(&source).current_dir(self.folder()).output();
            let output = output.map_err(|e| (format!("{}: {e}", rustc.to_string_lossy()), ""))?;
            if output.status.success() {
                return Ok(program);
            }
            said = String::from_utf8_lossy(&output.stderr).into_owned();
        }
        // Where standard error is full or closed there is nobody to tell.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), said.as_bytes());
        Err((
            "the program that asks them does not compile".into(),
            "what the compiler says stands above; without --exact the sources are read as they are",
        ))
    }

    fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new("."))
    }
}

/// What is wrong, and what to do about it.
type Trouble = (String, &'static str);

/// What cargo has built.
#[derive(Default)]
struct Built {
    subject: Option<PathBuf>,
    /// This crate as it was built, with how many features.
    crdgen: Vec<(usize, PathBuf)>,
    /// Where the compiler finds the rest.
    folders: Vec<String>,
}

/// The program: every kind in turn.
fn text(asked: &[&Asked]) -> String {
    let mut out = format!(
        "#![allow(warnings)]

fn ask<K: crdgen::CustomResource>(name: &str) {{
    match K::definition() {{
        Ok(_) => println!(\"{DEFINITION}{{}}\", K::crd_json()),
        Err(problems) => for it in problems.diags {{
            let help = it.help.unwrap_or_default();
            println!(\"{PROBLEM}{{name:?}} {{:?}} {{:?}} {{:?}} {{help:?}}\", it.code.id, it.field, it.detail);
        }}
    }}
}}

fn main() {{
"
    );
    for Asked { name, path, .. } in asked {
        let path = path.as_deref().unwrap_or_default();
        _ = writeln!(out, "    ask::<subject::{path}>({name:?});");
    }
    out.push_str("}\n");
    out
}

fn run(program: &Path) -> Result<String, Trouble> {
    let output = Command::new(program).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| (format!("{}: {e}", program.display()), ""))?;
    if !output.status.success() {
        return Err((
            "the program that asks them fails".into(),
            "code that computes a default or a schema ran into the error above",
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A problem of a kind, as the program writes it: five texts as Rust writes them.
fn problem_of(line: &str, asked: &[&Asked]) -> Option<Found> {
    let tokens: proc_macro2::TokenStream = line.parse().ok()?;
    let mut texts = tokens.into_iter().map(|t| syn::parse2::<syn::LitStr>(t.into()).map(|s| s.value()));
    let mut text = || texts.next()?.ok();
    let (name, code, field, detail, help) = (text()?, text()?, text()?, text()?, text()?);
    let code: &'static Code = all_codes::find(&code).unwrap_or(&codes::NOT_ASKED);
    let mut diag = Diag::own(code, Level::Error, &path::Path::ROOT, detail);
    diag.field = field;
    diag.help = (!help.is_empty()).then_some(help);
    let at = asked.iter().find(|a| a.name == name).and_then(|a| a.at.clone());
    Some(Found { diag, at })
}

/// Takes out what reading fills in, so that the definition is written as it was.
fn written(mut crd: Crd) -> Crd {
    let names = &mut crd.spec.names;
    if names.list_kind == format!("{}List", names.kind) {
        names.list_kind.clear();
    }
    if crd.spec.conversion.as_ref().is_some_and(|c| c.strategy == "None" && c.client_config.is_none()) {
        crd.spec.conversion = None;
    }
    crd
}

/// The library among what cargo says it made. The one beside the metadata is of this build alone; the one that
/// cargo puts in front may by now be of another, with other features.
fn library(files: &[&Path]) -> Option<PathBuf> {
    let of = |extension: &str| files.iter().find(|file| file.extension().is_some_and(|e| e == extension));
    let own = of("rmeta").map(|file| file.with_extension("rlib")).filter(|file| file.is_file());
    own.or_else(|| of("rlib").map(|file| file.to_path_buf()))
}
