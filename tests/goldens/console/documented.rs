use crdgen::versioned;

/// A box.
///
/// It has a size.
#[derive(crdgen::CustomResource, crdgen::Schema)]
#[kube(group = "example.com", version = "v1", kind = "Box", status = "BoxStatus")]
struct BoxSpec {
    size: i32,
}

#[derive(crdgen::Schema)]
struct BoxStatus {}

#[derive(crdgen::kube::CustomResource, crdgen::Schema)]
#[kube(group = "example.com", version = "v1", kind = "Shelf", doc = "A shelf.\n\n    indented")]
struct ShelfSpec {
    width: i32,
}

#[versioned(v1alpha1(doc = "The first version."), v1)]
mod versions {
    #[derive(crdgen::Schema)]
    pub struct Site {
        pub size: i32,
    }
}
