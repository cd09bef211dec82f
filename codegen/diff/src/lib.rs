//! What an update of a CRD breaks. Each breaking finding comes with a witness: an object that the old CRD accepts and the
//! new one rejects, by the checks of the API server itself. What is called compatible has survived a search for one.
//!
//! `crdgen_core::compare::changes` compares the CRDs keyword by keyword, and says what each change means. `place` finds the
//! values in objects that a change concerns. `atoms` suggests values for them: those at the edges of both schemas, and
//! those that rules mention. `search` puts them into objects that the old side accepts (`side`), and asks the new side.

mod atoms;
mod budget;
mod causes;
mod converted;
mod finding;
pub mod objects;
mod pair;
mod place;
mod regions;
pub mod rpc;
mod search;
mod side;
mod step;
mod wanted;

pub use converted::{Convert, Unconverted, converted};
pub use crdgen_core::compare::changes::Class;
pub use crdgen_core::compare::proof::{End, Proof, Request, Witness};
pub use finding::{Finding, Report, Unstable};
pub use pair::{between_servers, changes, diff, diff_all, diff_with, established, reported};
pub use step::{Step, steps};

use crdgen_core::server::Server;

/// How much is searched, and which server judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many objects are tried at most for one change.
    pub budget: usize,
    /// By how many percent of the server's limit the costs of the rules of a value may grow without a finding.
    pub cost_growth: u64,
    /// The server that gets the update.
    pub server: Server,
}

impl Default for Options {
    fn default() -> Options {
        Options { budget: 1000, cost_growth: 10, server: Server::NEWEST }
    }
}
