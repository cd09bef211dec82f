//! Kubernetes' own kinds without the feature `own`: there are none.

use super::{Listed, Verdict};
use crdgen_core::object::{Action, Refusal};
use crdgen_core::server::Server;
use crdgen_runtime::ir::Crd;
use crdgen_runtime::value::Value;

/// There is no value of this type.
#[derive(Debug)]
pub(super) enum Own {}

impl Own {
    pub(super) fn find(_: &str, _: &str, _: Server) -> Option<Own> {
        None
    }

    pub(super) fn crd(&self) -> &Crd {
        match *self {}
    }

    pub(super) fn prune(&self, _: Value) -> Option<(Value, Vec<String>)> {
        match *self {}
    }

    pub(super) fn default(&self, _: &mut Value) -> Option<()> {
        match *self {}
    }

    pub(super) fn convert(&self, _: Value, _: &str) -> Result<Value, Refusal> {
        match *self {}
    }

    pub(super) fn listed(&self, _: &Value, _: i64) -> Option<Listed> {
        match *self {}
    }

    pub(super) fn write(&self, _: Value, _: Action, _: &str) -> Verdict {
        match *self {}
    }

    pub(super) fn scale(&self, _: Value, _: Option<i64>) -> Verdict {
        match *self {}
    }
}
