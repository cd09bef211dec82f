//! Where webhooks take part in a write.

use super::Answer;
use crate::object::Conversion;
use crate::value::Value;
use std::fmt;

/// What a caller does in the middle of a write. By default nothing.
#[derive(Clone, Copy, Default)]
pub struct Hooks<'h> {
    /// Whether the write goes on although the client has sent these unknown fields. Without a function, it does.
    pub accepts_unknown: Option<&'h Accepts<'h>>,
    /// Converts objects of a CRD with a webhook.
    pub conversion: Option<&'h dyn Conversion>,
    /// Mutating admission: gets the new object with its owners and the stored one, and returns the object that is checked, or
    /// `None` to reject the write.
    pub admission: Option<&'h Admission<'h>>,
    /// The answer to the same write when it ended at admission. What was computed until there is not computed again.
    pub begun: Option<&'h Answer>,
}

/// Whether a write goes on with these unknown fields.
pub type Accepts<'h> = dyn Fn(&[String]) -> bool + 'h;

/// The function for mutating admission.
pub type Admission<'h> = dyn Fn(Value, Option<&Value>) -> Option<Value> + 'h;

impl fmt::Debug for Hooks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").field("conversion", &self.conversion).finish_non_exhaustive()
    }
}

impl Hooks<'_> {
    /// The new object with its owners, before admission. `merge` computes it, unless that was done before.
    pub(super) fn merged<E>(
        &self,
        answer: &mut Answer,
        merge: impl FnOnce(&mut Answer) -> Result<Value, E>,
    ) -> Result<Value, E> {
        if let Some((begun, merged)) = self.begun.and_then(|begun| Some((begun, begun.merged.clone()?))) {
            *answer = Answer { rejected: None, ..begun.clone() };
            return Ok(merged);
        }
        let merged = merge(answer)?;
        answer.merged = Some(merged.clone());
        Ok(merged)
    }

    /// The object after mutating admission, which gets no object with unknown fields that are not accepted.
    pub(super) fn mutate(&self, object: Value, live: Option<&Value>, unknown: &[String]) -> Option<Value> {
        if self.accepts_unknown.is_some_and(|accepts| !accepts(unknown)) {
            return None;
        }
        match self.admission {
            Some(admit) => admit(object, live),
            None => Some(object),
        }
    }
}
