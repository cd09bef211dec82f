//! This library is empty. The tests are in `tests`.
