//! Writes tables into documents.

use std::io;

/// Returns the text with the table between its lines `<!-- name -->` and `<!-- /name -->`.
///
/// # Errors
/// Returns an error if the text has no such lines.
pub fn put_into(text: &str, name: &str, table: &str) -> io::Result<String> {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let parts = text.split_once(&start).and_then(|(head, rest)| Some((head, rest.split_once(&end)?.1)));
    let (head, tail) =
        parts.ok_or_else(|| io::Error::other(format!("the text has no lines <!-- {name} -->")))?;
    Ok(format!("{head}{start}{table}{end}{tail}"))
}
