//! Converts objects with the compiled types. A program reads objects and writes answers, one per line, until its input
//! ends.

use super::{Subject, failed, is_package, unreached};
use crate::Error;
use crate::source::{self, Options, cargo, files};
use crdgen_core::json;
use crdgen_core::value::Value;
use crdgen_source::declared::Pair;
use crdgen_source::{Found, Program};
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The start of a line with a converted object.
const CONVERTED: &str = "crdgen-converted:";
/// The start of a line with the reason why an object cannot be converted. The types themselves may print other lines.
const REJECTED: &str = "crdgen-rejected:";

/// Programs that convert objects, one per package.
#[derive(Debug, Default)]
pub struct Compiled {
    converters: Vec<Converter>,
    missing: Vec<Missing>,
}

/// Why some kinds cannot be converted.
#[derive(Debug)]
struct Missing {
    kinds: Vec<KindName>,
    found: Vec<Found>,
}

/// A group, and the name of a kind.
type KindName = (String, String);

#[derive(Debug)]
struct Converter {
    program: PathBuf,
    kinds: Vec<KindName>,
    running: Option<Running>,
}

/// Why an object cannot be converted.
#[derive(Debug)]
pub struct Refused(pub String);

/// A running program, and the version that it converts to.
#[derive(Debug)]
struct Running {
    to: String,
    program: Child,
    objects: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Compiled {
    /// Compiles the packages that declare conversions.
    pub fn new(options: &Options) -> Result<Compiled, Error> {
        is_package(options)?;
        let options = &Options { trusted: true, ..options.clone() };
        let mut workspace = cargo::Workspace::new(options);
        let mut out = Compiled::default();
        let roots = workspace.roots()?;
        // Cargo has not run for a package that does not need it.
        workspace.ask();
        if let Some(failure) = workspace.take_failure() {
            return Err(failure);
        }
        for root in roots {
            let mut sources = files::Files::new(&mut workspace);
            let mut pairs = Program::new(&mut sources, root.clone()).declared().pairs;
            if pairs.is_empty() {
                continue;
            }
            let library = Subject::of(&mut workspace, &root).filter(|it| it.is_library);
            pairs.retain(|pair| {
                let versions = [&pair.old.asked, &pair.new.asked].into_iter();
                let others = versions.filter(|asked| library.is_none() || asked.path.is_none());
                let found = unreached(others, library.is_none());
                let is_reached = found.is_empty();
                out.miss(std::slice::from_ref(pair), found);
                is_reached
            });
            if let Some(library) = library.filter(|_| !pairs.is_empty()) {
                match library.generated("conversions", options).and_then(|it| it.build_package(&text(&pairs)))
                {
                    Ok(program) => {
                        out.converters.push(Converter { program, kinds: kinds(&pairs), running: None });
                    }
                    Err(why) => out.miss(&pairs, vec![failed(library.package, why)]),
                }
            }
        }
        Ok(out)
    }

    fn miss(&mut self, pairs: &[Pair], mut found: Vec<Found>) {
        if !found.is_empty() {
            found.iter_mut().filter_map(|found| found.at.as_mut()).for_each(source::shorten);
            self.missing.push(Missing { kinds: kinds(pairs), found });
        }
    }

    /// Explains why no program knows a kind. Returns each diagnostic only once.
    pub fn why_missing(&mut self, group: &str, kind: &str) -> Vec<Found> {
        let is_of = |missing: &&mut Missing| missing.kinds.iter().any(|(g, k)| g == group && k == kind);
        let mut out: Vec<Found> = Vec::new();
        for found in self.missing.iter_mut().filter(is_of).flat_map(|it| std::mem::take(&mut it.found)) {
            // A private module hides the kinds of all pairs in it, so it is reported only once.
            if out.iter().all(|other| found.at.is_none() || other.at != found.at) {
                out.push(found);
            }
        }
        out
    }

    /// Converts an object to another version, or returns why it cannot. `None` if no program knows its kind.
    pub fn convert(
        &mut self,
        group: &str,
        kind: &str,
        object: &Value,
        to: &str,
    ) -> Option<Result<Value, Refused>> {
        let is_of = |converter: &&mut Converter| converter.kinds.iter().any(|(g, k)| g == group && k == kind);
        let converter = self.converters.iter_mut().find(is_of)?;
        Some(converter.convert(object, &format!("{group}/{to}")).unwrap_or_else(|why| {
            converter.running = None;
            Err(Refused(format!("the program that converts it stopped: {why}")))
        }))
    }
}

impl Converter {
    fn convert(&mut self, object: &Value, to: &str) -> io::Result<Result<Value, Refused>> {
        if self.running.as_ref().is_some_and(|running| running.to != to) {
            self.running = None;
        }
        let running = match &mut self.running {
            Some(running) => running,
            none => none.insert(Running::new(&self.program, to)?),
        };
        writeln!(running.objects, "{}", json::to_string(object))?;
        running.objects.flush()?;
        let mut line = String::new();
        loop {
            line.clear();
            if running.answers.read_line(&mut line)? == 0 {
                let status = running.program.wait()?;
                return Err(io::Error::other(format!("{status}; see its error above")));
            }
            if let Some(answer) = line.strip_prefix(CONVERTED) {
                let object = json::read(answer.trim_end().as_bytes());
                return Ok(object
                    .map_err(|e| Refused(format!("the program printed something that is not JSON: {e}"))));
            }
            if let Some(answer) = line.strip_prefix(REJECTED) {
                let why = json::read(answer.trim_end().as_bytes()).ok();
                return Ok(Err(Refused(why.as_ref().and_then(Value::as_str).unwrap_or(answer).to_owned())));
            }
        }
    }
}

impl Running {
    fn new(program: &PathBuf, to: &str) -> io::Result<Running> {
        let mut command = Command::new(program);
        let mut program = command.arg(to).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::from(io::ErrorKind::BrokenPipe);
        let objects = program.stdin.take().ok_or_else(missing)?;
        let answers = BufReader::new(program.stdout.take().ok_or_else(missing)?);
        Ok(Running { to: to.to_owned(), program, objects, answers })
    }
}

impl Drop for Running {
    /// Kills the program, because it gets no more objects to convert.
    fn drop(&mut self) {
        _ = self.program.kill();
        _ = self.program.wait();
    }
}

/// Returns the group and the name of each kind.
fn kinds(pairs: &[Pair]) -> Vec<KindName> {
    let mut out: Vec<KindName> = Vec::new();
    for Pair { group, kind, .. } in pairs {
        if !out.iter().any(|(g, k)| g == group && k == kind) {
            out.push((group.clone(), kind.clone()));
        }
    }
    out
}

/// Returns the code of the program: the pairs of each kind.
fn text(pairs: &[Pair]) -> String {
    let mut out = "#![allow(warnings)]\n\nfn main() {\n    crdgen::convert::convert_lines(&[\n".to_owned();
    for (group, kind) in kinds(pairs) {
        out.push_str("        crdgen::convert::Versions::new()");
        for pair in pairs.iter().filter(|pair| pair.group == group && pair.kind == kind) {
            if let (Some(old), Some(new)) = (&pair.old.asked.path, &pair.new.asked.path) {
                _ = write!(out, ".pair::<subject::{old}, subject::{new}>()");
            }
        }
        out.push_str(",\n");
    }
    _ = write!(out, "    ], [{CONVERTED:?}, {REJECTED:?}]);\n}}\n");
    out
}
