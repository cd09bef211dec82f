//! Codes of crdgen's own lints (`LNT…`).

codes! {
    SIZE = "LNT001", "the CRD is too large for client-side apply",
        "`kubectl apply` keeps a copy of the object as JSON in the annotation \
         kubectl.kubernetes.io/last-applied-configuration, and all annotations together may have at most 262144 \
         bytes. Use `kubectl apply --server-side` (or `kubectl create` and `replace`), or make the schema \
         smaller: remove descriptions, above all those of embedded Kubernetes types (`crdgen fit` does this), or \
         replace such parts with x-kubernetes-preserve-unknown-fields.";
    LIST_TYPE = "LNT002", "a list without x-kubernetes-list-type",
        "Without a list type, server-side apply treats the list as atomic: two appliers cannot own different \
         items, and rules cannot compare items with their old values. Use `atomic` if you mean this, `set` for \
         unique scalars, or `map` with x-kubernetes-list-map-keys for objects with a key.";
    UNBOUNDED = "LNT003", "no limit on what a rule reads",
        "The server estimates the cost of rules before it accepts a CRD. Without maxLength, maxItems or \
         maxProperties, it assumes the largest value that a request can contain, and multiplies the cost of all \
         rules below. Limits leave room for more rules, and protect the server.";
    DESCRIPTION = "LNT004", "a field without a description",
        "`kubectl explain`, editors and documentation show the description.";
    SAME_SCHEMA = "LNT005", "two served versions have the same schema",
        "If nothing changes, a second version only makes clients migrate and the server convert. Serve it only to \
         change the name of the version, as from v1beta1 to v1.";
    STATUS = "LNT006", "a status without its subresource, or the subresource without a status",
        "Without the subresource, programs that write the spec can overwrite the status and vice versa, and \
         status changes increase the generation. Enable it with `subresources: {status: {}}`. If the schema has no status, the server \
         drops what programs write to the subresource.";
    FLOAT = "LNT007", "a float",
        "Some languages change floats when they read and write them, and comparisons of floats are not reliable. \
         The Kubernetes API conventions advise against them. Use an integer in a smaller unit (milliseconds, per mille), or a quantity as a string.";
    UNSIGNED = "LNT008", "an unsigned integer",
        "JSON has no unsigned integers, and the server does not know their formats. Use `type: integer` with \
         `format: int32` or int64 and `minimum: 0`.";
    BOOLEAN = "LNT009", "a boolean that may need a third value",
        "The Kubernetes API conventions advise against booleans: many settings start as on and off, and need a \
         third state later. You can add values to a string with an enum.";
    KUBE = "LNT010", "not supported by the oldest Kubernetes version",
        "A server drops fields of a CRD that it does not know, so the rule, message or option has no effect \
         there.";
    COST = "LNT011", "the most expensive rules",
        "The note shows the cost of a rule in the worst case, times the number of values for which it may run, and how much \
         of the limit this is. Bounds (maxLength, maxItems, maxProperties) on what the marked part reads make the rule cheaper.";
    BOOLEAN_NAME = "LNT012", "a field named `true` or `false`",
        "kubectl reads YAML 1.1, in which y, n, yes, no, on and off are booleans without quotes, as keys too: a \
         field `n` becomes a field `false`, in CRDs and in objects. Quote the key in the CRD. Your users must \
         quote it too, so another name is better.";
    UNGUARDED = "LNT013", "a rule reads a field that may be absent",
        "If a rule reads an absent field, it fails with `no such key`, and the server rejects the object with \
         this message. Check the field first, as in `!has(self.a) || self.a > 1`, use a fallback, as in \
         `self.?a.orValue(0) > 1`, make the field required, or add a default. Only reads are reported that fail whatever \
         the other fields are: `!has(self.b) || self.a > 1` is not, although it fails for an object with `b` and without `a`.";
    CONVERSION = "LNT014", "a served version that does not keep all data",
        "With the conversion strategy `None` the server only changes apiVersion. An update in a version drops \
         the fields that this version does not have, even if another version has them. If a field has different \
         types in two versions, objects of one version are not valid in the other. Convert such versions with a webhook. For Rust types, write \
         `#[kube(conversion(webhook(…)))]` on the storage version.";
    METADATA = "LNT015", "metadata of an embedded object that is dropped",
        "The schema of this metadata has no fields, so the server drops whatever users write there, such as the labels of \
         a pod template. List the fields that you need under `properties`. For Rust types, write \
         `#[schema(metadata = \"settable\")]` on the field with the embedded object.";
    COLUMN = "LNT016", "a column that is always empty",
        "The JSON path of the column names a field that the schema does not have. The server drops such fields from \
         objects, so `kubectl get` shows nothing in this column. The server accepts the CRD all the same, because \
         it does not check the paths of columns.";
    KIND_NAME = "LNT018", "a kind that begins with a lower case letter",
        "All kinds of Kubernetes are written like `CronJob`. The server accepts others, but users and tools expect this form, \
         and `kind: cronJob` and `kind: CronJob` are different kinds.";
    NO_NUMBER = "LNT019", "a bound for which the server rejects every number",
        "From Kubernetes 1.36 on, a bound or factor must have the type and format of the numbers. With \
         `type: integer` and `minimum: 0.5`, or `format: int32` and `maximum: 3000000000`, the server accepts the CRD and then \
         rejects every object with a value here. Write a whole number that the format can represent.";
    BOOLEAN_VALUE = "LNT020", "an allowed value that YAML reads as a boolean",
        "kubectl reads YAML 1.1, in which y, n, yes, no, on and off are booleans without quotes. A user who writes `mode: off` \
         sends `false`, and the server rejects it because it is not a string. Rename the value. Otherwise your users must quote it.";
    ONE_TYPE = "LNT021", "a rule that fails for an integer or for a string",
        "A field with `x-kubernetes-int-or-string` has in rules the type that the object has. `quantity(self.a)` fails with \
         `no such overload` for an integer, and `self.a > 1` for a string. Convert the value, as in \
         `quantity(string(self.a))`, or check its type first, as in `type(self.a) == string`.";
    NEVER_RUNS = "LNT022", "a rule that never runs",
        "The server runs no rules inside of a value without a `type`, such as one with only `x-kubernetes-preserve-unknown-fields`. \
         It accepts the CRD all the same, and then every object. Write `type: object` next to \
         `x-kubernetes-preserve-unknown-fields`: the server still keeps unknown fields.";
    RELEASE = "LNT023", "a chart that is nearly too large for Helm",
        "Helm stores each release in a Secret: the whole chart with its CRDs, and all that it renders, as JSON that is compressed and \
         encoded. A Secret has at most 1048576 bytes, so a larger chart cannot be installed or upgraded. CRDs in templates count twice, \
         because what they render is stored too, and charts in `charts` count only as far as what they render. Leave out files with \
         `.helmignore`, remove descriptions with `crdgen fit --for helm CHART`, or give CRDs a chart of their own.";
}
