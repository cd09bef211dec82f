//! Conversion between the versions of a kind.
//!
//! `#[derive(Convert)]` on the types of the newer version declares how each field and variant comes from the older version.
//! The derive generates both directions. If a version cannot express a value, crdgen keeps the value in an annotation of the
//! object, and restores it when the object is converted back. [`Versions`] converts objects as JSON, step by step through the
//! versions in between.
//!
//! ```ignore
//! #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
//! #[kube(group = "example.com", version = "v1", kind = "Widget")]
//! #[convert(from = "v1beta1::WidgetSpec", removed(legacy_mode))]
//! pub struct WidgetSpec {
//!     #[convert(from = "size")]
//!     pub replicas: i32,
//!     #[convert(default)]
//!     pub paused: bool,
//! }
//!
//! let versions = Versions::new().pair::<v1beta1::Widget, v1::Widget>();
//! let object = versions.convert(&object, "example.com/v1")?;
//! ```

pub use crdgen_derive::Convert;
#[cfg(feature = "check")]
pub use crdgen_kinds::convert::Lossy;
#[doc(hidden)]
pub use crdgen_kinds::convert::{
    Boxed, Entries, Hashed, Items, Optional, Own, Part, Plain, Shape, TryPart, UnlessEmpty, convert_lines,
    downgraded, plain, upgraded,
};
pub use crdgen_kinds::convert::{Context, Convert, Error, Object, Versions, Within};
