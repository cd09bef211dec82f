//! Where a request comes from. A server that asks for no token must not answer pages of the web, whose requests a browser may send
//! to it.

use http::header::{HOST, ORIGIN};
use http::{Request, Uri};
use std::net::IpAddr;

/// Who reaches a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only this machine.
    Local,
    /// Other machines too. They may have any name for this one.
    Network,
}

/// Whether a request comes from a page of another machine, or names another machine as the server. Names of others may mean this
/// machine, so that a page is one of the server's own only if it has its address.
pub(super) fn is_foreign<B>(request: &Request<B>, reach: Reach) -> bool {
    let header = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let origin = header(ORIGIN).map(|origin| origin.parse::<Uri>().ok());
    let host = request.uri().host().map(str::to_owned).or_else(|| {
        let host = header(HOST)?;
        Some(host.parse::<http::uri::Authority>().map_or_else(|_| host.to_owned(), |it| it.host().to_owned()))
    });
    let is_own = |page: &str| {
        is_local(page) || reach == Reach::Network && address(page).is_some() && host.as_deref() == Some(page)
    };
    let is_other_page =
        origin.is_some_and(|uri| !uri.as_ref().and_then(|uri| uri.host().map(is_own)).unwrap_or(false));
    is_other_page || reach == Reach::Local && host.is_some_and(|host| !is_local(&host))
}

/// Whether a host is this machine.
fn is_local(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || address(host).is_some_and(|ip| ip.is_loopback())
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_web_are_foreign() {
        let asks = |reach: Reach, host: &str, origin: Option<&str>| {
            let mut request = Request::get("/api").header(HOST, host);
            if let Some(origin) = origin {
                request = request.header(ORIGIN, origin);
            }
            is_foreign(&request.body(()).expect("a request"), reach)
        };
        let request = |host: &str, origin: Option<&str>| asks(Reach::Local, host, origin);
        for (host, origin, wanted) in [
            ("evil.example.com", None, false),
            ("10.0.0.1:6443", None, false),
            ("10.0.0.1:6443", Some("http://10.0.0.1:6443"), false),
            ("10.0.0.1", Some("http://localhost:3000"), false),
            ("[fd00::1]:1", Some("http://[fd00::1]:1"), false),
            ("10.0.0.1", Some("http://10.0.0.2"), true),
            ("10.0.0.1", Some("https://evil.example.com"), true),
            ("evil.example.com:6443", Some("http://evil.example.com:6443"), true),
            ("10.0.0.1", Some("null"), true),
        ] {
            assert_eq!(asks(Reach::Network, host, origin), wanted, "{host} {origin:?}");
        }
        for host in ["127.0.0.1:6443", "localhost:1", "[::1]:1", "127.1.2.3"] {
            assert!(!request(host, None), "{host}");
            assert!(!request(host, Some("http://localhost:3000")), "{host}");
            assert!(request(host, Some("https://evil.example.com")), "{host}");
            assert!(request(host, Some("null")), "{host}");
        }
        for host in ["evil.example.com", "evil.example.com:6443", "10.0.0.1", "127.0.0.1.example.com"] {
            assert!(request(host, None), "{host}");
        }
        // Clients with HTTP/1.0 name no host.
        assert!(!is_foreign(&Request::get("/api").body(()).expect("a request"), Reach::Local));
    }
}
