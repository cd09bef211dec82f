//! Uses schemas of schemars in crdgen (impls of its `JsonSchema`, and functions for `schema_with`), and implements
//! `JsonSchema` for kinds.

use crate::__private::SchemaFn;
use crate::CustomResource;
use crdgen_runtime::recipe::by_schemars::{json_schema, text};
use crdgen_runtime::recipe::json_schema::read;
use crdgen_runtime::recipe::{Node, Schema, Shape};
use crdgen_runtime::value::Value;
use schemars_1::{JsonSchema, SchemaGenerator};
use std::marker::PhantomData;

/// The schema of `T` from schemars, in structural form. Use it for a field: `#[schema(as = "crdgen::Schemars<T>")]`. For your
/// own types, use [`from_schemars!`](crate::from_schemars).
#[derive(Clone, Copy, Debug, Default)]
pub struct Schemars<T: ?Sized>(PhantomData<T>);

impl<T: JsonSchema + ?Sized> Schema for Schemars<T> {
    const SHAPE: &'static Shape = &Shape::known("Schemars", node::<T>, &[]);
}

fn node<T: JsonSchema + ?Sized>() -> Node {
    let mut generator = SchemaGenerator::default();
    let schema = generator.root_schema_for::<T>();
    read::read_text(&text(&T::schema_name(), schema, &mut generator))
}

/// Functions with the signature that schemars expects for `schema_with`.
impl<F: FnOnce(&mut SchemaGenerator) -> schemars_1::Schema> SchemaFn<&mut SchemaGenerator> for F {
    fn schema(self) -> Value {
        let mut generator = SchemaGenerator::default();
        let schema = self(&mut generator);
        Value::Str(text(std::any::type_name::<F>(), schema, &mut generator))
    }
}

/// Returns the JSON Schema of a kind's objects. If the server would accept no schema for the types, the result
/// describes why and accepts anything.
pub fn of_kind<K: CustomResource>() -> schemars_1::Schema {
    let schema = K::definition().map(|crd| crd.spec.schema_of(0).cloned().unwrap_or_default());
    match schema {
        Ok(schema) => json_schema(&schema),
        Err(problems) => schemars_1::json_schema!({ "$comment": problems.to_string() }),
    }
}

/// Implements [`Schema`](trait@crate::Schema) for types that implement `schemars::JsonSchema`:
/// `crdgen::from_schemars!(One, Other);`
#[cfg(not(feature = "schemars-08"))]
#[macro_export]
macro_rules! from_schemars {
    ($($ty:ty),+ $(,)?) => {$(
        impl $crate::Schema for $ty {
            const SHAPE: &'static $crate::__private::Shape = <$crate::Schemars<$ty> as $crate::Schema>::SHAPE;
        }
    )+};
}

#[cfg(feature = "schemars-08")]
impl<T: JsonSchema + ?Sized> crate::__private::BySchemars<T> {
    /// The recipe of a type with an impl for schemars 1. The compiler prefers it to the one for schemars 0.8.
    pub const SHAPE: &'static Shape = <Schemars<T> as Schema>::SHAPE;
}
