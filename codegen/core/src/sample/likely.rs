//! Values that make sense for the name of a field. The schema rarely says more about a text than that it is one.

use crdgen_text::singular;

/// Texts for fields whose names end with these words.
const TEXTS: &[(&str, &str)] = &[
    ("cpu", "500m"),
    ("memory", "1Gi"),
    ("storage", "10Gi"),
    ("quantity", "1Gi"),
    ("size limit", "1Gi"),
    ("schedule", "0 4 * * *"),
    ("cron", "0 4 * * *"),
    ("cron spec", "0 4 * * *"),
    ("time zone", "Etc/UTC"),
    ("timezone", "Etc/UTC"),
    ("interval", "10m"),
    ("timeout", "30s"),
    ("duration", "1h"),
    ("period", "1h"),
    ("delay", "30s"),
    ("ttl", "1h"),
    ("backoff", "30s"),
    ("renew before", "360h"),
    ("time", "2026-01-31T12:00:00Z"),
    ("timestamp", "2026-01-31T12:00:00Z"),
    ("date", "2026-01-31"),
    ("host", "app.example.com"),
    ("hostname", "app.example.com"),
    ("host name", "app.example.com"),
    ("dns name", "app.example.com"),
    ("fqdn", "app.example.com"),
    ("domain", "example.com"),
    ("server name", "app.example.com"),
    ("common name", "app.example.com"),
    ("url", "https://example.com/app"),
    ("uri", "https://example.com/app"),
    ("endpoint", "https://example.com"),
    ("issuer", "https://example.com"),
    ("image", "registry.example.com/app:v1.2.3"),
    ("image pull policy", "IfNotPresent"),
    ("pull policy", "IfNotPresent"),
    ("restart policy", "Always"),
    ("tag", "v1.2.3"),
    ("version", "v1.2.3"),
    ("api version", "v1"),
    ("revision", "main"),
    ("branch", "main"),
    ("ip", "10.0.0.1"),
    ("ip address", "10.0.0.1"),
    ("cidr", "10.0.0.0/16"),
    ("email", "user@example.com"),
    ("email address", "user@example.com"),
    ("namespace", "default"),
    ("secret name", "example-secret"),
    ("config map name", "example-config"),
    ("service account", "default"),
    ("service account name", "default"),
    ("storage class", "standard"),
    ("storage class name", "standard"),
    ("priority class name", "high-priority"),
    ("node name", "node-1"),
    ("topology key", "kubernetes.io/hostname"),
    ("operator", "In"),
    ("effect", "NoSchedule"),
    ("protocol", "TCP"),
    ("mount path", "/data"),
    ("sub path", "data"),
    ("path", "/data"),
    ("directory", "/data"),
    ("dir", "/data"),
    ("username", "admin"),
    ("user", "admin"),
    ("region", "eu-central-1"),
    ("bucket", "example-bucket"),
    ("method", "GET"),
    ("command", "/bin/app"),
    ("arg", "--verbose"),
    ("key", "key"),
    ("value", "value"),
    ("message", "an example"),
    ("description", "An example"),
    ("reason", "Example"),
];

/// Numbers for fields whose names end with these words.
const NUMBERS: &[(&str, f64)] = &[
    ("port", 8080.0),
    ("replica", 3.0),
    ("second", 30.0),
    ("minute", 5.0),
    ("percent", 50.0),
    ("percentage", 50.0),
    ("limit", 10.0),
    ("retry", 3.0),
    ("threshold", 3.0),
    ("user", 1000.0),
    ("group", 1000.0),
];

/// Keys for maps whose names end with these words.
const KEYS: &[(&str, &str)] = &[
    ("limit", "memory"),
    ("request", "memory"),
    ("capacity", "storage"),
    ("allocatable", "memory"),
    ("hard", "memory"),
    ("label", "app.kubernetes.io/name"),
    ("selector", "app.kubernetes.io/name"),
    ("annotation", "example.com/note"),
];

/// Returns a text that makes sense for a field.
pub(super) fn text(name: &str) -> Option<&'static str> {
    find(name, TEXTS)
}

/// Returns a number that makes sense for a field.
pub(super) fn number(name: &str) -> Option<f64> {
    find(name, NUMBERS)
}

/// Returns a key that makes sense for a map.
pub(super) fn key(name: &str) -> Option<&'static str> {
    find(name, KEYS)
}

/// Finds the value with the most words at the end of a name.
fn find<T: Copy>(name: &str, all: &[(&str, T)]) -> Option<T> {
    let name = words(name);
    let is_end =
        |end: &str| name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(' '));
    let ends = all.iter().filter(|(end, _)| is_end(end));
    ends.max_by_key(|(end, _)| end.len()).map(|(_, value)| *value)
}

/// The words of a name, in lower case and with spaces between them. The last one is in the singular.
fn words(name: &str) -> String {
    let mut out = String::new();
    // `podIPs` are several of `podIP`.
    let abbreviation = name.strip_suffix('s').filter(|rest| rest.ends_with(|c: char| c.is_ascii_uppercase()));
    let (mut before, name) = (' ', abbreviation.map_or_else(|| singular(name), str::to_owned));
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let is_start = c.is_ascii_uppercase()
            && (!before.is_ascii_uppercase() || rest.peek().is_some_and(char::is_ascii_lowercase));
        if c.is_ascii_alphanumeric() {
            if is_start && !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn names_suggest_values() {
        for (name, wanted) in [
            ("hostnames", Some("app.example.com")),
            ("dnsNames", Some("app.example.com")),
            ("repoURL", Some("https://example.com/app")),
            ("syncInterval", Some("10m")),
            ("imagePullPolicy", Some("IfNotPresent")),
            ("startingDeadline", None),
            ("ghost", None),
            ("zip", None),
            ("podIPs", Some("10.0.0.1")),
            ("schedule", Some("0 4 * * *")),
            ("", None),
        ] {
            assert_eq!(text(name), wanted, "{name}");
        }
    }
}
