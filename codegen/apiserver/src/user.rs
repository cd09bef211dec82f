//! Who sends a request.

/// Who sends a request, as the server has authenticated it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name, such as `system:serviceaccount:default:builder`.
    pub name: String,
    /// The groups, such as `system:masters`.
    pub groups: Vec<String>,
}

/// The group of all users whom the server knows.
const AUTHENTICATED: &str = "system:authenticated";

impl User {
    /// A user with groups, and the group of all authenticated users.
    pub fn new(name: impl Into<String>, groups: impl IntoIterator<Item = impl Into<String>>) -> User {
        let mut groups: Vec<String> = groups.into_iter().map(Into::into).collect();
        if !groups.iter().any(|group| group == AUTHENTICATED) {
            groups.push(AUTHENTICATED.to_owned());
        }
        User { name: name.into(), groups }
    }

    /// Somebody whom the server does not know.
    pub fn anonymous() -> User {
        User { name: "system:anonymous".to_owned(), groups: vec!["system:unauthenticated".to_owned()] }
    }

    /// The user of servers that do not authenticate anybody.
    pub fn admin() -> User {
        User::new("kubernetes-admin", ["system:masters"])
    }
}
