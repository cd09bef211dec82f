//! The life of a site on a live server. `examples/kube/versions.sh` runs it with other versions of kube.

use crdgen_live_server::Server;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::ApiResource;
use kube::{Client, Config, ResourceExt};
use serde_json::{Value, json};
use std::future::Future;
use std::time::Duration;

pub(super) async fn client(server: &Server) -> Client {
    let kubeconfig = Kubeconfig::read_from(server.kubeconfig()).expect("the server wrote it");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Client::try_from(config.expect("a configuration")).expect("a client")
}

/// Calls a function until it returns an answer. A watch of an older kube that failed several times, because the server
/// was busy, waits up to half a minute before it tries again.
pub(super) async fn until<T, F: Future<Output = Option<T>>>(what: &str, ask: impl Fn() -> F) -> T {
    for _ in 0..1200 {
        if let Some(answer) = ask().await {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("no {what} after two minutes");
}

/// Events belong to the core API server, which does not run here. A kind of the same name replaces them.
pub(super) fn events() -> CustomResourceDefinition {
    serde_json::from_value(json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": "events.events.k8s.io",
            "annotations": { "api-approved.kubernetes.io": "unapproved, stands in for the core API server" }
        },
        "spec": {
            "group": "events.k8s.io",
            "scope": "Namespaced",
            "names": { "plural": "events", "singular": "event", "kind": "Event", "listKind": "EventList" },
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": { "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } }
            }]
        }
    }))
    .expect("a definition")
}

pub(super) async fn define(client: &Client, crds: Vec<CustomResourceDefinition>) {
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    for crd in crds {
        let made = api.create(&PostParams::default(), &crd).await;
        let name = made.unwrap_or_else(|e| panic!("{}: {e}", crd.name_any())).name_any();
        until("established definition", || async {
            let conditions = api.get(&name).await.ok()?.status?.conditions?;
            conditions.iter().any(|c| c.type_ == "Established" && c.status == "True").then_some(())
        })
        .await;
    }
}

/// Generates a test of the types and the controller in a module.
macro_rules! story {
    ($name:ident, $site:ident) => {
        #[tokio::test]
        async fn $name() {
            let Some(server) = crdgen_live_server::Server::start(stringify!($name)) else { return };
            use $site::kinds::{Page, Phase, Site};
            use kube::core::CustomResourceExt as _;
            let client = story::client(&server).await;
            story::define(&client, vec![Site::crd(), Page::crd(), story::events()]).await;
            let running = tokio::spawn($site::reconcile::run(client.clone()));
            let result = story::live(client, Site::api_resource(), Page::api_resource()).await;
            running.abort();
            assert_eq!(result, serde_json::json!({ "phase": Phase::Ready, "pages": 2, "observedGeneration": 2 }));
        }
    };
}

/// Tests the life of a site. Returns its last status.
pub(super) async fn live(client: Client, site: ApiResource, page: ApiResource) -> Value {
    let sites: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &site);
    let pages: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &page);
    let events: Api<Event> = Api::namespaced(client, "default");
    let own = |site: Value| -> DynamicObject { serde_json::from_value(site).expect("an object") };
    let object = |pages: Value| {
        json!({
            "apiVersion": "www.example.com/v1", "kind": "Site",
            "metadata": { "name": "one" },
            "spec": { "title": "One", "pages": pages }
        })
    };
    // The server enforces the schema's rules.
    let refused = sites.create(&PostParams::default(), &own(object(json!([])))).await;
    let refused = refused.expect_err("a site has pages").to_string();
    assert!(refused.contains("a site has pages"), "{refused}");
    let twice = object(json!([{ "name": "a" }, { "name": "a" }]));
    let refused =
        sites.create(&PostParams::default(), &own(twice)).await.expect_err("names are keys").to_string();
    assert!(refused.contains(r#"Duplicate value: {"name":"a"}"#), "{refused}");

    // The site is created and reconciled, and its status is set.
    let both = object(json!([{ "name": "home", "text": "Hello" }, { "name": "about" }]));
    sites.create(&PostParams::default(), &own(both)).await.expect("a site");
    let status = |wanted: i64| {
        let sites = &sites;
        move || async move {
            let site = sites.get("one").await.ok()?;
            (site.data.pointer("/status/observedGeneration") == Some(&json!(wanted))).then_some(site)
        }
    };
    let made = until("status", status(1)).await;
    assert_eq!(made.data["status"], json!({ "phase": "Ready", "pages": 2, "observedGeneration": 1 }));
    assert_eq!(made.finalizers(), ["www.example.com/pages"]);

    // The controller has applied the objects that it owns, with the labels of their kind.
    let home = pages.get("one-home").await.expect("a page");
    assert_eq!(home.data["spec"], json!({ "title": "One", "text": "Hello" }));
    assert_eq!(home.labels().get("app").map(String::as_str), Some("site"));
    assert_eq!(home.owner_references()[0].name, "one");
    let managers = home.managed_fields();
    assert!(
        managers
            .iter()
            .any(|m| m.manager.as_deref() == Some("site-controller")
                && m.operation.as_deref() == Some("Apply"))
    );
    let event =
        until("event", || async { events.list(&ListParams::default()).await.ok()?.items.pop() }).await;
    assert_eq!((event.reason.as_deref(), event.note.as_deref()), (Some("Published"), Some("2 pages")));

    // Another client changes one item of the list by its key, and does not touch the other.
    let other = PatchParams::apply("editor").force();
    sites
        .patch("one", &other, &Patch::Apply(own(object(json!([{ "name": "home", "text": "Hi" }])))))
        .await
        .expect("applied");
    let merged = sites.get("one").await.expect("a site");
    assert_eq!(merged.data["spec"]["pages"].as_array().map(Vec::len), Some(2), "{}", merged.data["spec"]);
    let last = until("status", status(2)).await;
    assert_eq!(pages.get("one-home").await.expect("a page").data["spec"]["text"], "Hi");

    // The site is deleted: the finalizer runs first.
    sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    until("end of the site", || async { sites.get_opt("one").await.ok()?.is_none().then_some(()) }).await;
    assert!(pages.list(&ListParams::default()).await.expect("pages").items.is_empty());
    last.data["status"].clone()
}
