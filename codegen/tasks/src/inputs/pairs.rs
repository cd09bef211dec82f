//! Which old CRD a new one is compared with, if several have its name: a repository has those of releases, of tests, of charts, and
//! what kustomizations build.

use std::path::{Path, PathBuf};

use super::path::{common_end, normal};
use super::renames::Renames;

/// How a CRD is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    AsIs,
    /// A kustomization builds it.
    Built,
    /// It is that of a Rust type.
    Types,
}

/// Where a CRD is.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// How it is written.
    pub form: Form,
    /// The path of its file, in the work tree.
    pub file: &'a Path,
}

/// How the old and the new paths are compared.
#[derive(Clone, Copy, Debug)]
pub struct Roots<'a> {
    /// The folder of the old CRDs, below which paths are compared.
    pub old: Option<&'a str>,
    /// The paths of the new ones.
    pub new: &'a [String],
    /// The files that were renamed.
    pub renames: &'a Renames,
}

/// How alike the spots of two CRDs are. What comes first counts most: types are compared with types. Then the same file counts, also if
/// git knows it under another name, as it is or as it is built like the new one, then the same folder, in which a file may have been renamed, then the same content, of
/// which this is a copy, and then the names at the end of the paths. Otherwise what a kustomization builds counts, because that is
/// applied.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness {
    are_types: bool,
    is_same_file: bool,
    has_form_there: bool,
    is_in_folder: bool,
    is_equal: bool,
    common_end: usize,
    has_form: bool,
}

impl Likeness {
    /// How alike two spots are, of CRDs that may have the same content.
    pub fn new(old: Spot<'_>, new: Spot<'_>, roots: Roots<'_>, is_equal: bool) -> Likeness {
        let before = below(old.file, roots.old.into_iter());
        let after = below(new.file, roots.new.iter().map(String::as_str));
        let common_end = common_end(old.file, new.file);
        let is_same_file = before == after || roots.renames.has(old.file, new.file);
        let wanted = if new.form == Form::AsIs && common_end == 0 { Form::Built } else { new.form };
        Likeness {
            are_types: (old.form == Form::Types) == (new.form == Form::Types),
            is_same_file,
            has_form_there: is_same_file && old.form == new.form,
            is_in_folder: before.parent() == after.parent(),
            is_equal,
            common_end,
            has_form: old.form == wanted,
        }
    }
}

/// A path below the first of some folders that is around it.
fn below<'a>(file: &Path, mut roots: impl Iterator<Item = &'a str>) -> PathBuf {
    let path = normal(file);
    let inside = roots.find_map(|root| path.strip_prefix(normal(Path::new(root))).ok());
    inside.map_or_else(|| path.clone(), Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Form, Likeness, Renames, Roots, Spot};
    use std::path::Path;

    #[test]
    fn pairs() {
        use Form::{AsIs, Built, Types};
        let renames = Renames::new([("config/a.yaml", "deploy/x.yaml")]);
        for (what, new, roots, olds, expected) in [
            (
                "the same path",
                (AsIs, "crds/a.yaml"),
                None,
                vec![(AsIs, "./crds/a.yaml"), (AsIs, "./x/crds/a.yaml")],
                0,
            ),
            (
                "a file that git knows under another name",
                (AsIs, "deploy/x.yaml"),
                None,
                vec![(AsIs, "./config/a.yaml"), (AsIs, "./deploy/y.yaml="), (AsIs, "./x.yaml")],
                0,
            ),
            (
                "a renamed file, and a chart with its new name",
                (AsIs, "config/crd/b.yaml"),
                None,
                vec![(AsIs, "./config/crd/a.yaml"), (AsIs, "./charts/crds/b.yaml")],
                0,
            ),
            (
                "a moved folder",
                (AsIs, "deploy/crds/a.yaml"),
                None,
                vec![(AsIs, "./old/crds/a.yaml"), (AsIs, "./test/a.yaml")],
                0,
            ),
            (
                "a new copy",
                (AsIs, "charts/crds/a.yaml"),
                None,
                vec![(AsIs, "./config/a.yaml="), (AsIs, "./old/crds/a.yaml")],
                0,
            ),
            (
                "the path below two folders",
                (AsIs, "new/a/x.yaml"),
                Some(("old", "new")),
                vec![(AsIs, "old/a/x.yaml"), (AsIs, "old/b/a/x.yaml")],
                0,
            ),
            (
                "a release among others",
                (AsIs, "bundles/3/crd.yaml"),
                None,
                vec![(AsIs, "./bundles/1/crd.yaml"), (AsIs, "./bundles/2/crd.yaml")],
                1,
            ),
            (
                "the file itself",
                (AsIs, "crds/a.yaml"),
                None,
                vec![(AsIs, "./crds/a.yaml"), (Built, "./crds/a.yaml=")],
                0,
            ),
            (
                "what is built",
                (Built, "crds/a.yaml"),
                None,
                vec![(AsIs, "./crds/a.yaml="), (Built, "./crds/a.yaml")],
                1,
            ),
            (
                "what is applied",
                (AsIs, "new.yaml"),
                None,
                vec![(Built, "./crds/a.yaml"), (AsIs, "./crds/a.yaml")],
                0,
            ),
            ("types", (Types, "src"), None, vec![(Types, "src"), (AsIs, "./src/crd.yaml=")], 0),
            (
                "YAML, although there are types",
                (AsIs, "src/crd.yaml"),
                None,
                vec![(AsIs, "./crds/a.yaml"), (Types, "src")],
                0,
            ),
        ] {
            let new = Spot { form: new.0, file: Path::new(new.1) };
            let (old_root, new_roots) = (roots.map(|it| it.0), roots.map(|it| it.1.to_owned()));
            let new_roots: Vec<String> = new_roots.into_iter().collect();
            // A sign at the end of an old path says that the content is the same.
            let likeness = |(form, file): &(Form, &str)| {
                let old = Spot { form: *form, file: Path::new(file.trim_end_matches('=')) };
                let roots = Roots { old: old_root, new: &new_roots, renames: &renames };
                Likeness::new(old, new, roots, file.ends_with('='))
            };
            let found = (0..olds.len()).max_by_key(|at| likeness(&olds[*at]));
            assert_eq!(found, Some(expected), "{what}");
        }
    }
}
