//! How the server reaches a webhook, and in which versions they talk: the same for the conversion of CRDs and for admission.

use super::hoist::Place;
use crate::diag::codes::crd::{REVIEW_VERSIONS, WEBHOOK_SERVICE, WEBHOOK_URL};
use crate::diag::{BadValue, Diag, Diags};
use crate::go::Url;
use crate::ir::ServiceReference;
use crate::names;
use crate::path::Path;
use crate::server::Server;

/// Checks the URL of a webhook.
pub fn url(text: &str, at: &Path<'_>, out: &mut Diags) {
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

/// Checks the service of a webhook. The server reports a missing name at the namespace and the other way round. The steps point to the
/// field that is missing.
pub fn service(service: &ServiceReference, server: Server, at: &Path<'_>, out: &mut Diags) {
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

/// Checks the versions of reviews that a webhook reads: whether there is one that the server writes, if it must be so.
pub fn review_versions(versions: &[String], needs_recognized: bool, at: &Path<'_>, out: &mut Diags) {
    let help = "write `v1`";
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
    if needs_recognized && !recognized {
        let detail = "must include at least one of v1, v1beta1";
        out.push(
            Diag::invalid(&REVIEW_VERSIONS, at, BadValue::Strings(Some(versions.to_vec())), detail)
                .help(help),
        );
    }
}

/// Whether the server speaks this version of reviews.
pub fn is_recognized(version: &str) -> bool {
    matches!(version, "v1" | "v1beta1")
}
