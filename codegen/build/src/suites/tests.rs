//! The functions that code of `suites!` calls: a test for each case that existed when the macro ran.

use crdgen_files::input::Shown;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{Case, Options, Outcome, Suite, find};

/// The suites of one `suites!`.
#[derive(Debug)]
pub struct Tests {
    root: &'static str,
    crds: &'static [&'static str],
    /// The cases that have tests: the path of the suite below the root, and the place or name of the case.
    known: &'static [(&'static str, &'static str)],
    found: OnceLock<Result<Vec<Suite>, String>>,
}

impl Tests {
    /// The suites below `root`, with CRDs from these files and packages.
    pub const fn new(
        root: &'static str,
        crds: &'static [&'static str],
        known: &'static [(&'static str, &'static str)],
    ) -> Tests {
        Tests { root, crds, known, found: OnceLock::new() }
    }

    /// Runs a case on every CRD of its suite.
    ///
    /// # Panics
    ///
    /// Panics if the case fails.
    pub fn run(&self, path: &str, key: &str) {
        let suites = self.suites().iter().filter(|suite| suite.path == self.at(path));
        let cases = suites.flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)));
        let (mut ran, mut failed) = (0, String::new());
        for (suite, case) in cases.filter(|(suite, case)| suite.lacks_crd() || self::key(case) == key) {
            ran += 1;
            failed.extend(self::failed(suite, case));
        }
        assert!(ran > 0, "{path} no longer has the case {key}: compile the tests again");
        assert!(failed.is_empty(), "{failed}");
    }

    /// Looks for cases that came after the tests were compiled. The compiler watches the files of suites, but not folders.
    ///
    /// # Panics
    ///
    /// Panics if there is such a case, no case at all, or a CRD that the server rejects.
    pub fn complete(&self) {
        let broken = self.suites().iter().filter(|suite| suite.is_of_crds);
        let broken = broken.flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)));
        let failed: Vec<String> = broken.filter_map(|(suite, case)| failed(suite, case)).collect();
        assert!(failed.is_empty(), "{}", failed.concat());
        let suites = self.suites().iter().filter(|suite| !suite.lacks_crd());
        let cases = suites.flat_map(|suite| suite.cases.iter().map(move |case| (&suite.path, key(case))));
        let is_known =
            |path: &PathBuf, key: &str| self.known.iter().any(|(p, k)| self.at(p) == *path && *k == key);
        let new: Vec<String> = cases
            .filter(|(path, key)| !is_known(path, key))
            .map(|(path, key)| format!("{}: {key}", path.shown()))
            .collect();
        assert!(
            new.is_empty(),
            "cases without tests: change a source file, so that the tests are compiled again\n{}",
            new.join("\n")
        );
        assert!(!self.known.is_empty(), "{}: there are no suites", self.root);
    }

    fn suites(&self) -> &[Suite] {
        let find = || {
            let options =
                Options { crds: self.crds.iter().map(PathBuf::from).collect(), ..Options::default() };
            find(&[PathBuf::from(self.root)], &options).map_err(|e| e.to_string())
        };
        self.found.get_or_init(find).as_ref().unwrap_or_else(|why| panic!("{why}"))
    }

    fn at(&self, path: &str) -> PathBuf {
        if path.is_empty() { PathBuf::from(self.root) } else { Path::new(self.root).join(path) }
    }
}

/// Returns why a case fails, with its place.
fn failed(suite: &Suite, case: &Case) -> Option<String> {
    let why = match suite.run(case) {
        Outcome::Passed | Outcome::PassedInOlderWords | Outcome::NeedsNewer(_) => return None,
        Outcome::Failed(failure) => failure.why,
        Outcome::NotRun(why) => why,
    };
    let line = case.line.map_or_else(String::new, |line| format!(":{line}"));
    Some(format!("{}{line}: {}: {}\n{}\n", suite.path.shown(), suite.crd, case.name, why))
}

/// Identifies a case: by its place in the file, or by its own file.
fn key(case: &Case) -> String {
    match &case.at {
        Some((list, index)) => format!("{list}[{index}]"),
        None => case.name.clone(),
    }
}
