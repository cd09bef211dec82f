//! Tokens with which clients get the next part of a list.

use super::Key;
use crate::meta::map;
use crdgen_core::value::Value;
use crdgen_core::{go, json};
use std::fmt;

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

    /// Reads a token. Fails with what the server says after `continue key is not valid`.
    pub(crate) fn read(text: &str) -> Result<Token, BadToken> {
        let bytes = go::base64_raw_url_decode(text).ok_or(BadToken::Base64)?;
        let token: Value = json::read(&bytes).map_err(|why| BadToken::Json(why.to_string()))?;
        let place = token.text("start").trim_end_matches('\0').split_once('/');
        let revision = token.get("rv").and_then(Value::as_int).and_then(|it| it.try_into().ok());
        match (place, revision) {
            (_, None | Some(0)) => Err(BadToken::Revision),
            (None, _) => Err(BadToken::Start),
            (Some((namespace, name)), Some(revision)) => {
                Ok(Token { revision, last: Key::new(namespace, name) })
            }
        }
    }
}

/// Why a text is not a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadToken {
    Base64,
    Json(String),
    Revision,
    Start,
}

impl fmt::Display for BadToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadToken::Base64 => f.write_str(": illegal base64 data"),
            BadToken::Json(why) => write!(f, ": {why}"),
            BadToken::Revision => {
                f.write_str(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
            }
            BadToken::Start => f.write_str(": encoded start key empty (version meta.k8s.io/v1)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_back() {
        for (namespace, name) in [("default", "a"), ("", "a.b"), ("x", "yy"), ("x", "yyy")] {
            let token = Token { revision: 17, last: Key::new(namespace, name) };
            assert_eq!(Token::read(&token.write()), Ok(token));
        }
        for wrong in ["", "x", "e30", "\u{e9}", "bm90IGpzb24"] {
            assert!(Token::read(wrong).is_err(), "{wrong}");
        }
    }
}
