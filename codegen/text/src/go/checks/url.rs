//! URLs, as Go's `net/url` reads them, with its error messages.

use crate::go::Error;
use crate::go::quote;

/// A parsed URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    /// The scheme, in lower case.
    pub scheme: String,
    /// The text after the scheme, if it does not begin with a slash.
    pub opaque: String,
    /// `user` or `user:password`, as Go formats it. None if the URL does not have an `@`.
    pub user: Option<String>,
    /// The host with its port, decoded.
    pub host: String,
    /// The path, decoded.
    pub path: String,
    /// The path as it is written.
    pub raw_path: String,
    /// The text after the `?`.
    pub query: String,
    /// The text after the `#`, decoded.
    pub fragment: String,
}

/// The part of a URL. It determines which characters may be unescaped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Host,
    Zone,
    Other,
}

impl Url {
    /// Parses a URL, like `url.Parse`. The error is Go's complete message, with the URL.
    pub fn parse(text: &str) -> Result<Url, Error> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = parse(rest, Usage::Reference).map_err(|e| error(rest, &e))?;
        url.fragment = unescape(fragment, Part::Other).map_err(|e| error(text, &e))?;
        Ok(url)
    }

    /// Parses an absolute URL without a fragment, like `url.ParseRequestURI`.
    pub fn parse_request_uri(text: &str) -> Result<Url, Error> {
        parse(text, Usage::Request).map_err(|e| error(text, &e))
    }
}

impl Url {
    /// Returns the host without its port and brackets.
    pub fn hostname(&self) -> &str {
        self.split_host().0
    }

    /// Returns the port, if it is a number. Otherwise returns an empty string.
    pub fn port(&self) -> &str {
        self.split_host().1
    }

    fn split_host(&self) -> (&str, &str) {
        let host = self.host.as_str();
        let (host, port) = match host.rfind(':') {
            Some(colon) if host[colon + 1..].bytes().all(|b| b.is_ascii_digit()) => {
                (&host[..colon], &host[colon + 1..])
            }
            _ => (host, ""),
        };
        (host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host), port)
    }

    /// Returns the escaped path. This is the path as it is written if its escapes are valid.
    pub fn escaped_path(&self) -> String {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:@[]%/".contains(&b);
        if self.raw_path.bytes().all(plain) {
            return self.raw_path.clone();
        }
        if self.path == "*" {
            return "*".to_owned();
        }
        escape(&self.path, b"-_.~$&+,/:;=@")
    }

    /// Returns the query parameters, sorted by name, each with its values. Parameters with invalid escapes are left
    /// out.
    pub fn parameters(&self) -> std::collections::BTreeMap<String, Vec<String>> {
        let mut parameters = std::collections::BTreeMap::<String, Vec<String>>::new();
        for pair in self.query.split('&').filter(|p| !p.is_empty() && !p.contains(';')) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decode = |text: &str| unescape(&text.replace('+', " "), Part::Other);
            if let (Ok(name), Ok(value)) = (decode(name), decode(value)) {
                parameters.entry(name).or_default().push(value);
            }
        }
        parameters
    }
}

impl std::fmt::Display for Url {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        if self.opaque.is_empty() {
            if !self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some() {
                f.write_str("//")?;
                if let Some(user) = &self.user {
                    write!(f, "{user}@")?;
                }
                f.write_str(&self.host)?;
            }
            f.write_str(&self.escaped_path())?;
        } else {
            f.write_str(&self.opaque)?;
        }
        if !self.query.is_empty() {
            write!(f, "?{}", self.query)?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", escape(&self.fragment, b"-_.~!()*$&+,/:;=?@"))?;
        }
        Ok(())
    }
}

fn error(url: &str, why: &Error) -> Error {
    Error::new(format!("parse {}: {why}", quote(url)))
}

/// Where a URL is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Usage {
    /// It may be relative.
    Reference,
    /// In a request: an absolute URL, or a path.
    Request,
}

fn parse(text: &str, usage: Usage) -> Result<Url, Error> {
    if text.bytes().any(|b| b < b' ' || b == 0x7f) {
        return Err(Error::new("net/url: invalid control character in URL"));
    }
    if text.is_empty() && usage == Usage::Request {
        return Err(Error::new("empty url"));
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = "*".to_owned();
        url.raw_path = "*".to_owned();
        return Ok(url);
    }
    let (scheme, rest) = scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    let (mut rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    url.query = query.to_owned();
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = rest.to_owned();
            return Ok(url);
        }
        if usage == Usage::Request {
            return Err(Error::new("invalid URI for request"));
        }
        if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return Err(Error::new("first path segment in URL cannot contain colon"));
        }
    }
    let has_authority = !url.scheme.is_empty() || usage == Usage::Reference && !rest.starts_with("///");
    if let (true, Some(after)) = (has_authority, rest.strip_prefix("//")) {
        let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
        rest = path;
        (url.user, url.host) = parse_authority(&url.scheme, authority)?;
    }
    url.path = unescape(rest, Part::Other)?;
    url.raw_path = rest.to_owned();
    Ok(url)
}

fn scheme(text: &str) -> Result<(&str, &str), Error> {
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if i > 0 => {}
            b':' if i == 0 => return Err(Error::new("missing protocol scheme")),
            b':' => return Ok((&text[..i], &text[i + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn parse_authority(scheme: &str, authority: &str) -> Result<(Option<String>, String), Error> {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return Ok((None, parse_host(scheme, authority)?));
    };
    let host = parse_host(scheme, host)?;
    if !user.chars().all(|c| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c)) {
        return Err(Error::new("net/url: invalid userinfo"));
    }
    let user = match user.split_once(':') {
        None => escape_user(&unescape(user, Part::Other)?),
        Some((name, password)) => {
            let (name, password) = (unescape(name, Part::Other)?, unescape(password, Part::Other)?);
            format!("{}:{}", escape_user(&name), escape_user(&password))
        }
    };
    Ok((Some(user), host))
}

fn parse_host(scheme: &str, host: &str) -> Result<String, Error> {
    match host.rfind('[') {
        Some(0) => return parse_bracketed(host),
        Some(_) => return Err(Error::new("invalid IP-literal")),
        None => {}
    }
    if let Some(first) = host.find(':') {
        let last = host.rfind(':').unwrap_or(first);
        let strict = matches!(scheme, "http" | "https");
        valid_port(&host[if strict { first } else { last }..])?;
    }
    unescape(host, Part::Host)
}

/// An IPv6 address in brackets, which may have a zone after `%25`.
fn parse_bracketed(host: &str) -> Result<String, Error> {
    let close = host.rfind(']').ok_or("missing ']' in host")?;
    let (inner, port) = (&host[1..close], &host[close + 1..]);
    valid_port(port)?;
    let port = unescape(port, Part::Host)?;
    let inner = match inner.find("%25") {
        Some(zone) => unescape(&inner[..zone], Part::Host)? + &unescape(&inner[zone..], Part::Zone)?,
        None => unescape(inner, Part::Host)?,
    };
    let (address, zone) = inner.split_once('%').map_or((inner.as_str(), None), |(a, z)| (a, Some(z)));
    if address.parse::<std::net::Ipv4Addr>().is_ok() && zone.is_none() {
        return Err(Error::new("invalid IP-literal"));
    }
    if address.parse::<std::net::Ipv6Addr>().is_err() {
        return Err(Error::new(format!("invalid host: ParseAddr({}): unable to parse IP", quote(&inner))));
    }
    if zone == Some("") {
        return Err(Error::new(format!(
            "invalid host: ParseAddr({}): zone must be a non-empty string",
            quote(&inner)
        )));
    }
    Ok(format!("[{inner}]{port}"))
}

fn valid_port(port: &str) -> Result<(), Error> {
    let valid = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    if valid { Ok(()) } else { Err(Error::new(format!("invalid port {} after host", quote(port)))) }
}

/// Bytes that may be unescaped in a host.
fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

fn unescape(text: &str, part: Part) -> Result<String, Error> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let byte = bytes[i];
        if byte != b'%' {
            if part != Part::Other && byte < 0x80 && !is_host_byte(byte) {
                let character = quote(&char::from(byte).to_string());
                return Err(Error::new(format!("invalid character {character} in host name")));
            }
            out.push(byte);
            i += 1;
            continue;
        }
        let escape = &bytes[i..bytes.len().min(i + 3)];
        let invalid =
            || Error::new(format!("invalid URL escape {}", quote(&String::from_utf8_lossy(escape))));
        let [_, high, low] = escape else { return Err(invalid()) };
        let (Some(high), Some(low)) = (hex(*high), hex(*low)) else { return Err(invalid()) };
        let value = high << 4 | low;
        let allowed = match part {
            Part::Host => high >= 8 || value == b'%',
            Part::Zone => value == b'%' || value == b' ' || is_host_byte(value),
            Part::Other => true,
        };
        if !allowed {
            return Err(invalid());
        }
        out.push(value);
        i += 3;
    }
    Ok(String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|d| d as u8)
}

fn escape_user(text: &str) -> String {
    escape(text, b"-_.~$&+,;=")
}

fn escape(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Error, Url};

    #[test]
    fn errors_are_those_of_go() {
        for (text, expected) in [
            (":x", "missing protocol scheme"),
            ("a b:c", "first path segment in URL cannot contain colon"),
            ("https://h:port", "invalid port \":port\" after host"),
            ("https://a:1:2", "invalid port \":1:2\" after host"),
            ("https://[::1", "missing ']' in host"),
            ("https://a b", "invalid character \" \" in host name"),
            ("https://h/%zz", "invalid URL escape \"%zz\""),
            ("https://h/%2", "invalid URL escape \"%2\""),
            ("https://%41/", "invalid URL escape \"%41\""),
            ("https://u^@h", "net/url: invalid userinfo"),
            ("https://h/\n", "net/url: invalid control character in URL"),
            ("https://[1.2.3.4]/", "invalid IP-literal"),
        ] {
            let full = format!("parse {}: {expected}", crate::go::quote(text));
            assert_eq!(Url::parse(text), Err(Error::new(full)));
        }
    }

    #[test]
    fn parts() {
        let url = Url::parse("HTTPS://u:p%40@[fe80::1%25en0]:443/a%20b?q=1#f").unwrap();
        assert_eq!((url.scheme.as_str(), url.user.as_deref()), ("https", Some("u:p%40")));
        assert_eq!((url.host.as_str(), url.path.as_str()), ("[fe80::1%en0]:443", "/a b"));
        assert_eq!((url.query.as_str(), url.fragment.as_str()), ("q=1", "f"));
        assert_eq!(Url::parse("mailto:x@y").unwrap().opaque, "x@y");
        assert!(Url::parse_request_uri("foo").is_err());
        assert!(Url::parse_request_uri("https://h/#f").is_ok());
    }
}
