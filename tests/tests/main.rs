//! All integration tests, one binary; a module per area.

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
mod rust;
mod servers;
mod thread;
mod typed;
mod vectors;
mod words;
mod yaml;

/// Where cargo builds packages for tests. All share a folder, the one of trybuild, so that cargo builds what they depend on
/// once.
fn packages() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests").join("trybuild")
}

/// Makes the cargo that a command is or runs build there. Without what would make a second build faster, the first one takes a
/// quarter less time.
fn builds_packages(command: &mut std::process::Command) -> &mut std::process::Command {
    command.env("CARGO_TARGET_DIR", packages()).env("CARGO_INCREMENTAL", "0")
}
