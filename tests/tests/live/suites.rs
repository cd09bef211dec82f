//! Runs suites on the real server: each case must pass or fail there as in `crdgen test`. The requests for a case are
//! written here a second time, so that both implementations must agree. `$CRDGEN_SUITES` is a folder with suites, such
//! as a checkout of openshift/api. Without it, the suites of the goldens run.

use super::Server;
use crdgen::suites::{self, Case, Options, Outcome, Suite};
use crdgen_core::value::{Map, Value};
use crdgen_core::{json, yaml};
use crdgen_tests::corpus;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Sends plain HTTP to the server through `kubectl proxy`.
struct Proxy {
    child: Child,
    address: String,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    fn new(server: &Server) -> Proxy {
        let mut command = Command::new("kubectl");
        command.arg("--kubeconfig").arg(server.kubeconfig()).args(["proxy", "--port=0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("kubectl starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it serves");
        let address = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        Proxy { child, address }
    }

    /// Sends a request. Returns the status and the answer.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> (u32, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let body = body.map(json::to_string).unwrap_or_default();
        let kind = if method == "PATCH" { "application/json-patch+json" } else { "application/json" };
        let head = format!(
            "{method} {path} HTTP/1.0\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let split = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_default();
        (status, json::read(&answer[split + 4..]).unwrap_or_default())
    }
}

fn get<'v>(value: &'v Value, path: &[&str]) -> &'v Value {
    const NULL: &Value = &Value::Null;
    path.iter().try_fold(value, |value, name| value.get(name)).unwrap_or(NULL)
}

fn text<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    get(value, path).as_str().unwrap_or_default()
}

fn metadata(object: &mut Value) -> &mut Map<Value> {
    let object = object.as_map_mut().expect("an object");
    object.entry_or_insert_with("metadata", || Value::Map(Map::new())).as_map_mut().expect("metadata")
}

fn insert(object: &mut Value, name: &str, value: Value) {
    object.as_map_mut().expect("an object").insert(name, value);
}

/// Parses an object of a suite.
fn object(text: &str) -> Value {
    yaml::read_one(text.as_bytes()).map(|document| document.value).unwrap_or_default()
}

/// The message with which the server rejects an object.
struct Refused(String);

/// A kind on the server.
struct Live<'s> {
    proxy: &'s Proxy,
    crd: &'s Value,
}

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

impl Live<'_> {
    fn name(&self) -> &str {
        text(self.crd, &["metadata", "name"])
    }

    /// Installs the CRD. Returns the server's message if it rejects the CRD.
    fn install(&self) -> Result<(), Refused> {
        let (status, answer) = self.proxy.ask("POST", CRDS, Some(self.crd));
        if status != 201 {
            return Err(Refused(text(&answer, &["message"]).to_owned()));
        }
        self.until("served", || {
            let versions = get(self.crd, &["spec", "versions"]).as_list().unwrap_or_default();
            let served: Vec<&str> = versions
                .iter()
                .filter(|version| *get(version, &["served"]) == Value::Bool(true))
                .map(|version| text(version, &["name"]))
                .collect();
            served.iter().all(|version| self.proxy.ask("GET", &self.objects(version), None).0 == 200)
        });
        Ok(())
    }

    /// Removes all objects, because those of the next case may have the same names.
    fn clear(&self) {
        let versions = get(self.crd, &["spec", "versions"]).as_list().unwrap_or_default();
        for version in versions {
            self.proxy.ask("DELETE", &self.objects(text(version, &["name"])), None);
        }
    }

    fn remove(&self) {
        let path = format!("{CRDS}/{}", self.name());
        self.proxy.ask("DELETE", &path, None);
        self.until("gone", || self.proxy.ask("GET", &path, None).0 == 404);
    }

    fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_secs(60), "{} is not {what}", self.name());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns the path of all objects, in a namespace if the kind is namespaced.
    fn objects(&self, version: &str) -> String {
        let (group, plural) =
            (text(self.crd, &["spec", "group"]), text(self.crd, &["spec", "names", "plural"]));
        let namespace = match text(self.crd, &["spec", "scope"]) {
            "Namespaced" => "namespaces/default/",
            _ => "",
        };
        format!("/apis/{group}/{version}/{namespace}{plural}")
    }

    fn path(&self, object: &Value, subresource: &str) -> String {
        let version = text(object, &["apiVersion"]).rsplit('/').next().unwrap_or_default();
        match text(object, &["metadata", "name"]) {
            "" => self.objects(version),
            name => format!("{}/{name}{subresource}", self.objects(version)),
        }
    }

    fn write(&self, method: &str, subresource: &str, object: &Value) -> Result<Value, Refused> {
        match self.proxy.ask(method, &self.path(object, subresource), Some(object)) {
            (200 | 201, answer) => Ok(answer),
            (_, answer) => Err(Refused(text(&answer, &["message"]).to_owned())),
        }
    }

    fn create(&self, initial: &str) -> Result<Value, Refused> {
        let mut object = object(initial);
        if object.as_map().is_none() {
            return Err(Refused("this is not an object".to_owned()));
        }
        metadata(&mut object).insert("generateName", "test-".into());
        self.write("POST", "", &object)
    }

    /// Creates an object, and then writes its status.
    fn create_all(&self, initial: &str) -> Result<Value, Refused> {
        let stored = self.create(initial)?;
        match get(&object(initial), &["status"]) {
            Value::Null => Ok(stored),
            status => {
                let mut object = stored;
                insert(&mut object, "status", status.clone());
                self.write("PUT", "/status", &object)
            }
        }
    }

    /// Returns an object with the name and the version of the stored one, to send it as an update.
    fn updated(&self, updated: &str, stored: &Value) -> Value {
        let mut new = object(updated);
        for name in ["name", "namespace", "resourceVersion"] {
            match get(stored, &["metadata", name]) {
                Value::Null => _ = metadata(&mut new).remove(name),
                value => _ = metadata(&mut new).insert(name, value.clone()),
            }
        }
        new
    }

    /// Changes the CRD, creates an object, and restores the CRD.
    fn patched(&self, patches: &Value, initial: &str) -> Result<Value, Refused> {
        if patches.as_list().is_none_or(<[Value]>::is_empty) {
            return self.create_all(initial);
        }
        let path = format!("{CRDS}/{}", self.name());
        let (status, answer) = self.proxy.ask("PATCH", &path, Some(patches));
        if status != 200 {
            return Err(Refused(format!("initialCRDPatches: {}", text(&answer, &["message"]))));
        }
        self.wait_for_handlers();
        let stored = self.create_all(initial);
        let mut crd = self.proxy.ask("GET", &path, None).1;
        insert(&mut crd, "spec", get(self.crd, &["spec"]).clone());
        let (status, answer) = self.proxy.ask("PUT", &path, Some(&crd));
        assert_eq!(status, 200, "{answer:?}");
        self.wait_for_handlers();
        let stored = stored?;
        // If the real CRD rejects an object even as an update, it cannot be an initial object.
        self.write("PUT", "", &stored)
    }

    /// The server learns of a changed CRD through a watch, so its handlers change later.
    fn wait_for_handlers(&self) {
        std::thread::sleep(Duration::from_millis(700));
    }

    /// Runs a case, and returns whether it gets what it expects.
    fn run(&self, list: &str, case: &Value) -> Result<(), String> {
        let of = |name: &str| text(case, &[name]);
        let refused = |refused: Refused| format!("the server rejects the object: {}", refused.0);
        let or = |expected: &'static str, sent: &'static str| {
            if of(expected).trim().is_empty() { object(of(sent)) } else { object(of(expected)) }
        };
        match list {
            "onCreate" => match expect(self.create(of("initial")), of("expectedError"))? {
                Some(stored) => same(&stored, or("expected", "initial")),
                None => Ok(()),
            },
            "onUpdate" => {
                let stored =
                    self.patched(get(case, &["initialCRDPatches"]), of("initial")).map_err(refused)?;
                let new = self.updated(of("updated"), &stored);
                let Some(mut stored) = expect(self.write("PUT", "", &new), of("expectedError"))? else {
                    return Ok(());
                };
                if !get(&new, &["status"]).is_null() {
                    insert(&mut stored, "status", get(&new, &["status"]).clone());
                    let written = self.write("PUT", "/status", &stored);
                    match expect(written, of("expectedStatusError"))? {
                        Some(written) => stored = written,
                        None => return Ok(()),
                    }
                }
                same(&stored, or("expected", "updated"))
            }
            "onStatusUpdate" => {
                let stored = self.create_all(of("initial")).map_err(refused)?;
                let new = self.updated(of("updated"), &stored);
                match expect(self.write("PUT", "/status", &new), of("expectedError"))? {
                    Some(stored) => same(&stored, or("expected", "updated")),
                    None => Ok(()),
                }
            }
            other => panic!("{other} is not a list of openshift/api"),
        }
    }
}

/// Whether a case is one of openshift/api. Other lists, keys and paths are additions of crdgen.
fn is_of_openshift(list: &str, case: &Value) -> bool {
    const LISTS: [&str; 3] = ["onCreate", "onUpdate", "onStatusUpdate"];
    const KEYS: [&str; 7] = [
        "name",
        "initialCRDPatches",
        "initial",
        "updated",
        "expected",
        "expectedError",
        "expectedStatusError",
    ];
    let patches = get(case, &["initialCRDPatches"]).as_list().unwrap_or_default();
    // `name=v1` is in place of an index.
    let has_names = patches.iter().any(|patch| text(patch, &["path"]).contains('='));
    !has_names
        && LISTS.contains(&list)
        && case.as_map().is_some_and(|case| case.keys().all(|key| KEYS.contains(&key)))
}

/// Returns the stored object. `None` if the server rejects the object as expected.
fn expect(written: Result<Value, Refused>, error: &str) -> Result<Option<Value>, String> {
    match (written, error) {
        (Ok(stored), "") => Ok(Some(stored)),
        (Ok(_), _) => Err("the server accepts the object".to_owned()),
        (Err(Refused(why)), "") => Err(format!("the server rejects the object: {why}")),
        (Err(Refused(why)), error) if why.contains(error) => Ok(None),
        (Err(Refused(why)), _) => Err(format!("the server's answer: {why}")),
    }
}

/// Checks that objects are equal apart from their names and what the server fills in.
fn same(stored: &Value, mut expected: Value) -> Result<(), String> {
    let mut stored = stored.clone();
    for object in [&mut stored, &mut expected] {
        let generated = [
            "creationTimestamp",
            "generateName",
            "generation",
            "managedFields",
            "name",
            "namespace",
            "resourceVersion",
            "uid",
        ];
        generated.iter().for_each(|name| _ = metadata(object).remove(name));
    }
    let [stored, expected] = [stored, expected].map(|object| json::to_string(&object));
    if stored == expected { Ok(()) } else { Err(format!("stored: {stored}\nexpected: {expected}")) }
}

/// Returns the cases of a suite file, in the same order as crdgen.
fn cases(suite: &Suite) -> Vec<(String, Value)> {
    let bytes = std::fs::read(&suite.path).expect("the suite is there");
    let document = yaml::read_one(&bytes).expect("YAML").value;
    let lists = get(&document, &["tests"]).as_map().expect("lists of cases");
    let of = |(name, list): (&str, &Value)| {
        let cases = list.as_list().unwrap_or_default().iter().filter(|case| case.as_map().is_some());
        cases.map(|case| (name.to_owned(), case.clone())).collect::<Vec<_>>()
    };
    lists.iter().flat_map(of).collect()
}

#[test]
fn cases_end_as_on_the_server() {
    let server = server!("suites");
    let goldens = || corpus::tests_dir().join("goldens/console/suites");
    let folder = std::env::var_os("CRDGEN_SUITES").map_or_else(goldens, PathBuf::from);
    let suites =
        suites::find(&[folder], &Options { exact_words: true, ..Options::default() }).expect("suites");
    let proxy = Proxy::new(&server);
    let (mut same, mut differ, mut alone, mut own) = ([0, 0], Vec::new(), 0, 0);
    for suite in suites.iter().filter(|suite| suite.path.is_file()) {
        let Some(crd) = suite.definition() else {
            alone += suite.cases.len();
            continue;
        };
        let live = Live { proxy: &proxy, crd };
        let installed =
            live.install().map_err(|refused| format!("the server rejects the CRD: {}", refused.0));
        let cases = cases(suite);
        assert_eq!(cases.len(), suite.cases.len(), "{}", suite.path.display());
        for (ours, (list, case)) in suite.cases.iter().zip(&cases) {
            assert_eq!(ours.name, format!("{list}: {}", text(case, &["name"])));
            if !is_of_openshift(list, case) {
                own += 1;
                continue;
            }
            let theirs = installed.clone().and_then(|()| live.run(list, case));
            compare(suite, ours, theirs, &mut same, &mut differ);
            if installed.is_ok() {
                live.clear();
            }
        }
        if installed.is_ok() {
            live.remove();
        }
    }
    let [passed, failed] = same;
    eprintln!(
        "{passed} cases pass and {failed} fail on the server as here, {} differ, {alone} without a CRD, {own} with keys of ours",
        differ.len()
    );
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
    assert!(passed > 0);
}

/// Counts a case with the same result, and keeps one with a different result.
fn compare(
    suite: &Suite,
    case: &Case,
    theirs: Result<(), String>,
    same: &mut [usize; 2],
    differ: &mut Vec<String>,
) {
    let ours = suite.run(case);
    match (&ours, &theirs) {
        (Outcome::Passed, Ok(())) => same[0] += 1,
        (Outcome::Failed(_) | Outcome::NotRun(_), Err(_)) => same[1] += 1,
        _ => differ.push(format!("{}: {}\nhere: {ours:?}\nserver: {theirs:?}", suite.crd, case.name)),
    }
}
