//! The addresses of services, and their families. This cluster has IPv4 only.

use super::{Change, NotGiven, Used, given};
use crate::checks::services::{address_mistakes, is_headless, needs_address};
use crate::field::Field;
use crate::meta::texts;
use crate::mistake::Mistake;
use crdgen_core::go::net::Ip;
use crdgen_core::value::Value;
use std::fmt;

type Mistakes = Vec<Mistake>;

/// The addresses that services get: the first number, and how many bits are free.
const FIRST: u32 = 10 << 24 | 96 << 16;
const BITS: u32 = 20;
const RANGE: &str = "10.96.0.0/12";

const POLICY: &str = "spec.ipFamilyPolicy";
const SINGLE: &str = "SingleStack";

impl Change<'_> {
    /// What the client does not say about the address of the service stays.
    pub(super) fn keep_addresses(&mut self) {
        let address = self.text("clusterIP").to_owned();
        let Some(old) = self.old else {
            // Clients may know only the older field.
            if !address.is_empty() && given(self.spec, "clusterIPs").is_none() {
                self.set("clusterIPs", vec![address].into());
            }
            return;
        };
        if needs_address(old) && needs_address(self.spec) {
            for name in ["clusterIP", "clusterIPs"] {
                if let (None, Some(was)) = (given(self.spec, name), given(old, name)) {
                    self.set(name, was.clone());
                }
            }
        }
        if !self.keeps("clusterIP") && self.keeps("clusterIPs") {
            match self.text("clusterIP").to_owned() {
                address if address.is_empty() => self.remove("clusterIPs"),
                address => self.set("clusterIPs", vec![address].into()),
            }
        }
    }

    /// Sets the policy and the families of a service, as far as the client does not say them.
    pub(super) fn give_families(&mut self) -> Result<(), NotGiven> {
        if !needs_address(self.spec) || self.is_matching_dual() {
            return Ok(());
        }
        let is_free = is_headless(self.spec)
            && self.spec.get("selector").is_none_or(|it| it.as_map().is_none_or(|it| it.is_empty()));
        if given(self.spec, "ipFamilyPolicy").is_none() {
            let policy = match self.old_text("ipFamilyPolicy") {
                "" if is_free => "RequireDualStack",
                "" => SINGLE,
                policy => policy,
            };
            let policy = policy.into();
            self.set("ipFamilyPolicy", policy);
        }
        let mistakes = address_mistakes(self.spec);
        if !mistakes.is_empty() {
            return Err(NotGiven::Invalid(mistakes));
        }
        let mut mistakes = self.shorten();
        let mut families: Vec<String> =
            texts(self.spec, "ipFamilies").into_iter().map(str::to_owned).collect();
        families.extend(self.families_of_addresses(families.len(), &mut mistakes));
        if !mistakes.is_empty() {
            return Err(NotGiven::Invalid(mistakes));
        }
        let is_single = self.text("ipFamilyPolicy") == SINGLE;
        if is_free {
            if families.is_empty() {
                families.push("IPv4".to_owned());
            }
            if let ([only], false) = (&families[..], is_single) {
                let other = if only == "IPv4" { "IPv6" } else { "IPv4" };
                families.push(other.to_owned());
            }
            self.set("ipFamilies", families.into());
            return Ok(());
        }
        if self.text("ipFamilyPolicy") == "RequireDualStack" {
            let why = "this cluster is not configured for dual-stack services";
            mistakes.push(Mistake::invalid(POLICY, &"RequireDualStack".into(), why));
        }
        for (i, family) in families.iter().enumerate().filter(|(_, family)| *family != "IPv4") {
            let field = Field::from("spec.ipFamilies").index(i);
            let why = "not configured on this cluster";
            mistakes.push(Mistake::invalid(field, &family.as_str().into(), why));
        }
        if !mistakes.is_empty() {
            return Err(NotGiven::Invalid(mistakes));
        }
        if families.is_empty() {
            families.push("IPv4".to_owned());
        }
        self.set("ipFamilies", families.into());
        Ok(())
    }

    /// Whether the service prefers two families, as before. Then it keeps those that it has.
    fn is_matching_dual(&self) -> bool {
        self.old.is_some()
            && self.text("ipFamilyPolicy") == "PreferDualStack"
            && ["type", "ipFamilyPolicy", "clusterIPs", "ipFamilies"].iter().all(|name| self.keeps(name))
    }

    /// A service with one family loses the second address and family, if the client does not change them.
    fn shorten(&mut self) -> Mistakes {
        let is_single = self.text("ipFamilyPolicy") == SINGLE;
        let policy = self.text("ipFamilyPolicy").to_owned();
        let mistake = |why: &str| Mistake::invalid(POLICY, &policy.as_str().into(), why);
        let mut mistakes = Vec::new();
        for (name, one, both) in
            [("clusterIPs", "cluster IP", "cluster IPs"), ("ipFamilies", "IP family", "IP families")]
        {
            let list: Vec<String> = texts(self.spec, name).into_iter().map(str::to_owned).collect();
            let was = self.old.map_or(0, |old| texts(old, name).len());
            if is_single && list.len() > 1 && self.keeps(name) {
                self.set(name, list[..1].to_vec().into());
            } else if is_single && list.len() == 2 {
                let why = format!(
                    "must be 'RequireDualStack' or 'PreferDualStack' when multiple {both} are specified"
                );
                mistakes.push(mistake(&why));
            } else if !is_single && !list.is_empty() && list.len() < was {
                mistakes.push(mistake(&format!("must be 'SingleStack' to release the secondary {one}")));
            }
        }
        mistakes
    }

    /// The families of the addresses that have none.
    fn families_of_addresses(&self, known: usize, mistakes: &mut Mistakes) -> Vec<String> {
        if is_headless(self.spec) {
            return Vec::new();
        }
        let addresses = texts(self.spec, "clusterIPs");
        let mut families = Vec::new();
        for (i, address) in addresses.iter().enumerate().skip(known) {
            if is_ipv4(address) {
                families.push("IPv4".to_owned());
            } else {
                let list: Value = addresses.iter().map(ToString::to_string).collect::<Vec<_>>().into();
                let field = Field::from("spec.clusterIPs").index(i);
                mistakes.push(Mistake::invalid(field, &list, "IPv6 is not configured on this cluster"));
            }
        }
        families
    }

    /// A new service gets its address: the one that the client wants, or a free one.
    pub(super) fn give_address(&mut self, used: &Used, random: u64) -> Result<(), NotGiven> {
        let had = self.old.is_some_and(needs_address);
        if had || !needs_address(self.spec) || is_headless(self.spec) {
            return Ok(());
        }
        let wanted = texts(self.spec, "clusterIPs").first().map_or(String::new(), ToString::to_string);
        let address = if wanted.is_empty() {
            Ok(free(used, random))
        } else {
            check(&wanted, used).map(|()| wanted.clone())
        };
        let address = address.map_err(|why| {
            let why = format!("failed to allocate IP {wanted}: {why}");
            let list = vec![wanted.clone()].into();
            NotGiven::Invalid(vec![Mistake::invalid("spec.clusterIPs", &list, &why)])
        })?;
        self.set("clusterIP", address.as_str().into());
        self.set("clusterIPs", vec![address].into());
        Ok(())
    }
}

fn is_ipv4(address: &str) -> bool {
    Ip::parse(address).is_ok_and(|(ip, _)| ip.bits() == 32)
}

/// An address that no service has. The first and the last of the range are none.
fn free(used: &Used, random: u64) -> String {
    const SIZE: u64 = (1 << BITS) - 2;
    // The usual ones begin with 10.96.
    let first = random % 0xfffe;
    let numbers = (0..SIZE).map(|i| 1 + (first + i) % SIZE);
    let mut addresses = numbers.filter_map(|number| u32::try_from(number).ok()).map(|number| {
        let [a, b, c, d] = (FIRST | number).to_be_bytes();
        format!("{a}.{b}.{c}.{d}")
    });
    addresses.find(|address| !used.addresses.contains(address)).unwrap_or_default()
}

/// Why a service does not get an address.
#[derive(Clone, Debug, PartialEq, Eq)]
enum NotFree {
    OutOfRange(String),
    OtherNetwork,
    Taken,
}

impl fmt::Display for NotFree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFree::OutOfRange(address) => write!(
                f,
                "the provided IP ({address}) is not in the valid range. The range of valid IPs is {RANGE}"
            ),
            NotFree::OtherNetwork => f.write_str("the provided network does not match the current range"),
            NotFree::Taken => f.write_str("provided IP is already allocated"),
        }
    }
}

/// Checks an address that a client wants.
fn check(address: &str, used: &Used) -> Result<(), NotFree> {
    let parts: Vec<u8> = address.split('.').filter_map(|part| part.parse().ok()).collect();
    let number = <[u8; 4]>::try_from(parts).map_or(0, u32::from_be_bytes);
    let rest = number & ((1 << BITS) - 1);
    if number >> BITS != FIRST >> BITS || rest == 0 || rest == (1 << BITS) - 1 {
        return Err(match used.is_dry_run {
            true => NotFree::OutOfRange(address.to_owned()),
            false => NotFree::OtherNetwork,
        });
    }
    if used.addresses.contains(address) {
        return Err(NotFree::Taken);
    }
    Ok(())
}
