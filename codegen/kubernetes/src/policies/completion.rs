//! What may be written in the expressions of policies and webhooks.

use super::offline::Definitions;
use super::types::{add_variables, compilers};
use crate::expressions::{Authorizer, Compiler, Output, Uses};
use crate::kinds::{self, KindId};
use crdgen_core::cel::Candidate;
use crdgen_core::path::Step;
use crdgen_core::server::Server;
use crdgen_core::value::Value;

/// A place of a policy, or of a configuration of webhooks, that has an expression.
#[derive(Clone, Copy, Debug)]
pub struct ExpressionPlace {
    output: Output,
    authorizer: Authorizer,
    variables: Variables,
}

/// Which variables of the policy an expression can use.
#[derive(Clone, Copy, Debug)]
enum Variables {
    All,
    /// So many from the start: a variable can use those before it.
    First(usize),
    /// None, so that expressions do not know `variables`.
    Unknown,
}

impl ExpressionPlace {
    /// The place at the end of some steps of an object. `None` if there is no expression.
    pub fn of(api_version: &str, kind: &str, steps: &[Step]) -> Option<ExpressionPlace> {
        use KindId::{
            MutatingAdmissionPolicy, MutatingWebhookConfiguration, ValidatingAdmissionPolicy,
            ValidatingWebhookConfiguration,
        };
        let id = kinds::find(api_version, kind)?.id;
        let is_policy = matches!(id, MutatingAdmissionPolicy | ValidatingAdmissionPolicy);
        if !is_policy && !matches!(id, MutatingWebhookConfiguration | ValidatingWebhookConfiguration) {
            return None;
        }
        let names = steps.iter().filter_map(|step| match step {
            Step::Key(name) => Some(name.as_str()),
            Step::Index(_) => None,
        });
        let names: Vec<&str> = names.collect();
        let (output, authorizer, variables) = match (is_policy, names.as_slice()) {
            (
                true,
                ["spec", "validations", "expression"] | ["spec", "auditAnnotations", "valueExpression"],
            ) => (Output::Any, Authorizer::Known, Variables::All),
            (true, ["spec", "validations", "messageExpression"]) => {
                (Output::Any, Authorizer::Unknown, Variables::All)
            }
            (true, ["spec", "mutations", "applyConfiguration", "expression"]) => {
                (Output::Fields, Authorizer::Known, Variables::All)
            }
            (true, ["spec", "mutations", "jsonPatch", "expression"]) => {
                (Output::Patches, Authorizer::Known, Variables::All)
            }
            (true, ["spec", "variables", "expression"]) => match steps.get(2) {
                Some(Step::Index(index)) => (Output::Any, Authorizer::Known, Variables::First(*index)),
                Some(Step::Key(_)) | None => return None,
            },
            (true, ["spec", "matchConditions", "expression"])
            | (false, ["webhooks", "matchConditions", "expression"]) => {
                (Output::Any, Authorizer::Known, Variables::Unknown)
            }
            _ => return None,
        };
        Some(ExpressionPlace { output, authorizer, variables })
    }

    /// Returns what may be written at a byte of the expression here, which need not be complete. The fields of objects are those of the
    /// first kind that the rules of the policy name without wildcards.
    pub fn complete(
        self,
        object: &Value,
        (text, offset): (&str, usize),
        definitions: &dyn Definitions,
    ) -> Vec<Candidate> {
        let nothing = Value::Null;
        let spec = object.get("spec").unwrap_or(&nothing);
        let params = spec.get("paramKind").is_some_and(|kind| !kind.is_null());
        let untyped = || Compiler::new(Uses { params, variables: true, server: Server::NEWEST });
        let typed = compilers(spec, definitions, Server::NEWEST, 1).pop();
        let mut compiler = typed.map_or_else(untyped, |(_, compiler)| compiler);
        let all = spec.get("variables").and_then(Value::as_list).unwrap_or_default();
        let usable = match self.variables {
            Variables::All => all,
            Variables::First(most) => all.get(..most).unwrap_or(all),
            Variables::Unknown => {
                compiler.uses.variables = false;
                &[]
            }
        };
        add_variables(&mut compiler, usable, self.authorizer);
        compiler.complete((text, offset), self.output, self.authorizer)
    }
}
