//! How large a stored object may be: etcd limits its requests.

use crate::admission::Operation;
use crate::meta;
use crate::status::Failure;
use crate::store::{Key, Resource};
use crdgen_core::json;
use crdgen_core::value::Value;

/// The largest request that etcd processes, and the largest one that its client sends.
const MOST_PROCESSED: usize = 3 << 19;
const MOST_SENT: usize = 2 << 20;
/// What a request has besides the object and its keys, for the client and in etcd's log.
const FRAME: usize = 25;
const LOGGED: usize = 14;

/// Removes the owners of fields from an object that is too large with them, as the server does before it tries once more.
pub(crate) fn shrink(resource: &Resource, object: &mut Value, operation: Operation) -> Result<(), Failure> {
    let Err(failure) = check(resource, object, operation) else { return Ok(()) };
    if !meta::has(object, "managedFields") {
        return Err(failure);
    }
    meta::set(object, "managedFields", None);
    check(resource, object, operation)
}

/// Rejects an object that etcd does not store, in the words of etcd and its client. Kubernetes stores its own kinds as protobuf; their
/// size in JSON is nearly the same where it matters, because large objects are large texts.
fn check(resource: &Resource, object: &Value, operation: Operation) -> Result<(), Failure> {
    let key = Key::new(meta::text(object, "namespace"), meta::text(object, "name"));
    let Resource { group, plural } = resource;
    let path = ["/registry", group, plural, &key.namespace, &key.name];
    let path: usize = path.iter().filter(|step| !step.is_empty()).map(|step| step.len() + 1).sum();
    // The stored object has no version, and a line feed. The key is in the condition, in the write, and in the read if both fail.
    let version = meta::text(object, "resourceVersion").len();
    let without = if version > 0 { version + r#""resourceVersion":"","#.len() } else { 0 };
    let keys = if operation == Operation::Create { 2 } else { 3 };
    let sent = (json::length(object) + 1).saturating_sub(without) + keys * (path - 1) + FRAME;
    let message = if sent > MOST_SENT {
        format!(
            "rpc error: code = ResourceExhausted desc = trying to send message larger than max ({sent} vs. {MOST_SENT})"
        )
    } else if sent + LOGGED > MOST_PROCESSED {
        "etcdserver: request is too large".to_owned()
    } else {
        return Ok(());
    };
    Err(Failure::new(500, "", message))
}

#[cfg(test)]
mod tests {
    use super::{check, shrink};
    use crate::admission::Operation;
    use crate::store::Resource;
    use crdgen_core::json;

    #[test]
    fn an_object_that_is_too_large_loses_its_owners() {
        let resource = Resource::new("g.example.com", "things");
        let object = |owners: usize, letters: usize| {
            let (owners, text) = ("x".repeat(owners), "x".repeat(letters));
            let mut object = json::read(
                format!(r#"{{"d":"{text}","metadata":{{"managedFields":[{{"f":"{owners}"}}]}}}}"#).as_bytes(),
            )
            .expect("JSON");
            let answer = shrink(&resource, &mut object, Operation::Create);
            (answer.is_ok(), crate::meta::has(&object, "managedFields"))
        };
        assert_eq!(object(1000, 1000), (true, true));
        assert_eq!(object(1_000_000, 1_000_000), (true, false));
        assert_eq!(object(0, 2_000_000), (false, false));
    }
    #[test]
    fn the_largest_object_is_that_of_a_real_server() {
        // On a server of 1.37 this object with 1,572,540 letters was stored, and with one more it was not.
        let object = |letters: usize| {
            let text = format!(
                r#"{{"apiVersion":"g.example.com/v1","d":"{}","kind":"Thing","metadata":{{"creationTimestamp":"2026-11-26T23:09:38Z","generation":1,"name":"b","namespace":"default","uid":"bdbea4aa-953a-44f6-af98-b33b9da92098"}}}}"#,
                "x".repeat(letters)
            );
            json::read(text.as_bytes()).expect("JSON")
        };
        let resource = Resource::new("g.example.com", "things");
        let message =
            |letters, operation| check(&resource, &object(letters), operation).err().map(|it| it.message);
        assert_eq!(message(1_572_540, Operation::Create), None);
        assert_eq!(
            message(1_572_541, Operation::Create).as_deref(),
            Some("etcdserver: request is too large")
        );
        assert!(message(1_572_540, Operation::Update).is_some(), "an update has the key once more");
        assert!(
            message(2_200_000, Operation::Create)
                .is_some_and(|it| it.starts_with("rpc error: code = ResourceExhausted"))
        );
    }
}
