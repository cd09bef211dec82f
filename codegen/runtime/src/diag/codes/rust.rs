//! Codes of Rust sources (`RST…`).

codes! {
    ATTRIBUTE = "RST001", "an attribute cannot be read",
        "Attributes are read by one table, which also lists them in the reference. A key that the table does not have is an error: nothing that is written is ever dropped.";
    UNKNOWN_KEY = "RST002", "unknown key",
        "The key is none of those this attribute has. A key that was ignored would be a rule that does not hold.";
    PLACE = "RST003", "the key does not belong here",
        "The key exists, but not for this kind of place (type, field, variant, root).";
    CONTRADICTION = "RST004", "attributes contradict each other",
        "Two attributes say different things about the same place; one of them would silently win.";
    MISFIT = "RST005", "the attribute does not fit the type",
        "The server ignores keywords that do not belong to a value's type, so the rule would hold nothing. An attribute \
         that says something else than serde does makes the server accept objects that serde refuses.";
    RECURSIVE = "RST006", "recursive type",
        "Structural schemas have no references: a type cannot contain itself. #[schema(opaque)] on the field where it recurs keeps everything below unchecked and preserved.";
    TOO_BIG = "RST007", "the schema is too big",
        "The definition must fit into one request and into etcd.";
    MAP_KEY = "RST008", "map keys must be strings",
        "Keys of JSON objects are strings.";
    TUPLE = "RST009", "tuples of different types have no structural schema",
        "A structural schema has one schema for all items of a list.";
    SAME_NAME = "RST010", "two fields have the same name",
        "Names in the document must be unique within an object; serde would write both and read one.";
    FLATTEN = "RST011", "the type cannot be flattened",
        "serde flattens structs, maps and enums only; anything else fails when the program runs.";
    DEFAULT_UNKNOWN = "RST012", "a value cannot be told from the source",
        "The default, pattern or schema is computed by code that would have to run. The derive runs it; the source route reads it where it is simple.";
    EMPTY_ENUM = "RST013", "an enum without variants",
        "It has no values, so no document could ever be valid.";
    TAGGED_SCALAR = "RST014", "an internally tagged variant that is no object",
        "The tag is a field of the variant's own object; a string, number or list has no fields. serde fails on it at run time.";
    RULE_IN_UNION = "RST015", "a rule on one variant has no place",
        "Rules cannot stand inside oneOf or anyOf.";
    MARK_PLACE = "RST016", "a column, selectable field or scale path inside a list",
        "Such paths name exactly one field.";
    SCALE_STATUS = "RST017", "scale without status",
        "The scale subresource reads the number of replicas from the status.";
    DEAD_PATH = "RST018", "a path that leads nowhere",
        "The server takes columns and scale paths whose field does not exist, and shows nothing for them.";
    STORAGE = "RST019", "not exactly one storage version",
        "Objects are stored in exactly one of the versions.";
    VERSIONS_DIFFER = "RST020", "versions of one kind disagree",
        "Names, scope and conversion belong to the kind, not to a version.";
    UNKNOWN_TYPE = "RST021", "the type cannot be seen",
        "The type is made by a macro or a build script, or belongs to a crate whose source is not there. Derive Schema for it, name a stand-in with #[schema(as = \"…\")], write the schema with #[schema(raw = { … })], or let the program say it with --exact.";
    SERDE = "RST022", "a serde attribute cannot be followed",
        "What the attribute does to the document is known only to the code it names; the schema must be given.";
    SYNTAX = "RST023", "the source cannot be parsed",
        "The Rust compiler would refuse it too.";
    ROOT = "RST024", "the kind is not complete",
        "A kind needs a group, a version and a kind, and its type must be a struct or enum.";
    NAME = "RST025", "a name the server would refuse",
        "Names of groups, versions, kinds and their plurals follow DNS rules.";
    VALUE = "RST026", "a value that cannot be",
        "Bounds that exclude each other, a value twice in an enumeration, a value of the wrong type, or a variant of an untagged enum that serde never reads because it tries another one first.";
    NOT_COMPILED = "RST027", "the package does not compile",
        "`--exact` compiles the package with your own cargo and asks its types. What the compiler says stands above; without it nothing can be asked. Without `--exact` the sources are read as they are.";
    NOT_ASKED = "RST028", "the kind cannot be asked",
        "`--exact` asks the types from outside, as any other crate: the kind must be public and part of a library. Programs (`src/main.rs`, `src/bin`) cannot be asked; a library beside them can.";
    TOO_DEEP = "RST034", "the source is nested too deeply",
        "Brackets, generics, chains of operators and modules are read level by level, and each level takes stack. Real code stays far below the limit.";
    MODULES = "RST035", "modules without end",
        "A file that is a module of itself, or files that are modules so often that there is no end to them. The Rust compiler refuses the first too.";
    CONVERSION = "RST036", "a conversion that is not complete",
        "A conversion says for every field and variant how both versions have it. What one of them cannot express is kept in an annotation; a loss needs a reason.";
    NOT_STRUCTURAL = "RST030", "a schema of schemars without structural form",
        "Structural schemas are a part of JSON Schema: no references, no conditions, one type at each place. What goes beyond must be said in another way.";
}
