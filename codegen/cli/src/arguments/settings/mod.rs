//! `crdgen.toml`: defaults for the arguments of commands. crdgen looks for it in the current folder and its parents.
//!
//!     kube = "1.33"             # for all commands with --kube
//!     paths = ["deploy/crds"]   # the CRDs that commands read without paths and standard input
//!
//!     [check]                   # options of one command, with their long names
//!     deny-warnings = true
//!     lint = ["all"]
//!
//! The file comes with a checkout, which may be hostile. `allowed` says what it may set, and `inside` keeps its paths inside
//! its folder.
//!
//! Settings become arguments, so that clap reads and checks both alike. An option on the command line takes precedence.

mod allowed;
mod inside;

use crate::input;
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use allowed::Allowed;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use crdgen_core::{listed, nearest};
use inside::Confined;
use toml::de::{DeTable, DeValue};

/// The name of the file.
pub(crate) const FILE: &str = "crdgen.toml";

/// Settings outside of the tables of commands. They apply to all commands that have such an argument.
const SHARED: [&str; 7] = ["allow", "crd-dir", "exclude", "kube", "lint", "no-lint", "paths"];

/// The commands whose `paths` are CRDs. The others read suites or objects.
const READ_CRDS: [&str; 6] = ["check", "fit", "docs", "openapi", "import", "migrate"];

/// A setting.
struct Setting {
    /// The command that the setting applies to. `None` means all commands.
    command: Option<String>,
    name: String,
    value: Given,
    /// The value as it is written in the file.
    written: toml::Value,
}

enum Given {
    Flag(bool),
    Values(Vec<String>),
}

/// The settings of a file.
pub(crate) struct Settings {
    file: PathBuf,
    all: Vec<Setting>,
}

/// The arguments of a user together with those that settings add.
pub(crate) struct Completed {
    pub(crate) all: Vec<OsString>,
    pub(crate) added: Added,
}

/// The arguments that settings add. Displayed, it names them and their file.
pub(crate) struct Added {
    file: PathBuf,
    arguments: Vec<String>,
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = listed::first(self.arguments.iter(), listed::NAMED);
        write!(f, "{} adds the arguments {arguments}", self.file.shown())
    }
}

/// The arguments of a user, without flags that are turned off: `--deny-warnings=false`.
pub(crate) struct UserArguments {
    pub(crate) all: Vec<OsString>,
    off: Vec<String>,
}

impl UserArguments {
    pub(crate) fn new(command: &Command, given: impl Iterator<Item = OsString>) -> UserArguments {
        let (mut all, mut off) = (Vec::new(), Vec::new());
        let (mut own, mut is_rest) = (None, false);
        for arg in given {
            let text = arg.to_str().unwrap_or_default();
            is_rest |= text == "--";
            if own.is_none() && !all.is_empty() {
                own = command.find_subcommand(text);
            }
            let flag = text.strip_prefix("--").and_then(|text| text.split_once('='));
            let flag = flag.filter(|(name, _)| {
                let is_it = |arg: &Arg| setting_name(arg) == Some(name) && is_flag(arg);
                !is_rest && own.is_some_and(|command| command.get_arguments().any(is_it))
            });
            match flag {
                Some((name, "false")) => off.push(name.to_owned()),
                Some((name, "true")) => all.push(format!("--{name}").into()),
                Some(_) | None => all.push(arg),
            }
        }
        UserArguments { all, off }
    }

    /// With arguments that settings add.
    fn with(&self, command: &str, added: &[&[String]]) -> Vec<OsString> {
        let at = self.all.iter().position(|arg| arg == command).map_or(self.all.len(), |at| at + 1);
        let mut all = self.all.clone();
        all.splice(at..at, added.iter().copied().flatten().map(OsString::from));
        all
    }
}

impl Settings {
    /// Reads the nearest file, if there is one.
    pub(crate) fn find(command: &Command) -> Result<Option<Settings>, Error> {
        let here = std::env::current_dir().map_err(Error::file("."))?;
        let Some(file) =
            here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.symlink_metadata().is_ok())
        else {
            return Ok(None);
        };
        let text = files::read_to_string(&file).map_err(Error::file(&file))?;
        let folder = file.parent().unwrap_or(&here);
        let folder = Confined::new(folder).map_err(Error::file(folder))?;
        // Messages name a file in the current folder without its path, as users do.
        let file = if file.parent() == Some(&here) { PathBuf::from(FILE) } else { file };
        Reader { file: &file, folder, text: &text, command }
            .settings()
            .map(|all| Some(Settings { file, all }))
    }

    /// The user's arguments together with those that settings add.
    pub(crate) fn complete(
        &self,
        command: &mut Command,
        user: &UserArguments,
        matches: &ArgMatches,
    ) -> Result<Option<Completed>, Error> {
        let Some((name, given)) = matches.subcommand() else { return Ok(None) };
        let Some(own) = command.find_subcommand(name) else { return Ok(None) };
        let mut left = self.arguments(own, given, &user.off)?;
        let mut added: Vec<Vec<String>> = Vec::new();
        // A setting that needs another option is left out unless the user or another setting gives that option.
        loop {
            let texts: Vec<&[String]> = added.iter().map(Vec::as_slice).collect();
            let before = missing(command, user.with(name, &texts));
            let next = left.iter().position(|one| {
                let texts: Vec<&[String]> = texts.iter().copied().chain([one.as_slice()]).collect();
                missing(command, user.with(name, &texts)).is_subset(&before)
            });
            match next {
                Some(next) => added.push(left.remove(next)),
                None if added.is_empty() => return Ok(None),
                None => {
                    let all = user.with(name, &texts);
                    let added = Added { file: self.file.clone(), arguments: added.concat() };
                    return Ok(Some(Completed { all, added }));
                }
            }
        }
    }

    /// The arguments that each setting adds.
    fn arguments(
        &self,
        command: &Command,
        given: &ArgMatches,
        off: &[String],
    ) -> Result<Vec<Vec<String>>, Error> {
        let name = command.get_name();
        let is_given = |arg: &Arg| {
            given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
                || off.iter().any(|name| setting_name(arg) == Some(name))
        };
        let (mut options, mut paths) = (Vec::new(), Vec::new());
        // A setting for one command takes precedence over a setting for all.
        let own = self.all.iter().filter(|setting| setting.command.as_deref() == Some(name));
        let shared = self.all.iter().filter(|setting| {
            setting.command.is_none()
                && (setting.name != "paths" || READ_CRDS.contains(&name))
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
            // Without arguments, `crdgen explain` lists all codes.
            if name == "explain" && given.get_raw("what").is_none() {
                continue;
            }
            match &setting.value {
                // Some commands have a flag with this name, others an option.
                Given::Flag(on) if !takes_values(arg) => {
                    options.extend(on.then(|| vec![format!("--{}", setting.name)]));
                }
                Given::Values(values) if arg.is_positional() => {
                    let is_cluster = given.try_get_one::<bool>("cluster").is_ok_and(|it| it == Some(&true));
                    let reads_pipes = arg.get_id() != "path" && name != "test";
                    let is_piped = !is_cluster && reads_pipes && input::piped()?.is_some();
                    if !is_cluster && !is_piped {
                        paths.push(values.iter().map(|value| self.placed(arg, value)).collect());
                    }
                }
                Given::Values(values) if takes_values(arg) => {
                    let option = |value: &String| format!("--{}={}", setting.name, self.placed(arg, value));
                    options.push(values.iter().map(option).collect());
                }
                Given::Flag(_) | Given::Values(_) => {}
            }
        }
        options.extend(paths);
        Ok(options)
    }

    /// Resolves a path in the file, which is relative to the folder of the file.
    fn placed(&self, arg: &Arg, value: &str) -> String {
        // A pattern without a slash matches at any depth.
        let is_pattern = arg.get_long() == Some("exclude") && value.trim_end_matches('/').contains('/');
        let folder = self.file.parent().unwrap_or(Path::new(""));
        if !(is_path(arg) || is_pattern) || folder.as_os_str().is_empty() || value == "-" {
            return value.to_owned();
        }
        match value.strip_prefix("git:").map(|revision| revision.split_once(':')) {
            Some(Some((revision, path))) => format!("git:{revision}:{}", folder.join(path).shown()),
            Some(None) => value.to_owned(),
            None => folder.join(value).shown().to_string(),
        }
    }

    /// Returns the error for arguments that the file has added.
    pub(crate) fn located(&self, error: &clap::Error) -> Error {
        Error::Argument(format!("{}: {}", self.file.shown(), in_a_line(error)))
    }

    pub(crate) fn shown(&self) -> String {
        let mut out = format!("# {}\n", self.file.shown());
        let mut table = None;
        for Setting { command, name, value: _, written } in &self.all {
            if table != Some(command) && command.is_some() {
                _ = writeln!(out, "\n[{}]", command.as_deref().unwrap_or_default());
            }
            table = Some(command);
            _ = writeln!(out, "{name} = {written}");
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
        None if arg.is_positional() && matches!(id, "path" | "paths" | "objects") => Some(id),
        None => None,
    }
}

/// Whether the values of an argument are paths.
fn is_path(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath)
}

fn takes_values(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// What most settings accept, for messages.
const ANY: &str = "a string, a number, or a list of these";

/// Returns what a setting must be, for messages.
fn wanted(arg: &Arg) -> String {
    let offered: Vec<String> = match arg.is_hide_possible_values_set() {
        true => Vec::new(),
        false => arg.get_possible_values().iter().map(|it| format!("{:?}", it.get_name())).collect(),
    };
    match takes_values(arg) {
        true if offered.is_empty() => ANY.to_owned(),
        true => offered.join(" or "),
        false => "true or false".to_owned(),
    }
}

/// The arguments that are required but not given.
fn missing(command: &mut Command, given: Vec<OsString>) -> BTreeSet<String> {
    let Err(error) = command.try_get_matches_from_mut(given) else { return BTreeSet::new() };
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(all)) if error.kind() == ErrorKind::MissingRequiredArgument => {
            all.iter().cloned().collect()
        }
        Some(_) | None => BTreeSet::new(),
    }
}

/// Returns the first part of clap's message, which describes the mistake.
fn in_a_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let text = lines.join(" ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

fn conflict(command: &Command, a: &Arg, b: &Arg) -> bool {
    let of = |a: &Arg, b: &Arg| command.get_arg_conflicts_with(a).iter().any(|it| it.get_id() == b.get_id());
    of(a, b) || of(b, a)
}

/// Reads the settings of a file.
struct Reader<'a> {
    file: &'a Path,
    folder: Confined,
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
                        let place = value.span().start;
                        self.is_allowed(key, at)?;
                        let (value, written) = self.given(value.get_ref(), place)?;
                        if matches!(value, Given::Flag(_)) == takes_values(arg) {
                            return Err(self.error(at, &format!("`{key}` must be {}", wanted(arg))));
                        }
                        self.check(command, arg, &value, place)?;
                        own.push(Setting {
                            command: Some(name.to_owned()),
                            name: key.to_owned(),
                            value,
                            written,
                        });
                    }
                }
                (DeValue::Table(_), None) => {
                    return Err(self.unknown("command", name, at, known.iter().copied()));
                }
                (value_of, _) if SHARED.contains(&name) => {
                    let place = value.span().start;
                    let (value, written) = self.given(value_of, place)?;
                    if matches!(value, Given::Flag(_)) {
                        return Err(self.error(at, &format!("`{name}` must be {ANY}")));
                    }
                    for command in self.command.get_subcommands() {
                        // `import` and `expand` have a flag `--kube`.
                        if let Some(arg) = find(command, name).filter(|arg| takes_values(arg)) {
                            self.check(command, arg, &value, place)?;
                        }
                    }
                    shared.push(Setting { command: None, name: name.to_owned(), value, written });
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

    /// Fails if a setting works only on the command line.
    fn is_allowed(&self, name: &str, at: usize) -> Result<(), Error> {
        match allowed::allowed(name) {
            Allowed::No(why) => {
                Err(self.error(at, &format!("`{name}` works only on the command line, because {why}")))
            }
            Allowed::Yes | Allowed::Inside => Ok(()),
        }
    }

    /// Checks a value as clap would check it on the command line. Paths must also be inside the folder of the file.
    fn check(&self, command: &Command, arg: &Arg, value: &Given, at: usize) -> Result<(), Error> {
        let Given::Values(values) = value else { return Ok(()) };
        if is_path(arg) {
            values
                .iter()
                .try_for_each(|value| self.folder.check(value))
                .map_err(|why| self.error(at, &why.to_string()))?;
        }
        let Some(long) = arg.get_long() else { return Ok(()) };
        let arguments = values.iter().map(|value| format!("--{long}={value}"));
        let names = ["crdgen".to_owned(), command.get_name().to_owned()];
        match self.command.clone().try_get_matches_from(names.into_iter().chain(arguments)) {
            // Only this argument is checked, so required ones are missing.
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                Err(self.error(at, &in_a_line(&error)))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn given(&self, value: &DeValue<'_>, at: usize) -> Result<(Given, toml::Value), Error> {
        Ok(match value {
            DeValue::Boolean(on) => (Given::Flag(*on), (*on).into()),
            DeValue::Array(all) => {
                let all = all.iter().map(|it| self.text(it.get_ref(), it.span().start));
                let (texts, written) = all.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
                (Given::Values(texts), toml::Value::Array(written))
            }
            one => {
                let (text, written) = self.text(one, at)?;
                (Given::Values(vec![text]), written)
            }
        })
    }

    fn text(&self, value: &DeValue<'_>, at: usize) -> Result<(String, toml::Value), Error> {
        match value {
            DeValue::String(text) => Ok((text.to_string(), text.as_ref().into())),
            DeValue::Integer(number) => {
                let text = number.to_string();
                let written = text.parse::<i64>().map_or_else(|_| text.as_str().into(), toml::Value::from);
                Ok((text, written))
            }
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
