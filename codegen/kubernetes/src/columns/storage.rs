//! Volumes, and who provides them.

use super::{Cell, Shown, boolean, count, integer, text, wide};
use crate::meta;
use crdgen_core::value::Value;

fn mode(mode: &Value) -> &'static str {
    match mode.as_str().unwrap_or_default() {
        "ReadWriteOnce" => "RWO",
        "ReadOnlyMany" => "ROX",
        "ReadWriteMany" => "RWX",
        "ReadWriteOncePod" => "RWOP",
        _ => "",
    }
}

fn unset(text: &str) -> String {
    if text.is_empty() { "<unset>".to_owned() } else { text.to_owned() }
}

impl Shown<'_> {
    pub(super) fn claim(&self) -> Vec<Cell> {
        let is_bound = !self.text(&["spec", "volumeName"]).is_empty();
        let modes: Vec<&str> = self.list(&["status", "accessModes"]).iter().map(mode).collect();
        let capacity = self.text(&["status", "capacity", "storage"]);
        let (capacity, modes) = if is_bound { (capacity, modes.join(",")) } else { ("", String::new()) };
        let status = match meta::text(self.object, "deletionTimestamp") {
            "" => self.text(&["status", "phase"]),
            _ => "Terminating",
        };
        let mut cells = self.with(vec![
            text("Status", status),
            text("Volume", self.text(&["spec", "volumeName"])),
            text("Capacity", capacity),
            text("Access Modes", modes),
            text("StorageClass", self.text(&["spec", "storageClassName"])),
            text("VolumeAttributesClass", unset(self.text(&["spec", "volumeAttributesClassName"]))),
        ]);
        cells.push(wide("VolumeMode", unset(self.text(&["spec", "volumeMode"]))));
        cells
    }

    pub(super) fn volume(&self) -> Vec<Cell> {
        let spec = |name: &str| self.text(&["spec", name]);
        let modes: Vec<&str> = self.list(&["spec", "accessModes"]).iter().map(mode).collect();
        let status = match meta::text(self.object, "deletionTimestamp") {
            "" => self.text(&["status", "phase"]),
            _ => "Terminating",
        };
        let claim = match self.find(&["spec", "claimRef"]) {
            Some(claim) => format!("{}/{}", claim.text("namespace"), claim.text("name")),
            None => String::new(),
        };
        let mut cells = self.with(vec![
            text("Capacity", self.text(&["spec", "capacity", "storage"])),
            text("Access Modes", modes.join(",")),
            text("Reclaim Policy", spec("persistentVolumeReclaimPolicy")),
            text("Status", status),
            text("Claim", claim),
            text("StorageClass", spec("storageClassName")),
            text("VolumeAttributesClass", unset(spec("volumeAttributesClassName"))),
            text("Reason", self.text(&["status", "reason"])),
        ]);
        cells.push(wide("VolumeMode", unset(spec("volumeMode"))));
        cells
    }

    pub(super) fn storage_class(&self) -> Vec<Cell> {
        let or = |name: &str, default: &'static str| match self.text(&[name]) {
            "" => default.to_owned(),
            text => text.to_owned(),
        };
        let expands = self.is_set(&["allowVolumeExpansion"]).unwrap_or_default();
        self.with(vec![
            text("Provisioner", self.text(&["provisioner"])),
            text("ReclaimPolicy", or("reclaimPolicy", "Delete")),
            text("VolumeBindingMode", or("volumeBindingMode", "Immediate")),
            Cell { ty: "string", ..boolean("AllowVolumeExpansion", expands) },
        ])
    }

    pub(super) fn driver(&self) -> Vec<Cell> {
        let is = |name: &str| self.is_set(&["spec", name]);
        let texts = |name: &str, field: &str| {
            let of = |item: &Value| match item.as_str() {
                Some(text) => text.to_owned(),
                None => item.text(field).to_owned(),
            };
            self.list(&["spec", name]).iter().map(of).collect::<Vec<_>>().join(",")
        };
        let tokens = match texts("tokenRequests", "audience") {
            tokens if tokens.is_empty() => "<unset>".to_owned(),
            tokens => tokens,
        };
        self.with(vec![
            boolean("AttachRequired", is("attachRequired").unwrap_or(true)),
            boolean("PodInfoOnMount", is("podInfoOnMount").unwrap_or(false)),
            boolean("StorageCapacity", is("storageCapacity").unwrap_or(false)),
            text("TokenRequests", tokens),
            boolean("RequiresRepublish", is("requiresRepublish").unwrap_or(false)),
            text("Modes", texts("volumeLifecycleModes", "")),
        ])
    }

    pub(super) fn storage_node(&self) -> Vec<Cell> {
        self.with(vec![integer("Drivers", count(self.list(&["spec", "drivers"]).len()))])
    }

    pub(super) fn capacity(&self) -> Vec<Cell> {
        let class = text("StorageClassName", self.text(&["storageClassName"]));
        self.without_age(vec![class, text("Capacity", self.text(&["capacity"]))])
    }

    pub(super) fn attachment(&self) -> Vec<Cell> {
        let attached = self.is_set(&["status", "attached"]).unwrap_or_default();
        self.with(vec![
            text("Attacher", self.text(&["spec", "attacher"])),
            text("PV", self.text(&["spec", "source", "persistentVolumeName"])),
            text("Node", self.text(&["spec", "nodeName"])),
            boolean("Attached", attached),
        ])
    }
}
