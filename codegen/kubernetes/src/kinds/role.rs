//! Kinds for which the server does more than for others.

/// What the server does besides storing the objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Objects of a CRD.
    Custom,
    /// CRDs, whose objects are served.
    Definition,
    /// Namespaces, which contain others.
    Namespace,
    /// Pods, which wait for a node at first.
    Pod,
    /// Services, which get an address.
    Service,
    /// Reviews, which are answered and not stored.
    Review,
    /// Bindings, which assign pods to nodes, and are not stored.
    Binding,
    /// Requests for certificates, which know who has sent them.
    Signing,
    /// Components of the server, of which there are none.
    Component,
    /// Roles, which allow something.
    Permissions,
    /// Bindings of roles, which say to whom.
    PermissionBinding,
    /// Other kinds of Kubernetes.
    Stored,
}
