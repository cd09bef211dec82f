//! What a manager owns in an object.

use std::fmt;
use std::marker::PhantomData;

use crdgen_core::apply::Owners;
use serde::Serialize;

use super::Configuration;
use crate::CustomResource;
use crdgen_kinds::from_value::from_value;
use crdgen_kinds::to_value::to_value;

/// Why there is no configuration of what a manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Returns what a manager applied to an object, as a configuration: change it and apply it again, and the manager keeps what
/// it owns. `None` if the manager has applied nothing: what it has set by updates does not count. `subresource` is `status` or
/// empty.
///
/// The object needs its managed fields: it is a type of kube, or a `serde_json::Value`. Without them, nothing is owned. Use
/// an [`Extractor`] for many objects.
///
/// ```
/// use crdgen::apply::extract;
/// use crdgen::{Apply, CustomResource, Schema};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
/// #[kube(group = "example.com", version = "v1", kind = "Web")]
/// pub struct WebSpec {
///     pub image: String,
///     pub replicas: Option<i32>,
/// }
///
/// let entry = serde_json::json!({"manager": "me", "operation": "Apply", "apiVersion": "example.com/v1",
///     "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}});
/// let live = serde_json::json!({"apiVersion": "example.com/v1", "kind": "Web",
///     "metadata": {"name": "front", "managedFields": [entry]}, "spec": {"image": "nginx", "replicas": 2}});
///
/// let mine: WebApply = extract(&live, "me", "")?.unwrap();
/// assert_eq!(mine, WebApply::new("front").with_spec(WebSpecApply::new().with_replicas(2)));
/// assert_eq!(extract::<WebApply>(&live, "you", "")?, None);
/// # Ok::<(), crdgen::apply::Error>(())
/// ```
///
/// # Errors
/// Fails if the CRD has mistakes, or if the managed fields cannot be read.
pub fn extract<C: Configuration>(
    object: &impl Serialize,
    manager: &str,
    subresource: &str,
) -> Result<Option<C>, Error> {
    Extractor::<C>::new()?.extract(object, manager, subresource)
}

/// Extracts configurations from objects of a kind. Keep it: it is prepared once, and threads can share it.
#[derive(Debug)]
pub struct Extractor<C> {
    owners: Owners,
    of: PhantomData<fn() -> C>,
}

impl<C: Configuration> Extractor<C> {
    /// Prepares a kind.
    ///
    /// # Errors
    /// Fails if the CRD has mistakes.
    pub fn new() -> Result<Extractor<C>, Error> {
        let crd = C::Object::definition().map_err(|why| Error(why.to_string()))?;
        let owners = Owners::new(&crd).map_err(|mistakes| Error(mistakes.join("; ")))?;
        Ok(Extractor { owners, of: PhantomData })
    }

    /// See [`extract`].
    ///
    /// # Errors
    /// As [`extract`].
    pub fn extract(
        &self,
        object: &impl Serialize,
        manager: &str,
        subresource: &str,
    ) -> Result<Option<C>, Error> {
        let object = to_value(object).ok_or_else(|| Error("the object cannot be JSON".to_owned()))?;
        let owned =
            self.owners.extract(&object, manager, subresource).map_err(|why| Error(why.to_string()))?;
        owned.map(|owned| from_value(&owned).map_err(|why| Error(why.to_string()))).transpose()
    }
}
