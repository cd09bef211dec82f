//! Reads documents and sources into the model, with diagnostics: a module per kind of input. Readers never stop at the
//! first error and never drop input silently. They do not use `emit`.

#[cfg(feature = "import")]
pub mod definitions;
#[cfg(feature = "import")]
mod helm;
#[cfg(feature = "import")]
pub mod openapi;
#[cfg(feature = "import")]
mod placeholders;
#[cfg(feature = "syntax")]
pub mod rust {
    //! Rust sources.
    pub use crdgen_rust::*;
    #[cfg(feature = "source")]
    pub use crdgen_source as resolve;
}
#[cfg(feature = "import")]
mod unreadable;

#[cfg(feature = "import")]
pub use helm::{is_template, without_actions};
#[cfg(feature = "import")]
pub use placeholders::has_placeholder;
#[cfg(feature = "import")]
pub use unreadable::Unreadable;
