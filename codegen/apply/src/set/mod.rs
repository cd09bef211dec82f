//! Sets of fields: which parts of an object somebody owns.

mod fields_v1;
mod operations;

pub use fields_v1::NotFields;

use crate::path::{Locate, Path, PathElement};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A set of paths, as a tree. A path in the set does not imply the paths above and below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// The elements at which a path ends, sorted.
    pub(crate) members: Vec<PathElement>,
    /// The elements at which longer paths continue, sorted. Subtrees are shared between sets.
    pub(crate) children: Vec<(PathElement, Arc<Set>)>,
}

impl Set {
    /// Creates an empty set.
    pub fn new() -> Set {
        Set::default()
    }

    /// Adds a path. The empty path means the whole object, which has no owner, so it is not added.
    pub fn insert(&mut self, path: &Path) {
        self.insert_at(&path.0);
    }

    /// Adds a path.
    pub(crate) fn insert_at<L: Locate>(&mut self, path: &[L]) {
        match path {
            [] => {}
            [last] => {
                if let Err(place) = find(&self.members, last, |member| member) {
                    self.members.insert(place, last.element());
                }
            }
            [first, rest @ ..] => self.descend(first).insert_at(rest),
        }
    }

    /// Returns the subset of an element. Adds an empty one if there is none.
    fn descend(&mut self, at: &(impl Locate + ?Sized)) -> &mut Set {
        let place = match find(&self.children, at, |(element, _)| element) {
            Ok(place) => place,
            Err(place) => {
                self.children.insert(place, (at.element(), Arc::default()));
                place
            }
        };
        Arc::make_mut(&mut self.children[place].1)
    }

    /// Whether the set has no paths.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.children.iter().all(|(_, set)| set.is_empty())
    }

    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.members.len() + self.children.iter().map(|(_, set)| set.len()).sum::<usize>()
    }

    /// Whether the set contains a path.
    pub fn contains(&self, path: &Path) -> bool {
        match &path.0[..] {
            [] => false,
            [way @ .., last] => {
                let end = way.iter().try_fold(self, |set, element| set.below(element));
                end.is_some_and(|set| set.has(last))
            }
        }
    }

    /// Whether a path ends at this element.
    pub(crate) fn has(&self, element: &(impl Locate + ?Sized)) -> bool {
        find(&self.members, element, |member| member).is_ok()
    }

    /// Returns the paths that continue at this element, without it.
    pub(crate) fn below(&self, element: &(impl Locate + ?Sized)) -> Option<&Set> {
        let place = find(&self.children, element, |(element, _)| element).ok()?;
        Some(&self.children[place].1)
    }

    /// Returns the elements at which a path ends, sorted.
    pub fn members(&self) -> impl Iterator<Item = &PathElement> {
        self.members.iter()
    }

    /// Returns the elements at which longer paths continue, each with these paths, sorted.
    pub fn children(&self) -> impl Iterator<Item = (&PathElement, &Set)> {
        self.children.iter().map(|(element, set)| (element, &**set))
    }

    /// Calls a function with each path. Paths that end at an object come before those that continue in it.
    pub fn each(&self, visit: &mut dyn FnMut(&Path)) {
        self.each_below(&mut Path::default(), visit);
    }

    fn each_below(&self, path: &mut Path, visit: &mut dyn FnMut(&Path)) {
        for member in &self.members {
            path.0.push(member.clone());
            visit(path);
            path.0.pop();
        }
        for (element, set) in &self.children {
            path.0.push(element.clone());
            set.each_below(path, visit);
            path.0.pop();
        }
    }

    /// Returns the paths.
    pub fn paths(&self) -> Vec<Path> {
        let mut out = Vec::new();
        self.each(&mut |path| out.push(path.clone()));
        out
    }
}

impl FromIterator<Path> for Set {
    fn from_iter<I: IntoIterator<Item = Path>>(paths: I) -> Set {
        let mut set = Set::new();
        paths.into_iter().for_each(|path| set.insert(&path));
        set
    }
}

/// One path per line.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<String> = self.paths().iter().map(Path::to_string).collect();
        f.write_str(&paths.join("\n"))
    }
}

/// The place of an element in a sorted list. Walks insert in order, so the end is tried first.
fn find<T>(
    items: &[T],
    wanted: &(impl Locate + ?Sized),
    element: impl Fn(&T) -> &PathElement,
) -> Result<usize, usize> {
    match items.last().map(|last| wanted.order(element(last))) {
        None | Some(Ordering::Greater) => Err(items.len()),
        Some(Ordering::Equal) => Ok(items.len() - 1),
        Some(Ordering::Less) => items.binary_search_by(|item| wanted.order(element(item)).reverse()),
    }
}
