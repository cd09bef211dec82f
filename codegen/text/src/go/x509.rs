//! Certificates of authorities, as far as a CA bundle is looked at: PEM text with at least one block
//! that has the outer shape of an X.509 certificate.

use super::base64_decode;

/// Whether a client could load the certificates of a PEM text; if not, why not, in its words.
pub fn check_certificates(pem: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(pem);
    let mut rest: &str = &text;
    let mut first_problem = None;
    while !rest.is_empty() {
        let Some((block, after)) = next_block(rest) else {
            first_problem.get_or_insert("unable to parse bytes as PEM block".to_owned());
            break;
        };
        rest = after;
        if block.kind != "CERTIFICATE" || block.has_headers {
            continue;
        }
        match check_shape(&block.bytes) {
            Ok(()) => return Ok(()),
            Err(why) => first_problem.get_or_insert(format!("failed to parse certificate: x509: {why}")),
        };
    }
    Err(first_problem.unwrap_or_else(|| "no valid certificate authority data seen".to_owned()))
}

struct Block<'a> {
    kind: &'a str,
    has_headers: bool,
    bytes: Vec<u8>,
}

/// The next block that is well-formed, and what follows it.
fn next_block(text: &str) -> Option<(Block<'_>, &str)> {
    const BEGIN: &str = "-----BEGIN ";
    let mut rest = text;
    loop {
        let at = if rest.starts_with(BEGIN) { 0 } else { rest.find(&format!("\n{BEGIN}"))? + 1 };
        rest = &rest[at + BEGIN.len()..];
        let (line, body) = rest.split_once('\n')?;
        let Some(kind) = line.trim_end().strip_suffix("-----") else { continue };
        let end = format!("-----END {kind}-----");
        let Some(stop) = body.find(&end) else { continue };
        let (body, after) = (&body[..stop], &body[stop + end.len()..]);
        let has_headers = body.lines().next().is_some_and(|line| line.contains(':'));
        let data = if has_headers { body.split_once("\n\n").map_or("", |(_, data)| data) } else { body };
        let packed: String = data.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let Some(bytes) = base64_decode(&packed) else { continue };
        let after = after.split_once('\n').map_or("", |(_, after)| after);
        return Some((Block { kind, has_headers, bytes }, after));
    }
}

/// A certificate is a sequence of a sequence (what is signed), a sequence (the algorithm) and a bit
/// string (the signature).
fn check_shape(der: &[u8]) -> Result<(), &'static str> {
    const SEQUENCE: u8 = 0x30;
    const BIT_STRING: u8 = 0x03;
    let malformed = "malformed certificate";
    let (inner, after) = element(der, SEQUENCE).ok_or(malformed)?;
    if !after.is_empty() {
        return Err("trailing data");
    }
    let (_, rest) = element(inner, SEQUENCE).ok_or("malformed tbs certificate")?;
    let (_, rest) = element(rest, SEQUENCE).ok_or("malformed signature algorithm identifier")?;
    element(rest, BIT_STRING).ok_or("malformed signature")?;
    Ok(())
}

/// The content of a DER element with a tag, and what follows it.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, length], rest) = der.split_first_chunk::<2>()?;
    if found != tag {
        return None;
    }
    let (length, rest) = if length < 0x80 {
        (usize::from(length), rest)
    } else {
        let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
        if digits.is_empty() || digits.len() > 4 {
            return None;
        }
        (digits.iter().fold(0, |n, b| n << 8 | usize::from(*b)), rest)
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::check_certificates;

    #[test]
    fn bundles() {
        let shape = super::super::base64_encode(&[0x30, 7, 0x30, 0, 0x30, 0, 0x03, 1, 0]);
        let pem = format!("text before\n-----BEGIN CERTIFICATE-----\n{shape}\n-----END CERTIFICATE-----\n");
        assert_eq!(check_certificates(pem.as_bytes()), Ok(()));
        for (bad, why) in [
            ("", "no valid certificate authority data seen"),
            ("x", "unable to parse bytes as PEM block"),
            ("-----BEGIN KEY-----\nMAA=\n-----END KEY-----\n", "no valid certificate authority data seen"),
            (
                "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
                "failed to parse certificate: x509: malformed tbs certificate",
            ),
        ] {
            assert_eq!(check_certificates(bad.as_bytes()), Err(why.to_owned()), "{bad}");
        }
    }
}
