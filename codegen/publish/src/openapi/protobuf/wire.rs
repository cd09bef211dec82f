//! The wire format of protobuf: numbered fields.

/// The fields of a message.
#[derive(Debug, Default)]
pub(super) struct Out(Vec<u8>);

impl Out {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// A number of variable length: seven bits in each byte, the lowest ones first.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn varint(&mut self, field: u32, number: u64) {
        self.number(u64::from(field) << 3);
        self.number(number);
    }

    pub(super) fn double(&mut self, field: u32, number: f64) {
        self.number(u64::from(field) << 3 | 1);
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, field: u32, bytes: &[u8]) {
        self.number(u64::from(field) << 3 | 2);
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.bytes(field, text.as_bytes());
    }
}
