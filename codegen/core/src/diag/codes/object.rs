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
}
