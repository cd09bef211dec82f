//! How much work an evaluation may do. The server bounds the cost of an evaluation, but some operations cost little and
//! still take any amount of time or memory: `==`, `in` and `%s` on values that contain the same list many times, and
//! `replace`, whose cost does not depend on the size of its result. The server has no limit for them. crdgen has one, so
//! that no rule makes it run forever or use all memory. Everything that takes time or memory is counted here, before it
//! happens.

use std::cell::Cell;
use std::fmt::{self, Write};

use super::{Error, Val};
use crdgen_text::go::quantity::Digits;

/// The number of steps that one evaluation may take. Evaluations that the server's cost limit allows usually take less
/// than a tenth of this.
pub const STEPS: u64 = 20_000_000;

/// The number of bytes of all values that one evaluation may create.
const BYTES: u64 = 256 << 20;

/// How deeply lists, maps and optionals may be nested in each other.
pub(crate) const DEPTH: u16 = 1_000;

/// The bytes of text that can be read in one step.
const TEXT: usize = 256;

/// The work that an evaluation may still do.
#[derive(Debug)]
pub struct Work {
    steps: Cell<u64>,
    bytes: Cell<u64>,
    /// The first limit that was exceeded.
    exceeded: Cell<Option<Exceeded>>,
    behavior: Behavior,
}

/// How expressions behave when they are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behavior {
    /// Until Kubernetes 1.37.
    Until37,
    /// Since Kubernetes 1.38.
    Since38,
}

impl Behavior {
    /// Whether NaN is neither less nor greater than anything. Before, comparing it is an error.
    pub(crate) fn compares_nan(self) -> bool {
        self == Behavior::Since38
    }

    /// Whether an error of an argument is the result of a call at once: the other arguments are not evaluated, and the call costs
    /// nothing. Before, they are, and it does.
    pub(crate) fn stops_at_errors(self) -> bool {
        self == Behavior::Since38
    }

    /// Whether the Go types of lists and maps, which some messages contain, include the types of their elements.
    pub(crate) fn names_elements(self) -> bool {
        self == Behavior::Since38
    }

    /// How many digits of quantities count.
    pub(crate) fn digits(self) -> Digits {
        match self {
            Behavior::Until37 => Digits::All,
            Behavior::Since38 => Digits::Some,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Exceeded {
    Steps,
    Bytes,
    Depth,
}

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Error {
        Error::too_much(match exceeded {
            Exceeded::Steps => "crdgen stopped the evaluation because it takes too many steps",
            Exceeded::Bytes => {
                "crdgen stopped the evaluation because its values need more than 256 MiB of memory"
            }
            Exceeded::Depth => {
                "crdgen stopped the evaluation because its values are nested more than 1,000 levels deep"
            }
        })
    }
}

impl Default for Work {
    fn default() -> Work {
        Work::new(STEPS)
    }
}

impl Work {
    /// Allows this number of steps.
    pub fn new(steps: u64) -> Work {
        let exceeded = Cell::new(None);
        Work { steps: Cell::new(steps), bytes: Cell::new(BYTES), exceeded, behavior: Behavior::Until37 }
    }

    /// Evaluates as servers with this behavior.
    pub(crate) fn with_behavior(self, behavior: Behavior) -> Work {
        Work { behavior, ..self }
    }

    /// The behavior of the server.
    pub(crate) fn behavior(&self) -> Behavior {
        self.behavior
    }

    /// Returns the number of steps that are left.
    pub fn left(&self) -> u64 {
        self.steps.get()
    }

    /// The error if a limit was exceeded. Operators may hide an error, but not this one.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.exceeded.get().map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    fn exceed(&self, exceeded: Exceeded) -> Error {
        let first = self.exceeded.get().unwrap_or(exceeded);
        self.exceeded.set(Some(first));
        first.into()
    }

    fn subtract(&self, left: &Cell<u64>, n: u64, exceeded: Exceeded) -> Result<(), Error> {
        match left.get().checked_sub(n) {
            Some(rest) => {
                left.set(rest);
                Ok(())
            }
            None => {
                left.set(0);
                Err(self.exceed(exceeded))
            }
        }
    }

    /// Counts steps. A step is about what it takes to compare two numbers.
    pub(crate) fn steps(&self, n: u64) -> Result<(), Error> {
        self.subtract(&self.steps, n, Exceeded::Steps)
    }

    /// Counts the steps of reading a text.
    pub(crate) fn read(&self, text: &str) -> Result<(), Error> {
        self.steps((text.len() / TEXT) as u64 + 1)
    }

    /// Counts the steps of counting the characters of a text, which is faster than reading it.
    pub(crate) fn count(&self, text: &str) -> Result<(), Error> {
        self.steps((text.len() / (4 * TEXT)) as u64)
    }

    /// Counts the bytes of a value before it is created, and the steps of writing them.
    pub(crate) fn bytes(&self, n: usize) -> Result<(), Error> {
        self.subtract(&self.bytes, n as u64, Exceeded::Bytes)?;
        self.steps((n / TEXT) as u64 + 1)
    }

    /// Counts the elements of a list before it is created.
    pub(crate) fn items(&self, n: usize) -> Result<(), Error> {
        self.bytes(n.saturating_mul(size_of::<Val<'_>>()))?;
        self.steps(n as u64)
    }

    /// Counts an entry of a map before it is created.
    pub(crate) fn entry(&self) -> Result<(), Error> {
        // A tree has room for more entries than it has.
        const ENTRY: usize = 2 * (size_of::<super::Key<'_>>() + size_of::<Val<'_>>());
        self.bytes(ENTRY)
    }

    /// The error if a value that was created is nested too deeply.
    pub(crate) fn nested(&self, value: &Val<'_>) -> Result<(), Error> {
        if value.depth() > DEPTH { Err(self.exceed(Exceeded::Depth)) } else { Ok(()) }
    }

    /// The text of a value for a message or a key. It can be much longer than the value is in memory.
    pub(crate) fn show(&self, value: &impl fmt::Display) -> Result<String, Error> {
        let mut out = Counted { text: String::new(), work: self, error: None };
        match write!(out, "{value}") {
            Ok(()) => Ok(out.text),
            Err(_) => Err(out.error.unwrap_or(Error::NO_OVERLOAD)),
        }
    }
}

/// A text whose bytes are counted while it is written.
struct Counted<'w> {
    text: String,
    work: &'w Work,
    error: Option<Error>,
}

impl Write for Counted<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        match self.work.bytes(part.len()) {
            Ok(()) => {
                self.text.push_str(part);
                Ok(())
            }
            Err(error) => {
                self.error = Some(error);
                Err(fmt::Error)
            }
        }
    }
}
