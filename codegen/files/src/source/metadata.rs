//! Runs `cargo metadata`.
//!
//! A package may be hostile, and cargo reads the settings of the folders in which it runs: they can name a compiler, a
//! wrapper of it, or a whole toolchain, which cargo and rustup then run. So cargo runs in a folder without such settings,
//! and gets only what `settings` passes on. It does not change the checkout.

use super::Options;
use super::links::Links;
use super::manifests;
use super::settings::Settings;
use crate::input::Shown;
use crate::output::Helper;
use crate::{Error, input};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use crdgen_core::inert::Inert;
use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What cargo has found about the packages of a manifest.
pub(super) struct Answer {
    pub(super) metadata: Metadata,
    /// The lock file, if cargo would change it.
    pub(super) outdated: Option<PathBuf>,
}

/// Asks cargo about the packages of a manifest and their dependencies.
pub(super) fn ask(manifest: &Path, options: &Options) -> Result<Answer, Error> {
    // Cargo would wait for another process to write to a pipe.
    input::regular(manifest).map_err(Error::file(manifest))?;
    // The copy of a revision may be gone when the error is printed.
    let shown = PathBuf::from(manifest.shown().to_string());
    let failed = |e| Error::Cargo { manifest: shown.clone(), why: input::with_names(&reason(&e)) };
    if options.trusted {
        let mut command = command(options);
        command.manifest_path(manifest);
        if options.offline {
            command.other_options([OFFLINE.to_owned()]);
        }
        let answer = run(with_environment(command.cargo_command())).map_err(failed)?;
        return Ok(Answer { metadata: parse(&answer).map_err(failed)?, outdated: None });
    }
    let manifest = std::path::absolute(manifest).map_err(Error::file(manifest))?;
    let manifests = manifests::check(&manifest)?;
    let settings = Settings::of(&manifest);
    let mut more = Vec::new();
    for setting in &settings.arguments {
        more.extend(["--config".to_owned(), setting.clone()]);
    }
    if settings.has_registries || options.offline {
        more.push(OFFLINE.to_owned());
    }
    let ask = |manifest: &Path, more: Vec<String>| {
        let mut command = command(options);
        command.manifest_path(manifest).cargo_path(cargo()).other_options(more);
        run(alone(command.cargo_command()))
    };
    let lock = lock(&manifest).map_err(failed)?;
    manifests::check_name(&lock, "Cargo.lock")?;
    let mut why = None;
    if lock.symlink_metadata().is_ok() {
        let locked = more.iter().cloned().chain(["--locked".to_owned()]).collect();
        match ask(&manifest, locked) {
            Ok(answer) => return Ok(Answer { metadata: parse(&answer).map_err(failed)?, outdated: None }),
            Err(e) => why = Some(e),
        }
    }
    // The lock file may be missing or out of date. Cargo writes it next to links, not into the checkout.
    let links = Links::new(input::folder_of(&lock), &manifests);
    let (answer, links) = match (links, why) {
        (Ok(links), _) => (ask(&links.place(&manifest), more), links),
        (Err(_), Some(why)) => return Err(failed(explained(why, &manifest, options))),
        (Err(why), None) => return Err(Error::file(&lock)(why)),
    };
    let answer = answer.map_err(|e| failed(explained(links.originals_in(e), &manifest, options)))?;
    let metadata = parse(&links.originals(&answer)).map_err(failed)?;
    Ok(Answer { metadata, outdated: lock.exists().then_some(lock) })
}

const OFFLINE: &str = "--offline";

fn command(options: &Options) -> MetadataCommand {
    let mut command = MetadataCommand::new();
    if options.all_features {
        command.features(CargoOpt::AllFeatures);
    }
    if options.no_default_features {
        command.features(CargoOpt::NoDefaultFeatures);
    }
    if !options.features.is_empty() {
        command.features(CargoOpt::SomeFeatures(options.features.clone()));
    }
    command
}

fn parse(answer: &str) -> Result<Metadata, cargo_metadata::Error> {
    MetadataCommand::parse(answer)
}

/// The program that cargo is.
fn cargo() -> OsString {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // A relative path would be relative to the folder in which cargo runs.
    match Path::new(&program).components().count() {
        0 | 1 => program,
        _ => std::path::absolute(&program).map_or(program, PathBuf::into_os_string),
    }
}

/// Runs a command without the settings of the checkout.
fn alone(mut command: Command) -> Command {
    command.current_dir(neutral());
    // Defence in depth: these take precedence over all settings. `cargo metadata` compiles nothing.
    if env::var_os("RUSTC").is_none() {
        command.env("RUSTC", "rustc");
    }
    command.env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
    // What the compiler answered would be kept in the target folder of the checkout.
    command.env("CARGO_CACHE_RUSTC_INFO", "0");
    with_environment(command)
}

fn with_environment(mut command: Command) -> Command {
    command.env("CARGO_TERM_COLOR", "never");
    // Without a network, retries take three times as long and fail all the same.
    if env::var_os("CARGO_NET_RETRY").is_none() {
        command.env("CARGO_NET_RETRY", "0");
    }
    command
}

/// Returns a folder that no checkout is around: the root, to which only the administrator writes. On Windows, where
/// others write to the root too, the home of the user.
fn neutral() -> PathBuf {
    let home = || env::var_os("USERPROFILE").map_or_else(env::temp_dir, PathBuf::from);
    if cfg!(windows) { home() } else { PathBuf::from("/") }
}

/// Returns where the lock file of a package is.
fn lock(manifest: &Path) -> Result<PathBuf, cargo_metadata::Error> {
    let mut command = alone(Command::new(cargo()));
    command.args(["locate-project", "--workspace", "--message-format", "plain", "--manifest-path"]);
    let output = command.arg(manifest).stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(cargo_metadata::Error::CargoMetadata { stderr });
    }
    let root = String::from_utf8_lossy(&output.stdout);
    Ok(Path::new(root.trim_end_matches(['\r', '\n'])).with_file_name("Cargo.lock"))
}

/// Adds to cargo's error why cargo may have failed only here.
fn explained(error: cargo_metadata::Error, manifest: &Path, options: &Options) -> cargo_metadata::Error {
    let cargo_metadata::Error::CargoMetadata { mut stderr } = error else { return error };
    let has = |name: &str| manifest.ancestors().skip(1).any(|folder| folder.join(name).exists());
    let left_out: Vec<&str> =
        [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"]
            .into_iter()
            .filter(|name| has(name))
            .collect();
    if !left_out.is_empty() {
        stderr.push_str(&format!(
            "note: crdgen runs cargo without {}, because a checkout could make it run programs. Set variables instead, such as \
             RUSTUP_TOOLCHAIN and CARGO_REGISTRIES_NAME_INDEX, or use `crdgen emit --exact` if you trust the package\n",
            left_out.join(" and ")
        ));
    }
    if options.offline {
        stderr.push_str(
            "note: crdgen does not use the network for sources at a revision. If packages are missing, run `cargo fetch` in a checkout \
             of the revision\n",
        );
    }
    cargo_metadata::Error::CargoMetadata { stderr }
}

/// Explains why there is no answer.
fn reason(error: &cargo_metadata::Error) -> String {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            format!("`cargo metadata` failed:\n{}", shortened(stderr))
        }
        cargo_metadata::Error::Io(e) => {
            format!("cannot run `cargo metadata`: {e}. Install cargo, or set $CARGO to its path")
        }
        other => format!("`cargo metadata` gave no answer: {other}"),
    }
}

/// At most three lines of cargo's error: its first one and those of its last two causes, or the first ones if there is no cause. What
/// cargo was doing before, such as waiting for another cargo, is indented and left out. The notes of crdgen follow.
fn shortened(stderr: &str) -> String {
    let (error, notes) = match stderr.find("\nnote: crdgen ") {
        Some(at) => stderr.split_at(at),
        None => (stderr, ""),
    };
    let blocks: Vec<&str> = error.split("\n\nCaused by:\n").collect();
    let is_text = |line: &&str| !line.trim().is_empty();
    let mut shown: Vec<&str> = match blocks[..] {
        [one] => {
            let lines = || one.lines().filter(is_text);
            let error: Vec<&str> = lines().skip_while(|line| line.starts_with(' ')).collect();
            if error.is_empty() { lines().collect() } else { error }
        }
        _ => {
            let error = blocks[0].lines().find(|line| line.starts_with("error"));
            let causes = blocks[1..].iter().skip(blocks.len().saturating_sub(3));
            error.into_iter().chain(causes.filter_map(|cause| cause.lines().find(is_text))).collect()
        }
    };
    shown.truncate(3);
    format!("{}{}", shown.join("\n"), notes.trim_end())
}

/// How long cargo may be silent before its messages are shown.
const PATIENCE: Duration = Duration::from_millis(700);

/// Runs `cargo metadata`. While cargo waits for the network or for another cargo, a terminal shows its latest message.
/// If it fails, the error contains all messages.
fn run(mut command: Command) -> Result<String, cargo_metadata::Error> {
    let (start, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
    let helper = Helper::start(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let (mut stdout, stderr) = helper.pipes();
    let listener = std::thread::spawn(move || {
        let mut printed = String::new();
        for line in stderr.into_iter().flat_map(|pipe| BufReader::new(pipe).lines()).map_while(Result::ok) {
            if is_terminal && start.elapsed() > PATIENCE {
                let short: String = line.trim().chars().take(70).collect();
                let _ = write!(std::io::stderr(), "\r\x1b[Kcargo: {}", Inert(&short));
            }
            printed.push_str(&line);
            printed.push('\n');
        }
        printed
    });
    let mut answer = Vec::new();
    if let Some(stdout) = &mut stdout {
        stdout.read_to_end(&mut answer)?;
    }
    let status = helper.wait()?;
    let printed = listener.join().unwrap_or_default();
    if is_terminal && start.elapsed() > PATIENCE {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    if !status.success() {
        return Err(cargo_metadata::Error::CargoMetadata { stderr: printed });
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn shows_at_most_three_lines_of_cargo() {
        let error = "    Updating git repository `https://a`\nerror: failed to get `b` as a dependency of `c`\n\nCaused by:\n  failed to load \
                     source for dependency `b`\n\nCaused by:\n  unable to update https://a\n  again\n\nCaused by:\n  no network\n";
        let shown =
            "error: failed to get `b` as a dependency of `c`\n  unable to update https://a\n  no network";
        assert_eq!(shortened(error), shown);
        assert_eq!(shortened(&format!("{error}\nnote: crdgen d\n")), format!("{shown}\nnote: crdgen d"));
        assert_eq!(shortened("warning: a\n\nerror: b\n"), "warning: a\nerror: b");
        let waited = "    Blocking waiting for file lock on package cache\n".repeat(3);
        assert_eq!(shortened(&format!("{waited}error: a\n")), "error: a");
        assert_eq!(shortened(&waited).lines().count(), 3);
        assert_eq!(shortened("error: a\n |\n | b\n | ^\n"), "error: a\n |\n | b");
    }
}
