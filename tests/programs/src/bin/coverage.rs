//! Finds the places in the server's library that report errors and that the recorded vectors do not reach. Builds the
//! oracle with coverage, replays the vectors, and compares the missing places with tests/vectors/unreached.txt, which
//! has a reason for each. Needs Go.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crdgen_core::json::to_string;
use crdgen_tests::oracle::Program;
use crdgen_tests::{corpus, vectors};

/// The packages whose errors a client sees when it writes a CRD or an object.
const PACKAGES: &str = "./...,\
    k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/...,\
    k8s.io/apiextensions-apiserver/pkg/apiserver/schema/...,\
    k8s.io/apiextensions-apiserver/pkg/apiserver/validation/...,\
    k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition,\
    k8s.io/apiextensions-apiserver/pkg/registry/customresource,\
    k8s.io/apiextensions-apiserver/pkg/apihelpers,\
    k8s.io/apimachinery/pkg/api/validation/...,\
    k8s.io/apimachinery/pkg/apis/meta/v1/validation,\
    k8s.io/apimachinery/pkg/util/validation/...,\
    k8s.io/apiserver/pkg/registry/rest,\
    k8s.io/apiserver/pkg/util/webhook";

/// The files in which to look for such places, by the end of their paths.
const FILES: &[&str] = &[
    "apis/apiextensions/validation/validation.go",
    "apis/apiextensions/validation/cel_validation.go",
    "apiserver/schema/validation.go",
    "apiserver/schema/complete.go",
    "apiserver/schema/convert.go",
    "apiserver/schema/defaulting/validation.go",
    "apiserver/schema/objectmeta/validation.go",
    "apiserver/schema/objectmeta/coerce.go",
    "apiserver/schema/objectmeta/algorithm.go",
    "apiserver/schema/listtype/validation.go",
    "apiserver/validation/validation.go",
    "apiserver/validation/formats.go",
    "apihelpers/helpers.go",
    "registry/customresourcedefinition/strategy.go",
    "registry/customresource/strategy.go",
    "registry/customresource/validator.go",
    "registry/customresource/status_strategy.go",
    "api/validation/objectmeta.go",
    "api/validation/generic.go",
    "util/validation/validation.go",
    "apiserver/pkg/util/webhook/validation.go",
];

/// Parts of a line that reports an error.
const MARKS: &[&str] = &[
    "field.Invalid(",
    "field.Required(",
    "field.Forbidden(",
    "field.NotSupported(",
    "field.Duplicate(",
    "field.TooLong",
    "field.TooMany(",
    "field.InternalError(",
    "field.TypeInvalid(",
    "field.NotFound(",
    "errors = append(errors",
    "errs = append(errs, fmt",
    "fmt.Errorf(",
    "errors.New(",
    "fmt.Sprintf(\"unrecognized",
    "seen.Insert(fmt",
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("coverage: {e}");
            ExitCode::from(2)
        }
    }
}

fn run() -> io::Result<bool> {
    let target = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()));
    let target = std::path::absolute(target)?;
    let (binary, data, profile) =
        (target.join("oracle-cover"), target.join("cover"), target.join("cover.txt"));
    let sources = corpus::tests_dir().join("oracle");
    go(
        &sources,
        &["build", "-p", "2", "-cover", &format!("-coverpkg={PACKAGES}"), "-o", &text(&binary), "."],
    )?;
    let _ = std::fs::remove_dir_all(&data);
    std::fs::create_dir_all(&data)?;
    replay(&binary, &data)?;
    go(
        &sources,
        &["tool", "covdata", "textfmt", &format!("-i={}", text(&data)), &format!("-o={}", text(&profile))],
    )?;
    report(&sources, &std::fs::read_to_string(&profile)?)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn go(dir: &Path, args: &[&str]) -> io::Result<String> {
    let out = Command::new("go").args(args).current_dir(dir).stderr(Stdio::inherit()).output()?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        Err(io::Error::other(format!("go {} failed", args.join(" "))))
    }
}

fn replay(binary: &Path, data: &Path) -> io::Result<()> {
    let mut requests = Vec::new();
    for area in vectors::recorded()? {
        requests.extend(vectors::load(&area)?.iter().map(|v| to_string(&v.request)));
    }
    // The counters are written into this folder when the process ends.
    Program::new("env", &[&format!("GOCOVERDIR={}", text(data)), &text(binary)]).ask(&requests, 2).map(|_| ())
}

/// Lines of the profile are `file:line.column,line.column statements count`.
fn report(sources: &Path, profile: &str) -> io::Result<bool> {
    let mut blocks: BTreeMap<&str, Vec<(usize, usize, bool)>> = BTreeMap::new();
    for line in profile.lines().skip(1) {
        let Some((file, rest)) = line.split_once(':') else { continue };
        if !FILES.iter().any(|f| file.ends_with(f)) {
            continue;
        }
        let numbers: Vec<usize> = rest.split([',', '.', ' ']).filter_map(|n| n.parse().ok()).collect();
        if let [from, _, to, _, _, count] = numbers[..] {
            blocks.entry(file).or_default().push((from, to, count > 0));
        }
    }
    let reasons = std::fs::read_to_string(vectors::dir().join("unreached.txt")).unwrap_or_default();
    let mut explained: BTreeMap<&str, &str> = reasons
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .filter_map(|l| l.split_once(" -- "))
        .map(|(site, reason)| (site.trim(), reason))
        .collect();
    let (mut reached, mut known, mut unknown) = (0, 0, 0);
    let mut out = io::stdout().lock();
    for (file, blocks) in &blocks {
        let code = std::fs::read_to_string(source_of(sources, file)?)?;
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (i, line) in code.lines().enumerate() {
            if !MARKS.iter().any(|m| line.contains(m)) || line.trim_start().starts_with("//") {
                continue;
            }
            // Whether the innermost block around the line ran.
            let block = blocks
                .iter()
                .filter(|(from, to, _)| (*from..=*to).contains(&(i + 1)))
                .min_by_key(|(from, to, _)| to - from);
            let Some((_, _, ran)) = block else { continue };
            let short = file.rsplit("/pkg/").next().unwrap_or(file);
            // If a line occurs several times, its occurrences are counted.
            let times = seen.entry(line.trim()).or_default();
            *times += 1;
            let count = if *times > 1 { format!(" ({times})") } else { String::new() };
            let site = format!("{short} {}{count}", line.trim());
            if *ran {
                reached += 1;
                if explained.remove(site.as_str()).is_some() {
                    writeln!(out, "reached after all (take it out of unreached.txt): {site}")?;
                }
            } else if explained.contains_key(site.as_str()) {
                known += 1;
            } else {
                unknown += 1;
                writeln!(out, "not reached: {site}")?;
            }
        }
    }
    writeln!(out, "{reached} error sites reached, {known} known to be out of reach, {unknown} not reached")?;
    Ok(unknown == 0)
}

/// Returns the file of a package path: `MODULE/pkg/…/file.go`.
fn source_of(sources: &Path, file: &str) -> io::Result<PathBuf> {
    let Some((module, rest)) = file.split_once("/pkg/") else {
        return Err(io::Error::other(file.to_owned()));
    };
    let dir = go(sources, &["list", "-m", "-f", "{{.Dir}}", module])?;
    Ok(Path::new(dir.trim()).join("pkg").join(rest))
}
