//! Why a definition comes out differently: a table, which the command and the guide print.

/// Whose doing a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// The server would drop what it keeps today.
    Loss,
    /// Nobody can tell from the definitions: it may be the project's own change.
    Look,
    /// A mistake of the old definition.
    Mistake,
    /// Meant to be so.
    Meant,
}

impl Sort {
    /// The heading of its differences.
    pub fn heading(self) -> &'static str {
        match self {
            Sort::Loss => "data that would be lost",
            Sort::Look => "to look at",
            Sort::Mistake => "mistakes of the old definition",
            Sort::Meant => "meant to be so",
        }
    }
}

/// A kind of difference.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    /// Its short name.
    pub name: &'static str,
    /// Whose doing it is.
    pub sort: Sort,
    /// The explanation.
    pub text: &'static str,
}

macro_rules! reasons {
    ($($id:ident = $name:literal, $sort:ident, $text:literal;)*) => {
        $(pub(super) static $id: Reason = Reason { name: $name, sort: Sort::$sort, text: $text };)*
        /// All of them.
        pub static ALL: &[&Reason] = &[$(&$id),*];
    };
}

reasons! {
    LOST = "lost", Loss, "The old definition keeps these fields, and under the new one the server drops them from every object that is written. If serde reads them, give their schema with an attribute; if not, their data went with the next write anyway.";
    REFERENCE = "reference", Mistake, "`$ref` is no part of a structural schema: the server refuses it. Recursive types are errors now.";
    ANYTHING = "anything", Mistake, "A schema that says nothing is refused; `x-kubernetes-preserve-unknown-fields` takes anything.";
    INT_OR_STRING = "int-or-string", Mistake, "An integer or a string has a keyword of its own: without it the node has no type, and the server refuses it.";
    TUPLE = "tuple", Mistake, "A list has one schema for all its items: the server refuses a schema per position.";
    NUMBER_FORMAT = "number-format", Mistake, "No server knows formats such as uint32: it warned, and held no bound. The bounds of the Rust type are in the schema.";
    NO_TYPE = "no-type", Mistake, "Every node of a structural schema has a type: the server refuses it otherwise.";
    FLATTENED_MAP = "flattened-map", Mistake, "`properties` and `additionalProperties` exclude each other; unknown fields are kept instead.";
    CLOSED = "closed", Mistake, "`additionalProperties: false` is forbidden beside properties: the server drops unknown fields anyway.";
    DROPPED_FIELD = "dropped-field", Mistake, "serde reads this name too (an alias), but the old schema did not have it, so the server dropped what stood there.";
    LOST_RULE = "lost-rule", Mistake, "The attribute stood in the source, but its rule never reached the definition.";
    LIST_TYPE = "list-type", Mistake, "Without list types, server-side apply replaces whole lists, and sets may hold a value twice. Kubernetes' own types have theirs.";
    MAP_TYPE = "map-type", Mistake, "StructMerge and MapMerge mean x-kubernetes-map-type; for structs it never reached the definition.";
    NULL_DEFAULT = "null-default", Mistake, "The server drops nulls in defaults of fields that are not nullable; what serde writes for None is left out.";
    EMBEDDED = "embedded", Mistake, "An embedded object has apiVersion, kind and metadata, which the server prunes and checks only if the schema says so.";
    NULLABLE_OFF = "nullable-off", Meant, "A field that serde leaves out for None never holds null; a null from elsewhere is dropped by the server, which reads the same.";
    NULLABLE_ON = "nullable-on", Meant, "serde writes null for None here, which the server drops, or replaces by the default, unless the field is nullable.";
    NULL_ENUM = "null-enum", Meant, "The server never takes null in an enumeration: nullable says it, with the values in allOf where both are needed.";
    ORDER = "order", Meant, "Variants keep the order of the source; documentation no longer moves them.";
    AUTO_DOC = "auto-doc", Meant, "The sentence about the derive was no documentation; `doc = \"…\"` says something else.";
    TITLE = "title", Meant, "Names of Rust types are no titles; `#[schema(title = \"…\")]` gives one.";
    FOREIGN_DOC = "foreign-doc", Meant, "Descriptions of Kubernetes' own types are left out: one PodTemplateSpec had more of them than fits into kubectl's annotation. Links to them say the same.";
    VARIANT_DOC = "variant-doc", Meant, "Documentation of variants stands in the description of the enum.";
    UNION = "union", Meant, "The server takes what serde writes of an enum, and rejects fields of another variant, which serde would often ignore and then lose.";
    FOREIGN_FIELD = "foreign-field", Meant, "Kubernetes' own types have the fields of the newest Kubernetes, whichever version k8s-openapi has.";
    METADATA = "metadata", Meant, "In embedded metadata only what the server sets itself is left out, such as uid and creationTimestamp; `metadata = \"full\"` keeps it.";
    FOREIGN_RULE = "foreign-rule", Meant, "Bounds, formats and defaults of Kubernetes' own types are those that Go's tools give.";
    REQUIRED = "required", Look, "A required field more is stricter for objects that are stored already, one less is looser.";
    ADDED = "added", Look, "The old definition does not have it: is it older than the source? Fields that serde only writes (skip_deserializing) were never in it, and the server dropped them.";
    REMOVED = "removed", Look, "Only the old definition has it: is it newer than the source, or edited by hand?";
    CHANGED = "changed", Look, "It differs, and no habit of the old tools explains it.";
    ABSENT = "absent", Look, "There is nothing to compare with.";
}
