//! A validating admission webhook: it answers AdmissionReviews for CronTabs as the API server itself would decide.

use crdgen::Problems;
use crdgen::objects::CompiledKind;
use crdgen::webhook::Webhook;
use crontab::CronTab;

/// The webhook. Add `.versions(…)` to convert objects on the same port.
///
/// # Errors
/// What is wrong with the types.
pub fn webhook() -> Result<Webhook, Problems> {
    Ok(Webhook::new().kind(CompiledKind::of::<CronTab>()?))
}
