//! `crdgen serve` as a process: who may use it, and what clients see.

#[cfg(unix)]
mod assets;
mod client;
mod cluster;
mod data;
mod door;
mod limits;
mod process;
