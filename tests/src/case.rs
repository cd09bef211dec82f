//! Hand-written cases: small edits of our own CRDs, one per behaviour, in a notation that keeps a
//! case to two lines.
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
//! raw NAME                    # a whole CRD, unchanged
//!   apiVersion: …
//! object NAME [on SEED]       # an object; unmarked lines edit it
//!   crd $/spec/size -         # edits its CRD
//!   old                       # from here on there is an old object, as the new one is now
//!   of status                 # the status subresource is written
//! ```

use crdgen_core::json::to_string;
use crdgen_core::path::Step;
use crdgen_core::value::{Map, Value};

use crate::corpus::Seed;
use crate::json::parse;

/// A request with a name.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name, which is unique.
    pub name: String,
    /// The request, without an id.
    pub request: Value,
}

impl Case {
    /// Creates a case of op `crd`.
    pub fn crd(name: impl Into<String>, crd: impl Into<String>, old: Option<String>) -> Case {
        let mut request = Map::new();
        request.insert("op", Value::from("crd"));
        request.insert("crd", Value::Str(crd.into()));
        if let Some(old) = old {
            request.insert("old", Value::Str(old));
        }
        Case { name: name.into(), request: Value::Map(request) }
    }

    /// Returns the same request with another op.
    #[must_use]
    pub fn with_op(mut self, op: &str) -> Case {
        if let Some(request) = self.request.as_map_mut() {
            request.insert("op", Value::from(op));
        }
        self
    }

    /// Returns the same request with options for the documents of op `openapi`. `number` selects one of the sets of
    /// options in turn. The first set is empty.
    #[must_use]
    pub fn with_builder_options(mut self, number: u64) -> Case {
        const OPTIONS: [&[&str]; 8] = [
            &[],
            &["brief"],
            &["stripValueValidation"],
            &["stripNullable"],
            &["allowNonStructural"],
            &["keepDefaults"],
            &["brief", "stripNullable", "stripValueValidation", "keepDefaults"],
            &["brief", "allowNonStructural", "stripNullable", "keepDefaults"],
        ];
        if let Some(request) = self.request.as_map_mut() {
            for option in OPTIONS[(number % 8) as usize] {
                request.insert(*option, Value::Bool(true));
            }
        }
        self
    }
}

/// Parses the cases of a file. `file` is its name in messages.
///
/// # Panics
/// Panics if a line cannot be parsed, because case files are part of the repository.
pub fn parse_cases(file: &str, text: &str, crds: &[Seed], objects: &[Seed]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut open: Option<Draft> = None;
    for (number, line) in text.lines().enumerate() {
        let result = match &mut open {
            Some(draft) if line.starts_with("  ") => draft.line(&line[2..]),
            Some(Draft { raw: Some(raw), .. }) if line.is_empty() => {
                raw.push('\n');
                Ok(())
            }
            _ if line.is_empty() || line.starts_with('#') => Ok(()),
            _ => {
                cases.extend(open.take().map(|draft| draft.finish(file)));
                Draft::open(line, crds, objects).map(|draft| open = Some(draft))
            }
        };
        if let Err(what) = result {
            panic!("{file}:{}: {what}: {line}", number + 1);
        }
    }
    cases.extend(open.map(|d| d.finish(file)));
    cases
}

/// A case whose lines are being read.
struct Draft {
    name: String,
    crd: Value,
    /// The old CRD, or the old object.
    old: Option<Value>,
    object: Option<Value>,
    raw: Option<String>,
    subresource: Option<&'static str>,
}

impl Draft {
    fn open(line: &str, crds: &[Seed], objects: &[Seed]) -> Result<Draft, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (kind, name, seed) = match words[..] {
            [kind, name] => (kind, name, "minimal"),
            [kind, name, "on", seed] => (kind, name, seed),
            _ => return Err("expected `case|update|raw|object NAME [on SEED]`".to_owned()),
        };
        let file = format!("{seed}.yaml");
        let find = |all: &[Seed]| all.iter().find(|s| s.name == file).map(|s| s.value.clone());
        let crd = find(crds).ok_or("no such seed")?;
        let mut draft =
            Draft { name: name.to_owned(), crd, old: None, object: None, raw: None, subresource: None };
        match kind {
            "case" => {}
            "update" => draft.old = Some(draft.crd.clone()),
            "raw" => draft.raw = Some(String::new()),
            "object" => draft.object = Some(find(objects).ok_or("no object of that seed")?),
            _ => return Err("no such kind of case".to_owned()),
        }
        Ok(draft)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(raw) = &mut self.raw {
            raw.push_str(line);
            raw.push('\n');
            return Ok(());
        }
        match (line.trim(), line.split_once(' ')) {
            (comment, _) if comment.starts_with('#') => Ok(()),
            ("of status", _) => {
                self.subresource = Some("status");
                Ok(())
            }
            ("old", _) => {
                self.old = self.object.clone();
                Ok(())
            }
            (_, Some(("crd", rest))) => edit(&mut self.crd, rest),
            (_, Some(("old", rest))) => self.edit_old(rest),
            (_, Some(("both", rest))) => {
                self.edit_old(rest)?;
                edit(self.new_one(), rest)
            }
            (line, _) => edit(self.new_one(), line),
        }
    }

    fn new_one(&mut self) -> &mut Value {
        self.object.as_mut().unwrap_or(&mut self.crd)
    }

    fn edit_old(&mut self, line: &str) -> Result<(), String> {
        edit(self.old.as_mut().ok_or("there is no old one")?, line)
    }

    fn finish(self, file: &str) -> Case {
        let name = format!("{file}/{}", self.name);
        let old = self.old.as_ref().map(to_string);
        let crd = self.raw.unwrap_or_else(|| to_string(&self.crd));
        let mut case = Case::crd(name, crd, old);
        if let (Some(object), Some(request)) = (self.object, case.request.as_map_mut()) {
            request.insert("op", Value::from("object"));
            request.insert("object", Value::Str(to_string(&object)));
            if let Some(subresource) = self.subresource {
                request.insert("subresource", Value::from(subresource));
            }
        }
        case
    }
}

/// Applies one line: `PATH = JSON`, `PATH += JSON` or `PATH -`.
fn edit(document: &mut Value, line: &str) -> Result<(), String> {
    let line = line.trim();
    if let Some(path) = line.strip_suffix(" -") {
        return remove(document, &steps(path)?).ok_or_else(|| "nothing to remove".to_owned());
    }
    let (path, value) = line
        .split_once(" = ")
        .ok_or("expected `PATH = JSON`, `PATH += JSON` or `PATH -`")
        .or_else(|e| line.split_once(" += ").ok_or(e))?;
    let append = line[path.len()..].starts_with(" += ");
    let value = match value.rsplit_once(" * ") {
        Some((text, times)) => match (parse(text)?, times.parse()) {
            (Value::Str(text), Ok(times)) => Value::Str(text.repeat(times)),
            _ => return Err("only a text can be repeated".to_owned()),
        },
        None => parse(value)?,
    };
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

/// Parses a path in the notation above.
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

/// Returns the value at the end of `steps`. Creates members on the way that are missing.
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

/// Removes the value at the end of `steps`.
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

/// Returns all cases of `tests/corpus/cases`.
///
/// # Panics
/// Panics if one of the files cannot be read.
pub fn own_cases(crds: &[Seed]) -> Vec<Case> {
    let objects = crate::corpus::own_objects();
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
            parse_cases(&name, &text, crds, &objects)
        })
        .collect()
}
