//! Addresses and networks.

use super::Type;

const IP_ADDRESS: Type = Type::Opaque("net.IP");
const NETWORK: Type = Type::Opaque("net.CIDR");

library! {
    /// Kubernetes' addresses.
    pub IP = "kubernetes.ip" since 30;
    "family" = Call(|args, _| run::of_ip(args, |ip| Val::Int(if ip.bits() == 32 { 4 } else { 6 }))) => { "ip_family" member (IP_ADDRESS) -> Int, Unit; }
    "ip" = Call(run::ip) => { "string_to_ip" global (String) -> IP_ADDRESS, ParseArg; }
    "ip.isCanonical" = Call(run::is_canonical) => { "ip_is_canonical" global (String) -> Bool, ParseArgTwice; }
    "isGlobalUnicast" = Call(|args, _| run::of_ip(args, |ip| Val::Bool(ip.is_global_unicast()))) => {
        "ip_is_global_unicast" member (IP_ADDRESS) -> Bool, Unit;
    }
    "isIP" = Call(run::is_ip) => { "is_ip" global (String) -> Bool, ParseArg; }
    "isLinkLocalMulticast" = Call(|args, _| run::of_ip(args, |ip| Val::Bool(ip.is_link_local_multicast()))) => {
        "ip_is_link_local_multicast" member (IP_ADDRESS) -> Bool, Unit;
    }
    "isLinkLocalUnicast" = Call(|args, _| run::of_ip(args, |ip| Val::Bool(ip.is_link_local_unicast()))) => {
        "ip_is_link_local_unicast" member (IP_ADDRESS) -> Bool, Unit;
    }
    "isLoopback" = Call(|args, _| run::of_ip(args, |ip| Val::Bool(ip.is_loopback()))) => { "ip_is_loopback" member (IP_ADDRESS) -> Bool, Unit; }
    "isUnspecified" = Call(|args, _| run::of_ip(args, |ip| Val::Bool(ip.is_unspecified()))) => { "ip_is_unspecified" member (IP_ADDRESS) -> Bool, Unit; }
    "string" = With(Way::Conversion, |args, work| one(args, |value| convert::to_string(value, work))) => {
        "ip_to_string" global (IP_ADDRESS) -> String, Unit;
    }
}

library! {
    /// Kubernetes' networks.
    pub CIDR = "kubernetes.cidr" since 30;
    "cidr" = Call(run::cidr) => { "string_to_cidr" global (String) -> NETWORK, ParseArg; }
    "containsCIDR" = Call(run::contains_cidr) => {
        "cidr_contains_cidr_string" member (NETWORK, String) -> Bool, ContainsCidrString;
        "cidr_contains_cidr" member (NETWORK, NETWORK) -> Bool, ContainsCidr;
    }
    "containsIP" = Call(run::contains_ip) => {
        "cidr_contains_ip_string" member (NETWORK, String) -> Bool, ContainsIpString;
        "cidr_contains_ip_ip" member (NETWORK, IP_ADDRESS) -> Bool, ContainsIp;
    }
    "ip" = Call(|args, _| run::of_cidr(args, |c| Val::Opaque(Opaque::Ip(c.ip.into())))) => { "cidr_ip" member (NETWORK) -> IP_ADDRESS, Unit; }
    "isCIDR" = Call(run::is_cidr) => { "is_cidr" global (String) -> Bool, ParseArg; }
    "isMask" = Call(|args, _| run::of_cidr(args, |c| Val::Bool(c == c.masked()))) => { "cidr_is_mask" member (NETWORK) -> Bool, Unit since 38; }
    "masked" = Call(|args, _| run::of_cidr(args, |c| Val::Opaque(Opaque::Cidr(c.masked().into())))) => { "cidr_masked" member (NETWORK) -> NETWORK, Unit; }
    "prefixLength" = Call(|args, _| run::of_cidr(args, |c| Val::Int(c.bits().into()))) => { "cidr_prefix_length" member (NETWORK) -> Int, Unit; }
    "string" = With(Way::Conversion, |args, work| one(args, |value| convert::to_string(value, work))) => {
        "cidr_to_string" global (NETWORK) -> String, Unit;
    }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Error, Opaque, Outcome, Val, Work};
    use crdgen_text::go::net::{Ip, Prefix};
    use crdgen_text::go::quote;
    use std::fmt::Display;

    fn parse_ip(text: &str) -> Result<Ip, Error> {
        match Ip::parse(text) {
            Err(why) => Err(Error::new(format!(
                "IP Address {} parse error during conversion from string: {why}",
                quote(text)
            ))),
            Ok((_, true)) => {
                Err(Error::new(format!("IP address {} with zone value is not allowed", quote(text))))
            }
            Ok((ip, false)) if ip.is_4_in_6() => Err(mapped(text)),
            Ok((ip, false)) => Ok(ip),
        }
    }

    fn mapped(text: &str) -> Error {
        Error::new(format!("IPv4-mapped IPv6 address {} is not allowed", quote(text)))
    }

    fn parse_cidr(text: &str) -> Result<Prefix, Error> {
        let wrong = |why: &dyn Display| {
            Error::new(format!("network address parse error during conversion from string: {why}"))
        };
        match Prefix::parse(text) {
            // In Go, both functions that are called here add this prefix to the message.
            Err(why) => Err(wrong(&wrong(&why))),
            Ok(prefix) if prefix.ip.is_4_in_6() => Err(wrong(&mapped(text))),
            Ok(prefix) => Ok(prefix),
        }
    }

    pub(super) fn ip<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        Some(parse_ip(args.first()?.as_str()?).map(|ip| Val::Opaque(Opaque::Ip(ip.into()))))
    }

    pub(super) fn is_ip<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        Some(Ok(Val::Bool(parse_ip(args.first()?.as_str()?).is_ok())))
    }

    pub(super) fn is_canonical<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let text = args.first()?.as_str()?;
        Some(parse_ip(text).map(|ip| Val::Bool(ip.to_string() == text)))
    }

    pub(super) fn of_ip<'a>(args: &[Val<'a>], f: impl Fn(Ip) -> Val<'a>) -> Called<'a> {
        if let [Val::Opaque(Opaque::Ip(ip))] = args { Some(Ok(f(**ip))) } else { None }
    }

    pub(super) fn cidr<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        Some(parse_cidr(args.first()?.as_str()?).map(|c| Val::Opaque(Opaque::Cidr(c.into()))))
    }

    pub(super) fn is_cidr<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        Some(Ok(Val::Bool(parse_cidr(args.first()?.as_str()?).is_ok())))
    }

    pub(super) fn of_cidr<'a>(args: &[Val<'a>], f: impl Fn(Prefix) -> Val<'a>) -> Called<'a> {
        if let [Val::Opaque(Opaque::Cidr(c))] = args { Some(Ok(f(**c))) } else { None }
    }

    /// For text that is not an address, Go reports a wrong type instead.
    pub(super) fn contains_ip<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let [Val::Opaque(Opaque::Cidr(c)), other] = args else { return None };
        let ip = match other {
            Val::Opaque(Opaque::Ip(ip)) => Ok(**ip),
            other => parse_ip(other.as_str()?).map_err(|_| Error::NO_OVERLOAD),
        };
        Some(ip.map(|ip| Val::Bool(c.contains(ip))))
    }

    pub(super) fn contains_cidr<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let [Val::Opaque(Opaque::Cidr(c)), other] = args else { return None };
        let other: Result<Prefix, Error> = match other {
            Val::Opaque(Opaque::Cidr(other)) => Ok(**other),
            other => parse_cidr(other.as_str()?),
        };
        let inside = |other: Prefix| c.overlaps(other) && c.bits() <= other.bits();
        let result: Outcome<'a> = other.map(|other| Val::Bool(inside(other)));
        Some(result)
    }
}
