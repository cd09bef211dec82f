//! Rust sources at a revision of git. They are copied to a temporary folder with all that crdgen and cargo may read of them: the other
//! packages of a workspace, and what the sources include. Nothing of the copy runs.

use crdgen_files::Error;
use crdgen_files::input::NameOf;
use crdgen_files::output::Temporary;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::git::{Listed, RevisionPlace};
use super::notes::Notes;
use super::revision::{Copy, Use, above_all};

/// A path at a revision.
pub struct AtRevision<'a> {
    revision: &'a str,
    place: RevisionPlace<'a>,
    listed: Vec<u8>,
}

/// A copy of sources, which is removed when this is dropped. As long as it lives, its files are shown as those of the revision.
pub struct Checkout {
    path: PathBuf,
    _names: [NameOf; 2],
    _copy: Temporary,
}

impl<'a> AtRevision<'a> {
    /// Lists the files of a repository at a revision.
    pub fn new(revision: &'a str, path: &'a str) -> Result<AtRevision<'a>, Error> {
        let place = RevisionPlace::new(revision, path)?;
        let listed = place.list()?;
        Ok(AtRevision { revision, place, listed })
    }

    /// Whether the path exists there: as a file, as a folder with files, or behind a link.
    pub fn exists(&self) -> bool {
        self.place.exists_in(&self.listed)
    }

    /// Whether the path is a folder with an entry of this name.
    pub fn has(&self, name: &str) -> bool {
        let path = self.place.path().join(name);
        Listed::all(&self.listed).any(|file| Path::new(&file.name).starts_with(&path))
    }

    /// Copies the sources.
    pub fn copy(&self, notes: Notes) -> Result<Checkout, Error> {
        let place = &self.place;
        let copy = Temporary::new("sources").map_err(Error::file(std::env::temp_dir()))?;
        // At its own path, so that a path to another repository next to it leads to nothing, and not out of the copy.
        let names = place.top.components().filter(|part| matches!(part, Component::Normal(_)));
        let top: PathBuf = names.collect();
        let path = place.path();
        let of_file = |name: &Path| if name.starts_with(&path) { Use::Wanted } else { Use::Helpful };
        let files: Vec<Listed<'_>> = Listed::all(&self.listed).collect();
        let to = Copy { revision: self.revision, place, notes, into: &copy, top: &top };
        to.write(&files, &may_matter, &of_file)?;
        let links = files.iter().filter(|file| file.is_link).map(|file| Path::new(&file.name));
        let top = copy.path().join(top);
        remove_links_out(&top, links);
        let folder = top.join(&place.prefix);
        let names = [
            NameOf::new(&top, self.revision, &above_all(place)),
            NameOf::new(&folder, self.revision, place.folder),
        ];
        Ok(Checkout { path: folder.join(place.rest), _names: names, _copy: copy })
    }
}

impl Checkout {
    /// The path that the user named, in the copy.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes links out of a copy: other programs would follow them. What a link leads to through another one counts.
fn remove_links_out<'a>(top: &Path, links: impl Iterator<Item = &'a Path>) {
    let is_inside = |link: &Path| link.canonicalize().is_ok_and(|real| real.starts_with(top));
    let out: Vec<PathBuf> = links.map(|link| top.join(link)).filter(|link| !is_inside(link)).collect();
    // A link that was not written is not there.
    out.iter().for_each(|link| _ = fs::remove_file(link));
}

/// Whether crdgen or cargo may read a file: sources, manifests, settings, and texts that sources include.
fn may_matter(name: &Path) -> bool {
    let extensions = ["rs", "toml", "lock", "md", "txt", "json", "yaml", "yml"];
    let is_settings = name.ends_with(".cargo/config");
    is_settings || name.extension().is_some_and(|it| extensions.iter().any(|extension| it == *extension))
}
