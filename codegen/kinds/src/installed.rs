//! Compares the types of a program with the CRD that a cluster has, which may be older or newer.
//!
//! A controller that starts before its CRD was updated works with fields that the server drops, rejects or fills in
//! differently, and no request says so. With kube-rs, ask at start-up (features `kube` and `check`):
//!
//! ```ignore
//! crdgen::kube::check_installed!(Site, &client).await?.into_result()?;
//! ```
//!
//! The program needs permission to `get` its CRD. With other clients, and in tests, pass the CRD to [`Skew::of`].

use std::fmt;

pub use crdgen_core::compare::skew::{Difference, Effect};

use crate::to_value::to_value;
use crate::{CustomResource, Problems};
use crdgen_core::compare::skew;
use crdgen_runtime::decode;
use crdgen_runtime::diag::{Diag, Level, codes};
use crdgen_runtime::inert::Inert;
use crdgen_runtime::ir::Crd;
use crdgen_runtime::path::Path;
use serde::Serialize;

/// What a program meets because the installed CRD differs from its types.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a controller that ignores it loses data"]
pub struct Skew {
    /// The name of the CRD.
    pub crd: String,
    /// Whether the cluster has the CRD.
    pub is_installed: bool,
    /// The differences, the worst first.
    pub differences: Vec<Difference>,
}

impl Skew {
    /// Compares the types of a kind with the installed CRD, which is anything that serde can write: the type of a client, or
    /// JSON. `None` is a cluster without the CRD. Returns an error if one of them is not a CRD.
    pub fn of<K: CustomResource>(installed: Option<&impl Serialize>) -> Result<Skew, Problems> {
        let mut types = K::definition()?;
        decode::set_defaults(&mut types);
        let crd = types.metadata.name.clone();
        let Some(installed) = installed else {
            return Ok(Skew { crd, is_installed: false, differences: Vec::new() });
        };
        let differences = skew::between_types_and(&read(installed)?, &types);
        Ok(Skew { crd, is_installed: true, differences })
    }

    /// Whether the program works as its types say.
    pub fn is_none(&self) -> bool {
        self.is_installed && self.differences.is_empty()
    }

    /// Returns the skew as an error, unless there is none.
    pub fn into_result(self) -> Result<(), Skew> {
        if self.is_none() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Skew { crd, is_installed, differences } = self;
        if !is_installed {
            return write!(f, "the CRD {crd} is not installed. Apply it before this program starts");
        }
        if differences.is_empty() {
            return write!(f, "the installed CRD {crd} matches the types");
        }
        write!(
            f,
            "the installed CRD {crd} is not that of this program. Apply the CRD of this version, or run the version of the program \
             that belongs to the installed one"
        )?;
        for difference in differences {
            write!(f, "\n  {}: {}", difference.effect.name(), Inert(difference.to_string()))?;
        }
        Ok(())
    }
}

impl std::error::Error for Skew {}

/// Why the types could not be compared: the request failed, or one of the CRDs cannot be read.
#[derive(Debug)]
pub struct NotCompared(Box<dyn std::error::Error + Send + Sync>);

impl NotCompared {
    #[doc(hidden)]
    pub fn new(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> NotCompared {
        NotCompared(why.into())
    }
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the types cannot be compared with the installed CRD: {}", self.0)
    }
}

impl std::error::Error for NotCompared {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}

/// Decodes a CRD.
fn read(installed: &impl Serialize) -> Result<Crd, Problems> {
    let bad = |why: &str| Diag::own(&codes::crd::NOT_A_DEFINITION, Level::Error, &Path::ROOT, why.to_owned());
    let Some(value) = to_value(installed) else {
        return Err(Problems { diags: vec![bad("the installed CRD is not JSON")] });
    };
    match decode::crd(value) {
        (Some(crd), _) => Ok(crd),
        (None, diags) => Err(Problems { diags }),
    }
}
