//! What stands among definitions and is none.

use std::fmt;

/// What was passed over, in the order of the files.
#[derive(Default)]
pub(crate) struct Skipped {
    all: Vec<Other>,
}

/// All objects of a kind in a file.
struct Other {
    file: String,
    /// None for what is no Kubernetes object.
    kind: Option<String>,
    count: usize,
}

/// So many are named; the others are counted.
const NAMED: usize = 5;

impl Skipped {
    /// What is in a file besides definitions.
    pub(crate) fn new(file: &str, kinds: Vec<Option<String>>) -> Skipped {
        let mut all: Vec<Other> = Vec::new();
        for kind in kinds {
            match all.iter_mut().find(|other| other.kind == kind) {
                Some(other) => other.count += 1,
                None => all.push(Other { file: file.to_owned(), kind, count: 1 }),
            }
        }
        Skipped { all }
    }

    /// Adds what is in another file.
    pub(crate) fn append(&mut self, mut other: Skipped) {
        self.all.append(&mut other.all);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// `CronTab in a.yaml, 3 × ConfigMap in b.yaml and 7 more`
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Other { file, kind, count }) in self.all.iter().take(NAMED).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let times = if *count == 1 { String::new() } else { format!("{count} × ") };
            let kind = kind.as_deref().unwrap_or("what is no Kubernetes object");
            write!(f, "{comma}{times}{kind} in {file}")?;
        }
        match self.all.iter().skip(NAMED).map(|other| other.count).sum() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
