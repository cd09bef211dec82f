//! The heads of items: their type, and their number or length.

use super::{Problem, major, number};

/// What ends an item whose length is not known at its start.
const BREAK: u8 = 0xff;

/// Where a reader is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'b> {
    rest: &'b [u8],
}

/// The head of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) major: u8,
    pub(super) info: u8,
    /// A number, a length, the number of a tag, or the bits of a float.
    pub(super) number: u64,
}

pub(super) fn malformed(why: impl Into<String>) -> Problem {
    Problem::Malformed(why.into())
}

pub(super) fn unexpected_end() -> Problem {
    malformed("unexpected EOF")
}

pub(super) fn not_accepted(kind: &str, what: &str) -> String {
    format!("cbor: data item of cbor type {kind} is not accepted by protocol: {what}")
}

pub(super) fn type_name(major: u8) -> &'static str {
    match major {
        major::POSITIVE => "positive integer",
        major::NEGATIVE => "negative integer",
        major::BYTES => "byte string",
        major::TEXT => "UTF-8 text string",
        major::LIST => "array",
        major::MAP => "map",
        major::TAG => "tag",
        _ => "primitives",
    }
}

impl Head {
    /// Whether the parts of the item follow, and then a mark.
    pub(super) fn is_open(self) -> bool {
        self.info == 31
    }

    /// The value of a float. `None` for everything else.
    pub(super) fn float(self) -> Option<f64> {
        let bits = self.number;
        match (self.major, self.info) {
            (major::SIMPLE, 25) => u16::try_from(bits).ok().map(number::of_half),
            (major::SIMPLE, 26) => u32::try_from(bits).ok().map(|bits| f32::from_bits(bits).into()),
            (major::SIMPLE, 27) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }
}

impl<'b> Input<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Input<'b> {
        Input { rest: bytes }
    }

    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The major type of the next item.
    pub(super) fn next_major(&self) -> Result<u8, Problem> {
        self.rest.first().map(|first| first >> 5).ok_or_else(unexpected_end)
    }

    pub(super) fn take(&mut self, length: u64) -> Result<&'b [u8], Problem> {
        let length = usize::try_from(length).map_err(|_| unexpected_end())?;
        let (found, rest) = self.rest.split_at_checked(length).ok_or_else(unexpected_end)?;
        self.rest = rest;
        Ok(found)
    }

    /// Takes the mark of an end, if it is next.
    pub(super) fn take_break(&mut self) -> Result<bool, Problem> {
        let (first, rest) = self.rest.split_first().ok_or_else(unexpected_end)?;
        let is_over = *first == BREAK;
        if is_over {
            self.rest = rest;
        }
        Ok(is_over)
    }

    pub(super) fn head(&mut self) -> Result<Head, Problem> {
        let (first, rest) = self.rest.split_first().ok_or_else(unexpected_end)?;
        self.rest = rest;
        let (major, info) = (first >> 5, first & 0x1f);
        let number = match info {
            0..24 => u64::from(info),
            24..28 => {
                self.take(1 << (info - 24))?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
            }
            31 if (major::BYTES..=major::MAP).contains(&major) => 0,
            31 if major == major::SIMPLE => return Err(malformed("cbor: unexpected \"break\" code")),
            _ => {
                let name = type_name(major);
                return Err(malformed(format!(
                    "cbor: invalid additional information {info} for type {name}"
                )));
            }
        };
        let head = Head { major, info, number };
        if (major, info) == (major::SIMPLE, 24) && number < 32 {
            return Err(malformed(format!("cbor: invalid simple value {number} for type primitives")));
        }
        match head.float() {
            Some(float) if float.is_nan() => Err(malformed(not_accepted("primitives", "floating-point NaN"))),
            Some(float) if float.is_infinite() => {
                Err(malformed(not_accepted("primitives", "floating-point infinity")))
            }
            _ => Ok(head),
        }
    }
}
