//! `metadata.managedFields`: what each manager owns, and since when.

use crate::message::Message;
use crate::set::Set;
use crate::update::{Managers, Owned};
use crdgen_text::go;
use crdgen_text::json;
use crdgen_text::value::{Map, Value};
use std::collections::BTreeMap;

/// What the managers of an object own, and when they wrote it last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Managed {
    /// What each manager owns, by its [identity](Identity::text).
    pub managers: Managers,
    /// The times of the last writes, by identity, in RFC 3339.
    pub times: BTreeMap<String, String>,
    /// The fields as they were read, by identity. Those that have not changed are not written again.
    read: BTreeMap<String, Value>,
}

/// Who writes: a manager has an entry for each way in which it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name of the manager.
    pub manager: String,
    /// `Apply` or `Update`.
    pub operation: String,
    /// The version of an update. An apply in another version replaces the entry.
    pub version: String,
    /// The subresource, or empty.
    pub subresource: String,
}

pub(crate) const APPLY: &str = "Apply";
pub(crate) const UPDATE: &str = "Update";

impl Identity {
    /// Returns the text that identifies the entry. The server sorts by it.
    pub fn text(&self) -> String {
        let mut out = Vec::new();
        let members = [
            ("manager", &self.manager),
            ("operation", &self.operation),
            ("apiVersion", &self.version),
            ("subresource", &self.subresource),
        ];
        for (name, text) in members {
            if !text.is_empty() {
                out.push((name, json::to_html_safe(&text.as_str().into())));
            }
        }
        let mut text = String::new();
        json::write_members(out.iter().map(|(name, value)| (*name, value.as_str())), &mut text);
        text
    }

    /// Reads the text that identifies an entry.
    pub fn read(text: &str) -> Identity {
        let value = json::read(text.as_bytes()).unwrap_or_default();
        let text = |name| value.text(name).to_owned();
        Identity {
            manager: text("manager"),
            operation: text("operation"),
            version: text("apiVersion"),
            subresource: text("subresource"),
        }
    }

    /// Returns the words for the manager in the message about a conflict.
    pub fn words(&self) -> String {
        let mut out = go::quote(&self.manager);
        if !self.subresource.is_empty() {
            out += &format!(" with subresource {}", go::quote(&self.subresource));
        }
        if self.operation == UPDATE {
            out += &format!(" using {}", self.version);
        }
        out
    }
}

/// The entries in the metadata of an object. None if there is no list, or if an entry is not an object.
pub fn entries(object: &Value) -> Option<&[Value]> {
    let entries = object.get("metadata")?.get("managedFields")?.as_list()?;
    entries.iter().all(|entry| entry.as_map().is_some()).then_some(entries)
}

/// Sets the entries in the metadata of an object, or removes them.
pub(crate) fn set_entries(object: &mut Value, entries: Option<Value>) {
    let Value::Map(map) = object else { return };
    match entries {
        Some(entries) => {
            let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
            if let Value::Map(metadata) = metadata {
                metadata.insert("managedFields", entries);
            }
        }
        None => {
            if let Some(Value::Map(metadata)) = map.get_mut("metadata") {
                metadata.remove("managedFields");
            }
        }
    }
}

impl Managed {
    /// Reads `managedFields`.
    ///
    /// # Errors
    /// Fails if an entry has an unknown operation, no version or no set of fields.
    pub fn read(entries: &[Value]) -> Result<Managed, Message> {
        let mut out = Managed::default();
        for (i, entry) in entries.iter().enumerate() {
            let text = |name| entry.text(name);
            if !matches!(text("operation"), APPLY | UPDATE) {
                return Err(Message("operation must be `Apply` or `Update`".to_owned()));
            }
            if text("apiVersion").is_empty() {
                return Err(Message("apiVersion must not be empty".to_owned()));
            }
            match text("fieldsType") {
                "FieldsV1" => {}
                "" => return Err(Message(format!("missing fieldsType in managed fields entry {i}"))),
                other => {
                    return Err(Message(format!(
                        "invalid fieldsType {} in managed fields entry {i}",
                        go::quote(other)
                    )));
                }
            }
            let applied = text("operation") == APPLY;
            let identity = Identity {
                manager: text("manager").to_owned(),
                operation: text("operation").to_owned(),
                version: if applied { String::new() } else { text("apiVersion").to_owned() },
                subresource: text("subresource").to_owned(),
            }
            .text();
            let set = match entry.get("fieldsV1") {
                Some(fields) => {
                    out.read.insert(identity.clone(), fields.clone());
                    Set::from_value(fields)
                        .map_err(|why| format!("error decoding versioned set: error decoding set: {why}"))?
                }
                None => Set::new(),
            };
            let owned = Owned { set, version: text("apiVersion").to_owned(), applied };
            out.managers.insert(identity.clone(), owned);
            match text("time") {
                "" => drop(out.times.remove(&identity)),
                time => {
                    drop(out.times.insert(identity, go::rfc3339(time).unwrap_or_else(|| time.to_owned())))
                }
            }
        }
        Ok(out)
    }

    /// Returns `managedFields`. `None` if no field has an owner.
    pub fn to_value(&self) -> Option<Value> {
        if self.managers.is_empty() {
            return None;
        }
        let mut entries: Vec<_> = self
            .managers
            .iter()
            .map(|(identity, owned)| {
                let mut id = Identity::read(identity);
                if owned.applied {
                    id.operation = APPLY.to_owned();
                }
                id.version.clone_from(&owned.version);
                let read = self.read.get(identity).filter(|fields| owned.set.is_value(fields)).cloned();
                (id, self.times.get(identity), read.unwrap_or_else(|| owned.set.to_value()))
            })
            .collect();
        entries.sort_by(|(a, a_time, _), (b, b_time, _)| {
            let key = |id: &Identity, time: &Option<&String>| {
                (id.operation.clone(), time.map_or(0, |time| seconds(time)))
            };
            let names = |id: &Identity| [id.manager.clone(), id.version.clone(), id.subresource.clone()];
            key(a, a_time).cmp(&key(b, b_time)).then_with(|| names(a).cmp(&names(b)))
        });
        let entries = entries.into_iter().map(|(id, time, fields)| {
            let mut out: Vec<(&str, Value)> = vec![("fieldsType", "FieldsV1".into()), ("fieldsV1", fields)];
            let texts = [
                ("manager", id.manager),
                ("operation", id.operation),
                ("apiVersion", id.version),
                ("subresource", id.subresource),
                ("time", time.cloned().unwrap_or_default()),
            ];
            out.extend(
                texts
                    .into_iter()
                    .filter(|(_, text)| !text.is_empty())
                    .map(|(name, text)| (name, text.into())),
            );
            Value::Map(out.into_iter().collect())
        });
        Some(Value::List(entries.collect()))
    }
}

/// The seconds of a time, by which entries are sorted.
pub(crate) fn seconds(time: &str) -> i64 {
    go::time::Time::parse(time).map_or(0, |time| time.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_it_read() {
        let text = r#"[{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}},"manager":"a","operation":"Apply"},{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:b":{}},"manager":"b","operation":"Apply","time":"2023-11-14T22:13:20Z"},{"apiVersion":"v2","fieldsType":"FieldsV1","fieldsV1":{"f:c":{}},"manager":"a","operation":"Update","subresource":"status","time":"2020-11-14T22:13:20Z"}]"#;
        let value = json::read(text.as_bytes()).expect("valid JSON");
        let managed = Managed::read(value.as_list().expect("a list")).expect("valid entries");
        assert_eq!(managed.to_value(), Some(value));
        assert!(managed.managers.contains_key(
            r#"{"manager":"a","operation":"Update","apiVersion":"v2","subresource":"status"}"#
        ));
    }

    #[test]
    fn writes_what_it_read_as_the_server_does() {
        let entry = |fields: &str| {
            format!(
                r#"[{{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{fields},"manager":"a","operation":"Apply"}}]"#
            )
        };
        for (read, written) in [
            (r#"{"f:a":{".":{}},"f:b":{".":{},"f:c":{}}}"#, r#"{"f:a":{},"f:b":{".":{},"f:c":{}}}"#),
            (r#"{".":{},"f:a":null}"#, r#"{"f:a":{}}"#),
            (r#"{"f:a":{},"x:b":{}}"#, r#"{"f:a":{}}"#),
            (r#"{"k:{ \"a\":1}":{},"v:1":{"f:a":{}}}"#, r#"{"k:{\"a\":1}":{},"v:1":{"f:a":{}}}"#),
        ] {
            let value = json::read(entry(read).as_bytes()).expect("valid JSON");
            let managed = Managed::read(value.as_list().expect("a list")).expect("valid entries");
            assert_eq!(managed.to_value().map(|it| json::to_string(&it)), Some(entry(written)), "{read}");
        }
    }

    #[test]
    fn rejects_wrong_entries() {
        for (entry, why) in [
            ("{}", "operation must be `Apply` or `Update`"),
            (r#"{"operation":"Apply"}"#, "apiVersion must not be empty"),
            (r#"{"operation":"Apply","apiVersion":"v1"}"#, "missing fieldsType in managed fields entry 0"),
            (
                r#"{"operation":"Apply","apiVersion":"v1","fieldsType":"x"}"#,
                r#"invalid fieldsType "x" in managed fields entry 0"#,
            ),
        ] {
            let entry = json::read(entry.as_bytes()).expect("valid JSON");
            assert_eq!(Managed::read(&[entry]), Err(Message(why.to_owned())));
        }
    }

    #[test]
    fn names_managers() {
        let identity = Identity {
            manager: "m".to_owned(),
            operation: UPDATE.to_owned(),
            version: "g/v1".to_owned(),
            subresource: "status".to_owned(),
        };
        assert_eq!(identity.words(), r#""m" with subresource "status" using g/v1"#);
        assert_eq!(Identity::read(&identity.text()), identity);
    }
}
