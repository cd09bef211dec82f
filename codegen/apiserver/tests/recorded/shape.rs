//! Texts that differ from run to run.

/// Whether a text starts with a shape: `d` is a digit, `x` a hexadecimal one, and `?` a letter or digit.
pub(crate) fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    text.len() >= shape.len()
        && text.iter().zip(shape).all(|(byte, wanted)| match wanted {
            b'd' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            b'?' => byte.is_ascii_alphanumeric(),
            wanted => byte == wanted,
        })
}
