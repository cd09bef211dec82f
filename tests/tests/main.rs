//! All integration tests, one binary; a module per area.

mod cel;
mod console;
mod definitions;
mod harness;
#[cfg(unix)]
mod hostile;
mod import;
mod kubernetes;
mod layers;
mod live;
mod metadata;
mod migrate;
mod objects;
mod public_api;
mod publish;
mod readme;
mod rust;
mod servers;
mod thread;
mod typed;
mod vectors;
mod words;
mod yaml;
