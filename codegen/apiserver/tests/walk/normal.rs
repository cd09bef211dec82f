//! Texts without what differs from run to run: times, ids, versions, ages, addresses, generated names and the widths of columns; and
//! without the order of errors, which is random in Go.

use crate::recorded::has_shape;

pub(super) fn normal(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(line).collect();
    for group in lines.chunk_by_mut(|a, b| a.starts_with("* ") && b.starts_with("* ")) {
        group.sort_unstable();
    }
    lines.join("\n")
}

fn line(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut out = line[..indent].to_owned();
    let mut gap = "";
    for word in line.trim().split_inclusive(' ') {
        let word = match word.trim_end() {
            "" => {
                gap = "  ";
                continue;
            }
            word => word,
        };
        out.push_str(gap);
        out.push_str(&if is_age(word) { "AGE".to_owned() } else { without_ids(word) });
        gap = " ";
    }
    match out.trim_start().split_once(' ') {
        Some(("resourceVersion:", version)) if version != "\"\"" => {
            format!("{}resourceVersion: VERSION", &line[..indent])
        }
        Some(("Resource", rest)) if rest.starts_with("Version:") => {
            format!("{}Resource Version: VERSION", &line[..indent])
        }
        Some(("\"resourceVersion\":", version)) => {
            let comma = if version.ends_with(',') { "," } else { "" };
            format!("{}\"resourceVersion\": VERSION{comma}", &line[..indent])
        }
        _ => out.trim_end().to_owned(),
    }
}

/// Whether a word is an age: `5s`, `2m3s`.
fn is_age(word: &str) -> bool {
    let units = ['s', 'm', 'h', 'd'];
    let is_part = |part: &str| {
        let digits = part.strip_suffix(units).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    !word.is_empty() && word.split_inclusive(units).all(is_part)
}

/// Shapes of what differs: `d` is a digit, `x` a hexadecimal one, and `?` a letter or digit.
const SHAPES: [(&str, &str); 6] = [
    ("dddd-dd-ddTdd:dd:dd.ddddddZ", "TIME"),
    ("dddd-dd-ddTdd:dd:ddZ", "TIME"),
    ("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "UID"),
    ("127.0.0.1:ddddd", "SERVER"),
    ("gen-?????", "gen-XXXXX"),
    (":3dddd/", ":NODE/"),
];

fn without_ids(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    'rest: while let Some(first) = rest.chars().next() {
        for (shape, name) in SHAPES {
            if has_shape(rest.as_bytes(), shape.as_bytes()) {
                out.push_str(name);
                rest = &rest[shape.len()..];
                continue 'rest;
            }
        }
        if let Some(address) = rest.strip_prefix("10.96.") {
            out.push_str("ADDRESS");
            rest = address.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            continue;
        }
        if let Some(version) = rest.strip_prefix("\"resourceVersion\":\"") {
            out.push_str("\"resourceVersion\":\"VERSION");
            rest = version.trim_start_matches(|c: char| c.is_ascii_digit());
            continue;
        }
        out.push(first);
        rest = &rest[first.len_utf8()..];
    }
    out
}
