//! Texts that are being written: the tolerant reader against the strict one, on the shared corpus, with random cuts and mistakes.

use crdgen_text::path::Step;
use crdgen_text::span::Locate;
use crdgen_text::value::Value;
use crdgen_text::yaml::{self, Draft, Form, Part};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The texts of the shared corpus. None if it is missing.
fn corpus() -> Option<Vec<(PathBuf, String)>> {
    let dir = std::env::var_os("CRDGEN_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    let mut files = Vec::new();
    add_files(&dir, &mut files);
    files.sort();
    let texts =
        files.into_iter().filter_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?)));
    let texts: Vec<_> = texts.collect();
    if texts.is_empty() {
        eprintln!("SKIPPED: the shared corpus is missing");
        return None;
    }
    Some(texts)
}

fn add_files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(|it| it.to_str()) {
            _ if path.is_dir() => add_files(&path, out),
            Some("yaml" | "yml" | "json") => out.push(path),
            _ => {}
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn seed() -> u64 {
    std::env::var("CRDGEN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// Checks that a value has the same shape and places in a draft.
fn same(
    document: &yaml::Document,
    value: &Value,
    part: Part<'_>,
    steps: &mut Vec<Step>,
) -> Result<(), String> {
    match (value, part.form()) {
        (Value::Map(map), Form::Map) => {
            for (name, value) in map.iter() {
                steps.push(Step::Key(name.to_owned()));
                // A merge key adds members of other maps.
                if let Some((key, part)) = part.member(name) {
                    let place = document.locate_key(steps).map(|at| at.start.offset);
                    if place != Some(key.range().start) {
                        return Err(format!("{steps:?}: {place:?} is not {:?}", key.range()));
                    }
                    same(document, value, part, steps)?;
                } else if part.member("<<").is_none() {
                    return Err(format!("{steps:?} is missing"));
                }
                steps.pop();
            }
        }
        (Value::List(items), Form::List) => {
            let parts: Vec<_> = part.items().collect();
            if parts.len() != items.len() {
                return Err(format!("{steps:?}: {} items", parts.len()));
            }
            for (i, (item, part)) in items.iter().zip(parts).enumerate() {
                steps.push(Step::Index(i));
                same(document, item, part, steps)?;
                steps.pop();
            }
        }
        (Value::Str(text), Form::Scalar(written)) => {
            if text != written {
                return Err(format!("{steps:?}: {text:?} is not {written:?}"));
            }
            let place = document.locate(steps).map(|at| at.start.offset);
            if part.is_plain() && !text.is_empty() && place != Some(part.range().start) {
                return Err(format!("{steps:?}: {place:?} is not {:?}", part.range()));
            }
        }
        (Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_), Form::Scalar(_)) => {}
        (value, form) => return Err(format!("{steps:?}: {value:?} is not {form:?}")),
    }
    Ok(())
}

#[test]
fn valid_documents_are_what_the_strict_reader_reads() {
    let Some(corpus) = corpus() else { return };
    let mut count = 0;
    for (path, text) in &corpus {
        let (documents, problems) = yaml::read(text.as_bytes());
        if !problems.is_empty() {
            continue;
        }
        let drafts = Draft::read_all(text);
        for document in &documents {
            let Some(draft) = drafts.iter().find(|draft| draft.range() == document.range()) else {
                // The strict reader adds a line break at the end.
                let ends = document.range().end > text.len();
                assert!(ends, "{}: {:?}", path.display(), document.range());
                continue;
            };
            let root = draft.root().unwrap_or_else(|| panic!("{}: an empty draft", path.display()));
            if let Err(why) = same(document, &document.value, root, &mut Vec::new()) {
                panic!("{}: {why}", path.display());
            }
            count += 1;
        }
    }
    println!("{count} documents are the same");
    assert!(count > 1_000);
}

/// A scalar of a draft: its bytes, the names of the keys to it, and its text.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    range: Range<usize>,
    path: String,
    text: String,
}

fn entries(text: &str) -> Vec<Entry> {
    let mut out = Vec::new();
    for draft in Draft::read_all(text) {
        if let Some(root) = draft.root() {
            add_entries(root, "", &mut out);
        }
    }
    out
}

fn add_entries(part: Part<'_>, path: &str, out: &mut Vec<Entry>) {
    match part.form() {
        Form::Scalar(text) => {
            out.push(Entry { range: part.range(), path: path.to_owned(), text: text.to_owned() });
        }
        // An alias is the same parts again.
        _ if part.is_alias() => {}
        Form::List => {
            for (i, item) in part.items().enumerate() {
                add_entries(item, &format!("{path}/{i}"), out);
            }
        }
        Form::Map => {
            for (key, value) in part.members() {
                out.push(Entry { range: key.range(), path: path.to_owned(), text: key.name().into_owned() });
                add_entries(value, &format!("{path}/{}", key.name()), out);
            }
        }
    }
}

#[test]
fn prefixes_keep_the_path_to_the_cursor() {
    let Some(corpus) = corpus() else { return };
    let mut random = Random(seed());
    let (mut files, mut prefixes, mut lost) = (0, 0, Vec::new());
    while files < 200 {
        let (path, text) = &corpus[random.below(corpus.len())];
        // The property needs a text whose own tree is known.
        if text.len() > 200_000 || !yaml::read(text.as_bytes()).1.is_empty() {
            continue;
        }
        files += 1;
        let mut whole = entries(text);
        whole.retain(|entry| !entry.range.is_empty());
        for _ in 0..20 {
            let mut cut = random.below(text.len());
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let part = entries(&text[..cut]);
            prefixes += 1;
            let before: Vec<&Entry> = whole.iter().filter(|entry| entry.range.end < cut).collect();
            let mut here = part.iter().filter(|entry| !entry.range.is_empty());
            // The last scalar may go on after the cut.
            let (last, complete) = match before.split_last() {
                Some((last, complete)) => (Some(*last), complete),
                None => (None, &[][..]),
            };
            let is_kept = complete.iter().all(|entry| here.next() == Some(*entry))
                && last.is_none_or(|last| {
                    here.next().is_some_and(|it| it.path == last.path && it.range.start == last.range.start)
                });
            if !is_kept {
                lost.push(format!("{}:{cut}", path.display()));
            }
        }
    }
    let kept = prefixes - lost.len();
    println!(
        "{kept} of {prefixes} prefixes of {files} files keep the path to the cursor; lost: {:#?}",
        &lost[..lost.len().min(10)]
    );
    assert!(lost.is_empty());
}

#[test]
fn mistakes_leave_the_rest_of_the_text() {
    let Some(corpus) = corpus() else { return };
    let mut random = Random(seed());
    let (mut count, mut all, mut kept, mut cursors) = (0, 0, 0, 0);
    let started = Instant::now();
    while count < 2_000 {
        let (_, text) = &corpus[random.below(corpus.len())];
        if text.len() > 100_000 || !text.is_ascii() {
            continue;
        }
        let at = random.below(text.len());
        let (line, line_end) = line_at(text, at);
        let written = match random.below(7) {
            // The rest of the line, or the rest and its colon, is not written yet.
            0 => format!("{}{}", &text[..at], &text[line_end..]),
            1 => format!("{}{}", &text[..line], text[line..].replacen(':', "", 1)),
            2 => format!("{}\t{}", &text[..line], &text[line..]),
            3 => format!("{} {}", &text[..line], &text[line..]),
            4 => format!("{}\"{}", &text[..at], &text[at..]),
            5 => format!("{}[{}", &text[..at], &text[at..]),
            _ => format!("{}{{{}", &text[..at], &text[at..]),
        };
        if yaml::read(written.as_bytes()).1.is_empty() {
            continue;
        }
        count += 1;
        let mut whole = entries(text);
        whole.retain(|entry| !entry.range.is_empty());
        let moved = |entry: &Entry| entry.range.start + written.len() - text.len();
        let part: std::collections::HashSet<(usize, String, String)> =
            entries(&written).into_iter().map(|it| (it.range.start, it.path, it.text)).collect();
        for entry in &whole {
            if entry.range.end < line {
                cursors += 1;
                assert!(
                    part.contains(&(entry.range.start, entry.path.clone(), entry.text.clone()))
                        || entry.text.contains('\n')
                        || entry.text.len() != entry.range.len(),
                    "{entry:?} is before the mistake at {at} in\n{written}"
                );
            } else if entry.range.start > line_end {
                all += 1;
                kept += usize::from(part.contains(&(moved(entry), entry.path.clone(), entry.text.clone())));
            }
        }
    }
    let rate = kept as f64 / f64::from(all) * 100.0;
    println!(
        "{count} mistakes in {:?}: {cursors} scalars before them, and {rate:.1} % of the {all} after them, are kept",
        started.elapsed()
    );
    assert!(rate > 80.0);
}

fn line_at(text: &str, at: usize) -> (usize, usize) {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    (start, text[at..].find('\n').map_or(text.len(), |i| at + i))
}

/// The tree of a part, in the notation of JSON.
fn json(part: Part<'_>) -> String {
    match part.form() {
        Form::Scalar(text) => format!("{text:?}"),
        Form::List => format!("[{}]", part.items().map(json).collect::<Vec<_>>().join(", ")),
        Form::Map => {
            let member = |(key, value): (Part<'_>, Part<'_>)| format!("{:?}: {}", key.name(), json(value));
            format!("{{{}}}", part.members().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// `drafts.txt` has texts with mistakes, and their trees.
#[test]
fn mistakes_have_trees() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/drafts.txt");
    let known = std::fs::read_to_string(path).unwrap();
    let mut parts = known.split("=== ");
    let mut found = parts.next().unwrap_or_default().to_owned();
    for case in parts {
        let (title, text) = case.split_once('\n').unwrap();
        let text: String = text.split_inclusive('\n').filter(|line| !line.starts_with("-> ")).collect();
        found.push_str(&format!("=== {title}\n{text}"));
        for draft in Draft::read_all(&text) {
            found.push_str(&format!("-> {}\n", draft.root().map(json).unwrap_or_default()));
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    assert_eq!(known, found, "UPDATE=1 writes what was found");
}

#[test]
fn any_text_has_a_draft() {
    let pieces = [
        "a:",
        " ",
        "\n",
        "  ",
        "- ",
        "-",
        "\t",
        "b: c",
        "[",
        "]",
        "{",
        "}",
        ",",
        ": ",
        ":",
        "? ",
        "&x ",
        "*x",
        "*",
        "!t ",
        "!",
        "'",
        "\"",
        "\\",
        "|",
        ">",
        "|2",
        "#",
        "@",
        "`",
        "%YAML 1.1",
        "%",
        "---",
        "...",
        "\u{e9}",
        "\u{1}",
        "\u{feff}",
        "\r",
        "\u{2028}",
        "<<: ",
        "key",
        "\n  key:",
        "\n    - x",
    ];
    let mut random = Random(seed());
    for _ in 0..200_000 {
        let text: String = (0..random.below(24)).map(|_| pieces[random.below(pieces.len())]).collect();
        for draft in Draft::read_all(&text) {
            for offset in 0..=text.len() {
                let spot = draft.spot(offset);
                assert!(spot.around.len() <= text.len());
            }
        }
    }
}

#[test]
fn time_grows_with_the_text_and_not_with_the_mistakes() {
    let time = |line: &str, count: usize| {
        let text = line.repeat(count);
        let started = Instant::now();
        assert!(!Draft::read_all(&text).is_empty());
        started.elapsed()
    };
    for line in [
        "a: \"b\n",
        "a: [b\n",
        "a: {b: 'c\n",
        "  a\n",
        "b: c: d\n",
        "\ta: b\n",
        " - a\nb\n",
        "a: *x\n",
        "[",
        "{",
        "- ",
        "? ",
        "a:\n   b: c\n  d: e\n",
        "'",
        "a: |x\n",
        "\"\\y\n",
    ] {
        let (small, large) = (time(line, 2_000), time(line, 16_000));
        println!("{line:?}: {small:?}, {large:?}");
        assert!(large < small * 40 + std::time::Duration::from_millis(200), "{line:?}: {small:?}, {large:?}");
    }
}
