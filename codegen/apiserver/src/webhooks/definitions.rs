//! Checks CRDs without the lock: a large CRD takes longer than all other requests.

use crdgen_core::check::{self, Options};
use crdgen_core::diag::{Diag, Diags};
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_core::{decode, encode};
use std::sync::Arc;

/// A CRD that is written, and the stored one that it replaces.
#[derive(Clone, Debug, PartialEq)]
struct Sent {
    object: Value,
    live: Option<Value>,
}

/// What the server makes of a CRD.
#[derive(Debug)]
pub(crate) enum Checked {
    Undecodable(Diags),
    Rejected(Diags),
    Accepted {
        /// The CRD with its defaults.
        stored: Value,
        warnings: Vec<String>,
    },
}

/// The CRD that a request has to wait for, and the one that was checked for it.
#[derive(Debug, Default)]
pub(super) struct Checks {
    wanted: Option<Sent>,
    done: Option<(Sent, Arc<Checked>)>,
}

impl Checks {
    pub(super) fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }

    /// What the server makes of a CRD. `None` if it must be checked first.
    pub(super) fn checked(&mut self, object: &Value, live: Option<&Value>) -> Option<Arc<Checked>> {
        if let Some((sent, checked)) = &self.done
            && sent.object == *object
            && sent.live.as_ref() == live
        {
            return Some(Arc::clone(checked));
        }
        self.wanted = Some(Sent { object: object.clone(), live: live.cloned() });
        None
    }

    /// Checks the CRD that is wanted. Returns whether there is one.
    pub(super) fn check(&mut self) -> bool {
        let Some(sent) = self.wanted.take() else { return false };
        let checked = sent.check().unwrap_or_else(Checked::Undecodable);
        self.done = Some((sent, Arc::new(checked)));
        true
    }
}

impl Sent {
    fn check(&self) -> Result<Checked, Diags> {
        let crd = read(&self.object)?;
        let options = Options::default();
        let report = match &self.live {
            None => check::create(&crd, &options),
            Some(live) => check::update(&crd, &read(live)?, &options),
        };
        if !report.is_accepted() {
            return Ok(Checked::Rejected(report.errors));
        }
        let warnings = report.warnings.iter().map(Diag::text).collect();
        Ok(Checked::Accepted { stored: encode::stored(&report.stored(&crd)), warnings })
    }
}

fn read(value: &Value) -> Result<Crd, Diags> {
    let (crd, diags) = decode::crd(value.clone());
    let mut crd = crd.ok_or(diags)?;
    crd.drop_unions();
    Ok(crd)
}
