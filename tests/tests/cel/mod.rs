//! Rules: suggestions about their cost, their limits, and what each Kubernetes version supports.

mod advice;
mod completion;
mod crashes;
mod servers;
mod unfit;
mod unguarded;
mod work;
