//! The path of `self` in a resource, and the values that it names.

use crate::correlate::Items;
use crate::ir::Schema;
use crate::path::Path;
use crate::value::Value;

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceStep<'p> {
    /// A field, or a key of a map.
    Key(&'p str),
    /// An item of a list.
    Index(usize),
    /// Every item of a list.
    Items,
    /// Every value of a map.
    Values,
}

impl PlaceStep<'_> {
    /// Whether the step may lead to several values.
    pub(super) fn is_many(&self) -> bool {
        matches!(self, PlaceStep::Items | PlaceStep::Values)
    }

    /// The schema of the values that the step leads to.
    pub(super) fn below<'s>(&self, schema: &'s Schema) -> Option<&'s Schema> {
        match self {
            PlaceStep::Key(name) => schema.properties.get(name).or_else(|| schema.value()),
            PlaceStep::Index(_) | PlaceStep::Items => schema.item(),
            PlaceStep::Values => schema.value(),
        }
    }
}

/// Returns the steps of a path: `.name`, `[0]`, `[]` for each item, `.*` for each value of a map, `['any name']`.
pub(super) fn steps(path: &str) -> Option<Vec<PlaceStep<'_>>> {
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix("['") {
            let (name, tail) = quoted.split_once("']")?;
            out.push(PlaceStep::Key(name));
            rest = tail;
        } else if let Some(inside) = rest.strip_prefix('[') {
            let (index, tail) = inside.split_once(']')?;
            out.push(if index.is_empty() { PlaceStep::Items } else { PlaceStep::Index(index.parse().ok()?) });
            rest = tail;
        } else {
            let name = rest.strip_prefix('.')?;
            let end = name.find(['.', '[']).unwrap_or(name.len());
            match &name[..end] {
                "*" => out.push(PlaceStep::Values),
                "" if !name.is_empty() || !out.is_empty() => return None,
                "" => {}
                name => out.push(PlaceStep::Key(name)),
            }
            rest = &name[end..];
        }
    }
    Some(out)
}

/// A value of a resource and the value that it had before.
#[derive(Clone, Copy)]
pub(super) struct Place<'v> {
    pub(super) this: Option<&'v Value>,
    pub(super) old: Option<&'v Value>,
}

/// The values at the end of some steps, with their paths. With `by_index`, an item of a list that has no keys belongs to
/// the old item with the same index. The server does not do that.
pub(super) fn values<'v>(
    steps: &[PlaceStep<'_>],
    schema: Option<&'v Schema>,
    place: Place<'v>,
    by_index: bool,
) -> Vec<(String, Place<'v>)> {
    let mut found = Found { by_index, out: Vec::new() };
    found.add(steps, schema, place, &Path::ROOT);
    found.out
}

struct Found<'v> {
    by_index: bool,
    out: Vec<(String, Place<'v>)>,
}

impl<'v> Found<'v> {
    fn add(
        &mut self,
        steps: &[PlaceStep<'_>],
        schema: Option<&'v Schema>,
        place: Place<'v>,
        path: &Path<'_>,
    ) {
        let (Some(this), Place { old, .. }) = (place.this, place) else { return };
        let Some((step, rest)) = steps.split_first() else {
            self.out.push((path.to_string(), place));
            return;
        };
        let below = schema.and_then(|schema| step.below(schema));
        let old_member = |name: &str| {
            // As for the server, members of a map with another type are not matched.
            let of_map = schema.and_then(|schema| schema.ext.map_type.as_deref());
            old.filter(|_| matches!(of_map, None | Some("granular" | "atomic"))).and_then(|old| old.get(name))
        };
        let old_item = |index: usize, item: &Value| {
            match schema {
                Some(schema) => Items::new(old, schema).get(item),
                None => None,
            }
            .or_else(|| old.filter(|_| self.by_index).and_then(|old| old.as_list()?.get(index)))
        };
        match step {
            PlaceStep::Key(name) => {
                let place = Place { this: this.get(name), old: old_member(name) };
                self.add(rest, below, place, &path.child(name));
            }
            PlaceStep::Index(index) => {
                let item = this.as_list().and_then(|list| list.get(*index));
                let place = Place { this: item, old: item.and_then(|item| old_item(*index, item)) };
                self.add(rest, below, place, &path.index(*index));
            }
            PlaceStep::Items => {
                let olds = schema.map(|schema| Items::new(old, schema));
                let list = this.as_list().unwrap_or_default();
                for (index, item) in list.iter().enumerate() {
                    let by_key = olds.as_ref().and_then(|olds| olds.get(item));
                    let at = old.filter(|_| self.by_index).and_then(|old| old.as_list()?.get(index));
                    self.add(rest, below, Place { this: Some(item), old: by_key.or(at) }, &path.index(index));
                }
            }
            PlaceStep::Values => {
                for (name, value) in this.as_map().into_iter().flat_map(|map| map.iter()) {
                    let place = Place { this: Some(value), old: old_member(name) };
                    self.add(rest, below, place, &path.key(name));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let one = |path| steps(path).unwrap();
        assert_eq!(one(""), []);
        assert_eq!(one("."), []);
        assert_eq!(
            one(".a[0].b[]"),
            [PlaceStep::Key("a"), PlaceStep::Index(0), PlaceStep::Key("b"), PlaceStep::Items]
        );
        assert_eq!(one(".a.*['x.y']"), [PlaceStep::Key("a"), PlaceStep::Values, PlaceStep::Key("x.y")]);
        for wrong in ["a", ".a.", "..a", ".a[x]", ".a[", ".a['b'"] {
            assert_eq!(steps(wrong), None, "{wrong}");
        }
    }
}
