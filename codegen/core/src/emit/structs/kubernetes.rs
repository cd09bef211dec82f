//! Kubernetes' own types, recognised by the names of their properties, so that they get the names
//! under which everyone knows them.

use super::known::{ALL, Known};

/// Names of fewer letters in all can mean anything.
const TELLING: usize = 16;

impl Known {
    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.full.split_once('.').map_or(self.full, |(_, name)| name)
    }

    fn has(&self, properties: &[&str]) -> bool {
        properties.iter().all(|p| self.properties.binary_search(p).is_ok())
    }
}

fn named(name: &str) -> Option<&'static Known> {
    ALL.iter().find(|known| known.name() == name)
}

/// The type that an object with these properties is, or is an older form of.
/// `words` are those of the path to it.
pub(super) fn name_of(properties: &[&str], words: &[String]) -> Option<&'static Known> {
    let word = words.last().map_or("", String::as_str);
    let n = properties.len();
    if n == 0 {
        return None;
    }
    if properties == ["key", "operator", "values"] {
        // The same structure under two names. The place determines which one it is.
        let of_nodes = words.iter().any(|w| w.contains("Node") || w == "Preference");
        let name = if of_nodes { "NodeSelectorRequirement" } else { "LabelSelectorRequirement" };
        return named(name);
    }
    let hinted = |name: &str| {
        let (name, word) = (name.to_ascii_lowercase(), word.to_ascii_lowercase());
        word.len() > 2 && (name.contains(&word) || word.contains(&name))
    };
    let size = |known: usize| known == n || (n >= 5 && n < known && n * 10 >= known * 7);
    let all: Vec<&'static Known> =
        ALL.iter().filter(|known| size(known.properties.len()) && known.has(properties)).collect();
    let nearest = all.iter().map(|known| known.properties.len()).min()?;
    let mut best = all.iter().filter(|known| known.properties.len() == nearest);
    let letters: usize = properties.iter().map(|p| p.len()).sum();
    match (best.next(), best.next()) {
        (Some(known), None) if letters >= TELLING || (n > 1 && hinted(known.name())) => Some(*known),
        _ if n == 1 => None,
        _ => {
            // Secrets and config maps are referred to in the same form.
            let owner = ["ConfigMap", "Secret"].into_iter().find(|owner| word.contains(owner));
            let of_owner = |known: &Known| owner.is_some_and(|owner| known.name().starts_with(owner));
            let hinted = all.iter().find(|known| hinted(known.name()));
            hinted.or_else(|| all.iter().find(|known| of_owner(known))).copied()
        }
    }
}
