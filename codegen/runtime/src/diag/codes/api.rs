//! Codes of lints about the design of APIs (`LNT1…`), for `crdgen check --lint api`.

codes! {
    OPTIONAL_ITEMS = "LNT101", "a list of objects without a required field",
        "If no field of the items is required, a misplaced dash in YAML splits an item into two without an error. Require the field \
         that identifies an item, or one of several fields with a rule.";
    CONDITIONS = "LNT102", "conditions that are not a map by type",
        "Several controllers write conditions. With `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`, each of them \
         owns its own conditions in server-side apply. Otherwise one replaces those of the others.";
    REQUIRED_DEFAULT = "LNT103", "a required field with a default",
        "The server fills in the default before it looks for required fields, so the field is never missing. Readers of the schema, and \
         types that are generated from it, still take it as required. Remove one of the two.";
    INTEGER_SIZE = "LNT104", "an integer without a size",
        "Without `format: int32` or `format: int64`, programs guess how large the integer can be, and some choose 32 bits. The API \
         conventions of Kubernetes ask for one of both.";
    MAX_SIZE = "LNT105", "a value without a maximum size",
        "Without maxLength, maxItems or maxProperties, a value may be as large as a request can be. You can raise a limit later, but you \
         cannot add one without breaking objects.";
    MIN_LENGTH = "LNT106", "a required value that may be empty",
        "An empty text, list or map is there, so `required` accepts it. The same is true for texts in lists. Add `minLength: 1`, \
         `minItems: 1` or `minProperties: 1`, unless an empty value means something.";
    FIELD_NAME = "LNT107", "a field name that is not in camel case",
        "All fields of Kubernetes are written like `maxReplicas`. Other forms surprise users, and rules must escape dashes.";
    DURATION = "LNT108", "a duration as text",
        "Texts such as `1h30m` have many forms for one value, and languages other than Go do not read them. The API conventions of \
         Kubernetes ask for an integer with its unit in the name, such as `timeoutSeconds`.";
    MAP = "LNT109", "a map of other values than texts",
        "The API conventions of Kubernetes ask for lists of objects with a name instead of maps: a list with \
         `x-kubernetes-list-type: map` merges in the same way, and its items can get more fields later. Maps of texts, such as labels, are \
         the exception.";
    NULLABLE = "LNT110", "a nullable field",
        "With `nullable`, a field can be absent, null or set, and most programs treat absent and null in the same way. Make it optional instead.";
    PHASE = "LNT111", "a phase in the status",
        "The API conventions of Kubernetes deprecate phases such as `phase` or `machinePhase`: clients take the list of phases as complete, so you cannot add one. \
         Use conditions.";
    REFERENCE_NAME = "LNT112", "a name that ends in Reference",
        "References in Kubernetes have names that end in `Ref` or `Refs`, such as `secretRef`.";
    TIMESTAMP_NAME = "LNT113", "a name with the word timestamp",
        "Times in Kubernetes have names that end in `Time`, such as `startTime`.";
    STATUS_REQUIRED = "LNT114", "a required field of the status",
        "Controllers write the status step by step, and older controllers do not know new fields. If a field of the status is required, \
         the server rejects their writes.";
    REPEATED_KEYWORD = "LNT116", "a rule that repeats a keyword",
        "A keyword such as maxLength says the same as this rule. It costs nothing, and clients, documentation and generated types \
         understand it.";
    FLOAT_EQUALITY = "LNT117", "a rule that compares floats for equality",
        "Programs that read and write a float may change its last digits, so a value that was equal is not equal any more.";
    UNANCHORED = "LNT118", "a pattern that matches a part of a text",
        "The server accepts a text if the pattern matches any part of it. Most patterns mean the whole text: begin them with `^` and end \
         them with `$`.";
    STATUS_RULE = "LNT119", "a rule of the whole object that reads the status",
        "The server checks the rules of the whole object at every write. A rule that reads the status can prevent users from changing the spec, \
         and a controller from reporting why. Put rules about the status into its schema.";
}
