//! The page about server-side apply: two managers of an object, and the owner of a child.

use crdgen::Apply;
use crdgen::Schema;
use crdgen::testing::Server;
use kube::api::{Api, Patch, PatchParams};
use kube::{Client, Resource};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Apply, crdgen::kube::CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Web", namespaced)]
pub struct WebSpec {
    pub image: String,
    pub replicas: Option<i32>,
}

fn with_image(image: &str) -> WebApply {
    WebApply::new("front").with_spec(WebSpecApply::new().with_image(image))
}

#[crdgen::test]
async fn others_keep_their_fields(server: Server) {
    server.add(&<Web as crdgen::CustomResource>::crd_yaml()).unwrap();
    let webs: Api<Web> = Api::namespaced(Client::new(server.clone(), "default"), "default");
    let mine = with_image("nginx");
    webs.patch("front", &PatchParams::apply("me"), &Patch::Apply(&mine)).await.unwrap();

    let theirs = with_image("other");
    let conflict = webs.patch("front", &PatchParams::apply("you"), &Patch::Apply(&theirs)).await.unwrap_err();
    assert!(matches!(conflict, kube::Error::Api(status) if status.code == 409));

    // The same again changes nothing.
    let before = server.requests().len();
    let web = webs.patch("front", &PatchParams::apply("me"), &Patch::Apply(&mine)).await.unwrap();
    assert!(server.requests().since(before).changes().is_empty());

    let child = WebApply::new("child").with_metadata(|metadata| {
        metadata.labels.insert("app".into(), "front".into());
        metadata.owner_references =
            web.controller_owner_ref(&()).iter().filter_map(crdgen::OwnerReference::of).collect();
    });
    let child = child.with_spec(WebSpecApply::new().with_image("nginx"));
    let child = webs.patch("child", &PatchParams::apply("me"), &Patch::Apply(&child)).await.unwrap();
    assert_eq!(child.metadata.owner_references, Some(vec![web.controller_owner_ref(&()).unwrap()]));
}
