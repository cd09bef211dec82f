//! Addresses and networks as Go's `net/netip` reads and writes them.

use crate::go::Error;
use std::fmt;
use std::fmt::Display;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::go::quote;

/// An IP address without a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ip {
    /// IPv4
    V4(u32),
    /// IPv6
    V6(u128),
}

/// A network: an address, and the number of its bits that belong to the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The address, with all its bits.
    pub ip: Ip,
    bits: u8,
}

impl Ip {
    /// Parses an address, like `netip.ParseAddr`. The flag is whether it has a zone.
    pub fn parse(text: &str) -> Result<(Ip, bool), Error> {
        let wrong = |why: &dyn Display| Err(Error::new(format!("ParseAddr({}): {why}", quote(text))));
        match text.bytes().find(|b| matches!(b, b'.' | b':' | b'%')) {
            Some(b'.') => match parse_v4(text) {
                Ok(v4) => Ok((Ip::V4(v4), false)),
                Err(why) => wrong(&why),
            },
            Some(b':') => {
                let (address, zone) = text.split_once('%').map_or((text, None), |(a, z)| (a, Some(z)));
                if zone == Some("") {
                    return wrong(&"zone must be a non-empty string");
                }
                match parse_v6(address) {
                    Ok(v6) => Ok((Ip::V6(v6), zone.is_some())),
                    Err(why) => wrong(&why),
                }
            }
            Some(_) => wrong(&"missing IPv6 address"),
            None => wrong(&"unable to parse IP"),
        }
    }

    /// Returns the number of bits of an address of this family.
    pub fn bits(self) -> u8 {
        match self {
            Ip::V4(_) => 32,
            Ip::V6(_) => 128,
        }
    }

    /// Whether this is an IPv4 address that is written as IPv6: `::ffff:1.2.3.4`.
    pub fn is_4_in_6(self) -> bool {
        matches!(self, Ip::V6(ip) if ip >> 32 == 0xffff)
    }

    /// Whether this is `0.0.0.0` or `::`.
    pub fn is_unspecified(self) -> bool {
        matches!(self, Ip::V4(0) | Ip::V6(0))
    }

    /// Whether this is in `127.0.0.0/8`, or is `::1`.
    pub fn is_loopback(self) -> bool {
        match self {
            Ip::V4(ip) => ip >> 24 == 127,
            Ip::V6(ip) => ip == 1,
        }
    }

    /// Whether this is in `224.0.0.0/24`, or is a multicast address of link-local scope.
    pub fn is_link_local_multicast(self) -> bool {
        match self {
            Ip::V4(ip) => ip >> 8 == 0xe0_0000,
            Ip::V6(ip) => (ip >> 112) & 0xff0f == 0xff02,
        }
    }

    /// Whether this is in `169.254.0.0/16` or `fe80::/10`.
    pub fn is_link_local_unicast(self) -> bool {
        match self {
            Ip::V4(ip) => ip >> 16 == 0xa9fe,
            Ip::V6(ip) => ip >> 118 == 0xfe80 >> 6,
        }
    }

    /// Whether this is a unicast address that is not of a special kind.
    pub fn is_global_unicast(self) -> bool {
        let multicast = match self {
            Ip::V4(ip) => ip >> 28 == 0xe,
            Ip::V6(ip) => ip >> 120 == 0xff,
        };
        let broadcast = self == Ip::V4(u32::MAX);
        !(self.is_unspecified()
            || broadcast
            || self.is_loopback()
            || multicast
            || self.is_link_local_unicast())
    }

    /// The address with all but the first bits cleared.
    fn masked(self, bits: u8) -> Ip {
        match self {
            Ip::V4(ip) => Ip::V4(ip & u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0)),
            Ip::V6(ip) => Ip::V6(ip & u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0)),
        }
    }
}

impl fmt::Display for Ip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ip::V4(ip) => Ipv4Addr::from(*ip).fmt(f),
            Ip::V6(ip) => Ipv6Addr::from(*ip).fmt(f),
        }
    }
}

impl Prefix {
    /// Parses a network, like `netip.ParsePrefix`.
    pub fn parse(text: &str) -> Result<Prefix, Error> {
        let wrong = |why: &dyn Display| Err(Error::new(format!("netip.ParsePrefix({}): {why}", quote(text))));
        let Some((address, bits)) = text.rsplit_once('/') else { return wrong(&"no '/'") };
        let ip = match Ip::parse(address) {
            Ok((_, true)) => return wrong(&"IPv6 zones cannot be present in a prefix"),
            Ok((ip, false)) => ip,
            Err(why) => return wrong(&why),
        };
        let bad = format!("bad bits after slash: {}", quote(bits));
        if bits.len() > 1 && !bits.starts_with(|c: char| ('1'..='9').contains(&c)) {
            return wrong(&bad);
        }
        let Ok(length) = bits.parse::<i64>() else { return wrong(&bad) };
        match u8::try_from(length) {
            Ok(bits) if bits <= ip.bits() => Ok(Prefix { ip, bits }),
            _ => wrong(&"prefix length out of range"),
        }
    }

    /// Returns the number of bits that belong to the network.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// Returns the network with all other bits of its address cleared.
    pub fn masked(self) -> Prefix {
        Prefix { ip: self.ip.masked(self.bits), bits: self.bits }
    }

    /// Whether the network contains an address.
    pub fn contains(self, ip: Ip) -> bool {
        ip.bits() == self.ip.bits() && ip.masked(self.bits) == self.ip.masked(self.bits)
    }

    /// Whether two networks have addresses in common.
    pub fn overlaps(self, other: Prefix) -> bool {
        let bits = self.bits.min(other.bits);
        self.ip.bits() == other.ip.bits() && self.ip.masked(bits) == other.ip.masked(bits)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.ip, self.bits)
    }
}

fn at(why: &str, rest: &str) -> Error {
    Error::new(format!("{why} (at {})", quote(rest)))
}

fn parse_v4(text: &str) -> Result<u32, Error> {
    let bytes = text.as_bytes();
    let (mut ip, mut dots, mut value, mut digits) = (0u32, 0, 0u32, 0);
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(Error::new("IPv4 field has octet with leading zero"));
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(Error::new("IPv4 field has value >255"));
                }
            }
            b'.' => {
                if digits == 0 || i == bytes.len() - 1 {
                    return Err(at("IPv4 field must have at least one digit", &text[i..]));
                }
                if dots == 3 {
                    return Err(Error::new("IPv4 address too long"));
                }
                ip = ip << 8 | value;
                (dots, value, digits) = (dots + 1, 0, 0);
            }
            _ => return Err(at("unexpected character", text.get(i..).unwrap_or_default())),
        }
    }
    if dots < 3 { Err(Error::new("IPv4 address too short")) } else { Ok(ip << 8 | value) }
}

fn parse_v6(text: &str) -> Result<u128, Error> {
    let mut groups: Vec<u16> = Vec::with_capacity(8);
    let mut ellipsis = None;
    let mut rest = text;
    if let Some(after) = text.strip_prefix("::") {
        if after.is_empty() {
            return Ok(0);
        }
        ellipsis = Some(0);
        rest = after;
    }
    while groups.len() < 8 {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return Err(at("each group must have 4 or less digits", rest));
        }
        if digits == 0 {
            return Err(at("each colon-separated field must have at least one digit", rest));
        }
        let tail = &rest[digits..];
        if tail.starts_with('.') {
            if ellipsis.is_none() && groups.len() != 6 {
                let why = "embedded IPv4 address must replace the final 2 fields of the address";
                return Err(at(why, rest));
            }
            if groups.len() > 6 {
                let why = "too many hex fields to fit an embedded IPv4 at the end of the address";
                return Err(at(why, rest));
            }
            let v4 = parse_v4(rest)?;
            groups.extend([(v4 >> 16) as u16, v4 as u16]);
            rest = "";
            break;
        }
        groups.push(u16::from_str_radix(&rest[..digits], 16).unwrap_or_default());
        rest = tail;
        match rest.strip_prefix(':') {
            None if rest.is_empty() => break,
            None => return Err(at("unexpected character, want colon", rest)),
            Some("") => return Err(at("colon must be followed by more characters", rest)),
            Some(after) => rest = after,
        }
        if let Some(after) = rest.strip_prefix(':') {
            if ellipsis.is_some() {
                return Err(at("multiple :: in address", rest));
            }
            ellipsis = Some(groups.len());
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(at("trailing garbage after address", rest));
    }
    match ellipsis {
        None if groups.len() < 8 => return Err(Error::new("address string too short")),
        Some(_) if groups.len() == 8 => {
            return Err(Error::new("the :: must expand to at least one field of zeros"));
        }
        None => {}
        Some(place) => {
            let missing = 8 - groups.len();
            groups.splice(place..place, std::iter::repeat_n(0, missing));
        }
    }
    Ok(groups.into_iter().fold(0, |ip, group| ip << 16 | u128::from(group)))
}
