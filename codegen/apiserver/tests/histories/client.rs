//! A client that writes, reads and lists.

use super::linear::{Answer, Object, Read, Wrote};
use super::{MAPS, NAMES, Random, World};
use crate::common::send;
use crdgen_apiserver::Server;
use crdgen_core::value::Value;
use std::rc::Rc;

const FINALIZER: &str = "example.com/f";

pub(crate) struct Client {
    world: Rc<World>,
    random: Random,
    number: u64,
    /// Objects that it has seen.
    seen: Vec<Object>,
}

/// What a list has shown: its revision and its objects. Otherwise the code of the failure.
pub(crate) type Listed = Result<(u64, Vec<Object>), u16>;

fn revision(value: &Value) -> u64 {
    let text = value.get("metadata").and_then(|it| it.get("resourceVersion")?.as_str()).unwrap_or_default();
    text.parse().unwrap_or_default()
}

/// Lists everything in parts of two objects.
pub(crate) async fn list(server: &Server, query: &str) -> Listed {
    let (mut objects, mut next, mut of) = (Vec::new(), String::new(), None);
    loop {
        let uri = format!("{MAPS}?limit=2&{query}&continue={next}");
        let (code, value) = send(server, "GET", &uri, "", "").await;
        if code != 200 {
            return Err(code);
        }
        let found = revision(&value);
        assert_eq!(*of.get_or_insert(found), found, "the parts of a list have different revisions");
        let items = value.get("items").and_then(Value::as_list).unwrap_or_default();
        objects.extend(items.iter().filter_map(Object::read));
        let token = value.get("metadata").and_then(|it| it.get("continue")?.as_str()).unwrap_or_default();
        if token.is_empty() {
            return Ok((found, objects));
        }
        next = token.to_owned();
    }
}

impl Client {
    pub(crate) fn new(world: Rc<World>, random: Random, number: u64) -> Client {
        Client { world, random, number, seen: Vec::new() }
    }

    pub(crate) async fn run(mut self) {
        for _ in 0..12 {
            let world = Rc::clone(&self.world);
            let quiet = world.quiet.read().await;
            match self.random.below(12) {
                0..=7 => self.write().await,
                8 => self.get().await,
                9 => self.delete_all().await,
                _ => self.list().await,
            }
            drop(quiet);
        }
    }

    fn add(&self, answer: Answer) {
        self.world.answers.borrow_mut().add(answer);
    }

    fn known(&self) -> u64 {
        self.world.answers.borrow().known
    }

    async fn write(&mut self) {
        let name = self.random.one_of(&NAMES).to_owned();
        let (number, label) = (self.world.number(), self.random.below(2));
        let one = format!("{MAPS}/{name}");
        let seen = self.seen.iter().rev().find(|object| object.name == name).map(|object| object.revision);
        let finalizers = if self.random.below(3) == 0 {
            format!(r#""finalizers":["{FINALIZER}"],"#)
        } else {
            String::new()
        };
        let object = |more: &str| {
            format!(
                r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{{more}"name":"{name}","labels":{{"x":"{label}"}}}},"data":{{"n":"{number}"}}}}"#
            )
        };
        let manager = self.number;
        let (mut wanted, mut makes) = (None, true);
        let (method, uri, content_type, body) = match self.random.below(9) {
            0 | 1 => ("POST", MAPS.to_owned(), "application/json", object(&finalizers)),
            2 => {
                wanted = seen;
                let version = seen.map_or_else(String::new, |it| format!(r#""resourceVersion":"{it}","#));
                ("PUT", one, "application/json", object(&format!("{version}{finalizers}")))
            }
            3 => ("PUT", one, "application/json", object(&finalizers)),
            4 => {
                let patch =
                    format!(r#"{{"metadata":{{"labels":{{"x":"{label}"}}}},"data":{{"n":"{number}"}}}}"#);
                ("PATCH", one, "application/merge-patch+json", patch)
            }
            5 => {
                let uri = format!("{one}?fieldManager=m{manager}&force=true");
                ("PATCH", uri, "application/apply-patch+yaml", object(""))
            }
            6 => {
                makes = false;
                let patch = r#"{"metadata":{"finalizers":null}}"#.to_owned();
                ("PATCH", one, "application/merge-patch+json", patch)
            }
            _ => {
                makes = false;
                ("DELETE", one, "", String::new())
            }
        };
        let known = self.known();
        let (code, value) = send(&self.world.server(), method, &uri, content_type, &body).await;
        let found = Object::read(&value).filter(|_| code < 300);
        self.seen.extend(found.clone());
        let number = makes.then_some(number);
        self.add(Answer::Wrote(Wrote { method, name, known, code, wanted, number, found }));
    }

    async fn get(&mut self) {
        let name = self.random.one_of(&NAMES).to_owned();
        let known = self.known();
        let (code, value) = send(&self.world.server(), "GET", &format!("{MAPS}/{name}"), "", "").await;
        let found = Object::read(&value).filter(|_| code == 200);
        self.seen.extend(found.clone());
        self.add(Answer::Read(Read { name, known, code, found }));
    }

    async fn list(&mut self) {
        let selector = self.random.one_of(&["", "x=0", "x=1"]).to_owned();
        let known = self.known();
        // Sometimes as it was at an earlier revision.
        let exact = self.seen.last().map(|object| object.revision).filter(|_| self.random.below(3) == 0);
        let version =
            exact.map_or_else(String::new, |it| format!("&resourceVersion={it}&resourceVersionMatch=Exact"));
        // The rest of a list with a token has the revision of the token.
        let query = format!("labelSelector={}{version}", selector.replace('=', "%3D"));
        let listed = match exact {
            None => list(&self.world.server(), &query).await,
            Some(_) => at_once(&self.world.server(), &query).await,
        };
        if let Ok((_, objects)) = &listed {
            self.seen.extend(objects.iter().cloned());
        }
        self.add(Answer::Listed { selector, known, exact, listed });
    }

    async fn delete_all(&mut self) {
        let selector = self.random.one_of(&["x=0", "x=1"]).replace('=', "%3D");
        let uri = format!("{MAPS}?labelSelector={selector}");
        if self.random.below(3) == 0 {
            let (code, _) = send(&self.world.server(), "DELETE", &uri, "", "").await;
            let is_explained = code == 200 || code == 500 && self.world.disk.is_some();
            assert!(is_explained, "{code}: no fault concerns this verb");
        }
    }
}

async fn at_once(server: &Server, query: &str) -> Listed {
    let (code, value) = send(server, "GET", &format!("{MAPS}?{query}"), "", "").await;
    if code != 200 {
        return Err(code);
    }
    let items = value.get("items").and_then(Value::as_list).unwrap_or_default();
    Ok((revision(&value), items.iter().filter_map(Object::read).collect()))
}
