//! Where a value comes from. The server keeps such paths in slices that share memory and now and then
//! overwrite each other's ends, which changes costs; so slices they are here, too.

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The variable at the start, whichever it is.
    Variable,
    /// A field, by its escaped name.
    Field(Box<str>),
    /// The elements of a list.
    Items,
    /// The indices of a list, of which nothing is known.
    Indices,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
}

/// A slice of steps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    buffer: usize,
    len: usize,
    capacity: usize,
}

/// The memory of slices.
#[derive(Debug, Default)]
pub(super) struct Paths {
    buffers: Vec<Vec<Step>>,
}

impl Paths {
    pub(super) fn steps(&self, path: Path) -> &[Step] {
        self.buffers.get(path.buffer).map_or(&[], |b| &b[..path.len])
    }

    /// The path of a variable that is none of a loop's.
    pub(super) fn root(&mut self) -> Path {
        self.buffers.push(vec![Step::Variable]);
        Path { buffer: self.buffers.len() - 1, len: 1, capacity: 1 }
    }

    /// A path with one more step: in the same memory, where there is room behind it.
    pub(super) fn append(&mut self, path: Path, step: Step) -> Path {
        let len = path.len + 1;
        if path.len < path.capacity {
            let buffer = &mut self.buffers[path.buffer];
            match buffer.get_mut(path.len) {
                Some(old) => *old = step,
                None => buffer.push(step),
            }
            return Path { len, ..path };
        }
        let mut steps = self.steps(path).to_vec();
        steps.push(step);
        self.buffers.push(steps);
        let capacity = if path.capacity == 0 { 1 } else { path.capacity * 2 };
        Path { buffer: self.buffers.len() - 1, len, capacity }
    }
}
