//! `#[kube(…)]`: the kind around the schema. It has kube-rs's keys, and more for what kube-rs cannot express.

use super::meta::{Arg, Meta, split};
use super::paths::{joined_columns, json_path, printcolumn, scale};
use super::place::ROOT;
use super::values::Number;
use super::{Key, Reader};
use crate::diag::codes::rust as codes;
use crate::ir::{ClientConfig, Conversion, Keyword, ServiceReference};
use crate::recipe::{self, Patch, Root};
use crate::syntax::nesting;
use proc_macro2::Span;

/// The keys of `#[kube(…)]`. Those that describe the CRD are in [`Root`].
#[derive(Default)]
pub struct Kube {
    /// The keys that describe the CRD.
    pub root: Root,
    /// `root = "Name"`
    pub struct_name: Option<String>,
    /// `status = "Type"`
    pub status: Option<syn::Type>,
    /// `#[schema(status_as = "Type")]`
    pub status_as: Option<syn::Type>,
    /// `derive = "Trait"`
    pub derives: Vec<syn::Path>,
    /// `attr = "meta"`
    pub attributes: Vec<syn::Meta>,
    /// `crates(name = "path")`
    pub crates: Vec<(String, syn::Path)>,
    /// `schema = "…"`
    pub schema: Option<String>,
    /// `no_spec`
    pub no_spec: bool,
    /// `cel`
    pub cel: bool,
    /// The place of each key.
    pub spans: Vec<(&'static str, Span)>,
}

impl Kube {
    /// Returns the place of a key. If the key is not set, it is the call site of the macro.
    pub fn span(&self, key: &str) -> Span {
        self.spans.iter().find(|(k, _)| *k == key).map_or_else(Span::call_site, |(_, s)| *s)
    }

    /// Returns the path of a crate in `crates(…)`.
    pub fn krate(&self, name: &str) -> Option<&syn::Path> {
        self.crates.iter().find(|(n, _)| n == name).map(|(_, path)| path)
    }
}

pub(super) static KEYS: &[Key] = keys! {
    ROOT, false "group", "= \"example.com\"", "The API group. Required.", |r, m| {
        if let Some(t) = name(r, m, "group", dns_subdomain) { r.kube().root.group = t; }
    };
    ROOT, false "version", "= \"v1\"", "The API version. Required.", |r, m| {
        if let Some(t) = name(r, m, "version", dns_label) { r.kube().root.version = t; }
    };
    ROOT, false "kind", "= \"Kind\"", "The kind. Required.", |r, m| {
        if let Some(t) = name(r, m, "kind", kind_name) { r.kube().root.kind = t; }
    };
    ROOT, false "root", "= \"Name\"", "The name of the generated struct. By default it is the kind.", |r, m| {
        r.kube().struct_name = r.text(m);
    };
    ROOT, false "plural", "= \"kinds\"", "The plural name, used in URLs. By default it is derived from the kind.", |r, m| {
        if let Some(t) = name(r, m, "plural", dns_label) { r.kube().root.plural = t; }
    };
    ROOT, false "singular", "= \"kind\"", "The singular name. By default it is the kind in lower case.", |r, m| {
        if let Some(t) = name(r, m, "singular", dns_label) { r.kube().root.singular = t; }
    };
    ROOT, false "list_kind", "= \"KindList\"", "The kind of lists. By default it is the kind followed by `List`.", |r, m| {
        if let Some(t) = name(r, m, "list_kind", kind_name) { r.kube().root.list_kind = t; }
    };
    ROOT, true "shortname", "= \"k\"", "A short name for kubectl.", |r, m| {
        if let Some(t) = name(r, m, "shortname", dns_label) { once(r, m, t, |root| &mut root.short_names); }
    };
    ROOT, true "category", "= \"all\"", "A category for kubectl, such as `all`.", |r, m| {
        if let Some(t) = name(r, m, "category", dns_label) { once(r, m, t, |root| &mut root.categories); }
    };
    ROOT, false "namespaced", "", "Objects belong to a namespace. By default they are cluster-wide.", |r, m| {
        r.kube().root.namespaced = r.flag(m) == Some(true);
    };
    ROOT, false "no_spec", "", "The fields are at the top level of the object, without a spec.", |r, m| {
        if r.flag(m) == Some(true) {
            r.kube().no_spec = true;
            r.kube().root.whole = true;
        }
    };
    ROOT, false "whole", "", "The struct is the whole object, not its spec.", |r, m| {
        r.kube().root.whole = r.flag(m) == Some(true);
    };
    ROOT, false "status", "= \"Type\"", "The type of the status. Turns on the status subresource.", |r, m| {
        r.kube().status = r.parsed(m, "KindStatus");
    };
    ROOT, false "as_is", "", "Skips the checks for bad paths and duplicate names. Must be the first key.", |r, m| {
        r.kube().root.as_is = r.flag(m) == Some(true);
    };
    ROOT, false "no_subresources", "", "Turns off all subresources, even if a status type or scale is given.", |r, m| {
        r.kube().root.no_subresources = r.flag(m) == Some(true);
    };
    ROOT, false "spec_optional", "", "Makes the spec optional.", |r, m| {
        r.kube().root.spec_optional = r.flag(m) == Some(true);
    };
    ROOT, false "status_nullable", "= false", "Makes the status non-nullable. By default it is nullable, unless its type says otherwise.", |r, m| {
        if r.flag(m) == Some(false) {
            let patch = Patch { clear: vec![Keyword::Nullable], ..Patch::default() };
            r.kube().root.patch.at.push((vec![recipe::Key::Str("status".to_owned())], patch));
        }
    };
    ROOT, false "subresource_status", "= true", "Turns the status subresource on or off, regardless of `status`.", |r, m| {
        r.kube().root.subresource_status = r.flag(m);
    };
    ROOT, false "scale", "(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\", label_selector_path = \".status.selector\")", "The scale subresource. May also be JSON in a string.", scale;
    ROOT, true "printcolumn", "(name = \"…\", type_ = \"…\", json_path = \"…\", format = \"…\", description = \"…\", priority = 0)", "A column in `kubectl get`. May also be JSON in a string.", |r, m| {
        match joined_columns(r, m) {
            Some(all) => r.kube().root.columns.extend(all),
            None => if let Some(c) = printcolumn(r, m) { r.kube().root.columns.push(c); },
        }
    };
    ROOT, true "selectable", "= \".spec.field\"", "A field that field selectors may use.", |r, m| {
        if let Some(path) = json_path(r, m) {
            r.kube().root.selectable.push(path);
            r.kube().spans.push(("selectable", m.value_span()));
        }
    };
    ROOT, true "annotation", "(\"key\", \"value\")", "An annotation on the CRD.", |r, m| {
        if let Some((k, v)) = r.pair(m) { r.kube().root.annotations.insert(k, v); }
    };
    ROOT, true "label", "(\"key\", \"value\")", "A label on the CRD.", |r, m| {
        if let Some((k, v)) = r.pair(m) { r.kube().root.labels.insert(k, v); }
    };
    ROOT, false "api_approved", "= \"https://…\"", "The link to the API approval that groups under `kubernetes.io` and `k8s.io` need.", |r, m| {
        if let Some(t) = r.text(m) { r.kube().root.annotations.insert("api-approved.kubernetes.io", t); }
    };
    ROOT, false "served", "= true", "Whether the server serves this version.", |r, m| {
        r.kube().root.unserved = r.flag(m) == Some(false);
    };
    ROOT, false "storage", "= true", "Whether the server stores objects in this version.", |r, m| {
        r.kube().root.unstored = r.flag(m) == Some(false);
    };
    ROOT, false "deprecated", "= \"warning\"", "Marks the version as deprecated. With a text, clients see it as the warning.", |r, m| match &m.arg {
        Arg::Value(_) => if let Some(t) = r.text(m) {
            r.kube().spans.push(("deprecated", m.value_span()));
            r.kube().root.deprecated = true;
            r.kube().root.deprecation_warning = Some(t);
        },
        Arg::Flag | Arg::List(_) => r.kube().root.deprecated = r.flag(m) == Some(true),
    };
    ROOT, true "validation", "= \"self.…\"", "A CEL rule on the whole object.", root_rule;
    ROOT, true "rule", "= Rule::new(\"self.…\")", "The same as `validation`, as kube 0.98 and 0.99 spelled it.", root_rule;
    ROOT, false "doc", "= \"…\"", "The description of the whole object.", |r, m| {
        if let Some(t) = r.text(m) { r.kube().root.patch.set.description = t; }
    };
    ROOT, false "conversion", "(webhook(…), ca_bundle = \"…\", review_versions = [\"v1\"])", "How the server converts objects between versions. With `= \"None\"`, it only changes `apiVersion`.", conversion;
    ROOT, false "preserve_unknown_fields", "= false", "Sets `spec.preserveUnknownFields` in the CRD.", |r, m| {
        r.kube().root.preserve_unknown_fields = r.flag(m);
    };
    ROOT, false "max_description", "= 0", "Cuts each description to this many bytes, at the end of a sentence or word. 0 removes all descriptions.", |r, m| match r.count(m) {
        Some(Number::Is(n)) => r.kube().root.max_description = Some(n as i64),
        Some(Number::Code(_)) => r.bad(m.value_span(), "this must be a number", "write max_description = 0".to_owned()),
        None => {}
    };
    ROOT, true "derive", "= \"Trait\"", "A trait that the generated struct derives.", |r, m| {
        if let Some(p) = r.path(m) { r.kube().derives.push(p); }
    };
    ROOT, true "attr", "= \"meta\"", "An attribute for the generated struct.", attr;
    ROOT, false "schema", "= \"derived\"", "`derived`, `manual` (you implement `Schema` yourself) or `disabled` (the server accepts any content).", |r, m| {
        super::schema::choice(r, m, &["derived", "manual", "disabled"], |r, t| {
            r.kube().root.schemaless = t == "disabled";
            r.kube().schema = Some(t);
        });
        r.kube().spans.push(("schema", m.value_span()));
    };
    ROOT, false "cel", "", "Generates functions that check objects against the CEL rules.", |r, m| r.kube().cel = r.flag(m) == Some(true);
    ROOT, false "crates", "(serde = \"path\", …)", "The paths at which crates are re-exported.", |r, m| {
        const KNOWN: &[&str] = &["kube", "kube_core", "k8s_openapi", "schemars", "serde", "serde_json", "std", "crdgen"];
        for part in r.parts(m).unwrap_or_default() {
            if KNOWN.contains(&part.key.as_str()) {
                krate(r, &part);
            } else {
                r.unknown_part(&part, "crates", KNOWN);
            }
        }
    };
    ROOT, false "struct", "= \"Name\"", "The same as `root`, as kube up to 0.80 spelled it.", |r, m| {
        r.kube().struct_name = r.text(m);
    };
    ROOT, false "apiextensions", "= \"v1\"", "The version of the API for CRDs, as in kube up to 0.66. crdgen writes CRDs for `v1`. For `v1beta1`, kube wrote no schema, so this is the same as `schema = \"disabled\"`.", |r, m| {
        super::schema::choice(r, m, &["v1", "v1beta1"], |r, version| if version == "v1beta1" {
            r.kube().root.schemaless = true;
            r.kube().schema = Some("disabled".to_owned());
        });
    };
    ROOT, false "kube_core", "= \"path\"", "The same as `crates(kube_core = …)`, as kube 0.63 spelled it.", krate;
    ROOT, false "k8s_openapi", "= \"path\"", "The same as `crates(k8s_openapi = …)`, as kube 0.63 spelled it.", krate;
    ROOT, false "schemars", "= \"path\"", "The same as `crates(schemars = …)`, as kube 0.63 spelled it.", krate;
    ROOT, false "serde", "= \"path\"", "The same as `crates(serde = …)`, as kube 0.63 spelled it.", krate;
    ROOT, false "serde_json", "= \"path\"", "The same as `crates(serde_json = …)`, as kube 0.63 spelled it.", krate;
};

/// The path at which a crate is re-exported.
fn krate(r: &mut Reader<'_>, m: &Meta) {
    if let Some(path) = r.path(m) {
        r.kube().crates.push((m.key.clone(), path));
    }
}

/// A name that the server checks.
fn name(
    r: &mut Reader<'_>,
    m: &Meta,
    key: &'static str,
    wrong: fn(&str) -> Option<&'static str>,
) -> Option<String> {
    r.kube().spans.push((key, m.value_span()));
    let text = r.text(m)?;
    if let Some(why) = wrong(&text) {
        r.report.error(m.value_span(), &codes::NAME, format!("`{text}` is not a valid {key}"), why);
    }
    Some(text)
}

/// A rule on the whole object.
fn root_rule(r: &mut Reader<'_>, m: &Meta) {
    if let Some(rule) = r.rule(m) {
        r.kube().root.patch.set.rules.push(rule);
    }
}

/// Adds a name to the list. crdgen rejects duplicates, although the server accepts them.
fn once(r: &mut Reader<'_>, m: &Meta, name: String, list: fn(&mut Root) -> &mut Vec<String>) {
    let as_is = r.kube().root.as_is;
    let list = list(&mut r.kube().root);
    if !as_is && list.contains(&name) {
        let message = format!("the {} `{name}` is given twice", m.key);
        r.report.error(m.value_span(), &codes::CONTRADICTION, message, "remove one of the two");
    } else {
        list.push(name);
    }
}

fn dns_label(text: &str) -> Option<&'static str> {
    let good = text.len() <= 63
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    (!good).then_some("it must consist of lower case letters, digits and `-`, start with a letter and end with a letter or digit, at most 63 characters")
}

fn dns_subdomain(text: &str) -> Option<&'static str> {
    let part = |p: &str| {
        !p.is_empty()
            && !p.starts_with('-')
            && !p.ends_with('-')
            && p.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    if !text.contains('.') {
        return Some("it must be a domain with at least one dot, such as \"example.com\"");
    }
    let good = text.len() <= 253 && text.split('.').all(part);
    (!good).then_some(
        "it must be a domain of lower case letters, digits, `-` and `.`, such as \"stable.example.com\"",
    )
}

fn kind_name(text: &str) -> Option<&'static str> {
    let good = text.len() <= 63
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && !text.ends_with('-');
    (!good).then_some("it must start with a letter and have letters and digits only, at most 63 characters, such as \"CronTab\"")
}

const WEBHOOK: &str = "write conversion(webhook(service(namespace = \"…\", name = \"…\", path = \"…\")), review_versions = [\"v1\"]), or conversion = \"None\"";

fn conversion(r: &mut Reader<'_>, m: &Meta) {
    let mut out = Conversion { strategy: "Webhook".into(), ..Conversion::default() };
    if let Arg::Value(tokens) = &m.arg {
        if tokens.text().is_some_and(|text| text.eq_ignore_ascii_case("webhook")) {
            r.bad(m.value_span(), "the conversion has no webhook", WEBHOOK);
            return;
        }
        super::schema::choice(r, m, &["None"], |r, strategy| {
            r.kube().root.conversion = Some(Conversion { strategy, ..Conversion::default() });
        });
        return;
    }
    let mut client = ClientConfig::default();
    let before = r.reported();
    for part in r.parts(m).unwrap_or_default() {
        match part.key.as_str() {
            "webhook" => {
                for part in r.parts(&part).unwrap_or_default() {
                    match part.key.as_str() {
                        "url" => client.url = r.text(&part),
                        "service" => client.service = service(r, &part),
                        _ => r.unknown_part(&part, "webhook", &["url", "service"]),
                    }
                }
            }
            "ca_bundle" => {
                if let Some(text) = r.text(&part) {
                    match crate::go::base64_decode(&text) {
                        Some(bytes) => client.ca_bundle = bytes,
                        None => r.bad(
                            part.value_span(),
                            "the CA bundle is not base64",
                            "encode the PEM file in base64",
                        ),
                    }
                }
            }
            "review_versions" => out.review_versions = r.texts(&part),
            _ => r.unknown_part(&part, "conversion", &["webhook", "ca_bundle", "review_versions"]),
        }
    }
    if client == ClientConfig::default() && out.review_versions.as_ref().is_some_and(Vec::is_empty) {
        // A server keeps an empty list next to the strategy None, where the list has no effect.
        r.kube().root.conversion = Some(Conversion { strategy: "None".into(), ..out });
        return;
    }
    if client.url.is_none() && client.service.is_none() && r.reported() == before {
        r.bad(m.value_span(), "the conversion has no webhook", WEBHOOK);
    }
    if client.url.is_some() && client.service.is_some() {
        r.report.error(
            m.value_span(),
            &codes::CONTRADICTION,
            "a webhook has a url or a service, not both",
            "keep one of the two",
        );
    }
    out.client_config = Some(client);
    r.kube().root.conversion = Some(out);
}

fn service(r: &mut Reader<'_>, m: &Meta) -> Option<ServiceReference> {
    let mut service = ServiceReference::default();
    for part in r.parts(m)? {
        match part.key.as_str() {
            "namespace" => service.namespace = r.text(&part)?,
            "name" => service.name = r.text(&part)?,
            "path" => service.path = r.text(&part),
            "port" => {
                if let Some(Number::Is(n)) = r.count(&part) {
                    service.port = Some(n as i32);
                }
            }
            _ => r.unknown_part(&part, "service", &["namespace", "name", "path", "port"]),
        }
    }
    Some(service)
}

fn attr(r: &mut Reader<'_>, m: &Meta) {
    let parsed: Option<syn::Meta> = match &m.arg {
        Arg::List(group) => {
            let all = split(group.stream()).into_iter();
            all.map(|p| nesting::parse2(p.into_iter().collect()))
                .collect::<Result<Vec<syn::Meta>, _>>()
                .ok()
                .and_then(|mut v| v.pop())
        }
        Arg::Flag | Arg::Value(_) => r.parsed(m, "allow(dead_code)"),
    };
    let Some(meta) = parsed else { return };
    if let Some(ident) = meta.path().get_ident()
        && ["derive", "serde", "schemars", "schema"].iter().any(|n| ident == n)
    {
        let help = match ident.to_string().as_str() {
            "derive" => "for derives, write derive = \"…\"",
            "serde" => {
                "put serde attributes on the spec. The object itself is read and written like every Kubernetes object"
            }
            _ => "for the schema around the spec, write #[schema(root(…))] next to #[kube(…)]",
        };
        r.bad(m.value_span(), format!("`attr` does not accept `{ident}`"), help);
        return;
    }
    r.kube().attributes.push(meta);
}
