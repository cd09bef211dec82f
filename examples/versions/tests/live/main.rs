//! Tests the webhook with the real API server. This runs if `$CRDGEN_LIVE` is set, `$CRDGEN_ORACLE` is the program that
//! serves (`tests/oracle`), and kubectl is installed. The test predicts every answer.

mod hook;
mod migration;
mod model;

use crdgen::webhook::ca_bundle_patch;
use crdgen_live_server::Server;
use hook::{Fault, Hook, certificate, definition};
use model::{Model, merge, plain, site};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

fn get(server: &Server, version: &str, name: &str) -> Value {
    let path = format!("/apis/example.com/{version}/namespaces/default/sites/{name}");
    serde_json::from_str(&server.ok(&["get", "--raw", &path], "")).expect("an object")
}

/// Applies the CRD, and waits until the server uses it.
fn define(server: &Server, crd: &str) {
    server.ok(&["apply", "--server-side", "--force-conflicts", "-f", "-"], crd);
    VERSIONS.iter().for_each(|version| server.until_served(&format!("sites.{version}.example.com")));
}

/// Returns objects that only their own version can express.
fn objects() -> [Value; 3] {
    [
        site(
            "v1alpha1",
            "alpha",
            json!({"host": "a", "replicas": 1, "timeoutSeconds": 5, "theme": "dark",
                "backends": [{"name": "x", "port": 80, "note": "old"}, {"name": "y", "port": 81}]}),
        ),
        site(
            "v1beta1",
            "beta",
            json!({"hosts": ["b", "c"], "replicas": 2, "timeoutSeconds": 6, "paused": true,
                "backends": [{"name": "x", "port": 80, "protocol": "H2c"}]}),
        ),
        site(
            "v1",
            "stable",
            json!({"hosts": ["d", "e", "f"], "scaling": {"replicas": 3, "max": 9}, "timeoutMillis": 1500,
                "state": "Maintenance", "backends": [{"name": "x", "target_port": 80, "protocol": "Grpc"}]}),
        ),
    ]
}

/// Returns changes in a version, to apply one after the other.
fn patches(version: &str) -> [Value; 3] {
    match version {
        "v1alpha1" => [
            json!({"spec": {"host": "edited", "theme": "light"}}),
            json!({"spec": {"backends": [{"name": "z", "port": 1, "note": "n"}, {"name": "x", "port": 80}]}}),
            json!({"spec": {"theme": null, "timeoutSeconds": 7}, "metadata": {"labels": {"more": "1"}}}),
        ],
        "v1beta1" => [
            json!({"spec": {"hosts": ["p", "q"]}}),
            json!({"spec": {"paused": false, "backends": [{"name": "x", "port": 8080, "protocol": "H2c"}]}}),
            json!({"metadata": {"annotations": {"example.com/mine": "1"}}}),
        ],
        _ => [
            json!({"spec": {"state": "Maintenance", "timeoutMillis": 2500}}),
            json!({"spec": {"scaling": {"max": 50}}}),
            json!({"spec": {"backends": [{"name": "x", "target_port": 9, "protocol": "Grpc"}]}}),
        ],
    }
}

#[test]
fn every_answer_is_as_predicted() {
    let Some(server) = Server::start("steps") else { return };
    let (hook, trusted) = Hook::of_crdgen();
    let mut model = Model { stored: "v1", objects: BTreeMap::new() };
    define(&server, &definition(&hook, &trusted, "v1"));

    for object in objects() {
        server.ok(&["create", "-f", "-"], &object.to_string());
        model.put(&object);
    }
    model.check(&server, "created");

    let names: Vec<String> = model.objects.keys().cloned().collect();
    for version in VERSIONS {
        let resource = format!("sites.{version}.example.com");
        for (name, patch) in names.iter().zip(patches(version)) {
            server.ok(&["patch", &resource, name, "--type=merge", "-p", &patch.to_string()], "");
            model.patch(version, name, &patch);
            for version in VERSIONS {
                let found = get(&server, version, name);
                assert_eq!(plain(&found), plain(&model.get(version, name)), "{patch}: {name} in {version}");
            }
        }
        // Server-side apply, with a manager for each version.
        for name in &names {
            let labels = json!({"metadata": {"labels": {version: "applied"}}});
            let mut applied = json!({"apiVersion": format!("example.com/{version}"), "kind": "Site",
                "metadata": {"name": name, "namespace": "default"}});
            merge(&mut applied, &labels);
            let manager = format!("--field-manager={version}");
            server.ok(&["apply", "--server-side", &manager, "-f", "-"], &applied.to_string());
            model.patch(version, name, &labels);
        }
        // Client-side apply of the whole object, with a change.
        let mut applied = plain(&model.get(version, "alpha"));
        merge(&mut applied, &json!({"metadata": {"labels": {"client": version}}}));
        server.ok(&["apply", "-f", "-"], &applied.to_string());
        model.put(&applied);
        model.check(&server, "applied");

        for (i, name) in names.iter().enumerate() {
            let status = json!({"status": {"replicas": i}});
            server.ok(
                &[
                    "patch",
                    &resource,
                    name,
                    "--subresource=status",
                    "--type=merge",
                    "-p",
                    &status.to_string(),
                ],
                "",
            );
            model.patch(version, name, &status);
            let replicas = (10 + i).to_string();
            server.ok(&["scale", &format!("--replicas={replicas}"), &format!("{resource}/{name}")], "");
            let spec = if version == "v1" {
                json!({"scaling": {"replicas": 10 + i}})
            } else {
                json!({"replicas": 10 + i})
            };
            model.patch(version, name, &json!({"spec": spec}));
            let path = format!("/apis/example.com/{version}/namespaces/default/sites/{name}/scale");
            let scale: Value =
                serde_json::from_str(&server.ok(&["get", "--raw", &path], "")).expect("a scale");
            assert_eq!(
                (&scale["spec"]["replicas"], &scale["status"]["replicas"]),
                (&json!(10 + i), &json!(i))
            );
        }
        model.check(&server, "scaled");
    }

    // After a change of the storage version, objects are unchanged. They are stored in the new version when they are
    // written.
    for stored in ["v1beta1", "v1alpha1", "v1"] {
        define(&server, &definition(&hook, &trusted, stored));
        // The server needs some time before it uses the CRD.
        std::thread::sleep(Duration::from_secs(2));
        model.check(&server, "another storage version");
        model.stored = stored;
        for name in &names {
            let patch = json!({"metadata": {"labels": {"stored": stored}}});
            server.ok(&["patch", "sites.v1.example.com", name, "--type=merge", "-p", &patch.to_string()], "");
            model.patch("v1", name, &patch);
        }
        model.check(&server, "stored anew");
        for version in VERSIONS {
            let list: Value = serde_json::from_str(
                &server.ok(&["get", "--raw", &format!("/apis/example.com/{version}/sites")], ""),
            )
            .expect("a list");
            let found: Map<String, Value> = list["items"]
                .as_array()
                .expect("items")
                .iter()
                .map(|item| (item["metadata"]["name"].as_str().expect("a name").to_owned(), plain(item)))
                .collect();
            for name in &names {
                assert_eq!(found[name], plain(&model.get(version, name)), "the list of {version}");
            }
        }
    }
    let crd: Value = serde_json::from_str(&server.ok(&["get", "crd", "sites.example.com", "-o", "json"], ""))
        .expect("JSON");
    assert_eq!(crd["status"]["storedVersions"], json!(["v1", "v1beta1", "v1alpha1"]));
    for name in &names {
        server.ok(&["delete", "sites.v1beta1.example.com", name, "--wait=false"], "");
    }
    assert!(server.steps() >= 200, "there are {} steps", server.steps());
    eprintln!("{} steps", server.steps());
}

/// Patches the CRD, and waits until the server can call the webhook.
fn trust(server: &Server, certificates: &str, read: &[&str]) {
    let patch = ca_bundle_patch(certificates);
    server.ok(&["patch", "crd", "sites.example.com", "--type=merge", "-p", &patch], "");
    let is_trusted = || server.kubectl(read, "").status.success();
    for _ in 0..60 {
        if is_trusted() {
            return;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    panic!("the server does not trust the certificate");
}

/// The server reports an error if the webhook fails, and no stored object is lost.
#[test]
fn the_server_reports_a_webhook_that_fails() {
    let Some(server) = Server::start("faults") else { return };
    let (tls, trusted) = certificate("127.0.0.1");
    let hook = Hook::start("127.0.0.1:0", tls.clone());
    let address = hook.address.to_string();
    define(&server, &definition(&hook, &trusted, "v1"));
    let [_, _, object] = objects();
    server.ok(&["create", "-f", "-"], &object.to_string());
    let read = ["get", "sites.v1beta1.example.com", "stable", "--request-timeout=50s"];
    let before = get(&server, "v1beta1", "stable");

    for (fault, message) in [
        (Fault::Answer(|it| it["response"]["uid"] = "other".into()), "got \"other\""),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"] = json!([])),
            "returned 0 objects, expected 1",
        ),
        (Fault::Answer(|it| it["response"]["convertedObjects"][0]["kind"] = "Other".into()), "invalid kind"),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["apiVersion"] = "example.com/v1".into()),
            "invalid groupVersion (expected example.com/v1beta1, received example.com/v1)",
        ),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["metadata"]["name"] = "x".into()),
            "must have the same name: stable != x",
        ),
        (
            Fault::Answer(|it| it["response"]["convertedObjects"][0]["metadata"]["uid"] = "x".into()),
            "must have the same UID",
        ),
        (
            Fault::Answer(|it| {
                _ = it["response"]["convertedObjects"][0].as_object_mut().and_then(|it| it.remove("metadata"))
            }),
            "must have the same name: stable != ",
        ),
        (
            Fault::Answer(|it| {
                it["response"]["convertedObjects"][0]["metadata"]["labels"] = json!({"a b": "c"})
            }),
            "Invalid value: \"a b\"",
        ),
        (
            Fault::Answer(|it| _ = it.as_object_mut().and_then(|it| it.remove("response"))),
            "no response provided",
        ),
        (
            Fault::Answer(|it| {
                it["response"]["result"] = json!({"status": "Failure", "message": "my words"})
            }),
            "failed: my words",
        ),
        (
            Fault::Answer(|it| it["apiVersion"] = "apiextensions.k8s.io/v1beta1".into()),
            "converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion",
        ),
        (Fault::Text("no JSON"), "conversion webhook for example.com/v1, Kind=Site failed"),
        (Fault::Status(500), "conversion webhook for example.com/v1, Kind=Site failed"),
        // "context deadline exceeded" or "Client.Timeout exceeded", depending on which of the server's two timers is
        // first.
        (Fault::Slow(Duration::from_secs(60)), " exceeded"),
    ] {
        hook.set(fault);
        let error = server.refused(&read, "");
        assert!(error.contains(message), "{message}: {error}");
        // The storage version needs no conversion.
        assert_eq!(get(&server, "v1", "stable")["spec"], object["spec"]);
        hook.set(Fault::None);
        assert_eq!(get(&server, "v1beta1", "stable"), before);
    }

    drop(hook);
    let error = server.refused(&read, "");
    assert!(error.contains("connection refused"), "{error}");
    let [_, beta, _] = objects();
    let error = server.refused(&["create", "-f", "-"], &beta.to_string());
    assert!(error.contains("connection refused"), "{error}");

    // The CRD does not contain this certificate until it is patched.
    let (other, of_other) = certificate("127.0.0.1");
    let hook = Hook::start(&address, other);
    let error = server.refused(&read, "");
    assert!(error.contains("x509: certificate signed by unknown authority"), "{error}");
    trust(&server, &of_other, &read);
    assert_eq!(get(&server, "v1beta1", "stable"), before);
    drop(hook);

    let hook = Hook::start(&address, tls);
    trust(&server, &trusted, &read);
    assert_eq!(get(&server, "v1beta1", "stable"), before);
    // The conversion itself rejects an object.
    hook.set(Fault::None);
    server.ok(&["create", "-f", "-"], &beta.to_string());
}
