//! How fields are called in rules: names that are no identifiers are escaped, or out of reach.

pub use crate::cel::escape::is_reserved;

/// The name of a field in rules; none if rules cannot name it.
pub fn escape(name: &str) -> Option<String> {
    crate::cel::escape::escape(name).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    #[test]
    fn escapes() {
        for (name, expected) in [
            ("a", Some("a")),
            ("namespace", Some("__namespace__")),
            ("a-b.c/d__e___f", Some("a__dash__b__dot__c__slash__d__underscores__e__underscores___f")),
            ("1a", None),
            ("", None),
            ("a b", None),
            ("ä", None),
            ("$ref", None),
        ] {
            assert_eq!(super::escape(name).as_deref(), expected, "{name}");
        }
    }
}
