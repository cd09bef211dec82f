//! Parts of objects, and actions, that have paths of their own.

use super::verb::Verb;

/// A path after the name of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subresource {
    /// Whether a certificate is granted.
    Approval,
    /// Joins a running container.
    Attach,
    /// Assigns a pod to a node.
    Binding,
    /// The containers for debugging.
    EphemeralContainers,
    /// Evicts a pod.
    Eviction,
    /// Runs a command in a container.
    Exec,
    /// The finalizers of a namespace.
    Finalize,
    /// What a container prints.
    Log,
    /// Connections to a pod.
    PortForward,
    /// Requests to a pod, a service or a node.
    Proxy,
    /// The resources of the containers of a pod.
    Resize,
    /// The number of replicas.
    Scale,
    /// The status.
    Status,
    /// Creates a token.
    Token,
}

/// What requests do with a subresource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// They read and write the object, of which they can change a part.
    Part,
    /// They can only replace the object.
    Replaced,
    /// They create something that happens to the object.
    Action,
    /// They are for the program that runs the containers, and there is none.
    Node,
}

impl Subresource {
    const ALL: [Subresource; 14] = [
        Subresource::Approval,
        Subresource::Attach,
        Subresource::Binding,
        Subresource::EphemeralContainers,
        Subresource::Eviction,
        Subresource::Exec,
        Subresource::Finalize,
        Subresource::Log,
        Subresource::PortForward,
        Subresource::Proxy,
        Subresource::Resize,
        Subresource::Scale,
        Subresource::Status,
        Subresource::Token,
    ];

    /// Returns the step in paths.
    pub fn name(self) -> &'static str {
        match self {
            Subresource::Approval => "approval",
            Subresource::Attach => "attach",
            Subresource::Binding => "binding",
            Subresource::EphemeralContainers => "ephemeralcontainers",
            Subresource::Eviction => "eviction",
            Subresource::Exec => "exec",
            Subresource::Finalize => "finalize",
            Subresource::Log => "log",
            Subresource::PortForward => "portforward",
            Subresource::Proxy => "proxy",
            Subresource::Resize => "resize",
            Subresource::Scale => "scale",
            Subresource::Status => "status",
            Subresource::Token => "token",
        }
    }

    /// Returns the subresource with this name, of any kind.
    pub fn find(name: &str) -> Option<Subresource> {
        Subresource::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Returns what requests do with it.
    pub fn access(self) -> Access {
        match self {
            Subresource::Approval
            | Subresource::EphemeralContainers
            | Subresource::Resize
            | Subresource::Scale
            | Subresource::Status => Access::Part,
            Subresource::Finalize => Access::Replaced,
            Subresource::Binding | Subresource::Eviction | Subresource::Token => Access::Action,
            Subresource::Attach
            | Subresource::Exec
            | Subresource::Log
            | Subresource::PortForward
            | Subresource::Proxy => Access::Node,
        }
    }

    /// Returns what clients can do with it.
    pub fn verbs(self) -> &'static [Verb] {
        use Verb::{Create, Delete, Get, Patch, Update};
        match (self, self.access()) {
            (_, Access::Part) => &[Get, Patch, Update],
            (_, Access::Replaced) => &[Update],
            (_, Access::Action) => &[Create],
            (Subresource::Log, _) => &[Get],
            (Subresource::Proxy, _) => &[Create, Delete, Get, Patch, Update],
            (_, Access::Node) => &[Create, Get],
        }
    }

    /// Returns the kind of what is sent or returned, with its group and version if they are not those of the object. `kind` is the
    /// kind of the object.
    pub fn kind(self, kind: &str) -> SubresourceKind {
        let of_object = |kind: &str| SubresourceKind { group_version: None, kind: kind.to_owned() };
        let other = |group, version, kind: &str| SubresourceKind {
            group_version: Some((group, version)),
            kind: kind.to_owned(),
        };
        match self {
            Subresource::Approval
            | Subresource::EphemeralContainers
            | Subresource::Finalize
            | Subresource::Log
            | Subresource::Resize
            | Subresource::Status => of_object(kind),
            Subresource::Attach => of_object(&format!("{kind}AttachOptions")),
            Subresource::Binding => of_object("Binding"),
            Subresource::Eviction => other("policy", "v1", "Eviction"),
            Subresource::Exec => of_object(&format!("{kind}ExecOptions")),
            Subresource::PortForward => of_object(&format!("{kind}PortForwardOptions")),
            Subresource::Proxy => of_object(&format!("{kind}ProxyOptions")),
            Subresource::Scale => other("autoscaling", "v1", "Scale"),
            Subresource::Token => other("authentication.k8s.io", "v1", "TokenRequest"),
        }
    }
}

/// A kind in discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubresourceKind {
    /// The group and the version, if they are not those of the object.
    pub group_version: Option<(&'static str, &'static str)>,
    /// The kind.
    pub kind: String,
}
