//! The extensions of version 3 certificates.

use super::der::{self, Der, Oid};
use crate::go::net::Ip;
use crate::go::{Error, Url, quote};
use std::fmt::Write;

struct Extension<'d> {
    oid: Oid,
    critical: bool,
    value: Der<'d>,
}

/// Checks the content of the element with the extensions: first the syntax, then the meaning.
pub(super) fn check(mut extensions: Der<'_>) -> Result<(), Error> {
    let mut list = extensions.read(der::SEQUENCE).ok_or("x509: malformed extensions")?;
    let mut all: Vec<Extension<'_>> = Vec::new();
    while !list.is_empty() {
        let extension = read(list.read(der::SEQUENCE).ok_or("x509: malformed extension")?)?;
        if all.iter().any(|other| other.oid == extension.oid) {
            let numbers: Vec<String> = extension.oid.iter().map(u32::to_string).collect();
            let oid = quote(&numbers.join("."));
            return Err(Error::new(format!("x509: certificate contains duplicate extension with OID {oid}")));
        }
        all.push(extension);
    }
    all.iter().try_for_each(process)
}

fn read(mut der: Der<'_>) -> Result<Extension<'_>, Error> {
    let oid = der.oid().ok_or("x509: malformed extension OID field")?;
    let critical = match der.next_is(der::BOOLEAN) {
        true => der.boolean().ok_or("x509: malformed extension critical field")?,
        false => false,
    };
    let value = der.read(der::OCTET_STRING).ok_or("x509: malformed extension value field")?;
    Ok(Extension { oid, critical, value })
}

fn process(extension: &Extension<'_>) -> Result<(), Error> {
    let Extension { oid, critical, value } = extension;
    let mut value = *value;
    let or_error = |read: Option<()>, why: &str| read.ok_or_else(|| Error::new(why));
    match oid.as_slice() {
        [2, 5, 29, 14] if *critical => Err("x509: subject key identifier incorrectly marked critical".into()),
        [2, 5, 29, 14] => {
            or_error(value.read(der::OCTET_STRING).map(drop), "x509: invalid subject key identifier")
        }
        [2, 5, 29, 15] => or_error(value.bits().map(drop), "x509: invalid key usage"),
        [2, 5, 29, 17] => alternative_names(value),
        [2, 5, 29, 19] => or_error(basic_constraints(value), "x509: invalid basic constraints"),
        [2, 5, 29, 30] => name_constraints(value),
        [2, 5, 29, 31] => distribution_points(value),
        [2, 5, 29, 32] => or_error(policies(value), "x509: invalid certificate policies"),
        [2, 5, 29, 33] => or_error(policy_mappings(value), "x509: invalid policy mappings extension"),
        [2, 5, 29, 35] if *critical => {
            Err("x509: authority key identifier incorrectly marked critical".into())
        }
        [2, 5, 29, 35] => or_error(authority_key(value), "x509: invalid authority key identifier"),
        [2, 5, 29, 36] => or_error(policy_constraints(value), "x509: invalid policy constraints extension"),
        [2, 5, 29, 37] => or_error(key_usages(value), "x509: invalid extended key usages"),
        [2, 5, 29, 54] => {
            let number = value.integer().and_then(der::int64).map(drop);
            or_error(number, "x509: invalid inhibit any policy extension")
        }
        [1, 3, 6, 1, 5, 5, 7, 1, 1] if *critical => {
            Err("x509: authority info access incorrectly marked critical".into())
        }
        [1, 3, 6, 1, 5, 5, 7, 1, 1] => or_error(authority_info(value), "x509: invalid authority info access"),
        _ => Ok(()),
    }
}

fn basic_constraints(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    if der.next_is(der::BOOLEAN) {
        der.boolean()?;
    }
    if der.next_is(der::INTEGER) {
        der.integer().and_then(der::int64).filter(|length| *length >= 0)?;
    }
    Some(())
}

fn authority_key(mut value: Der<'_>) -> Option<()> {
    value.read(der::SEQUENCE)?.optional(der::context(0)).map(drop)
}

fn policy_constraints(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    for tag in [der::context(0), der::context(1)] {
        if der.next_is(tag) {
            der.integer_of(tag).and_then(der::int64)?;
        }
    }
    Some(())
}

fn key_usages(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    while !der.is_empty() {
        der.oid()?;
    }
    Some(())
}

fn policies(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    let mut seen = Vec::new();
    while !der.is_empty() {
        let oid = der.read(der::SEQUENCE)?.read(der::OID)?.bytes();
        // The numbers may have any size, but must be written with as few bytes as possible.
        let begins = oid.iter().zip(std::iter::once(&0).chain(oid)).filter(|(_, before)| *before & 0x80 == 0);
        let is_good = oid.last().is_some_and(|last| last & 0x80 == 0)
            && begins.into_iter().all(|(first, _)| *first != 0x80);
        if !is_good || seen.contains(&oid) {
            return None;
        }
        seen.push(oid);
    }
    Some(())
}

fn policy_mappings(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    while !der.is_empty() {
        let mut mapping = der.read(der::SEQUENCE)?;
        mapping.read(der::OID)?;
        mapping.read(der::OID)?;
    }
    Some(())
}

fn authority_info(mut value: Der<'_>) -> Option<()> {
    let mut der = value.read(der::SEQUENCE)?;
    while !der.is_empty() {
        let mut access = der.read(der::SEQUENCE)?;
        access.oid()?;
        access.optional(der::context(6))?;
    }
    Some(())
}

fn distribution_points(mut value: Der<'_>) -> Result<(), Error> {
    let mut points = value.read(der::SEQUENCE).ok_or("x509: invalid CRL distribution points")?;
    let point = |points: &mut Der<'_>| {
        let Some(mut name) = points.read(der::SEQUENCE)?.optional(der::constructed(0))? else {
            return Some(());
        };
        let mut names = name.read(der::constructed(0))?;
        while names.next_is(der::context(6)) {
            names.read(der::context(6))?;
        }
        Some(())
    };
    while !points.is_empty() {
        point(&mut points).ok_or("x509: invalid CRL distribution point")?;
    }
    Ok(())
}

fn alternative_names(mut value: Der<'_>) -> Result<(), Error> {
    let mut names = value.read(der::SEQUENCE).ok_or("x509: invalid subject alternative names")?;
    while !names.is_empty() {
        let (tag, name) = names.any().ok_or("x509: invalid subject alternative name")?;
        let name = name.bytes();
        match tag ^ 0x80 {
            1 if !name.is_ascii() => return Err("x509: SAN rfc822Name is malformed".into()),
            2 if !name.is_ascii() => return Err("x509: SAN dNSName is malformed".into()),
            6 => uri(name)?,
            7 if !matches!(name.len(), 4 | 16) => {
                return Err(Error::new(format!("x509: cannot parse IP address of length {}", name.len())));
            }
            _ => {}
        }
    }
    Ok(())
}

fn uri(bytes: &[u8]) -> Result<(), Error> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii());
    let text = text.ok_or("x509: SAN uniformResourceIdentifier is malformed")?;
    let wrong = |why: &str| Error::new(format!("x509: cannot parse URI {}: {why}", quote(text)));
    let url = Url::parse(text).map_err(|why| wrong(&why.to_string()))?;
    if is_domain(url.host.as_bytes()) { Ok(()) } else { Err(wrong("invalid domain")) }
}

fn name_constraints(mut value: Der<'_>) -> Result<(), Error> {
    const INVALID: &str = "x509: invalid NameConstraints extension";
    let mut top = value.read(der::SEQUENCE).filter(|_| value.is_empty()).ok_or(INVALID)?;
    let permitted = top.optional(der::constructed(0)).ok_or(INVALID)?;
    let excluded = top.optional(der::constructed(1)).ok_or(INVALID)?;
    if !top.is_empty() {
        return Err(INVALID.into());
    }
    let trees = [permitted, excluded].map(|it| it.unwrap_or(Der::new(&[])));
    if trees.iter().all(Der::is_empty) {
        return Err("x509: empty name constraints extension".into());
    }
    for mut tree in trees {
        while !tree.is_empty() {
            let base = tree.read(der::SEQUENCE).and_then(|mut subtree| subtree.any());
            let (tag, base) = base.ok_or(INVALID)?;
            constraint(tag, base.bytes())?;
        }
    }
    Ok(())
}

fn constraint(tag: u8, value: &[u8]) -> Result<(), Error> {
    const EMAIL: u8 = der::context(1);
    const DNS: u8 = der::context(2);
    const URI: u8 = der::context(6);
    const IP: u8 = der::context(7);
    if tag == IP {
        return network(value);
    }
    if !matches!(tag, EMAIL | DNS | URI) {
        return Ok(());
    }
    let text = std::str::from_utf8(value).ok().filter(|text| text.is_ascii()).ok_or_else(|| {
        let text = quote_bytes(value);
        Error::new(format!("x509: invalid constraint value: x509: {text} cannot be encoded as an IA5String"))
    })?;
    let (is_good, what) = match tag {
        DNS => (is_domain_constraint(value), "dnsName"),
        EMAIL if text.contains('@') => (is_mailbox(value), "rfc822Name"),
        EMAIL => (is_domain_constraint(value), "rfc822Name"),
        _ => {
            if Ip::parse(text).is_ok_and(|(_, has_zone)| !has_zone) {
                let why = "cannot be IP address";
                return Err(Error::new(format!(
                    "x509: failed to parse URI constraint {}: {why}",
                    quote(text)
                )));
            }
            (is_domain_constraint(value), "URI")
        }
    };
    let wrong = || Error::new(format!("x509: failed to parse {what} constraint {}", quote(text)));
    if is_good { Ok(()) } else { Err(wrong()) }
}

/// An address and a mask. The mask consists of ones, followed by zeros.
fn network(value: &[u8]) -> Result<(), Error> {
    if !matches!(value.len(), 8 | 32) {
        return Err(Error::new(format!("x509: IP constraint contained value of length {}", value.len())));
    }
    let mask = &value[value.len() / 2..];
    let ones = mask.iter().take_while(|byte| **byte == 0xff).count();
    let rest = &mask[ones..];
    let is_mask = rest.first().is_none_or(|first| first.leading_ones() + first.trailing_zeros() >= 8)
        && rest.iter().skip(1).all(|byte| *byte == 0);
    if is_mask {
        return Ok(());
    }
    let mut hex = String::new();
    for byte in mask {
        _ = write!(hex, "{byte:02x}");
    }
    Err(Error::new(format!("x509: IP constraint contained invalid mask {hex}")))
}

/// A string as Go's `%q` prints it. Its bytes need not be valid UTF-8.
fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let quoted = quote(chunk.valid());
        out.push_str(quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default());
        for byte in chunk.invalid() {
            _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

/// Whether a name is empty, or consists of labels of visible characters, separated by dots.
fn is_domain(name: &[u8]) -> bool {
    name.is_empty() || labels_are_good(name)
}

/// Whether a text constrains domains: like a domain, but it may begin with a dot.
fn is_domain_constraint(text: &[u8]) -> bool {
    is_domain(if text.len() > 1 { text.strip_prefix(b".").unwrap_or(text) } else { text })
}

fn labels_are_good(name: &[u8]) -> bool {
    let is_label = |label: &[u8]| !label.is_empty() && label.iter().all(|b| matches!(b, 33..=126));
    name.split(|b| *b == b'.').all(is_label)
}

/// Whether a text is an email address: a local part, which may be in quotes, and a domain, which may be empty.
fn is_mailbox(text: &[u8]) -> bool {
    let domain = match text.strip_prefix(b"\"") {
        Some(quoted) => behind_quotes(quoted),
        None => behind_atoms(text),
    };
    let domain = domain.and_then(|rest| rest.strip_prefix(b"@"));
    domain.is_some_and(|domain| domain.is_empty() || labels_are_good(domain))
}

/// The rest of a text after its closing quote. The opening quote has been removed.
fn behind_quotes(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        let (first, behind) = rest.split_first()?;
        rest = behind;
        match first {
            b'"' => return Some(rest),
            b'\\' => {
                let (escaped, behind) = rest.split_first()?;
                if !matches!(escaped, 1..=9 | 11 | 12 | 14..=127) {
                    return None;
                }
                rest = behind;
            }
            1..=8 | 11 | 12 | 14..=33 | 35..=91 | 93..=127 => {}
            _ => return None,
        }
    }
}

/// The rest of a text after words that are separated by dots.
fn behind_atoms(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    let mut local = Vec::new();
    while let Some((first, behind)) = rest.split_first() {
        match first {
            // Go accepts any character after a backslash.
            b'\\' => {
                let (escaped, behind) = behind.split_first()?;
                local.push(*escaped);
                rest = behind;
            }
            _ if first.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(first) => {
                local.push(*first);
                rest = behind;
            }
            _ => break,
        }
    }
    let is_good = !local.is_empty()
        && !local.starts_with(b".")
        && !local.ends_with(b".")
        && !local.windows(2).any(|pair| pair == b"..");
    is_good.then_some(rest)
}
