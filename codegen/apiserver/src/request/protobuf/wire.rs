//! The wire format of protobuf: numbered fields, and the words of Go's generated code.

use std::fmt;

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WireError {
    UnexpectedEnd,
    Overflow,
    NegativeLength,
    /// A field with the number 0.
    IllegalTag {
        message: String,
        wire: u8,
    },
    /// The end of a group that has not begun.
    EndGroup {
        message: String,
    },
    UnexpectedEndOfGroup,
    IllegalWireType(u8),
    WrongWireType {
        wire: u8,
        field: String,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::UnexpectedEnd => f.write_str("unexpected EOF"),
            WireError::Overflow => f.write_str("proto: integer overflow"),
            WireError::NegativeLength => f.write_str("proto: negative length found during unmarshaling"),
            WireError::IllegalTag { message, wire } => {
                write!(f, "proto: {message}: illegal tag 0 (wire type {wire})")
            }
            WireError::EndGroup { message } => {
                write!(f, "proto: {message}: wiretype end group for non-group")
            }
            WireError::UnexpectedEndOfGroup => f.write_str("proto: unexpected end of group"),
            WireError::IllegalWireType(wire) => write!(f, "proto: illegal wireType {wire}"),
            WireError::WrongWireType { wire, field } => {
                write!(f, "proto: wrong wireType = {wire} for field {field}")
            }
        }
    }
}

/// The wire types of fields.
pub(super) mod wire_type {
    pub(in super::super) const NUMBER: u8 = 0;
    pub(in super::super) const EIGHT: u8 = 1;
    pub(in super::super) const BYTES: u8 = 2;
    pub(super) const START_GROUP: u8 = 3;
    pub(super) const END_GROUP: u8 = 4;
    pub(super) const FOUR: u8 = 5;
}

/// What is in front of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) number: u64,
    pub(super) wire: u8,
}

/// The fields of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'b> {
    rest: &'b [u8],
    /// The name of the message.
    message: &'b str,
}

impl<'b> Fields<'b> {
    pub(super) fn of(message: &'b str, bytes: &'b [u8]) -> Fields<'b> {
        Fields { rest: bytes, message }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What is in front of the next field. `None` at the end of the message.
    pub(super) fn tag(&mut self) -> Result<Option<Tag>, WireError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let tag = self.raw_tag()?;
        let message = || self.message.to_owned();
        match tag {
            Tag { wire: wire_type::END_GROUP, .. } => Err(WireError::EndGroup { message: message() }),
            Tag { number: 0, wire } => Err(WireError::IllegalTag { message: message(), wire }),
            tag => Ok(Some(tag)),
        }
    }

    fn raw_tag(&mut self) -> Result<Tag, WireError> {
        let tag = self.number()?;
        // Numbers of fields have 32 bits.
        Ok(Tag { number: tag >> 3 & 0xffff_ffff, wire: (tag & 7) as u8 })
    }

    /// A number.
    pub(super) fn number(&mut self) -> Result<u64, WireError> {
        let mut out = 0;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.rest.split_first().ok_or(WireError::UnexpectedEnd)?;
            self.rest = rest;
            out |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Ok(out);
            }
        }
        Err(WireError::Overflow)
    }

    /// Bytes after their length.
    pub(super) fn bytes(&mut self) -> Result<&'b [u8], WireError> {
        let length = i64::try_from(self.number()?).map_err(|_| WireError::NegativeLength)?;
        self.take(usize::try_from(length).map_err(|_| WireError::UnexpectedEnd)?)
    }

    /// Eight bytes: a number with a fraction.
    pub(super) fn eight(&mut self) -> Result<u64, WireError> {
        let bytes = self.take(8)?.try_into().map_err(|_| WireError::UnexpectedEnd)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], WireError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(WireError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Passes over a field that this server does not know. Newer clients know more fields.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<(), WireError> {
        let mut open = self.skip_one(tag.wire, 0)?;
        while open > 0 {
            let Tag { wire, .. } = self.raw_tag()?;
            open = self.skip_one(wire, open)?;
        }
        Ok(())
    }

    /// Passes over a value. Returns how many groups are open after it.
    fn skip_one(&mut self, wire: u8, open: usize) -> Result<usize, WireError> {
        match wire {
            wire_type::NUMBER => drop(self.number()?),
            wire_type::EIGHT => drop(self.take(8)?),
            wire_type::BYTES => drop(self.bytes()?),
            wire_type::START_GROUP => return Ok(open + 1),
            wire_type::END_GROUP => return open.checked_sub(1).ok_or(WireError::UnexpectedEndOfGroup),
            wire_type::FOUR => drop(self.take(4)?),
            other => return Err(WireError::IllegalWireType(other)),
        }
        Ok(open)
    }

    /// Checks that a field has the wire type of its type.
    pub(super) fn check(tag: Tag, wire: u8, field: impl FnOnce() -> String) -> Result<(), WireError> {
        if tag.wire == wire {
            Ok(())
        } else {
            Err(WireError::WrongWireType { wire: tag.wire, field: field() })
        }
    }
}

/// Text. Go keeps bytes that are not text, until it writes them as JSON.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
