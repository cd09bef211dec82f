//! Checks of the sources of volumes, in pods and in PersistentVolumes.

use super::env::{DOWNWARD_FILE, MODE};
use super::projected::KEY_TO_PATH;
use super::{PULL_POLICIES, inside, projected, without_parents};
use crate::checks::at::{At, Mistakes};
use crate::checks::claims::CLAIM;
use crate::checks::rows::{Check::*, Row, check};
use crate::checks::selectors::{ANNOTATIONS, LABELS};
use crate::checks::words::lower_subdomain;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A source of volumes: its name, the name that its mistakes have, and its checks.
pub(crate) type Source = (&'static str, &'static str, &'static [Row]);

/// The sources in pods, in the order in which the server looks at them.
pub(crate) const SOURCES: &[Source] = &[
    (
        "emptyDir",
        "emptyDir",
        &[(
            "sizeLimit",
            ForbiddenIf(|at| at.is_negative(), "SizeLimit field must be a valid resource quantity"),
        )],
    ),
    ("hostPath", "hostPath", HOST_PATH),
    ("gitRepo", "gitRepo", &[("repository", Required("")), ("directory", Name(inside))]),
    ("gcePersistentDisk", "persistentDisk", DISK_BY_NAME),
    ("awsElasticBlockStore", "awsElasticBlockStore", DISK_BY_ID),
    ("secret", "secret", &[("secretName", Required("")), ("", All(FILES))]),
    ("nfs", "nfs", NFS),
    (
        "iscsi",
        "iscsi",
        &[("", Code(|at, out| iscsi(at, "must be valid format starting with iqn, eui, or naa", out)))],
    ),
    ("glusterfs", "glusterfs", GLUSTERFS),
    ("flocker", "flocker", FLOCKER),
    ("persistentVolumeClaim", "persistentVolumeClaim", &[("claimName", Required(""))]),
    ("rbd", "rbd", RBD),
    ("cinder", "cinder", &[("volumeID", Required("")), ("secretRef", In(&[("name", Required(""))]))]),
    ("cephfs", "cephfs", CEPHFS),
    ("quobyte", "quobyte", QUOBYTE),
    // The server's code leaves out which file it is.
    ("downwardAPI", "downwardAPI", &[("defaultMode", MODE), ("", Code(downward))]),
    ("fc", "fc", FC),
    ("flexVolume", "flexVolume", FLEX),
    ("configMap", "configMap", &[("name", Required("")), ("", All(FILES))]),
    ("azureFile", "azureFile", AZURE_FILE),
    ("vsphereVolume", "vsphereVolume", VSPHERE),
    ("photonPersistentDisk", "photonPersistentDisk", PHOTON),
    ("portworxVolume", "portworxVolume", PORTWORX),
    ("azureDisk", "azureDisk", AZURE_DISK),
    ("storageos", "storageos", &[("", All(STORAGE_OS)), ("secretRef", In(&[("name", Required(""))]))]),
    ("projected", "projected", projected::PROJECTED),
    ("scaleIO", "scaleIO", SCALE_IO),
    ("csi", "csi", &[("", All(CSI_DRIVER)), ("nodePublishSecretRef", In(&[("name", Code(csi_secret))]))]),
    ("ephemeral", "ephemeral", &[("", Code(ephemeral))]),
    ("image", "image", &[("reference", Required("")), ("pullPolicy", Known(PULL_POLICIES))]),
];

/// The sources of PersistentVolumes.
pub(crate) const OF_VOLUMES: &[Source] = &[
    ("hostPath", "hostPath", HOST_PATH),
    ("gcePersistentDisk", "persistentDisk", DISK_BY_NAME),
    ("awsElasticBlockStore", "awsElasticBlockStore", DISK_BY_ID),
    (
        "glusterfs",
        "glusterfs",
        &[("", All(GLUSTERFS)), ("endpointsNamespace", NameIfSet(endpoints_namespace))],
    ),
    ("flocker", "flocker", FLOCKER),
    ("nfs", "nfs", NFS),
    ("rbd", "rbd", RBD),
    ("quobyte", "quobyte", QUOBYTE),
    ("cephfs", "cephfs", CEPHFS),
    ("iscsi", "iscsi", &[("", Code(|at, out| iscsi(at, "must be valid format", out)))]),
    ("cinder", "cinder", &[("volumeID", Required("")), ("secretRef", In(SECRET))]),
    ("fc", "fc", FC),
    ("flexVolume", "flexVolume", FLEX),
    (
        "azureFile",
        "azureFile",
        &[("", All(AZURE_FILE)), ("secretNamespace", RequiredIf(|at| at.is_set() && at.is_empty(), ""))],
    ),
    ("vsphereVolume", "vsphereVolume", VSPHERE),
    ("photonPersistentDisk", "photonPersistentDisk", PHOTON),
    ("portworxVolume", "portworxVolume", PORTWORX),
    ("azureDisk", "azureDisk", AZURE_DISK),
    ("scaleIO", "scaleIO", SCALE_IO),
    ("local", "local", &[("path", NeedsName(without_parents))]),
    ("storageos", "storageos", &[("", All(STORAGE_OS)), ("secretRef", In(SECRET))]),
    (
        "csi",
        "csi",
        &[
            ("", All(CSI_DRIVER)),
            ("volumeHandle", Required("")),
            ("controllerPublishSecretRef", In(NAMED_SECRET)),
            ("controllerExpandSecretRef", In(NAMED_SECRET)),
            ("nodePublishSecretRef", In(NAMED_SECRET)),
            ("nodeExpandSecretRef", In(NAMED_SECRET)),
        ],
    ),
];

const SECRET: &[Row] = &[("name", Required("")), ("namespace", Required(""))];
const NAMED_SECRET: &[Row] =
    &[("name", NeedsName(names::dns1123_subdomain)), ("namespace", NeedsName(names::dns1123_label))];
const HOST_PATH: &[Row] = &[
    ("path", NeedsName(without_parents)),
    ("", If(|at| !at.get("path").is_empty(), &[("type", OneOf(HOST_TYPES))])),
];
const HOST_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
const DISK_BY_NAME: &[Row] = &[("pdName", Required("")), ("partition", PARTITION)];
const DISK_BY_ID: &[Row] = &[("volumeID", Required("")), ("partition", PARTITION)];
const PARTITION: crate::checks::rows::Check =
    InvalidIf(|at| !(0..=255).contains(&at.number()), "must be between 1 and 255, inclusive");
const NFS: &[Row] = &[("server", Required("")), ("path", Required("")), ("path", Name(absolute))];
const GLUSTERFS: &[Row] = &[("endpoints", Required("")), ("path", Required(""))];
const FLOCKER: &[Row] =
    &[("", Code(flocker)), ("datasetName", InvalidIf(|at| at.text().contains('/'), "must not contain '/'"))];
const RBD: &[Row] = &[("monitors", Required("")), ("image", Required(""))];
const CEPHFS: &[Row] = &[("monitors", Required(""))];
const QUOBYTE: &[Row] = &[
    ("registry", Required(PAIRS)),
    (
        "registry",
        InvalidIf(|at| !at.is_empty() && at.text().split(',').any(|pair| !pair.contains(':')), PAIRS),
    ),
    ("volume", Required("")),
];
const FC: &[Row] = &[("", Code(fibre_channel))];
const FLEX: &[Row] = &[("driver", Required("")), ("options", Code(flex_options))];
const AZURE_FILE: &[Row] = &[("secretName", Required("")), ("shareName", Required(""))];
const VSPHERE: &[Row] = &[("volumePath", Required(""))];
const PHOTON: &[Row] = &[("pdID", Required(""))];
const PORTWORX: &[Row] = &[("volumeID", Required(""))];
const AZURE_DISK: &[Row] = &[
    ("diskName", Required("")),
    ("diskURI", Required("")),
    ("cachingMode", OneOf(&["None", "ReadOnly", "ReadWrite"])),
    ("kind", OneOf(&["Dedicated", "Managed", "Shared"])),
    ("", Code(disk_uri)),
];
const STORAGE_OS: &[Row] = &[
    ("volumeName", NeedsName(names::dns1123_label)),
    ("volumeNamespace", NameOrEmpty(names::dns1123_label)),
];
const SCALE_IO: &[Row] = &[("gateway", Required("")), ("system", Required("")), ("volumeName", Required(""))];

/// The name of a driver.
pub(crate) const CSI_DRIVER: &[Row] =
    &[("driver", Required("")), ("driver", Longest(63)), ("driver", NameOrEmpty(lower_subdomain))];

/// The files that keys of an object become.
const FILES: &[Row] = &[("defaultMode", MODE), ("items[]", All(KEY_TO_PATH))];

/// Checks all volumes of a pod, and returns those that are right: containers can use them.
pub(super) fn right<'v>(
    spec: &At<'v>,
    pod: Option<&str>,
    out: &mut Mistakes,
) -> BTreeMap<&'v str, &'v Value> {
    let (mut right, pod) = (BTreeMap::new(), pod.filter(|name| !name.is_empty()));
    let volumes = spec.get("volumes");
    let created: BTreeSet<String> = pod
        .map(|pod| {
            let volumes = volumes.each().filter(|volume| volume.get("ephemeral").is_set());
            volumes.map(|volume| format!("{pod}-{}", volume.get("name").text())).collect()
        })
        .unwrap_or_default();
    for volume in volumes.each() {
        let (name, mut found) = (volume.get("name"), Mistakes::new());
        sources(&volume, SOURCES, &mut found);
        if let Some(pod) = pod.filter(|_| volume.get("ephemeral").is_set() && !name.is_empty()) {
            let claim = format!("{pod}-{}", name.text());
            let why = names::dns1123_subdomain(&claim)
                .into_iter()
                .map(|why| format!("PVC name \"{claim}\": {why}"));
            found.extend(name.wrong_text(why.collect()));
        }
        check(&[("", NeedsName(names::dns1123_label))], &name, &mut found);
        if right.contains_key(name.text()) {
            found.push(name.duplicate_text(name.text()));
        }
        if let (true, Some(value)) = (found.is_empty(), volume.value) {
            right.insert(name.text(), value);
        }
        out.append(&mut found);
        let claim = volume.get("persistentVolumeClaim.claimName");
        if claim.is_set() && created.contains(claim.text()) {
            out.push(claim.invalid("must not reference a PVC that gets created for an ephemeral volume"));
        }
    }
    right
}

/// A volume has one source.
pub(crate) fn sources(at: &At<'_>, sources: &[Source], out: &mut Mistakes) {
    let mut is_found = false;
    for (name, field, rows) in sources {
        let source = at.get(name);
        if !source.is_set() {
            continue;
        }
        // The server takes two sources if the second one is this.
        let is_overlooked = *name == "flexVolume" && std::ptr::eq(sources, OF_VOLUMES);
        if is_found && !is_overlooked {
            // The server's code names these fields like this.
            let name = match *name {
                "cephfs" => "cephFS",
                "downwardAPI" => "downwarAPI",
                name => name,
            };
            let again = source.shown_as(at.field.child(name));
            out.push(again.forbidden("may not specify more than 1 volume type"));
        } else {
            check(rows, &source.shown_as(at.field.child(field)), out);
        }
        is_found = true;
    }
    if !is_found {
        out.push(at.required("must specify a volume type"));
    }
}

fn endpoints_namespace(name: &str) -> Vec<String> {
    match name {
        "" => vec!["if the endpointnamespace is set, it must be a valid namespace name".to_owned()],
        name => names::dns1123_label(name),
    }
}

fn absolute(path: &str) -> Vec<String> {
    if path.starts_with('/') { Vec::new() } else { vec!["must be an absolute path".to_owned()] }
}

const PAIRS: &str = "must be a host:port pair or multiple pairs separated by commas";

fn iscsi(at: &At<'_>, why: &'static str, out: &mut Mistakes) {
    let is_known = |name: &str| ["iqn", "eui", "naa"].iter().any(|prefix| name.starts_with(prefix));
    check(&[("targetPortal", Required("")), ("iqn", Required(""))], at, out);
    let iqn = at.get("iqn");
    out.extend((!iqn.is_empty() && !is_known(iqn.text())).then(|| iqn.invalid(why)));
    check(&[("lun", ZeroOrBetween(0, 255, "must be between 0 and 255, inclusive"))], at, out);
    let is_protected = at.get("chapAuthDiscovery").is_true() || at.get("chapAuthSession").is_true();
    let (secret, initiator) = (at.get("secretRef"), at.get("initiatorName"));
    out.extend((is_protected && !secret.is_set()).then(|| secret.required("")));
    if initiator.is_set() && !is_known(initiator.text()) {
        out.push(initiator.shown_as(at.field.child("initiatorname")).invalid(why));
    }
}

fn flocker(at: &At<'_>, out: &mut Mistakes) {
    match (at.get("datasetName").is_empty(), at.get("datasetUUID").is_empty()) {
        (true, true) => out.push(at.required("one of datasetName and datasetUUID is required")),
        (false, false) => {
            let why = "datasetName and datasetUUID can not be specified simultaneously";
            out.push(at.invalid_text("resource", why));
        }
        _ => {}
    }
}

fn fibre_channel(at: &At<'_>, out: &mut Mistakes) {
    let (targets, lun) = (at.get("targetWWNs"), at.get("lun"));
    match (targets.is_empty(), at.get("wwids").is_empty()) {
        (true, true) => out.push(targets.required("must specify either targetWWNs or wwids, but not both")),
        (false, false) => {
            out.push(targets.invalid("targetWWNs and wwids can not be specified simultaneously"));
        }
        _ => {}
    }
    if !targets.is_empty() && !lun.is_set() {
        out.push(lun.required("lun is required if targetWWNs is specified"));
    } else if !targets.is_empty() {
        check(&[("", Between(0, 255, "must be between 0 and 255, inclusive"))], &lun, out);
    }
}

fn flex_options(at: &At<'_>, out: &mut Mistakes) {
    for (name, option) in at.members() {
        let domain = format!(".{}", name.split_once('/').map_or(name, |(domain, _)| domain).to_lowercase());
        if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
            out.push(option.invalid_text(name, "kubernetes.io and k8s.io namespaces are reserved"));
        }
    }
}

fn disk_uri(at: &At<'_>, out: &mut Mistakes) {
    let uri = at.get("diskURI");
    let starts = |prefix| uri.text().starts_with(prefix);
    let supported = match at.get("kind").text() {
        "Managed" if !starts("/subscriptions") => {
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
        }
        "Managed" => return,
        _ if starts("https://") || starts("http://") => return,
        _ => "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
    };
    out.push(uri.unsupported(&[supported]));
}

fn downward(at: &At<'_>, out: &mut Mistakes) {
    for file in at.get("items").each() {
        check(DOWNWARD_FILE, &file.shown_as(at.field.clone()), out);
    }
}

/// The server's code leaves out whose name it is.
fn csi_secret(at: &At<'_>, out: &mut Mistakes) {
    match at.is_empty() {
        true => out.push(at.required("")),
        false => {
            let name = at.shown_as(at.field.up().up().child("name"));
            out.extend(name.wrong_text(names::dns1123_subdomain(at.text())));
        }
    }
}

/// A claim that is created for the pod.
fn ephemeral(at: &At<'_>, out: &mut Mistakes) {
    let template = at.get("volumeClaimTemplate");
    if !template.is_set() {
        return out.push(template.required(""));
    }
    check(&[("metadata", Code(metadata_of_template)), ("spec", All(CLAIM))], &template, out);
}

/// The metadata in a template, which has few of the fields.
pub(in crate::checks) fn metadata_of_template(metadata: &At<'_>, out: &mut Mistakes) {
    check(&[("annotations", ANNOTATIONS), ("labels", LABELS)], metadata, out);
    let others = metadata.members().filter(|(name, at)| {
        !matches!(*name, "annotations" | "labels") && !at.value.is_none_or(Value::is_null)
    });
    out.extend(others.filter_map(|(name, at)| {
        let known = OF_METADATA.iter().find(|known| **known == name || **known == "uID" && name == "uid")?;
        Some(at.shown_as(metadata.field.child(known)).forbidden("cannot be set"))
    }));
}

/// The fields of metadata that templates of claims do not have.
const OF_METADATA: [&str; 14] = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uID",
    "clusterName",
];
