//! Codes of definitions (`CRD…`).

codes! {
    NOT_A_DEFINITION = "CRD001", "this is no CustomResourceDefinition",
        "`apiVersion` must be apiextensions.k8s.io/v1 (or v1beta1, which is read and converted) and `kind` \
         must be CustomResourceDefinition. Another kind is for another tool; a misspelt one is refused by \
         the server with \"no kind is registered\".";
    WRONG_TYPE = "CRD002", "a field has a value of the wrong type",
        "The server cannot decode the definition: it answers 400 Bad Request before anything is checked. \
         In YAML a type is often decided by missing or superfluous quotes: `version: 1` is a number, \
         `served: \"true\"` is a string, `on` and `no` are booleans.";
    OUT_OF_RANGE = "CRD003", "a number does not fit its field",
        "Lengths, counts and bounds of items are 64-bit integers; ports and column priorities are 32-bit \
         ones. A fraction, an exponent or a larger number cannot be decoded by the server.";
    BAD_TEXT = "CRD004", "a text cannot be decoded",
        "Times are RFC 3339 (2024-01-31T12:00:00Z); `caBundle` is base64 with padding.";
    UNKNOWN_FIELD = "CRD005", "an unknown field",
        "kubectl refuses unknown fields (--validate=strict is its default); other clients get a warning \
         and the server drops the field. Names are case-sensitive. Fields below `items` and \
         `additionalProperties` are never checked by the server.";
    TOO_DEEP = "CRD006", "the schema is nested too deeply",
        "Schemas deeper than this limit are not read, to keep memory bounded. No real schema comes near it.";
    TOO_LARGE = "CRD007", "the definition is larger than any that a server takes",
        "A server takes requests of at most 3 MiB. A definition that is larger even without its descriptions is \
         not read any further, to keep memory bounded.";
    NAME = "CRD010", "the definition has the wrong name",
        "A definition is named after what it defines: metadata.name is spec.names.plural, a dot, and spec.group. \
         The name is also the path of the resource in etcd, which is why nothing else will do.";
    OBJECT_NAME = "CRD011", "metadata.name or generateName is no valid name",
        "Names of objects are DNS subdomains: lower-case letters, digits, dashes and dots.";
    NAMESPACE = "CRD012", "a namespace where none can be",
        "Definitions belong to the cluster. Remove metadata.namespace.";
    LABEL = "CRD013", "a label is not valid",
        "Keys are names of at most 63 characters with an optional DNS prefix (example.com/name); values have at \
         most 63 characters of letters, digits, dashes, underscores and dots.";
    ANNOTATION = "CRD014", "an annotation has no valid key",
        "Keys are names of at most 63 characters with an optional DNS prefix (example.com/name).";
    ANNOTATIONS_SIZE = "CRD015", "the annotations are too large",
        "Keys and values of all annotations together have at most 262144 bytes. kubectl apply stores the whole \
         object in one; use `kubectl apply --server-side` or `kubectl create` for large definitions.";
    OWNER = "CRD016", "an owner reference is not valid",
        "An owner has an apiVersion, a kind, a name and a uid; at most one owner is the controller.";
    FINALIZER = "CRD017", "a finalizer is not valid",
        "Finalizers are qualified names such as example.com/cleanup.";
    METADATA_IMMUTABLE = "CRD018", "metadata that cannot change",
        "An update keeps the name, namespace, uid and the times of creation and deletion.";
    GENERATION = "CRD019", "the generation is not valid",
        "The generation is counted by the server. Leave it out.";
    GROUP = "CRD020", "the group is not valid",
        "A group is a DNS subdomain with at least one dot; take a domain that is yours (example.com).";
    SCOPE = "CRD021", "the scope is missing or unknown",
        "A resource is either Namespaced or Cluster.";
    SCHEMA_MISSING = "CRD022", "a version has no schema",
        "Every version has schema.openAPIV3Schema. The widest schema is `type: object` with \
         `x-kubernetes-preserve-unknown-fields: true`.";
    DEFAULTS_NEED_PRUNING = "CRD023", "defaults do not go with preserveUnknownFields: true",
        "Defaults need pruning, that is spec.preserveUnknownFields: false.";
    VERSION_NAME = "CRD024", "the name of a version is not valid",
        "A version name is a DNS label that begins with a letter: v1, v1beta1, v2alpha3.";
    VERSIONS_UNIQUE = "CRD025", "two versions have the same name",
        "Each version stands once in spec.versions.";
    STORAGE_VERSION = "CRD026", "not exactly one version is stored",
        "Exactly one version has storage: true: the one in which objects are kept in etcd.";
    SHARED_AND_OWN = "CRD027", "set for all versions and for single ones",
        "In v1beta1, schema, subresources and columns stand either at the top of the spec or in the versions. \
         In v1 they stand in the versions only.";
    ALL_ALIKE = "CRD028", "all versions say the same",
        "In v1beta1, what is the same in all versions must stand at the top of the spec.";
    VERSION_FIRST = "CRD029", "spec.version is not the first version",
        "In v1beta1, spec.version repeats the name of the first of spec.versions. Better leave it out.";
    NAMES_MISSING = "CRD030", "a name is missing",
        "spec.names needs plural and kind; singular and listKind are derived from the kind if left out.";
    NAMES_INVALID = "CRD031", "a name of the resource is not valid",
        "plural, singular, short names and categories are DNS labels that begin with a letter; kind and listKind \
         may have capital letters, too.";
    LIST_KIND = "CRD032", "kind and listKind are the same",
        "Lists have a kind of their own, by custom the kind with List appended. Leave listKind out to get that.";
    COLUMN_NAME = "CRD033", "a printer column has no name",
        "The name is the heading of the column in `kubectl get`.";
    COLUMN_TYPE = "CRD034", "a printer column has no valid type",
        "A column is of type integer, number, string, boolean or date. A date is shown as an age.";
    COLUMN_FORMAT = "CRD035", "a printer column has an unknown format",
        "The format is one of int32, int64, float, double, byte, date, date-time and password, or left out.";
    JSON_PATH = "CRD036", "a JSON path is missing or does not begin with a dot",
        "Paths of columns, selectable fields and the scale subresource begin with a dot: .spec.replicas";
    SCALE_PATH = "CRD037", "a path of the scale subresource leads to the wrong place",
        "specReplicasPath is below .spec, statusReplicasPath below .status, labelSelectorPath below one of both.";
    SELECTABLE_SCHEMA = "CRD038", "selectable fields without a schema to find them in",
        "Selectable fields are looked up in the schema of their version.";
    SELECTABLE_PATH = "CRD039", "a selectable field cannot be selected",
        "The path leads by names of properties (no list indices) to a string, boolean or integer outside of metadata.";
    SELECTABLE_TWICE = "CRD040", "a selectable field stands twice",
        "Each field is listed once.";
    SELECTABLE_MANY = "CRD041", "too many selectable fields",
        "At most 8 fields can be selected by.";
    DEPRECATION = "CRD042", "the deprecation warning is not valid",
        "A warning is 1 to 256 printable characters and stands at a version with deprecated: true.";
    CONVERSION_STRATEGY = "CRD043", "the conversion strategy is not valid",
        "The strategy is None (only apiVersion changes) or Webhook.";
    WEBHOOK_CONFIG = "CRD044", "the webhook has no clientConfig, or not exactly one of url and service",
        "A conversion webhook is called by url or through a service of the cluster.";
    WEBHOOK_URL = "CRD045", "the URL of the webhook is not valid",
        "The form is https://host[:port]/path, without user, query and fragment.";
    WEBHOOK_SERVICE = "CRD046", "the service of the webhook is not valid",
        "A service has a namespace, a name, a port from 1 to 65535 and a path of DNS subdomains.";
    CA_BUNDLE = "CRD047", "the CA bundle has no certificate",
        "caBundle is the base64 of PEM text with at least one certificate. Tools such as cert-manager's \
         ca-injector can fill it in.";
    REVIEW_VERSIONS = "CRD048", "the ConversionReview versions are not valid",
        "conversionReviewVersions lists the versions of ConversionReview the webhook understands; \
         the server speaks v1 (and v1beta1).";
    WEBHOOK_UNUSED = "CRD049", "a webhook that is never called",
        "webhook only goes with strategy: Webhook.";
    NAMES_IMMUTABLE = "CRD050", "a part of the definition that cannot change",
        "The group and the plural are the path of the objects in storage and never change; scope and kind cannot change once \
         the definition is established. Define a new resource and move the objects.";
    STORED_VERSIONS = "CRD051", "a version is gone that objects may still be stored in",
        "status.storedVersions lists all versions that were ever stored. A version can be removed only after all \
         objects are written again in the storage version and the name is taken out of status.storedVersions.";
    PRESERVE_UNKNOWN_FIELDS = "CRD052", "preserveUnknownFields is true",
        "spec.preserveUnknownFields: true is a relic of v1beta1. Put x-kubernetes-preserve-unknown-fields: true at \
         the places of the schema that need it.";
    APPROVAL = "CRD053", "a group of the Kubernetes community without approval",
        "Groups under k8s.io and kubernetes.io are reserved. A definition there carries the annotation \
         api-approved.kubernetes.io with the URL of the approving pull request, or with a text that begins with \
         `unapproved` for experiments. For your own resources take a group of your own domain.";
    STRUCTURAL_UNKNOWN = "CRD054", "the schema may not be structural",
        "The server sets the condition NonStructuralSchema on definitions that were accepted before structural \
         schemas were demanded.";
}
