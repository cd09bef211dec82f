//! URLs.

use super::{Type, list, map};

const URL: Type = Type::Struct("kubernetes.URL");

library! {
    /// Kubernetes' URLs.
    pub URLS = "kubernetes.urls" since 0;
    "getEscapedPath" = Call(|args, _| run::part(args, |u| Val::text(u.escaped_path()))) => { "url_get_escaped_path" member (URL) -> String, PartOfUrl(3); }
    "getHost" = Call(|args, _| run::part(args, |u| Val::text(u.host.clone()))) => { "url_get_host" member (URL) -> String, PartOfUrl(1); }
    "getHostname" = Call(|args, _| run::part(args, |u| Val::text(u.hostname().to_owned()))) => { "url_get_hostname" member (URL) -> String, PartOfUrl(1); }
    "getPort" = Call(|args, _| run::part(args, |u| Val::text(u.port().to_owned()))) => { "url_get_port" member (URL) -> String, PartOfUrl(1); }
    "getQuery" = Call(|args, _| run::part(args, run::query)) => {
        "url_get_query" member (URL) -> map(&String, const { &list(&String) }), PartOfUrl(1);
    }
    "getScheme" = Call(|args, _| run::part(args, |u| Val::text(u.scheme.clone()))) => { "url_get_scheme" member (URL) -> String, PartOfUrl(1); }
    "isURL" = Call(|args, _| test_one(args, run::is_url)) => { "is_url_string" global (String) -> Bool, Unit; }
    "url" = Call(run::url) => { "string_to_url" global (String) -> URL, ScanArg; }
}

#[cfg(feature = "eval")]
mod run {
    use crate::funcs::Called;
    use crate::value::{Error, Key, Map, Opaque, Val, Work};
    use crdgen_text::go::url::Url;
    use std::sync::Arc;

    pub(super) fn url<'a>(args: &[Val<'a>], _: &Work) -> Called<'a> {
        let text = args.first()?.as_str()?;
        let parsed = Url::parse_request_uri(text).and_then(|_| Url::parse(text));
        let wrong = |why| Error::new(format!("URL parse error during conversion from string: {why}"));
        Some(parsed.map(|u| Val::Opaque(Opaque::Url(Arc::new(u)))).map_err(wrong))
    }

    pub(super) fn part<'a>(args: &[Val<'a>], f: impl Fn(&Url) -> Val<'a>) -> Called<'a> {
        if let [Val::Opaque(Opaque::Url(u))] = args { Some(Ok(f(u))) } else { None }
    }

    pub(super) fn is_url(text: &str) -> bool {
        Url::parse_request_uri(text).is_ok()
    }

    pub(super) fn query<'a>(url: &Url) -> Val<'a> {
        let entry = |(name, values): (String, Vec<String>)| {
            (Key::Str(name.into()), Val::list(values.into_iter().map(Val::text).collect()))
        };
        Val::Map(Map::own(url.parameters().into_iter().map(entry).collect()))
    }
}
