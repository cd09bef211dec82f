//! Compares other validators with the server: how they check real objects and edits of them, as strict creates. The
//! table is for `codegen/COMPARISON.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use crdgen_core::json::{self, to_string};
use crdgen_core::value::{Map, Value};
use crdgen_core::{check, decode};
use crdgen_programs::tables;
use crdgen_tests::mutate::object::of_seed;
use crdgen_tests::rng::Rng;
use crdgen_tests::{corpus, oracle};

const USAGE: &str = "\
usage: validators [--dir FOLDER] [--bin FOLDER] [--count N] [--seed N] [--into FILE]
  --dir FOLDER  where definitions and objects go (default: a folder of the system's for such things)
  --bin FOLDER  where kubeconform, kubectl-validate and flux-schema are (default: they are on the PATH);
                go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
                go install sigs.k8s.io/kubectl-validate@v0.0.4
                flux-schema 0.9.0 is built in its repository: go build ./cmd/flux-schema
  --count N     how many objects (default 2400)
  --into FILE   put the table into a text, between its lines <!-- validators --> and <!-- /validators -->";

struct Args {
    dir: PathBuf,
    bin: Option<PathBuf>,
    count: usize,
    seed: u64,
    into: Option<PathBuf>,
}

fn main() -> ExitCode {
    match read().and_then(|args| run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("validators: {e}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn read() -> io::Result<Args> {
    let dir = std::env::temp_dir().join("crdgen-validators");
    let mut out = Args { dir, bin: None, count: 2400, seed: 1, into: None };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| io::Error::other(format!("{arg} needs a value")));
        match arg.as_str() {
            "--dir" => out.dir = value()?.into(),
            "--bin" => out.bin = Some(value()?.into()),
            "--count" => out.count = value()?.parse().map_err(io::Error::other)?,
            "--seed" => out.seed = value()?.parse().map_err(io::Error::other)?,
            "--into" => out.into = Some(value()?.into()),
            _ => return Err(io::Error::other(format!("unknown argument {arg}"))),
        }
    }
    Ok(out)
}

/// Objects in files of their own, and the server's answers.
struct Objects {
    files: Vec<PathBuf>,
    accepted: Vec<bool>,
}

fn run(args: &Args) -> io::Result<()> {
    let _ = fs::remove_dir_all(&args.dir);
    let objects = write(args)?;
    let valid = objects.accepted.iter().filter(|accepted| **accepted).count();
    let mut out = format!(
        "| {} objects, of which the server accepts {valid} | same verdict | accepts what the server rejects | rejects what the \
         server accepts | processor time |\n| --- | --- | --- | --- | --- |\n",
        objects.files.len()
    );
    let crdgen = corpus::tests_dir().join("../target/release/crdgen");
    let program = |name: &str| args.bin.as_ref().map_or_else(|| name.into(), |bin| bin.join(name));
    extract(&program("flux-schema"), args)?;
    let validators: [(&str, PathBuf, Run); 4] = [
        ("crdgen validate", crdgen, validate),
        ("kubectl-validate 0.0.4", program("kubectl-validate"), kubectl_validate),
        ("flux-schema 0.9.0", program("flux-schema"), flux_schema),
        ("kubeconform 0.8.0 -strict", program("kubeconform"), kubeconform),
    ];
    for (name, program, run) in validators {
        let (from, start) = (children()?, Instant::now());
        let taken = run(&program, args)?;
        let (time, wall) = (children()? - from, start.elapsed());
        let both = || objects.files.iter().zip(&objects.accepted);
        let file = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let too_kind = both().filter(|(path, accepted)| !**accepted && taken.contains(&file(path))).count();
        let too_strict = both().filter(|(path, accepted)| **accepted && !taken.contains(&file(path))).count();
        for (path, accepted) in both().filter(|(path, accepted)| **accepted != taken.contains(&file(path))) {
            if name.starts_with("crdgen") {
                eprintln!(
                    "{}: {}",
                    path.display(),
                    if *accepted { "taken by the server" } else { "refused by the server" }
                );
            }
        }
        let same = objects.files.len() - too_kind - too_strict;
        let row = format!(
            "| {name} | {same} ({:.1} %) | {too_kind} | {too_strict} | {time:.1} s |\n",
            100.0 * same as f64 / objects.files.len() as f64
        );
        eprintln!("{row}  {wall:?} on the clock");
        out.push_str(&row);
    }
    print!("{out}");
    if let Some(into) = &args.into {
        let text = fs::read_to_string(into)?;
        fs::write(into, tables::put_into(&text, "validators", &out)?)?;
    }
    Ok(())
}

/// Writes CRDs, the schemas that kubeconform reads, and objects. Gets the server's answers.
fn write(args: &Args) -> io::Result<Objects> {
    let missing = || io::Error::other("the shared corpus is not there");
    let mut crds = corpus::shared_crds().ok_or_else(missing)?;
    // kubectl-validate panics if a version has no schema.
    let has_schema = |version: &Value| version.get("schema").is_some();
    crds.retain(|crd| {
        let versions = crd.value.get("spec").and_then(|spec| spec.get("versions")).and_then(Value::as_list);
        versions.is_some_and(|versions| versions.iter().all(has_schema))
    });
    // The server must accept these CRDs, and only has one with each name.
    crds.retain(|crd| {
        let decoded = decode::crd(crd.value.clone()).0;
        decoded.is_some_and(|crd| check::create(&crd, &check::Options::default()).errors.is_empty())
    });
    let mut names = BTreeSet::new();
    crds.retain(|crd| {
        let name = crd.value.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        names.insert(name.unwrap_or_default().to_owned())
    });
    let seeds = corpus::shared_objects().ok_or_else(missing)?;
    let mut rng = Rng::new(args.seed);
    let (mut files, mut requests, mut known) = (Vec::new(), Vec::new(), BTreeSet::new());
    for folder in ["crds", "objects", "schemas"] {
        fs::create_dir_all(args.dir.join(folder))?;
    }
    let mut tries = 0;
    while files.len() < args.count && tries < 20 * args.count {
        let seed = &seeds[tries % seeds.len()];
        tries += 1;
        let Some(case) = of_seed(&crds, seed, Some(&mut rng)) else { continue };
        let number = files.len();
        let Value::Map(mut request) = case.request else { continue };
        request.remove("old");
        let text = |request: &Map<Value>, name: &str| {
            request.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let Ok(mut object) = crdgen_core::yaml::read_one(text(&request, "object").as_bytes()) else {
            continue;
        };
        // The kind of an object must be known, and metadata must be present.
        let is_same = |name: &str| object.value.get(name) == seed.value.get(name);
        let named = object.value.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        let Some(name) = named.filter(|name| is_same("apiVersion") && is_same("kind") && !name.is_empty())
        else {
            continue;
        };
        let name = format!("{number}-{name}");
        let metadata = object.value.as_map_mut().and_then(|o| o.get_mut("metadata")?.as_map_mut());
        metadata.map(|metadata| metadata.insert("name", name.into()));
        request.insert("object", to_string(&object.value).into());
        let file = args.dir.join("objects").join(format!("{}.yaml", files.len()));
        fs::write(&file, to_string(&object.value))?;
        known.insert(text(&request, "crd"));
        files.push(file);
        requests.push(to_string(&Value::Map(request)));
    }
    for (i, text) in known.iter().enumerate() {
        fs::write(args.dir.join("crds").join(format!("{i}.yaml")), text)?;
        schemas(text, &args.dir.join("schemas"))?;
    }
    let oracle = oracle::oracle().map_err(io::Error::other)?;
    let accepted = oracle
        .ask(&requests, 2)?
        .iter()
        .map(|answer| {
            let answer = json::read(answer.as_bytes()).unwrap_or_default();
            let strict = answer.get("strict").and_then(Value::as_list).is_none_or(<[Value]>::is_empty);
            strict && answer.get("valid") == Some(&Value::Bool(true))
        })
        .collect();
    Ok(Objects { files, accepted })
}

/// Writes schemas as kubeconform's own script generates them from a CRD: without additional fields.
fn schemas(text: &str, dir: &Path) -> io::Result<()> {
    let Ok(crd) = crdgen_core::yaml::read_one(text.as_bytes()) else { return Ok(()) };
    let spec = crd.value.get("spec").cloned().unwrap_or_default();
    let kind = spec.get("names").and_then(|n| n.get("kind")).and_then(Value::as_str).unwrap_or_default();
    let group = spec.get("group").and_then(Value::as_str).unwrap_or_default();
    for version in spec.get("versions").and_then(Value::as_list).unwrap_or_default() {
        let name = version.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(schema) = version.get("schema").and_then(|s| s.get("openAPIV3Schema")) else { continue };
        let mut schema = schema.clone();
        close(&mut schema, true);
        let dir = dir.join(group);
        fs::create_dir_all(&dir)?;
        fs::write(dir.join(format!("{}_{name}.json", kind.to_lowercase())), to_string(&schema))?;
    }
    Ok(())
}

fn close(schema: &mut Value, is_root: bool) {
    match schema {
        Value::Map(map) => {
            if map.get("properties").is_some()
                && map.get("additionalProperties").is_none()
                && !is_root
                && map.get("x-kubernetes-preserve-unknown-fields").is_none()
            {
                map.insert("additionalProperties", false.into());
            }
            if map.get("format").and_then(Value::as_str) == Some("int-or-string") {
                map.remove("format");
            }
            map.values_mut().for_each(|below| close(below, false));
        }
        Value::List(items) => items.iter_mut().for_each(|below| close(below, false)),
        _ => {}
    }
}

/// A function that runs a validator over the folder. Returns the names of the files whose objects it accepts.
type Run = fn(&Path, &Args) -> io::Result<BTreeSet<String>>;

fn validate(program: &Path, args: &Args) -> io::Result<BTreeSet<String>> {
    let out = Command::new(program)
        .args(["validate", "-o", "json", "--field-validation", "strict", "--crd"])
        .arg(args.dir.join("crds"))
        .arg("--")
        .arg(args.dir.join("objects"))
        .output()?;
    let answer = json::read(&out.stdout).map_err(|e| io::Error::other(e.to_string()))?;
    let findings = answer.get("findings").and_then(Value::as_list).unwrap_or_default();
    let is_error = |finding: &&Value| finding.get("level").and_then(Value::as_str) == Some("error");
    let file = |finding: &Value| name_of(finding.get("file").and_then(Value::as_str).unwrap_or_default());
    let of_object = |finding: &&Value| {
        finding.get("file").and_then(Value::as_str).is_some_and(|file| file.contains("/objects/"))
    };
    let wrong: BTreeSet<String> = findings.iter().filter(is_error).filter(of_object).map(file).collect();
    let all = fs::read_dir(args.dir.join("objects"))?.flatten();
    let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| !wrong.contains(name)).collect())
}

fn name_of(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

fn kubectl_validate(program: &Path, args: &Args) -> io::Result<BTreeSet<String>> {
    let out = Command::new(program)
        .arg(args.dir.join("objects"))
        .arg("--local-crds")
        .arg(args.dir.join("crds"))
        .args(["-o", "json"])
        .output()?;
    let answer = json::read(&out.stdout).map_err(|e| io::Error::other(e.to_string()))?;
    let is_fine = |answers: &Value| match answers {
        Value::List(all) => {
            all.iter().all(|one| one.get("status").and_then(Value::as_str) == Some("Success"))
        }
        one => one.get("status").and_then(Value::as_str) == Some("Success"),
    };
    let files = answer.as_map().into_iter().flat_map(|all| all.iter());
    Ok(files.filter(|(_, answers)| is_fine(answers)).map(|(path, _)| name_of(path)).collect())
}

/// Writes the schemas that flux-schema reads. Its time does not include this.
fn extract(program: &Path, args: &Args) -> io::Result<()> {
    let definitions = fs::read_dir(args.dir.join("crds"))?.flatten().map(|entry| entry.path());
    let out = Command::new(program)
        .args(["extract", "crd"])
        .args(definitions)
        .arg("-d")
        .arg(args.dir.join("flux"))
        .output()?;
    match out.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(String::from_utf8_lossy(&out.stderr).into_owned())),
    }
}

fn flux_schema(program: &Path, args: &Args) -> io::Result<BTreeSet<String>> {
    let out = Command::new(program)
        .arg("validate")
        .arg(args.dir.join("objects"))
        .arg("--schema-location")
        .arg(args.dir.join("flux"))
        .args(["-o", "json"])
        .output()?;
    let answer = json::read(&out.stdout).map_err(|e| io::Error::other(e.to_string()))?;
    let results = answer.get("report").and_then(|report| report.get("results")).and_then(Value::as_list);
    let is_valid = |one: &&Value| one.get("status").and_then(Value::as_str) == Some("valid");
    let file = |one: &Value| name_of(one.get("source").and_then(Value::as_str).unwrap_or_default());
    Ok(results.unwrap_or_default().iter().filter(is_valid).map(file).collect())
}

fn kubeconform(program: &Path, args: &Args) -> io::Result<BTreeSet<String>> {
    let schemas = args.dir.join("schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json");
    let out = Command::new(program)
        .args(["-strict", "-output", "json", "-verbose", "-schema-location"])
        .arg(schemas)
        .arg(args.dir.join("objects"))
        .output()?;
    let answer = json::read(&out.stdout).map_err(|e| io::Error::other(e.to_string()))?;
    let mut taken: BTreeMap<String, bool> = BTreeMap::new();
    for one in answer.get("resources").and_then(Value::as_list).unwrap_or_default() {
        let path = one.get("filename").and_then(Value::as_str).unwrap_or_default();
        let is_valid = one.get("status").and_then(Value::as_str) == Some("statusValid");
        taken.entry(name_of(path)).and_modify(|all| *all &= is_valid).or_insert(is_valid);
    }
    Ok(taken.into_iter().filter(|(_, is_valid)| *is_valid).map(|(name, _)| name).collect())
}

/// Returns the processor time of all child processes that have ended, in seconds.
fn children() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) =
        stat.rsplit_once(')').ok_or_else(|| io::Error::other("/proc/self/stat names no program"))?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>().map_err(io::Error::other)? / 100.0)
}
