//! Recognizes Kubernetes' own types by the names of their properties, so that they get their well-known names.

use super::known::{ALL, Known};

/// If the names have fewer letters in total, many other types can have them too.
const TELLING: usize = 16;

impl Known {
    /// The name of the type, without group and version.
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

/// The Kubernetes type that has these properties, or an older form of it. `words` are those of the path to the object.
pub(super) fn name_of(properties: &[&str], words: &[String]) -> Option<&'static Known> {
    let word = words.last().map_or("", String::as_str);
    let n = properties.len();
    if n == 0 {
        return None;
    }
    if properties == ["key", "operator", "values"] {
        // The same structure has two names. The place determines which one is meant.
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
            // References to secrets and to config maps have the same form.
            let owner = ["ConfigMap", "Secret"].into_iter().find(|owner| word.contains(owner));
            let of_owner = |known: &Known| owner.is_some_and(|owner| known.name().starts_with(owner));
            let hinted = all.iter().find(|known| hinted(known.name()));
            hinted.or_else(|| all.iter().find(|known| of_owner(known))).copied()
        }
    }
}
