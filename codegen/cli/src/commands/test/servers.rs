//! The tests that run on several servers.

use crdgen_build::suites::{Case, Outcome as Ended, Suite};
use crdgen_core::server::Server;
use crdgen_tasks::servers::each_once;

/// A test, on each of the servers that have it: that a server accepts a CRD is only a test of those that reject it.
pub(super) struct OnServers<'s> {
    pub(super) suite: &'s Suite,
    pub(super) case: &'s Case,
    on: Vec<(Server, (&'s Suite, &'s Case))>,
}

impl OnServers<'_> {
    /// Runs the test. `asked` is the number of all servers.
    pub(super) fn run(&self, asked: usize) -> Ended {
        Ended::of_servers(self.on.iter().map(|(server, (suite, case))| (*server, suite.run(case))), asked)
    }
}

/// The tests of all servers, each once.
pub(super) fn tests(suites: &[(Server, Vec<Suite>)]) -> Vec<OnServers<'_>> {
    let on_servers = suites.iter().map(|(server, suites)| (*server, suites.iter().flat_map(cases_of)));
    let key = |(suite, case): &(&Suite, &Case)| {
        (suite.path.clone(), suite.name.clone(), suite.crd.clone(), case.name.clone())
    };
    let all = each_once(on_servers, key).into_iter();
    all.filter_map(|on| {
        let (_, (suite, case)) = *on.first()?;
        Some(OnServers { suite, case, on })
    })
    .collect()
}

fn cases_of(suite: &Suite) -> impl Iterator<Item = (&Suite, &Case)> {
    suite.cases.iter().map(move |case| (suite, case))
}
