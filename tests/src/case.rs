//! Hand-written cases: small edits of our own definitions, one per behaviour, in a notation that
//! keeps a case to two lines.
//!
//! ```text
//! case NAME [on SEED]         # a create; the seed is `minimal` if none is named
//!   spec.scope = "Galactic"
//!   $/spec/size.minimum = 3   # $ is the root schema of the first version, /x its property x
//!   spec.names.kind -         # removed
//!   spec.versions += {…}      # appended
//! update NAME [on SEED]       # an update: unmarked lines edit the new one
//!   old status = {…}          # the old one
//!   both spec.group = "x.y"   # both
//! raw NAME                    # a whole document, as it stands
//!   apiVersion: …
//! ```

use crdgen_core::json::to_string;
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};

use crate::corpus::Seed;
use crate::json::parse;

/// A request with a name.
#[derive(Clone, Debug)]
pub struct Case {
    /// Tells it from all others.
    pub name: String,
    /// The request, without an id.
    pub request: Value,
}

impl Case {
    /// A case of op `crd`.
    pub fn crd(name: impl Into<String>, crd: impl Into<String>, old: Option<String>) -> Case {
        let mut request = Map::new();
        request.insert("op", Value::from("crd"));
        request.insert("crd", Value::Str(crd.into()));
        if let Some(old) = old {
            request.insert("old", Value::Str(old));
        }
        Case { name: name.into(), request: Value::Map(request) }
    }
}

/// The cases of a file; `file` names it in messages.
///
/// # Panics
/// On a line that cannot be read: case files are part of the repository.
pub fn parse_cases(file: &str, text: &str, seeds: &[Seed]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut open: Option<Draft> = None;
    for (number, line) in text.lines().enumerate() {
        let fail = |what: &str| -> ! { panic!("{file}:{}: {what}: {line}", number + 1) };
        if let Some(draft) = open.as_mut().filter(|_| line.starts_with("  ")) {
            if let Err(what) = draft.line(&line[2..]) {
                fail(&what);
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            cases.extend(open.take().map(|d| d.finish(file)));
            open = Some(Draft::open(line, seeds).unwrap_or_else(|what| fail(&what)));
        } else if let Some(Draft { raw: Some(raw), .. }) = &mut open {
            raw.push('\n');
        }
    }
    cases.extend(open.map(|d| d.finish(file)));
    cases
}

struct Draft {
    name: String,
    new: Value,
    old: Option<Value>,
    raw: Option<String>,
}

impl Draft {
    fn open(line: &str, seeds: &[Seed]) -> Result<Draft, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, name, seed) = match words[..] {
            [kind, name] => (kind, name, "minimal"),
            [kind, name, "on", seed] => (kind, name, seed),
            _ => return Err("expected `case|update|raw NAME [on SEED]`".to_owned()),
        };
        let file = format!("{seed}.yaml");
        let seed = seeds.iter().find(|s| s.name == file).ok_or("no such seed")?.value.clone();
        Ok(Draft {
            name: name.to_owned(),
            old: (kind == "update").then(|| seed.clone()),
            raw: (kind == "raw").then(String::new),
            new: seed,
        })
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(raw) = &mut self.raw {
            raw.push_str(line);
            raw.push('\n');
            return Ok(());
        }
        if line.trim_start().starts_with('#') {
            return Ok(());
        }
        let (in_new, in_old, line) = match line.split_once(' ') {
            Some(("old", rest)) => (false, true, rest),
            Some(("both", rest)) => (true, true, rest),
            _ => (true, false, line),
        };
        if in_old {
            edit(self.old.as_mut().ok_or("only an update has an old one")?, line)?;
        }
        if in_new {
            edit(&mut self.new, line)?;
        }
        Ok(())
    }

    fn finish(self, file: &str) -> Case {
        let name = format!("{file}/{}", self.name);
        match self.raw {
            Some(raw) => Case::crd(name, raw, None),
            None => Case::crd(name, to_string(&self.new), self.old.map(|o| to_string(&o))),
        }
    }
}

/// Applies one line: `PATH = JSON`, `PATH += JSON` or `PATH -`.
fn edit(document: &mut Value, line: &str) -> Result<(), String> {
    let line = line.trim();
    if let Some(path) = line.strip_suffix(" -") {
        return remove(document, &steps(path)?).ok_or_else(|| "nothing to remove".to_owned());
    }
    let (path, value) = line.split_once(" = ").ok_or("expected `PATH = JSON`, `PATH += JSON` or `PATH -`")
        .or_else(|e| line.split_once(" += ").ok_or(e))?;
    let append = line[path.len()..].starts_with(" += ");
    let value = parse(value)?;
    let target = reach(document, &steps(path)?).ok_or("the path leads through a scalar")?;
    if append {
        if target.is_null() {
            *target = Value::List(Vec::new());
        }
        let Value::List(items) = target else { return Err("only a list can be appended to".to_owned()) };
        items.push(value);
    } else {
        *target = value;
    }
    Ok(())
}

/// The steps of a path in the notation above.
fn steps(path: &str) -> Result<Vec<Step>, String> {
    let mut out = Vec::new();
    let mut rest = path;
    if let Some(after) = rest.strip_prefix('$') {
        out.extend(["spec", "versions"].map(|k| Step::Key(k.to_owned())));
        out.push(Step::Index(0));
        out.extend(["schema", "openAPIV3Schema"].map(|k| Step::Key(k.to_owned())));
        rest = after;
    }
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("[\"") {
            let (key, after) = after.split_once("\"]").ok_or("no end of a quoted key")?;
            out.push(Step::Key(key.to_owned()));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('[') {
            let (index, after) = after.split_once(']').ok_or("no end of an index")?;
            out.push(Step::Index(index.parse().map_err(|_| "a bad index")?));
            rest = after;
        } else {
            if let Some(after) = rest.strip_prefix('/') {
                out.push(Step::Key("properties".to_owned()));
                rest = after;
            } else {
                rest = rest.strip_prefix('.').unwrap_or(rest);
            }
            let end = rest.find(['.', '[', '/']).unwrap_or(rest.len());
            out.push(Step::Key(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    Ok(out)
}

/// The value at the end of `steps`; members on the way are made where they are missing.
pub fn reach<'a>(document: &'a mut Value, steps: &[Step]) -> Option<&'a mut Value> {
    let mut at = document;
    for step in steps {
        at = match step {
            Step::Key(key) => {
                if at.is_null() {
                    *at = Value::Map(Map::new());
                }
                at.as_map_mut()?.entry_or_insert_with(key, || Value::Null)
            }
            Step::Index(i) => match at {
                Value::List(items) => items.get_mut(*i)?,
                _ => return None,
            },
        };
    }
    Some(at)
}

/// Takes out what stands at the end of `steps`.
pub fn remove(document: &mut Value, steps: &[Step]) -> Option<()> {
    let (last, way) = steps.split_last()?;
    let mut at = document;
    for step in way {
        at = match step {
            Step::Key(key) => at.as_map_mut()?.get_mut(key)?,
            Step::Index(i) => match at {
                Value::List(items) => items.get_mut(*i)?,
                _ => return None,
            },
        };
    }
    match (last, at) {
        (Step::Key(key), Value::Map(map)) => map.remove(key).map(|_| ()),
        (Step::Index(i), Value::List(items)) if *i < items.len() => {
            items.remove(*i);
            Some(())
        }
        _ => None,
    }
}

/// All cases of `tests/corpus/cases`.
///
/// # Panics
/// When one of the files cannot be read.
pub fn own_cases(seeds: &[Seed]) -> Vec<Case> {
    let dir = crate::corpus::tests_dir().join("corpus/cases");
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            parse_cases(&name, &text, seeds)
        })
        .collect()
}
