//! Codes of schemas (`SCH…`).

codes! {
    NOT_STRUCTURAL = "SCH001", "the schema cannot be made structural",
        "The schema has a keyword that structural schemas do not support. Remove the keyword that the message \
         names. Most of these keywords come from JSON Schema drafts that Kubernetes does not support.";
    UNSUPPORTED_KEYWORD = "SCH002", "a keyword that Kubernetes schemas do not have",
        "CRDs use a subset of OpenAPI v3. It does not include `id`, `$ref`, `definitions`, `dependencies`, \
         `patternProperties` and `additionalItems`. Copy referenced schemas into place, use \
         `additionalProperties` for maps, and rules (`x-kubernetes-validations`) for relations between fields.";
    UNKNOWN_TYPE = "SCH003", "an unknown type",
        "`type` is one of array, boolean, integer, number, object and string. There is no union of types; for a \
         field that is an integer or a string use `x-kubernetes-int-or-string: true`, for one that may be null use \
         `nullable: true`.";
    MISSING_TYPE = "SCH004", "the type is missing",
        "Every schema needs a `type`, so that the server knows what to keep, prune and default. Only schemas with \
         `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields` may omit it.";
    MISSING_ITEMS = "SCH005", "an array without items",
        "Add `items` with the type of the items. For items of any type, use `items: \
         {x-kubernetes-preserve-unknown-fields: true}`.";
    ITEMS_ARRAY = "SCH006", "items is a list of schemas",
        "In Kubernetes, all items of an array have the same schema. Give `items` one schema.";
    ROOT_TYPE = "SCH007", "the root is not an object",
        "A resource is an object with apiVersion, kind and metadata, so its schema has `type: object` at the \
         root, and cannot be nullable or a map there.";
    JUNCTOR_KEYWORD = "SCH008", "a structural keyword inside allOf, anyOf, oneOf or not",
        "Inside allOf, anyOf, oneOf and not, a schema may only constrain values, not define structure. Move type, \
         description, default, additionalProperties, nullable and the x-kubernetes extensions to the same field \
         outside, and keep the constraints inside. The only exception is the `anyOf` of integer and string under \
         `x-kubernetes-int-or-string`.";
    INCOMPLETE = "SCH009", "a field is only defined inside allOf, anyOf, oneOf or not",
        "Every field inside allOf, anyOf, oneOf or not must also be defined outside, with its type. Otherwise the \
         server would prune it.";
    METADATA_RESTRICTED = "SCH010", "the schema constrains metadata",
        "The server defines the metadata of every resource. A schema may only constrain `metadata.name` and \
         `metadata.generateName` at the root, and may not mention metadata inside allOf, anyOf, oneOf and not.";
    META_TYPE = "SCH011", "apiVersion, kind or metadata has the wrong type",
        "`apiVersion` and `kind` are strings and `metadata` is an object, at the root and in embedded resources.";
    INT_OR_STRING = "SCH012", "x-kubernetes-int-or-string with another extension",
        "A field that is an integer or a string can neither keep unknown fields nor contain an embedded resource.";
    EMBEDDED = "SCH013", "x-kubernetes-embedded-resource is not complete",
        "An embedded resource is `type: object`, and either lists its properties or keeps unknown fields with \
         `x-kubernetes-preserve-unknown-fields: true`. It cannot be a map, and cannot be inside metadata.";
    PATTERN = "SCH014", "the pattern is not a regular expression in Go",
        "The server compiles patterns with Go's regexp package (RE2), which has no look-around, no \
         back-references and no possessive quantifiers. Rewrite the pattern, or use a rule.";
    PRESERVE_FALSE = "SCH015", "x-kubernetes-preserve-unknown-fields is false",
        "The extension is either `true` or absent. Pruning is the default, so leave it out.";
    UNIQUE_ITEMS = "SCH016", "uniqueItems is true",
        "Checking it would take quadratic time. `x-kubernetes-list-type: set` gives the same guarantee for \
         scalars.";
    PROPERTIES_AND_MAP = "SCH017", "properties and additionalProperties together",
        "An object is either a struct (properties) or a map (additionalProperties). Put the entries with free \
         keys into a field of their own.";
    LIST_TYPE = "SCH018", "a wrong x-kubernetes-list-type",
        "The list type is atomic, set or map, and only for `type: array`. `x-kubernetes-list-map-keys` needs the \
         list type map.";
    SET_ITEMS = "SCH019", "items of a set that are not atomic",
        "Server-side apply merges a set by whole items, so they are scalars, or objects with `x-kubernetes-map-type: \
         atomic`, or arrays with `x-kubernetes-list-type: atomic`.";
    LIST_MAP_KEYS = "SCH020", "wrong x-kubernetes-list-map-keys",
        "A list of type map has objects as items, and at least one key. Each key is a scalar property of the \
         items, and may only be listed once.";
    LIST_KEY_OPTIONAL = "SCH021", "a key of a list map can be missing",
        "Two items without the key would be equal. Make the key required or add a default, and do not make it \
         nullable.";
    LIST_ITEM_NULLABLE = "SCH022", "items of a set or list map are nullable",
        "The server identifies items of a set by their value, and items of a list map by their keys. It cannot identify \
         null.";
    MAP_TYPE = "SCH023", "a wrong x-kubernetes-map-type",
        "The map type is atomic or granular, and only for `type: object`.";
    DEFAULT_FORBIDDEN = "SCH024", "a default is not allowed here",
        "Defaults are not allowed on apiVersion, kind and metadata of the resource itself, nor inside \
         additionalProperties that apply to metadata.";
    DEFAULT_UNPRUNED = "SCH025", "the default has unknown fields",
        "The server would prune these fields, so they cannot be in a default. Add them to the schema, or remove \
         them from the default.";
    DEFAULT_INVALID = "SCH026", "the default does not match its schema",
        "The server checks a default like a value that a user writes: its type, limits, formats and rules.";
    DEFAULT_METADATA = "SCH027", "the default is not valid metadata",
        "The default is for the metadata of an embedded resource, which the server checks like that of any \
         object.";
    STATUS_ROOT = "SCH028", "a keyword at the root that the status subresource does not allow",
        "With the status subresource, the server validates `properties.status` separately. Keywords at the root \
         that combine status and spec (allOf, anyOf, oneOf, not, enum, limits on properties …) would have no \
         effect, so the server forbids them.";
    RULE_TEXT = "SCH029", "a rule or its message is missing or has line breaks",
        "A rule cannot be empty. Its message must be a single line, and is required if the rule has line breaks.";
    RULE_REASON = "SCH030", "an unknown reason of a rule",
        "The reason becomes the error type of a violation: FieldValueInvalid, FieldValueForbidden, \
         FieldValueRequired or FieldValueDuplicate.";
    RULE_FIELD_PATH = "SCH031", "the fieldPath of a rule does not exist",
        "The path is relative to the place of the rule, and contains names of existing properties: `.spec.field`, \
         `['odd.name']`. List indices are not allowed.";
    UNRECOGNIZED_FORMAT = "SCH032", "the server does not know this format",
        "The server does not check a format that it does not know; it only warns about it. Use a pattern or a \
         rule to check the value.";
    SET_OF_COMPOUNDS = "SCH033", "a set of objects or arrays",
        "Server-side apply and rules only support sets of scalars. Use `x-kubernetes-list-type: map` or atomic.";
    RULES_UNCHECKED = "SCH034", "this build does not check validation rules",
        "This build does not check the expressions in x-kubernetes-validations; the server does.";
}
