//! Tests the controller with an API server in this process: no cluster, no etcd, no waiting for a server to start.

#[allow(dead_code, unused_macros, reason = "the live tests use more of it")]
mod story;

use controller::site;
use controller::site::kinds::{Page, Site};
use crdgen::testing::{Fault, Rule, Server};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::core::CustomResourceExt;
use kube::{Client, ResourceExt};
use serde_json::json;
use std::time::Duration;
use story::until;

/// A server with the CRDs, a client, and the running controller.
async fn started() -> (Server, Client, tokio::task::JoinHandle<()>) {
    let server = Server::new();
    let client = Client::new(server.clone(), "default");
    story::define(&client, vec![Site::crd(), Page::crd()]).await;
    let running = tokio::spawn(site::reconcile::run(client.clone()));
    (server, client, running)
}

fn site(pages: &[&str]) -> Site {
    let pages: Vec<_> = pages.iter().map(|name| json!({ "name": name, "text": name })).collect();
    serde_json::from_value(json!({
        "apiVersion": "www.example.com/v1", "kind": "Site",
        "metadata": { "name": "one" },
        "spec": { "title": "One", "pages": pages }
    }))
    .expect("a site")
}

/// Waits until the controller has reconciled a generation of the site.
async fn reconciled(sites: &Api<Site>, generation: i64) -> Site {
    until("status", || async {
        let site = sites.get("one").await.ok()?;
        (site.status.as_ref()?.observed_generation == Some(generation)).then_some(site)
    })
    .await
}

#[tokio::test]
async fn a_site_lives_as_on_a_live_server() {
    let (_server, client, running) = started().await;
    let last = story::live(client, Site::api_resource(), Page::api_resource()).await;
    assert_eq!(last, json!({ "phase": "Ready", "pages": 2, "observedGeneration": 2 }));
    running.abort();
}

#[tokio::test]
async fn the_controller_recovers_from_failed_requests() {
    for fault in [Fault::Conflict, Fault::Internal, Fault::TooManyRequests, Fault::LostResponse] {
        let (server, client, running) = started().await;
        server.inject(Rule::new(fault).verb("patch").resource("pages"));
        let sites: Api<Site> = Api::namespaced(client.clone(), "default");
        sites.create(&PostParams::default(), &site(&["home"])).await.expect("a site");
        reconciled(&sites, 1).await;
        let failed = server.requests().writes_to("pages").filter(|request| request.code >= 400);
        assert_eq!(failed.len(), 1, "{fault:?}");
        running.abort();
    }
}

#[tokio::test]
async fn a_controller_that_starts_again_finishes_the_work() {
    let (_server, client, running) = started().await;
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    sites.create(&PostParams::default(), &site(&["home"])).await.expect("a site");
    reconciled(&sites, 1).await;
    running.abort();
    let patch = Patch::Merge(json!({ "spec": { "title": "Two" } }));
    sites.patch("one", &PatchParams::default(), &patch).await.expect("patched");
    let running = tokio::spawn(site::reconcile::run(client.clone()));
    reconciled(&sites, 2).await;
    let pages: Api<Page> = Api::namespaced(client, "default");
    assert_eq!(pages.get("one-home").await.expect("a page").spec.title, "Two");
    running.abort();
}

#[tokio::test]
async fn the_controller_lists_again_after_it_missed_changes() {
    let (server, client, running) = started().await;
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    sites.create(&PostParams::default(), &site(&["home"])).await.expect("a site");
    reconciled(&sites, 1).await;
    let patch = Patch::Merge(json!({ "spec": { "title": "Two" } }));
    sites.patch("one", &PatchParams::default(), &patch).await.expect("patched");
    // The change is gone before the watch of the controller has read it, or after.
    server.forget_changes();
    reconciled(&sites, 2).await;
    running.abort();
}

#[tokio::test]
async fn reconciling_again_writes_no_page() {
    let (server, client, running) = started().await;
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    sites.create(&PostParams::default(), &site(&["home"])).await.expect("a site");
    reconciled(&sites, 1).await;
    let pages: Api<Page> = Api::namespaced(client.clone(), "default");
    let before = pages.get("one-home").await.expect("a page").resource_version();
    let requests = server.requests().len();
    let patch = Patch::Merge(json!({ "metadata": { "labels": { "touched": "yes" } } }));
    sites.patch("one", &PatchParams::default(), &patch).await.expect("patched");
    until("another reconciliation", || async {
        (!server.requests().since(requests).writes_to("pages").is_empty()).then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let after = pages.get("one-home").await.expect("a page").resource_version();
    assert_eq!(before, after, "an apply without a change writes nothing");
    running.abort();
}

#[tokio::test]
async fn the_finalizer_runs_before_the_site_is_gone() {
    let (server, client, running) = started().await;
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    sites.create(&PostParams::default(), &site(&["home", "about"])).await.expect("a site");
    reconciled(&sites, 1).await;
    sites.delete("one", &DeleteParams::default()).await.expect("deleted");
    until("end of the site", || async { sites.get_opt("one").await.ok()?.is_none().then_some(()) }).await;
    let pages: Api<Page> = Api::namespaced(client, "default");
    assert!(pages.list(&Default::default()).await.expect("pages").items.is_empty());
    assert!(server.requests().len() > 10);
    running.abort();
}

#[tokio::test]
async fn a_controller_notices_that_the_installed_crd_is_another_one() {
    let server = Server::new();
    let client = Client::new(server.clone(), "default");
    let check = || async { crdgen::kube::check_installed!(Site, &client).await.expect("the server answers") };
    assert_eq!(
        check().await.to_string(),
        "the CRD sites.www.example.com is not installed. Apply it before this program starts"
    );
    let mut old = serde_json::to_value(Site::crd()).expect("JSON");
    let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let fields = old.pointer_mut(spec).expect("the fields of the spec");
    fields["title"]["maxLength"] = 20.into();
    let page = fields.pointer_mut("/pages/items/properties").and_then(|it| it.as_object_mut());
    page.expect("the fields of a page").remove("text");
    story::define(&client, vec![serde_json::from_value(old).expect("a CRD")]).await;
    let skew = check().await;
    assert_eq!(
        skew.differences.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "spec.title: maxLength is 20 in the installed CRD, but 80 in the types",
            "spec.pages[].text: the installed CRD does not have this field, so the server drops it",
        ]
    );
    // A controller that starts anyway would not notice: the server accepts the object, and drops the text.
    let sites: Api<Site> = Api::namespaced(client.clone(), "default");
    let made = sites.create(&PostParams::default(), &site(&["home"])).await.expect("a site");
    assert_eq!(made.spec.pages[0].text, "");
    assert!(skew.into_result().is_err());

    let apply = PatchParams::apply("test").force();
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let current = serde_json::to_value(Site::crd()).expect("JSON");
    crds.patch("sites.www.example.com", &apply, &Patch::Apply(current)).await.expect("applied");
    assert_eq!(check().await.into_result(), Ok(()));
}
