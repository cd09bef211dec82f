//! Codes of objects (`OBJ…`).

codes! {
    TYPE = "OBJ001", "a value of the wrong type",
        "The value has another JSON type than the schema requires. In YAML, check the quotes: 80 is an integer \
         and \"80\" is a string; on and yes are booleans.";
    REQUIRED = "OBJ002", "a required field is missing",
        "The schema lists the field under `required`, and it has no default. A null counts as missing, unless the field is \
         nullable.";
    ENUM = "OBJ003", "a value that is not allowed",
        "The schema lists the allowed values, and this is not one of them. The server compares values exactly.";
    LENGTH = "OBJ004", "a string that is too long or too short",
        "The server counts characters (Unicode code points), although its message speaks of bytes.";
    PATTERN = "OBJ005", "a string that does not match the pattern",
        "The pattern may match any part of the string, unless it has anchors (^ and $).";
    FORMAT = "OBJ006", "a string that does not have the format",
        "The schema requires a format, such as date-time or ipv4, and the server checks it. The message names the format.";
    RANGE = "OBJ007", "a number out of range",
        "The number is above the maximum, below the minimum, or out of the range of its format (int32, float).";
    MULTIPLE = "OBJ008", "a number that is not a multiple",
        "The schema requires a multiple of a factor. For integers the server only uses the whole part of the \
         factor, so with a factor below 1 it rejects every integer.";
    ITEMS = "OBJ009", "a list with too many or too few items",
        "The schema limits the number of items.";
    PROPERTIES = "OBJ010", "an object with too many or too few fields",
        "The schema limits the number of fields of the object, or of entries of the map.";
    REPEATED_ITEM = "OBJ011", "duplicate items",
        "The list is a set, or a list map whose keys identify the items. It must not contain the same item or the \
         same keys twice.";
    FORBIDDEN = "OBJ012", "a field that is not allowed",
        "The schema only allows the fields that it lists.";
    JUNCTOR = "OBJ013", "a value that allOf, anyOf, oneOf or not rejects",
        "The value must match all, at least one, exactly one or none of the alternatives in the schema. The other \
         errors at this place show why the closest alternatives do not match.";
    LIST_MAP_ITEM = "OBJ014", "an item of a list map that is not an object",
        "The items of a list map are objects with keys.";
    META = "OBJ015", "apiVersion or kind is missing or malformed",
        "Every resource has an apiVersion (group/version) and a kind, embedded resources too.";
    METADATA = "OBJ016", "metadata is malformed",
        "The server cannot decode the metadata, because a field has the wrong type. Labels and annotations are \
         maps of strings; quote numbers and booleans.";
    DEPENDENCY = "OBJ017", "a field that another one needs is missing",
        "The schema requires this field if the other one is there.";
    MANAGED_FIELDS = "OBJ018", "managedFields are malformed",
        "The server records in managedFields who manages which field. Leave them out.";
    UNKNOWN_FIELD = "OBJ019", "an unknown field",
        "The field is not in the schema. The server drops it with a warning, or rejects the object if \
         fieldValidation is Strict (the default of kubectl).";
    DUPLICATE_FIELD = "OBJ020", "a duplicate field",
        "The server uses the last of two fields with the same name. With fieldValidation Strict it rejects the \
         object.";
    UNREADABLE = "OBJ021", "the object cannot be decoded",
        "The server would answer with status 400. A resource has apiVersion and kind, both strings, and metadata \
         whose fields have the right types.";
    SCALE = "OBJ022", "the number of replicas is not valid",
        "The field that the scale subresource reads must be an integer from 0 to 2147483647.";
    RULES_SKIPPED = "OBJ023", "rules were not checked because of other errors",
        "If types, lengths, enums or required fields are wrong, the server does not evaluate rules.";
    FINALIZER_NAME = "OBJ024", "a finalizer without a domain",
        "Several programs share the list of finalizers. A name with a domain, such as example.com/cleanup, avoids \
         conflicts.";
    DEPRECATED = "OBJ025", "the version is deprecated",
        "The CRD marks the version as deprecated, and the server warns on each request that uses it.";
    OTHER_KIND = "OBJ026", "an apiVersion or kind that is not served",
        "The object must use a version that the CRD of its kind defines and serves.";
    SERVER_WARNING = "OBJ027", "the server warns",
        "The server accepts the object, and kubectl prints this warning.";
    NOT_CHECKED = "OBJ028", "the object was only partly checked",
        "Only a running cluster knows the answer, for example because a webhook converts objects between \
         versions. The message says what is missing.";
    NO_CRD = "OBJ029", "a kind without a CRD",
        "crdgen needs the CRD of a kind to check its objects. `crdgen crds add CHART --out-dir crds` and `crdgen crds pull --out-dir crds` write \
         CRDs of a chart, a folder or your cluster into a folder, which you pass with --crd-dir, or name in crdgen.toml with `crd-dir = \"crds\"`. Or \
         pass the file with --crd, or read it from the cluster with --cluster. With --missing warn or --missing ignore, crdgen skips such objects and counts \
         them as not checked.";
    SAME_OBJECT = "OBJ030", "a duplicate object",
        "Two objects of the same kind have the same name and namespace. If you apply both, the last one wins.";
    REMOVED_KIND = "OBJ031", "a kind that this Kubernetes does not have",
        "The server of this version does not have the kind any more, or not yet, so it rejects every object of it. The message names the \
         version of Kubernetes that removed it or has it first, and the help names what replaces it. With --kube you choose another version. For what is planned, \
         see the deprecation guide of Kubernetes.";
    DEPRECATED_KIND = "OBJ032", "a kind that Kubernetes has deprecated",
        "The server still accepts the kind, and warns. If a later version of Kubernetes will remove it, the message names the version: change \
         the object before you upgrade.";
    OWN_KIND = "OBJ033", "an object of one of Kubernetes' own kinds that the server rejects",
        "The server's code checks more than the published schemas of these kinds say, such as the handlers of probes, the names of volumes, and which \
         fields never change. The message is the server's.";
    POLICY = "OBJ034", "an admission policy rejects the object, or warns about it",
        "A ValidatingAdmissionPolicy and its binding are among the objects, or in a place that --policies names. What they decide about \
         a write is what the server would decide. Expressions see the objects with their \
         defaults, and as MutatingAdmissionPolicies have changed them.";
    POLICY_TYPE = "OBJ035", "an expression of a policy whose types the objects do not have",
        "The rules of the policy name kinds without wildcards, and the expression reads a field that their objects do not have, or compares \
         values of different types. The server accepts such a policy, and its controller writes this into the status of the policy.";
}
