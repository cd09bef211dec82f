//! In which folders errors are. A repository may have test data that is wrong on purpose, and the user may leave it out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crdgen_core::diag::Level;
use crdgen_core::inert::InertLine;
use crdgen_core::listed;

use crate::Finding;
use crdgen_tasks::inputs::Source;

/// How many errors are in the files of each folder.
#[derive(Default)]
pub struct Folders(BTreeMap<PathBuf, usize>);

/// Fewer errors need no overview.
const FEW: usize = 10;

/// How many folders are shown. The others count as those around them.
const MOST: usize = 5;

impl Folders {
    /// Counts the errors in a file that the user did not name.
    pub fn add(&mut self, source: &Source, findings: &[Finding]) {
        let errors = findings.iter().filter(|finding| finding.diag.level == Level::Error).count();
        if errors > 0 && source.origin.is_found {
            let folder = Path::new(&source.name).parent().unwrap_or(Path::new("")).to_owned();
            *self.0.entry(folder).or_default() += errors;
        }
    }

    /// The folders with the most errors first.
    fn largest(&self) -> Vec<(PathBuf, usize)> {
        let mut all = self.0.clone();
        while all.len() > MOST {
            let depth = |folder: &Path| folder.components().count();
            let deepest = all.keys().map(|folder| depth(folder)).max().unwrap_or_default();
            if deepest < 2 {
                break;
            }
            for (folder, errors) in std::mem::take(&mut all) {
                let is_deepest = depth(&folder) == deepest;
                let folder = folder.parent().filter(|_| is_deepest).map(Path::to_owned).unwrap_or(folder);
                *all.entry(folder).or_default() += errors;
            }
        }
        let mut all: Vec<(PathBuf, usize)> = all.into_iter().collect();
        all.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
        all
    }

    /// `errors by folder: 45 in a/b, 3 in c. …`, if there are many errors.
    pub fn note(&self) -> Option<String> {
        let all = self.largest();
        let (first, _) = all.first().filter(|(folder, _)| folder.file_name().is_some())?;
        let shown = all.iter().map(|(folder, errors)| format!("{errors} in {}", InertLine(&written(folder))));
        (self.0.values().sum::<usize>() >= FEW).then(|| {
            format!(
                "errors by folder: {}. Leave out what is wrong on purpose, such as with --exclude {}",
                listed::first(shown, listed::NAMED),
                InertLine(&written(first))
            )
        })
    }
}

/// A path as `--exclude` takes it: a name alone would match folders anywhere.
fn written(folder: &Path) -> String {
    let shown = folder.display().to_string();
    match shown.as_str() {
        "" => ".".to_owned(),
        _ if shown.contains('/') => shown,
        _ => format!("./{shown}"),
    }
}
