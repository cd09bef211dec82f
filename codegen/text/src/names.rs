//! The rules of Kubernetes for names, labels and keys. Each check returns the server's messages, or none if the value
//! is valid.

use std::cmp::Ordering;

const LABEL_1123: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN_1123: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const LABEL_1035: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const KEY: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/// Checks a label of RFC 1035, such as a plural or the name of a version.
pub fn dns1035_label(name: &str) -> Vec<String> {
    let mut out = too_long(name, 63, "characters");
    if !is_label(name, b'a'..=b'z') {
        out.push(must_match(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
             alphabetic character, and end with an alphanumeric character",
            LABEL_1035,
            &["my-name", "abc-123"],
        ));
    }
    out
}

/// Checks a label of RFC 1123, such as a namespace.
pub fn dns1123_label(name: &str) -> Vec<String> {
    let mut out = too_long(name, 63, "characters");
    if is_subdomain(name) && name.contains('.') {
        out.push("must not contain dots".to_owned());
    } else if !is_subdomain(name) {
        out.push(must_match(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must \
             start and end with an alphanumeric character",
            LABEL_1123,
            &["my-name", "123-abc"],
        ));
    }
    out
}

/// Checks a subdomain of RFC 1123, such as a group and the names of most objects.
pub fn dns1123_subdomain(name: &str) -> Vec<String> {
    subdomain(name, "characters")
}

/// The server always counts bytes, but only newer messages mention bytes.
fn subdomain(name: &str, unit: &str) -> Vec<String> {
    let mut out = too_long(name, 253, unit);
    if !is_subdomain(name) {
        out.push(must_match(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and \
             must start and end with an alphanumeric character",
            SUBDOMAIN_1123,
            &["example.com"],
        ));
    }
    out
}

/// Replaces a dash at the end of a name, and the character before it, by `a`. The server appends text to such a name,
/// so it may end in a dash.
pub fn mask_trailing_dash(name: &str) -> String {
    match name.strip_suffix('-').and_then(|head| head.char_indices().next_back()) {
        Some((last, _)) => format!("{}a", &name[..last]),
        None => name.to_owned(),
    }
}

/// Checks a qualified name, such as the key of a label or an annotation, or a finalizer.
pub fn qualified_name(key: &str) -> Vec<String> {
    qualified(key, "a valid label key", "bytes")
}

/// Checks a qualified name. The messages are those of servers before 1.35.
pub fn qualified_name_before_35(key: &str) -> Vec<String> {
    qualified(key, "a qualified name", "characters")
}

fn qualified(key: &str, noun: &str, unit: &str) -> Vec<String> {
    const WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    const EXAMPLES: &[&str] = &["MyName", "my.name", "123-abc"];
    let mut out = Vec::new();
    let parts: Vec<&str> = key.split('/').collect();
    let name = match parts[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                out.push("prefix part must be non-empty".to_owned());
            } else {
                out.extend(subdomain(prefix, unit).into_iter().map(|m| format!("prefix part {m}")));
            }
            name
        }
        _ => {
            let message = must_match(&format!("{noun} {WORDS}"), KEY, EXAMPLES);
            return vec![format!(
                "{message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        out.push("name part must be non-empty".to_owned());
    }
    out.extend(too_long(name, 63, unit).into_iter().map(|m| format!("name part {m}")));
    if !is_key(name) {
        out.push(must_match(&format!("name part {WORDS}"), KEY, EXAMPLES));
    }
    out
}

/// Checks the value of a label.
pub fn label_value(value: &str) -> Vec<String> {
    label(value, "bytes")
}

/// Checks the value of a label. The messages are those of servers before 1.35.
pub fn label_value_before_35(value: &str) -> Vec<String> {
    label(value, "characters")
}

fn label(value: &str, unit: &str) -> Vec<String> {
    let mut out = too_long(value, 63, unit);
    if !value.is_empty() && !is_key(value) {
        out.push(must_match(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and \
             must start and end with an alphanumeric character",
            "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
            &["MyValue", "my_value", "12345"],
        ));
    }
    out
}

/// Checks a name that is used as a segment of a path.
pub fn path_segment(name: &str) -> Vec<String> {
    if matches!(name, "." | "..") {
        return vec![format!("may not be '{name}'")];
    }
    path_segment_prefix(name)
}

/// Checks the beginning of a name that is used as a segment of a path.
pub fn path_segment_prefix(name: &str) -> Vec<String> {
    let found = ["/", "%"].into_iter().filter(|part| name.contains(part));
    found.map(|part| format!("may not contain '{part}'")).collect()
}

/// Checks a port.
pub fn port(port: i32) -> Vec<String> {
    if (1..=65535).contains(&port) {
        Vec::new()
    } else {
        vec!["must be between 1 and 65535, inclusive".to_owned()]
    }
}

/// Compares version names by priority, as discovery lists them: GA before beta before alpha, and higher numbers before
/// lower ones. Names that are not versions of Kubernetes come last, alphabetically.
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    match (kube_version(a), kube_version(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => b.cmp(a),
    }
}

/// Whether a name is a version of Kubernetes: `v1`, `v1beta2`, `v3alpha1`.
pub fn is_kube_version(name: &str) -> bool {
    kube_version(name).is_some()
}

/// The stability, major and minor number of `v1`, `v1beta2`, `v3alpha1`.
fn kube_version(name: &str) -> Option<(u8, i64, i64)> {
    let rest = name.strip_prefix('v')?;
    let (major, stability, minor) = if let Some((major, minor)) = rest.split_once("alpha") {
        (major, 0, Some(minor))
    } else if let Some((major, minor)) = rest.split_once("beta") {
        (major, 1, Some(minor))
    } else {
        (rest, 2, None)
    };
    let number = |digits: &str| {
        let good = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if good { digits.parse().ok() } else { None }
    };
    Some((stability, number(major)?, minor.map_or(Some(0), number)?))
}

fn too_long(name: &str, max: usize, unit: &str) -> Vec<String> {
    if name.len() > max { vec![format!("must be no more than {max} {unit}")] } else { Vec::new() }
}

/// Says what a text must match, with examples.
pub fn must_match(words: &str, pattern: &str, examples: &[&str]) -> String {
    let examples = examples.join("',  or '");
    format!("{words} (e.g. '{examples}', regex used for validation is '{pattern}')")
}

fn is_subdomain(name: &str) -> bool {
    name.split('.').all(|label| is_label(label, b'a'..=b'z') || is_label(label, b'0'..=b'9'))
}

/// Lowercase letters, digits and inner dashes. The first character must be in `first`.
fn is_label(label: &str, first: std::ops::RangeInclusive<u8>) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(|b| first.contains(b))
        && bytes.last() != Some(&b'-')
        && bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

fn is_key(name: &str) -> bool {
    let bytes = name.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().all(|b| b.is_some_and(u8::is_ascii_alphanumeric))
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_names_are_good() {
        let check = |f: fn(&str) -> Vec<String>, good: &[&str], bad: &[&str]| {
            for name in good {
                assert_eq!(f(name), Vec::<String>::new(), "{name}");
            }
            for name in bad {
                assert!(!f(name).is_empty(), "{name}");
            }
        };
        check(
            dns1035_label,
            &["a", "a-b", "a1"],
            &["", "1a", "a-", "-a", "A", "a.b", "a_b", &"a".repeat(64)],
        );
        check(dns1123_label, &["a", "1a"], &["", "a.b", "a-", "A"]);
        check(dns1123_subdomain, &["a", "1.b-c"], &["", "a..b", ".a", "a.", "a.-b"]);
        check(qualified_name, &["a", "A_b", "x.y/Z"], &["", "/a", "a/", "a/b/c", "-a", "X.y/a"]);
        check(label_value, &["", "a", "A_b.c"], &["-", "a/", &"a".repeat(64)]);
        check(path_segment, &["a", "..."], &[".", "..", "a/b", "a%b"]);
    }

    #[test]
    fn words() {
        assert_eq!(
            dns1035_label("A"),
            [
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic \
              character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
              validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
            ]
        );
        assert_eq!(mask_trailing_dash("ab-"), "aa");
        assert_eq!(mask_trailing_dash("-"), "-");
    }
}
