//! Certificates that are their own authority, such as those of `openssl req -x509`. Go accepts them where their authority is known, and
//! webpki does not.

use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::{CertificateError, Error};

/// Whether a certificate was rejected only because it is an authority, or because its issuer is unknown, and is one of those
/// that are known. webpki checks the time before that.
pub(crate) fn is_known(why: &Error, certificate: &CertificateDer<'_>, known: &[CertificateDer<'_>]) -> bool {
    let is_of_authority = match why {
        Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature) => true,
        Error::InvalidCertificate(CertificateError::Other(other)) => {
            matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
        }
        _ => false,
    };
    is_of_authority && known.iter().any(|known| known == certificate)
}
