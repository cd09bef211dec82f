//! Cases that run on several servers.

use crdgen_core::listed;
use crdgen_core::server::Server;

use super::Failure;
use super::case::Outcome;

impl Outcome {
    /// How a case ended that ran on some of the servers that were asked. If it did not pass, it says on which of them, unless it ended so
    /// on all.
    pub fn of_servers(outcomes: impl Iterator<Item = (Server, Outcome)>, asked: usize) -> Outcome {
        let rank = |outcome: &Outcome| match outcome {
            Outcome::NeedsNewer(_) => 0,
            Outcome::Passed => 1,
            Outcome::PassedInOlderWords => 2,
            Outcome::NotRun(_) => 3,
            Outcome::Failed(_) => 4,
        };
        let outcomes: Vec<(Server, Outcome)> = outcomes.collect();
        let worst = outcomes.iter().map(|(_, outcome)| rank(outcome)).max().unwrap_or_default();
        let (mut servers, ended): (Vec<Server>, Vec<Outcome>) =
            outcomes.into_iter().filter(|(_, outcome)| rank(outcome) == worst).unzip();
        servers.sort();
        let on = match servers.len() == asked {
            true => String::new(),
            false => format!("on Kubernetes {}: ", listed::first(servers.iter(), usize::MAX)),
        };
        match ended.into_iter().next().unwrap_or(Outcome::Passed) {
            Outcome::Failed(failure) => {
                Outcome::Failed(Failure { why: format!("{on}{}", failure.why), ..failure })
            }
            Outcome::NotRun(why) => Outcome::NotRun(format!("{on}{why}")),
            other @ (Outcome::Passed | Outcome::PassedInOlderWords | Outcome::NeedsNewer(_)) => other,
        }
    }
}
