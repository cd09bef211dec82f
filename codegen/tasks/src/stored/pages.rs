//! The stored objects of a kind, page by page.

use std::time::Duration;

use crdgen_core::ir::Crd;
use crdgen_core::value::Value;

use super::api::{self, Answer, Api, Request, escaped};
use crdgen_files::Error;

/// Requests only the metadata of objects, which is all that is needed to write them again.
pub(super) const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// How often to try again when a server is busy or a token has expired.
const PATIENCE: u32 = 6;

/// Where the objects of a kind are.
pub(super) struct ObjectsPlace {
    group: String,
    plural: String,
    /// The served versions, of which the one that is stored comes first.
    versions: Vec<String>,
}

/// Some objects.
pub(super) struct Page {
    pub(super) items: Vec<Value>,
    /// Where the next page begins. Empty after the last page.
    pub(super) next: String,
    /// How many objects come after this page, if the server knows.
    pub(super) remaining: u64,
}

impl ObjectsPlace {
    /// None if no version is served.
    pub(super) fn of(crd: &Crd) -> Option<ObjectsPlace> {
        let mut served: Vec<_> = crd.spec.versions.iter().filter(|version| version.served).collect();
        served.sort_by_key(|version| !version.storage);
        let versions: Vec<String> = served.iter().map(|version| version.name.clone()).collect();
        let names = (crd.spec.group.clone(), crd.spec.names.plural.clone());
        (!versions.is_empty()).then_some(ObjectsPlace { group: names.0, plural: names.1, versions })
    }

    /// The path of an object, in the version that is stored if that is served.
    pub(super) fn object(&self, namespace: &str, name: &str) -> String {
        self.object_in(self.versions.first().map_or("", String::as_str), namespace, name)
    }

    /// The path of an object in a version.
    pub(super) fn object_in(&self, version: &str, namespace: &str, name: &str) -> String {
        let namespace = match namespace {
            "" => String::new(),
            namespace => format!("namespaces/{}/", escaped(namespace)),
        };
        format!("{}/{namespace}{}/{}", self.root(version), escaped(&self.plural), escaped(name))
    }

    fn root(&self, version: &str) -> String {
        format!("/apis/{}/{}", escaped(&self.group), escaped(version))
    }

    /// Reads the page that begins at `from`.
    pub(super) fn get_page(&self, api: &Api, limit: u64, from: &str) -> Result<Page, Error> {
        let (mut limit, mut from) = (limit, from.to_owned());
        let mut expired = 0;
        'again: loop {
            let mut failed = None;
            for version in &self.versions {
                let plural = escaped(&self.plural);
                let path =
                    format!("{}/{plural}?limit={limit}&continue={}", self.root(version), escaped(&from));
                let request = Request { method: "GET", path: &path, accept: METADATA_LIST, body: None };
                let answer = send_patiently(api, &request)?;
                match answer.status {
                    200 => return read(&answer).ok_or_else(|| api::failed(&request, NO_LIST.to_owned())),
                    // The server no longer has the objects as they were when the list began. It offers to continue with
                    // those that exist now.
                    410 if !from.is_empty() && expired < PATIENCE => {
                        expired += 1;
                        from = answer.value().map(|status| next(&status)).unwrap_or_default();
                        continue 'again;
                    }
                    401 | 403 => return Err(api::failed(&request, answer.message())),
                    _ => _ = failed.get_or_insert_with(|| api::failed(&request, answer.message())),
                }
            }
            match failed {
                // An object that cannot be converted prevents the server from returning its page, except in the version
                // in which the object is stored.
                Some(_) if limit > 1 => limit = 1,
                Some(failed) => return Err(failed),
                None => return Err(Error::Nothing("no version is served".to_owned())),
            }
        }
    }

    /// Passes on all objects, some at a time.
    pub(super) fn get_each_page(
        &self,
        api: &Api,
        limit: u64,
        mut take: impl FnMut(Vec<Value>),
    ) -> Result<(), Error> {
        let mut from = String::new();
        loop {
            let page = self.get_page(api, limit, &from)?;
            take(page.items);
            from = page.next;
            if from.is_empty() {
                return Ok(());
            }
        }
    }
}

const NO_LIST: &str = "the answer is not a list of objects";

fn read(answer: &Answer) -> Option<Page> {
    let Value::Map(mut list) = answer.value()? else { return None };
    let items = match list.remove("items")? {
        Value::List(items) => items,
        Value::Null => Vec::new(),
        _ => return None,
    };
    let list = Value::Map(list);
    let metadata = list.get("metadata");
    let remaining = metadata.and_then(|it| it.get("remainingItemCount")).and_then(Value::as_int);
    Some(Page {
        items,
        next: next(&list),
        remaining: remaining.and_then(|it| it.try_into().ok()).unwrap_or(0),
    })
}

fn next(value: &Value) -> String {
    let next = value.get("metadata").and_then(|metadata| metadata.get("continue"));
    next.and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Sends a request, and tries again while the server is busy.
pub(super) fn send_patiently(api: &Api, request: &Request<'_>) -> Result<Answer, Error> {
    for attempt in 0..PATIENCE {
        let answer = api.send(request)?;
        if ![429, 503, 504].contains(&answer.status) {
            return Ok(answer);
        }
        std::thread::sleep(answer.wait_or(Duration::from_millis(250 << attempt)));
    }
    api.send(request)
}
