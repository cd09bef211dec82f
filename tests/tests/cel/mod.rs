//! Rules: advice about their cost, and what each Kubernetes version has.

mod advice;
mod crashes;
mod unguarded;
