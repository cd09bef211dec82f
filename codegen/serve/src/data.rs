//! The objects of a server in a file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use crdgen_apiserver::{Saved, Server, Storage, random_token};
use crdgen_files::{Error, output};
use redb::{Builder, Database, DatabaseError, Durability, ReadableTable, TableDefinition, TableHandle};

/// The file in the folder.
const FILE: &str = "crdgen.redb";
/// The last revision that was saved. redb goes back to the commit before if the head of its file is damaged, and does not say so.
const LAST: &str = "crdgen.revision";
/// The secret for the tokens of service accounts.
const KEY: &str = "crdgen.key";
/// The objects in JSON, by group, plural name, namespace and name.
const OBJECTS: TableDefinition<'_, &str, &str> = TableDefinition::new("objects");
const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");
/// The numbers.
const FORMAT: &str = "format";
const REVISION: &str = "revision";
const RANDOM: &str = "random";
/// The format of what is in the tables. A program that changes it, changes the number.
const CURRENT: u64 = 1;
/// The digits of a secret.
const SECRET: usize = 64;
/// The memory for pages. The server has all objects in memory anyway.
const CACHE: usize = 8 << 20;

/// Starts a server with the objects in a folder, and keeps them there. The folder is made if it is missing.
///
/// # Errors
/// Fails if another process uses the folder, or if its files are damaged.
pub fn open(folder: &Path, seed: u64) -> Result<Server, Error> {
    let path = folder.join(FILE);
    let named = Error::file(&path);
    output::make_folder(folder)?;
    let file = output::open_private(&path).map_err(&named)?;
    let last_path = folder.join(LAST);
    let last = output::open_private(&last_path).map_err(Error::file(&last_path))?;
    let opened = quietly(|| Server::with_storage(seed, Box::new(Data::new(file, Last(last))?)));
    let server = opened.map_err(&named)?;
    // The name of a new file is part of its folder.
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file(folder))?;
    Ok(server)
}

/// The secret for the tokens of service accounts, which are valid after a restart. The folder has one file with it.
pub(crate) fn secret(folder: &Path) -> Result<String, Error> {
    let path = folder.join(KEY);
    let named = Error::file(&path);
    let mut file = output::open_private(&path).map_err(&named)?;
    let mut text = String::new();
    // A secret is shorter.
    Read::by_ref(&mut file).take(100).read_to_string(&mut text).map_err(&named)?;
    match text.trim() {
        "" => {}
        text if text.len() == SECRET && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            return Ok(text.to_owned());
        }
        _ => {
            let why = "not a secret of crdgen. Remove the file: the next start makes another secret, and clients need new tokens";
            return Err(named(io::Error::new(io::ErrorKind::InvalidData, why)));
        }
    }
    let secret = random_token().map_err(&named)?;
    file.rewind().and_then(|()| file.write_all(format!("{secret}\n").as_bytes())).map_err(&named)?;
    file.sync_all().map_err(&named)?;
    Ok(secret)
}

/// redb panics on some damaged files. Nothing is printed about it, and the file is damaged.
fn quietly<T>(work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(hook);
    result.unwrap_or_else(|_| Err(damaged("its pages do not belong together")))
}

fn damaged(why: impl std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!(
            "not a file of crdgen, or damaged ({why}). Take a copy of the file from before, choose another folder, or remove the file to start without objects"
        ),
    )
}

/// Any error of redb.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The file with the last revision.
#[derive(Debug)]
struct Last(File);

impl Last {
    /// Zero if nothing was saved yet.
    fn read(&mut self) -> io::Result<u64> {
        let mut text = String::new();
        self.0.rewind()?;
        // A number is shorter. The text of others is damage.
        Read::by_ref(&mut self.0).take(100).read_to_string(&mut text)?;
        match text.trim() {
            "" => Ok(0),
            text => text.parse().map_err(|_| damaged(format!("{LAST} has no revision"))),
        }
    }

    /// Not synced to the disk: if the machine loses power, the number may be too small. That is allowed.
    fn write(&mut self, revision: u64) -> io::Result<()> {
        self.0.rewind()?;
        self.0.write_all(format!("{revision:020}\n").as_bytes())
    }

    /// Checks that nothing that was saved is missing.
    fn check(&mut self, saved: u64) -> io::Result<()> {
        let last = self.read()?;
        if last <= saved {
            return Ok(());
        }
        let why = format!(
            "the file ends at revision {saved}, and revision {last} was saved: it is damaged, or an older copy. Take copies of {FILE} and \
             {LAST} from the same time, or remove {LAST} to go on with what is there"
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}

#[derive(Debug)]
struct Data {
    database: Database,
    last: Last,
}

impl Data {
    fn new(file: File, last: Last) -> io::Result<Data> {
        let mut builder = Builder::new();
        builder.set_cache_size(CACHE).create_with_file_format_v3(true);
        let mut database = match builder.create_file(file) {
            Ok(database) => database,
            Err(DatabaseError::DatabaseAlreadyOpen) => {
                let why = "another process uses this file. End it, or choose another folder";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
            }
            Err(why) => return Err(damaged(why)),
        };
        // This reads the whole file, so that no damage is found later.
        database.check_integrity().map_err(damaged)?;
        Ok(Data { database, last })
    }

    fn read(&self) -> Result<Option<Saved>, Failure> {
        let transaction = self.database.begin_read()?;
        let mut tables = transaction.list_tables()?.map(|table| table.name().to_owned()).peekable();
        if tables.peek().is_none() {
            return Ok(None);
        }
        let numbers = transaction.open_table(NUMBERS)?;
        let number = |name| -> Result<u64, Failure> {
            let number = numbers.get(name)?.ok_or_else(|| format!("it has no {name}"))?;
            Ok(number.value())
        };
        let format = number(FORMAT)?;
        if format != CURRENT {
            return Err(format!("it has the format {format}, and this crdgen reads only {CURRENT}").into());
        }
        let mut objects = Vec::new();
        for row in transaction.open_table(OBJECTS)?.iter()? {
            let (name, text) = row?;
            objects.push((name.value().to_owned(), Some(text.value().to_owned())));
        }
        Ok(Some(Saved { revision: number(REVISION)?, random: number(RANDOM)?, objects }))
    }

    fn write(&self, changes: &Saved) -> Result<(), Failure> {
        let mut transaction = self.database.begin_write()?;
        transaction.set_durability(Durability::Immediate);
        {
            let mut numbers = transaction.open_table(NUMBERS)?;
            numbers.insert(FORMAT, CURRENT)?;
            numbers.insert(REVISION, changes.revision)?;
            numbers.insert(RANDOM, changes.random)?;
            let mut objects = transaction.open_table(OBJECTS)?;
            for (name, text) in &changes.objects {
                match text {
                    Some(text) => drop(objects.insert(name.as_str(), text.as_str())?),
                    None => drop(objects.remove(name.as_str())?),
                }
            }
        }
        Ok(transaction.commit()?)
    }
}

impl Storage for Data {
    fn load(&mut self) -> io::Result<Option<Saved>> {
        let saved = self.read().map_err(damaged)?;
        self.last.check(saved.as_ref().map_or(0, |saved| saved.revision))?;
        Ok(saved)
    }

    fn save(&mut self, changes: &Saved) -> io::Result<()> {
        self.write(changes).map_err(|why| io::Error::other(why.to_string()))?;
        self.last.write(changes.revision)
    }
}
