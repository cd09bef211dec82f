//! The certificates that the API server trusts, in a CRD.

use crdgen_runtime::go::base64_encode;
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};

/// Returns a JSON merge patch for a CRD. Once it is applied, the API server trusts these certificates (PEM) when
/// it calls the webhook for conversions.
///
/// Apply it where [`Tls::self_signed`](super::Tls::self_signed) publishes a certificate, for example with kube. The service
/// account of the program needs the permission to patch the CRD.
///
/// ```ignore
/// let crds: Api<CustomResourceDefinition> = Api::all(client);
/// let tls = Tls::self_signed(["webhook.site.svc"], move |certificates| {
///     let patch: serde_json::Value = serde_json::from_str(&ca_bundle_patch(certificates)).expect("JSON");
///     let crds = crds.clone();
///     tokio::spawn(async move {
///         crds.patch("sites.example.com", &PatchParams::default(), &Patch::Merge(patch)).await
///     });
/// });
/// ```
pub fn ca_bundle_patch(certificates: &str) -> String {
    let bundle = Value::from(base64_encode(certificates.as_bytes()));
    let path = ["spec", "conversion", "webhook", "clientConfig", "caBundle"];
    let nested = |inner: Value, key: &&str| Value::Map(Map::from_iter([(*key, inner)]));
    json::to_string(&path.iter().rev().fold(bundle, nested))
}

#[cfg(test)]
mod tests {
    use super::ca_bundle_patch;

    #[test]
    fn patches_the_ca_bundle() {
        let expected = r#"{"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"LS0tCg=="}}}}}"#;
        assert_eq!(ca_bundle_patch("---\n"), expected);
    }
}
