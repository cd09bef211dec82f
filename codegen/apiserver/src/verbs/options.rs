//! Checks of the options in the query of a request.

use super::Call;
use crate::request::options_of;
use crate::status::{Failure, Mistake};
use crdgen_core::diag::Kind;
use crdgen_core::go;
use http::Method;

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
    pub(super) fn asked_version(&self) -> Result<u64, String> {
        let text = self.request.query.resource_version.as_str();
        if text.is_empty() {
            return Ok(0);
        }
        let value = go::quote(text);
        read_version(text).map_err(|why| format!("resourceVersion: Invalid value: {value}: {why}"))
    }
}

/// Reads a version. The error has Go's words.
pub(super) fn read_version(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let why = if is_number { "value out of range" } else { "invalid syntax" };
        format!("strconv.ParseUint: parsing {}: {why}", go::quote(text))
    })
}
