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

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Json,
    Yaml,
    Protobuf,
}

impl Syntax {
    fn subtype(self) -> &'static str {
        match self {
            Syntax::Json => "json",
            Syntax::Yaml => "yaml",
            Syntax::Protobuf => "vnd.kubernetes.protobuf",
        }
    }
}

/// Whose objects an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objects {
    /// Kubernetes' own ones.
    Own,
    /// Those of CRDs, which have no protobuf, except for their metadata.
    Custom,
}

/// In the order in which the server offers them.
const OFFERED: [Syntax; 3] = [Syntax::Json, Syntax::Yaml, Syntax::Protobuf];
/// The media types that the server names if it does not have the one that a client wants.
pub(crate) const MEDIA_TYPES: &str =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
/// The media types of watches.
pub(crate) const WATCH_TYPES: &str =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

/// An answer that a client accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub(crate) form: Form,
    pub(crate) syntax: Syntax,
}

/// What the client accepts and the server has. `None` if it has nothing of that.
pub(crate) fn accepted(header: &str, objects: Objects) -> Option<Accepted> {
    if header.is_empty() {
        return Some(Accepted { form: Form::Plain, syntax: Syntax::Json });
    }
    clauses(header).iter().find_map(|clause| {
        let syntax = *OFFERED.iter().find(|syntax| clause.names(syntax.subtype()))?;
        let form = clause.form()?;
        // There are no tables in protobuf.
        let has_protobuf = match form {
            Form::Plain => objects == Objects::Own,
            Form::Table(_) => false,
            Form::Metadata(_) | Form::Discovery => true,
        };
        (syntax != Syntax::Protobuf || has_protobuf).then_some(Accepted { form, syntax })
    })
}

/// Whether the client accepts JSON.
pub(crate) fn accepts_json(header: &str) -> bool {
    header.is_empty() || clauses(header).iter().any(|clause| clause.names("json"))
}

/// How the document of OpenAPI v2 is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenApiSyntax {
    Json,
    Protobuf,
}

/// How the client accepts the document of OpenAPI v2. Its two names of protobuf are an old and a new one.
pub(crate) fn accepted_openapi(header: &str) -> Option<OpenApiSyntax> {
    const OFFERED: [(&str, OpenApiSyntax); 3] = [
        ("json", OpenApiSyntax::Json),
        ("com.github.proto-openapi.spec.v2@v1.0+protobuf", OpenApiSyntax::Protobuf),
        ("com.github.proto-openapi.spec.v2.v1.0+protobuf", OpenApiSyntax::Protobuf),
    ];
    let header = if header.is_empty() { "*/*" } else { header };
    clauses(header).iter().find_map(|clause| {
        let found = OFFERED.iter().find(|(subtype, _)| {
            matches!(clause.main, "application" | "*") && (clause.sub == *subtype || clause.sub == "*")
        });
        found.map(|(_, syntax)| *syntax)
    })
}

/// A part of the header `Accept`.
#[derive(Clone, Debug, PartialEq)]
struct Clause<'h> {
    main: &'h str,
    sub: &'h str,
    quality: f32,
    parameters: Vec<(&'h str, &'h str)>,
}

impl<'h> Clause<'h> {
    fn read(text: &'h str) -> Option<Clause<'h>> {
        let (range, parameters) = text.split_once(';').unwrap_or((text, ""));
        let (main, sub) = match range.split_once('/') {
            Some((main, sub)) if !sub.is_empty() && !sub.contains('/') => (main.trim_matches(' '), sub),
            None if range.trim_matches(' ') == "*" => ("*", "*"),
            _ => return None,
        };
        let mut clause = Clause { main, sub: sub.trim_matches(' '), quality: 1.0, parameters: Vec::new() };
        for parameter in parameters.split(';') {
            match parameter.split_once('=').map(|(name, value)| (name.trim_matches(' '), value)) {
                Some((_, value)) if value.is_empty() || value.contains('=') => {}
                Some(("q", value)) => clause.quality = value.parse().unwrap_or_default(),
                Some((name, value)) => clause.parameters.push((name, value.trim_matches(' '))),
                None => {}
            }
        }
        Some(clause)
    }

    /// Whether this comes before another one. As in the server's library, each of two clauses can come before the other.
    fn precedes(&self, other: &Clause<'_>) -> bool {
        self.quality > other.quality
            || self.main != "*" && other.main == "*"
            || self.sub != "*" && other.sub == "*"
    }

    /// Whether this is `application/` with the subtype, or a range around it.
    fn names(&self, sub: &str) -> bool {
        match (self.main, self.sub) {
            ("*", "*") | ("application", "*") => true,
            (main, own) => main == "application" && own == sub,
        }
    }

    /// The form that the parameters ask for. `None` if the server does not have it.
    fn form(&self) -> Option<Form> {
        let (mut form, mut group, mut version) = ("", "", "");
        for (name, value) in &self.parameters {
            match *name {
                "as" => form = value,
                "g" => group = value,
                "v" => version = value,
                _ => {}
            }
        }
        Some(match (form, group, version) {
            ("", ..) => Form::Plain,
            ("Table", ..) => Form::Table(MetaVersion::named(group, version)?),
            ("PartialObjectMetadata" | "PartialObjectMetadataList", ..) => {
                Form::Metadata(MetaVersion::named(group, version)?)
            }
            ("APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2") => Form::Discovery,
            _ => return None,
        })
    }
}

/// The parts of the header, the best one first.
fn clauses(header: &str) -> Vec<Clause<'_>> {
    let mut clauses: Vec<Clause<'_>> =
        header.split(',').filter_map(|part| Clause::read(part.trim_matches(' '))).collect();
    // What the sort of Go does with up to twelve parts, for the order that is none.
    for end in 1..clauses.len() {
        let mut place = end;
        while place > 0 && clauses[place].precedes(&clauses[place - 1]) {
            clauses.swap(place, place - 1);
            place -= 1;
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_form_that_the_server_has_wins() {
        let plain = |syntax| Some(Accepted { form: Form::Plain, syntax });
        let table = |version| Some(Accepted { form: Form::Table(version), syntax: Syntax::Json });
        for (header, expected) in [
            ("", plain(Syntax::Json)),
            ("application/json;as=Table;v=v1;g=meta.k8s.io", table(MetaVersion::V1)),
            (
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
                table(MetaVersion::V1Beta1),
            ),
            ("application/json;as=Table;v=v2;g=meta.k8s.io,application/json", plain(Syntax::Json)),
            ("application/vnd.kubernetes.protobuf", plain(Syntax::Protobuf)),
            ("application/vnd.kubernetes.protobuf, application/json", plain(Syntax::Protobuf)),
            ("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,*/*", plain(Syntax::Json)),
            ("application/yaml", plain(Syntax::Yaml)),
            ("application/json;q=0.5,application/yaml", plain(Syntax::Yaml)),
            ("application/json;q=0.5, application/yaml;q=0.4", plain(Syntax::Json)),
            ("*/*,application/yaml;q=0.1", plain(Syntax::Yaml)),
            ("application/*", plain(Syntax::Json)),
            ("*", plain(Syntax::Json)),
            ("text/html", None),
            ("application", None),
        ] {
            assert_eq!(accepted(header, Objects::Own), expected, "{header}");
        }
    }

    #[test]
    fn custom_resources_have_no_protobuf() {
        let metadata = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
        let of_metadata = Accepted { form: Form::Metadata(MetaVersion::V1), syntax: Syntax::Protobuf };
        for (header, expected) in [
            ("application/vnd.kubernetes.protobuf", None),
            (
                "application/vnd.kubernetes.protobuf, application/yaml",
                Some(Accepted { form: Form::Plain, syntax: Syntax::Yaml }),
            ),
            (metadata, Some(of_metadata)),
        ] {
            assert_eq!(accepted(header, Objects::Custom), expected, "{header}");
        }
    }

    #[test]
    fn openapi_is_json_or_protobuf() {
        for (header, expected) in [
            ("", Some(OpenApiSyntax::Json)),
            ("*/*", Some(OpenApiSyntax::Json)),
            ("application/json", Some(OpenApiSyntax::Json)),
            ("application/com.github.proto-openapi.spec.v2@v1.0+protobuf", Some(OpenApiSyntax::Protobuf)),
            (
                "application/com.github.proto-openapi.spec.v2.v1.0+protobuf,application/json",
                Some(OpenApiSyntax::Protobuf),
            ),
            (
                "application/json;q=0.1,application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                Some(OpenApiSyntax::Protobuf),
            ),
            ("application/yaml", None),
        ] {
            assert_eq!(accepted_openapi(header), expected, "{header}");
        }
    }
}
