//! `crdgen.toml`: defaults for the arguments of commands. It is looked for in the current folder and in those above it.
//!
//! ```toml
//! kube = "1.33"             # for all commands with --kube
//! paths = ["deploy/crds"]   # what commands read that are given no paths and no standard input
//!
//! [check]                   # options of one command, with their long names
//! deny-warnings = true
//! lint = ["all"]
//! ```
//!
//! Settings become arguments, so that clap reads and checks both alike; an option on the command line wins.

use crate::input::Shown;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueHint};
use crdgen_core::nearest;
use toml::de::{DeTable, DeValue};

use super::terminal::{Ready, print};
use super::{Outcome, piped};
use crate::{Error, input};

/// The name of the file.
const FILE: &str = "crdgen.toml";

/// Settings outside of the tables of commands: they are for all commands that have such an argument.
const SHARED: [&str; 4] = ["kube", "lint", "no-lint", "paths"];

/// Show the settings in crdgen.toml
#[derive(clap::Args)]
#[command(after_help = "A crdgen.toml in the current folder or a folder above sets defaults for options:

  kube = \"1.33\"             # for all commands with --kube
  paths = [\"deploy/crds\"]   # what commands read by default, relative to crdgen.toml

  [check]                   # options of one command, with their long names
  deny-warnings = true
  lint = [\"all\"]")]
pub(crate) struct Args {}

/// A setting.
struct Setting {
    /// The command that it is for; without one, for all.
    command: Option<String>,
    name: String,
    value: Given,
}

enum Given {
    Flag(bool),
    Values(Vec<String>),
}

/// The settings of a file.
pub(super) struct Settings {
    file: PathBuf,
    all: Vec<Setting>,
}

pub(crate) fn run(_: &Args) -> Result<Outcome, Error> {
    let Some(settings) = Settings::find(&super::command())? else {
        print(&Ready::text(&format!("no {FILE} in this folder or in one above it\n")))?;
        return Ok(Outcome::Fine);
    };
    print(&Ready::text(&settings.shown()))?;
    Ok(Outcome::Fine)
}

impl Settings {
    /// Reads the nearest file, if there is one.
    pub(super) fn find(command: &Command) -> Result<Option<Settings>, Error> {
        let here = std::env::current_dir().map_err(Error::file("."))?;
        let Some(file) = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.exists()) else {
            return Ok(None);
        };
        let text = input::read_to_string(&file).map_err(Error::file(&file))?;
        // What is in the current folder is called as users call it.
        let file = if file.parent() == Some(&here) { PathBuf::from(FILE) } else { file };
        Reader { file: &file, text: &text, command }.settings().map(|all| Some(Settings { file, all }))
    }

    /// The arguments that settings add to those of the user.
    pub(super) fn arguments(&self, command: &Command, matches: &ArgMatches) -> Result<Vec<String>, Error> {
        let Some((name, given)) = matches.subcommand() else { return Ok(Vec::new()) };
        let Some(command) = command.find_subcommand(name) else { return Ok(Vec::new()) };
        let is_given =
            |arg: &Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        let (mut options, mut paths) = (Vec::new(), Vec::new());
        // A setting for one command is nearer than one for all.
        let own = self.all.iter().filter(|setting| setting.command.as_deref() == Some(name));
        let shared = self.all.iter().filter(|setting| {
            setting.command.is_none()
                && !self
                    .all
                    .iter()
                    .any(|other| other.command.as_deref() == Some(name) && other.name == setting.name)
        });
        for setting in own.chain(shared) {
            let Some(arg) = find(command, &setting.name).filter(|arg| !is_given(arg)) else { continue };
            if command.get_arguments().any(|other| is_given(other) && conflict(command, arg, other)) {
                continue;
            }
            match &setting.value {
                // Of all commands, some have a flag of the name and others an option.
                Given::Flag(on) if !takes_values(arg) => {
                    options.extend(on.then(|| format!("--{}", setting.name)))
                }
                Given::Values(values) if arg.is_positional() => {
                    let is_cluster = given.try_get_one::<bool>("cluster").is_ok_and(|it| it == Some(&true));
                    if !is_cluster && piped::text()?.is_none() {
                        paths.extend(values.iter().map(|value| self.placed(arg, value)));
                    }
                }
                Given::Values(values) if takes_values(arg) => {
                    options.extend(
                        values.iter().map(|it| format!("--{}={}", setting.name, self.placed(arg, it))),
                    );
                }
                Given::Flag(_) | Given::Values(_) => {}
            }
        }
        options.extend(paths);
        Ok(options)
    }

    /// A path in a file is from the file's folder.
    fn placed(&self, arg: &Arg, value: &str) -> String {
        let is_path =
            matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath);
        let folder = self.file.parent().unwrap_or(Path::new(""));
        if !is_path || folder.as_os_str().is_empty() || value == "-" || value.starts_with("git:") {
            return value.to_owned();
        }
        folder.join(value).shown().to_string()
    }

    /// What goes wrong with arguments that the file has added.
    pub(super) fn located(&self, error: &clap::Error) -> Error {
        let text = error.to_string();
        let text = text.lines().next().unwrap_or_default();
        Error::Argument(format!("{}: {}", self.file.shown(), text.strip_prefix("error: ").unwrap_or(text)))
    }

    fn shown(&self) -> String {
        let mut out = format!("# {}\n", self.file.shown());
        let mut table = None;
        for Setting { command, name, value } in &self.all {
            if table != Some(command) && command.is_some() {
                _ = writeln!(out, "\n[{}]", command.as_deref().unwrap_or_default());
            }
            table = Some(command);
            let value: toml::Value = match value {
                Given::Flag(on) => (*on).into(),
                Given::Values(values) => match values.as_slice() {
                    [one] if name != "paths" => one.as_str().into(),
                    all => all.to_vec().into(),
                },
            };
            _ = writeln!(out, "{name} = {value}");
        }
        out
    }
}

/// The argument that a setting is for.
fn find<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| setting_name(arg) == Some(name))
}

/// What an argument is called in the file.
fn setting_name(arg: &Arg) -> Option<&str> {
    let id = arg.get_id().as_str();
    match arg.get_long() {
        Some("help" | "version") if !takes_values(arg) => None,
        Some(long) => Some(long),
        None if arg.is_positional() && id == "paths" => Some(id),
        None => None,
    }
}

fn takes_values(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

fn conflict(command: &Command, a: &Arg, b: &Arg) -> bool {
    let of = |a: &Arg, b: &Arg| command.get_arg_conflicts_with(a).iter().any(|it| it.get_id() == b.get_id());
    of(a, b) || of(b, a)
}

/// Reads the settings of a file.
struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
    command: &'a Command,
}

impl Reader<'_> {
    fn settings(&self) -> Result<Vec<Setting>, Error> {
        let table = DeTable::parse(self.text)
            .map_err(|e| self.error(e.span().map_or(0, |span| span.start), e.message()))?;
        let (mut shared, mut own) = (Vec::new(), Vec::new());
        let known: Vec<&str> = self.command.get_subcommands().map(Command::get_name).collect();
        for (key, value) in table.get_ref() {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            match (value.get_ref(), self.command.find_subcommand(name)) {
                (DeValue::Table(table), Some(command)) => {
                    for (key, value) in table {
                        let (key, at) = (key.get_ref().as_ref(), key.span().start);
                        let names = command.get_arguments().filter_map(setting_name);
                        let arg = find(command, key).ok_or_else(|| {
                            self.unknown(&format!("option of `crdgen {name}`"), key, at, names)
                        })?;
                        let value = self.given(value.get_ref(), value.span().start)?;
                        if matches!(value, Given::Flag(_)) == takes_values(arg) {
                            let wanted = if takes_values(arg) { "a value" } else { "true or false" };
                            return Err(self.error(at, &format!("`{key}` takes {wanted}")));
                        }
                        own.push(Setting { command: Some(name.to_owned()), name: key.to_owned(), value });
                    }
                }
                (DeValue::Table(_), None) => {
                    return Err(self.unknown("command", name, at, known.iter().copied()));
                }
                (value_of, _) if SHARED.contains(&name) => {
                    let value = self.given(value_of, value.span().start)?;
                    if matches!(value, Given::Flag(_)) {
                        return Err(self.error(at, &format!("`{name}` takes a value")));
                    }
                    shared.push(Setting { command: None, name: name.to_owned(), value });
                }
                _ => {
                    let names = SHARED.iter().chain(&known).copied();
                    return Err(self.unknown("setting", name, at, names));
                }
            }
        }
        shared.extend(own);
        Ok(shared)
    }

    fn given(&self, value: &DeValue<'_>, at: usize) -> Result<Given, Error> {
        Ok(match value {
            DeValue::Boolean(on) => Given::Flag(*on),
            DeValue::Array(all) => {
                let texts = all.iter().map(|it| self.text(it.get_ref(), it.span().start));
                Given::Values(texts.collect::<Result<_, _>>()?)
            }
            one => Given::Values(vec![self.text(one, at)?]),
        })
    }

    fn text(&self, value: &DeValue<'_>, at: usize) -> Result<String, Error> {
        match value {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(_) => Err(self.error(at, "put the version in quotes: \"1.33\"")),
            DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
                Err(self.error(at, "this must be a text in quotes"))
            }
        }
    }

    fn unknown<'k>(&self, what: &str, name: &str, at: usize, known: impl Iterator<Item = &'k str>) -> Error {
        let known: Vec<&str> = known.collect();
        let help = nearest::did_you_mean(name, known.iter().copied())
            .unwrap_or_else(|| format!("there are {}", known.join(", ")));
        self.error(at, &format!("no {what} is called `{name}`; {help}"))
    }

    fn error(&self, at: usize, why: &str) -> Error {
        let before = self.text.get(..at).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
        Error::Argument(format!("{}:{line}:{column}: {why}", self.file.shown()))
    }
}
