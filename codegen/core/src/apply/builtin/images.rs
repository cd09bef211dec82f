//! References to images, as the server's code reads them.

/// The tag of an image: `latest` if it has neither a tag nor a digest. `None` if the text is not a reference, or has only a digest.
pub(super) fn tag(image: &str) -> Option<&str> {
    let (domain, rest) = match image.split_once('/') {
        Some((first, rest)) if is_domain(first) => (Some(first), rest),
        Some(_) | None => (None, image),
    };
    let (rest, digest) = rest.split_once('@').map_or((rest, None), |(rest, digest)| (rest, Some(digest)));
    let (path, tag) = rest.split_once(':').map_or((rest, None), |(path, tag)| (path, Some(tag)));
    let is_short = path.len() + domain.map_or("docker.io/".len(), |domain| domain.len() + 1) <= MOST;
    let is_identifier = image.len() == 64 && image.bytes().all(is_hex);
    let is_reference = is_short
        && !is_identifier
        && domain.is_none_or(is_host)
        && path.split('/').all(is_part)
        && tag.is_none_or(is_tag)
        && digest.is_none_or(is_digest);
    if !is_reference {
        return None;
    }
    tag.or(digest.is_none().then_some("latest"))
}

/// How many bytes a name has at most.
const MOST: usize = 255;

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Whether the first part of a name is a host, and not a part of the path.
fn is_domain(first: &str) -> bool {
    first == "localhost" || first.contains(['.', ':']) || first.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_host(domain: &str) -> bool {
    let (host, port) = match domain.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        Some(_) | None => (domain, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_known = match address {
        Some(address) => {
            !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':')
        }
        None => host.split('.').all(is_label),
    };
    is_known && port.is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Letters and digits, with separators in between: a dot, one or two underscores, or dashes.
fn is_part(part: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_separator = |it: &str| matches!(it, "" | "." | "_" | "__") || it.bytes().all(|byte| byte == b'-');
    part.starts_with(is_of_word) && part.ends_with(is_of_word) && part.split(is_of_word).all(is_separator)
}

fn is_tag(tag: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    tag.len() <= 128
        && tag.bytes().next().is_some_and(is_of_word)
        && tag.bytes().all(|byte| is_of_word(byte) || matches!(byte, b'.' | b'-'))
}

/// Only known digests have a known length.
fn is_digest(digest: &str) -> bool {
    let Some((algorithm, value)) = digest.split_once(':') else { return false };
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return false,
    };
    value.len() == length && value.bytes().all(is_hex)
}

#[cfg(test)]
mod tests {
    use super::tag;

    #[test]
    fn tags_of_references() {
        let digest = format!("a@sha256:{}", "0".repeat(64));
        for (image, wanted) in [
            ("nginx", Some("latest")),
            ("nginx:1.27", Some("1.27")),
            ("a.b:5000/c/d_e:x", Some("x")),
            ("localhost/c", Some("latest")),
            ("Host/c", Some("latest")),
            ("[::1]:80/c", Some("latest")),
            ("a__b/c---d", Some("latest")),
            (digest.as_str(), None),
            ("", None),
            ("I", None),
            ("i!", None),
            ("a b", None),
            ("a___b", None),
            ("a/B", None),
            ("a:", None),
            ("a@sha256:0", None),
        ] {
            assert_eq!(tag(image), wanted, "{image}");
        }
    }
}
