//! What clients meet in the server, and what it stores. One program, because each would link the whole server.

mod answers;
mod bounds;
mod common;
mod histories;
mod kinds;
mod listen;
mod media;
mod permissions;
mod recorded;
mod refused;
mod server;
mod steps;
mod storage;
mod testing;
mod walk;
mod webhooks;
