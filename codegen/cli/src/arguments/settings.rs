//! The settings in `crdgen.toml` as arguments, so that clap reads and checks both alike. An option on the command line takes
//! precedence.

use crate::input;
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_tasks::settings::{Commands, Given, Opt, WrongValue};
pub(crate) use crdgen_tasks::settings::{FILE, SettingsFile};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use crdgen_core::listed;

/// The commands whose `paths` are CRDs. The others read suites or objects.
const READ_CRDS: [&str; 6] = ["check", "fit", "docs", "openapi", "import", "migrate"];

/// The command line, as the file of settings needs to know it.
struct Line<'c>(&'c Command);

/// Reads the nearest file of settings, if there is one.
pub(crate) fn read(command: &Command) -> Result<Option<SettingsFile>, Error> {
    SettingsFile::find(&Line(command))
}

impl Commands for Line<'_> {
    fn names(&self) -> Vec<&str> {
        self.0.get_subcommands().map(Command::get_name).collect()
    }

    fn options(&self, command: &str) -> Vec<&str> {
        let command = self.0.find_subcommand(command);
        command.into_iter().flat_map(Command::get_arguments).filter_map(setting_name).collect()
    }

    fn option(&self, command: &str, name: &str) -> Option<Opt> {
        let arg = find(self.0.find_subcommand(command)?, name)?;
        let offered = match arg.is_hide_possible_values_set() {
            true => Vec::new(),
            false => arg.get_possible_values().iter().map(|it| it.get_name().to_owned()).collect(),
        };
        Some(Opt { takes_values: takes_values(arg), is_path: is_path(arg), offered })
    }

    fn check(&self, command: &str, name: &str, values: &[String]) -> Result<(), WrongValue> {
        let arg = self.0.find_subcommand(command).and_then(|command| find(command, name));
        let Some(long) = arg.and_then(Arg::get_long) else { return Ok(()) };
        let arguments = values.iter().map(|value| format!("--{long}={value}"));
        let names = ["crdgen".to_owned(), command.to_owned()];
        match self.0.clone().try_get_matches_from(names.into_iter().chain(arguments)) {
            // Only this argument is checked, so required ones are missing.
            Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => {
                Err(WrongValue(in_a_line(&error)))
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
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

/// The settings of a file as arguments.
pub(crate) struct AsArguments<'s>(pub(crate) &'s SettingsFile);

impl AsArguments<'_> {
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
                    let added = Added { file: self.0.file.clone(), arguments: added.concat() };
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
        let own = self.0.all.iter().filter(|setting| setting.command.as_deref() == Some(name));
        let shared = self.0.all.iter().filter(|setting| {
            setting.command.is_none()
                && (setting.name != "paths" || READ_CRDS.contains(&name))
                && !self
                    .0
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
        let folder = self.0.file.parent().unwrap_or(Path::new(""));
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
        Error::Argument(format!("{}: {}", self.0.file.shown(), in_a_line(error)))
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

#[cfg(test)]
mod tests {
    use super::{is_path, setting_name};
    use crdgen_tasks::settings::{Allowed, OPTIONS, allowed};
    use std::collections::BTreeSet;

    /// Whoever adds an option decides here whether a checkout may set it.
    #[test]
    fn every_option_is_in_the_table() {
        let command = crate::command();
        let mut names = BTreeSet::new();
        for own in command.get_subcommands() {
            for arg in own.get_arguments() {
                let Some(name) = setting_name(arg) else { continue };
                names.insert(name.to_owned());
                let at = format!("`{name}` of `crdgen {}`", own.get_name());
                assert!(OPTIONS.iter().any(|(known, _)| *known == name), "{at} is not in the table");
                assert!(!is_path(arg) || allowed(name) != Allowed::Yes, "{at} is a path");
            }
        }
        let known: BTreeSet<String> = OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(known.len(), OPTIONS.len(), "an option is in the table twice");
        assert_eq!(known, names, "the table has options that no command has");
    }
}
