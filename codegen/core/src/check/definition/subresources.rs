//! `subresources`

use super::columns::simple_path;
use crate::diag::codes::crd::{JSON_PATH, SCALE_PATH};
use crate::diag::{BadValue, Diag, Diags};
use crate::ir::{Scale, Subresources};
use crate::path::Path;

pub(super) fn check(subresources: &Subresources, at: &Path<'_>, out: &mut Diags) {
    let Subresources { status: _, scale } = subresources;
    let Some(Scale { spec_replicas_path, status_replicas_path, label_selector_path }) = scale else { return };
    let at = at.child("scale");
    let mut required = |field: &str, text: &str, above: &str| {
        let path = at.child(field);
        if text.is_empty() {
            out.push(Diag::required(&JSON_PATH, &path, "").help(format!("add `{field}: {above}replicas`")));
        } else if simple_path(text, &path, out) && !text.starts_with(above) {
            let detail = format!("should be a json path under {}", above.trim_end_matches('.'));
            out.push(
                Diag::invalid(&SCALE_PATH, &path, text, detail).help(format!("write `{above}replicas`")),
            );
        }
    };
    required("specReplicasPath", spec_replicas_path, ".spec.");
    required("statusReplicasPath", status_replicas_path, ".status.");

    let text = label_selector_path.as_deref().unwrap_or_default();
    let path = at.child("labelSelectorPath");
    if !text.is_empty()
        && simple_path(text, &path, out)
        && !text.starts_with(".spec.")
        && !text.starts_with(".status.")
    {
        out.push(
            Diag::invalid(
                &SCALE_PATH,
                &path,
                BadValue::Json(text.into()),
                "should be a json path under either .spec or .status",
            )
            .help("write `.status.selector`"),
        );
    }
}
