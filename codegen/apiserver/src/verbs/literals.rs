//! Numbers as a client has written them. Messages of Go's decoder have them so.

/// The number in a JSON text that has this value and is not a plain integer.
pub(super) fn number_in(text: &str, value: f64) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_it = |token: &&str| {
        token.parse::<i64>().is_err() && token.parse().is_ok_and(|found: f64| found.total_cmp(&value).is_eq())
    };
    outside_of_strings(text).flat_map(|part| part.split(move |c| !is_part(c))).find(is_it)
}

/// The parts of a JSON text that are in no string.
fn outside_of_strings(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (part, after) = match rest.split_once('"') {
            Some((part, string)) => (part, after_string(string)),
            None => (rest, ""),
        };
        let is_over = rest.is_empty();
        rest = after;
        (!is_over).then_some(part)
    })
}

/// What comes after a string, of which the first quotation mark is gone.
fn after_string(text: &str) -> &str {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn numbers_are_found_outside_of_strings() {
        for (text, value, expected) in [
            (r#"{"a":80,"b":"8e1","c":8e1}"#, 80.0, Some("8e1")),
            (r#"{"a\"8.0":[1.50]}"#, 1.5, Some("1.50")),
            (r#"{"a":80}"#, 80.0, None),
            (r#"{"a":-3E+9}"#, -3e9, Some("-3E+9")),
            ("", 1.0, None),
        ] {
            assert_eq!(number_in(text, value), expected, "{text}");
        }
    }
}
