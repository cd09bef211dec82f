//! Client certificates of version 1 of X.509, such as those of `openssl x509 -req` without extensions. Go accepts them, and webpki
//! does not. Only an authority itself may have signed them.

use super::subject::{SEQUENCE, content, element};
use crdgen_core::go::time::Time;
use tokio_rustls::rustls::crypto::WebPkiSupportedAlgorithms;
use tokio_rustls::rustls::pki_types::{CertificateDer, SubjectPublicKeyInfoDer, TrustAnchor, UnixTime};
use tokio_rustls::rustls::{DigitallySignedStruct, Error, PeerIncompatible};

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

/// The parts of a certificate that decide who has it. Its version is missing, which means version 1.
#[derive(Debug)]
pub(super) struct Unversioned<'d> {
    signed: &'d [u8],
    algorithm: &'d [u8],
    signature: &'d [u8],
    issuer: &'d [u8],
    /// The first and the last second, in RFC 3339.
    valid: (String, String),
    pub(super) subject: &'d [u8],
    key: SubjectPublicKeyInfoDer<'d>,
}

/// The next element with its tag and length, and its content.
fn whole<'d>(data: &mut &'d [u8], tag: u8) -> Option<(&'d [u8], &'d [u8])> {
    let start = *data;
    let content = content(data, tag)?;
    Some((start.get(..start.len() - data.len())?, content))
}

/// A time in RFC 3339.
fn time(data: &mut &[u8]) -> Option<String> {
    let (tag, text) = element(data)?;
    let text = std::str::from_utf8(text).ok()?.strip_suffix('Z')?;
    let text = match tag {
        UTC_TIME if text < "50" => format!("20{text}"),
        UTC_TIME => format!("19{text}"),
        GENERALIZED_TIME => text.to_owned(),
        _ => return None,
    };
    let digits = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    let at = |start: usize| text.get(start..start + 2);
    let (year, month, day) = (text.get(..4)?, at(4)?, at(6)?);
    digits.then_some(format!("{year}-{month}-{day}T{}:{}:{}Z", at(8)?, at(10)?, at(12)?))
}

impl<'d> Unversioned<'d> {
    /// Reads a certificate. `None` if it is of another version, or broken.
    pub(super) fn read(certificate: &'d CertificateDer<'_>) -> Option<Unversioned<'d>> {
        let mut data: &[u8] = certificate.as_ref();
        let mut parts = content(&mut data, SEQUENCE)?;
        let (signed, mut fields) = whole(&mut parts, SEQUENCE)?;
        let algorithm = content(&mut parts, SEQUENCE)?;
        let signature = content(&mut parts, BIT_STRING)?.strip_prefix(&[0])?;
        content(&mut fields, INTEGER)?;
        let same = content(&mut fields, SEQUENCE)?;
        let issuer = content(&mut fields, SEQUENCE)?;
        let mut times = content(&mut fields, SEQUENCE)?;
        let valid = (time(&mut times)?, time(&mut times)?);
        let subject = content(&mut fields, SEQUENCE)?;
        let (key, _) = whole(&mut fields, SEQUENCE)?;
        let is_whole = [data, parts, fields, times].iter().all(|rest| rest.is_empty());
        let key = SubjectPublicKeyInfoDer::from(key);
        let read = Unversioned { signed, algorithm, signature, issuer, valid, subject, key };
        (is_whole && same == algorithm).then_some(read)
    }

    /// Whether one of the authorities has signed it, and it is valid at a time.
    pub(super) fn is_trusted(
        &self,
        authorities: &[TrustAnchor<'_>],
        algorithms: &WebPkiSupportedAlgorithms,
        now: UnixTime,
    ) -> bool {
        let seconds = now.as_secs().try_into().unwrap_or(i64::MAX);
        let now = Time { seconds, nanos: 0, offset: 0 }.rfc3339_nano();
        let is_valid = self.valid.0 <= now && now <= self.valid.1;
        let issuers = authorities.iter().filter(|authority| authority.subject.as_ref() == self.issuer);
        is_valid && issuers.into_iter().any(|issuer| self.is_signed_by(issuer, algorithms))
    }

    fn is_signed_by(&self, issuer: &TrustAnchor<'_>, algorithms: &WebPkiSupportedAlgorithms) -> bool {
        let Some(key) = sequence(&issuer.subject_public_key_info) else { return false };
        let key = SubjectPublicKeyInfoDer::from(key);
        let Ok(key) = webpki::RawPublicKeyEntity::try_from(&key) else { return false };
        let same = algorithms.all.iter().filter(|it| it.signature_alg_id().as_ref() == self.algorithm);
        same.into_iter().any(|it| key.verify_signature(*it, self.signed, self.signature).is_ok())
    }

    /// The key of the client, for its signature in TLS 1.3.
    pub(super) fn key(&self) -> &SubjectPublicKeyInfoDer<'d> {
        &self.key
    }

    /// Checks the signature of the client in TLS 1.2.
    ///
    /// # Errors
    /// Fails if the key of the certificate has not signed the message.
    pub(super) fn check_signature(
        &self,
        message: &[u8],
        signed: &DigitallySignedStruct,
        algorithms: &WebPkiSupportedAlgorithms,
    ) -> Result<(), Error> {
        let known = algorithms.mapping.iter().find(|(scheme, _)| *scheme == signed.scheme);
        let (_, all) = known.ok_or(PeerIncompatible::NoSignatureSchemesInCommon)?;
        let key =
            webpki::RawPublicKeyEntity::try_from(&self.key).map_err(|why| Error::General(why.to_string()))?;
        let is_right = |it: &&dyn tokio_rustls::rustls::pki_types::SignatureVerificationAlgorithm| {
            key.verify_signature(*it, message, signed.signature()).is_ok()
        };
        if all.iter().any(is_right) { Ok(()) } else { Err(Error::General("wrong signature".to_owned())) }
    }
}

/// The DER of a sequence with this content. `None` if it is too long for a key.
fn sequence(content: &[u8]) -> Option<Vec<u8>> {
    let [high, low] = u16::try_from(content.len()).ok()?.to_be_bytes();
    let mut out = match (high, low) {
        (0, 0..=0x7f) => vec![SEQUENCE, low],
        (0, _) => vec![SEQUENCE, 0x81, low],
        _ => vec![SEQUENCE, 0x82, high, low],
    };
    out.extend(content);
    Some(out)
}
