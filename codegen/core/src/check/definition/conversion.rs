//! `conversion`. Messages use the field names of v1beta1.

use super::demands::Demands;
use super::hoist::{Hoisted, Place};
use super::webhook;
use crate::diag::codes::crd::{
    CA_BUNDLE, CONVERSION_STRATEGY, REVIEW_VERSIONS, WEBHOOK_CONFIG, WEBHOOK_UNUSED,
};
use crate::diag::{BadValue, Diag, Diags};
use crate::go;
use crate::ir::{ApiVersion, ClientConfig, Conversion};
use crate::path::Path;
use crate::server::Server;

pub(super) fn check(view: &Hoisted<'_>, demands: &Demands, at: &Path<'_>, out: &mut Diags) {
    let Some(conversion) = &view.crd.spec.conversion else { return };
    let Conversion { strategy, client_config, review_versions } = conversion;
    let at = at.child("conversion");
    let path = at.child("strategy");
    if strategy != "None" && view.preserves_unknown_fields() {
        let detail = "must be None if spec.preserveUnknownFields is true";
        out.push(
            Diag::invalid(&CONVERSION_STRATEGY, &path, BadValue::Json(strategy.as_str().into()), detail)
                .help("write `preserveUnknownFields: false`"),
        );
    }
    match strategy.as_str() {
        "" => out.push(Diag::required(&CONVERSION_STRATEGY, &path, "").help("write `strategy: None`")),
        "None" | "Webhook" => {}
        other => out.push(
            Diag::not_supported(&CONVERSION_STRATEGY, &path, other, &["None", "Webhook"])
                .help("write `strategy: None` or `strategy: Webhook`"),
        ),
    }
    let (config_keys, versions_keys): (&[&str], &[&str]) = match view.crd.api_version {
        ApiVersion::V1 => (&["webhook", "clientConfig"], &["webhook", "conversionReviewVersions"]),
        ApiVersion::V1beta1 => (&["webhookClientConfig"], &["conversionReviewVersions"]),
    };
    let config_place = Place::child(&at, "webhookClientConfig", config_keys);
    let versions_place = Place::child(&at, "conversionReviewVersions", versions_keys);
    let review_versions = review_versions.as_deref().unwrap_or_default();
    if strategy == "Webhook" {
        check_config(client_config.as_ref(), demands, &config_place.path(), out);
        check_versions(review_versions, demands, &versions_place.path(), out);
        return;
    }
    let unused = [(client_config.is_some(), config_place), (!review_versions.is_empty(), versions_place)];
    for (_, place) in unused.into_iter().filter(|(set, _)| *set) {
        let detail = "should not be set when strategy is not set to Webhook";
        out.push(
            Diag::forbidden(&WEBHOOK_UNUSED, &place.path(), detail)
                .help("write `strategy: Webhook`, or remove the webhook"),
        );
    }
}

fn check_config(config: Option<&ClientConfig>, demands: &Demands, at: &Path<'_>, out: &mut Diags) {
    let help = "add `service` with namespace and name, or `url`";
    let Some(ClientConfig { url, service, ca_bundle }) = config else {
        let detail = "required when strategy is set to Webhook";
        out.push(Diag::required(&WEBHOOK_CONFIG, at, detail).help(help));
        return;
    };
    match (url, service) {
        (Some(url), None) => webhook::url(url, &at.child("url"), out),
        (None, Some(service)) => {
            webhook::service(service, demands.schema.server(), &at.child("service"), out)
        }
        (Some(_), Some(_)) | (None, None) => {
            let detail = "exactly one of url or service is required";
            let help = if url.is_some() { "remove one of them" } else { help };
            out.push(Diag::required(&WEBHOOK_CONFIG, at, detail).help(help));
        }
    }
    if !ca_bundle.is_empty()
        && demands.ca_bundle
        && let Err(why) = go::check_certificates(ca_bundle, names_in(demands.schema.server()))
    {
        let bad = BadValue::Bytes(ca_bundle.clone());
        let detail = format!("unable to load root certificates: {why}");
        out.push(
            Diag::invalid(&CA_BUNDLE, &at.child("caBundle"), bad, detail)
                .help("write the base64 of a PEM file with the certificate of the authority"),
        );
    }
}

fn check_versions(versions: &[String], demands: &Demands, at: &Path<'_>, out: &mut Diags) {
    if versions.is_empty() {
        let help = "write `conversionReviewVersions: [v1]`";
        out.push(Diag::required(&REVIEW_VERSIONS, at, "").help(help));
        return;
    }
    webhook::review_versions(versions, demands.recognized_review_version, at, out);
}

/// Whether a CA bundle has a certificate.
pub(super) fn has_valid_ca_bundle(pem: &[u8], server: Server) -> bool {
    go::check_certificates(pem, names_in(server)).is_ok()
}

/// The names that a server accepts in certificates. It is built with Go 1.27 since 1.38.
fn names_in(server: Server) -> go::Names {
    if server.is_before(38) { go::Names::Texts } else { go::Names::Any }
}
