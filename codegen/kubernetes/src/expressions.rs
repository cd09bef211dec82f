//! The expressions of admission policies and webhooks, compiled as the server does when it gets them.

use crdgen_core::cel::types::{Kind, Ty, Types};
use crdgen_core::cel::{
    Candidate, Checked, Declarations, Env, Issue, IssueKind, Kube, Source, check, complete, hint, parse, span,
};
use crdgen_core::ir::{Schema, SchemaOf};
use crdgen_core::rules::{Decls, Fields};
use crdgen_core::server::Server;
use std::collections::BTreeSet;
use std::ops::Range;

/// The type of a field that expressions can read.
#[derive(Clone, Copy)]
enum Of {
    Plain(Ty),
    /// One of [`TYPES`].
    Object(u32),
    Objects(u32),
    Texts,
    TextsByName,
    TextByName,
}

const TEXT: Of = Of::Plain(Ty::STRING);
const TIME: Of = Of::Plain(Ty::TIMESTAMP);
const NUMBER: Of = Of::Plain(Ty::INT);

/// The types of the server's variables, with their fields. The variables of a policy are those of the type after the last one.
const TYPES: &[(&str, &[(&str, Of)])] = &[
    (
        "kubernetes.AdmissionRequest",
        &[
            ("kind", Of::Object(1)),
            ("resource", Of::Object(2)),
            ("subResource", TEXT),
            ("requestKind", Of::Object(1)),
            ("requestResource", Of::Object(2)),
            ("requestSubResource", TEXT),
            ("name", TEXT),
            ("namespace", TEXT),
            ("operation", TEXT),
            ("userInfo", Of::Object(3)),
            ("dryRun", Of::Plain(Ty::BOOL)),
            ("options", Of::Plain(Ty::DYN)),
        ],
    ),
    ("kubernetes.GroupVersionKind", &[("group", TEXT), ("version", TEXT), ("kind", TEXT)]),
    ("kubernetes.GroupVersionResource", &[("group", TEXT), ("version", TEXT), ("resource", TEXT)]),
    (
        "kubernetes.UserInfo",
        &[("username", TEXT), ("uid", TEXT), ("groups", Of::Texts), ("extra", Of::TextsByName)],
    ),
    (
        "kubernetes.Namespace",
        &[("metadata", Of::Object(5)), ("spec", Of::Object(6)), ("status", Of::Object(7))],
    ),
    (
        "kubernetes.NamespaceMetadata",
        &[
            ("name", TEXT),
            ("generateName", TEXT),
            ("namespace", TEXT),
            ("labels", Of::TextByName),
            ("annotations", Of::TextByName),
            ("UID", TEXT),
            ("creationTimestamp", TIME),
            ("deletionGracePeriodSeconds", NUMBER),
            ("deletionTimestamp", TIME),
            ("generation", NUMBER),
            ("resourceVersion", TEXT),
            ("finalizers", Of::Texts),
        ],
    ),
    ("kubernetes.NamespaceSpec", &[("finalizers", Of::Texts)]),
    ("kubernetes.NamespaceStatus", &[("conditions", Of::Objects(8)), ("phase", TEXT)]),
    (
        "kubernetes.NamespaceCondition",
        &[
            ("status", TEXT),
            ("type", TEXT),
            ("lastTransitionTime", TIME),
            ("message", TEXT),
            ("reason", TEXT),
        ],
    ),
];

/// The numbers of the types here. Those before are the types of schemas.
const FIRST: u32 = 1 << 31;
const REQUEST: u32 = FIRST;
const NAMESPACE: u32 = FIRST + 4;
const VARIABLES: u32 = FIRST + 9;
const PATCH: u32 = FIRST + 10;
const PATCH_NAME: &str = "JSONPatch";
/// An object whose fields have any name and type, also one inside of another object, whose name has the path.
const OBJECT: u32 = FIRST + 11;
const OBJECT_NAME: &str = "Object";

impl Of {
    fn ty(self, types: &mut Types) -> Ty {
        match self {
            Of::Plain(ty) => ty,
            Of::Object(number) => object(types, FIRST + number),
            Of::Objects(number) => {
                let item = object(types, FIRST + number);
                types.list(item)
            }
            Of::Texts => types.list(Ty::STRING),
            Of::TextsByName => {
                let texts = types.list(Ty::STRING);
                types.map(Ty::STRING, texts)
            }
            Of::TextByName => types.map(Ty::STRING, Ty::STRING),
        }
    }
}

/// The name and the fields of one of [`TYPES`].
fn own_type(number: u32) -> Option<&'static (&'static str, &'static [(&'static str, Of)])> {
    TYPES.get(number.checked_sub(FIRST)? as usize)
}

fn object(types: &mut Types, number: u32) -> Ty {
    let name = own_type(number).map_or("kubernetes.variables", |(name, _)| name);
    types.object(number, name)
}

/// The variables of a policy that come before an expression, with their types.
#[derive(Default)]
struct Variables {
    known: Vec<(String, Ty)>,
    /// Whether expressions can construct patches.
    has_patches: bool,
    /// The types of the object and of the parameters.
    decls: Decls,
}

impl Variables {
    fn of_schemas(&self) -> Fields<'_> {
        Fields { decls: &self.decls, kube: Kube::STORED }
    }

    fn fields_of(decl: u32) -> &'static [(&'static str, Of)] {
        own_type(decl).map_or(&[], |(_, fields)| fields)
    }
}

impl Declarations for Variables {
    fn field(&self, types: &mut Types, decl: u32, name: &str, field: &str) -> Option<Ty> {
        match (decl, field) {
            (VARIABLES, _) => {
                return self.known.iter().rev().find(|(name, _)| name == field).map(|(_, ty)| *ty);
            }
            (OBJECT, _) | (PATCH, "value") => return Some(Ty::DYN),
            (PATCH, "op" | "path" | "from") => return Some(Ty::STRING),
            (..FIRST, _) => return self.of_schemas().field(types, decl, name, field),
            _ => {}
        }
        let (_, of) = Variables::fields_of(decl).iter().find(|(name, _)| *name == field)?;
        Some(of.ty(types))
    }

    fn fields(&self, decl: u32) -> Vec<String> {
        match decl {
            ..FIRST => self.of_schemas().fields(decl),
            VARIABLES => self.known.iter().map(|(name, _)| name.clone()).collect(),
            _ => Variables::fields_of(decl).iter().map(|(name, _)| (*name).to_owned()).collect(),
        }
    }

    fn is_untyped(&self, decl: u32, field: &str) -> bool {
        decl < FIRST && self.of_schemas().is_untyped(decl, field)
    }

    fn constructed(&self, types: &mut Types, name: &str) -> Option<Ty> {
        let is_object =
            || name.strip_prefix(OBJECT_NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        match name {
            _ if !self.has_patches => None,
            PATCH_NAME => Some(types.object(PATCH, name)),
            _ => is_object().then(|| types.object(OBJECT, name)),
        }
    }
}

/// What an expression must return.
#[derive(Clone, Copy, Debug)]
pub enum Output {
    /// Any value.
    Any,
    /// A value of this type.
    One(Ty),
    /// A text, or null.
    TextOrNull,
    /// The fields that a mutation applies.
    Fields,
    /// The patches of a mutation.
    Patches,
}

/// What expressions of one policy can use besides the objects, the request and the namespace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// Whether there are parameters.
    pub params: bool,
    /// Whether there are variables, also if there is none yet.
    pub variables: bool,
    /// The server.
    pub server: Server,
}

/// What of an expression is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its syntax or its types.
    Compilation,
    /// The type of its result.
    Result,
}

/// Why an expression is wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// What of it is wrong.
    pub stage: Stage,
    /// The mistakes, in the server's words.
    pub why: String,
    /// The place in the expression.
    pub inside: Option<Range<usize>>,
    /// What to do.
    pub help: Option<String>,
}

impl Wrong {
    /// What the server says to who writes the expression.
    pub fn text(&self) -> String {
        match self.stage {
            Stage::Compilation => format!("compilation failed: {}", self.why),
            Stage::Result => self.why.clone(),
        }
    }
}

/// Whether an expression is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It is.
    New,
    /// It is stored already.
    Stored,
}

impl Age {
    /// The age of an expression, of which those before the update are known.
    pub fn of(text: &str, stored: &BTreeSet<&str>) -> Age {
        if stored.contains(text) { Age::Stored } else { Age::New }
    }
}

/// Whether an expression can ask for permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorizer {
    /// It can.
    Known,
    /// It can, but not about the resource of the request.
    OfOthers,
    /// It cannot.
    Unknown,
}

/// Compiles the expressions of one policy.
pub struct Compiler {
    types: Types,
    variables: Variables,
    /// The types of the objects and of the parameters, if they have schemas.
    object: Ty,
    params: Ty,
    pub(crate) uses: Uses,
}

impl Compiler {
    /// Starts a policy, which has no variables yet.
    pub fn new(uses: Uses) -> Compiler {
        let (types, variables) = (Types::default(), Variables::default());
        Compiler { types, variables, object: Ty::DYN, params: Ty::DYN, uses }
    }

    /// The same for objects and parameters with schemas, which have names.
    pub(crate) fn typed(
        uses: Uses,
        object: Option<(&str, &Schema)>,
        params: Option<(&str, &Schema)>,
    ) -> Compiler {
        let mut out = Compiler::new(uses);
        let [object, params] = [object, params].map(|typed| {
            let Some((name, schema)) = typed else { return Ty::DYN };
            let id = out.variables.decls.declare(schema, SchemaOf::Resource);
            id.map_or(Ty::DYN, |id| out.variables.decls.ty(&mut out.types, id, name))
        });
        Compiler { object, params, ..out }
    }

    /// Compiles an expression. One that is stored already may use what the server does not offer to new ones.
    ///
    /// # Errors
    /// Fails with the server's words if the expression is wrong.
    pub fn compile(
        &mut self,
        text: &str,
        output: Output,
        authorizer: Authorizer,
        age: Age,
    ) -> Result<Checked, Wrong> {
        let server = self.uses.server;
        let kube = match age {
            Age::New => server.new_expressions(),
            Age::Stored => server.stored(),
        };
        let kube = self.environment(kube, output);
        let checked = parse(text, kube)
            .and_then(|ast| self.with_env(kube, authorizer, |env, types| check(ast, env, types)));
        let checked = checked.map_err(|issues| uncompiled(text, &issues))?;
        let ty = checked.output();
        let wanted = match output {
            Output::Any => return Ok(checked),
            Output::One(wanted) => vec![wanted],
            Output::TextOrNull => vec![Ty::STRING, Ty::NULL],
            Output::Fields => vec![self.types.object(OBJECT, OBJECT_NAME)],
            Output::Patches => {
                let patch = self.types.object(PATCH, PATCH_NAME);
                vec![self.types.list(patch)]
            }
        };
        if wanted.contains(&ty) {
            return Ok(checked);
        }
        let wanted = match wanted[..] {
            [one] => self.types.display(one),
            _ => "one of [string null_type]".to_owned(),
        };
        let why = format!("must evaluate to {wanted} but got {}", self.types.display(ty));
        Err(Wrong { stage: Stage::Result, why, inside: None, help: None })
    }

    /// Returns what may be written at a byte of a new expression, which need not be complete.
    pub(crate) fn complete(
        &mut self,
        (text, offset): (&str, usize),
        output: Output,
        authorizer: Authorizer,
    ) -> Vec<Candidate> {
        let kube = self.environment(self.uses.server.new_expressions(), output);
        self.with_env(kube, authorizer, |env, types| complete(env, types, text, offset))
    }

    /// The environment of an expression with this result: only mutations make objects and patches.
    fn environment(&mut self, kube: Kube, output: Output) -> Kube {
        self.variables.has_patches = matches!(output, Output::Fields | Output::Patches);
        if self.variables.has_patches { kube.with_patches() } else { kube }
    }

    /// Runs something with what an expression can use.
    fn with_env<T>(
        &mut self,
        kube: Kube,
        authorizer: Authorizer,
        run: impl FnOnce(&Env<'_>, &mut Types) -> T,
    ) -> T {
        let mut known = vec![("object", self.object), ("oldObject", self.object)];
        known.push(("namespaceObject", object(&mut self.types, NAMESPACE)));
        known.push(("request", object(&mut self.types, REQUEST)));
        known.extend(self.uses.params.then_some(("params", self.params)));
        if authorizer != Authorizer::Unknown {
            known.push(("authorizer", Ty::AUTHORIZER));
        }
        if authorizer == Authorizer::Known {
            known.push(("authorizer.requestResource", Ty::RESOURCE_CHECK));
        }
        if self.uses.variables {
            known.push(("variables", object(&mut self.types, VARIABLES)));
        }
        let env = Env { libraries: kube.into(), variables: &known, declarations: &self.variables };
        run(&env, &mut self.types)
    }

    /// Adds a variable. What comes later can use it, also if its expression is wrong.
    pub fn add_variable(&mut self, name: &str, checked: Option<&Checked>) {
        let ty = checked.map_or(Ty::DYN, |checked| self.as_variable(checked.output()));
        self.variables.known.push((name.to_owned(), ty));
    }

    /// The type of a variable with a value of this type: the server knows no types with fields here.
    fn as_variable(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty).clone() {
            Kind::List(item) => {
                let item = self.as_variable(item);
                self.types.list(item)
            }
            Kind::Map(key, value) => {
                let (key, value) = (self.as_variable(key), self.as_variable(value));
                self.types.map(key, value)
            }
            Kind::Any
            | Kind::Null
            | Kind::Bool
            | Kind::Int
            | Kind::Uint
            | Kind::Double
            | Kind::String
            | Kind::Bytes
            | Kind::Duration
            | Kind::Timestamp => ty,
            Kind::Dyn
            | Kind::Error
            | Kind::Optional(_)
            | Kind::Wrapper(_)
            | Kind::Type(_)
            | Kind::Opaque(_)
            | Kind::Struct(_)
            | Kind::Object { .. }
            | Kind::Var(_)
            | Kind::Param(_) => Ty::DYN,
        }
    }
}

/// Why the syntax or the types of an expression are wrong.
pub(crate) fn uncompiled(text: &str, issues: &[Issue]) -> Wrong {
    let source = Source::new(text);
    // The advice about names is for rules of CRDs.
    let has_other_names = |issue: &Issue| matches!(issue.kind, IssueKind::Undeclared { .. });
    let help = hint::hints(text, issues).filter(|_| !issues.iter().any(has_other_names));
    let place = issues.iter().filter_map(|issue| issue.at).min().map(|at| source.byte(at));
    let inside = place.filter(|place| *place < text.len()).map(|place| span::of_word(text, place));
    Wrong { stage: Stage::Compilation, why: source.display(issues).to_string(), inside, help }
}
