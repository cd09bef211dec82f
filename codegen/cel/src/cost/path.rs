//! The origin of a value. The server keeps such paths in slices that share memory, and sometimes overwrites the end of
//! another slice, which changes costs. So this code uses slices with shared memory, too.

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The variable at the start. Its name is not stored.
    Variable,
    /// A field, by its escaped name.
    Field(Box<str>),
    /// The elements of a list.
    Items,
    /// The indices of a list, whose sizes are not known.
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

/// The shared memory of the slices.
#[derive(Debug, Default)]
pub(super) struct Paths {
    buffers: Vec<Vec<Step>>,
}

impl Paths {
    pub(super) fn steps(&self, path: Path) -> &[Step] {
        self.buffers.get(path.buffer).map_or(&[], |b| &b[..path.len])
    }

    /// The path of a variable that is not a loop variable.
    pub(super) fn root(&mut self) -> Path {
        self.buffers.push(vec![Step::Variable]);
        Path { buffer: self.buffers.len() - 1, len: 1, capacity: 1 }
    }

    /// Appends a step: in the same memory if it has capacity, even if this overwrites the end of another path.
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
