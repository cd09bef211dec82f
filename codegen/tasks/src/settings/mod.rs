//! `crdgen.toml`: defaults for the options of commands. crdgen looks for it in the current folder and its parents.
//!
//! ```toml
//! kube = "1.33..1.37"       # for all commands with --kube
//! paths = ["deploy/crds"]   # the CRDs that commands read without paths and standard input
//!
//! [check]                   # options of one command, with their long names
//! deny-warnings = true
//! lint = ["all"]
//! ```
//!
//! The file comes with a checkout, which may be hostile. [`allowed`] says what it may set, and its paths stay inside its folder.
//! A program that has commands describes them with [`Commands`], and turns the settings into arguments.
//!
//! **Unstable**: any release may change what is in this module.

mod allowed;
mod inside;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crdgen_core::nearest;
use toml::de::{DeTable, DeValue};

pub use allowed::{Allowed, OPTIONS, allowed};
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use inside::Confined;

/// The name of the file.
pub const FILE: &str = "crdgen.toml";

/// SettingsFile outside of the tables of commands. They apply to all commands that have such an argument.
const SHARED: [&str; 7] = ["allow", "crd-dir", "exclude", "kube", "lint", "no-lint", "paths"];

/// The commands of a program, and their options.
pub trait Commands {
    /// The names of all commands.
    fn names(&self) -> Vec<&str>;

    /// The names of the options of a command, as the file calls them.
    fn options(&self, command: &str) -> Vec<&str>;

    /// An option of a command.
    fn option(&self, command: &str, name: &str) -> Option<Opt>;

    /// Checks values of an option as on the command line.
    fn check(&self, command: &str, name: &str, values: &[String]) -> Result<(), WrongValue>;
}

/// What is wrong with a value of an option, as on the command line.
#[derive(Debug)]
pub struct WrongValue(pub String);

/// An option of a command.
#[derive(Clone, Debug, Default)]
pub struct Opt {
    /// Whether it has values. Otherwise it is on or off.
    pub takes_values: bool,
    /// Whether its values are paths.
    pub is_path: bool,
    /// Its values, if there are only a few.
    pub offered: Vec<String>,
}

/// A setting.
pub struct Setting {
    /// The command that the setting applies to. `None` means all commands.
    pub command: Option<String>,
    /// The long name of the option.
    pub name: String,
    /// What it sets.
    pub value: Given,
    /// The value as it is written in the file.
    written: toml::Value,
}

/// The value of a setting.
pub enum Given {
    /// Of an option without a value.
    Flag(bool),
    /// Of an option with values.
    Values(Vec<String>),
}

/// The settings of a file.
pub struct SettingsFile {
    /// The file, as messages name it.
    pub file: PathBuf,
    /// Those for all commands come first.
    pub all: Vec<Setting>,
}

impl SettingsFile {
    /// Reads the nearest file, if there is one.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or sets what it may not set.
    pub fn find(commands: &dyn Commands) -> Result<Option<SettingsFile>, Error> {
        let here = std::env::current_dir().map_err(Error::file("."))?;
        let Some(file) =
            here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.symlink_metadata().is_ok())
        else {
            return Ok(None);
        };
        let text = input::read_to_string(&file).map_err(Error::file(&file))?;
        let folder = file.parent().unwrap_or(&here);
        let folder = Confined::new(folder).map_err(Error::file(folder))?;
        // Messages name a file in the current folder without its path, as users do.
        let file = if file.parent() == Some(&here) { PathBuf::from(FILE) } else { file };
        let all = Reader { file: &file, folder, text: &text, commands }.settings()?;
        Ok(Some(SettingsFile { file, all }))
    }

    /// The settings as a file that sets the same.
    pub fn shown(&self) -> String {
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

/// What most settings accept, for messages.
const ANY: &str = "a string, a number, or a list of these";

/// Returns what a setting must be, for messages.
fn wanted(option: &Opt) -> String {
    match option.takes_values {
        true if option.offered.is_empty() => ANY.to_owned(),
        true => option.offered.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" or "),
        false => "true or false".to_owned(),
    }
}

/// Reads the settings of a file.
struct Reader<'a> {
    file: &'a Path,
    folder: Confined,
    text: &'a str,
    commands: &'a dyn Commands,
}

impl Reader<'_> {
    fn settings(&self) -> Result<Vec<Setting>, Error> {
        let table = DeTable::parse(self.text)
            .map_err(|e| self.error(e.span().map_or(0, |span| span.start), e.message()))?;
        let (mut shared, mut own) = (Vec::new(), Vec::new());
        let known = self.commands.names();
        for (key, value) in table.get_ref() {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            match (value.get_ref(), known.contains(&name)) {
                (DeValue::Table(table), true) => {
                    for (key, value) in table {
                        let (key, at) = (key.get_ref().as_ref(), key.span().start);
                        let option = self.commands.option(name, key).ok_or_else(|| {
                            let names = self.commands.options(name).into_iter();
                            self.unknown(&format!("option of `crdgen {name}`"), key, at, names)
                        })?;
                        let place = value.span().start;
                        self.is_allowed(key, at)?;
                        let (value, written) = self.given(value.get_ref(), place)?;
                        if matches!(value, Given::Flag(_)) == option.takes_values {
                            return Err(self.error(at, &format!("`{key}` must be {}", wanted(&option))));
                        }
                        self.check(name, &option, key, &value, place)?;
                        own.push(Setting {
                            command: Some(name.to_owned()),
                            name: key.to_owned(),
                            value,
                            written,
                        });
                    }
                }
                (DeValue::Table(_), false) => {
                    return Err(self.unknown("command", name, at, known.iter().copied()));
                }
                (value_of, _) if SHARED.contains(&name) => {
                    let place = value.span().start;
                    let (value, written) = self.given(value_of, place)?;
                    if matches!(value, Given::Flag(_)) {
                        return Err(self.error(at, &format!("`{name}` must be {ANY}")));
                    }
                    for command in &known {
                        // `import` and `expand` have a flag `--kube`.
                        let option = self.commands.option(command, name).filter(|it| it.takes_values);
                        if let Some(option) = option {
                            self.check(command, &option, name, &value, place)?;
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

    /// Checks a value as the command would check it on the command line. Paths must also be inside the folder of the file.
    fn check(&self, command: &str, option: &Opt, name: &str, value: &Given, at: usize) -> Result<(), Error> {
        let Given::Values(values) = value else { return Ok(()) };
        if option.is_path {
            values
                .iter()
                .try_for_each(|value| self.folder.check(value))
                .map_err(|why| self.error(at, &why.to_string()))?;
        }
        let checked = self.commands.check(command, name, values);
        checked.map_err(|WrongValue(why)| self.error(at, &why))
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
