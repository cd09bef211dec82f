//! Base64.

/// Base64 with padding, in the standard alphabet, and not empty.
pub(super) fn is_base64(s: &str) -> bool {
    let padding = s.len() - s.trim_end_matches('=').len();
    let digits = &s.as_bytes()[..s.len() - padding];
    !s.is_empty()
        && s.len().is_multiple_of(4)
        && padding <= 2
        && digits.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
}
