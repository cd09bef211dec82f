//! Addresses and networks.

use crdgen_text::go::net::{Ip, Prefix};
use crdgen_text::go::quote;
use std::fmt::Display;

use super::super::value::{Error, Opaque, Outcome, Val};
use super::Called;

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

pub(super) fn ip<'a>(args: &[Val<'a>]) -> Called<'a> {
    Some(parse_ip(args.first()?.as_str()?).map(|ip| Val::Opaque(Opaque::Ip(ip.into()))))
}

pub(super) fn is_ip<'a>(args: &[Val<'a>]) -> Called<'a> {
    Some(Ok(Val::Bool(parse_ip(args.first()?.as_str()?).is_ok())))
}

pub(super) fn is_canonical<'a>(args: &[Val<'a>]) -> Called<'a> {
    let text = args.first()?.as_str()?;
    Some(parse_ip(text).map(|ip| Val::Bool(ip.to_string() == text)))
}

pub(super) fn of_ip<'a>(args: &[Val<'a>], f: impl Fn(Ip) -> Val<'a>) -> Called<'a> {
    if let [Val::Opaque(Opaque::Ip(ip))] = args { Some(Ok(f(**ip))) } else { None }
}

pub(super) fn cidr<'a>(args: &[Val<'a>]) -> Called<'a> {
    Some(parse_cidr(args.first()?.as_str()?).map(|c| Val::Opaque(Opaque::Cidr(c.into()))))
}

pub(super) fn is_cidr<'a>(args: &[Val<'a>]) -> Called<'a> {
    Some(Ok(Val::Bool(parse_cidr(args.first()?.as_str()?).is_ok())))
}

pub(super) fn of_cidr<'a>(args: &[Val<'a>], f: impl Fn(Prefix) -> Val<'a>) -> Called<'a> {
    if let [Val::Opaque(Opaque::Cidr(c))] = args { Some(Ok(f(**c))) } else { None }
}

/// For text that is not an address, Go reports a wrong type instead.
pub(super) fn contains_ip<'a>(args: &[Val<'a>]) -> Called<'a> {
    let [Val::Opaque(Opaque::Cidr(c)), other] = args else { return None };
    let ip = match other {
        Val::Opaque(Opaque::Ip(ip)) => Ok(**ip),
        other => parse_ip(other.as_str()?).map_err(|_| Error::NO_OVERLOAD),
    };
    Some(ip.map(|ip| Val::Bool(c.contains(ip))))
}

pub(super) fn contains_cidr<'a>(args: &[Val<'a>]) -> Called<'a> {
    let [Val::Opaque(Opaque::Cidr(c)), other] = args else { return None };
    let other: Result<Prefix, Error> = match other {
        Val::Opaque(Opaque::Cidr(other)) => Ok(**other),
        other => parse_cidr(other.as_str()?),
    };
    let inside = |other: Prefix| c.overlaps(other) && c.bits() <= other.bits();
    let result: Outcome<'a> = other.map(|other| Val::Bool(inside(other)));
    Some(result)
}
