//! The run-time side of the derive: what a type says of its own schema, linked when it is asked for.
