//! Codes of definitions (`CRD…`).

codes! {
    NOT_A_DEFINITION = "CRD001", "this is no CustomResourceDefinition",
        "`apiVersion` must be apiextensions.k8s.io/v1 (or v1beta1, which is read and converted) and `kind` \
         must be CustomResourceDefinition. Another kind is for another tool; a misspelt one is refused by \
         the server with \"no kind is registered\".";
    WRONG_TYPE = "CRD002", "a field has a value of the wrong type",
        "The server cannot decode the definition: it answers 400 Bad Request before anything is checked. \
         In YAML a type is often decided by missing or superfluous quotes: `version: 1` is a number, \
         `served: \"true\"` is a string, `on` and `no` are booleans.";
    OUT_OF_RANGE = "CRD003", "a number does not fit its field",
        "Lengths, counts and bounds of items are 64-bit integers; ports and column priorities are 32-bit \
         ones. A fraction, an exponent or a larger number cannot be decoded by the server.";
    BAD_TEXT = "CRD004", "a text cannot be decoded",
        "Times are RFC 3339 (2024-01-31T12:00:00Z); `caBundle` is base64 with padding.";
    UNKNOWN_FIELD = "CRD005", "an unknown field",
        "kubectl refuses unknown fields (--validate=strict is its default); other clients get a warning \
         and the server drops the field. Names are case-sensitive. Fields below `items` and \
         `additionalProperties` are never checked by the server.";
    TOO_DEEP = "CRD006", "the schema is nested too deeply",
        "Schemas deeper than this limit are not read, to keep memory bounded. No real schema comes near it.";
}
