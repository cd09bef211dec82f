//! For build scripts: writes the CRDs of the crate's own sources, and checks them before the crate is compiled.

use crate::Error;
use crate::docs;
use crate::emit::{self, Document, OutputFormat, Publishing};
use crate::import::{self, Import};
use crdgen_core::check::lints;
use crdgen_core::decode;
use crdgen_core::descriptions;
use crdgen_core::diag::Level;
use crdgen_core::documents::{Finding, Group};
use crdgen_core::file_name;
use crdgen_core::inert::InertLine;
use crdgen_core::ir::Crd;
use crdgen_core::size;
use crdgen_diff::Unstable;
use crdgen_files::input::{self, Shown};
use crdgen_files::output::{Folder, Replace};
use crdgen_files::source::{self, Definitions, Options};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes CRDs and other files for the kinds of a crate, in its build script:
///
/// ```no_run
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     crdgen::Builder::new().yaml("deploy/crds").run()?;
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    options: Options,
    /// Output folders. For a format with one document for all kinds, its file.
    outputs: Vec<(PathBuf, OutputFormat)>,
    imports: Vec<String>,
    /// Where the previous CRDs are.
    previous: Vec<String>,
    /// The lints to turn on, and to turn off.
    lints: (Vec<String>, Vec<String>),
    import_options: import::Options,
    header: Option<String>,
    max_description: Option<usize>,
    fit_annotation: bool,
    check_only: bool,
    exact: bool,
    quiet: bool,
}

impl Builder {
    /// Starts with the sources of the crate that this build script belongs to.
    pub fn new() -> Builder {
        let path = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
        let features = std::env::vars().filter_map(|(key, _)| {
            key.strip_prefix("CARGO_FEATURE_").map(|f| f.to_lowercase().replace('_', "-"))
        });
        // Cargo has already resolved the features, the default ones included.
        let features: Vec<String> = features.filter(|f| f != "default").collect();
        // Cargo runs this build script with the settings of the package already.
        let options = Options { path, features, trusted: true, ..Options::default() };
        Builder { options, ..Builder::default() }
    }

    /// Reads other sources: the folder of a package, or a single `.rs` file.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>) -> Builder {
        self.options.path = path.into();
        self
    }

    /// Processes only these kinds.
    #[must_use]
    pub fn kinds<S: Into<String>>(mut self, kinds: impl IntoIterator<Item = S>) -> Builder {
        self.options.kinds.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// Processes only the kinds in these modules and below them: paths such as `api::v1`.
    #[must_use]
    pub fn modules<S: Into<String>>(mut self, modules: impl IntoIterator<Item = S>) -> Builder {
        self.options.modules.extend(modules.into_iter().map(Into::into));
        self
    }

    /// Writes YAML to this folder, one file per kind.
    #[must_use]
    pub fn yaml(self, folder: impl Into<PathBuf>) -> Builder {
        self.output(folder.into(), OutputFormat::Yaml)
    }

    /// Writes JSON to this folder, one file per kind.
    #[must_use]
    pub fn json(self, folder: impl Into<PathBuf>) -> Builder {
        self.output(folder.into(), OutputFormat::Json)
    }

    /// Writes to this file the document that a server publishes for all kinds, as OpenAPI v2 (Swagger 2.0).
    #[must_use]
    pub fn openapi_v2(self, file: impl Into<PathBuf>) -> Builder {
        self.output(file.into(), OutputFormat::OpenApiV2)
    }

    /// Writes to this file the document that a server publishes for all kinds, as OpenAPI v3.
    #[must_use]
    pub fn openapi_v3(self, file: impl Into<PathBuf>) -> Builder {
        self.output(file.into(), OutputFormat::OpenApiV3)
    }

    /// Writes strict JSON Schemas to this folder, for editors and kubeconform.
    #[must_use]
    pub fn json_schema(self, folder: impl Into<PathBuf>) -> Builder {
        self.output(folder.into(), OutputFormat::JsonSchema)
    }

    /// Writes HTML documentation to this folder, one page per kind.
    #[must_use]
    pub fn docs(self, folder: impl Into<PathBuf>) -> Builder {
        self.output(folder.into(), OutputFormat::Docs)
    }

    /// Generates Rust types for the CRDs in these files (a file, a folder, or a pattern such as `crds/*.yaml`). Include
    /// them in your crate with `crdgen::include!("group.example.com")`.
    #[must_use]
    pub fn import(mut self, files: impl Into<String>) -> Builder {
        self.imports.push(files.into());
        self
    }

    /// Fails if a CRD breaks objects or clients of the CRD with the same name in these files (a file, a folder, or a pattern such as
    /// `crds/*.yaml`), which are those of the last release. Changes of alpha and beta versions are warnings. The files can
    /// also be those that [`Builder::yaml`] writes: they stay as they are until the CRDs are compatible.
    #[must_use]
    pub fn compatible_with(mut self, files: impl Into<String>) -> Builder {
        self.previous.push(files.into());
        self
    }

    /// Turns on a lint: a code such as `LNT105`, `api` for those about the design of an API, or `all`. Lints are warnings for Cargo.
    #[must_use]
    pub fn lint(mut self, id: impl Into<String>) -> Builder {
        self.lints.0.push(id.into());
        self
    }

    /// Turns off a lint. To allow it for one field or type, write `#[schema(allow(LNT105, reason = "…"))]` there.
    #[must_use]
    pub fn no_lint(mut self, id: impl Into<String>) -> Builder {
        self.lints.1.push(id.into());
        self
    }

    /// Sets options for imported types.
    #[must_use]
    pub fn import_options(mut self, options: import::Options) -> Builder {
        self.import_options = options;
        self
    }

    /// Sets a comment for the start of each YAML file.
    #[must_use]
    pub fn header(mut self, text: impl Into<String>) -> Builder {
        self.header = Some(text.into());
        self
    }

    /// Cuts descriptions to this many bytes, at the end of a sentence or word; 0 leaves them out.
    #[must_use]
    pub fn max_description(mut self, bytes: usize) -> Builder {
        self.max_description = Some(bytes);
        self
    }

    /// Removes descriptions, deepest first, until each CRD is small enough for `kubectl apply`.
    #[must_use]
    pub fn fit_annotation(mut self, fit: bool) -> Builder {
        self.fit_annotation = fit;
        self
    }

    /// With `true`, writes nothing, and fails if a file is out of date. Use it in CI.
    #[must_use]
    pub fn check(mut self, check: bool) -> Builder {
        self.check_only = check;
        self
    }

    /// With `true`, compiles the package and runs its types, as `crdgen emit --exact` does. A build script cannot do this, because
    /// it would compile the package of which it is a part: use it in a program or test of its own.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Builder {
        self.exact = exact;
        self
    }

    /// With `true`, does not print lines for Cargo, such as `cargo::rerun-if-changed`.
    #[must_use]
    pub fn quiet(mut self, quiet: bool) -> Builder {
        self.quiet = quiet;
        self
    }

    /// Reads the sources and checks the CRDs. Writes files only if there are no errors.
    pub fn run(&self) -> Result<Definitions, Error> {
        self.run_imports()?;
        if !self.imports.is_empty() && self.outputs.is_empty() {
            // The crate has imported types, but no kinds of its own.
            return Ok(Definitions::default());
        }
        let mut options = self.options.clone();
        options.lints.switch(&self.lints.0, &self.lints.1)?;
        let mut out = if self.exact { read_exact(&options)? } else { source::read(&options)? };
        if !self.quiet {
            for file in &out.files {
                println!("cargo::rerun-if-changed={}", file.shown());
            }
        }
        let (errors, others): (Vec<_>, Vec<_>) =
            out.found.iter().cloned().partition(|f| f.diag.level == Level::Error);
        if !errors.is_empty() {
            return Err(Error::Mistakes { found: errors, cargo: out.cargo.map(Box::new) });
        }
        if !self.quiet {
            for line in source::render(&others).lines() {
                println!("cargo::warning={line}");
            }
        }
        for crd in &mut out.crds {
            if let Some(max) = self.max_description {
                descriptions::limit_all(crd, max);
            }
            if self.fit_annotation {
                let size::Fit { after, .. } = size::fit_annotation(crd);
                if !after.is_small_enough() && !self.quiet {
                    let (name, size::Applied { bytes, room }) = (&crd.metadata.name, after);
                    println!(
                        "cargo::warning={}: {bytes} bytes without descriptions, and `kubectl apply` has room for {room}",
                        InertLine(name)
                    );
                }
            }
        }
        self.compare(&out.crds)?;
        for (path, format) in &self.outputs {
            self.write(&out, path, *format)?;
        }
        Ok(out)
    }

    /// Compares the CRDs with the previous ones.
    fn compare(&self, crds: &[Crd]) -> Result<(), Error> {
        let mut broken = String::new();
        for pattern in &self.previous {
            for path in self.matching(pattern)? {
                let text = input::read(&path).map_err(Error::file(&path))?;
                if !self.quiet {
                    println!("cargo::rerun-if-changed={}", path.shown());
                }
                let read = Group::of(&Arc::new(text)).read();
                if let Some(Finding { diag, .. }) = read.rejected() {
                    let (path, text) = (path.shown(), diag.text());
                    return Err(Error::Argument(format!("{path}: {}", InertLine(text))));
                }
                for (old, ..) in read.take() {
                    let new = crds.iter().filter(|new| new.metadata.name == old.metadata.name);
                    for new in new {
                        let mut new = new.clone();
                        decode::set_defaults(&mut new);
                        broken += &self.changes(&old, &new);
                    }
                }
            }
        }
        if broken.is_empty() { Ok(()) } else { Err(Error::Incompatible(broken)) }
    }

    /// Returns the changes that break something. Prints the other ones as warnings for Cargo.
    fn changes(&self, old: &Crd, new: &Crd) -> String {
        let mut broken = String::new();
        let found = crdgen_diff::diff(old, new, &crdgen_diff::Options::default()).findings;
        let found = found.iter().filter_map(|it| it.reported(Unstable::AsStable)).collect();
        for Finding { diag, change, .. } in lints::without_allowed(new, found).0 {
            let Some(change) = change else { continue };
            let (crd, class) = (&new.metadata.name, change.class);
            let head = format!("{crd}: {}: {}", class.name(), InertLine(diag.shown()));
            if class.breaks() && !change.is_of_unstable {
                let help = diag.help.unwrap_or_default();
                let lines = help.lines().map(|line| format!("  {}\n", InertLine(line)));
                broken += &format!("{head}\n{}", lines.collect::<String>());
            } else if !self.quiet && diag.level > Level::Note {
                println!("cargo::warning={head}");
            }
        }
        broken
    }

    /// Writes the documents of an output. With `check`, reports how the files differ instead.
    fn write(&self, read: &Definitions, path: &Path, format: OutputFormat) -> Result<(), Error> {
        let (folder, mut documents) = self.documents(&read.crds, path, format);
        let mut stale = Vec::new();
        if format == OutputFormat::Yaml {
            emit::mark(&mut documents, &read.crds, &read.crates);
            // If only some kinds are chosen, the files of the others are not stale.
            if !self.options.is_choice() {
                stale = emit::stale(&folder, &documents, &read.crates);
            }
        }
        if !self.quiet {
            for document in &documents {
                // Cargo runs the script again if an output was edited or deleted.
                println!("cargo::rerun-if-changed={}", folder.join(&document.name).shown());
            }
        }
        let gone = |path: &PathBuf| format!("{}: no kind has this file any more. Remove it", path.shown());
        if self.check_only {
            let drift = emit::drift(&folder, &documents)?;
            let mut differences: String = drift.iter().map(emit::difference).collect();
            stale.iter().for_each(|path| differences += &(gone(path) + "\n"));
            return match differences.as_str() {
                "" => Ok(()),
                differences => Err(Error::OutOfDate(differences.to_owned())),
            };
        }
        let modified = |file: &PathBuf| std::fs::metadata(file).and_then(|meta| meta.modified()).ok();
        let newest = read.files.iter().filter_map(modified).max();
        let mut out = Folder::new(folder, Replace::Own).modified(newest);
        emit::write(&mut out, &documents)?;
        if !self.quiet {
            stale.iter().for_each(|path| println!("cargo::warning={}", gone(path)));
        }
        Ok(())
    }

    fn output(mut self, path: PathBuf, format: OutputFormat) -> Builder {
        self.outputs.push((path, format));
        self
    }

    /// Returns the documents of an output, and their folder.
    fn documents(&self, crds: &[Crd], path: &Path, format: OutputFormat) -> (PathBuf, Vec<Document>) {
        let folder = path.to_owned();
        match format {
            OutputFormat::Yaml
            | OutputFormat::Json
            | OutputFormat::JsonSchema
            | OutputFormat::JsonSchema07 => (folder, emit::documents(crds, format, self.header.as_deref())),
            OutputFormat::OpenApiV2 | OutputFormat::OpenApiV3 => {
                let publishing = Publishing { merge: true, ..Publishing::default() };
                let mut documents = emit::published(crds, format, &publishing);
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                documents.iter_mut().for_each(|d| d.name = name.clone().into_owned());
                (path.parent().unwrap_or(Path::new("")).to_owned(), documents)
            }
            OutputFormat::Docs | OutputFormat::DocsMarkdown => {
                let docs = if format == OutputFormat::Docs {
                    docs::PageFormat::Html
                } else {
                    docs::PageFormat::Markdown
                };
                (folder, docs::site(crds, "Custom resources", docs))
            }
        }
    }

    /// Writes the imported types to one file per API group, in `OUT_DIR/crdgen`.
    fn run_imports(&self) -> Result<(), Error> {
        if self.imports.is_empty() {
            return Ok(());
        }
        let out = std::env::var_os("OUT_DIR").ok_or_else(|| {
            Error::Argument("imports work only in build scripts: OUT_DIR is not set".to_owned())
        })?;
        let folder = PathBuf::from(out).join("crdgen");
        let mut all = Import::default();
        for pattern in &self.imports {
            for path in self.matching(pattern)? {
                let text = input::read(&path).map_err(Error::file(&path))?;
                all.read(&path.shown().to_string(), &text)?;
                if !self.quiet {
                    println!("cargo::rerun-if-changed={}", path.shown());
                }
            }
        }
        if !self.quiet {
            for crd in &all.crds {
                for diag in crdgen_kinds::check(crd).errors {
                    let (name, text) = (&crd.metadata.name, diag.text());
                    println!("cargo::warning={name}: a server rejects this CRD: {}", text.replace('\n', " "));
                }
            }
        }
        let mut groups: Vec<String> = all.crds.iter().map(|c| c.spec.group.clone()).collect();
        groups.sort();
        groups.dedup();
        if groups.is_empty() {
            return Err(Error::Nothing(format!("no CustomResourceDefinition in {}", self.imports.join(" "))));
        }
        let mut out = Folder::new(folder, Replace::All);
        for group in groups {
            let mut one = all.clone();
            one.options = self.import_options.clone();
            one.crds.retain(|c| c.spec.group == group);
            let text = one.run().file();
            out.write(file_name(&group, "rs"), &text)?;
        }
        Ok(())
    }

    /// Finds the files that match a pattern, which is relative to the crate.
    fn matching(&self, pattern: &str) -> Result<Vec<PathBuf>, Error> {
        let base = self.options.path.join(pattern);
        let pattern = if base.is_dir() { base.join("*.yaml") } else { base };
        let found = glob::glob(&pattern.to_string_lossy())
            .map_err(|e| Error::Argument(format!("{}: {e}", pattern.shown())))?;
        // A pipe or a folder may match the pattern too.
        let files: Vec<PathBuf> = found.filter_map(Result::ok).filter(|path| path.is_file()).collect();
        if files.is_empty() {
            return Err(Error::Nothing(format!("{}: no file matches", pattern.shown())));
        }
        Ok(files)
    }
}

fn read_exact(options: &Options) -> Result<Definitions, Error> {
    // Cargo sets this for build scripts only.
    if std::env::var_os("CARGO_CFG_TARGET_ARCH").is_some() {
        let why = "Builder::exact does not work in a build script, because it compiles the package that is being built. Call it in \
                   a program or test of its own";
        return Err(Error::Argument(why.to_owned()));
    }
    source::read_exact(options)
}
