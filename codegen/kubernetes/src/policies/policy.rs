//! What a policy and a binding say.

use super::cluster::ParamKind;
use super::conditions::Conditions;
use super::evaluate::Expression;
use super::matching::{Rules, Selectors};
use crate::expressions::{Age, Authorizer, Compiler, Output, Uses};
use crate::meta::text;
use crdgen_core::cel::types::Ty;
use crdgen_core::server::Server;
use crdgen_core::value::Value;

/// What policies do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// They deny requests, warn and audit.
    Validating,
    /// They change objects.
    Mutating,
}

/// An admission policy. Its expressions are compiled as those that are stored already.
#[derive(Debug)]
pub struct Policy {
    /// What it does.
    pub purpose: Purpose,
    /// The name.
    pub name: String,
    /// Whether failures are ignored.
    pub(super) ignores_failures: bool,
    pub(super) param_kind: Option<ParamKind>,
    /// `None` if it concerns nothing, which the server does not store.
    pub(super) constraints: Option<Constraints>,
    pub(super) conditions: Conditions,
    /// By their names.
    pub(super) variables: Vec<(String, Expression)>,
    pub(super) validations: Vec<Validation>,
    /// By their keys.
    pub(super) annotations: Vec<(String, Expression)>,
    pub(super) mutations: Vec<Mutation>,
    /// Whether it sees an object once more that others have changed.
    pub(super) is_reinvoked: bool,
}

#[derive(Debug)]
pub(super) struct Validation {
    pub(super) expression: Expression,
    pub(super) message: String,
    pub(super) message_expression: Option<Expression>,
    pub(super) reason: String,
}

#[derive(Debug)]
pub(super) struct Mutation {
    pub(super) patch: PatchType,
    pub(super) expression: Expression,
}

/// What the expression of a mutation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// The fields to set.
    ApplyConfiguration,
    /// The steps of a JSON patch.
    JsonPatch,
}

impl PatchType {
    /// The name in a policy.
    pub fn name(self) -> &'static str {
        match self {
            PatchType::ApplyConfiguration => "ApplyConfiguration",
            PatchType::JsonPatch => "JSONPatch",
        }
    }
}

/// What binds a policy to resources and parameters.
#[derive(Debug)]
pub struct Binding {
    /// What its policy does.
    pub purpose: Purpose,
    /// The name.
    pub name: String,
    /// The name of the policy.
    pub policy: String,
    /// The spec of the reference to the parameters.
    pub(super) param: Option<Value>,
    /// `None` if it concerns all that the policy concerns.
    pub(super) constraints: Option<Constraints>,
    /// `Deny`, `Warn` and `Audit`.
    pub(super) actions: Vec<String>,
}

/// The requests that a policy or a binding concerns.
#[derive(Debug)]
pub(super) struct Constraints {
    pub(super) selectors: Selectors,
    pub(super) rules: Rules,
    pub(super) excluded: Rules,
}

impl Constraints {
    fn read(value: &Value) -> Constraints {
        Constraints {
            selectors: Selectors::read(value),
            rules: Rules::read(value, "resourceRules"),
            excluded: Rules::read(value, "excludeResourceRules"),
        }
    }
}

fn there<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.get(name).filter(|it| !it.is_null())
}

fn items<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_list).unwrap_or_default()
}

impl Purpose {
    /// All.
    pub const ALL: [Purpose; 2] = [Purpose::Mutating, Purpose::Validating];

    /// Returns the kind of its policies.
    pub fn kind(self) -> &'static str {
        match self {
            Purpose::Validating => "ValidatingAdmissionPolicy",
            Purpose::Mutating => "MutatingAdmissionPolicy",
        }
    }

    /// Returns the names of its policies and bindings in URLs.
    pub fn plurals(self) -> [&'static str; 2] {
        match self {
            Purpose::Validating => ["validatingadmissionpolicies", "validatingadmissionpolicybindings"],
            Purpose::Mutating => ["mutatingadmissionpolicies", "mutatingadmissionpolicybindings"],
        }
    }
}

impl Policy {
    /// Reads a stored policy.
    pub fn read(policy: &Value, purpose: Purpose) -> Policy {
        let nothing = Value::Null;
        let spec = policy.get("spec").unwrap_or(&nothing);
        let param_kind = there(spec, "paramKind")
            .map(|it| ParamKind { api_version: it.text("apiVersion").into(), kind: it.text("kind").into() });
        let (params, server) = (param_kind.is_some(), Server::NEWEST);
        let mut compiler = Compiler::new(Uses { params, variables: true, server });
        let mut compiled = |text: &str, output: Output, authorizer: Authorizer, variable: Option<&str>| {
            let checked = compiler.compile(text, output, authorizer, Age::Stored);
            if let Some(name) = variable {
                compiler.add_variable(name, checked.as_ref().ok());
            }
            Expression::new(text, checked)
        };
        let mut named = |list: &str, name: &str, expression: &str, output: Output| {
            let one = |item: &Value| {
                let (name, text) = (item.text(name), item.text(expression));
                let variable = Some(name).filter(|_| list == "variables");
                (name.to_owned(), compiled(text, output, Authorizer::Known, variable))
            };
            items(spec, list).iter().map(one).collect::<Vec<_>>()
        };
        let variables = named("variables", "name", "expression", Output::Any);
        let conditions = named("matchConditions", "name", "expression", Output::One(Ty::BOOL));
        let conditions = Conditions::of_policy(conditions);
        let annotations = named("auditAnnotations", "key", "valueExpression", Output::TextOrNull);
        let validation = |item: &Value| Validation {
            expression: compiled(item.text("expression"), Output::One(Ty::BOOL), Authorizer::Known, None),
            message: item.text("message").trim().to_owned(),
            message_expression: Some(item.text("messageExpression"))
                .filter(|text| !text.is_empty())
                .map(|text| compiled(text, Output::One(Ty::STRING), Authorizer::Unknown, None)),
            reason: item.text("reason").to_owned(),
        };
        let validations = items(spec, "validations").iter().map(validation).collect();
        let mutation = |item: &Value| {
            let (patch, field, output) = match item.text("patchType") {
                "JSONPatch" => (PatchType::JsonPatch, "jsonPatch", Output::Patches),
                _ => (PatchType::ApplyConfiguration, "applyConfiguration", Output::Fields),
            };
            let text = item.get(field).map_or("", |of| of.text("expression"));
            Mutation { patch, expression: compiled(text, output, Authorizer::Known, None) }
        };
        Policy {
            purpose,
            mutations: items(spec, "mutations").iter().map(mutation).collect(),
            is_reinvoked: spec.text("reinvocationPolicy") == "IfNeeded",
            name: text(policy, "name").to_owned(),
            ignores_failures: spec.text("failurePolicy") == "Ignore",
            validations,
            constraints: there(spec, "matchConstraints").map(Constraints::read),
            param_kind,
            conditions,
            variables,
            annotations,
        }
    }
}

impl Binding {
    /// Reads a stored binding.
    pub fn read(binding: &Value, purpose: Purpose) -> Binding {
        let nothing = Value::Null;
        let spec = binding.get("spec").unwrap_or(&nothing);
        Binding {
            purpose,
            name: text(binding, "name").to_owned(),
            policy: spec.text("policyName").to_owned(),
            param: there(spec, "paramRef").cloned(),
            constraints: there(spec, "matchResources").map(Constraints::read),
            actions: items(spec, "validationActions")
                .iter()
                .filter_map(|it| it.as_str().map(str::to_owned))
                .collect(),
        }
    }
}
