//! Gets CRDs from the compiled types.

use super::copy::Copy;
use super::dependency::Derive;
use super::generated::KINDS;
use super::{NotRun, Subject, build, failed, is_linkable, is_package, unreached};
use crate::Error;
use crate::input::Shown;
use crate::source::merges::Stored;
use crate::source::{self, About, Definitions, Options, Withheld, cargo, files};
use crdgen_core::check::attributes;
use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Code, Diag, Diags, Level, codes as all_codes};
use crdgen_core::ir::Crd;
use crdgen_core::path;
use crdgen_core::{decode, json, recipe};
use crdgen_source::{Asked, CrateSource, Found, Program, once};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The start of a line of the program's answer. The package itself may print other lines.
const DEFINITION: &str = "crdgen-definition:";
const PROBLEM: &str = "crdgen-problem:";

/// Compiles the packages and runs their code, and returns the CRDs of all kinds in their libraries, after the same checks as for sources.
pub fn read_exact(options: &Options) -> Result<Definitions, Error> {
    let options = Options { trusted: true, ..options.clone() };
    source::on_its_stack(|| ask_all(&options))
}

/// Reads the sources, and compiles the packages only if a kind cannot be determined from the sources.
pub fn read_exact_where_needed(options: &Options) -> Result<Definitions, Error> {
    let mut read = source::read(options)?;
    if read.withheld.is_empty() && !read.is_built {
        return Ok(read);
    }
    // The sources do not show the kinds that a build script writes.
    let kinds = match read.is_built {
        true => options.kinds.clone(),
        false => read.withheld.iter().map(|it| it.kind.clone()).collect(),
    };
    let mut exact = read_exact(&Options { kinds, ..options.clone() })?;
    exact.crds.retain(|crd| !read.crds.iter().any(|known| known.metadata.name == crd.metadata.name));
    read.withheld.retain(|it| !exact.crds.iter().any(|crd| crd.metadata.name == it.name));
    if read.withheld.is_empty() {
        // What the sources do not show is known now. Other mistakes are not in the way of kube-derive.
        read.found.retain(|found| !found.is_undetermined());
        for found in read.found.iter_mut().filter(|it| it.diag.level == Level::Error) {
            found.diag.level = Level::Warning;
        }
    }
    if !options.all_or_nothing || read.withheld.is_empty() {
        read.crds.extend(exact.crds);
        read.crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        exact.crates.into_iter().for_each(|(name, more)| read.crates.entry(name).or_default().extend(more));
    }
    read.found.extend(exact.found);
    Ok(read)
}

fn ask_all(options: &Options) -> Result<Definitions, Error> {
    is_package(options)?;
    let mut workspace = cargo::Workspace::new(options);
    let mut out = Definitions::default();
    let (mut crds, mut places, mut merges) = (Vec::new(), Vec::new(), Vec::new());
    let roots = workspace.roots()?;
    // Cargo has not run for a package that does not need it.
    workspace.ask();
    if let Some(failure) = workspace.take_failure() {
        return Err(failure);
    }
    for mut root in roots {
        if let Some(folder) = out_dir(&mut workspace, &root, options)? {
            root.environment.push(("OUT_DIR".to_owned(), folder.to_string_lossy().into_owned()));
        }
        let mut sources = files::Files::new(&mut workspace);
        let program = Program::new(&mut sources, root.clone());
        let asked = program.asked();
        merges.extend(program.merges());
        drop(program);
        out.files.append(&mut sources.read);
        out.crates.entry(root.name.clone()).or_default();
        let wanted = |a: &Asked| options.wants(&a.kind, &a.name);
        // A binary may declare the same modules as its library. Versions of one type have the same place.
        let inside = |a: &Asked| a.name.split_once("::").map(|(_, inside)| inside.to_owned());
        let is_new =
            |a: &Asked| !places.iter().any(|(_, at, own)| a.at.is_some() && a.at == *at && inside(a) == *own);
        let asked: Vec<Asked> = asked.into_iter().filter(|a| wanted(a) && is_new(a)).collect();
        places.extend(asked.iter().map(|a| (a.kind.clone(), a.at.clone(), inside(a))));
        if asked.is_empty() {
            continue;
        }
        let subject = Subject::of(&mut workspace, &root);
        let (asked, others) = Route::of(subject.as_ref(), &asked);
        out.found.extend(unreached(others, subject.as_ref().is_none_or(|it| !it.is_library)));
        for (route, asked) in asked.iter().filter(|(_, asked)| !asked.is_empty()) {
            let Some(subject) = &subject else { continue };
            let run = Run { subject, route: *route, root: &root.root, options };
            let asked = run.crds(asked, &mut out.found);
            let names = asked.iter().map(|crd| crd.metadata.name.clone());
            out.crates.entry(root.name.clone()).or_default().extend(names);
            crds.extend(asked);
        }
    }
    Stored::new(merges, &mut out.found).apply(&mut crds);
    let (mut crds, diags) = recipe::merge(crds);
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    let place = |kind: &str| places.iter().find(|(k, ..)| k == kind).and_then(|(_, at, _)| at.clone());
    let unmerged: Vec<Found> = diags.into_iter().map(|diag| Found { at: place(&diag.field), diag }).collect();
    out.found.extend(unmerged.iter().cloned());
    let mut checked = if options.unchecked { HashMap::new() } else { check(&crds, options)? };
    crds.retain(|crd| {
        let kind = &crd.spec.names.kind;
        let mut why = unmerged.iter().find(|found| found.diag.field == *kind).cloned();
        for Found { diag, at } in checked.remove(&crd.metadata.name).unwrap_or_default() {
            let found = Found { diag, at: at.or_else(|| place(kind)) };
            if found.diag.level == Level::Error {
                why.get_or_insert_with(|| found.clone());
            }
            out.found.push(found);
        }
        let Some(why) = why.filter(|_| !(options.force || options.refused)) else { return true };
        let name = crd.metadata.name.clone();
        out.crates.values_mut().for_each(|names| names.retain(|own| *own != name));
        out.withheld.push(Withheld { name, kind: kind.clone(), why });
        false
    });
    out.found.iter_mut().filter_map(|f| f.at.as_mut()).for_each(source::shorten);
    out.crds = crds;
    out.files.sort();
    out.files.dedup();
    Ok(out)
}

/// The folder to which the build script of a crate's package writes, if the crate includes files from there.
fn out_dir(
    workspace: &mut cargo::Workspace,
    root: &CrateSource,
    options: &Options,
) -> Result<Option<PathBuf>, Error> {
    let mut sources = files::Files::new(workspace);
    if !Program::new(&mut sources, root.clone()).is_built() {
        return Ok(None);
    }
    let Some(subject) = Subject::of(workspace, root) else { return Ok(None) };
    // If the package does not compile, the program that prints its CRDs does not either, which is reported there.
    Ok(build::out_dir(subject.metadata, subject.package, options).unwrap_or_default())
}

/// What the server and the lints report about CRDs, by their names, at the places in the sources as far as these show them.
fn check(crds: &[Crd], options: &Options) -> Result<HashMap<String, Vec<Found>>, Error> {
    let all = crds.iter().map(|crd| once(attributes::findings(crd, &options.lints()).0));
    let all: Vec<Diags> = all.collect();
    let wanted: Vec<(&Crd, Vec<&Diag>)> =
        crds.iter().zip(&all).map(|(crd, diags)| (crd, diags.iter().collect())).collect();
    let places = match all.iter().all(Vec::is_empty) {
        true => all.iter().map(|_| Vec::new()).collect(),
        false => source::places::find(options, &wanted)?,
    };
    let mut known = HashSet::new();
    let mut out = HashMap::new();
    for ((crd, diags), places) in crds.iter().zip(all).zip(places) {
        let found = diags.into_iter().zip(places).map(|(diag, at)| Found { diag, at });
        let is_new =
            |found: &Found| !source::is_about_design(found.diag.code) || known.insert(About::of(found));
        out.insert(crd.metadata.name.clone(), found.filter(is_new).collect());
    }
    Ok(out)
}

/// How crdgen gets the CRDs of kinds.
#[derive(Clone, Copy)]
enum Route {
    /// Another package uses the library.
    Package,
    /// The crate itself, in a copy of its workspace.
    Copy,
}

impl Route {
    /// Returns the kinds for each route, and those that crdgen cannot reach. If there must be a copy, all kinds are called
    /// there, so that only one program is compiled.
    fn of<'a>(
        subject: Option<&Subject<'_>>,
        asked: &'a [Asked],
    ) -> ([(Route, Vec<&'a Asked>); 2], Vec<&'a Asked>) {
        let is_linkable = subject.is_some_and(|it| it.is_library && is_linkable(it.package));
        let is_outside = |it: &&Asked| is_linkable && it.path.is_some();
        let is_inside = |it: &&Asked| subject.is_some() && it.access.is_some();
        let (mut outside, others): (Vec<&Asked>, Vec<&Asked>) = asked.iter().partition(is_outside);
        let (mut inside, others): (Vec<&Asked>, Vec<&Asked>) = others.into_iter().partition(is_inside);
        if !inside.is_empty() {
            let more;
            (more, outside) = outside.into_iter().partition(is_inside);
            inside.extend::<Vec<&Asked>>(more);
        }
        ([(Route::Package, outside), (Route::Copy, inside)], others)
    }
}

/// A run of a program with the types of a crate.
struct Run<'r> {
    subject: &'r Subject<'r>,
    route: Route,
    /// The file of the crate.
    root: &'r str,
    options: &'r Options,
}

impl Run<'_> {
    /// Gets the CRDs from the types. Reports errors in `found`.
    fn crds(&self, asked: &[&Asked], found: &mut Vec<Found>) -> Vec<Crd> {
        let Run { subject, route, root, options } = *self;
        let program = match route {
            Route::Package => subject.generated(KINDS, options).and_then(|generated| {
                let derive = generated.derive;
                Ok((generated.build_package(&text(asked, derive))?, derive))
            }),
            Route::Copy => Copy::new(subject.metadata, subject.package, root, options).and_then(|copy| {
                let ask = format!("#![allow(warnings)]\n\n{}", ask_of(copy.derive));
                Ok((copy.build_package(&ask, asked)?, copy.derive))
            }),
        };
        let answer = program.and_then(|(program, derive)| Ok((run_program(&program)?, derive)));
        let (text, derive) = match answer {
            Ok(answer) => answer,
            Err(why) => {
                found.push(failed(subject.package, why));
                return Vec::new();
            }
        };
        let mut crds = Vec::new();
        for line in text.lines() {
            if let Some(definition) = line.strip_prefix(DEFINITION) {
                match json::read(definition.as_bytes()).ok().and_then(|value| decode::crd(value).0) {
                    Some(crd) => {
                        if derive == Derive::Kube {
                            found.push(of_kube(&crd, asked));
                        }
                        crds.push(written(crd));
                    }
                    None => found.push(failed(
                        subject.package,
                        NotRun::new("the program printed something that is not a CRD", ""),
                    )),
                }
            } else if let Some(problem) = line.strip_prefix(PROBLEM) {
                found.extend(problem_of(problem, asked));
            }
        }
        crds
    }
}

/// The note that a CRD is not crdgen's.
fn of_kube(crd: &Crd, asked: &[&Asked]) -> Found {
    let message = format!("the CRD {} is that of kube-derive, and not of crdgen", crd.metadata.name);
    let help = "the package does not depend on crdgen, so the program uses its own derive. Change its `use` lines to get the CRD of \
                crdgen";
    let diag = Diag::own(&codes::OF_KUBE_DERIVE, Level::Warning, &path::Path::ROOT, message).help(help);
    let at = asked.iter().find(|it| it.kind == crd.spec.names.kind).and_then(|it| it.at.clone());
    Found { diag, at }
}

/// Returns the code of the program, which handles one kind after the other. kube-derive panics if it cannot write a
/// schema.
fn text(asked: &[&Asked], derive: Derive) -> String {
    let ask = ask_of(derive);
    let mut out = format!("#![allow(warnings)]\n\n{ask}\nfn main() {{\n");
    for Asked { name, path, .. } in asked {
        let path = path.as_deref().unwrap_or_default();
        _ = writeln!(out, "    ask::<subject::{path}>({name:?});");
    }
    out.push_str("}\n");
    out
}

fn ask_of(derive: Derive) -> String {
    match derive {
        Derive::Crdgen => ask_crdgen(),
        Derive::Kube => ask_kube(),
    }
}

fn ask_kube() -> String {
    let (code, help) = (
        codes::NOT_COMPILED.id,
        "see the panic above. Change the `use` lines of the package, so that crdgen writes its CRDs",
    );
    format!(
        "pub fn ask<K: kube_core::CustomResourceExt>(name: &str) {{
    match std::panic::catch_unwind(|| serde_json::to_string(&K::crd())) {{
        Ok(Ok(text)) => println!(\"{DEFINITION}{{text}}\"),
        _ => println!(\"{PROBLEM}{{name:?}} {{:?}} {{:?}} {{:?}} {{:?}}\", {code:?}, \"\", format!(\"crd() of {{name}} panics\"), {help:?}),
    }}
}}
"
    )
}

fn ask_crdgen() -> String {
    format!(
        "pub fn ask<K: crdgen::CustomResource>(name: &str) {{
    match K::definition() {{
        Ok(_) => println!(\"{DEFINITION}{{}}\", K::crd_json()),
        Err(problems) => for it in problems.diags {{
            let help = it.help.unwrap_or_default();
            println!(\"{PROBLEM}{{name:?}} {{:?}} {{:?}} {{:?}} {{help:?}}\", it.code.id, it.field, it.detail);
        }}
    }}
}}
"
    )
}

fn run_program(program: &Path) -> Result<String, NotRun> {
    let output = Command::new(program).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| NotRun::new(&format!("{}: {e}", program.shown()), ""))?;
    if !output.status.success() {
        let help = "code that computes a default or a schema ran into the error above";
        return Err(NotRun::new("the program that prints their CRDs fails", help));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Parses a problem with a kind as the program writes it: five Rust string literals.
fn problem_of(line: &str, asked: &[&Asked]) -> Option<Found> {
    let tokens: proc_macro2::TokenStream = line.parse().ok()?;
    let mut texts = tokens.into_iter().map(|t| syn::parse2::<syn::LitStr>(t.into()).map(|s| s.value()));
    let mut text = || texts.next()?.ok();
    let (name, code, field, detail, help) = (text()?, text()?, text()?, text()?, text()?);
    let code: &'static Code = all_codes::find(&code).unwrap_or(&codes::NOT_ASKED);
    let mut diag = Diag::own(code, Level::Error, &path::Path::ROOT, detail);
    // The CRD as a whole has no field.
    if !field.is_empty() {
        diag.field = field;
    }
    diag.help = (!help.is_empty()).then_some(help);
    let at = asked.iter().find(|a| a.name == name).and_then(|a| a.at.clone());
    Some(Found { diag, at })
}

/// Removes what reading fills in, so that the CRD is written as it was.
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
