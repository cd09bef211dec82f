//! Tests the controllers with the API server's own code. This runs if `$CRDGEN_LIVE` is set and `$CRDGEN_ORACLE` is the
//! program that serves (`tests/oracle`).

#[macro_use]
mod story;

use controller::crontabs::api::v1::{CronTab, CronTabSpec};
use controller::{crontabs, site, site_kube_rs};
use crdgen_live_server::Server;
use kube::api::{Api, PostParams};
use kube::core::CustomResourceExt;
use story::{client, define, until};

story!(crdgen, site);
story!(kube_rs, site_kube_rs);

/// For kinds of other projects, the server has the CRD, and the types are generated from it.
#[tokio::test]
async fn imported() {
    let Some(server) = Server::start("imported") else { return };
    let client = client(&server).await;
    define(&client, vec![CronTab::crd()]).await;
    let tabs: Api<CronTab> = Api::namespaced(client.clone(), "default");
    let running = tokio::spawn(crontabs::run(client.clone()));
    let replicas = |name: &'static str, wanted: i32| {
        let tabs = &tabs;
        move || async move {
            let tab = tabs.get(name).await.ok()?;
            (tab.status.as_ref()?.replicas == Some(wanted)).then_some(tab)
        }
    };
    // The object that the controller created has the server's defaults and a status.
    let nightly = until("status", replicas("nightly", 1)).await;
    assert_eq!(nightly.spec.replicas, Some(1));
    assert_eq!(nightly.status.and_then(|s| s.label_selector).as_deref(), Some("crontab=nightly"));

    // The limits of the CRD are enforced.
    let spec = |replicas| CronTabSpec {
        cron_spec: "* * * * *".to_owned(),
        image: "i".to_owned(),
        replicas: Some(replicas),
        suspend: Some(None),
    };
    let refused = tabs.create(&PostParams::default(), &CronTab::new("many", spec(11))).await;
    let refused = refused.expect_err("ten at most").to_string();
    assert!(refused.contains("spec.replicas in body should be less than or equal to 10"), "{refused}");

    // The watch sees the object, then a change of it. `null` stays `null`.
    tabs.create(&PostParams::default(), &CronTab::new("some", spec(3))).await.expect("a crontab");
    let mut some = until("status", replicas("some", 3)).await;
    assert_eq!(some.spec.suspend, Some(None));
    some.spec.suspend = Some(Some(true));
    tabs.replace("some", &PostParams::default(), &some).await.expect("replaced");
    until("status", replicas("some", 0)).await;
    running.abort();
}
