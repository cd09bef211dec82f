//! Paths of files, and the URIs by which clients name them.

use std::path::{Path, PathBuf};

use crdgen_report::reference;
use gen_lsp_types::Uri;

/// The path that a `file:` URI names. `None` for other URIs, such as those of documents that were never saved.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_ref().strip_prefix("file://")?;
    let encoded = rest.find('/').and_then(|at| rest.get(at..))?;
    let decoded = decoded(encoded);
    // `/C:/folder` on Windows.
    let is_drive = cfg!(windows) && decoded.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { decoded.trim_start_matches('/') } else { &decoded }))
}

fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    out.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        match part.get(..2).map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(byte)) => {
                out.push(byte);
                out.extend_from_slice(&part.as_bytes()[2..]);
            }
            Some(Err(_)) | None => {
                out.push(b'%');
                out.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The URI of an absolute path.
pub(crate) fn uri(path: &Path) -> Uri {
    Uri::from(reference(&path.to_string_lossy()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::{path, uri};
    use gen_lsp_types::Uri;
    use std::path::Path;

    #[test]
    fn uris_name_paths() {
        for name in ["/a/b.yaml", "/a b/\u{e9}%20#?.yaml"] {
            assert_eq!(path(&uri(Path::new(name))).as_deref(), Some(Path::new(name)));
        }
        assert_eq!(path(&Uri::from("untitled:Untitled-1")), None);
        assert_eq!(path(&Uri::from("file:///a%2")).as_deref(), Some(Path::new("/a%2")));
    }
}
