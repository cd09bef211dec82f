//! The tables of the types of Kubernetes' own kinds.

use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_tests::corpus::tests_dir;
use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::process::Command;
use std::sync::OnceLock;

/// The texts of the tables.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The kinds and their types, one a line.
    pub kinds: String,
    /// The descriptions of each type and of its properties, one a line. A number repeats an earlier description.
    pub descriptions: String,
}

/// Reads the Go modules, once.
///
/// # Errors
/// Fails if `go` does, with its message.
pub fn read() -> io::Result<Tables> {
    static READ: OnceLock<Tables> = OnceLock::new();
    if let Some(read) = READ.get() {
        return Ok(read.clone());
    }
    let out = Command::new("go").args(["run", "./kinds"]).current_dir(tests_dir().join("oracle")).output()?;
    if !out.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&out.stderr).into_owned()));
    }
    let found = json::read(&out.stdout).map_err(|why| io::Error::other(why.to_string()))?;
    let tables = split(&found).ok_or_else(|| io::Error::other("no kinds and types"))?;
    Ok(READ.get_or_init(|| tables).clone())
}

fn split(found: &Value) -> Option<Tables> {
    let mut descriptions = Descriptions::default();
    let kinds: Vec<String> = found.get("kinds")?.as_list()?.iter().map(json::to_string).collect();
    let types: Vec<String> = found
        .get("types")?
        .as_map()?
        .iter()
        .map(|(name, of)| {
            let of = Value::Map(descriptions.split(of));
            format!("{}:{}", json::to_string(&name.into()), json::to_string(&of))
        })
        .collect();
    let kinds = format!("{{\"kinds\":[\n{}],\n\"types\":{{\n{}}}}}\n", kinds.join(",\n"), types.join(",\n"));
    Some(Tables { kinds, descriptions: descriptions.text })
}

#[derive(Default)]
struct Descriptions {
    text: String,
    places: HashMap<String, usize>,
}

impl Descriptions {
    /// Adds the descriptions of a type and of its properties, and returns the type without them.
    fn split(&mut self, of: &Value) -> Map<Value> {
        let mut of = self.without(of);
        if let Some(Value::Map(properties)) = of.get_mut("properties") {
            *properties =
                properties.iter().map(|(name, of)| (name.to_owned(), Value::Map(self.without(of)))).collect();
        }
        of
    }

    fn without(&mut self, of: &Value) -> Map<Value> {
        let mut of = of.as_map().cloned().unwrap_or_default();
        let text = of.remove("description");
        let text = text.as_ref().and_then(Value::as_str).unwrap_or_default().replace('\n', "\\n");
        _ = match self.places.get(&text) {
            Some(place) => writeln!(self.text, "{place}"),
            None => writeln!(self.text, "{text}"),
        };
        let next = self.places.len();
        self.places.entry(text).or_insert(next);
        of
    }
}
