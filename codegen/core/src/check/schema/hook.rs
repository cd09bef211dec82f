//! The interface through which the check of a schema calls the check of its CEL rules.

use crate::diag::Diags;
use crate::ir::{Schema, SchemaOf};
use crate::path::Path;
use crate::value::Value;
use crate::walk::Node;

/// A check of the rules in a schema.
pub trait Rules {
    /// Checks the rules of a node. It is called for each node that has rules, children first, if the schema is
    /// structural, its defaults are valid, and there are no errors in or below the node. `uncorrelatable` is the
    /// highest node above from which the server cannot match old and new values, so that rules cannot use `oldSelf`.
    fn check(&mut self, node: &Node<'_>, path: &Path<'_>, uncorrelatable: Option<&Path<'_>>, out: &mut Diags);

    /// Evaluates the rules in `schema` on its default, which is otherwise valid.
    fn check_default(
        &mut self,
        schema: &Schema,
        of: SchemaOf,
        default: &Value,
        path: &Path<'_>,
        out: &mut Diags,
    );

    /// Finishes the check. It is called at the end with the path of the schema, at which an error about the total cost
    /// is reported.
    fn finish(&mut self, path: &Path<'_>, out: &mut Diags);
}

/// An implementation of [`Rules`] that checks nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRules;

impl Rules for NoRules {
    fn check(&mut self, _: &Node<'_>, _: &Path<'_>, _: Option<&Path<'_>>, _: &mut Diags) {}
    fn check_default(&mut self, _: &Schema, _: SchemaOf, _: &Value, _: &Path<'_>, _: &mut Diags) {}
    fn finish(&mut self, _: &Path<'_>, _: &mut Diags) {}
}
