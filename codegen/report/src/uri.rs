//! Names of inputs as references in a URI, as SARIF and editors require.

use std::fmt::Write;

/// Returns the reference: a relative one for a relative path, and `file:` for an absolute path.
pub fn reference(file: &str) -> String {
    let path = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
    let mut out = String::with_capacity(path.len());
    let is_drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    if path.starts_with('/') {
        out.push_str("file://");
    } else if is_drive {
        out.push_str("file:///");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+'
            | b',' | b';' | b'=' | b'@' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn encodes_what_a_reference_cannot_contain() {
        for (file, expected) in [
            ("deploy/crds/a.yaml", "deploy/crds/a.yaml"),
            ("a b%c.yaml", "a%20b%25c.yaml"),
            ("ä.yaml", "%C3%A4.yaml"),
            ("git:main:a.yaml", "git%3Amain%3Aa.yaml"),
            ("<stdin>", "%3Cstdin%3E"),
            ("./a?b#c[1].yaml", "./a%3Fb%23c%5B1%5D.yaml"),
            ("/tmp/a b.yaml", "file:///tmp/a%20b.yaml"),
        ] {
            assert_eq!(reference(file), expected);
        }
    }
}
