//! What a command costs. Processor time is what is compared: it hardly depends on what else the machine
//! does. The shell measures it, with all its children.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a command took.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// Processor time, its own and the system's, in seconds.
    pub cpu: f64,
    /// Time that passed, in seconds.
    pub wall: f64,
    /// What it printed.
    pub output: String,
}

/// Runs a command line in a folder, with these variables.
pub fn run(folder: &Path, line: &str, vars: &[(&str, &str)]) -> io::Result<Cost> {
    let script = format!("TIMEFORMAT='%3R %3U %3S'; time {{ {line} ; }} 2>&1");
    let mut command = Command::new("bash");
    command.arg("-c").arg(&script).current_dir(folder).stdin(Stdio::null());
    command.envs(vars.iter().copied());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return Err(io::Error::other(format!("{line}: {}\n{text}", output.status)));
    }
    let times = String::from_utf8_lossy(&output.stderr).into_owned();
    let numbers: Vec<f64> = times.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    match numbers.as_slice() {
        [wall, user, system] => Ok(Cost { cpu: user + system, wall: *wall, output: text }),
        _ => Err(io::Error::other(format!("no times in {times:?}"))),
    }
}

/// The middle of some numbers.
pub fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// The least of some numbers: what it takes when nothing else is in the way.
pub fn least(all: &[f64]) -> f64 {
    all.iter().copied().fold(f64::INFINITY, f64::min)
}
