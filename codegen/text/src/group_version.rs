//! The text of `apiVersion`.

use std::fmt;

/// The group and the version that an `apiVersion` names, as the server reads them. Kubernetes' core group has no name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GroupVersion<'t> {
    /// The group: `example.com`.
    pub group: &'t str,
    /// The version: `v1`.
    pub version: &'t str,
}

impl<'t> GroupVersion<'t> {
    /// Reads an `apiVersion`. `None` if it has more than one slash.
    pub fn read(text: &'t str) -> Option<GroupVersion<'t>> {
        let (group, version) = text.split_once('/').unwrap_or(("", text));
        (!version.contains('/')).then_some(GroupVersion { group, version })
    }

    /// Reads an `apiVersion`. Both are empty if it has more than one slash.
    pub fn of(text: &'t str) -> GroupVersion<'t> {
        GroupVersion::read(text).unwrap_or_default()
    }

    /// A kind or a plural name with the group: `Deployment.apps`. Nothing is added for the core group.
    pub fn qualify(&self, name: &str) -> String {
        match self.group {
            "" => name.to_owned(),
            group => format!("{name}.{group}"),
        }
    }
}

impl fmt::Display for GroupVersion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.group {
            "" => f.write_str(self.version),
            group => write!(f, "{group}/{}", self.version),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_server_reads() {
        let cases = [
            ("example.com/v1", "example.com", "v1", "example.com/v1"),
            ("v1", "", "v1", "v1"),
            ("/v1", "", "v1", "v1"),
            ("example.com/", "example.com", "", "example.com/"),
            ("/", "", "", ""),
            ("", "", "", ""),
        ];
        for (text, group, version, shown) in cases {
            let found = GroupVersion::of(text);
            assert_eq!((found.group, found.version), (group, version), "{text}");
            assert_eq!(found.to_string(), shown, "{text}");
        }
        assert_eq!(GroupVersion::read("a/b/c"), None);
        assert_eq!(GroupVersion::of("apps/v1").qualify("Deployment"), "Deployment.apps");
        assert_eq!(GroupVersion::of("v1").qualify("Pod"), "Pod");
    }
}
