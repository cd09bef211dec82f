//! The forms in which clients accept answers.

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Objects as they are.
    Plain,
    /// A table, as `kubectl get` prints it.
    Table(MetaVersion),
    /// Only the metadata of objects.
    Metadata(MetaVersion),
    /// The list of all groups with their resources (`APIGroupDiscoveryList`).
    Discovery,
}

/// A version of the kinds that describe objects of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetaVersion {
    V1,
    /// The same kinds, for clients from before 2019.
    V1Beta1,
}

impl MetaVersion {
    pub(crate) fn api_version(self) -> &'static str {
        match self {
            MetaVersion::V1 => "meta.k8s.io/v1",
            MetaVersion::V1Beta1 => "meta.k8s.io/v1beta1",
        }
    }

    fn named(group: &str, version: &str) -> Option<MetaVersion> {
        match (group, version) {
            ("meta.k8s.io", "v1") => Some(MetaVersion::V1),
            ("meta.k8s.io", "v1beta1") => Some(MetaVersion::V1Beta1),
            _ => None,
        }
    }
}

/// Whether the answer is YAML, and its form. `None` if the client accepts nothing that the server has.
pub(crate) fn accepted(header: &str) -> Option<(Form, bool)> {
    if header.trim().is_empty() {
        return Some((Form::Plain, false));
    }
    header.split(',').find_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_yaml = match parts.next().unwrap_or_default() {
            "application/json" | "*/*" | "application/*" | "text/html" | "text/plain" => false,
            "application/yaml" => true,
            _ => return None,
        };
        let (mut form, mut group, mut version) = ("", "", "");
        for part in parts {
            match part.split_once('=') {
                Some(("as", value)) => form = value,
                Some(("g", value)) => group = value,
                Some(("v", value)) => version = value,
                _ => {}
            }
        }
        let form = match (form, group, version) {
            ("", ..) => Form::Plain,
            ("Table", ..) => Form::Table(MetaVersion::named(group, version)?),
            ("PartialObjectMetadata" | "PartialObjectMetadataList", ..) => {
                Form::Metadata(MetaVersion::named(group, version)?)
            }
            ("APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2") => Form::Discovery,
            _ => return None,
        };
        Some((form, is_yaml))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_form_that_the_server_has_wins() {
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        for (header, expected) in [
            ("", Some((Form::Plain, false))),
            (table, Some((Form::Table(MetaVersion::V1), false))),
            (
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
                Some((Form::Table(MetaVersion::V1Beta1), false)),
            ),
            ("application/json;as=Table;v=v2;g=meta.k8s.io,application/json", Some((Form::Plain, false))),
            ("application/vnd.kubernetes.protobuf", None),
            ("application/vnd.kubernetes.protobuf, application/json", Some((Form::Plain, false))),
            ("application/yaml", Some((Form::Plain, true))),
        ] {
            assert_eq!(accepted(header), expected, "{header}");
        }
    }
}
