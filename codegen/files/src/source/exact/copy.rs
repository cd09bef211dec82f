//! Copies the user's workspace, and adds code to the copy that calls the kinds of one crate. So the code reaches private types,
//! and those of programs. The user's files stay as they are.
//!
//! The root of the crate becomes a program: its `main` prints what functions next to the kinds return. These call the
//! package `crdgen-ask`, which does the rest. Cargo reuses the dependencies that it has already built.

use super::build::{self, Built};
use super::dependency::{Dependency, Derive};
use super::{NotRun, no_derive};
use crate::input::Shown;
use crate::source::Options;
use crate::source::cargo::Metadata;
use crate::{Error, input, output};
use cargo_metadata::Package;
use crdgen_rust::syntax::nesting;
use crdgen_source::{Access, Asked};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Files with their content.
type Sources = BTreeMap<PathBuf, String>;

/// The package that the added code calls.
const ASK: &str = "crdgen-ask";

/// A copy of a workspace, before it is written.
pub(super) struct Copy<'m> {
    metadata: &'m Metadata,
    subject: &'m Package,
    /// The root of the crate whose kinds are called.
    root: PathBuf,
    options: &'m Options,
    /// Whose derive has written the code of the kinds.
    pub(super) derive: Derive,
    dependencies: BTreeMap<String, Dependency>,
    /// The name of the program.
    program: String,
    /// The folder of the copy and of `crdgen-ask`. Each question has a folder of its own.
    place: PathBuf,
}

/// What to write in the place of some bytes.
type Edit = (Range<usize>, String);

impl<'m> Copy<'m> {
    pub(super) fn new(
        metadata: &'m Metadata,
        subject: &'m Package,
        root: &str,
        options: &'m Options,
    ) -> Result<Copy<'m>, NotRun> {
        let Some((derive, dependencies)) = Derive::of(metadata, subject) else { return Err(no_derive()) };
        let mut question = DefaultHasher::new();
        let Options { features, all_features, no_default_features, kinds, .. } = options;
        (&subject.id, root, features, all_features, no_default_features, kinds).hash(&mut question);
        let program = format!("crdgen-exact-{:016x}", question.finish());
        let place = metadata.answer.target_directory.as_std_path().join("crdgen-exact").join(&program);
        let root = real(Path::new(root))?;
        Ok(Copy { metadata, subject, root, options, derive, dependencies, program, place })
    }

    /// Writes the copy and builds the program in it. `ask` is the code of `crdgen-ask`: a function `ask`, which gets a kind and
    /// its name.
    pub(super) fn build_package(&self, ask: &str, asked: &[&Asked]) -> Result<PathBuf, NotRun> {
        let is_new = !self.place.exists();
        let manifest = self.write_package(ask, asked)?;
        let mut command = build::cargo_command("rustc", &manifest, self.metadata);
        command.args(["--bin", &self.program]);
        build::add_features(&mut command, self.options);
        // Lints of the package do not expect the added code.
        command.args(["--", "--cap-lints", "allow"]);
        let Built { program, .. } = build::run_cargo(command, self.subject, is_new)?;
        program.ok_or_else(|| {
            build::failed("it does not compile, or only a copy with code that calls its kinds does not")
        })
    }

    /// Writes all files that have changed. Returns the path of the package's manifest.
    fn write_package(&self, ask: &str, asked: &[&Asked]) -> Result<PathBuf, NotRun> {
        let workspace = real(self.metadata.answer.workspace_root.as_std_path())?;
        let copy = self.place.join("copy");
        let mut own = self.sources(&workspace, asked)?;
        let own_manifest = inside(&workspace, self.subject.manifest_path.as_std_path())?;
        let target = self.metadata.answer.target_directory.as_std_path();
        let files = output::files_below(&workspace, &[target])?;
        for file in files.iter().filter(|file| file.ends_with("Cargo.toml")) {
            if let Some(text) = self.manifest(&workspace, file, *file == own_manifest)? {
                own.insert(file.clone(), text);
            }
        }
        let lock = PathBuf::from("Cargo.lock");
        // Cargo adds what the program needs to the lock file.
        let seen = self.place.join("workspace.lock");
        let locked =
            input::read_to_string(&workspace.join(&lock)).map_err(Error::file(&workspace.join(&lock)))?;
        let has_changed = output::write_if_changed(&seen, &locked)?;
        if has_changed || !copy.join(&lock).exists() {
            output::write_if_changed(&copy.join(&lock), &locked)?;
        }
        for (file, text) in &own {
            output::write_if_changed(&copy.join(file), text)?;
        }
        output::mirror(&workspace, &copy, &files, &|file| own.contains_key(file) || *file == lock)?;
        output::write_if_changed(&self.place.join("ask/lib.rs"), ask)?;
        output::write_if_changed(
            &self.place.join("ask/Cargo.toml"),
            &self.manifest_of_ask(&workspace, &copy)?,
        )?;
        Ok(copy.join(own_manifest))
    }

    /// Returns the sources that differ from the user's: those with kinds, and the root of the program.
    fn sources(&self, workspace: &Path, asked: &[&Asked]) -> Result<Sources, NotRun> {
        let mut edits: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
        let mut calls = String::new();
        for (number, Asked { name, own, access, .. }) in asked.iter().enumerate() {
            let Some(Access { visibilities, file, end, module, generated }) = access else { continue };
            for (file, range) in visibilities {
                let space = if range.is_empty() { " " } else { "" };
                let edit = (range.clone(), format!("pub(crate){space}"));
                let edits = edits.entry(inside(workspace, Path::new(file))?).or_default();
                if !edits.contains(&edit) {
                    edits.push(edit);
                }
            }
            let function = format!("crdgen_ask_{number}");
            let code = format!(
                "\n#[doc(hidden)] #[allow(warnings)] pub(crate) fn {function}() {{ ::crdgen_ask::ask::<{generated}{own}>({name:?}) }}\n"
            );
            edits.entry(inside(workspace, Path::new(file))?).or_default().push((*end..*end, code));
            _ = write!(calls, " {module}::{function}();");
        }
        let root = inside(workspace, &self.root)?;
        edits.entry(root.clone()).or_default();
        let mut out = BTreeMap::new();
        for (file, mut edits) in edits {
            let path = workspace.join(&file);
            let mut text = input::read_to_string(&path).map_err(Error::file(&path))?;
            if file == root {
                edits.extend(without_main(&text));
            }
            edit(&mut text, edits).ok_or_else(|| NotRun::new("its sources have changed", "try again"))?;
            if file == root {
                _ = write!(text, "\n#[allow(warnings)] fn main() {{{calls} }}\n");
                out.insert(file.with_file_name(format!("{}.rs", self.program)), text);
            } else {
                out.insert(file, text);
            }
        }
        Ok(out)
    }

    /// Returns a manifest for the copy, unless it is the same. Paths that lead out of the workspace become absolute.
    fn manifest(&self, workspace: &Path, file: &Path, is_own: bool) -> Result<Option<String>, NotRun> {
        let path = workspace.join(file);
        // Folders with examples and templates may contain files of this name that are not manifests.
        let Some(old) = input::read_to_string(&path).ok().and_then(|text| text.parse::<Table>().ok()) else {
            return Ok(None);
        };
        let mut new = old.clone();
        let folder = path.parent().unwrap_or(workspace);
        new.iter_mut().for_each(|(_, value)| absolute(value, folder, workspace));
        if file == Path::new("Cargo.toml") {
            new.entry("workspace").or_insert_with(|| Value::Table(Table::new()));
        }
        if is_own {
            let package = new.entry("package").or_insert_with(|| Value::Table(Table::new()));
            if let Some(package) = package.as_table_mut() {
                package.insert("autobins".to_owned(), false.into());
                package.remove("default-run");
            }
            let root = self.root.with_file_name(format!("{}.rs", self.program));
            let root = root.strip_prefix(folder).unwrap_or(&root);
            let bin = [("name", self.program.clone()), ("path", root.to_string_lossy().into_owned())];
            let bin: Table = bin.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
            new.insert("bin".to_owned(), Value::Array(vec![bin.into()]));
            let ask = self.place.join("ask").to_string_lossy().into_owned();
            let dependencies = new.entry("dependencies").or_insert_with(|| Value::Table(Table::new()));
            if let Some(dependencies) = dependencies.as_table_mut() {
                dependencies
                    .insert(ASK.to_owned(), Table::from_iter([("path".to_owned(), ask.into())]).into());
            }
        }
        Ok((new != old).then(|| new.to_string()))
    }

    fn manifest_of_ask(&self, workspace: &Path, copy: &Path) -> Result<String, NotRun> {
        let package = [("name", ASK), ("version", "0.0.0"), ("edition", "2021")];
        let package: Table = package.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect();
        let lib = Table::from_iter([("path".to_owned(), "lib.rs".into())]);
        let mut out = Table::from_iter([
            ("package".to_owned(), package.into()),
            ("lib".to_owned(), lib.into()),
            ("workspace".to_owned(), Table::new().into()),
        ]);
        // Packages of the workspace are in the copy.
        let dependencies =
            self.dependencies.iter().map(|(name, it)| (name, it.clone().in_copy(workspace, copy)));
        let dependencies = Value::try_from(dependencies.collect::<BTreeMap<_, _>>());
        out.insert("dependencies".to_owned(), dependencies.map_err(|e| NotRun::new(&e.to_string(), ""))?);
        Ok(out.to_string())
    }
}

fn real(path: &Path) -> Result<PathBuf, NotRun> {
    path.canonicalize().map_err(|e| Error::file(path)(e).into())
}

/// Returns the path of a file of the workspace, relative to the workspace.
fn inside(workspace: &Path, file: &Path) -> Result<PathBuf, NotRun> {
    let file = real(file)?;
    file.strip_prefix(workspace).map(Path::to_owned).map_err(|_| NotRun {
        what: format!("{} is outside of its workspace", file.shown()),
        help: "move the file into the workspace, or leave --exact out",
    })
}

/// Makes paths in a manifest absolute if they lead out of the workspace.
fn absolute(value: &mut Value, folder: &Path, workspace: &Path) {
    match value {
        Value::Table(table) => {
            for (key, value) in table.iter_mut() {
                match value {
                    Value::String(path) if key == "path" => {
                        let real = folder.join(&*path).canonicalize();
                        if let Ok(real) = real.as_ref().map(|real| real.to_string_lossy())
                            && !Path::new(&*real).starts_with(workspace)
                        {
                            *path = real.into_owned();
                        }
                    }
                    other => absolute(other, folder, workspace),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| absolute(value, folder, workspace)),
        _ => {}
    }
}

/// Changes some bytes of a text. None if the text does not have them, or if two changes overlap.
fn edit(text: &mut String, mut edits: Vec<Edit>) -> Option<()> {
    // The parser does not count the mark at the start of some files.
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    if edits.windows(2).any(|two| two[0].0.end > two[1].0.start) {
        return None;
    }
    for (range, new) in edits.iter().rev() {
        text.get(range.clone())?;
        text.replace_range(range.clone(), new);
    }
    Some(())
}

/// The edits that give `main` another name. Its attributes, such as `#[tokio::main]`, may expect the old one.
fn without_main(text: &str) -> Vec<Edit> {
    let Ok(file) = nesting::parse_file(text) else { return Vec::new() };
    let mut out = Vec::new();
    for item in &file.items {
        let syn::Item::Fn(it) = item else { continue };
        if it.sig.ident != "main" {
            continue;
        }
        out.push((it.sig.ident.span().byte_range(), "crdgen_main".to_owned()));
        for attr in it.attrs.iter().filter(|attr| !attr.path().is_ident("cfg")) {
            out.push((syn::spanned::Spanned::span(attr).byte_range(), String::new()));
        }
    }
    out
}

impl From<Error> for NotRun {
    fn from(error: Error) -> NotRun {
        NotRun { what: error.to_string(), help: "" }
    }
}

impl From<io::Error> for NotRun {
    fn from(error: io::Error) -> NotRun {
        NotRun { what: error.to_string(), help: "" }
    }
}

#[cfg(test)]
mod tests {
    use super::{edit, without_main};

    #[test]
    fn main_gets_another_name() {
        let mut text =
            "\u{feff}mod a;\n#[tokio::main]\n#[cfg(unix)]\n/// Runs.\nasync fn main() -> R { run().await }\n"
                .to_owned();
        let edits = without_main(&text);
        edit(&mut text, edits).expect("the ranges are right");
        assert_eq!(text, "mod a;\n\n#[cfg(unix)]\n\nasync fn crdgen_main() -> R { run().await }\n");
    }

    #[test]
    fn wrong_edits_are_rejected() {
        for edits in [vec![(0..9, String::new())], vec![(0..2, String::new()), (1..3, String::new())]] {
            assert_eq!(edit(&mut "text".to_owned(), edits), None);
        }
    }
}
