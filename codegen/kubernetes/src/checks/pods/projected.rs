//! Checks of volumes with several sources.

use super::env::{DOWNWARD_FILE, MODE};
use super::inside_and_free;
use super::profiles::signer;
use crate::checks::at::{At, Mistakes};
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::selectors::SELECTOR;
use crdgen_core::names;
use std::collections::BTreeSet;

const KEYS: &[&str] = &["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/// The file that a key of an object becomes.
pub(super) const KEY_TO_PATH: &[Row] =
    &[("key", Required("")), ("path", Required("")), ("path", Name(inside_and_free)), ("mode", MODE)];

pub(super) const PROJECTED: &[Row] = &[("defaultMode", MODE), ("", Code(sources))];

const CERTIFICATE: &[Row] = &[("signerName", Code(signer)), ("keyType", Of(KEYS))];
const PATHS: [&str; 3] = ["credentialBundlePath", "keyPath", "certificateChainPath"];

/// The paths of files so far: each is there once.
struct Paths<'v, 'a> {
    seen: BTreeSet<&'v str>,
    volume: &'a At<'v>,
}

impl<'v> Paths<'v, '_> {
    fn add(&mut self, path: &'v str, shown: &str, out: &mut Mistakes) {
        if !path.is_empty() && !self.seen.insert(path) {
            out.push(self.volume.invalid_text(shown, "conflicting duplicate paths"));
        }
    }
}

fn sources(at: &At<'_>, out: &mut Mistakes) {
    let mut paths = Paths { seen: BTreeSet::new(), volume: at };
    for source in at.get("sources").each() {
        let mut count = 0;
        let mut part = |name| {
            let part = source.get(name);
            count += usize::from(part.is_set());
            Some(part).filter(At::is_set)
        };
        for name in ["secret", "configMap"] {
            part(name).into_iter().for_each(|of| keys(&of, &mut paths, out));
        }
        for file in part("downwardAPI").iter().flat_map(|of| of.get("items").each().collect::<Vec<_>>()) {
            // The server leaves out which file it is.
            check(DOWNWARD_FILE, &file.shown_as(source.field.child("downwardAPI")), out);
            let path = file.get("path").text();
            paths.add(path, path, out);
        }
        part("serviceAccountToken").into_iter().for_each(|of| token(&of, at, out));
        part("clusterTrustBundle").into_iter().for_each(|of| bundle(&of, &mut paths, out));
        part("podCertificate").into_iter().for_each(|of| certificate(&of, &mut paths, out));
        if count > 1 {
            out.push(source.forbidden("may not specify more than 1 volume type per source"));
        }
    }
}

fn keys<'v>(at: &At<'v>, paths: &mut Paths<'v, '_>, out: &mut Mistakes) {
    check(&[("name", Required(""))], at, out);
    for item in at.get("items").each() {
        check(KEY_TO_PATH, &item, out);
        paths.add(item.get("path").text(), at.get("name").text(), out);
    }
}

/// How long a token can be valid.
pub(crate) const SECONDS: &[Row] = &[
    ("", Between(600, i64::MAX, "may not specify a duration less than 10 minutes")),
    ("", Between(i64::MIN, 1 << 32, "may not specify a duration larger than 2^32 seconds")),
];

fn token(at: &At<'_>, volume: &At<'_>, out: &mut Mistakes) {
    check(&[("expirationSeconds", Required("")), ("expirationSeconds", All(SECONDS))], at, out);
    // The server's code leaves out which source it is.
    let path = at.get("path").shown_as(volume.field.child("path"));
    check(&[("", NeedsName(inside_and_free))], &path, out);
}

fn bundle<'v>(at: &At<'v>, paths: &mut Paths<'v, '_>, out: &mut Mistakes) {
    let (name, by) = (at.get("name"), at.get("signerName"));
    match (name.is_set(), by.is_set()) {
        (false, false) => out.push(at.required("either name or signerName must be specified")),
        (true, true) => {
            out.push(
                at.invalid_of("ClusterTrustBundleProjection", "only one of name and signerName may be used"),
            );
        }
        (true, false) => {
            check(&[("", Required("must be a valid object name"))], &name, out);
            let wrong = names::dns1123_subdomain(name.text()).into_iter();
            out.extend(
                name.wrong_text(
                    wrong.map(|why| format!("not a valid clustertrustbundlename: {why}")).collect(),
                ),
            );
        }
        (false, true) => {
            check(&[("", Required("must be a valid signer name"))], &by, out);
            signer(&by, out);
            check(&[("labelSelector", SELECTOR)], at, out);
        }
    }
    let path = at.get("path");
    check(&[("", Required("")), ("", Name(inside_and_free))], &path, out);
    paths.add(path.text(), path.text(), out);
}

fn certificate<'v>(at: &At<'v>, paths: &mut Paths<'v, '_>, out: &mut Mistakes) {
    check(CERTIFICATE, at, out);
    let mut found = PATHS.map(|name| at.get(name)).into_iter().filter(|path| !path.is_empty()).peekable();
    if found.peek().is_none() {
        let why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
        out.push(at.required(why));
    }
    for path in found {
        check(&[("", Name(inside_and_free))], &path, out);
        paths.add(path.text(), path.text(), out);
    }
}
