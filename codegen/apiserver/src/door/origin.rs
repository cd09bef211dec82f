//! Where a request comes from. A server that asks for no token must not answer pages of the web, which a browser on this machine
//! may send to it.

use http::header::{HOST, ORIGIN};
use http::{Request, Uri};
use std::net::IpAddr;

/// Whether a request names another machine: as its own origin, or as the server. Names of others may mean this machine.
pub(super) fn is_foreign<B>(request: &Request<B>) -> bool {
    let header = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
    let origin = header(ORIGIN).map(|origin| origin.parse::<Uri>().ok());
    let is_other_page =
        origin.is_some_and(|uri| !uri.and_then(|uri| uri.host().map(is_local)).unwrap_or(false));
    let host = request.uri().host().map(str::to_owned).or_else(|| {
        let host = header(HOST)?;
        Some(host.parse::<http::uri::Authority>().map_or_else(|_| host.to_owned(), |it| it.host().to_owned()))
    });
    is_other_page || host.is_some_and(|host| !is_local(&host))
}

/// Whether a host is this machine.
fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_web_are_foreign() {
        let request = |host: &str, origin: Option<&str>| {
            let mut request = Request::get("/api").header(HOST, host);
            if let Some(origin) = origin {
                request = request.header(ORIGIN, origin);
            }
            is_foreign(&request.body(()).expect("a request"))
        };
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
        assert!(!is_foreign(&Request::get("/api").body(()).expect("a request")));
    }
}
