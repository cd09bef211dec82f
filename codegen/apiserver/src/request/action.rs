//! What a request does, as roles name it.

use super::query::flag;
use crate::rbac::{Action, ResourceAction};
use crdgen_core::names;
use http::Method;
use std::collections::BTreeMap;

/// What a request does. It is read from the path alone, whether or not there is such a resource.
pub(crate) fn action(method: &Method, path: &str, parameters: &BTreeMap<String, Vec<String>>) -> Action {
    let other = || Action::Path { verb: method.as_str().to_ascii_lowercase(), path: path.to_owned() };
    let trimmed = path.trim_matches('/');
    let steps: Vec<&str> = trimmed.split('/').collect();
    let (group, steps) = match &steps[..] {
        ["api", _, steps @ ..] if !steps.is_empty() => ("", steps),
        ["apis", group, _, steps @ ..] if !steps.is_empty() => (*group, steps),
        _ => return other(),
    };
    let (prefix, steps) = match steps {
        [verb @ ("watch" | "proxy"), rest @ ..] if !rest.is_empty() => (Some(*verb), rest),
        _ => (None, steps),
    };
    let (namespace, steps) = match steps {
        ["namespaces", namespace, subresource, ..] if matches!(*subresource, "status" | "finalize") => {
            (*namespace, steps)
        }
        ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
        ["namespaces", namespace] => (*namespace, steps),
        _ => ("", steps),
    };
    let step = |index: usize| steps.get(index).copied().unwrap_or_default().to_owned();
    let first = |name: &str| parameters.get(name).and_then(|values| values.first()).map(String::as_str);
    let mut name = step(1);
    let verb = match (prefix, method) {
        (Some(verb), _) => verb,
        (None, &Method::GET | &Method::HEAD) if name.is_empty() => {
            name = first("fieldSelector").and_then(selected_name).unwrap_or_default();
            if first("watch").is_some_and(flag) { "watch" } else { "list" }
        }
        (None, &Method::GET | &Method::HEAD) => "get",
        (None, &Method::POST) => "create",
        (None, &Method::PUT) => "update",
        (None, &Method::PATCH) => "patch",
        (None, &Method::DELETE) if name.is_empty() => "deletecollection",
        (None, &Method::DELETE) => "delete",
        (None, _) => "",
    };
    // What follows after a prefix is a path of another server.
    let subresource = if prefix == Some("proxy") { String::new() } else { step(2) };
    Action::Resource(ResourceAction {
        verb: verb.to_owned(),
        group: group.to_owned(),
        resource: step(0),
        subresource,
        namespace: namespace.to_owned(),
        name,
    })
}

/// The name that a selector of fields requires.
fn selected_name(selector: &str) -> Option<String> {
    let parts = selector.split(',').filter(|part| !part.contains("!="));
    let name = parts.filter_map(|part| part.split_once('=')).find(|(field, _)| *field == "metadata.name");
    let name = name.map(|(_, value)| value.strip_prefix('=').unwrap_or(value))?;
    (!name.is_empty() && names::path_segment(name).is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::go::url::Url;

    #[test]
    fn reads_what_requests_do_as_the_server_does() {
        let of = |method: &str, uri: &str| {
            let url = Url::parse_request_uri(uri).expect("a URL");
            let method: Method = method.parse().expect("a method");
            match action(&method, &url.path, &url.parameters()) {
                Action::Path { verb, path } => format!("{verb} {path}"),
                Action::Resource(it) => {
                    let resource = it.combined();
                    format!("{} {}|{resource}|{}|{}", it.verb, it.group, it.namespace, it.name)
                }
            }
        };
        for (method, uri, expected) in [
            ("GET", "/", "get /"),
            ("GET", "/apis/apps/v1", "get /apis/apps/v1"),
            ("POST", "/api/v1/", "post /api/v1/"),
            ("GET", "/openapi/v3/apis/apps/v1", "get /openapi/v3/apis/apps/v1"),
            ("GET", "/api/v1/pods", "list |pods||"),
            ("HEAD", "/api/v1/pods/", "list |pods||"),
            ("GET", "/api/v1/namespaces", "list |namespaces||"),
            ("GET", "/api/v1/namespaces/a", "get |namespaces|a|a"),
            ("PUT", "/api/v1/namespaces/a/finalize", "update |namespaces/finalize|a|a"),
            ("GET", "/api/v1/namespaces/a/pods?watch=1", "watch |pods|a|"),
            ("GET", "/api/v1/namespaces/a/pods?watch=0", "list |pods|a|"),
            ("GET", "/api/v1/watch/namespaces/a/pods/b", "watch |pods|a|b"),
            ("GET", "/api/v1/namespaces/a/pods/b/log", "get |pods/log|a|b"),
            ("PATCH", "/apis/apps/v1/namespaces/a/deployments/b/scale", "patch apps|deployments/scale|a|b"),
            ("POST", "/apis/g/v1/namespaces/a/things", "create g|things|a|"),
            ("DELETE", "/apis/g/v1/things", "deletecollection g|things||"),
            ("DELETE", "/apis/g/v1/things/b", "delete g|things||b"),
            ("OPTIONS", "/apis/g/v1/things/b", " g|things||b"),
            ("GET", "/api/v1/secrets?fieldSelector=metadata.name%3Db", "list |secrets||b"),
            ("GET", "/api/v1/secrets?fieldSelector=type%3Dc,metadata.name%3D%3Db", "list |secrets||b"),
            ("GET", "/api/v1/secrets?fieldSelector=metadata.name%21%3Db", "list |secrets||"),
            ("DELETE", "/api/v1/secrets?fieldSelector=metadata.name%3Db", "deletecollection |secrets||"),
        ] {
            assert_eq!(of(method, uri), expected, "{method} {uri}");
        }
    }
}
