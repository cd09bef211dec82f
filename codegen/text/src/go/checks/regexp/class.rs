//! Character classes: names, case folding, and the differences between the Unicode versions of Go and of the Rust
//! crates.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A range of code points. Go includes surrogates, but they never occur in text, so they are left out.
pub(super) fn range(lo: u32, hi: u32) -> Option<ClassUnicodeRange> {
    let lo = if (0xD800..0xE000).contains(&lo) { 0xE000 } else { lo };
    let hi = if (0xD800..0xE000).contains(&hi) { 0xD7FF } else { hi };
    if lo > hi {
        return None;
    }
    Some(ClassUnicodeRange::new(char::from_u32(lo)?, char::from_u32(hi)?))
}

/// Adds the characters that differ only in case.
pub(super) fn fold(class: &mut ClassUnicode) {
    if class.ranges().last().is_none_or(|r| r.end().is_ascii()) {
        return class.case_fold_simple();
    }
    let mut folded = class.clone();
    folded.intersect(&KNOWN);
    folded.case_fold_simple();
    folded.intersect(&KNOWN);
    class.union(&folded);
}

/// The code points that Go's Unicode version, 15.0, assigns. The tables used here are newer.
static KNOWN: LazyLock<ClassUnicode> =
    LazyLock::new(|| table("age=15.0").unwrap_or_else(ClassUnicode::empty));

/// `\d`, `\s`, `\w`, and as their negations, the uppercase letters.
pub(super) fn perl(letter: u8) -> Option<ClassUnicode> {
    Some(match letter {
        b'd' => ascii(&["09"]),
        b's' => ascii(&["\t\n", "\x0c\r", "  "]),
        b'w' => ascii(&["09", "AZ", "__", "az"]),
        _ => return None,
    })
}

/// The class for the name in `[:name:]`, without `^`.
pub(super) fn posix(name: &str) -> Option<ClassUnicode> {
    Some(match name {
        "alnum" => ascii(&["09", "AZ", "az"]),
        "alpha" => ascii(&["AZ", "az"]),
        "ascii" => ascii(&["\0\x7f"]),
        "blank" => ascii(&["\t\t", "  "]),
        "cntrl" => ascii(&["\0\x1f", "\x7f\x7f"]),
        "digit" => ascii(&["09"]),
        "graph" => ascii(&["!~"]),
        "lower" => ascii(&["az"]),
        "print" => ascii(&[" ~"]),
        "punct" => ascii(&["!/", ":@", "[`", "{~"]),
        "space" => ascii(&["\t\r", "  "]),
        "upper" => ascii(&["AZ"]),
        "word" => ascii(&["09", "AZ", "__", "az"]),
        "xdigit" => ascii(&["09", "AF", "af"]),
        _ => return None,
    })
}

fn ascii(pairs: &[&str]) -> ClassUnicode {
    ClassUnicode::new(pairs.iter().map(|p| {
        let b = p.as_bytes();
        ClassUnicodeRange::new(b[0] as char, b[1] as char)
    }))
}

/// The class of `\p{name}`. Go ignores case, spaces, `_` and `-` in the name, but its tables contain script names with
/// `_`. So scripts of two words cannot be named at all.
pub(super) fn unicode(name: &str) -> Option<ClassUnicode> {
    let name = canonical(name);
    match name.as_str() {
        "Any" => return Some(ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)])),
        "Ascii" => return Some(ascii(&["\0\x7f"])),
        "Assigned" => {
            let mut class = KNOWN.clone();
            class.difference(&table("gc=Cn")?);
            return Some(class);
        }
        _ => {}
    }
    let Some((category, _)) =
        CATEGORIES.iter().find(|(short, long)| *short == name || long.contains(&&*name))
    else {
        SCRIPTS.split_ascii_whitespace().find(|s| *s == name)?;
        let mut class = table(&format!("sc={name}"))?;
        class.intersect(&KNOWN);
        return Some(class);
    };
    let mut class = match *category {
        "Cs" => return Some(ClassUnicode::empty()),
        category => table(&format!("gc={category}"))?,
    };
    class.intersect(&KNOWN);
    // Only one character has changed its category since: a sign of Ahom, which was not a spacing mark yet.
    let moved = ClassUnicode::new([ClassUnicodeRange::new('\u{1171e}', '\u{1171e}')]);
    match *category {
        "Mn" => class.union(&moved),
        "Mc" => class.difference(&moved),
        "C" | "Cn" => {
            let mut unknown = KNOWN.clone();
            unknown.negate();
            class.union(&unknown);
        }
        _ => {}
    }
    Some(class)
}

fn canonical(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')) {
        out.push(if out.is_empty() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
    }
    out
}

fn table(property: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(&format!("\\p{{{property}}}")).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        // A class with a single character, such as that of line separators.
        HirKind::Literal(one) => {
            let c = std::str::from_utf8(&one.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(c, c)]))
        }
        HirKind::Empty
        | HirKind::Class(Class::Bytes(_))
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => None,
    }
}

/// The general categories: each name with its aliases in canonical spelling.
const CATEGORIES: [(&str, &[&str]); 38] = [
    ("C", &["Other"]),
    ("Cc", &["Control", "Cntrl"]),
    ("Cf", &["Format"]),
    ("Cn", &["Unassigned"]),
    ("Co", &["Privateuse"]),
    ("Cs", &["Surrogate"]),
    ("L", &["Letter"]),
    ("Lc", &["Casedletter"]),
    ("Ll", &["Lowercaseletter"]),
    ("Lm", &["Modifierletter"]),
    ("Lo", &["Otherletter"]),
    ("Lt", &["Titlecaseletter"]),
    ("Lu", &["Uppercaseletter"]),
    ("M", &["Mark", "Combiningmark"]),
    ("Mc", &["Spacingmark"]),
    ("Me", &["Enclosingmark"]),
    ("Mn", &["Nonspacingmark"]),
    ("N", &["Number"]),
    ("Nd", &["Decimalnumber", "Digit"]),
    ("Nl", &["Letternumber"]),
    ("No", &["Othernumber"]),
    ("P", &["Punctuation", "Punct"]),
    ("Pc", &["Connectorpunctuation"]),
    ("Pd", &["Dashpunctuation"]),
    ("Pe", &["Closepunctuation"]),
    ("Pf", &["Finalpunctuation"]),
    ("Pi", &["Initialpunctuation"]),
    ("Po", &["Otherpunctuation"]),
    ("Ps", &["Openpunctuation"]),
    ("S", &["Symbol"]),
    ("Sc", &["Currencysymbol"]),
    ("Sk", &["Modifiersymbol"]),
    ("Sm", &["Mathsymbol"]),
    ("So", &["Othersymbol"]),
    ("Z", &["Separator"]),
    ("Zl", &["Lineseparator"]),
    ("Zp", &["Paragraphseparator"]),
    ("Zs", &["Spaceseparator"]),
];

/// The scripts with one word that Go knows.
const SCRIPTS: &str = "Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi \
    Braille Buginese Buhid Carian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic \
    Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati \
    Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi \
    Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean \
    Marchen Medefaidrin Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko Nushu Ogham Oriya \
    Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sinhala Sogdian \
    Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh \
    Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi";
