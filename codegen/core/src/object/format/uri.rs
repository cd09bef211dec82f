//! URIs as Go's `url.ParseRequestURI` takes them.

use super::net;
use std::net::Ipv6Addr;

/// An absolute URI or an absolute path.
pub(super) fn is_request_uri(s: &str) -> bool {
    if s.is_empty() || s.bytes().any(|b| b < b' ' || b == 0x7f) {
        return false;
    }
    if s == "*" {
        return true;
    }
    let Some((scheme, rest)) = split_scheme(s) else { return false };
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    if !rest.starts_with('/') {
        return !scheme.is_empty();
    }
    let path = match rest.strip_prefix("//") {
        Some(authority) if !scheme.is_empty() => {
            let end = authority.find('/').unwrap_or(authority.len());
            if !is_authority(scheme, &authority[..end]) {
                return false;
            }
            &authority[end..]
        }
        Some(_) | None => rest,
    };
    escapes(path, Part::Other)
}

/// The scheme, which can be empty, and what follows; none if there is a colon without a scheme.
fn split_scheme(s: &str) -> Option<(&str, &str)> {
    for (i, b) in s.bytes().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if i > 0 => {}
            b':' => return (i > 0).then(|| (&s[..i], &s[i + 1..])),
            _ => break,
        }
    }
    Some(("", s))
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    match authority.rsplit_once('@') {
        None => is_host(scheme, authority),
        Some((user, host)) => is_host(scheme, host) && is_user(user) && escapes(user, Part::Other),
    }
}

fn is_user(s: &str) -> bool {
    s.chars().all(|c| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c))
}

fn is_host(scheme: &str, host: &str) -> bool {
    match host.rfind('[') {
        Some(0) => {
            let Some(end) = host.rfind(']') else { return false };
            let port = &host[end + 1..];
            is_port(port) && escapes(port, Part::Host) && is_literal(&host[1..end])
        }
        Some(_) => false,
        None => {
            let strict = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if strict { host.find(':') } else { host.rfind(':') };
            colon.is_none_or(|i| is_port(&host[i..])) && escapes(host, Part::Host)
        }
    }
}

/// Nothing, or a colon and digits, if any.
fn is_port(s: &str) -> bool {
    s.is_empty() || s.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
}

/// What stands in brackets: an IPv6 address, with a zone if there is an escaped percent sign.
fn is_literal(s: &str) -> bool {
    let (address, zone) = match s.find("%25") {
        Some(i) => (&s[..i], Some(&s[i..])),
        None => (s, None),
    };
    if !escapes(address, Part::Host) || !zone.is_none_or(|z| escapes(z, Part::Zone) && z.len() > 3) {
        return false;
    }
    // Escapes in an address can only be those of bytes that no address has.
    !address.contains('%') && net::is_ip(address) && address.parse::<Ipv6Addr>().is_ok()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Host,
    Zone,
    Other,
}

/// Whether percent signs are followed by two digits, and all characters are good for the part.
fn escapes(s: &str, part: Part) -> bool {
    let mut rest = s.as_bytes();
    while let [b, after @ ..] = rest {
        rest = after;
        if *b != b'%' {
            if part != Part::Other && *b < 0x80 && !in_host(*b) {
                return false;
            }
            continue;
        }
        let [high, low, after @ ..] = after else { return false };
        let (Some(h), Some(l)) = ((*high as char).to_digit(16), (*low as char).to_digit(16)) else { return false };
        let value = (h * 16 + l) as u8;
        let percent = (*high, *low) == (b'2', b'5');
        let good = match part {
            Part::Host => value >= 0x80 || percent,
            Part::Zone => percent || value == b' ' || in_host(value),
            Part::Other => true,
        };
        if !good {
            return false;
        }
        rest = after;
    }
    true
}

/// What Go does not escape in hosts and zones.
fn in_host(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&b)
}
