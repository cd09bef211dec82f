//! A controller for a kind of another project: CronTabs from the user guide of Kubernetes. build.rs generates their
//! types from the CRD, with a typed configuration for server-side apply for each.

use api::v1::{CronTab, CronTabApply, CronTabSpecApply, CronTabStatus};
use futures::StreamExt;
use kube::api::{Api, Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Client, ResourceExt};
use std::sync::Arc;
use std::time::Duration;

/// The types that build.rs generates.
pub mod api {
    crdgen::include!("stable.example.com");
}

const NAME: &str = "crontab-controller";

/// Updates the status of every CronTab until it is dropped. First applies a CronTab that makes a backup every night: the
/// server creates it, or changes what other users have set in these fields.
///
/// # Errors
/// Returns an error if the CronTab cannot be applied.
pub async fn run(client: Client) -> Result<(), kube::Error> {
    let spec = CronTabSpecApply::new().with_cron_spec("0 3 * * *").with_image("backup:1");
    let nightly = CronTabApply::new("nightly").with_spec(spec);
    let tabs: Api<CronTab> = Api::namespaced(client.clone(), "default");
    tabs.patch("nightly", &PatchParams::apply(NAME).force(), &Patch::Apply(nightly)).await?;
    Controller::new(Api::<CronTab>::all(client.clone()), watcher::Config::default())
        .run(reconcile, |_, _, _| Action::requeue(Duration::from_secs(1)), Arc::new(client))
        .for_each(|done| async move {
            if let Err(error) = done {
                eprintln!("{NAME}: {error:?}");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(tab: Arc<CronTab>, client: Arc<Client>) -> Result<Action, kube::Error> {
    let tabs: Api<CronTab> = Api::namespaced((*client).clone(), &tab.namespace().unwrap_or_default());
    // A suspended CronTab has no replicas. `null` is the same as an absent field.
    let suspended = tab.spec.suspend.flatten().unwrap_or(false);
    let status = CronTabStatus {
        replicas: Some(if suspended { 0 } else { tab.spec.replicas.unwrap_or(1) }),
        label_selector: Some(format!("crontab={}", tab.name_any())),
    };
    if tab.status.as_ref() != Some(&status) {
        let patch = CronTabApply::new(tab.name_any()).with_status(status);
        let applier = PatchParams::apply(NAME).force();
        tabs.patch_status(&tab.name_any(), &applier, &Patch::Apply(patch)).await?;
    }
    Ok(Action::await_change())
}
