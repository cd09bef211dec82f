//! The types that rules see for schemas, and how large their values can be. It connects schemas with [`crate::cel`],
//! which does not know schemas.

use crate::cel::Declarations;
use crate::cel::Kube;
use crate::cel::cost::{Sizes, Step};
use crate::cel::escape::{escape, is_reserved, unescape};
use crate::cel::types::{Ty, Types};
use crate::ir::{Limits, Schema, SchemaOf, Type};
use crate::reads::is_built_in;
use crate::server::Server;
use crate::value::{Value, arrange, order};
use std::collections::HashSet;

/// The largest request that a server accepts, in bytes.
const MAX_REQUEST: i64 = 3 * 1024 * 1024;

/// The maximum length of an object's name.
const MAX_NAME: i64 = 253;

/// The number of a declaration in [`Decls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclId(u32);

impl DeclId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type that rules see for one schema node.
#[derive(Debug)]
struct Decl {
    form: Form,
    /// The maximum number of elements or characters.
    max_size: i64,
    /// The minimum number of bytes in JSON.
    min_bytes: i64,
}

#[derive(Debug)]
enum Form {
    Scalar(Ty),
    List(DeclId),
    Map(DeclId),
    /// The fields by escaped name, sorted. Also the names of the fields without a type, which rules cannot read.
    Object(Vec<(Box<str>, DeclId)>, Vec<Box<str>>),
}

/// The declarations for the schemas of one CRD.
#[derive(Debug, Default)]
pub struct Decls {
    all: Vec<Decl>,
    /// Those whose schema has a bound of their size in `allOf`, which the server does not count.
    bounded_in_all_of: Vec<DeclId>,
    server: Server,
}

impl Decls {
    /// Creates an empty set of declarations. A schema is declared as this server declares it.
    pub fn of_server(server: Server) -> Decls {
        Decls { all: Vec::new(), bounded_in_all_of: Vec::new(), server }
    }

    /// Declares a schema. `None` if rules cannot use its values. The root of a resource or of an embedded resource
    /// always has `apiVersion`, `kind` and some fields of `metadata`.
    pub fn declare(&mut self, schema: &Schema, of: SchemaOf) -> Option<DeclId> {
        let id = self.declare_own(schema, of)?;
        if is_bounded_in_all_of(schema) {
            self.bounded_in_all_of.push(id);
        }
        Some(id)
    }

    fn declare_own(&mut self, schema: &Schema, of: SchemaOf) -> Option<DeclId> {
        if schema.ext.int_or_string {
            // Older servers count the longest text, whatever the schema says.
            let longest = schema.limits.max_length.filter(|_| !self.server.is_before(34));
            let max = longest.map_or(MAX_REQUEST - 2, quadrupled);
            return Some(self.add(Form::Scalar(Ty::DYN), max, 1));
        }
        match schema.ty.as_ref()? {
            Type::Array => {
                let items = schema.item()?;
                let element = self.declare(items, SchemaOf::nested(items))?;
                let most = (MAX_REQUEST - 2) / (self.get(element).min_bytes + 1);
                let max = schema.limits.max_items.map_or(most, |n| n.max(0));
                Some(self.add(Form::List(element), max, 2))
            }
            Type::Object => match schema.value() {
                Some(values) => {
                    let value = self.declare(values, SchemaOf::nested(values))?;
                    let most = (MAX_REQUEST - 2) / (self.get(value).min_bytes + 6);
                    let max = schema.limits.max_properties.map_or(most, |n| n.max(0));
                    Some(self.add(Form::Map(value), max, 2))
                }
                None => Some(self.object(schema, of)),
            },
            Type::String => Some(self.string(&schema.limits)),
            Type::Boolean => Some(self.add(Form::Scalar(Ty::BOOL), 0, 4)),
            Type::Number => Some(self.add(Form::Scalar(Ty::DOUBLE), 0, 1)),
            Type::Integer => Some(self.add(Form::Scalar(Ty::INT), 0, 1)),
            Type::Other(_) => None,
        }
    }

    /// Declares a value without a schema.
    pub fn declare_anything(&mut self) -> DeclId {
        self.add(Form::Scalar(Ty::DYN), MAX_REQUEST - 2, 1)
    }

    fn add(&mut self, form: Form, max_size: i64, min_bytes: i64) -> DeclId {
        let id = DeclId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(Decl { form, max_size, min_bytes });
        id
    }

    fn get(&self, id: DeclId) -> &Decl {
        &self.all[id.index()]
    }

    fn string(&mut self, limits: &Limits) -> DeclId {
        let longest = MAX_REQUEST - 2;
        match limits.format.as_str() {
            "byte" => {
                let max = limits.max_length.map_or(longest, |n| n.max(0));
                self.add(Form::Scalar(Ty::BYTES), max, 2)
            }
            "duration" => self.add(Form::Scalar(Ty::DURATION), 32, 3),
            "date" => self.add(Form::Scalar(Ty::TIMESTAMP), 12, 12),
            "date-time" => self.add(Form::Scalar(Ty::TIMESTAMP), 32, 21),
            _ => {
                let enumerated = (!limits.enumeration.is_empty()).then(|| {
                    limits.enumeration.iter().filter_map(Value::as_str).map(|s| s.len() as i64).max()
                });
                let otherwise = enumerated.map_or(longest, Option::unwrap_or_default);
                let max = limits.max_length.map_or(otherwise, quadrupled);
                self.add(Form::Scalar(Ty::STRING), max, 2)
            }
        }
    }

    fn object(&mut self, schema: &Schema, of: SchemaOf) -> DeclId {
        let meta = of.is_resource() && !is_resource(schema);
        let mut fields = Vec::with_capacity(schema.properties.len() + 3);
        let mut untyped = Vec::new();
        let mut min_bytes = 2;
        let required: HashSet<&str> = schema.limits.required.iter().map(String::as_str).collect();
        let mut field = |decls: &mut Self, name: &str, decl: DeclId, default: Option<&Value>| {
            if let Some(escaped) = escape(name) {
                fields.push((escaped.into_owned().into_boxed_str(), decl));
            }
            if default.is_none_or(Value::is_null) && required.contains(name) {
                min_bytes += name.len() as i64 + decls.get(decl).min_bytes + 4;
            }
        };
        for (name, property) in schema.properties.iter() {
            if meta && is_built_in(name) {
                continue;
            }
            if let Some(decl) = self.declare(property, SchemaOf::nested(property)) {
                field(self, name, decl, property.default.as_ref());
            } else {
                untyped.push(Box::from(name));
            }
        }
        if meta {
            for name in ["apiVersion", "kind"] {
                let decl = self.string(&Limits::default());
                field(self, name, decl, None);
            }
            let decl = self.metadata(schema.properties.get("metadata"));
            field(self, "metadata", decl, None);
        }
        // The order of escaped names differs from that of the schema only if a name is escaped.
        if !fields.is_sorted_by(|a, b| a.0 <= b.0) {
            let order = order(fields.len(), &|a, b| fields[a].0.cmp(&fields[b].0));
            fields = arrange(fields, &order);
        }
        self.add(Form::Object(fields, untyped), 0, min_bytes)
    }

    /// Rules can only read the names in the metadata.
    fn metadata(&mut self, schema: Option<&Schema>) -> DeclId {
        // Before 1.37, the length of names counts as unlimited.
        let capped_here = !self.server.is_before(37);
        let mut capped = |name: &str, max: i64| {
            let own = schema.and_then(|s| s.properties.get(name)).and_then(|s| s.limits.max_length);
            let max_length = Some(own.map_or(max, |own| own.min(max))).filter(|_| capped_here);
            let decl = self.string(&Limits { max_length, ..Limits::default() });
            (Box::from(name), decl)
        };
        let fields = vec![capped("generateName", MAX_NAME - 1), capped("name", MAX_NAME)];
        self.add(Form::Object(fields, Vec::new()), 0, 2)
    }

    /// Returns the declaration of a field. `name` is its name in the schema.
    pub fn property(&self, id: DeclId, name: &str) -> Option<DeclId> {
        self.field(id, &escape(name)?)
    }

    /// Returns the declaration of a list's items or a map's values.
    pub fn element(&self, id: DeclId) -> Option<DeclId> {
        match &self.get(id).form {
            Form::List(element) | Form::Map(element) => Some(*element),
            Form::Scalar(_) | Form::Object(..) => None,
        }
    }

    fn field(&self, id: DeclId, escaped: &str) -> Option<DeclId> {
        match &self.get(id).form {
            Form::Object(fields, _) => {
                let found = fields.binary_search_by(|(name, _)| (**name).cmp(escaped)).ok()?;
                Some(fields[found].1)
            }
            Form::Scalar(_) | Form::List(_) | Form::Map(_) => None,
        }
    }

    /// The keyword that limits the size of values, and the size that one unit of it means.
    pub fn bound(&self, id: DeclId) -> Option<(&'static str, u64)> {
        match self.get(id).form {
            Form::Scalar(Ty::STRING | Ty::DYN) => Some(("maxLength", 4)),
            Form::Scalar(Ty::BYTES) => Some(("maxLength", 1)),
            Form::Scalar(_) | Form::Object(..) => None,
            Form::List(_) => Some(("maxItems", 1)),
            Form::Map(_) => Some(("maxProperties", 1)),
        }
    }

    /// Whether the schema of a declaration has a bound of its size in `allOf`.
    pub fn is_bounded_in_all_of(&self, id: DeclId) -> bool {
        self.bounded_in_all_of.contains(&id)
    }

    /// Returns the maximum number of values of this declaration that one request can contain.
    pub fn cardinality(&self, id: DeclId) -> u64 {
        (MAX_REQUEST / (self.get(id).min_bytes + 1)) as u64
    }

    /// Returns the CEL type of a declaration. Types of objects are named after their place below `name`.
    pub fn ty(&self, types: &mut Types, id: DeclId, name: &str) -> Ty {
        match &self.get(id).form {
            Form::Scalar(ty) => *ty,
            Form::List(element) => {
                let element = self.ty(types, *element, &format!("{name}.@idx"));
                types.list(element)
            }
            Form::Map(value) => {
                let value = self.ty(types, *value, &format!("{name}.@elem"));
                types.map(Ty::STRING, value)
            }
            Form::Object(..) => types.object(id.0, name),
        }
    }
}

/// Whether a schema has a bound of the size of its values in `allOf`, where controller-gen writes it if a field and its type have one each.
pub(super) fn is_bounded_in_all_of(schema: &Schema) -> bool {
    let is_bound = |limits: &Limits| {
        limits.max_length.is_some() || limits.max_items.is_some() || limits.max_properties.is_some()
    };
    schema.limits.all_of.iter().any(|clause| is_bound(&clause.limits))
}

/// Lengths are in characters, which have up to four bytes, and sizes are in bytes.
fn quadrupled(max_length: i64) -> i64 {
    max_length.max(0).wrapping_mul(4)
}

/// Whether a schema declares all fields that make a resource.
pub(super) fn is_resource(schema: &Schema) -> bool {
    let is = |s: Option<&Schema>, ty: Type| s.is_some_and(|s| s.ty.as_ref() == Some(&ty));
    let metadata = schema.properties.get("metadata");
    let below = |name| metadata.and_then(|m| m.properties.get(name));
    is(schema.properties.get("kind"), Type::String)
        && is(schema.properties.get("apiVersion"), Type::String)
        && is(metadata, Type::Object)
        && is(below("name"), Type::String)
        && is(below("generateName"), Type::String)
}

/// The fields of declarations, for the type checker.
pub struct Fields<'d> {
    /// The declarations.
    pub decls: &'d Decls,
    /// The environment, which decides the names that are reserved.
    pub kube: Kube,
}

impl Declarations for Fields<'_> {
    fn field(&self, types: &mut Types, decl: u32, name: &str, field: &str) -> Option<Ty> {
        let found = self.decls.field(DeclId(decl), field);
        let (found, field) = match found {
            Some(found) => (found, field.to_owned()),
            // Since 1.31, reserved words are not escaped.
            None if self.kube.minor >= 31 && is_reserved(field) => {
                let escaped = format!("__{field}__");
                (self.decls.field(DeclId(decl), &escaped)?, escaped)
            }
            None => return None,
        };
        Some(self.decls.ty(types, found, &format!("{name}.{field}")))
    }

    fn fields(&self, decl: u32) -> Vec<String> {
        match &self.decls.get(DeclId(decl)).form {
            Form::Object(fields, _) => fields.iter().map(|(name, _)| name.to_string()).collect(),
            Form::Scalar(_) | Form::List(_) | Form::Map(_) => Vec::new(),
        }
    }

    fn is_untyped(&self, decl: u32, field: &str) -> bool {
        match &self.decls.get(DeclId(decl)).form {
            Form::Object(_, untyped) => {
                unescape(field).is_some_and(|name| untyped.iter().any(|u| **u == *name))
            }
            Form::Scalar(_) | Form::List(_) | Form::Map(_) => false,
        }
    }
}

/// The sizes of declarations, for the cost estimate.
pub struct DeclSizes<'d> {
    /// The declarations.
    pub decls: &'d Decls,
    /// The declaration of `self`.
    pub root: DeclId,
}

impl Sizes for DeclSizes<'_> {
    fn max_size(&self, path: &[Step]) -> Option<u64> {
        self.find(path).map(|(_, max)| max)
    }
}

impl DeclSizes<'_> {
    /// The declaration at a path, and its size. Keys of maps have no declaration.
    pub fn find(&self, path: &[Step]) -> Option<(Option<DeclId>, u64)> {
        let mut at = self.root;
        for (i, step) in path.iter().enumerate().skip(1) {
            at = match step {
                Step::Items | Step::Values => self.decls.element(at)?,
                // Keys are texts of unknown length, which the estimate treats as size 0. Nothing is below them.
                Step::Keys => {
                    let map = matches!(self.decls.get(at).form, Form::Map(_));
                    return (map && i + 1 == path.len()).then_some((None, 0));
                }
                Step::Field(name) => self.decls.field(at, name)?,
                Step::Variable | Step::Indices => return None,
            };
        }
        Some((Some(at), self.decls.get(at).max_size as u64))
    }
}
