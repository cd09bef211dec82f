//! Turns schema nodes into Rust types, bottom-up, so that equal nodes become one type wherever they are. Each step
//! determines the Rust type and the schema that this type has by itself, and [`difference`] finds the rest.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use super::exactly_one;
use super::foreign::{self, Foreign};
use super::keywords::{difference, raw};
use super::kopium;
use super::model::*;
use super::names;
use super::options::{Numbers, Options, TimeType};
use super::shared::{self, Agreed};
use crate::ir::{Additional, Extensions, Items, Limits, Schema, Type};
use crate::value::Value;

/// The pattern of quantities, which makes an int-or-string a `Quantity`.
pub(super) const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Where a type is used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    /// The depth of the use. The shallowest use gives a type its name.
    pub(super) depth: usize,
    /// The words of the path: kind, then a word per property (in the singular for items).
    pub(super) words: Vec<String>,
    /// The names of the path: kind, then the properties, `[]` and `{}`.
    pub(super) path: String,
    /// The title there.
    pub(super) title: String,
}

/// What is known about a type in addition to its definition.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The use that gives the type its name.
    pub(super) site: Site,
    /// The modules that use it, sorted.
    pub(super) modules: Vec<usize>,
    /// A name that must not change, as root types have.
    pub(super) fixed: Option<String>,
    /// The name that the type gets if it is free.
    pub(super) wished: Option<String>,
    /// The shallowest use for which the user chose a name, with the path as the user wrote it.
    pub(super) named: Option<(Site, String)>,
    /// The name in the documentation of items or values, and the use that has it.
    pub(super) declared: Option<(Site, String)>,
    /// Some of the last words of the paths to it.
    pub(super) called: Vec<String>,
    /// The words with which all of the last words end.
    pub(super) ending: String,
    /// The descriptions at items and values. They describe the type and not a field.
    pub(super) own: Agreed,
    /// The descriptions at fields.
    pub(super) of_fields: Agreed,
    /// The defaults at its uses.
    pub(super) defaults: Vec<Value>,
    /// Whether a use has no default.
    pub(super) bare: bool,
}

/// All types found so far.
#[derive(Default)]
pub(super) struct Lowering {
    pub(super) types: Vec<TypeDef>,
    pub(super) facts: Vec<Facts>,
    pub(super) fallbacks: Vec<Fallback>,
    known: HashMap<u64, Vec<TypeId>>,
    /// The words of properties. They are kept because most properties occur many times.
    all_words: HashMap<String, String>,
    /// The module of the current kind.
    module: usize,
    version: String,
    pub(super) words: Vec<String>,
    pub(super) path: Vec<String>,
    /// Whether numbers are `f64`.
    floats: bool,
    /// Whether times have a type of their own.
    times: bool,
    /// Whether types are the same as in kopium: one for each path, in one module.
    kopium: bool,
    /// The type for the metadata of whole objects.
    pub(super) metadata: Option<Ty>,
    /// Which foreign types may be used where.
    foreign: Foreign,
    /// The paths for which the user chose names.
    named: BTreeSet<String>,
    /// All paths that a user can choose names for, without the marks of lists and maps.
    pub(super) paths: BTreeSet<String>,
}

impl Lowering {
    pub(super) fn new(options: &Options) -> Lowering {
        Lowering {
            floats: options.numbers == Numbers::F64,
            times: options.time != TimeType::String,
            kopium: options.kopium,
            metadata: options.kube.then_some(Ty::ObjectMeta),
            foreign: Foreign::new(options),
            named: options.names.keys().cloned().collect(),
            ..Lowering::default()
        }
    }

    /// Starts with a kind in a version.
    pub(super) fn enter(&mut self, module: usize, version: &str, kind: &str, name: &str) {
        self.module = module;
        self.version = version.to_owned();
        self.words = vec![name.to_owned()];
        self.path = vec![kind.to_owned()];
    }

    /// Adds the type of the whole root, its spec or its status. It is never shared, and has its own name and
    /// description.
    pub(super) fn root(&mut self, schema: &Schema, name: String, below: Option<&str>) -> TypeId {
        let depth = self.path.len();
        if let Some(property) = below {
            self.descend(property);
        }
        if !self.named.is_empty() {
            self.paths.insert(self.place());
        }
        let (body, base) = self.object(schema);
        let keywords = difference(&base, schema);
        let def =
            TypeDef { name: String::new(), docs: schema.description.clone(), body, keywords, root: None };
        let id = self.add(def, Some(name), &schema.title);
        if below.is_some() {
            self.ascend(depth);
        }
        id
    }

    /// Whether the schema of a root type is nullable.
    pub(super) fn nullable(&self, id: TypeId) -> bool {
        self.types[id].keywords.contains(&Keyword::flag("nullable"))
    }

    /// Returns the type of a node, at one of its uses.
    fn lower(&mut self, schema: &Schema) -> Use {
        let (ty, base) = match self.shape(schema) {
            Ok(found) => found,
            Err(reason) => return self.fall_back(schema, reason),
        };
        // Any JSON value includes null. For other types, `Option` shows that the value is nullable.
        let mut base = Schema { nullable: schema.nullable || ty == Ty::Json, ..base };
        if schema.nullable && self.is_inside() {
            optional_item(&mut base);
        }
        // kopium's users get a map there, whose own schema is different.
        let is_map = self.kopium && ty == Ty::JsonObject;
        let mut keywords = if is_map { vec![raw(schema)] } else { difference(&base, schema) };
        if let Ty::Named(id) = &ty {
            self.note_default(*id, schema);
        }
        if let Ty::Kubernetes(_) = &ty {
            keywords.extend(foreign::overrides(&base, schema).unwrap_or_default());
        }
        Use { ty, nullable: schema.nullable, description: schema.description.clone(), keywords }
    }

    /// The Rust type of a node and the schema that this type has by itself, or the reason why no type can represent the
    /// node.
    fn shape(&mut self, schema: &Schema) -> Result<(Ty, Schema), &'static str> {
        let Schema { ty, properties, items, additional_properties, ext, limits, foreign, .. } = schema;
        if foreign.is_some() {
            return Err("keywords that no structural schema has");
        }
        if ext.int_or_string && ty.is_some() {
            return Err("an int-or-string with a type");
        }
        let object = *ty == Some(Type::Object);
        if !object && (!properties.is_empty() || additional_properties.is_some()) {
            return Err("properties of something that is not declared as an object");
        }
        if items.is_some() && *ty != Some(Type::Array) {
            return Err("items of something that is not declared as an array");
        }
        match ty {
            None if ext.int_or_string => Ok(self.int_or_string(schema)),
            None => {
                let base = preserving(Schema::default());
                Ok((Ty::Json, base))
            }
            Some(Type::Boolean) => Ok((Ty::Bool, Schema::of(Type::Boolean))),
            Some(Type::Integer) => {
                let (ty, format) = match limits.format.as_str() {
                    "int32" => (Ty::I32, "int32"),
                    _ => (Ty::I64, "int64"),
                };
                Ok((ty, formatted(Type::Integer, format)))
            }
            Some(Type::Number) => {
                let format = if self.floats { "double" } else { "" };
                Ok((Ty::Number, formatted(Type::Number, format)))
            }
            Some(Type::String) => Ok(self.string(schema)),
            Some(Type::Array) => match items {
                Some(Items::One(item)) => {
                    let item = self.inside(item, "[]");
                    Ok((Ty::List(Box::new(item)), Schema::of(Type::Array)))
                }
                Some(Items::Many(_)) => Err("a schema per position of a list"),
                None => Err("a list without a schema of its items"),
            },
            Some(Type::Object) => match additional_properties {
                Some(Additional::Schema(_)) if !properties.is_empty() => {
                    Err("properties next to a schema for all others")
                }
                Some(Additional::Schema(value)) => {
                    let value = self.inside(value, "{}");
                    Ok((Ty::Map(Box::new(value)), Schema::of(Type::Object)))
                }
                Some(Additional::Allow(true)) if properties.is_empty() => {
                    Ok((Ty::JsonObject, preserving(Schema::of(Type::Object))))
                }
                Some(Additional::Allow(_)) | None => {
                    if properties.is_empty() && (schema.preserves_unknown_fields() || ext.embedded_resource) {
                        Ok((Ty::JsonObject, preserving(Schema::of(Type::Object))))
                    } else {
                        Ok(self.named_object(schema))
                    }
                }
            },
            Some(Type::Other(_)) => Err("a type that no structural schema has"),
        }
    }

    /// Returns a struct that all equal nodes share, and its schema without what can differ between uses.
    fn named_object(&mut self, schema: &Schema) -> (Ty, Schema) {
        if let Some((name, base)) = self.foreign.object(schema, &self.words, &self.path) {
            return (Ty::Kubernetes(name), base);
        }
        let union = if self.kopium { None } else { self.union(schema) };
        let (body, base) = union.unwrap_or_else(|| self.object(schema));
        let empty = matches!(&body, Body::Struct(s) if s.is_empty());
        if empty {
            let id = self.intern(body, Vec::new(), "");
            return (Ty::Named(id), base);
        }
        let own = at_type(schema);
        let keywords = difference(&base, &own);
        let id = self.intern(body, keywords, &schema.title);
        (Ty::Named(id), own)
    }

    /// Returns the struct of an object, and the schema that the struct has by itself.
    fn object(&mut self, schema: &Schema) -> (Body, Schema) {
        let required: HashSet<&str> = schema.limits.required.iter().map(String::as_str).collect();
        let chosen = if self.kopium { Vec::new() } else { exactly_one::exclusive(schema) };
        let field = |(property, inner)| {
            let required = required.contains(property);
            Field { required, ..self.property(property, inner) }
        };
        let plain = schema.properties.iter().filter(|(name, _)| !chosen.contains(name));
        let fields: Vec<Field> = plain.map(field).collect();
        let mut base = Schema::of(Type::Object);
        let choice = (!chosen.is_empty()).then(|| self.choice(schema, &chosen));
        if choice.is_some() {
            base.limits.one_of = exactly_one::arms(&chosen);
        }
        base.limits.required = fields.iter().filter(|f| f.required).map(|f| f.property.clone()).collect();
        let open = matches!(schema.additional_properties, Some(Additional::Allow(true)));
        let rest = if schema.preserves_unknown_fields() || open {
            base = preserving(base);
            Rest::Preserved
        } else if schema.ext.embedded_resource {
            Rest::Embedded
        } else {
            Rest::None
        };
        let mut body = Struct { fields, rest, camel_case: false, choice };
        self.namer()(&mut body);
        (Body::Struct(body), base)
    }

    /// The function that names the fields of a struct.
    pub(super) fn namer(&self) -> fn(&mut Struct) {
        if self.kopium { kopium::fields } else { names::fields }
    }

    /// Returns a field for a required property.
    pub(super) fn property(&mut self, property: &str, schema: &Schema) -> Field {
        let depth = self.path.len();
        self.descend(property);
        let usage = self.lower(schema);
        if let Ty::Named(id) = usage.ty {
            self.note_doc(id, &usage.description);
        }
        self.ascend(depth);
        let (property, ident) = (property.to_owned(), String::new());
        Field { property, ident, required: true, unnamed: false, usage }
    }

    fn int_or_string(&mut self, schema: &Schema) -> (Ty, Schema) {
        let quantity = schema.limits.pattern == QUANTITY;
        if let Some((name, base)) = self.foreign.int_or_string(schema, quantity) {
            return (Ty::Kubernetes(name), base);
        }
        let id = self.intern(Body::IntOrString { quantity }, Vec::new(), "");
        (Ty::Named(id), int_or_string(quantity))
    }

    /// Returns the type of a string: an enum if only some values are allowed.
    fn string(&mut self, schema: &Schema) -> (Ty, Schema) {
        if self.times && schema.limits.format == "date-time" && schema.limits.enumeration.is_empty() {
            return (Ty::Time, formatted(Type::String, "date-time"));
        }
        let plain = Schema::of(Type::String);
        let (mut all, mut seen): (Vec<&str>, HashSet<&str>) = Default::default();
        for value in &schema.limits.enumeration {
            match value {
                Value::Str(s) if seen.insert(s) => all.push(s),
                Value::Null if schema.nullable => {}
                _ => return (Ty::String, plain),
            }
        }
        if all.is_empty() || (self.kopium && self.is_inside()) {
            return (Ty::String, plain);
        }
        let variants = if self.kopium { kopium::variants(&all) } else { names::variants(&all) };
        let id = self.intern(Body::Enum(Enum { variants, default: None }), Vec::new(), &schema.title);
        let enumeration = all.into_iter().map(Value::from).collect();
        (Ty::Named(id), Schema { limits: Limits { enumeration, ..Limits::default() }, ..plain })
    }

    /// Whether the node is an item of a list or a value of a map.
    fn is_inside(&self) -> bool {
        self.path.last().is_some_and(|step| step == "[]" || step == "{}")
    }

    /// The type of items or values.
    fn inside(&mut self, schema: &Schema, mark: &str) -> Use {
        let depth = self.path.len();
        let replaced = self.words.pop().unwrap_or_default();
        self.path.push(mark.to_owned());
        self.words.push(names::singular(&replaced));
        let usage = self.lower(schema);
        if let Ty::Named(id) = usage.ty {
            self.facts[id].own.add(&usage.description);
            self.note_name(id, &usage.description);
        }
        self.path.truncate(depth);
        self.words.pop();
        self.words.push(replaced);
        usage
    }

    fn fall_back(&mut self, schema: &Schema, reason: &'static str) -> Use {
        let place = format!("{} {}", self.version, self.place());
        self.fallbacks.push(Fallback { place, reason });
        Use {
            ty: Ty::Json,
            nullable: schema.nullable,
            description: schema.description.clone(),
            keywords: vec![raw(schema)],
        }
    }

    fn descend(&mut self, property: &str) {
        let word = match self.all_words.get(property) {
            Some(word) => word.clone(),
            None => {
                let word = names::word(property);
                self.all_words.insert(property.to_owned(), word.clone());
                word
            }
        };
        self.path.push(property.to_owned());
        self.words.push(word);
    }

    fn ascend(&mut self, depth: usize) {
        self.path.truncate(depth);
        self.words.truncate(self.words.len() - 1);
    }

    fn place(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            if !out.is_empty() && step != "[]" && step != "{}" {
                out.push('.');
            }
            out.push_str(step);
        }
        out
    }

    fn site(&self, title: &str) -> Site {
        Site {
            depth: self.path.len(),
            words: self.words.clone(),
            path: self.place(),
            title: title.to_owned(),
        }
    }

    pub(super) fn intern(&mut self, body: Body, keywords: Vec<Keyword>, title: &str) -> TypeId {
        let mut hasher = DefaultHasher::new();
        (&body, &keywords).hash(&mut hasher);
        let key = hasher.finish();
        let site = self.site(title);
        let named = self.named(&site);
        let wished = self.kopium.then(|| kopium::type_name(&self.path, matches!(body, Body::Enum(_))));
        if let (Some(candidates), None) = (self.known.get(&key), &wished) {
            for &id in candidates {
                let known = &self.types[id];
                if known.body == body && known.keywords == keywords {
                    let facts = &mut self.facts[id];
                    if let Some(named) = named
                        && facts.named.as_ref().is_none_or(|known| named < *known)
                    {
                        facts.named = Some(named);
                    }
                    if site < facts.site {
                        facts.site = site;
                    }
                    if let Err(at) = facts.modules.binary_search(&self.module) {
                        facts.modules.insert(at, self.module);
                    }
                    self.note_word(id);
                    return id;
                }
            }
        }
        let def = TypeDef { name: String::new(), docs: String::new(), body, keywords, root: None };
        let id = self.add(def, None, title);
        self.facts[id].wished = wished;
        self.facts[id].named = named;
        self.known.entry(key).or_default().push(id);
        id
    }

    /// Returns the path of a use if the user chose a name for it. The user can leave out the marks of lists and maps.
    fn named(&mut self, site: &Site) -> Option<(Site, String)> {
        if self.named.is_empty() {
            return None;
        }
        let plain = site.path.replace("[]", "").replace("{}", "");
        let found = self.named.get(&site.path).or_else(|| self.named.get(&plain)).cloned();
        self.paths.insert(plain);
        Some((site.clone(), found?))
    }

    fn add(&mut self, def: TypeDef, fixed: Option<String>, title: &str) -> TypeId {
        self.types.push(def);
        let word = self.words.last().cloned().unwrap_or_default();
        self.facts.push(Facts {
            site: self.site(title),
            modules: vec![self.module],
            fixed,
            wished: None,
            named: None,
            declared: None,
            called: vec![word.clone()],
            ending: word,
            own: Agreed::default(),
            of_fields: Agreed::default(),
            defaults: Vec::new(),
            bare: false,
        });
        self.types.len() - 1
    }

    /// Notes the description of a field. A field without a description does not contradict the others.
    fn note_doc(&mut self, id: TypeId, description: &str) {
        if !description.is_empty() {
            self.facts[id].of_fields.add(description);
        }
    }

    /// Notes the name of the type if the description of items or values begins with it.
    fn note_name(&mut self, id: TypeId, description: &str) {
        let Some(name) = shared::declared(description) else { return };
        let found = (self.site(""), name.to_owned());
        let declared = &mut self.facts[id].declared;
        if declared.as_ref().is_none_or(|known| found < *known) {
            *declared = Some(found);
        }
    }

    /// Notes the word under which a type is used.
    fn note_word(&mut self, id: TypeId) {
        let (Some(word), facts) = (self.words.last(), &mut self.facts[id]) else { return };
        // Three uses are enough to show that a type has more than one purpose.
        if facts.called.len() < 3 && !facts.called.contains(word) {
            facts.called.push(word.clone());
        }
        let kept = shared::ending(&facts.ending, word).len();
        facts.ending.drain(..facts.ending.len() - kept);
    }

    fn note_default(&mut self, id: TypeId, schema: &Schema) {
        let facts = &mut self.facts[id];
        match &schema.default {
            Some(value) if facts.defaults.contains(value) => {}
            Some(value) => facts.defaults.push(value.clone()),
            None => facts.bare = true,
        }
    }
}

/// The schema of an int-or-string type.
pub(super) fn int_or_string(quantity: bool) -> Schema {
    Schema {
        ext: Extensions { int_or_string: true, ..Extensions::default() },
        limits: Limits {
            any_of: vec![Schema::of(Type::Integer), Schema::of(Type::String)],
            pattern: if quantity { QUANTITY.to_owned() } else { String::new() },
            ..Limits::default()
        },
        ..Schema::default()
    }
}

/// The part of a node that belongs to its type. Nodes that differ only in other parts share a type, and each use has
/// its own.
fn at_type(schema: &Schema) -> Schema {
    Schema {
        ty: schema.ty.clone(),
        additional_properties: schema.additional_properties.clone(),
        ext: schema.ext.clone(),
        rules: schema.rules.clone(),
        limits: schema.limits.clone(),
        ..Schema::default()
    }
}

/// Turns the schema of a type into that of an `Option` of it in a list or map. An enum moves into `allOf`, because it
/// does not list null.
fn optional_item(base: &mut Schema) {
    let enumeration = std::mem::take(&mut base.limits.enumeration);
    if !enumeration.is_empty() {
        let limits = Limits { enumeration, ..Limits::default() };
        base.limits.all_of.push(Schema { limits, ..Schema::default() });
    }
}

fn preserving(schema: Schema) -> Schema {
    let ext = Extensions { preserve_unknown_fields: Some(true), ..schema.ext };
    Schema { ext, ..schema }
}

fn formatted(ty: Type, format: &str) -> Schema {
    let limits = Limits { format: format.to_owned(), ..Limits::default() };
    Schema { limits, ..Schema::of(ty) }
}
