//! The text with which a server warns about a deprecated version.

use crate::go;

/// Returns what is wrong with the warning of a deprecated version: the server's message, and help.
pub fn bad_warning(warning: &str) -> impl Iterator<Item = (String, &'static str)> {
    let too_long =
        (warning.len() > 256).then(|| ("must be <= 256 characters long".to_owned(), "shorten the warning"));
    let help = "remove it to use the server's default warning";
    let empty = warning.is_empty().then(|| ("must not be an empty string".to_owned(), help));
    let unprintable = warning.char_indices().find(|(_, c)| !go::is_print(*c)).map(|(i, _)| {
        let detail = format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {i}"
        );
        (detail, "write the warning on one line, without tabs")
    });
    [too_long, empty, unprintable].into_iter().flatten()
}
