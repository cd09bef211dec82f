//! Converts random objects of every version to each other version and back, with edits in between.

#[test]
fn no_object_is_lost() {
    let start = std::time::Instant::now();
    let count = std::env::var("VERSIONS_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    versions::versions().lossless(count).unwrap_or_else(|lossy| panic!("{lossy}"));
    eprintln!("{count} objects of each pair in {:?}", start.elapsed());
}

#[test]
fn no_object_is_lost_by_types_with_a_history() {
    let versions = versions::history::sites::v1::Site::versions();
    versions.lossless(200).unwrap_or_else(|lossy| panic!("{lossy}"));
    assert_eq!(versions.crd().expect("a definition"), versions::versions().crd().expect("a definition"));
}

/// A conversion written by hand that forgets a field.
mod forgetful {
    use crdgen::convert::{Context, Convert, Error};
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    pub mod v1beta1 {
        use super::*;

        #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v1beta1", kind = "Note", namespaced)]
        pub struct NoteSpec {
            pub text: String,
            #[serde(default)]
            pub color: String,
        }
    }

    pub mod v1 {
        use super::*;

        #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
        #[kube(group = "example.com", version = "v1", kind = "Note", namespaced)]
        pub struct NoteSpec {
            pub text: String,
        }
    }

    impl Convert<v1beta1::Note> for v1::Note {
        type Error = Error;

        fn upgrade(old: v1beta1::Note, _: &mut Context) -> Result<v1::Note, Error> {
            Ok(v1::Note { metadata: old.metadata, spec: v1::NoteSpec { text: old.spec.text } })
        }

        fn downgrade(self, _: &mut Context) -> Result<v1beta1::Note, Error> {
            let spec = v1beta1::NoteSpec { text: self.spec.text, color: String::new() };
            Ok(v1beta1::Note { metadata: self.metadata, spec })
        }
    }
}

#[test]
fn finds_a_loss() {
    let versions = crdgen::convert::Versions::new().pair::<forgetful::v1beta1::Note, forgetful::v1::Note>();
    let lossy = versions.lossless(100).expect_err("the color is lost").to_string();
    assert!(lossy.starts_with("the object does not come back unchanged\n  v1beta1: {"), "{lossy}");
}
