//! Codes of objects (`OBJ…`).

codes! {}
