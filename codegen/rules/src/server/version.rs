//! Versions of Kubernetes, as users write them.

use super::Server;
use std::fmt;
use std::str::FromStr;

/// The first version with CRDs of `apiextensions.k8s.io/v1`. Anything older must be a typo.
const FIRST: u32 = 16;

/// Why a text names no server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadVersion {
    /// It is not a version.
    Text,
    /// There are no CRDs of `apiextensions.k8s.io/v1` in it.
    TooOld,
    /// It is newer than what crdgen knows.
    TooNew,
}

impl fmt::Display for BadVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadVersion::Text => f.write_str("write a version such as 1.33"),
            BadVersion::TooOld => write!(f, "the oldest version is 1.{FIRST}"),
            BadVersion::TooNew => write!(f, "the newest version that crdgen knows is {}", Server::LAST),
        }
    }
}

impl std::error::Error for BadVersion {}

/// `1.33`, `v1.33` or `1.33.2`. Patches of a version answer the same.
impl FromStr for Server {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Server, BadVersion> {
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.').map(str::parse::<u32>);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(1)), Some(Ok(..FIRST)), None | Some(Ok(_)), None) => Err(BadVersion::TooOld),
            (Some(Ok(1)), Some(Ok(minor)), None | Some(Ok(_)), None) => {
                Some(Server::of(minor)).filter(|server| *server <= Server::LAST).ok_or(BadVersion::TooNew)
            }
            _ => Err(BadVersion::Text),
        }
    }
}
