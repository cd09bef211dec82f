//! The main function of the program that `crdgen convert --exact` compiles.

use super::{Error, Versions};
use crdgen_runtime::GroupVersion;
use crdgen_runtime::json;
use crdgen_runtime::value::Value;
use std::io::{BufRead, Write, stdin, stdout};

/// Converts each object that it reads to the version that is the program's argument. It answers with a line: the first word
/// and the object, or the second word and why it is not converted.
pub fn convert_lines(kinds: &[Versions], [converted, refused]: [&str; 2]) {
    let to = std::env::args().nth(1).unwrap_or_default();
    for line in stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = match one(kinds, &line, &to) {
            Ok(object) => format!("{converted}{}", json::to_string(&object)),
            Err(why) => format!("{refused}{}", json::to_string(&Value::from(why.to_string()))),
        };
        // This ends a line that the types have begun to print.
        let mut out = stdout().lock();
        if writeln!(out, "\n{answer}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn one(kinds: &[Versions], line: &str, to: &str) -> Result<Value, Error> {
    let object = json::read(line.as_bytes()).map_err(Error::new)?;
    let group = GroupVersion::of(object.text("apiVersion")).group;
    let is_of = |versions: &&Versions| versions.group() == group && versions.kind() == object.text("kind");
    let Some(versions) = kinds.iter().find(is_of) else {
        return Err(Error::new(format!("no conversion of {} is compiled", object.text("kind"))));
    };
    versions.convert_value(object, to)
}
