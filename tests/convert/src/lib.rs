//! The types of the example `versions`, in both notations.

#[path = "../../../examples/versions/src/history.rs"]
pub mod history;
#[path = "../../../examples/versions/src/v1.rs"]
pub mod v1;
#[path = "../../../examples/versions/src/v1alpha1.rs"]
pub mod v1alpha1;
#[path = "../../../examples/versions/src/v1beta1.rs"]
pub mod v1beta1;

use crdgen::convert::Versions;

/// Returns the versions of a site, in the notation with one type per version.
pub fn versions() -> Versions {
    Versions::new().pair::<v1alpha1::Site, v1beta1::Site>().pair::<v1beta1::Site, v1::Site>()
}
