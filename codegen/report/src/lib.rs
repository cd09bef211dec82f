//! Findings about CRDs and objects, for people and for tools: one module for each output format, and the exceptions that allow
//! findings. Other modules have the reports of single commands.
//!
//! [`Report`] passes findings on as they come, so that any number of them needs little memory. [`Format::render`] works on any thread.

mod aligned;
mod cases;
mod checked;
pub mod contents;
pub mod conversion;
pub mod copies;
mod counts;
pub mod coverage;
pub mod exceptions;
pub mod expressions;
mod findings;
pub mod fixes;
mod folders;
mod format;
mod github;
mod gitlab;
mod human;
mod json;
pub mod junit;
pub mod listing;
mod markdown;
pub mod migration;
pub mod owners;
mod ready;
mod sarif;
pub mod stored;
mod stream;
pub mod suites;
mod uri;
pub mod validation;

/// Returns the address of the page about a code.
pub fn page(code: &crdgen_core::diag::Code) -> String {
    format!("{}codes/{}.html", env!("CARGO_PKG_HOMEPAGE"), code.id.to_lowercase())
}

pub use aligned::lines as aligned;
pub use cases::line;
pub use checked::Checked;
pub use counts::{Counts, FailOn};
pub use crdgen_core::documents::Finding;
pub use crdgen_tasks::inputs::Findings;
pub use exceptions::Exceptions;
pub use findings::text as message;
pub use folders::Folders;
pub use format::{Format, Rendered};
pub use human::render as human;
pub use json::findings as json;
pub use ready::{Lines, Ready};
pub use stream::{Printer, Report};
pub use uri::reference;
