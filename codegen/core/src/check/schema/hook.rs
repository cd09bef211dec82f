//! The interface through which the check of a schema calls the check of its CEL rules.

use crate::diag::Diags;
use crate::ir::Schema;
use crate::path::Path;
use crate::value::Value;
use crate::walk::Node;

/// What checks rules.
pub trait Rules {
    /// Checks the rules of a node. Called for each node that has rules, children first, if the schema is
    /// structural, its defaults are right, and nothing is wrong in or below the node. `uncorrelatable` is the
    /// highest place above from which the server cannot match old and new values, so that rules cannot use
    /// `oldSelf`.
    fn check(&mut self, node: &Node<'_>, path: &Path<'_>, uncorrelatable: Option<&Path<'_>>, out: &mut Diags);

    /// Evaluates the rules in `schema` on its default, which is valid otherwise.
    fn check_default(
        &mut self,
        schema: &Schema,
        is_root: bool,
        default: &Value,
        path: &Path<'_>,
        out: &mut Diags,
    );

    /// Called at the end with the path of the schema: the place to complain about the total cost.
    fn finish(&mut self, path: &Path<'_>, out: &mut Diags);
}

/// Checks no rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRules;

impl Rules for NoRules {
    fn check(&mut self, _: &Node<'_>, _: &Path<'_>, _: Option<&Path<'_>>, _: &mut Diags) {}
    fn check_default(&mut self, _: &Schema, _: bool, _: &Value, _: &Path<'_>, _: &mut Diags) {}
    fn finish(&mut self, _: &Path<'_>, _: &mut Diags) {}
}
