//! What binary files are.

/// The first bytes of files of some kinds, and where they are.
const STARTS: [(usize, &[u8], &str); 15] = [
    (0, b"\x1f\x8b", "compressed with gzip; decompress it first"),
    (0, b"\x28\xb5\x2f\xfd", "compressed with zstd; decompress it first"),
    (0, b"\xfd7zXZ\0", "compressed with xz; decompress it first"),
    (0, b"BZh91AY", "compressed with bzip2; decompress it first"),
    (0, b"PK\x03\x04", "a zip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ\x90\0", "a program"),
    (0, b"\0asm", "a WebAssembly module"),
    (0, b"SQLite format 3\0", "an SQLite database"),
];

/// How many bytes of a file are looked at.
const LOOKED_AT: usize = 8000;

/// So many control characters say nothing about a file.
const FEW: usize = 20;

/// What a binary file is, as the end of a sentence.
pub(super) fn kind(bytes: &[u8]) -> Option<&'static str> {
    let starts = |at: usize, start: &[u8]| bytes.get(at..).is_some_and(|bytes| bytes.starts_with(start));
    if let Some((.., kind)) = STARTS.iter().find(|(at, start, _)| starts(*at, start)) {
        return Some(*kind);
    }
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    if is_wide(start) {
        return Some("in UTF-16 or UTF-32 without a byte order mark; convert it to UTF-8");
    }
    // A text may have some control characters by mistake, and then their place matters.
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    let controls = start.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count();
    (zeros > start.len() / 10 || controls > start.len() / 20 + FEW).then_some("a binary file")
}

/// Whether every second byte is zero and the others are ASCII, as in a text in another encoding.
fn is_wide(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(64)];
    let has = |first: usize| {
        let is_zero = |(at, byte): (usize, &u8)| (at % 2 == first) == (*byte == 0) && byte.is_ascii();
        start.iter().enumerate().all(is_zero)
    };
    start.len() > 3 && (has(0) || has(1))
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn kinds() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let narrow = wide("kind: A\n");
        let other = [&[0], &narrow[..]].concat();
        for (bytes, expected) in [
            (&b"\x1f\x8b\x08\0\0"[..], "gzip"),
            (b"\x89PNG\r\n\x1a\n\0", "PNG"),
            (&narrow, "UTF-16"),
            (&other[..other.len() - 1], "UTF-16"),
            (b"\x01\0\0\0\xff", "a binary file"),
        ] {
            assert!(kind(bytes).is_some_and(|kind| kind.contains(expected)), "{expected}");
        }
        let random: Vec<u8> = (0u32..1000).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        assert_eq!(kind(&random), Some("a binary file"));
        let mistakes = "kind: A\u{1}\n".repeat(15);
        assert_eq!(kind(mistakes.as_bytes()), None);
        for text in ["kind: A\n", "", "BZh: 1\n", "PK: 1\n", "\u{feff}a: ä\n", "GIF: 1\n", "kind: Abc\0\n"] {
            assert_eq!(kind(text.as_bytes()), None, "{text}");
        }
    }
}
