//! All integration tests, one binary; a module per area.

mod definitions;
mod harness;
mod live;
mod vectors;
mod yaml;
