//! Tests of the server, through its messages.

mod client;
mod features;
mod sessions;
