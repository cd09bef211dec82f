//! What is published about single fields, for programs.

use super::{Explainer, Writer, all_of, below, enumerated, items, values};
use crate::path::Step;
use crate::value::{Map, Value};

/// What is published about a field.
#[derive(Clone, Debug)]
pub struct Field<'e> {
    /// Its name, or that of the map or list that contains the value.
    pub name: &'e str,
    /// Its type as kubectl prints it: `string`, `[]Object`, `map[string]string`.
    pub ty: String,
    /// Its description, or that of its type.
    pub description: &'e str,
    /// Whether it is required.
    pub is_required: bool,
    own: &'e Value,
    of_type: &'e Value,
}

impl<'e> Field<'e> {
    /// A keyword of its schema.
    pub fn keyword(&self, name: &str) -> Option<&'e Value> {
        self.own.get(name).or_else(|| self.of_type.get(name))
    }

    /// The values that are allowed. Empty if others are.
    pub fn values(&self) -> &'e [Value] {
        let own = enumerated(self.own);
        if own.is_empty() { enumerated(self.of_type) } else { own }
    }

    /// Whether its value is a list.
    pub fn is_list(&self) -> bool {
        self.has(items)
    }

    /// Whether its value is a map or has fields.
    pub fn is_map(&self) -> bool {
        self.has(values) || self.of_type.text("type") == "object"
    }

    fn has(&self, inner: fn(&Value) -> Option<&Value>) -> bool {
        [self.own, self.of_type].into_iter().any(|schema| inner(schema).is_some())
    }
}

impl Explainer<'_> {
    /// Returns what is published about the value at the end of some steps. `None` if there is no such field.
    pub fn field<'e>(&'e self, steps: &[Step]) -> Option<Field<'e>> {
        let writer = self.writer(super::Extent::Described);
        let start = Place { name: "", schema: &self.schema, is_required: true };
        let place = steps.iter().try_fold(start, |place, step| writer.step(&place, step))?;
        Some(writer.known(&place))
    }

    /// Returns the fields of the value at the end of some steps, in the order of their names.
    pub fn inside<'e>(&'e self, steps: &[Step]) -> Vec<Field<'e>> {
        let writer = self.writer(super::Extent::Described);
        let Some(field) = self.field(steps) else { return Vec::new() };
        let mut out = Vec::new();
        writer.add_inside(field.own, &mut out);
        out.iter().map(|place| writer.known(place)).collect()
    }
}

/// A field while a path is followed.
struct Place<'s> {
    name: &'s str,
    schema: &'s Value,
    is_required: bool,
}

impl<'s> Writer<'s> {
    fn step(&self, place: &Place<'s>, step: &Step) -> Option<Place<'s>> {
        let schema = self.resolved(place.schema);
        let below_all =
            || all_of(schema).iter().find_map(|schema| self.step(&Place { schema, ..*place }, step));
        let found = match step {
            Step::Index(_) => items(schema).map(|schema| Place { schema, is_required: false, ..*place }),
            Step::Key(name) => self
                .property(schema, name)
                .or_else(|| values(schema).map(|schema| Place { schema, is_required: false, ..*place })),
        };
        found.or_else(below_all)
    }

    fn property(&self, schema: &'s Value, name: &str) -> Option<Place<'s>> {
        let mut properties = below(schema, "properties")?.as_map()?.iter();
        let (name, property) = properties.find(|(own, _)| *own == name)?;
        Some(Place { name, schema: property, is_required: is_required(schema, name) })
    }

    fn add_inside(&self, schema: &'s Value, out: &mut Vec<Place<'s>>) {
        let schema = self.resolved(schema);
        let properties = schema.get("properties").and_then(Value::as_map);
        let place =
            |(name, property)| Place { name, schema: property, is_required: is_required(schema, name) };
        out.extend(properties.into_iter().flat_map(Map::iter).map(place));
        all_of(schema).iter().for_each(|one| self.add_inside(one, out));
    }

    fn known(&self, place: &Place<'s>) -> Field<'s> {
        let (own, mut of_type) = (place.schema, self.resolved(place.schema));
        // The server refers to a type like this if the field has a description of its own.
        if let ([one], None) = (all_of(of_type), below(of_type, "properties")) {
            of_type = self.resolved(one);
        }
        let described = [own, of_type].map(|schema| schema.text("description"));
        Field {
            name: place.name,
            ty: self.type_of(own),
            description: described.into_iter().find(|text| !text.is_empty()).unwrap_or_default(),
            is_required: place.is_required,
            own,
            of_type,
        }
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    let names = schema.get("required").and_then(Value::as_list).unwrap_or_default();
    names.iter().any(|one| one.as_str() == Some(name))
}
