//! Which objects a user selects, by labels and by fields, as the server reads selectors.

mod fields;
mod labels;

pub use fields::{Absent, BadFields, FieldSelector, Selected, Unselectable};
pub use labels::{BadLabels, LabelSelector};
