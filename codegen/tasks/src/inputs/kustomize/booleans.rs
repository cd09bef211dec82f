//! Words that are booleans for kubectl and texts for kustomize, which reads YAML 1.2.

const WORDS: [&str; 6] = ["y", "n", "yes", "no", "on", "off"];

/// How kustomize reads a text in another way, if it does. The search is quick, so it also finds words in texts of several lines.
pub(super) fn differs(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let word = text.lines().find_map(word)?;
    Some(format!(
        "kustomize reads `{word}` as a string, and crdgen reads it as a boolean. Quote it, or write `true` or `false`"
    ))
}

/// Such a word that is the value of a key or an item of a list.
fn word(line: &str) -> Option<&str> {
    let item = line.trim_start().trim_start_matches("- ");
    if item.starts_with('#') {
        return None;
    }
    // A word in a sentence is not a value, so a comma only ends one in braces.
    let brace = item.find('{');
    let starts = item.match_indices(": ").map(|(at, it)| (at, at + it.len()));
    let values = starts.map(|(at, start)| (brace.is_some_and(|it| it < at), &item[start..]));
    let own = line.trim_start().starts_with("- ").then_some((false, item));
    own.into_iter().chain(values).find_map(|(in_braces, value)| {
        let value = value.trim_start();
        let end = value.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(value.len());
        let (word, rest) = value.split_at(end);
        let rest = rest.trim_start();
        let is_end = rest.is_empty() || rest.starts_with('#') || in_braces && rest.starts_with([',', '}']);
        (is_end && WORDS.iter().any(|it| it.eq_ignore_ascii_case(word))).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn finds_words_that_are_values() {
        for (line, wanted) in [
            ("a: yes", Some("yes")),
            ("- On", Some("On")),
            ("  a:   OFF  # b", Some("OFF")),
            ("a: {b: n}", Some("n")),
            ("{a: yes, b: 1}", Some("yes")),
            ("axes: x, y", None),
            ("the axis: y, or z", None),
            ("- no matter", None),
            ("a: true", None),
            ("a: 'yes'", None),
            ("# a: yes", None),
            ("yes: a", None),
            ("say yes", None),
        ] {
            assert_eq!(word(line), wanted, "{line}");
        }
    }
}
