//! What a file or document is for, as far as its place and its structure show it, and what commands skip.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crdgen_core::documents::is_part_of_definition;
use crdgen_core::value::Value;
use glob::{MatchOptions, Pattern};

use super::path::normal;
use crdgen_files::Error;

/// Why a file or document is not for a server. `INPUTS.md` has the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A kustomization lists it as a patch.
    Patch,
    /// A kustomization.
    Kustomization,
    /// What a kustomization reads for its own work, such as values and the configuration of transformers.
    OfKustomization,
    /// A CRD without group, names and scope: a patch that no kustomization lists.
    PartialCrd,
    /// A template of a Helm chart.
    HelmTemplate,
    /// Another file of a Helm chart, such as its values.
    ChartFile,
    /// Not YAML because of the actions of a template.
    Template,
    /// Neither YAML nor JSON, and without the parts of an object.
    NotYaml,
    /// A document that is not an object: it has no `apiVersion` or no `kind`, and no metadata.
    NotKubernetes,
    /// A file without a CRD, for commands that want only CRDs.
    WithoutCrd,
    /// A suite of `crdgen test`, as openshift/api has them.
    Suite,
    /// A file that a test only compares with, that a server must reject in a test, or that only the program that runs the
    /// test reads.
    OfTest,
    /// An object of a kind that only programs on the user's side read.
    ClientSide,
    /// An object that the user wants to skip.
    Unwanted,
    /// A folder that git does not track or that has what others wrote.
    Folder,
}

impl Class {
    /// The name for one, and for several.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Class::Patch => ("kustomize patch", "kustomize patches"),
            Class::Kustomization => ("kustomization", "kustomizations"),
            Class::OfKustomization => ("file that kustomizations read", "files that kustomizations read"),
            Class::PartialCrd => ("partial CRD", "partial CRDs"),
            Class::HelmTemplate => ("Helm template", "Helm templates"),
            Class::ChartFile => ("other file of Helm charts", "other files of Helm charts"),
            Class::Template => ("template", "templates"),
            Class::NotYaml => ("file that is not YAML", "files that are not YAML"),
            Class::NotKubernetes => {
                ("document that is not a Kubernetes object", "documents that are not Kubernetes objects")
            }
            Class::WithoutCrd => ("file without a CRD", "files without a CRD"),
            Class::Suite => ("suite of tests", "suites of tests"),
            Class::OfTest => ("file for a test", "files for tests"),
            Class::ClientSide => ("object that no server reads", "objects that no server reads"),
            Class::Unwanted => ("object of --skip", "objects of --skip"),
            Class::Folder => ("folder", "folders"),
        }
    }

    /// The name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Class::Patch => "kustomizePatch",
            Class::Kustomization => "kustomization",
            Class::OfKustomization => "kustomizationFile",
            Class::PartialCrd => "partialCrd",
            Class::HelmTemplate => "helmTemplate",
            Class::ChartFile => "chartFile",
            Class::Template => "template",
            Class::NotYaml => "notYaml",
            Class::NotKubernetes => "notKubernetes",
            Class::WithoutCrd => "withoutCrd",
            Class::Suite => "suite",
            Class::OfTest => "testFile",
            Class::ClientSide => "clientSide",
            Class::Unwanted => "unwanted",
            Class::Folder => "folder",
        }
    }
}

/// What commands want of their inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wants {
    /// CRDs.
    #[default]
    Crds,
    /// Objects of all kinds.
    Objects,
    /// The command itself finds out what a file is.
    Anything,
}

/// What was skipped, with the names of files.
#[derive(Default)]
pub struct Skipped(Mutex<BTreeMap<Class, BTreeSet<(String, usize)>>>);

impl Skipped {
    /// Adds a file. Threads may add files in any order.
    pub fn add(&self, class: Class, file: &str) {
        self.add_object(class, file, 0);
    }

    /// Adds an object of a file with its number. A command may read a file twice.
    pub fn add_object(&self, class: Class, file: &str, number: usize) {
        self.all().entry(class).or_default().insert((file.to_owned(), number));
    }

    /// The names of the files by class, in a stable order.
    pub fn by_class(&self) -> Vec<(Class, Vec<String>)> {
        let names = |files: &BTreeSet<(String, usize)>| files.iter().map(|(file, _)| file.clone()).collect();
        self.all().iter().map(|(class, files)| (*class, names(files))).collect()
    }

    /// Whether there is a file of a class.
    pub fn has(&self, class: Class) -> bool {
        self.all().get(&class).is_some_and(|files| !files.is_empty())
    }

    /// Removes all files of a class.
    pub fn forget(&self, class: Class) {
        self.all().remove(&class);
    }

    /// Removes the files of a folder.
    pub fn remove(&self, class: Class, folder: &Path) {
        let mut all = self.all();
        if let Some(files) = all.get_mut(&class) {
            files.retain(|(file, _)| !normal(Path::new(file)).starts_with(folder));
            if files.is_empty() {
                all.remove(&class);
            }
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Class, BTreeSet<(String, usize)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }
}

/// `12 kustomize patches, 85 Helm templates`
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (class, files)) in self.all().iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let (one, many) = class.names();
            write!(f, "{comma}{} {}", files.len(), if files.len() == 1 { one } else { many })?;
        }
        Ok(())
    }
}

/// What SOPS writes besides its version.
const SOPS: [&str; 8] = ["age", "azure_kv", "gcp_kms", "hc_vault", "kms", "lastmodified", "mac", "pgp"];

/// Which objects a user does not want.
#[derive(Clone, Default)]
pub struct Unwanted {
    kinds: Vec<Pattern>,
    /// Fields that another program removes before it applies an object: the kind, and the keys to the field.
    fields: Vec<(Pattern, Vec<String>)>,
}

/// How kinds are compared with patterns.
const ANY_CASE: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: false,
    require_literal_leading_dot: false,
};

impl Unwanted {
    /// `kinds` are patterns for a kind, a group, or both: `Secret`, `*.toolkit.fluxcd.io`, `Certificate.cert-manager.io`.
    /// `fields` have a kind and a JSON pointer: `Secret:/sops`.
    pub fn new(kinds: &[String], fields: &[String]) -> Result<Unwanted, Error> {
        let kinds = kinds.iter().map(|text| pattern("--skip", text)).collect::<Result<_, _>>()?;
        let field = |text: &String| match text.split_once(":/") {
            Some((kind, pointer)) if !pointer.is_empty() => {
                let key = |key: &str| key.replace("~1", "/").replace("~0", "~");
                Ok((pattern("--skip-field", kind)?, pointer.split('/').map(key).collect()))
            }
            _ => {
                Err(Error::Argument(format!("--skip-field {text}: write a kind and a pointer: Secret:/sops")))
            }
        };
        Ok(Unwanted { kinds, fields: fields.iter().map(field).collect::<Result<_, _>>()? })
    }

    fn has(&self, object: &Value) -> bool {
        self.kinds.iter().any(|pattern| is_of_kind(pattern, object))
    }

    /// Removes the fields that another program removes before it applies the object.
    fn remove_fields(&self, object: &mut Value) {
        for (kind, keys) in &self.fields {
            if is_of_kind(kind, object)
                && let Some((last, above)) = keys.split_last()
            {
                let parent = above.iter().try_fold(&mut *object, |at, key| at.as_map_mut()?.get_mut(key));
                parent.and_then(Value::as_map_mut).map(|parent| parent.remove(last));
            }
        }
        // SOPS decrypts an object before it is applied, and removes its own field.
        let is_sops =
            |sops: &Value| sops.get("version").is_some() && SOPS.iter().any(|key| sops.get(key).is_some());
        if object.get("sops").is_some_and(is_sops)
            && let Some(object) = object.as_map_mut()
        {
            object.remove("sops");
        }
    }
}

fn pattern(option: &str, text: &str) -> Result<Pattern, Error> {
    Pattern::new(text).map_err(|why| Error::Argument(format!("{option} {text}: {why}")))
}

/// Whether a pattern is for the kind or the group of an object, or for both.
fn is_of_kind(pattern: &Pattern, object: &Value) -> bool {
    let (group, _) = object.text("apiVersion").split_once('/').unwrap_or_default();
    is_for(pattern, group, object.text("kind"))
}

/// Whether a pattern is for a kind or its group, or for both.
pub fn is_for(pattern: &Pattern, group: &str, kind: &str) -> bool {
    let is = |text: &str| pattern.matches_with(text, ANY_CASE);
    is(kind) || !group.is_empty() && (is(group) || is(&format!("{kind}.{group}")))
}

/// What an object is, if a command does not want it. Changes it to what is applied. `has_crd` says whether there is a CRD for
/// a group and kind, so that a server reads it.
pub(super) fn of_object(
    object: &mut Value,
    is_found: bool,
    wants: Wants,
    unwanted: &Unwanted,
    has_crd: impl Fn(&str, &str) -> bool,
) -> Option<Class> {
    if wants == Wants::Anything {
        return None;
    }
    if is_found && is_part_of_definition(object) {
        return Some(Class::PartialCrd);
    }
    if wants == Wants::Crds {
        return None;
    }
    let lacks = |key: &str| object.get(key).is_none_or(Value::is_null);
    // Other programs have files with one of them. An object with a mistake has a name.
    let is_other = lacks("apiVersion") && lacks("kind")
        || (lacks("apiVersion") || lacks("kind")) && lacks("metadata") && lacks("items");
    if is_found && !object.is_null() && is_other && !is_suite(object) {
        return Some(Class::NotKubernetes);
    }
    if is_found && is_suite(object) {
        return Some(Class::Suite);
    }
    if is_client_side(object, has_crd) {
        return Some(Class::ClientSide);
    }
    if unwanted.has(object) {
        return Some(Class::Unwanted);
    }
    unwanted.remove_fields(object);
    None
}

/// Whether an object is a suite of `crdgen test`.
fn is_suite(object: &Value) -> bool {
    object.get("kind").is_none() && object.get("crdName").is_some() && object.get("tests").is_some()
}

/// Groups whose kinds mostly only programs on the user's side read. If there is a CRD for a kind, a server reads it.
const CLIENT_SIDE: [&str; 26] = [
    "apiserver.config.k8s.io",
    "audit.k8s.io",
    "backstage.io",
    "chainsaw.kyverno.io",
    "cli.kyverno.io",
    "client.authentication.k8s.io",
    "clientauthentication.k8s.io",
    "controller-runtime.sigs.k8s.io",
    "ctlptl.dev",
    "eksctl.io",
    "k3d.io",
    "kapp.k14s.io",
    "kbld.k14s.io",
    "kind.sigs.k8s.io",
    "kind.x-k8s.io",
    "kubeadm.k8s.io",
    "kubelet.config.k8s.io",
    "kubeproxy.config.k8s.io",
    "kubescheduler.config.k8s.io",
    "kustomize.config.k8s.io",
    "kuttl.dev",
    "resourcesync.k8s.io",
    "schema.plugin.fluxcd.io",
    "scorecard.operatorframework.io",
    "skaffold",
    "vendir.k14s.io",
];

/// Whether only programs on the user's side read the kind of an object.
fn is_client_side(object: &Value, has_crd: impl Fn(&str, &str) -> bool) -> bool {
    let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
    match api_version.split_once('/') {
        Some((group, _)) => {
            let is_known =
                CLIENT_SIDE.contains(&group) || (group, kind) == ("clusterctl.cluster.x-k8s.io", "Metadata");
            // No server takes an object without metadata: clusterctl's `Metadata` has a CRD, and its files have no name.
            is_known && (object.get("metadata").is_none() || !has_crd(group, kind))
        }
        // kubeconfig
        None => api_version == "v1" && kind == "Config",
    }
}
