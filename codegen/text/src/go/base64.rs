//! Base64 like Go's `encoding/base64.StdEncoding`: it is padded, line breaks are skipped, and the unused bits of the
//! last character may have any value.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes base64. None if the text is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    decode_bytes(text.as_bytes()).ok()
}

/// Decodes base64. If the text is invalid, returns the position that Go's error reports.
pub fn decode_bytes(text: &[u8]) -> Result<Vec<u8>, usize> {
    decode_with(text, digit)
}

/// Decodes base64 in the URL alphabet, like `base64.URLEncoding`. If the text is invalid, returns the position that
/// Go's error reports.
pub fn decode_url(text: &str) -> Result<Vec<u8>, usize> {
    decode_with(text.as_bytes(), url_digit)
}

/// Decodes base64 in the URL alphabet without padding, like `base64.RawURLEncoding`. None if the text is not that.
pub fn decode_raw_url(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let padding = digits.len().wrapping_neg() % 4;
    let padded = [&digits[..], &b"==="[..padding]].concat();
    // Padding does not belong to this form.
    let is_raw = !digits.contains(&b'=');
    decode_with(&padded, url_digit).ok().filter(|_| is_raw)
}

fn decode_with(src: &[u8], digit: fn(u8) -> Option<u32>) -> Result<Vec<u8>, usize> {
    let is_break = |at: usize| matches!(src.get(at), Some(b'\r' | b'\n'));
    let mut out = Vec::with_capacity(src.len() / 4 * 3);
    let (mut at, mut bits, mut count) = (0, 0u32, 0);
    loop {
        let Some(byte) = src.get(at) else {
            return if count == 0 { Ok(out) } else { Err(at - count) };
        };
        at += 1;
        if let Some(digit) = digit(*byte) {
            bits = bits << 6 | digit;
            count += 1;
            if count == 4 {
                out.extend_from_slice(&bits.to_be_bytes()[1..]);
                (bits, count) = (0, 0);
            }
        } else if !is_break(at - 1) {
            if *byte != b'=' || count < 2 {
                return Err(at - 1);
            }
            let skip = |mut at: usize| {
                while is_break(at) {
                    at += 1;
                }
                at
            };
            if count == 2 {
                at = skip(at);
                match src.get(at) {
                    None => return Err(at),
                    Some(b'=') => at += 1,
                    Some(_) => return Err(at - 1),
                }
                out.push((bits >> 4) as u8);
            } else {
                out.extend_from_slice(&((bits >> 2) as u16).to_be_bytes());
            }
            at = skip(at);
            return if at < src.len() { Err(at) } else { Ok(out) };
        }
    }
}

fn url_digit(byte: u8) -> Option<u32> {
    match byte {
        b'-' => digit(b'+'),
        b'_' => digit(b'/'),
        b'+' | b'/' => None,
        other => digit(other),
    }
}

fn digit(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    } as u32)
}

/// Encodes bytes as base64.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let shown = i <= chunk.len();
            let digit = ALPHABET[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if shown { char::from(digit) } else { '=' });
        }
    }
    out
}

/// Encodes bytes as base64 in the URL alphabet without padding, like `base64.RawURLEncoding`.
pub fn encode_raw_url(bytes: &[u8]) -> String {
    encode(bytes).trim_end_matches('=').replace('+', "-").replace('/', "_")
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_ways() {
        for (text, bytes) in
            [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("Zm9vYg==", b"foob")]
        {
            assert_eq!(super::encode(bytes), text);
            assert_eq!(super::decode(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(super::decode("Zm\n9v\r\n").as_deref(), Some(&b"foo"[..]));
        assert_eq!(super::decode("Zh==").as_deref(), Some(&b"f"[..]), "unused bits are free");
        for wrong in ["Z", "Zg", "Zg=", "Zg===", "Zm8", "=", "Zm9v=", "Zg==Zg==", "Zm_v", "Zm 9v"] {
            assert_eq!(super::decode(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn raw_url_has_no_padding() {
        for (text, bytes) in [("", &b""[..]), ("-_8", b"\xfb\xff"), ("Zg", b"f"), ("Zm9v", b"foo")] {
            assert_eq!(super::encode_raw_url(bytes), text);
            assert_eq!(super::decode_raw_url(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(super::decode_raw_url("Z\nm9\r\nv").as_deref(), Some(&b"foo"[..]));
        for wrong in ["-_8=", "+/8", "Z", "Zg==", "Zm 9v"] {
            assert_eq!(super::decode_raw_url(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn reports_the_position_of_go() {
        for (text, at) in [("abc", 0), ("Zm9vZg", 4), ("Zm9v!", 4), ("Zg=", 3), ("Zg=x", 2), ("Zg==Zg==", 4)]
        {
            assert_eq!(super::decode_bytes(text.as_bytes()), Err(at), "{text}");
        }
    }
}
