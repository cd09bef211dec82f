//! The tests that run on several servers.

use std::collections::HashMap;

use crdgen_build::suites::{Case, Outcome as Ended, Suite};
use crdgen_core::server::Server;

/// A test, on each of the servers that have it: that a server accepts a CRD is only a test of those that reject it.
pub(super) struct OnServers<'s> {
    pub(super) suite: &'s Suite,
    pub(super) case: &'s Case,
    on: Vec<(Server, &'s Suite, &'s Case)>,
}

impl OnServers<'_> {
    /// Runs the test. `asked` is the number of all servers.
    pub(super) fn run(&self, asked: usize) -> Ended {
        Ended::of_servers(self.on.iter().map(|(server, suite, case)| (*server, suite.run(case))), asked)
    }
}

/// The tests of all servers, each once.
pub(super) fn tests(suites: &[(Server, Vec<Suite>)]) -> Vec<OnServers<'_>> {
    let mut all: Vec<OnServers<'_>> = Vec::new();
    let mut known = HashMap::new();
    for (server, suites) in suites {
        let mut before: HashMap<_, usize> = HashMap::new();
        for (suite, case) in suites.iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
        {
            let name = (suite.path.as_path(), suite.name.as_str(), suite.crd.as_str(), case.name.as_str());
            let number = before.entry(name).or_default();
            let at = *known.entry((name, *number)).or_insert_with(|| {
                all.push(OnServers { suite, case, on: Vec::new() });
                all.len() - 1
            });
            *number += 1;
            all[at].on.push((*server, suite, case));
        }
    }
    all
}
