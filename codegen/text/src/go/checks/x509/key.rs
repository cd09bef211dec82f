//! Public keys.

use super::curve;
use super::der::{self, Der};
use crate::go::Error;

const RSA: &[u32] = &[1, 2, 840, 113_549, 1, 1, 1];
const DSA: &[u32] = &[1, 2, 840, 10_040, 4, 1];
const ECDSA: &[u32] = &[1, 2, 840, 10_045, 2, 1];
const ED25519: &[u32] = &[1, 3, 101, 112];

/// Checks the content of a key by its algorithm. Go does not check keys of other algorithms.
pub(super) fn check(mut info: Der<'_>) -> Result<(), Error> {
    let algorithm = info.read(der::SEQUENCE).ok_or("x509: malformed public key algorithm identifier")?;
    let (oid, parameters) = super::algorithm(algorithm)?;
    let key = info.bits().ok_or("x509: malformed subjectPublicKey")?;
    match oid.as_slice() {
        RSA => rsa(key, parameters),
        DSA => dsa(key, parameters),
        ECDSA => {
            let mut parameters = parameters.unwrap_or(Der::new(&[]));
            let oid = parameters.oid().ok_or("x509: invalid ECDSA parameters")?;
            curve::check(&oid, key)
        }
        ED25519 if parameters.is_some() => Err("x509: Ed25519 key encoded with illegal parameters".into()),
        ED25519 if key.len() != 32 => Err("x509: wrong Ed25519 public key size".into()),
        _ => Ok(()),
    }
}

fn rsa(key: &[u8], parameters: Option<Der<'_>>) -> Result<(), Error> {
    if parameters.map(Der::bytes) != Some(&[5, 0]) {
        return Err("x509: RSA key missing NULL parameters".into());
    }
    let mut key = Der::new(key).read(der::SEQUENCE).ok_or("x509: invalid RSA public key")?;
    let modulus = key.integer().ok_or("x509: invalid RSA modulus")?;
    let exponent = key.integer().and_then(der::int64).ok_or("x509: invalid RSA public exponent")?;
    if !der::is_positive(modulus) {
        return Err("x509: RSA modulus is not a positive number".into());
    }
    if exponent <= 0 {
        return Err("x509: RSA public exponent is not a positive number".into());
    }
    Ok(())
}

fn dsa(key: &[u8], parameters: Option<Der<'_>>) -> Result<(), Error> {
    let y = Der::new(key).integer().ok_or("x509: invalid DSA public key")?;
    let numbers = parameters.and_then(|mut it| {
        let mut it = it.read(der::SEQUENCE)?;
        Some([it.integer()?, it.integer()?, it.integer()?])
    });
    let [p, q, g] = numbers.ok_or("x509: invalid DSA parameters")?;
    if [y, p, q, g].into_iter().all(der::is_positive) {
        Ok(())
    } else {
        Err("x509: zero or negative DSA parameter".into())
    }
}
