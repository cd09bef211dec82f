//! Sessions of a scripted client: typing, several documents, and messages that are wrong.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crdgen_lsp::{Settings, Stopped, Workspace, of_text};
use lsp_server::{Message, Notification, RequestId};
use serde_json::{Value, json};

use crate::client::{Client, Random, corpus, folder, seed, uri};

const WIDGETS: &str = include_str!("../features/widgets.yaml");
const OBJECT: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  size: 100\n";

fn position(text: &str, offset: usize) -> Value {
    let start = text[..offset].rfind('\n').map_or(0, |i| i + 1);
    json!({ "line": text[..start].matches('\n').count(), "character": offset - start })
}

/// Types files of the corpus character by character, with requests on the way.
#[test]
fn typing() {
    let (Some(crds), Some(objects)) = (corpus("crds"), corpus("objects")) else { return };
    let mut random = Random(seed());
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    let mut keys = 0;
    for number in 0..20 {
        let files = if number % 2 == 0 { &crds } else { &objects };
        let text = std::fs::read_to_string(&files[random.below(files.len())]).unwrap();
        if !text.is_ascii() || text.len() > 1 << 20 {
            continue;
        }
        let root = folder();
        let path = root.join("typed.yaml");
        std::fs::write(root.join("widgets.yaml"), WIDGETS).unwrap();
        let mut client = Client::start(Some(&root));
        // A stretch of the file, at its start or anywhere.
        let start = if number % 4 < 2 { 0 } else { random.below(text.len()) };
        let end = (start + 150).min(text.len());
        let mut now = text[..start].to_owned();
        client.open(&path, 1, &now);
        let mut version = 1;
        for c in text[start..end].chars() {
            version += 1;
            keys += 1;
            let at = position(&now, now.len());
            now.push(c);
            let change = json!([{ "range": { "start": at, "end": at }, "text": c.to_string() }]);
            client.change(&path, version, change);
            let params =
                json!({ "textDocument": { "uri": uri(&path) }, "position": position(&now, now.len()) });
            for method in [
                "textDocument/completion",
                "textDocument/hover",
                "textDocument/documentSymbol",
                "textDocument/foldingRange",
                "textDocument/semanticTokens/full",
                "textDocument/prepareRename",
            ] {
                let started = Instant::now();
                let id = client.ask(method, params.clone());
                // A rename may fail.
                client.answer(&id);
                times.entry(method).or_default().push(started.elapsed());
            }
            for (known, _) in client.published.values() {
                assert!(known.is_none_or(|known| known <= i64::from(version)));
            }
        }
        // What comes last is about the last text.
        let last = client.diagnostics(&path, version.into());
        let mut again = Client::start(Some(&root));
        again.open(&path, 1, &now);
        assert_eq!(last, again.diagnostics(&path, 1), "{}", path.display());
        assert_eq!((client.stop(), again.stop()), (Stopped::Finished, Stopped::Finished));
    }
    println!("{keys} keys");
    print(times);
}

fn print(times: BTreeMap<&str, Vec<Duration>>) {
    for (method, mut times) in times {
        times.sort();
        let p95 = times[times.len() * 95 / 100];
        println!("{method}: {} times, median {:?}, p95 {p95:?}", times.len(), times[times.len() / 2]);
    }
}

/// Answers at random places of the largest CRDs, and of objects next to them.
#[test]
fn answers_in_large_files() {
    let (Some(mut crds), Some(objects)) = (corpus("crds"), corpus("objects")) else { return };
    crds.sort_by_key(|path| std::cmp::Reverse(std::fs::metadata(path).map_or(0, |it| it.len())));
    let root = crds[0].parent().and_then(std::path::Path::parent).unwrap().to_owned();
    let mut random = Random(seed());
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    let mut client = Client::start(Some(&root));
    let mut files: Vec<PathBuf> = crds.drain(..2).collect();
    files.extend((0..5).map(|_| objects[random.below(objects.len())].clone()));
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        println!("{} bytes", text.len());
        client.open(path, 1, &text);
        client.diagnostics(path, 1);
        for _ in 0..20 {
            let mut at = random.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let params = json!({ "textDocument": { "uri": uri(path) }, "position": position(&text, at) });
            for method in [
                "textDocument/completion",
                "textDocument/hover",
                "textDocument/definition",
                "textDocument/prepareRename",
            ] {
                let started = Instant::now();
                let id = client.ask(method, params.clone());
                client.answer(&id);
                times.entry(method).or_default().push(started.elapsed());
            }
        }
        for method in
            ["textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/semanticTokens/full"]
        {
            let started = Instant::now();
            client.request(method, json!({ "textDocument": { "uri": uri(path) } }));
            times.entry(method).or_default().push(started.elapsed());
        }
        let started = Instant::now();
        client.change(path, 2, json!([{ "text": format!("{text}\n") }]));
        client.diagnostics(path, 2);
        times.entry("textDocument/publishDiagnostics").or_default().push(started.elapsed());
    }
    client.stop();
    print(times);
}

/// The bytes of a range.
fn bytes(text: &str, range: &Value) -> std::ops::Range<usize> {
    let at = |place: &Value| {
        let [line, column] =
            ["line", "character"].map(|name| usize::try_from(place[name].as_u64().unwrap()).unwrap());
        text.split_inclusive('\n').take(line).map(str::len).sum::<usize>() + column
    };
    at(&range["start"])..at(&range["end"])
}

/// Renames the property at a position of a CRD. None if the server does not.
fn renamed(
    client: &mut Client,
    path: &std::path::Path,
    text: &str,
    at: &Value,
    name: &str,
) -> Option<String> {
    let params = json!({ "textDocument": { "uri": uri(path) }, "position": at, "newName": name });
    let id = client.ask("textDocument/rename", params);
    let edits = client.answer(&id).response_result.ok()?["changes"][uri(path)].as_array()?.clone();
    let mut new = text.to_owned();
    for edit in edits.iter().rev() {
        new.replace_range(bytes(text, &edit["range"]), edit["newText"].as_str().unwrap());
    }
    Some(new)
}

/// A rename in a CRD of the corpus changes no findings, and the rename back changes nothing at all.
#[test]
fn renames_can_be_undone() {
    let Some(crds) = corpus("crds") else { return };
    let mut random = Random(seed());
    let (mut done, mut edited) = (0, 0);
    for _ in 0..60 {
        let file = &crds[random.below(crds.len())];
        let text = std::fs::read_to_string(file).unwrap();
        let keys: Vec<(usize, &str)> = text
            .split_inclusive('\n')
            .scan(0, |at, line| {
                let start = *at;
                *at += line.len();
                Some((start, line))
            })
            .filter(|(_, line)| line.starts_with("              ") && line.trim_end().ends_with(':'))
            .collect();
        if text.len() > 300_000 || !text.is_ascii() || keys.is_empty() {
            continue;
        }
        let root = folder();
        let path = root.join("crd.yaml");
        std::fs::write(&path, &text).unwrap();
        let mut client = Client::start(Some(&root));
        client.open(&path, 1, &text);
        let codes = |found: Vec<Value>| {
            let mut codes: Vec<String> = found.iter().map(|it| it["code"].to_string()).collect();
            codes.sort();
            codes
        };
        let before = codes(client.diagnostics(&path, 1));
        // Most keys are keywords.
        for _ in 0..20 {
            let (start, line) = keys[random.below(keys.len())];
            let at = position(&text, start + line.len() - line.trim_start().len());
            let Some(new) = renamed(&mut client, &path, &text, &at, "renamed-by-test") else { continue };
            client.change(&path, 2, json!([{ "text": new }]));
            assert_eq!(codes(client.diagnostics(&path, 2)), before, "{}: {line}", file.display());
            let name = line.trim().trim_end_matches(':').trim_matches(['"', '\'']);
            let back = renamed(&mut client, &path, &new, &at, name).unwrap();
            assert!(back == text, "{}: {line}", file.display());
            edited += new.matches("renamed").count();
            done += 1;
            break;
        }
        client.stop();
    }
    println!("{done} renames with {edited} places");
    assert!(done > 20);
}

/// The diagnostics of the server are what the library of the command finds.
#[test]
fn diagnostics_are_those_of_the_commands() {
    let (Some(crds), Some(objects)) = (corpus("crds"), corpus("objects")) else { return };
    let mut random = Random(seed());
    let (mut count, mut findings) = (0, 0);
    for _ in 0..60 {
        let root = folder();
        for (name, files) in [("crd.yaml", &crds), ("object.yaml", &objects)] {
            let file = &files[random.below(files.len())];
            let text = std::fs::read_to_string(file).unwrap();
            std::fs::write(root.join(name), mutated(text, &mut random)).unwrap();
        }
        let mut client = Client::start(Some(&root));
        for name in ["crd.yaml", "object.yaml"] {
            let path = root.join(name);
            let text = std::fs::read_to_string(&path).unwrap();
            client.open(&path, 1, &text);
            let found = client.diagnostics(&path, 1);
            let expected = of_commands(&root, &path);
            let shown: Vec<(String, String, u64)> = found
                .iter()
                .map(|it| {
                    let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
                    (text("code"), text("message"), it["range"]["start"]["line"].as_u64().unwrap())
                })
                .collect();
            assert_eq!(shown, expected, "{}", path.display());
            count += 1;
            findings += found.len();
        }
        client.stop();
    }
    println!("{count} files with {findings} findings are the same");
}

/// A text with a mistake, mostly.
fn mutated(text: String, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    match random.below(6) {
        0 => drop(lines.remove(at)),
        1 => lines[at] = lines[at].replacen(": ", ": x", 1),
        2 => lines[at].push_str("zz"),
        3 => lines[at].insert(0, ' '),
        4 => lines.insert(at, lines[at].clone()),
        _ => {}
    }
    lines.join("\n") + "\n"
}

/// What the commands find in a file of a folder.
fn of_commands(root: &std::path::Path, file: &std::path::Path) -> Vec<(String, String, u64)> {
    use crdgen_core::check::lints::Lints;
    use crdgen_core::documents::{Finding, is_definition, objects};
    use crdgen_tasks::checks::Checks;
    use crdgen_tasks::inputs::{self, Options, Rules};
    use crdgen_tasks::kinds::{KindSearch, Kinds};
    use crdgen_tasks::project::{Old, Project, Request, Words};
    use crdgen_tasks::updates::Updates;
    use crdgen_tasks::validate::{CheckOptions, ObjectChecker, Olds, Policies, Repeated, Severity};

    let rules = Rules::default();
    let paths = [root.display().to_string()];
    let project = Project::open(Request {
        paths: &paths,
        options: Options::crds(&rules),
        old: Old::Nowhere,
        has_types: false,
        words: Words { done: "checked", to_do: "check" },
    })
    .unwrap();
    let updates = Updates::new(crdgen_diff::Options::default(), crdgen_diff::Unstable::default());
    let checks = Checks { lints: Lints::default(), servers: Vec::new(), updates };
    let mut found: Vec<Finding> = Vec::new();
    let inventory = project.inputs().unwrap();
    for input in inventory.iter() {
        let Some(source) = inventory.read(input).unwrap().filter(|it| it.path() == file) else { continue };
        for group in source.groups() {
            found.extend(checks.of_text(&project, &source, group.read()));
        }
    }
    let inventory = inputs::find(&paths, &Options::objects(&rules)).unwrap();
    let kinds = Kinds::find(&KindSearch::default(), &inventory).unwrap();
    let olds = Olds::default();
    let policies = Policies::find(&[], &rules, &inventory).unwrap();
    let checker = ObjectChecker::new(&kinds, &olds, &CheckOptions::default(), &policies);
    let mut repeated = Repeated::default();
    for input in inventory.iter() {
        let Some(source) = inventory.read(input).unwrap().filter(|it| it.path() == file) else { continue };
        for group in source.groups() {
            let (objects, unreadable) = objects(group);
            found.extend(unreadable);
            for object in objects {
                let mut checked = checker.check(&object, &source.name, &source.origin.root);
                repeated.report_twice(&source, &mut checked, Severity::Error);
                repeated.warn_once_per_kind(&mut checked);
                if !is_definition(&object.value) {
                    found.extend(checked.findings);
                    continue;
                }
                // `check` finds all that `validate` finds in a CRD.
                for finding in checked.findings {
                    let is_it =
                        |it: &Finding| it.diag.shown() == finding.diag.shown() && it.place == finding.place;
                    assert!(found.iter().any(is_it), "{finding:?}");
                }
            }
        }
    }
    found.sort_by_key(|it| it.place.map(|place| place.start.offset));
    let shown = |it: Finding| {
        let line = it.place.map_or(0, |place| u64::from(place.start.line) - 1);
        (it.diag.code.id.to_owned(), crdgen_report::message(&it), line)
    };
    // Both commands report what cannot be read.
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((it.diag.code.id, it.diag.shown(), it.place.map(|at| at.start.offset))));
    found.into_iter().map(shown).collect()
}

#[test]
fn crds_that_are_not_saved_count() {
    let root = folder();
    let (crd, object) = (root.join("crd.yaml"), root.join("object.yaml"));
    std::fs::write(&crd, WIDGETS).unwrap();
    let mut client = Client::start(Some(&root));
    client.open(&object, 1, OBJECT);
    assert!(says(&client.diagnostics(&object, 1), "equal to 99"));
    // A lower maximum in the editor only.
    client.open(&crd, 1, WIDGETS);
    client.change(&crd, 2, json!([{ "text": WIDGETS.replace("maximum: 99", "maximum: 50") }]));
    until(&mut client, &object, |found| says(found, "equal to 50"));
    // While the CRD cannot be read, its last readable text counts.
    client.change(&crd, 3, json!([{ "text": format!("{WIDGETS}  x: [") }]));
    assert!(says(&client.diagnostics(&crd, 3), "yaml: "));
    client.change(&object, 2, json!([{ "text": OBJECT.replace("100", "101") }]));
    assert!(says(&client.diagnostics(&object, 2), "equal to 50"));
    // Without it, the file counts again.
    client.close(&crd);
    until(&mut client, &object, |found| says(found, "equal to 99"));
    assert_eq!(client.stop(), Stopped::Finished);
}

fn says(found: &[Value], part: &str) -> bool {
    found.iter().any(|it| it["message"].as_str().is_some_and(|text| text.contains(part)))
}

/// Waits until the diagnostics of a document are as they should be.
fn until(client: &mut Client, path: &std::path::Path, is_it: impl Fn(&[Value]) -> bool) {
    while !client.published.get(&uri(path)).is_some_and(|(_, found)| is_it(found)) {
        client.wait();
    }
}

#[test]
fn wrong_messages_are_refused() {
    let root = folder();
    std::fs::write(root.join("latin.yaml"), b"kind: \xe9\xff\xfe CustomResourceDefinition apiVersion")
        .unwrap();
    let mut client = Client::start(Some(&root));
    let code = |client: &mut Client, method: &str, params: Value| {
        let id = client.ask(method, params);
        client.answer(&id).response_result.map_err(|it| it.code)
    };
    assert_eq!(code(&mut client, "textDocument/nothing", json!({})), Err(-32601));
    assert_eq!(code(&mut client, "textDocument/hover", json!({ "position": 1 })), Err(-32602));
    client.notify("textDocument/didOpen", json!([1]));
    client.notify("textDocument/didChange", json!({ "textDocument": null }));
    client.notify("$/nothing", Value::Null);
    // Documents that are not open, outside of the workspace, or were never saved.
    let at =
        |name: &str| json!({ "textDocument": { "uri": name }, "position": { "line": 9, "character": 9 } });
    for name in ["file:///none.yaml", "untitled:1", "", "file://", "file:///%zz"] {
        assert_eq!(code(&mut client, "textDocument/hover", at(name)), Ok(Value::Null));
        let item = json!({ "uri": name, "languageId": "yaml", "version": 1, "text": OBJECT });
        client.notify("textDocument/didOpen", json!({ "textDocument": item }));
        while client.published.get(name).is_none_or(|(version, _)| *version != Some(1)) {
            client.wait();
        }
        assert!(code(&mut client, "textDocument/completion", at(name)).is_ok());
        let outside =
            json!({ "start": { "line": 7, "character": 4 }, "end": { "line": 3, "character": 900 } });
        let changes = json!([{ "range": outside, "text": "x" }]);
        let document = json!({ "uri": name, "version": 2 });
        client
            .notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        assert!(code(&mut client, "textDocument/documentSymbol", at(name)).is_ok());
    }
    assert_eq!(client.stop(), Stopped::Finished);
}

/// What a change breaks is reported where it is made, and no more when it is taken back.
#[test]
fn changes_are_compared_with_old_crds() {
    let (root, around) = (folder(), folder());
    let old = around.join("old.yaml");
    std::fs::write(&old, WIDGETS).unwrap();
    let mut client = Client::against(&root, &old);
    let path = root.join("widgets.yaml");
    std::fs::write(&path, WIDGETS).unwrap();
    client.open(&path, 1, WIDGETS);
    assert_eq!(client.diagnostics(&path, 1), Vec::<Value>::new());
    let narrower = WIDGETS.replace("[Fast, Slow]", "[Slow]");
    assert_ne!(narrower, WIDGETS);
    for (version, text, codes) in [(2, narrower.as_str(), vec!["CHG002"]), (3, WIDGETS, Vec::new())] {
        client.change(&path, version, json!([{ "text": text }]));
        let found = client.diagnostics(&path, version.into());
        let found: Vec<&str> = found.iter().filter_map(|it| it["code"].as_str()).collect();
        assert_eq!(found, codes);
    }
    assert_eq!(client.stop(), Stopped::Finished);
}

#[test]
fn changes_without_a_version_count() {
    let root = folder();
    let mut client = Client::start(Some(&root));
    let path = root.join("a.yaml");
    client.open(&path, 7, OBJECT);
    client.diagnostics(&path, 7);
    for version in [json!(null), json!(8)] {
        let document = json!({ "uri": uri(&path), "version": version });
        let changes = json!([{ "text": "apiVersion: v1\nkind: Pod\nspec: [" }]);
        client
            .notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        assert!(!client.diagnostics(&path, 8).is_empty());
    }
    assert_eq!(client.stop(), Stopped::Finished);
}

#[test]
fn cancelled_requests_are_not_answered() {
    let root = folder();
    let mut client = Client::start(Some(&root));
    client.open(&root.join("a.yaml"), 1, &"a: b\n".repeat(50_000));
    let params = json!({ "textDocument": { "uri": uri(&root.join("a.yaml")) } });
    let slow = client.ask("textDocument/documentSymbol", params.clone());
    let id = client.ask("textDocument/documentSymbol", params);
    let cancel = json!({ "id": id });
    client.send(Message::Notification(Notification { method: "$/cancelRequest".to_owned(), params: cancel }));
    client.answer(&slow).response_result.unwrap();
    // It was answered before it was cancelled, or got an error.
    let refused = client.answer(&id).response_result.err().map(|it| it.code);
    assert!(matches!(refused, None | Some(-32800)), "{refused:?}");
    client.send(Message::Notification(Notification {
        method: "$/cancelRequest".to_owned(),
        params: json!({ "id": RequestId::from("unknown".to_owned()) }),
    }));
    assert_eq!(client.stop(), Stopped::Finished);
}

#[test]
fn clients_may_leave() {
    let root = folder();
    assert_eq!(Client::start(Some(&root)).leave(), Stopped::Lost);
    assert_eq!(Client::start(None).leave(), Stopped::Lost);
}

/// The time to find the CRDs of the corpus.
#[test]
fn large_workspaces_are_found() {
    if corpus("crds").is_none() {
        return;
    }
    let root =
        PathBuf::from(std::env::var_os("CRDGEN_CORPUS").unwrap_or_else(|| "../../../shared/corpus".into()));
    let root = root.join("crds").canonicalize().unwrap();
    let started = Instant::now();
    let workspace =
        Workspace::new(vec![root.clone()], Settings::default()).and_then(|it| it.find_again()).unwrap();
    let found = started.elapsed();
    let kinds = workspace.kinds(&BTreeMap::new()).unwrap();
    println!("{} kinds: files in {found:?}, kinds after {:?}", kinds.iter().count(), started.elapsed());
    let checked = of_text(&workspace, &kinds, &root.join("new.yaml"), Arc::new(OBJECT.into())).unwrap();
    assert!(checked.found.len() <= 1);
}
