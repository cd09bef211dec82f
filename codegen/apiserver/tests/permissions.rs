//! Roles, as the author of a controller tests them: the role is enough, and it does not allow more.

use crate::common::{JSON, get, post, request};
use crdgen_apiserver::{ClientAs, Server, User};
use crdgen_core::json;
use crdgen_core::value::Value;
use http_body_util::BodyExt;
use tower_service::Service;

const CRD: &str = include_str!("crd.yaml");
const CRONTABS: &str = "/apis/stable.example.com/v1/namespaces/default/crontabs";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// What the author of the controller would install.
const MANIFESTS: &str = r#"
apiVersion: v1
kind: ServiceAccount
metadata: {name: operator, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: operator}
rules:
- {apiGroups: [stable.example.com], resources: [crontabs], verbs: [get, list, watch, patch]}
- {apiGroups: [stable.example.com], resources: [crontabs/status], verbs: [patch]}
- {apiGroups: [""], resources: [configmaps], verbs: [create, patch, get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: operator, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}
subjects:
- {kind: ServiceAccount, name: operator, namespace: default}
"#;

fn server() -> Server {
    let server = Server::new().with_rbac();
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    server.add(MANIFESTS).unwrap_or_else(|why| panic!("{why}"));
    let crontab = "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: a, namespace: default}, spec: {image: i}}";
    server.add(crontab).unwrap_or_else(|why| panic!("{why}"));
    server
}

/// The code and the message of an answer, or nothing in place of the message.
async fn send(client: &ClientAs, method: &str, uri: &str, ty: &str, body: &str) -> (u16, String) {
    let Ok(answer) = client.clone().call(request(method, uri, ty, body)).await;
    let code = answer.status().as_u16();
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    let body = json::read(&body).unwrap_or(Value::Null);
    (code, body.text("message").to_owned())
}

fn config(name: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#)
}

const APPLY: &str = "application/apply-patch+yaml";
const MERGE: &str = "application/merge-patch+json";

#[tokio::test]
async fn a_role_is_enough_and_allows_no_more() {
    let server = server();
    let operator = server.client_as(User::service_account("default", "operator"));
    let before = server.requests().len();
    let one = format!("{CRONTABS}/a");
    let manager = format!("{MAPS}/of-a?fieldManager=operator");
    for (method, uri, ty, body) in [
        ("GET", CRONTABS, "", ""),
        ("GET", one.as_str(), "", ""),
        ("PATCH", &one, MERGE, r#"{"metadata":{"finalizers":["example.com/a"]}}"#),
        ("PATCH", &format!("{one}/status"), MERGE, r#"{"status":{"replicas":1}}"#),
        ("PATCH", &manager, APPLY, &config("of-a")),
        ("GET", "/apis/stable.example.com/v1", "", ""),
    ] {
        let (code, message) = send(&operator, method, uri, ty, body).await;
        assert!(code < 300, "{method} {uri}: {code} {message}");
    }
    let denied = server.requests().since(before).filter(|request| request.code == 403);
    assert!(denied.is_empty(), "{denied:?}");
    let secrets = "/api/v1/namespaces/default/secrets";
    for (method, uri, verb, resource, place) in [
        ("DELETE", one.as_str(), "delete", "crontabs", "in the namespace \"default\""),
        ("GET", "/apis/stable.example.com/v1/crontabs", "list", "crontabs", "at the cluster scope"),
        ("GET", &format!("{one}/scale"), "get", "crontabs/scale", "in the namespace \"default\""),
        ("GET", &format!("{MAPS}?watch=1"), "watch", "configmaps", "in the namespace \"default\""),
        ("POST", secrets, "create", "secrets", "in the namespace \"default\""),
    ] {
        let (code, message) = send(&operator, method, uri, JSON, "").await;
        let expected = format!(
            "is forbidden: User \"system:serviceaccount:default:operator\" cannot {verb} resource \"{resource}\" in API group "
        );
        assert_eq!(code, 403, "{method} {uri}: {message}");
        assert!(message.contains(&expected) && message.ends_with(place), "{message}");
    }
    assert_eq!(server.requests().filter(|request| request.code == 403).len(), 5, "each is recorded");
    assert_eq!(get(&server, secrets).await.0, 200, "the test itself may do everything");
}

#[tokio::test]
async fn creating_by_apply_needs_the_verb_create_too() {
    let server = server();
    let operator = server.client_as(User::service_account("default", "operator"));
    let body = r#"{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"b"},"spec":{"image":"i"}}"#;
    let (code, message) =
        send(&operator, "PATCH", &format!("{CRONTABS}/b?fieldManager=o"), APPLY, body).await;
    assert_eq!(code, 403, "{message}");
    assert!(message.contains("cannot create resource \"crontabs\""), "{message}");
    let body = body.replace(r#""name":"b""#, r#""name":"a""#);
    let uri = format!("{CRONTABS}/a?fieldManager=o&force=true");
    assert_eq!(send(&operator, "PATCH", &uri, APPLY, &body).await.0, 200, "the object exists");
}

#[tokio::test]
async fn a_token_is_its_service_account() {
    let server = server();
    let token = r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}"#;
    let uri = "/api/v1/namespaces/default/serviceaccounts/operator/token";
    let (_, answer) = post(&server, uri, token).await;
    let token = answer.get("status").and_then(|it| it.get("token")?.as_str()).expect("a token");
    let bearer = |uri: &str| {
        let mut request = request("GET", uri, "", "");
        let value = format!("Bearer {token}").parse().expect("a header");
        request.headers_mut().insert("authorization", value);
        request
    };
    for (uri, expected) in [(CRONTABS, 200), ("/api/v1/nodes", 403), ("/version", 200), ("/metrics", 403)] {
        let Ok(answer) = server.clone().call(bearer(uri)).await;
        assert_eq!(answer.status().as_u16(), expected, "{uri}");
    }
}

#[tokio::test]
async fn roles_are_nothing_to_servers_without_rbac() {
    let server = Server::new();
    let nobody = server.client_as(User::new("jane", ["dev"]));
    assert_eq!(send(&nobody, "GET", "/api/v1/nodes", "", "").await.0, 200);
    assert_eq!(get(&server, "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin").await.0, 404);
    assert_eq!(
        send(&server.clone().with_rbac().client_as(User::anonymous()), "GET", "/api", "", "").await.0,
        403
    );
    let (_, role) = get(&server, "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin").await;
    let rules = |role: &Value| role.get("rules").and_then(Value::as_list).map_or(0, <[Value]>::len);
    assert!(rules(&role) > 5, "its rules are those of other roles: {role}");
    // envtest has no controllers.
    let server = Server::new().with_rbac().without_controller_manager();
    let (code, role) = get(&server, "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin").await;
    assert_eq!((code, rules(&role)), (200, 0));
}
