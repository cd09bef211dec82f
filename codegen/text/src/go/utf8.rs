use std::borrow::Cow;

/// Text as Go takes broken UTF-8: each byte that belongs to no character becomes U+FFFD. (Rust's lossy
/// conversion puts one for several bytes.)
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
