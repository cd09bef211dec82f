//! The same types get the same verdict wherever crdgen checks them: by the derive, by the generated test, by `crdgen emit`,
//! by `Builder`, and by `crdgen check` on the YAML that the types produce. `tests/ui/doors.table` shows what each of them
//! reports for each case of `tests/ui`. `UPDATE=1` writes it again.

use super::ui::{self, Reports, has_error, reported_by_macro};
use crdgen::Builder;
use crdgen::source::{self, Options};
use crdgen_core::diag::{Diag, Level, codes};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What is reported about one case.
#[derive(Default)]
struct Doors {
    derive: Reports,
    /// None if the types do not compile, so there is no test to run.
    test: Option<Reports>,
    emit: Reports,
    builder: Reports,
    /// None if there is no CRD to check.
    check: Option<Reports>,
    /// The codes that comments in the YAML allow.
    allowed: Vec<String>,
}

fn reports<'d>(diags: impl IntoIterator<Item = &'d Diag>) -> Reports {
    diags.into_iter().map(|diag| (diag.level, diag.code.id.to_owned())).collect()
}

/// What `crdgen emit` reports although a generated test does not: what only a compiled program knows, and what only all versions
/// of a kind show together.
fn is_unknown_to_one(code: &str) -> bool {
    let codes = [&codes::rust::UNKNOWN_TYPE, &codes::rust::DEFAULT_UNKNOWN, &codes::crd::STORAGE_VERSION];
    codes.iter().any(|unknown| unknown.id == code)
}

#[test]
fn every_case_gets_the_same_verdict_everywhere() {
    let folder = std::env::temp_dir().join(format!("crdgen-doors-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    let mut all: Vec<(String, Doors)> = Vec::new();
    ui::each_case(&mut |file, name, text| {
        let number = all.len();
        all.push((format!("{file}: {name}"), doors(text, number, &folder)));
    });
    let checked = check(&folder);
    std::fs::remove_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    for (number, (_, doors)) in all.iter_mut().enumerate() {
        if let Some(found) = &mut doors.check {
            let all = checked.get(&format!("{number:04}.yaml")).into_iter().flatten();
            // A note says what was not checked.
            let counts =
                |(level, code): &&(Level, String)| *level != Level::Note && !doors.allowed.contains(code);
            found.extend(all.filter(counts).cloned());
        }
    }
    let differences: Vec<String> = all
        .iter()
        .flat_map(|(name, doors)| doors.differences().into_iter().map(move |d| format!("{name}: {d}")))
        .collect();
    let table = table(&all);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/doors.table");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&golden, &table).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(differences.is_empty(), "{} verdicts differ:\n{}", differences.len(), differences.join("\n"));
    let found = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(found == table, "{} differs, run with UPDATE=1 and look at the difference", golden.display());
}

/// What everything except `crdgen check` reports about a source. Writes its CRDs to the folder for `check`.
fn doors(text: &str, number: usize, folder: &Path) -> Doors {
    let file = folder.join("lib.rs");
    std::fs::write(&file, text).unwrap_or_else(|e| panic!("{e}"));
    let emitted = source::read_text("lib.rs", text, &Options::default());
    let emit = reports(emitted.found.iter().map(|found| &found.diag));
    let builder = match Builder::new().source(&file).quiet(true).run() {
        Ok(read) => reports(read.found.iter().map(|found| &found.diag)),
        Err(crdgen::Error::Mistakes { found, .. }) => reports(
            found
                .iter()
                .map(|found| &found.diag)
                .chain(emitted.found.iter().map(|f| &f.diag).filter(|d| d.level != Level::Error)),
        ),
        Err(other) => panic!("{other}"),
    };
    let derive = reported_by_macro(text);
    let compiled =
        source::read_text("lib.rs", text, &Options { force: true, unchecked: true, ..Options::default() });
    let test = (!has_error(&derive)).then(|| {
        // What linking reports is in the CRD of a compiled program too.
        let linked = compiled.found.iter().map(|found| &found.diag).filter(|d| !is_unknown_to_one(d.code.id));
        let mut out: Reports =
            reports(linked).into_iter().filter(|(level, _)| *level == Level::Error).collect();
        for crd in &compiled.crds {
            out.extend(reports(&crdgen::__private::examine(crd.clone())));
        }
        out
    });
    let documents = crdgen::emit::documents(&compiled.crds, crdgen::emit::OutputFormat::Yaml, None);
    let is_known = !emit.iter().any(|(level, code)| *level == Level::Error && code.starts_with("RST"));
    let check = (is_known && !documents.is_empty()).then(Reports::new);
    let mut allowed = Vec::new();
    if check.is_some() {
        let yaml = crdgen::emit::joined(&documents, crdgen::emit::OutputFormat::Yaml);
        let comments = yaml.lines().filter_map(|line| line.trim_start().strip_prefix("# crdgen:allow "));
        allowed.extend(comments.filter_map(|comment| comment.split(' ').next()).map(str::to_owned));
        std::fs::write(folder.join(format!("{number:04}.yaml")), &yaml).unwrap_or_else(|e| panic!("{e}"));
    }
    Doors { derive, test, emit, builder, check, allowed }
}

/// What `crdgen check` reports about all files of a folder, by the name of the file.
fn check(folder: &Path) -> BTreeMap<String, Reports> {
    let out = Command::new(env!("CARGO_BIN_EXE_tool"))
        .args(["check", "--output", "json"])
        .args(
            std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .filter(|p| p.extension().is_some_and(|e| e == "yaml")),
        )
        .output()
        .unwrap_or_else(|e| panic!("{e}"));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stderr)));
    let mut all = BTreeMap::<String, Reports>::new();
    for found in report["findings"].as_array().into_iter().flatten() {
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        // Equal CRDs of two cases are copies of each other.
        let copies = found["copies"].as_array().into_iter().flatten().map(|copy| &copy["file"]);
        let files = std::iter::once(&found["file"]).chain(copies).filter_map(serde_json::Value::as_str);
        let level = match text("level").as_str() {
            "error" => Level::Error,
            "warning" => Level::Warning,
            "note" => Level::Note,
            other => panic!("{other}: no level in {found}"),
        };
        for file in files {
            let file = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
            all.entry(file).or_default().insert((level, text("code")));
        }
    }
    all
}

impl Doors {
    /// How the verdicts contradict each other.
    fn differences(&self) -> Vec<String> {
        let Doors { derive, test, emit, builder, check, allowed: _ } = self;
        let mut out = Vec::new();
        let mut require = |is_so: bool, otherwise: &str| {
            if !is_so {
                out.push(format!("{otherwise} {}", self.row()));
            }
        };
        require(emit == builder, "emit and Builder differ");
        require(!has_error(derive) || has_error(emit), "the derive rejects what emit accepts");
        if let Some(test) = test {
            let known = emit.iter().filter(|(_, code)| !is_unknown_to_one(code)).cloned().collect();
            require(!has_error(test) || has_error(emit), "the generated test rejects what emit accepts");
            require(has_error(test) || !has_error(&known), "emit rejects what compiles and passes the test");
        }
        if let Some(check) = check {
            require(has_error(check) == has_error(emit), "check and emit differ");
            let warns = |reports: &Reports, code: &str| reports.iter().any(|(_, other)| other == code);
            require(
                has_error(emit)
                    || check.iter().all(|(level, code)| *level == Level::Note || warns(emit, code)),
                "emit does not warn as check does",
            );
        }
        let warned =
            derive.iter().all(|(_, code)| has_error(emit) || emit.iter().any(|(_, other)| other == code));
        require(warned, "emit does not warn as the derive does");
        let can_be_allowed = |code: &str| {
            code == codes::exception::UNUSED.id || codes::allowable().any(|allowed| allowed.id == code)
        };
        let warnings = derive.iter().chain(emit).filter(|(level, _)| *level == Level::Warning);
        require(warnings.into_iter().all(|(_, code)| can_be_allowed(code)), "a warning cannot be allowed");
        out
    }

    fn row(&self) -> String {
        let none = Reports::new();
        let mut out = String::new();
        for (name, reports) in [
            ("derive", Some(&self.derive)),
            ("test", self.test.as_ref()),
            ("emit", Some(&self.emit)),
            ("check", self.check.as_ref()),
        ] {
            let words: Vec<String> = reports
                .unwrap_or(&none)
                .iter()
                .rev()
                .map(|(level, code)| format!("{}{code}", sign(*level)))
                .collect();
            let words = match reports {
                None => "·".to_owned(),
                Some(_) if words.is_empty() => "-".to_owned(),
                Some(_) => words.join(","),
            };
            write!(out, "{name} {words:<14} ").unwrap_or_else(|e| panic!("{e}"));
        }
        out
    }
}

/// Warnings and notes get a sign, so that errors are easy to see.
fn sign(level: Level) -> &'static str {
    match level {
        Level::Error => "",
        Level::Warning => "?",
        Level::Note => "i",
    }
}

fn table(all: &[(String, Doors)]) -> String {
    let mut out = String::from(
        "# The codes that the derive, the generated test (with the feature `check`), `crdgen emit` and `Builder`, and `crdgen check`\n# report for each case of this folder that is not right. `?` marks warnings and `i` notes. `·`: there is nothing to test or check.\n",
    );
    for (name, doors) in all {
        let is_right = doors.derive.is_empty()
            && doors.emit.is_empty()
            && doors.test.as_ref().is_none_or(Reports::is_empty);
        if !is_right {
            writeln!(out, "{}| {name}", doors.row()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    out
}
