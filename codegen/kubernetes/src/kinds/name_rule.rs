//! What the names of objects must be.

/// What the names of a kind must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// A DNS subdomain.
    Subdomain,
    /// The same, whatever a generated one begins with.
    WholeSubdomain,
    /// A DNS label.
    Label,
    /// A step of a path: it has few rules.
    Segment,
    /// An address.
    Address,
}
