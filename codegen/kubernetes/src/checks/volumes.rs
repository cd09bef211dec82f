//! Checks of PersistentVolumes.

use super::find;
use super::pods::affinity::node_selector;
use super::storage::access_modes;
use super::words::{forbidden, immutable, invalid_text, required, unsupported};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, names};

type Mistakes = Vec<Mistake<'static>>;

/// The sources of volumes, in the order in which the server looks at them.
const SOURCES: [&str; 21] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
];

/// What may be at a path of a host.
const HOST_TYPES: [&str; 8] =
    ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

/// The mistakes of a volume.
pub(super) fn volume(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let field = |name: &str| format!("spec.{name}");
    let mut out = Vec::new();
    let modes = texts(spec, "accessModes");
    if modes.is_empty() {
        out.push(required(field("accessModes"), ""));
    }
    out.extend(access_modes(&modes, &field("accessModes")));
    let capacity = spec.get("capacity").and_then(Value::as_map).filter(|it| !it.is_empty());
    if capacity.is_none() {
        out.push(required(field("capacity"), ""));
    }
    if capacity.is_none_or(|capacity| capacity.get("storage").is_none() || capacity.len() > 1) {
        let shown = json::to_string(&capacity.cloned().map_or(Value::Null, Value::Map));
        let why = format!("{shown}: supported values: \"storage\"");
        out.push(Mistake::new(field("capacity"), Kind::NotSupported, why));
    }
    for (name, amount) in capacity.into_iter().flat_map(Map::iter) {
        let Some(text) = amount.as_str() else { continue };
        let field = || field(&format!("capacity[{name}]"));
        let Ok(amount) = Quantity::parse(text) else { continue };
        if amount.sign() < 0 {
            // The server's code shows it as a number.
            let why = format!("{}: must be a valid resource quantity", amount.as_int().unwrap_or_default());
            out.push(Mistake::new(field(), Kind::Invalid, why));
        }
        if amount.sign() <= 0 {
            out.push(invalid_text(field(), text, "must be greater than zero"));
        }
    }
    let policy = own(spec, "persistentVolumeReclaimPolicy");
    let policies = ["Delete", "Recycle", "Retain"];
    if !policy.is_empty() && !policies.contains(&policy) {
        out.push(unsupported(field("persistentVolumeReclaimPolicy"), policy, &policies));
    }
    let mut sources = SOURCES.into_iter().filter(|name| spec.get(name).is_some_and(|it| !it.is_null()));
    if sources.next().is_none() {
        out.push(required("spec".to_owned(), "must specify a volume type"));
    }
    out.extend(sources.map(|name| forbidden(field(name), "may not specify more than 1 volume type")));
    if let Some(host) = spec.get("hostPath").filter(|it| !it.is_null()) {
        let (path, ty) = (own(host, "path"), own(host, "type"));
        if path.is_empty() {
            out.push(required(field("hostPath.path"), ""));
        } else {
            if path.split('/').any(|step| step == "..") {
                out.push(invalid_text(field("hostPath.path"), path, "must not contain '..'"));
            }
            if !HOST_TYPES.contains(&ty) {
                out.push(unsupported(field("hostPath.type"), ty, &HOST_TYPES));
            }
        }
    }
    let class = own(spec, "storageClassName");
    let mistakes = if class.is_empty() { Vec::new() } else { names::dns1123_subdomain(class) };
    out.extend(mistakes.iter().map(|why| invalid_text(field("storageClassName"), class, why)));
    let mode = own(spec, "volumeMode");
    if !matches!(mode, "" | "Block" | "Filesystem") {
        out.push(unsupported(field("volumeMode"), mode, &["Block", "Filesystem"]));
    }
    if let Some(nodes) = find(spec, &["nodeAffinity"]).filter(|it| !it.is_null()) {
        match find(nodes, &["required"]).filter(|it| !it.is_null()) {
            None => {
                out.push(required(field("nodeAffinity.required"), "must specify required node constraints"))
            }
            Some(selector) => out.extend(node_selector(selector, &field("nodeAffinity.required"))),
        }
    }
    if let Some(live) = live {
        let before = live.get("spec").unwrap_or(&nothing);
        if SOURCES.iter().any(|name| spec.get(name) != before.get(name)) {
            let why = "spec.persistentvolumesource is immutable after creation";
            out.push(forbidden(field("persistentvolumesource"), why));
        }
        if spec.get("volumeMode") != before.get("volumeMode") {
            out.push(immutable("volumeMode", spec.get("volumeMode")));
        }
    }
    out
}
