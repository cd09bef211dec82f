//! Types that have a schema by schemars: existing impls of its `JsonSchema`, and functions for `schema_with`.

use crate::__private::SchemaFn;
use crdgen_core::read::schemars;
use crdgen_core::shape::{Node, Schema, Shape};
use crdgen_core::value::Value;
use schemars_1::{JsonSchema, SchemaGenerator};
use std::marker::PhantomData;

/// The schema that `T` has by schemars, in structural form: for a field `#[schema(as = "crdgen::Schemars<T>")]`.
/// A type of your own gets it for good by [`from_schemars!`](crate::from_schemars).
#[derive(Clone, Copy, Debug, Default)]
pub struct Schemars<T: ?Sized>(PhantomData<T>);

impl<T: JsonSchema + ?Sized> Schema for Schemars<T> {
    fn shape() -> &'static Shape {
        const { &Shape::known("Schemars", node::<T>, &[]) }
    }
}

fn node<T: JsonSchema + ?Sized>() -> Node {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    schemars::read_text(&text(&T::schema_name(), schema.as_value()))
}

/// A function of the form that schemars wants for `schema_with`.
impl<F: FnOnce(&mut SchemaGenerator) -> schemars_1::Schema> SchemaFn<&mut SchemaGenerator> for F {
    fn schema(self) -> Value {
        let mut generator = SchemaGenerator::default();
        let mut schema = self(&mut generator);
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), definitions.into());
        }
        Value::Str(text(std::any::type_name::<F>(), schema.as_value()))
    }
}

/// The name and the schema, as core reads them.
fn text(name: &str, schema: &serde_json::Value) -> String {
    format!("{}\n{schema}", name.lines().next().unwrap_or_default())
}

/// Lets types of yours have the schema that they have by schemars: `crdgen::from_schemars!(One, Other);`
#[macro_export]
macro_rules! from_schemars {
    ($($ty:ty),+ $(,)?) => {$(
        impl $crate::Schema for $ty {
            fn shape() -> &'static $crate::__private::Shape {
                <$crate::Schemars<$ty> as $crate::Schema>::shape()
            }
        }
    )+};
}
