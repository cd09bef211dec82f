//! Cuts descriptions at the end of a sentence or a word, like controller-gen's `maxDescLen`.

use crate::ir::{Body, Crd, Schema};

/// Cuts all descriptions of all versions to at most `max` bytes. With 0, removes them.
pub fn limit_all(crd: &mut Crd, max: usize) {
    each_of(crd, &mut |schema, _| cut(&mut schema.description, max));
}

/// Cuts the descriptions of a schema to at most `max` bytes. With 0, removes them.
pub fn limit(schema: &mut Schema, max: usize) {
    each(schema, 0, &mut |schema, _| cut(&mut schema.description, max));
}

fn cut(text: &mut String, max: usize) {
    if text.len() <= max {
        return;
    }
    let end = (0..=max).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    text.truncate(end);
    // A match at the very start does not count, because nothing would remain.
    let last = |is: fn(char) -> bool| text.char_indices().rfind(|(_, c)| is(*c)).filter(|(i, _)| *i > 0);
    if let Some((at, terminal)) = last(ends_sentence) {
        text.truncate(at + terminal.len_utf8());
    } else if let Some((at, _)) = last(char::is_whitespace) {
        text.truncate(at);
        text.push_str("...");
    } else if max > 0 {
        text.push_str("...");
    }
}

/// Whether a character has the property `Sentence_Terminal` in Go's tables.
fn ends_sentence(c: char) -> bool {
    let at = TERMINALS.partition_point(|(_, last)| *last < u32::from(c));
    TERMINALS.get(at).is_some_and(|(first, _)| *first <= u32::from(c))
}

#[rustfmt::skip]
const TERMINALS: [(u32, u32); 80] = [
    (0x21, 0x21), (0x2e, 0x2e), (0x3f, 0x3f), (0x589, 0x589), (0x61d, 0x61f), (0x6d4, 0x6d4),
    (0x700, 0x702), (0x7f9, 0x7f9), (0x837, 0x837), (0x839, 0x839), (0x83d, 0x83e), (0x964, 0x965),
    (0x104a, 0x104b), (0x1362, 0x1362), (0x1367, 0x1368), (0x166e, 0x166e), (0x1735, 0x1736),
    (0x1803, 0x1803), (0x1809, 0x1809), (0x1944, 0x1945), (0x1aa8, 0x1aab), (0x1b5a, 0x1b5b),
    (0x1b5e, 0x1b5f), (0x1b7d, 0x1b7e), (0x1c3b, 0x1c3c), (0x1c7e, 0x1c7f), (0x203c, 0x203d),
    (0x2047, 0x2049), (0x2e2e, 0x2e2e), (0x2e3c, 0x2e3c), (0x2e53, 0x2e54), (0x3002, 0x3002),
    (0xa4ff, 0xa4ff), (0xa60e, 0xa60f), (0xa6f3, 0xa6f3), (0xa6f7, 0xa6f7), (0xa876, 0xa877),
    (0xa8ce, 0xa8cf), (0xa92f, 0xa92f), (0xa9c8, 0xa9c9), (0xaa5d, 0xaa5f), (0xaaf0, 0xaaf1),
    (0xabeb, 0xabeb), (0xfe52, 0xfe52), (0xfe56, 0xfe57), (0xff01, 0xff01), (0xff0e, 0xff0e),
    (0xff1f, 0xff1f), (0xff61, 0xff61), (0x10a56, 0x10a57), (0x10f55, 0x10f59), (0x10f86, 0x10f89),
    (0x11047, 0x11048), (0x110be, 0x110c1), (0x11141, 0x11143), (0x111c5, 0x111c6), (0x111cd, 0x111cd),
    (0x111de, 0x111df), (0x11238, 0x11239), (0x1123b, 0x1123c), (0x112a9, 0x112a9), (0x1144b, 0x1144c),
    (0x115c2, 0x115c3), (0x115c9, 0x115d7), (0x11641, 0x11642), (0x1173c, 0x1173e), (0x11944, 0x11944),
    (0x11946, 0x11946), (0x11a42, 0x11a43), (0x11a9b, 0x11a9c), (0x11c41, 0x11c42), (0x11ef7, 0x11ef8),
    (0x11f43, 0x11f44), (0x16a6e, 0x16a6f), (0x16af5, 0x16af5), (0x16b37, 0x16b38), (0x16b44, 0x16b44),
    (0x16e98, 0x16e98), (0x1bc9f, 0x1bc9f), (0x1da88, 0x1da88),
];

/// Calls a function for the schemas of all versions and every schema in them, with its depth.
pub fn each_of(crd: &mut Crd, call: &mut dyn FnMut(&mut Schema, usize)) {
    let mut of_body = |body: &mut Body| {
        if let Some(schema) = body.schema.as_mut().and_then(|v| v.open_api_v3_schema.as_mut()) {
            each(schema, 0, call);
        }
    };
    for version in &mut crd.spec.versions {
        of_body(&mut version.body);
    }
    of_body(&mut crd.spec.shared);
}

/// Calls `call` for a schema and every schema below it, including those in junctors.
fn each(schema: &mut Schema, depth: usize, call: &mut dyn FnMut(&mut Schema, usize)) {
    call(schema, depth);
    schema.children_mut().for_each(|(_, child)| each(child, depth + 1, call));
}

#[cfg(test)]
mod tests {
    #[test]
    fn cuts_at_sentences_and_words() {
        let text = "First one. Second is longer; it goes on";
        for (max, expected) in [
            (0, ""),
            (5, "First..."),
            (7, "First..."),
            (10, "First one."),
            (20, "First one."),
            (100, text),
            (3, "Fir..."),
        ] {
            let mut found = text.to_owned();
            super::cut(&mut found, max);
            assert_eq!(found, expected, "{max}");
        }
        let mut found = "äöü。ß".to_owned();
        super::cut(&mut found, 10);
        assert_eq!(found, "äöü。");
        let mut found = "äöü".to_owned();
        super::cut(&mut found, 3);
        assert_eq!(found, "ä...");
    }
}
