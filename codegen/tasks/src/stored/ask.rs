//! StorageVersionMigration: since 1.37 the server itself can migrate objects.

use std::time::Duration;

use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use super::Watch;
use super::api::{self, Api, JSON, Request, escaped};
use super::pages::send_patiently;
use crdgen_files::Error;

const GROUP: &str = "storagemigration.k8s.io";
/// The versions of the API in which the object names the resource without its version. Apart from their names, they are
/// the same.
const VERSIONS: [&str; 2] = ["v1", "v1beta1"];
/// After this time without progress, crdgen prints what it waits for.
const SILENCE: u32 = 30;

/// The version of the API that a cluster has.
pub fn served(api: &Api) -> Result<Option<&'static str>, Error> {
    let answer = api.get(&format!("/apis/{GROUP}"))?;
    let group = if answer.status == 200 { answer.value().unwrap_or_default() } else { Value::Null };
    let served = group.get("versions").and_then(Value::as_list).unwrap_or_default();
    let is_served =
        |name: &&str| served.iter().any(|it| it.get("version").and_then(Value::as_str) == Some(name));
    Ok(VERSIONS.into_iter().find(is_served))
}

/// Returns the object that starts the migration of a CRD's objects. It has the same name as long as the CRD does not
/// change, so that a second run waits for the same migration.
pub(super) fn object(crd: &Crd, version: &str) -> Value {
    let map = |members: Vec<(&str, Value)>| Value::Map(Map::from_iter(members));
    let (spec, metadata) = (&crd.spec, &crd.metadata);
    let state = match metadata.generation {
        0 => spec.storage_version().map_or_else(String::new, |version| version.name.clone()),
        generation => generation.to_string(),
    };
    let name = format!("{}-{state}", metadata.name);
    let resource =
        map(vec![("group", Value::from(&*spec.group)), ("resource", Value::from(&*spec.names.plural))]);
    map(vec![
        ("apiVersion", Value::from(format!("{GROUP}/{version}"))),
        ("kind", Value::from("StorageVersionMigration")),
        ("metadata", map(vec![("name", Value::from(name))])),
        ("spec", map(vec![("resource", resource)])),
    ])
}

/// Returns the newest version of the object, if there is no cluster to query.
pub fn newest(crd: &Crd) -> Value {
    object(crd, VERSIONS[0])
}

/// Starts the migration, and waits until it is done. Returns the reason if the migration fails.
pub fn run(api: &Api, crd: &Crd, version: &str, watch: &dyn Watch) -> Result<Option<String>, Error> {
    let object = object(crd, version);
    let name =
        object.get("metadata").and_then(|it| it.get("name")).and_then(Value::as_str).unwrap_or_default();
    let all = format!("/apis/{GROUP}/{version}/storageversionmigrations");
    let body = json::to_string(&object);
    let request = Request { method: "POST", path: &all, accept: JSON, body: Some((JSON, &body)) };
    let answer = send_patiently(api, &request)?;
    match answer.status {
        201 => watch.note(format_args!("created StorageVersionMigration {name}")),
        // An earlier run has created the object.
        409 => watch.note(format_args!("waiting for StorageVersionMigration {name}, which exists already")),
        _ => return Err(api::failed(&request, answer.message())),
    }
    let path = format!("{all}/{}", escaped(name));
    let request = Request { method: "GET", path: &path, accept: JSON, body: None };
    for second in 0_u32.. {
        let answer = send_patiently(api, &request)?;
        if answer.status != 200 {
            return Err(api::failed(&request, answer.message()));
        }
        let status = answer.value().unwrap_or_default();
        match state(&status) {
            State::Succeeded => return Ok(None),
            State::Failed(why) => {
                let help = format!("delete StorageVersionMigration {name} to try again");
                return Ok(Some(format!("{why}; {help}")));
            }
            State::Waiting if second == SILENCE => {
                watch.note(format_args!(
                    "no controller has started the migration yet. kube-controller-manager should do so; --own does not need it"
                ));
            }
            State::Waiting | State::Running => {}
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(Some("it took too long".to_owned()))
}

#[derive(Debug, PartialEq)]
enum State {
    Waiting,
    Running,
    Succeeded,
    Failed(String),
}

fn state(object: &Value) -> State {
    let conditions = object.get("status").and_then(|status| status.get("conditions"));
    let conditions = conditions.and_then(Value::as_list).unwrap_or_default();
    let text = |it: &Value, name: &str| it.text(name).to_owned();
    let is_true =
        |ty: &str| conditions.iter().find(|it| text(it, "type") == ty && text(it, "status") == "True");
    if is_true("Succeeded").is_some() {
        State::Succeeded
    } else if let Some(failed) = is_true("Failed") {
        State::Failed(format!("{}: {}", text(failed, "reason"), text(failed, "message")))
    } else if is_true("Running").is_some() {
        State::Running
    } else {
        State::Waiting
    }
}

#[cfg(test)]
mod tests {
    use super::{State, newest, state};
    use crdgen_core::ir::Crd;
    use crdgen_core::json;

    #[test]
    fn asks_for_the_resource_of_the_crd() {
        let mut crd = Crd::default();
        crd.metadata.name = "sites.example.com".to_owned();
        crd.metadata.generation = 7;
        crd.spec.group = "example.com".to_owned();
        crd.spec.names.plural = "sites".to_owned();
        let wanted = r#"{"apiVersion":"storagemigration.k8s.io/v1","kind":"StorageVersionMigration","metadata":{"name":"sites.example.com-7"},"spec":{"resource":{"group":"example.com","resource":"sites"}}}"#;
        assert_eq!(json::to_string(&newest(&crd)), wanted);
    }

    #[test]
    fn knows_when_the_server_is_done() {
        for (conditions, wanted) in [
            ("", State::Waiting),
            (r#"{"type":"Succeeded","status":"False"}"#, State::Waiting),
            (r#"{"type":"Running","status":"True"}"#, State::Running),
            (r#"{"type":"Running","status":"False"},{"type":"Succeeded","status":"True"}"#, State::Succeeded),
            (
                r#"{"type":"Failed","status":"True","reason":"R","message":"m"}"#,
                State::Failed("R: m".to_owned()),
            ),
        ] {
            let text = format!("{{\"status\":{{\"conditions\":[{conditions}]}}}}");
            assert_eq!(state(&json::read(text.as_bytes()).unwrap_or_default()), wanted, "{conditions}");
        }
    }
}
