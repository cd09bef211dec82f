//! A program with a kind of its own. Its `main` has an attribute that expects this name.

mod kinds;

#[kube_core::main]
fn main() {
    unreachable!("the program that asks for CRDs must not call this");
}
