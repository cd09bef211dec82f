//! The output of a step: a file, and the terminal in the first lane. It runs the commands of the step.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a step failed. Its output has the details.
#[derive(Debug)]
pub(crate) struct Failed;

/// How a step or a command ended.
pub(crate) type Outcome = Result<(), Failed>;

/// The output of a step.
pub(crate) struct Output {
    file: File,
    path: PathBuf,
    is_shown: bool,
}

impl Output {
    /// Writes to a file, and also shows everything if `is_shown`.
    pub(crate) fn new(path: PathBuf, is_shown: bool) -> io::Result<Output> {
        Ok(Output { file: File::create(&path)?, path, is_shown })
    }

    /// The file with the output.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, text: &str) {
        self.write(format!("{text}\n").as_bytes());
    }

    fn write(&mut self, bytes: &[u8]) {
        // The result of a step does not depend on its output.
        _ = self.file.write_all(bytes);
        if self.is_shown {
            _ = io::stdout().write_all(bytes);
        }
    }

    /// Runs a command.
    pub(crate) fn run(&mut self, command: &mut Command) -> Outcome {
        self.status(command, |_| {})
    }

    /// Runs a command, and fails if it prints anything. With `-q`, cargo only prints warnings and errors, including those
    /// of earlier runs.
    pub(crate) fn run_silent(&mut self, command: &mut Command) -> Outcome {
        let mut is_silent = true;
        let status = self.status(command, |_| is_silent = false);
        if is_silent { status } else { Err(Failed) }
    }

    /// Runs a command, and returns what it prints.
    pub(crate) fn read(&mut self, command: &mut Command) -> Result<String, Failed> {
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        match output {
            Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            Ok(output) => Err(self.fail(command, &output.status.to_string())),
            Err(error) => Err(self.fail(command, &error.to_string())),
        }
    }

    fn status(&mut self, command: &mut Command, mut seen: impl FnMut(&[u8])) -> Outcome {
        let result = (|| {
            let (mut reader, writer) = io::pipe()?;
            command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
            let mut child = command.spawn()?;
            // Our ends of the pipe must be closed, so that reading ends with the program.
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut buffer = [0; 8192];
            loop {
                let length = reader.read(&mut buffer)?;
                if length == 0 {
                    break;
                }
                seen(&buffer[..length]);
                self.write(&buffer[..length]);
            }
            child.wait()
        })();
        match result {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.fail(command, &status.to_string())),
            Err(error) => Err(self.fail(command, &error.to_string())),
        }
    }

    fn fail(&mut self, command: &Command, why: &str) -> Failed {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        self.line(&format!("error: {}: {why}", words.join(" ")));
        Failed
    }
}
