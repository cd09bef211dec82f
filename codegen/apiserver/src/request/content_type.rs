//! The media type of a body, as Go reads it.

/// The media type in small letters. `None` where Go's `mime.ParseMediaType` fails.
pub(super) fn read(header: &str) -> Option<String> {
    let (media_type, mut rest) = match header.split_once(';') {
        Some((media_type, _)) => (media_type, &header[media_type.len()..]),
        None => (header, ""),
    };
    let media_type = media_type.trim().to_ascii_lowercase();
    let mut parts = media_type.split('/');
    let is_type = parts.next().is_some_and(is_token) && parts.next().is_none_or(is_token);
    if !is_type || parts.next().is_some() {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(media_type);
        }
        let Some((name, after)) = parameter(rest) else {
            // Go accepts a semicolon at the end.
            return (rest.trim() == ";").then_some(media_type);
        };
        if names.contains(&name) {
            return None;
        }
        names.push(name);
        rest = after;
    }
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_graphic() && !r#"()<>@,;:\"/[]?="#.contains(c)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_token_char)
}

/// The name of a parameter, and what follows it.
fn parameter(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix(';')?.trim_start();
    let (name, rest) = token(text)?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let rest = if rest.starts_with('"') { quoted(rest)? } else { token(rest)?.1 };
    Some((name.to_ascii_lowercase(), rest))
}

fn token(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_token_char(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// What follows a quoted text.
fn quoted(text: &str) -> Option<&str> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some(&text[at + 1..]),
            '\\' => drop(chars.next()),
            '\r' | '\n' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn media_types_are_read_as_by_go() {
        for (header, expected) in [
            ("application/json", Some("application/json")),
            (" Application/JSON ; charset=\"a\\\"b\"", Some("application/json")),
            ("application/json; a=b; c=d;", Some("application/json")),
            ("application", Some("application")),
            ("application/json;a", None),
            ("application/json;a=b;A=c", None),
            ("application/json;=", None),
            ("application/json;a=\"b", None),
            ("application/json/x", None),
            ("application/", None),
            ("/json", None),
        ] {
            assert_eq!(read(header).as_deref(), expected, "{header}");
        }
    }
}
