//! Admission: all that the server does with a write, from decoding to storage.

use super::decode::Decoded;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion};
use super::unchanged;
use super::write::Written;
use crate::diag::codes::object::UNKNOWN_FIELD;
use crate::diag::{Diag, Diags, Level};
use crate::path::{Path, Step};
use crate::value::{Map, Value};

/// What a client does with an object. Old objects are as they are stored, in any version.
#[derive(Clone, Debug)]
pub enum Action {
    /// Create it.
    Create,
    /// Replace an old one.
    Update(Value),
    /// Replace the status of an old one.
    UpdateStatus(Value),
}

/// What came of a write.
#[derive(Clone, Debug)]
pub enum Admission {
    /// The server cannot decode the object, and answers with status 400.
    Undecodable(Refusal),
    /// It was decoded and checked.
    Checked(Box<Checked>),
}

/// What came of an object that was decoded.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The paths of fields that are unknown and were pruned.
    pub unknown: Vec<String>,
    /// The object after pruning and defaulting.
    pub decoded: Value,
    /// What the server found, and what it would store.
    pub written: Written,
}

impl Served {
    /// What the server answers when an object of a version is written. `namespace` is that of the request; if it is
    /// empty, it is the object's. An error says why there is no answer: the old object cannot be read, or there is no
    /// such subresource.
    pub fn admit(
        &self,
        version: &ServedVersion,
        object: Value,
        action: Action,
        namespace: &str,
    ) -> Result<Admission, Refusal> {
        let decoded = match self.decode(object, &version.name) {
            Ok(decoded) => decoded,
            Err(why) => return Ok(Admission::Undecodable(why)),
        };
        let mut object = decoded.object.clone();
        if let Err(why) = self.put_into_namespace(&mut object, namespace) {
            return Ok(Admission::Undecodable(why));
        }
        let handler = self.handler(version);
        let stored = |old| self.decode_stored(old, &version.name).map_err(|why| Refusal::Old(Box::new(why)));
        let written = match action {
            Action::Create => handler.create(object),
            Action::Update(old) => handler.update(object, stored(old)?),
            Action::UpdateStatus(old) => handler.update_status(object, stored(old)?)?,
        };
        let checked = Checked { unknown: decoded.unknown, decoded: decoded.object, written };
        Ok(Admission::Checked(Box::new(checked)))
    }

    /// What is wrong with an object of a version that is created, unknown fields included: the errors of [`Served::admit`],
    /// without what is stored and read again. An error says why the server cannot decode the object.
    pub fn check(&self, version: &ServedVersion, object: &Value) -> Result<Diags, Refusal> {
        let Decoded { object: mut decoded, unknown } = self.decode(object.clone(), &version.name)?;
        self.put_into_namespace(&mut decoded, "")?;
        let mut errors = self.handler(version).check(decoded);
        errors.extend(unknown_fields(object, &unknown, Level::Error));
        Ok(errors)
    }

    /// Whether the server accepts an object of a version that is created with valid metadata, if that can be determined
    /// without a copy of the object: pruning and defaulting change nothing in it. It takes a third of the time.
    pub fn accepts(&self, version: &ServedVersion, object: &Value) -> Option<bool> {
        let schema = version.structural.as_ref()?;
        let is_unchanged = self.prunes() && unchanged::is_object(object, schema);
        let has_status = || self.has_status(version) && object.get("status").is_some();
        (is_unchanged && !has_status()).then(|| self.handler(version).accepts(object))
    }

    /// Whether the status of an object of a version is written apart from the rest.
    pub fn has_status(&self, version: &ServedVersion) -> bool {
        self.subresources(version).is_some_and(|subresources| subresources.status)
    }
}

/// Unknown fields as findings: errors if the server validates fields strictly, else warnings. Their places are in
/// `object`, which is the one that was sent.
pub fn unknown_fields(object: &Value, paths: &[String], level: Level) -> Diags {
    let one = |path: &String| Diag {
        steps: steps(object, path).unwrap_or_default(),
        field: path.clone(),
        ..Diag::own(&UNKNOWN_FIELD, level, &Path::ROOT, "unknown field")
    };
    paths.iter().map(one).collect()
}

/// The steps to a place whose path the server has printed. Names may contain dots and brackets, so only the object
/// shows where a name ends.
fn steps(value: &Value, path: &str) -> Option<Vec<Step>> {
    if path.is_empty() {
        return Some(Vec::new());
    }
    if let Some(rest) = path.strip_prefix('[') {
        let (index, rest) = rest.split_once(']')?;
        let index = index.parse().ok()?;
        return below(Step::Index(index), value.as_list()?.get(index)?, rest);
    }
    let members = value.as_map().map(Map::iter)?;
    members
        .filter_map(|(name, member)| Some((name, member, path.strip_prefix(name)?)))
        .find_map(|(name, member, rest)| below(Step::Key(name.to_owned()), member, rest))
}

fn below(step: Step, value: &Value, rest: &str) -> Option<Vec<Step>> {
    let rest = match rest.strip_prefix('.') {
        Some(rest) => rest,
        None if rest.is_empty() || rest.starts_with('[') => rest,
        None => return None,
    };
    let mut all = steps(value, rest)?;
    all.insert(0, step);
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::steps;
    use crate::json;
    use crate::path::Step;

    #[test]
    fn finds_fields_by_their_printed_path() {
        let object =
            json::read(br#"{"a":{"b.c":[{"d[0]":1}],"b":2},"x.y":{"z":1},"":{"q":1}}"#).expect("JSON");
        let key = |name: &str| Step::Key(name.to_owned());
        for (path, expected) in [
            ("a.b.c[0].d[0]", Some(vec![key("a"), key("b.c"), Step::Index(0), key("d[0]")])),
            ("a.b", Some(vec![key("a"), key("b")])),
            ("x.y.z", Some(vec![key("x.y"), key("z")])),
            ("a.missing", None),
            ("a.b.c[7]", None),
            ("[0]", None),
        ] {
            assert_eq!(steps(&object, path), expected, "{path}");
        }
    }
}
