//! `conversion`. Messages use the field names of v1beta1.

use super::demands::Demands;
use super::hoist::{Hoisted, Place};
use crate::diag::codes::crd::{
    CA_BUNDLE, CONVERSION_STRATEGY, REVIEW_VERSIONS, WEBHOOK_CONFIG, WEBHOOK_SERVICE, WEBHOOK_UNUSED,
    WEBHOOK_URL,
};
use crate::diag::{BadValue, Diag, Diags};
use crate::go::{self, Url};
use crate::ir::{ApiVersion, ClientConfig, Conversion, ServiceReference};
use crate::names;
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
        (Some(url), None) => check_url(url, &at.child("url"), out),
        (None, Some(service)) => check_service(service, demands.schema.server(), &at.child("service"), out),
        (Some(_), Some(_)) | (None, None) => {
            let detail = "exactly one of url or service is required";
            let help = if url.is_some() { "remove one of them" } else { help };
            out.push(Diag::required(&WEBHOOK_CONFIG, at, detail).help(help));
        }
    }
    if !ca_bundle.is_empty()
        && demands.ca_bundle
        && let Err(why) = go::check_certificates(ca_bundle)
    {
        let bad = BadValue::Bytes(ca_bundle.clone());
        let detail = format!("unable to load root certificates: {why}");
        out.push(
            Diag::invalid(&CA_BUNDLE, &at.child("caBundle"), bad, detail)
                .help("write the base64 of a PEM file with the certificate of the authority"),
        );
    }
}

fn check_url(text: &str, at: &Path<'_>, out: &mut Diags) {
    const FORM: &str = "; desired format: https://host[/path]";
    const HELP: &str = "write https://host/path, without user, query and fragment";
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(why) => {
            let detail = format!("url must be a valid URL: {why}{FORM}");
            out.push(Diag::required(&WEBHOOK_URL, at, detail).help(HELP));
            return;
        }
    };
    let mut invalid = |bad: &str, detail: String| {
        out.push(Diag::invalid(&WEBHOOK_URL, at, bad, detail).help(HELP));
    };
    if url.scheme != "https" {
        invalid(&url.scheme, format!("'https' is the only allowed URL scheme{FORM}"));
    }
    if url.host.is_empty() {
        invalid("", format!("host must be specified{FORM}"));
    }
    if let Some(user) = &url.user {
        invalid(user, "user information is not permitted in the URL".to_owned());
    }
    if !url.fragment.is_empty() {
        invalid(&url.fragment, "fragments are not permitted in the URL".to_owned());
    }
    if !url.query.is_empty() {
        invalid(&url.query, "query parameters are not permitted in the URL".to_owned());
    }
}

/// The server reports a missing name at the namespace and the other way round. The steps point to the field that is
/// missing.
fn check_service(service: &ServiceReference, server: Server, at: &Path<'_>, out: &mut Diags) {
    let ServiceReference { namespace, name, path, port } = service;
    let missing = [
        (namespace.is_empty(), "name", "namespace", "add the namespace of the service"),
        (name.is_empty(), "namespace", "name", "add the name of the service"),
    ];
    for (_, shown, written, help) in missing.into_iter().filter(|(missing, ..)| *missing) {
        let place = Place::child(at, shown, &[written]);
        let detail = match server.is_before(34) {
            true => format!("service {shown} is required"),
            false => String::new(),
        };
        out.push(Diag::required(&WEBHOOK_SERVICE, &place.path(), detail).help(help));
    }
    let port = port.unwrap_or_default();
    let errors = names::port(port);
    if !errors.is_empty() {
        let detail = format!("port is not valid: {}", errors.join(", "));
        out.push(
            Diag::invalid(&WEBHOOK_SERVICE, &at.child("port"), i64::from(port), detail)
                .help("write the port of the service, or leave it out for 443"),
        );
    }
    if let Some(path) = path {
        check_service_path(path, &at.child("path"), out);
    }
}

fn check_service_path(path: &str, at: &Path<'_>, out: &mut Diags) {
    let mut invalid = |detail: String| {
        let help = "write the path as /convert";
        out.push(Diag::invalid(&WEBHOOK_SERVICE, at, path, detail).help(help));
    };
    let segments = match path {
        "" | "/" => return,
        "//" => return invalid("segment[0] may not be empty".to_owned()),
        _ => path.strip_prefix('/').unwrap_or_else(|| {
            invalid("must start with a '/'".to_owned());
            // The server skips the first byte, whatever it is.
            path.get(1..).unwrap_or(path)
        }),
    };
    for (i, segment) in segments.strip_suffix('/').unwrap_or(segments).split('/').enumerate() {
        if segment.is_empty() {
            invalid(format!("segment[{i}] may not be empty"));
            continue;
        }
        for error in names::dns1123_subdomain(segment) {
            invalid(format!("segment[{i}]: {error}"));
        }
    }
}

fn check_versions(versions: &[String], demands: &Demands, at: &Path<'_>, out: &mut Diags) {
    let help = "write `conversionReviewVersions: [v1]`";
    if versions.is_empty() {
        out.push(Diag::required(&REVIEW_VERSIONS, at, "").help(help));
        return;
    }
    let mut recognized = false;
    for (i, version) in versions.iter().enumerate() {
        let at = at.index(i);
        if versions[..i].contains(version) {
            let diag = Diag::invalid(&REVIEW_VERSIONS, &at, version.as_str(), "duplicate version");
            out.push(diag.help("remove it"));
            continue;
        }
        for error in names::dns1035_label(version) {
            out.push(Diag::invalid(&REVIEW_VERSIONS, &at, version.as_str(), error).help(help));
        }
        recognized |= is_recognized(version);
    }
    if demands.recognized_review_version && !recognized {
        let detail = "must include at least one of v1, v1beta1";
        out.push(
            Diag::invalid(&REVIEW_VERSIONS, at, BadValue::Strings(Some(versions.to_vec())), detail)
                .help(help),
        );
    }
}

/// Whether the server speaks this version of ConversionReview.
pub(super) fn is_recognized(version: &str) -> bool {
    matches!(version, "v1" | "v1beta1")
}

/// Whether a CA bundle has a certificate.
pub(super) fn has_valid_ca_bundle(pem: &[u8]) -> bool {
    go::check_certificates(pem).is_ok()
}
