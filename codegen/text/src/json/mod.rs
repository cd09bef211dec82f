//! JSON text: reads it like the API server's decoder, and writes it like Go's encoder.

mod go;
mod length;
mod read;
mod write;

pub use go::{go_plain, go_source};
pub use length::{html_safe_len, length, length_html_safe, text_length_html_safe};
pub use read::{Error, Read, read, read_first, read_own, read_small, read_strict};
pub use write::{
    list, object, read_back, to_html_safe, to_string, to_string_by, write, write_float, write_members,
    write_str,
};
