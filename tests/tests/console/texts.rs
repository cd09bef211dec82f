//! Files as editors on all systems write them: their encodings, line breaks, tabs and wide characters. And binary files.

use std::fs;
use std::path::Path;

use super::arguments::{folder, shell};
use crdgen_tests::corpus::GOOD as CRD;
use serde_json::Value;

/// A CRD with errors in the first line, and behind tabs, wide characters and characters of several code units.
const TEXT: &str = "\
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: goods.example.com}
spec:
  group: example.com
  scope: Namespaced
  preserveUnknownFields: false
  names: {plural: goods, kind: Good}
  versions: [{name: v1, served: true, storage: true}]
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec: {description: \"日本語 🎉 e\u{301}\", typo: 1, type: object}
        status: {\ttype: object,\ttypo: 1}
        other: {description: \"zero\u{200b}width\", typo: 1, type: object}
";

/// Where the errors are.
const PLACES: [(u32, u32); 4] = [(1, 13), (14, 41), (15, 33), (16, 44)];

/// The text in all encodings that kubectl reads.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 5] {
    let units = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    };
    [
        ("utf-8", text.as_bytes().to_vec()),
        ("mark", format!("\u{feff}{text}").into_bytes()),
        ("crlf", text.replace('\n', "\r\n").into_bytes()),
        ("utf-16le", units(u16::to_le_bytes)),
        ("utf-16be", units(u16::to_be_bytes)),
    ]
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder)).unwrap_or_else(|e| panic!("{e}"));
    fs::write(&path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Removes the offsets of places, which differ between encodings.
fn without_offsets(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("offset");
            members.values_mut().for_each(without_offsets);
        }
        Value::Array(items) => items.iter_mut().for_each(without_offsets),
        _ => {}
    }
}

#[test]
fn places_are_the_same_in_all_encodings() {
    let folder = folder("encodings", &[]);
    for (name, bytes) in encoded(TEXT) {
        write(&folder, &format!("{name}/crd.yaml"), &bytes);
    }
    for format in ["human", "json", "sarif", "github", "gitlab", "junit", "markdown"] {
        let run = |name: &str| {
            let (code, out, err) = shell(&folder.join(name), &format!("crdgen check crd.yaml -o {format}"));
            assert_eq!(code, Some(1), "{name} {format}: {err}");
            match format {
                "json" => {
                    let mut value: Value =
                        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"));
                    without_offsets(&mut value);
                    serde_json::to_string_pretty(&value).unwrap_or_default()
                }
                _ => out,
            }
        };
        let expected = run("utf-8");
        for (name, _) in encoded(TEXT) {
            assert_eq!(run(name), expected, "{name} {format}");
        }
        for (line, column) in PLACES {
            let is_there = match format {
                "human" | "junit" | "markdown" => expected.contains(&format!("crd.yaml:{line}:{column}")),
                "github" => expected.contains(&format!("line={line},col={column},")),
                "sarif" => expected.contains(&format!("\"startColumn\":{column},\"startLine\":{line}}}")),
                "gitlab" => expected.contains(&format!("\"begin\":{line}}}")),
                _ => expected.contains(&format!("\"column\": {column},\n        \"line\": {line}")),
            };
            assert!(is_there, "{format}: {line}:{column}: {expected}");
        }
    }
}

/// The marks are below what they are about, as a terminal shows it.
#[test]
fn marks_are_below_wide_characters() {
    let folder = folder("marks", &[("crd.yaml", TEXT)]);
    let (_, out, _) = shell(&folder, "crdgen check crd.yaml");
    for wanted in [
        "spec: {description: \"日本語 🎉 e\u{301}\", typo: 1, type: object}\n   |                                            ^^^^\n",
        "status: {    type: object,    typo: 1}\n   |                                       ^^^^\n",
        "other: {description: \"zero\\u{200b}width\", typo: 1, type: object}\n   |                                                   ^^^^\n",
    ] {
        assert!(out.contains(wanted), "{wanted}{out}");
    }
}

#[test]
fn exceptions_are_read_in_all_encodings() {
    let folder = folder("encoded-exceptions", &[]);
    let text = format!("# crdgen:allow OBJ031 an old cluster\n# crdgen:allow CRD005 known\n{TEXT}");
    for (name, bytes) in encoded(&text) {
        write(&folder, "crd.yaml", &bytes);
        let (code, out, err) = shell(&folder, "crdgen check crd.yaml");
        assert_eq!((code, out.as_str()), (Some(0), ""), "{name}: {err}");
    }
}

/// git does not know yet that the file has moved.
#[test]
fn moved_files_are_found_in_all_encodings() {
    for (name, bytes) in encoded(CRD) {
        let folder = folder("encoded-moves", &[]);
        write(&folder, "old/crd.yaml", &bytes);
        let commit = "git init -q -b main . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm a";
        let (code, _, err) = shell(&folder, &format!("{commit} && mv old new"));
        assert_eq!(code, Some(0), "{name}: {err}");
        let (code, out, err) = shell(&folder, "crdgen diff git:main new");
        assert!(code == Some(0) && !err.contains("as new"), "{name}: {out}{err}");
    }
}

/// The same for the sources of types.
#[test]
fn sources_in_rust_may_have_marks() {
    let fixable = include_str!("../../goldens/console/fixable.rs");
    let wrong = "#[derive(crdgen::CustomResource, crdgen::Schema)] #[kube(group = \"a.b\", version = \"v1\", kind = \"X\", typo = 1)] pub struct XSpec { pub a: i32 }\n";
    let folder = folder("encoded-sources", &[]);
    let run = |name: &str, bytes: &[u8]| {
        write(&folder, "types.rs", bytes);
        write(&folder, "wrong.rs", &encoded(wrong).into_iter().find(|it| it.0 == name).unwrap_or_default().1);
        let (_, wrong, err) = shell(&folder, "crdgen check wrong.rs");
        assert!(wrong.contains("wrong.rs:1:101\n"), "{name}: {wrong}{err}");
        let (_, found, _) = shell(&folder, "crdgen check types.rs --lint api");
        let (_, out, err) = shell(&folder, "crdgen check types.rs --lint api --fix");
        let after = fs::read(folder.join("types.rs")).unwrap_or_else(|e| panic!("{e}"));
        assert!(err.contains("fixed ") && after != bytes, "{name}: {out}{err}");
        (wrong, found, out, err, after)
    };
    let plain = run("utf-8", fixable.as_bytes());
    for (name, bytes) in encoded(fixable).into_iter().filter(|(name, _)| ["mark", "crlf"].contains(name)) {
        let other = run(name, &bytes);
        assert_eq!(
            (&other.0, &other.1, &other.2, &other.3),
            (&plain.0, &plain.1, &plain.2, &plain.3),
            "{name}"
        );
        assert_eq!(other.4.starts_with(b"\xef\xbb\xbf"), name == "mark");
        let text = String::from_utf8_lossy(&other.4).replace('\u{feff}', "").replace("\r\n", "\n");
        assert_eq!(text, String::from_utf8_lossy(&plain.4), "{name}");
    }
}

/// `--fix` keeps everything else in a file, and so it leaves files in UTF-16 alone.
#[test]
fn fixes_keep_the_encoding() {
    let text = CRD.replace("{a: {type: string}", "{a: {type: integer, format: uint32}");
    assert_ne!(text, CRD);
    for (name, bytes) in encoded(&text) {
        let folder = folder("encoded-fixes", &[]);
        write(&folder, "crd.yaml", &bytes);
        let (code, out, err) = shell(&folder, "crdgen check crd.yaml --lint LNT008 --fix");
        let is_wide = name.starts_with("utf-16");
        let after = fs::read(folder.join("crd.yaml")).unwrap_or_else(|e| panic!("{e}"));
        let refused = "not fixed: crd.yaml is in UTF-16; convert it to UTF-8 first\n";
        assert_eq!(err.contains(refused), is_wide, "{name}: {err}");
        assert_eq!(after == bytes, is_wide, "{name}: {out}{err}");
        assert_eq!(after.starts_with(b"\xef\xbb\xbf"), name == "mark");
        assert_eq!(String::from_utf8_lossy(&after).contains("\r\n"), name == "crlf");
        assert_eq!(code, Some(0), "{name}: {out}{err}");
        assert_eq!(out.contains("LNT008"), is_wide, "{name}: {out}{err}");
    }
}

/// Files with the names of texts.
#[test]
fn says_what_binary_files_are() {
    let folder = folder("binary", &[("crd.yaml", CRD)]);
    write(&folder, "image.yaml", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0---\n\0---\n\0");
    write(&folder, "packed.yaml", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c");
    for (file, kind) in
        [("image.yaml", "a PNG image"), ("packed.yaml", "compressed with gzip; decompress it first")]
    {
        for line in [format!("check {file}"), "check .".to_owned(), format!("validate {file} --crd crd.yaml")]
        {
            let (code, out, err) = shell(&folder, &format!("crdgen {line}"));
            let wanted = format!("{file}\n = help: the file is {kind}\n");
            assert!(code == Some(1) && out.contains(&wanted), "{line}: {out}{err}");
            assert_eq!(out.matches(file).count(), 1, "{line}: {out}");
        }
    }
}
