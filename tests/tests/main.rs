//! All integration tests, in one binary, with one module per area.

mod booleans;
mod cel;
mod console;
mod definitions;
mod harness;
#[cfg(unix)]
mod hostile;
mod import;
mod kubernetes;
mod layers;
mod live;
mod metadata;
mod migrate;
mod objects;
mod public_api;
mod publish;
mod readme;
mod rpc;
mod rust;
mod servers;
mod thread;
mod typed;
mod vectors;
mod words;
mod yaml;

/// The folder in which cargo builds packages for tests. All tests share it with trybuild, so that cargo builds their
/// dependencies only once.
fn packages() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("trybuild")
}

/// Makes the cargo that a command is, or that it runs, build in that folder. Without incremental compilation, the first
/// build takes a quarter less time.
fn builds_packages(command: &mut std::process::Command) -> &mut std::process::Command {
    command.env("CARGO_TARGET_DIR", packages()).env("CARGO_INCREMENTAL", "0")
}
