//! Reads JSON Schema of schemars into a recipe. References are followed, `null` becomes nullable, and alternatives
//! become unions like those of derived enums. What has no structural form becomes an error in the recipe, with its
//! place. So nothing is lost silently, and nothing panics.

mod nodes;
mod structural;
mod unions;

use nodes::{anything, flattened, integer, map, nullable, open_object, required_only, with_format};
use unions::untagged;

use crate::ir::{Limits, Schema, Type};
use crate::recipe::{Field, Need, Node, Patch, Struct};
use crate::value::{Map, Value};

/// Converts the JSON Schema of the type `name` to a recipe.
pub fn read(name: &str, document: &Value) -> Node {
    let mut reader = Reader { name, root: document, open: vec![Some("#".to_owned())], budget: 100_000 };
    // schemars uses the name of the type as the title, which means nothing to users of a kind.
    match document.as_map().filter(|map| map.get("title").and_then(Value::as_str) == Some(name)) {
        Some(map) => {
            let mut map = map.clone();
            map.remove("title");
            reader.node(&Value::Map(map))
        }
        None => reader.node(document),
    }
}

/// Reads a JSON Schema that is text in a program: the name of the type, a line break, and JSON.
pub fn read_text(text: &str) -> Node {
    let (name, text) = text.split_once('\n').unwrap_or(("", text));
    match crate::json::read(text.as_bytes()) {
        Ok(document) => read(name, &document),
        Err(error) => {
            Node::Wrong(format!("the schemars schema of `{name}` is not JSON: {error}"), String::new())
        }
    }
}

/// Deeper than any document that the server reads.
const MAX_DEPTH: usize = 100;

struct Reader<'a> {
    name: &'a str,
    root: &'a Value,
    /// The references that are being followed. There is one entry per schema, so its length is the depth.
    open: Vec<Option<String>>,
    budget: usize,
}

/// The content of one schema, by what it becomes.
#[derive(Default)]
struct SchemaParts<'v> {
    /// Keywords that CRDs have too.
    plain: Vec<(String, Value)>,
    types: Vec<&'v str>,
    null: bool,
    format: Option<&'v str>,
    values: Option<Vec<Value>>,
    properties: Option<&'v Map<Value>>,
    required: Vec<&'v str>,
    additional: Option<&'v Value>,
    patterns: Option<&'v Map<Value>>,
    names: Option<&'v Value>,
    items: Option<&'v Value>,
    tuple: Option<&'v [Value]>,
    unique: bool,
    reference: Option<&'v str>,
    all_of: &'v [Value],
    /// The alternatives, and whether exactly one of them must match.
    unions: Vec<(&'v [Value], bool)>,
    not: Option<&'v Value>,
    int_or_string: bool,
    preserve: bool,
    wrong: Option<Node>,
}

impl Reader<'_> {
    fn wrong(&self, what: impl std::fmt::Display, help: &str) -> Node {
        Node::Wrong(
            format!("the schemars schema of `{}` has no structural form: {what}", self.name),
            help.into(),
        )
    }

    fn node(&mut self, value: &Value) -> Node {
        match value {
            Value::Bool(true) => anything(),
            Value::Map(map) => {
                if self.budget == 0 || self.open.len() > MAX_DEPTH {
                    return self.wrong(
                        "it is too big or too deep",
                        "write #[schema(opaque)] on one of the fields that contain it",
                    );
                }
                self.budget -= 1;
                // The depth is limited, so trying this at each level is cheap.
                if let Some(schema) = structural::structural(value) {
                    return Node::plain(schema);
                }
                self.open.push(None);
                let found = self.find(map);
                let node = self.lower(found);
                self.open.pop();
                node
            }
            Value::Bool(false) => self.wrong("`false` lets no value in", "remove the field"),
            Value::Null | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::List(_) => {
                self.wrong("there is a value where a schema belongs", "a schema is an object or a boolean")
            }
        }
    }

    fn find<'v>(&self, map: &'v Map<Value>) -> SchemaParts<'v> {
        let mut found = SchemaParts::default();
        let mut bounds: [(Option<f64>, Option<f64>); 2] = [(None, None); 2];
        for (key, value) in map.iter() {
            match key {
                "title" | "description" | "externalDocs" | "minLength" | "maxLength" | "pattern"
                | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "multipleOf" | "default"
                | "example" | "nullable" => {
                    found.plain.push((key.to_owned(), value.clone()));
                }
                "x-kubernetes-int-or-string" => found.int_or_string = value.as_bool() == Some(true),
                "x-kubernetes-preserve-unknown-fields" => found.preserve = value.as_bool() == Some(true),
                _ if key.starts_with("x-kubernetes-") => found.plain.push((key.to_owned(), value.clone())),
                "minimum" => bounds[0].0 = value.as_float(),
                "maximum" => bounds[1].0 = value.as_float(),
                "exclusiveMinimum" => exclusive(key, value, &mut bounds[0].1, &mut found.plain),
                "exclusiveMaximum" => exclusive(key, value, &mut bounds[1].1, &mut found.plain),
                "examples" => {
                    let first = value.as_list().and_then(|l| l.first());
                    found.plain.extend(first.map(|v| ("example".to_owned(), v.clone())));
                }
                "type" => {
                    let one = std::slice::from_ref(value);
                    for name in value.as_list().unwrap_or(one).iter().filter_map(Value::as_str) {
                        if name == "null" { found.null = true } else { found.types.push(name) }
                    }
                }
                "format" => found.format = value.as_str(),
                "const" => found.values = Some(vec![value.clone()]),
                "enum" => found.values = Some(value.as_list().unwrap_or_default().to_vec()),
                "properties" => found.properties = value.as_map(),
                "required" => {
                    found.required =
                        value.as_list().unwrap_or_default().iter().filter_map(Value::as_str).collect();
                }
                "additionalProperties" | "unevaluatedProperties" => {
                    found.additional = found.additional.or(Some(value))
                }
                "patternProperties" => found.patterns = value.as_map().filter(|m| !m.is_empty()),
                "propertyNames" => found.names = Some(value),
                "items" => match value {
                    Value::List(all) => found.tuple = Some(all),
                    Value::Bool(false) => {}
                    one => found.items = Some(one),
                },
                "prefixItems" => found.tuple = value.as_list(),
                "additionalItems" | "unevaluatedItems" if value.as_bool().is_some() => {}
                "uniqueItems" => found.unique = value.as_bool() == Some(true),
                "$ref" | "$dynamicRef" => found.reference = value.as_str(),
                "allOf" => found.all_of = value.as_list().unwrap_or_default(),
                "anyOf" | "oneOf" => found.unions.extend(value.as_list().map(|all| (all, key == "oneOf"))),
                "not" => found.not = Some(value),
                // These are only for readers.
                "$schema" | "$id" | "$comment" | "$defs" | "definitions" | "components" | "deprecated"
                | "readOnly" | "writeOnly" | "contentEncoding" | "contentMediaType" | "$anchor" => {}
                // crdgen and servers ignore these.
                _ if key.starts_with("x-") => {}
                _ => {
                    let help =
                        "a CRD cannot express it. Write the schema with #[schema(raw = { … })], or a rule";
                    found.wrong.get_or_insert_with(|| self.wrong(format_args!("it uses `{key}`"), help));
                }
            }
        }
        for ((inclusive, exclusive), (bound, flag), stricter) in [
            (bounds[0], ("minimum", "exclusiveMinimum"), f64::gt as fn(&f64, &f64) -> bool),
            (bounds[1], ("maximum", "exclusiveMaximum"), f64::lt as fn(&f64, &f64) -> bool),
        ] {
            let mut put = |key: &str, value| found.plain.push((key.to_owned(), value));
            match (inclusive, exclusive) {
                (Some(i), Some(e)) if stricter(&i, &e) => put(bound, Value::Float(i)),
                (_, Some(e)) => {
                    put(bound, Value::Float(e));
                    put(flag, Value::Bool(true));
                }
                (Some(i), None) => put(bound, Value::Float(i)),
                (None, None) => {}
            }
        }
        found
    }

    /// The recipe: the parts that must all match are merged, and the keywords next to them are added.
    fn lower(&mut self, mut found: SchemaParts<'_>) -> Node {
        let mut patch = self.patch(&mut found);
        if let Some(wrong) = found.wrong.take() {
            return wrong;
        }
        if found.not.is_some() && patch.set.limits.not.is_none() {
            let help = "`not` can have bounds and enumerations only: write a rule";
            return self.wrong("it uses `not` with a schema of its own", help);
        }
        if found.int_or_string {
            // schemars writes alternatives next to it, which have the same meaning.
            patch.set.ext.int_or_string = true;
            return nullable(Node::plain(Schema::default()), found.null).patched(patch);
        }
        let mut null = found.null;
        let mut parts: Vec<(Node, bool)> = Vec::new();
        if let Some(reference) = found.reference {
            parts.push((self.reference(reference), self.is_object_at(reference)));
        }
        for part in found.all_of {
            match self.limits(part).filter(|_| !found.types.is_empty() || found.reference.is_some()) {
                Some(limits) => patch.set.limits.all_of.push(limits),
                None => parts.push((self.node(part), self.is_object(part, 0))),
            }
        }
        for (union, exactly_one) in std::mem::take(&mut found.unions) {
            let (nulls, rest): (Vec<&Value>, Vec<&Value>) = union.iter().partition(|v| is_null(v));
            null |= !nulls.is_empty();
            let is_typed = !found.types.is_empty() || found.reference.is_some();
            parts.extend(self.alternatives(rest, exactly_one, is_typed, &mut patch));
        }
        let own = self.own(&mut found, &mut null);
        // A type that only repeats those of the parts is left out.
        let repeated = found.properties.is_none() && found.additional.is_none() && found.items.is_none();
        if let Some((node, is_object)) = own
            && (parts.is_empty() || !repeated || found.values.is_some())
        {
            parts.insert(0, (node, is_object));
        }
        let mut node = match parts.len() {
            0 if null => return Node::Tuple(Vec::new()).patched(patch),
            0 => anything(),
            1 => parts.remove(0).0,
            _ if parts.iter().all(|(_, is_object)| *is_object) => {
                flattened(parts.into_iter().map(|(node, _)| node))
            }
            _ => self.wrong(
                "several schemas apply at the same time, and not all are objects",
                "write the schema with #[schema(raw = { … })]",
            ),
        };
        if let Node::Enum(it) = &mut node {
            // The keywords of the variants come after those of the enum.
            it.description = std::mem::take(&mut patch.set.description);
        }
        nullable(node, null).patched(patch)
    }

    /// What alternatives add: bounds of a type that is known already, or a part, and whether that is an object.
    fn alternatives(
        &mut self,
        mut all: Vec<&Value>,
        exactly_one: bool,
        is_typed: bool,
        patch: &mut Patch,
    ) -> Option<(Node, bool)> {
        // So schemars writes a flattened `Option`.
        let is_any = |v: &&Value| **v == Value::Bool(true) || v.as_map().is_some_and(Map::is_empty);
        let rest: Vec<&Value> = all.iter().copied().filter(|v| !is_any(v)).collect();
        let is_optional = is_typed
            && !exactly_one
            && rest.len() < all.len()
            && rest.iter().all(|v| self.is_object(v, 0) || self.limits(v).is_some());
        if is_optional {
            all = rest;
        }
        if all.is_empty() {
            return None;
        }
        let bare: Option<Vec<Schema>> = all.iter().map(|v| self.limits(v)).collect();
        match bare.filter(|_| is_typed) {
            Some(_) if is_optional => None,
            Some(bare) => {
                let limits = &mut patch.set.limits;
                *(if exactly_one { &mut limits.one_of } else { &mut limits.any_of }) = bare;
                None
            }
            None => {
                let is_object = all.iter().all(|v| self.is_object(v, 0));
                let union = self.union(&all);
                Some((
                    if is_optional { flattened([Node::Option(Box::new(union))]) } else { union },
                    is_object,
                ))
            }
        }
    }

    /// The keywords that CRDs have too.
    fn patch(&self, found: &mut SchemaParts<'_>) -> Patch {
        let plain: Map<Value> = std::mem::take(&mut found.plain).into_iter().collect();
        let mut set = crate::decode::schema(Value::Map(plain)).0.unwrap_or_default();
        if found.preserve {
            set.ext.preserve_unknown_fields = Some(true);
        }
        if let Some(not) = found.not.and_then(|not| self.limits(not)) {
            set.limits.not = Some(Box::new(not));
        }
        let mut patch = Patch { set, ..Patch::default() };
        if let Some(names) = found.names.and_then(Value::as_map) {
            let bounds: Map<Value> = names
                .iter()
                .filter(|(key, _)| *key != "type")
                .map(|(key, value)| (key, value.clone()))
                .collect();
            match self.limits(&bounds.clone().into()) {
                Some(set) => patch.keys = Some(Box::new(Patch { set, ..Patch::default() })),
                None if bounds.is_empty() => {}
                None => {
                    let help = "write the schema with #[schema(raw = { … })], or a rule";
                    found.wrong =
                        Some(self.wrong("the names of its properties have a schema of their own", help));
                }
            }
        }
        patch
    }

    /// A schema that only restricts values of a known type. None if it has other keywords.
    fn limits(&self, value: &Value) -> Option<Schema> {
        let found = self.find(value.as_map()?);
        let bare = found.types.is_empty()
            && !found.null
            && found.wrong.is_none()
            && found.reference.is_none()
            && found.properties.is_none()
            && found.additional.is_none()
            && found.items.is_none()
            && found.tuple.is_none()
            && found.all_of.is_empty()
            && found.unions.is_empty()
            && !found.preserve
            && !found.int_or_string;
        if !bare {
            return None;
        }
        let plain: Map<Value> = found.plain.into_iter().collect();
        let mut schema = crate::decode::schema(Value::Map(plain)).0?;
        let limits = &mut schema.limits;
        limits.required = found.required.iter().map(|r| (*r).to_owned()).collect();
        limits.enumeration = found.values.unwrap_or_default();
        limits.format = found.format.unwrap_or_default().to_owned();
        if let Some(not) = found.not {
            limits.not = Some(Box::new(self.limits(not)?));
        }
        (*limits != Limits::default()).then(|| Schema { limits: std::mem::take(limits), ..Schema::default() })
    }

    /// The part of the schema with its own type, and whether that is an object.
    fn own(&mut self, found: &mut SchemaParts<'_>, null: &mut bool) -> Option<(Node, bool)> {
        let object = found.properties.is_some()
            || found.patterns.is_some()
            || found.names.is_some()
            || found.additional.is_some_and(|a| a.as_bool().is_none());
        if found.types.is_empty() {
            if let Some(values) = &mut found.values {
                *null |= values.contains(&Value::Null);
                values.retain(|v| !v.is_null());
                for value in values.iter() {
                    let ty = type_of(value);
                    if !found.types.contains(&ty) {
                        found.types.push(ty);
                    }
                }
            } else if object || !found.required.is_empty() {
                found.types.push("object");
            } else if found.items.is_some() || found.tuple.is_some() {
                found.types.push("array");
            } else if found.format.is_some() || found.not.is_some() || found.unique {
                return Some((anything(), false));
            }
        }
        let values = match &found.values {
            Some(values) => values.iter().filter(|v| !v.is_null()).cloned().collect(),
            None => Vec::new(),
        };
        *null |= found.values.as_ref().is_some_and(|v| v.contains(&Value::Null));
        let types = found.types.clone();
        let mut nodes: Vec<Node> = types.iter().map(|ty| self.of_type(ty, found)).collect();
        let is_object = types == ["object"];
        let node = match nodes.len() {
            0 => return None,
            1 => nodes.remove(0),
            _ if types.iter().all(|t| ["integer", "string"].contains(t)) && values.is_empty() => {
                let mut both = Schema::default();
                both.ext.int_or_string = true;
                Node::plain(both)
            }
            _ => untagged(nodes),
        };
        let limits = Limits { enumeration: values, ..Limits::default() };
        let set = Schema { limits, ..Schema::default() };
        Some((node.patched(Patch { set, ..Patch::default() }), is_object))
    }

    fn of_type(&mut self, ty: &str, found: &SchemaParts<'_>) -> Node {
        match ty {
            "boolean" => Node::plain(Schema::of(Type::Boolean)),
            "string" => Node::plain(with_format(Type::String, found.format)),
            "number" => Node::plain(with_format(Type::Number, found.format)),
            "integer" => integer(found.format),
            "array" => self.list(found),
            "object" => self.object(found),
            other => self.wrong(format_args!("unknown type `{other}`"), "use one of the JSON types"),
        }
    }

    fn list(&mut self, found: &SchemaParts<'_>) -> Node {
        if let Some(all) = found.tuple {
            return Node::Tuple(all.iter().map(|v| self.node(v)).collect());
        }
        let item = Box::new(found.items.map_or_else(anything, |v| self.node(v)));
        if found.unique { Node::Set(item) } else { Node::List(item) }
    }

    fn object(&mut self, found: &SchemaParts<'_>) -> Node {
        let rest = match (found.additional, found.patterns) {
            (_, Some(patterns)) => match patterns.iter().collect::<Vec<_>>().as_slice() {
                [(pattern, value)] => {
                    let limits = Limits { pattern: (*pattern).to_owned(), ..Limits::default() };
                    let set = Schema { limits, ..Schema::default() };
                    let keys = Some(Box::new(Patch { set, ..Patch::default() }));
                    Some(map(self.node(value)).patched(Patch { keys, ..Patch::default() }))
                }
                _ => {
                    return self.wrong(
                        "several patterns apply to the keys of a map",
                        "use a map with one type of keys, or write the schema with #[schema(raw = { … })]",
                    );
                }
            },
            (Some(Value::Bool(allow)), None) => allow.then(open_object),
            (Some(value), None) => Some(map(self.node(value))),
            // If nothing is specified, the server drops unknown fields if there are properties, and keeps them if there
            // are none.
            (None, None) => found.properties.is_none_or(Map::is_empty).then(open_object),
        };
        let Some(properties) = found.properties.filter(|p| !p.is_empty()) else {
            let closed = Node::plain(Schema::of(Type::Object));
            let set = required_only(&found.required);
            return rest.unwrap_or(closed).patched(Patch { set, ..Patch::default() });
        };
        let mut fields: Vec<Field> = properties
            .iter()
            .map(|(name, value)| Field {
                name: name.to_owned(),
                node: self.node(value),
                need: if found.required.contains(&name) { Need::Required } else { Need::Optional },
                ..Field::default()
            })
            .collect();
        fields.extend(rest.map(|node| Field { node, flatten: true, ..Field::default() }));
        let more: Vec<&str> =
            found.required.iter().copied().filter(|r| !properties.contains_key(r)).collect();
        let set = required_only(&more);
        Node::Struct(Box::new(Struct { fields, ..Struct::default() }))
            .patched(Patch { set, ..Patch::default() })
    }

    /// The recipe of a referenced schema.
    fn reference(&mut self, reference: &str) -> Node {
        #[cfg(feature = "k8s")]
        if let Some(schema) = kubernetes(reference) {
            return Node::plain(schema);
        }
        if self.open.iter().flatten().any(|open| open == reference) {
            return self.wrong(
                format_args!("`{reference}` contains itself"),
                "a structural schema has no references: write #[schema(opaque)] on the field where the type recurs",
            );
        }
        match self.target(reference) {
            Some(target) => {
                let target = target.clone();
                self.open.push(Some(reference.to_owned()));
                let node = self.node(&target);
                self.open.pop();
                node
            }
            None => self.wrong(
                format_args!("`{reference}` does not exist"),
                "let the generator add its definitions, or write the schema with #[schema(raw = { … })]",
            ),
        }
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        let mut at = self.root;
        for step in reference.strip_prefix('#')?.split('/').filter(|s| !s.is_empty()) {
            at = at.get(&step.replace("~1", "/").replace("~0", "~"))?;
        }
        Some(at)
    }

    fn is_object_at(&self, reference: &str) -> bool {
        self.target(reference).is_some_and(|v| self.is_object(v, 0))
    }

    /// Whether a schema only allows objects.
    fn is_object(&self, value: &Value, depth: usize) -> bool {
        let Some(map) = value.as_map().filter(|_| depth < MAX_DEPTH) else { return false };
        if let Some(ty) = map.get("type") {
            return ty.as_str() == Some("object");
        }
        let all = |v: &Value| {
            v.as_list().is_some_and(|l| !l.is_empty() && l.iter().all(|v| self.is_object(v, depth + 1)))
        };
        map.contains_key("properties")
            || ["oneOf", "anyOf"].iter().any(|k| map.get(k).is_some_and(all))
            || map
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|r| self.target(r))
                .is_some_and(|v| self.is_object(v, depth + 1))
    }
}

/// The schema of one of Kubernetes' own types, if the definition has the name that k8s-openapi gives it:
/// `#/$defs/io.k8s.api.core.v1.EnvVar`. It is the same as that of a field of this type.
#[cfg(feature = "k8s")]
fn kubernetes(reference: &str) -> Option<Schema> {
    let name = reference.rsplit('/').next()?.strip_prefix("io.k8s.")?.replace('-', "_");
    let path: Vec<&str> = name.split('.').collect();
    crate::k8s::find(&crate::k8s::name_of_rust_path(&path)?).map(|ty| ty.embedded(None))
}

/// In draft 4, these are flags. In later drafts, they are bounds of their own.
fn exclusive(key: &str, value: &Value, bound: &mut Option<f64>, plain: &mut Vec<(String, Value)>) {
    match value {
        Value::Bool(_) => plain.push((key.to_owned(), value.clone())),
        _ => *bound = value.as_float(),
    }
}

fn text(map: &Map<Value>, key: &str) -> String {
    map.text(key).to_owned()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Int(_) => "integer",
        Value::Float(_) => "number",
        Value::Str(_) | Value::Null => "string",
        Value::List(_) => "array",
        Value::Map(_) => "object",
    }
}

fn is_null(value: &Value) -> bool {
    let is = |key, wanted: Value| value.get(key).is_some_and(|v| *v == wanted);
    is("type", "null".into())
        || value.as_map().is_some_and(|m| m.get("const") == Some(&Value::Null))
        || is("enum", Value::List(vec![Value::Null]))
}
