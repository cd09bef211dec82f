//! Webhooks are asked about what the controllers do, as on a cluster with kube-controller-manager.

use super::conversion::tower_service_fn as service;
use super::{at, find, get, map, merge, post, reviewer, send};
use bytes::Bytes;
use crdgen_apiserver::Server;
use crdgen_core::value::Value;
use http::Request;
use http_body_util::Full;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tower_service::Service;

const CONFIGURATION: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: see}
webhooks:
- name: see.example.com
  clientConfig: {service: {name: see, namespace: system}}
  rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [UPDATE, DELETE], resources: [configmaps, secrets, namespaces, namespaces/finalize]}]
  sideEffects: None
  admissionReviewVersions: [v1]
";
const DEFAULT: &str = "/api/v1/namespaces/default";

/// What a webhook was asked, and the names of the objects that must stay.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<(Vec<String>, Vec<String>)>>);

impl Seen {
    /// The questions since the last time.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no panic").0)
    }

    fn deny(&self, names: &[&str]) {
        self.0.lock().expect("no panic").1 = names.iter().map(|&name| name.to_owned()).collect();
    }
}

fn server() -> (Server, Seen) {
    let (server, seen) = (Server::new(), Seen::default());
    server.add(CONFIGURATION).unwrap_or_else(|why| panic!("{why}"));
    let asked = seen.clone();
    let webhook = reviewer(move |request| {
        let name = match at(request, "name") {
            "" => "-",
            name => name,
        };
        let subresource = match at(request, "subResource") {
            "" => String::new(),
            name => format!("/{name}"),
        };
        let user = at(request, "userInfo.username").rsplit(':').next().unwrap_or_default();
        let line = format!(
            "{} {}{subresource} {}/{name} {} by {user}",
            at(request, "operation"),
            at(request, "resource.resource"),
            at(request, "namespace"),
            at(request, "oldObject.metadata.name"),
        );
        let is_meant = at(request, "options.preconditions.uid") == at(request, "oldObject.metadata.uid");
        let line = if is_meant { format!("{line} with its uid") } else { line };
        let mut seen = asked.0.lock().expect("no panic");
        seen.0.push(line);
        let is_denied = at(request, "operation") == "DELETE"
            && seen.1.iter().any(|name| name == at(request, "oldObject.metadata.name"));
        map([("allowed", (!is_denied).into())])
    });
    server.webhook("see.system.svc", webhook);
    (server, seen)
}

async fn create(server: &Server, uri: &str, metadata: &str) -> Value {
    let (code, created) = post(server, uri, &format!(r#"{{"metadata":{{{metadata}}}}}"#)).await;
    assert_eq!(code, 201, "{created}");
    created
}

/// Creates an owner and its dependent.
async fn family(server: &Server) {
    let owner = create(server, &format!("{DEFAULT}/configmaps"), r#""name":"owner""#).await;
    let metadata = format!(
        r#""name":"dep","ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"{}","blockOwnerDeletion":true}}]"#,
        at(&owner, "metadata.uid")
    );
    create(server, &format!("{DEFAULT}/secrets"), &metadata).await;
}

async fn delete(server: &Server, uri: &str, options: &str) {
    let (code, answer) = send(server, "DELETE", uri, "application/json", options).await;
    assert_eq!(code, 200, "{answer}");
}

/// What a control plane of 1.37 asks, except for the names of the users.
#[tokio::test]
async fn webhooks_see_what_the_garbage_collector_does() {
    let (server, seen) = server();
    for (policy, expected) in [
        ("Background", &["DELETE secrets default/dep dep by generic-garbage-collector with its uid"][..]),
        (
            "Foreground",
            &[
                "DELETE secrets default/dep dep by generic-garbage-collector with its uid",
                "UPDATE configmaps default/owner owner by generic-garbage-collector",
            ],
        ),
        (
            "Orphan",
            &[
                "UPDATE secrets default/dep dep by generic-garbage-collector",
                "UPDATE configmaps default/owner owner by generic-garbage-collector",
            ],
        ),
    ] {
        family(&server).await;
        seen.take();
        let options = format!(r#"{{"propagationPolicy":"{policy}"}}"#);
        delete(&server, &format!("{DEFAULT}/configmaps/owner"), &options).await;
        let found = seen.take();
        assert_eq!(found[0], "DELETE configmaps default/owner owner by kubernetes-admin");
        assert_eq!(found[1..], *expected, "{policy}");
        assert_eq!(get(&server, &format!("{DEFAULT}/configmaps/owner")).await.0, 404, "{policy}");
    }
    let (_, dependent) = get(&server, &format!("{DEFAULT}/secrets/dep")).await;
    assert_eq!(find(&dependent, "metadata.ownerReferences"), None, "an orphan");
}

#[tokio::test]
async fn a_namespace_asks_about_its_contents() {
    let (server, seen) = server();
    create(&server, "/api/v1/namespaces", r#""name":"gone""#).await;
    create(&server, "/api/v1/namespaces/gone/configmaps", r#""name":"a""#).await;
    create(&server, "/api/v1/namespaces/gone/secrets", r#""name":"s""#).await;
    delete(&server, "/api/v1/namespaces/gone", "").await;
    let expected = [
        "DELETE namespaces gone/gone gone by kubernetes-admin with its uid",
        "DELETE configmaps gone/- a by namespace-controller",
        "DELETE secrets gone/- s by namespace-controller",
        "DELETE configmaps gone/- kube-root-ca.crt by namespace-controller",
        "UPDATE namespaces/finalize gone/gone gone by namespace-controller",
    ];
    assert_eq!(seen.take(), expected);
    assert_eq!(get(&server, "/api/v1/namespaces/gone").await.0, 404);
}

/// The webhook asks the server before it answers, and its requests do not wait for what it is asked about.
#[tokio::test]
async fn a_webhook_can_use_the_server_while_a_controller_waits() {
    let server = Server::new();
    server.add(CONFIGURATION).unwrap_or_else(|why| panic!("{why}"));
    let calls = Arc::new(Mutex::new(0));
    let (other, counted) = (server.clone(), Arc::clone(&calls));
    let webhook = service(move |request: Request<Full<Bytes>>| {
        let (other, counted) = (other.clone(), Arc::clone(&counted));
        async move {
            *counted.lock().expect("no panic") += 1;
            let (code, _) = get(&other, &format!("{DEFAULT}/configmaps")).await;
            assert_eq!(code, 200);
            let patch = r#"{"metadata":{"labels":{"a":"b"}}}"#;
            assert_eq!(merge(&other, &format!("{DEFAULT}/services/kubernetes"), patch).await.0, 200);
            reviewer(|_| map([("allowed", true.into())])).call(request).await
        }
    });
    server.webhook("see.system.svc", webhook);
    family(&server).await;
    delete(&server, &format!("{DEFAULT}/configmaps/owner"), "").await;
    assert_eq!(get(&server, &format!("{DEFAULT}/secrets/dep")).await.0, 404);
    assert_eq!(*calls.lock().expect("no panic"), 2);
}

#[tokio::test]
async fn what_a_webhook_does_not_allow_stays_until_it_does() {
    let (server, seen) = server();
    seen.deny(&["a", "dep"]);
    create(&server, "/api/v1/namespaces", r#""name":"kept""#).await;
    for name in ["a", "b"] {
        create(&server, "/api/v1/namespaces/kept/configmaps", &format!(r#""name":"{name}""#)).await;
    }
    create(&server, "/api/v1/namespaces/kept/secrets", r#""name":"s""#).await;
    delete(&server, "/api/v1/namespaces/kept", "").await;
    let (code, namespace) = get(&server, "/api/v1/namespaces/kept").await;
    assert_eq!((code, at(&namespace, "status.phase")), (200, "Terminating"));
    let codes = async |paths: [&str; 3]| {
        let mut codes = Vec::new();
        for path in paths {
            codes.push(get(&server, &format!("/api/v1/namespaces/kept/{path}")).await.0);
        }
        codes
    };
    let contents = ["configmaps/a", "configmaps/b", "secrets/s"];
    // The first that stays ends the deletion of those of its kind.
    assert_eq!(codes(contents).await, [200, 200, 404]);
    family(&server).await;
    delete(&server, &format!("{DEFAULT}/configmaps/owner"), "").await;
    assert_eq!(get(&server, &format!("{DEFAULT}/secrets/dep")).await.0, 200);
    seen.deny(&[]);
    create(&server, &format!("{DEFAULT}/configmaps"), r#""name":"other""#).await;
    assert_eq!(get(&server, &format!("{DEFAULT}/secrets/dep")).await.0, 404);
    assert_eq!(get(&server, "/api/v1/namespaces/kept").await.0, 404);
}

#[tokio::test]
async fn controllers_try_again_after_some_time() {
    let (server, seen) = server();
    seen.deny(&["dep"]);
    family(&server).await;
    delete(&server, &format!("{DEFAULT}/configmaps/owner"), "").await;
    server.advance(Duration::from_secs(1));
    seen.deny(&[]);
    assert_eq!(get(&server, &format!("{DEFAULT}/secrets/dep")).await.0, 200, "nothing has changed");
    server.advance(Duration::from_secs(10));
    // The first request after that lets them.
    get(&server, "/api/v1/nodes").await;
    assert_eq!(get(&server, &format!("{DEFAULT}/secrets/dep")).await.0, 404);
}

/// A webhook for CronTabs, whose answers are JSON patches.
const MUTATING: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: change}
webhooks:
- name: change.example.com
  clientConfig: {service: {name: change, namespace: system}}
  rules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [UPDATE], resources: [crontabs]}]
  sideEffects: None
  admissionReviewVersions: [v1]
";

#[tokio::test]
async fn what_webhooks_make_of_an_update_by_a_controller_is_checked() {
    // One adds a field that the schema does not have, the other one sets a number that is too large.
    let unknown = r#"[{"op":"add","path":"/spec/unknown","value":1}]"#;
    let too_large = r#"[{"op":"add","path":"/spec/replicas","value":11}]"#;
    for (patch, is_freed) in [(unknown, true), (too_large, false)] {
        let server = Server::new();
        server.add(include_str!("../crd.yaml")).unwrap_or_else(|why| panic!("{why}"));
        server.add(MUTATING).unwrap_or_else(|why| panic!("{why}"));
        let answer = crdgen_core::go::base64_encode(patch.as_bytes());
        let webhook = reviewer(move |_| {
            map([
                ("allowed", true.into()),
                ("patchType", "JSONPatch".into()),
                ("patch", answer.as_str().into()),
            ])
        });
        server.webhook("change.system.svc", webhook);
        let owner = create(&server, &format!("{DEFAULT}/configmaps"), r#""name":"owner""#).await;
        let object = format!(
            r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{{"name":"a","ownerReferences":[{{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"{}"}}]}},"spec":{{"image":"i"}}}}"#,
            at(&owner, "metadata.uid")
        );
        let all = "/apis/stable.example.com/v1/namespaces/default/crontabs";
        assert_eq!(post(&server, all, &object).await.0, 201);
        let orphan = r#"{"propagationPolicy":"Orphan"}"#;
        delete(&server, &format!("{DEFAULT}/configmaps/owner"), orphan).await;
        let (code, found) = get(&server, &format!("{all}/a")).await;
        assert_eq!(code, 200, "{found}");
        assert_eq!(find(&found, "metadata.ownerReferences").is_none(), is_freed, "{found}");
        assert_eq!(find(&found, "spec.unknown"), None, "{found}");
        assert_ne!(find(&found, "spec.replicas"), Some(&Value::Int(11)), "{found}");
    }
}

/// The webhook of one client never answers. Whoever starts what it is asked about waits for a while, and others do not.
#[tokio::test(start_paused = true)]
async fn nobody_waits_for_what_a_silent_webhook_is_asked_for_others() {
    let (server, calls) = (Server::new(), Arc::new(Mutex::new(0)));
    server
        .add(&CONFIGURATION.replace(
            "[UPDATE, DELETE], resources: [configmaps, secrets, namespaces, namespaces/finalize]",
            "[CREATE], resources: [configmaps]",
        ))
        .unwrap_or_else(|why| panic!("{why}"));
    let counted = Arc::clone(&calls);
    let silent = service(move |_: Request<Full<Bytes>>| {
        *counted.lock().expect("no panic") += 1;
        std::future::pending::<Result<http::Response<Full<Bytes>>, std::convert::Infallible>>()
    });
    server.webhook("see.system.svc", silent);
    let start = tokio::time::Instant::now();
    // Each namespace gets a ConfigMap, which needs the webhook.
    assert_eq!(post(&server, "/api/v1/namespaces", r#"{"metadata":{"name":"x"}}"#).await.0, 201);
    assert_eq!(start.elapsed(), Duration::from_secs(5));
    for name in ["a", "b", "c"] {
        let start = tokio::time::Instant::now();
        let body = format!(r#"{{"metadata":{{"name":"{name}"}}}}"#);
        assert_eq!(post(&server, "/api/v1/namespaces/default/serviceaccounts", &body).await.0, 201);
        assert_eq!(get(&server, DEFAULT).await.0, 200);
        assert_eq!(start.elapsed(), Duration::ZERO, "{name}");
        tokio::time::sleep(Duration::from_secs(11)).await;
    }
    assert!(*calls.lock().expect("no panic") > 1, "the controllers try again");
}
