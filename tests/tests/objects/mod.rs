//! Objects: the library's API for them, and the commands that judge and print manifests.

mod library;
