//! Paths of requests.

/// What a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// `/healthz`, `/livez` and `/readyz`: which of them.
    Health(&'static str),
    /// `/version`
    Version,
    /// `/`
    Root,
    /// `/api`
    Core,
    /// `/apis`
    Groups,
    /// `/apis/GROUP`
    Group(String),
    /// `/apis/GROUP/VERSION` and `/api/v1`
    Resources { group: String, version: String },
    /// `/openapi/v2`
    OpenApiV2,
    /// `/openapi/v3`
    OpenApiV3,
    /// `/openapi/v3/apis/GROUP/VERSION` and `/openapi/v3/api/v1`
    OpenApiV3Of { group: String, version: String },
    /// Objects.
    Objects(ObjectPath),
    /// A path that ends before it says which objects it watches.
    Unclear(String),
    /// A path in a group that is for no objects.
    Missing { group: String },
    /// No such path.
    Unknown,
}

/// The path of an object, or of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectPath {
    pub(crate) group: String,
    pub(crate) version: String,
    /// Empty for all namespaces, and for resources without namespaces.
    pub(crate) namespace: String,
    pub(crate) plural: String,
    pub(crate) name: String,
    pub(crate) subresource: String,
    /// Whether the path begins with `watch`, which old clients use.
    pub(crate) is_watch: bool,
}

impl Target {
    pub(crate) fn read(path: &str) -> Target {
        let mut steps: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
        let has_health = matches!(steps[..], ["healthz" | "livez" | "readyz", ..]);
        if !has_health {
            _ = steps.pop_if(|last| last.is_empty());
        }
        let text = |text: &&str| (*text).to_owned();
        match &steps[..] {
            steps @ ["api", ..] if steps.contains(&"") => Target::Missing { group: String::new() },
            steps if steps.contains(&"") => Target::Unknown,
            [] => Target::Root,
            ["healthz"] | ["healthz", "ping" | "etcd" | "log"] => Target::Health("healthz"),
            ["livez"] | ["livez", "ping" | "etcd" | "log"] => Target::Health("livez"),
            ["readyz"] | ["readyz", "ping" | "etcd" | "log"] => Target::Health("readyz"),
            ["version"] => Target::Version,
            ["openapi", "v2"] => Target::OpenApiV2,
            ["openapi", "v3"] => Target::OpenApiV3,
            ["openapi", "v3", "api", version] => {
                Target::OpenApiV3Of { group: String::new(), version: text(version) }
            }
            ["openapi", "v3", "apis", group, version] => {
                Target::OpenApiV3Of { group: text(group), version: text(version) }
            }
            ["api"] => Target::Core,
            ["apis"] => Target::Groups,
            ["apis", group] => Target::Group(text(group)),
            ["api", version] => Target::Resources { group: String::new(), version: text(version) },
            ["apis", group, version] => Target::Resources { group: text(group), version: text(version) },
            ["api", _, "watch"] | ["apis", _, _, "watch"] => Target::Unclear(path.to_owned()),
            ["api", version, rest @ ..] => objects("", version, rest),
            ["apis", group, version, rest @ ..] => objects(group, version, rest),
            _ => Target::Unknown,
        }
    }
}

fn objects(group: &str, version: &str, steps: &[&str]) -> Target {
    let (is_watch, steps) = match steps {
        ["watch", rest @ ..] if !rest.is_empty() => (true, rest),
        _ => (false, steps),
    };
    let (namespace, steps) = match steps {
        // The subresources of namespaces look like resources in them.
        ["namespaces", _, "status" | "finalize"] => ("", steps),
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        _ => ("", steps),
    };
    let (plural, name, subresource) = match steps {
        [plural] => (*plural, "", ""),
        [plural, name] => (*plural, *name, ""),
        [plural, name, subresource] => (*plural, *name, *subresource),
        _ => return Target::Missing { group: group.to_owned() },
    };
    Target::Objects(ObjectPath {
        group: group.to_owned(),
        version: version.to_owned(),
        namespace: namespace.to_owned(),
        plural: plural.to_owned(),
        name: name.to_owned(),
        subresource: subresource.to_owned(),
        is_watch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_paths_of_objects() {
        let of = |path: &str| match Target::read(path) {
            Target::Objects(ObjectPath {
                group,
                version,
                namespace,
                plural,
                name,
                subresource,
                is_watch,
            }) => {
                format!("{group}|{version}|{namespace}|{plural}|{name}|{subresource}|{is_watch}")
            }
            other => format!("{other:?}"),
        };
        for (path, expected) in [
            ("/api/v1/namespaces", "|v1||namespaces|||false"),
            ("/api/v1/namespaces/a", "|v1||namespaces|a||false"),
            ("/api/v1/namespaces/a/status", "|v1||namespaces|a|status|false"),
            ("/api/v1/namespaces/a/pods", "|v1|a|pods|||false"),
            ("/apis/g/v1/namespaces/a/things/b/scale", "g|v1|a|things|b|scale|false"),
            ("/apis/g/v1/things/b", "g|v1||things|b||false"),
            ("/apis/g/v1/watch/namespaces/a/things", "g|v1|a|things|||true"),
            ("/apis/g/v1/things/b/c/d", "Missing { group: \"g\" }"),
            ("/readyz/ping", "Health(\"readyz\")"),
            ("/healthz/", "Unknown"),
            ("/healthz/x", "Unknown"),
            ("/healthz/../api/v1/secrets", "Unknown"),
            ("//api/v1/secrets", "Unknown"),
            ("/api/v1//secrets", "Missing { group: \"\" }"),
            ("/api/v1/secrets/", "|v1||secrets|||false"),
            ("/version/", "Version"),
            ("/", "Root"),
        ] {
            assert_eq!(of(path), expected, "{path}");
        }
    }
}
