//! What a real server rejects, in its words.

use crate::common::{merge, post, send};
use crdgen_apiserver::Server;
use crdgen_core::value::Value;

const CRD: &str = include_str!("crd.yaml");
const CRONTABS: &str = "/apis/stable.example.com/v1/namespaces/default/crontabs";

fn message(answer: &Value) -> &str {
    answer.text("message")
}

#[tokio::test]
async fn names_have_the_rules_of_their_kinds() {
    let server = Server::new();
    let inside = |group: &str, plural: &str| format!("{group}/namespaces/default/{plural}");
    let (core, apps) = ("/api/v1", "/apis/apps/v1");
    let rbac = "/apis/rbac.authorization.k8s.io/v1";
    let policy = "/apis/policy/v1";
    let (subdomain, label) =
        ("a lowercase RFC 1123 subdomain must consist", "a lowercase RFC 1123 label must consist");
    for (uri, api_version, kind, name, expected) in [
        (inside(core, "configmaps"), "v1", "ConfigMap", "A_b", Some(subdomain)),
        (inside(core, "configmaps"), "v1", "ConfigMap", "a.b", None),
        (inside(core, "secrets"), "v1", "Secret", "A/../b", Some(subdomain)),
        (inside(core, "serviceaccounts"), "v1", "ServiceAccount", "a\\nb", Some(subdomain)),
        (inside(core, "services"), "v1", "Service", "A_b", Some(label)),
        (inside(core, "services"), "v1", "Service", "a.b", Some("must not contain dots")),
        (inside(apps, "statefulsets"), "apps/v1", "StatefulSet", "a.b", Some("must not contain dots")),
        (format!("{core}/namespaces"), "v1", "Namespace", "a.b", Some("must not contain dots")),
        (format!("{core}/namespaces"), "v1", "Namespace", "A_b", Some(label)),
        (format!("{core}/nodes"), "v1", "Node", "A_b", Some(subdomain)),
        (inside(rbac, "roles"), "rbac.authorization.k8s.io/v1", "Role", "system:A_b", None),
        (inside(rbac, "roles"), "rbac.authorization.k8s.io/v1", "Role", "a/b", Some("may not contain '/'")),
        (inside(rbac, "roles"), "rbac.authorization.k8s.io/v1", "Role", "..", Some("may not be '..'")),
        (inside(policy, "poddisruptionbudgets"), "policy/v1", "PodDisruptionBudget", "A_b", None),
        (
            inside(policy, "poddisruptionbudgets"),
            "policy/v1",
            "PodDisruptionBudget",
            "a%",
            Some("may not contain '%'"),
        ),
    ] {
        let body =
            format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{{"name":"{name}"}}}}"#);
        let (code, answer) = post(&server, &uri, &body).await;
        let is_named = message(&answer).contains("metadata.name: Invalid value");
        match expected {
            None => assert!(!is_named, "{name}: {code} {answer}"),
            Some(words) => {
                assert_eq!(code, 422, "{name}: {answer}");
                assert!(is_named && message(&answer).contains(words), "{name}: {answer}");
            }
        }
    }
    let prefix = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"A_"}}"#;
    let (code, answer) = post(&server, &inside(core, "configmaps"), prefix).await;
    assert_eq!(code, 422);
    assert!(message(&answer).contains("metadata.generateName: Invalid value: \"A_\""), "{answer}");
}

#[tokio::test]
async fn objects_have_the_size_that_etcd_stores() {
    let server = Server::new();
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    let object = |name: &str, letters: usize| {
        let text = "x".repeat(letters);
        format!(
            r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{{"name":"{name}"}},"spec":{{"image":"{text}"}}}}"#
        )
    };
    for (letters, code, expected) in [
        (1_400_000, 201, ""),
        (1_600_000, 500, "etcdserver: request is too large"),
        (
            2_200_000,
            500,
            "rpc error: code = ResourceExhausted desc = trying to send message larger than max (",
        ),
        (3_200_000, 413, "Request entity too large: limit is 3145728"),
    ] {
        let (found, answer) = post(&server, CRONTABS, &object("a", letters)).await;
        assert_eq!(found, code, "{letters}");
        assert!(message(&answer).starts_with(expected), "{}", message(&answer));
    }
    // An object may not grow beyond the limit either, by any kind of patch.
    let more = "y".repeat(300_000);
    let one = format!("{CRONTABS}/a");
    let patch = format!(r#"{{"metadata":{{"annotations":{{"a":"{}"}}}}}}"#, "z".repeat(200_000));
    assert_eq!(merge(&server, &one, &patch).await.0, 500);
    let patch = format!(r#"{{"spec":{{"image":"{}{more}"}}}}"#, "x".repeat(1_400_000));
    let (code, answer) = merge(&server, &one, &patch).await;
    assert_eq!((code, message(&answer)), (500, "etcdserver: request is too large"));
    let config = format!(
        r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{{"name":"a"}},"spec":{{"image":"{}{more}"}}}}"#,
        "x".repeat(1_400_000)
    );
    let uri = format!("{one}?fieldManager=m&force=true");
    assert_eq!(send(&server, "PATCH", &uri, "application/apply-patch+yaml", &config).await.0, 500);
    let uri = format!("{one}?fieldManager=m&force=true&dryRun=All");
    assert_eq!(send(&server, "PATCH", &uri, "application/apply-patch+yaml", &config).await.0, 200);
}

/// The messages are those of a server of 1.37.
#[tokio::test]
async fn config_maps_and_secrets_have_a_megabyte() {
    let server = Server::new();
    let most = "x".repeat(1 << 20);
    let config_map = |name: &str, rest: &str| format!(r#"{{"metadata":{{"name":"{name}"}},{rest}}}"#);
    let data = |more: &str| format!(r#""data":{{"a":"{most}{more}"}}"#);
    let binary = format!(r#"{},"binaryData":{{"b":"eHg="}}"#, data(""));
    let of_config_map = |name: &str| {
        format!("ConfigMap \"{name}\" is invalid: []: Too long: may not be more than 1048576 bytes")
    };
    let of_secret = |name: &str| {
        format!("Secret \"{name}\" is invalid: data: Too long: may not be more than 1048576 bytes")
    };
    let encoded = |more: &str| {
        let text = crdgen_core::go::base64_encode(format!("{most}{more}").as_bytes());
        format!(r#""data":{{"a":"{text}"}}"#)
    };
    for (plural, name, rest, expected) in [
        ("configmaps", "a", data(""), None),
        ("configmaps", "b", data("x"), Some(of_config_map("b"))),
        ("configmaps", "c", binary, Some(of_config_map("c"))),
        ("secrets", "a", encoded(""), None),
        ("secrets", "b", encoded("x"), Some(of_secret("b"))),
        ("secrets", "c", data("x").replace("data", "stringData"), Some(of_secret("c"))),
    ] {
        let uri = format!("/api/v1/namespaces/default/{plural}");
        let (code, answer) = post(&server, &uri, &config_map(name, &rest)).await;
        let message = Some(message(&answer).to_owned()).filter(|it| !it.is_empty());
        assert_eq!(
            (code, message),
            (if expected.is_some() { 422 } else { 201 }, expected),
            "{plural} {name}"
        );
    }
}

#[tokio::test]
async fn a_failure_names_the_kind_that_the_object_names() {
    let server = Server::new();
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    let object = |kind: &str, name: &str, version: &str| {
        format!(
            r#"{{"apiVersion":"stable.example.com/v1","kind":"{kind}","metadata":{{"name":"{name}"{version}}},"spec":{{}}}}"#
        )
    };
    let (code, live) = post(&server, CRONTABS, &object("CronTab", "a", "")).await;
    assert_eq!(code, 201);
    let one = format!("{CRONTABS}/a");
    let version = live.get("metadata").and_then(|it| it.get("resourceVersion")).and_then(Value::as_str);
    let version = format!(r#","resourceVersion":"{}""#, version.unwrap_or_default());
    for (name, (code, answer)) in [
        ("b", post(&server, CRONTABS, &object("Other", "b", "")).await),
        ("a", send(&server, "PUT", &one, "application/json", &object("Other", "a", &version)).await),
        ("a", merge(&server, &one, r#"{"kind":"Other"}"#).await),
    ] {
        let expected = format!(
            r#"Other.stable.example.com "{name}" is invalid: kind: Invalid value: "Other": must be CronTab"#
        );
        let kind = answer.get("details").and_then(|it| it.get("kind")).and_then(Value::as_str);
        assert_eq!((code, message(&answer), kind), (422, expected.as_str(), Some("Other")));
    }
}

#[tokio::test]
async fn patches_keep_names_and_types() {
    let server = Server::new();
    let map = "/api/v1/namespaces/default/configmaps/a";
    let object = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    assert_eq!(post(&server, "/api/v1/namespaces/default/configmaps", object).await.0, 201);
    let no_name = "the name of the object (a based on URL) was undeterminable: name must be provided";
    let other = "the name of the object (b) does not match the name on the URL (a)";
    let no_map = "json: cannot unmarshal array into Go value of type map[string]interface {}";
    let (json, merge) = ("json-patch+json", "merge-patch+json");
    let (strategic, apply) = ("strategic-merge-patch+json", "apply-patch+yaml");
    let patch = |why: &str| format!(" \"\" is invalid: patch: Invalid value: {why}");
    for (ty, body, code, expected) in [
        (merge, r#"{"metadata":{"name":"b"}}"#, 400, other.to_owned()),
        (merge, r#"{"metadata":{"name":null}}"#, 400, no_name.to_owned()),
        (merge, r#"{"metadata":null}"#, 400, no_name.to_owned()),
        (merge, "[]", 400, format!("error decoding patch: {no_map}")),
        (merge, "\u{feff}{}", 400, "invalid JSON patch".to_owned()),
        (strategic, r#"{"metadata":{"name":"b"}}"#, 400, other.to_owned()),
        (strategic, "[]", 400, no_map.to_owned()),
        (
            strategic,
            r#"{"data":{"a":5}}"#,
            422,
            patch(r#""map[data:map[a:5]]": cannot convert int64 to string"#),
        ),
        (strategic, r#"{"data":[]}"#, 422, patch(r#""map[data:[]]": cannot restore map from slice"#)),
        (
            strategic,
            r#"{"metadata":"x"}"#,
            422,
            patch(r#""map[metadata:x]": cannot restore struct from: string"#),
        ),
        (json, r#"[{"op":"remove","path":"/metadata"}]"#, 400, no_name.to_owned()),
        (
            apply,
            r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":null}}"#,
            400,
            no_name.to_owned(),
        ),
    ] {
        let uri = if ty == apply { format!("{map}?fieldManager=m") } else { map.to_owned() };
        let answer = send(&server, "PATCH", &uri, &format!("application/{ty}"), body).await;
        assert_eq!((answer.0, message(&answer.1)), (code, expected.as_str()), "{ty} {body}");
    }
    let (code, answer) =
        send(&server, "PATCH", &format!("{map}?force=true"), &format!("application/{merge}"), "{}").await;
    let why = "PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be specified for non-apply patch";
    assert_eq!((code, message(&answer)), (422, why));
}

#[tokio::test]
async fn json_has_no_byte_order_mark() {
    let server = Server::new();
    let body = "\u{feff}{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}";
    let maps = "/api/v1/namespaces/default/configmaps";
    let (code, answer) = post(&server, maps, body).await;
    let why = "invalid character 'ï' looking for beginning of value";
    assert!(code == 400 && message(&answer).contains(why), "{answer}");
    assert_eq!(send(&server, "POST", maps, "application/yaml", body).await.0, 201);
}

#[tokio::test]
async fn a_cluster_always_has_some_namespaces() {
    let server = Server::new();
    for (name, expected) in
        [("default", 403), ("kube-public", 403), ("kube-system", 403), ("kube-node-lease", 200)]
    {
        let (code, answer) =
            send(&server, "DELETE", &format!("/api/v1/namespaces/{name}"), "application/json", "").await;
        assert_eq!(code, expected, "{answer}");
        if code == 403 {
            let why = format!("namespaces \"{name}\" is forbidden: this namespace may not be deleted");
            assert_eq!(message(&answer), why);
        }
    }
}

#[tokio::test]
async fn data_has_the_keys_that_the_server_wants() {
    let server = Server::new();
    let key = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or \
               'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    let long = "a".repeat(254);
    let invalid =
        |field: &str, name: &str, why: &str| format!("{field}[{name}]: Invalid value: \"{name}\": {why}");
    let required = |field: &str| format!("{field}: Required value");
    let of_type = |name: &str, more: &str| format!(r#""type":"kubernetes.io/{name}"{more}"#);
    for (kind, content, expected) in [
        ("ConfigMap", r#""data":{"a b":"x"}"#.to_owned(), invalid("data", "a b", key)),
        (
            "ConfigMap",
            r#""data":{"..":"x"},"binaryData":{"..x":"eA=="}"#.to_owned(),
            format!(
                "[{}, {}]",
                invalid("data", "..", "must not be '..'"),
                invalid("binaryData", "..x", "must not start with '..'")
            ),
        ),
        (
            "ConfigMap",
            r#""data":{"a":"x"},"binaryData":{"a":"eA=="}"#.to_owned(),
            invalid("data", "a", "duplicate of key present in binaryData"),
        ),
        (
            "ConfigMap",
            format!(r#""data":{{"{long}":"x"}}"#),
            invalid("data", &long, "must be no more than 253 characters"),
        ),
        ("Secret", r#""stringData":{"a/b":"x"}"#.to_owned(), invalid("data", "a/b", key)),
        ("Secret", of_type("tls", r#","stringData":{"tls.crt":"x"}"#), required("data[tls.key]")),
        ("Secret", of_type("tls", r#","stringData":{"tls.crt":"","tls.key":""}"#), String::new()),
        (
            "Secret",
            of_type("basic-auth", ""),
            format!("[{}, {}]", required("data[username]"), required("data[password]")),
        ),
        ("Secret", of_type("basic-auth", r#","stringData":{"password":""}"#), String::new()),
        (
            "Secret",
            of_type("ssh-auth", r#","stringData":{"ssh-privatekey":""}"#),
            required("data[ssh-privatekey]"),
        ),
        (
            "Secret",
            of_type("dockerconfigjson", r#","stringData":{"x":"y"}"#),
            required("data[.dockerconfigjson]"),
        ),
        ("Secret", of_type("dockercfg", ""), required("data[.dockercfg]")),
        (
            "Secret",
            of_type("service-account-token", ""),
            required("metadata.annotations[kubernetes.io/service-account.name]"),
        ),
    ] {
        let plural = format!("{}s", kind.to_lowercase());
        let uri = format!("/api/v1/namespaces/default/{plural}?dryRun=All");
        let body = format!(r#"{{"apiVersion":"v1","kind":"{kind}","metadata":{{"name":"k1"}},{content}}}"#);
        let (code, answer) = post(&server, &uri, &body).await;
        match expected.as_str() {
            "" => assert_eq!(code, 201, "{content}: {answer}"),
            expected => {
                let expected = format!("{kind} \"k1\" is invalid: {expected}");
                assert_eq!((code, message(&answer)), (422, expected.as_str()), "{content}");
            }
        }
    }
}

#[tokio::test]
async fn options_have_their_rules() {
    let server = Server::new();
    let maps = "/api/v1/namespaces/default/configmaps";
    let long = "x".repeat(129);
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    let wrong = "resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax";
    for (method, uri, code, expected) in [
        (
            "POST",
            format!("{maps}?fieldManager={long}"),
            422,
            "CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: Too long: may not be more than 128 bytes".to_owned(),
        ),
        (
            "PUT",
            format!("{maps}/a?fieldManager=%01a"),
            422,
            "UpdateOptions.meta.k8s.io \"\" is invalid: fieldManager: Invalid value: \"\\x01a\": invalid character U+0001 (at position 0)"
                .to_owned(),
        ),
        ("POST", format!("{maps}?dryRun=Foo"), 422, "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Foo\"]: supported values: \"All\"".to_owned()),
        ("DELETE", format!("{maps}/a?dryRun=Foo"), 422, "DeleteOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Foo\"]: supported values: \"All\"".to_owned()),
        ("PUT", format!("{maps}/a?fieldValidation=x"), 422, "UpdateOptions.meta.k8s.io \"\" is invalid: fieldValidation: Unsupported value: \"x\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"".to_owned()),
        ("GET", format!("{maps}?resourceVersion=abc"), 400, format!("invalid resource version: {wrong}")),
        ("GET", format!("{maps}?watch=1&resourceVersion=abc"), 500, wrong.to_owned()),
        ("GET", format!("{maps}/kube-root-ca.crt?resourceVersion=abc"), 500, wrong.to_owned()),
    ] {
        let (found, answer) = send(&server, method, &uri, "application/json", body).await;
        assert_eq!((found, message(&answer)), (code, expected.as_str()), "{method} {uri}");
    }
    let uri = format!("{maps}/kube-root-ca.crt");
    for (body, expected) in [
        (
            r#"{"orphanDependents":true,"propagationPolicy":"Orphan"}"#,
            r#"propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set"#,
        ),
        (r#"{"dryRun":["Foo"]}"#, r#"dryRun: Unsupported value: ["Foo"]: supported values: "All""#),
    ] {
        let (code, answer) = send(&server, "DELETE", &uri, "application/json", body).await;
        let expected = format!(r#"DeleteOptions.meta.k8s.io "" is invalid: {expected}"#);
        assert_eq!((code, message(&answer)), (422, &*expected), "{body}");
    }
    let reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
    let body = r#"{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{}}"#;
    let (code, answer) = post(&server, reviews, body).await;
    assert_eq!((code, message(&answer)), (400, "token is required for TokenReview in authentication"));
}
