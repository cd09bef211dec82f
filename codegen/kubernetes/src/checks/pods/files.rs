//! Checks of the files in volumes.

use super::{Mistakes, env, inside_and_free, invalid, invalid_text, list, number, own, required, set};
use crdgen_core::value::Value;

const MODE: &str = "must be a number between 0 and 0777 (octal), both inclusive";

pub(super) fn required_fields(of: &Value, names: &[&str], at: &str) -> Mistakes {
    let missing = names.iter().filter(|name| own(of, name).is_empty());
    missing.map(|name| required(format!("{at}.{name}"), "")).collect()
}

/// The permissions of a file.
pub(super) fn mode(of: &Value, name: &str, at: &str) -> Mistakes {
    let mode = number(of, name).filter(|mode| !(0..=0o777).contains(mode));
    mode.map(|mode| invalid(format!("{at}.{name}"), &Value::Int(mode), MODE)).into_iter().collect()
}

/// What the files of a volume have in common, and the keys that become files.
pub(super) fn files(of: &Value, at: &str) -> Mistakes {
    let mut out = mode(of, "defaultMode", at);
    for (i, item) in list(of, "items").iter().enumerate() {
        out.extend(key_to_path(item, &format!("{at}.items[{i}]")));
    }
    out
}

/// A key that becomes a file.
pub(super) fn key_to_path(item: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(item, &["key", "path"], at);
    out.extend(inside_and_free(&format!("{at}.path"), own(item, "path")));
    out.extend(mode(item, "mode", at));
    out
}

pub(super) fn downward(of: &Value, at: &str) -> Mistakes {
    let mut out = mode(of, "defaultMode", at);
    // The server's code leaves out which file it is.
    out.extend(list(of, "items").iter().flat_map(|file| downward_file(file, at)));
    out
}

/// A file with what its pod says about itself.
pub(super) fn downward_file(file: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(file, &["path"], at);
    out.extend(inside_and_free(&format!("{at}.path"), own(file, "path")));
    match (set(file, "fieldRef"), set(file, "resourceFieldRef")) {
        (Some(field), resource) => {
            out.extend(env::field(field, &env::FIELDS_OF_FILES, &format!("{at}.fieldRef")));
            if resource.is_some() {
                let why = "fieldRef and resourceFieldRef can not be specified simultaneously";
                out.push(invalid_text(at.to_owned(), "resource", why));
            }
        }
        (None, Some(resource)) => {
            out.extend(env::resource(resource, env::Reader::File, &format!("{at}.resourceFieldRef")));
        }
        (None, None) => {
            out.push(required(at.to_owned(), "one of fieldRef and resourceFieldRef is required"));
        }
    }
    out.extend(mode(file, "mode", at));
    out
}
