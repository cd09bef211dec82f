//! `--data`: what was acknowledged survives kill -9, and damage is an error.

use crate::client::Client;
use crate::process::{Process, Scratch, failure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PATH: &str = "/api/v1/namespaces/default/configmaps";

fn serve(folder: &Path) -> Process {
    Process::serve(&["--data", &folder.to_string_lossy()])
}

fn client(server: &Process) -> Client {
    Client::new(server.url(), None, None)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}"))
}

fn version(object: &Value) -> u64 {
    let text = object["metadata"]["resourceVersion"].as_str().expect("a version");
    text.parse().expect("a number")
}

/// What the server has acknowledged about one object.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The number in the object. `None` if it does not exist.
    number: Option<u64>,
    /// What a request that was not answered may have made of it.
    maybe: Option<Option<u64>>,
}

/// Writes to one object until the server is gone.
fn write(client: &Client, name: &str, known: &mut Known, next: &mut u64, acknowledged: &AtomicU64) -> u64 {
    let mut last = 0;
    loop {
        *next += 1;
        let body = |number: u64| {
            format!(
                r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"n":"{number}"}}}}"#
            )
        };
        let (method, path, body, after) = match known.number {
            None => ("POST", PATH.to_owned(), body(*next), Some(*next)),
            Some(_) if next.is_multiple_of(5) => ("DELETE", format!("{PATH}/{name}"), String::new(), None),
            Some(_) => ("PUT", format!("{PATH}/{name}"), body(*next), Some(*next)),
        };
        known.maybe = Some(after);
        let Ok(answer) = client.try_send(method, &path, &body) else { return last };
        assert!(answer.code < 300, "{method} {path}: {answer:?}");
        *known = Known { number: after, maybe: None };
        acknowledged.fetch_add(1, Ordering::Relaxed);
        if after.is_some() {
            last = version(&json(&answer.body)).max(last);
        }
    }
}

/// Kills a server at a random point again and again, and compares what is there afterwards.
fn kill(folder: &Path, rounds: u64, seed: u64) -> u64 {
    let names = ["a", "b", "c"];
    let mut known: BTreeMap<&str, (Known, u64)> =
        names.into_iter().map(|name| (name, Default::default())).collect();
    let (mut last, mut random, mut writes) = (0, seed, 0);
    for round in 0..rounds {
        let server = serve(folder);
        let list = json(&client(&server).get(PATH).body);
        assert!(version(&list) >= last, "round {round}: revisions go back from {last} to {}", version(&list));
        let mut found: BTreeMap<&str, u64> = BTreeMap::new();
        for item in list["items"].as_array().expect("items") {
            let name = item["metadata"]["name"].as_str().expect("a name");
            // Each namespace has another one.
            if name == "kube-root-ca.crt" {
                continue;
            }
            found.insert(name, item["data"]["n"].as_str().and_then(|n| n.parse().ok()).expect("a number"));
        }
        for (name, (known, _)) in &mut known {
            let now = found.get(name).copied();
            let is_right = now == known.number || known.maybe == Some(now);
            assert!(is_right, "round {round}: {name} is {now:?}, and was acknowledged as {known:?}");
            *known = Known { number: now, maybe: None };
        }
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let pause = Duration::from_micros((random >> 33) % 30_000);
        let (newest, acknowledged) = (Mutex::new(last), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for (name, (known, next)) in &mut known {
                let client = client(&server);
                let (newest, acknowledged) = (&newest, &acknowledged);
                scope.spawn(move || {
                    let own = write(&client, name, known, next, acknowledged);
                    let mut newest = newest.lock().expect("no panic");
                    *newest = own.max(*newest);
                });
            }
            // The first writes take longest, and without any there is nothing to lose.
            while acknowledged.load(Ordering::Relaxed) < 3 {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(pause);
            // Dropping it is SIGKILL.
            drop(server);
        });
        last = newest.into_inner().expect("no panic");
        writes += acknowledged.into_inner();
    }
    writes
}

#[test]
fn what_was_acknowledged_survives_kill() {
    let rounds = std::env::var("CRDGEN_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(40);
    let scratch = Scratch::new();
    let folders = [scratch.path("first"), scratch.path("second")];
    let writes: u64 = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (seed, folder) in (7..).zip(&folders) {
            threads.push(scope.spawn(move || kill(folder, rounds / 2, seed)));
        }
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    eprintln!("{writes} acknowledged writes, {rounds} times killed");
    assert!(writes >= 3 * rounds, "too few writes to prove anything");
}

#[test]
fn crds_are_served_after_a_restart() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    let crd = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},
        "spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
        "properties":{"n":{"type":"integer","maximum":5,"default":3}}}}}}}]}}"#;
    let things = "/apis/example.com/v1/namespaces/default/things";
    let thing = r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{}}"#;
    let (uid, revision) = {
        let server = serve(&folder);
        let client = client(&server);
        let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        assert_eq!(client.send("POST", definitions, crd).code, 201);
        let made = client.send("POST", things, thing);
        assert_eq!(made.code, 201, "{}", made.body);
        let made = json(&made.body);
        (made["metadata"]["uid"].clone(), version(&made))
    };
    let server = serve(&folder);
    let client = client(&server);
    let found = json(&client.get(&format!("{things}/a")).body);
    assert_eq!((&found["metadata"]["uid"], &found["spec"]["n"]), (&uid, &Value::from(3)));
    assert_eq!(version(&found), revision);
    // Watches from before list again, as with a server that has forgotten the changes.
    let watch = client.get(&format!("{things}?watch=true&resourceVersion=2&timeoutSeconds=1"));
    assert!(watch.body.contains(r#""code":410"#), "{}", watch.body);
    let other = client.send("POST", things, &thing.replace(r#""a""#, r#""b""#).replace("{}", r#"{"n":4}"#));
    let other = json(&other.body);
    assert!(version(&other) > revision && other["metadata"]["uid"] != uid, "{other}");
    assert_eq!(client.send("POST", things, &thing.replace("{}", r#"{"n":6}"#)).code, 422);
}

/// Its owners make an object deeper than a client may send.
#[test]
fn the_deepest_object_is_there_after_a_restart() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    let crd = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},
        "spec":{"group":"example.com","scope":"Cluster","names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
        "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
        "x-kubernetes-preserve-unknown-fields":true}}}]}}"#;
    let things = "/apis/example.com/v1/things";
    let thing = |depth: usize| {
        let (open, close) = (r#"{"x":"#.repeat(depth), "}".repeat(depth));
        format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"a"}},"a":{open}1{close}}}"#
        )
    };
    {
        let server = serve(&folder);
        let client = client(&server);
        assert_eq!(
            client.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd).code,
            201
        );
        let codes: Vec<u16> =
            (490..510).map(|depth| client.send("POST", things, &thing(depth)).code).collect();
        assert!(codes.contains(&201) && codes.contains(&400), "{codes:?}");
        _ = client.send("DELETE", &format!("{things}/a"), "");
        let deepest = (490..510).rev().find(|depth| client.send("POST", things, &thing(*depth)).code == 201);
        assert!(deepest.is_some_and(|depth| depth > 495), "{deepest:?}");
    }
    let server = serve(&folder);
    assert_eq!(client(&server).get(&format!("{things}/a")).code, 200);
}

#[test]
fn one_process_at_a_time_uses_a_folder() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    let server = serve(&folder);
    let why = failure(&["--data", &folder.to_string_lossy()]);
    assert!(why.contains("another process uses this file"), "{why}");
    drop(server);
    serve(&folder);
}

#[test]
fn damaged_files_and_those_of_others_are_errors() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    drop(serve(&folder));
    let file = folder.join("crdgen.redb");
    let good = std::fs::read(&file).expect("a file");
    let text = folder.to_string_lossy().into_owned();
    let fails = |bytes: &[u8], what: &str| {
        std::fs::write(&file, bytes).expect("a file");
        let why = failure(&["--data", &text]);
        assert!(
            why.contains("not a file of crdgen, or damaged") && !why.contains("panicked"),
            "{what}: {why}"
        );
        assert_eq!(std::fs::read(&file).expect("a file").len(), bytes.len(), "{what}: the file has changed");
    };
    fails(b"kind: List\n", "a text");
    fails(&good[..good.len() / 2], "half of the file");
    fails(&vec![0; good.len()], "zeros");
    std::fs::write(&file, &good).expect("a file");
    drop(serve(&folder));
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_file() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    drop(serve(&folder));
    let file = folder.join("crdgen.redb");
    let mode = || std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o666)).expect("a mode");
    drop(serve(&folder));
    assert_eq!(mode(), 0o600);
    let other = scratch.path("other");
    std::fs::rename(&file, &other).expect("moved");
    symlink(&other, &file).expect("a link");
    let why = failure(&["--data", &folder.to_string_lossy()]);
    assert!(why.contains("it is not a file"), "{why}");
}

/// What no bytes of the file do: a panic, an endless loop, or an answer with other objects.
#[test]
fn no_byte_of_the_file_panics() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    drop(serve(&folder));
    let file = folder.join("crdgen.redb");
    let good = std::fs::read(&file).expect("a file");
    let (mut random, mut errors) = (11_u64, 0);
    for _ in 0..60 {
        let mut bytes = good.clone();
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Half of them in the header.
        let end = if random & 1 == 0 { bytes.len().min(512) } else { bytes.len() };
        let at = (random >> 20) as usize % end;
        bytes[at] ^= 1 << (random >> 8 & 7);
        std::fs::write(&file, &bytes).expect("a file");
        let mut child = std::process::Command::new(crate::process::crdgen());
        child.args(["serve", "--data"]).arg(&folder).stdout(std::process::Stdio::piped());
        let mut child = child.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
        // It ends with an error, or it is ready.
        let mut line = String::new();
        let out = child.stdout.take().expect("its output");
        _ = std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line);
        _ = child.kill();
        let output = child.wait_with_output().expect("its end");
        let why = String::from_utf8_lossy(&output.stderr);
        assert!(!why.contains("panicked"), "byte {at}: {why}");
        if line.is_empty() {
            assert!(why.contains("damaged"), "byte {at}: {why}");
            errors += 1;
        }
    }
    assert!(errors > 0, "no damage was found");
}

/// redb goes back to the commit before if the head of its file is damaged, and does not say so.
#[test]
fn a_file_that_ends_before_what_was_saved_is_an_error() {
    let scratch = Scratch::new();
    let folder = scratch.path("data");
    let create = |name: &str| {
        let server = serve(&folder);
        let body = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
        assert_eq!(client(&server).send("POST", PATH, &body).code, 201);
    };
    create("a");
    let (file, last) = (folder.join("crdgen.redb"), folder.join("crdgen.revision"));
    let before = std::fs::read(&file).expect("a file");
    create("b");
    for damaged in [before.as_slice(), &[]] {
        std::fs::write(&file, damaged).expect("written");
        let why = failure(&["--data", &folder.to_string_lossy()]);
        assert!(why.contains("was saved: it is damaged, or an older copy"), "{why}");
    }
    std::fs::write(&file, &before).expect("written");
    std::fs::remove_file(&last).expect("removed");
    let server = serve(&folder);
    assert_eq!(client(&server).get(&format!("{PATH}/a")).code, 200);
    assert_eq!(client(&server).get(&format!("{PATH}/b")).code, 404);
}
