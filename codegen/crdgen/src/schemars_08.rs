//! The same as for schemars 1, for schemars 0.8, which projects before kube 2 use.

use crate::__private::{BySchemars, SchemaFn};
use crate::CustomResource;
use crdgen_runtime::recipe::json_schema::{read, write};
use crdgen_runtime::recipe::{Node, Schema, Shape, link_type};
use crdgen_runtime::value::Value;
use crdgen_runtime::{ir, json};
use schemars_08::JsonSchema;
use schemars_08::r#gen::SchemaGenerator;
use schemars_08::schema::{self, RootSchema, SchemaObject};
use std::marker::PhantomData;

/// The schema of `T` from schemars 0.8, in structural form: `#[schema(as = "crdgen::Schemars08<T>")]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schemars08<T: ?Sized>(PhantomData<T>);

impl<T: JsonSchema + ?Sized> Schema for Schemars08<T> {
    const SHAPE: &'static Shape = &Shape::known("Schemars08", node::<T>, &[]);
}

/// The recipe of a type with an impl for schemars 0.8.
#[doc(hidden)]
pub trait By08 {
    /// The recipe.
    const SHAPE: &'static Shape;
}

impl<T: JsonSchema + ?Sized> By08 for BySchemars<T> {
    const SHAPE: &'static Shape = <Schemars08<T> as Schema>::SHAPE;
}

fn node<T: JsonSchema + ?Sized>() -> Node {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    read::read_text(&text(&T::schema_name(), &schema))
}

/// Returns the text that core reads: a name, and a schema with its definitions.
fn text(name: &str, schema: &RootSchema) -> String {
    let schema = serde_json::to_string(schema).unwrap_or_default();
    format!("{}\n{schema}", name.lines().next().unwrap_or_default())
}

/// Functions with the signature that schemars 0.8 expects for `schema_with`.
impl<F: FnOnce(&mut SchemaGenerator) -> schema::Schema> SchemaFn<&mut SchemaGenerator> for F {
    fn schema(self) -> Value {
        let mut generator = SchemaGenerator::default();
        let schema = self(&mut generator).into_object();
        let definitions = generator.take_definitions();
        let root = RootSchema { schema, definitions, ..RootSchema::default() };
        Value::Str(text(std::any::type_name::<F>(), &root))
    }
}

/// Returns the JSON Schema of a type with a shape. If the server would accept no schema for the type, the result
/// describes why and accepts anything.
pub fn described<T: Schema + ?Sized>() -> schema::Schema {
    let (linked, problems) = link_type::<T>();
    match problems.first() {
        Some(problem) => unknown(problem.detail.clone()),
        None => json_schema(&linked.schema),
    }
}

/// Returns the JSON Schema of a kind's objects.
pub fn of_kind<K: CustomResource>() -> schema::Schema {
    match K::definition() {
        Ok(crd) => json_schema(crd.spec.schema_of(0).unwrap_or(&ir::Schema::default())),
        Err(problems) => unknown(problems.to_string()),
    }
}

fn json_schema(schema: &ir::Schema) -> schema::Schema {
    let object: SchemaObject =
        serde_json::from_str(&json::to_string(&write::json_schema(schema))).unwrap_or_default();
    object.into()
}

/// A schema for anything, with the reason.
fn unknown(why: String) -> schema::Schema {
    let extensions = [("$comment".to_owned(), why.into())].into_iter().collect();
    SchemaObject { extensions, ..SchemaObject::default() }.into()
}

/// Implements [`Schema`](trait@crate::Schema) for types that implement `schemars::JsonSchema`:
/// `crdgen::from_schemars!(One, Other);`
#[macro_export]
macro_rules! from_schemars {
    ($($ty:ty),+ $(,)?) => {$(
        impl $crate::Schema for $ty {
            const SHAPE: &'static $crate::__private::Shape = {
                #[allow(unused_imports)]
                use $crate::__private::schemars_08::By08 as _;
                $crate::__private::BySchemars::<$ty>::SHAPE
            };
        }
    )+};
}
