//! `crdgen serve` as a process: who may use it, and what clients see.

mod client;
mod door;
mod process;
