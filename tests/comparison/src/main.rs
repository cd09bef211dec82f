//! Prints the CRD of each kind as kube-derive makes it, one JSON document a line; `null` where that panics.

mod kinds;

use kinds::*;
use kube::CustomResourceExt;
use std::panic::catch_unwind;

macro_rules! print {
    ($($kind:ident)*) => {
        $(println!("{}", serde_json::to_string(&catch_unwind($kind::crd).ok()).unwrap_or_default());)*
    };
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    print!(Plain Unsigned Distinct AnyValue Pair UnitVariants ExternallyTagged InternallyTagged AdjacentlyTagged);
    print!(UntaggedScalars UntaggedStructs MixedVariants Flattened OwnTypes);
}
