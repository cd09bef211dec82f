//! What several servers say about the same inputs: each finding once.
//!
//! **Unstable**: any release may change what is in this module.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use crdgen_core::diag::{Level, codes};
use crdgen_core::documents::Finding;
use crdgen_core::server::Server;

use crate::inputs::{Findings, Source};

/// What several servers have, each once, in the order of the first server that has it. Things with the same key on a server are distinguished
/// by their number.
pub fn each_once<T, K: Clone + Eq + Hash>(
    of_servers: impl IntoIterator<Item = (Server, impl IntoIterator<Item = T>)>,
    key: impl Fn(&T) -> K,
) -> Vec<Vec<(Server, T)>> {
    let mut all: Vec<Vec<(Server, T)>> = Vec::new();
    let mut known: HashMap<(K, usize), usize> = HashMap::new();
    for (server, items) in of_servers {
        let mut counts: HashMap<K, usize> = HashMap::new();
        for item in items {
            let key = key(&item);
            let count = counts.entry(key.clone()).or_default();
            let at = *known.entry((key, *count)).or_insert(all.len());
            *count += 1;
            match all.get_mut(at) {
                Some(same) => same.push((server, item)),
                None => all.push(vec![(server, item)]),
            }
        }
    }
    all
}

/// What each of some servers finds.
pub type OfServers = Vec<(Server, Vec<Finding>)>;

/// The findings of some servers, each once. A finding that not all of them have names those that do.
pub fn merged(found: OfServers) -> Vec<Finding> {
    let asked = found.len();
    let one = |same: Vec<(Server, Finding)>| {
        let mut servers: Vec<Server> = same.iter().map(|(server, _)| *server).collect();
        let (_, finding) = same.into_iter().next()?;
        if servers.len() == asked {
            return Some(finding);
        }
        servers.sort();
        Some(Finding { servers, ..finding })
    };
    each_once(found, key).into_iter().filter_map(one).collect()
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

/// The same for findings file by file.
pub(crate) fn checked_files(found: Vec<(Server, Vec<Findings>)>) -> Vec<Findings> {
    let servers: Vec<Server> = found.iter().map(|(server, _)| *server).collect();
    let mut files: BTreeMap<String, (Source, BTreeMap<Server, Vec<Finding>>)> = BTreeMap::new();
    for (server, found) in found {
        for Findings { source, findings } in found {
            let file = files.entry(source.name.clone()).or_insert_with(|| (source, BTreeMap::new()));
            file.1.insert(server, findings);
        }
    }
    let checked = |(source, mut found): (Source, BTreeMap<Server, Vec<Finding>>)| {
        let found = servers.iter().map(|server| (*server, found.remove(server).unwrap_or_default()));
        Findings { source, findings: checked(found.collect()) }
    };
    files.into_values().map(checked).collect()
}

/// What makes two findings the same: the code, the level, the object, the place and the words.
fn key(finding: &Finding) -> (&'static str, Level, String, Option<usize>, String) {
    let Finding { object, place, diag, .. } = finding;
    (diag.code.id, diag.level, object.clone(), place.map(|place| place.start.offset), diag.text())
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
        let all = merged(vec![
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
