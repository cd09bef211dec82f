use std::borrow::Cow;

/// Replaces invalid UTF-8 like Go: each byte that does not belong to a character becomes U+FFFD. (Rust's lossy
/// conversion replaces several bytes by one.)
pub fn valid_utf8(mut bytes: &[u8]) -> Cow<'_, str> {
    let mut out = String::new();
    loop {
        match std::str::from_utf8(bytes) {
            Ok(rest) if out.is_empty() => return Cow::Borrowed(rest),
            Ok(rest) => {
                out.push_str(rest);
                return Cow::Owned(out);
            }
            Err(e) => {
                let (good, bad) = bytes.split_at(e.valid_up_to());
                out.push_str(std::str::from_utf8(good).unwrap_or_default());
                out.push(char::REPLACEMENT_CHARACTER);
                bytes = &bad[1..];
            }
        }
    }
}
