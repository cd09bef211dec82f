//! Mistakes in types that have not moved to crdgen. kube-derive, schemars and the server accept some types that crdgen's derives
//! reject, although their CRD is known. Such a project works today, so for its sources these are warnings.

use super::Program;
use crate::diag::codes::rust::{DEAD_PATH, FOREIGN_KEY, UNREADABLE};
use crate::diag::{Code, Diag, Level};

/// The mistakes that other derives accept, and that do not change the CRD.
const ACCEPTED: [&Code; 3] = [&DEAD_PATH, &FOREIGN_KEY, &UNREADABLE];

/// The derives of crdgen and of others, by their names.
const DERIVES: [&str; 5] = ["CustomResource", "JsonSchema", "KubeSchema", "CELSchema", "Schema"];

impl Program<'_> {
    /// Returns a warning for an error in an item if the derives of the item accept it.
    pub(super) fn as_accepted(&self, mut diag: Diag, item: usize) -> Diag {
        if diag.level == Level::Error && ACCEPTED.contains(&diag.code) && self.has_other_derives(item) {
            diag.level = Level::Warning;
            let help = diag.help.take().map_or_else(String::new, |help| format!("{help}. "));
            diag.help = Some(help + "crdgen's derives reject this; those of kube and schemars accept it");
        }
        diag
    }

    /// Whether an item has derives of kube or schemars, and none of crdgen.
    fn has_other_derives(&self, item: usize) -> bool {
        let has = |krate: &str| self.derives_of(item, &DERIVES, krate);
        ["kube", "kube_derive", "schemars"].into_iter().any(has) && !has("crdgen")
    }
}
