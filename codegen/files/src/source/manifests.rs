//! The manifests that cargo reads for a package. If cargo cannot read one, its error quotes a line of it. So none of them may be
//! a link to another file: a hostile checkout could show the files of the user.

use super::MANIFEST;
use crate::input::MAX_BYTES;
use crate::{Error, input};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// More packages than any workspace has.
const MAX_PACKAGES: usize = 10_000;

/// Fails if a manifest that cargo may read is a link to a file with another name: that of a package, of the folders around it,
/// and of the packages that these name by their paths. Returns all manifests.
pub(super) fn check(manifest: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut pending = vec![manifest.to_owned()];
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    while let Some(manifest) = pending.pop() {
        let Ok(real) = manifest.canonicalize() else { continue };
        check_name(&manifest, MANIFEST)?;
        if !seen.insert(real) {
            continue;
        }
        if seen.len() > MAX_PACKAGES {
            let why = io::Error::other(format!("it has more than {MAX_PACKAGES} packages"));
            return Err(Error::file(&manifest)(why));
        }
        let text = input::read_to_string(&manifest).unwrap_or_default();
        let folder = manifest.parent().unwrap_or(Path::new("."));
        // A package may inherit from a workspace around it.
        pending.extend(folder.ancestors().skip(1).map(|folder| folder.join(MANIFEST)));
        if let Ok(table) = text.parse::<Table>() {
            add(&Value::Table(table), folder, &mut pending);
        }
        out.push(manifest);
    }
    Ok(out)
}

/// Fails if a file that exists is not a regular one, is too large, or is a link to a file with another name.
pub(super) fn check_name(file: &Path, name: &str) -> Result<(), Error> {
    if file.exists() {
        let meta = input::regular(file).map_err(Error::file(file))?;
        if meta.len() > MAX_BYTES {
            return Err(Error::TooLarge { path: file.to_owned(), limit: MAX_BYTES >> 20 });
        }
    }
    match file.canonicalize() {
        Ok(real) if real.file_name().is_none_or(|own| own != name) => {
            let why = format!("a link to a file that is not called {name}, which cargo may print");
            Err(Error::file(file)(io::Error::new(io::ErrorKind::InvalidInput, why)))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Adds the manifests of the packages that a part of a manifest names. A path that is not one of a package does no harm.
fn add(value: &Value, folder: &Path, pending: &mut Vec<PathBuf>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                match (key.as_str(), value) {
                    ("path" | "workspace", Value::String(path)) => {
                        pending.push(folder.join(path).join(MANIFEST));
                    }
                    ("members", Value::Array(members)) => {
                        let patterns = members.iter().filter_map(Value::as_str);
                        let patterns = patterns.map(|it| folder.join(it).to_string_lossy().into_owned());
                        let found = patterns.flat_map(|it| glob::glob(&it).into_iter().flatten().flatten());
                        pending.extend(found.take(MAX_PACKAGES + 1).map(|member| member.join(MANIFEST)));
                    }
                    _ => add(value, folder, pending),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add(item, folder, pending)),
        _ => {}
    }
}
