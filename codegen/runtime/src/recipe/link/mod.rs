//! Linking: turns a recipe and the types to which it refers into a schema.

use super::faults::{self, Mistake};
use super::metadata::Metadata;
use super::node::{Default as DefaultValue, Enum, Mark, Need, Node, Struct};
use super::patch::{Allow, Patch};
use super::places::PlacedTypes;
use super::types::{self, Kinds, kinds, opaque};
mod seen;
mod structure;
mod union;
mod unknown;
use crate::diag::{Code, Diag, Diags, Kind, Level, codes};
use crate::ir::{Additional, Allowed, Keyword, Limits, Schema, Type};
use crate::path::Step;
use crate::value::{Map, Value};
use seen::{Again, Seen};
use std::borrow::Cow;

pub use unknown::Unknown;

/// Gives access to the types to which recipes refer, either in the program itself or in its sources.
pub trait Types {
    /// Returns the name and the recipe of a type.
    fn open(&self, id: Id) -> Opened<'_>;
    /// Returns the type to which a type's reference with this number refers. None if this was already reported.
    fn reference(&self, id: Id, number: usize) -> Option<Id>;
    /// Returns the value of a type's default with this number. None if serde would not write it.
    fn default(&self, id: Id, number: usize) -> Result<Option<Value>, Unknown>;
    /// Returns the places of a type in its source, as text. Empty if they are not known.
    fn places(&self, id: Id) -> &'static str {
        _ = id;
        ""
    }
}

/// Identifies a type: equal types have equal numbers. A number instead of a type parameter, so that the linker is compiled
/// only once.
pub type Id = usize;

/// The name and the recipe of a type.
#[derive(Debug)]
pub struct Opened<'a> {
    /// The name of the Rust type.
    pub name: Cow<'a, str>,
    /// The recipe of the type. None if there is not one and this was reported elsewhere.
    pub node: Option<Cow<'a, Node>>,
}

/// A linked type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linked {
    /// The schema of the type.
    pub schema: Schema,
    /// Whether serde allows a field of this type to be missing.
    pub optional: bool,
    /// The roles that fields inside have in the CRD around the schema.
    pub marks: Vec<Marked>,
}

/// A role of a field: the steps to the field, its role and its schema. The items of a list and the values of a map have an index
/// as their step.
pub(in crate::recipe) type Marked = (Vec<Step>, Mark, Schema);

/// The step to the items of a list.
pub(super) const ITEMS: Step = Step::Index(0);
/// The step to the values of a map.
pub(super) const VALUES: Step = Step::Index(1);

/// Puts a step in front of the steps to fields.
pub(super) fn below(step: &Step, marks: Vec<Marked>) -> impl Iterator<Item = Marked> {
    let step = step.clone();
    marks.into_iter().map(move |(mut way, mark, at)| {
        way.insert(0, step.clone());
        (way, mark, at)
    })
}

impl Linked {
    /// The schema of the type's values. They may be null if a field of the type may be missing.
    pub fn with_null(mut self) -> Schema {
        if self.optional {
            nullable(&mut self.schema);
        }
        self.schema
    }
}

/// Links recipes: turns them and the types to which they refer into schemas.
pub struct Linker<'t> {
    types: &'t dyn Types,
    /// The diagnostics so far.
    pub diags: Diags,
    /// The warnings that attributes allow, with the steps to the attributes' places.
    pub(super) allowed: Vec<Allowed>,
    /// The types whose places are known.
    pub(super) placed: PlacedTypes,
    path: Vec<Step>,
    open: Vec<(Id, usize)>,
    /// The number of types around the deepest one, of those that were read since the current one was opened.
    deepest: usize,
    seen: Seen,
    /// How many more nodes the schema may have.
    budget: usize,
    /// The schema for the metadata of embedded objects, unless attributes choose another one.
    pub(super) metadata: Option<Metadata>,
    /// The number of lists and maps around the current node. Inside them, a value can occur any number of times.
    repeated: usize,
    /// The number of types so far whose schema is only a replacement, because of an error that was reported. Errors in
    /// such a schema are not the user's.
    unknown: usize,
}

/// More nodes than any CRD in a request can contain: the server reads 3 MiB, and a node has at least 20 bytes.
const MAX_NODES: usize = 160_000;
/// After so many mistakes, a type with mistakes that occurs again is not read again, which would repeat its mistakes at each
/// place.
const MAX_REPEATED: usize = 1_000;
/// How many types may contain each other. The stack of a thread (2 MiB) is large enough for so many, even without
/// optimization.
const MAX_DEPTH: usize = 40;

impl<'t> Linker<'t> {
    /// Creates a linker. `path` contains the steps to the schema in the CRD, for diagnostics.
    pub fn new(types: &'t dyn Types, path: Vec<Step>) -> Self {
        let (diags, open, seen) = (Vec::new(), Vec::new(), Seen::new(MAX_NODES));
        Linker {
            types,
            diags,
            allowed: Vec::new(),
            placed: Vec::new(),
            path,
            open,
            deepest: 0,
            seen,
            budget: MAX_NODES,
            metadata: None,
            repeated: 0,
            unknown: 0,
        }
    }

    /// Links a type. A type can occur in the types of several fields, which can occur several times themselves. So without
    /// keeping the result, the work could double with each type around it.
    pub fn link(&mut self, id: Id) -> Linked {
        let place = seen::Occurrence { id, is_repeated: self.repeated > 0 };
        if let Some(again) = self.seen.get(place, self.diags.len() >= MAX_REPEATED) {
            if !self.charge(again.nodes) {
                return self.unknown();
            }
            self.deepest = self.deepest.max(self.open.len() + again.height);
            if self.deepest > MAX_DEPTH {
                return self.too_deep(id);
            }
            self.unknown += usize::from(again.is_unknown);
            if let Some(steps) = Allowed::in_schema(&self.path) {
                let under = |rest: Vec<Step>| steps.iter().cloned().chain(rest).collect();
                let allowed = again.allowed.into_iter();
                self.allowed.extend(allowed.map(|it| Allowed { steps: under(it.steps.clone()), ..it }));
                self.placed.extend(again.placed.into_iter().map(|(rest, places)| (under(rest), places)));
            }
            return again.linked;
        }
        let (diags, unknown, depth) = (self.diags.len(), self.unknown, self.open.len());
        let (allowed, placed) = (self.allowed.len(), self.placed.len());
        let around = std::mem::replace(&mut self.deepest, depth);
        let linked = self.read(id);
        let height = self.deepest - depth;
        self.deepest = self.deepest.max(around);
        let (is_unknown, has_mistakes) = (self.unknown > unknown, self.diags.len() > diags);
        let around = Allowed::in_schema(&self.path).map_or(0, <[Step]>::len);
        let (new_allowed, new_placed) = (&self.allowed[allowed..], &self.placed[placed..]);
        self.seen.add(place, || {
            let rest = |steps: &[Step]| steps.get(around..).unwrap_or_default().to_vec();
            Again {
                nodes: linked.schema.nodes(),
                linked: linked.clone(),
                height,
                is_unknown,
                has_mistakes,
                allowed: new_allowed
                    .iter()
                    .map(|it| Allowed { steps: rest(&it.steps), ..it.clone() })
                    .collect(),
                placed: new_placed.iter().map(|(steps, places)| (rest(steps), *places)).collect(),
            }
        });
        linked
    }

    fn read(&mut self, id: Id) -> Linked {
        let opened = self.types.open(id);
        let Some(node) = opened.node else { return self.unknown() };
        // Every cycle contains a type that a user wrote.
        if !is_item(&node) {
            return self.node(&node, id);
        }
        if let Some(at) = self.open.iter().position(|(open, _)| *open == id) {
            let way = readable(&self.path[self.open[at].1..]);
            let name = opened.name;
            let mistake = faults::recursive(&name, if way == ROOT { "" } else { &way });
            self.mistake(mistake);
            return self.unknown();
        }
        if self.open.len() > MAX_DEPTH {
            return self.too_deep(id);
        }
        self.open.push((id, self.path.len()));
        self.deepest = self.deepest.max(self.open.len());
        let places = self.types.places(id);
        if !places.is_empty()
            && let Some(steps) = Allowed::in_schema(&self.path)
        {
            self.placed.push((steps.to_vec(), places));
        }
        let linked = self.node(&node, id);
        self.open.pop();
        linked
    }

    fn too_deep(&mut self, id: Id) -> Linked {
        let message = format!("the type `{}` is nested too deeply", self.types.open(id).name);
        let help = "write #[schema(opaque)] on one of the fields that contain it";
        self.report(&codes::rust::RECURSIVE, message, help);
        self.unknown()
    }

    /// The replacement for a type whose schema is not known. The caller has reported the reason.
    fn unknown(&mut self) -> Linked {
        self.unknown += 1;
        Linked { schema: opaque(), ..Linked::default() }
    }

    /// Links a recipe that belongs to the type `id`.
    pub fn node(&mut self, node: &Node, id: Id) -> Linked {
        // A schema that is known in full is copied, so its nodes count.
        let nodes = if let Node::Plain(schema) = node { schema.nodes() } else { 1 };
        if !self.charge(nodes) {
            return self.unknown();
        }
        // Each arm is one call: without optimization, the values of all arms would be on the stack at each level.
        match node {
            Node::Plain(schema) => plain(schema),
            Node::Ref(number) => match self.types.reference(id, *number) {
                Some(target) => self.link(target),
                None => self.unknown(),
            },
            Node::Option(inner) => self.option(inner, id),
            Node::Newtype(inner) => self.newtype(inner, id),
            Node::List(item) => self.list(item, id),
            Node::Set(item) => self.set(item, id),
            Node::Array(item, len) => self.array(item, *len, id),
            Node::Map(key, value) => self.map(key, value, id),
            Node::Struct(it) => self.structure(it, id),
            Node::Enum(it) => self.union(it, id),
            Node::Tuple(parts) => self.tuple(parts, id),
            Node::Patched(inner, patch) => self.patched(inner, patch, id),
            Node::Odd(inner, what, help) => {
                self.warn(faults::odd_form(what, help));
                self.node(inner, id)
            }
            Node::Wrong(what, help) => {
                self.report(&codes::rust::NOT_STRUCTURAL, what.clone(), help.clone());
                self.unknown()
            }
        }
    }

    fn option(&mut self, inner: &Node, id: Id) -> Linked {
        let mut linked = self.node(inner, id);
        linked.optional = true;
        linked
    }

    fn newtype(&mut self, inner: &Node, id: Id) -> Linked {
        let mut linked = self.node(inner, id);
        if linked.optional {
            nullable(&mut linked.schema);
        }
        linked.optional = false;
        linked
    }

    fn list(&mut self, item: &Node, id: Id) -> Linked {
        let (item, marks) = self.item(item, id);
        Linked { schema: types::list_of(item), marks, ..Linked::default() }
    }

    fn set(&mut self, item: &Node, id: Id) -> Linked {
        let (item, marks) = self.item(item, id);
        let scalar = kinds(&item) & (Kinds::OBJECT | Kinds::ARRAY) == 0;
        let mut schema = types::list_of(item);
        schema.ext.list_type = scalar.then(|| "set".to_owned());
        Linked { schema, marks, ..Linked::default() }
    }

    fn array(&mut self, item: &Node, len: usize, id: Id) -> Linked {
        let (item, marks) = self.item(item, id);
        let mut schema = types::list_of(item);
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        (schema.limits.min_items, schema.limits.max_items) = (Some(len), Some(len));
        Linked { schema, marks, ..Linked::default() }
    }

    fn union(&mut self, it: &Enum, id: Id) -> Linked {
        let mut marks = Vec::new();
        Linked { schema: union::lower(self, it, id, &mut marks), marks, ..Linked::default() }
    }

    fn patched(&mut self, inner: &Node, patch: &Patch, id: Id) -> Linked {
        let before = self.unknown;
        let (mut linked, _) = self.under(patch, inner, id);
        if let Node::Struct(it) = inner {
            if !patch.set.properties.is_empty() {
                any_fields(&mut linked.schema);
            }
            if !patch.as_is && patch.clear.contains(&Keyword::Required) {
                self.not_required(it, patch, &linked.schema);
            }
        }
        self.patch(patch, &mut linked.schema, id, before);
        linked
    }

    /// Reports fields that serde needs, although attributes make all fields optional.
    fn not_required(&mut self, it: &Struct, patch: &Patch, schema: &Schema) {
        let is_read = |name: &&String| {
            it.fields.iter().any(|field| field.name == **name && field.need == Need::Auto)
                && !patch.set.limits.required.contains(name)
        };
        if let Some(name) = schema.limits.required.iter().find(is_read) {
            self.mistake(faults::not_required(name));
        }
    }

    /// Counts nodes before they are built. Returns whether there may be so many more. If not, this is reported once.
    pub(super) fn charge(&mut self, nodes: usize) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget = self.budget.saturating_sub(nodes);
        if self.budget == 0 {
            self.report(
                &codes::rust::TOO_BIG,
                format!("the schema of this kind has more than {MAX_NODES} nodes, which is more than a server reads"),
                "write #[schema(opaque)] on the biggest fields",
            );
        }
        self.budget > 0
    }

    /// Links a recipe to which attributes will be applied. If they replace the items of a list or the values of a map, what is
    /// wrong inside of these does not matter: their type may even be the one that contains the list. Also returns whether
    /// the whole schema is known.
    pub(super) fn under(&mut self, patch: &Patch, node: &Node, id: Id) -> (Linked, bool) {
        let replaces = |inner: &Option<Box<Patch>>| inner.as_ref().is_some_and(|inner| inner.replaces());
        let replaced = [("items", replaces(&patch.items)), ("additionalProperties", replaces(&patch.values))];
        if replaced.iter().all(|(_, is_replaced)| !is_replaced) {
            return (self.node(node, id), true);
        }
        let (diags, unknown, depth) = (self.diags.len(), self.unknown, self.path.len());
        let linked = self.node(node, id);
        let is_inside = |diag: &Diag| {
            let below = diag.steps.get(depth);
            replaced.iter().any(|(step, is)| {
                *is && below.is_some_and(|below| matches!(below, Step::Key(key) if key == step))
            })
        };
        let new = self.diags.split_off(diags);
        let is_known = self.unknown == unknown;
        if linked.schema.item().is_some() || linked.schema.value().is_some() {
            // What is not known is inside, and is replaced.
            self.unknown = unknown;
        }
        self.diags.extend(new.into_iter().filter(|diag| !is_inside(diag)));
        (linked, is_known)
    }

    /// Runs `inner` with steps added to the path.
    pub(super) fn within<R>(&mut self, steps: &[&str], inner: impl FnOnce(&mut Self) -> R) -> R {
        let len = self.path.len();
        self.path.extend(steps.iter().map(|s| Step::Key((*s).to_owned())));
        let out = inner(self);
        self.path.truncate(len);
        out
    }

    fn item(&mut self, node: &Node, id: Id) -> (Schema, Vec<Marked>) {
        self.repeating("items", &ITEMS, node, id)
    }

    /// The schema of a list's items or a map's values, and the roles of fields in them.
    fn repeating(&mut self, keyword: &str, step: &Step, node: &Node, id: Id) -> (Schema, Vec<Marked>) {
        self.repeated += 1;
        let mut linked = self.within(&[keyword], |l| l.node(node, id));
        self.repeated -= 1;
        let marks = below(step, std::mem::take(&mut linked.marks)).collect();
        (linked.with_null(), marks)
    }

    fn map(&mut self, key: &Node, value: &Node, id: Id) -> Linked {
        let mut diags = std::mem::take(&mut self.diags);
        let before = self.unknown;
        let key = self.node(key, id).schema;
        let is_known = self.unknown == before;
        diags.append(&mut self.diags);
        self.diags = diags;
        let (value, marks) = self.repeating("additionalProperties", &VALUES, value, id);
        let mut schema = Schema::of(Type::Object);
        let names: Vec<&str> = match kinds(&key) {
            Kinds::STRING => key.limits.enumeration.iter().filter_map(Value::as_str).collect(),
            Kinds::BOOLEAN => vec!["false", "true"],
            _ => Vec::new(),
        };
        if !names.is_empty() {
            // If the allowed keys are known, they become properties, which a structural schema can check.
            schema.properties = names.into_iter().map(|name| (name, value.clone())).collect();
            return Linked { schema, marks, ..Linked::default() };
        }
        match kinds(&key) {
            Kinds::STRING | Kinds::INTEGER => {}
            other if other == Kinds::INTEGER | Kinds::STRING || other == Kinds::ANY => {}
            _ if !is_known => {}
            other => self.report(
                &codes::rust::MAP_KEY,
                format!("the keys of a map must be strings, but these are {}", Kinds::words(other)),
                "JSON objects have string keys only: use a string-like key type, or a list of structs with list_type = \"map\"",
            ),
        }
        // In a list without bounds, this rule alone could exceed the cost limit of the CRD.
        let mut rules = Vec::new();
        super::keys::of_type(&key, &mut rules);
        if self.repeated == 0 && types::rules_can_read(&value) {
            schema.rules = rules;
        } else if !rules.is_empty() {
            self.warn(faults::unchecked_keys());
        }
        schema.additional_properties = Some(Additional::Schema(Box::new(value)));
        Linked { schema, marks, ..Linked::default() }
    }

    fn tuple(&mut self, parts: &[Node], id: Id) -> Linked {
        let before = self.unknown;
        let (items, marks): (Vec<Schema>, Vec<Vec<Marked>>) = parts.iter().map(|p| self.item(p, id)).unzip();
        let Some(first) = items.first() else {
            return Linked { schema: types::null(), ..Linked::default() };
        };
        if self.unknown == before && items.iter().any(|i| i != first) {
            self.mistake(faults::tuple());
        }
        let mut schema = types::list_of(first.clone());
        let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
        (schema.limits.min_items, schema.limits.max_items) = (Some(len), Some(len));
        Linked { schema, marks: marks.into_iter().flatten().collect(), ..Linked::default() }
    }

    /// The value of a default or of code in an attribute. None if it is null.
    pub(super) fn value(&self, default: &DefaultValue, id: Id) -> Result<Option<Value>, Unknown> {
        match default {
            DefaultValue::Value(value) => Ok(Some(value.clone())),
            DefaultValue::Computed(number) => {
                Ok(self.types.default(id, *number)?.filter(|value| !value.is_null()))
            }
        }
    }

    /// Whether a default is written as null.
    pub(super) fn is_null(&self, default: &DefaultValue, id: Id) -> bool {
        match default {
            DefaultValue::Value(value) => value.is_null(),
            DefaultValue::Computed(number) => {
                matches!(self.types.default(id, *number), Ok(Some(Value::Null)))
            }
        }
    }

    /// Reports that a value is not known, unless a type in it became unknown since `before`.
    pub(super) fn default_unknown(&mut self, why: &Unknown, before: usize) {
        if self.unknown == before {
            self.report(
                &codes::rust::DEFAULT_UNKNOWN,
                why.to_string(),
                "write a literal instead of code: #[schema(default = …)] for a default, #[schema(raw = { … })] for a schema. Or use `crdgen emit --exact`, which runs the code",
            );
        }
    }

    /// The number of unknown types so far, to compare with later.
    pub(super) fn unknown_so_far(&self) -> usize {
        self.unknown
    }

    /// Whether there is an unknown type.
    pub(super) fn has_unknown(&self) -> bool {
        self.unknown > 0
    }

    /// Applies attributes once the values that code computes are known. If a type in the schema became unknown since
    /// `before`, errors that may follow from that are not reported.
    pub(super) fn patch(&mut self, patch: &Patch, schema: &mut Schema, id: Id, before: usize) {
        #[cfg(feature = "json-schema")]
        if let Some(text) = self.schemars(patch, id) {
            let given = self.node(&super::json_schema::read::read_text(&text), id).schema;
            let given = Patch { set: given, overrides_type: true, ..Patch::default() };
            given.apply(schema, &mut |_| {});
        }
        let computed;
        let patch = if patch.needs_code() {
            let now = self.unknown;
            computed = patch.computed(&mut |n| {
                let value = self.value(&DefaultValue::Computed(n), id).unwrap_or_else(|why| {
                    self.default_unknown(&why, now);
                    None
                });
                value.map(|value| without_nulls(value, &Schema::default()))
            });
            &computed
        } else {
            patch
        };
        if patch.metadata == Some(Metadata::AsKind)
            && let Some(metadata) = self.metadata
        {
            metadata.put_into(schema);
        }
        let allowed =
            |allow: &Allow| Allowed::new(self.path.clone(), allow.code.clone(), allow.reason.clone());
        self.allowed.extend(patch.allow.iter().map(allowed));
        let is_known = self.unknown == before;
        patch.apply(schema, &mut |mistake| {
            if is_known {
                self.mistake(mistake);
            }
        });
        if let Some(key) = patch.rule_key()
            && is_known
            && !types::rules_can_read(schema)
        {
            self.mistake(faults::unreadable(key));
        }
    }

    /// The text of a schema, if the function is one for schemars. Other functions return a schema of crdgen.
    #[cfg(feature = "json-schema")]
    fn schemars(&self, patch: &Patch, id: Id) -> Option<String> {
        let (_, number) = patch.computed.iter().find(|(keyword, _)| keyword == "schema")?;
        match self.types.default(id, *number) {
            Ok(Some(Value::Str(text))) => Some(text),
            _ => None,
        }
    }

    pub(super) fn mistake(&mut self, Mistake { code, message, help, key: _ }: Mistake) {
        self.report(code, message, help);
    }

    /// Reports a mistake that the server accepts.
    pub(super) fn warn(&mut self, mistake: Mistake) {
        self.mistake(mistake);
        self.diags.iter_mut().last().into_iter().for_each(|diag| diag.level = Level::Warning);
    }

    pub(super) fn report(
        &mut self,
        code: &'static Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let help = help.into();
        self.diags.push(Diag {
            code,
            level: Level::Error,
            kind: None::<Kind>,
            field: readable(&self.path),
            bad: None,
            detail: message.into(),
            steps: self.path.clone(),
            inside: None,
            rule: None,
            help: (!help.is_empty()).then_some(help),
        });
    }
}

fn plain(schema: &Schema) -> Linked {
    Linked { schema: schema.clone(), ..Linked::default() }
}

/// The path in an object for a place in its schema: `.spec.kids[].name`.
fn readable(path: &[Step]) -> String {
    let mut out = String::new();
    let schema = path.iter().position(|s| *s == Step::Key("openAPIV3Schema".into())).map_or(0, |i| i + 1);
    let mut steps = path[schema..].iter();
    while let Some(step) = steps.next() {
        match step {
            Step::Key(key) if key == "properties" => {
                if let Some(Step::Key(name)) = steps.next() {
                    out.push_str(&format!(".{name}"));
                }
            }
            Step::Key(key) if key == "items" => out.push_str("[]"),
            Step::Key(key) if key == "additionalProperties" => out.push_str("{}"),
            Step::Key(_) | Step::Index(_) => {}
        }
    }
    // The server has its own name for the root. Messages then leave it out.
    if out.is_empty() { ROOT.to_owned() } else { out }
}

/// The server's name for the root.
const ROOT: &str = "<nil>";

/// Whether the recipe is that of a user's type, and not of one that only contains other types.
fn is_item(node: &Node) -> bool {
    match node {
        Node::Struct(_) | Node::Enum(_) | Node::Newtype(_) | Node::Tuple(_) => true,
        Node::Patched(inner, _) => is_item(inner),
        Node::Plain(_)
        | Node::Ref(_)
        | Node::Option(_)
        | Node::List(_)
        | Node::Set(_)
        | Node::Array(..)
        | Node::Map(..)
        | Node::Odd(..)
        | Node::Wrong(..) => false,
    }
}

/// Allows any additional field. A schema cannot have properties and additionalProperties, so with properties, unknown
/// fields are kept unchecked.
pub(super) fn any_fields(schema: &mut Schema) {
    if schema.additional_properties.take().is_some() {
        schema.ext.preserve_unknown_fields = Some(true);
    }
}

/// Makes a schema nullable. The server's check of an enum fails for null, even if the enum lists it, but junctors are
/// not checked for null.
pub(super) fn nullable(schema: &mut Schema) {
    schema.nullable = true;
    let enumeration = std::mem::take(&mut schema.limits.enumeration);
    if !enumeration.is_empty() {
        let limits = Limits { enumeration, ..Limits::default() };
        schema.limits.all_of.push(Schema { limits, ..Schema::default() });
    }
}

/// A default without nulls. serde writes null for `None`, and the server would drop it. The nulls that the schema requires
/// stay.
pub(super) fn without_nulls(value: Value, schema: &Schema) -> Value {
    let nothing = Schema::default();
    match value {
        Value::Map(map) => Value::Map(
            map.into_iter()
                .filter(|(name, value)| !value.is_null() || needs_null(schema, name))
                .map(|(name, value)| {
                    let inside = schema.properties.get(&name).or(schema.value()).unwrap_or(&nothing);
                    (name, without_nulls(value, inside))
                })
                .collect::<Map<_>>(),
        ),
        Value::List(items) => {
            let inside = schema.item().unwrap_or(&nothing);
            Value::List(items.into_iter().map(|item| without_nulls(item, inside)).collect())
        }
        other => other,
    }
}

/// Whether the field with this name must be there, and can be null. This is how serde writes a variant that contains `None`.
fn needs_null(schema: &Schema, name: &str) -> bool {
    let is_required = |limits: &Limits| limits.required.iter().any(|required| required == name);
    let Limits { any_of, one_of, .. } = &schema.limits;
    schema.properties.get(name).is_some_and(|property| property.nullable)
        && (is_required(&schema.limits)
            || any_of.iter().chain(one_of).any(|branch| is_required(&branch.limits)))
}
