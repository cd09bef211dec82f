//! Paths into documents in two notations: the field path that the API server prints
//! (`spec.versions[0].schema.openAPIV3Schema.properties[spec]`), and the steps to the same place in the author's
//! document. The two differ where the server moves fields (`spec.validation`).

use std::fmt;

/// One step down in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A member of an object.
    Key(String),
    /// An item of a list.
    Index(usize),
}

/// A path under construction. It is a list that grows on the stack while a walk descends, so memory is allocated only
/// when something is reported.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    up: Option<&'a Path<'a>>,
    segment: Segment<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Segment<'a> {
    Root,
    /// A prefix that the server prints as `shown`, while its place in the document is `steps`.
    Moved {
        shown: &'a str,
        steps: &'a [Step],
    },
    Child(&'a str),
    Index(usize),
    Key(&'a str),
}

impl<'a> Path<'a> {
    /// The text that the server prints if an error does not belong to a field.
    pub const NOTHING: &'static str = "<nil>";

    /// The whole document; the server prints `<nil>`.
    pub const ROOT: Path<'static> = Path { up: None, segment: Segment::Root };

    /// Creates a path whose start the server prints as `shown`, while it is at `steps` in the document.
    pub fn moved(shown: &'a str, steps: &'a [Step]) -> Path<'a> {
        Path { up: None, segment: Segment::Moved { shown, steps } }
    }

    /// Appends `.name`.
    pub fn child<'b>(&'b self, name: &'b str) -> Path<'b> {
        Path { up: Some(self), segment: Segment::Child(name) }
    }

    /// Appends `[index]`.
    pub fn index(&self, index: usize) -> Path<'_> {
        Path { up: Some(self), segment: Segment::Index(index) }
    }

    /// Appends `[key]`.
    pub fn key<'b>(&'b self, key: &'b str) -> Path<'b> {
        Path { up: Some(self), segment: Segment::Key(key) }
    }

    /// Returns the name, if the path ends at a member.
    pub fn name(&self) -> Option<&'a str> {
        match self.segment {
            Segment::Child(name) | Segment::Key(name) => Some(name),
            Segment::Root | Segment::Moved { .. } | Segment::Index(_) => None,
        }
    }

    /// Returns the steps to this place in the document.
    pub fn steps(&self) -> Vec<Step> {
        let mut out = self.up.map_or_else(Vec::new, Path::steps);
        match self.segment {
            Segment::Root => {}
            Segment::Moved { steps, .. } => out.extend_from_slice(steps),
            Segment::Child(name) | Segment::Key(name) => out.push(Step::Key(name.to_owned())),
            Segment::Index(i) => out.push(Step::Index(i)),
        }
        out
    }

    /// Whether to describe one more error, at this path, after this many. Paths can be as long as the document, and so many errors
    /// may be below one that a copy of it for each fills the memory. The server has no limit.
    pub fn has_room(&self, errors: usize) -> bool {
        let length =
            std::iter::successors(Some(self), |path| path.up).map(|path| path.name().map_or(8, str::len));
        has_room(errors, length)
    }

    /// Whether this is the whole document.
    pub fn is_root(&self) -> bool {
        matches!(self.segment, Segment::Root)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = match self.up {
            Some(up) => {
                up.write(f)?;
                up.is_root()
            }
            None => true,
        };
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Moved { shown, .. } => f.write_str(shown),
            Segment::Child(name) if start => f.write_str(name),
            Segment::Child(name) => write!(f, ".{name}"),
            Segment::Index(i) => write!(f, "[{i}]"),
            Segment::Key(key) => write!(f, "[{key}]"),
        }
    }
}

/// The bytes of the paths of all errors, if each is as long as the last one.
const ROOM: usize = 16 << 20;

/// Like [`Path::has_room`], for a path whose steps have these lengths.
pub fn has_room(errors: usize, lengths: impl Iterator<Item = usize>) -> bool {
    errors.saturating_mul(lengths.sum()) <= ROOM
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() { f.write_str(Path::NOTHING) } else { self.write(f) }
    }
}
