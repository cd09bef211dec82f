//! Codes of validation rules (`CEL…`).

codes! {}
