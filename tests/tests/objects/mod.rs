//! Objects: the library's API for them, and the commands that check and print manifests.

mod accepts;
mod library;
mod policies;

// Suites in folders and files, with CRDs near them.
crdgen::suites!("goldens/console/suites/boxes");
