//! Keeps the progress of a migration in a file. After a run that was killed, the next run continues from there.

use std::io;
use std::path::{Path, PathBuf};

use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use crdgen_files::input;
use crdgen_files::{Error, output};

/// What a migration is about. If one of these changes, objects that were written before may have to be written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name of the CRD.
    pub name: String,
    /// Its UID.
    pub uid: String,
    /// Its generation.
    pub generation: i64,
}

impl Subject {
    /// Returns the subject for the migration of a CRD's objects.
    pub fn of(crd: &Crd) -> Subject {
        let metadata = &crd.metadata;
        Subject { name: metadata.name.clone(), uid: metadata.uid.clone(), generation: metadata.generation }
    }
}

/// How far a migration has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Where the next page begins; empty at the beginning, and at the end.
    pub next: String,
    /// How many objects were written.
    pub written: u64,
    /// How many objects were deleted meanwhile.
    pub gone: u64,
}

/// The file of a migration, if its user wants one.
pub struct File(Option<PathBuf>);

/// What marks the file.
const KIND: &str = "crdgen migrate";

impl File {
    /// The file at a path. Without a path, nothing is kept.
    pub fn at(path: Option<&Path>) -> File {
        File(path.map(Path::to_owned))
    }

    /// Returns how far an earlier run with the same subject has come.
    pub fn read(&self, subject: &Subject) -> Result<Option<Position>, Error> {
        let Some(path) = &self.0 else { return Ok(None) };
        let bytes = match input::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::file(path)(e)),
        };
        let value = json::read(&bytes).unwrap_or_default();
        let text = |name: &str| value.text(name).to_owned();
        let number = |name: &str| value.get(name).and_then(Value::as_int).unwrap_or_default();
        if text("kind") != KIND && !bytes.trim_ascii().is_empty() {
            let help = Some("name another file with --resume");
            return Err(Error::NotOurs { path: path.clone(), help });
        }
        let of = Subject { name: text("crd"), uid: text("uid"), generation: number("generation") };
        let count = |name: &str| number(name).try_into().unwrap_or_default();
        let position = Position { next: text("next"), written: count("written"), gone: count("gone") };
        Ok((of == *subject && !position.next.is_empty()).then_some(position))
    }

    /// Keeps a position.
    pub fn write(&self, subject: &Subject, position: &Position) -> Result<(), Error> {
        let Some(path) = &self.0 else { return Ok(()) };
        let number = |count: u64| Value::Int(count.try_into().unwrap_or(i64::MAX));
        let value = Map::from_iter([
            ("kind", Value::from(KIND)),
            ("crd", Value::from(&*subject.name)),
            ("uid", Value::from(&*subject.uid)),
            ("generation", Value::Int(subject.generation)),
            ("next", Value::from(&*position.next)),
            ("written", number(position.written)),
            ("gone", number(position.gone)),
        ]);
        output::write_if_changed(path, &(json::to_string(&Value::Map(value)) + "\n")).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::{File, Position, Subject};
    use crdgen_files::{Error, output};

    #[test]
    fn goes_on_only_with_the_same_subject() {
        let folder = std::env::temp_dir().join(format!("crdgen-resume-{}", std::process::id()));
        let path = folder.join("state.json");
        let file = File::at(Some(&path));
        let subject = Subject { name: "a.b".to_owned(), uid: "1".to_owned(), generation: 3 };
        let position = Position { next: "token\n\u{1b}".to_owned(), written: 500, gone: 2 };
        let read = |subject: &Subject| file.read(subject).unwrap_or_else(|e| panic!("{e}"));

        assert_eq!(read(&subject), None);
        file.write(&subject, &position).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read(&subject), Some(position));
        assert_eq!(read(&Subject { generation: 4, ..subject.clone() }), None);
        assert_eq!(read(&Subject { uid: "2".to_owned(), ..subject.clone() }), None);
        // After the end of a migration, there is nothing to continue.
        file.write(&subject, &Position::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(read(&subject), None);

        for other in ["notes", "{\"kind\":\"List\"}", "\u{0}"] {
            output::write_if_changed(&path, other).unwrap_or_else(|e| panic!("{e}"));
            assert!(matches!(file.read(&subject), Err(Error::NotOurs { .. })), "{other}");
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
