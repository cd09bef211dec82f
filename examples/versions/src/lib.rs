//! A kind with three versions, and the webhook that converts its objects.

pub mod history;
pub mod v1;
pub mod v1alpha1;
pub mod v1beta1;

use crdgen::convert::Versions;
use crdgen::ir::{ClientConfig, Conversion, Crd};
use crdgen::webhook::Webhook;

/// Returns the versions of a site.
pub fn versions() -> Versions {
    Versions::new().pair::<v1alpha1::Site, v1beta1::Site>().pair::<v1beta1::Site, v1::Site>()
}

/// Returns the webhook for all kinds of this program.
pub fn webhook() -> Webhook {
    Webhook::new().versions(versions())
}

/// Returns the CRD, with the webhook at a URL.
pub fn crd(url: &str, certificate: &str) -> Result<Crd, String> {
    let mut crd = versions().crd().map_err(|problems| problems.to_string())?;
    crd.spec.conversion = Some(Conversion {
        strategy: "Webhook".to_owned(),
        client_config: Some(ClientConfig {
            url: Some(url.to_owned()),
            ca_bundle: certificate.as_bytes().to_vec(),
            ..ClientConfig::default()
        }),
        review_versions: Some(vec!["v1".to_owned(), "v1beta1".to_owned()]),
    });
    Ok(crd)
}
