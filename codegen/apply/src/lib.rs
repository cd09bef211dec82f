//! Server-side apply as the Kubernetes API server does it: which fields each manager of an object owns, what an applied
//! configuration changes, and which conflicts it has. It does not know CRDs, files or clocks.
//!
//! - [`set`]: sets of [paths](path), which `metadata.managedFields` contains as `fieldsV1`, byte for byte.
//! - [`schema`]: types as far as merging needs them, derived from published OpenAPI.
//! - [`typed`]: values with a type, and the operations on them: merge, compare, remove, extract.
//! - [`update`]: what each manager owns after an apply, or after any other write.
//! - [`managed`]: `metadata.managedFields`, with times. [`manager`]: the field manager, as the server builds it.
//!
//! ```
//! use crdgen_apply::schema::{Undeclared, from_openapi};
//! use crdgen_apply::typed::{Duplicates, Type, Typed};
//! use crdgen_apply::update::{Author, Convert, Managers, OnConflict, Unconverted, Updater};
//! use crdgen_text::json;
//!
//! /// There is only one version.
//! struct Same;
//!
//! impl<'s> Convert<'s> for Same {
//!     fn convert(&self, object: &Typed<'s>, _: &str) -> Result<Typed<'s>, Unconverted> {
//!         Ok(object.clone())
//!     }
//! }
//!
//! let read = |text: &str| json::read(text.as_bytes()).unwrap();
//! let model = read(r#"{"type":"object","properties":{"replicas":{"type":"integer"},"image":{"type":"string"}}}"#);
//! let schema = from_openapi([("Web", &model)], Undeclared::Declared).unwrap();
//! let web = Type::new(&schema, schema.named("Web").unwrap());
//! let typed = |text: &str| Typed::new(read(text), web, Duplicates::Forbidden).unwrap();
//!
//! let updater = Updater { convert: Same, ignored: Default::default(), return_unchanged: false };
//! let helm = Author { manager: "helm", version: "v1" };
//! let config = typed(r#"{"replicas":1,"image":"a"}"#);
//! let first = updater.apply(&typed("{}"), &config, Managers::new(), helm, OnConflict::Fail).unwrap();
//! let live = first.object.unwrap();
//! assert_eq!(first.managers["helm"].set.to_json(), r#"{"f:image":{},"f:replicas":{}}"#);
//!
//! // Another manager may not change what helm owns, unless it uses `force`.
//! let config = typed(r#"{"replicas":5}"#);
//! let hpa = Author { manager: "hpa", version: "v1" };
//! let error = updater.apply(&live, &config, first.managers.clone(), hpa, OnConflict::Fail).unwrap_err();
//! assert_eq!(error.to_string(), r#"conflict with "helm": .replicas"#);
//!
//! let forced = updater.apply(&live, &config, first.managers, hpa, OnConflict::Force).unwrap();
//! assert_eq!(forced.object.unwrap().value().to_string(), r#"{"image":"a","replicas":5}"#);
//! assert_eq!(forced.managers["helm"].set.to_json(), r#"{"f:image":{}}"#);
//! ```

pub mod managed;
pub mod manager;
mod message;
pub mod order;
mod overlay;
pub mod path;
pub mod schema;
pub mod set;
pub mod typed;
pub mod update;

pub use message::Message;
pub use overlay::overlay;
