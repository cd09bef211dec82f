//! Makes witnesses: small ones, of requests that show what a change means.

use crdgen_core::compare::changes::Class;
use crdgen_core::compare::proof::{Request, Witness};
use crdgen_core::diag::Diag;
use crdgen_core::path::Step;
use crdgen_core::value::Value;

use super::{Proved, Search};
use crate::side::without_status;
use crate::wanted::{Found, Wanted};
use crdgen_core::sample::shrink;

impl Search<'_> {
    /// Makes a witness as small as possible.
    pub(super) fn proved(&self, object: Value, found: Found, wanted: &Wanted<'_>) -> Proved {
        let schemas = [self.old, self.new].map(|side| side.schema(self.version));
        let mut smallest = found.clone();
        let end = self.budget.cost().saturating_add(self.budget.part());
        let mut is_witness = |smaller: &Value| {
            let may_ask = self.budget.cost() < end;
            let other = may_ask.then(|| self.flips(smaller, wanted)).flatten();
            let other = other.filter(|other| is_as_good(other, &found));
            let is_witness = other.is_some();
            other.into_iter().for_each(|other| smallest = other);
            is_witness
        };
        let object = shrink(object, schemas, &mut is_witness);
        self.as_it_is(object, smallest, wanted)
    }

    /// Finds out whether a stored object like a witness is stuck. `found` is why the new side rejects the witness.
    pub(super) fn as_it_is(&self, object: Value, found: Found, wanted: &Wanted<'_>) -> Proved {
        let touched = touched(&object);
        // If the server accepts an edit of the metadata, it also accepts an update that changes nothing.
        let is_stuck = self.update_fails(&object, &touched, wanted).is_some();
        for after in [object.clone(), touched].into_iter().filter(|_| is_stuck) {
            let other =
                self.update_fails(&object, &after, wanted).filter(|other| other.is_alone >= found.is_alone);
            if let Some(other) = other
                && self.old.update(self.version, &object, &after).is_fine()
            {
                return self.found(Class::Stuck, update(object, after, other.is_of_status), other.errors);
            }
        }
        let Found { errors, is_of_status, .. } = found;
        let request = match is_of_status {
            true => Request::UpdateStatus { stored: without_status(&object), object },
            false => Request::Create { object },
        };
        self.found(Class::Breaking, request, errors)
    }

    pub(super) fn found(&self, class: Class, request: Request, errors: Vec<Diag>) -> Proved {
        let words = errors.iter().map(Diag::text).collect();
        Proved {
            class,
            witness: Witness { request, words, tried: self.tried },
            error: errors.into_iter().next(),
        }
    }
}

/// Whether an object proves a change in the same way as another one.
fn is_as_good(found: &Found, other: &Found) -> bool {
    let code = |it: &Found| it.errors.first().map(|error| error.code.id);
    code(found) == code(other) && found.is_alone >= other.is_alone
}

/// Whether an update changes nothing but what [`touched`] does.
pub(super) fn is_touched(before: &Value, after: &Value) -> bool {
    *after == touched(before)
}

pub(super) fn update(stored: Value, object: Value, is_of_status: bool) -> Request {
    match is_of_status {
        true => Request::UpdateStatus { stored, object },
        false => Request::Update { stored, object },
    }
}

/// The same object with an annotation, as after `kubectl annotate`.
pub(super) fn touched(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(metadata) = out.at_mut(&[Step::Key("metadata".to_owned())]).and_then(Value::as_map_mut) {
        let note = [("example.com/note".to_owned(), Value::from("touched"))];
        metadata.insert("annotations", Value::Map(note.into_iter().collect()));
    }
    out
}
