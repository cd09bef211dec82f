//! What several servers say about the same inputs: each finding once.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::HashMap;

use crdgen_core::diag::{Level, codes};
use crdgen_core::documents::Finding;
use crdgen_core::server::Server;

/// What each of some servers finds.
pub type OfServers = Vec<(Server, Vec<Finding>)>;

/// What makes two findings the same: the code, the level, the object, the place and the words, and the number of such findings before it.
type Key = (&'static str, Level, String, Option<usize>, String, usize);

/// The findings of some servers, in the order of the first one, and then what only the others report. A finding that not all of them
/// have names those that do.
pub fn merged(found: impl IntoIterator<Item = (Server, Vec<Finding>)>) -> Vec<Finding> {
    let mut all: Vec<(Finding, Vec<Server>)> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    let mut count = 0;
    for (server, findings) in found {
        count += 1;
        let mut before: HashMap<Key, usize> = HashMap::new();
        for finding in findings {
            let mut key = key(&finding);
            let number = before.entry(key.clone()).or_default();
            key.5 = *number;
            *number += 1;
            let at = *known.entry(key).or_insert_with(|| {
                all.push((finding, Vec::new()));
                all.len() - 1
            });
            all[at].1.push(server);
        }
    }
    let named = |(mut finding, mut servers): (Finding, Vec<Server>)| {
        if servers.len() < count {
            servers.sort();
            finding.servers = servers;
        }
        finding
    };
    all.into_iter().map(named).collect()
}

/// The same for checks of CRDs, newest server first. Only the oldest one says what it does not have: that lint names its version.
pub fn checked(mut found: OfServers) -> Vec<Finding> {
    let is_of_oldest = |finding: &Finding| *finding.diag.code == codes::lint::KUBE;
    if let Some((_, newer)) = found.split_last_mut() {
        newer.iter_mut().for_each(|(_, findings)| findings.retain(|finding| !is_of_oldest(finding)));
    }
    let mut all = merged(found);
    all.iter_mut().filter(|finding| is_of_oldest(finding)).for_each(|finding| finding.servers.clear());
    all
}

fn key(finding: &Finding) -> Key {
    let Finding { object, place, diag, .. } = finding;
    (diag.code.id, diag.level, object.clone(), place.map(|place| place.start.offset), diag.text(), 0)
}

#[cfg(test)]
mod tests {
    use super::merged;
    use crdgen_core::diag::{Diag, Level, codes};
    use crdgen_core::documents::Finding;
    use crdgen_core::path::Path;
    use crdgen_core::server::Server;

    #[test]
    fn each_finding_is_there_once_with_the_servers_that_have_it() {
        let finding = |text: &str| {
            Finding::from(Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, text.to_owned()))
        };
        let found = |texts: &[&str]| texts.iter().map(|text| finding(text)).collect();
        let all = merged([
            (Server::of(37), found(&["a", "b", "b"])),
            (Server::of(36), found(&["c", "b", "a"])),
            (Server::of(35), found(&["a", "b"])),
        ]);
        let shown: Vec<String> = all
            .iter()
            .map(|it| {
                let servers: Vec<String> = it.servers.iter().map(|it| it.minor().to_string()).collect();
                format!("{} {}", it.diag.detail, servers.join(" "))
            })
            .collect();
        assert_eq!(shown, ["a ", "b ", "b 37", "c 36"]);
    }
}
