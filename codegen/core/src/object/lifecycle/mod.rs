//! Which of Kubernetes' own kinds are new, deprecated or removed, and since when.

mod table;

use crate::diag::codes::object::REMOVED_KIND;
use crate::diag::{Diag, Level};
use crate::path::Path;
use crate::server::Server;

/// The lifecycle of a kind that is new, deprecated or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// The group.
    pub group: &'static str,
    /// The version.
    pub version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The first minor version of Kubernetes 1.x that has it, if that is known and not very old.
    pub introduced: Option<u32>,
    /// The minor version of Kubernetes 1.x that deprecated it.
    pub deprecated: Option<u32>,
    /// The minor version that removed it, or will remove it, as it was announced.
    pub removed: Option<u32>,
    /// The minor version that removed it, if that is an earlier one.
    pub gone: Option<u32>,
    /// The group, version and kind that replace it.
    pub replacement: Option<(&'static str, &'static str, &'static str)>,
}

/// A group, a version and a kind.
type Gvk = (&'static str, &'static str, &'static str);

const fn row(
    (group, version, kind): Gvk,
    introduced: Option<u32>,
    deprecated: Option<u32>,
    removed: Option<u32>,
    gone: Option<u32>,
    replacement: Option<Gvk>,
) -> Lifecycle {
    Lifecycle { group, version, kind, introduced, deprecated, removed, gone, replacement }
}

/// All kinds that are new, deprecated or removed.
pub fn all() -> &'static [Lifecycle] {
    table::TABLE
}

/// Returns the lifecycle of a kind. `None` if it is neither new nor deprecated nor removed.
pub fn of(group: &str, version: &str, kind: &str) -> Option<&'static Lifecycle> {
    let found =
        table::TABLE.binary_search_by_key(&(group, version, kind), |row| (row.group, row.version, row.kind));
    found.ok().and_then(|at| table::TABLE.get(at))
}

impl Lifecycle {
    /// Returns the warning of a server of a minor version, in its words.
    pub fn warning(&self, minor: u32) -> Option<String> {
        let deprecated = self.deprecated.filter(|deprecated| *deprecated <= minor)?;
        let name = |group: &str, version: &str, kind: &str| match group {
            "" => format!("{version} {kind}"),
            group => format!("{group}/{version} {kind}"),
        };
        let mut text =
            format!("{} is deprecated in v1.{deprecated}+", name(self.group, self.version, self.kind));
        if let Some(removed) = self.removed {
            text.push_str(&format!(", unavailable in v1.{removed}+"));
        }
        if let Some((group, version, kind)) = self.replacement {
            text.push_str(&format!("; use {}", name(group, version, kind)));
        }
        Some(text)
    }

    /// Whether a server of a minor version has the kind.
    pub fn is_in(&self, minor: u32) -> bool {
        self.introduced.is_none_or(|introduced| introduced <= minor)
            && self.end().is_none_or(|removed| minor < removed)
    }

    /// The minor version that removed it. What is only planned for a later version than the newest one may not come.
    fn end(&self) -> Option<u32> {
        self.gone.or(self.removed).filter(|removed| *removed <= Server::NEWEST.minor())
    }

    /// Returns the error if a server of a minor version does not have the kind yet or any more.
    pub fn missing(&self, minor: u32) -> Option<Diag> {
        let api_version = match self.group {
            "" => self.version.to_owned(),
            group => format!("{group}/{}", self.version),
        };
        let of = format!("{} of {api_version}", self.kind);
        let (text, help) = match (self.introduced, self.end()) {
            (_, Some(removed)) if removed <= minor => {
                (format!("Kubernetes 1.{removed} removed {of}"), self.help_on(minor))
            }
            (Some(introduced), _) if minor < introduced => {
                let help = format!("use another version of the kind, if there is one before 1.{introduced}");
                (format!("Kubernetes 1.{minor} does not have {of}, which is new in 1.{introduced}"), help)
            }
            (_, _) => return None,
        };
        Some(Diag::own(&REMOVED_KIND, Level::Error, &Path::ROOT.child("apiVersion"), text).help(help))
    }

    /// Whether servers that have the kind serve it without further settings: not alpha versions, and not beta versions since 1.24.
    pub fn is_on_by_default(&self) -> bool {
        const ON: u32 = 24;
        let is_old = self.introduced.is_none_or(|introduced| introduced < ON);
        !self.version.contains("alpha") && (is_old || !self.version.contains("beta"))
    }

    /// Returns what to do about it on a server of a minor version, which may not have what replaces it in the end.
    pub fn help_on(&self, minor: u32) -> String {
        let is_there =
            |(group, version, kind): &Gvk| of(group, version, kind).is_none_or(|it| it.is_in(minor));
        let others = || all().iter().filter(|it| (it.group, it.kind) == (self.group, self.kind));
        let other = others().rfind(|it| it.version != self.version && it.is_in(minor));
        let replacement = self.replacement.filter(is_there);
        self.help(replacement.or(other.map(|it| (it.group, it.version, it.kind))))
    }

    fn help(&self, replacement: Option<Gvk>) -> String {
        match replacement {
            Some((_, version, _)) if self.kind == "CustomResourceDefinition" => {
                format!("convert the CRD with `crdgen convert --to {version}`: fields have other names there")
            }
            Some((group, version, kind)) => {
                let api_version =
                    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
                let kind = if kind == self.kind { String::new() } else { format!(" and `kind: {kind}`") };
                format!("write `apiVersion: {api_version}`{kind}. Fields may have other names there")
            }
            None if self.kind == "PodSecurityPolicy" => {
                "nothing replaces it. Enforce Pod Security Standards with labels on namespaces, or use a policy engine".to_owned()
            }
            None => "nothing replaces it, or only a version that is not stable".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{of, table};

    #[test]
    fn the_table_is_sorted() {
        let key = |row: &super::Lifecycle| (row.group, row.version, row.kind);
        assert!(table::TABLE.is_sorted_by_key(key));
        assert!(table::TABLE.len() > 80);
    }

    #[test]
    fn finds_replacements() {
        for (group, version, kind, removed, replacement) in [
            ("extensions", "v1beta1", "Ingress", Some(22), Some(("networking.k8s.io", "v1", "Ingress"))),
            ("apps", "v1beta2", "Deployment", Some(16), Some(("apps", "v1", "Deployment"))),
            ("policy", "v1beta1", "PodSecurityPolicy", Some(25), None),
            ("batch", "v1beta1", "CronJob", Some(25), Some(("batch", "v1", "CronJob"))),
            // The module names a version that was removed later.
            (
                "flowcontrol.apiserver.k8s.io",
                "v1beta1",
                "FlowSchema",
                Some(26),
                Some(("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema")),
            ),
            // The module names the list of the kind.
            (
                "networking.k8s.io",
                "v1beta1",
                "IngressClass",
                Some(22),
                Some(("networking.k8s.io", "v1", "IngressClass")),
            ),
        ] {
            let found = of(group, version, kind).unwrap_or_else(|| panic!("{group}/{version} {kind}"));
            assert_eq!((found.removed, found.replacement), (removed, replacement), "{kind}");
        }
        assert_eq!(of("apps", "v1", "Deployment"), None);
        let cron = of("batch", "v1beta1", "CronJob").and_then(|it| it.warning(24));
        let expected =
            "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob";
        assert_eq!(cron.as_deref(), Some(expected));
        // Kinds of the core group, which stay.
        let endpoints = of("", "v1", "Endpoints").and_then(|it| it.warning(33));
        let expected = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
        assert_eq!(endpoints.as_deref(), Some(expected));
        assert_eq!(of("", "v1", "Endpoints").and_then(|it| it.warning(32)), None);
        let status = of("", "v1", "ComponentStatus").and_then(|it| it.warning(33));
        assert_eq!(status.as_deref(), Some("v1 ComponentStatus is deprecated in v1.19+"));
    }
}
