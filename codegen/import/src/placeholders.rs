//! Placeholders that a program replaces before a text is applied: `$NAME`, `{NAME}` and `@NAME@`, as `envsubst`, `sed` and tests do.

/// Whether a text has a placeholder. Its name has only capital letters, digits and underscores, so that `{name}` and
/// `a@b@c` are none.
#[must_use]
pub fn has_placeholder(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'$', b'{', b'@', bytes).any(|at| is_placeholder(bytes, at))
}

/// Whether a placeholder starts at a place.
fn is_placeholder(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| bytes.get(at)).copied();
    let end = match bytes.get(at) {
        // `$$NAME` means the text `$NAME`, and `{{` begins an action.
        Some(b'$') if before != Some(b'$') => None,
        Some(b'{') if !matches!(before, Some(b'{' | b'$')) => Some(b'}'),
        Some(b'@') => Some(b'@'),
        _ => return false,
    };
    let name = bytes.get(at + 1..).unwrap_or_default();
    let length = name.iter().take_while(|byte| is_of_name(**byte)).take(MAX_NAME).count();
    let next = name.get(length).copied();
    length >= MIN_NAME
        && name.first().is_some_and(u8::is_ascii_uppercase)
        && match end {
            Some(_) => next == end,
            None => !next.is_some_and(|byte| byte.is_ascii_lowercase()),
        }
}

/// `{A}` may be a mapping, and `$A` a price.
const MIN_NAME: usize = 3;

/// Longer names are none. So that a text is read once.
const MAX_NAME: usize = 100;

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::has_placeholder;

    #[test]
    fn finds_placeholders() {
        for (text, wanted) in [
            ("$BUCKET_NAME", true),
            ("a-$BUCKET_NAME/x", true),
            ("$$BUCKET_NAME", false),
            ("$Name", false),
            ("$NAMEs", false),
            ("{SERVICE_IP_PREFIX}.16", true),
            ("${NAME}", false),
            ("{{NAME}}", false),
            ("{NAME: 1}", false),
            ("{A}", false),
            ("name: @STS_NAME@", true),
            ("@NAME", false),
            ("a@b.example", false),
            ("GET", false),
        ] {
            assert_eq!(has_placeholder(text), wanted, "{text}");
        }
    }
}
