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
    /// On which days it runs.
    pub(crate) days: Days,
    /// Runs it.
    pub(crate) run: fn(&Machine, &mut Output) -> Outcome,
}

/// The days on which a step runs: one of so many. Steps that take minutes and rarely fail take turns, so that CI ends within half an
/// hour. `CI_PARTS=all` runs all of them, as does their name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Days {
    of: u64,
    day: u64,
}

impl Days {
    const ALL: Days = Days { of: 1, day: 0 };

    /// Whether a day with this number is one of them.
    pub(crate) const fn include(self, turn: u64) -> bool {
        turn % self.of == self.day
    }
}

/// Where a step runs. The steps of a lane run one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Builds without optimization. Cargo locks the folder, so they cannot run at the same time.
    First,
    /// Programs in Go, the optimized programs, and builds with a target folder of their own.
    Second,
    /// After both lanes.
    Last,
}

const fn first(name: &'static str, about: &'static str, run: fn(&Machine, &mut Output) -> Outcome) -> Step {
    Step { name, about, lane: Lane::First, needs: &[], after: &[], days: Days::ALL, run }
}

const fn second(name: &'static str, about: &'static str, run: fn(&Machine, &mut Output) -> Outcome) -> Step {
    Step { name, about, lane: Lane::Second, needs: &[], after: &[], days: Days::ALL, run }
}

impl Step {
    const fn needs(self, needs: &'static [Tool]) -> Step {
        Step { needs, ..self }
    }

    const fn after(self, after: &'static [&'static str]) -> Step {
        Step { after, ..self }
    }

    /// Runs on one of some days.
    const fn on_day(self, day: u64, of: u64) -> Step {
        Step { days: Days { of, day }, ..self }
    }
}

/// All steps, in the order in which their lane runs them.
pub(crate) const ALL: &[Step] = &[
    first("fmt", "the format of the code", style::format),
    first("typos", "words in code and documents", style::typos).needs(&[Tool::Typos]),
    first("locks", "complete lock files", style::locks),
    first("deny", "the licenses and sources of all dependencies", style::deny).needs(&[Tool::Deny]),
    first("advisories", "known vulnerabilities of dependencies", style::advisories)
        .needs(&[Tool::Advisories]),
    first("clippy", "lints", style::clippy),
    first("docs", "the documentation of the crates", style::docs),
    first("features", "combinations of features", builds::features).needs(&[Tool::Hack]),
    first("axe", "the tool that checks the accessibility of pages", builds::axe)
        .needs(&[Tool::Browser, Tool::Npm]),
    // They compare with the oracle, but never build it.
    first("tests", "all tests, except those of `hostile`", tests::all).after(&["oracle"]),
    first("kube", "programs on kube-rs", examples::kube),
    first("build_script", "a crate whose build script writes its CRDs", examples::build_script),
    first("hostile", "hostile inputs for the optimized program", tests::hostile).after(&["programs"]),
    first("controller", "a controller on a live server", examples::controller).needs(&[Tool::Oracle]),
    first("package", "the packages of the published crates", builds::package).on_day(0, 3),
    second("oracle", "the server's own code as a program", server::build).needs(&[Tool::Go]),
    second("programs", "the optimized programs that later steps call", builds::programs),
    second("playground_page", "the page of the playground", builds::playground_page)
        .needs(&[Tool::Browser])
        .on_day(1, 3),
    second("editors", "real objects in yaml-language-server", tests::editors).needs(&[Tool::Npm]),
    second("servers", "all vectors for all older servers", server::replay_older),
    second("updates", "what updates of CRDs change, compared with the record", server::updates)
        .after(&["programs"]),
    second("kube_versions", "the same types with other versions of kube", examples::kube_versions)
        .on_day(2, 3),
    second("vectors", "all vectors with the server", server::vectors).needs(&[Tool::Oracle]),
    second("older", "an older server", server::older).needs(&[Tool::Oracle, Tool::Go]),
    second("upstream", "the inputs of upstream's own tests", server::upstream)
        .needs(&[Tool::Oracle, Tool::Go]),
    second("tables", "the tables that are generated from Go modules", server::tables)
        .needs(&[Tool::Oracle, Tool::Go]),
    second("differential", "random inputs, compared with the server", server::differential)
        .needs(&[Tool::Oracle]),
    second("imports", "imports of CRDs, and their Rust code", tests::imports),
    second("fuzz", "all parsers with random inputs", tests::fuzz),
    second("versions", "a kind with three versions and its webhook", examples::versions),
    second("msrv", "the oldest supported compiler", builds::msrv).needs(&[Tool::Rustup]).on_day(1, 3),
    // They change only with the manifests.
    second("minimal", "the oldest versions of dependencies", builds::minimal).on_day(0, 7),
    second("conversion", "its webhook on a live server", examples::conversion)
        .needs(&[Tool::Oracle, Tool::Kubectl]),
    second("upstream_conversion", "upstream's tests of conversion webhooks", examples::upstream_conversion)
        .needs(&[Tool::Oracle, Tool::Go])
        .on_day(0, 3),
    // The remaining steps are tests that the first lane has built.
    second("values", "values in serde and in the server", tests::values)
        .needs(&[Tool::Oracle])
        .after(&["tests"]),
    second("cluster_api", "objects that cluster-api's own code converts", tests::cluster_api)
        .needs(&[Tool::Oracle, Tool::Go])
        .after(&["tests"])
        .on_day(2, 3),
    second("live", "the commands, kubectl and the server", tests::live)
        .needs(&[Tool::Oracle, Tool::Kubectl])
        .after(&["tests"]),
    second("playground", "the playground in a browser", tests::playground)
        .needs(&[Tool::Browser])
        .after(&["playground_page", "tests"])
        .on_day(1, 3),
    Step {
        name: "clean",
        about: "whether all generated files are up to date",
        lane: Lane::Last,
        needs: &[],
        after: &[],
        days: Days::ALL,
        run: style::clean,
    },
];
