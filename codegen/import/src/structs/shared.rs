//! Descriptions and constraints at the uses of a type. If all uses have the same ones, they are written at the type
//! itself.

/// Verbs that follow the type's name in Go's documentation of types.
const VERBS: [&str; 28] = [
    "allows",
    "associates",
    "captures",
    "configures",
    "contains",
    "declares",
    "defines",
    "describes",
    "determines",
    "encapsulates",
    "expresses",
    "holds",
    "identifies",
    "includes",
    "indicates",
    "is",
    "lists",
    "maps",
    "models",
    "pairs",
    "provides",
    "references",
    "refers",
    "represents",
    "selects",
    "specifies",
    "stores",
    "tracks",
];

/// The descriptions at several places, as far as they are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreed {
    text: Option<String>,
    /// Whether some of them differ.
    parted: bool,
}

impl Agreed {
    /// Adds the description of a place. If it differs, only the sentences remain with which both begin.
    pub(super) fn add(&mut self, description: &str) {
        let Some(known) = &mut self.text else {
            self.text = Some(description.to_owned());
            return;
        };
        if known.as_str() == description {
            return;
        }
        self.parted = true;
        let same = known.bytes().zip(description.bytes()).take_while(|(a, b)| a == b).count();
        let ends = |text: &str, at: usize| text.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace);
        let sentence =
            |at: &usize| known.as_bytes()[at - 1] == b'.' && ends(known, *at) && ends(description, *at);
        let end = (1..=same).rev().find(sentence).unwrap_or(0);
        known.truncate(end);
    }

    /// What the descriptions have in common. None if that is only a word or two of longer texts.
    pub(super) fn get(&self) -> Option<&str> {
        let text = self.text.as_deref()?;
        let is_enough = !self.parted || text.split_whitespace().nth(2).is_some();
        Some(if is_enough { text } else { "" })
    }
}

/// The name of the Go type at the beginning of its documentation: "HTTPHeader represents …".
pub(super) fn declared(description: &str) -> Option<&str> {
    let mut words = description.split(' ');
    let (name, verb) = (words.next()?, words.next()?);
    let capitals = name.bytes().filter(u8::is_ascii_uppercase).count();
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && name.bytes().any(|b| b.is_ascii_lowercase())
        && capitals > 1
        && name.len() > 4;
    (is_name && VERBS.contains(&verb)).then_some(name)
}

/// The camel-case words with which both names end.
pub(super) fn ending<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    let tail = a.get(a.len() - same..).unwrap_or_default();
    tail.find(|c: char| c.is_ascii_uppercase()).map_or("", |at| &tail[at..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_descriptions_have_in_common() {
        let cases: [(&[&str], &str); 9] = [
            (&["It is what it is."], "It is what it is."),
            (&["It is what it is.", "It is what it is."], "It is what it is."),
            (&["A key of a secret. Of this.", "A key of a secret. Of that."], "A key of a secret."),
            (&["A key of a secret. Of this.", "A key of a secret."], "A key of a secret."),
            (&["A key of a.b one", "A key of a.c two"], ""),
            (&["A key of ä.", "A key of ö."], ""),
            (&["Optional. This one here.", "Optional. That one there."], ""),
            (&["It is one.", ""], ""),
            (&["A port.", "A port."], "A port."),
        ];
        for (all, wanted) in cases {
            let mut agreed = Agreed::default();
            all.iter().for_each(|text| agreed.add(text));
            assert_eq!(agreed.get(), Some(wanted), "{all:?}");
        }
        assert_eq!(Agreed::default().get(), None);
    }

    #[test]
    fn names_of_types_are_found() {
        let cases = [
            ("HTTPHeader represents an HTTP header", Some("HTTPHeader")),
            ("PodMetricsEndpoint defines an endpoint", Some("PodMetricsEndpoint")),
            ("Name is the name", None),
            ("The name is this", None),
            ("ObjectMeta overrides for the pod", None),
            ("URLS is in capitals", None),
            ("BackendRefs", None),
            ("", None),
        ];
        for (description, wanted) in cases {
            assert_eq!(declared(description), wanted, "{description}");
        }
    }

    #[test]
    fn endings_are_whole_words() {
        let cases = [
            ("PrivateKeySecretRef", "ApiTokenSecretRef", "SecretRef"),
            ("SecretRef", "SecretRef", "SecretRef"),
            ("Preference", "Reference", ""),
            ("A", "", ""),
        ];
        for (a, b, wanted) in cases {
            assert_eq!(ending(a, b), wanted, "{a} {b}");
        }
    }
}
