//! The names of kinds.

/// Returns the advice about a kind that does not begin with an upper case letter: what is wrong, and what to do. The server
/// accepts such a kind.
pub fn kind_in_lower_case(kind: &str) -> Option<(String, String)> {
    let first = kind.chars().next().filter(char::is_ascii_lowercase)?;
    let better = first.to_ascii_uppercase().to_string() + &kind[first.len_utf8()..];
    Some((
        format!(
            "the kind `{kind}` begins with a lower case letter, and all kinds of Kubernetes with an upper case one"
        ),
        format!("name it `{better}`. Clients distinguish upper and lower case in kinds"),
    ))
}
