//! Codes of objects (`OBJ…`).

codes! {
    TYPE = "OBJ001", "a value of the wrong type",
        "The value has another JSON type than the schema says. In YAML, mind the quotes: 80 is an integer and \"80\" \
         a string, on and yes are booleans.";
    REQUIRED = "OBJ002", "a required field is missing",
        "The schema lists the field under `required`, and there is no default for it.";
    ENUM = "OBJ003", "a value that is none of the allowed ones",
        "The schema lists the values that are possible; this is none of them. Values are compared exactly.";
    LENGTH = "OBJ004", "a string that is too long or too short",
        "Lengths count characters (Unicode code points), though the server's message speaks of bytes.";
    PATTERN = "OBJ005", "a string that does not match the pattern",
        "The pattern is matched anywhere in the string unless it has anchors (^ and $).";
    FORMAT = "OBJ006", "a string that does not have the format",
        "The schema names a format that the server checks.";
    RANGE = "OBJ007", "a number out of range",
        "The number is above the maximum, below the minimum, or does not fit into the format (int32, float).";
    MULTIPLE = "OBJ008", "a number that is no multiple",
        "The schema demands a multiple of a factor. On integers the server uses the whole part of the factor, so that \
         one below 1 refuses everything.";
    ITEMS = "OBJ009", "a list with too many or too few items",
        "The schema bounds the number of items.";
    PROPERTIES = "OBJ010", "an object with too many or too few members",
        "The schema bounds the number of members.";
    REPEATED_ITEM = "OBJ011", "items that are equal",
        "The list is a set, or a list map whose items are told apart by their keys: each item stands once.";
    FORBIDDEN = "OBJ012", "a member that is not allowed",
        "The schema allows no members but the ones it lists.";
    JUNCTOR = "OBJ013", "a value that allOf, anyOf, oneOf or not refuse",
        "The value must match all, at least one, exactly one or none of the alternatives in the schema. The other \
         errors at this place say why the alternatives that came closest do not match.";
    LIST_MAP_ITEM = "OBJ014", "an item of a list map that is no object",
        "Items of a list map are objects with keys.";
    META = "OBJ015", "apiVersion or kind are missing or malformed",
        "Every resource, also an embedded one, says its apiVersion (group/version) and kind.";
    METADATA = "OBJ016", "metadata is malformed",
        "The metadata cannot be decoded: a field has the wrong type. Labels and annotations are maps of strings; mind \
         the quotes around numbers and booleans.";
    DEPENDENCY = "OBJ017", "a member that another one needs is missing",
        "The schema says that the one cannot be without the other.";
    MANAGED_FIELDS = "OBJ018", "managedFields are malformed",
        "The server keeps who manages which field. Nobody else writes managedFields; leave them out.";
    UNKNOWN_FIELD = "OBJ019", "a field that the schema does not know",
        "The server prunes unknown fields, with a warning, or refuses the object if fieldValidation is Strict (the \
         default of kubectl).";
    DUPLICATE_FIELD = "OBJ020", "a field that stands twice",
        "Of two fields of the same name the server takes the last one. With fieldValidation Strict it refuses the object.";
    UNREADABLE = "OBJ021", "the object cannot be decoded",
        "The server would answer with status 400: a resource has apiVersion and kind, both strings, and metadata \
         whose fields have the right types.";
    SCALE = "OBJ022", "replicas are no good",
        "The scale subresource says where the replicas stand: there is an integer from 0 to 2147483647.";
    RULES_SKIPPED = "OBJ023", "rules were not checked because of other errors",
        "When types, lengths, enumerations or required fields are wrong, the server evaluates no rule.";
    FINALIZER_NAME = "OBJ024", "a finalizer without a domain",
        "Finalizers of several writers stand in one list. A name such as example.com/cleanup tells them apart.";
    DEPRECATED = "OBJ025", "the version is deprecated",
        "The definition marks the version as deprecated; the server warns on each request to it.";
    OTHER_KIND = "OBJ026", "an apiVersion or kind that is not served",
        "Objects are written to a version that their kind has, and that is served. The CRD says which there are.";
    SERVER_WARNING = "OBJ027", "the server warns",
        "The server takes the object, and kubectl prints this warning.";
    NOT_CHECKED = "OBJ028", "the object was not checked as a whole",
        "Only the running program knows the answer: a webhook converts objects between versions, for example. The message \
         says what is missing.";
    NO_CRD = "OBJ029", "a kind without a CRD",
        "Nothing says what objects of this kind may be. Name the file of its CRD with --crd, or ask the cluster with \
         --cluster; --missing warn and --missing ignore pass such objects over, which are then counted as not checked.";
    SAME_OBJECT = "OBJ030", "an object that is there twice",
        "Two objects of one kind have the same name and namespace. Applied one after the other, the last one wins.";
}
