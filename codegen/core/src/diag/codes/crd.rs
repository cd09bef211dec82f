//! Codes of definitions (`CRD…`).

codes! {}
