//! The headers `Warning`, as the server writes them: each text once, and 4,096 characters in all. If there are more, each is cut.

use http::HeaderValue;
use std::collections::BTreeSet;

const MOST: usize = 4096;
const MOST_OF_ONE: usize = 256;

/// The headers for warnings.
pub(super) fn headers(warnings: &[String]) -> Vec<HeaderValue> {
    let mut known = BTreeSet::new();
    let texts = warnings.iter().map(String::as_str).filter(|text| !text.is_empty());
    let texts: Vec<&str> = texts.filter(|text| known.insert(*text)).collect();
    let total: usize = texts.iter().filter(|text| is_shown(text)).map(|text| text.chars().count()).sum();
    if total <= MOST {
        return texts.into_iter().filter_map(header).collect();
    }
    let (mut out, mut written, mut whole, mut cuts) = (Vec::new(), 0, 0, false);
    for text in texts.into_iter().filter(is_shown) {
        let length = text.chars().count();
        // Those before the one that is too much are cut as well, and are never left out.
        whole += length;
        if cuts && written >= MOST {
            break;
        }
        cuts |= whole > MOST;
        written += length.min(MOST_OF_ONE);
        let end = text.char_indices().nth(MOST_OF_ONE).map_or(text.len(), |(index, _)| index);
        out.extend(header(&text[..end]));
    }
    out
}

/// The server leaves out texts with control characters.
fn is_shown(text: &&str) -> bool {
    !text.chars().any(char::is_control)
}

fn header(text: &str) -> Option<HeaderValue> {
    if !is_shown(&text) {
        return None;
    }
    let mut out = String::from("299 - \"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    HeaderValue::from_bytes(out.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(warnings: &[String]) -> Vec<usize> {
        let length = |header: &HeaderValue| header.len() - r#"299 - """#.len();
        headers(warnings).iter().map(length).collect()
    }

    #[test]
    fn long_warnings_are_cut() {
        assert_eq!(written(&["x".repeat(4096)]), [4096]);
        assert_eq!(written(&["é".repeat(5000)]), [512], "256 characters");
        assert_eq!(written(&["x".repeat(4096), "y".repeat(300)]), [256, 256]);
        let many: Vec<String> = (0..4000).map(|number| format!("w{number}")).collect();
        let total: usize = written(&many).iter().sum();
        assert!((4096..4096 + 256).contains(&total), "{total}");
    }

    #[test]
    fn warnings_are_single_lines() {
        let texts = ["a\r\nSet-Cookie: x", "b", "b", "", "c\"\\"].map(str::to_owned);
        let shown: Vec<String> =
            headers(&texts).iter().map(|it| it.to_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(shown, [r#"299 - "b""#, r#"299 - "c\"\\""#]);
    }
}
