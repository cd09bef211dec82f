//! Codes of definitions that are held against Rust types (`TYP…`).

codes! {
    NO_TYPE = "TYP001", "a version has no Rust type",
        "The definition has a version of which the sources have no kind. Clients in Rust cannot read its objects.";
    NO_DEFINITION = "TYP002", "a kind has no definition",
        "The sources have a kind of which no definition was given.";
    NAMES = "TYP003", "names or scope differ",
        "Clients make URLs of group, version, plural and scope: if one of them differs, they ask for objects that are not there.";
    NOT_IN_RUST = "TYP004", "a field is missing in Rust",
        "Rust passes the field over when it reads. A client that replaces the object takes it away, and where it is required the server refuses what Rust writes.";
    NOT_IN_DEFINITION = "TYP005", "a field is missing in the definition",
        "The server drops fields that the definition does not know: what Rust writes is lost, and what it needs is never there.";
    TYPE = "TYP006", "types differ",
        "A value that the one side takes has a type that the other does not.";
    REQUIRED = "TYP007", "one side needs what the other may leave out",
        "A field that Rust needs and objects may lack makes reading fail; a field that the server needs and Rust may leave out makes writing fail.";
    VALUES = "TYP008", "allowed values differ",
        "A value that only the definition allows makes reading fail; one that only Rust has is refused.";
    RANGE = "TYP009", "ranges of numbers differ",
        "A number that only the definition allows makes reading fail; one that only Rust has is refused.";
    LIMIT = "TYP010", "limits differ",
        "Both sides say how long or how many, and not the same.";
}
