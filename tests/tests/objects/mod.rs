//! Objects: the library's API for them, and the commands that judge and print manifests.

mod accepts;
mod library;

// Suites in folders and files, with the CRDs that are near them.
crdgen::suites!("goldens/console/suites/boxes");
