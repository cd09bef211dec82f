//! Codes of Rust sources (`RST…`).

codes! {
    ATTRIBUTE = "RST001", "an attribute cannot be read",
        "Every attribute must have the form that the list of attributes shows (the chapter `attributes` of the guide, \
         or codegen/ATTRIBUTES.md). crdgen never ignores an attribute that it cannot read.";
    UNKNOWN_KEY = "RST002", "unknown key",
        "The attribute has no such key. If crdgen ignored it, a constraint that you wrote would not apply.";
    PLACE = "RST003", "the key does not belong here",
        "The key exists, but not for this place (kind, type, variant, field).";
    CONTRADICTION = "RST004", "attributes contradict each other",
        "Two attributes set different values for the same thing, and only one of them could apply.";
    MISFIT = "RST005", "the attribute has no effect on the type",
        "The server ignores keywords that do not apply to the type of a value, so this constraint would have no \
         effect. If an attribute contradicts serde, the server accepts objects that serde rejects.";
    RECURSIVE = "RST006", "recursive type",
        "Structural schemas have no references, so a type cannot contain itself. With #[schema(opaque)] on the \
         field where the type recurs, the server keeps everything below and does not check it.";
    TOO_BIG = "RST007", "the schema is too big",
        "A CRD must be small enough for a single request and for etcd.";
    MAP_KEY = "RST008", "keys of a map that are not any string",
        "The keys of JSON objects are strings. If the type of the keys reads only some of them, such as integers, a rule checks the keys. \
         Inside of lists and maps without bounds, such a rule would cost more than the server allows, and rules cannot read maps with \
         values of any type.";
    TUPLE = "RST009", "tuples of different types have no structural schema",
        "A structural schema has one schema for all items of a list.";
    SAME_NAME = "RST010", "two fields have the same name",
        "Names must be unique within an object. serde would write both fields and read only one.";
    FLATTEN = "RST011", "the type cannot be flattened",
        "serde can only flatten structs, maps and enums. Anything else fails at run time.";
    DEFAULT_UNKNOWN = "RST012", "a value cannot be determined from the source",
        "Code computes the default, pattern or schema. The derive can run this code; `crdgen emit` reads only \
         simple code, unless you pass --exact.";
    EMPTY_ENUM = "RST013", "an enum without variants",
        "It has no values, so no document could be valid.";
    TAGGED_SCALAR = "RST014", "an internally tagged variant that is not an object",
        "The tag is a field of the variant, but a string, number or list has no fields. serde fails at run time.";
    RULE_IN_UNION = "RST015", "a rule on a single variant",
        "The server does not allow rules inside oneOf or anyOf. Write the rule on the enum, so that it is true for all \
         other variants.";
    MARK_PLACE = "RST016", "a column, selectable field or scale path inside a list",
        "Such a path must name exactly one field, but a list has many items. A struct that is also used outside of lists and maps may \
         have these attributes: they apply there.";
    SCALE_STATUS = "RST017", "scale without status",
        "The scale subresource reads the number of replicas from the status.";
    DEAD_PATH = "RST018", "a path to a field that does not exist",
        "The server accepts columns and scale paths for fields that do not exist, and shows nothing for them.";
    STORAGE = "RST019", "no storage version, or several",
        "The server stores objects in exactly one version.";
    VERSIONS_DIFFER = "RST020", "versions of one kind contradict each other",
        "Names, scope and conversion belong to the kind, not to a version.";
    UNKNOWN_TYPE = "RST021", "the type cannot be found",
        "A macro or build script generates the type, or the source of its crate is missing. Derive Schema for it, \
         use the schema of another type with #[schema(as = \"…\")], write the schema with #[schema(raw = { … })], \
         or compile the package with --exact.";
    SERDE = "RST022", "crdgen cannot follow a serde attribute",
        "The attribute names a function or type that determines what serde reads and writes. crdgen does not run it, so \
         write the schema yourself, with #[schema(as = \"…\")] or #[schema(raw = { … })].";
    SYNTAX = "RST023", "the source cannot be parsed",
        "The Rust compiler would reject it too.";
    ROOT = "RST024", "the kind is not complete",
        "A kind needs a group, a version and a kind, and its type must be a struct or enum.";
    NAME = "RST025", "a name that the server would reject",
        "Groups, versions, kinds and plural names follow DNS rules.";
    VALUE = "RST026", "a value that is not valid",
        "This is a bound that contradicts another one, a duplicate enum value, a value of the wrong type, or a \
         variant of an untagged enum that serde never reads because an earlier variant always matches.";
    NOT_COMPILED = "RST027", "the package does not compile",
        "`--exact` compiles the package with your own cargo and runs its types. Fix the errors of the compiler \
         above, or leave out `--exact`: crdgen then reads the sources without compiling them.";
    NOT_ASKED = "RST028", "the kind cannot be reached",
        "`crdgen emit --exact` cannot reach a kind that is private or part of a program if a macro declares it. `crdgen convert \
         --exact` uses types from another crate, so they must be public and part of a library. Without `--exact`, crdgen reads \
         private types, too.";
    NOT_STRUCTURAL = "RST030", "a schemars schema without structural form",
        "Structural schemas are a subset of JSON Schema, without references and conditions, and with one type at \
         each place. Express the rest with attributes or rules.";
    TOO_DEEP = "RST034", "the source is nested too deeply",
        "crdgen limits the nesting of brackets, generics, chains of operators and modules, to keep memory \
         bounded. Real code is far below the limit.";
    MODULES = "RST035", "code that crdgen does not read",
        "crdgen reads the sources without compiling them, and some of the code is not there for it: the file of a module or of \
         `include!` is missing or cannot be read, a build script writes it, a macro generates it, a feature that is off leaves it out, \
         or a file includes itself. Kinds in such code are missing from the output. If crdgen names features, turn them on; otherwise \
         `crdgen emit --exact` finds the kinds, because it compiles the package.";
    CONVERSION = "RST036", "an incomplete conversion",
        "A conversion must cover every field and variant of both versions. What one \
         version cannot express is kept in an annotation. To lose it instead, write `lossy` with a reason.";
    HISTORY = "RST037", "changes of a field that contradict each other",
        "`#[versioned]` makes a type for each version, so the history of a field must be possible: first it is \
         added, then it is changed, then it is removed. Each version can have at most one change of a field, and \
         must be in the list of versions of `#[versioned(…)]`.";
    UNREADABLE = "RST040", "serde cannot read what it writes",
        "A field, variant or type has one form when serde writes it, and another one when serde reads it. With #[serde(from)] or \
         #[serde(try_from)], add #[serde(into)]. The server drops a field that the schema skips, so serde needs a default for it. \
         `skip_serializing_if` leaves the field out of what serde writes. Without a default, serde cannot read that \
         again, and the server rejects it because the field is required. Add #[serde(default)], so that both agree \
         about a missing field, or make the field an Option.";
    FLATTENED_MAP = "RST041", "a flattened map whose values have a type",
        "Next to other fields, a flattened map makes the server keep all unknown fields, and it cannot check their \
         values. serde fails to read the whole object if one of them does not have the type of the map's values. Make \
         the values `serde_json::Value`, or put the map into a field of its own.";
    NOT_CONVERTED = "RST038", "the object cannot be converted",
        "A value has no counterpart in the other version, or a conversion calls a function, which only a compiled \
         program can run.";
    OF_KUBE_DERIVE = "RST039", "a CRD of kube-derive",
        "`--exact` runs the types of the package. If the package does not depend on crdgen, they are those of kube-derive and \
         schemars, so the CRD is theirs, too, with what they lose. The server's checks are the same.";
    LOCK = "RST042", "a lock file that is out of date",
        "Cargo.lock does not list all dependencies of the package, or another version of them. crdgen does not change the \
         file. It reads the versions that cargo would write into it, so the types of dependencies may be those of newer versions.";
    FOREIGN_KEY = "RST043", "an unknown key in an attribute of validator or garde",
        "These crates check values in the program, and crdgen also puts their constraints into the schema. No derive reads an \
         unknown key, so it has no effect. Rules are written in `#[schema(rule(…))]`.";
    ODD_FORM = "RST044", "a type in a form that users do not expect",
        "serde writes the durations and times of the standard library as objects with seconds and nanoseconds. Users, and the \
         types of Kubernetes, write durations as integers with the unit in the name of the field, or as text, and times as text. \
         The format `duration` allows days and weeks, which kube's `Duration` does not read: it needs a pattern.";
    BYPASSED = "RST045", "a rule about changes that users can avoid",
        "The server evaluates a rule with oldSelf only if there is an old and a new value. If the field is optional, a user can \
         remove it and then add it with another value, and the rule is never evaluated. A rule on the struct is evaluated in \
         both updates, as in `!has(oldSelf.size) || has(self.size) && self.size >= oldSelf.size`.";
    MIXED = "RST060", "an enum whose variants have different types",
        "serde writes some variants as strings, numbers or lists and others as objects. A structural schema has one type at \
         each place, so crdgen excludes the other types by bounds that no value satisfies, and the server's messages \
         about wrong values name these bounds. CEL rules cannot read such a value. Variants of one type do not have these \
         problems.";
}
