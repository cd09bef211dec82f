//! The steps of CI, and how to run each.

mod builds;
mod examples;
mod server;
mod style;
mod tests;

use crate::machine::{Machine, Tool};
use crate::output::{Outcome, Output};

/// A step of CI.
pub(crate) struct Step {
    /// Its name, as in `cargo xtask ci NAME`.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
    /// Where it runs.
    pub(crate) lane: Lane,
    /// What it needs. Without it, the step is skipped.
    pub(crate) needs: &'static [Tool],
    /// The steps that must end before.
    pub(crate) after: &'static [&'static str],
    /// What it is about: it runs for changes of these files and folders, or of files whose paths end like this, after a `*`.
    /// Without any, it runs for all changes.
    pub(crate) parts: &'static [&'static str],
    /// Which commits it runs for, of those that it is about.
    pub(crate) often: Often,
    /// Runs it.
    pub(crate) run: fn(&Machine, &mut Output) -> Outcome,
}

/// Which commits a step runs for. `CI_PARTS=all` runs all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Often {
    Always,
    /// One of [`TURNS`] commits, because it takes long and rarely finds what the others do not. The number of the commit selects those
    /// with this number.
    InTurn(u64),
    /// None of them.
    OnlyInAll,
}

/// Into how many parts the steps are divided that run in turn.
pub(crate) const TURNS: u64 = 3;

/// Where a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Builds in cargo's folder. Cargo locks it, so they run one after the other.
    First,
    /// Programs, programs in Go, and builds in folders of their own. Two of them may run at the same time.
    Second,
    /// After both lanes.
    Last,
}

const fn first(name: &'static str, about: &'static str, run: fn(&Machine, &mut Output) -> Outcome) -> Step {
    Step { name, about, lane: Lane::First, needs: &[], after: &[], parts: &[], often: Often::Always, run }
}

const fn second(name: &'static str, about: &'static str, run: fn(&Machine, &mut Output) -> Outcome) -> Step {
    Step { name, about, lane: Lane::Second, needs: &[], after: &[], parts: &[], often: Often::Always, run }
}

/// A step that calls what the step `build` builds.
const fn program(name: &'static str, about: &'static str, run: fn(&Machine, &mut Output) -> Outcome) -> Step {
    second(name, about, run).after(&["build"])
}

impl Step {
    const fn needs(self, needs: &'static [Tool]) -> Step {
        Step { needs, ..self }
    }

    const fn after(self, after: &'static [&'static str]) -> Step {
        Step { after, ..self }
    }

    const fn about(self, parts: &'static [&'static str]) -> Step {
        Step { parts, ..self }
    }

    const fn often(self, often: Often) -> Step {
        Step { often, ..self }
    }

    /// Whether a commit with this number runs the step, if its change concerns it.
    pub(crate) fn has_turn(&self, turn: u64) -> bool {
        match self.often {
            Often::Always => true,
            Often::InTurn(own) => turn % TURNS == own,
            Often::OnlyInAll => false,
        }
    }

    /// Whether a change of these files concerns the step.
    pub(crate) fn is_about(&self, files: &[String]) -> bool {
        let is_in = |file: &str, part: &str| match part.strip_prefix('*') {
            Some(end) => file.ends_with(end),
            None => file.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        };
        self.parts.is_empty() || files.iter().any(|file| self.parts.iter().any(|part| is_in(file, part)))
    }
}

/// All that a program of ours is made of.
const CODE: &[&str] = &["codegen", "derive", "*Cargo.toml", "*Cargo.lock"];

/// What the answers to CRDs and objects depend on, and what they are compared with.
const ANSWERS: &[&str] = &[
    "codegen/text",
    "codegen/apply",
    "codegen/cel",
    "codegen/runtime",
    "codegen/rules",
    "codegen/core",
    "tests/corpus",
    "tests/oracle",
    "tests/src",
    "tests/vectors",
    "*Cargo.lock",
];

/// What users' types become.
const TYPES: &[&str] = &[
    "codegen/text",
    "codegen/runtime",
    "codegen/rust",
    "codegen/kinds",
    "codegen/crdgen",
    "derive",
    "*Cargo.toml",
    "*Cargo.lock",
];

/// What converts objects, and calls the code that does.
const CONVERSION: &[&str] = &[
    "codegen/kinds/src/convert",
    "codegen/build/src/declared",
    "codegen/tasks/src/stored",
    "codegen/kinds/src/straight",
    "codegen/crdgen/src/webhook",
    "codegen/rust/src/convert",
    "examples/versions",
];

/// What the derives under kube's names depend on.
const KUBE: &[&str] = &["codegen/crdgen/src/kube.rs", "codegen/rust/src/derive", "derive", "examples/kube"];

const CLUSTER_API: &[&str] =
    &["codegen/kinds/src/convert", "codegen/rust/src/convert", "examples/cluster-api", "tests/cluster-api"];

const PLAYGROUND: &[&str] = &[".ci/playground", "codegen/playground", "tests/tests/publish"];

/// All steps, in the order in which their lane runs them.
pub(crate) const ALL: &[Step] = &[
    first("fmt", "the format of the code", style::format),
    first("typos", "words in code and documents", style::typos).needs(&[Tool::Typos]),
    first("locks", "complete lock files", style::locks),
    first("build", "the tests, and the programs that later steps call", builds::all),
    first("axe", "the tool that checks the accessibility of pages", builds::axe)
        .needs(&[Tool::Browser, Tool::Npm]),
    // They compare with the oracle, but never build it.
    first("tests", "all tests, as contributors run them", tests::all).after(&["oracle"]),
    first("clippy", "lints", style::clippy),
    first("docs", "the documentation of the crates", style::docs).about(CODE),
    first("deny", "the licenses and sources of all dependencies", style::deny).needs(&[Tool::Deny]),
    first("advisories", "known vulnerabilities of dependencies", style::advisories)
        .needs(&[Tool::Advisories]),
    first("features", "combinations of features", builds::features)
        .needs(&[Tool::Hack])
        .about(CODE)
        .often(Often::InTurn(0)),
    first("build_script", "a crate whose build script writes its CRDs", examples::build_script).about(&[
        "codegen",
        "derive",
        "examples/build",
    ]),
    first("hostile", "larger hostile inputs for the optimized program", tests::hostile)
        .often(Often::OnlyInAll),
    second("oracle", "the server's own code as a program", server::build).needs(&[Tool::Go]),
    second("site", "the book of all pages for users", style::site)
        .needs(&[Tool::Mdbook])
        .about(&["templates/site", "tests/xtask/src/site"]),
    second("playground_page", "the page of the playground", builds::playground_page)
        .needs(&[Tool::Browser])
        .about(PLAYGROUND)
        .often(Often::InTurn(2)),
    second("kube", "programs on kube-rs", examples::kube).about(TYPES).often(Often::InTurn(1)),
    second("controller", "a controller on a live server", examples::controller)
        .needs(&[Tool::Oracle])
        .after(&["kube"])
        .about(KUBE)
        .often(Often::InTurn(1)),
    second("published", "the packages, with the oldest compiler and dependencies", builds::published)
        .needs(&[Tool::Rustup])
        .about(CODE),
    program("updates", "what updates of CRDs change, compared with the record", server::updates).about(&[
        "codegen/cel",
        "codegen/core",
        "codegen/diff",
        "codegen/rules",
        "codegen/runtime",
        "tests/changes",
    ]),
    program("editors", "real objects in yaml-language-server", tests::editors)
        .needs(&[Tool::Npm])
        .about(&["codegen/publish", "tests/editors"])
        .often(Often::InTurn(2)),
    program("vscode", "the extension for Visual Studio Code", tests::vscode)
        .needs(&[Tool::Npm])
        .about(&["codegen/lsp", "editors/vscode"])
        .often(Often::InTurn(2)),
    program("servers", "all vectors for all older servers", server::replay_older)
        .about(ANSWERS)
        .often(Often::InTurn(0)),
    program("vectors", "all vectors with the server", server::vectors).needs(&[Tool::Oracle]).about(ANSWERS),
    program("older", "an older server", server::older)
        .needs(&[Tool::Oracle, Tool::Go])
        .about(ANSWERS)
        .often(Often::InTurn(0)),
    program("upstream", "the inputs of upstream's own tests", server::upstream)
        .needs(&[Tool::Oracle, Tool::Go])
        .about(ANSWERS)
        .often(Often::InTurn(0)),
    program("tables", "the tables that are generated from Go modules", server::tables)
        .needs(&[Tool::Oracle, Tool::Go]),
    program("differential", "random inputs, compared with the server", server::differential)
        .needs(&[Tool::Oracle])
        .about(CODE),
    program("imports", "imports of CRDs, and their Rust code", tests::imports)
        .about(&[
            "codegen/import",
            "codegen/publish",
            "codegen/runtime",
            "codegen/rust",
            "codegen/text",
            "derive",
        ])
        .often(Often::InTurn(1)),
    program("fuzz", "all parsers with random inputs", tests::fuzz).about(CODE).often(Often::InTurn(2)),
    program("kube_versions", "the same types with other versions of kube", examples::kube_versions)
        .about(KUBE)
        .often(Often::InTurn(2)),
    program("versions", "a kind with three versions and its webhook", examples::versions)
        .about(&["codegen", "derive", "examples/versions"])
        .often(Often::InTurn(2)),
    program("conversion", "its webhook on a live server", examples::conversion)
        .needs(&[Tool::Oracle, Tool::Kubectl])
        .about(CONVERSION)
        .often(Often::InTurn(2)),
    program("upstream_conversion", "upstream's tests of conversion webhooks", examples::upstream_conversion)
        .needs(&[Tool::Oracle, Tool::Go])
        .about(CONVERSION)
        .often(Often::InTurn(2)),
    // The remaining steps are tests that the first lane has built.
    second("values", "values in serde and in the server", tests::values)
        .needs(&[Tool::Oracle])
        .after(&["tests"])
        .about(TYPES),
    second("cluster_api", "objects that cluster-api's own code converts", tests::cluster_api)
        .needs(&[Tool::Oracle, Tool::Go])
        .after(&["tests"])
        .about(CLUSTER_API),
    second("live", "the commands, kubectl and the server", tests::live)
        .needs(&[Tool::Oracle, Tool::Kubectl])
        .after(&["tests"]),
    second("playground", "the playground in a browser", tests::playground)
        .needs(&[Tool::Browser])
        .after(&["playground_page", "tests"])
        .about(PLAYGROUND)
        .often(Often::InTurn(2)),
    Step {
        name: "clean",
        about: "whether all generated files are up to date",
        lane: Lane::Last,
        needs: &[],
        after: &[],
        parts: &[],
        often: Often::Always,
        run: style::clean,
    },
];

#[cfg(test)]
mod choice {
    use super::{ALL, Step};
    use std::path::Path;

    /// A part that does not exist any more would never be touched again.
    #[test]
    fn all_parts_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for step in ALL {
            for part in step.parts.iter().filter(|part| !part.starts_with('*')) {
                assert!(root.join(part).exists(), "{}: {part}", step.name);
            }
        }
    }

    #[test]
    fn changes_choose_steps() {
        let chosen = |files: &[&str]| -> Vec<&str> {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            ALL.iter().filter(|step| step.is_about(&files)).map(|step| step.name).collect()
        };
        let always: Vec<&str> =
            ALL.iter().filter(|step: &&Step| step.parts.is_empty()).map(|step| step.name).collect();
        assert_eq!(chosen(&["README.md"]), always);
        assert!(always.contains(&"tests"));
        assert!(chosen(&["codegen/cel/src/lib.rs"]).contains(&"vectors"));
        assert!(!chosen(&["codegen/cell/src/lib.rs"]).contains(&"vectors"));
        assert!(chosen(&["derive/Cargo.toml"]).contains(&"published"));
        assert!(!chosen(&["derive/src/lib.rs"]).contains(&"playground"));
    }
}
