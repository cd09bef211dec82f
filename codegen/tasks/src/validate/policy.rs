//! The expressions of admission policies, parsed and checked as the server does when it gets a policy.

use crdgen_core::cel::types::{Kind, Ty, Types};
use crdgen_core::cel::{Declarations, Env, Issue, IssueKind, Kube, Source, check, hint, parse, span};
use crdgen_core::server::Server;
use crdgen_runtime::diag::{Diag, Diags, codes};
use crdgen_runtime::path::Path;
use crdgen_runtime::value::Value;

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

const REQUEST: u32 = 0;
const NAMESPACE: u32 = 4;
const VARIABLES: u32 = 9;

impl Of {
    fn ty(self, types: &mut Types) -> Ty {
        match self {
            Of::Plain(ty) => ty,
            Of::Object(number) => object(types, number),
            Of::Objects(number) => {
                let item = object(types, number);
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

fn object(types: &mut Types, number: u32) -> Ty {
    let name = TYPES.get(number as usize).map_or("kubernetes.variables", |(name, _)| name);
    types.object(number, name)
}

/// The variables of a policy that come before an expression, with their types.
#[derive(Default)]
struct Variables(Vec<(String, Ty)>);

impl Variables {
    fn fields_of(decl: u32) -> &'static [(&'static str, Of)] {
        TYPES.get(decl as usize).map_or(&[], |(_, fields)| fields)
    }
}

impl Declarations for Variables {
    fn field(&self, types: &mut Types, decl: u32, _: &str, field: &str) -> Option<Ty> {
        if decl == VARIABLES {
            return self.0.iter().rev().find(|(name, _)| name == field).map(|(_, ty)| *ty);
        }
        let (_, of) = Variables::fields_of(decl).iter().find(|(name, _)| *name == field)?;
        Some(of.ty(types))
    }

    fn fields(&self, decl: u32) -> Vec<String> {
        match decl {
            VARIABLES => self.0.iter().map(|(name, _)| name.clone()).collect(),
            _ => Variables::fields_of(decl).iter().map(|(name, _)| (*name).to_owned()).collect(),
        }
    }

    fn is_untyped(&self, _: u32, _: &str) -> bool {
        false
    }
}

/// What an expression must return.
#[derive(Clone, Copy)]
enum Output {
    Any,
    One(Ty),
    /// A text, or null.
    TextOrNull,
}

/// Whether an object is a policy with expressions.
pub(super) fn is_policy(group: &str, kind: &str) -> bool {
    group == "admissionregistration.k8s.io"
        && matches!(kind, "ValidatingAdmissionPolicy" | "MutatingAdmissionPolicy")
}

/// Checks the expressions of a policy in the server's order, except those of mutations.
pub(super) fn check_policy(policy: &Value, server: Server) -> Diags {
    let Some(spec) = policy.get("spec") else { return Diags::new() };
    let has_params = spec.get("paramKind").is_some_and(|it| !it.is_null());
    let mut checker = Checker {
        kube: server.new_expressions(),
        types: Types::default(),
        variables: Variables::default(),
        has_variables: false,
        has_params,
        diags: Diags::new(),
    };
    let root = Path::ROOT;
    let root = root.child("spec");
    let items = |name: &str| spec.get(name).and_then(Value::as_list).unwrap_or_default();
    let text =
        |item: &Value, name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    for (i, item) in items("matchConditions").iter().enumerate() {
        let at = root.child("matchConditions");
        let condition = text(item, "expression");
        checker.expression(&condition, Output::One(Ty::BOOL), true, &at.index(i).child("expression"));
    }
    checker.has_variables = !items("variables").is_empty();
    for (i, item) in items("variables").iter().enumerate() {
        let at = root.child("variables");
        let ty = checker.expression(
            &text(item, "expression"),
            Output::Any,
            true,
            &at.index(i).child("expression"),
        );
        let ty = ty.map_or(Ty::DYN, |ty| checker.as_variable(ty));
        checker.variables.0.push((text(item, "name"), ty));
    }
    for (i, item) in items("validations").iter().enumerate() {
        let (at, message) = (root.child("validations"), text(item, "messageExpression"));
        let at = at.index(i);
        checker.expression(&text(item, "expression"), Output::One(Ty::BOOL), true, &at.child("expression"));
        checker.expression(&message, Output::One(Ty::STRING), false, &at.child("messageExpression"));
    }
    for (i, item) in items("auditAnnotations").iter().enumerate() {
        let at = root.child("auditAnnotations");
        let value = text(item, "valueExpression");
        checker.expression(&value, Output::TextOrNull, true, &at.index(i).child("valueExpression"));
    }
    checker.diags
}

struct Checker {
    kube: Kube,
    types: Types,
    variables: Variables,
    has_variables: bool,
    has_params: bool,
    diags: Diags,
}

impl Checker {
    /// Checks an expression, and returns its type. The server requires one where it does not accept an empty text.
    fn expression(&mut self, text: &str, output: Output, has_authorizer: bool, at: &Path<'_>) -> Option<Ty> {
        if text.trim().is_empty() {
            return None;
        }
        let mut known = vec![("object", Ty::DYN), ("oldObject", Ty::DYN)];
        known.push(("namespaceObject", object(&mut self.types, NAMESPACE)));
        known.push(("request", object(&mut self.types, REQUEST)));
        known.extend(self.has_params.then_some(("params", Ty::DYN)));
        if has_authorizer {
            known
                .extend([("authorizer", Ty::AUTHORIZER), ("authorizer.requestResource", Ty::RESOURCE_CHECK)]);
        }
        if self.has_variables {
            known.push(("variables", object(&mut self.types, VARIABLES)));
        }
        let env = Env { kube: self.kube, variables: &known, declarations: &self.variables };
        let checked = parse(text, self.kube).and_then(|ast| check(ast, &env, &mut self.types));
        let checked = match checked {
            Ok(checked) => checked,
            Err(issues) => {
                let source = Source::new(text);
                let detail = format!("compilation failed: {}", source.display(&issues));
                let mut diag = Diag::invalid(&codes::cel::BAD_RULE, at, text, detail);
                // The advice about names is for rules of CRDs.
                let has_other_names = |issue: &Issue| matches!(issue.kind, IssueKind::Undeclared { .. });
                diag.help = hint::hints(text, &issues).filter(|_| !issues.iter().any(has_other_names));
                let place = issues.iter().filter_map(|issue| issue.at).min().map(|at| source.byte(at));
                self.diags.push(match place.filter(|place| *place < text.len()) {
                    Some(place) => diag.inside(span::of_word(text, place)),
                    None => diag,
                });
                return None;
            }
        };
        let ty = checked.output();
        let wanted = match output {
            Output::Any => return Some(ty),
            Output::One(wanted) if wanted == ty => return Some(ty),
            Output::TextOrNull if matches!(ty, Ty::STRING | Ty::NULL) => return Some(ty),
            Output::One(wanted) => self.types.display(wanted),
            Output::TextOrNull => "one of [string null_type]".to_owned(),
        };
        let detail = format!("must evaluate to {wanted} but got {}", self.types.display(ty));
        self.diags.push(Diag::invalid(&codes::cel::BAD_RULE, at, text, detail));
        Some(ty)
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
