//! The end of a migration: the status of the CRD no longer lists the old versions.

use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use super::CRDS;
use super::api::{self, Api, JSON, MERGE_PATCH, Request, escaped};
use super::facts::Facts;
use super::pages::send_patiently;
use super::resume::Subject;
use crdgen_files::Error;

/// How often to try again when another client writes the CRD meanwhile.
const CONFLICTS: u32 = 10;

/// Leaves only the storage version in `status.storedVersions`. If the CRD has changed since the migration began, objects may
/// have been stored in another version meanwhile, and nothing is removed.
pub fn run(api: &Api, subject: &Subject, storage: &str) -> Result<(), Error> {
    let path = format!("{CRDS}/{}", escaped(&subject.name));
    let status = format!("{path}/status?fieldManager=crdgen");
    let get = Request { method: "GET", path: &path, accept: JSON, body: None };
    for _ in 0..CONFLICTS {
        let answer = send_patiently(api, &get)?;
        if answer.status != 200 {
            return Err(api::failed(&get, answer.message()));
        }
        let now = Facts::of(answer.value().unwrap_or_default())?.crd;
        if Subject::of(&now) != *subject {
            let why = "changed during the migration, so objects may be stored in old versions again. Run the command again";
            return Err(Error::Nothing(format!("{} {why}", subject.name)));
        }
        // The server's own controller may have done it.
        if now.status.stored_versions.is_some_and(|stored| stored == [storage]) {
            return Ok(());
        }
        let map = |members: Vec<(&str, Value)>| Value::Map(Map::from_iter(members));
        let metadata = map(vec![
            ("uid", Value::from(&*subject.uid)),
            ("resourceVersion", Value::from(&*now.metadata.resource_version)),
        ]);
        let stored = map(vec![("storedVersions", Value::List(vec![Value::from(storage)]))]);
        let patch = json::to_string(&map(vec![("metadata", metadata), ("status", stored)]));
        let body = Some((MERGE_PATCH, patch.as_str()));
        let request = Request { method: "PATCH", path: &status, accept: JSON, body };
        let answer = send_patiently(api, &request)?;
        match answer.status {
            200 => return Ok(()),
            409 => {}
            _ => return Err(api::failed(&request, answer.message())),
        }
    }
    Err(api::failed(&get, "other clients keep changing it".to_owned()))
}
