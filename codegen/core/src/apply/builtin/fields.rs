//! The types of fields, as far as strategic merge patches need them.

use super::BuiltIn;
use super::table::{self, SCALE, Table};
use crate::json;
use crate::value::{Map, Value};

/// The type of a field of one of Kubernetes' own kinds, with what its tag in Go says about patches.
#[derive(Clone, Copy, Debug)]
pub struct FieldType {
    table: &'static Table,
    /// The field, which may refer to a type with a name.
    field: &'static Value,
    /// The type.
    schema: &'static Value,
    name: &'static str,
}

/// The size of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// An `IntOrString`, which decodes itself.
    OrString,
}

impl BuiltIn {
    /// Returns the type of its objects. `None` if the table has none.
    pub fn fields(self) -> Option<FieldType> {
        FieldType::named(self.table, &self.row.model)
    }
}

/// The name of a type without that of its package.
fn last(model: &str) -> &str {
    model.rsplit('.').next().unwrap_or_default()
}

impl FieldType {
    pub(super) fn named(table: &'static Table, model: &'static str) -> Option<FieldType> {
        let schema = table.types.get(model)?;
        Some(FieldType { table, field: schema, schema, name: last(model) })
    }

    /// Returns the type of scales. `None` if the table has none.
    pub fn scale() -> Option<FieldType> {
        FieldType::named(table::get(), SCALE)
    }

    /// Returns the type with the name of a schema.
    pub fn of_model(name: &'static str) -> Option<FieldType> {
        FieldType::named(table::get(), name)
    }

    /// Returns a value of the type as Go writes it.
    pub fn json(self, value: &Value) -> String {
        match value {
            Value::Map(members) => {
                let of = |name: &str, member: &Value| match self.field(name) {
                    Some(of) => of.json(member),
                    None => json::to_string(member),
                };
                let members = self.in_order(members).into_iter();
                let texts: Vec<(&str, String)> =
                    members.map(|(name, member)| (name, of(name, member))).collect();
                let mut out = String::new();
                json::write_members(texts.iter().map(|(name, text)| (*name, text.as_str())), &mut out);
                out
            }
            Value::List(items) => match self.item() {
                Some(of) => json::list(items.iter().map(|item| of.json(item))),
                None => json::to_string(value),
            },
            _ => json::to_string(value),
        }
    }

    fn of(self, field: &'static Value) -> FieldType {
        let named = field.get("$ref").and_then(Value::as_str);
        match named.and_then(|name| Some((name, self.table.types.get(name)?))) {
            Some((name, schema)) => FieldType { field, schema, name: last(name), ..self },
            None => FieldType { field, schema: field, name: named.map_or("", last), ..self },
        }
    }

    fn tag(self, name: &str) -> Option<&'static str> {
        self.field.get(name).and_then(Value::as_str)
    }

    /// Returns the name of the type in Go, or an empty text.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the type of a field of a struct, or of the values of a map.
    pub fn field(self, name: &str) -> Option<FieldType> {
        let property = self.schema.get("properties").and_then(|properties| properties.get(name));
        let values = self.schema.get("additionalProperties").filter(|values| values.as_map().is_some());
        property.or(values).map(|field| self.of(field))
    }

    /// Returns the type of the items of a list.
    pub fn item(self) -> Option<FieldType> {
        self.schema.get("items").map(|items| self.of(items))
    }

    /// Returns whether patches merge a list.
    pub fn merges(self) -> bool {
        self.strategies().any(|strategy| strategy == "merge")
    }

    /// Returns whether patches replace an object.
    pub fn replaces(self) -> bool {
        self.strategies().any(|strategy| strategy == "replace")
    }

    fn strategies(self) -> impl Iterator<Item = &'static str> {
        self.tag("x-kubernetes-patch-strategy").unwrap_or_default().split(',')
    }

    /// Returns the field that identifies the items of a list for patches.
    pub fn merge_key(self) -> Option<&'static str> {
        self.tag("x-kubernetes-patch-merge-key")
    }

    /// Returns which whole numbers it has, if it has any.
    pub fn integer(self) -> Option<Integer> {
        let text = |name| self.schema.get(name).and_then(Value::as_str);
        match (self.name, text("type"), text("format")) {
            ("IntOrString", ..) => Some(Integer::OrString),
            (_, Some("integer"), Some("int32")) => Some(Integer::Int32),
            (_, Some("integer"), _) => Some(Integer::Int64),
            _ => None,
        }
    }

    /// Returns the fields of an object in the order in which Go writes them. Those of a map are in the order of their names.
    fn in_order(self, members: &Map<Value>) -> Vec<(&str, &Value)> {
        let order = self.schema.get("x-order").and_then(Value::as_list).unwrap_or_default();
        let place = |name: &str| order.iter().position(|it| it.as_str() == Some(name)).unwrap_or(order.len());
        let mut all: Vec<_> = members.iter().collect();
        all.sort_by_key(|(name, _)| place(name));
        all
    }

    /// Converts numbers of an object to whole ones where their fields need it: Go converts between the types of numbers in objects
    /// that are decoded already, such as what a strategic merge patch or an apply makes. A type that decodes itself does not.
    pub fn convert_numbers(self, value: &mut Value) {
        if let Some(integer) = self.integer() {
            let whole = match *value {
                Value::Int(number) => number,
                #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
                Value::Float(number) if number.fract() == 0.0 && (number as i64) < i64::MAX => number as i64,
                // What the processor makes of numbers that are too large.
                Value::Float(number) if number.fract() == 0.0 && integer != Integer::OrString => i64::MIN,
                _ => return,
            };
            *value = Value::Int(match integer {
                #[expect(clippy::cast_possible_truncation, reason = "so does Go")]
                Integer::Int32 => i64::from(whole as i32),
                Integer::Int64 | Integer::OrString => whole,
            });
            return;
        }
        match value {
            Value::Map(members) => {
                for (name, member) in members.iter_mut() {
                    if let Some(of) = self.field(name) {
                        of.convert_numbers(member);
                    }
                }
            }
            Value::List(items) => {
                if let Some(of) = self.item() {
                    items.iter_mut().for_each(|item| of.convert_numbers(item));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }
}
