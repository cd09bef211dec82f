//! The functions of an authorizer. The program that evaluates passes it, as an [`Object`](crate::value::Object).

use super::Type;
const AUTHORIZER: Type = Type::Struct("kubernetes.authorization.Authorizer");
const PATH_CHECK: Type = Type::Struct("kubernetes.authorization.PathCheck");
const GROUP_CHECK: Type = Type::Struct("kubernetes.authorization.GroupCheck");
const RESOURCE_CHECK: Type = Type::Struct("kubernetes.authorization.ResourceCheck");
const DECISION: Type = Type::Struct("kubernetes.authorization.Decision");

library! {
    /// Kubernetes' authorizer.
    pub AUTHORIZATION = "kubernetes.authz" since 27;
    "allowed" = Target => { "decision_allowed" member (DECISION) -> Bool, Unit; }
    "check" = Target => {
        "pathcheck_check" member (PATH_CHECK, String) -> DECISION, Fixed(350_000);
        "resourcecheck_check" member (RESOURCE_CHECK, String) -> DECISION, Fixed(350_000);
    }
    "error" = Target => { "decision_error" member (DECISION) -> String, Unit; }
    "errored" = Target => { "decision_errored" member (DECISION) -> Bool, Unit; }
    "fieldSelector" = Target => { "authorizer_fieldselector" member (RESOURCE_CHECK, String) -> RESOURCE_CHECK, Selector since 31; }
    "group" = Target => { "authorizer_group" member (AUTHORIZER, String) -> GROUP_CHECK, Unit; }
    "labelSelector" = Target => { "authorizer_labelselector" member (RESOURCE_CHECK, String) -> RESOURCE_CHECK, Selector since 31; }
    "name" = Target => { "resourcecheck_name" member (RESOURCE_CHECK, String) -> RESOURCE_CHECK, Unit; }
    "namespace" = Target => { "resourcecheck_namespace" member (RESOURCE_CHECK, String) -> RESOURCE_CHECK, Unit; }
    "path" = Target => { "authorizer_path" member (AUTHORIZER, String) -> PATH_CHECK, Unit; }
    "reason" = Target => { "decision_reason" member (DECISION) -> String, Unit; }
    "resource" = Target => { "groupcheck_resource" member (GROUP_CHECK, String) -> RESOURCE_CHECK, Unit; }
    "serviceAccount" = Target => { "authorizer_serviceaccount" member (AUTHORIZER, String, String) -> AUTHORIZER, Unit; }
    "subresource" = Target => { "resourcecheck_subresource" member (RESOURCE_CHECK, String) -> RESOURCE_CHECK, Unit; }
}
