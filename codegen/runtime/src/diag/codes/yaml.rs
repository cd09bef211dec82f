//! Codes of texts that cannot be read.

codes! {
    SYNTAX = "YAML001", "the text is neither valid YAML nor valid JSON",
        "The reader stopped at this place, and kubectl would stop at the same one. YAML is read as kubectl reads \
         it: YAML 1.1 by the rules of go-yaml v2, converted to JSON. JSON is a text whose first character is an \
         opening brace. Aliases that contain themselves or multiply the text, infinities, NaN and keys that are \
         null, lists or maps cannot be converted and are refused too.";
    REPEATED_KEY = "YAML002", "a key stands twice in a map",
        "Of equal keys the last one wins silently where fields are not validated strictly; a server that is asked \
         for strict validation (kubectl's default) refuses the object. Keys are compared after YAML has \
         interpreted them: `yes` and `true` are one key, `1` and `0x1` are another.";
}
