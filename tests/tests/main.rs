//! All integration tests, one binary; a module per area.

mod cel;
mod console;
mod definitions;
mod harness;
mod import;
mod kubernetes;
mod live;
mod metadata;
mod migrate;
mod publish;
mod readme;
mod rust;
mod thread;
mod typed;
mod vectors;
mod yaml;
