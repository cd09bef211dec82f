//! Codes of our own advice (`LNT…`).

codes! {}
