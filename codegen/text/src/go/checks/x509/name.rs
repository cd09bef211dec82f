//! The names of an issuer and a subject.

use super::der::{self, Der};
use super::{Names, time};
use crate::go::Error;
use std::fmt::Display;

/// Checks the content of a name.
pub(super) fn check(mut name: Der<'_>, names: Names) -> Result<(), Error> {
    let wrong = |why: &dyn Display| Error::new(format!("x509: invalid RDNSequence: {why}"));
    while !name.is_empty() {
        let mut set = name.read(der::SET).ok_or("x509: invalid RDNSequence")?;
        while !set.is_empty() {
            let mut attribute = set.read(der::SEQUENCE).ok_or_else(|| wrong(&"invalid attribute"))?;
            attribute.oid().ok_or_else(|| wrong(&"invalid attribute type"))?;
            let checked = match names {
                Names::Texts => {
                    let (tag, value) = attribute.any().ok_or_else(|| wrong(&"invalid attribute value"))?;
                    text(tag, value.bytes())
                }
                Names::Any => value(&mut attribute),
            };
            checked.map_err(|why| wrong(&format_args!("invalid attribute value: {why}")))?;
        }
    }
    Ok(())
}

/// Checks a value of any type.
fn value(attribute: &mut Der<'_>) -> Result<(), Error> {
    const ELEMENT: &str = "invalid ASN.1 element";
    let mut whole = attribute.any_element().ok_or(ELEMENT)?;
    let (tag, content) = Der::new(whole.bytes()).any().ok_or(ELEMENT)?;
    let (is_good, why) = match tag {
        12 | 18 | 19 | 20 | 22 | 30 => return text(tag, content.bytes()),
        23 | 24 => return time(&mut whole),
        2 => (whole.integer().and_then(der::int64).is_some(), "invalid ASN.1 integer"),
        3 => (whole.bits().is_some(), "invalid ASN.1 BIT STRING"),
        6 => (whole.oid().is_some(), "invalid ASN.1 OBJECT IDENTIFIER"),
        1 => (matches!(content.bytes(), [0 | 0xff]), "invalid ASN.1 BOOLEAN"),
        _ => (true, ""),
    };
    if is_good { Ok(()) } else { Err(why.into()) }
}

fn text(tag: u8, value: &[u8]) -> Result<(), Error> {
    const T61: u8 = 20;
    let (is_good, why) = match tag {
        T61 => (true, ""),
        19 => (value.iter().all(|b| is_printable(*b)), "invalid PrintableString"),
        12 => (std::str::from_utf8(value).is_ok(), "invalid UTF-8 string"),
        30 => (is_bmp(value), "invalid BMPString"),
        22 => (value.is_ascii(), "invalid IA5String"),
        18 => (value.iter().all(|b| b.is_ascii_digit() || *b == b' '), "invalid NumericString"),
        _ => return Err(Error::new(format!("unsupported string type: {tag}"))),
    };
    if is_good { Ok(()) } else { Err(why.into()) }
}

/// Go also accepts `*` and `&`, because real certificates contain them.
fn is_printable(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"'()+,-./ :=?*&".contains(&byte)
}

/// Two bytes per character, optionally with zeros at the end. Surrogates and non-characters are invalid.
fn is_bmp(value: &[u8]) -> bool {
    let value = value.strip_suffix(&[0, 0]).unwrap_or(value);
    let is_character = |pair: &[u8]| {
        let point = u16::from(pair[0]) << 8 | u16::from(pair[1]);
        !matches!(point, 0xfffe | 0xffff | 0xfdd0..=0xfdef | 0xd800..=0xdfff)
    };
    value.len().is_multiple_of(2) && value.chunks(2).all(is_character)
}
