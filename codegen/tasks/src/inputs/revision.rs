//! Files at a revision of git. They are copied to a temporary folder, so that everything that is done with the files of a folder
//! is done with them too.

use crdgen_files::Error;
use crdgen_files::input::{self, NameOf, Shown, or_here};
use crdgen_files::inside::Inside;
use crdgen_files::output::Temporary;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::at_path::AtPath;
use super::finder::Finder;
use super::git::{self, Listed, Objects, RevisionPlace};
use super::notes::Notes;
use super::options::{Build, Options};
use super::path::normal;
use super::reading::{Input, found_below};
use super::{kustomize, walk};

/// The most bytes of a copy. A repository of some kilobytes can name terabytes.
const MOST: u64 = 1 << 30;

/// What a file takes at least: a hostile repository can name millions of empty ones.
const LEAST_OF_FILE: u64 = 4096;

impl Finder<'_> {
    /// Reads the files of a path at a revision. If it has none, reads those of the same paths as today, which may be new.
    pub(super) fn revision(&mut self, at: &AtPath, same: &[String]) -> Result<(), Error> {
        let revision = at.revision.as_str();
        let own = [at.path().to_owned()];
        let paths = if at.path.is_some() || same.is_empty() { &own[..] } else { same };
        let places =
            paths.iter().map(|path| RevisionPlace::new(revision, path)).collect::<Result<Vec<_>, _>>()?;
        if at.path.is_some() {
            places.iter().try_for_each(|place| expect(revision, place))?;
        }
        let mut of_repositories: BTreeMap<&Path, Vec<&RevisionPlace<'_>>> = BTreeMap::new();
        for place in &places {
            of_repositories.entry(&place.top).or_default().push(place);
        }
        let mut copies: BTreeMap<&Path, Temporary> = BTreeMap::new();
        for (top, places) in of_repositories {
            let copy = Temporary::new("revision").map_err(Error::file(std::env::temp_dir()))?;
            self.has_unread |= !write(revision, &places, self.options, &copy)?;
            copies.insert(top, copy);
        }
        for place in &places {
            let Some(copy) = copies.get(place.top.as_path()) else { continue };
            let folder = copy.path().join(&place.prefix);
            let _of_the_rest = NameOf::new(copy.path(), revision, &above_all(place));
            let _of_the_folder = NameOf::new(&folder, revision, place.folder);
            let rules = self.options.rules.moved(&place.top, copy.path());
            let options = Options { rules, ..self.options.clone() };
            self.copied(&copy.path().join(place.path()), copy.path(), &options)?;
        }
        Ok(())
    }

    /// Finds, builds and reads the files at a path of a copy.
    fn copied(&mut self, path: &Path, copy: &Path, options: &Options) -> Result<(), Error> {
        let mut finder = Finder { chooser: std::mem::take(&mut self.chooser), ..Finder::new(options) };
        let found = if path.is_dir() {
            finder.walk(path)
        } else {
            // A path that did not exist at that revision has no files.
            let file = path.symlink_metadata().is_ok().then(|| path.to_owned());
            let inside = Inside::checkout(copy);
            finder.found.extend(file.and_then(|file| found_below(file, &inside, options.rules.notes)));
            Ok(())
        };
        finder.complete();
        let Finder { found: inputs, chooser, rendered, built, has_unread, .. } = finder;
        self.has_unread |= has_unread;
        self.chooser = chooser;
        self.rendered.extend(rendered);
        self.built.extend(built);
        for input in inputs {
            let mut source = input.read()?;
            source.origin.original = input::original(&input.path).map(Arc::from);
            let root = input::original(&input::of_name(&source.origin.root));
            source.origin.original_root = root.map(|root| Arc::from(root.shown().to_string()));
            self.found.push(Input::given(source));
        }
        found
    }
}

/// Fails if a path does not exist at a revision.
fn expect(revision: &str, place: &RevisionPlace<'_>) -> Result<(), Error> {
    if place.exists_in(&place.list()?) {
        return Ok(());
    }
    let path = place.path();
    Err(Error::Argument(format!(
        "there is no {} at the revision {revision}; paths behind git:REV: are those below the current folder",
        path.shown()
    )))
}

/// The path from the folder of a place to the folder of the repository.
pub(super) fn above_all(place: &RevisionPlace<'_>) -> String {
    let ups = place.prefix.components().map(|_| Component::ParentDir);
    let above = normal(&Path::new(place.folder).components().chain(ups).collect::<PathBuf>());
    or_here(&above).shown().to_string()
}

/// Which files a path needs.
enum Need {
    /// The file alone.
    File(PathBuf),
    /// The files of the folder, and what those above it are.
    Folder(PathBuf),
    /// Those of the whole repository: kustomizations name files in other folders.
    All(PathBuf),
}

impl Need {
    fn new(place: &RevisionPlace<'_>, files: &[Listed<'_>], builds: bool) -> Need {
        let path = place.path();
        if files.iter().any(|file| Path::new(&file.name) == path) {
            return Need::File(path);
        }
        let is_around = |file: &Listed<'_>| {
            let name = Path::new(&file.name);
            let folder = name.parent().unwrap_or(Path::new(""));
            is_root(name) && (folder.starts_with(&path) || path.starts_with(folder))
        };
        match builds && files.iter().any(is_around) {
            true => Need::All(path),
            false => Need::Folder(path),
        }
    }

    /// Whether a file is needed. `is_unread` says of which paths nothing is read: a folder that the user names is read, whatever
    /// its name is.
    fn has(&self, name: &Path, is_unread: &dyn Fn(&Path) -> bool) -> bool {
        match self {
            Need::File(path) => name == path,
            Need::Folder(path) | Need::All(path) if name.starts_with(path) => {
                !name.strip_prefix(path).is_ok_and(is_unread)
            }
            Need::Folder(path) => {
                name.parent().is_some_and(|folder| path.starts_with(folder))
                    && (is_root(name) || name.file_name().is_some_and(|it| it == "go.mod"))
            }
            Need::All(_) => !is_unread(name),
        }
    }

    /// Whether the user wants a file, and not only what it belongs to.
    fn wants(&self, name: &Path) -> bool {
        match self {
            Need::File(path) | Need::Folder(path) | Need::All(path) => name.starts_with(path),
        }
    }
}

/// Whether a file makes a chart or a kustomization of its folder.
fn is_root(name: &Path) -> bool {
    kustomize::is_name(name) || name.file_name().is_some_and(|it| it == "Chart.yaml")
}

/// Writes the files that some paths of one repository need. Returns whether these are all.
fn write(
    revision: &str,
    places: &[&RevisionPlace<'_>],
    options: &Options,
    into: &Temporary,
) -> Result<bool, Error> {
    let Some(first) = places.first() else { return Ok(true) };
    let listed = first.list()?;
    let files: Vec<Listed<'_>> = Listed::all(&listed).collect();
    let builds = options.build != Build::Not;
    let needs: Vec<Need> = places.iter().map(|place| Need::new(place, &files, builds)).collect();
    let is_unread = |path: &Path| walk::is_of_others(path, &options.rules);
    let of_file = |name: &Path| match () {
        () if !needs.iter().any(|need| need.has(name, &is_unread)) => Use::None,
        () if needs.iter().any(|need| need.wants(name)) => Use::Wanted,
        () => Use::Helpful,
    };
    let copy = Copy { revision, place: first, notes: options.rules.notes, into, top: Path::new("") };
    copy.write(&files, &may_matter, &of_file)
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    None,
    /// What the user wants may need it.
    Helpful,
    /// The user wants it.
    Wanted,
}

/// A copy of files of a repository.
pub(super) struct Copy<'c> {
    pub(super) revision: &'c str,
    pub(super) place: &'c RevisionPlace<'c>,
    pub(super) notes: Notes,
    pub(super) into: &'c Temporary,
    /// The folder there that is that of the repository.
    pub(super) top: &'c Path,
}

impl Copy<'_> {
    /// Writes those of some files that may matter and have a use, and all links that have one. Returns whether these are all that the
    /// user wants: a file that is too large or missing is only reported.
    pub(super) fn write(
        &self,
        files: &[Listed<'_>],
        may_matter: &dyn Fn(&Path) -> bool,
        of_file: &dyn Fn(&Path) -> Use,
    ) -> Result<bool, Error> {
        let Copy { revision, place, into, top, .. } = self;
        let failed = |name: &Path| Error::file(place.top.join(name));
        let (mut links, mut missing, mut bytes_so_far, mut are_all) = (Vec::new(), Vec::new(), 0, true);
        let mut objects = Objects::new(place.folder)?;
        for file in files {
            let name = Path::new(&file.name);
            let may_matter = file.is_link || file.is_regular && may_matter(name);
            if !may_matter || !is_plain(name) {
                continue;
            }
            let is_wanted = match of_file(name) {
                Use::None => continue,
                of_file => of_file == Use::Wanted,
            };
            let bytes = match objects.read(file.id, &format!("{revision}:{}", file.name)) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => {
                    missing.extend(is_wanted.then(|| file.name.clone()));
                    continue;
                }
                Err(why @ Error::TooLarge { .. }) => {
                    // git prints the object all the same.
                    objects = Objects::new(place.folder)?;
                    if is_wanted {
                        are_all = false;
                        self.notes.unread(why)?;
                    }
                    continue;
                }
                Err(why) if is_wanted => return Err(why),
                // The path may do without it.
                Err(_) => continue,
            };
            bytes_so_far += (bytes.len() as u64).max(LEAST_OF_FILE);
            if bytes_so_far > MOST {
                return Err(Error::TooLarge { path: (*revision).into(), limit: MOST >> 20 });
            }
            match file.is_link {
                true => links.push((name, bytes)),
                false => into.write_new(&top.join(name), &bytes).map_err(failed(name))?,
            }
        }
        if !missing.is_empty() {
            are_all = false;
            self.notes.unread(git::missing(revision, &missing))?;
        }
        // No file is written through a link.
        for (name, target) in links {
            into.link(&top.join(name), &String::from_utf8_lossy(&target)).map_err(failed(name))?;
        }
        // The end of the repository, for those who look for it.
        into.create_folder(&top.join(".git")).map_err(failed(Path::new(".git")))?;
        Ok(are_all)
    }
}

/// Whether a path from a tree is one that git would write: hostile repositories have others.
fn is_plain(name: &Path) -> bool {
    // There, they are parts of paths.
    let not_in_names: &[char] = if cfg!(windows) { &['\\', '\0', ':'] } else { &['\0'] };
    let is_name = |part: Component<'_>| match part {
        Component::Normal(part) => {
            !part.eq_ignore_ascii_case(".git") && !part.to_string_lossy().contains(not_in_names)
        }
        _ => false,
    };
    name.components().next().is_some() && name.components().all(is_name)
}

/// Whether a file may be an input, or charts, kustomizations or modules of Go need it.
fn may_matter(name: &Path) -> bool {
    let extensions = ["yaml", "yml", "json", "tpl", "txt"];
    let names = ["kustomization", "Kustomization", "Chart.lock", ".helmignore", "go.mod"];
    name.extension().is_some_and(|it| extensions.iter().any(|extension| it == *extension))
        || name.file_name().is_some_and(|it| names.iter().any(|name| it == *name))
}
