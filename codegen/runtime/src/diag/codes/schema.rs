//! Codes of schemas (`SCH…`).

codes! {
    NOT_STRUCTURAL = "SCH001", "the schema cannot be made structural",
        "The schema uses something that a structural schema has no room for, so the server cannot even build its \
         internal form. Remove the keyword the message names; most of them come from JSON Schema drafts that \
         Kubernetes does not support.";
    UNSUPPORTED_KEYWORD = "SCH002", "a keyword that Kubernetes schemas do not have",
        "CustomResourceDefinitions take a subset of OpenAPI v3. `id`, `$ref`, `definitions`, `dependencies`, \
         `patternProperties` and `additionalItems` are not part of it: write the schema out in place, use \
         `additionalProperties` for maps and rules (`x-kubernetes-validations`) for relations between fields.";
    UNKNOWN_TYPE = "SCH003", "an unknown type",
        "`type` is one of array, boolean, integer, number, object and string. There is no union of types; for a \
         field that is an integer or a string use `x-kubernetes-int-or-string: true`, for one that may be null use \
         `nullable: true`.";
    MISSING_TYPE = "SCH004", "the type is missing",
        "Every node of a structural schema has a `type`, so that the server knows what to keep, to prune and to \
         default. Only nodes with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields` may go without.";
    MISSING_ITEMS = "SCH005", "an array without items",
        "A structural schema says what the items of an array are. Add `items` with a type; for anything at all, \
         `items: {x-kubernetes-preserve-unknown-fields: true}`.";
    ITEMS_ARRAY = "SCH006", "items is a list of schemas",
        "Kubernetes knows arrays whose items are all alike only. Give `items` one schema.";
    ROOT_TYPE = "SCH007", "the root is no object",
        "A resource is an object with apiVersion, kind and metadata, so its schema has `type: object` at the root \
         and cannot be nullable or a map there.";
    JUNCTOR_KEYWORD = "SCH008", "a structural keyword inside allOf, anyOf, oneOf or not",
        "Inside the junctors a schema may only restrict values; it may not define structure. Move type, description, \
         default, additionalProperties, nullable and the x-kubernetes extensions to the same field outside of the \
         junctor and keep the limits inside. The one exception is the `anyOf` of integer and string under \
         `x-kubernetes-int-or-string`.";
    INCOMPLETE = "SCH009", "a field stands inside a junctor only",
        "Every field that allOf, anyOf, oneOf or not speak of is also defined outside of them, with its type. \
         Otherwise the server would prune it.";
    METADATA_RESTRICTED = "SCH010", "the schema says too much about metadata",
        "The server knows the metadata of every resource. A schema may restrict `metadata.name` and \
         `metadata.generateName` at the root and nothing else, and may not mention metadata inside junctors at all.";
    META_TYPE = "SCH011", "apiVersion, kind or metadata have the wrong type",
        "`apiVersion` and `kind` are strings and `metadata` is an object, at the root and in embedded resources.";
    INT_OR_STRING = "SCH012", "x-kubernetes-int-or-string does not go with another extension",
        "A field that is an integer or a string is a scalar: it can neither keep unknown fields nor hold an \
         embedded resource.";
    EMBEDDED = "SCH013", "x-kubernetes-embedded-resource is not complete",
        "An embedded resource is `type: object` and either lists its properties or keeps unknown fields with \
         `x-kubernetes-preserve-unknown-fields: true`. It cannot be a map, and cannot stand inside of metadata.";
    PATTERN = "SCH014", "the pattern is no regular expression of Go",
        "Patterns are compiled by Go's regexp package (RE2): no look-around, no back-references, no possessive \
         quantifiers. Rewrite the pattern, or say it with a rule.";
    PRESERVE_FALSE = "SCH015", "x-kubernetes-preserve-unknown-fields is false",
        "The extension is `true` or absent. Pruning is the default: leave it out.";
    UNIQUE_ITEMS = "SCH016", "uniqueItems is true",
        "Checking it would cost quadratic time. `x-kubernetes-list-type: set` gives the same guarantee for scalars.";
    PROPERTIES_AND_MAP = "SCH017", "properties and additionalProperties together",
        "An object is either a struct (properties) or a map (additionalProperties). Put the free keys into a field \
         of their own.";
    LIST_TYPE = "SCH018", "a wrong x-kubernetes-list-type",
        "It is one of atomic, set and map, on `type: array` only; `x-kubernetes-list-map-keys` go with map only.";
    SET_ITEMS = "SCH019", "items of a set that are not atomic",
        "Server-side apply merges a set by whole items, so they are scalars, or objects with `x-kubernetes-map-type: \
         atomic`, or arrays with `x-kubernetes-list-type: atomic`.";
    LIST_MAP_KEYS = "SCH020", "wrong x-kubernetes-list-map-keys",
        "A list of type map has objects as items and at least one key; each key is a scalar property of the items \
         and is named once.";
    LIST_KEY_OPTIONAL = "SCH021", "a key of a list map can be missing",
        "Two items without the key would be equal. Make the key required or give it a default, and do not make it nullable.";
    LIST_ITEM_NULLABLE = "SCH022", "items of a set or list map are nullable",
        "Items of sets and list maps are told apart by their value or keys; null has none.";
    MAP_TYPE = "SCH023", "a wrong x-kubernetes-map-type",
        "It is atomic or granular, on `type: object` only.";
    DEFAULT_FORBIDDEN = "SCH024", "a default is not allowed here",
        "Defaults cannot stand on apiVersion, kind and metadata of the resource itself, nor inside of \
         additionalProperties that apply to metadata.";
    DEFAULT_UNPRUNED = "SCH025", "the default has unknown fields",
        "The server would prune these fields from any object, so they cannot be in a default. Add them to the schema \
         or take them out of the default.";
    DEFAULT_INVALID = "SCH026", "the default does not match its schema",
        "A default is checked as a value a user would write: type, limits, formats and rules hold for it.";
    DEFAULT_METADATA = "SCH027", "the default makes no valid metadata",
        "The default belongs to the metadata of an embedded resource, which the server checks like that of any object.";
    STATUS_ROOT = "SCH028", "a keyword at the root that the status subresource does not allow",
        "With the status subresource, `properties.status` is validated apart from the rest. Keywords at the root that \
         combine both (junctors, enum, limits on properties …) would be lost, so the server forbids them.";
    RULE_TEXT = "SCH029", "a rule or its message is missing or has line breaks",
        "A rule is not empty. Its message is one line; it must be there if the rule itself has line breaks.";
    RULE_REASON = "SCH030", "an unknown reason of a rule",
        "The reason becomes the error type of a violation: FieldValueInvalid, FieldValueForbidden, \
         FieldValueRequired or FieldValueDuplicate.";
    RULE_FIELD_PATH = "SCH031", "the fieldPath of a rule leads nowhere",
        "The path is relative to the node of the rule and names properties that exist: `.spec.field`, \
         `['odd.name']`; list indices are not allowed.";
    UNRECOGNIZED_FORMAT = "SCH032", "the server does not know this format",
        "A format that the server does not know is not checked: it is documentation only. The server warns about it. \
         Use a pattern or a rule where the value has to be checked.";
    SET_OF_COMPOUNDS = "SCH033", "a set of objects or arrays",
        "Server-side apply and rules support sets of scalars only. Consider `x-kubernetes-list-type: map` or atomic.";
    RULES_UNCHECKED = "SCH034", "validation rules were not checked",
        "This build does not check the expressions in x-kubernetes-validations; the server does.";
}
