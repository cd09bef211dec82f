//! Tokens with which clients get the next part of a list.

use super::Key;
use crate::meta::{map, own};
use crdgen_core::value::Value;
use crdgen_core::{go, json};

/// Where the next part of a list begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The revision of the whole list.
    pub(crate) revision: u64,
    /// The last object of the part before.
    pub(crate) last: Key,
}

impl Token {
    pub(crate) fn write(&self) -> String {
        let start = format!("{}/{}\0", self.last.namespace, self.last.name);
        let revision = i64::try_from(self.revision).unwrap_or(i64::MAX);
        let token = map([("v", "meta.k8s.io/v1".into()), ("rv", revision.into()), ("start", start.into())]);
        go::base64_raw_url_encode(json::to_string(&token).as_bytes())
    }

    pub(crate) fn read(text: &str) -> Option<Token> {
        let token: Value = json::read(&go::base64_raw_url_decode(text)?).ok()?;
        let (namespace, name) = own(&token, "start").trim_end_matches('\0').split_once('/')?;
        let revision = token.get("rv").and_then(Value::as_int)?.try_into().ok()?;
        Some(Token { revision, last: Key::new(namespace, name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_back() {
        for (namespace, name) in [("default", "a"), ("", "a.b"), ("x", "yy"), ("x", "yyy")] {
            let token = Token { revision: 17, last: Key::new(namespace, name) };
            assert_eq!(Token::read(&token.write()), Some(token));
        }
        for wrong in ["", "x", "e30", "\u{e9}", "bm90IGpzb24"] {
            assert_eq!(Token::read(wrong), None, "{wrong}");
        }
    }
}
