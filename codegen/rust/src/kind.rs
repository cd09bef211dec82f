//! The attributes of a root, which describe its kind.

use super::attrs::{self, Cfg, Kube, Test, place};
use super::lower::{self, plain};
use super::report::Report;
use super::rules;
use super::written::Written;
use crate::diag::codes::crd::{APPROVAL, DEPRECATION, SELECTABLE_TWICE};
use crate::diag::codes::lint::KIND_NAME;
use crate::diag::codes::rust as codes;
use crate::recipe::Node;
use crdgen_rules::server::{
    APPROVAL_ANNOTATION, APPROVAL_HELP, Approval, approval, bad_warning, is_protected, kind_in_lower_case,
};
use std::collections::HashSet;

/// A kind, as the attributes of its root describe it.
pub struct Kind {
    /// The name of the item that has the attributes.
    pub name: syn::Ident,
    /// The visibility of the item, and of the generated items.
    pub visibility: syn::Visibility,
    /// The keys of `#[kube(…)]`.
    pub kube: Kube,
    /// The path at which crdgen is re-exported.
    pub krate: Option<syn::Path>,
    /// The generated test.
    pub test: Test,
    /// Whether the attributes request schemars' `JsonSchema` or switch it off. `None` if they do neither.
    pub schemars: Option<bool>,
    /// The type of the status.
    pub status: Option<syn::Type>,
    /// The type whose schema the status has, if it is another type.
    pub status_as: Option<syn::Type>,
    /// The rules on the root, as they are written.
    pub rules: Vec<Written>,
}

impl Kind {
    /// Returns the name of the struct for objects of the kind. The struct is generated unless the item is that struct.
    pub fn own_name(&self) -> String {
        match &self.kube.struct_name {
            _ if self.kube.root.whole && !self.kube.no_spec => plain(&self.name),
            Some(name) => name.clone(),
            None => self.kube.root.kind.clone(),
        }
    }
}

/// Reads the attributes of an item that describe its kind. The other attributes are read with its schema.
pub fn kind(input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) -> Kind {
    let mut code = Vec::new();
    let before = report.findings.len();
    let own: Vec<syn::Attribute> =
        input.attrs.iter().filter(|a| a.path().is_ident("kube")).cloned().collect();
    let others: Vec<syn::Attribute> =
        input.attrs.iter().filter(|a| !a.path().is_ident("kube")).cloned().collect();
    let own = attrs::read(&own, place::ROOT, cfg, attrs::Target { report, code: &mut code, as_is: false });
    let (kube, rules) = (*own.kube.unwrap_or_default(), own.rules);
    let rest = attrs::peek(&others, place::ROOT, cfg);
    let mut around_spec = rest.kube.unwrap_or_default();
    let mut kind = Kind {
        name: input.ident.clone(),
        visibility: input.vis.clone(),
        status: kube.status.clone(),
        status_as: around_spec.status_as.take(),
        kube,
        krate: rest.krate,
        test: rest.test,
        schemars: rest.schemars,
        rules,
    };
    kind.kube.crates.extend(around_spec.crates);
    kind.kube.root.allow = rest.patch.allow;
    let root = &mut kind.kube.root;
    let mut around = around_spec.root.patch;
    root.patch.merge_into(&mut around.set);
    around.at.splice(0..0, std::mem::take(&mut root.patch.at));
    root.patch = if root.as_is { around.taken_as_is() } else { around };
    root.metadata_name = around_spec.root.metadata_name;
    root.metadata_generate_name = around_spec.root.metadata_generate_name;
    root.spec = Node::Ref(0);
    root.status = kind.status.is_some().then_some(Node::Ref(1));
    if root.schemaless && root.status.take().is_some() {
        // Neither type has a schema, and neither needs one.
        root.subresource_status.get_or_insert(true);
    }
    missing_keys(&kind, report);
    parameters(input, report);
    if kind.kube.no_spec {
        lifted(input, cfg, report);
    } else if kind.kube.root.whole
        && let syn::Data::Struct(syn::DataStruct {
            fields: syn::Fields::Unnamed(_) | syn::Fields::Unit, ..
        }) = &input.data
    {
        report.error(
            input.ident.span(),
            &codes::ROOT,
            "an object without spec needs named fields",
            "write struct Name { … }",
        );
    }
    if kind.kube.root.schemaless && (kind.kube.cel || !kind.rules.is_empty()) {
        let help = "remove schema = \"disabled\", or the rules";
        report.error(
            kind.kube.span("schema"),
            &codes::ROOT,
            "a kind without a schema cannot have rules",
            help,
        );
    }
    let root = &kind.kube.root;
    if root.whole || root.schemaless || kind.kube.no_spec {
        rules::check_syntax(&kind.rules, report);
    } else if !kind.rules.is_empty() {
        // The derive of the schema reports the errors in the item itself.
        let own = lower::item(input, cfg, &mut Report::default());
        rules::check_root(&kind.rules, root, &own.node, &own.refs, report);
    }
    same_name(&kind, report);
    if report.one_item {
        as_the_server_checks(&kind, report);
    }
    report.hide(before, &kind.kube.root.allow);
    kind
}

/// Reports the keys that every kind needs.
fn missing_keys(kind: &Kind, report: &mut Report) {
    let root = &kind.kube.root;
    let missing: Vec<(&str, &str)> = [
        ("group", "example.com", &root.group),
        ("version", "v1", &root.version),
        ("kind", "Foo", &root.kind),
    ]
    .into_iter()
    .filter(|(key, _, value)| value.is_empty() && !kind.kube.spans.iter().any(|(k, _)| k == key))
    .map(|(key, example, _)| (key, example))
    .collect();
    if !missing.is_empty() {
        let keys: Vec<String> =
            missing.iter().map(|(key, example)| format!("{key} = \"{example}\"")).collect();
        report.error(
            kind.name.span(),
            &codes::ROOT,
            format!(
                "#[kube(…)] needs `{}`",
                missing.iter().map(|(key, _)| *key).collect::<Vec<_>>().join("`, `")
            ),
            format!("write #[kube({})]", keys.join(", ")),
        );
    }
}

/// Reports a spec with the name of its kind: the derive generates a struct of this name.
fn same_name(kind: &Kind, report: &mut Report) {
    let Kind { kube, name: own, .. } = kind;
    let (whole, name) = (kube.root.whole && !kube.no_spec, &kube.root.kind);
    if !whole && kube.struct_name.is_none() && own == name {
        report.error(
            kube.span("kind"),
            &codes::ROOT,
            format!("the kind and its spec are both named `{name}`"),
            match name.strip_suffix("Spec").filter(|kind| !kind.is_empty()) {
                Some(kind) => {
                    format!("write kind = \"{kind}\", or `whole` if the struct is the whole object")
                }
                None => {
                    format!("rename the struct to {name}Spec, or write `whole` if it is the whole object")
                }
            },
        );
    }
}

/// What the server, or a lint of the whole CRD, says about the attributes of a kind. If the whole CRD is known, it is checked
/// instead.
fn as_the_server_checks(kind: &Kind, report: &mut Report) {
    let root = &kind.kube.root;
    if is_protected(&root.group) {
        let text = root.annotations.get(APPROVAL_ANNOTATION).map_or("", String::as_str);
        if let (Approval::Missing | Approval::Invalid, why) = approval(text) {
            report.error(kind.kube.span("group"), &APPROVAL, why, APPROVAL_HELP);
        }
    }
    for (detail, help) in root.deprecation_warning.iter().flat_map(|warning| bad_warning(warning)) {
        let detail = format!("the deprecation warning {detail}");
        report.error(kind.kube.span("deprecated"), &DEPRECATION, detail, help);
    }
    let mut known = HashSet::new();
    for path in &root.selectable {
        if !known.insert(path) {
            let detail = format!("the field `{path}` is selectable twice");
            report.error(kind.kube.span("selectable"), &SELECTABLE_TWICE, detail, "remove one of them");
        }
    }
    if let Some((detail, help)) = kind_in_lower_case(&root.kind) {
        report.warning(kind.kube.span("kind"), &KIND_NAME, detail, help);
    }
}

/// A kind is one type: the code around the spec has no type arguments to pass.
fn parameters(input: &syn::DeriveInput, report: &mut Report) {
    let open = |param: &&syn::GenericParam| match param {
        syn::GenericParam::Lifetime(_) => true,
        syn::GenericParam::Type(it) => it.default.is_none(),
        syn::GenericParam::Const(it) => it.default.is_none(),
    };
    if let Some(first) = input.generics.params.iter().find(open) {
        report.error(
            syn::spanned::Spanned::span(first),
            &codes::ROOT,
            "a kind cannot be generic, because a CRD needs one type",
            "replace the parameter with a type",
        );
    }
}

/// The fields of a spec that become fields of the object itself must not have the names of the object's own fields.
fn lifted(input: &syn::DeriveInput, cfg: Cfg<'_>, report: &mut Report) {
    let syn::Data::Struct(syn::DataStruct { fields: syn::Fields::Named(fields), .. }) = &input.data else {
        report.error(
            input.ident.span(),
            &codes::ROOT,
            "`no_spec` needs a struct with named fields",
            "write struct Name { … }, or remove no_spec",
        );
        return;
    };
    let case = attrs::peek(&input.attrs, place::ROOT, cfg).serde.rename_all;
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let serde = attrs::peek(&field.attrs, place::FIELD, cfg).serde;
        let own = plain(ident);
        let name = serde.rename.unwrap_or_else(|| case.map_or(own.clone(), |case| case.field(&own)));
        if !serde.flatten && ["apiVersion", "kind", "metadata", "status"].contains(&name.as_str()) {
            report.error(
                ident.span(),
                &codes::ROOT,
                format!("the object has a field `{name}` already"),
                "with no_spec, fields are at the top level of the object. Rename the field, or remove no_spec",
            );
        }
    }
}
