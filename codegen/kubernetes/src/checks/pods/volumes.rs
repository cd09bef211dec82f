//! Checks of volumes.

use super::files::{downward, files, required_fields};
use super::{
    Mistakes, PULL_POLICIES, Pod, between, forbidden, invalid, invalid_text, is, label, list, named,
};
use super::{always_named, inside};
use super::{number, own, projected, required, set, text, unless_known, unsupported, without_parents};
use crate::checks::words::duplicate;
use crate::checks::{selectors, storage};
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

type Check = fn(&Value, &str) -> Mistakes;

/// The sources of volumes, in the order in which the server looks at them, with the names that fields in their mistakes have.
const SOURCES: [(&str, &str, Check); 29] = [
    ("emptyDir", "emptyDir", empty),
    ("hostPath", "hostPath", on_host),
    ("gitRepo", "gitRepo", git),
    ("gcePersistentDisk", "persistentDisk", |of, at| disk(of, "pdName", at)),
    ("awsElasticBlockStore", "awsElasticBlockStore", |of, at| disk(of, "volumeID", at)),
    ("secret", "secret", |of, at| with_files(of, "secretName", at)),
    ("nfs", "nfs", nfs),
    ("iscsi", "iscsi", iscsi),
    ("glusterfs", "glusterfs", |of, at| required_fields(of, &["endpoints", "path"], at)),
    ("flocker", "flocker", flocker),
    ("persistentVolumeClaim", "persistentVolumeClaim", |of, at| required_fields(of, &["claimName"], at)),
    ("rbd", "rbd", rados),
    ("cinder", "cinder", cinder),
    ("cephfs", "cephfs", |of, at| required_lists(of, &["monitors"], at)),
    ("quobyte", "quobyte", quobyte),
    ("downwardAPI", "downwardAPI", downward),
    ("fc", "fc", fibre_channel),
    ("flexVolume", "flexVolume", flex),
    ("configMap", "configMap", |of, at| with_files(of, "name", at)),
    ("azureFile", "azureFile", |of, at| required_fields(of, &["secretName", "shareName"], at)),
    ("vsphereVolume", "vsphereVolume", |of, at| required_fields(of, &["volumePath"], at)),
    ("photonPersistentDisk", "photonPersistentDisk", |of, at| required_fields(of, &["pdID"], at)),
    ("portworxVolume", "portworxVolume", |of, at| required_fields(of, &["volumeID"], at)),
    ("azureDisk", "azureDisk", azure_disk),
    ("storageos", "storageos", storage_os),
    ("projected", "projected", projected::mistakes),
    ("scaleIO", "scaleIO", scale_io),
    ("csi", "csi", csi),
    ("image", "image", image),
];

const HOST_TYPES: [&str; 8] =
    ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
/// The fields of metadata that the template of a claim can have.
const OF_TEMPLATES: [&str; 2] = ["annotations", "labels"];

/// The mistakes in the volumes. Those without one are the ones that containers can use.
pub(super) fn mistakes(pod: &mut Pod<'_>) -> Mistakes {
    let mut out = Vec::new();
    let name_of_pod = pod.name.filter(|name| !name.is_empty());
    let created: BTreeSet<String> = name_of_pod
        .into_iter()
        .flat_map(|pod_name| {
            let volumes =
                list(pod.spec, "volumes").iter().filter(|volume| set(volume, "ephemeral").is_some());
            volumes.map(move |volume| format!("{pod_name}-{}", own(volume, "name")))
        })
        .collect();
    for (i, volume) in list(pod.spec, "volumes").iter().enumerate() {
        let at = pod.field(&format!("volumes[{i}]"));
        let name = own(volume, "name");
        let mut found = sources(volume, name_of_pod, &at);
        found.extend(label(&format!("{at}.name"), name));
        if pod.volumes.contains_key(name) {
            found.push(duplicate(format!("{at}.name"), name));
        }
        if found.is_empty() {
            pod.volumes.insert(name, volume);
        }
        out.extend(found);
        let claim = set(volume, "persistentVolumeClaim").map(|claim| own(claim, "claimName"));
        if let Some(claim) = claim.filter(|claim| created.contains(*claim)) {
            let why = "must not reference a PVC that gets created for an ephemeral volume";
            out.push(invalid_text(format!("{at}.persistentVolumeClaim.claimName"), claim, why));
        }
    }
    out
}

/// A volume has one source.
fn sources(volume: &Value, pod: Option<&str>, at: &str) -> Mistakes {
    let (mut out, mut count) = (Vec::new(), 0);
    let mut visit = |name: &str, out: &mut Mistakes, check: &dyn Fn(&Value) -> Mistakes| {
        let Some(of) = set(volume, name) else { return };
        if count > 0 {
            // The server's code names these fields like this.
            let name = match name {
                "cephfs" => "cephFS",
                "downwardAPI" => "downwarAPI",
                name => name,
            };
            out.push(forbidden(format!("{at}.{name}"), "may not specify more than 1 volume type"));
        } else {
            out.extend(check(of));
        }
        count += 1;
    };
    for (name, field, check) in SOURCES {
        if name == "image" {
            visit("ephemeral", &mut out, &|of| ephemeral(of, own(volume, "name"), pod, at));
        }
        visit(name, &mut out, &|of| check(of, &format!("{at}.{field}")));
    }
    if count == 0 {
        out.push(required(at.to_owned(), "must specify a volume type"));
    }
    out
}

fn required_lists(of: &Value, names: &[&str], at: &str) -> Mistakes {
    let missing = names.iter().filter(|name| list(of, name).is_empty());
    missing.map(|name| required(format!("{at}.{name}"), "")).collect()
}

fn empty(of: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let limit = text(of, "sizeLimit").and_then(|text| Quantity::parse(text).ok());
    if limit.is_some_and(|limit| limit.sign() < 0) {
        let why = "SizeLimit field must be a valid resource quantity";
        out.push(forbidden(format!("{at}.sizeLimit"), why));
    }
    out
}

fn on_host(of: &Value, at: &str) -> Mistakes {
    let path = own(of, "path");
    if path.is_empty() {
        return vec![required(format!("{at}.path"), "")];
    }
    let mut out: Mistakes = without_parents(&format!("{at}.path"), path).into_iter().collect();
    if let Some(ty) = text(of, "type").filter(|ty| !HOST_TYPES.contains(ty)) {
        out.push(unsupported(format!("{at}.type"), ty, &HOST_TYPES));
    }
    out
}

fn git(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["repository"], at);
    out.extend(inside(&format!("{at}.directory"), own(of, "directory")));
    out
}

/// A disk that a cloud knows by the value of a field.
fn disk(of: &Value, name: &str, at: &str) -> Mistakes {
    let mut out = required_fields(of, &[name], at);
    let partition = number(of, "partition").unwrap_or_default();
    if !(0..=255).contains(&partition) {
        let why = "must be between 1 and 255, inclusive";
        out.push(invalid(format!("{at}.partition"), &Value::Int(partition), why));
    }
    out
}

/// A volume whose files are those of an object with a name.
fn with_files(of: &Value, name: &str, at: &str) -> Mistakes {
    let mut out = required_fields(of, &[name], at);
    out.extend(files(of, at));
    out
}

fn nfs(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["server", "path"], at);
    let path = own(of, "path");
    if !path.starts_with('/') {
        out.push(invalid_text(format!("{at}.path"), path, "must be an absolute path"));
    }
    out
}

fn iscsi(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["targetPortal"], at);
    let initiator = |field: String, name: &str| {
        let is_known = ["iqn", "eui", "naa"].iter().any(|prefix| name.starts_with(prefix));
        let why = "must be valid format starting with iqn, eui, or naa";
        (!is_known).then(|| invalid_text(field, name, why))
    };
    match own(of, "iqn") {
        "" => out.push(required(format!("{at}.iqn"), "")),
        name => out.extend(initiator(format!("{at}.iqn"), name)),
    }
    let lun = number(of, "lun").unwrap_or_default();
    out.extend(between(format!("{at}.lun"), lun, 0, 255));
    let is_protected = is(of, "chapAuthDiscovery") || is(of, "chapAuthSession");
    if is_protected && set(of, "secretRef").is_none() {
        out.push(required(format!("{at}.secretRef"), ""));
    }
    out.extend(text(of, "initiatorName").and_then(|name| initiator(format!("{at}.initiatorname"), name)));
    out
}

fn flocker(of: &Value, at: &str) -> Mistakes {
    let (name, id) = (own(of, "datasetName"), own(of, "datasetUUID"));
    let mut out = Vec::new();
    if name.is_empty() && id.is_empty() {
        out.push(required(at.to_owned(), "one of datasetName and datasetUUID is required"));
    }
    if !name.is_empty() && !id.is_empty() {
        let why = "datasetName and datasetUUID can not be specified simultaneously";
        out.push(invalid_text(at.to_owned(), "resource", why));
    }
    if name.contains('/') {
        out.push(invalid_text(format!("{at}.datasetName"), name, "must not contain '/'"));
    }
    out
}

fn rados(of: &Value, at: &str) -> Mistakes {
    let mut out = required_lists(of, &["monitors"], at);
    out.extend(required_fields(of, &["image"], at));
    out
}

fn cinder(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["volumeID"], at);
    if set(of, "secretRef").is_some_and(|secret| own(secret, "name").is_empty()) {
        out.push(required(format!("{at}.secretRef.name"), ""));
    }
    out
}

fn quobyte(of: &Value, at: &str) -> Mistakes {
    let registry = own(of, "registry");
    let mut out = Vec::new();
    if registry.is_empty() {
        let why = "must be a host:port pair or multiple pairs separated by commas";
        out.push(required(format!("{at}.registry"), why));
    } else if registry.split(',').any(|pair| pair.rsplit_once(':').is_none()) {
        let why = "must be a host:port pair or multiple pairs separated by commas";
        out.push(invalid_text(format!("{at}.registry"), registry, why));
    }
    out.extend(required_fields(of, &["volume"], at));
    out
}

fn fibre_channel(of: &Value, at: &str) -> Mistakes {
    let (targets, ids) = (list(of, "targetWWNs"), list(of, "wwids"));
    let mut out = Vec::new();
    match (targets.is_empty(), ids.is_empty()) {
        (true, true) => {
            let why = "must specify either targetWWNs or wwids, but not both";
            out.push(required(format!("{at}.targetWWNs"), why));
        }
        (false, false) => {
            let why = "targetWWNs and wwids can not be specified simultaneously";
            let shown = Value::List(targets.to_vec());
            out.push(invalid(format!("{at}.targetWWNs"), &shown, why));
        }
        _ => {}
    }
    if !targets.is_empty() {
        match number(of, "lun") {
            Some(lun) => out.extend(between(format!("{at}.lun"), lun, 0, 255)),
            None => out.push(required(format!("{at}.lun"), "lun is required if targetWWNs is specified")),
        }
    }
    out
}

fn flex(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["driver"], at);
    let options = set(of, "options").and_then(Value::as_map);
    for name in options.into_iter().flat_map(|options| options.keys()) {
        let domain = name.split_once('/').map_or("", |(domain, _)| domain);
        let domain = domain.to_lowercase();
        if domain == "kubernetes.io" || domain.ends_with(".kubernetes.io") {
            let why = "kubernetes.io namespace is reserved";
            out.push(invalid_text(format!("{at}.options[{name}]"), name, why));
        }
    }
    out
}

fn azure_disk(of: &Value, at: &str) -> Mistakes {
    const CACHING: [&str; 3] = ["None", "ReadOnly", "ReadWrite"];
    const KINDS: [&str; 3] = ["Dedicated", "Managed", "Shared"];
    let (uri, kind) = (own(of, "diskURI"), text(of, "kind"));
    let mut out = required_fields(of, &["diskName", "diskURI"], at);
    if let Some(caching) = text(of, "cachingMode").filter(|it| !CACHING.contains(it)) {
        out.push(unsupported(format!("{at}.cachingMode"), caching, &CACHING));
    }
    if let Some(kind) = kind.filter(|it| !KINDS.contains(it)) {
        out.push(unsupported(format!("{at}.kind"), kind, &KINDS));
    }
    let supported = match kind {
        Some("Managed") if !uri.starts_with("/subscriptions") => {
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
        }
        Some("Managed") => return out,
        _ if uri.starts_with("https://") || uri.starts_with("http://") => return out,
        _ => "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",
    };
    out.push(unsupported(format!("{at}.diskURI"), uri, &[supported]));
    out
}

fn storage_os(of: &Value, at: &str) -> Mistakes {
    let (name, namespace) = (own(of, "volumeName"), own(of, "volumeNamespace"));
    let mut out = Vec::new();
    match name {
        "" => out.push(required(format!("{at}.volumeName"), "")),
        name => out.extend(always_named(names::dns1123_label, &format!("{at}.volumeName"), name)),
    }
    out.extend(named(names::dns1123_label, &format!("{at}.volumeNamespace"), namespace));
    if set(of, "secretRef").is_some_and(|secret| own(secret, "name").is_empty()) {
        out.push(required(format!("{at}.secretRef.name"), ""));
    }
    out
}

fn scale_io(of: &Value, at: &str) -> Mistakes {
    required_fields(of, &["gateway", "system", "volumeName"], at)
}

fn csi(of: &Value, at: &str) -> Mistakes {
    const LONGEST: usize = 63;
    let mut out = Vec::new();
    let (field, driver) = (format!("{at}.driver"), own(of, "driver"));
    if driver.is_empty() {
        out.push(required(field.clone(), ""));
    } else {
        if driver.len() > LONGEST {
            out.push(super::too_long(field.clone(), LONGEST));
        }
        let wrong = names::dns1123_subdomain(&driver.to_lowercase());
        out.extend(wrong.iter().map(|why| invalid_text(field.clone(), driver, why)));
    }
    if let Some(secret) = set(of, "nodePublishSecretRef") {
        match own(secret, "name") {
            "" => out.push(required(format!("{at}.nodePublishSecretRef.name"), "")),
            name => out.extend(always_named(names::dns1123_subdomain, &format!("{at}.name"), name)),
        }
    }
    out
}

fn image(of: &Value, at: &str) -> Mistakes {
    let mut out = required_fields(of, &["reference"], at);
    out.extend(unless_known(format!("{at}.pullPolicy"), own(of, "pullPolicy"), &PULL_POLICIES));
    out
}

/// A claim that is created for the pod.
fn ephemeral(of: &Value, volume: &str, pod: Option<&str>, at: &str) -> Mistakes {
    let field = format!("{at}.ephemeral.volumeClaimTemplate");
    let mut out = Vec::new();
    match set(of, "volumeClaimTemplate") {
        None => out.push(required(field, "")),
        Some(template) => out.extend(claim_template(template, &field)),
    }
    if let Some(pod) = pod.filter(|_| !volume.is_empty()) {
        let name = format!("{pod}-{volume}");
        out.extend(names::dns1123_subdomain(&name).iter().map(|why| {
            let why = format!("PVC name \"{name}\": {why}");
            invalid_text(format!("{at}.name"), volume, &why)
        }));
    }
    out
}

fn claim_template(template: &Value, at: &str) -> Mistakes {
    let nothing = Value::Null;
    let metadata = template.get("metadata").unwrap_or(&nothing);
    let field = |name: &str| format!("{at}.metadata.{name}");
    let mut out = selectors::annotations(metadata.get("annotations"), &field("annotations"));
    out.extend(selectors::labels(metadata.get("labels"), &field("labels")));
    let others = metadata.as_map().into_iter().flat_map(|map| map.iter());
    let others = others.filter(|(name, value)| !OF_TEMPLATES.contains(name) && !value.is_null());
    out.extend(others.map(|(name, _)| {
        let name = if name == "uid" { "uID" } else { name };
        forbidden(field(name), "cannot be set")
    }));
    out.extend(storage::of_claim(template.get("spec").unwrap_or(&nothing), &format!("{at}.spec")));
    out
}
