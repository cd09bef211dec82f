//! The certificates of authorities, as Go's `crypto/x509` reads them. The checks are in Go's order, because the server
//! reports the first error.
//!
//! No crate can replace this. Of 249 certificates that are invalid in one way each, `x509-parser` has another result
//! than Go for 129 and `x509-cert` for 126, and both reject some that Go accepts. Their errors also have another order
//! and other messages. `tests/corpus/cases/certificates.txt` contains these certificates.

mod curve;
mod der;
mod extensions;
mod key;
mod name;
mod pem;

use crate::go::Error;
use der::Der;

/// What the names in a certificate may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Texts, before Go 1.27.
    Texts,
    /// Values of any type, since Go 1.27.
    Any,
}

/// Checks whether a client could load the certificates in a PEM text. The error is the client's message.
pub fn check_certificates(pem: &[u8], names: Names) -> Result<(), Error> {
    let mut rest = pem;
    let mut first_problem = None;
    while !rest.is_empty() {
        let Some((block, after)) = pem::decode(rest) else {
            first_problem.get_or_insert(Error::new("unable to parse bytes as PEM block"));
            break;
        };
        rest = after;
        if block.kind != b"CERTIFICATE" || block.has_headers {
            continue;
        }
        match certificate(&block.bytes, names) {
            Ok(()) => return Ok(()),
            Err(why) => {
                first_problem.get_or_insert(Error::new(format!("failed to parse certificate: {why}")))
            }
        };
    }
    Err(first_problem.unwrap_or_else(|| "no valid certificate authority data seen".into()))
}

/// Like Go's `x509.ParseCertificate`.
fn certificate(der: &[u8], names: Names) -> Result<(), Error> {
    let mut rest = Der::new(der);
    let mut outer = rest.read(der::SEQUENCE).ok_or("x509: malformed certificate")?;
    let mut tbs = outer.read(der::SEQUENCE).ok_or("x509: malformed tbs certificate")?;
    let version = version(&mut tbs)?;
    let serial = tbs.integer().ok_or("x509: malformed serial number")?;
    if der::is_negative(serial) {
        return Err("x509: negative serial number".into());
    }
    let inner_algorithm = tbs.read(der::SEQUENCE).ok_or("x509: malformed signature algorithm identifier")?;
    let outer_algorithm = outer.read(der::SEQUENCE).ok_or("x509: malformed algorithm identifier")?;
    if inner_algorithm != outer_algorithm {
        return Err("x509: inner and outer signature algorithm identifiers don't match".into());
    }
    algorithm(inner_algorithm)?;
    name::check(tbs.read(der::SEQUENCE).ok_or("x509: malformed issuer")?, names)?;
    let mut validity = tbs.read(der::SEQUENCE).ok_or("x509: malformed validity")?;
    time(&mut validity)?;
    time(&mut validity)?;
    // Go uses this message for the subject too.
    name::check(tbs.read(der::SEQUENCE).ok_or("x509: malformed issuer")?, names)?;
    key::check(tbs.read(der::SEQUENCE).ok_or("x509: malformed spki")?)?;
    if version > 1 {
        tbs.optional(der::context(1)).ok_or("x509: malformed issuerUniqueID")?;
        tbs.optional(der::context(2)).ok_or("x509: malformed subjectUniqueID")?;
    }
    if version == 3 {
        let found = tbs.optional(der::constructed(3)).ok_or("x509: malformed extensions")?;
        found.map_or(Ok(()), extensions::check)?;
    }
    outer.bits().ok_or("x509: malformed signature")?;
    if rest.is_empty() { Ok(()) } else { Err("x509: trailing data".into()) }
}

/// The version. It is 1 if it is absent.
fn version(tbs: &mut Der<'_>) -> Result<i64, Error> {
    const MALFORMED: &str = "x509: malformed version";
    let Some(mut version) = tbs.optional(der::constructed(0)).ok_or(MALFORMED)? else { return Ok(1) };
    let number = version.integer().and_then(der::int64).filter(|_| version.is_empty()).ok_or(MALFORMED)?;
    match number {
        ..0 => Err(MALFORMED.into()),
        0..=2 => Ok(number + 1),
        _ => Err("x509: invalid version".into()),
    }
}

/// An algorithm and its parameters, if there are any. The parameters include their header.
fn algorithm(mut der: Der<'_>) -> Result<(der::Oid, Option<Der<'_>>), Error> {
    let oid = der.oid().ok_or("x509: malformed OID")?;
    if der.is_empty() {
        return Ok((oid, None));
    }
    let parameters = der.any_element().ok_or("x509: malformed parameters")?;
    Ok((oid, Some(parameters)))
}

fn time(der: &mut Der<'_>) -> Result<(), Error> {
    if der.next_is(der::UTC_TIME) {
        let text = der.read(der::UTC_TIME).map(Der::bytes);
        // Go accepts times without seconds.
        let is_time = text
            .is_some_and(|text| is_time(text, 2, Seconds::Required) || is_time(text, 2, Seconds::Missing));
        return if is_time { Ok(()) } else { Err("x509: malformed UTCTime".into()) };
    }
    if der.next_is(der::GENERALIZED_TIME) {
        let text = der.read(der::GENERALIZED_TIME).map(Der::bytes);
        let is_time = text.is_some_and(|text| is_time(text, 4, Seconds::Required));
        return if is_time { Ok(()) } else { Err("x509: malformed GeneralizedTime".into()) };
    }
    Err("x509: unsupported time format".into())
}

/// Whether a time has seconds.
#[derive(Clone, Copy)]
enum Seconds {
    Required,
    Missing,
}

/// Whether Go reads a time and writes it in the same way: `Z` is the only form of UTC, and there are no fractions.
fn is_time(text: &[u8], year_digits: usize, seconds: Seconds) -> bool {
    let (digits, zone) = text.split_at(text.iter().take_while(|b| b.is_ascii_digit()).count());
    let number = |from: usize, length: usize| {
        let digits = digits.get(from..from + length)?;
        Some(digits.iter().fold(0, |n, digit| n * 10 + i64::from(digit - b'0')))
    };
    let at = |part: usize| number(year_digits + 2 * part, 2);
    let parts = match seconds {
        Seconds::Required => 5,
        Seconds::Missing => 4,
    };
    if digits.len() != year_digits + 2 * parts {
        return false;
    }
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute)) =
        (number(0, year_digits), at(0), at(1), at(2), at(3))
    else {
        return false;
    };
    let year = if year_digits == 2 { year + if year >= 69 { 1900 } else { 2000 } } else { year };
    let second = match seconds {
        Seconds::Required => at(4).unwrap_or(60),
        Seconds::Missing => 0,
    };
    (1..=12).contains(&month)
        && (1..=crate::go::time::days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60
        && is_zone(zone)
}

/// `Z`, or an offset such as `+0130`. Go accepts up to 24 hours.
fn is_zone(zone: &[u8]) -> bool {
    match zone {
        [b'Z'] => true,
        [b'+' | b'-', digits @ ..] if digits.len() == 4 && digits.iter().all(u8::is_ascii_digit) => {
            let number = |at: usize| (digits[at] - b'0') * 10 + (digits[at + 1] - b'0');
            digits != b"0000" && number(0) <= 24 && number(2) < 60
        }
        _ => false,
    }
}
