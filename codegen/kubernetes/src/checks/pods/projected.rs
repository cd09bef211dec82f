//! Checks of volumes with several sources.

use super::files::{downward_file, key_to_path, mode};
use super::unsupported;
use super::{
    Mistakes, forbidden, inside_and_free, invalid, invalid_text, list, number, own, required, set, text,
};
use crate::checks::{selectors, words};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, names};
use std::collections::BTreeSet;

const KEYS: [&str; 6] = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const LEAST_SECONDS: i64 = 600;
const MOST_SECONDS: i64 = 1 << 32;

/// The paths of files so far: each is there once.
struct Paths<'v, 'a> {
    seen: BTreeSet<&'v str>,
    at: &'a str,
}

impl<'v> Paths<'v, '_> {
    fn add(&mut self, path: &'v str, shown: &str) -> Mistakes {
        if path.is_empty() || self.seen.insert(path) {
            return Vec::new();
        }
        vec![invalid_text(self.at.to_owned(), shown, "conflicting duplicate paths")]
    }
}

pub(super) fn mistakes(of: &Value, at: &str) -> Mistakes {
    let mut out = mode(of, "defaultMode", at);
    let mut paths = Paths { seen: BTreeSet::new(), at };
    for (i, source) in list(of, "sources").iter().enumerate() {
        let source_at = format!("{at}.sources[{i}]");
        let mut count = 0;
        for name in [
            "secret",
            "configMap",
            "downwardAPI",
            "serviceAccountToken",
            "clusterTrustBundle",
            "podCertificate",
        ] {
            let Some(of) = set(source, name) else { continue };
            count += 1;
            let field = format!("{source_at}.{name}");
            out.extend(match name {
                "downwardAPI" => downward(of, &mut paths, &field),
                "serviceAccountToken" => token(of, at, &field),
                "clusterTrustBundle" => bundle(of, &mut paths, &field),
                "podCertificate" => certificate(of, &mut paths, &field),
                _ => keys(of, &mut paths, &field),
            });
        }
        if count > 1 {
            out.push(forbidden(source_at, "may not specify more than 1 volume type per source"));
        }
    }
    out
}

fn keys<'v>(of: &'v Value, paths: &mut Paths<'v, '_>, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let name = own(of, "name");
    if name.is_empty() {
        out.push(required(format!("{at}.name"), ""));
    }
    for (i, item) in list(of, "items").iter().enumerate() {
        out.extend(key_to_path(item, &format!("{at}.items[{i}]")));
        out.extend(paths.add(own(item, "path"), name));
    }
    out
}

fn downward<'v>(of: &'v Value, paths: &mut Paths<'v, '_>, at: &str) -> Mistakes {
    let mut out = Vec::new();
    for file in list(of, "items") {
        out.extend(downward_file(file, at));
        out.extend(paths.add(own(file, "path"), own(file, "path")));
    }
    out
}

fn token(of: &Value, volume: &str, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let field = || format!("{at}.expirationSeconds");
    match number(of, "expirationSeconds") {
        None => out.push(required(field(), "")),
        Some(seconds) => {
            let shown = Value::Int(seconds);
            if seconds < LEAST_SECONDS {
                out.push(invalid(field(), &shown, "may not specify a duration less than 10 minutes"));
            }
            if seconds > MOST_SECONDS {
                out.push(invalid(field(), &shown, "may not specify a duration larger than 2^32 seconds"));
            }
        }
    }
    // The server's code leaves out which source it is.
    match own(of, "path") {
        "" => out.push(required(format!("{volume}.path"), "")),
        path => out.extend(inside_and_free(&format!("{volume}.path"), path)),
    }
    out
}

fn bundle<'v>(of: &'v Value, paths: &mut Paths<'v, '_>, at: &str) -> Mistakes {
    let mut out = Vec::new();
    match (text(of, "name"), text(of, "signerName")) {
        (None, None) => out.push(required(at.to_owned(), "either name or signerName must be specified")),
        (Some(_), Some(_)) => {
            let fields = ["name", "signerName", "labelSelector", "optional", "path"];
            let why = format!("{}: only one of name and signerName may be used", words::in_go(of, &fields));
            out.push(Mistake::new(at.to_owned(), Kind::Invalid, why));
        }
        (Some(name), None) => {
            let field = format!("{at}.name");
            if name.is_empty() {
                out.push(required(field.clone(), "must be a valid object name"));
            }
            let wrong = names::dns1123_subdomain(name);
            let why = wrong.iter().map(|why| format!("not a valid clustertrustbundlename: {why}"));
            out.extend(why.map(|why| invalid_text(field.clone(), name, &why)));
        }
        (None, Some(signer)) => {
            let field = format!("{at}.signerName");
            if signer.is_empty() {
                out.push(required(field.clone(), "must be a valid signer name"));
            }
            out.extend(signer_mistakes(&field, signer));
            out.extend(selectors::mistakes(set(of, "labelSelector"), &format!("{at}.labelSelector")));
        }
    }
    let path = own(of, "path");
    if path.is_empty() {
        out.push(required(format!("{at}.path"), ""));
    }
    out.extend(inside_and_free(&format!("{at}.path"), path));
    out.extend(paths.add(path, path));
    out
}

fn certificate<'v>(of: &'v Value, paths: &mut Paths<'v, '_>, at: &str) -> Mistakes {
    let mut out = signer_mistakes(&format!("{at}.signerName"), own(of, "signerName"));
    let key = own(of, "keyType");
    if !KEYS.contains(&key) {
        out.push(unsupported(format!("{at}.keyType"), key, &KEYS));
    }
    let mut count = 0;
    for name in ["credentialBundlePath", "keyPath", "certificateChainPath"] {
        let path = own(of, name);
        if path.is_empty() {
            continue;
        }
        count += 1;
        out.extend(inside_and_free(&format!("{at}.{name}"), path));
        out.extend(paths.add(path, path));
    }
    if count == 0 {
        let why = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
        out.push(required(at.to_owned(), why));
    }
    out
}

/// The name of a signer is a domain with a name in it.
fn signer_mistakes(field: &str, signer: &str) -> Mistakes {
    let parts: Vec<&str> = signer.split('/').collect();
    let [domain, name] = parts[..] else {
        let why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
        let missing = || required(field.to_owned(), "");
        return vec![if signer.is_empty() { missing() } else { invalid_text(field.to_owned(), signer, why) }];
    };
    let mut out = Vec::new();
    let first_wrong = |text: &str, check: fn(&str) -> Vec<String>| {
        let wrong = text.split('.').map(|label| (label.to_owned(), check(label)));
        wrong.into_iter().find(|(_, wrong)| !wrong.is_empty())
    };
    let labels = first_wrong(domain, names::dns1123_label).map(|found| (domain, found));
    let two = (domain.split('.').count() < 2).then(|| {
        invalid_text(
            field.to_owned(),
            domain,
            "should be a domain with at least two segments separated by dots",
        )
    });
    let names = first_wrong(name, names::dns1123_subdomain).map(|found| (name, found));
    let shown = |found: Option<(&str, (String, Vec<String>))>| {
        let (text, (label, wrong)) = found?;
        let all = wrong.into_iter().map(|why| {
            let why = format!("validating label {}: {why}", go::quote(&label));
            invalid_text(field.to_owned(), text, &why)
        });
        Some(all.collect::<Vec<_>>())
    };
    out.extend(shown(labels).unwrap_or_default());
    out.extend(two);
    out.extend(shown(names).unwrap_or_default());
    out
}
