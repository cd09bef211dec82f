//! Checks values against the CEL rules of their types, in your program: `#[kube(cel)]` and `#[x_kube(cel)]`.
use crate::{CustomResource, Problems, Schema};
use crdgen_core::object::defaults;
use crdgen_core::rules::run::Rules;
use crdgen_core::server::Server;
use crdgen_runtime::diag::Diags;
use crdgen_runtime::ir::SchemaOf;
use crdgen_runtime::path::Path;
use crdgen_runtime::{ir, recipe};
use serde::Serialize;
use std::fmt;
use std::sync::OnceLock;

/// Checks values against the rules of a type.
#[derive(Clone, Copy, Debug)]
pub struct Validator<'r> {
    schema: &'r ir::Schema,
    rules: &'r Rules,
}

impl Validator<'_> {
    /// Checks a value, with the server's messages. Like the server, adds defaults first, and runs transition rules only if
    /// there is an `old` value.
    pub fn validate<V: Serialize + ?Sized>(
        &self,
        value: &V,
        old: Option<&V>,
    ) -> Result<(), ValidationErrors> {
        let read = |value: &V| {
            let mut value = crate::to_value::to_value(value)?;
            // The rules of what is too large for a server see it without some defaults.
            _ = defaults::set_defaults(&mut value, Some(self.schema));
            Some(value)
        };
        let Some(value) = read(value) else { return Err(ValidationErrors::no_json()) };
        let old = old.and_then(read);
        let found = self.rules.validate(self.schema, &value, old.as_ref(), &Path::ROOT).errors;
        if found.is_empty() { Ok(()) } else { Err(ValidationErrors::new(&found)) }
    }
}

/// The rules of one type, for a static. They are compiled when they are first used.
#[derive(Debug, Default)]
pub struct Cached(OnceLock<(ir::Schema, Rules)>);

impl Cached {
    /// Creates rules that are not compiled yet.
    pub const fn new() -> Cached {
        Cached(OnceLock::new())
    }

    /// Returns the rules of a kind.
    ///
    /// # Panics
    ///
    /// Panics if the types have mistakes, like [`CustomResource::crd`].
    pub fn of_kind<K: CustomResource>(&'static self) -> Validator<'static> {
        self.get(schema_of_kind::<K>, SchemaOf::Resource)
    }

    /// Returns the rules of a type.
    ///
    /// # Panics
    ///
    /// Panics if the types have mistakes, like [`CustomResource::crd`].
    pub fn of_type<T: Schema>(&'static self) -> Validator<'static> {
        self.get(schema_of_type::<T>, SchemaOf::Value)
    }

    fn get(&'static self, schema: fn() -> ir::Schema, of: SchemaOf) -> Validator<'static> {
        let (schema, rules) = self.0.get_or_init(|| {
            let schema = schema();
            let rules = Rules::of(&schema, of, Server::NEWEST);
            (schema, rules)
        });
        Validator { schema, rules }
    }
}

/// Compiles the rules of a type and checks a single value. For generic types, which cannot keep compiled rules in a static.
///
/// # Panics
///
/// Panics if the types have mistakes, like [`CustomResource::crd`].
pub fn validate_once<T: Schema, V: Serialize + ?Sized>(
    value: &V,
    old: Option<&V>,
) -> Result<(), ValidationErrors> {
    let schema = schema_of_type::<T>();
    let rules = Rules::of(&schema, SchemaOf::Value, Server::NEWEST);
    Validator { schema: &schema, rules: &rules }.validate(value, old)
}

fn schema_of_kind<K: CustomResource>() -> ir::Schema {
    let mut crd = K::definition().unwrap_or_else(|problems| panic!("{problems}"));
    let version = if crd.spec.versions.is_empty() { None } else { Some(crd.spec.versions.remove(0)) };
    let schema = version.and_then(|v| v.body.schema).and_then(|s| s.open_api_v3_schema);
    schema.unwrap_or_default()
}

fn schema_of_type<T: Schema>() -> ir::Schema {
    let (linked, diags) = recipe::link_type::<T>();
    Problems::check(linked, diags).unwrap_or_else(|problems| panic!("{problems}")).schema
}

/// The rules that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationErrors {
    /// One error per rule.
    pub errors: Vec<ValidationError>,
}

/// A rule that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// The path of the field.
    pub field_path: String,
    /// The message of the rule.
    pub message: String,
    /// The whole line, as the server writes it.
    text: String,
}

impl ValidationErrors {
    fn new(found: &Diags) -> ValidationErrors {
        let errors = found.iter().map(|d| ValidationError {
            field_path: d.field.clone(),
            message: d.detail.clone(),
            text: d.text(),
        });
        ValidationErrors { errors: errors.collect() }
    }

    fn no_json() -> ValidationErrors {
        let message = "the value cannot be JSON".to_owned();
        ValidationErrors {
            errors: vec![ValidationError { field_path: String::new(), text: message.clone(), message }],
        }
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for ValidationErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for ValidationError {}
impl std::error::Error for ValidationErrors {}
