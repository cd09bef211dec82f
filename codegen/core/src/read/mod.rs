//! From documents and sources to the model, with diagnostics: a module per kind of input. Readers never
//! stop at the first mistake and never drop input silently. Knows nothing of `emit`.

#[cfg(feature = "import")]
pub mod definitions;
#[cfg(feature = "import")]
mod helm;
#[cfg(feature = "import")]
pub mod openapi;
#[cfg(feature = "syntax")]
pub mod rust;
#[cfg(feature = "import")]
mod unreadable;

#[cfg(feature = "import")]
pub use unreadable::Unreadable;
