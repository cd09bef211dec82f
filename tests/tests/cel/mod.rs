//! Rules: suggestions about their cost, and what each Kubernetes version supports.

mod advice;
mod crashes;
mod unguarded;
