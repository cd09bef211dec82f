//! Compatible or breaking: what a change of a definition means, field by field.
