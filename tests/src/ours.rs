//! crdgen's side of the protocol.

use std::io;
use std::path::PathBuf;

use crate::oracle::Program;

/// crdgen, as it answers requests: `$CRDGEN`, or the command beside the running program.
pub fn program() -> Result<Program, String> {
    let path = match std::env::var_os("CRDGEN").filter(|p| !p.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => beside().map_err(|e| e.to_string())?,
    };
    if path.is_file() {
        Ok(Program::new(path, &["rpc"]))
    } else {
        Err(format!("no crdgen at {}: build it with `cargo build -p crdgen --features cli`", path.display()))
    }
}

fn beside() -> io::Result<PathBuf> {
    let exe = std::env::current_exe()?;
    let dir = exe.parent().map(PathBuf::from).unwrap_or_default();
    // Test binaries stand one folder deeper.
    let dir = if dir.ends_with("deps") { dir.parent().map(PathBuf::from).unwrap_or_default() } else { dir };
    Ok(dir.join(format!("crdgen{}", std::env::consts::EXE_SUFFIX)))
}
