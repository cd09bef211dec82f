//! Finds the inputs that arguments name.

use crdgen_files::Error;
use crdgen_files::input::{self, Shown, is_document};
use crdgen_files::inside::Inside;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::at_path::{self, AtPath};
use super::build::build;
use super::class::{Class, Wants};
use super::inventory::Inventory;
use super::layout::Layout;
use super::options::{Build, Options};
use super::reading::{Input, STDIN, found_below, regular};
use super::source::{Chooser, Origin, Source, may_define};
use super::{charts, kustomize, path, walk};

/// Collects the inputs of all arguments.
pub(super) struct Finder<'a> {
    pub(super) options: &'a Options,
    pub(super) found: Vec<Input>,
    pub(super) chooser: Chooser,
    pub(super) layout: Layout,
    pub(super) rendered: Vec<Arc<str>>,
    pub(super) built: Vec<Arc<str>>,
    /// Whether something could not be read, although the command goes on with the rest.
    pub(super) has_unread: bool,
}

impl<'a> Finder<'a> {
    pub(super) fn new(options: &'a Options) -> Finder<'a> {
        let (wants, unwanted) = (options.wants, options.unwanted.clone());
        let chooser = Chooser { wants, unwanted, ..Chooser::default() };
        let (rendered, built) = (Vec::new(), Vec::new());
        let (found, layout) = (Vec::new(), Layout::default());
        Finder { options, found, chooser, layout, rendered, built, has_unread: false }
    }

    /// Finds what several arguments name. One that the user may not read does not hide the others.
    pub(super) fn arguments(&mut self, args: &[String]) -> Result<(), Error> {
        for arg in args {
            match self.argument(arg) {
                Err(why) if args.len() > 1 && why.is_denied() => {
                    self.has_unread = true;
                    self.options.rules.notes.unread(why)?;
                }
                found => found?,
            }
        }
        Ok(())
    }

    fn argument(&mut self, arg: &str) -> Result<(), Error> {
        let path = Path::new(arg);
        match fs::metadata(path) {
            _ if arg == STDIN => self.found.push(Input::named(path.to_owned(), None)),
            Ok(meta) if meta.is_dir() => self.walk(path)?,
            Ok(meta) if meta.is_file() || is_open(path, &meta) => {
                self.found.push(Input::named(path.to_owned(), meta.is_file().then_some(meta.len())));
            }
            Ok(meta) => {
                let special = input::special(meta.file_type());
                let why = io::Error::new(special.kind(), format!("{special}; - reads standard input"));
                return Err(Error::file(arg)(why));
            }
            Err(why) => match AtPath::named(arg)? {
                Some(at) => self.revision(&at, &[])?,
                None if arg.contains(['*', '?', '[']) => self.expand(arg)?,
                None => {
                    let instead = at_path::instead_of(arg).map(Error::Argument);
                    return Err(instead.unwrap_or_else(|| Error::file(arg)(why)));
                }
            },
        }
        Ok(())
    }

    fn expand(&mut self, pattern: &str) -> Result<(), Error> {
        let before = self.found.len();
        let paths =
            glob::glob(pattern).map_err(|e| Error::Argument(format!("{pattern}: invalid pattern: {e}")))?;
        for path in paths {
            // Not `into_error`: newer versions of glob deprecate it, and older ones have nothing else.
            let path = path.map_err(|e| Error::File {
                path: e.path().to_owned(),
                source: io::Error::new(e.error().kind(), e.error().to_string()),
            })?;
            match path.is_dir() {
                true => self.walk(&path)?,
                false => self.found.extend(regular(path, self.options.rules.notes)),
            }
        }
        if self.found.len() == before {
            return Err(Error::Nothing(format!("{pattern}: no file matches")));
        }
        Ok(())
    }

    pub(super) fn walk(&mut self, folder: &Path) -> Result<(), Error> {
        let is_wanted = |path: &Path| is_document(path) || kustomize::is_name(path);
        let walk::Walked { mut files, has_unread } =
            walk::files(folder, &self.options.rules, &self.chooser.skipped, is_wanted)?;
        self.has_unread |= has_unread;
        if self.options.wants != Wants::Anything {
            self.layout.add(folder, &files);
        }
        files.retain(|file| match self.layout.class(file) {
            Some(Class::HelmTemplate) if self.reads_templates(file) => true,
            Some(class) => {
                self.chooser.skipped.add(class, &file.shown().to_string());
                false
            }
            None => true,
        });
        let given: Arc<str> = Arc::from(folder.shown().to_string());
        let (inside, notes) = (Inside::checkout(folder), self.options.rules.notes);
        for mut input in files.into_iter().filter_map(|file| found_below(file, &inside, notes)) {
            input.origin.is_template = self.layout.class(&input.path) == Some(Class::HelmTemplate);
            input.origin.part = self.layout.part(&input.path);
            if path::normal(input.folder()) == path::normal(folder) {
                input.origin.root = Arc::clone(&given);
            }
            self.found.push(input);
        }
        Ok(())
    }

    /// Whether the text of a template without its actions is good enough: a CRD is mostly the same for all values.
    fn reads_templates(&self, file: &Path) -> bool {
        self.options.wants == Wants::Crds
            && self.options.build != Build::Each
            && input::read(file).is_ok_and(|bytes| may_define(&Source::new(String::new(), bytes.into())))
    }

    /// Renders the charts that are not part of others.
    fn render_charts(&mut self) {
        let charts = &self.layout.charts;
        let is_root = |chart: &&PathBuf| !chart.ancestors().skip(1).any(|above| charts.contains(above));
        let roots: Vec<PathBuf> = charts.iter().filter(is_root).cloned().collect();
        for chart in roots {
            let name = input::or_here(&chart);
            match charts::render_chart(&chart) {
                charts::Rendered::NoHelm => return,
                charts::Rendered::Failed(why) => {
                    self.options
                        .rules
                        .notes
                        .say(format_args!("skipped the templates of {}: {why}", name.shown()));
                }
                charts::Rendered::Templates(templates) => {
                    let root: Arc<str> = Arc::from(name.shown().to_string());
                    for (name, bytes) in templates {
                        let origin = Origin { is_found: true, root: Arc::clone(&root), ..Origin::default() };
                        self.found.push(Input::given(Source { name, bytes, origin }));
                    }
                    self.rendered.push(root);
                    self.chooser.skipped.remove(Class::HelmTemplate, Path::new(&chart.shown().to_string()));
                }
            }
        }
    }

    /// Builds what was found in folders.
    pub(super) fn complete(&mut self) {
        if self.options.build == Build::Each {
            self.render_charts();
        }
        for why in &self.layout.unreadable {
            self.options.rules.notes.say(format_args!("{why}"));
        }
        match self.options.build {
            Build::Not => {}
            Build::Each | Build::One => {
                self.built.extend(build(&self.layout, self.options, &mut self.found));
            }
        }
    }

    pub(super) fn finish(mut self) -> Result<Inventory, Error> {
        self.complete();
        let Finder { options, mut found, chooser, layout, rendered, built, has_unread } = self;
        let chooser = Arc::new(chooser);
        if options.wants != Wants::Anything {
            for input in &mut found {
                input.origin.chooser = Some(Arc::clone(&chooser));
            }
        }
        let (notes, has_unread) = (options.rules.notes, AtomicBool::new(has_unread));
        Ok(Inventory { inputs: found, chooser, layout, built, rendered, notes, has_unread })
    }
}

/// Whether a path is a pipe that this process already has open, so that another process writes to it: `crdgen check
/// <(helm template …)`. A device does not count, because it may never end.
fn is_open(path: &Path, meta: &Metadata) -> bool {
    let descriptor =
        path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    descriptor && matches!(input::kind(meta.file_type()), "a named pipe" | "a socket")
}
