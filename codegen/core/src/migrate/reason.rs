//! The reasons why a CRD changes: a table that the command and the guide print.

/// What a difference means for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// The server would drop data that it keeps today.
    Loss,
    /// The CRDs do not show the reason. It may be the project's own change.
    Look,
    /// The old CRD has a mistake.
    Mistake,
    /// The difference is intended.
    Meant,
}

impl Sort {
    /// Returns the heading for the differences of this sort.
    pub fn heading(self) -> &'static str {
        match self {
            Sort::Loss => "data that would be lost",
            Sort::Look => "to review",
            Sort::Mistake => "mistakes in the old CRD",
            Sort::Meant => "intended",
        }
    }
}

/// A kind of difference.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    /// The short name of the reason.
    pub name: &'static str,
    /// What differences with this reason mean for the user.
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
    LOST = "lost", Loss, "With the old CRD the server keeps these fields. With the new one it drops them whenever an object is written. If serde reads them, add their schema with an attribute. If not, your program already loses their data with its next write.";
    REFERENCE = "reference", Mistake, "The server rejects `$ref`, which structural schemas cannot contain. crdgen reports recursive types as errors.";
    ANYTHING = "anything", Mistake, "The server rejects an empty schema. crdgen writes `x-kubernetes-preserve-unknown-fields`, which accepts any value.";
    INT_OR_STRING = "int-or-string", Mistake, "The server rejects a schema without a type. For an integer or a string, crdgen writes `x-kubernetes-int-or-string`.";
    TUPLE = "tuple", Mistake, "The server rejects a list with a schema per position. A structural schema has one schema for all items.";
    NUMBER_FORMAT = "number-format", Mistake, "Servers do not know formats such as `uint32`: they warned, and enforced no bounds. crdgen writes the bounds of the Rust type into the schema.";
    NO_TYPE = "no-type", Mistake, "The server rejects a schema without a type. crdgen writes the type.";
    FLATTENED_MAP = "flattened-map", Mistake, "The server rejects `properties` together with `additionalProperties`. crdgen keeps unknown fields instead.";
    CLOSED = "closed", Mistake, "The server rejects `additionalProperties: false` together with `properties`. It drops unknown fields anyway.";
    DROPPED_FIELD = "dropped-field", Mistake, "The source has these fields, but the old CRD does not, so the server dropped their values. They may be aliases, fields that serde only writes (`skip_deserializing`), or newer than the old CRD.";
    UNREADABLE = "unreadable", Mistake, "The old CRD accepts objects that serde cannot read: without a field that it needs, or with values that are not of its type. The server now rejects them. Your program already fails when it reads or lists them.";
    TEXT_FORMAT = "text-format", Mistake, "Servers do not know formats such as `ip`, so they did not check it. crdgen writes formats that servers check.";
    LOST_RULE = "lost-rule", Mistake, "The source has this attribute, but the old CRD does not contain it.";
    LIST_TYPE = "list-type", Mistake, "Without a list type, server-side apply replaces the whole list, and the list may contain duplicates. crdgen writes the list types that Kubernetes' own types have.";
    MAP_TYPE = "map-type", Mistake, "`StructMerge` and `MapMerge` set `x-kubernetes-map-type`. For structs it was missing from the old CRD.";
    NULL_DEFAULT = "null-default", Mistake, "The server drops `null` from defaults of fields that are not nullable. crdgen leaves out the `null` that serde writes for `None`.";
    EMBEDDED = "embedded", Mistake, "The server checks `apiVersion`, `kind` and `metadata` of an embedded object only if the schema marks it as an embedded resource.";
    NULLABLE_OFF = "nullable-off", Meant, "serde leaves the field out for `None`, so it is never `null`. If another client writes `null`, the server drops it, and serde still reads `None`.";
    NULLABLE_ON = "nullable-on", Meant, "serde writes `null` for `None` here. Unless the field is nullable, the server drops the `null` or replaces it with the default.";
    NULL_ENUM = "null-enum", Meant, "The server never accepts `null` as an enum value. crdgen writes `nullable`, and the values into `allOf` where both are needed.";
    ORDER = "order", Meant, "Variants keep the order of the source, whether they have documentation or not.";
    MORE_VALUES = "more-values", Meant, "serde reads these values, too: they are aliases (`#[serde(alias = \"…\")]`) of variants, or variants that are newer than the old CRD. The server now accepts them.";
    AUTO_DOC = "auto-doc", Meant, "crdgen leaves out the generated sentence about the derive. Use `doc = \"…\"` to write your own.";
    TITLE = "title", Meant, "crdgen does not use the name of a Rust type as a title. Use `#[schema(title = \"…\")]` to set one.";
    FOREIGN_DOC = "foreign-doc", Meant, "crdgen leaves out the descriptions of Kubernetes' own types: those of a single PodTemplateSpec are too long for kubectl's annotation. The Kubernetes documentation has them.";
    VARIANT_DOC = "variant-doc", Meant, "The documentation of variants is in the description of the enum.";
    LINES = "lines", Meant, "The description has the same words, but different line breaks: schemars 0.8 joined the lines of a paragraph, and some tools that write YAML do the same.";
    DOC = "doc", Meant, "The description comes from the documentation in the source. The server does not check descriptions.";
    DEFAULT = "default", Meant, "The source has a default that the old CRD did not have. The server now fills in the value that serde fills in when it reads the object.";
    UNION = "union", Meant, "The server accepts everything that serde writes for an enum. It rejects fields of another variant, which serde would often ignore and then lose.";
    FOREIGN_FIELD = "foreign-field", Meant, "Kubernetes' own types have the fields of your version of k8s-openapi, or of the newest Kubernetes if crdgen does not know it.";
    METADATA = "metadata", Meant, "The metadata of embedded objects lacks only fields that the server sets, such as `uid` and `creationTimestamp`. Use `metadata = \"full\"` to keep them.";
    RANGE = "range", Meant, "The old CRD has the format of another type of number. crdgen writes the range of the Rust type.";
    FOREIGN_RULE = "foreign-rule", Meant, "Kubernetes' own types have the formats and defaults that controller-gen writes for them.";
    FOREIGN_BOUND = "foreign-bound", Look, "Kubernetes' own types have the constraints that controller-gen writes for them, such as `minLength: 1` for the reason of a condition. The server will reject values that it accepted. Check what your program writes. To keep the old form, remove the constraints: `#[schema(override(\"[].reason\", remove(min_length, max_length, pattern)))]`.";
    DEFAULTED = "defaulted", Look, "The source requires these fields. With the old CRD the server filled in a default where they were missing; now it rejects such objects. Write the default as an attribute.";
    CONSTRAINT = "constraint", Look, "The old CRD has this constraint, but the source has none, or a different one. Write it as an attribute if the server should still enforce it.";
    REQUIRED = "required", Look, "Only the old CRD requires these fields. serde reads objects without them, and the server now accepts such objects. Make the fields required with an attribute if they must be there.";
    OTHER_DEFAULT = "other-default", Look, "With the old CRD the server filled in this default; the source has a different one, or none although the field can be missing. Write it as an attribute to keep it.";
    STATUS = "status", Look, "The source has a status, but the old CRD has no status subresource. The server now changes the status only in requests to the subresource, such as those of `patch_status` and `replace_status`, which failed before.";
    CHANGED = "changed", Look, "This differs, and crdgen knows no reason in kube-derive or schemars.";
    REMOVED = "removed", Look, "Only the old CRD has this. It may be newer than the source, or edited by hand.";
    ADDED = "added", Look, "The old CRD does not have this. It may be older than the source.";
    NAMES = "names", Look, "The old CRD has other names or columns, which people use with kubectl. Write them in `#[kube(…)]` to keep them.";
    UNDOCUMENTED = "undocumented", Look, "Only the old CRD describes these fields. Write the descriptions as documentation comments if `kubectl explain` should still show them.";
    ABSENT = "absent", Look, "There is no old CRD to compare with.";
}
