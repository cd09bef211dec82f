//! Codes of CRDs (`CRD…`).

codes! {
    NOT_A_DEFINITION = "CRD001", "not a CustomResourceDefinition",
        "`apiVersion` must be apiextensions.k8s.io/v1 (or v1beta1, which crdgen converts) and `kind` must be \
         CustomResourceDefinition. The server rejects a misspelt kind with \"no kind is registered\".";
    WRONG_TYPE = "CRD002", "a field has a value of the wrong type",
        "The server cannot decode the CRD, and answers 400 Bad Request before it checks anything. In YAML, \
         missing or extra quotes often change the type: `version: 1` is a number, `served: \"true\"` is a string, \
         `on` and `no` are booleans.";
    OUT_OF_RANGE = "CRD003", "a number is out of range for its field",
        "Lengths, counts and bounds of items are 64-bit integers; ports and column priorities are 32-bit \
         integers. The server cannot decode a fraction, an exponent or a larger number.";
    BAD_TEXT = "CRD004", "a time or caBundle cannot be decoded",
        "Times are in RFC 3339 format (2024-01-31T12:00:00Z). `caBundle` is base64 with padding.";
    UNKNOWN_FIELD = "CRD005", "an unknown field",
        "kubectl rejects unknown fields (--validate=strict is its default). Other clients get a warning, and the \
         server drops the field. Names are case-sensitive. The server does not check for unknown fields below \
         `items` and `additionalProperties`.";
    TOO_DEEP = "CRD006", "the schema is nested too deeply",
        "crdgen does not read schemas deeper than the limit in the message, to keep memory bounded. Real schemas \
         are far below it.";
    TOO_LARGE = "CRD007", "the CRD is larger than a server accepts",
        "A server accepts requests of at most 3 MiB. If a CRD is larger even without its descriptions, crdgen \
         stops reading it, to keep memory bounded.";
    NAME = "CRD010", "the CRD has the wrong name",
        "metadata.name must be spec.names.plural, a dot, and spec.group. The server also uses this name as the \
         path of the resource in etcd.";
    OBJECT_NAME = "CRD011", "metadata.name or generateName is not a valid name",
        "Names of objects are DNS subdomains: lower-case letters, digits, dashes and dots.";
    NAMESPACE = "CRD012", "a namespace on a cluster-wide object",
        "CRDs belong to the cluster. Remove metadata.namespace.";
    LABEL = "CRD013", "a label is not valid",
        "Keys are names of at most 63 characters with an optional DNS prefix (example.com/name); values have at \
         most 63 characters of letters, digits, dashes, underscores and dots.";
    ANNOTATION = "CRD014", "an annotation has an invalid key",
        "Keys are names of at most 63 characters with an optional DNS prefix (example.com/name).";
    ANNOTATIONS_SIZE = "CRD015", "the annotations are too large",
        "Keys and values of all annotations together have at most 262144 bytes. kubectl apply stores the whole \
         object in an annotation; use `kubectl apply --server-side` or `kubectl create` for large CRDs.";
    OWNER = "CRD016", "an owner reference is not valid",
        "An owner has an apiVersion, a kind, a name and a uid; at most one owner is the controller.";
    FINALIZER = "CRD017", "a finalizer is not valid",
        "Finalizers are qualified names such as example.com/cleanup.";
    METADATA_IMMUTABLE = "CRD018", "metadata that cannot change",
        "An update cannot change name, namespace, uid, or the times of creation and deletion.";
    GENERATION = "CRD019", "the generation is not valid",
        "The server sets the generation. Leave it out.";
    GROUP = "CRD020", "the group is not valid",
        "A group is a DNS subdomain with at least one dot. Use a domain that you own, such as example.com.";
    SCOPE = "CRD021", "the scope is missing or unknown",
        "A resource is either Namespaced or Cluster.";
    SCHEMA_MISSING = "CRD022", "a version has no schema",
        "Every version needs schema.openAPIV3Schema. To accept any object, write `type: object` with \
         `x-kubernetes-preserve-unknown-fields: true`.";
    DEFAULTS_NEED_PRUNING = "CRD023", "defaults with preserveUnknownFields: true",
        "Defaults need pruning, so set spec.preserveUnknownFields: false.";
    VERSION_NAME = "CRD024", "the name of a version is not valid",
        "A version name is a DNS label that begins with a letter: v1, v1beta1, v2alpha3.";
    VERSIONS_UNIQUE = "CRD025", "two versions have the same name",
        "Each version may only be listed once in spec.versions.";
    STORAGE_VERSION = "CRD026", "no storage version, or several",
        "Exactly one version must have storage: true. The server stores objects in this version.";
    SHARED_AND_OWN = "CRD027", "a value is set for all versions and for single versions",
        "In v1beta1, set schema, subresources and columns either at the top of the spec or in the versions. In \
         v1, set them in the versions only.";
    ALL_ALIKE = "CRD028", "all versions have the same value",
        "In v1beta1, set what is the same in all versions at the top of the spec.";
    VERSION_FIRST = "CRD029", "spec.version is not the first version",
        "In v1beta1, spec.version repeats the name of the first of spec.versions. You can leave it out.";
    NAMES_MISSING = "CRD030", "a name is missing",
        "spec.names needs plural and kind; singular and listKind are derived from the kind if left out.";
    NAMES_INVALID = "CRD031", "a name of the resource is not valid",
        "plural, singular, short names and categories are DNS labels that begin with a letter. kind and listKind \
         may also have capital letters.";
    LIST_KIND = "CRD032", "kind and listKind are the same",
        "Lists need their own kind. By convention it is the kind followed by List, which is the default if you \
         leave listKind out.";
    COLUMN_NAME = "CRD033", "a printer column has no name",
        "The name is the heading of the column in `kubectl get`.";
    COLUMN_TYPE = "CRD034", "a printer column has no valid type",
        "A column is of type integer, number, string, boolean or date. A date is shown as an age.";
    COLUMN_FORMAT = "CRD035", "a printer column has an unknown format",
        "The format is one of int32, int64, float, double, byte, date, date-time and password, or left out.";
    JSON_PATH = "CRD036", "a JSON path is missing or does not begin with a dot",
        "Paths of columns, selectable fields and the scale subresource begin with a dot: .spec.replicas";
    SCALE_PATH = "CRD037", "a path of the scale subresource in the wrong place",
        "specReplicasPath must be below .spec, statusReplicasPath below .status, and labelSelectorPath below \
         .spec or .status.";
    SELECTABLE_SCHEMA = "CRD038", "selectable fields without a schema",
        "Selectable fields must be in the schema of their version. The server merges lists that are equal in all versions into one, \
         and rejects it if the schemas of the versions differ (kubernetes#140689): write the fields of one version in another order, \
         or give it one field more or less.";
    SELECTABLE_PATH = "CRD039", "a field that cannot be selectable",
        "The path must consist of property names, without list indices, and end at a string, boolean or integer \
         outside metadata.";
    SELECTABLE_TWICE = "CRD040", "a duplicate selectable field",
        "List each field only once.";
    SELECTABLE_MANY = "CRD041", "too many selectable fields",
        "A version can have at most 8 selectable fields.";
    DEPRECATION = "CRD042", "the deprecation warning is not valid",
        "A warning has 1 to 256 printable characters, and needs deprecated: true on its version.";
    CONVERSION_STRATEGY = "CRD043", "the conversion strategy is not valid",
        "The strategy is None (only apiVersion changes) or Webhook.";
    WEBHOOK_CONFIG = "CRD044", "the webhook has no clientConfig, or not exactly one of url and service",
        "The server calls a conversion webhook either by url or through a service of the cluster.";
    WEBHOOK_URL = "CRD045", "the URL of the webhook is not valid",
        "The form is https://host[:port]/path, without a user, a query or a fragment.";
    WEBHOOK_SERVICE = "CRD046", "the service of the webhook is not valid",
        "A service has a namespace, a name, a port from 1 to 65535 and a path. Each part of the path between \
         slashes is a DNS subdomain.";
    CA_BUNDLE = "CRD047", "the CA bundle has no certificate",
        "caBundle is the base64 of PEM text with at least one certificate. Tools such as cert-manager's \
         ca-injector can fill it in.";
    REVIEW_VERSIONS = "CRD048", "the ConversionReview versions are not valid",
        "conversionReviewVersions lists the versions of ConversionReview that the webhook understands. The server \
         supports v1 (and v1beta1).";
    WEBHOOK_UNUSED = "CRD049", "a webhook that is never called",
        "The server only calls the webhook with strategy: Webhook.";
    NAMES_IMMUTABLE = "CRD050", "a part of the CRD that cannot change",
        "Group and plural are the path of the objects in etcd and can never change. Scope and kind cannot change \
         once the CRD is established. Define a new resource and move the objects.";
    STORED_VERSIONS = "CRD051", "a removed version in which objects may still be stored",
        "status.storedVersions lists all versions in which the server ever stored objects. Before you remove a \
         version, write all objects again in the storage version, and remove the version from \
         status.storedVersions. `crdgen migrate` does both, or shows what is left to do.";
    PRESERVE_UNKNOWN_FIELDS = "CRD052", "preserveUnknownFields is true",
        "spec.preserveUnknownFields: true only exists for v1beta1. Use x-kubernetes-preserve-unknown-fields: true \
         in the parts of the schema that need it.";
    APPROVAL = "CRD053", "a group of the Kubernetes community without approval",
        "Groups under k8s.io and kubernetes.io are reserved. CRDs there need the annotation \
         api-approved.kubernetes.io with the URL of the pull request that approves them, or with a text that \
         begins with `unapproved` for experiments. Use a group of your own domain for your own resources.";
    STRUCTURAL_UNKNOWN = "CRD054", "the schema may not be structural",
        "The server sets the condition NonStructuralSchema on CRDs that it accepted before it required structural \
         schemas.";
}
