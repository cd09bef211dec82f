//! What no other server gives a test: a record of the requests, and faults by rule.

mod faults;
mod record;
mod simulation;

pub use faults::{Fault, Rule};
pub use record::{Recorded, Records};
pub use simulation::Simulation;

pub(crate) use faults::Faults;
pub(crate) use record::subject;
