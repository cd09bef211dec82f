//! Checks a converted object in which values of the annotation were restored, and drops those that make it invalid.

use super::{Converted, Hop, Trust, Versions, Way};
use crate::convert::Error;
use crate::convert::guard::{Guard, Key};
use crate::convert::stash::Stash;
use crdgen_runtime::diag::Diag;
use crdgen_runtime::value::Value;
use std::sync::Arc;

/// What only a webhook has.
#[derive(Clone, Debug, Default)]
pub(super) struct Webhook {
    key: Option<Key>,
    /// What it checks.
    pub(super) guard: Option<Arc<Guard>>,
}

impl Versions {
    /// Sets the secret of the webhook, which all of its replicas must share. With it, values of the status that a version cannot
    /// express are kept in the annotation, and restored if a webhook with the same secret has kept them for the same object.
    /// Without it, a webhook does not keep them, because whoever may write an object could forge them, and the status of the
    /// other version has its defaults until a controller writes it again.
    ///
    /// ```ignore
    /// let secret = std::fs::read("/secret/key")?;
    /// let versions = Versions::new().pair::<v1beta1::Widget, v1::Widget>().secret(&secret);
    /// ```
    #[must_use]
    pub fn secret(mut self, secret: &[u8]) -> Versions {
        self.webhook.key = Some(Key::new(secret));
        self
    }

    /// The same versions for objects that others write: what is restored is checked.
    #[doc(hidden)]
    pub fn guarded(mut self) -> Versions {
        let guard = Guard::new(self.webhook.key.clone(), self.definitions());
        self.webhook.guard = Some(Arc::new(guard));
        self
    }
}

/// Converts an object with `convert`. If a restored value makes the result invalid, converts the object without the values at
/// the place of the error. If the result is still invalid, none are restored. An object that is invalid without them too was
/// stored before its schema became stricter, which is not their mistake.
pub(super) fn checked(
    guard: &Guard,
    way: &Way<'_, '_>,
    object: &Value,
    convert: impl Fn(&Value) -> Result<Converted, Error>,
) -> Result<Converted, Error> {
    let Way { group, hops, trust, .. } = *way;
    let done = convert(object)?;
    let Some(Hop { to, .. }) = hops.last().filter(|_| done.has_restored) else { return Ok(done) };
    if guard.is_valid(to, &done.object) {
        return Ok(done);
    }
    let without = convert(&with(trust, group, object, |stash| {
        for hop in hops {
            stash.take(hop.to);
        }
    }))?;
    let Some(known) = guard.errors(to, &without.object) else { return Ok(without) };
    let new_errors = |object: &Value| {
        let mut errors = guard.errors(to, object).unwrap_or_default();
        errors.retain(|error| !known.iter().any(|known| is_same(known, error)));
        errors
    };
    let errors = new_errors(&done.object);
    if errors.is_empty() {
        return Ok(done);
    }
    let less = convert(&with(trust, group, object, |stash| {
        for error in &errors {
            stash.drop_at(to, &error.steps);
        }
    }))?;
    Ok(if new_errors(&less.object).is_empty() { less } else { without })
}

/// Returns an object with a changed annotation.
fn with(trust: &Trust, group: &str, object: &Value, change: impl FnOnce(&mut Stash)) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.as_map_mut().and_then(|object| object.get_mut("metadata"))
        && let Some(metadata) = metadata.as_map_mut()
    {
        let mut stash = trust.take_out(group, metadata);
        change(&mut stash);
        // It is shorter than before, so it is not too long.
        _ = trust.put_into(stash, group, metadata);
    }
    object
}

/// Whether two errors are the same mistake, whatever the value is.
fn is_same(one: &Diag, other: &Diag) -> bool {
    one.code == other.code && one.kind == other.kind && one.field == other.field
}
