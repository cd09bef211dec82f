//! Objects as rules see them. The server prunes an object and adds defaults before it evaluates the rules of its schema.

use super::BadDefault;
use super::defaults::{set_defaults, with_pruned_defaults};
use super::prune::prune;
use crate::ir::{Schema, SchemaOf};
use crate::value::Value;
use std::borrow::Cow;

/// The steps before rules, for the objects of one schema.
pub struct Seen<'s>(Cow<'s, Schema>);

impl<'s> Seen<'s> {
    /// Prepares the schema of a version. Fails if the server would reject one of its defaults.
    pub fn new(schema: &'s Schema) -> Result<Seen<'s>, BadDefault> {
        with_pruned_defaults(schema).map(Seen)
    }

    /// Returns an object as rules see it: without unknown fields, and with defaults.
    pub fn object(&self, mut object: Value) -> Value {
        prune(&mut object, Some(&self.0), SchemaOf::Resource);
        // An object that is too large for a server is seen without some defaults.
        _ = set_defaults(&mut object, Some(&self.0));
        object
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use crate::value::Value;
    use crate::{decode, json};

    fn value(text: &str) -> Value {
        json::read(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn objects_have_defaults_and_no_unknown_fields() {
        let schema = r#"{"type":"object","properties":{"spec":{"type":"object","properties":{
            "a":{"type":"string"},"b":{"type":"object","default":{"c":1,"d":2},"properties":{"c":{"type":"integer"}}}}}}}"#;
        let schema = decode::schema(value(schema)).0.expect("a schema");
        let seen = Seen::new(&schema).unwrap_or_else(|why| panic!("{why}"));
        let object =
            r#"{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"},"spec":{"a":"x","e":1}}"#;
        let wanted = r#"{"apiVersion":"example.com/v1","kind":"A","metadata":{"name":"a"},"spec":{"a":"x","b":{"c":1}}}"#;
        assert_eq!(seen.object(value(object)), value(wanted));
    }
}
