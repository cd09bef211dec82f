//! The controller of CronTabs applies typed configurations. An API server in this process says who owns what.

#[allow(dead_code, unused_macros, reason = "the live tests use more of it")]
mod story;

use controller::crontabs;
use controller::crontabs::api::v1::{CronTab, CronTabApply};
use crdgen::testing::Server;
use kube::api::{Api, Patch, PatchParams};
use kube::core::CustomResourceExt;
use kube::{Client, ResourceExt};
use serde_json::json;
use story::until;

const NAME: &str = "crontab-controller";

/// Waits until the status has this number of replicas.
async fn with_replicas(tabs: &Api<CronTab>, replicas: i32) -> CronTab {
    until("status", || async {
        let tab = tabs.get("nightly").await.ok()?;
        (tab.status.as_ref()?.replicas == Some(replicas)).then_some(tab)
    })
    .await
}

#[tokio::test]
async fn the_controller_owns_what_it_applies() {
    let server = Server::new();
    let client = Client::new(server.clone(), "default");
    story::define(&client, vec![CronTab::crd()]).await;
    let tabs: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let running = tokio::spawn(crontabs::run(client.clone()));

    // The server has set the default number of replicas. It has no owner, so others may set it without a conflict.
    let tab = with_replicas(&tabs, 1).await;
    let object = serde_json::to_value(&tab).expect("an object");
    let owned: CronTabApply =
        crdgen::apply::extract(&object, NAME, "").expect("readable").expect("some fields");
    assert_eq!(
        serde_json::to_value(&owned).expect("an object"),
        json!({
            "apiVersion": "stable.example.com/v1", "kind": "CronTab",
            "metadata": { "name": "nightly", "namespace": "default" },
            "spec": { "cronSpec": "0 3 * * *", "image": "backup:1" }
        })
    );
    let scale = Patch::Apply(json!({
        "apiVersion": "stable.example.com/v1", "kind": "CronTab", "spec": { "replicas": 3 }
    }));
    tabs.patch("nightly", &PatchParams::apply("scaler"), &scale).await.expect("no conflict");
    let before = with_replicas(&tabs, 3).await.resource_version();

    // Another start applies the same fields, and the server writes nothing.
    running.abort();
    let requests = server.requests().len();
    let running = tokio::spawn(crontabs::run(client));
    until("another apply", || async {
        (!server.requests().since(requests).writes_to("crontabs").is_empty()).then_some(())
    })
    .await;
    assert_eq!(tabs.get("nightly").await.expect("a CronTab").resource_version(), before);
    running.abort();
}
