//! All keys and values of a document.

use crdgen_core::path::Step;
use crdgen_core::yaml::Part;

/// Gets the steps to a value, its key if it has one, and the value. Returns whether to visit what is below the value.
type Visit<'v, 'd> = &'v mut dyn FnMut(&[Step], Option<Part<'d>>, Part<'d>) -> bool;

/// Calls `visit` with each value below a part, its key if it has one, and the steps to it, in the order of the text. It visits
/// everything once, so it does not follow aliases.
pub(crate) fn walk<'d>(part: Part<'d>, steps: &mut Vec<Step>, visit: Visit<'_, 'd>) {
    if part.is_alias() {
        return;
    }
    for (key, value) in part.members() {
        steps.push(Step::Key(key.name().into_owned()));
        if visit(steps, Some(key), value) {
            walk(value, steps, visit);
        }
        steps.pop();
    }
    for (i, item) in part.items().enumerate() {
        steps.push(Step::Index(i));
        if visit(steps, None, item) {
            walk(item, steps, visit);
        }
        steps.pop();
    }
}
