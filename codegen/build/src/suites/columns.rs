//! Columns that `kubectl get` prints, as a suite expects them.

use super::failure::{COLUMNS, Failure};
use crdgen_core::go::time::Time;
use crdgen_core::json;
use crdgen_core::nearest;
use crdgen_core::object::table::printed;
use crdgen_core::value::{Map, Value};
use crdgen_kinds::objects::{CompiledKind, Listed};

/// The expected columns of an object: their names, and the printed texts.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    cells: Vec<(String, String)>,
    /// The time at which ages are computed, in seconds since 1970.
    now: i64,
}

impl Columns {
    /// Reads `expectedColumns` and `now` of a case.
    pub(super) fn read(case: &Map<Value>) -> Result<Option<Columns>, Failure> {
        let Some(cells) = case.get("expectedColumns") else { return Ok(None) };
        let Some(cells) = cells.as_map() else {
            return Err("expectedColumns must be an object with the text of each column".to_owned().into());
        };
        let now = match case.get("now").map(|now| now.as_str().and_then(Time::parse)) {
            None => 0,
            Some(Some(now)) => now.instant().0,
            Some(None) => return Err("now must be a time such as 2026-01-31T12:00:00Z".to_owned().into()),
        };
        let cells = cells.iter().map(|(name, text)| (name.to_owned(), printed(text))).collect();
        Ok(Some(Columns { cells, now }))
    }
}

/// Checks the columns of a stored object.
pub(super) fn check(kind: &CompiledKind, stored: &Value, expected: Option<&Columns>) -> Result<(), Failure> {
    let Some(Columns { cells, now }) = expected else { return Ok(()) };
    let Listed { columns: names, texts: row } = kind.listed(stored, *now)?;
    let mut wrong = Vec::new();
    for (name, text) in cells {
        match names.iter().position(|known| known.eq_ignore_ascii_case(name)) {
            None => {
                let known = nearest::did_you_mean(name, names.iter().map(String::as_str));
                let help = known.unwrap_or_else(|| format!("the columns are {}", names.join(", ")));
                wrong.push(format!("there is no column {name}; {help}"));
            }
            Some(index) => {
                let found = row.get(index).map_or("", String::as_str);
                if found != text {
                    wrong.push(format!("column {name}: expected \"{text}\", printed \"{found}\""));
                }
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let actual = cells.iter().filter_map(|(name, _)| {
        let index = names.iter().position(|known| known.eq_ignore_ascii_case(name))?;
        Some((name.as_str(), Value::from(row.get(index).map_or("", String::as_str))))
    });
    let actual = json::to_string(&Value::Map(actual.collect()));
    Err(Failure { why: wrong.join("\n"), actual: Some((COLUMNS, actual)) })
}
