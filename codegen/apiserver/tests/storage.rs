//! A server with a storage: no client sees what may be lost, and requests share the writes of the storage.

use crate::common::{JSON, MERGE, get, post, request, send};
use crdgen_apiserver::{Saved, Server, Storage};
use crdgen_core::value::Value;
use http_body_util::BodyExt;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// What a storage contains, and whether it writes.
#[derive(Debug, Default)]
struct Disk {
    objects: BTreeMap<String, Option<String>>,
    revision: u64,
    random: u64,
    saves: usize,
    is_stopped: bool,
    /// Whether changes wait for it.
    is_awaited: bool,
    is_full: bool,
}

/// A storage that a test can stop.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<(Mutex<Disk>, Condvar)>);

impl Memory {
    fn set(&self, change: impl FnOnce(&mut Disk)) {
        change(&mut self.0.0.lock().expect("no panic"));
        self.0.1.notify_all();
    }

    fn saves(&self) -> usize {
        self.0.0.lock().expect("no panic").saves
    }

    /// Waits until changes wait for it.
    async fn awaited(&self) {
        for _ in 0..500 {
            if self.0.0.lock().expect("no panic").is_awaited {
                return;
            }
            tokio::time::sleep(SOON / 5).await;
        }
        panic!("no change reaches the storage");
    }

    fn server(&self) -> Server {
        let server = Server::with_storage(0, Box::new(self.clone())).expect("a server");
        // Only tests create ConfigMaps.
        server.without_controller_manager()
    }
}

impl Storage for Memory {
    fn load(&mut self) -> io::Result<Option<Saved>> {
        let disk = self.0.0.lock().expect("no panic");
        let objects = disk.objects.iter().filter(|(_, text)| text.is_some());
        let objects: Vec<_> = objects.map(|(name, text)| (name.clone(), text.clone())).collect();
        Ok((disk.revision > 0).then_some(Saved { revision: disk.revision, random: disk.random, objects }))
    }

    fn save(&mut self, changes: &Saved) -> io::Result<()> {
        let mut disk = self.0.0.lock().expect("no panic");
        disk.is_awaited = true;
        let mut disk = self.0.1.wait_while(disk, |disk| disk.is_stopped).expect("no panic");
        disk.is_awaited = false;
        if disk.is_full {
            return Err(io::Error::other("no space left"));
        }
        assert!(disk.revision <= changes.revision, "revisions go back");
        disk.saves += 1;
        (disk.revision, disk.random) = (changes.revision, changes.random);
        disk.objects.extend(changes.objects.iter().cloned());
        Ok(())
    }
}

fn config(name: &str) -> String {
    format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#)
}

fn names(list: &Value) -> Vec<&str> {
    let items = list.get("items").and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(|item| item.get("metadata")?.get("name")?.as_str()).collect()
}

/// Long enough for what happens at once.
const SOON: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sees_what_is_not_saved() {
    let disk = Memory::default();
    let server = disk.server();
    assert_eq!(post(&server, MAPS, &config("a")).await.0, 201);
    let Ok(answer) = server.clone().call(request("GET", &format!("{MAPS}?watch=1"), "", "")).await;
    let mut watch = answer.into_body();
    assert!(watch.frame().await.is_some(), "the first object");
    disk.set(|disk| disk.is_stopped = true);
    let (writer, reader) = (server.clone(), server.clone());
    let write = tokio::spawn(async move { post(&writer, MAPS, &config("b")).await.0 });
    disk.awaited().await;
    let read = tokio::spawn(async move { get(&reader, MAPS).await.1 });
    assert!(timeout(SOON, watch.frame()).await.is_err(), "the watch shows what is not saved");
    assert!(!write.is_finished() && !read.is_finished(), "an answer shows what is not saved");
    // Nothing else waits, and the lock is free.
    assert_eq!(get(&server, "/readyz").await.0, 200);
    disk.set(|disk| disk.is_stopped = false);
    assert_eq!(write.await.expect("no panic"), 201);
    assert_eq!(names(&read.await.expect("no panic")), ["a", "b"]);
    let line = timeout(SOON * 50, watch.frame()).await.expect("an event");
    assert!(line.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_share_the_writes_of_the_storage() {
    let disk = Memory::default();
    let server = disk.server();
    disk.set(|disk| disk.is_stopped = true);
    let before = disk.saves();
    let create = |number| {
        let server = server.clone();
        tokio::spawn(async move { post(&server, MAPS, &config(&format!("a{number}"))).await.0 })
    };
    let writes: Vec<_> = (0..50).map(create).collect();
    tokio::time::sleep(SOON).await;
    assert!(writes.iter().all(|write| !write.is_finished()));
    disk.set(|disk| disk.is_stopped = false);
    for write in writes {
        assert_eq!(write.await.expect("no panic"), 201);
    }
    let saves = disk.saves() - before;
    assert!((1..=10).contains(&saves), "50 requests took {saves} writes");
    drop(server);
    // The server writes nothing after it has gone, and another one finds everything.
    let server = disk.server();
    assert_eq!(names(&get(&server, MAPS).await.1).len(), 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_save_shows_what_is_saved() {
    let disk = Memory::default();
    let server = disk.server();
    for name in ["kept", "gone"] {
        assert_eq!(post(&server, MAPS, &config(name)).await.0, 201);
    }
    let Ok(answer) = server.clone().call(request("GET", &format!("{MAPS}?watch=1"), "", "")).await;
    let mut watch = answer.into_body();
    for _ in 0..2 {
        assert!(watch.frame().await.is_some(), "the objects");
    }
    disk.set(|disk| disk.is_stopped = true);
    const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let changes = [
        ("POST", MAPS.to_owned(), JSON, config("a")),
        ("DELETE", format!("{MAPS}/gone"), JSON, String::new()),
        ("PATCH", format!("{MAPS}/kept"), MERGE, r#"{"data":{"a":"b"}}"#.to_owned()),
        ("POST", CRDS.to_owned(), "application/yaml", include_str!("crd.yaml").to_owned()),
    ];
    let mut writes = Vec::new();
    for (method, path, content_type, body) in changes {
        let server = server.clone();
        writes.push(tokio::spawn(async move { send(&server, method, &path, content_type, &body).await }));
        disk.awaited().await;
    }
    tokio::time::sleep(SOON).await;
    disk.set(|disk| (disk.is_full, disk.is_stopped) = (true, false));
    for write in writes {
        let (code, status) = write.await.expect("no panic");
        let message = status.text("message");
        let wanted = "Internal error occurred: the server cannot save its objects: no space left";
        assert_eq!((code, message), (500, wanted));
    }
    let end = timeout(SOON * 50, watch.frame()).await.expect("the watch ends");
    assert!(end.is_none());
    let (code, list) = get(&server, MAPS).await;
    assert_eq!((code, names(&list)), (200, vec!["gone", "kept"]));
    let (code, kept) = get(&server, &format!("{MAPS}/kept")).await;
    assert_eq!((code, kept.get("data")), (200, None));
    assert_eq!(get(&server, "/apis/stable.example.com").await.0, 404);
    assert_eq!(post(&server, MAPS, &config("b")).await.0, 500);
    assert_eq!(get(&server, "/readyz").await.0, 500, "a server that cannot save is not ready");
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_from_before_a_restart_list_again() {
    let disk = Memory::default();
    let server = disk.server();
    let (_, created) = post(&server, MAPS, &config("a")).await;
    let version = created.get("metadata").and_then(|it| it.get("resourceVersion")?.as_str()).unwrap_or("");
    let Ok(_) = server.clone().call(request("DELETE", &format!("{MAPS}/a"), "", "")).await;
    drop(server);
    let server = disk.server();
    // No object of this resource is left, and its deletion must not be missed.
    let uri = format!("{MAPS}?watch=1&resourceVersion={version}");
    let Ok(answer) = server.clone().call(request("GET", &uri, "", "")).await;
    let frame = answer.into_body().frame().await.expect("an event").expect("no error");
    let line = frame.into_data().expect("data");
    assert!(String::from_utf8_lossy(&line).contains(r#""code":410"#), "{line:?}");
}
