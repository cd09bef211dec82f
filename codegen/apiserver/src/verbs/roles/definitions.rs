//! What the server does with CRDs.

use crate::meta;
use crate::registry::Subresource;
use crate::status::Failure;
use crate::verbs::Call;
use crdgen_core::check::{self, Options};
use crdgen_core::value::Value;
use crdgen_core::{decode, encode};

/// Checks a CRD as the server does, and sets its defaults.
pub(super) fn definition(
    call: &mut Call<'_>,
    object: &mut Value,
    live: Option<&Value>,
) -> Result<(), Failure> {
    let read = |value: &Value| {
        let (crd, diags) = decode::crd(value.clone());
        let mut crd = crd.ok_or(diags)?;
        crd.drop_unions();
        Ok::<_, Vec<crdgen_core::diag::Diag>>(crd)
    };
    let undecodable = |diags: Vec<crdgen_core::diag::Diag>| {
        let texts: Vec<String> = diags.iter().map(crdgen_core::diag::Diag::text).collect();
        Failure::bad_request(format!(
            "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: {}",
            texts.join(", ")
        ))
    };
    let crd = read(object).map_err(undecodable)?;
    let options = Options::default();
    let report = match live {
        None => check::create(&crd, &options),
        Some(live) => {
            let old = read(live).map_err(undecodable)?;
            check::update(&crd, &old, &options)
        }
    };
    if !report.is_accepted() {
        let (kind, group) = (&call.kind.names.kind, &call.kind.resource.group);
        return Err(Failure::invalid(kind, group, meta::text(object, "name"), report.errors.iter()));
    }
    call.warnings.extend(report.warnings.iter().map(crdgen_core::diag::Diag::text));
    if call.subresource == Some(Subresource::Status) {
        return Ok(());
    }
    let stored = encode::stored(&report.stored(&crd));
    if let (Value::Map(map), Value::Map(stored)) = (object, stored) {
        for (name, value) in stored {
            if matches!(name.as_str(), "spec" | "status") {
                map.insert(name, value);
            }
        }
    }
    Ok(())
}
