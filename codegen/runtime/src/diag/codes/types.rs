//! Codes of CRDs that are compared with Rust types (`TYP…`).

codes! {
    NO_TYPE = "TYP001", "a version has no Rust type",
        "The CRD has a version for which the sources have no kind, so Rust clients cannot read its objects.";
    NO_DEFINITION = "TYP002", "a kind has no CRD",
        "The sources have a kind, but you passed no CRD for it.";
    NAMES = "TYP003", "names or scope differ",
        "Clients build URLs from group, version, plural and scope. If one of them differs, they request objects \
         that do not exist.";
    NOT_IN_RUST = "TYP004", "a field is missing in Rust",
        "Rust ignores the field when it reads an object. A client that replaces the object removes the field, and \
         if the field is required, the server rejects what Rust writes.";
    NOT_IN_DEFINITION = "TYP005", "a field is missing in the CRD",
        "The server drops fields that are not in the CRD, so it loses what Rust writes, and Rust never reads a \
         value.";
    TYPE = "TYP006", "types differ",
        "One side accepts a value of a type that the other side does not accept.";
    REQUIRED = "TYP007", "one side requires what the other may leave out",
        "Rust cannot read objects without a field that it requires. The server rejects objects without a field \
         that it requires.";
    VALUES = "TYP008", "allowed values differ",
        "Rust cannot read a value that only the CRD allows. The server rejects a value that only Rust has.";
    RANGE = "TYP009", "ranges of numbers differ",
        "Rust cannot read a number that only the CRD allows. The server rejects a number that only Rust has.";
    LIMIT = "TYP010", "limits differ",
        "Both sides limit the length or the number of values, but not to the same value.";
}
