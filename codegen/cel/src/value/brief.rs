//! Short texts for values, for people who want to know why an expression has its value.

use crdgen_text::value::Value;

use super::{Outcome, Val};

/// What replaces the rest of a value.
const REST: char = '…';

impl Val<'_> {
    /// Returns a text for the value as [`Val::literal`] does, but stops after about `limit` characters. It takes no more
    /// work than the text is long, however large the value is.
    pub fn brief(&self, limit: usize) -> String {
        let mut brief = Brief { text: String::new(), left: limit };
        brief.value(self);
        brief.text
    }
}

struct Brief {
    text: String,
    /// How many characters may still follow, not counting closing brackets.
    left: usize,
}

impl Brief {
    fn write(&mut self, text: &str) {
        for c in text.chars() {
            if self.left == 0 {
                self.text.push(REST);
                return;
            }
            self.left -= 1;
            self.text.push(c);
        }
    }

    fn value(&mut self, value: &Val<'_>) {
        match value {
            Val::Str(text) => self.quoted(text),
            Val::Bytes(bytes) => {
                self.write("b");
                self.some(bytes.iter(), |brief, byte| brief.write(&format!("{byte:02x}")), "");
            }
            Val::List(list) => {
                self.write("[");
                self.some(list.iter(), |brief, item| brief.outcome(&item), ", ");
                self.text.push(']');
            }
            Val::Map(map) => {
                self.write("{");
                // Only as many entries as have room are read.
                let keys = map.keys();
                let entry = |brief: &mut Brief, key: Val<'_>| {
                    brief.value(&key);
                    brief.write(": ");
                    let found = key.as_str().map(|key| map.find_text(key));
                    match found {
                        Some(Ok(Some(value))) => brief.value(&value),
                        Some(Err(why)) => brief.write(&format!("error({why})")),
                        Some(Ok(None)) | None => brief.write("…"),
                    }
                };
                self.some(keys.into_iter(), entry, ", ");
                self.text.push('}');
            }
            Val::Optional(Some(value)) => {
                self.write("some(");
                self.value(value);
                self.text.push(')');
            }
            Val::Preserved(value) => self.preserved(value),
            Val::Null
            | Val::Bool(_)
            | Val::Int(_)
            | Val::Uint(_)
            | Val::Double(_)
            | Val::Duration(_)
            | Val::Timestamp(_)
            | Val::Optional(None)
            | Val::Type(_)
            | Val::Opaque(_) => match value.literal() {
                Ok(text) => self.write(&text),
                Err(why) => self.write(&why.to_string()),
            },
        }
    }

    fn outcome(&mut self, value: &Outcome<'_>) {
        match value {
            Ok(value) => self.value(value),
            Err(why) => self.write(&format!("error({why})")),
        }
    }

    fn quoted(&mut self, text: &str) {
        let start: String = text.chars().take(self.left).collect();
        let is_whole = start.len() == text.len();
        let mut quoted = String::new();
        crdgen_text::json::write_str(&start, &mut quoted);
        self.left = self.left.saturating_sub(quoted.chars().count());
        self.text.push_str(&quoted);
        if !is_whole {
            self.text.push(REST);
        }
    }

    /// A value without a type in the schema.
    fn preserved(&mut self, value: &Value) {
        match value {
            Value::Str(text) => self.quoted(text),
            Value::List(items) => {
                self.write("[");
                self.some(items.iter(), Brief::preserved, ", ");
                self.text.push(']');
            }
            Value::Map(map) => {
                self.write("{");
                let entry = |brief: &mut Brief, (key, value): (&str, &Value)| {
                    brief.quoted(key);
                    brief.write(": ");
                    brief.preserved(value);
                };
                self.some(map.iter(), entry, ", ");
                self.text.push('}');
            }
            scalar => self.write(&crdgen_text::json::to_string(scalar)),
        }
    }

    /// Writes as many items as have room.
    fn some<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
        between: &str,
    ) {
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.write(between);
            }
            if self.left == 0 {
                if !self.text.ends_with(REST) {
                    self.text.push(REST);
                }
                return;
            }
            write(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::value::{Shape, ShapeKind};
    use std::sync::LazyLock;

    #[test]
    fn stops_early() {
        static ANY: LazyLock<Shape> = LazyLock::new(|| Shape::of(ShapeKind::Any));
        let brief = |text: &str, limit| {
            let value = crdgen_text::json::read(text.as_bytes()).unwrap();
            ANY.adapt(&value).unwrap().brief(limit)
        };
        assert_eq!(brief(r#"{"a":[1,"x",true]}"#, 60), r#"{"a": [1, "x", true]}"#);
        assert_eq!(brief("[1,2,3,4,5,6,7,8,9]", 10), "[1, 2, 3, …]");
        assert_eq!(brief(r#""abcdefgh""#, 4), r#""abcd"…"#);
        assert_eq!(brief(&format!("[{}]", vec!["[]"; 50_000].join(",")), 5), "[[], []…]");
    }
}
