//! DER, as Go's `cryptobyte` reads it.

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const OID: u8 = 0x06;
pub(super) const UTC_TIME: u8 = 0x17;
pub(super) const GENERALIZED_TIME: u8 = 0x18;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// A context-specific tag.
pub(super) const fn context(number: u8) -> u8 {
    0x80 | number
}

/// The same, with elements inside.
pub(super) const fn constructed(number: u8) -> u8 {
    0xa0 | number
}

/// The numbers of an object identifier.
pub(super) type Oid = Vec<u32>;

/// A sequence of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Der<'d>(&'d [u8]);

impl<'d> Der<'d> {
    pub(super) fn new(bytes: &'d [u8]) -> Der<'d> {
        Der(bytes)
    }

    pub(super) fn bytes(self) -> &'d [u8] {
        self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the next element has this tag.
    pub(super) fn next_is(&self, tag: u8) -> bool {
        self.0.first() == Some(&tag)
    }

    /// The tag and the content of the next element.
    pub(super) fn any(&mut self) -> Option<(u8, Der<'d>)> {
        let (header, whole) = self.take()?;
        Some((whole[0], Der(&whole[header..])))
    }

    /// The next element with its header.
    pub(super) fn any_element(&mut self) -> Option<Der<'d>> {
        self.take().map(|(_, whole)| Der(whole))
    }

    /// The length of the next element's header, and the element.
    fn take(&mut self) -> Option<(usize, &'d [u8])> {
        let [tag, first, ..] = self.0 else { return None };
        // Tags with several bytes are not supported.
        if tag & 0x1f == 0x1f {
            return None;
        }
        let (header, length) = if first & 0x80 == 0 {
            (2, usize::from(*first))
        } else {
            let digits = self.0.get(2..2 + usize::from(first & 0x7f)).filter(|d| matches!(d.len(), 1..=4))?;
            let length = digits.iter().fold(0_u32, |n, digit| n << 8 | u32::from(*digit));
            // The length must be written with as few digits as possible.
            if length < 0x80 || digits[0] == 0 {
                return None;
            }
            (2 + digits.len(), usize::try_from(length).ok()?)
        };
        let (whole, rest) = self.0.split_at_checked(header.checked_add(length)?)?;
        self.0 = rest;
        Some((header, whole))
    }

    /// The content of the next element, which must have this tag.
    pub(super) fn read(&mut self, tag: u8) -> Option<Der<'d>> {
        self.any().filter(|(found, _)| *found == tag).map(|(_, content)| content)
    }

    /// The content of the next element if it has this tag.
    pub(super) fn optional(&mut self, tag: u8) -> Option<Option<Der<'d>>> {
        if self.next_is(tag) { self.read(tag).map(Some) } else { Some(None) }
    }

    pub(super) fn boolean(&mut self) -> Option<bool> {
        match self.read(BOOLEAN)?.0 {
            [0] => Some(false),
            [0xff] => Some(true),
            _ => None,
        }
    }

    /// An integer, which must be written with as few bytes as possible.
    pub(super) fn integer(&mut self) -> Option<&'d [u8]> {
        self.integer_of(INTEGER)
    }

    /// The same under another tag.
    pub(super) fn integer_of(&mut self, tag: u8) -> Option<&'d [u8]> {
        let bytes = self.read(tag)?.0;
        match bytes {
            [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => None,
            _ => Some(bytes),
        }
    }

    /// The bytes of a bit string. The unused bits must be zero.
    pub(super) fn bits(&mut self) -> Option<&'d [u8]> {
        let (padding, bytes) = self.read(BIT_STRING)?.0.split_first()?;
        let last = bytes.last().copied();
        let is_good = *padding <= 7 && last.map_or(*padding == 0, |last| last & ((1 << padding) - 1) == 0);
        is_good.then_some(bytes)
    }

    /// An object identifier whose numbers are below 2^31.
    pub(super) fn oid(&mut self) -> Option<Oid> {
        let mut bytes = self.read(OID)?.0;
        let first = base_128(&mut bytes)?;
        let mut out = if first < 80 { vec![first / 40, first % 40] } else { vec![2, first - 80] };
        while !bytes.is_empty() {
            out.push(base_128(&mut bytes)?);
        }
        Some(out)
    }
}

fn base_128(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for i in 0..5 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if number >= 1 << 24 || i == 0 && *byte == 0x80 {
            return None;
        }
        number = number << 7 | u32::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

pub(super) fn is_negative(integer: &[u8]) -> bool {
    integer.first().is_some_and(|first| first & 0x80 != 0)
}

/// Whether an integer is positive.
pub(super) fn is_positive(integer: &[u8]) -> bool {
    !is_negative(integer) && integer != [0]
}

/// An integer of 64 bits.
pub(super) fn int64(integer: &[u8]) -> Option<i64> {
    let sign = if is_negative(integer) { -1 } else { 0 };
    (integer.len() <= 8).then(|| integer.iter().fold(sign, |n, byte| n << 8 | i64::from(*byte)))
}
