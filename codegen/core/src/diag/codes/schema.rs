//! Codes of schemas (`SCH…`).

codes! {}
