//! Checks of the options in the query of a request.

use super::Call;
use crate::number::{BadNumber, parse_uint};
use crate::request::options_of;
use crate::status::{Failure, Mistake};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use http::Method;
use std::fmt;

/// The longest name of a manager of fields, in bytes.
const LONGEST_MANAGER: usize = 128;

impl Call<'_> {
    /// Checks the name of the manager of fields in a write.
    pub(super) fn check_manager(&self) -> Result<(), Failure> {
        let method = &self.request.method;
        let Some(options) = options_of(method).filter(|_| *method != Method::DELETE) else { return Ok(()) };
        let name = self.request.query.field_manager.as_deref().unwrap_or_default();
        let mistake = if name.len() > LONGEST_MANAGER {
            let why = format!("may not be more than {LONGEST_MANAGER} bytes");
            Some(Mistake::new("fieldManager", Kind::TooLong, why))
        } else {
            name.char_indices().find(|(_, c)| !go::is_print(*c)).map(|(at, c)| {
                let number = u32::from(c);
                let why = format!("{}: invalid character U+{number:04X} (at position {at})", go::quote(name));
                Mistake::new("fieldManager", Kind::Invalid, why)
            })
        };
        mistake.map_or(Ok(()), |mistake| Err(Failure::invalid_option(options, mistake)))
    }

    /// The version in the query. The server has other words for each kind of request.
    pub(super) fn asked_version(&self) -> Result<u64, BadVersion> {
        let text = self.request.query.resource_version.as_str();
        if text.is_empty() {
            return Ok(0);
        }
        read_version(text).map_err(|why| BadVersion { text: text.to_owned(), why })
    }
}

/// A version in a query that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadVersion {
    text: String,
    why: BadNumber,
}

impl fmt::Display for BadVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "resourceVersion: Invalid value: {}: {}", go::quote(&self.text), self.why)
    }
}

/// Reads a version. An empty text is none.
pub(super) fn read_version(text: &str) -> Result<u64, BadNumber> {
    parse_uint(text)
}
