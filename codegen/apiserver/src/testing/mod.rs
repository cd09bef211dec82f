//! What no other server gives a test: a record of the requests, and faults by rule.

mod faults;
mod record;

pub use faults::{Fault, Rule};
pub use record::{Recorded, Records};

pub(crate) use faults::Faults;
pub(crate) use record::subject;
