//! The user in whose name a client wants to send a request.

use crate::status::Failure;
use crate::user::User;
use crdgen_core::go;
use http::HeaderMap;
use std::collections::BTreeMap;

/// The user as the client names it. `None` if it names none.
///
/// # Errors
/// Fails if the headers say something about a user whom they do not name.
pub(crate) fn impersonated(headers: &HeaderMap) -> Result<Option<User>, Failure> {
    const EXTRA: &str = "impersonate-extra-";
    let all = |name: &str| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let first = |name: &str| all(name).next().unwrap_or_default().to_owned();
    let mut extra: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in headers {
        if let (Some(key), Ok(value)) = (name.as_str().strip_prefix(EXTRA), value.to_str()) {
            extra.entry(unescaped(key)).or_default().push(value.to_owned());
        }
    }
    let groups = all("impersonate-group").map(str::to_owned).collect();
    let user = User { name: first("impersonate-user"), uid: first("impersonate-uid"), groups, extra };
    let is_nobody = user.uid.is_empty() && user.groups.is_empty() && user.extra.is_empty();
    match (user.name.is_empty(), is_nobody) {
        (true, true) => Ok(None),
        (true, false) => {
            let message = format!("requested {} without impersonating a user name", words(&user));
            Err(Failure::bad_request(message))
        }
        (false, _) => Ok(Some(user)),
    }
}

/// A key with its escapes replaced. One that is not right stays as it is.
fn unescaped(key: &str) -> String {
    go::url::Url::parse(&format!("/{key}"))
        .ok()
        .and_then(|url| url.path.strip_prefix('/').map(str::to_owned))
        .unwrap_or_else(|| key.to_owned())
}

/// A user as Go prints one.
fn words(user: &User) -> String {
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| go::quote(text)).collect();
        format!("[]string{{{}}}", texts.join(", "))
    };
    let groups = if user.groups.is_empty() { "[]string(nil)".to_owned() } else { list(&user.groups) };
    let extra: Vec<String> =
        user.extra.iter().map(|(key, values)| format!("{}:{}", go::quote(key), list(values))).collect();
    let extra = match extra[..] {
        [] => "map[string][]string(nil)".to_owned(),
        _ => format!("map[string][]string{{{}}}", extra.join(", ")),
    };
    let (name, uid) = (go::quote(&user.name), go::quote(&user.uid));
    format!("&user.DefaultInfo{{Name:{name}, UID:{uid}, Groups:{groups}, Extra:{extra}}}")
}
