//! Network addresses. Leading zeros are allowed where the server tolerates them for old objects.

use std::net::{Ipv4Addr, Ipv6Addr};

/// An IPv4 address, or an IPv6 address that ends in one.
pub(super) fn is_ipv4(s: &str) -> bool {
    s.contains('.')
        && match s.find(['.', ':']) {
            Some(i) if s.as_bytes()[i] == b'.' => is_v4(s),
            Some(_) => is_v6(s),
            None => false,
        }
}

pub(super) fn is_ipv6(s: &str) -> bool {
    s.contains(':') && is_ip(s)
}

/// Like Go's `net.ParseIP`: strict, without zones.
pub(super) fn is_ip(s: &str) -> bool {
    match s.find(['.', ':']) {
        Some(i) if s.as_bytes()[i] == b'.' => s.parse::<Ipv4Addr>().is_ok(),
        Some(_) => s.parse::<Ipv6Addr>().is_ok(),
        None => false,
    }
}

pub(super) fn is_cidr(s: &str) -> bool {
    let Some((address, bits)) = s.split_once('/') else { return false };
    let max = if is_v4(address) {
        32
    } else if is_v6(address) {
        128
    } else {
        return false;
    };
    number(bits, 10).is_some_and(|(n, rest)| rest.is_empty() && n <= max)
}

/// The number at the start of a text, and the rest. The caller's numbers are far below the limit.
fn number(s: &str, radix: u32) -> Option<(u32, &str)> {
    let end = s.find(|c: char| !c.is_digit(radix)).unwrap_or(s.len());
    let mut n = 0u32;
    for digit in s[..end].chars().filter_map(|c| c.to_digit(radix)) {
        n = n * radix + digit;
        if n >= 0xff_ffff {
            return None;
        }
    }
    (end > 0).then_some((n, &s[end..]))
}

/// An IPv4 address, in which numbers may have leading zeros.
fn is_v4(s: &str) -> bool {
    let mut rest = s;
    for i in 0..4 {
        if i > 0 {
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None => return false,
            }
        }
        match number(rest, 10) {
            Some((n, after)) if n <= 0xff => rest = after,
            _ => return false,
        }
    }
    rest.is_empty()
}

fn is_v6(s: &str) -> bool {
    let mut rest = s;
    let mut ellipsis = false;
    if let Some(after) = rest.strip_prefix("::") {
        ellipsis = true;
        rest = after;
        if rest.is_empty() {
            return true;
        }
    }
    let mut bytes = 0;
    while bytes < 16 {
        let Some((n, after)) = number(rest, 16).filter(|(n, _)| *n <= 0xffff) else { return false };
        let _ = n;
        if after.starts_with('.') {
            if (!ellipsis && bytes != 12) || bytes + 4 > 16 || !is_v4(rest) {
                return false;
            }
            bytes += 4;
            rest = "";
            break;
        }
        bytes += 2;
        rest = after;
        if rest.is_empty() {
            break;
        }
        match rest.strip_prefix(':') {
            Some(after) if !after.is_empty() => rest = after,
            _ => return false,
        }
        if let Some(after) = rest.strip_prefix(':') {
            if ellipsis {
                return false;
            }
            ellipsis = true;
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    // An ellipsis replaces at least one group.
    rest.is_empty() && (bytes < 16) == ellipsis
}

/// An address of 6, 8 or 20 bytes, in pairs of digits with colons or dashes, in fours with dots, or
/// without separators.
pub(super) fn is_mac(s: &str) -> bool {
    let bytes = s.as_bytes();
    if bytes.len() < 12 {
        return false;
    }
    let (group, separator) = match (bytes[2], bytes[4]) {
        (c @ (b':' | b'-'), _) => (2, Some(c)),
        (_, b'.') => (4, Some(b'.')),
        _ => (2, None),
    };
    let groups: Vec<&[u8]> = match separator {
        Some(c) => bytes.split(|b| *b == c).collect(),
        None => bytes.chunks(group).collect(),
    };
    matches!(groups.len() * group / 2, 6 | 8 | 20)
        && groups.iter().all(|g| g.len() == group && g.iter().all(u8::is_ascii_hexdigit))
}
