//! The names that servers since 1.38 suggest in their messages about names that do not exist.

use super::{Checker, names};
use crate::ast::ExprId;
use crate::build::macros;
use crate::issue::Role;

/// Functions of cel-go that expressions cannot call. It suggests them all the same.
const HIDDEN: [&str; 4] = ["@not_strictly_false", "__not_strictly_false__", "_in_", "in"];

/// How many names a message suggests.
const MOST: usize = 2;

/// The product of the lengths of two names that are compared.
const MOST_STEPS: usize = 64 * 64;

impl<'d> Checker<'_, 'd> {
    /// What the server adds to its message about a name that does not exist.
    pub(super) fn suggestion(&self, name: &str) -> String {
        if !self.env.libraries.kube.suggests_names() {
            return " (in container '')".to_owned();
        }
        match &self.similar(name)[..] {
            [first, second, ..] => format!(" (did you mean '{first}' or '{second}'?)"),
            [one] if *one != name => format!(" (did you mean '{one}'?)"),
            [_] | [] => String::new(),
        }
    }

    /// Reports `operand.name`, where `operand` is a chain of names, if nothing has the first names and something has a similar
    /// name with dots. Before 1.38, the server only reports the first name.
    pub(super) fn reports_similar(&mut self, id: ExprId, operand: ExprId, name: &str, role: Role) -> bool {
        if !self.env.libraries.kube.suggests_names() {
            return false;
        }
        let Some(prefix) = self.qualified(operand) else { return false };
        let ends = prefix.match_indices('.').map(|(end, _)| end).filter(|end| *end > 0).chain([prefix.len()]);
        if ends.into_iter().any(|end| self.is_declared(&prefix[..end])) {
            return false;
        }
        let full = format!("{prefix}.{name}");
        let is_similar = !self.similar(&full).is_empty();
        if is_similar {
            self.undeclared(id, &full, role);
        }
        is_similar
    }

    fn is_declared(&mut self, name: &str) -> bool {
        let name = name.strip_prefix('.').unwrap_or(name);
        self.local(name).is_some()
            || self.env.variables.iter().any(|(known, _)| *known == name)
            || self.global(name).is_some()
    }

    /// The names that are most similar to one, or the name itself if it exists with another meaning.
    fn similar(&self, name: &str) -> Vec<&'d str> {
        let libraries = self.env.libraries;
        let has_dot = name.contains('.');
        let functions = libraries.functions.all().iter();
        let functions = functions.filter(|function| function.in_version(libraries.kube).next().is_some());
        let mut known: Vec<&'d str> = functions.map(|function| &*function.name).collect();
        known.extend(self.env.variables.iter().map(|(name, _)| *name));
        let constant = |name: &'static str| -> &'d str { name };
        let standard = names::STANDARD.into_iter().chain(HIDDEN);
        known.extend(macros::all(libraries.kube).chain(standard).map(constant));
        if let Some(same) = known.iter().find(|known| **known == name) {
            return vec![same];
        }
        known.retain(|known| known.contains('.') == has_dot);
        known.sort_by_key(|name| (name.len(), *name));
        known.dedup();
        let limit = match name.len() {
            0..=3 => 1,
            4..=8 => 2,
            length => length / 3,
        };
        let letters: Vec<char> = name.chars().collect();
        let near = |known: &&str| distance(&letters, known).filter(|distance| *distance <= limit);
        let near: Vec<(usize, &'d str)> =
            known.iter().filter_map(|known| Some((near(known)?, *known))).collect();
        let least = near.iter().map(|(distance, _)| *distance).min();
        let mut found: Vec<&'d str> = match least {
            Some(least) => {
                near.into_iter().filter(|(distance, _)| *distance == least).map(|(_, it)| it).collect()
            }
            None => known.into_iter().filter(|known| name.len() >= 2 && known.starts_with(name)).collect(),
        };
        found.truncate(MOST);
        found
    }
}

/// The number of letters to add, remove, replace or swap, as cel-go counts them. `None` if the names have little in common.
fn distance(a: &[char], b: &str) -> Option<usize> {
    let b: Vec<char> = b.chars().collect();
    let (short, long) = if a.len() < b.len() { (a.len(), b.len()) } else { (b.len(), a.len()) };
    if short == 0 || (long >= 16 && long * 2 >= short * 3) {
        return Some(long - short);
    }
    if short * long > MOST_STEPS {
        return None;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, letter) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let above = &rows[i];
            let mut least = (above[j + 1] + 1).min(row[j] + 1).min(above[j] + usize::from(letter != other));
            if i > 0 && j > 0 && *letter == b[j - 1] && a[i - 1] == *other {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        if row.iter().min() > Some(&(long / 3)) {
            return None;
        }
        rows.push(row);
    }
    rows.last()?.last().copied()
}
