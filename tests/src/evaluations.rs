//! Random CEL expressions of random types, from the grammar in `tests/corpus/evaluations/grammar.txt`.

use std::collections::HashMap;

use crdgen_core::json::to_string;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};

use crate::case::Case;
use crate::corpus;
use crate::rng::Rng;

/// How many expressions a request has.
const PER_REQUEST: usize = 40;
/// How deep calls may be nested.
const DEPTH: usize = 4;

/// The grammar: what expressions of a type look like.
pub struct Grammar {
    schema: String,
    objects: Vec<String>,
    texts: Vec<String>,
    fields: HashMap<String, Vec<String>>,
    any: Vec<String>,
    types: Vec<String>,
    templates: HashMap<String, Vec<String>>,
}

impl Grammar {
    /// Reads the grammar.
    ///
    /// # Panics
    /// Panics if the grammar cannot be read.
    pub fn load() -> Grammar {
        let path = corpus::tests_dir().join("corpus/evaluations/grammar.txt");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut grammar = Grammar {
            schema: String::new(),
            objects: Vec::new(),
            texts: Vec::new(),
            fields: HashMap::new(),
            any: Vec::new(),
            types: Vec::new(),
            templates: HashMap::new(),
        };
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            match word {
                "schema" => grammar.schema = rest.to_owned(),
                "object" => grammar.objects.push(rest.to_owned()),
                "text" => grammar.texts.push(rest.to_owned()),
                "any" => grammar.any = rest.split(' ').map(str::to_owned).collect(),
                "field" => {
                    let mut words = rest.split(' ').map(str::to_owned);
                    if let Some(ty) = words.next() {
                        grammar.fields.insert(ty, words.collect());
                    }
                }
                ty => {
                    if !grammar.templates.contains_key(ty) {
                        grammar.types.push(ty.to_owned());
                    }
                    grammar.templates.entry(ty.to_owned()).or_default().push(rest.to_owned());
                }
            }
        }
        grammar
    }

    /// A request with expressions about one of the objects.
    pub fn case(&self, seed: u64, number: u64) -> Case {
        let mut rng = Rng::of_case(seed, number);
        let mut request = Map::new();
        request.insert("op", Value::from("eval"));
        request.insert("schema", Value::Str(self.schema.clone()));
        request.insert("self", Value::Str(rng.pick(&self.objects).clone()));
        if rng.chance(70) {
            request.insert("oldSelf", Value::Str(rng.pick(&self.objects).clone()));
        }
        let exprs: Vec<Value> = (0..PER_REQUEST)
            .map(|_| {
                let ty = if rng.chance(30) { "bool" } else { rng.pick(&self.types) };
                let depth = 1 + rng.below(DEPTH);
                let mut text = String::new();
                Writer { grammar: self, rng: &mut rng, variables: Vec::new(), named: 0 }
                    .write(ty, depth, &mut text);
                Value::Str(text)
            })
            .collect();
        request.insert("exprs", Value::List(exprs));
        Case { name: format!("eval {seed}.{number}"), request: Value::Map(request) }
    }
}

struct Writer<'g> {
    grammar: &'g Grammar,
    rng: &'g mut Rng,
    /// The variables in scope, with their types.
    variables: Vec<(String, String)>,
    named: usize,
}

impl Writer<'_> {
    fn write(&mut self, ty: &str, depth: usize, out: &mut String) {
        let Some(all) = self.grammar.templates.get(ty) else { return out.push_str("null") };
        let usable = if depth == 0 { all.len().min(2) } else { all.len() };
        let template = &all[self.rng.below(usable)];
        let reach = self.variables.len();
        let mut rest = template.as_str();
        while let Some(start) = rest.find('<') {
            let (before, tail) = rest.split_at(start);
            out.push_str(before);
            let name = tail[1..].split_once('>').map(|(name, _)| name);
            let is_name =
                |n: &str| !n.is_empty() && n.chars().all(|c| c.is_ascii_alphanumeric() || "$.".contains(c));
            match name.filter(|n| is_name(n)) {
                Some(name) => {
                    self.placeholder(name, depth.saturating_sub(1), out);
                    rest = &tail[name.len() + 2..];
                }
                None => {
                    out.push('<');
                    rest = &tail[1..];
                }
            }
        }
        out.push_str(rest);
        self.variables.truncate(reach);
    }

    fn placeholder(&mut self, name: &str, depth: usize, out: &mut String) {
        if let Some(ty) = name.strip_prefix('$') {
            self.named += 1;
            let variable = format!("v{}", self.named);
            out.push_str(&variable);
            self.variables.push((variable, ty.to_owned()));
        } else if let Some(ty) = name.strip_prefix('.') {
            self.leaf(ty, out);
        } else if name == "text" {
            let text = self.rng.pick(&self.grammar.texts).clone();
            out.push_str(&text);
        } else if name == "any" {
            let ty = self.rng.pick(&self.grammar.any).clone();
            self.write(&ty, depth, out);
        } else {
            self.write(name, depth, out);
        }
    }

    /// A variable or a field of a type.
    fn leaf(&mut self, ty: &str, out: &mut String) {
        let known: Vec<&(String, String)> = self.variables.iter().filter(|(_, t)| t == ty).collect();
        if !known.is_empty() && self.rng.chance(60) {
            return out.push_str(&self.rng.pick(&known).0);
        }
        let root = if self.rng.chance(6) { "oldSelf" } else { "self" };
        let field = self.grammar.fields.get(ty).map(|f| self.rng.pick(f).as_str());
        match field {
            Some(field) => out.push_str(&format!("{root}.{field}")),
            None => out.push_str(root),
        }
    }
}

/// The lines of a file next to the grammar, without comments.
fn lines(name: &str) -> Vec<String> {
    let path = corpus::tests_dir().join("corpus/evaluations").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|l| !l.starts_with("# ")).map(str::to_owned).collect()
}

/// The schema for our own expressions.
const SCHEMA: &str = r#"{"type": "object", "properties": {"i": {"type": "integer"}, "s": {"type": "string"},
    "namespace": {"type": "string"}, "a-b": {"type": "integer"},
    "o": {"type": "object", "properties": {"x": {"type": "integer"}}},
    "l": {"type": "array", "items": {"type": "integer"}},
    "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
    "m": {"type": "object", "additionalProperties": {"type": "string"}},
    "dur": {"type": "string", "format": "duration"}, "ts": {"type": "string", "format": "date-time"}}}"#;
const OBJECT: &str = r#"{"i": 1, "s": "abc", "namespace": "n", "a-b": 2, "o": {}, "l": [1, 2], "set": ["a", "b"],
    "m": {"k": "v"}, "dur": "90s", "ts": "2020-01-01T00:00:00Z"}"#;

fn request(name: String, exprs: &[String], kube: Option<String>) -> Case {
    let exprs = exprs.iter().map(|e| Value::from(e.as_str())).collect();
    let mut request: Map<Value> = [
        ("op", Value::from("eval")),
        ("schema", SCHEMA.into()),
        ("self", OBJECT.into()),
        ("oldSelf", OBJECT.into()),
        ("exprs", Value::List(exprs)),
    ]
    .into_iter()
    .collect();
    if let Some(kube) = kube {
        request.insert("kube", Value::Str(kube));
    }
    Case { name, request: Value::Map(request) }
}

/// Returns cases for each function and macro, in the environment of each version.
pub fn libraries() -> Vec<Case> {
    let exprs: Vec<String> = lines("libraries.txt").into_iter().filter(|l| !l.is_empty()).collect();
    (24..=Server::NEWEST.minor())
        .map(|minor| request(format!("1.{minor}"), &exprs, Some(format!("1.{minor}"))))
        .collect()
}

/// Returns cases with rules that call each function in both forms. The answers contain their costs.
pub fn calls() -> Vec<Case> {
    let lines = lines("calls.txt");
    let [schema, exprs @ ..] = &lines[..] else { return Vec::new() };
    let case = |(i, part): (usize, &[String])| {
        let rule = |expr: &String| {
            format!("{{\"rule\":{}}}", to_string(&Value::Str(format!("[{expr}].size() == 1"))))
        };
        let rules = part.iter().map(rule).collect::<Vec<_>>().join(",");
        let schema = schema.strip_suffix('}').unwrap_or(schema);
        let crd = format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"calls.example.com"}},
            "spec":{{"group":"example.com","names":{{"kind":"Call","plural":"calls"}},"scope":"Namespaced","versions":[{{"name":"v1",
            "served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{schema},
            "x-kubernetes-validations":[{rules}]}}}}}}}}}}]}}}}"#
        );
        Case::crd(format!("part {i}"), crd, None).with_op("cel")
    };
    exprs.chunks(PER_REQUEST).enumerate().map(case).collect()
}

/// Returns cases from the specification of the language.
pub fn conformance() -> Vec<Case> {
    let exprs: Vec<String> = lines("conformance.txt").into_iter().filter(|l| !l.is_empty()).collect();
    exprs.chunks(PER_REQUEST).enumerate().map(|(i, e)| request(format!("part {i}"), e, None)).collect()
}

/// Returns cases with patterns of Go and texts.
pub fn patterns() -> Vec<Case> {
    let unescaped = |l: &String| l.replace("\\n", "\n").replace("\\t", "\t").replace("\\v", "\u{b}");
    let texts = lines("texts.txt").iter().map(|l| Value::Str(unescaped(l))).collect::<Vec<_>>();
    let one = |(i, part): (usize, &[String])| {
        let patterns = part.iter().map(|p| Value::from(p.as_str())).collect();
        let request = [
            ("op", Value::from("regexp")),
            ("patterns", Value::List(patterns)),
            ("texts", Value::List(texts.clone())),
        ];
        Case { name: format!("part {i}"), request: Value::Map(request.into_iter().collect()) }
    };
    lines("patterns.txt").chunks(PER_REQUEST).enumerate().map(one).collect()
}
