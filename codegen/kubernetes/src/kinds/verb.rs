//! What clients do with objects.

/// What clients do with the objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Creates an object.
    Create,
    /// Deletes an object.
    Delete,
    /// Deletes objects.
    DeleteCollection,
    /// Reads an object.
    Get,
    /// Reads objects.
    List,
    /// Changes an object.
    Patch,
    /// Replaces an object.
    Update,
    /// Follows the changes of objects.
    Watch,
}

impl Verb {
    /// Returns the name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Create => "create",
            Verb::Delete => "delete",
            Verb::DeleteCollection => "deletecollection",
            Verb::Get => "get",
            Verb::List => "list",
            Verb::Patch => "patch",
            Verb::Update => "update",
            Verb::Watch => "watch",
        }
    }

    /// Returns the names in discovery.
    pub fn names(verbs: &[Verb]) -> Vec<&'static str> {
        verbs.iter().map(|verb| verb.name()).collect()
    }
}
