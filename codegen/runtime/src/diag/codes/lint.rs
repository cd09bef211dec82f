//! Codes of our own advice (`LNT…`).

codes! {
    SIZE = "LNT001", "the definition is too large for client-side apply",
        "`kubectl apply` keeps a copy of the object as JSON in the annotation \
         kubectl.kubernetes.io/last-applied-configuration, and all annotations together have at most 262144 bytes. \
         Use `kubectl apply --server-side` (or `kubectl create` and `replace`), or make the schema smaller: drop \
         descriptions, above all those of embedded Kubernetes types, or keep such parts with \
         x-kubernetes-preserve-unknown-fields.";
    LIST_TYPE = "LNT002", "a list without x-kubernetes-list-type",
        "Without a list type, server-side apply takes the list for atomic: two appliers cannot each own some of its \
         items, and rules cannot compare items with their old values. Say `atomic` if that is meant, `set` for unique scalars, or \
         `map` with x-kubernetes-list-map-keys for objects that have a key.";
    UNBOUNDED = "LNT003", "no limit to what a rule works on",
        "The server estimates the cost of rules before it takes a definition. What has no maxLength, maxItems or \
         maxProperties is taken to be as large as a request can be, and multiplies the cost of all rules below. \
         Limits make room for rules, and are good for the server in any case.";
    DESCRIPTION = "LNT004", "a field without a description",
        "`kubectl explain` shows the description; editors and documentation do, too.";
    SAME_SCHEMA = "LNT005", "two served versions have the same schema",
        "A version that changes nothing costs clients a migration and the server a conversion. Serve it only if \
         its name is what changes, as from v1beta1 to v1.";
    STATUS = "LNT006", "a status without the status subresource",
        "Without the subresource, writers of the spec can overwrite the status and the other way round, and the \
         generation counts status changes, too. Enable it with `subresources: {status: {}}`.";
    FLOAT = "LNT007", "a float",
        "Floats do not survive all languages and comparisons unchanged; the Kubernetes API conventions ask to avoid \
         them. Use an integer of a smaller unit (milliseconds, per mille) or a quantity as a string.";
    UNSIGNED = "LNT008", "an unsigned integer",
        "JSON has no unsigned integers, and the server does not know the formats of them. Use `type: integer` with \
         `format: int32` or int64 and `minimum: 0`.";
    BOOLEAN = "LNT009", "a boolean that may need a third value one day",
        "The Kubernetes API conventions ask to think twice about booleans: many ideas start as on and off and get a \
         third state later. A string with an enum can grow.";
    KUBE = "LNT010", "not known to the Kubernetes version that is to be supported",
        "A server drops fields of a definition that it does not know, so that the rule, message or option has no \
         effect there.";
    COST = "LNT011", "the most expensive rules",
        "What each may cost in the worst case, times the number of values it may run for, of what it may cost at \
         most. Bounds (maxLength, maxItems, maxProperties) on what the marked part looks at make it cheaper.";
    BOOLEAN_NAME = "LNT012", "a field named `true` or `false`",
        "YAML 1.1, which kubectl reads, takes y, n, yes, no, on and off without quotes for booleans, keys among them: \
         a field `n` becomes one that is named `false`, in definitions and in objects. Quote the key in the definition, \
         and its users must quote it too; another name spares them that.";
    UNGUARDED = "LNT013", "a rule reads a field that may be absent",
        "CEL has no value for an absent field: a rule that reads one fails with `no such key`, and the server rejects \
         the object with that message. Ask first, as in `!has(self.a) || self.a > 1`, read it with a fallback, as in \
         `self.?a.orValue(0) > 1`, make the field required, or give it a default.";
    CONVERSION = "LNT014", "a served version that does not keep all data",
        "With the conversion strategy `None` the server only changes apiVersion. Who updates an object in a version \
         drops the fields that this version does not know, although another one has them; and an object whose field has \
         another type there is not valid. Convert such versions with a webhook.";
}
