//! Codes of texts that cannot be read.

codes! {
    SYNTAX = "YAML001", "the text is not valid YAML",
        "The parser stopped at this place. kubectl would stop at the same one.";
}
