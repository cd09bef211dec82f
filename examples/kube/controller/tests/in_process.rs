//! Tests the controller with an API server in this process: no cluster, no etcd, no waiting for a server to start.

#[allow(dead_code, unused_macros, reason = "the live tests use more of it")]
mod story;

use controller::site;
use controller::site::kinds::{Page, Site};
use crdgen::testing::{Fault, Rule, Server};
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
