//! The wire format of protobuf: numbered fields.

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    /// Eight bytes: a number with a fraction.
    Eight(u64),
    /// Four bytes, which no field of Kubernetes has.
    Other,
}

/// The fields of a message. An item is `None` if the message is broken.
pub(super) struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Fields<'b> {
        Fields(bytes)
    }

    fn field(&mut self) -> Option<(u64, Wire<'b>)> {
        let tag = number(&mut self.0)?;
        let wire = match tag & 7 {
            0 => Wire::Number(number(&mut self.0)?),
            1 => Wire::Eight(u64::from_le_bytes(self.take(8)?.try_into().ok()?)),
            2 => {
                let length = number(&mut self.0)?.try_into().ok()?;
                Wire::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Wire::Other)?,
            _ => return None,
        };
        Some((tag >> 3, wire))
    }

    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Option<(u64, Wire<'b>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// Takes a number off the start.
pub(super) fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut out = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        out |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(out);
        }
    }
    None
}

pub(super) fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}
