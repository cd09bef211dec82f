//! Codes of texts that cannot be read.

codes! {
    SYNTAX = "YAML001", "the text is neither valid YAML nor valid JSON",
        "kubectl would stop at the same place. crdgen reads YAML as kubectl does: YAML 1.1 by the rules of go-yaml \
         v2, converted to JSON. A text whose first character is an opening brace is read as JSON first. Aliases that contain \
         themselves or multiply the text, infinities, NaN, and keys that are null, lists or maps cannot be \
         converted, so they are errors too.";
    REPEATED_KEY = "YAML002", "a duplicate key in a map",
        "Only the last of the equal keys counts. kubectl and client-go drop the others before they send the object, without a warning, \
         even with `--validate=strict`. The server sees a duplicate only if a client sends the file as it is, as curl does: it warns, and rejects the \
         request with `fieldValidation=Strict`. kustomize rejects the file. For crdgen a duplicate is an error, because a value that somebody wrote \
         is lost. Keys are compared after YAML has interpreted them: `yes` and `true` are the same key, and so are `1` and `0x1`.";
}
