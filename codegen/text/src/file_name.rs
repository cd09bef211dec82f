//! Makes file names from names in documents. No other code decides how a file is called.
//!
//! A group or a plural is untrusted text. It must not point outside of the output folder, hide a file, look like an
//! option of a command, or be a name that an operating system rejects.

/// The longest name that common file systems allow, in bytes.
const LONGEST: usize = 255;

/// Device names on Windows. They exist in every folder, and with every extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Returns the name of a file or folder for a name from a document. The extension is omitted if it is empty.
///
/// Names that a server accepts stay as they are, apart from a few that Windows reserves or that are too long. All
/// other characters become `=` and two hexadecimal digits per byte, so that different names stay different.
///
/// ```
/// # use crdgen_text::file_name;
/// assert_eq!(file_name("example.com_widgets", "yaml"), "example.com_widgets.yaml");
/// assert_eq!(file_name("../x", "yaml"), "=2E.=2Fx.yaml");
/// assert_eq!(file_name("aux.example.com", "rs"), "=61ux.example.com.rs");
/// ```
pub fn file_name(name: &str, extension: &str) -> String {
    let extension = if extension.is_empty() { String::new() } else { format!(".{extension}") };
    let bytes = name.as_bytes();
    let last = bytes.len().saturating_sub(1);
    let mut out = String::with_capacity(name.len() + extension.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let kept = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => at > 0 || !is_device(name),
            // Windows drops a dot at the end.
            b'.' => at > 0 && (at < last || !extension.is_empty()),
            b'-' => at > 0,
            _ => false,
        };
        match kept {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("={byte:02X}")),
        }
    }
    if out.is_empty() {
        out.push('=');
    }
    if out.len() + extension.len() > LONGEST {
        let digest = format!("={:016x}", digest(bytes));
        out.truncate(LONGEST.saturating_sub(extension.len() + digest.len()));
        out.push_str(&digest);
    }
    out + &extension
}

/// Returns whether Windows reads a name as that of a device. Windows ignores everything after the first dot.
pub fn is_device(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let port = base.strip_prefix("com").or_else(|| base.strip_prefix("lpt"));
    DEVICES.contains(&base.as_str())
        || port.is_some_and(|n| n.len() == 1 && n != "0" && n.parse::<u8>().is_ok())
}

/// FNV-1a: distinguishes names with the same beginning.
fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_that_a_server_accepts_stay() {
        for name in
            ["a", "example.com_foos", "cert-manager.io", "v1beta1", "com10.example.com", "com.example"]
        {
            assert_eq!(file_name(name, "yaml"), format!("{name}.yaml"));
        }
    }

    #[test]
    fn other_names_are_encoded() {
        for (name, wanted) in [
            ("", "="),
            ("..", "=2E=2E"),
            (".", "=2E"),
            (".hidden", "=2Ehidden"),
            ("-rf", "=2Drf"),
            ("a/b", "a=2Fb"),
            ("a\\b", "a=5Cb"),
            ("C:x", "C=3Ax"),
            ("a\0b", "a=00b"),
            ("a\nb", "a=0Ab"),
            ("é", "=C3=A9"),
            ("a=b", "a=3Db"),
            ("a.", "a=2E"),
            ("CON", "=43ON"),
            ("nul.example.com", "=6Eul.example.com"),
            ("COM1", "=43OM1"),
            ("com\u{b9}", "com=C2=B9"),
        ] {
            assert_eq!(file_name(name, ""), wanted, "{name:?}");
        }
    }

    #[test]
    fn long_names_stay_different() {
        let (a, b) = (format!("{}a", "x".repeat(300)), format!("{}b", "x".repeat(300)));
        assert_ne!(file_name(&a, "yaml"), file_name(&b, "yaml"));
        for name in [a, b, "/".repeat(100), "x".repeat(251)] {
            assert_eq!(file_name(&name, "yaml").len(), 255);
            assert!(file_name(&name, "yaml").ends_with(".yaml"));
        }
    }
}
