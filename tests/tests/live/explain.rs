//! Compares `crdgen explain` with `kubectl explain`: for some fields with kubectl and a live server, and for all fields
//! with kubectl's own code (`tests/explain`).

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crdgen_core::value::Value;
use crdgen_core::{check, decode};
use crdgen_publish::docs::page;
use crdgen_publish::explain::{Explainer, Extent};
use crdgen_publish::openapi::{Options, publish};
use crdgen_tests::corpus::{self, Seed, tests_dir};
use serde_json::json;

use super::Server;

/// How many kinds of the corpus are explained with a server. `CRDGEN_ALL=1` explains all.
const KINDS: usize = 20;
/// How many kinds are explained with kubectl's own code.
const MORE_KINDS: usize = 200;

/// Returns our own CRDs, and some of the corpus.
fn seeds(count: usize) -> Vec<Seed> {
    let real = corpus::shared_crds().unwrap_or_default();
    let step = if std::env::var_os("CRDGEN_ALL").is_some() { 1 } else { (real.len() / count).max(1) };
    let mut seeds = corpus::own_crds();
    seeds.extend(real.into_iter().skip(crdgen_tests::turn() % step).step_by(step));
    seeds
}

/// crdgen prints everything that kubectl prints, and may print more.
#[test]
fn as_kubectl_explains() {
    let server = server!("explain");
    let dir = std::env::temp_dir().join(format!("crdgen-explain-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let (mut count, mut wrong) = (0, Vec::new());
    for (number, seed) in seeds(KINDS).into_iter().enumerate() {
        let Some(crd) = decode::crd(seed.value).0 else { continue };
        if !server.kubectl(&["create", "--validate=false", "-f", "-"], &seed.text).status.success() {
            continue;
        }
        let page = page(&crd);
        let Some(version) = page.versions.iter().find(|version| version.served) else { continue };
        let file = dir.join(format!("{number}.yaml"));
        std::fs::write(&file, &seed.text).expect("a file");
        let resource = format!("{}.{}", crd.spec.names.plural, crd.spec.group);
        server.until_served(&resource);
        // Compares the kind, its deepest field, and some other fields.
        let fields = &version.fields;
        let deepest = fields.iter().max_by_key(|field| field.depth);
        let some = fields.iter().step_by(fields.len() / 3 + 1).chain(deepest);
        let paths = some.map(|field| field.path.replace("[]", "").replace(".*", ""));
        for path in std::iter::once(String::new()).chain(paths) {
            let dot = if path.is_empty() { "" } else { "." };
            for more in [&[][..], &["--recursive"]] {
                let theirs = until_explained(
                    &server,
                    &[&["explain", &format!("{resource}{dot}{path}")], more].concat(),
                );
                let what = format!("{}{dot}{path}", crd.spec.names.kind);
                let ours = Command::new(env!("CARGO_BIN_EXE_tool"))
                    .args(["explain", &what, "--crd"])
                    .arg(&file)
                    .args(more)
                    .output()
                    .expect("the command starts");
                let ours = String::from_utf8_lossy(&ours.stdout).into_owned();
                count += 1;
                if theirs.as_deref().is_some_and(|theirs| !ours.starts_with(theirs)) {
                    wrong.push(format!("{what} {more:?}\n{}---\n{ours}", theirs.unwrap_or_default()));
                }
            }
        }
        server.kubectl(&["delete", "crd", &crd.metadata.name, "--timeout=20s"], "");
    }
    let _ = std::fs::remove_dir_all(&dir);
    eprintln!("{count} explanations, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n=====\n"));
}

/// Returns what kubectl prints once the server publishes the kind. `None` if it prints nothing.
fn until_explained(server: &Server, args: &[&str]) -> Option<String> {
    for _ in 0..20 {
        let out = server.kubectl(args, "");
        if out.status.success() {
            return Some(String::from_utf8_lossy(&out.stdout).into_owned());
        }
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        if message.contains("does not exist") {
            return None;
        }
        std::thread::sleep(std::time::Duration::from_millis(250));
    }
    None
}

/// Compares all fields of all versions, each alone and with everything inside of it.
#[test]
fn as_the_code_of_kubectl_explains() {
    if std::env::var_os("CRDGEN_LIVE").is_none() {
        return crdgen_tests::skip("explain", "$CRDGEN_LIVE is not set");
    }
    let mut kubectl = match Kubectl::start() {
        Ok(kubectl) => kubectl,
        Err(why) => return crdgen_tests::skip("explain", why),
    };
    let (mut kinds, mut count, mut wrong) = (0, 0, Vec::new());
    for seed in seeds(MORE_KINDS) {
        let Some(crd) = decode::crd(seed.value).0 else { continue };
        // A server only publishes CRDs without errors.
        if !check::create(&crd, &check::Options::default()).errors.is_empty() {
            continue;
        }
        kinds += 1;
        for index in (0..crd.spec.versions.len()).filter(|&index| crd.spec.versions[index].served) {
            let published = publish(&crd, index, &Options::default()).expect("there is such a version");
            let mut paths: Vec<Vec<String>> =
                ["", "metadata.ownerReferences.uid", "metadata.labels", "no.field"]
                    .map(|path| path.split_terminator('.').map(str::to_owned).collect())
                    .to_vec();
            add_paths(&published.schema, &mut Vec::new(), &mut paths);
            let explainer = Explainer::new(&crd, index).expect("there is such a version");
            for extent in [Extent::Described, Extent::Recursive { max_depth: 0 }] {
                let mut request = json!({
                    "group": crd.spec.group,
                    "version": crd.spec.versions[index].name,
                    "resource": crd.spec.names.plural,
                    "recursive": extent != Extent::Described,
                    "paths": paths,
                })
                .to_string();
                request.pop();
                request.push_str(&format!(",\"document\":{}}}\n", published.text()));
                for (path, theirs) in paths.iter().zip(kubectl.ask(&request)) {
                    let names: Vec<&str> = path.iter().map(String::as_str).collect();
                    let ours = explainer.explain(&names, extent);
                    count += 1;
                    if ours != theirs {
                        let what = format!("{} {} {extent:?}", crd.metadata.name, path.join("."));
                        wrong.push(format!("{what}\n{theirs:?}\n{ours:?}"));
                    }
                }
            }
        }
    }
    eprintln!("{count} explanations of {kinds} kinds, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n=====\n"));
}

/// Collects the paths of all fields. Fields of items and values belong to their lists and maps.
fn add_paths(schema: &Value, path: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    for (name, field) in schema.get("properties").and_then(Value::as_map).into_iter().flat_map(|it| it.iter())
    {
        path.push(name.to_owned());
        out.push(path.clone());
        add_paths(field, path, out);
        path.pop();
    }
    for inside in ["items", "additionalProperties"].iter().filter_map(|keyword| schema.get(keyword)) {
        add_paths(inside, path, out);
    }
}

/// The program that explains fields with kubectl's code.
struct Kubectl {
    // This is dropped first, because the program ends with its input.
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _child: Child,
}

impl Kubectl {
    /// Builds and starts the program.
    fn start() -> Result<Kubectl, String> {
        let folder = tests_dir().join("explain");
        let go = |args: &[&str]| Command::new("go").args(args).current_dir(&folder).output();
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kubectl-explain");
        let built = go(&["build", "-o", &program.display().to_string(), "."])
            .map_err(|_| "there is no Go".to_owned())?;
        assert!(built.status.success(), "tests/explain: {}", String::from_utf8_lossy(&built.stderr));
        // This must come after the build: a module has no folder before Go has downloaded it.
        let found = go(&["list", "-m", "-f", "{{.Dir}}", "k8s.io/kubectl"]).map_err(|e| e.to_string())?;
        let module = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
        let template = module.join("pkg/explain/v2/templates/plaintext.tmpl");
        let piped = Command::new(program).arg(template).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = piped.map_err(|e| e.to_string())?;
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Ok(Kubectl { input, output, _child: child })
    }

    /// Returns the text for each path. `None` if there is no such field.
    fn ask(&mut self, request: &str) -> Vec<Option<String>> {
        self.input.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        serde_json::from_str(&answer).expect("it answers JSON")
    }
}
