//! The subject of a certificate, in DER.

use crate::user::User;

pub(super) const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTF8: u8 = 0x0c;
const PRINTABLE: u8 = 0x13;
const IA5: u8 = 0x16;
/// `2.5.4.3`
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
/// `2.5.4.10`
const ORGANIZATION: &[u8] = &[0x55, 0x04, 0x0a];

/// The common name is the name of the user, and the organizations are the groups, as in Kubernetes. `None` without a name.
pub(super) fn user(subject: &[u8]) -> Option<User> {
    let (mut name, mut groups) = (None, Vec::new());
    let mut sets = subject;
    while !sets.is_empty() {
        let mut attributes = content(&mut sets, SET)?;
        while !attributes.is_empty() {
            let mut attribute = content(&mut attributes, SEQUENCE)?;
            let ty = content(&mut attribute, OBJECT_IDENTIFIER)?;
            let (tag, value) = element(&mut attribute)?;
            let text = matches!(tag, UTF8 | PRINTABLE | IA5).then(|| std::str::from_utf8(value).ok());
            let text = text.flatten().filter(|text| !text.is_empty());
            match (ty, text) {
                // Go's last one wins, too.
                (COMMON_NAME, text) => name = Some(text?),
                (ORGANIZATION, text) => groups.push(text?),
                _ => {}
            }
        }
    }
    Some(User::new(name?, groups))
}

/// The content of the next element, if it has this tag.
pub(super) fn content<'d>(data: &mut &'d [u8], tag: u8) -> Option<&'d [u8]> {
    element(data).filter(|(found, _)| *found == tag).map(|(_, content)| content)
}

/// The tag and the content of the next element.
pub(super) fn element<'d>(data: &mut &'d [u8]) -> Option<(u8, &'d [u8])> {
    let (&[tag, first], rest) = data.split_first_chunk()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81 => {
            let (&length, rest) = rest.split_first()?;
            (usize::from(length), rest)
        }
        0x82 => {
            let (&length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_be_bytes(length)), rest)
        }
        // A subject of 64 KiB is none.
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    *data = rest;
    Some((tag, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        let mut out = vec![tag];
        match u8::try_from(content.len()) {
            Ok(length @ 0..=0x7f) => out.push(length),
            Ok(length) => out.extend([0x81, length]),
            Err(_) => {
                out.push(0x82);
                out.extend(u16::try_from(content.len()).unwrap_or_default().to_be_bytes());
            }
        }
        out.extend(content);
        out
    }

    fn attribute(ty: &[u8], tag: u8, text: &str) -> Vec<u8> {
        der(SEQUENCE, &[der(OBJECT_IDENTIFIER, ty), der(tag, text.as_bytes())].concat())
    }

    #[test]
    fn reads_the_name_and_the_groups() {
        let long = "g".repeat(300);
        let groups =
            [attribute(ORGANIZATION, PRINTABLE, "system:masters"), attribute(ORGANIZATION, UTF8, &long)];
        let country = attribute(&[0x55, 0x04, 0x06], PRINTABLE, "DE");
        let parts =
            [der(SET, &country), der(SET, &groups.concat()), der(SET, &attribute(COMMON_NAME, UTF8, "jörg"))];
        let subject = parts.concat();
        assert_eq!(user(&subject), Some(User::new("jörg", ["system:masters", &long])));
        // No prefix of it is a user with other groups, and nothing panics.
        for end in 0..subject.len() {
            assert_eq!(user(&subject[..end]), None, "{end}");
        }
    }

    #[test]
    fn rejects_subjects_without_a_name() {
        assert_eq!(user(&[]), None);
        assert_eq!(user(&der(SET, &attribute(ORGANIZATION, UTF8, "system:masters"))), None);
        assert_eq!(user(&der(SET, &attribute(COMMON_NAME, UTF8, ""))), None);
        // Other kinds of text are not guessed.
        assert_eq!(user(&der(SET, &attribute(COMMON_NAME, 0x1e, "ab"))), None);
        assert_eq!(user(&[SET, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
